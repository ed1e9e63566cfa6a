// The edges: the alignment as ribbons between the two sentences, as thick as the weights. The source words stand at the
// map's columns; the ribbons of a target token fill its width. The same functions draw them on the page and into a picture.

import { html, isChinese, PINYIN, setAttributes, setSentence, setText, surface, svg } from "./dom.js";
import { createFrame } from "./frames.js";
import { describePlace, finishedAt, groupAt, rowNear } from "./groups.js";
import { drawHeads, headSpace } from "./labels.js";
import { clamp, formatExactly, formatNumber } from "./numbers.js";
import { END_TOKEN } from "./reading.js";
import { attachWalking, createWalk } from "./walk.js";
import { wordWidth } from "./words.js";

const LOWEST_RIBBONS = 190;
const HIGHEST_RIBBONS = 280;
/** The wider the drawing, the higher, so that ribbons across it do not lie flat. */
const RIBBON_SLOPE = 0.125;
const BAR_HEIGHT = 4;
const TOKEN_SIZE = 18;
const SMALL_TOKEN_SIZE = 13;
const PINYIN_SIZE = 11;
const PINYIN_HEIGHT = 14;
const TOKEN_PADDING = 8;
/** A weight of 1 is drawn no thicker than this, however much room there is. */
const THICKEST = 48;
/** How much of its word a bundle of ribbons takes at most. */
const FULLEST = 0.92;
/** What a person set by hand is hatched across. */
const HATCHES = "5 2";
const LARGEST_THRESHOLD = 0.5;

/**
 * What the edges are drawn with.
 * @typedef {object} EdgePaint
 * @property {import("./reading.js").MapTrace} trace
 * @property {import("./groups.js").Plan} plan
 * @property {import("./colours.js").Palette} palette
 * @property {import("./bands.js").Columns} columns
 */

/**
 * Where a word or token stands.
 * @typedef {{left: number, width: number}} Slot
 */

/**
 * One ribbon, by its middle line.
 * @typedef {object} Ribbon
 * @property {number} weight
 * @property {number} top Where it begins, from the left.
 * @property {number} bottom Where it ends.
 * @property {number} thickness
 */

/**
 * @typedef {object} EdgeLayout
 * @property {Slot[]} sources A slot a column of the plan.
 * @property {Slot[]} targets A slot a row of the plan.
 * @property {number} unit How thick a weight of 1 is.
 * @property {Ribbon[][]} ribbons A ribbon a cell of the plan.
 * @property {number} top Where the ribbons begin.
 * @property {number} bottom Where the ribbons end.
 * @property {number} pinyinHeight
 * @property {number} width
 * @property {number} height
 */

/**
 * @param {EdgePaint} paint
 * @returns {EdgeLayout}
 */
export function layEdges({ plan, columns }) {
  const sources = plan.columns.map(({ first, last }) => ({
    left: columns.left(first),
    width: columns.left(last) + columns.width - columns.left(first),
  }));
  const targets = placeTargets(plan, columns.total);
  const unit = thicknessOfOne(plan, sources, targets);
  const end = targets[targets.length - 1];
  const pinyinHeight = plan.rows.some(({ words }) => joinedPinyin(words) !== "") ? PINYIN_HEIGHT : 0;
  const top = headSpace(plan, columns).height;
  const width = Math.max(columns.total, end.left + end.width);
  const bottom = top + clamp(Math.round(RIBBON_SLOPE * width), LOWEST_RIBBONS, HIGHEST_RIBBONS);
  return {
    sources,
    targets,
    unit,
    ribbons: placeRibbons(plan, sources, targets, unit),
    top,
    bottom,
    pinyinHeight,
    width,
    height: bottom + pinyinHeight + 48,
  };
}

/**
 * The target tokens share the width of the columns; where they need more, the drawing is wider.
 * @param {import("./groups.js").Plan} plan
 * @param {number} total
 * @returns {Slot[]}
 */
