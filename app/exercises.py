"""The exercises: their numbers, fresh ones on demand, and the checkers, which are pure functions.

Each line of an answer is checked on its own. A wrong one is compared with what the usual mistakes give, so that a
person is told which it looks like. The right numbers of attention by hand come from a trace; nothing is attended here.
It knows no page and no words: mistakes are names, and `prose/practice.md` says what they mean.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import permutations
from random import Random
from typing import NamedTuple

import numpy as np
from jaxtyping import Float64

from app.answers import ReadNumber, read_number, read_shape, read_whole
from attention_model.analysis import softmax_parts
from attention_model.errors import AnswerError, TraceError
from attention_model.given import GIVEN_SCORERS, GivenStates
from attention_model.preset import preset
from attention_model.trace import DecodingTrace

HAND, COST, FIT = KINDS = ("by hand", "cost", "fit")

RIGHT, WRONG, UNREAD, EMPTY = "right", "wrong", "unread", "empty"
"""What a checked line can be; one that is unread holds no number."""

TOLERANCE = 0.006
"""How far a number may be from the right one: a little more than half a unit of the second decimal."""

MISTAKE_SHARE = 0.005
"""A large number may differ by this share of it from what a mistake gives and is still taken for that mistake."""

SCORES, WEIGHTS, CONTEXT = BLOCKS = ("scores", "weights", "context")
"""The lines of attention by hand belong to these three moves."""

CARRIED, ROUNDED, ANOTHER_LINE = "carried", "rounded too far", "another line"

FIRST = "exercise-1"
"""The ready calculation whose numbers attention by hand begins with."""

COMPONENTS = 2
"""Of every state of attention by hand."""

SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉"

USABLE = "usable"
"""The line of `fit` whose answer is a choice of scorers."""

LARGEST_SIZE = 4096
"""The largest length or size that an exercise from a file may have."""


class Verdict(NamedTuple):
    """What became of one line. mistake: the usual mistake that it looks like, None where none is recognised.

    unreadable: the sentence that says why the line cannot be read; None where it can.
    """

    status: str
    mistake: str | None = None
    unreadable: str | None = None


class HandExercise(NamedTuple):
    """Attention by hand under dot. encoder_states: up to 9 states of two components. query: the state that asks."""

    encoder_states: tuple[tuple[float, ...], ...]
    query: tuple[float, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """The names of the lines to fill in: `scores 1`, …, `weights 1`, …, `context 1`, …"""
        return tuple(line for block in BLOCKS for line in self.block_lines(block))

    def block_lines(self, block: str) -> tuple[str, ...]:
        """The names of the lines of one of BLOCKS."""
        count = COMPONENTS if block == CONTEXT else len(self.encoder_states)
        return tuple(f"{block} {at + 1}" for at in range(count))

    def given(self) -> GivenStates:
        """The exercise as a calculation by hand; with the numbers of exercise 1 it is that ready calculation."""
        names = tuple(f"h{SUBSCRIPTS[i + 1]}" for i in range(len(self.encoder_states)))
        return replace(
            preset(FIRST), source_tokens=names, encoder_states=self.encoder_states, decoder_states=(self.query,)
        )


class CostExercise(NamedTuple):
    """How many scores a whole translation takes, and how long one row of weights is."""

    source: int
    target: int

    @property
    def lines(self) -> tuple[str, ...]:
        """The names of the lines to fill in."""
        return ("scores", "vector")


class FitExercise(NamedTuple):
    """Which scorers states of these sizes allow, and the shapes of their parameters. k: attention size of additive."""

    d_h: int
    d_s: int
    k: int

    @property
    def lines(self) -> tuple[str, ...]:
        """The names of the lines to fill in."""
        return (USABLE, *FIT_SHAPES)


Exercise = HandExercise | CostExercise | FitExercise

FIT_SHAPES = ("score_weight", "key_weight", "query_weight", "score_vector")


def first_exercise(kind: str) -> Exercise:
    """The exercise of a kind with which everybody begins: exercise 1, 20 × 25, 512 and 256."""
    if kind == COST:
        return CostExercise(20, 25)
    if kind == FIT:
        return FitExercise(512, 256, 128)
    given = preset(FIRST)
    return HandExercise(tuple(map(tuple, given.encoder_states.tolist())), tuple(given.decoder_states[0].tolist()))


def fresh_exercise(kind: str, random: Random, before: Exercise) -> Exercise:
    """Another exercise of a kind, with numbers that are pleasant to work with and differ from those before."""
    draw = {HAND: _draw_hand, COST: _draw_cost, FIT: _draw_fit}[kind]
    while True:
        exercise = draw(random)
        if exercise is not None and exercise != before:
            return exercise


# Attention by hand


class HandNumbers(NamedTuple):
    """Every number that attention by hand needs, right or as a person has it so far."""

    encoder_states: Float64[np.ndarray, "source d_h"]
    query: Float64[np.ndarray, " d_h"]
    scores: Float64[np.ndarray, " source"]
    weights: Float64[np.ndarray, " source"]
    context: Float64[np.ndarray, " d_h"]


def hand_numbers(exercise: HandExercise, trace: DecodingTrace) -> HandNumbers:
    """The right numbers, from the trace that was computed from `exercise.given()`.

    Raises TraceError when the trace is of another calculation.
    """
    states, query = np.array(exercise.encoder_states, np.float64), np.array(exercise.query, np.float64)
    if not np.array_equal(trace.encoder_states, states) or not np.array_equal(trace.decoder_states, query[None]):
        raise TraceError("This trace belongs to another exercise. Compute the trace of this exercise.")
    return HandNumbers(states, query, trace.scores[0], trace.weights[0], trace.contexts[0])


def hand_answers(numbers: HandNumbers) -> dict[str, float]:
    """The right number of each line."""
    return {
        f"{block} {at + 1}": float(value)
        for block in BLOCKS
        for at, value in enumerate(getattr(numbers, block).tolist())
    }


def _soft(values: Float64[np.ndarray, " source"]) -> Float64[np.ndarray, " source"]:
    return softmax_parts(values).weights


def _exponentials(numbers: HandNumbers) -> Float64[np.ndarray, " source"]:
    return np.exp(numbers.scores)


def _power(base: float, scores: Float64[np.ndarray, " source"]) -> Float64[np.ndarray, " source"]:
    """What the softmax gives with another base in the place of e."""
    return _soft(scores * np.log(base))


def _over_sum(scores: Float64[np.ndarray, " source"]) -> Float64[np.ndarray, " source"] | None:
    """The scores divided by their sum; None where that is 0."""
    return scores / scores.sum() if scores.sum() else None


HAND_MISTAKES: dict[str, dict[str, Callable[[HandNumbers], Float64[np.ndarray, " line"] | None]]] = {
    SCORES: {
        "h with itself": lambda numbers: (numbers.encoder_states**2).sum(axis=1),
        "s with itself": lambda numbers: np.full(len(numbers.scores), (numbers.query**2).sum()),
        "without the query": lambda numbers: numbers.encoder_states.sum(axis=1),
        "added": lambda numbers: (numbers.encoder_states + numbers.query).sum(axis=1),
        "first component only": lambda numbers: numbers.encoder_states[:, 0] * numbers.query[0],
        "sign": lambda numbers: -numbers.scores,
        "weights for scores": lambda numbers: numbers.weights,
    },
    WEIGHTS: {
        "scores for weights": lambda numbers: numbers.scores,
        "not divided": _exponentials,
        "largest taken, not divided": lambda numbers: np.exp(numbers.scores - numbers.scores.max()),
        "largest in the sum only": lambda numbers: (
            _exponentials(numbers) / np.exp(numbers.scores - numbers.scores.max()).sum()
        ),
        "largest on top only": lambda numbers: (
            np.exp(numbers.scores - numbers.scores.max()) / _exponentials(numbers).sum()
        ),
        "softmax of weights": lambda numbers: _soft(numbers.weights),
        "without exp": lambda numbers: _over_sum(numbers.scores),
        "base 2": lambda numbers: _power(2, numbers.scores),
        "base 10": lambda numbers: _power(10, numbers.scores),
        "sign": lambda numbers: _soft(-numbers.scores),
        "divided by the count": lambda numbers: _exponentials(numbers) / len(numbers.scores),
        "all alike": lambda numbers: np.full(len(numbers.scores), 1 / len(numbers.scores)),
    },
    CONTEXT: {
        "without weights": lambda numbers: numbers.encoder_states.sum(axis=0),
        "mean": lambda numbers: numbers.encoder_states.mean(axis=0),
        "scores for weights": lambda numbers: numbers.scores @ numbers.encoder_states,
        "exponentials for weights": lambda numbers: _exponentials(numbers) @ numbers.encoder_states,
        "largest only": lambda numbers: numbers.encoder_states[numbers.weights.argmax()],
        "query for states": lambda numbers: numbers.query * numbers.weights.sum(),
        "softmax of weights": lambda numbers: _soft(numbers.weights) @ numbers.encoder_states,
        "not added": lambda numbers: numbers.weights.max() * numbers.encoder_states[numbers.weights.argmax()],
    },
}
"""For each block the usual mistakes, in the order in which they are thought of, and the numbers that they give."""

WEIGHT_ORDER = "weights in the wrong order"
"""A mistake of the context that has many outcomes, one for each order."""


def check_hand(numbers: HandNumbers, texts: Mapping[str, str]) -> dict[str, Verdict]:
    """A verdict for each line of attention by hand. texts: what was typed, by the name of the line."""
    read = {line: _read(read_number, texts.get(line, "")) for line in hand_answers(numbers)}
    verdicts: dict[str, Verdict] = {}
    typed = numbers
    for block in BLOCKS:
        lines = [line for line in read if line.startswith(f"{block} ")]
        verdicts |= _check_block(block, [read[line] for line in lines], lines, numbers, typed)
        values = [read[line] for line in lines]
        if all(isinstance(value, ReadNumber) for value in values):
            typed = typed._replace(**{block: np.array([value.value for value in values])})
    return verdicts


def _check_block(
    block: str,
    values: Sequence[ReadNumber | Verdict],
    lines: Sequence[str],
    numbers: HandNumbers,
    typed: HandNumbers,
) -> dict[str, Verdict]:
    """typed: the right numbers, with those of the blocks before in their place where they are all typed."""
    right = getattr(numbers, block)
    carried = _carried(block, typed)
    is_rounded_work = block == CONTEXT and bool(np.allclose(typed.weights, numbers.weights, rtol=0, atol=TOLERANCE))
    verdicts: dict[str, Verdict] = {}
    for at, (line, value) in enumerate(zip(lines, values, strict=True)):
        if isinstance(value, Verdict):
            verdicts[line] = value
        elif _is_near(value.value, right[at]) or (is_rounded_work and _is_near(value.value, carried[at])):
            verdicts[line] = Verdict(RIGHT)
    wrong = [at for at, line in enumerate(lines) if line not in verdicts]
    with np.errstate(over="ignore", invalid="ignore"):  # exponentials of the large scores that a file may bring
        outcomes = {name: outcome(numbers) for name, outcome in HAND_MISTAKES[block].items()}
    # One mistake is usually made in all lines, so the one that explains most of them comes first.
    seen = Counter(name for name, outcome in outcomes.items() for at in wrong if _looks_like(values[at], outcome, at))
    for at in wrong:
        names = [name for name, outcome in outcomes.items() if _looks_like(values[at], outcome, at)]
        best = max(names, key=seen.__getitem__, default=None)
        mistake = _mistake(block, values[at], at, best, right, carried, numbers, explains_others=seen[best] > 1)
        verdicts[lines[at]] = Verdict(WRONG, mistake)
    return {line: verdicts[line] for line in lines}


def _mistake(
    block: str,
    value: ReadNumber,
    at: int,
    usual: str | None,
    right: Float64[np.ndarray, " line"],
    carried: Float64[np.ndarray, " line"],
    numbers: HandNumbers,
    *,
    explains_others: bool,
) -> str | None:
    """The name of the mistake that a wrong line looks like.

    usual: the usual mistake that fits best. explains_others: whether it explains other lines as well.
    """
    if block != SCORES and not _is_near(carried[at], right[at]) and _is_near(value.value, carried[at]):
        return CARRIED
    if value.decimals in (0, 1) and abs(round(float(right[at]), value.decimals) - value.value) < 1e-9:
        return ROUNDED
    is_of_another = any(_is_near(value.value, number) for other, number in enumerate(right) if other != at)
    if is_of_another and not explains_others:
        return ANOTHER_LINE
    if usual is not None:
        return usual
    if block == CONTEXT and any(
        _is_near(value.value, float(np.array(order) @ numbers.encoder_states[:, at]))
        for order in permutations(numbers.weights.tolist())
    ):
        return WEIGHT_ORDER
    return None


def _carried(block: str, typed: HandNumbers) -> Float64[np.ndarray, " line"]:
    """What follows from the numbers that were typed in the block before."""
    if block == SCORES:
        return typed.scores
    return _soft(typed.scores) if block == WEIGHTS else typed.weights @ typed.encoder_states


def _is_near(value: float, wanted: float) -> bool:
    return abs(value - wanted) <= TOLERANCE


def _looks_like(value: ReadNumber, outcome: Float64[np.ndarray, " line"] | None, at: int) -> bool:
    if outcome is None or not np.isfinite(outcome[at]):
        return False
    return abs(value.value - outcome[at]) <= max(TOLERANCE, MISTAKE_SHARE * abs(outcome[at]))


def _read(reader: Callable[[str], object], text: str) -> object:
    """What the reader makes of the text, or the verdict that says why it can make nothing of it."""
    try:
        return reader(text)
    except AnswerError as mistake:
        return Verdict(UNREAD if text.strip() else EMPTY, unreadable=str(mistake))


# Fresh numbers

_ENTRIES = (-1, 0, 0, 0, 1, 1, 1, 2, 2)
_QUERY_ENTRIES = (0, 1, 1, 2)
POWERS = range(-3, 5)
"""The powers of e that are given beside the exercise: those of every score, also after the largest is subtracted."""

_SPREADS = (1, 2, 3)
"""The largest score minus the smallest: more would leave weights that round to nothing."""


def _draw_hand(random: Random) -> HandExercise | None:
    """States and a query of small whole numbers; None where they are not pleasant."""
    n = random.choice((3, 3, 4))
    states = tuple(tuple(float(random.choice(_ENTRIES)) for _ in range(2)) for _ in range(n))
    query = tuple(float(random.choice(_QUERY_ENTRIES)) for _ in range(2))
    exercise = HandExercise(states, query)
    return exercise if is_pleasant(exercise) else None


def is_pleasant(exercise: HandExercise) -> bool:
    """Whether the numbers are easy to work with, and each usual mistake shows somewhere.

    The states differ and none is 0, at most one entry is negative, and the scores are not far apart.
    """
    states, query = np.array(exercise.encoder_states), np.array(exercise.query)
    scores = states @ query
    if len(set(exercise.encoder_states)) < len(states) or not states.any(axis=1).all() or (states < 0).sum() > 1:
        return False
    if scores.max() - scores.min() not in _SPREADS or not {*scores.tolist()} <= {*POWERS}:
        return False
    weights = _soft(scores)
    numbers = HandNumbers(states, query, scores, weights, weights @ states)
    return all(
        outcome is None or not np.allclose(outcome, getattr(numbers, block), rtol=0, atol=2 * TOLERANCE)
        for block, mistakes in HAND_MISTAKES.items()
        for outcome in (values(numbers) for values in mistakes.values())
    )


def _draw_cost(random: Random) -> CostExercise | None:
    """Two different lengths whose product can be worked out in the head."""
    source, target = random.choice(range(5, 51, 5)), random.choice(range(4, 61, 4))
    return CostExercise(source, target) if source != target else None


def _draw_fit(random: Random) -> FitExercise | None:
    """Powers of two; the states of one size in about one case of four, so that dot is usable now and then."""
    sizes = (64, 128, 256, 512, 1024)
    d_h, k = random.sample(sizes, 2)
    others = [size for size in sizes if size not in (d_h, k)]
    return FitExercise(d_h, d_h if random.random() < 0.25 else random.choice(others), k)


# Cost


def cost_answers(exercise: CostExercise) -> dict[str, int]:
    """One score for each pair of a source and a target token; one weight a source token."""
    return {"scores": exercise.source * exercise.target, "vector": exercise.source}


def check_cost(exercise: CostExercise, texts: Mapping[str, str]) -> dict[str, Verdict]:
    """A verdict for each line of the cost. texts: what was typed, by the name of the line."""
    n, m = exercise
    mistakes = {
        "scores": {
            "added": n + m,
            "one step": n,
            "one word": m,
            "within the source": n * n,
            "within the target": m * m,
        },
        "vector": {"target for source": m, "all scores": n * m, "lengths added": n + m, "one number": 1},
    }
    return {
        line: _check_whole(_read(read_whole, texts.get(line, "")), right, mistakes[line])
        for line, right in cost_answers(exercise).items()
    }


def _check_whole(value: int | Verdict, right: int, mistakes: Mapping[str, int]) -> Verdict:
    if isinstance(value, Verdict):
        return value
    if value == right:
        return Verdict(RIGHT)
    return Verdict(WRONG, next((name for name, outcome in mistakes.items() if outcome == value), None))


# Which scoring fits


def fit_answers(exercise: FitExercise) -> dict[str, tuple[str, ...] | tuple[int, ...]]:
    """The scorers that can be used directly, and the shapes of the parameters of those that have any."""
    d_h, d_s, k = exercise
    return {
        USABLE: tuple(scorer for scorer in GIVEN_SCORERS if scorer != "dot" or d_h == d_s),
        "score_weight": (d_h, d_s),
        "key_weight": (k, d_h),
        "query_weight": (k, d_s),
        "score_vector": (k,),
    }


def check_fit(exercise: FitExercise, texts: Mapping[str, str]) -> dict[str, Verdict]:
    """A verdict for each line. texts: what was typed, by the name of the line; the chosen scorers with spaces between.

    Shapes are those of hᵀ W s and vᵀ tanh(W₁h + W₂s).
    """
    answers = fit_answers(exercise)
    verdicts = {USABLE: _check_usable(texts.get(USABLE, "").split(), answers[USABLE])}
    for line in FIT_SHAPES:
        right = answers[line]
        shape = _read(partial(read_shape, axes=len(right)), texts.get(line, ""))
        verdicts[line] = shape if isinstance(shape, Verdict) else _check_shape(line, shape, exercise, right)
    return verdicts


def _check_usable(chosen: Sequence[str], right: Sequence[str]) -> Verdict:
    if not chosen:
        return Verdict(EMPTY, unreadable="Nothing is chosen here yet. Choose every scoring that can be used.")
    if set(chosen) == set(right):
        return Verdict(RIGHT)
    if "dot" in chosen and "dot" not in right:
        return Verdict(WRONG, "dot of different sizes")
    if "dot" in right and "dot" not in chosen:
        return Verdict(WRONG, "dot left out")
    return Verdict(WRONG, "one left out")


def _check_shape(line: str, shape: tuple[int, ...], exercise: FitExercise, right: tuple[int, ...]) -> Verdict:
    if shape == right:
        return Verdict(RIGHT)
    d_h, d_s, k = exercise
    mistakes = {
        "score_weight": {"turned": (d_s, d_h), "square": (d_h, d_h), "square of s": (d_s, d_s)},
        "key_weight": {"turned": (d_h, k), "of the query": (k, d_s), "without k": (d_h, d_s)},
        "query_weight": {"turned": (d_s, k), "of the state": (k, d_h), "without k": (d_h, d_s)},
        "score_vector": {"size of h": (d_h,), "size of s": (d_s,), "both sizes": (d_h + d_s,)},
    }
    return Verdict(WRONG, next((name for name, outcome in mistakes[line].items() if outcome == shape), None))
