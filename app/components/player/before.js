// The map of the trace before a change, smaller, beside or under the one after it.

import { createColumns } from "./bands.js";
import { createFrame } from "./frames.js";
import { describePlace, groupAt, planMap } from "./groups.js";
import { html, surface } from "./dom.js";
import { drawHeads, drawLabels, headSpace, labelsWidth } from "./labels.js";
import { drawRows } from "./map.js";
import { drawChangedMark } from "./marks.js";
import { clamp, formatExactly } from "./numbers.js";

const NARROWEST_COLUMN = 10;
const WIDEST_COLUMN = 44;
/** The two lines over the heads. */
const TITLE_HEIGHT = 38;
/** The corner of a map is so high, even where its words are lower. */
const CORNER_HEIGHT = 32;

/**
 * @typedef {object} BeforeView
 * @property {HTMLElement} element
 * @property {(map: HTMLElement, headsHeight: number) => void} alignWith Bring the first rows of both maps side by side.
 * @property {(top: number) => void} scrollTo
 */

/**
 * @param {import("./bands.js").Scene} scene
 * @param {import("./reading.js").Before} before
 * @param {number} room
 * @returns {BeforeView}
 */
export function createBefore(scene, before, room) {
  const { trace } = before;
  const { palette, rowHeight } = scene;
  const view = scene.view.before ?? { ...scene.view, grid: null };
  const plan = planMap({ trace, readings: readingsOf(scene, trace), view });
  const namesWidth = labelsWidth(plan.rows);
  const count = trace.source_tokens.length;
  const fitting = Math.floor((room - namesWidth) / count);
  const columns = createColumns(count, clamp(fitting, NARROWEST_COLUMN, Math.min(scene.columns.width, WIDEST_COLUMN)));
  const paint = { trace, view, plan, palette, columns, rowHeight, namesWidth };
  const space = headSpace(plan, columns);
  const height = plan.rows.length * rowHeight;
  const heads = surface(columns.total, space.height);
  heads.append(drawHeads(paint));
  const labels = surface(namesWidth, height);
  labels.append(...drawLabels(paint), ...drawMarks(before.changed, paint));
  const cells = surface(columns.total, height);
  cells.append(...drawRows(paint));
  keepApart(scene, trace, cells);
  scene.hints.attach(cells, (event) => describeCell(plan, event.target));
  const content = html("div", { class: "before-map", role: "img", "aria-label": describe(before) }, [
    html("div", { class: "map-corner" }),
    html("div", { class: "map-heads" }, [heads]),
    html("div", { class: "map-side" }, [labels]),
    cells,
  ]);
  content.style.gridTemplateColumns = `${namesWidth}px ${columns.total}px`;
  const frame = createFrame("before-frame", content);
  const title = html("h3", { title: before.label }, [before.label]);
  const legendMark = surface(10, 10, { "aria-hidden": "true" });
  legendMark.append(drawChangedMark(5, 5, palette.text));
  const legend = html("p", { class: "sentence" }, [legendMark, "marks rows that differ."]);
  const heading = html("div", { class: "before-heading" }, [title, legend]);
  const element = html("section", { class: "before", "aria-label": before.label }, [heading, frame.element]);
  return {
    element,
    alignWith(map, headsHeight) {
      const lower = TITLE_HEIGHT + space.height - Math.max(headsHeight, CORNER_HEIGHT);
      map.style.marginTop = `${Math.max(0, lower)}px`;
      element.style.marginTop = `${Math.max(0, -lower)}px`;
    },
    scrollTo: (top) => frame.scrollTo({ top }),
  };
}

/**
 * The readings of the trace before, token by token; those of its own sentence are not kept.
 * @param {import("./bands.js").Scene} scene
 * @param {import("./reading.js").MapTrace} trace
 * @returns {import("./reading.js").Readings | null}
 */
function readingsOf({ document }, trace) {
  const { readings } = document;
  if (readings === null) {
    return null;
  }
  const steps = trace.target_tokens.map((token) => {
    const isKnown = Object.hasOwn(readings.tokens, token);
    return isKnown ? readings.tokens[token] : { pinyin: "", simplified: token };
  });
  return { ...readings, steps };
}

/**
 * Pointing at a cell links it to its column in the other pictures only if both read the same sentence.
 * @param {import("./bands.js").Scene} scene
 * @param {import("./reading.js").MapTrace} trace
 * @param {SVGElement} cells
 */
function keepApart(scene, trace, cells) {
  for (const cell of /** @type {NodeListOf<SVGElement>} */ (cells.querySelectorAll(".map-cell"))) {
    cell.dataset.column = cell.dataset.source;
    if (trace.source_tokens.join(" ") !== scene.trace.source_tokens.join(" ")) {
      delete cell.dataset.source;
    }
  }
}

/**
 * @param {boolean[]} changed
 * @param {import("./map.js").MapPaint} paint
 * @returns {SVGElement[]}
 */
function drawMarks(changed, { plan, palette, rowHeight, namesWidth }) {
  return plan.rows.flatMap(({ first, last }, row) =>
    changed.slice(first, last + 1).includes(true)
      ? [drawChangedMark(namesWidth - 5, (row + 0.5) * rowHeight, palette.text)]
      : [],
  );
}

/**
 * @param {import("./groups.js").Plan} plan
 * @param {EventTarget | null} target
 * @returns {string}
 */
function describeCell(plan, target) {
  const cell = target instanceof Element ? /** @type {SVGElement | null} */ (target.closest(".map-cell")) : null;
  if (cell === null) {
    return "";
  }
  const row = groupAt(plan.rows, Number(cell.dataset.step));
  const column = groupAt(plan.columns, Number(cell.dataset.column));
  return `before: ${describePlace(plan, row, column, formatExactly)}`;
}

/**
 * @param {import("./reading.js").Before} before
 * @returns {string}
 */
function describe({ trace, label, changed }) {
  const rows = trace.target_tokens.map((token, row) => (changed[row] ? `${token} (gone or changed)` : token));
  return `${label}. The map before, with the rows ${rows.join(", ")}`;
}
