// The map: a row a target token or word, a column a source token or word, growing row by row. The same functions draw it
// on the page and into a picture; the page splits it into four surfaces so that heads and labels stay in view while it
// scrolls.

import { quietTextOn, rowColours, textOn } from "./colours.js";
import { createColumns } from "./bands.js";
import { createFrame } from "./frames.js";
import { describePlace, finishedAt, groupAt, planMap, rowNear } from "./groups.js";
import { hatchPath } from "./hatch.js";
import { html, setAttributes, setSentence, surface, svg } from "./dom.js";
import { drawHeads, drawLabels, headOverhang, headSpace, labelsWidth } from "./labels.js";
import { clamp, formatExactly, formatNumber, formatShortly, range } from "./numbers.js";
import { drawWeightScale, WEIGHT_SCALES } from "./scales.js";
import { drawChangedMark } from "./marks.js";
import { describeReference, drawReference } from "./reference.js";
import { attachWalking, createWalk } from "./walk.js";
import { wordWidth } from "./words.js";
import { rowHeightAt } from "./zoom.js";

const NARROWEST_PRINTED = 34;
const LOWEST_PRINTED = 20;
const PRINTED_SIZE = 12.5;
/** Of the size of the print; numbers with a sign are printed smaller where they would be wider than their cells. */
const DIGIT_WIDTH = 0.6;
/** Cells narrower than that leave out the 0 before the point, down to so many pixels a character. */
const NARROWEST_DIGIT = 20 / 3;
const NARROWEST_ON_PAPER = 48;
const WIDEST_ON_PAPER = 100;
const SCALE_WIDTH = 150;
const SCALE_TITLE_WIDTH = 190;
/** The share of a cell's height that shows the computed weight. */
const COMPUTED_STRIP = 0.2;
const RULE_LINE = 16;
const RULE_PIXELS_A_CHARACTER = 6.2;

/**
 * What the numbers of a map are: their colours, row by row, and what the map and its cells are called.
 * @typedef {object} MapKind
 * @property {number} longest How many characters the longest number has: all are printed in one size.
 * @property {(paint: MapPaint, row: number[]) => string[]} colours
 * @property {(plan: import("./groups.js").Plan) => string} label
 * @property {(plan: import("./groups.js").Plan, row: number, column: number, write: (value: number | null) => string) => string} describe
 */

/**
 * What a map is drawn with. Without a kind its numbers are weights.
 * @typedef {object} MapExtras
 * @property {import("./reading.js").PlayerView} view
 * @property {MapKind} [kind]
 * @property {import("./reference.js").ReferenceLinks} [reference] Only where a row is a token and a column too.
 * @typedef {import("./labels.js").LabelPaint & MapExtras} MapPaint
 */

/**
 * What a map on the page is given.
 * @typedef {object} MapUse
 * @property {{sentences: {step: string}[], wordMark: string, changed: boolean[] | null}} document
 * @property {import("./hints.js").Hints} hints
 * @property {string} language Of the translation as it is shown.
 * @property {(step: number) => void} goTo
 * @property {((anchor: Element, positions: number[]) => void) | null} offer
 * @typedef {MapPaint & MapUse} MapScene
 */

/** @type {MapKind} */
const WEIGHTS = {
  longest: 4,
  colours: ({ palette, view }, row) => rowColours(palette, view.scale, row),
  label: ({ rule }) => {
    const unit = rule === null ? "token" : "token or word";
    return `Map of weights: a row a target ${unit}, a column a source ${unit}`;
  },
  describe: describePlace,
};

/**
 * The cells, one group a row.
 * @param {MapPaint} paint
 * @returns {SVGElement[]}
 */
export function drawRows(paint) {
  return paint.plan.rows.map(({ first }, row) => {
    const fills = (paint.kind ?? WEIGHTS).colours(paint, paint.plan.weights[row]);
    const computed = computedColours(paint, row);
    const cells = fills.map((fill, column) => drawCell(paint, { row, column, fill, computed: computed?.[column] }));
    return svg("g", { class: "map-row", "data-step": first }, cells);
  });
}

/**
 * The colours of the computed weights of a row that was set by hand, where they are known.
 * @param {MapPaint} paint
 * @param {number} row
 * @returns {string[] | null}
 */
