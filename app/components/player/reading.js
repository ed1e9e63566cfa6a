// What Python sent, as typed parts, and the scales that are fixed for the whole trace.

import { SIMPLIFIED, TRADITIONAL } from "./dom.js";
import { clamp, largestSize } from "./numbers.js";

/**
 * @typedef {object} Candidate
 * @property {string} token
 * @property {number} probability
 * @property {number} rank From 1.
 */

/**
 * A decoded sentence; the fields are those of `DecodingTrace`. What does not exist is null.
 * @typedef {object} Trace
 * @property {string | null} source_text
 * @property {string[]} source_tokens
 * @property {string[]} source_pieces
 * @property {number[]} source_word_ids
 * @property {[number, number][] | null} source_spans
 * @property {string[]} target_tokens
 * @property {boolean[]} target_known
 * @property {number[][]} encoder_states
 * @property {number[][]} decoder_states
 * @property {(number | null)[][] | null} scores A hidden score is null.
 * @property {number[][] | null} computed_weights
 * @property {number[][] | null} weights
 * @property {number[][] | null} contexts
 * @property {number[][] | null} attention_outputs
 * @property {number[] | null} token_probabilities
 * @property {number[] | null} token_ranks
 * @property {Candidate[][] | null} candidates
 * @property {string | null} checkpoint
 * @property {string} scorer
 * @property {string} decoding
 * @property {{temperature: number, replaced_weights: [number, number[]][], forced_tokens: [number, string][], hidden: [number | null, number][]}} intervention
 */

/**
 * One softmax, opened: scaled = score / temperature, shifted = scaled - largest, weight = exp(shifted) / total.
 * @typedef {object} SoftmaxParts
 * @property {(number | null)[]} scaled
 * @property {number} largest
 * @property {(number | null)[]} shifted
 * @property {number[]} exponentials
 * @property {number} total
 */

/**
 * @typedef {Record<"step" | PartName, string>} Sentences
 * @typedef {"score" | "softmax" | "blend" | "output" | "prediction"} PartName
 */

/**
 * What a map is drawn from.
 * @typedef {Pick<Trace, "source_tokens" | "source_pieces" | "source_word_ids" | "target_tokens" | "target_known" | "computed_weights" | "weights" | "scorer" | "intervention">} MapTrace
 */

/**
 * The trace before a change.
 * @typedef {object} Before
 * @property {MapTrace} trace
 * @property {string} label
 * @property {boolean[]} changed For each of its rows whether it is gone or changed.
 */

/**
 * How a token is read. The pinyin of a punctuation mark is empty.
 * @typedef {{pinyin: string, simplified: string}} Reading
 */

/**
 * @typedef {{steps: Reading[], tokens: Record<string, Reading>}} Readings `tokens` has every candidate.
 */

/**
 * The names that stand beside bars and vectors, in the notation of the formulas.
 * @typedef {{score: string, weight: string, terms: string, context: string}} Symbols
 */

/**
 * @typedef {object} PlayerDocument
 * @property {Trace} trace
 * @property {SoftmaxParts[] | null} softmax
 * @property {Sentences[]} sentences
 * @property {Record<PartName, string | null> & {symbols: Symbols}} formulas
 * @property {string} wordMark
 * @property {Before | null} before
 * @property {boolean[] | null} changed For each row whether it is new or changed since the trace before.
 * @property {Readings | null} readings
 */

/**
 * The map with pieces and rows put together; a group is (first, last).
 * @typedef {object} MapGrid
 * @property {[number, number][]} source_groups
 * @property {[number, number][]} target_groups
 * @property {number[][]} weights
 * @property {string} rule
 * @property {string[]} row_labels
 * @property {string[]} column_labels
 */

/**
 * How a trace is shown.
 * @typedef {object} PlayerView
 * @property {"fixed" | "row" | "root" | "log"} scale
 * @property {MapGrid | null} grid
 * @property {boolean} pinyin
 * @property {boolean} simplified
 * @property {PlayerView | null} before How the trace before a change is shown; null for likewise but not put together.
 */

/**
 * One thing that a visitor wants changed, such as `["hide", 2, [3, 4]]`; steps and positions from 0.
 * @typedef {[string, ...unknown[]]} Change
 */

/**
 * @typedef {object} PlayerData
 * @property {{step: number, part: number | null}} start
 * @property {boolean} writesAddress
 * @property {boolean} offersChanges
 * @property {PlayerView} view
 * @property {string} digest Of the document: two documents with the same one are the same.
 * @property {PlayerDocument} document
 */

/**
 * The largest sizes over the whole trace, so that nothing changes its scale from step to step.
 * @typedef {object} Limits
 * @property {number} encoderStates Encoder states, their weighted copies and the contexts share one scale.
 * @property {number} decoderStates
 * @property {number} outputs
 * @property {number} scores
 */

export const PART_NAMES = /** @type {PartName[]} */ (["score", "softmax", "blend", "output", "prediction"]);

export const END_TOKEN = "</s>";

/**
 * @param {Uint8Array | ArrayBuffer | string} bytes
 * @returns {PlayerData}
 */
export function readData(bytes) {
  return JSON.parse(typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes));
}

/**
 * @param {Trace} trace
 * @returns {Limits}
 */
