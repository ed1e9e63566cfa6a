// What a visitor may change about a step, as offers with words and as lists for Python. It draws nothing.

/**
 * @typedef {import("./reading.js").Trace} Trace
 * @typedef {import("./reading.js").Change} Change
 */

/**
 * A step and the source positions that were pointed at.
 * @typedef {{step: number, positions: number[]}} Spot
 */

/**
 * One entry of the menu: it asks for its change or opens its panel.
 * @typedef {object} Offer
 * @property {string} text
 * @property {Change | null} change
 * @property {"sharing" | "sliders" | null} panel
 * @property {string} reason Why it is not possible; empty if it is.
 */

const ONLY_ONE = "Attention can see only one word at this step.";

/**
 * For each source position whether attention cannot see it at a step.
 * @param {Trace} trace
 * @param {number} step
 * @returns {boolean[]}
 */
export function hiddenAt(trace, step) {
  return trace.source_tokens.map((_, i) => isHidden(trace, step, i) || isHidden(trace, null, i));
}

/**
 * @param {Trace} trace
 * @param {number | null} step
 * @param {number} i
 * @returns {boolean}
 */
function isHidden(trace, step, i) {
  return trace.intervention.hidden.some(([at, position]) => at === step && position === i);
}

/**
 * The source positions that attention can see at a step.
 * @param {Trace} trace
 * @param {number} step
 * @returns {number[]}
 */
export function visibleAt(trace, step) {
  const hidden = hiddenAt(trace, step);
  return trace.source_tokens.flatMap((_, i) => (hidden[i] ? [] : [i]));
}

/**
 * All pieces of the words to which these positions belong.
 * @param {Trace} trace
 * @param {number[]} positions
 * @returns {number[]}
 */
export function wholeWords(trace, positions) {
  const words = new Set(positions.map((i) => trace.source_word_ids[i]));
  return trace.source_word_ids.flatMap((word, i) => (words.has(word) ? [i] : []));
}

/**
 * What is pointed at, in words.
 * @param {Trace} trace
 * @param {Spot} spot
 * @returns {string}
 */
export function spotName(trace, { step, positions }) {
  return `Step ${step + 1}: ${positions.map((i) => trace.source_tokens[i]).join(" ")}`;
}

/**
 * The entries of the menu at a spot, in order.
 * @param {Trace} trace
 * @param {Spot} spot
 * @returns {Offer[]}
 */
export function offersAt(trace, spot) {
  const { step, positions } = spot;
  const visible = visibleAt(trace, step);
  const targets = positions.filter((i) => visible.includes(i));
  const alone = visible.length < 2 ? ONLY_ONE : "";
  const hidden = targets.length === 0 ? "It is hidden at this step." : "";
  const offers = [
    createOffer("Put all of this step's weight here", ["share", step, targets], hidden || alone),
    createPanelOffer("Share it between chosen words…", "sharing", alone),
    createOffer("Make this step's weights uniform", ["share", step, visible], alone),
    createPanelOffer("Set the row by sliders…", "sliders", alone),
  ];
  if (trace.intervention.replaced_weights.some(([at]) => at === step)) {
    offers.push(createOffer("Use the computed weights again", ["computed", step], ""));
  }
  return [...offers, ...hidingOffers(trace, spot), ...droppingOffers(trace, spot)];
}

/**
 * @param {Trace} trace
 * @param {Spot} spot
 * @returns {Offer[]}
 */
function hidingOffers(trace, { step, positions }) {
  const word = wholeWords(trace, positions);
  if (word.every((i) => isHidden(trace, null, i))) {
    return [createOffer("Show it again at all steps", ["show", null, word], "")];
  }
  const steps = trace.target_tokens.map((_, at) => at);
  const here = word.every((i) => isHidden(trace, step, i))
    ? createOffer("Show it again at this step", ["show", step, word], "")
    : createOffer("Hide this word at this step", ["hide", step, word], whyVisible(trace, [step], word));
  return [here, createOffer("Hide it at all steps", ["hide", null, word], whyVisible(trace, steps, word))];
}

/**
 * Why a word cannot be hidden at these steps; empty if it can.
 * @param {Trace} trace
 * @param {number[]} steps
 * @param {number[]} word
 * @returns {string}
 */
function whyVisible(trace, steps, word) {
  const lonely = steps.find((step) => visibleAt(trace, step).every((i) => word.includes(i)));
  if (lonely !== undefined) {
    return `Then attention would see nothing at step ${lonely + 1}.`;
  }
  const byHand = trace.intervention.replaced_weights.find(
    ([step, row]) => steps.includes(step) && word.some((i) => row[i] > 0),
  );
  return byHand === undefined ? "" : `It has weight set by hand at step ${byHand[0] + 1}.`;
}

/**
 * @param {Trace} trace
 * @param {Spot} spot
 * @returns {Offer[]}
 */
function droppingOffers(trace, { positions }) {
  if (trace.source_spans === null) {
    return [];
  }
  const word = wholeWords(trace, positions);
  const span = [trace.source_spans[word[0]][0], trace.source_spans[word[word.length - 1]][1]];
  const reason = word.length === trace.source_tokens.length ? "It is the only word." : "";
  return [createOffer("Drop it from the sentence (the encoder reads again)", ["drop", span, word], reason)];
}

/**
 * @param {string} text
 * @param {Change} change
 * @param {string} reason
 * @returns {Offer}
 */
function createOffer(text, change, reason) {
  return { text, change, panel: null, reason };
}

/**
 * @param {string} text
 * @param {"sharing" | "sliders"} panel
 * @param {string} reason
 * @returns {Offer}
 */
function createPanelOffer(text, panel, reason) {
  return { text, change: null, panel, reason };
}

/**
 * True if a person took the token of this step.
 * @param {import("./reading.js").MapTrace} trace
 * @param {number} step
 * @returns {boolean}
 */
export function isTakenByHand(trace, step) {
  return trace.intervention.forced_tokens.some(([at]) => at === step);
}

/** Into so many units a row is cut: the smallest weight that is sent is one of them. */
const UNITS = 10_000;

/**
 * A row with four decimals that add up to 1.
 * @param {number[]} weights
 * @returns {number[]}
 */
export function roundedRow(weights) {
  const counts = weights.map((weight) => Math.floor(weight * UNITS));
  const rest = UNITS - counts.reduce((total, count) => total + count, 0);
  const byRemainder = weights
    .map((weight, i) => ({ i, remainder: weight * UNITS - counts[i] }))
    .sort((one, other) => other.remainder - one.remainder);
  for (const { i } of byRemainder.slice(0, Math.max(rest, 0))) {
    counts[i] += 1;
  }
  return counts.map((count) => count / UNITS);
}

/**
 * The row after one weight was moved: the others keep their proportions and share what is left.
 * @param {number[]} weights Add up to 1.
 * @param {number[]} proportions Of the weights when they were last above 0; 0 where hidden.
 * @param {number} moved
 * @param {number} value
 * @returns {number[]}
 */
export function movedRow(weights, proportions, moved, value) {
  const others = weights.map((weight, i) => (i === moved ? 0 : weight));
  const total = sum(others);
  const shape = total > 0 ? others : proportions.map((share, i) => (i === moved ? 0 : share));
  const whole = sum(shape);
  return shape.map((share, i) => (i === moved ? value : (share / whole) * (1 - value)));
}

/**
 * @param {number[]} numbers
 * @returns {number}
 */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