function computedColours({ plan, palette, view }, row) {
  const computed = plan.computed[row];
  return plan.rows[row].byHand && computed !== null ? rowColours(palette, view.scale, computed) : null;
}

/**
 * @param {MapPaint} paint
 * @param {{row: number, column: number, fill: string, computed: string | undefined}} options
 * @returns {SVGElement}
 */
function drawCell(paint, { row, column, fill, computed }) {
  const { plan, palette, columns, rowHeight, reference } = paint;
  const { first, last } = plan.columns[column];
  const gap = columns.gap / 2;
  const y = row * rowHeight + gap;
  const width = (last - first + 1) * columns.width - 2 * gap;
  const box = { x: columns.left(first) + gap, y, width, height: rowHeight - 2 * gap };
  const places = { "data-step": plan.rows[row].first, "data-source": first, "data-first": first, "data-last": last };
  const cell = svg("g", { class: "map-cell", ...places }, [svg("rect", { ...box, fill })]);
  if (plan.rows[row].byHand) {
    const stroke = { stroke: textOn(palette, fill), "stroke-opacity": 0.35, fill: "none" };
    cell.append(svg("path", { d: hatchPath(box), ...stroke }));
  }
  if (computed !== undefined) {
    cell.append(drawComputed(palette, box, computed));
  }
  const narrowest = ((paint.kind ?? WEIGHTS).longest - 1) * NARROWEST_DIGIT;
  if (width >= narrowest && rowHeight >= LOWEST_PRINTED) {
    cell.append(drawValue(paint, box, plan.weights[row][column], fill));
  }
  const link = reference?.find(plan.rows[row].first, first);
  if (link !== undefined) {
    cell.append(drawReference(box, textOn(palette, fill), link));
  }
  return cell;
}

/**
 * @param {MapPaint} paint
 * @param {import("./hatch.js").Box} box
 * @param {number} weight
 * @param {string} fill
 * @returns {SVGElement}
 */
function drawValue({ palette, kind }, box, weight, fill) {
  const isShort = box.width < NARROWEST_PRINTED;
  const fitting = (box.width - 4) / (DIGIT_WIDTH * (kind ?? WEIGHTS).longest);
  const fontSize = isShort ? PRINTED_SIZE : Math.min(PRINTED_SIZE, fitting);
  const place = { x: box.x + box.width / 2, y: box.y + box.height / 2 + 4, "text-anchor": "middle" };
  const isFaint = Math.abs(weight) < 0.005;
  const ink = isFaint ? quietTextOn(palette, fill) : textOn(palette, fill);
  return svg("text", { ...place, "font-size": fontSize.toFixed(1), fill: ink }, [
    isShort ? formatShortly(weight) : formatNumber(weight),
  ]);
}

/**
 * A strip in the colour of the computed weight, under one that a person set.
 * @param {import("./colours.js").Palette} palette
 * @param {import("./hatch.js").Box} box
 * @param {string} fill
 * @returns {SVGElement}
 */
function drawComputed(palette, box, fill) {
  const height = Math.round(COMPUTED_STRIP * box.height);
  const strip = { ...box, y: box.y + box.height - height, height };
  return svg("rect", { ...strip, fill, stroke: palette.background, class: "computed" });
}

/**
 * Columns wide enough for their words.
 * @param {Pick<import("./reading.js").Trace, "source_tokens">} trace
 * @param {number} [narrowest]
 * @returns {import("./bands.js").Columns}
 */
export function paperColumns({ source_tokens }, narrowest = NARROWEST_ON_PAPER) {
  const longest = Math.max(...source_tokens.map(wordWidth));
  return createColumns(source_tokens.length, clamp(Math.ceil(longest) + 10, narrowest, WIDEST_ON_PAPER));
}

/**
 * What a map as one picture is drawn with. Without a plan it is that of the source.
 * @typedef {import("./groups.js").MapSource & Pick<MapPaint, "palette" | "columns" | "kind" | "reference"> & {plan?: import("./groups.js").Plan}} WholeMapSource
 */

/**
 * @typedef {import("./paper.js").Drawing & {rowsTop: number, rowHeight: number}} WholeMap
 */

