// The pictures of a comparison to take home: all maps side by side, and the map of differences.

import { svg } from "./dom.js";
import { DIFFERENCES, planDifference } from "./difference_map.js";
import { drawWholeMap, paperColumns } from "./map.js";
import { clamp, formatNumber } from "./numbers.js";
import {
  changesText,
  drawLines,
  layOnPaper,
  originText,
  SCALE_WIDTH,
  sourceText,
  stackLines,
  translationText,
} from "./paper.js";
import { PLAIN_VIEW, shownToken } from "./reading.js";
import { drawReferenceLegend, readReference } from "./reference.js";
import { drawSignedScale, drawWeightScale } from "./scales.js";
import { NO_WEIGHTS } from "./panels.js";

/** So many maps stand side by side as fit in this width. */
const WIDEST_ROW = 1600;
const GAP = 32;
const NARROWEST_PANEL = 240;
const UNDER_TITLE = 10;
const DISTANCE_WIDTH = 70;
const TOP_WIDTH = 60;

/**
 * @typedef {object} ComparisonSource
 * @property {import("./compare.js").ComparisonDocument} document
 * @property {import("./colours.js").Palette} palette The light one.
 * @property {string | null} address Of the page, where it has one that others can follow.
 */

/**
 * Every trace under its title, with the person's links.
 * @param {ComparisonSource} source
 * @returns {import("./paper.js").Picture}
 */
export function comparisonPicture({ document, palette, address }) {
  const { traces } = document;
  const maps = traces.map((compared) => drawMap(compared, palette));
  const width = Math.max(NARROWEST_PANEL, ...maps.map((map) => Math.ceil(map?.width ?? 0)));
  const drawings = traces.map((compared, place) => drawPanel(compared, maps[place], width, palette));
  const hasMaps = traces.some(({ trace }) => trace.weights !== null);
  const hasLinks = traces.some(({ reference }) => reference !== null && reference.length > 0);
  const legend = hasLinks
    ? [svg("g", { transform: `translate(${SCALE_WIDTH + GAP} 0)` }, [drawReferenceLegend(palette)])]
    : [];
  return layOnPaper(
    {
      title: sourceText(traces[0].trace),
      notes: traces.map((compared) => `${compared.title}: ${aboutTrace(compared.trace)}`),
      drawing: placeInRows(drawings),
      scale: hasMaps ? svg("g", {}, [drawWeightScale(palette, SCALE_WIDTH, PLAIN_VIEW.scale), ...legend]) : null,
    },
    palette,
    address,
  );
}

/**
 * The weights of one trace minus those of another, and beside each row how far apart the two are.
 * @param {ComparisonSource} source
 * @param {import("./difference_map.js").Difference} difference
 * @returns {import("./paper.js").Picture}
 */
export function differencePicture({ document, palette, address }, difference) {
  const [first, second] = [document.traces[difference.first], document.traces[difference.second]];
  const { trace } = first;
  const plan = planDifference({ trace, readings: null, view: PLAIN_VIEW }, difference);
  const columns = paperColumns(trace);
  const map = drawWholeMap({ trace, readings: null, view: PLAIN_VIEW, palette, columns, plan, kind: DIFFERENCES });
  const facts = drawRowFacts(difference, map, palette);
  const scale = drawSignedScale(palette, SCALE_WIDTH, 1);
  scale.setAttribute("transform", "translate(0 16)");
  const name = svg("text", { y: 10, "font-size": 11, fill: palette.muted }, ["difference of weights"]);
  return layOnPaper(
    {
      title: `${sourceText(trace)} → ${translationText(trace)}`,
      notes: [
        `Weights of ${first.title} minus weights of ${second.title}, and the Jensen-Shannon distance of their rows`,
        ...[first, second].map((compared) => `${compared.title}: ${aboutTrace(compared.trace)}`),
      ],
      drawing: {
        element: svg("g", {}, [map.element, facts]),
        width: map.width + DISTANCE_WIDTH + TOP_WIDTH,
        height: map.height,
      },
      scale: svg("g", {}, [name, scale]),
    },
    palette,
    address,
  );
}

