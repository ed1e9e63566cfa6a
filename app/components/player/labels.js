// The labels of the map: words over its columns, and at its rows the translation with the numbers of its steps.

import { NAMES_WIDTH } from "./bands.js";
import { isChinese, PINYIN, setAttributes, svg } from "./dom.js";
import { hatchPath } from "./hatch.js";
import { clamp } from "./numbers.js";
import { isUnknown, wordSpace } from "./words.js";

const LEFT = 15;
const RIGHT = 10;
export const WIDEST_NAMES = 140;
const FONT_SIZE = 18;
const LATIN_SIZE = 14;
const SMALLEST_FONT = 9;
const PINYIN_SIZE = 12;
/** Of the height of a row, for the pinyin above its characters. */
const PINYIN_HEIGHT = 14;
const NUMBER_SIZE = 11;

/**
 * What labels are drawn with.
 * @typedef {object} LabelPaint
 * @property {import("./reading.js").MapTrace} trace
 * @property {import("./groups.js").Plan} plan
 * @property {import("./colours.js").Palette} palette
 * @property {import("./bands.js").Columns} columns
 * @property {number} rowHeight
 * @property {number} namesWidth
 * @property {boolean} [isNumbered] Whether the rows have the numbers of their steps; they do where nothing is said.
 */

/**
 * The space that the words over the columns of a map need.
 * @param {import("./groups.js").Plan} plan
 * @param {import("./bands.js").Columns} columns
 * @returns {import("./words.js").WordSpace}
 */
export function headSpace(plan, columns) {
  return wordSpace(
    plan.columns.map((group) => group.name),
    columns.width,
    plan.columns.map(({ first, last }) => last - first + 1),
  );
}

/**
 * How far words that lean reach beyond the last column.
 * @param {import("./words.js").WordSpace} space
 * @returns {number}
 */
export function headOverhang({ angle, height }) {
  return angle === 45 ? height : 0;
}

/**
 * The source words over their columns.
 * @param {Pick<LabelPaint, "trace" | "plan" | "palette" | "columns">} paint
 * @returns {SVGElement}
 */
export function drawHeads({ trace, plan, palette, columns }) {
  const space = headSpace(plan, columns);
  const heads = plan.columns.map(({ first, last, name }, index) => {
    const isWritten = index % space.every === 0;
    const style = { fill: palette.source, "font-size": space.fontSize, "font-weight": 600 };
    const text = svg("text", { ...style, "data-column": index }, [isWritten ? name : ""]);
    if (isChinese(name)) {
      text.setAttribute("lang", "zh-Hant");
    }
    if (trace.source_pieces.some((_, i) => first <= i && i <= last && isUnknown(trace, i))) {
      setAttributes(text, { "text-decoration": "underline wavy", "font-style": "italic" });
    }
    setAttributes(text, headPlace(space, (columns.centre(first) + columns.centre(last)) / 2));
    return text;
  });
  return svg("g", {}, heads);
}

/**
 * @param {import("./words.js").WordSpace} space
 * @param {number} x
 * @returns {import("./dom.js").Attributes}
 */
function headPlace({ angle, height, fontSize }, x) {
  if (angle === 0) {
    return { x, y: height - 9, "text-anchor": "middle" };
  }
  // A word that stands upright stands with its middle over its column's.
  const [right, up] = angle === 90 ? [0.35 * fontSize, 5] : [0, 9];
  return { transform: `translate(${x + right} ${height - up}) rotate(${-angle})` };
}

/**
 * The characters of a row side by side, each under its pinyin.
 * @typedef {object} RowWord
 * @property {{text: string, pinyin: string, centre: number}[]} pieces Their centres, from the left end of the word.
 * @property {number} width
 * @property {number} fontSize
 * @property {string} language
 */

/**
 * @param {import("./groups.js").RowGroup} row
 * @param {number} height Of the row, less that of pinyin.
 * @param {number} room
 * @returns {RowWord}
 */
function layOutWord(row, height, room) {
  const { language } = row.words[0];
  const isWide = isChinese(row.words[0].text);
  const natural = clamp(height - 2, SMALLEST_FONT, isWide ? FONT_SIZE : LATIN_SIZE);
  const widths = row.words.map((word) => pieceWidth(word, natural));
  const fontSize = Math.max(SMALLEST_FONT, natural * Math.min(1, room / sum(widths)));
  const kept = fittingWords(row.words, fontSize, room);
  let left = 0;
  const pieces = kept.map((word) => {
    const width = pieceWidth(word, fontSize);
    const centre = left + width / 2;
    left += width;
    return { text: word.text, pinyin: word.pinyin, centre };
  });
  return { pieces, width: left, fontSize, language };
}

/**
 * The words that fit into a room, an ellipsis after them if not all do.
 * @param {import("./reading.js").ShownWord[]} words
 * @param {number} fontSize
 * @param {number} room
 * @returns {import("./reading.js").ShownWord[]}
 */
function fittingWords(words, fontSize, room) {
  const widths = words.map((word) => pieceWidth(word, fontSize));
  if (words.length === 1 || sum(widths) <= room + 1) {
    return words;
  }
  const count = widths.findIndex((_, index) => sum(widths.slice(0, index + 1)) > room - fontSize);
  return [...words.slice(0, Math.max(1, count)), { ...words[0], text: "…", pinyin: "" }];
}

/**
 * About how wide a character is with the pinyin above it.
 * @param {import("./reading.js").ShownWord} word
 * @param {number} fontSize
 * @returns {number}
 */