/**
 * The map as one picture of its own: all rows, heads, labels, axis titles, and the rule by which it was put together.
 * @param {WholeMapSource} source
 * @returns {WholeMap}
 */
export function drawWholeMap({ plan: given, ...source }) {
  const { view, palette, columns } = source;
  const plan = given ?? planMap(source);
  const rowHeight = rowHeightAt(columns.width, view.pinyin);
  const namesWidth = labelsWidth(plan.rows);
  const paint = { ...source, plan, rowHeight, namesWidth };
  const space = headSpace(plan, columns);
  const axis = { "font-size": 12, fill: palette.muted };
  const labelsLeft = 20;
  const left = labelsLeft + namesWidth;
  const top = 18 + space.height;
  const bottom = top + plan.rows.length * rowHeight;
  const middle = (top + bottom) / 2;
  const width = left + columns.total + headOverhang(space);
  const rule = drawRule(palette, plan.rule, { left, top: bottom + 8, width: Math.max(columns.total, 300) });
  const element = svg("g", {}, [
    svg("text", { ...axis, x: left + columns.total / 2, y: 12, "text-anchor": "middle" }, ["source"]),
    svg("text", { ...axis, transform: `translate(12 ${middle}) rotate(-90)`, "text-anchor": "middle" }, [
      "translation",
    ]),
    svg("g", { transform: `translate(${left} 18)` }, [drawHeads(paint)]),
    svg("g", { transform: `translate(${labelsLeft} ${top})` }, drawLabels(paint)),
    svg("g", { transform: `translate(${left} ${top})` }, drawRows(paint)),
    ...rule,
  ]);
  const ruleHeight = rule.length === 0 ? 0 : 8 + rule.length * RULE_LINE;
  const ruleRight = plan.rule === null ? 0 : left + 300;
  return { element, width: Math.max(width, ruleRight), height: bottom + ruleHeight, rowsTop: top, rowHeight };
}

/**
 * A rule, line by line.
 * @param {import("./colours.js").Palette} palette
 * @param {string | null} rule
 * @param {{left: number, top: number, width: number}} room
 * @returns {SVGElement[]}
 */
function drawRule(palette, rule, { left, top, width }) {
  const lines = rule === null ? [] : brokenLines(rule, Math.floor(width / RULE_PIXELS_A_CHARACTER));
  return lines.map((line, index) => {
    const place = { x: left, y: top + (index + 1) * RULE_LINE - 3 };
    return svg("text", { ...place, "font-size": 12, fill: palette.muted }, [line]);
  });
}

/**
 * A text broken between words into lines of so many characters.
 * @param {string} text
 * @param {number} length
 * @returns {string[]}
 */
function brokenLines(text, length) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ")) {
    const longer = lines.length === 0 ? word : `${lines[lines.length - 1]} ${word}`;
    if (lines.length > 0 && longer.length <= length) {
      lines[lines.length - 1] = longer;
    } else {
      lines.push(word);
    }
  }
  return lines;
}

/**
 * @typedef {object} PlainMap
 * @property {import("./frames.js").Frame} frame
 * @property {number} headsHeight
 * @property {(step: number) => void} show
 * @property {(step: number) => void} keepInView
 * @property {(i: number | null, step: number | null) => void} link Mark a column, and its cell in the row of a step.
 */

/**
 * @typedef {object} MapBeside
 * @property {HTMLElement} sentences
 * @property {HTMLElement[]} above What stands over the frame: the rule by which rows and columns were put together, and on
 *   a phone the heading.
 * @typedef {PlainMap & MapBeside} MapView
 */

/**
 * What stands in the heading of the map, and whether the heading stands over the frame, or in it beside the rows.
 * @typedef {{zoom: HTMLElement, above: boolean}} MapControls
 */

/**
 * The map of the player, with its heading and with the sentences of its rows.
 * @param {MapScene} scene
 * @param {MapControls} controls
 * @returns {MapView}
 */
export function createMap(scene, controls) {
  const { plan } = scene;
  const heading = createMapHeading(scene, controls);
  const map = createPlainMap(scene, controls.above ? null : heading.element);
  const sentences = createRowSentences(scene);
  return {
    ...map,
    sentences: sentences.element,
    above: [
      ...(plan.rule === null ? [] : [html("p", { class: "map-rule" }, [plan.rule])]),
      ...(controls.above ? [heading.element] : []),
    ],
    show(step) {
      map.show(step);
      heading.say(step);
      sentences.show(step);
    },
  };
}

