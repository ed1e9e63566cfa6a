// The map: a row a target token, a column a source token, growing row by row. The same functions draw it on the page
// and into a picture; the page splits it into four surfaces so that heads and labels stay in view while it scrolls.

import { NAMES_WIDTH } from "./bands.js";
import { textOn, weightColour } from "./colours.js";
import { createFrame } from "./frames.js";
import { hatchPath } from "./hatch.js";
import { html, isChinese, setAttributes, setSentence, surface, svg } from "./dom.js";
import { clamp, formatExactly, formatNumber } from "./numbers.js";
import { describeCell, isReplaced, shownToken } from "./reading.js";
import { drawWeightScale } from "./scales.js";
import { isUnknown, wordSpace } from "./words.js";

export const ROW_HEIGHT = 30;
const NARROWEST_PRINTED = 34;
const COMPUTED_STRIP = 6;

/**
 * What a map is drawn with.
 * @typedef {object} MapPaint
 * @property {import("./reading.js").Trace} trace
 * @property {import("./colours.js").Palette} palette
 * @property {import("./bands.js").Columns} columns
 */

/**
 * The source tokens over the columns.
 * @param {MapPaint} paint
 * @returns {SVGElement}
 */
function drawHeads({ trace, palette, columns }) {
  const space = wordSpace(trace.source_tokens, columns.width);
  const heads = trace.source_tokens.map((token, i) => {
    const text = svg("text", { fill: palette.source, "font-size": 14, "font-weight": 600 }, [token]);
    if (isChinese(token)) {
      text.setAttribute("lang", "zh-Hant");
    }
    if (isUnknown(trace, i)) {
      setAttributes(text, { "text-decoration": "underline wavy", "font-style": "italic" });
    }
    const x = columns.centre(i);
    const y = space.height - 9;
    const place = space.leans ? { transform: `translate(${x} ${y}) rotate(-45)` } : { x, y, "text-anchor": "middle" };
    setAttributes(text, place);
    return text;
  });
  return svg("g", {}, heads);
}

/**
 * The target tokens, one group a row, right-aligned at x = NAMES_WIDTH.
 * @param {MapPaint} paint
 * @returns {SVGElement[]}
 */
function drawLabels({ trace, palette }) {
  return trace.target_tokens.map((token, step) => {
    const shown = shownToken(token);
    const y = step * ROW_HEIGHT;
    const isKnown = trace.target_known[step];
    const word = svg(
      "text",
      {
        x: NAMES_WIDTH - 10,
        y: y + 21,
        fill: palette.target,
        "font-size": token === shown ? 18 : 13,
        "text-anchor": "end",
        class: "label-word",
      },
      [shown],
    );
    if (isChinese(shown)) {
      word.setAttribute("lang", "zh-Hant");
    }
    if (!isKnown) {
      word.setAttribute("text-decoration", "underline wavy");
    }
    const number = svg("text", { x: 15, y: y + 20, fill: palette.muted, "font-size": 11 }, [String(step + 1)]);
    return svg("g", { class: "map-label", "data-step": step }, [number, word]);
  });
}

/**
 * The cells, one group a row.
 * @param {MapPaint} paint
 * @returns {SVGElement[]}
 */
function drawRows(paint) {
  return paint.trace.target_tokens.map((_, step) => {
    const cells = Array.from({ length: paint.columns.count }, (_, i) => drawCell(paint, step, i));
    return svg("g", { class: "map-row", "data-step": step }, cells);
  });
}

/**
 * @param {MapPaint} paint
 * @param {number} step
 * @param {number} i
 * @returns {SVGElement}
 */
function drawCell({ trace, palette, columns }, step, i) {
  const weight = /** @type {number[][]} */ (trace.weights)[step][i];
  const fill = weightColour(palette, weight);
  const box = { x: columns.left(i) + 1, y: step * ROW_HEIGHT + 1, width: columns.width - 2, height: ROW_HEIGHT - 2 };
  const cell = svg("g", { class: "map-cell", "data-step": step, "data-source": i }, [svg("rect", { ...box, fill })]);
  if (isReplaced(trace, step)) {
    const computed = /** @type {number[][]} */ (trace.computed_weights)[step][i];
    cell.append(...drawReplaced(palette, box, fill, weightColour(palette, computed)));
  }
  if (columns.width >= NARROWEST_PRINTED) {
    cell.append(drawValue(palette, box, weight, fill));
  }
  return cell;
}

