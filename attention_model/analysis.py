"""Numbers and short sentences derived from a trace: word weights, entropy, coverage, alignments, the softmax opened.

Pure numpy: it knows no torch, no model and no file, and changes nothing in a trace.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Float64, Int64

from attention_model.errors import TraceError
from attention_model.trace import END_TOKEN, DecodingTrace

ALIGNMENT_THRESHOLD = 0.15
"""A target token's largest weight must reach this to count as a link."""

NEARLY_ALL = 0.9
"""From this share of a row on, a step "looks at" its words; from MOST on it "looks mostly at" them."""

MOST = 0.5

NEIGHBOUR_SHARE = 0.3
"""A neighbouring word joins the phrase of the largest word when it has at least this share of that word's weight."""

RIVAL_SHARE = 0.5
"""A second phrase is named beside the first when it has at least this share of the first one's weight."""

SAME_WEIGHT = 0.005
"""Weights that are closer than this are the same, as far as two decimals tell."""

LONGEST_PHRASE = 3
"""In words; more neighbours than this are called spread out, not a phrase."""

EVERYDAY_WORDS = 20
"""Almost all training sentences have at most this many words, punctuation marks counted."""

PIECES_A_WORD = 2.0
"""A sentence whose words fall into this many pieces on average is made of words that training rarely met."""


class SoftmaxParts(NamedTuple):
    """One softmax: scaled = scores / temperature, shifted = scaled - largest, weights = exp(shifted) / total."""

    scaled: Float64[np.ndarray, " source"]
    largest: float
    shifted: Float64[np.ndarray, " source"]
    exponentials: Float64[np.ndarray, " source"]
    total: float
    weights: Float64[np.ndarray, " source"]


class Phrase(NamedTuple):
    """Neighbouring source words, `first` to `last` included (numbers of words), and the sum of their weights."""

    first: int
    last: int
    weight: float


class FarNote(NamedTuple):
    """One reason why a sentence is unlike the training sentences: `unknown`, `long` or `rare`, and its text."""

    reason: str
    text: str


def word_count(trace: DecodingTrace) -> int:
    """How many source words the pieces of the trace make up."""
    return trace.source_word_ids[-1] + 1 if trace.source_word_ids else 0


def source_words(trace: DecodingTrace) -> tuple[str, ...]:
    """The source words: cut from the text as typed where there is one, else the pieces of each word joined."""
    return tuple(phrase_text(trace, word, word) for word in range(word_count(trace)))


def phrase_text(trace: DecodingTrace, first: int, last: int) -> str:
    """The words `first` to `last` included as they stand in the text; joined by spaces where there is no text."""
    inside = [position for position, word in enumerate(trace.source_word_ids) if first <= word <= last]
    if not inside:
        raise TraceError(f"Words {first} to {last} do not exist: the sentence has {word_count(trace)} words.")
    if trace.source_text is not None and trace.source_spans is not None:
        return trace.source_text[trace.source_spans[inside[0]][0] : trace.source_spans[inside[-1]][1]]
    pieces: dict[int, str] = {}
    for position in inside:
        word = trace.source_word_ids[position]
        pieces[word] = pieces.get(word, "") + trace.source_tokens[position]
    return " ".join(pieces.values())


def word_weights(trace: DecodingTrace) -> Float[np.ndarray, "target word"]:
    """The weights with the pieces of each word added; a row still sums to 1.

    Raises TraceError when the trace has no weights.
    """
    weights = _weights_of(trace)
    belongs = np.zeros((len(trace.source_word_ids), word_count(trace)), dtype=weights.dtype)
    belongs[np.arange(len(trace.source_word_ids)), trace.source_word_ids] = 1
    return weights @ belongs


def weight_entropy(weights: Float[np.ndarray, "target source"]) -> Float64[np.ndarray, " target"]:
    """The entropy of each row in bits: 0 when all weight is on one token, log2(source) when it is even."""
    exact = weights.astype(np.float64)
    logarithms = np.log2(exact, out=np.zeros_like(exact), where=exact > 0)
    return np.abs((exact * logarithms).sum(axis=1))


def coverage(weights: Float[np.ndarray, "target source"]) -> Float64[np.ndarray, " source"]:
    """How much weight each source token received over all steps; the sum is the number of rows."""
    return weights.astype(np.float64).sum(axis=0)


def recurrent_steps(trace: DecodingTrace) -> Int64[np.ndarray, "target source"]:
    """How many recurrent steps lie between each encoder state and each decoder state: n - i + t, both counted from 1.

    n - i steps of the encoder lead from h_i to its final state, and t steps of the decoder from there to s_t. Without
    attention there is no shorter way; with it, h_i is in the context of every step. (A bidirectional encoder reads from
    both ends; this is the way of the one that reads forwards.)
    """
    sources, targets = np.arange(len(trace.source_tokens)), np.arange(len(trace.target_tokens))
    return len(sources) - sources[None, :] + targets[:, None]