function placeTargets({ rows }, total) {
  const needs = rows.map(({ words }) => widthOf(words) + TOKEN_PADDING);
  const spare = Math.max(0, total - sum(needs)) / rows.length;
  let left = 0;
  return needs.map((need) => {
    const slot = { left, width: need + spare };
    left += slot.width;
    return slot;
  });
}

/**
 * @param {import("./reading.js").ShownWord[]} words
 * @returns {number}
 */
function widthOf(words) {
  const text = wordWidth(joined(words)) * (TOKEN_SIZE / 14);
  return Math.max(text, wordWidth(joinedPinyin(words)) * (PINYIN_SIZE / 14));
}

/**
 * @param {import("./reading.js").ShownWord[]} words
 * @returns {string}
 */
function joined(words) {
  return words.map(({ text }) => text).join("");
}

/**
 * @param {import("./reading.js").ShownWord[]} words
 * @returns {string}
 */
function joinedPinyin(words) {
  return words
    .map(({ pinyin }) => pinyin)
    .join(" ")
    .trim();
}

/**
 * The largest thickness of a weight of 1 with which every bundle of ribbons fits its word.
 * @param {import("./groups.js").Plan} plan
 * @param {Slot[]} sources
 * @param {Slot[]} targets
 * @returns {number}
 */
function thicknessOfOne({ weights }, sources, targets) {
  const aboveTargets = targets.map(({ width }) => FULLEST * width);
  const underSources = sources.map(({ width }, column) => {
    const total = columnTotal(weights, column);
    return total > 0 ? (FULLEST * width) / total : THICKEST;
  });
  return Math.min(THICKEST, ...aboveTargets, ...underSources);
}

/**
 * At a source word the ribbons stand in the order of the target tokens, at a target token in that of the source words.
 * @param {import("./groups.js").Plan} plan
 * @param {Slot[]} sources
 * @param {Slot[]} targets
 * @param {number} unit
 * @returns {Ribbon[][]}
 */
function placeRibbons({ weights }, sources, targets, unit) {
  const tops = sources.map(({ left, width }, column) => left + (width - columnTotal(weights, column) * unit) / 2);
  return targets.map(({ left, width }, row) => {
    let bottom = left + (width - unit) / 2;
    return sources.map((_, column) => {
      const weight = weights[row][column];
      const thickness = weight * unit;
      const ribbon = { weight, top: tops[column] + thickness / 2, bottom: bottom + thickness / 2, thickness };
      tops[column] += thickness;
      bottom += thickness;
      return ribbon;
    });
  });
}

/**
 * @param {number[][]} weights
 * @param {number} column
 * @returns {number}
 */
function columnTotal(weights, column) {
  return sum(weights.map((row) => row[column]));
}

/**
 * @param {number[]} values
 * @returns {number}
 */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

/**
 * How much weight lies in ribbons thinner than the threshold.
 * @param {number[][]} weights
 * @param {number} threshold
 * @returns {string}
 */
export function hiddenText(weights, threshold) {
  if (threshold === 0) {
    return "Nothing is hidden";
  }
  const hidden = sum(weights.flat().filter((weight) => weight < threshold));
  const rows = weights.length === 1 ? "1 row's" : `${weights.length} rows'`;
  return `${formatNumber(hidden)} of ${rows} weight is hidden`;
}

/**
 * The parts of the drawing, a group a word or token.
 * @typedef {object} EdgeDrawing
 * @property {SVGElement} element
 * @property {Element[]} heads The source words.
 * @property {SVGElement[]} rooms The room around each of them.
 * @property {SVGElement[]} rows The ribbons of each target token.
 * @property {SVGElement[]} starts Where they begin, at the source words.
 * @property {SVGElement[]} labels The target tokens.
 */

/**
 * @param {EdgePaint} paint
 * @param {EdgeLayout} layout
 * @param {number} threshold Ribbons under it are not seen.
 * @returns {EdgeDrawing}
 */
