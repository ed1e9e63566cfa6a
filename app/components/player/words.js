// The source words and their encoder states: the heads of the columns.

import { createBand } from "./bands.js";
import { html, setAttributes, setWord, surface } from "./dom.js";
import { createGrid, createStrip } from "./grids.js";
import { opensMenu } from "./menu.js";
import { clamp } from "./numbers.js";
import { drawSignedScale } from "./scales.js";

const UNKNOWN_PIECE = "<unk>";
const WORD_HEIGHT = 30;
const HIGHEST_WORDS = 150;
const PIXELS_A_CHARACTER = 8.4;
const FONT_SIZE = 14;
const SMALLEST_FONT = 9;
/** In narrower columns words that lean by half a right angle would touch each other. */
const NARROWEST_LEANING = 24;

/**
 * How words stand over columns.
 * @typedef {object} WordSpace
 * @property {0 | 45 | 90} angle By which they lean, in degrees.
 * @property {number} height
 * @property {number} fontSize
 * @property {number} every In columns narrower than a line of text, every second, third, … word is written.
 */

/**
 * The space that words need over their columns: they lean when one of them is wider than what it stands over.
 * @param {string[]} words
 * @param {number} columnWidth
 * @param {number[]} [spans] How many columns each word stands over.
 * @returns {WordSpace}
 */
export function wordSpace(words, columnWidth, spans) {
  if (words.every((word, index) => wordWidth(word) <= columnWidth * (spans?.[index] ?? 1) - 4)) {
    return { angle: 0, height: WORD_HEIGHT, fontSize: FONT_SIZE, every: 1 };
  }
  const longest = Math.max(...words.map(wordWidth));
  if (columnWidth >= NARROWEST_LEANING) {
    const height = Math.min(HIGHEST_WORDS, Math.round(longest * Math.SQRT1_2) + 22);
    return { angle: 45, height, fontSize: FONT_SIZE, every: 1 };
  }
  const fontSize = clamp(columnWidth - 2, SMALLEST_FONT, FONT_SIZE);
  const height = Math.min(HIGHEST_WORDS, Math.round((longest * fontSize) / FONT_SIZE) + 14);
  return { angle: 90, height, fontSize, every: Math.ceil(SMALLEST_FONT / columnWidth) };
}

/**
 * The same for words that can only stand upright.
 * @param {string[]} words
 * @param {number} columnWidth
 * @returns {WordSpace}
 */
function uprightSpace(words, columnWidth) {
  const space = wordSpace(words, columnWidth);
  if (space.angle !== 45) {
    return space;
  }
  const longest = Math.max(...words.map(wordWidth));
  return { ...space, angle: 90, fontSize: 13, height: Math.min(HIGHEST_WORDS, Math.round(0.9 * longest) + 14) };
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
 * @param {import("./reading.js").MapTrace} trace
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
  const space = uprightSpace(trace.source_tokens, columns.width);
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
  const stand = addGrids(scene, band, { shape, top: space.height });
  const grids = trace.encoder_states.map((state, i) => {
    addWord(scene, band, i, space);
    const grid = stand(i, `encoder state of ${trace.source_tokens[i]}`);
    grid.paint(state);
    return grid;
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
 * @param {WordSpace} space
 */
function addWord(scene, band, i, space) {
  const { trace, columns } = scene;
  const word = html("span", { class: "source-word", tabindex: "0", "data-source": i });
  setWord(word, i % space.every === 0 ? trace.source_tokens[i] : "");
  if (space.angle === 90) {
    word.classList.add("leans");
    word.style.fontSize = `${space.fontSize}px`;
  }
  const isInside = i > 0 && trace.source_word_ids[i] === trace.source_word_ids[i - 1];
  word.classList.toggle("continues", isInside);
  word.classList.toggle("tight", columns.numberSize === null);
  const unknown = isUnknown(trace, i);
  if (unknown) {
    word.classList.add("unknown");
    if (columns.width >= NARROWEST_LEANING) {
      word.append(html("small", {}, ["unknown"]));
    }
  }
  word.style.left = `${columns.left(i)}px`;
  word.style.width = `${columns.width}px`;
  word.style.height = `${space.height - 4}px`;
  setAttributes(word, {
    "aria-label": unknown
      ? `${trace.source_tokens[i]}, unknown: the model read ${UNKNOWN_PIECE}`
      : trace.source_tokens[i],
  });
  const { offer } = scene;
  if (offer !== null) {
    opensMenu(word, () => offer(word, [i]));
  }
  scene.hints.attach(word, () => {
    const read = `source token ${i + 1}: ${trace.source_tokens[i]}, read as ${trace.source_pieces[i]}`;
    const place = isInside ? `${read}, continues the word before it` : read;
    return offer === null ? place : `${place} · click to change`;
  });
  band.overlay.append(word);
}

/**
 * Make room for one grid a column, all of one shape.
 * @param {import("./bands.js").Scene} scene
 * @param {import("./bands.js").Band} band
 * @param {{shape: import("./grids.js").Shape, top: number}} place
 * @returns {(i: number, name: string) => import("./grids.js").Grid} Stands a grid in the middle of its column.
 */
export function addGrids(scene, band, { shape, top }) {
  const { columns, palette, hints } = scene;
  const limit = scene.limits.encoderStates;
  const strip = shape.printed ? null : createStrip(shape, columns.total, limit, palette);
  if (strip !== null) {
    strip.element.style.top = `${top}px`;
    band.overlay.append(strip.element);
  }
  return (i, name) => {
    const left = Math.round(columns.centre(i) - shape.width / 2);
    const drawing = strip?.drawing(left);
    const grid = createGrid({ shape, limit, palette, name, hints, onChoose: scene.choose, drawing });
    grid.element.style.left = `${left}px`;
    grid.element.style.top = `${top}px`;
    grid.element.dataset.source = String(i);
    band.overlay.append(grid.element);
    return grid;
  };
}