export function readLimits(trace) {
  return {
    encoderStates: largestSize(trace.encoder_states.flat()),
    decoderStates: largestSize(trace.decoder_states.flat()),
    outputs: trace.attention_outputs === null ? 1 : largestSize(trace.attention_outputs.flat()),
    scores: trace.scores === null ? 1 : largestSize(trace.scores.flat()),
  };
}

/**
 * The parts that this trace has numbers for.
 * @param {Trace} trace
 * @returns {number[]}
 */
export function availableParts(trace) {
  const exists = [trace.scores, trace.weights, trace.contexts, trace.attention_outputs, trace.candidates];
  return exists.flatMap((numbers, part) => (numbers === null ? [] : [part]));
}

/**
 * A step and a part that exist, nearest to those asked for.
 * @param {Trace} trace
 * @param {{step: number, part: number | null}} asked
 * @returns {{step: number, part: number | null}}
 */
export function nearestPosition(trace, asked) {
  const step = clamp(Math.trunc(asked.step) || 0, 0, trace.target_tokens.length - 1);
  const parts = availableParts(trace);
  if (asked.part === null || parts.length === 0) {
    return { step, part: null };
  }
  const part = parts.find((available) => available >= Number(asked.part)) ?? parts[parts.length - 1];
  return { step, part };
}

/**
 * A row a token, a column a token, on the scale from 0 to 1.
 * @type {PlayerView}
 */
export const PLAIN_VIEW = { scale: "fixed", grid: null, pinyin: false, simplified: false, before: null };

/**
 * How a target token is shown.
 * @param {string} token
 * @returns {string}
 */
export function shownToken(token) {
  return token === END_TOKEN ? "end" : token;
}

/**
 * A target token as it is shown: its text, its pinyin ("" for none), and the language that chooses the glyphs.
 * @typedef {{text: string, pinyin: string, language: string}} ShownWord
 */

/**
 * The language of the translation as it is shown.
 * @param {PlayerView} view
 * @returns {string}
 */
export function shownLanguage(view) {
  return view.simplified ? SIMPLIFIED : TRADITIONAL;
}

/**
 * The target token of a step as it is shown.
 * @param {{trace: MapTrace, readings: Readings | null}} document
 * @param {PlayerView} view
 * @param {number} step
 * @returns {ShownWord}
 */
export function shownStep({ trace, readings }, view, step) {
  return shownWord(trace.target_tokens[step], readings?.steps[step], view);
}

/**
 * A candidate as it is shown.
 * @param {{readings: Readings | null}} document
 * @param {PlayerView} view
 * @param {string} token
 * @returns {ShownWord}
 */
export function shownCandidate({ readings }, view, token) {
  const isRead = readings !== null && Object.hasOwn(readings.tokens, token);
  return shownWord(token, isRead ? readings.tokens[token] : undefined, view);
}

/**
 * @param {string} token
 * @param {Reading | undefined} reading
 * @param {PlayerView} view
 * @returns {ShownWord}
 */
function shownWord(token, reading, view) {
  const language = shownLanguage(view);
  if (reading === undefined || token === END_TOKEN) {
    return { text: shownToken(token), pinyin: "", language };
  }
  return { text: view.simplified ? reading.simplified : token, pinyin: view.pinyin ? reading.pinyin : "", language };
}

/**
 * The sentences of every step in the characters that are shown; source words between marks stay as they are.
 * @param {PlayerDocument} document
 * @param {PlayerView} view
 * @returns {Sentences[]}
 */
export function shownSentences({ sentences, readings, trace, wordMark }, view) {
  if (!view.simplified || readings === null) {
    return sentences;
  }
  const everywhere = Object.entries(readings.tokens);
  return sentences.map((parts, step) => {
    const here = new Map(everywhere.map(([token, { simplified }]) => [token, simplified]));
    here.set(trace.target_tokens[step], readings.steps[step].simplified);
    const texts = Object.entries(parts).map(([name, text]) => [name, simplify(text, here, wordMark)]);
    return /** @type {Sentences} */ (Object.fromEntries(texts));
  });
}

/**
 * @param {string} sentence
 * @param {Map<string, string>} simplified
 * @param {string} mark
 * @returns {string}
 */
function simplify(sentence, simplified, mark) {
  const runs = sentence.split(mark).map((run, index) => {
    const isSourceWord = index % 2 === 1;
    return isSourceWord ? run : run.replace(/\p{Script=Han}/gu, (letter) => simplified.get(letter) ?? letter);
  });
  return runs.join(mark);
}

/**
 * The target token of a step as the subject of a sentence.
 * @param {{document: {trace: MapTrace, readings: Readings | null}, view: PlayerView}} scene
 * @param {number} step
 * @returns {string}
 */
export function stepName({ document, view }, step) {
  return document.trace.target_tokens[step] === END_TOKEN ? "The end" : shownStep(document, view, step).text;
}

/**
 * True if a person replaced the weights of this step.
 * @param {MapTrace} trace
 * @param {number} step
 * @returns {boolean}
 */
export function isReplaced(trace, step) {
  if (trace.weights === null || trace.computed_weights === null) {
    return false;
  }
  const computed = trace.computed_weights[step];
  return trace.weights[step].some((weight, i) => weight !== computed[i]);
}