def hard_alignment(
    weights: Float[np.ndarray, "target source"], threshold: float = ALIGNMENT_THRESHOLD
) -> tuple[tuple[int, int], ...]:
    """Links (source, target): each row's largest weight (the first of equals), kept when it reaches the threshold."""
    if weights.size == 0:
        return ()
    largest = weights.argmax(axis=1)
    return tuple(
        (int(source), target) for target, source in enumerate(largest) if float(weights[target, source]) >= threshold
    )


def threshold_alignment(
    weights: Float[np.ndarray, "target source"], threshold: float = ALIGNMENT_THRESHOLD
) -> tuple[tuple[int, int], ...]:
    """Links (source, target) of every weight that reaches the threshold, by target token; a row has any number."""
    return tuple((int(source), int(target)) for target, source in np.argwhere(weights >= threshold))


def softmax_parts(scores_row: Float[np.ndarray, " source"], temperature: float = 1.0) -> SoftmaxParts:
    """The softmax of one row, part by part, in float64; a hidden position (score -inf) has weight 0.

    The largest score is subtracted first, which changes no weight and keeps every exponential at most 1.
    Raises TraceError when every position is hidden or the temperature is not above 0.
    """
    if not temperature > 0:
        raise TraceError(f"The temperature is {temperature}, and a number above 0 is wanted.")
    scaled = scores_row.astype(np.float64) / temperature
    if scaled.size == 0 or not np.isfinite(scaled.max()):
        raise TraceError(
            "A softmax needs at least one finite score in its row; every position is hidden or not a number."
        )
    largest = float(scaled.max())
    shifted = scaled - largest
    exponentials = np.exp(shifted)
    total = float(exponentials.sum())
    return SoftmaxParts(scaled, largest, shifted, exponentials, total, exponentials / total)


def blend_terms(trace: DecodingTrace, t: int) -> Float[np.ndarray, "source d_h"]:
    """weight_i · h_i for each source token at step t; the rows add up to the context of step t."""
    weights = _weights_of(trace)
    _check_step(trace, t)
    return weights[t][:, None] * trace.encoder_states


def score_bounds(
    trace: DecodingTrace,
    *,
    score_weight: Float[np.ndarray, "d_h d_s"] | None = None,
    score_vector: Float[np.ndarray, " k"] | None = None,
) -> Float64[np.ndarray, "target source"]:
    """The largest size that each score can have, whatever the angle between the states.

    dot: ‖h‖‖s‖; multiplicative: ‖W‖‖h‖‖s‖ with the spectral norm of `score_weight`; additive: Σ|v| of `score_vector`.
    Raises TraceError for the scorer `none`, or when the scorer's own parameter is not given.
    """
    lengths = np.outer(
        np.linalg.norm(trace.decoder_states.astype(np.float64), axis=1),
        np.linalg.norm(trace.encoder_states.astype(np.float64), axis=1),
    )
    if trace.scorer == "dot":
        return lengths
    if trace.scorer == "multiplicative" and score_weight is not None:
        return lengths * np.linalg.norm(score_weight.astype(np.float64), ord=2)
    if trace.scorer == "additive" and score_vector is not None:
        return np.full_like(lengths, np.abs(score_vector.astype(np.float64)).sum())
    raise TraceError(
        f"The scores of {trace.scorer!r} have no known bound here: dot needs nothing more, multiplicative needs "
        "score_weight, additive needs score_vector, and none has no scores."
    )


def step_phrases(trace: DecodingTrace, t: int) -> tuple[Phrase, ...]:
    """What step t looks at: one phrase, or two that share most of the weight, or none when the weight is spread out.

    A phrase is grown around the largest word over neighbours with a fair share of its weight.
    """
    _check_step(trace, t)
    row = word_weights(trace)[t].astype(np.float64)
    best = _grow(row, int(row.argmax()))
    if not _is_phrase(best, row):
        return ()
    rest = row.copy()
    rest[best.first : best.last + 1] = 0
    if rest.any():
        second = _grow(rest, int(rest.argmax()))
        is_rival = _is_phrase(second, row) and second.weight >= RIVAL_SHARE * best.weight
        if is_rival and best.weight + second.weight >= MOST:
            return (best, second)
    return (best,) if best.weight >= MOST else ()


def even_words(row: Float[np.ndarray, " word"]) -> int:
    """How many words share the weight of a row evenly, as far as two decimals tell; 0 where some have more of it."""
    seen = row[row > 0]
    return len(seen) if np.ptp(seen) < SAME_WEIGHT else 0


