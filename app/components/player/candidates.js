// Part 5: the ten most probable next words, and the chosen one, whatever its rank.

import { createHeading } from "./bands.js";
import { html, setSentence, setShownWord } from "./dom.js";
import { formatExactly, formatNumber } from "./numbers.js";
import { shownCandidate, shownStep } from "./reading.js";

/**
 * @typedef {object} Row
 * @property {HTMLElement} element
 * @property {HTMLElement} rank
 * @property {HTMLElement} token
 * @property {HTMLElement} bar
 * @property {HTMLElement} value
 * @property {HTMLElement} chosen
 */

/**
 * @param {import("./bands.js").Scene} scene
 * @returns {import("./bands.js").View}
 */
export function createCandidates(scene) {
  const { trace } = scene;
  const candidates = /** @type {import("./reading.js").Candidate[][]} */ (trace.candidates);
  const heading = createHeading({
    number: "5",
    title: "Next word",
    formula: scene.document.formulas.prediction,
    sentenceName: "prediction",
  });
  const mostRows = Math.max(...candidates.map((row) => row.length));
  const isForcedSomewhere = candidates.some((row, step) => chosenRow(trace, step) === row.length);
  const rows = Array.from({ length: mostRows + (isForcedSomewhere ? 1 : 0) }, createRow);
  const list = html(
    "ol",
    { class: "candidates", "data-from-part": 4 },
    rows.map((row) => row.element),
  );
  const element = html("section", { class: "card words", "data-of-part": 4, "aria-label": "Next word" }, [
    heading.element,
    list,
  ]);
  return {
    element,
    show(step) {
      const { document, view, language } = scene;
      setSentence(heading.sentence, document.sentences[step].prediction, document.wordMark, language);
      const shown = shownCandidates(trace, step);
      const chosen = chosenRow(trace, step);
      for (const [index, row] of rows.entries()) {
        const isChosen = index === chosen;
        writeRow(row, shown[index], isChosen);
        if (shown[index] !== undefined) {
          const { token } = shown[index];
          setShownWord(row.token, isChosen ? shownStep(document, view, step) : shownCandidate(document, view, token));
        }
      }
    },
  };
}

/**
 * The ten best, and the chosen token after them when it is not one of them.
 * @param {import("./reading.js").Trace} trace
 * @param {number} step
 * @returns {import("./reading.js").Candidate[]}
 */
function shownCandidates(trace, step) {
  const best = /** @type {import("./reading.js").Candidate[][]} */ (trace.candidates)[step];
  if (chosenRow(trace, step) < best.length) {
    return best;
  }
  const probability = /** @type {number[]} */ (trace.token_probabilities)[step];
  const rank = /** @type {number[]} */ (trace.token_ranks)[step];
  return [...best, { token: trace.target_tokens[step], probability, rank }];
}

/**
 * The row of the chosen token: after the last when it is not among the ten best.
 * @param {import("./reading.js").Trace} trace
 * @param {number} step
 * @returns {number}
 */
function chosenRow(trace, step) {
  const best = /** @type {import("./reading.js").Candidate[][]} */ (trace.candidates)[step];
  const found = best.findIndex((candidate) => candidate.token === trace.target_tokens[step]);
  return found === -1 ? best.length : found;
}

/**
 * @returns {Row}
 */
function createRow() {
  const rank = html("span", { class: "rank" });
  const token = html("span", { class: "token" });
  const bar = html("span", { class: "fill" });
  const value = html("span", { class: "probability" });
  const chosen = html("span", { class: "chosen-mark" });
  const track = html("span", { class: "track", "aria-hidden": "true" }, [bar]);
  return { element: html("li", {}, [rank, token, track, value, chosen]), rank, token, bar, value, chosen };
}

/**
 * @param {Row} row
 * @param {import("./reading.js").Candidate | undefined} candidate
 * @param {boolean} isChosen
 */
function writeRow(row, candidate, isChosen) {
  row.element.classList.toggle("empty", candidate === undefined);
  row.element.classList.toggle("chosen", candidate !== undefined && isChosen);
  if (candidate === undefined) {
    return;
  }
  row.rank.textContent = String(candidate.rank);
  row.bar.style.transform = `scaleX(${candidate.probability})`;
  row.value.textContent = formatNumber(candidate.probability, 3);
  row.value.title = formatExactly(candidate.probability);
  row.chosen.textContent = isChosen ? "chosen" : "";
}