/**
 * A map on the page: its heads, its labels and its cells in a frame that scrolls.
 * @param {MapScene} scene
 * @param {HTMLElement | null} heading What stands in the frame beside the rows.
 * @returns {PlainMap}
 */
export function createPlainMap(scene, heading) {
  const { columns, plan, rowHeight, namesWidth } = scene;
  const height = plan.rows.length * rowHeight;
  const space = headSpace(plan, columns);
  const rows = drawRows(scene);
  const labels = drawLabels(scene);
  markChanged(scene, labels);
  const currentMark = html("div", { class: "current-mark", "aria-hidden": "true" });
  const pointer = svg("path", { class: "current-pointer", d: `M2 ${rowHeight / 2 - 6}l8 6-8 6z` });
  const heads = surface(columns.total, space.height, { "aria-hidden": "true" });
  heads.append(drawHeads(scene));
  const labelSurface = surface(namesWidth, height, { class: "map-labels", "aria-hidden": "true" });
  labelSurface.append(...labels, pointer);
  const cells = html("div", {
    class: "map-cells",
    role: "grid",
    "aria-label": (scene.kind ?? WEIGHTS).label(plan),
    "aria-rowcount": plan.rows.length,
    "aria-colcount": plan.columns.length,
  });
  cells.append(...rows.map((row, index) => rowSurface(scene, row, index)), currentMark);
  describeCells(scene, rows);
  const content = html("div", { class: "map" }, [
    ...(heading === null ? [] : [heading]),
    html("div", { class: "map-corner", "aria-hidden": "true" }, [
      html("span", {}, ["source →"]),
      html("span", {}, ["so far ↓"]),
    ]),
    html("div", { class: "map-heads" }, [heads]),
    html("div", { class: "map-side" }, [labelSurface]),
    html("div", { class: "map-area", "data-from-part": 1 }, [cells]),
  ]);
  const frame = createFrame("map-frame", content);
  let current = 0;
  /** @type {Element | undefined} */
  let linkedCell;
  const walk = createWalk(rows);
  attachPointing(scene, cells, labelSurface, () => current);
  attachWalking(cells, walk, {
    cell: ".map-cell",
    lastRow: () => lastShownRow(plan, current),
    enter: (_, cell) => enterCell(scene, cell),
  });
  return {
    frame,
    headsHeight: space.height,
    show(step) {
      current = step;
      for (const [index, group] of plan.rows.entries()) {
        markRow(rows[index], group, step);
        markRow(/** @type {Element} */ (rows[index].parentElement), group, step);
        markRow(labels[index], group, step);
      }
      const row = groupAt(plan.rows, step);
      for (const mark of [currentMark, pointer]) {
        mark.classList.toggle("nowhere", row === -1);
        mark.style.transform = `translateY(${row * rowHeight}px)`;
      }
      walk.settle(Math.max(0, lastShownRow(plan, step)));
    },
    keepInView(step) {
      keepInView(frame, { headsHeight: space.height, rowHeight, top: rowNear(plan, step) * rowHeight });
    },
    link(i, step) {
      const column = i === null ? -1 : groupAt(plan.columns, i);
      const row = step === null ? -1 : groupAt(plan.rows, step);
      linkedCell?.classList.remove("linked");
      linkedCell = rows[row]?.children[column];
      linkedCell?.classList.add("linked");
      for (const head of heads.querySelectorAll("text")) {
        head.classList.toggle("linked", Number(head.dataset.column) === column);
      }
    },
  };
}

/**
 * The last row that is complete at a step; -1 if there is none.
 * @param {import("./groups.js").Plan} plan
 * @param {number} step
 * @returns {number}
 */
function lastShownRow({ rows }, step) {
  return rows.findLastIndex((row) => row.last <= step);
}

/**
 * A row is there when its last step is.
 * @param {Element} row
 * @param {import("./groups.js").Group} group
 * @param {number} step
 */
function markRow(row, { first, last }, step) {
  row.classList.toggle("future", last > step);
  row.classList.toggle("current", first <= step && step <= last);
}