def describe_step(trace: DecodingTrace, t: int, mark: str = "*") -> str:
    """One short sentence that says where step t looks, computed from the weights that were used.

    Source words stand between two `mark`s ("" for plain text). The words come from people: whoever shows the sentence
    must not take it for code.
    """
    _check_step(trace, t)
    token = trace.target_tokens[t]
    name = "The end" if token == END_TOKEN else token
    if trace.weights is None:
        return f"{name} is produced without attention"
    by_hand = ", by hand" if any(step == t for step, _ in trace.intervention.replaced_weights) else ""
    phrases = step_phrases(trace, t)
    shown = [f"{mark}{phrase_text(trace, one.first, one.last)}{mark} ({one.weight:.2f}{by_hand})" for one in phrases]
    if len(phrases) == 2:
        return f"{name} is split between {shown[0]} and {shown[1]}"
    if len(phrases) == 1:
        return f"{name} looks {'' if phrases[0].weight >= NEARLY_ALL else 'mostly '}at {shown[0]}"
    row = word_weights(trace)[t]
    largest = int(row.argmax())
    if even := even_words(row):
        return f"{name} looks at {even} words alike ({row[largest]:.2f} each{by_hand})"
    most = f"{mark}{phrase_text(trace, largest, largest)}{mark} ({row[largest]:.2f}{by_hand})"
    return f"{name} looks at many words at once, most at {most}"


def describe_trace(trace: DecodingTrace, mark: str = "*") -> tuple[str, ...]:
    """`describe_step` for every step."""
    return tuple(describe_step(trace, t, mark) for t in range(len(trace.target_tokens)))


def unknown_words(trace: DecodingTrace) -> tuple[int, ...]:
    """The numbers of the source words in which the model read `<unk>` for at least one piece."""
    known = trace.source_known
    return tuple(sorted({word for position, word in enumerate(trace.source_word_ids) if not known[position]}))


def far_from_training(trace: DecodingTrace) -> tuple[FarNote, ...]:
    """Why the sentence is unlike the short everyday sentences of the training data; empty when it is like them."""
    words = source_words(trace)
    notes = []
    unknown = unknown_words(trace)
    if unknown:
        listed = ", ".join(words[word] for word in unknown)
        notes.append(FarNote("unknown", f"The model has never met a part of: {listed}."))
    if len(words) > EVERYDAY_WORDS:
        notes.append(
            FarNote(
                "long",
                f"The sentence has {len(words)} words; nearly all training sentences have at most {EVERYDAY_WORDS}.",
            )
        )
    if len(words) > 1 and len(trace.source_tokens) >= PIECES_A_WORD * len(words):
        notes.append(
            FarNote(
                "rare",
                f"Its {len(words)} words are cut into {len(trace.source_tokens)} pieces: they are rare in training.",
            )
        )
    return tuple(notes)


def neighbours(positions: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Ascending positions as runs (first, last) without a gap, both included."""
    runs: list[tuple[int, int]] = []
    for position in positions:
        if runs and position == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], position)
        else:
            runs.append((position, position))
    return tuple(runs)


def listed(phrases: Sequence[str]) -> str:
    """Phrases as a list in a sentence: "a", "a and b", "a, b and c"."""
    if len(phrases) < 2:
        return "".join(phrases)
    return f"{', '.join(phrases[:-1])} and {phrases[-1]}"


def _weights_of(trace: DecodingTrace) -> Float[np.ndarray, "target source"]:
    if trace.weights is None:
        raise TraceError(f"This trace has no weights (its scorer is {trace.scorer!r}). Choose one made with attention.")
    return trace.weights


def _check_step(trace: DecodingTrace, t: int) -> None:
    if not 0 <= t < len(trace.target_tokens):
        raise TraceError(f"Step {t} does not exist: the trace has {len(trace.target_tokens)} steps, counted from 0.")


def _grow(row: Float64[np.ndarray, " word"], best: int) -> Phrase:
    """The neighbours of `best` that have a fair share of its weight, without a gap."""
    wanted = NEIGHBOUR_SHARE * row[best]
    first = last = best
    while first > 0 and row[first - 1] >= wanted:
        first -= 1
    while last + 1 < len(row) and row[last + 1] >= wanted:
        last += 1
    return Phrase(first, last, float(row[first : last + 1].sum()))


def _is_phrase(phrase: Phrase, row: Float64[np.ndarray, " word"]) -> bool:
    """True for one word, or for a few neighbours that are not the whole sentence."""
    words = phrase.last - phrase.first + 1
    return words == 1 or words <= min(LONGEST_PHRASE, len(row) - 1)
