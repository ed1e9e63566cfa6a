// The pictures to take home: the map, the edges, and a step. They are drawn in the light colours for paper, whatever the
// page looks like, and say what they show, where it comes from and what was changed by hand.

import { createColumns, NAMES_WIDTH } from "./bands.js";
import { surface, svg } from "./dom.js";
import { drawEdges, hiddenText, layEdges } from "./edges.js";
import { CHINESE_FONT } from "./glyphs.js";
import { planMap } from "./groups.js";
import { headOverhang, headSpace } from "./labels.js";
import { drawWholeMap } from "./map.js";
import { clamp } from "./numbers.js";
import { END_TOKEN, shownStep } from "./reading.js";
import { drawWeightScale } from "./scales.js";
import { wordWidth } from "./words.js";

const MARGIN = 24;
const NARROWEST = 420;
/** Texts do not make a picture wider than this. */
const WIDEST_TEXT = 640;
const NARROWEST_COLUMN = 48;
const WIDEST_COLUMN = 100;
const FEW_COLUMNS = 16;
const SCALE_WIDTH = 200;
const SCALE_HEIGHT = 42;
const GAP = 16;
const THICKNESSES = [1, 0.5, 0.1];

/**
 * Chinese that pictures bring along, then what a machine has, Latin first. Theirs has to be the first: browsers know a
 * word by the first fonts it was drawn with, and would draw it again as they did on the page, where a font may be missing.
 */
export const FONTS = `"${CHINESE_FONT}", Inter, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans CJK TC", "Noto Sans TC", "PingFang TC", "Microsoft JhengHei", sans-serif`;

/**
 * What a picture is made from.
 * @typedef {object} PictureSource
 * @property {import("./reading.js").PlayerDocument} document
 * @property {import("./reading.js").PlayerView} view
 * @property {import("./colours.js").Palette} palette The light one.
 * @property {string | null} address Of the page, where it has one that others can follow.
 */

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
 * @param {PictureSource} source
 * @returns {Picture}
 */
export function mapPicture(source) {
  const { document, view, palette } = source;
  const { trace, readings } = document;
  const drawing = drawWholeMap({ trace, readings, view, palette, columns: paperColumns(trace, NARROWEST_COLUMN) });
  return framePicture(source, {
    what: "Attention weights",
    notes: [],
    drawing,
    scale: drawWeightScale(palette, SCALE_WIDTH, view.scale, document.formulas.symbols.weight),
  });
}

/**
 * @param {PictureSource} source
 * @param {number} threshold
 * @returns {Picture}
 */
export function edgesPicture(source, threshold) {
  const { document, view, palette } = source;
  const { trace, readings } = document;
  const plan = planMap({ trace, readings, view });
  const paint = { trace, plan, palette, columns: paperColumns(trace, NARROWEST_COLUMN) };
  const layout = layEdges(paint);
  const hidden = `Weights under ${threshold} are not drawn: ${hiddenText(plan.weights, threshold)}.`;
  const notes = [...(plan.rule === null ? [] : [plan.rule]), ...(threshold === 0 ? [] : [hidden])];
  return framePicture(source, {
    what: "Attention weights as edges",
    notes,
    drawing: drawWholeEdges(paint, layout, threshold),
    scale: drawThicknessScale(palette, layout.unit, document.formulas.symbols.weight),
  });
}

/**
 * @param {PictureSource} source
 * @param {{step: number, drawing: Drawing}} options The drawing holds the parts of the step as they stand.
 * @returns {Picture}
 */
export function stepPicture(source, { step, drawing }) {
  const { document, view, palette } = source;
  const { trace, sentences, wordMark } = document;
  return framePicture(source, {
    what: `Step ${step + 1} of ${trace.target_tokens.length}`,
    notes: [sentences[step].step.replaceAll(wordMark, "")],
    drawing,
    scale:
      trace.weights === null
        ? null
        : drawWeightScale(palette, SCALE_WIDTH, view.scale, document.formulas.symbols.weight),
  });
}

/**
 * Columns wide enough for their words.
 * @param {import("./reading.js").Trace} trace
 * @param {number} narrowest
 * @returns {import("./bands.js").Columns}
 */
function paperColumns({ source_tokens }, narrowest) {
  const longest = Math.max(...source_tokens.map(wordWidth));
  return createColumns(source_tokens.length, clamp(Math.ceil(longest) + 10, narrowest, WIDEST_COLUMN));
}

/**
 * The columns of a step have encoder states in them, and more room where there are few.
 * @param {import("./reading.js").Trace} trace
 * @returns {import("./bands.js").Columns}
 */
export function stepColumns(trace) {
  return paperColumns(trace, trace.source_tokens.length <= FEW_COLUMNS ? 84 : NARROWEST_COLUMN);
}

/**
 * The edges with the titles of their axes.
 * @param {import("./edges.js").EdgePaint} paint
 * @param {import("./edges.js").EdgeLayout} layout
 * @param {number} threshold
 * @returns {Drawing}
 */
