// Part 2: the softmax opened line by line, down to the weights.

import { addColumnTargets, addNumberLine, createBand } from "./bands.js";
import { rowColours, textOn } from "./colours.js";
import { setAttributes, setText, svg } from "./dom.js";
import { hatchPath } from "./hatch.js";
import { formatExactly, formatNumber } from "./numbers.js";
import { isReplaced } from "./reading.js";

const LINE = 17;
const BAR_SPACE = 32;

/**
 * @param {import("./bands.js").Scene} scene
 * @returns {import("./bands.js").View}
 */
export function createSoftmax(scene) {
  const { columns, palette, trace } = scene;
  const softmax = /** @type {import("./reading.js").SoftmaxParts[]} */ (scene.document.softmax);
  const weights = /** @type {number[][]} */ (trace.weights);
  const temperature = trace.intervention.temperature;
  const isPrinted = columns.numberSize !== null;
  const lines = printedLines(isPrinted, temperature);
  const weightLine = lines.length * LINE + 13;
  const barTop = isPrinted ? weightLine + 6 : 2;
  const height = barTop + BAR_SPACE + 2;
  const band = createBand(scene, {
    part: 1,
    number: "2",
    title: "Softmax",
    formula: scene.document.formulas.softmax,
    height,
    sentenceName: "softmax",
    label: "Each score less the largest, its exponential, and its weight as a bar from 0 to 1.",
  });
  const names = lines.map((_, line) => band.addName("", line * LINE + 13));
  const numbers = lines.map((_, line) => addNumberLine(scene, band, line * LINE + 13));
  const totalName = isPrinted ? band.addName("", weightLine) : null;
  const computed = /** @type {number[][]} */ (trace.computed_weights);
  const weightNumbers = isPrinted ? addNumberLine(scene, band, weightLine, "strong") : [];
  band.addName("1", barTop + 10, "tick");
  band.addName(scene.document.formulas.symbols.weight, barTop + BAR_SPACE - 8);
  const bars = addWeightBars(scene, band, barTop);
  const usedNumbers = isPrinted ? addNumberLine(scene, band, barTop + 20, "used") : [];
  const hatches = bars.map(() => svg("path", { class: "hatch" }));
  band.drawing.append(...hatches);
  let current = 0;
  addColumnTargets(scene, band, height, (i) => describeColumn(scene, softmax[current], current, i));
  return {
    element: band.element,
    show(step) {
      current = step;
      const parts = softmax[step];
      band.say(scene.document.sentences[step].softmax);
      const byHand = isReplaced(trace, step);
      for (const [line, name] of lines.entries()) {
        setText(names[line], lineName(name, parts, temperature));
      }
      totalName?.replaceChildren(`÷ ${formatNumber(parts.total, 3)}`);
      const fills = rowColours(palette, scene.view.scale, weights[step]);
      scene.paintColumns((i) => {
        const weight = weights[step][i];
        for (const [line, name] of lines.entries()) {
          const values = parts[/** @type {"scaled" | "shifted" | "exponentials"} */ (name)];
          setText(numbers[line][i], formatNumber(values[i], name === "exponentials" ? 3 : 2));
        }
        const height = BAR_SPACE * weight;
        setAttributes(bars[i], { y: barTop + BAR_SPACE - height, height, fill: fills[i] });
        const box = { x: columns.left(i) + columns.gap, y: barTop, width: columns.width - 2 * columns.gap };
        hatches[i].setAttribute("d", byHand ? hatchPath({ ...box, height: BAR_SPACE }) : "");
        if (isPrinted) {
          setText(weightNumbers[i], formatNumber(computed[step][i], 3));
          setText(usedNumbers[i], byHand ? formatNumber(weight, 3) : "");
          usedNumbers[i].style.fill = weight > 0.5 ? textOn(palette, fills[i]) : "";
        }
      });
    },
  };
}

/**
 * @param {import("./bands.js").Scene} scene
 * @param {import("./bands.js").Band} band
 * @param {number} top
 * @returns {SVGElement[]}
 */
function addWeightBars(scene, band, top) {
  const { columns } = scene;
  const width = columns.width - 2 * columns.gap;
  return Array.from({ length: columns.count }, (_, i) => {
    const x = columns.left(i) + columns.gap;
    const frame = svg("rect", { x: x + 0.5, y: top + 0.5, width: width - 1, height: BAR_SPACE - 1, class: "track" });
    const bar = svg("rect", { x, width, class: "bar" });
    band.drawing.append(frame, bar);
    return bar;
  });
}

/**
 * The lines of numbers over that of the weights: none where columns are too narrow for numbers.
 * @param {boolean} isPrinted
 * @param {number} temperature
 * @returns {string[]}
 */
function printedLines(isPrinted, temperature) {
  if (!isPrinted) {
    return [];
  }
  return temperature === 1 ? ["shifted", "exponentials"] : ["scaled", "shifted", "exponentials"];
}

/**
 * The name of a line, with the number of this step that acts in it.
 * @param {string} name
 * @param {import("./reading.js").SoftmaxParts} parts
 * @param {number} temperature
 * @returns {string}
 */
function lineName(name, parts, temperature) {
  if (name === "scaled") {
    return `÷ τ = ${formatExactly(temperature)}`;
  }
  if (name === "shifted") {
    return parts.largest < 0 ? `+ ${formatNumber(-parts.largest)}` : `− ${formatNumber(parts.largest)}`;
  }
  return "exp";
}

/**
 * @param {import("./bands.js").Scene} scene
 * @param {import("./reading.js").SoftmaxParts} parts
 * @param {number} step
 * @param {number} i
 * @returns {string}
 */
function describeColumn(scene, parts, step, i) {
  const { trace } = scene;
  const used = /** @type {number[][]} */ (trace.weights)[step][i];
  const computed = /** @type {number[][]} */ (trace.computed_weights)[step][i];
  const chain = `exp(${formatExactly(parts.shifted[i])}) = ${formatExactly(parts.exponentials[i])}; divided by ${formatExactly(parts.total)}: ${formatExactly(computed)}`;
  return isReplaced(trace, step) ? `${chain}; set by hand: ${formatExactly(used)}` : chain;
}
