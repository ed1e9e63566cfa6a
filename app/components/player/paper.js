// The paper that pictures are drawn on: a drawing between its texts, in the light colours, whatever the page looks like.
// The texts say what it shows, where it comes from and what was changed by hand.

import { surface, svg } from "./dom.js";
import { CHINESE_FONT } from "./glyphs.js";
import { END_TOKEN } from "./reading.js";

const MARGIN = 24;
const NARROWEST = 420;
/** Texts do not make a picture wider than this. */
const WIDEST_TEXT = 640;
export const SCALE_WIDTH = 200;
const SCALE_HEIGHT = 42;
const GAP = 16;

/**
 * Chinese that pictures bring along, then what a machine has, Latin first. Theirs has to be the first: browsers know a
 * word by the first fonts it was drawn with, and would draw it again as they did on the page, where a font may be missing.
 */
export const FONTS = `"${CHINESE_FONT}", Inter, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans CJK TC", "Noto Sans TC", "PingFang TC", "Microsoft JhengHei", sans-serif`;

/**
 * @typedef {object} Picture
 * @property {SVGElement} element It needs nothing outside itself but fonts.
 * @property {number} width
 * @property {number} height
 * @property {number} margin
 * @property {import("./colours.js").Palette} palette
 * @property {string} title
 * @property {import("./pdf.js").PdfLink | null} link
 * @property {FontFace} [font] That of its Chinese glyphs, where it carries them; ready as long as this is kept.
 */

/**
 * @typedef {{element: SVGElement, width: number, height: number}} Drawing
 */

/**
 * A drawing between its texts, on paper.
 * @param {{title: string, notes: string[], drawing: Drawing, scale: SVGElement | null}} parts
 * @param {import("./colours.js").Palette} palette The light one.
 * @param {string | null} address Of the page, where it has one that others can follow.
 * @returns {Picture}
 */
export function layOnPaper({ title, notes, drawing, scale }, palette, address) {
  const titleStyle = { "font-size": 17, "font-weight": 600, fill: palette.text };
  const quiet = { "font-size": 12, fill: palette.muted };
  const inside = Math.ceil(Math.max(drawing.width, NARROWEST, Math.min(WIDEST_TEXT, measureText(title, titleStyle))));
  const above = [...drawLines(title, titleStyle, inside), ...notes.flatMap((note) => drawLines(note, quiet, inside))];
  const below = address === null ? [] : drawLines(address, { "font-size": 9, fill: palette.muted }, inside);
  const drawingTop = MARGIN + stackLines(above, MARGIN) + GAP;
  const scaleTop = drawingTop + drawing.height + GAP;
  const belowTop = scaleTop + (scale === null ? 0 : SCALE_HEIGHT + GAP);
  const belowHeight = stackLines(below, belowTop);
  const width = inside + 2 * MARGIN;
  const height = Math.ceil(belowTop + belowHeight + (address === null ? 0 : GAP) + MARGIN - GAP);
  const element = surface(width, height, {
    xmlns: "http://www.w3.org/2000/svg",
    "font-family": FONTS,
    lang: "zh-Hant",
  });
  const scaleParts = scale === null ? [] : [svg("g", { transform: `translate(${MARGIN} ${scaleTop})` }, [scale])];
  element.append(
    svg("title", {}, [title]),
    svg("rect", { width, height, fill: palette.background }),
    ...above,
    svg("g", { transform: `translate(${MARGIN} ${drawingTop})` }, [drawing.element]),
    ...scaleParts,
    ...(address === null ? [] : [svg("a", { href: address }, below)]),
  );
  const box = { left: MARGIN, top: belowTop, width: inside, height: belowHeight };
  return {
    element,
    width,
    height,
    margin: MARGIN,
    palette,
    title,
    link: address === null ? null : { address, ...box },
  };
}

/**
 * @param {Pick<import("./reading.js").Trace, "source_text" | "source_tokens">} trace
 * @returns {string}
 */
