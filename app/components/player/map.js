// The map: a row a target token, a column a source token, growing row by row. The same functions draw it on the page
// and into a picture; the page splits it into four surfaces so that heads and labels stay in view while it scrolls.

import { NAMES_WIDTH } from "./bands.js";
import { textOn, weightColour } from "./colours.js";
import { html, isChinese, setAttributes, setSentence, surface, svg } from "./dom.js";
import { clamp, formatExactly, formatNumber } from "./numbers.js";
import { describeCell, isReplaced, shownToken } from "./reading.js";
import { isUnknown, wordSpace } from "./words.js";

export const ROW_HEIGHT = 30;
const NARROWEST_PRINTED = 34;
const COMPUTED_STRIP = 6;
const HATCH_GAP = 7;
const SCALE_STEPS = 50;

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
export function drawHeads({ trace, palette, columns }) {
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
export function drawLabels({ trace, palette }) {
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
export function drawRows(paint) {
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
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 */

/**
 * @param {import("./colours.js").Palette} palette
 * @param {Box} box
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
 * @param {Box} box
 * @param {string} fill
 * @param {string} computedFill
 * @returns {SVGElement[]}
 */
function drawReplaced(palette, box, fill, computedFill) {
  const ink = textOn(palette, fill);
  const hatch = svg("path", { d: hatchPath(box), stroke: ink, "stroke-opacity": 0.3, fill: "none", class: "hatch" });
  const strip = { ...box, y: box.y + box.height - COMPUTED_STRIP, height: COMPUTED_STRIP };
  return [hatch, svg("rect", { ...strip, fill: computedFill, stroke: palette.background, class: "computed" })];
}

/**
 * Diagonal lines that fill a box and do not leave it.
 * @param {Box} box
 * @returns {string}
 */
function hatchPath({ x, y, width, height }) {
  const lines = [];
  for (let offset = HATCH_GAP - height; offset < width; offset += HATCH_GAP) {
    const from = Math.max(offset, 0);
    const to = Math.min(offset + height, width);
    lines.push(`M${x + from} ${y + height - (from - offset)}L${x + to} ${y + height - (to - offset)}`);
  }
  return lines.join("");
}

/**
 * The scale from 0 to 1 with its bar and title.
 * @param {import("./colours.js").Palette} palette
 * @param {number} width
 * @returns {SVGElement}
 */
export function drawScale(palette, width) {
  const step = width / SCALE_STEPS;
  const steps = Array.from({ length: SCALE_STEPS }, (_, index) =>
    svg("rect", {
      x: index * step,
      y: 16,
      width: step + 0.3,
      height: 10,
      fill: weightColour(palette, index / (SCALE_STEPS - 1)),
    }),
  );
  const text = { "font-size": 11, fill: palette.muted };
  const ticks = [
    [0, "start"],
    [0.5, "middle"],
    [1, "end"],
  ].map(([share, anchor]) =>
    svg("text", { ...text, x: Number(share) * width, y: 39, "text-anchor": anchor }, [String(share)]),
  );
  const frame = svg("rect", { x: 0.5, y: 16.5, width: width - 1, height: 9, fill: "none", stroke: palette.border });
  return svg("g", {}, [svg("text", { ...text, x: 0, y: 10 }, ["weight α̂"]), ...steps, frame, ...ticks]);
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
 * @property {HTMLElement} element The frame that scrolls.
 * @property {HTMLElement} sentences
 * @property {(step: number) => void} show
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
  const currentMark = svg("rect", {
    class: "current-mark",
    x: 1,
    y: 1,
    width: columns.total - 2,
    height: ROW_HEIGHT - 2,
  });
  const pointer = svg("path", { class: "current-pointer", d: "M2 9l8 6-8 6z" });
  const heads = surface(columns.total, space.height, { "aria-hidden": "true" });
  heads.append(drawHeads(scene));
  const labelSurface = surface(NAMES_WIDTH, height, { class: "map-labels", "aria-hidden": "true" });
  labelSurface.append(...labels, pointer);
  const cells = surface(columns.total, height, {
    class: "map-cells",
    role: "grid",
    "aria-label": "Map of weights: a row a target token, a column a source token",
    "aria-rowcount": rowCount,
    "aria-colcount": columns.count,
  });
  cells.append(drawSlots(scene), ...rows, currentMark);
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
  const element = html("div", { class: "frame map-frame" }, [content]);
  const sentences = createRowSentences(scene);
  let current = 0;
  attachPointing(scene, cells, labelSurface, () => current);
  attachWalking(scene, rows, cells, () => current);
  return {
    element,
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
      keepOneStop(rows, step);
      keepInView(element, space.height + 20, step);
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
 * Empty places for the rows to come, so that the map has its size from the start.
 * @param {import("./bands.js").Scene} scene
 * @returns {SVGElement}
 */
function drawSlots({ trace, columns }) {
  const slots = trace.target_tokens.map((_, step) =>
    svg("rect", {
      x: 1.5,
      y: step * ROW_HEIGHT + 1.5,
      width: columns.total - 3,
      height: ROW_HEIGHT - 3,
      class: "slot",
    }),
  );
  return svg("g", { "aria-hidden": "true" }, slots);
}

/**
 * @param {import("./colours.js").Palette} palette
 * @param {Node[]} downloads
 * @returns {{element: HTMLElement, say: (done: number, all: number) => void}}
 */
function createMapHeading(palette, downloads) {
  const scale = surface(150, 42, { role: "img", "aria-label": "Scale of weights from 0 to 1" });
  scale.append(drawScale(palette, 150));
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
    const item = html("li", { style: `height:${ROW_HEIGHT}px` });
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
    setAttributes(row, {
      role: "row",
      "aria-rowindex": step + 1,
      "aria-label": scene.document.sentences[step].step.replaceAll(scene.document.wordMark, ""),
    });
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
 * @returns {{step: number, i: number, element: SVGElement} | null}
 */
function cellOf(target) {
  const element = target instanceof Element ? /** @type {SVGElement | null} */ (target.closest(".map-cell")) : null;
  return element === null ? null : { step: Number(element.dataset.step), i: Number(element.dataset.source), element };
}

/**
 * Exact numbers on hover and focus; a click on a finished row goes to its step.
 * @param {import("./bands.js").Scene} scene
 * @param {SVGElement} cells
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

/** @type {Record<string, [number, number]>} */
const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * A focused map is walked cell by cell; Enter goes to the step of the row.
 * @param {import("./bands.js").Scene} scene
 * @param {SVGElement[]} rows
 * @param {SVGElement} cells
 * @param {() => number} currentStep
 */
function attachWalking(scene, rows, cells, currentStep) {
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
      const target = /** @type {SVGElement} */ (rows[next[0]].children[next[1]]);
      cell.element.setAttribute("tabindex", "-1");
      target.setAttribute("tabindex", "0");
      target.focus();
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
 * The map is one stop of the Tab key: the cell walked to last, or the first of the current row.
 * @param {SVGElement[]} rows
 * @param {number} step
 */
function keepOneStop(rows, step) {
  for (const [t, row] of rows.entries()) {
    const stop = row.querySelector('[tabindex="0"]');
    if (stop !== null) {
      if (t <= step && stop.matches(":focus")) {
        return;
      }
      stop.setAttribute("tabindex", "-1");
    }
  }
  rows[step].children[0].setAttribute("tabindex", "0");
}

/**
 * Scroll the frame, never the page, so that the current row is seen.
 * @param {HTMLElement} frame
 * @param {number} headHeight
 * @param {number} step
 */
function keepInView(frame, headHeight, step) {
  const top = step * ROW_HEIGHT;
  const room = frame.clientHeight - headHeight - ROW_HEIGHT;
  if (frame.scrollHeight <= frame.clientHeight) {
    return;
  }
  if (top < frame.scrollTop || top > frame.scrollTop + room) {
    frame.scrollTop = top - room / 2;
  }
}