export function drawEdges(paint, layout, threshold) {
  const { plan } = paint;
  const words = drawHeads(paint);
  const rooms = plan.columns.map((_, column) => drawRoom(paint, layout, column));
  const rows = plan.rows.map(({ first }, row) => {
    const ribbons = plan.columns.map((_, column) => drawRibbon(paint, layout, row, column));
    return svg("g", { class: "edge-row", "data-step": first }, ribbons);
  });
  const starts = plan.rows.map((_, row) => drawStarts(paint, layout, row));
  const labels = plan.rows.map((_, row) => drawLabel(paint, layout, row));
  hideUnder(plan, rows, threshold);
  const element = svg("g", {}, [words, ...rooms, ...labels, ...rows, ...starts]);
  return { element, heads: Array.from(words.children), rooms, rows, starts, labels };
}

/**
 * Room for the pointer around a source word.
 * @param {EdgePaint} paint
 * @param {EdgeLayout} layout
 * @param {number} column
 * @returns {SVGElement}
 */
function drawRoom({ plan }, { sources, top }, column) {
  const { left, width } = sources[column];
  const { first, last } = plan.columns[column];
  const box = { x: left, y: 0, width, height: top, fill: "none", "pointer-events": "all" };
  return svg("rect", { ...box, class: "edge-head", "data-source": first, "data-last": last });
}

/**
 * The bars under the source words, as wide as the ribbons of one target token that begin there.
 * @param {EdgePaint} paint
 * @param {EdgeLayout} layout
 * @param {number} row
 * @returns {SVGElement}
 */
function drawStarts({ palette }, { ribbons, top }, row) {
  const y = top - BAR_HEIGHT;
  const bars = ribbons[row].map(({ top: centre, thickness }) => {
    const [left, width] = [rounded(centre - thickness / 2), rounded(thickness)];
    return `M${left} ${y}h${width}v${BAR_HEIGHT}h${-width}z`;
  });
  return svg("path", { d: bars.join(""), fill: palette.source, class: "edge-starts" });
}

/**
 * A target token, over it a bar as wide as its ribbons, under it its step.
 * @param {EdgePaint} paint
 * @param {EdgeLayout} layout
 * @param {number} row
 * @returns {SVGElement}
 */
function drawLabel({ trace, plan, palette }, { targets, unit, bottom, pinyinHeight }, row) {
  const { left, width } = targets[row];
  const { first, last, words } = plan.rows[row];
  const x = left + width / 2;
  const middle = { x, "text-anchor": "middle" };
  const size = trace.target_tokens[first] === END_TOKEN ? SMALL_TOKEN_SIZE : TOKEN_SIZE;
  const line = bottom + pinyinHeight + 25;
  const word = svg("text", { ...middle, y: line, fill: palette.target, "font-size": size, class: "label-word" }, [
    joined(words),
  ]);
  if (isChinese(joined(words))) {
    word.setAttribute("lang", words[0].language);
  }
  if (trace.target_known.slice(first, last + 1).includes(false)) {
    word.setAttribute("text-decoration", "underline wavy");
  }
  const pinyin = {
    ...middle,
    y: bottom + 18,
    fill: palette.muted,
    "font-size": PINYIN_SIZE,
    class: "label-word",
    lang: PINYIN,
  };
  const number = { ...middle, y: line + 17, fill: palette.muted, "font-size": 11 };
  const stub = { x: x - unit / 2, y: bottom, width: unit, height: BAR_HEIGHT, fill: palette.target };
  const room = { x: left, y: bottom, width, height: pinyinHeight + 48, fill: "none", "pointer-events": "all" };
  return svg("g", { class: "edge-label", "data-step": first }, [
    svg("rect", room),
    svg("rect", stub),
    ...(pinyinHeight === 0 ? [] : [svg("text", pinyin, [joinedPinyin(words)])]),
    word,
    svg("text", number, [first === last ? String(first + 1) : `${first + 1}–${last + 1}`]),
  ]);
}

