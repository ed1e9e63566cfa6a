// A band: one picture of the encoder side, its heading, the names of its lines, and a drawing with a column a token.

import { html, setSentence, surface, svg } from "./dom.js";
import { formulaElement } from "./formulas.js";

/** The least width of the names of lines, left of the columns. */
export const NAMES_WIDTH = 72;
/** From this width of a column on its numbers have their full size; down to the second they are smaller. */
const WIDTH_OF_NUMBERS = 44;
const WIDTH_OF_SMALL_NUMBERS = 36;
const NUMBER_SIZE = 12.5;

/**
 * Where the columns of source tokens stand: the same in every picture.
 * @typedef {object} Columns
 * @property {number} count
 * @property {number} width Of one column.
 * @property {number} total
 * @property {number} gap Left free at both sides of a column.
 * @property {number | null} numberSize The size of numbers in a column; null where it is too narrow for them.
 * @property {(i: number) => number} left
 * @property {(i: number) => number} centre
 */

/**
 * What every drawing part is given.
 * @typedef {object} Scene
 * @property {import("./reading.js").PlayerDocument} document
 * @property {import("./reading.js").Trace} trace
 * @property {import("./reading.js").PlayerView} view
 * @property {import("./reading.js").Limits} limits
 * @property {import("./colours.js").Palette} palette
 * @property {import("./hints.js").Hints} hints
 * @property {Columns} columns
 * @property {number} namesWidth
 * @property {boolean} isPresented
 * @property {string} language Of the translation as it is shown.
 * @property {import("./groups.js").Plan | null} plan Of the map; null where there is no attention.
 * @property {number} rowHeight Of the map.
 * @property {(step: number) => void} goTo
 * @property {(component: number) => void} choose Choose the component that is followed through the blend.
 * @property {(paint: import("./painter.js").PaintColumn) => void} paintColumns Bring the columns to the step that is shown.
 * @property {((change: import("./reading.js").Change) => void) | null} change Ask for a change; null where none is offered.
 * @property {((anchor: Element, positions: number[]) => void) | null} offer Open the menu of the current step; null likewise.
 */

/**
 * A drawing part: `show` brings it to a step, `follow` to a chosen component.
 * @typedef {object} View
 * @property {Element} element
 * @property {(step: number) => void} show
 * @property {(component: number) => void} [follow]
 */

/**
 * @param {number} count
 * @param {number} width
 * @returns {Columns}
 */
export function createColumns(count, width) {
  return {
    count,
    width,
    total: count * width,
    gap: width >= WIDTH_OF_SMALL_NUMBERS ? 2 : width >= 10 ? 1 : 0.5,
    numberSize: width >= WIDTH_OF_NUMBERS ? NUMBER_SIZE : width >= WIDTH_OF_SMALL_NUMBERS ? 10 : null,
    left: (i) => i * width,
    centre: (i) => (i + 0.5) * width,
  };
}

/**
 * The heading of a picture: number, title, formula, and the sentence for those who cannot see it.
 * @param {{number: string, title: string, formula: string | null, sentenceName?: string}} texts
 * @returns {{element: HTMLElement, sentence: HTMLElement}}
 */
export function createHeading({ number, title, formula, sentenceName }) {
  const sentence = html("p", { class: "sentence" });
  if (sentenceName !== undefined) {
    sentence.dataset.sentence = sentenceName;
  }
  const children = [html("h3", {}, number === "" ? [title] : [html("span", { class: "number" }, [number]), title])];
  if (formula !== null) {
    children.push(formulaElement(formula));
  }
  return { element: html("div", { class: "heading" }, [...children, sentence]), sentence };
}

/**
 * @typedef {object} Band
 * @property {HTMLElement} element
 * @property {HTMLElement} heading
 * @property {SVGElement} drawing
 * @property {HTMLElement} overlay Holds HTML at the columns' places, over the drawing.
 * @property {(name: string, y: number, className?: string) => SVGElement} addName
 * @property {(sentence: string) => void} say
 */

/**
 * @param {Scene} scene
 * @param {{part: number | null, number: string, title: string, formula: string | null, height: number, label: string, sentenceName?: string}} options
 * @returns {Band}
 */
export function createBand(scene, { part, number, title, formula, height, label, sentenceName }) {
  const heading = createHeading({ number, title, formula, sentenceName });
  const names = surface(scene.namesWidth, height, { class: "names", "aria-hidden": "true" });
  const drawing = surface(scene.columns.total, height, { role: "img", "aria-label": label });
  const overlay = html("div", { class: "overlay" });
  const area = html("div", { class: "drawing" }, [drawing, overlay]);
  const element = html("section", { class: "band", "aria-label": title }, [heading.element, names, area]);
  if (part !== null) {
    element.dataset.ofPart = String(part);
    area.dataset.fromPart = String(part);
  }
  return {
    element,
    heading: heading.element,
    drawing,
    overlay,
    addName(name, y, className = "") {
      const text = svg("text", { x: scene.namesWidth - 8, y, class: `name ${className}` }, [name]);
      names.append(text);
      return text;
    },
    say(sentence) {
      setSentence(heading.sentence, sentence, scene.document.wordMark, scene.language);
    },
  };
}

/**
 * One number a column, all on one line; for columns wide enough for numbers.
 * @param {Scene} scene
 * @param {Band} band
 * @param {number} y
 * @param {string} [className]
 * @returns {SVGElement[]}
 */
export function addNumberLine(scene, band, y, className = "") {
  const size = scene.columns.numberSize === NUMBER_SIZE ? "" : "small";
  return Array.from({ length: scene.columns.count }, (_, i) => {
    const text = svg("text", { x: scene.columns.centre(i), y, class: `value ${size} ${className}` });
    band.drawing.append(text);
    return text;
  });
}

/**
 * Invisible boxes over the columns: they link a column to the others and show the exact numbers.
 * @param {Scene} scene
 * @param {Band} band
 * @param {number} height
 * @param {(i: number) => string} describe
 */
export function addColumnTargets(scene, band, height, describe) {
  for (let i = 0; i < scene.columns.count; i += 1) {
    const box = { x: scene.columns.left(i), y: 0, width: scene.columns.width, height };
    const target = svg("rect", { ...box, class: "target", "data-source": i });
    scene.hints.attach(target, () => describe(i));
    band.drawing.append(target);
  }
}