/**
 * Where a trace comes from, and what was changed.
 * @param {import("./panels.js").ComparedTrace["trace"]} trace
 * @returns {string}
 */
function aboutTrace(trace) {
  return [originText(trace), ...changesText(trace, (step) => shownToken(trace.target_tokens[step]))].join(". ");
}

/**
 * A trace's map with the person's links; null where it has no weights.
 * @param {import("./panels.js").ComparedTrace} compared
 * @param {import("./colours.js").Palette} palette
 * @returns {import("./map.js").WholeMap | null}
 */
function drawMap({ trace, reference }, palette) {
  if (trace.weights === null) {
    return null;
  }
  const links = reference === null ? {} : { reference: readReference(reference) };
  return drawWholeMap({ trace, readings: null, view: PLAIN_VIEW, palette, columns: paperColumns(trace), ...links });
}

/**
 * A trace's title, note and translation over its map, or over the sentence that it has none.
 * @param {import("./panels.js").ComparedTrace} compared
 * @param {import("./map.js").WholeMap | null} map
 * @param {number} width Of every panel.
 * @param {import("./colours.js").Palette} palette
 * @returns {import("./paper.js").Drawing}
 */
function drawPanel({ title, note, trace }, map, width, palette) {
  const quiet = { "font-size": 12, fill: palette.muted };
  const texts = [
    ...drawLines(title, { "font-size": 15, "font-weight": 600, fill: palette.text }, width, 0),
    ...drawLines(note, quiet, width, 0),
    ...drawLines(translationText(trace), { "font-size": 15, fill: palette.target }, width, 0),
    ...(map === null ? drawLines(NO_WEIGHTS, quiet, width, 0) : []),
  ];
  const top = stackLines(texts, 0) + UNDER_TITLE;
  const drawn = map === null ? [] : [svg("g", { transform: `translate(0 ${top})` }, [map.element])];
  return { element: svg("g", {}, [...texts, ...drawn]), width, height: top + (map?.height ?? 0) };
}

/**
 * Drawings of about one width side by side, in rows of about as many.
 * @param {import("./paper.js").Drawing[]} drawings
 * @returns {import("./paper.js").Drawing}
 */
function placeInRows(drawings) {
  const width = Math.max(...drawings.map((drawing) => drawing.width));
  const most = clamp(Math.floor((WIDEST_ROW + GAP) / (width + GAP)), 1, drawings.length);
  const perRow = Math.ceil(drawings.length / Math.ceil(drawings.length / most));
  let top = 0;
  const element = svg("g");
  for (let first = 0; first < drawings.length; first += perRow) {
    const row = drawings.slice(first, first + perRow);
    for (const [place, drawing] of row.entries()) {
      element.append(svg("g", { transform: `translate(${place * (width + GAP)} ${top})` }, [drawing.element]));
    }
    top += Math.max(...row.map((drawing) => drawing.height)) + GAP;
  }
  return { element, width: perRow * (width + GAP) - GAP, height: top - GAP };
}

/**
 * Beside each row its distance, and whether both look most at the same token.
 * @param {import("./difference_map.js").Difference} difference
 * @param {import("./map.js").WholeMap} map
 * @param {import("./colours.js").Palette} palette
 * @returns {SVGElement}
 */
function drawRowFacts({ distances, agrees }, { width, rowsTop, rowHeight }, palette) {
  const quiet = { "font-size": 12, fill: palette.muted };
  const [distanceLeft, topLeft] = [width + 8, width + 8 + DISTANCE_WIDTH];
  const rows = distances.flatMap((distance, row) => {
    const y = rowsTop + (row + 0.5) * rowHeight + 4;
    return [
      svg("text", { y, x: distanceLeft, "font-size": 12.5, fill: palette.text }, [formatNumber(distance)]),
      svg("text", { ...quiet, y, x: topLeft }, [agrees[row] ? "agrees" : "differs"]),
    ];
  });
  const heads = [
    svg("text", { ...quiet, y: rowsTop - 9, x: distanceLeft }, ["distance"]),
    svg("text", { ...quiet, y: rowsTop - 9, x: topLeft }, ["top-1"]),
  ];
  return svg("g", {}, [...heads, ...rows]);
}
