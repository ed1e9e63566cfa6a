// The zoom of the columns: its buttons, and how wide a column and how high a row of the map are.

import { html } from "./dom.js";
import { clamp } from "./numbers.js";

const LEVELS = [14, 18, 24, 32, 44, 60, 80, 104];
/** A column as wide as this, or wider, prints all its numbers. */
export const NARROWEST_COLUMN = 44;
const WIDEST_COLUMN = 104;
/** Narrower, a column could not be pointed at. */
const NARROWEST_FITTED = 4;
const LOWEST_ROW = 14;
const ROW_HEIGHT = 30;
const PINYIN_HEIGHT = 14;

/**
 * The width of a column; null for as wide as there is room but with all numbers, "fit" for all columns in view.
 * @typedef {number | "fit" | null} Zoom
 */

/**
 * The zoom that a link names; null, as at first, for what is none.
 * @param {string | null} text
 * @returns {Zoom}
 */
export function readZoom(text) {
  if (text === "fit") {
    return text;
  }
  return LEVELS.find((level) => String(level) === text) ?? null;
}

/**
 * @param {Zoom} zoom
 * @param {number} room
 * @param {number} count
 * @param {number} narrowest Of the columns where no zoom was chosen.
 * @returns {number}
 */
export function columnWidthAt(zoom, room, count, narrowest) {
  if (typeof zoom === "number") {
    return zoom;
  }
  return clamp(Math.floor(room / count), zoom === "fit" ? NARROWEST_FITTED : narrowest, WIDEST_COLUMN);
}

/**
 * @param {number} width Of a column.
 * @param {boolean} hasPinyin
 * @returns {number}
 */
export function rowHeightAt(width, hasPinyin) {
  return clamp(width, LOWEST_ROW, ROW_HEIGHT) + (hasPinyin ? PINYIN_HEIGHT : 0);
}

/**
 * @typedef {object} ZoomButtons
 * @property {HTMLElement} element
 * @property {(zoom: Zoom, width: number) => void} show
 */

/**
 * @param {(zoom: Zoom) => void} change
 * @returns {ZoomButtons}
 */
export function createZoom(change) {
  /** @type {Zoom} */
  let current = null;
  let width = NARROWEST_COLUMN;
  const narrower = zoomButton("−", "Narrower columns", () => LEVELS.findLast((level) => level < width));
  const wider = zoomButton("+", "Wider columns", () => LEVELS.find((level) => level > width));
  const fit = zoomButton("fit", "Fit all columns into the width", () => (current === "fit" ? null : "fit"));
  const element = html("div", { class: "zoom", role: "group", "aria-label": "Zoom" }, [narrower, wider, fit]);

  /**
   * @param {string} text
   * @param {string} label
   * @param {() => Zoom | undefined} next Undefined at the end.
   * @returns {HTMLElement}
   */
  function zoomButton(text, label, next) {
    const button = html("button", { type: "button", "aria-label": label, title: label }, [text]);
    button.addEventListener("click", () => {
      const zoom = next();
      if (zoom !== undefined) {
        keepPlace(button, () => change(zoom));
      }
    });
    return button;
  }

  return {
    element,
    show(zoom, shownWidth) {
      current = zoom;
      width = shownWidth;
      narrower.setAttribute("aria-disabled", String(width <= LEVELS[0]));
      wider.setAttribute("aria-disabled", String(width >= WIDEST_COLUMN));
      fit.setAttribute("aria-pressed", String(zoom === "fit"));
    },
  };
}

/**
 * Keep a pressed button under the pointer and in focus while everything around it is drawn anew.
 * @param {HTMLElement} button
 * @param {() => void} change
 */
function keepPlace(button, change) {
  const before = button.getBoundingClientRect().top;
  change();
  button.focus({ preventScroll: true });
  scrollerOf(button)?.scrollBy({ top: button.getBoundingClientRect().top - before, behavior: "instant" });
}

/**
 * What scrolls the page around the player up and down.
 * @param {HTMLElement} element
 * @returns {Element | null}
 */
function scrollerOf(element) {
  const player = /** @type {Element} */ (element.closest(".player"));
  /** @type {Node | null} */
  let node = player;
  while (node !== null) {
    if (node instanceof Element && node.scrollHeight > node.clientHeight && canScroll(node)) {
      return node;
    }
    node = node instanceof ShadowRoot ? node.host : node.parentNode;
  }
  return document.scrollingElement;
}

/**
 * @param {Element} element
 * @returns {boolean}
 */
function canScroll(element) {
  return ["auto", "scroll"].includes(getComputedStyle(element).overflowY);
}