/**
 * @param {import("./colours.js").Palette} palette
 * @param {import("./hatch.js").Box} box
 * @param {number} weight
 * @param {string} fill
 * @returns {SVGElement}
 */
function drawValue(palette, box, weight, fill) {
  const place = { x: box.x + box.width / 2, y: box.y + 18, "text-anchor": "middle", "font-size": 12.5 };
  const isFaint = weight < 0.005;
  return svg("text", { ...place, fill: isFaint ? palette.muted : textOn(palette, fill) }, [formatNumber(weight)]);
}

/**
 * Hatching over a weight that a person set, and a strip in the colour of the computed one.
 * @param {import("./colours.js").Palette} palette
 * @param {import("./hatch.js").Box} box
 * @param {string} fill
 * @param {string} computedFill
 * @returns {SVGElement[]}
 */
function drawReplaced(palette, box, fill, computedFill) {
  const ink = textOn(palette, fill);
  const hatch = svg("path", { d: hatchPath(box), stroke: ink, "stroke-opacity": 0.35, fill: "none" });
  const strip = { ...box, y: box.y + box.height - COMPUTED_STRIP, height: COMPUTED_STRIP };
  return [hatch, svg("rect", { ...strip, fill: computedFill, stroke: palette.background, class: "computed" })];
}

/**
 * The map as one picture of its own: all rows, heads, labels, axis titles.
 * @param {MapPaint} paint
 * @returns {{element: SVGElement, width: number, height: number}}
 */
export function drawWholeMap(paint) {
  const { palette, columns, trace } = paint;
  const space = wordSpace(trace.source_tokens, columns.width);
  const axis = { "font-size": 12, fill: palette.muted };
  const labelsLeft = 20;
  const left = labelsLeft + NAMES_WIDTH;
  const top = 18 + space.height;
  const rowsHeight = trace.target_tokens.length * ROW_HEIGHT;
  const middle = top + rowsHeight / 2;
  const overhang = space.leans ? space.height : 0;
  const element = svg("g", {}, [
    svg("text", { ...axis, x: left + columns.total / 2, y: 12, "text-anchor": "middle" }, ["source"]),
    svg("text", { ...axis, transform: `translate(12 ${middle}) rotate(-90)`, "text-anchor": "middle" }, [
      "translation",
    ]),
    svg("g", { transform: `translate(${left} 18)` }, [drawHeads(paint)]),
    svg("g", { transform: `translate(${labelsLeft} ${top})` }, drawLabels(paint)),
    svg("g", { transform: `translate(${left} ${top})` }, drawRows(paint)),
  ]);
  return { element, width: left + columns.total + overhang, height: top + rowsHeight };
}

/**
 * @typedef {object} MapView
 * @property {import("./frames.js").Frame} frame
 * @property {HTMLElement} sentences
 * @property {(step: number) => void} show
 * @property {(step: number) => void} keepInView
 * @property {(i: number | null) => void} link
 */

/**
 * The map on the page.
 * @param {import("./bands.js").Scene} scene
 * @param {Node[]} downloads
 * @returns {MapView}
 */