function drawWholeEdges(paint, layout, threshold) {
  const { element, rows } = drawEdges(paint, layout, threshold);
  for (const ribbon of rows.flatMap((row) => Array.from(row.querySelectorAll(".under")))) {
    ribbon.remove();
  }
  const axis = { x: 0, "font-size": 12, fill: paint.palette.muted };
  const whole = svg("g", {}, [
    svg("text", { ...axis, y: layout.top - 9 }, ["source"]),
    svg("text", { ...axis, y: layout.bottom + layout.pinyinHeight + 24 }, ["translation"]),
    svg("g", { transform: `translate(${NAMES_WIDTH} 0)` }, [element]),
  ]);
  // Source words that lean reach beyond the last column.
  const heads = paint.columns.total + headOverhang(headSpace(paint.plan, paint.columns));
  return { element: whole, width: NAMES_WIDTH + Math.max(layout.width, heads), height: layout.height };
}

/**
 * How thick which weight is.
 * @param {import("./colours.js").Palette} palette
 * @param {number} unit
 * @param {string} name Of the weights, with their symbol.
 * @returns {SVGElement}
 */
function drawThicknessScale(palette, unit, name) {
  const style = { "font-size": 11, fill: palette.muted };
  const title = svg("text", { ...style, x: 0, y: 10 }, [`${name}, by thickness`]);
  const fields = THICKNESSES.map((weight, place) => {
    const x = place * (unit + 30);
    return svg("g", {}, [
      svg("rect", { x, y: 16, width: weight * unit, height: 10, fill: palette.weights[3] }),
      svg("text", { ...style, x, y: 39 }, [String(weight)]),
    ]);
  });
  return svg("g", {}, [title, ...fields]);
}

/**
 * A drawing between its texts, on paper.
 * @param {PictureSource} source
 * @param {{what: string, notes: string[], drawing: Drawing, scale: SVGElement | null}} parts
 * @returns {Picture}
 */
function framePicture({ document, view, palette, address }, { what, notes, drawing, scale }) {
  const { trace } = document;
  const title = `${sourceText(trace)} → ${translationText(document, view)}`;
  const titleStyle = { "font-size": 17, "font-weight": 600, fill: palette.text };
  const quiet = { "font-size": 12, fill: palette.muted };
  const inside = Math.ceil(Math.max(drawing.width, NARROWEST, Math.min(WIDEST_TEXT, measureText(title, titleStyle))));
  const above = [
    ...drawLines(title, titleStyle, inside),
    ...drawLines(`${what} · ${originText(trace)}`, quiet, inside),
    ...[...notes, ...changesText(document, view)].flatMap((note) => drawLines(note, quiet, inside)),
  ];
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
 * @param {import("./reading.js").Trace} trace
 * @returns {string}
 */
export function sourceText({ source_text, source_tokens }) {
  return source_text ?? source_tokens.join(" ");
}

/**
 * @param {import("./reading.js").PlayerDocument} document
 * @param {import("./reading.js").PlayerView} view
 * @returns {string}
 */
function translationText(document, view) {
  const steps = document.trace.target_tokens.flatMap((token, step) => (token === END_TOKEN ? [] : [step]));
  return steps.map((step) => shownStep(document, view, step).text).join("");
}

/**
 * @param {import("./reading.js").Trace} trace
 * @returns {string}
 */
function originText({ checkpoint, scorer, decoding }) {
  const model = checkpoint === null ? "states set by hand" : `checkpoint ${checkpoint}`;
  return `${model} · scorer ${scorer} · ${decoding}`;
}

/**
 * What a person changed, as one sentence, if anything.
 * @param {import("./reading.js").PlayerDocument} document
 * @param {import("./reading.js").PlayerView} view
 * @returns {string[]}
 */
function changesText(document, view) {
  const { trace } = document;
  const { temperature, forced_tokens, replaced_weights, hidden } = trace.intervention;
  const everywhere = hidden.filter(([step]) => step === null).map(([, i]) => trace.source_tokens[i]);
  const changes = [
    ...(temperature === 1 ? [] : [`temperature ${temperature}`]),
    ...forced_tokens.map(([step]) => `step ${step + 1} goes on with ${shownStep(document, view, step).text}`),
    ...replaced_weights.map(([step]) => `weights of step ${step + 1}`),
    ...(everywhere.length === 0 ? [] : [`hidden at every step: ${everywhere.join(", ")}`]),
    ...hidden.flatMap(([step, i]) => (step === null ? [] : [`hidden at step ${step + 1}: ${trace.source_tokens[i]}`])),
  ];
  return changes.length === 0 ? [] : [`Changed by hand: ${changes.join("; ")}.`];
}

/**
 * A text in lines that are not wider than so much; `stackLines` gives them their places.
 * @param {string} text
 * @param {{"font-size": number, "font-weight"?: number, fill: string}} style
 * @param {number} width
 * @returns {SVGElement[]}
 */
function drawLines(text, style, width) {
  return brokenLines(text, style, width).map((line) => svg("text", { ...style, x: MARGIN }, [line.trimEnd()]));
}

/**
 * @param {SVGElement[]} lines
 * @param {number} top
 * @returns {number} Their height.
 */
function stackLines(lines, top) {
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
