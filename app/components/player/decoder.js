// The decoder's side: the state that asks, the context, the attention output, in the order of the five parts.

import { createHeading } from "./bands.js";
import { html, setSentence } from "./dom.js";
import { createGrid, gridShape } from "./grids.js";
import { clamp, formatExactly, formatNumber } from "./numbers.js";
import { stepName } from "./reading.js";

const BOX_WIDTH = 136;
const BOX_HEIGHT = 64;

/**
 * @typedef {object} VectorOptions
 * @property {number} part
 * @property {string} number
 * @property {string} title
 * @property {string | null} formula
 * @property {number[][]} vectors One a step.
 * @property {number} limit
 * @property {number} [columns]
 * @property {string} name
 * @property {(step: number) => string} sentence
 * @property {string} [sentenceName]
 * @property {(component: number) => void} [onChoose]
 */

/**
 * A vector that changes with the step, under its heading.
 * @param {import("./bands.js").Scene} scene
 * @param {VectorOptions} options
 * @returns {import("./bands.js").View & {body: HTMLElement, mark: (component: number) => void}}
 */
function createVector(scene, options) {
  const heading = createHeading(options);
  const shape = gridShape(options.vectors[0].length, BOX_WIDTH, BOX_HEIGHT, {
    isPresented: scene.isPresented,
    columns: options.columns,
  });
  const { limit, name, onChoose } = options;
  const grid = createGrid({ shape, limit, palette: scene.palette, name, hints: scene.hints, onChoose });
  const body = html("div", { class: "vector", "data-from-part": options.part }, [grid.element]);
  const element = html("section", { class: "card", "data-of-part": options.part, "aria-label": options.title }, [
    heading.element,
    body,
  ]);
  return {
    element,
    body,
    mark: grid.mark,
    show(step) {
      grid.paint(options.vectors[step]);
      setSentence(heading.sentence, options.sentence(step), scene.document.wordMark, scene.language);
    },
  };
}

/**
 * @param {import("./bands.js").Scene} scene
 * @returns {import("./bands.js").View}
 */
export function createAskingState(scene) {
  const vectors = scene.trace.decoder_states;
  return createVector(scene, {
    part: 0,
    number: "",
    title: "The state that asks",
    formula: "s_{t}",
    vectors,
    limit: scene.limits.decoderStates,
    name: "decoder state",
    sentence: (step) => `${vectors[step].length} numbers.`,
  });
}

/**
 * The context, and its chosen component as the sum of the terms on the encoder's side.
 * @param {import("./bands.js").Scene} scene
 * @param {import("./grids.js").Shape} stateShape
 * @returns {import("./bands.js").View}
 */
export function createContext(scene, stateShape) {
  const vectors = /** @type {number[][]} */ (scene.trace.contexts);
  const size = vectors[0].length;
  const vector = createVector(scene, {
    part: 2,
    number: "3",
    title: "Context",
    formula: scene.document.formulas.symbols.context,
    vectors,
    limit: scene.limits.encoderStates,
    columns: scene.columns.numberSize === null ? undefined : stateShape.columns,
    name: "context",
    sentence: () => "The sum of the products.",
    onChoose: scene.choose,
  });
  const input = /** @type {HTMLInputElement} */ (
    html("input", { type: "number", min: 1, max: size, value: 1, "aria-label": "component that is followed" })
  );
  const value = html("output", {});
  vector.body.append(html("label", { class: "component" }, ["number ", input, " = ", value]));
  input.addEventListener("input", () => {
    if (input.value !== "") {
      scene.choose(clamp(Math.trunc(input.valueAsNumber), 1, size) - 1);
    }
  });
  let current = 0;
  let chosen = 0;

  function writeValue() {
    value.textContent = formatNumber(vectors[current][chosen], 3);
    value.title = formatExactly(vectors[current][chosen]);
  }

  return {
    element: vector.element,
    show(step) {
      current = step;
      vector.show(step);
      writeValue();
    },
    follow(component) {
      chosen = component;
      vector.mark(component);
      if (Number(input.value) !== component + 1) {
        input.value = String(component + 1);
      }
      writeValue();
    },
  };
}

/**
 * @param {import("./bands.js").Scene} scene
 * @returns {import("./bands.js").View}
 */
export function createAttentionOutput(scene) {
  return createVector(scene, {
    part: 3,
    number: "4",
    title: "Attention output",
    formula: scene.document.formulas.output,
    vectors: /** @type {number[][]} */ (scene.trace.attention_outputs),
    limit: scene.limits.outputs,
    name: "attention output",
    sentenceName: "output",
    sentence: (step) => scene.document.sentences[step].output,
  });
}

/**
 * What stands in the place of the columns when there is no attention.
 * @param {import("./bands.js").Scene} scene
 * @returns {import("./bands.js").View}
 */
export function createNoAttention(scene) {
  const words = html("p", {});
  const element = html("section", { class: "no-attention" }, [
    html("h3", {}, ["No attention"]),
    html("p", {}, [
      "This decoder cannot glance back. It was started from the encoder's final state, and that one vector is all it ever knows of the sentence: no scores, no weights, no context, and no map.",
    ]),
    words,
  ]);
  return {
    element,
    show(step) {
      setSentence(
        words,
        `${stepName(scene, step)} comes from the decoder state alone, on the right.`,
        scene.document.wordMark,
        scene.language,
      );
    },
  };
}