/**
 * @param {EdgePaint} paint
 * @param {EdgeLayout} layout
 * @param {number} row
 * @param {number} column
 * @returns {SVGElement}
 */
function drawRibbon({ plan, palette }, { ribbons, top, bottom }, row, column) {
  const { top: from, bottom: to, thickness } = ribbons[row][column];
  const [start, end, middle] = [rounded(from), rounded(to), (top + bottom) / 2];
  const { first, last } = plan.columns[column];
  const ribbon = svg("path", {
    d: `M${start} ${top}C${start} ${middle} ${end} ${middle} ${end} ${bottom}`,
    fill: "none",
    stroke: palette.weights[3],
    "stroke-opacity": 0.55,
    "stroke-width": rounded(thickness),
    class: "edge",
    "data-step": plan.rows[row].first,
    "data-source": first,
    "data-last": last,
  });
  if (plan.rows[row].byHand) {
    ribbon.setAttribute("stroke-dasharray", HATCHES);
  }
  return ribbon;
}

/**
 * @param {number} value
 * @returns {number}
 */
function rounded(value) {
  return Math.round(1000 * value) / 1000;
}

/**
 * @param {import("./groups.js").Plan} plan
 * @param {SVGElement[]} rows
 * @param {number} threshold
 */
function hideUnder({ weights }, rows, threshold) {
  for (const [row, group] of rows.entries()) {
    for (const [column, ribbon] of Array.from(group.children).entries()) {
      ribbon.classList.toggle("under", weights[row][column] < threshold);
    }
  }
}

/**
 * What a person has chosen about the edges; it lives longer than one drawing.
 * @typedef {{threshold: number}} EdgeChoices
 */

/**
 * @typedef {object} EdgesView
 * @property {HTMLElement} element
 * @property {(step: number) => void} show
 * @property {(i: number | null, step: number | null) => void} link
 */

/**
 * The edges on the page.
 * @param {import("./bands.js").Scene & {plan: import("./groups.js").Plan}} scene
 * @param {EdgeChoices} choices
 * @param {number} side What stands left of the drawing and never scrolls.
 * @returns {EdgesView}
 */
export function createEdges(scene, choices, side) {
  const { plan, namesWidth } = scene;
  const layout = layEdges(scene);
  const drawing = drawEdges(scene, layout, choices.threshold);
  const picture = surface(layout.width, layout.height, {
    class: "edges-drawing",
    role: "grid",
    "aria-label": "Edges: a row a target token, a ribbon a source word",
    "aria-rowcount": plan.rows.length,
    "aria-colcount": plan.columns.length,
  });
  picture.append(...drawSlots(layout), drawing.element);
  nameRibbons(plan, drawing);
  const heading = createEdgesHeading(scene, choices, () => hideUnder(plan, drawing.rows, choices.threshold));
  const content = html("div", { class: "edges" }, [heading.element, createSideNames(namesWidth, layout), picture]);
  const frame = createFrame("edges-frame", content);
  let current = 0;
  const keepInView = () => bringIntoView(frame, side, layout, rowNear(plan, current));
  frame.whenMeasured(keepInView);
  const walk = createWalk(drawing.rows);
  attachWalking(picture, walk, {
    cell: ".edge",
    lastRow: () => rowShownLast(plan, current),
    enter: (row) => scene.goTo(plan.rows[row].last),
  });
  attachPointing(scene, { picture, drawing }, () => current);
  return {
    element: html("section", { class: "edges-section", "aria-label": "Edges" }, [frame.element]),
    show(step) {
      current = step;
      for (const [place, { first, last }] of plan.rows.entries()) {
        for (const part of [drawing.rows[place], drawing.starts[place], drawing.labels[place]]) {
          part.classList.toggle("future", last > step);
          part.classList.toggle("current", first <= step && step <= last);
        }
      }
      heading.sayStep(step);
      keepInView();
      walk.settle(Math.max(0, rowShownLast(plan, step)));
    },
    link(i, step) {
      linkRibbons(plan, { picture, drawing }, i, step);
    },
  };
}

