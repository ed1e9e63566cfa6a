// Brings columns to a step: those in view at once, the others when the browser has painted those and nobody waits.

import { clamp, range } from "./numbers.js";

/** Milliseconds until the columns out of view follow; a held key steps faster. */
const NO_HURRY = 120;

/**
 * Called for each column that is to be brought to the current step.
 * @typedef {(i: number) => void} PaintColumn
 */

/**
 * @typedef {object} Painter
 * @property {() => void} begin A new step: forget what was left of the step before.
 * @property {(paint: PaintColumn) => void} add
 * @property {(left: number) => void} paint Bring the columns in view to the step, where the frame is scrolled so far.
 */

/**
 * @param {import("./frames.js").Frame} frame In which the columns scroll.
 * @param {import("./bands.js").Columns} columns
 * @param {{side: number, isPaper: boolean}} place side: how much of the frame the columns do not scroll under.
 * @returns {Painter}
 */
export function createPainter(frame, columns, { side, isPaper }) {
  /** @type {PaintColumn[]} */
  let paints = [];
  const isDone = new Array(columns.count).fill(false);
  let later = 0;

  /**
   * @param {number} first
   * @param {number} last
   */
  function paintFrom(first, last) {
    for (const i of range(first, last)) {
      if (!isDone[i]) {
        isDone[i] = true;
        for (const paint of paints) {
          paint(i);
        }
      }
    }
  }

  /** @param {number} left */
  function paintInView(left) {
    const end = columns.count - 1;
    const room = isPaper ? Number.POSITIVE_INFINITY : frame.width() - side;
    paintFrom(
      clamp(Math.floor(left / columns.width) - 1, 0, end),
      clamp(Math.ceil((left + room) / columns.width), 0, end),
    );
  }

  frame.onScroll(() => paintInView(frame.left()));
  return {
    begin() {
      clearTimeout(later);
      paints = [];
      isDone.fill(false);
    },
    add(paint) {
      paints.push(paint);
    },
    paint(left) {
      paintInView(left);
      if (isDone.includes(false)) {
        later = setTimeout(() => paintFrom(0, columns.count - 1), NO_HURRY);
      }
    },
  };
}
