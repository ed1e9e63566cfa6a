// What the rows and columns of the map stand for: one token each, or neighbours put together.

import { isTakenByHand } from "./changes.js";
import { END_TOKEN, isReplaced, shownStep } from "./reading.js";

/**
 * Neighbouring positions, the last one included.
 * @typedef {object} Group
 * @property {number} first
 * @property {number} last
 * @property {string} name How it is spoken of.
 */

/**
 * A row of the map. `byHand`: weights of it were set by hand; `isTaken`: a token of it was taken by hand.
 * @typedef {Group & {words: import("./reading.js").ShownWord[], byHand: boolean, isTaken: boolean}} RowGroup
 */

/**
 * @typedef {object} Plan
 * @property {RowGroup[]} rows Groups of steps.
 * @property {Group[]} columns Groups of source tokens.
 * @property {number[][]} weights
 * @property {(number[] | null)[]} computed A row each; null where it is put together: only tokens have computed weights.
 * @property {string | null} rule How the weights were put together.
 */

/**
 * What a map is made of.
 * @typedef {object} MapSource
 * @property {import("./reading.js").MapTrace} trace
 * @property {import("./reading.js").Readings | null} readings
 * @property {import("./reading.js").PlayerView} view
 */

/**
 * @param {MapSource} source
 * @returns {Plan}
 */
export function planMap(source) {
  const { trace, view } = source;
  const { grid } = view;
  // Without the end's row an empty translation would have no row at all.
  if (grid === null || grid.target_groups.length === 0) {
    return {
      rows: trace.target_tokens.map((_, step) => createRowGroup(source, step, step)),
      columns: trace.source_tokens.map((name, i) => ({ first: i, last: i, name })),
      weights: /** @type {number[][]} */ (trace.weights),
      computed: trace.target_tokens.map((_, step) => trace.computed_weights?.[step] ?? null),
      rule: null,
    };
  }
  return {
    rows: grid.target_groups.map(([first, last]) => createRowGroup(source, first, last)),
    columns: grid.source_groups.map(([first, last], index) => ({ first, last, name: grid.column_labels[index] })),
    weights: grid.weights,
    computed: grid.target_groups.map(([first, last]) => {
      const isToken = first === last && grid.source_groups.length === trace.source_tokens.length;
      return isToken ? (trace.computed_weights?.[first] ?? null) : null;
    }),
    rule: grid.rule,
  };
}

/**
 * @param {MapSource} source
 * @param {number} first
 * @param {number} last
 * @returns {RowGroup}
 */
function createRowGroup({ trace, readings, view }, first, last) {
  const steps = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const words = steps.map((step) => shownStep({ trace, readings }, view, step));
  const isEnd = first === last && trace.target_tokens[first] === END_TOKEN;
  return {
    first,
    last,
    name: isEnd ? "The end" : words.map((word) => word.text).join(""),
    words,
    byHand: steps.some((step) => isReplaced(trace, step)),
    isTaken: steps.some((step) => isTakenByHand(trace, step)),
  };
}

/**
 * The place of the group that holds a position; -1 if it is left out.
 * @param {Group[]} groups
 * @param {number} position
 * @returns {number}
 */
export function groupAt(groups, position) {
  return groups.findIndex(({ first, last }) => first <= position && position <= last);
}

/**
 * The row of a step, or the last before it where the step is left out.
 * @param {Plan} plan
 * @param {number} step
 * @returns {number}
 */
export function rowNear({ rows }, step) {
  return Math.max(
    0,
    rows.findLastIndex((row) => row.first <= step),
  );
}

/**
 * Where to stand to see the row of a step finished: at the last step of its group.
 * @param {Plan} plan
 * @param {number} step
 * @returns {number}
 */
export function finishedAt({ rows }, step) {
  const row = groupAt(rows, step);
  return row === -1 ? step : rows[row].last;
}

/**
 * What a cell says to those who cannot see it.
 * @param {Plan} plan
 * @param {number} row
 * @param {number} column
 * @param {(value: number | null) => string} write
 * @returns {string}
 */
export function describePlace({ rows, columns, weights, computed }, row, column, write) {
  const text = `${rows[row].name} looks at ${columns[column].name}: ${write(weights[row][column])}`;
  if (!rows[row].byHand) {
    return text;
  }
  const before = computed[row];
  return before === null
    ? `${text}, from weights set by hand`
    : `${text}, set by hand; computed ${write(before[column])}`;
}
