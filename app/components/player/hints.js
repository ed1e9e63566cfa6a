// One small box a player that shows the exact numbers of what is pointed at or focused.

import { clamp } from "./numbers.js";
import { html, translation } from "./dom.js";

const GAP = 14;

/**
 * @typedef {object} Hints
 * @property {HTMLElement} element
 * @property {(target: Element, describe: (event: Event) => string) => void} attach
 * @property {() => void} hide
 */

/**
 * @returns {Hints}
 */
export function createHints() {
  const element = html("div", { class: "hint", "aria-hidden": "true" });

  /**
   * @param {string} text
   * @param {number} x
   * @param {number} y
   */
  function show(text, x, y) {
    if (text === "") {
      hide();
      return;
    }
    element.textContent = text;
    element.classList.add("shown");
    const page = /** @type {HTMLElement} */ (element.parentElement).getBoundingClientRect();
    const { width, height } = element.getBoundingClientRect();
    const left = clamp(x + GAP, 4, window.innerWidth - width - 4) - page.left;
    const isRoomBelow = y + GAP + height < window.innerHeight;
    const top = (isRoomBelow ? y + GAP : y - GAP - height) - page.top;
    element.style.transform = translation(element, left, top);
  }

  function hide() {
    element.classList.remove("shown");
  }

  /**
   * @param {Element} target
   * @param {(event: Event) => string} describe
   */
  function attach(target, describe) {
    target.addEventListener("pointermove", (event) => {
      const pointer = /** @type {PointerEvent} */ (event);
      show(describe(event), pointer.clientX, pointer.clientY);
    });
    target.addEventListener("pointerleave", hide);
    target.addEventListener("focusin", (event) => {
      const focused = /** @type {Element} */ (event.target);
      if (focused.matches(":focus-visible")) {
        const box = focused.getBoundingClientRect();
        show(describe(event), box.left + box.width / 2, box.bottom - GAP / 2);
      }
    });
    target.addEventListener("focusout", hide);
  }

  return { element, attach, hide };
}
