// What maps with the same columns have in common: the mark of a column, and scrolling together.

import { html } from "./dom.js";
import { clamp } from "./numbers.js";

/**
 * A strip over neighbouring columns.
 * @param {import("./bands.js").Columns} columns
 * @returns {{element: HTMLElement, show: (positions: {first: number, last: number} | null) => void}}
 */
export function createColumnMark(columns) {
  const element = html("div", { class: "column-mark" });
  return {
    element,
    show(positions) {
      element.classList.toggle("shown", positions !== null);
      if (positions !== null) {
        const left = columns.left(positions.first);
        element.style.transform = `translateX(${left}px)`;
        element.style.width = `${columns.left(positions.last) + columns.width - left}px`;
      }
    },
  };
}

/**
 * Frames scroll sideways together, and up and down too where their rows are the same.
 * @param {import("./frames.js").Frame[]} frames
 * @param {boolean} vertically
 */
export function scrollTogether(frames, vertically) {
  // A frame that was told where to be does not tell the others, or each would pull the other back.
  const told = new Map();
  for (const frame of frames) {
    frame.onScroll(() => {
      const [left, top] = [Math.round(frame.left()), Math.round(frame.top())];
      const place = told.get(frame);
      told.delete(frame);
      if (place !== undefined && place.left === left && (!vertically || place.top === top)) {
        return;
      }
      for (const other of frames) {
        const isThere = other.left() === frame.left() && (!vertically || other.top() === frame.top());
        if (other !== frame && !isThere) {
          told.set(other, { left, top });
          other.scrollTo(vertically ? { left: frame.left(), top: frame.top() } : { left: frame.left() });
        }
      }
    });
  }
}

/**
 * Scroll a frame sideways when the column with the largest weight is out of view.
 * @param {import("./frames.js").Frame} frame
 * @param {import("./bands.js").Columns} columns
 * @param {number} side How much of the frame, left of the columns, stays where it is.
 * @param {number[]} weights
 * @returns {number} Where the frame comes to stand.
 */
export function keepLargestInView(frame, columns, side, weights) {
  const room = frame.width() - side;
  if (columns.total <= room || frame.width() === 0) {
    return 0;
  }
  const left = columns.left(weights.indexOf(Math.max(...weights)));
  if (left >= frame.left() && left + columns.width <= frame.left() + room) {
    return frame.left();
  }
  const target = clamp(left - (room - columns.width) / 2, 0, columns.total - room);
  frame.scrollTo({ left: target });
  return target;
}
