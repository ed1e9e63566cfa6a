// What maps with the same columns have in common: the mark of a column, and scrolling together.

import { html } from "./dom.js";

/**
 * A strip over a column of a map.
 * @param {import("./bands.js").Columns} columns
 * @returns {{element: HTMLElement, show: (i: number | null) => void}}
 */
export function createColumnMark(columns) {
  const element = html("div", { class: "column-mark" });
  return {
    element,
    show(i) {
      element.classList.toggle("shown", i !== null);
      if (i !== null) {
        element.style.transform = `translateX(${columns.left(i)}px)`;
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
 * Scroll a frame sideways when a column is out of view.
 * @param {import("./frames.js").Frame} frame
 * @param {import("./bands.js").Columns} columns
 * @param {number} side How much of the frame, left of the columns, stays where it is.
 * @param {number} i
 */
export function keepColumnInView(frame, columns, side, i) {
  const room = frame.width() - side;
  const left = columns.left(i);
  const isInView = left >= frame.left() && left + columns.width <= frame.left() + room;
  if (columns.total > room && !isInView) {
    frame.scrollTo({ left: left - (room - columns.width) / 2 });
  }
}
