// Part 1: one score a column, as a signed bar from a zero line in the middle, with its number.

import { addColumnTargets, addNumberLine, createBand } from "./bands.js";
import { signedColour } from "./colours.js";
import { setText, svg } from "./dom.js";
import { formatExactly, formatNumber } from "./numbers.js";

const BAR_SPACE = 50;
const ZERO = BAR_SPACE / 2;
const LINE = 18;
/** A dot product of more terms is not written out. */
const MOST_TERMS = 16;

/**
 * @param {import("./bands.js").Scene} scene
 * @returns {import("./bands.js").View}
 */
export function createScores(scene) {
  const { columns, limits, palette } = scene;
  const scores = /** @type {(number | null)[][]} */ (scene.trace.scores);
  const isPrinted = columns.numberSize !== null;
  const height = BAR_SPACE + (isPrinted ? LINE : 0);
  const band = createBand(scene, {
    part: 0,
    number: "1",
    title: "Score",
    formula: scene.document.formulas.score,
    height: height + 2,
    sentenceName: "score",
    label: "The score of each source token, as a bar above or below zero.",
  });
  band.addName("0", ZERO + 4);
  band.addName(scene.document.formulas.symbols.score, isPrinted ? BAR_SPACE + 14 : 12);
  band.drawing.append(svg("line", { x1: 0, x2: columns.total, y1: ZERO, y2: ZERO, class: "zero" }));
  const bars = Array.from({ length: columns.count }, (_, i) => {
    const width = Math.min(28, 0.7 * columns.width);
    const bar = svg("rect", { x: columns.centre(i) - width / 2, width, class: "bar" });
    band.drawing.append(bar);
    return bar;
  });
  const numbers = isPrinted ? addNumberLine(scene, band, BAR_SPACE + 14) : [];
  let current = 0;
  addColumnTargets(scene, band, height, (i) => {
    const score = scores[current][i];
    return score === null
      ? `${scene.trace.source_tokens[i]} is hidden from attention`
      : `score of ${scene.trace.source_tokens[i]}: ${productText(scene.trace, current, i)}${formatExactly(score)}`;
  });
  return {
    element: band.element,
    show(step) {
      current = step;
      band.say(scene.document.sentences[step].score);
      scene.paintColumns((i) => {
        const score = scores[step][i];
        placeBar(bars[i], score === null ? 0 : score / limits.scores);
        bars[i].setAttribute("fill", signedColour(palette, score ?? 0, limits.scores));
        if (isPrinted) {
          setText(numbers[i], score === null ? "hidden" : formatNumber(score));
        }
      });
    },
  };
}

/**
 * The dot product term by term, where it is short enough to be read.
 * @param {import("./reading.js").Trace} trace
 * @param {number} step
 * @param {number} i
 * @returns {string}
 */
function productText(trace, step, i) {
  const state = trace.encoder_states[i];
  if (trace.scorer !== "dot" || state.length > MOST_TERMS) {
    return "";
  }
  const asking = trace.decoder_states[step];
  const terms = state.map((value, component) => `${factor(value)} × ${factor(asking[component])}`);
  return `${terms.join(" + ")} = `;
}

/**
 * A factor of a product, negative ones in brackets.
 * @param {number} value
 * @returns {string}
 */
function factor(value) {
  return value < 0 ? `(${formatExactly(value)})` : formatExactly(value);
}

/**
 * @param {SVGElement} bar
 * @param {number} share -1..1 of half the space.
 */
function placeBar(bar, share) {
  const length = Math.abs(share) * (ZERO - 1);
  bar.setAttribute("y", String(share >= 0 ? ZERO - length : ZERO));
  bar.setAttribute("height", String(length));
}
