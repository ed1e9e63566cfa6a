"""The arithmetic of one step of a calculation by hand, product by product, as a person would write it down.

It takes the numbers of a trace apart and attends to nothing itself: every later line goes on with the trace's own
number, and the totals of its products agree with the trace. Pure numpy; it knows no symbols and rounds nothing.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float64

from attention_model.analysis import SoftmaxParts, softmax_parts
from attention_model.errors import TraceError
from attention_model.given import Edit, GivenStates
from attention_model.trace import DecodingTrace


class Products(NamedTuple):
    """Products that are added up: each `left · right`, and their sum, all unrounded."""

    factors: tuple[tuple[float, float], ...]
    total: float


class ScoreLines(NamedTuple):
    """How one score comes about.

    key: the additive scorer's W₁h, a row each; empty for the others. sums: W₁h + W₂s. tanh: of these sums.
    products: the last line, whose total is the computed score. edited: what a person set in its place, else None.
    """

    key: tuple[Products, ...]
    sums: tuple[float, ...]
    tanh: tuple[float, ...]
    products: Products
    edited: float | None


class WeightLine(NamedTuple):
    """One weight of a row in which weights were set by hand.

    computed: what the softmax gave. weight: what is used. is_set: whether a person set it; the others share the rest.
    """

    computed: float
    weight: float
    is_set: bool


class EditedRow(NamedTuple):
    """A row of weights of which some were set by hand.

    left: 1 minus those that were set. shared: what the softmax gave to all others together, by which they are divided.
    """

    lines: tuple[WeightLine, ...]
    left: float
    shared: float


class OutputLines(NamedTuple):
    """tanh(W_out [context; state]): the two states as one, the product with each row of W_out, and its tanh."""

    joined: tuple[float, ...]
    products: tuple[Products, ...]
    values: tuple[float, ...]


class PredictionLines(NamedTuple):
    """softmax(V · attention output): the product with each row of V, then the softmax over the vocabulary."""

    words: tuple[str, ...]
    products: tuple[Products, ...]
    softmax: SoftmaxParts


class StepArithmetic(NamedTuple):
    """Every line of one step, in the order of the five parts.

    query: what the scorer makes of the query first: W s, or W₂ s, a row each; empty for dot.
    scores: one a source token. softmax: of the scores that were used. edited_row: None where no weight was set.
    context: one line a component. output, prediction: None where there is no W_out, no V.
    """

    scorer: str
    query: tuple[Products, ...]
    scores: tuple[ScoreLines, ...]
    softmax: SoftmaxParts
    edited_row: EditedRow | None
    context: tuple[Products, ...]
    output: OutputLines | None
    prediction: PredictionLines | None


def step_arithmetic(given: GivenStates, trace: DecodingTrace, t: int) -> StepArithmetic:
    """The lines of step t, counted from 0. trace: what was computed from `given`.

    Scores: Luong et al. 2015, equation 8 (dot, general), Bahdanau et al. 2015, appendix A.1.2 (additive); softmax and
    context: Luong, equation 7 and section 3.1; attention output: equation 5; prediction: equation 6.
    Raises TraceError when there is no such step or the trace has no scores.
    """
    if not 0 <= t < len(trace.target_tokens):
        raise TraceError(f"Step {t} does not exist: the trace has {len(trace.target_tokens)} steps, counted from 0.")
    if trace.scores is None or trace.contexts is None:
        raise TraceError(f"This trace has no scores: its scorer is {trace.scorer!r}. Choose one with attention.")
    query = _query_lines(given, t)
    output = _output_lines(given, trace, t)
    return StepArithmetic(
        scorer=given.scorer,
        query=query,
        scores=tuple(_score_lines(given, t, i, query) for i in range(len(given.source_tokens))),
        softmax=softmax_parts(trace.scores[t], given.temperature),
        edited_row=_edited_row(given, trace, t),
        context=tuple(_products(trace.weights[t], column) for column in given.encoder_states.T),
        output=output,
        prediction=None if output is None else _prediction_lines(given, output),
    )


def _products(left: Float64[np.ndarray, " feature"], right: Float64[np.ndarray, " feature"]) -> Products:
    """The products of two vectors, added up from left to right as one does on paper."""
    factors = tuple(zip(left.tolist(), right.tolist(), strict=True))
    return Products(factors, float(sum(one * other for one, other in factors)))


def _totals(lines: tuple[Products, ...]) -> Float64[np.ndarray, " feature"]:
    return np.array([line.total for line in lines])


def _query_lines(given: GivenStates, t: int) -> tuple[Products, ...]:
    matrix = {"multiplicative": given.score_weight, "additive": given.query_weight}.get(given.scorer)
    return () if matrix is None else tuple(_products(row, given.decoder_states[t]) for row in matrix)


def _score_lines(given: GivenStates, t: int, i: int, query: tuple[Products, ...]) -> ScoreLines:
    state, edited = given.encoder_states[i], _edits_of(given.edited_scores, t).get(i)
    if given.scorer == "additive":
        key = tuple(_products(row, state) for row in given.key_weight)
        sums = _totals(key) + _totals(query)
        tanh = np.tanh(sums)
        return ScoreLines(key, tuple(sums.tolist()), tuple(tanh.tolist()), _products(given.score_vector, tanh), edited)
    asking = given.decoder_states[t] if given.scorer == "dot" else _totals(query)
    return ScoreLines((), (), (), _products(state, asking), edited)


def _edited_row(given: GivenStates, trace: DecodingTrace, t: int) -> EditedRow | None:
    edits = _edits_of(given.edited_weights, t)
    if not edits:
        return None
    computed, weights = trace.computed_weights[t].tolist(), trace.weights[t].tolist()
    return EditedRow(
        lines=tuple(
            WeightLine(before, weight, i in edits)
            for i, (before, weight) in enumerate(zip(computed, weights, strict=True))
        ),
        left=max(0.0, 1.0 - sum(edits.values())),
        shared=sum(weight for i, weight in enumerate(computed) if i not in edits),
    )


def _output_lines(given: GivenStates, trace: DecodingTrace, t: int) -> OutputLines | None:
    if given.output_weight is None:
        return None
    joined = np.concatenate([trace.contexts[t], given.decoder_states[t]])
    products = tuple(_products(row, joined) for row in given.output_weight)
    return OutputLines(tuple(joined.tolist()), products, tuple(np.tanh(_totals(products)).tolist()))


def _prediction_lines(given: GivenStates, output: OutputLines) -> PredictionLines | None:
    if given.vocabulary is None or given.vocabulary_weight is None:
        return None
    values = np.array(output.values)
    products = tuple(_products(row, values) for row in given.vocabulary_weight)
    return PredictionLines(given.vocabulary, products, softmax_parts(_totals(products)))


def _edits_of(edits: tuple[Edit, ...], t: int) -> dict[int, float]:
    """The edits of step t: position to value."""
    return {position: value for step, position, value in edits if step == t}