function pieceWidth({ text, pinyin }, fontSize) {
  const letters = Array.from(text).map((letter) => (/[\u2e80-\uffef…]/.test(letter) ? 1 : 0.58));
  const pinyinWidth = pinyin === "" ? 0 : 0.56 * pinyinSize(fontSize) * pinyin.length + 4;
  return Math.max(sum(letters) * fontSize, pinyinWidth);
}

/**
 * @param {number} fontSize Of the characters.
 * @returns {number}
 */
function pinyinSize(fontSize) {
  return fontSize < PINYIN_SIZE ? SMALLEST_FONT : PINYIN_SIZE;
}

/**
 * @param {number[]} numbers
 * @returns {number}
 */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * The number of a row's step, or of its first and last.
 * @param {import("./groups.js").Group} row
 * @returns {string}
 */
function stepNumbers({ first, last }) {
  return first === last ? String(first + 1) : `${first + 1}–${last + 1}`;
}

/**
 * Where the word of a row may begin: after the widest number.
 * @param {import("./groups.js").RowGroup[]} rows
 * @param {boolean} isNumbered
 * @returns {number}
 */
function wordLeft(rows, isNumbered) {
  const longest = Math.max(...rows.map((row) => stepNumbers(row).length));
  return isNumbered ? LEFT + 0.6 * NUMBER_SIZE * longest + 5 : LEFT;
}

/**
 * How wide the labels of the rows are at their full size.
 * @param {import("./groups.js").RowGroup[]} rows
 * @param {boolean} isNumbered
 * @returns {number}
 */
export function labelsWidth(rows, isNumbered = true) {
  const widest = Math.max(...rows.map((row) => layOutWord(row, 2 * FONT_SIZE, WIDEST_NAMES).width));
  const narrowest = isNumbered ? NAMES_WIDTH : 0;
  return clamp(Math.ceil(wordLeft(rows, isNumbered) + widest + RIGHT), narrowest, WIDEST_NAMES);
}

/**
 * @param {import("./groups.js").RowGroup[]} rows
 * @returns {boolean}
 */
function hasPinyin(rows) {
  return rows.some((row) => row.words.some((word) => word.pinyin !== ""));
}

/**
 * The height of a row, less that of pinyin.
 * @param {import("./groups.js").RowGroup[]} rows
 * @param {number} rowHeight
 * @returns {number}
 */
function wordHeight(rows, rowHeight) {
  return hasPinyin(rows) ? rowHeight - PINYIN_HEIGHT : rowHeight;
}

/**
 * The words of the translation, one group a row, right-aligned in the width of the names.
 * @param {LabelPaint} paint
 * @returns {SVGElement[]}
 */
export function drawLabels(paint) {
  const { plan, palette, rowHeight, namesWidth, isNumbered = true } = paint;
  const height = wordHeight(plan.rows, rowHeight);
  const room = namesWidth - RIGHT - wordLeft(plan.rows, isNumbered);
  return plan.rows.map((row, index) => {
    const word = layOutWord(row, height, room);
    const left = namesWidth - RIGHT - word.width;
    const baseline = (index + 1) * rowHeight - height / 2 + 0.35 * word.fontSize;
    const numberSize = Math.min(NUMBER_SIZE, rowHeight - 3);
    const style = { x: LEFT, y: baseline - 0.5, fill: palette.muted, "font-size": numberSize, class: "label-number" };
    const numbers = isNumbered ? [svg("text", style, [stepNumbers(row)])] : [];
    const children = [...numbers, drawWord(paint, row, word, left, baseline)];
    if (row.isTaken) {
      children.unshift(
        drawTaken(palette, {
          x: left - 3,
          y: baseline - word.fontSize,
          width: word.width + 6,
          height: word.fontSize + 5,
        }),
      );
    }
    if (word.pieces.some((piece) => piece.pinyin !== "")) {
      children.push(drawPinyin(palette, word, left, baseline - word.fontSize - 1.5));
    }
    return svg("g", { class: "map-label", "data-step": row.first }, children);
  });
}

/**
 * @param {LabelPaint} paint
 * @param {import("./groups.js").RowGroup} row
 * @param {RowWord} word
 * @param {number} left
 * @param {number} baseline
 * @returns {SVGElement}
 */
function drawWord({ trace, palette }, row, word, left, baseline) {
  const pieces = word.pieces.map(({ text, centre }) => svg("tspan", { x: left + centre }, [text]));
  const style = { fill: palette.target, "font-size": word.fontSize, "text-anchor": "middle", class: "label-word" };
  const element = svg("text", { ...style, y: baseline }, pieces);
  if (word.pieces.some(({ text }) => isChinese(text))) {
    element.setAttribute("lang", word.language);
  }
  if (trace.target_known.slice(row.first, row.last + 1).includes(false)) {
    element.setAttribute("text-decoration", "underline wavy");
  }
  return element;
}

/**
 * Hatching behind a word that a person took.
 * @param {import("./colours.js").Palette} palette
 * @param {import("./hatch.js").Box} box
 * @returns {SVGElement}
 */
function drawTaken(palette, box) {
  const stroke = { stroke: palette.target, "stroke-opacity": 0.45, fill: "none" };
  return svg("path", { d: hatchPath(box), ...stroke, class: "taken" });
}

/**
 * @param {import("./colours.js").Palette} palette
 * @param {RowWord} word
 * @param {number} left
 * @param {number} baseline
 * @returns {SVGElement}
 */
function drawPinyin(palette, word, left, baseline) {
  const pieces = word.pieces.map(({ pinyin, centre }) => svg("tspan", { x: left + centre }, [pinyin]));
  const style = { fill: palette.target, "font-size": pinyinSize(word.fontSize), "text-anchor": "middle" };
  return svg("text", { ...style, y: baseline, class: "label-pinyin", lang: PINYIN }, pieces);
}
