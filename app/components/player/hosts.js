// What is common to the places where a player lives: the scheme of the page, its address, and whether data is the same.

import { isDark } from "./colours.js";
import { readZoom } from "./zoom.js";

/**
 * @typedef {import("./stepper.js").Position} Position
 */

/**
 * @param {HTMLElement} root
 * @returns {"light" | "dark"}
 */
export function schemeOfStreamlit(root) {
  const background = getComputedStyle(root).getPropertyValue("--st-background-color").trim();
  return background !== "" && isDark(background) ? "dark" : "light";
}

/**
 * @param {Uint8Array} one
 * @param {Uint8Array} other
 * @returns {boolean}
 */
export function areEqual(one, other) {
  return one === other || (one.length === other.length && one.every((byte, index) => byte === other[index]));
}

/**
 * @param {URLSearchParams} query
 * @param {Position} position
 */
function setPlace(query, { step, part }) {
  query.set("step", String(step + 1));
  if (part === null) {
    query.delete("part");
  } else {
    query.set("part", String(part + 1));
  }
}

/**
 * Keep the link to this place in the address, without an entry in the history.
 * @param {Position} position
 */
export function writeQuery(position) {
  const address = new URL(window.location.href);
  setPlace(address.searchParams, position);
  history.replaceState(history.state, "", address);
}

/**
 * Keep the zoom in the link, too.
 * @param {import("./zoom.js").Zoom} zoom
 */
export function writeZoom(zoom) {
  const address = new URL(window.location.href);
  if (zoom === null) {
    address.searchParams.delete("zoom");
  } else {
    address.searchParams.set("zoom", String(zoom));
  }
  history.replaceState(history.state, "", address);
}

/**
 * The zoom that the page's address asks for.
 * @returns {import("./zoom.js").Zoom}
 */
export function zoomInAddress() {
  return readZoom(new URL(window.location.href).searchParams.get("zoom"));
}

/** @param {Position} position */
export function writeFragment(position) {
  const query = new URLSearchParams();
  setPlace(query, position);
  history.replaceState(history.state, "", `#${query}`);
}

/** @returns {Position | null} */
export function readFragment() {
  const query = new URLSearchParams(window.location.hash.slice(1));
  const step = Number(query.get("step"));
  if (!Number.isInteger(step) || step < 1) {
    return null;
  }
  const part = Number(query.get("part"));
  return { step: step - 1, part: Number.isInteger(part) && part >= 1 ? part - 1 : null };
}

/**
 * @typedef {object} EnterWatch
 * @property {() => void} leaveBox After Enter in a box of one line, the next keys are no longer for that box.
 * @property {() => void} destroy
 */

/**
 * Watches in which box Enter was the last thing done, so that a box is left only where nobody goes on in it or elsewhere.
 * @returns {EnterWatch}
 */
export function watchEnter() {
  /** @type {EventTarget | null} */
  let entered = null;
  /** @param {KeyboardEvent} event */
  function onKey({ key, target }) {
    entered = key === "Enter" ? target : null;
  }
  function onPointer() {
    entered = null;
  }
  window.addEventListener("keydown", onKey, true);
  window.addEventListener("pointerdown", onPointer, true);
  return {
    leaveBox() {
      if (entered instanceof HTMLInputElement && entered.type === "text" && entered === document.activeElement) {
        entered.blur();
      }
    },
    destroy() {
      window.removeEventListener("keydown", onKey, true);
      window.removeEventListener("pointerdown", onPointer, true);
    },
  };
}
