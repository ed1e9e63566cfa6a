// A frame that scrolls. It remembers its size and place, because asking the browser makes it lay out the page at once.

import { html } from "./dom.js";

/**
 * @typedef {object} Frame
 * @property {HTMLElement} element
 * @property {() => number} left
 * @property {() => number} top
 * @property {() => number} width
 * @property {() => number} height
 * @property {(place: {left?: number, top?: number}) => void} scrollTo
 * @property {(follow: () => void) => void} onScroll
 * @property {(follow: () => void) => void} whenMeasured Called as soon as the size is known, and again when a frame that
 *   was hidden is shown.
 */

/**
 * @param {string} className
 * @param {HTMLElement} content
 * @returns {Frame}
 */
export function createFrame(className, content) {
  const element = html("div", { class: `frame ${className}` }, [content]);
  const place = { left: 0, top: 0 };
  const size = { width: Number.POSITIVE_INFINITY, height: Number.POSITIVE_INFINITY };
  element.addEventListener("scroll", () => {
    place.left = element.scrollLeft;
    place.top = element.scrollTop;
  });
  /** @type {(() => void)[]} */
  const following = [];
  let isShown = false;
  new ResizeObserver(([entry]) => {
    size.width = entry.contentRect.width;
    size.height = entry.contentRect.height;
    const wasShown = isShown;
    isShown = size.width > 0;
    if (isShown && !wasShown) {
      for (const follow of following) {
        follow();
      }
    }
  }).observe(element);
  return {
    element,
    left: () => place.left,
    top: () => place.top,
    width: () => size.width,
    height: () => size.height,
    scrollTo(target) {
      element.scrollTo(target);
    },
    onScroll(follow) {
      element.addEventListener("scroll", follow);
    },
    whenMeasured(follow) {
      following.push(follow);
    },
  };
}
