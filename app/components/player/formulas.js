// A formula written as text, `_{…}` below the line and `^{…}` above it, set as HTML.

import { html } from "./dom.js";

/**
 * @param {string} formula
 * @returns {HTMLElement}
 */
export function formulaElement(formula) {
  const runs = formula.split(/([_^]\{[^}]*\})/).filter((run) => run !== "");
  return html("span", { class: "formula" }, runs.map(formulaRun));
}

/**
 * @param {string} run
 * @returns {Node | string}
 */
function formulaRun(run) {
  if (run.startsWith("_{")) {
    return html("sub", {}, [run.slice(2, -1)]);
  }
  if (run.startsWith("^{")) {
    return html("sup", {}, [run.slice(2, -1)]);
  }
  return run;
}
