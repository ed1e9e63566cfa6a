/**
 * Puts the focus where the keyboard goes on, once for each number that Python says.
 * Who works with a pointer keeps the focus where it is: on a phone a box in focus would bring up the keys.
 */

const FOCUSABLE = "input, textarea, button";
/** Milliseconds in which Streamlit may still replace what has the focus. */
const PATIENCE = 2000;

let last = 0;
let isByKey = false;
/** @type {(() => void) | null} */
let stop = null;

window.addEventListener("keydown", () => followHand(true), true);
window.addEventListener("pointerdown", () => followHand(false), true);

/** @param {boolean} byKey */
function followHand(byKey) {
  isByKey = byKey;
  stop?.();
}

/**
 * @param {string} place
 * @returns {HTMLElement | null}
 */
function targetIn(place) {
  const container = document.querySelector(`.st-key-${CSS.escape(place)}`);
  if (!(container instanceof HTMLElement)) {
    return null;
  }
  const target = container.querySelector(FOCUSABLE);
  if (target instanceof HTMLElement) {
    return target;
  }
  container.tabIndex = -1;
  return container;
}

/**
 * Hold the focus at a place until the person goes on, or all is drawn.
 * @param {string} place
 */
function hold(place) {
  targetIn(place)?.focus();
  const observer = new MutationObserver(() => {
    if (document.activeElement === document.body) {
      targetIn(place)?.focus();
    }
  });
  observer.observe(document.body, { childList: true, subtree: true });
  const end = setTimeout(() => stop?.(), PATIENCE);
  stop = () => {
    observer.disconnect();
    clearTimeout(end);
    stop = null;
  };
}

/**
 * Streamlit calls this on every change of the data and of the theme.
 * @param {{ data: { place: string, number: number } }} component
 */
export default function mountNextFocus({ data }) {
  if (data.number === last) {
    return;
  }
  last = data.number;
  if (isByKey) {
    hold(data.place);
  }
}