/**
 * The last row that is complete at a step; -1 if there is none.
 * @param {import("./groups.js").Plan} plan
 * @param {number} step
 * @returns {number}
 */
function rowShownLast({ rows }, step) {
  return rows.findLastIndex(({ last }) => last <= step);
}

/**
 * The empty places of the tokens to come, which give the drawing its shape from the start.
 * @param {EdgeLayout} layout
 * @returns {SVGElement[]}
 */
function drawSlots({ targets, unit, bottom }) {
  return targets.map(({ left, width }) => {
    const x = left + (width - unit) / 2 + 0.5;
    const box = { x, y: bottom + 0.5, width: Math.max(unit - 1, 0), height: BAR_HEIGHT - 1 };
    return svg("rect", { ...box, class: "slot" });
  });
}

/**
 * @param {number} width
 * @param {EdgeLayout} layout
 * @returns {HTMLElement}
 */
function createSideNames(width, { height, top, bottom, pinyinHeight }) {
  const names = surface(width, height, { "aria-hidden": "true" });
  const x = width - 8;
  names.append(
    svg("text", { x, y: top - 9, class: "name" }, ["source"]),
    svg("text", { x, y: bottom + pinyinHeight + 24, class: "name" }, ["so far"]),
  );
  return html("div", { class: "edges-side" }, [names]);
}

/**
 * @param {import("./bands.js").Scene & {plan: import("./groups.js").Plan}} scene
 * @param {EdgeChoices} choices
 * @param {() => void} onThreshold
 * @returns {{element: HTMLElement, sayStep: (step: number) => void}}
 */
function createEdgesHeading({ document, language, plan }, choices, onThreshold) {
  const sentence = html("p", { class: "sentence", "data-sentence": "step" });
  const range = {
    "aria-label": "hide weights under",
    min: 0,
    max: LARGEST_THRESHOLD,
    step: 0.01,
    value: choices.threshold,
  };
  const slider = /** @type {HTMLInputElement} */ (html("input", { type: "range", ...range }));
  const value = html("span", {});
  const hidden = html("p", { class: "sentence hidden-weight" });
  const threshold = html("label", { class: "threshold" }, [html("span", {}, ["hide weights under ", value]), slider]);
  const rule = plan.rule === null ? [] : [html("p", { class: "sentence" }, [plan.rule])];

  function say() {
    setText(value, formatNumber(choices.threshold));
    setText(hidden, `${hiddenText(plan.weights, choices.threshold)}.`);
  }

  slider.addEventListener("input", () => {
    choices.threshold = slider.valueAsNumber;
    say();
    onThreshold();
  });
  say();
  const element = html("div", { class: "heading edges-heading" }, [
    html("h3", {}, ["Edges"]),
    html("p", { class: "sentence" }, ["As thick as the weights; the ribbons of a token fill its bar."]),
    sentence,
    threshold,
    hidden,
    ...rule,
  ]);
  return {
    element,
    sayStep(step) {
      setSentence(sentence, document.sentences[step].step, document.wordMark, language);
    },
  };
}

/**
 * Names and roles for those who hear the edges.
 * @param {import("./groups.js").Plan} plan
 * @param {EdgeDrawing} drawing
 */
function nameRibbons(plan, { heads, rows, labels }) {
  for (const part of [...heads, ...labels]) {
    part.setAttribute("aria-hidden", "true");
  }
  for (const [row, group] of rows.entries()) {
    setAttributes(group, { role: "row", "aria-rowindex": row + 1, "aria-label": plan.rows[row].name });
    for (const [column, ribbon] of Array.from(group.children).entries()) {
      const label = describePlace(plan, row, column, formatNumber);
      setAttributes(ribbon, { role: "gridcell", "aria-colindex": column + 1, tabindex: -1, "aria-label": label });
    }
  }
}

