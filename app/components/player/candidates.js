// Part 5: the ten most probable next words, and the chosen one, whatever its rank.

import { createHeading } from "./bands.js";
import { isTakenByHand } from "./changes.js";
import { html, setSentence, setShownWord } from "./dom.js";
import { formatExactly, formatNumber } from "./numbers.js";
import { END_TOKEN, shownCandidate, shownStep } from "./reading.js";

/**
 * @typedef {object} Row
 * @property {HTMLElement} element
 * @property {HTMLElement} entry
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
  const count = mostRows + (isForcedSomewhere ? 1 : 0);
  const rows = Array.from({ length: count }, () => createRow(scene.change === null ? "div" : "button"));
  const list = html(
    "ol",
    { class: "candidates", "data-from-part": 4 },
    rows.map((row) => row.element),
  );
  const { change } = scene;
  let current = 0;
  for (const [index, row] of rows.entries()) {
    row.entry.addEventListener("click", () => {
      if (change !== null && index !== chosenRow(trace, current)) {
        change(["force", current, shownCandidates(trace, current)[index].token]);
      }
    });
  }
  const element = html("section", { class: "card words", "data-of-part": 4, "aria-label": "Next word" }, [
    heading.element,
    list,
    ...(scene.change === null
      ? []
      : [html("p", { class: "sentence" }, ["Click a word to continue from here with it."])]),
  ]);
  return {
    element,
    show(step) {
      current = step;
      const { document, view, language } = scene;
      setSentence(heading.sentence, document.sentences[step].prediction, document.wordMark, language);
      const shown = shownCandidates(trace, step);
      const chosen = chosenRow(trace, step);
      for (const [index, row] of rows.entries()) {
        const isChosen = index === chosen;
        writeRow(row, shown[index], isChosen);
        if (shown[index] !== undefined) {
          const { token } = shown[index];
          const word = isChosen ? shownStep(document, view, step) : shownCandidate(document, view, token);
          setShownWord(row.token, word);
          row.chosen.textContent = isChosen ? chosenWord(trace, step) : "";
          if (change !== null) {
            describeEntry(row.entry, word.text, token, isChosen);
          }
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
 * @param {import("./reading.js").Trace} trace
 * @param {number} step
 * @returns {string}
 */
function chosenWord(trace, step) {
  return isTakenByHand(trace, step) ? "by hand" : "chosen";
}

/**
 * What the button of a candidate does, in words.
 * @param {HTMLElement} entry
 * @param {string} text
 * @param {string} token
 * @param {boolean} isChosen
 */
function describeEntry(entry, text, token, isChosen) {
  const action = token === END_TOKEN ? "End the translation here" : `Continue from here with ${text}`;
  entry.setAttribute("aria-label", isChosen ? `${text}, chosen` : action);
  entry.setAttribute("aria-disabled", String(isChosen));
  entry.title = isChosen ? "" : action;
}

/**
 * @param {"div" | "button"} tag
 * @returns {Row}
 */
function createRow(tag) {
  const rank = html("span", { class: "rank" });
  const token = html("span", { class: "token" });
  const bar = html("span", { class: "fill" });
  const value = html("span", { class: "probability" });
  const chosen = html("span", { class: "chosen-mark" });
  const track = html("span", { class: "track", "aria-hidden": "true" }, [bar]);
  const entry = html(tag, { class: "candidate" }, [rank, token, track, value, chosen]);
  if (tag === "button") {
    entry.setAttribute("type", "button");
  }
  return { element: html("li", {}, [entry]), entry, rank, token, bar, value, chosen };
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
}
