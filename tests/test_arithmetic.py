"""The lines of arithmetic agree with the trace, whose numbers come from the scorers of the trained models."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given as for_all
from hypothesis import strategies

from attention_model.analysis import softmax_parts
from attention_model.arithmetic import step_arithmetic
from attention_model.by_hand import attend_by_hand
from attention_model.errors import TraceError
from attention_model.given import GIVEN_SCORERS
from attention_model.preset import preset
from tests.given import drawn
from tests.toy import sized_trace


def totals(lines):
    return [line.total for line in lines]


def checked(given, t):
    """The arithmetic of a step, after its totals were compared with the trace."""
    trace = attend_by_hand(given)
    arithmetic = step_arithmetic(given, trace, t)
    edited = {position: value for step, position, value in given.edited_scores if step == t}
    scores = [edited.get(i, lines.products.total) for i, lines in enumerate(arithmetic.scores)]
    assert scores == pytest.approx(trace.scores[t].tolist(), rel=1e-9, abs=1e-9)
    assert arithmetic.softmax.weights == pytest.approx(trace.computed_weights[t], rel=1e-9, abs=1e-12)
    assert totals(arithmetic.context) == pytest.approx(trace.contexts[t].tolist(), rel=1e-9, abs=1e-9)
    if trace.attention_outputs is not None:
        assert arithmetic.output.values == pytest.approx(trace.attention_outputs[t].tolist(), rel=1e-9, abs=1e-9)
    if trace.candidates is not None:
        shares = dict(zip(arithmetic.prediction.words, arithmetic.prediction.softmax.weights, strict=True))
        for candidate in trace.candidates[t]:
            assert shares[candidate.token] == pytest.approx(candidate.probability, rel=1e-6, abs=1e-9)
    return arithmetic


@pytest.mark.parametrize("scorer", GIVEN_SCORERS)
@pytest.mark.parametrize("t", range(5))
def test_every_line_agrees_with_the_trace(scorer, t):
    checked(drawn(scorer=scorer), t)


@for_all(
    scorer=strategies.sampled_from(("multiplicative", "additive")),
    source=strategies.integers(1, 12),
    d_h=strategies.integers(1, 16),
    d_s=strategies.integers(1, 16),
    k=strategies.integers(1, 16),
    seed=strategies.integers(0, 1000),
)
def test_every_line_agrees_whatever_the_sizes(scorer, source, d_h, d_s, k, seed):
    checked(drawn(source, 2, d_h, d_s, k, scorer=scorer, seed=seed, output=False), 1)


def test_a_line_is_the_sum_of_its_products():
    arithmetic = checked(drawn(scorer="additive"), 2)
    lines = [
        *arithmetic.query,
        *(line for score in arithmetic.scores for line in (*score.key, score.products)),
        *arithmetic.context,
        *arithmetic.output.products,
        *arithmetic.prediction.products,
    ]
    assert len(lines) == 2 + 3 * (2 + 1) + 7 + 11 + 13
    for line in lines:
        assert sum(left * right for left, right in line.factors) == line.total


def test_the_products_of_the_running_example_can_be_done_in_the_head():
    given = preset("running-example")
    arithmetic = step_arithmetic(given, attend_by_hand(given), 0)
    assert arithmetic.scores[0].products.factors == ((2, 3), (0, 0), (-1, 0), (0, 0))
    assert [lines.products.total for lines in arithmetic.scores] == [6, 0, -3, 0, 0]
    assert arithmetic.query == ()


def test_the_additive_scorer_is_worked_out_inside_out():
    given = drawn(scorer="additive", d_s=5)
    arithmetic = checked(given, 1)
    one = arithmetic.scores[2]
    sums = given.key_weight @ given.encoder_states[2] + given.query_weight @ given.decoder_states[1]
    assert one.sums == pytest.approx(sums.tolist())
    assert one.tanh == pytest.approx(np.tanh(sums).tolist())
    assert one.products.total == pytest.approx(float(given.score_vector @ np.tanh(sums)))


def test_an_edited_score_stands_beside_the_computed_one():
    given = dataclasses.replace(drawn(), edited_scores=((1, 2, 4.5),))
    edited, before = checked(given, 1).scores[2], step_arithmetic(drawn(), attend_by_hand(drawn()), 1).scores[2]
    assert edited.edited == 4.5
    assert edited.products == before.products
    assert checked(given, 0).scores[2].edited is None


def test_the_weights_that_are_not_set_share_what_is_left():
    given = dataclasses.replace(drawn(source=5), edited_weights=((0, 3, 0.4), (0, 1, 0.1)))
    row = checked(given, 0).edited_row
    computed = attend_by_hand(drawn(source=5)).weights[0]
    assert row.left == pytest.approx(0.5)
    assert row.shared == pytest.approx(float(computed[[0, 2, 4]].sum()))
    assert [line.is_set for line in row.lines] == [False, True, False, True, False]
    for line in row.lines:
        if not line.is_set:
            assert line.weight == pytest.approx(line.computed * row.left / row.shared)
    assert sum(line.weight for line in row.lines) == pytest.approx(1)
    assert checked(given, 1).edited_row is None


def test_nothing_is_left_where_the_weights_that_are_set_are_a_hair_more_than_1():
    edits = ((0, 0, 0.7), (0, 1, 0.3000004))
    row = checked(dataclasses.replace(drawn(), edited_weights=edits), 0).edited_row
    assert row.left == 0
    assert row.lines[2].weight == 0


def test_a_temperature_divides_the_scores():
    given = dataclasses.replace(drawn(), temperature=0.5)
    arithmetic = checked(given, 0)
    scores = np.array([lines.products.total for lines in arithmetic.scores])
    assert arithmetic.softmax.scaled == pytest.approx(2 * scores)


def test_the_largest_scores_that_are_allowed_stay_exact():
    given = dataclasses.replace(preset("exercise-1"), decoder_states=[[1e6, 1e6 - 1]])
    arithmetic = checked(given, 0)
    assert arithmetic.softmax.weights == pytest.approx(softmax_parts(np.array([1e6, 1e6 - 1, 2e6 - 1])).weights)
    assert np.isfinite(arithmetic.softmax.exponentials).all()


def test_without_w_out_nothing_follows_the_context():
    arithmetic = checked(drawn(output=False), 0)
    assert (arithmetic.output, arithmetic.prediction) == (None, None)


def test_with_w_out_alone_there_is_no_prediction():
    given = dataclasses.replace(drawn(), vocabulary=None, vocabulary_weight=None)
    arithmetic = checked(given, 0)
    assert len(arithmetic.output.values) == 11
    assert arithmetic.prediction is None


def test_a_step_that_is_not_there_and_a_trace_without_scores_are_refused():
    given = drawn()
    with pytest.raises(TraceError, match="Step 5 does not exist: the trace has 5 steps"):
        step_arithmetic(given, attend_by_hand(given), 5)
    with pytest.raises(TraceError, match="no scores"):
        step_arithmetic(given, sized_trace(scorer="none"), 0)
