// Part 3: each state times its weight. The sum of the products is the context, on the decoder's side.

import { addNumberLine, createBand } from "./bands.js";
import { setText } from "./dom.js";
import { formatNumber } from "./numbers.js";
import { addGrids } from "./words.js";

const LINE = 17;

/**
 * weight · state, component by component: the terms of the weighted sum.
 * @param {number} weight
 * @param {number[]} state
 * @returns {number[]}
 */
function blendTerm(weight, state) {
  return state.map((component) => weight * component);
}

/**
 * @param {import("./bands.js").Scene} scene
 * @param {import("./grids.js").Shape} shape
 * @returns {import("./bands.js").View}
 */
export function createBlend(scene, shape) {
  const { trace, columns } = scene;
  const weights = /** @type {number[][]} */ (trace.weights);
  const isPrinted = columns.numberSize !== null;
  const band = createBand(scene, {
    part: 2,
    number: "3",
    title: "Blend",
    formula: scene.document.formulas.blend,
    height: shape.height + (isPrinted ? LINE : 0) + 10,
    sentenceName: "blend",
    label: "Each encoder state times its weight; the context is their sum.",
  });
  band.addName(scene.document.formulas.symbols.terms, 14);
  const stand = addGrids(scene, band, { shape, top: 2 });
  const grids = trace.source_tokens.map((token, i) => stand(i, `weight × state of ${token}`));
  const componentName = isPrinted ? band.addName("", shape.height + 18) : null;
  const numbers = isPrinted ? addNumberLine(scene, band, shape.height + 18, "term") : [];
  let current = 0;
  let chosen = 0;

  /** @param {number} i */
  function writeTerm(i) {
    const [term] = blendTerm(weights[current][i], [trace.encoder_states[i][chosen]]);
    setText(numbers[i], formatNumber(term, 3));
  }

  return {
    element: band.element,
    show(step) {
      current = step;
      band.say(scene.document.sentences[step].blend);
      scene.paintColumns((i) => {
        grids[i].paint(blendTerm(weights[step][i], trace.encoder_states[i]));
        if (isPrinted) {
          writeTerm(i);
        }
      });
    },
    follow(component) {
      chosen = component;
      for (const grid of grids) {
        grid.mark(component);
      }
      componentName?.replaceChildren(`number ${chosen + 1}`);
      for (const i of numbers.keys()) {
        writeTerm(i);
      }
    },
  };
}
