// The difference of two maps, row by row: its cells on the scale centred at 0, and beside each row how far apart the two
// are and whether both look most at the same token.

import { signedColour } from "./colours.js";
import { html, surface, svg } from "./dom.js";
import { planMap } from "./groups.js";
import { createPlainMap } from "./map.js";
import { formatExactly, formatNumber } from "./numbers.js";
import { drawSignedScale } from "./scales.js";

/** A difference of two weights is never larger. */
const LIMIT = 1;
const SCALE_WIDTH = 150;
/** How wide the facts beside the rows are. */
export const FACTS_WIDTH = 136;

/**
 * What Python sent: the weights of one trace minus those of another, both along one target.
 * @typedef {object} Difference
 * @property {number} first Which trace.
 * @property {number} second
 * @property {number[][]} differences
 * @property {number[]} distances The Jensen-Shannon distance of each row, 0..1.
 * @property {boolean[]} agrees Whether both rows have their largest weight on the same token.
 * @property {string[]} sentences One a step.
 */

/** @type {import("./map.js").MapKind} */
export const DIFFERENCES = {
  longest: 5,
  colours: ({ palette }, row) => row.map((difference) => signedColour(palette, difference, LIMIT)),
  label: () => "Map of differences: a row a target token, a column a source token",
  describe: ({ rows, columns, weights }, row, column, write) => {
    const value = weights[row][column];
    return `${rows[row].name} at ${columns[column].name}: ${value > 0 ? "+" : ""}${write(value)}`;
  },
};

/**
 * @param {import("./groups.js").MapSource} source The first of the two traces.
 * @param {Difference} difference
 * @returns {import("./groups.js").Plan}
 */
export function planDifference(source, { differences }) {
  const plan = planMap(source);
  return {
    ...plan,
    rows: plan.rows.map((row) => ({ ...row, byHand: false, isTaken: false })),
    weights: differences,
    computed: differences.map(() => null),
  };
}

/**
 * The map of differences with the facts of its rows beside it, in one frame.
 * @param {import("./map.js").MapScene} scene
 * @param {Difference} difference
 * @returns {import("./map.js").PlainMap}
 */
export function createDifferenceMap(scene, difference) {
  const map = createPlainMap({ ...scene, kind: DIFFERENCES }, null);
  const facts = createRowFacts(scene, difference);
  map.frame.element.firstElementChild?.append(facts.head, facts.rows);
  return {
    ...map,
    show(step) {
      map.show(step);
      facts.show(step);
    },
  };
}

/**
 * @param {import("./map.js").MapScene} scene
 * @param {Difference} difference
 * @returns {{head: HTMLElement, rows: HTMLElement, show: (step: number) => void}}
 */
function createRowFacts({ hints, plan }, { distances, agrees }) {
  const items = distances.map((distance, row) => {
    const item = html("li", {}, [
      html("span", { class: "distance" }, [formatNumber(distance)]),
      html("span", { class: agrees[row] ? "agreement" : "agreement differs" }, [agrees[row] ? "agrees" : "differs"]),
    ]);
    hints.attach(item, () => {
      const top = agrees[row] ? "agree" : "differ";
      return `${plan.rows[row].name}: Jensen-Shannon distance ${formatExactly(distance)}; the two top tokens ${top}`;
    });
    return item;
  });
  const head = html("div", { class: "facts-head" }, [html("span", {}, ["distance"]), html("span", {}, ["top-1"])]);
  return {
    head,
    rows: html("ol", { class: "row-facts" }, items),
    show(step) {
      for (const [row, item] of items.entries()) {
        item.classList.toggle("future", row > step);
        item.classList.toggle("current", row === step);
      }
    },
  };
}

/**
 * The scale of differences, with its title over it.
 * @param {import("./colours.js").Palette} palette
 * @returns {SVGElement}
 */
export function createDifferenceScale(palette) {
  const label = `Scale of colours: difference of two weights, from −${LIMIT} to +${LIMIT}`;
  const element = surface(SCALE_WIDTH + 4, 42, { role: "img", "aria-label": label });
  const bar = drawSignedScale(palette, SCALE_WIDTH, LIMIT);
  bar.setAttribute("transform", "translate(0 16)");
  const title = svg("text", { x: 0, y: 10, "font-size": 11, fill: palette.muted }, ["difference of weights"]);
  element.append(title, bar);
  return element;
}
