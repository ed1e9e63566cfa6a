// Part 3: each state times its weight. The sum of the products is the context, on the decoder's side.

import { addNumberLine, createBand } from "./bands.js";
import { setText } from "./dom.js";
import { createGrid } from "./grids.js";
import { formatNumber } from "./numbers.js";
import { placeGrid } from "./words.js";

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
  const grids = trace.source_tokens.map((token, i) => {
    const grid = createGrid({
      shape,
      limit: scene.limits.encoderStates,
      palette: scene.palette,
      name: `weight × state of ${token}`,
      hints: scene.hints,
      onChoose: scene.choose,
    });
    placeGrid(scene, band, grid, { i, shape, top: 2 });
    return grid;
  });
  const componentName = isPrinted ? band.addName("", shape.height + 18) : null;
  const numbers = isPrinted ? addNumberLine(scene, band, shape.height + 18, "term") : [];
  /** @type {number[][]} */
  let terms = [];
  let chosen = 0;

  function writeComponent() {
    componentName?.replaceChildren(`no. ${chosen + 1}`);
    for (const [i, number] of numbers.entries()) {
      setText(number, formatNumber(terms[i][chosen], 3));
    }
  }

  return {
    element: band.element,
    show(step) {
      band.say(scene.document.sentences[step].blend);
      terms = trace.encoder_states.map((state, i) => blendTerm(weights[step][i], state));
      for (const [i, grid] of grids.entries()) {
        grid.paint(terms[i]);
      }
      writeComponent();
    },
    follow(component) {
      chosen = component;
      for (const grid of grids) {
        grid.mark(component);
      }
      if (terms.length > 0) {
        writeComponent();
      }
    },
  };
}