export function createMap(scene, downloads) {
  const { trace, columns, palette } = scene;
  const rowCount = trace.target_tokens.length;
  const height = rowCount * ROW_HEIGHT;
  const space = wordSpace(trace.source_tokens, columns.width);
  const rows = drawRows(scene);
  const labels = drawLabels(scene);
  const currentMark = html("div", { class: "current-mark", "aria-hidden": "true" });
  const pointer = svg("path", { class: "current-pointer", d: "M2 9l8 6-8 6z" });
  const heads = surface(columns.total, space.height, { "aria-hidden": "true" });
  heads.append(drawHeads(scene));
  const labelSurface = surface(NAMES_WIDTH, height, { class: "map-labels", "aria-hidden": "true" });
  labelSurface.append(...labels, pointer);
  const cells = html("div", {
    class: "map-cells",
    role: "grid",
    "aria-label": "Map of weights: a row a target token, a column a source token",
    "aria-rowcount": rowCount,
    "aria-colcount": columns.count,
  });
  cells.append(...rows.map((row, step) => rowSurface(scene, row, step)), currentMark);
  describeCells(scene, rows);
  const heading = createMapHeading(palette, downloads);
  const content = html("div", { class: "map" }, [
    heading.element,
    html("div", { class: "map-corner", "aria-hidden": "true" }, [
      html("span", {}, ["source →"]),
      html("span", {}, ["so far ↓"]),
    ]),
    html("div", { class: "map-heads" }, [heads]),
    html("div", { class: "map-side" }, [labelSurface]),
    html("div", { class: "map-area", "data-from-part": 1 }, [cells]),
  ]);
  const frame = createFrame("map-frame", content);
  const sentences = createRowSentences(scene);
  let current = 0;
  const walk = createWalk(rows);
  attachPointing(scene, cells, labelSurface, () => current);
  attachWalking(scene, cells, walk, () => current);
  return {
    frame,
    sentences: sentences.element,
    show(step) {
      current = step;
      for (const [t, row] of rows.entries()) {
        markRow(row, t, step);
        markRow(labels[t], t, step);
      }
      currentMark.style.transform = `translateY(${step * ROW_HEIGHT}px)`;
      pointer.style.transform = `translateY(${step * ROW_HEIGHT}px)`;
      heading.say(step + 1, rowCount);
      sentences.show(step);
      walk.settle(step);
    },
    keepInView(step) {
      keepInView(frame, space.height, step);
    },
    link(i) {
      for (const [which, head] of Array.from(heads.querySelectorAll("text")).entries()) {
        head.classList.toggle("linked", which === i);
      }
    },
  };
}

/**
 * @param {SVGElement} row
 * @param {number} t
 * @param {number} step
 */
function markRow(row, t, step) {
  row.classList.toggle("future", t > step);
  row.classList.toggle("current", t === step);
}

/**
 * A surface a row, so that a step paints two rows anew and not the whole map. It holds the empty place of a row to come,
 * which gives the map its size from the start.
 * @param {import("./bands.js").Scene} scene
 * @param {SVGElement} row
 * @param {number} step
 * @returns {SVGElement}
 */
function rowSurface({ document, columns }, row, step) {
  const y = step * ROW_HEIGHT;
  const box = { x: 1.5, y: y + 1.5, width: columns.total - 3, height: ROW_HEIGHT - 3 };
  const element = surface(columns.total, ROW_HEIGHT, {
    viewBox: `0 ${y} ${columns.total} ${ROW_HEIGHT}`,
    role: "row",
    "aria-rowindex": step + 1,
    "aria-label": document.sentences[step].step.replaceAll(document.wordMark, ""),
  });
  element.append(svg("rect", { ...box, class: "slot" }), row);
  return element;
}

/**
 * @param {import("./colours.js").Palette} palette
 * @param {Node[]} downloads
 * @returns {{element: HTMLElement, say: (done: number, all: number) => void}}
 */
function createMapHeading(palette, downloads) {
  const scale = surface(150, 42, { role: "img", "aria-label": "Scale of weights from 0 to 1" });
  scale.append(drawWeightScale(palette, 150));
  const sentence = html("p", { class: "sentence" });
  const inner = html("div", { class: "map-heading-inner" }, [
    html("h3", {}, ["Map"]),
    sentence,
    scale,
    html("div", { class: "downloads" }, downloads),
  ]);
  const element = html("div", { class: "heading map-heading" }, [inner]);
  return {
    element,
    say(done, all) {
      sentence.textContent = `${done} of ${all} rows; each adds up to 1.`;
    },
  };
}

/**
 * The sentence of each finished row, beside it.
 * @param {import("./bands.js").Scene} scene
 * @returns {{element: HTMLElement, show: (step: number) => void}}
 */
function createRowSentences(scene) {
  const items = scene.document.sentences.map((sentences) => {
    const item = html("li");
    setSentence(item, sentences.step, scene.document.wordMark);
    return item;
  });
  for (const [step, item] of items.entries()) {
    item.addEventListener("click", () => scene.goTo(step));
  }
  return {
    element: html("ol", { class: "row-sentences" }, items),
    show(step) {
      for (const [t, item] of items.entries()) {
        item.classList.toggle("future", t > step);
        item.classList.toggle("current", t === step);
      }
    },
  };
}

/**
 * Names and roles for those who hear the map.
 * @param {import("./bands.js").Scene} scene
 * @param {SVGElement[]} rows
 */
function describeCells(scene, rows) {
  for (const [step, row] of rows.entries()) {
    row.setAttribute("role", "presentation");
    for (const [i, cell] of Array.from(row.children).entries()) {
      setAttributes(cell, {
        role: "gridcell",
        "aria-colindex": i + 1,
        tabindex: -1,
        "aria-label": describeCell(scene.trace, step, i),
      });
    }
  }
}

