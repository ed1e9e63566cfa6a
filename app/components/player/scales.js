// The bars that say which colour stands for which number.

import { signedColour, weightColour } from "./colours.js";
import { svg } from "./dom.js";
import { formatNumber } from "./numbers.js";

const STEPS = 51;
const BAR_HEIGHT = 10;

/**
 * The scale of weights, fixed at 0..1, with its title over it; 42 high.
 * @param {import("./colours.js").Palette} palette
 * @param {number} width
 * @returns {SVGElement}
 */
export function drawWeightScale(palette, width) {
  const title = svg("text", { x: 0, y: 10, "font-size": 11, fill: palette.muted }, ["weight α̂"]);
  const bar = drawBar(palette, { width, colour: (share) => weightColour(palette, share), ticks: ["0", "0.5", "1"] });
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
  const ticks = [formatNumber(-limit), "0", formatNumber(limit)];
  return drawBar(palette, { width, colour: (share) => signedColour(palette, 2 * share - 1, 1), ticks });
}

/**
 * @param {import("./colours.js").Palette} palette
 * @param {{width: number, colour: (share: number) => string, ticks: string[]}} options
 * @returns {SVGElement}
 */
function drawBar(palette, { width, colour, ticks }) {
  const step = width / STEPS;
  const fields = Array.from({ length: STEPS }, (_, index) =>
    svg("rect", { x: index * step, y: 0, width: step, height: BAR_HEIGHT, fill: colour(index / (STEPS - 1)) }),
  );
  const box = { x: 0.5, y: 0.5, width: width - 1, height: BAR_HEIGHT - 1 };
  const frame = svg("rect", { ...box, fill: "none", stroke: palette.border });
  const anchors = ["start", "middle", "end"];
  const texts = ticks.map((tick, index) => {
    const place = { x: (index / (ticks.length - 1)) * width, y: BAR_HEIGHT + 13, "text-anchor": anchors[index] };
    return svg("text", { ...place, "font-size": 11, fill: palette.muted }, [tick]);
  });
  return svg("g", {}, [svg("g", { "shape-rendering": "crispEdges" }, fields), frame, ...texts]);
}
