// The links that a person drew between source and target tokens, as outlines in the cells of a map.

import { surface, svg } from "./dom.js";

const INSET = 3;
/** In narrow cells an outline runs along their edges, so that there is room for a number. */
const NARROW = 34;
const NARROW_INSET = 1;
const CORNER = 3;

/**
 * A link as it was sent: source position, target step, and whether the person was sure.
 * @typedef {[number, number, boolean]} SentLink
 */

/**
 * The links of one sentence.
 * @typedef {object} ReferenceLinks
 * @property {(step: number, i: number) => Link | undefined} find
 */

/**
 * @typedef {"sure" | "possible"} Link
 */

/**
 * @param {SentLink[]} links
 * @returns {ReferenceLinks}
 */
export function readReference(links) {
  /** @type {Map<string, Link>} */
  const found = new Map(links.map(([i, step, isSure]) => [`${step} ${i}`, isSure ? "sure" : "possible"]));
  return { find: (step, i) => found.get(`${step} ${i}`) };
}

/**
 * An outline inside a cell: whole for a link that is sure, dashed for one that is possible.
 * @param {import("./hatch.js").Box} box
 * @param {string} stroke
 * @param {Link} link
 * @returns {SVGElement}
 */
export function drawReference({ x, y, width, height }, stroke, link) {
  const inset = width < NARROW ? NARROW_INSET : INSET;
  const place = { x: x + inset, y: y + inset, width: width - 2 * inset, height: height - 2 * inset, rx: CORNER };
  const dashes = link === "sure" ? {} : { "stroke-dasharray": "3 3" };
  const style = { fill: "none", stroke, "stroke-width": width < 20 ? 1.25 : 1.75, ...dashes };
  return svg("rect", { ...place, ...style, class: `reference ${link}` });
}

/**
 * @param {Link} link
 * @returns {string}
 */
export function describeReference(link) {
  return link === "sure" ? "linked by a person" : "perhaps linked by a person";
}

/**
 * The outlines and what they mean.
 * @param {import("./colours.js").Palette} palette
 * @returns {SVGElement}
 */
export function drawReferenceLegend({ text, muted }) {
  const element = surface(250, 42, {
    role: "img",
    "aria-label": "Outlined cells: linked by a person; dashed: perhaps linked",
  });
  const size = { width: 20, height: 14 };
  const words = { "font-size": 11, fill: muted };
  element.append(
    svg("text", { ...words, x: 0, y: 10 }, ["a person's links"]),
    drawReference({ x: 0, y: 16, ...size }, text, "sure"),
    svg("text", { ...words, x: 26, y: 27 }, ["sure"]),
    drawReference({ x: 68, y: 16, ...size }, text, "possible"),
    svg("text", { ...words, x: 94, y: 27 }, ["possible"]),
  );
  return element;
}
