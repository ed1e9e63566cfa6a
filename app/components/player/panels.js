// One of the compared traces: its title, the translation so far, what its step says, and its map.

import { html, isChinese, setSentence, setWord } from "./dom.js";
import { createPlainMap } from "./map.js";
import { formatExactly, formatNumber } from "./numbers.js";
import { shownToken } from "./reading.js";

/**
 * What Python sent of one trace.
 * @typedef {object} ComparedTrace
 * @property {string} title
 * @property {string} note
 * @property {import("./reading.js").MapTrace & Pick<import("./reading.js").Trace, "source_text" | "checkpoint" | "decoding">} trace
 * @property {string[]} sentences One a step.
 * @property {number[] | null} entropies Of each row, in bits; null where there are no weights.
 * @property {number} largestEntropy That of an even row.
 * @property {import("./reference.js").SentLink[] | null} reference
 */

/**
 * @typedef {object} Panel
 * @property {HTMLElement} element
 * @property {import("./map.js").PlainMap | null} map
 * @property {(step: number) => void} show A step that may lie behind the end of this trace.
 */

/** A Chinese character is about so many Latin letters wide. */
const LETTERS_A_CHARACTER = 1.8;

/**
 * @param {ComparedTrace} compared
 * @param {import("./map.js").MapScene | null} scene Null where there are no weights.
 * @param {{wordMark: string, hints: import("./hints.js").Hints}} shared
 * @returns {Panel}
 */
export function createPanel(compared, scene, { wordMark, hints }) {
  const last = compared.trace.target_tokens.length - 1;
  const translation = createTranslation(compared.trace);
  const said = createSentence(compared.sentences, wordMark);
  const facts = createFacts(compared, hints);
  const map = scene === null ? null : createPlainMap(scene, null);
  const element = html("section", { class: "compared", "aria-label": compared.title }, [
    createPanelHeading(compared.title, compared.note),
    translation.element,
    said.element,
    facts.element,
    map === null ? html("p", { class: "no-weights" }, [NO_WEIGHTS]) : map.frame.element,
  ]);
  return {
    element,
    map,
    show(step) {
      const shown = Math.min(step, last);
      element.classList.toggle("ended", step > last);
      element.dataset.step = String(shown);
      translation.show(shown);
      said.show(shown);
      facts.show(shown, step > last);
      map?.show(shown);
    },
  };
}

export const NO_WEIGHTS =
  "There are no weights to show: this model has no attention. Its decoder reads only the encoder's final state.";

/**
 * @param {string} title
 * @param {string} note
 * @returns {HTMLElement}
 */
export function createPanelHeading(title, note) {
  const heading = html("h3");
  setWord(heading, title);
  const line = html("p", { class: "note" });
  setWord(line, note);
  return html("header", {}, [heading, line]);
}

/**
 * The tokens so far; those to come keep their room.
 * @param {import("./reading.js").MapTrace} trace
 * @returns {{element: HTMLElement, show: (step: number) => void}}
 */
function createTranslation(trace) {
  const tokens = trace.target_tokens.map((token) => {
    const text = shownToken(token);
    const element = html("span", { class: isChinese(text) ? "token" : "token latin" });
    setWord(element, text);
    return element;
  });
  return {
    element: html("p", { class: "so-far" }, tokens),
    show(step) {
      for (const [index, token] of tokens.entries()) {
        token.classList.toggle("future", index > step);
        token.classList.toggle("current", index === step);
      }
    },
  };
}

/**
 * The sentence of a step, over an unseen copy of the longest one, so that its room is the same at every step.
 * @param {string[]} sentences
 * @param {string} wordMark
 * @returns {{element: HTMLElement, show: (step: number) => void}}
 */
export function createSentence(sentences, wordMark) {
  const longest = sentences.reduce((best, text) => (letterCount(text) > letterCount(best) ? text : best), "");
  const room = html("span", { class: "room", "aria-hidden": "true" });
  setSentence(room, longest, wordMark);
  const spoken = html("span", { class: "spoken", "aria-live": "polite" });
  return {
    element: html("p", { class: "step-sentence" }, [room, spoken]),
    show(step) {
      if (spoken.dataset.step !== String(step)) {
        spoken.dataset.step = String(step);
        setSentence(spoken, sentences[step], wordMark);
      }
    },
  };
}

/**
 * @param {string} text
 * @returns {number}
 */
function letterCount(text) {
  return Array.from(text).reduce((sum, letter) => sum + (isChinese(letter) ? LETTERS_A_CHARACTER : 1), 0);
}

/**
 * The entropy of the row, and whether the translation has ended before this step.
 * @param {ComparedTrace} compared
 * @param {import("./hints.js").Hints} hints
 * @returns {{element: HTMLElement, show: (step: number, hasEnded: boolean) => void}}
 */
function createFacts({ entropies, largestEntropy, trace }, hints) {
  const entropy = html("span", { class: "entropy" });
  const ended = html("span", { class: "end-note" }, [`ended at step ${trace.target_tokens.length}`]);
  const element = html("p", { class: "facts" }, entropies === null ? [ended] : [entropy, ended]);
  let exact = "";
  hints.attach(entropy, () => exact);
  return {
    element,
    show(step, hasEnded) {
      ended.classList.toggle("shown", hasEnded);
      if (entropies !== null) {
        const most = formatNumber(largestEntropy);
        entropy.textContent = `entropy ${formatNumber(entropies[step])} bits, at most ${most}`;
        exact = `entropy of the weights of this step: ${formatExactly(entropies[step])} bits`;
      }
    },
  };
}
