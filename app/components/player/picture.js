// The pictures of the step player to take home: the map, the edges, and a step.

import { NAMES_WIDTH } from "./bands.js";
import { svg } from "./dom.js";
import { drawEdges, hiddenText, layEdges } from "./edges.js";
import { planMap } from "./groups.js";
import { headOverhang, headSpace } from "./labels.js";
import { drawWholeMap, paperColumns } from "./map.js";
import { changesText, layOnPaper, originText, SCALE_WIDTH, sourceText } from "./paper.js";
import { END_TOKEN, shownStep } from "./reading.js";
import { drawWeightScale } from "./scales.js";

const FEW_COLUMNS = 16;
/** Of a step, whose columns have encoder states in them. */
const NARROWEST_STEP_COLUMN = 84;
const THICKNESSES = [1, 0.5, 0.1];

/**
 * What a picture is made from.
 * @typedef {object} PictureSource
 * @property {import("./reading.js").PlayerDocument} document
 * @property {import("./reading.js").PlayerView} view
 * @property {import("./colours.js").Palette} palette The light one.
 * @property {string | null} address Of the page, where it has one that others can follow.
 */

/**
 * @param {PictureSource} source
 * @returns {import("./paper.js").Picture}
 */
export function mapPicture(source) {
  const { document, view, palette } = source;
  const { trace, readings } = document;
  const drawing = drawWholeMap({ trace, readings, view, palette, columns: paperColumns(trace) });
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
 * @returns {import("./paper.js").Picture}
 */
export function edgesPicture(source, threshold) {
  const { document, view, palette } = source;
  const { trace, readings } = document;
  const plan = planMap({ trace, readings, view });
  const paint = { trace, plan, palette, columns: paperColumns(trace) };
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
 * @param {{step: number, drawing: import("./paper.js").Drawing}} options The drawing holds the parts of the step as they stand.
 * @returns {import("./paper.js").Picture}
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
 * The columns of a step have encoder states in them, and more room where there are few.
 * @param {import("./reading.js").Trace} trace
 * @returns {import("./bands.js").Columns}
 */
export function stepColumns(trace) {
  return trace.source_tokens.length <= FEW_COLUMNS ? paperColumns(trace, NARROWEST_STEP_COLUMN) : paperColumns(trace);
}

/**
 * The edges with the titles of their axes.
 * @param {import("./edges.js").EdgePaint} paint
 * @param {import("./edges.js").EdgeLayout} layout
 * @param {number} threshold
 * @returns {import("./paper.js").Drawing}
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
 * @param {PictureSource} source
 * @param {{what: string, notes: string[], drawing: import("./paper.js").Drawing, scale: SVGElement | null}} parts
 * @returns {import("./paper.js").Picture}
 */
function framePicture({ document, view, palette, address }, { what, notes, drawing, scale }) {
  const { trace } = document;
  const title = `${sourceText(trace)} → ${shownTranslation(document, view)}`;
  const changes = changesText(trace, (step) => shownStep(document, view, step).text);
  const said = [`${what} · ${originText(trace)}`, ...notes, ...changes];
  return layOnPaper({ title, notes: said, drawing, scale }, palette, address);
}

/**
 * @param {import("./reading.js").PlayerDocument} document
 * @param {import("./reading.js").PlayerView} view
 * @returns {string}
 */
function shownTranslation(document, view) {
  const steps = document.trace.target_tokens.flatMap((token, step) => (token === END_TOKEN ? [] : [step]));
  return steps.map((step) => shownStep(document, view, step).text).join("");
}
