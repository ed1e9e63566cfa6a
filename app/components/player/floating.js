// A box that floats over the player, near what it belongs to: a menu or a panel. Only one is open at a time.

import { html, translation } from "./dom.js";
import { clamp } from "./numbers.js";

const GAP = 4;
const MARGIN = 8;

/**
 * @typedef {object} Floating
 * @property {HTMLElement} element
 * @property {() => boolean} isOpen
 * @property {(options: OpenOptions) => void} open
 * @property {() => void} close
 * @property {() => void} destroy
 */

/**
 * @typedef {object} OpenOptions
 * @property {Element} anchor What it stands near.
 * @property {HTMLElement} content
 * @property {Element} first What takes the focus.
 * @property {boolean} staysOpen Pointing elsewhere does not close it.
 * @property {() => void} [onClose]
 */

/**
 * @returns {Floating}
 */
export function createFloating() {
  const element = html("div", { class: "floating", hidden: "" });
  /** @type {OpenOptions | null} */
  let current = null;
  /** @type {Element | null} */
  let focusedBefore = null;

  /** @returns {Element | null} */
  function focused() {
    return /** @type {Document | ShadowRoot} */ (element.getRootNode()).activeElement;
  }

  /** @param {Event} event */
  function onPointer(event) {
    if (current !== null && !current.staysOpen && !event.composedPath().includes(element)) {
      close();
    }
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (current !== null && event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  }

  document.addEventListener("pointerdown", onPointer, true);
  document.addEventListener("keydown", onKey, true);

  function close() {
    if (current === null) {
      return;
    }
    const { onClose } = current;
    const hasFocus = element.contains(focused());
    current = null;
    element.hidden = true;
    element.replaceChildren();
    if (hasFocus) {
      /** @type {HTMLElement | null} */ (focusedBefore)?.focus({ preventScroll: true });
    }
    onClose?.();
  }

  return {
    element,
    isOpen: () => current !== null,
    open(options) {
      // From a menu to the panel that it opens, the focus goes back to where the menu was opened.
      const isAlreadyOpen = current !== null;
      current?.onClose?.();
      if (!isAlreadyOpen) {
        focusedBefore = focused();
      }
      current = options;
      element.hidden = false;
      element.replaceChildren(options.content);
      place(element, options.anchor.getBoundingClientRect());
      /** @type {HTMLElement} */ (options.first).focus({ preventScroll: true });
    },
    close,
    destroy() {
      document.removeEventListener("pointerdown", onPointer, true);
      document.removeEventListener("keydown", onKey, true);
    },
  };
}

/**
 * Below the anchor if there is room, else above it, else where there is most; never off the screen.
 * @param {HTMLElement} element
 * @param {DOMRect} anchor
 */
function place(element, anchor) {
  const page = /** @type {HTMLElement} */ (element.parentElement).getBoundingClientRect();
  const { width, height } = element.getBoundingClientRect();
  const left = clamp(anchor.left, MARGIN, Math.max(MARGIN, window.innerWidth - width - MARGIN));
  const below = anchor.bottom + GAP;
  const above = anchor.top - GAP - height;
  const lowest = Math.max(MARGIN, window.innerHeight - height - MARGIN);
  const top = below <= lowest || above < MARGIN ? clamp(below, MARGIN, lowest) : above;
  element.style.transform = translation(element, left - page.left, top - page.top);
}