export function sourceText({ source_text, source_tokens }) {
  return source_text ?? source_tokens.join(" ");
}

/**
 * @param {Pick<import("./reading.js").Trace, "target_tokens">} trace
 * @returns {string}
 */
export function translationText({ target_tokens }) {
  return target_tokens.filter((token) => token !== END_TOKEN).join("");
}

/**
 * @param {Pick<import("./reading.js").Trace, "checkpoint" | "scorer" | "decoding">} trace
 * @returns {string}
 */
export function originText({ checkpoint, scorer, decoding }) {
  const model = checkpoint === null ? "states set by hand" : `checkpoint ${checkpoint}`;
  return `${model} · scorer ${scorer} · ${decoding}`;
}

/**
 * What a person changed, as one sentence, if anything.
 * @param {Pick<import("./reading.js").Trace, "source_tokens" | "intervention">} trace
 * @param {(step: number) => string} wordOf The word of a step as it is shown.
 * @returns {string[]}
 */
export function changesText({ source_tokens, intervention }, wordOf) {
  const { temperature, forced_tokens, replaced_weights, hidden } = intervention;
  const everywhere = hidden.filter(([step]) => step === null).map(([, i]) => source_tokens[i]);
  const changes = [
    ...(temperature === 1 ? [] : [`temperature ${temperature}`]),
    ...forced_tokens.map(([step]) => `step ${step + 1} goes on with ${wordOf(step)}`),
    ...replaced_weights.map(([step]) => `weights of step ${step + 1}`),
    ...(everywhere.length === 0 ? [] : [`hidden at every step: ${everywhere.join(", ")}`]),
    ...hidden.flatMap(([step, i]) => (step === null ? [] : [`hidden at step ${step + 1}: ${source_tokens[i]}`])),
  ];
  return changes.length === 0 ? [] : [`Changed by hand: ${changes.join("; ")}.`];
}

/**
 * A text in lines that are not wider than so much; `stackLines` gives them their places.
 * @param {string} text
 * @param {{"font-size": number, "font-weight"?: number, fill: string}} style
 * @param {number} width
 * @param {number} left
 * @returns {SVGElement[]}
 */
export function drawLines(text, style, width, left = MARGIN) {
  return brokenLines(text, style, width).map((line) => svg("text", { ...style, x: left }, [line.trimEnd()]));
}

/**
 * @param {SVGElement[]} lines
 * @param {number} top
 * @returns {number} Their height.
 */
export function stackLines(lines, top) {
  let height = 0;
  for (const line of lines) {
    const size = Number(line.getAttribute("font-size"));
    line.setAttribute("y", String(top + height + size));
    height += Math.round(1.35 * size);
  }
  return height;
}

/**
 * Break a text between words, and inside a word where it alone is too wide, as an address or Chinese may be.
 * @param {string} text
 * @param {{"font-size": number, "font-weight"?: number}} style
 * @param {number} width
 * @returns {string[]}
 */
function brokenLines(text, style, width) {
  const words = text.split(/(?<=\s)/u);
  const pieces = words.flatMap((word) => (measureText(word.trimEnd(), style) <= width ? [word] : Array.from(word)));
  /** @type {string[]} */
  const lines = [];
  for (const piece of pieces) {
    const longer = `${lines.at(-1) ?? ""}${piece}`;
    if (lines.length > 0 && measureText(longer.trimEnd(), style) <= width) {
      lines[lines.length - 1] = longer;
    } else {
      lines.push(piece);
    }
  }
  return lines;
}

/**
 * @param {string} text
 * @param {{"font-size": number, "font-weight"?: number}} style
 * @returns {number}
 */
function measureText(text, { "font-size": size, "font-weight": weight = 400 }) {
  const pen = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  pen.font = `${weight} ${size}px ${FONTS}`;
  return pen.measureText(text).width;
}