/**
 * Exact numbers on hover and focus; a click on a ribbon or a token goes to its step.
 * @param {import("./bands.js").Scene & {plan: import("./groups.js").Plan}} scene
 * @param {{picture: SVGElement, drawing: EdgeDrawing}} parts
 * @param {() => number} currentStep
 */
function attachPointing({ plan, hints, goTo }, { picture, drawing }, currentStep) {
  /** @param {EventTarget | null} target */
  function describe(target) {
    const element = target instanceof SVGElement ? target : picture;
    if (element.matches(".edge")) {
      const row = groupAt(plan.rows, Number(element.dataset.step));
      return describePlace(plan, row, groupAt(plan.columns, Number(element.dataset.source)), formatExactly);
    }
    const column = drawing.rooms.indexOf(element);
    return column === -1 ? "" : describeColumn(plan, column);
  }
  hints.attach(picture, (event) => describe(event.target));
  // A ribbon clicked with the mouse must not take the focus, or the arrows would walk the ribbons from there on.
  picture.addEventListener("mousedown", (event) => event.preventDefault());
  picture.addEventListener("click", (event) => {
    const holder = event.target instanceof Element ? event.target.closest("[data-step]") : null;
    const step = Number(/** @type {SVGElement | null} */ (holder)?.dataset.step);
    if (step <= currentStep()) {
      goTo(finishedAt(plan, step));
    }
  });
}

/**
 * @param {import("./groups.js").Plan} plan
 * @param {number} column
 * @returns {string}
 */
function describeColumn({ columns, weights }, column) {
  const rows = weights.length === 1 ? "1 row's" : `${weights.length} rows'`;
  return `${columns[column].name} gets ${formatNumber(columnTotal(weights, column))} of ${rows} weight`;
}

/**
 * Mark the ribbons of a source word, of a target token, or the one between both; the others step back.
 * @param {import("./groups.js").Plan} plan
 * @param {{picture: SVGElement, drawing: EdgeDrawing}} parts
 * @param {number | null} i
 * @param {number | null} step
 */
function linkRibbons(plan, { picture, drawing }, i, step) {
  const column = i === null ? null : groupAt(plan.columns, i);
  const row = step === null ? null : groupAt(plan.rows, step);
  const isLinking = (column !== null || row !== null) && column !== -1 && row !== -1;
  for (const linked of picture.querySelectorAll(".linked")) {
    linked.classList.remove("linked");
  }
  picture.classList.toggle("linking", isLinking);
  if (!isLinking) {
    return;
  }
  const rows = row === null ? drawing.rows : [drawing.rows[row]];
  const ribbons = rows.flatMap((group) => (column === null ? Array.from(group.children) : [group.children[column]]));
  const words = [column === null ? null : drawing.heads[column], row === null ? null : drawing.labels[row]];
  for (const part of [...ribbons, ...words]) {
    part?.classList.add("linked");
  }
}

/**
 * Scroll sideways, so that a token and the word it looks at most are seen, or at least the token.
 * @param {import("./frames.js").Frame} frame
 * @param {number} side What stands left of the drawing and never scrolls.
 * @param {EdgeLayout} layout
 * @param {number} row
 */
function bringIntoView(frame, side, { sources, targets, ribbons, width }, row) {
  const room = frame.width() - side;
  if (width <= room) {
    return;
  }
  const weights = ribbons[row].map(({ weight }) => weight);
  const source = sources[weights.indexOf(Math.max(...weights))];
  const target = targets[row];
  const left = Math.min(source.left, target.left);
  const right = Math.max(source.left + source.width, target.left + target.width);
  const [from, to] = right - left <= room ? [left, right] : [target.left, target.left + target.width];
  if (from < frame.left() || to > frame.left() + room) {
    frame.scrollTo({ left: (from + to - room) / 2 });
  }
}