/**
 * @param {EventTarget | null} target
 * @returns {{step: number, i: number} | null}
 */
function cellOf(target) {
  const element = target instanceof Element ? /** @type {SVGElement | null} */ (target.closest(".map-cell")) : null;
  return element === null ? null : { step: Number(element.dataset.step), i: Number(element.dataset.source), element };
}

/**
 * Exact numbers on hover and focus; a click on a finished row goes to its step.
 * @param {import("./bands.js").Scene} scene
 * @param {HTMLElement} cells
 * @param {SVGElement} labels
 * @param {() => number} currentStep
 */
function attachPointing(scene, cells, labels, currentStep) {
  scene.hints.attach(cells, (event) => {
    const cell = cellOf(event.target);
    return cell === null || cell.step > currentStep()
      ? ""
      : describeCell(scene.trace, cell.step, cell.i, formatExactly);
  });
  for (const part of [cells, labels]) {
    // A cell clicked with the mouse must not take the focus, or the arrows would walk the map from there on.
    part.addEventListener("mousedown", (event) => event.preventDefault());
    part.addEventListener("click", (event) => {
      const row = event.target instanceof Element ? event.target.closest("[data-step]") : null;
      if (row !== null && !row.classList.contains("future")) {
        scene.goTo(Number(/** @type {SVGElement} */ (row).dataset.step));
      }
    });
  }
}

/**
 * The map is one stop of the Tab key: the cell walked to last, or the first of the current row.
 * @typedef {object} Walk
 * @property {(row: number, column: number) => void} goTo Focus this cell.
 * @property {(step: number) => void} settle Stand in the row of this step, unless the person is walking.
 */

/**
 * @param {SVGElement[]} rows
 * @returns {Walk}
 */
function createWalk(rows) {
  let stop = /** @type {SVGElement} */ (rows[0].children[0]);

  /**
   * @param {number} row
   * @param {number} column
   */
  function move(row, column) {
    stop.setAttribute("tabindex", "-1");
    stop = /** @type {SVGElement} */ (rows[row].children[column]);
    stop.setAttribute("tabindex", "0");
  }

  return {
    goTo(row, column) {
      move(row, column);
      stop.focus();
    },
    settle(step) {
      const isWalking = stop.matches(":focus") && Number(stop.dataset.step) <= step;
      if (!isWalking) {
        move(step, 0);
      }
    },
  };
}

/** @type {Record<string, [number, number]>} */
const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * A focused map is walked cell by cell; Enter goes to the step of the row.
 * @param {import("./bands.js").Scene} scene
 * @param {HTMLElement} cells
 * @param {Walk} walk
 * @param {() => number} currentStep
 */
function attachWalking(scene, cells, walk, currentStep) {
  cells.addEventListener("keydown", (event) => {
    const cell = cellOf(event.target);
    if (cell === null || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    if (event.key === "Enter" || event.key === " ") {
      scene.goTo(cell.step);
    } else {
      const next = nextCell(event.key, cell, { lastRow: currentStep(), lastColumn: scene.columns.count - 1 });
      if (next === null) {
        return;
      }
      walk.goTo(...next);
    }
    event.preventDefault();
  });
}

/**
 * @param {string} key
 * @param {{step: number, i: number}} cell
 * @param {{lastRow: number, lastColumn: number}} last
 * @returns {[number, number] | null}
 */
function nextCell(key, cell, { lastRow, lastColumn }) {
  if (key === "Home" || key === "End") {
    return [cell.step, key === "Home" ? 0 : lastColumn];
  }
  if (!(key in MOVES)) {
    return null;
  }
  const [down, right] = MOVES[key];
  return [clamp(cell.step + down, 0, lastRow), clamp(cell.i + right, 0, lastColumn)];
}

/**
 * Scroll the frame, never the page, so that the current row is seen.
 * @param {import("./frames.js").Frame} frame
 * @param {number} headHeight
 * @param {number} step
 */
function keepInView(frame, headHeight, step) {
  const top = step * ROW_HEIGHT;
  const room = frame.height() - headHeight - ROW_HEIGHT;
  if (top < frame.top() || top > frame.top() + room) {
    frame.scrollTo({ top: top - room / 2 });
  }
}
