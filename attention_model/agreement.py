"""Several traces of one sentence compared: where their weights agree, how far apart they are, and what each measures.

Pure numpy: it knows no torch, no model and no file, and changes nothing in a trace.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Float64

from attention_model.analysis import (
    coverage,
    even_words,
    listed,
    phrase_text,
    score_bounds,
    step_phrases,
    weight_entropy,
    word_weights,
)
from attention_model.errors import TraceError
from attention_model.given import ScorerParameters
from attention_model.trace import END_TOKEN, DecodingTrace

NEARLY_SAME = 0.1
"""Rows whose Jensen-Shannon distance stays below this are told as the same."""


class Covered(NamedTuple):
    """A source token and how much weight it received over all steps."""

    position: int
    token: str
    coverage: float


class TraceMeasures(NamedTuple):
    """What is measured of one trace; None is what does not exist.

    mean_entropy: of the weights, in bits a step. least_covered, most_covered: the source tokens that received the least
    and the most weight. lowest_score, highest_score: of the scores that are not hidden. score_bound: the largest size
    that any of these scores can have (`analysis.score_bounds`). score_count: n × m. log_probability: of all target
    tokens together, natural logarithm. mean_probability: their geometric mean. parameter_count: numbers in the scorer.
    """

    scorer: str
    mean_entropy: float | None
    least_covered: Covered | None
    most_covered: Covered | None
    lowest_score: float | None
    highest_score: float | None
    score_bound: float | None
    score_count: int | None
    log_probability: float | None
    mean_probability: float | None
    parameter_count: int


def is_aligned(traces: Sequence[DecodingTrace]) -> bool:
    """Whether all traces have the same source tokens and the same target tokens, so that their rows line up."""
    return all(
        (trace.source_tokens, trace.target_tokens) == (traces[0].source_tokens, traces[0].target_tokens)
        for trace in traces
    )


def top1_agreement(
    one: Float[np.ndarray, "target source"], other: Float[np.ndarray, "target source"]
) -> Bool[np.ndarray, " target"]:
    """For each row of two maps, whether both have their largest weight (the first of equals) in the same column."""
    return one.argmax(axis=1) == other.argmax(axis=1)


def jensen_shannon_distance(
    one: Float[np.ndarray, "target source"], other: Float[np.ndarray, "target source"]
) -> Float64[np.ndarray, " target"]:
    """For each row of two maps √(½ KL(p‖m) + ½ KL(q‖m)), m = ½(p + q), base 2: 0 for equal rows, 1 for disjoint ones.

    The square root of the divergence of Lin (1991) is a metric (Endres & Schindelin 2003).
    """
    p, q = one.astype(np.float64), other.astype(np.float64)
    middle = (p + q) / 2
    divergence = (_relative_entropy(p, middle) + _relative_entropy(q, middle)) / 2
    # Rounding may leave a hair's breadth outside the range.
    return np.sqrt(np.clip(divergence, 0, 1))


def weight_differences(
    one: Float[np.ndarray, "target source"], other: Float[np.ndarray, "target source"]
) -> Float64[np.ndarray, "target source"]:
    """The weights of one map minus those of the other, -1..1; a row sums to 0."""
    return one.astype(np.float64) - other.astype(np.float64)


def describe_difference(traces: Sequence[DecodingTrace], mark: str = "*") -> str:
    """In one or two short sentences, what differs between traces of one sentence, computed from them.

    Along one target: where each looks at the step at which two of them are furthest apart (the end only where all words
    are nearly the same), and at how many steps all look most at the same word; or that they agree. Decoded freely to
    different translations: who says what.
    Source words stand between two `mark`s ("" for plain text). The words come from people: whoever shows the sentence
    must not take it for code.
    Raises TraceError when there are no two traces, or they are not of one sentence.
    """
    if len(traces) < 2:
        raise TraceError(f"A comparison was asked of {len(traces)} traces, and at least 2 are wanted. Add another one.")
    if any(trace.source_tokens != traces[0].source_tokens for trace in traces):
        raise TraceError("These traces are of different sentences, and one sentence is wanted. Choose it for all.")
    named = dict(zip(_names(traces), traces, strict=True))
    if not is_aligned(traces):
        return _who_says_what(named)
    attending = {name: trace for name, trace in named.items() if trace.weights is not None}
    without = [name for name in named if name not in attending]
    sentences = []
    if len(attending) > 1:
        sentences.append(_what_differs(attending, mark))
    elif attending:
        sentences.append(f"Only {listed(list(attending))} has weights, so there is nothing to compare them with")
    if without:
        sentences.append(f"The scorer {listed(without)} has no attention, so no weights")
    return ". ".join(sentences)


def measure_trace(trace: DecodingTrace, parameters: ScorerParameters = ScorerParameters()) -> TraceMeasures:  # noqa: B008 (a tuple)
    """The measures of one trace.

    parameters: those of its scorer; dot and none have none. Raises TraceError when the scorer's own are not given.
    """
    scores = trace.scores
    seen = None if scores is None else scores[np.isfinite(scores)]
    received = None if trace.weights is None else coverage(trace.weights)
    total, mean = _probabilities(trace)
    bounds = None
    if scores is not None:
        bounds = score_bounds(trace, score_weight=parameters.score_weight, score_vector=parameters.score_vector)
    return TraceMeasures(
        scorer=trace.scorer,
        mean_entropy=None if trace.weights is None else float(weight_entropy(trace.weights).mean()),
        least_covered=None if received is None else _covered(trace, received, int(received.argmin())),
        most_covered=None if received is None else _covered(trace, received, int(received.argmax())),
        lowest_score=None if seen is None else float(seen.min()),
        highest_score=None if seen is None else float(seen.max()),
        score_bound=None if bounds is None else float(bounds.max()),
        score_count=None if scores is None else scores.size,
        log_probability=total,
        mean_probability=mean,
        parameter_count=parameters.size,
    )


def _relative_entropy(
    p: Float64[np.ndarray, "target source"], middle: Float64[np.ndarray, "target source"]
) -> Float64[np.ndarray, " target"]:
    """Σ p log2(p / m) of each row; where p is 0 the term is 0."""
    ratios = np.divide(p, middle, out=np.ones_like(p), where=p > 0)
    return (p * np.log2(ratios)).sum(axis=1)


def _names(traces: Sequence[DecodingTrace]) -> list[str]:
    """The traces by their scorers; traces of one scorer are told apart by number."""
    scorers = [trace.scorer for trace in traces]
    return [
        scorer if scorers.count(scorer) == 1 else f"{scorer} {scorers[: place + 1].count(scorer)}"
        for place, scorer in enumerate(scorers)
    ]


def _who_says_what(named: dict[str, DecodingTrace]) -> str:
    """Those that say the same together, in the order in which they come."""
    speakers: dict[str, list[str]] = {}
    for name, trace in named.items():
        said = trace.translation
        # Between quotes, for a translation brings its own marks.
        speakers.setdefault(f"“{said}”" if said else "nothing", []).append(name)
    return ", ".join(
        f"{listed(names)} {'says' if len(names) == 1 else 'say'} {translation}"
        for translation, names in speakers.items()
    )


def _what_differs(named: dict[str, DecodingTrace], mark: str) -> str:
    """Along one target, all with attention."""
    first = next(iter(named.values()))
    weights = [word_weights(trace) for trace in named.values()]
    distances = np.max([jensen_shannon_distance(one, other) for one, other in combinations(weights, 2)], axis=0)
    t = _step_to_tell(first, distances)
    if distances[t] < NEARLY_SAME:
        return f"{listed(list(named))} agree at every step: the largest distance of two rows is {distances[t]:.2f}"
    tops = np.array([row.argmax(axis=1) for row in weights])
    same = int((tops == tops[0]).all(axis=0).sum())
    steps = f"all {same} steps" if same == len(distances) else f"{same} of {len(distances)} steps"
    quantifier = "both" if len(named) == 2 else "all"
    told = _at_step(named, t, mark)
    # Source words at the end may bring the sentence's own full stop.
    stop = "" if told.endswith((".", f".{mark}")) else "."
    return f"{told}{stop} At {steps} {quantifier} look most at the same word"


def _step_to_tell(trace: DecodingTrace, distances: Float64[np.ndarray, " target"]) -> int:
    """The step of the largest distance; the end, which means no word, only where all words are nearly the same."""
    is_end = np.array([token == END_TOKEN for token in trace.target_tokens])
    of_words = np.where(is_end, -1, distances)
    return int((of_words if of_words.max() >= NEARLY_SAME else distances).argmax())


def _at_step(named: dict[str, DecodingTrace], t: int, mark: str) -> str:
    """Where each looks at step t, in whatever words tell them apart."""
    first = next(iter(named.values()))
    asked = "the end" if first.target_tokens[t] == END_TOKEN else first.target_tokens[t]
    rows = {name: word_weights(trace)[t] for name, trace in named.items()}
    words = [
        {word for one in step_phrases(trace, t) for word in range(one.first, one.last + 1)} for trace in named.values()
    ]
    tops = {int(row.argmax()) for row in rows.values()}
    if len(tops) == 1 or all(one == words[0] for one in words):
        # All look at the same words, so the one whose weights are furthest apart is told.
        word = int(np.ptp(list(rows.values()), axis=0).argmax())
        name, *others = named
        rest = [f"{other} {rows[other][word]:.2f}" for other in others]
        return ", ".join([f"{name} {_puts(first, rows[name], word, asked, mark)}", *rest])
    overlap = any(one != other and one & other for one, other in combinations(words, 2))
    clauses = []
    for name, trace in named.items():
        row = rows[name]
        looks = _puts(trace, row, int(row.argmax()), asked, mark) if overlap else _looks(trace, t, asked, mark)
        clauses.append(f"{name} {looks}")
        asked = "it"
    return ", ".join(clauses)


def _puts(trace: DecodingTrace, row: Float[np.ndarray, " word"], word: int, asked: str, mark: str) -> str:
    return f"puts {row[word]:.2f} of {asked} on {mark}{phrase_text(trace, word, word)}{mark}"


def _looks(trace: DecodingTrace, t: int, asked: str, mark: str) -> str:
    """The part of a sentence that follows a scorer's name; `asked` is what is shared out at step t."""
    phrases = step_phrases(trace, t)
    shown = [f"{mark}{phrase_text(trace, one.first, one.last)}{mark}" for one in phrases]
    if len(phrases) == 2:
        parts = [f"{text} ({one.weight:.2f})" for text, one in zip(shown, phrases, strict=True)]
        return f"splits {asked} between {parts[0]} and {parts[1]}"
    if len(phrases) == 1:
        return f"puts {phrases[0].weight:.2f} of {asked} on {shown[0]}"
    row = word_weights(trace)[t]
    largest = int(row.argmax())
    if even := even_words(row):
        return f"spreads {asked} evenly over {even} words"
    most = f"{mark}{phrase_text(trace, largest, largest)}{mark} ({row[largest]:.2f})"
    return f"spreads {asked} over many words, most on {most}"


def _covered(trace: DecodingTrace, received: Float64[np.ndarray, " source"], position: int) -> Covered:
    return Covered(position, trace.source_tokens[position], float(received[position]))


def _probabilities(trace: DecodingTrace) -> tuple[float | None, float | None]:
    """Log probability and geometric mean of the target tokens; a token of probability 0 makes them -inf and 0."""
    if trace.token_probabilities is None:
        return None, None
    exact = trace.token_probabilities.astype(np.float64)
    logarithms = np.log(exact, out=np.full_like(exact, -np.inf), where=exact > 0)
    return float(logarithms.sum()), float(np.exp(logarithms.mean()))
