// The panel that sets a step's weights by sliders: one a source token, the rest follows.

import { hiddenAt, movedRow, roundedRow } from "./changes.js";
import { html, setText } from "./dom.js";
import { formatNumber } from "./numbers.js";

/**
 * @typedef {object} Line
 * @property {HTMLElement} element
 * @property {HTMLInputElement} slider
 * @property {HTMLElement} number
 */

/**
 * @param {import("./reading.js").Trace} trace
 * @param {number} step
 * @param {{ask: (change: import("./reading.js").Change) => void, cancel: () => void}} actions
 * @returns {{content: HTMLElement, first: Element}}
 */
export function createSliders(trace, step, { ask, cancel }) {
  const hidden = hiddenAt(trace, step);
  let weights = /** @type {number[][]} */ (trace.weights)[step].map((weight, i) => (hidden[i] ? 0 : weight));
  let proportions = weights.map((weight, i) => (hidden[i] ? 0 : Math.max(weight, Number.EPSILON)));
  const lines = trace.source_tokens.map((_, i) => createLine(trace, step, i, hidden[i]));
  const total = html("output", {}, []);
  const apply = html("button", { type: "button", class: "primary" }, ["Apply"]);
  const stop = html("button", { type: "button" }, ["Cancel"]);
  const title = `Weights of step ${step + 1}`;
  const content = html("div", { class: "panel", role: "dialog", "aria-label": title }, [
    html("h3", {}, [title]),
    html("p", { class: "sentence" }, ["Move one; the others keep their proportions and share what is left."]),
    html("div", { class: "sliders" }, [
      html("div", { class: "slider head", "aria-hidden": "true" }, [
        html("span", {}, ["token"]),
        html("span"),
        html("span", {}, ["weight"]),
        html("span", {}, ["computed"]),
      ]),
      ...lines.map((line) => line.element),
    ]),
    html("p", { class: "panel-status" }, ["sum ", total]),
    html("div", { class: "panel-buttons" }, [apply, stop]),
  ]);

  function show() {
    for (const [i, { slider, number }] of lines.entries()) {
      slider.value = String(weights[i]);
      slider.setAttribute("aria-valuetext", formatNumber(weights[i]));
      setText(number, hidden[i] ? "hidden" : formatNumber(weights[i]));
    }
    setText(total, formatNumber(weights.reduce((sum, weight) => sum + weight, 0)));
  }

  for (const [i, { slider }] of lines.entries()) {
    slider.addEventListener("input", () => {
      weights = movedRow(weights, proportions, i, Number(slider.value));
      proportions = proportions.map((share, k) => (weights[k] > 0 ? weights[k] : share));
      show();
    });
  }
  apply.addEventListener("click", () => ask(["weights", step, roundedRow(weights)]));
  stop.addEventListener("click", cancel);
  show();
  return { content, first: lines[hidden.indexOf(false)].slider };
}

/**
 * @param {import("./reading.js").Trace} trace
 * @param {number} step
 * @param {number} i
 * @param {boolean} isHidden
 * @returns {Line}
 */
function createLine(trace, step, i, isHidden) {
  const token = trace.source_tokens[i];
  const slider = /** @type {HTMLInputElement} */ (
    html("input", { type: "range", min: 0, max: 1, step: 0.01, "aria-label": `weight of ${token}` })
  );
  slider.disabled = isHidden;
  const number = html("output");
  const computed = /** @type {number[][]} */ (trace.computed_weights)[step][i];
  const element = html("div", { class: "slider" }, [
    html("span", { class: "slider-token" }, [token]),
    slider,
    number,
    html("span", { class: "computed-number" }, [formatNumber(computed)]),
  ]);
  return { element, slider, number };
}