/**
 * A surface a row, so that a step paints two rows anew and not the whole map. It holds the empty place of a row to come,
 * which gives the map its size from the start.
 * @param {MapScene} scene
 * @param {SVGElement} row
 * @param {number} index
 * @returns {SVGElement}
 */
function rowSurface(scene, row, index) {
  const { columns, plan, rowHeight } = scene;
  const y = index * rowHeight;
  const box = { x: 1.5, y: y + 1.5, width: columns.total - 3, height: rowHeight - 3 };
  const isLow = rowHeight < LOWEST_PRINTED;
  const element = surface(columns.total, rowHeight, {
    class: "row-surface",
    viewBox: `0 ${y} ${columns.total} ${rowHeight}`,
    role: "row",
    "aria-rowindex": index + 1,
    "aria-label": describeRow(scene, plan.rows[index]),
  });
  element.append(svg("rect", { ...box, class: isLow ? "slot low" : "slot" }), row);
  return element;
}

/**
 * Mark the rows that hold a step which is new or changed since the trace before.
 * @param {MapScene} scene
 * @param {SVGElement[]} labels
 */
function markChanged(scene, labels) {
  for (const [index, row] of scene.plan.rows.entries()) {
    if (isChanged(scene, row)) {
      labels[index].append(drawChangedMark(scene.namesWidth - 5, (index + 0.5) * scene.rowHeight, scene.palette.text));
    }
  }
}

/**
 * @param {MapScene} scene
 * @param {import("./groups.js").Group} row
 * @returns {boolean}
 */
function isChanged({ document }, { first, last }) {
  return document.changed?.slice(first, last + 1).includes(true) ?? false;
}

/**
 * What a row says to those who cannot see it.
 * @param {MapScene} scene
 * @param {import("./groups.js").RowGroup} row
 * @returns {string}
 */
function describeRow(scene, row) {
  const taken = row.isTaken ? " Taken by hand." : "";
  const changed = isChanged(scene, row) ? " Changed since the map before." : "";
  return rowSentence(scene, row).replaceAll(scene.document.wordMark, "") + taken + changed;
}

/**
 * The sentences of a row's steps.
 * @param {MapScene} scene
 * @param {import("./groups.js").Group} row
 * @returns {string}
 */
function rowSentence({ document }, { first, last }) {
  const steps = document.sentences.slice(first, last + 1);
  return steps.map((sentences) => sentences.step).join(" ");
}

/**
 * @param {MapScene} scene
 * @param {MapControls} controls
 * @returns {{element: HTMLElement, say: (step: number) => void}}
 */
function createMapHeading({ document, palette, plan, view }, { zoom }) {
  const name = document.formulas.symbols.weight;
  const label = `Scale of colours: ${name}${WEIGHT_SCALES[view.scale].rule}, from 0 to 1`;
  const scale = surface(SCALE_TITLE_WIDTH, 42, { role: "img", "aria-label": label });
  scale.append(drawWeightScale(palette, SCALE_WIDTH, view.scale, name));
  const sentence = html("p", { class: "sentence" });
  const inner = html("div", { class: "map-heading-inner" }, [html("h3", {}, ["Map"]), sentence, scale, zoom]);
  const element = html("div", { class: "heading map-heading" }, [inner]);
  return {
    element,
    say(step) {
      sentence.textContent = `${lastShownRow(plan, step) + 1} of ${plan.rows.length} rows; each adds up to 1.`;
    },
  };
}

/**
 * The sentence of each finished row, beside it.
 * @param {MapScene} scene
 * @returns {{element: HTMLElement, show: (step: number) => void}}
 */
function createRowSentences(scene) {
  const { plan } = scene;
  const items = plan.rows.map((row) => {
    const item = html("li");
    setSentence(item, rowSentence(scene, row), scene.document.wordMark, scene.language);
    item.addEventListener("click", () => scene.goTo(row.last));
    return item;
  });
  return {
    element: html("ol", { class: "row-sentences" }, items),
    show(step) {
      for (const [index, item] of items.entries()) {
        markRow(item, plan.rows[index], step);
      }
    },
  };
}

