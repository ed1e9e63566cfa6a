// Walking over a picture cell by cell with the arrow keys. A picture is one stop of the Tab key.

import { clamp } from "./numbers.js";

/**
 * The stop of the Tab key is the cell walked to last, or the first of the current row.
 * @typedef {object} Walk
 * @property {(row: number, column: number) => void} goTo Focus this cell.
 * @property {(row: number) => void} settle Stand in this row, unless the person is walking.
 * @property {(cell: Element) => {row: number, column: number}} place
 * @property {number} columns
 */

/**
 * @param {SVGElement[]} rows Each holds its cells in the order of the columns.
 * @returns {Walk}
 */
export function createWalk(rows) {
  let stop = /** @type {SVGElement} */ (rows[0].children[0]);

  /** @param {Element} cell */
  function place(cell) {
    const row = rows.findIndex((one) => one.contains(cell));
    return { row, column: Array.from(rows[row].children).indexOf(cell) };
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  function move(row, column) {
    stop.setAttribute("tabindex", "-1");
    stop = /** @type {SVGElement} */ (rows[row].children[column]);
    stop.setAttribute("tabindex", "0");
  }

  return {
    place,
    columns: rows[0].children.length,
    goTo(row, column) {
      move(row, column);
      stop.focus();
    },
    settle(row) {
      const isWalking = stop.matches(":focus") && place(stop).row <= row;
      if (!isWalking) {
        move(row, 0);
      }
    },
  };
}

/** @type {Record<string, [number, number]>} */
const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * A focused picture is walked cell by cell; Enter enters the cell.
 * @param {Element} picture
 * @param {Walk} walk
 * @param {{cell: string, lastRow: () => number, enter: (row: number, cell: Element) => void}} options
 */
export function attachWalking(picture, walk, { cell, lastRow, enter }) {
  picture.addEventListener("keydown", (event) => {
    const { key, altKey, ctrlKey, metaKey, target } = /** @type {KeyboardEvent} */ (event);
    const focused = target instanceof Element ? target.closest(cell) : null;
    if (focused === null || altKey || ctrlKey || metaKey) {
      return;
    }
    const place = walk.place(focused);
    if (key === "Enter" || key === " ") {
      enter(place.row, focused);
    } else {
      const next = nextPlace(key, place, { lastRow: lastRow(), lastColumn: walk.columns - 1 });
      if (next === null) {
        return;
      }
      walk.goTo(...next);
    }
    event.preventDefault();
  });
}

/**
 * @param {string} key
 * @param {{row: number, column: number}} place
 * @param {{lastRow: number, lastColumn: number}} last
 * @returns {[number, number] | null}
 */
function nextPlace(key, { row, column }, { lastRow, lastColumn }) {
  if (key === "Home" || key === "End") {
    return [row, key === "Home" ? 0 : lastColumn];
  }
  if (!(key in MOVES)) {
    return null;
  }
  const [down, right] = MOVES[key];
  return [clamp(row + down, 0, lastRow), clamp(column + right, 0, lastColumn)];
}
