// The source words and their encoder states: the heads of the columns.

import { createBand } from "./bands.js";
import { html, setAttributes, setWord, surface } from "./dom.js";
import { createGrid } from "./grids.js";
import { drawSignedScale } from "./scales.js";

const UNKNOWN_PIECE = "<unk>";
const WORD_HEIGHT = 30;
const PIXELS_A_CHARACTER = 8.4;

/**
 * The height that the words of a trace need: they lean when a column is too narrow for the longest of them.
 * @param {string[]} words
 * @param {number} columnWidth
 * @returns {{leans: boolean, height: number}}
 */
export function wordSpace(words, columnWidth) {
  const longest = Math.max(...words.map(wordWidth));
  if (longest <= columnWidth - 4) {
    return { leans: false, height: WORD_HEIGHT };
  }
  return { leans: true, height: Math.min(96, Math.round(longest * Math.SQRT1_2) + 22) };
}

/**
 * About how wide a word is: a Chinese character is two Latin letters wide.
 * @param {string} word
 * @returns {number}
 */
export function wordWidth(word) {
  const letters = Array.from(word).reduce((sum, letter) => sum + (/[\u2e80-\uffef]/.test(letter) ? 2 : 1), 0);
  return letters * PIXELS_A_CHARACTER;
}

/**
 * @param {import("./reading.js").Trace} trace
 * @param {number} i
 * @returns {boolean}
 */
export function isUnknown(trace, i) {
  return trace.source_pieces[i] === UNKNOWN_PIECE;
}

/**
 * @param {import("./bands.js").Scene} scene
 * @param {import("./grids.js").Shape} shape
 * @returns {import("./bands.js").View}
 */
export function createWords(scene, shape) {
  const { trace, columns } = scene;
  const space = wordSpace(trace.source_tokens, columns.width);
  const height = space.height + shape.height + 4;
  const dimension = trace.encoder_states[0].length;
  const band = createBand(scene, {
    part: null,
    number: "",
    title: "Source and encoder states",
    formula: null,
    height,
    label: `The source tokens, each with its encoder state of ${dimension} numbers.`,
  });
  band.say(`One state of ${dimension} numbers a token.`);
  const limit = scene.limits.encoderStates;
  const scale = surface(150, 24, { role: "img", "aria-label": `Scale of the states, from -${limit} to ${limit}` });
  scale.append(drawSignedScale(scene.palette, 150, limit));
  band.heading.append(scale);
  band.addName("token", space.height - 10);
  band.addName("state hᵢ", space.height + 14);
  const grids = trace.encoder_states.map((state, i) => {
    addWord(scene, band, i, space);
    return addState(scene, band, { state, i, shape, top: space.height });
  });
  return {
    element: band.element,
    show() {},
    follow(component) {
      for (const grid of grids) {
        grid.mark(component);
      }
    },
  };
}

/**
 * @param {import("./bands.js").Scene} scene
 * @param {import("./bands.js").Band} band
 * @param {number} i
 * @param {{leans: boolean, height: number}} space
 */
function addWord(scene, band, i, space) {
  const { trace, columns } = scene;
  const word = html("span", { class: "source-word", tabindex: "0", "data-source": i });
  setWord(word, trace.source_tokens[i]);
  word.classList.toggle("leans", space.leans);
  const isInside = i > 0 && trace.source_word_ids[i] === trace.source_word_ids[i - 1];
  word.classList.toggle("continues", isInside);
  const unknown = isUnknown(trace, i);
  if (unknown) {
    word.classList.add("unknown");
    word.append(html("small", {}, ["unknown"]));
  }
  setAttributes(word, {
    style: `left:${columns.left(i)}px;width:${columns.width}px;height:${space.height - 4}px`,
    "aria-label": unknown
      ? `${trace.source_tokens[i]}, unknown: the model read ${UNKNOWN_PIECE}`
      : trace.source_tokens[i],
  });
  scene.hints.attach(word, () => {
    const read = `source token ${i + 1}: ${trace.source_tokens[i]}, read as ${trace.source_pieces[i]}`;
    return isInside ? `${read}, continues the word before it` : read;
  });
  band.overlay.append(word);
}

/**
 * @param {import("./bands.js").Scene} scene
 * @param {import("./bands.js").Band} band
 * @param {{state: number[], i: number, shape: import("./grids.js").Shape, top: number}} place
 * @returns {import("./grids.js").Grid}
 */
function addState(scene, band, { state, i, shape, top }) {
  const grid = createGrid({
    shape,
    limit: scene.limits.encoderStates,
    palette: scene.palette,
    name: `encoder state of ${scene.trace.source_tokens[i]}`,
    hints: scene.hints,
    onChoose: scene.choose,
  });
  placeGrid(scene, band, grid, { i, shape, top });
  grid.paint(state);
  return grid;
}

/**
 * Stand a grid in the middle of its column.
 * @param {import("./bands.js").Scene} scene
 * @param {import("./bands.js").Band} band
 * @param {import("./grids.js").Grid} grid
 * @param {{i: number, shape: import("./grids.js").Shape, top: number}} place
 */
export function placeGrid(scene, band, grid, { i, shape, top }) {
  grid.element.style.left = `${Math.round(scene.columns.centre(i) - shape.width / 2)}px`;
  grid.element.style.top = `${top}px`;
  grid.element.dataset.source = String(i);
  band.overlay.append(grid.element);
}