/**
 * Names and roles for those who hear the map.
 * @param {MapScene} scene
 * @param {SVGElement[]} rows
 */
function describeCells(scene, rows) {
  for (const [row, element] of rows.entries()) {
    element.setAttribute("role", "presentation");
    for (const [column, cell] of Array.from(element.children).entries()) {
      setAttributes(cell, {
        role: "gridcell",
        "aria-colindex": column + 1,
        tabindex: -1,
        "aria-label": describeCell(scene, { row, column, write: formatNumber }),
      });
    }
  }
}

/**
 * @param {MapScene} scene
 * @param {{row: number, column: number, write: (value: number | null) => string}} cell
 * @returns {string}
 */
function describeCell({ plan, kind, reference }, { row, column, write }) {
  const link = reference?.find(plan.rows[row].first, plan.columns[column].first);
  const text = (kind ?? WEIGHTS).describe(plan, row, column, write);
  return link === undefined ? text : `${text}; ${describeReference(link)}`;
}

/**
 * @param {EventTarget | null} target
 * @returns {SVGElement | null}
 */
function cellOf(target) {
  return target instanceof Element ? target.closest(".map-cell") : null;
}

/**
 * What the cell under the pointer, or in focus, says; nothing where its row is not there yet.
 * @param {MapScene} scene
 * @param {EventTarget | null} target
 * @param {number} step
 * @returns {string}
 */
function describeTarget(scene, target, step) {
  const { plan, offer } = scene;
  const cell = cellOf(target);
  if (cell === null) {
    return "";
  }
  const row = groupAt(plan.rows, Number(cell.dataset.step));
  const column = groupAt(plan.columns, Number(cell.dataset.source));
  const { first, last } = plan.rows[row];
  if (last > step) {
    return "";
  }
  const click = first <= step && step <= last ? "click to change" : `click for step ${last + 1}`;
  const text = describeCell(scene, { row, column, write: formatExactly });
  return offer === null ? text : `${text} · ${click}`;
}

/**
 * A cell of the current row opens its menu, one of another row goes to its step.
 * @param {MapScene} scene
 * @param {Element} element A cell, a row or a label.
 */
function enterCell(scene, element) {
  const row = /** @type {SVGElement} */ (element.closest(".map-row, .map-label"));
  const cell = cellOf(element);
  if (scene.offer !== null && cell !== null && row.classList.contains("current")) {
    const { first, last } = cell.dataset;
    scene.offer(cell, range(Number(first), Number(last)));
  } else {
    scene.goTo(finishedAt(scene.plan, Number(row.dataset.step)));
  }
}

/**
 * Exact numbers on hover and focus; a click enters a cell of a finished row.
 * @param {MapScene} scene
 * @param {HTMLElement} cells
 * @param {SVGElement} labels
 * @param {() => number} currentStep
 */
function attachPointing(scene, cells, labels, currentStep) {
  scene.hints.attach(cells, (event) => describeTarget(scene, event.target, currentStep()));
  for (const part of [cells, labels]) {
    // A cell clicked with the mouse must not take the focus, or the arrows would walk the map from there on.
    part.addEventListener("mousedown", (event) => event.preventDefault());
    part.addEventListener("click", (event) => {
      const element = finished(event.target);
      if (element !== null) {
        enterCell(scene, element);
      }
    });
    part.addEventListener("contextmenu", (event) => {
      const element = finished(event.target);
      if (element !== null && scene.offer !== null) {
        event.preventDefault();
        enterCell(scene, element);
      }
    });
  }
}

/**
 * What was pointed at, where it is part of a row that is there.
 * @param {EventTarget | null} target
 * @returns {Element | null}
 */
function finished(target) {
  return target instanceof Element && target.closest(":is(.map-row, .map-label):not(.future)") !== null ? target : null;
}

/**
 * Scroll the frame, never the page, so that the current row is seen under the heads.
 * @param {import("./frames.js").Frame} frame
 * @param {{headsHeight: number, rowHeight: number, top: number}} row
 */
function keepInView(frame, { headsHeight, rowHeight, top }) {
  const room = frame.height() - headsHeight - rowHeight;
  if (top < frame.top() || top > frame.top() + room) {
    frame.scrollTo({ top: top - room / 2 });
  }
}
