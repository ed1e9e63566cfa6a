// The bars that say which colour stands for which number.

import { LEAST_LOGARITHMIC, shareColour, signedColour } from "./colours.js";
import { svg } from "./dom.js";
import { formatNumber } from "./numbers.js";

const STEPS = 51;
const BAR_HEIGHT = 10;
const USUAL_NAME = "weight α̂";

/**
 * @typedef {object} WeightScale
 * @property {string} rule What is said after the name of the weights.
 * @property {Tick[]} ticks
 */

/**
 * How colours follow weights, and the words that say so.
 * @type {Record<import("./reading.js").PlayerView["scale"], WeightScale>}
 */
export const WEIGHT_SCALES = {
  fixed: { rule: "", ticks: [tick(0, "0"), tick(0.5, "0.5"), tick(1, "1")] },
  row: { rule: ", each row by its largest", ticks: [tick(0, "0"), tick(0.5, "half"), tick(1, "largest")] },
  root: {
    rule: ", square root",
    ticks: [tick(0, "0"), ...[0.1, 0.5, 1].map((weight) => tick(Math.sqrt(weight), String(weight)))],
  },
  log: {
    rule: `, log, from ${LEAST_LOGARITHMIC}`,
    ticks: [tick(0, String(LEAST_LOGARITHMIC)), tick(1 / 3, "0.01"), tick(2 / 3, "0.1"), tick(1, "1")],
  },
};

/**
 * A text under a bar at a share 0..1 of its width.
 * @typedef {{share: number, text: string}} Tick
 */

/**
 * @param {number} share
 * @param {string} text
 * @returns {Tick}
 */
function tick(share, text) {
  return { share, text };
}

/**
 * The scale of weights, with its title over it; 42 high. The title may be wider than the bar.
 * @param {import("./colours.js").Palette} palette
 * @param {number} width
 * @param {import("./reading.js").PlayerView["scale"]} scale
 * @param {string} name Of the weights, with their symbol.
 * @returns {SVGElement}
 */
export function drawWeightScale(palette, width, scale, name = USUAL_NAME) {
  const { rule, ticks } = WEIGHT_SCALES[scale];
  const title = svg("text", { x: 0, y: 10, "font-size": 11, fill: palette.muted }, [`${name}${rule}`]);
  const bar = drawBar(palette, { width, colour: (share) => shareColour(palette, share), ticks });
  bar.setAttribute("transform", "translate(0 16)");
  return svg("g", {}, [title, bar]);
}

/**
 * The scale of signed numbers, centred at 0; 24 high.
 * @param {import("./colours.js").Palette} palette
 * @param {number} width
 * @param {number} limit
 * @returns {SVGElement}
 */
export function drawSignedScale(palette, width, limit) {
  const ticks = [tick(0, formatNumber(-limit)), tick(0.5, "0"), tick(1, formatNumber(limit))];
  return drawBar(palette, { width, colour: (share) => signedColour(palette, 2 * share - 1, 1), ticks });
}

/**
 * @param {import("./colours.js").Palette} palette
 * @param {{width: number, colour: (share: number) => string, ticks: Tick[]}} options
 * @returns {SVGElement}
 */
function drawBar(palette, { width, colour, ticks }) {
  const step = width / STEPS;
  const fields = Array.from({ length: STEPS }, (_, index) =>
    svg("rect", { x: index * step, y: 0, width: step, height: BAR_HEIGHT, fill: colour(index / (STEPS - 1)) }),
  );
  const box = { x: 0.5, y: 0.5, width: width - 1, height: BAR_HEIGHT - 1 };
  const frame = svg("rect", { ...box, fill: "none", stroke: palette.border });
  const texts = ticks.map(({ share, text }) => {
    const anchor = share === 0 ? "start" : share === 1 ? "end" : "middle";
    const place = { x: share * width, y: BAR_HEIGHT + 13, "text-anchor": anchor };
    return svg("text", { ...place, "font-size": 11, fill: palette.muted }, [text]);
  });
  return svg("g", {}, [svg("g", { "shape-rendering": "crispEdges" }, fields), frame, ...texts]);
}
