"""How far traces of one sentence are apart, by formulas in plain loops; sentences that follow the numbers."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attention_model.agreement import (
    Covered,
    describe_difference,
    is_aligned,
    jensen_shannon_distance,
    measure_trace,
    top1_agreement,
    weight_differences,
)
from attention_model.errors import TraceError
from attention_model.given import ScorerParameters
from tests.toy import running_example, sized_trace, softmax

TARGET, SOURCE = 5, 3
LIKE, A_AND_LOT, APART, SPREAD = (0, 1, 0, 0, 0), (0, 0, 0, 0.45, 0.55), (0.4, 0, 0, 0, 0.6), (0.2,) * 5
ROWS = hnp.arrays(np.float64, (TARGET, SOURCE), elements=st.floats(-20, 20)).map(softmax)


def looking(scorer, *, at=LIKE, step=1, **changes):
    """The running example as another scorer would have it, whose weights differ at one step: 很 by default."""
    weights = running_example().weights.copy()
    weights[step] = at
    return replace(running_example(), scorer=scorer, weights=weights, computed_weights=weights, **changes)


def relative_entropy(p, q):
    return math.fsum(a * math.log2(a / b) for a, b in zip(p, q, strict=True) if a > 0)


@settings(max_examples=30)
@given(ROWS, ROWS)
def test_the_distance_is_the_root_of_the_divergence_in_bits(one, other):
    distances = jensen_shannon_distance(one, other)
    for p, q, distance in zip(one, other, distances, strict=True):
        middle = (p + q) / 2
        expected = (relative_entropy(p, middle) + relative_entropy(q, middle)) / 2
        assert distance**2 == pytest.approx(expected, abs=1e-12)
    assert np.array_equal(distances, jensen_shannon_distance(other, one))
    assert ((distances >= 0) & (distances <= 1)).all()


@settings(max_examples=30)
@given(ROWS, ROWS, ROWS)
def test_the_distance_is_a_metric(one, other, third):
    there = jensen_shannon_distance(one, other) + jensen_shannon_distance(other, third)
    assert (jensen_shannon_distance(one, third) <= there + 1e-7).all()


def test_equal_rows_have_no_distance_and_disjoint_ones_the_distance_one():
    one = np.array([[1, 0, 0], [0.5, 0.5, 0], [0.2, 0.3, 0.5]])
    other = np.array([[0, 0.5, 0.5], [0, 0, 1], [0.2, 0.3, 0.5]])
    assert jensen_shannon_distance(one, other).tolist() == pytest.approx([1, 1, 0])


def test_a_distance_known_by_hand():
    # ½ log2(1 / ¾) + ½ (½ log2(½ / ¾) + ½ log2(½ / ¼)) = 3/2 - ¾ log2(3), about 0.31.
    assert jensen_shannon_distance(np.array([[1.0, 0.0]]), np.array([[0.5, 0.5]]))[0] ** 2 == pytest.approx(
        1.5 - 0.75 * math.log2(3)
    )


def test_agreement_is_one_column_of_the_largest_weight_the_first_of_equals():
    one = np.array([[0.6, 0.4, 0], [0.1, 0.2, 0.7], [0.4, 0.4, 0.2]], dtype=np.float32)
    other = np.array([[0.5, 0.3, 0.2], [0.7, 0.2, 0.1], [0.9, 0.05, 0.05]], dtype=np.float32)
    assert top1_agreement(one, other).tolist() == [True, False, True]


@settings(max_examples=30)
@given(ROWS, ROWS)
def test_differences_cancel_in_each_row_and_turn_round(one, other):
    differences = weight_differences(one, other)
    assert np.array_equal(differences, -weight_differences(other, one))
    np.testing.assert_allclose(differences.sum(axis=1), 0, atol=1e-12)
    assert (np.abs(differences) <= 1).all()


def test_rows_line_up_only_along_the_same_tokens_on_both_sides():
    trace = running_example()
    assert is_aligned([trace, looking("additive")])
    assert not is_aligned([trace, trace, replace(trace, target_tokens=("我", "很", "喜", "歡", "狗"))])
    assert not is_aligned([trace, replace(trace, source_tokens=("I", "like", "dogs", "a", "lot"))])


def test_two_contradicting_pairs_give_contradicting_sentences():
    one = describe_difference([looking("dot", at=LIKE), looking("additive", at=APART)])
    other = describe_difference([looking("dot", at=APART), looking("additive", at=LIKE)])
    same_steps = "At 4 of 5 steps both look most at the same word"
    assert one == f"dot puts 1.00 of 很 on *like*, additive splits it between *lot* (0.60) and *I* (0.40). {same_steps}"
    assert (
        other == f"dot splits 很 between *lot* (0.60) and *I* (0.40), additive puts 1.00 of it on *like*. {same_steps}"
    )


def test_the_step_at_which_they_differ_most_is_told():
    traces = [looking("dot", at=LIKE, step=4), looking("additive", at=(0.1, 0, 0, 0, 0.9), step=4)]
    assert describe_difference(traces).startswith("dot puts 1.00 of 貓 on *like*, additive puts 0.90 of it on *lot*. ")


def test_where_all_look_at_the_same_words_the_word_of_the_largest_difference_is_told():
    softer = [looking("dot"), looking("dot", at=(0, 0.7, 0, 0.15, 0.15)), looking("additive", at=(0, 0.9, 0, 0.1, 0))]
    assert describe_difference(softer) == (
        "dot 1 puts 1.00 of 很 on *like*, dot 2 0.70, additive 0.90. At all 5 steps all look most at the same word"
    )
    within = [looking("dot", at=(0, 0.1, 0, 0.4, 0.5)), looking("additive", at=(0, 0, 0, 0.75, 0.25))]
    assert describe_difference(within) == (
        "dot puts 0.40 of 很 on *a*, additive 0.75. At 4 of 5 steps both look most at the same word"
    )


def test_phrases_that_share_words_are_told_apart_by_their_largest_words():
    traces = [looking("dot", at=A_AND_LOT), looking("additive", at=(0, 0, 0, 1, 0)), looking("dot", at=LIKE)]
    assert describe_difference(traces).startswith(
        "dot 1 puts 0.55 of 很 on *lot*, additive puts 1.00 of it on *a*, dot 2 puts 1.00 of it on *like*. "
    )


def test_the_end_is_told_only_where_the_words_agree():
    trace = sized_trace(scorer="dot")
    turned = trace.weights.copy()
    turned[4] = np.eye(3)[trace.weights[4].argmin()]
    sentence = describe_difference([trace, replace(trace, scorer="additive", weights=turned)])
    assert " the end " in sentence.split(", additive")[0]
    turned[2] = np.roll(trace.weights[2], 1)
    sentence = describe_difference([trace, replace(trace, scorer="additive", weights=turned)])
    assert " the end " not in sentence
    assert trace.target_tokens[2] in sentence


def test_three_scorers_are_named_with_the_weights_of_their_words():
    traces = [looking("dot"), looking("multiplicative", at=A_AND_LOT), looking("additive", at=SPREAD)]
    assert describe_difference(traces, mark="") == (
        "dot puts 1.00 of 很 on like, multiplicative puts 1.00 of it on a lot, "
        "additive spreads it evenly over 5 words. At 4 of 5 steps all look most at the same word"
    )


def test_a_full_stop_of_the_sentence_itself_ends_the_clause():
    spans = running_example().source_spans
    ends = {"source_spans": (*spans[:-1], (spans[-1][0], spans[-1][1] + 1))}  # "lot."
    dot, additive = looking("dot", **ends), looking("additive", at=A_AND_LOT, **ends)
    assert describe_difference([dot, additive]).startswith(
        "dot puts 1.00 of 很 on *like*, additive puts 1.00 of it on *a lot.* At "
    )


@pytest.mark.parametrize("scorers", [("dot", "additive"), ("dot", "multiplicative", "additive")])
def test_traces_that_agree_are_said_to_agree(scorers):
    almost = [looking(scorer, at=(0, 1 - 0.009 * place, 0, 0.009 * place, 0)) for place, scorer in enumerate(scorers)]
    names = " and ".join([", ".join(scorers[:-1]), scorers[-1]])
    largest = jensen_shannon_distance(almost[0].weights, almost[-1].weights).max()
    assert 0.04 < largest < 0.1
    assert describe_difference(almost) == (
        f"{names} agree at every step: the largest distance of two rows is {largest:.2f}"
    )


def test_a_model_without_attention_is_left_out_and_named():
    none = replace(running_example(), scorer="none", scores=None, computed_weights=None, weights=None, contexts=None)
    sentence = describe_difference([none, looking("dot"), looking("additive", at=A_AND_LOT)])
    assert sentence.startswith("dot puts 1.00 of 很 on *like*, additive puts 1.00 of it on *a lot*. ")
    assert sentence.endswith(" both look most at the same word. The scorer none has no attention, so no weights")
    assert describe_difference([none, looking("dot")]) == (
        "Only dot has weights, so there is nothing to compare them with. "
        "The scorer none has no attention, so no weights"
    )


def test_different_translations_are_told_instead():
    traces = [
        looking("dot"),
        looking("multiplicative", target_tokens=("我", "很", "喜", "歡", "狗")),
        looking("additive", at=A_AND_LOT),
    ]
    assert describe_difference(traces) == "dot and additive say “我很喜歡貓”, multiplicative says “我很喜歡狗”"


@pytest.mark.parametrize("count", [0, 1])
def test_one_trace_is_no_comparison(count):
    with pytest.raises(TraceError, match=f"asked of {count} traces, and at least 2 are wanted"):
        describe_difference([running_example()] * count)


def test_traces_of_different_sentences_are_refused():
    with pytest.raises(TraceError, match="of different sentences, and one sentence is wanted"):
        describe_difference([running_example(), sized_trace()])


def test_the_measures_of_the_running_example_by_hand():
    trace = looking("dot", at=SPREAD)
    measures = measure_trace(trace)
    rows = [math.fsum(-one * math.log2(one) for one in row if one > 0) for row in trace.weights.tolist()]
    assert measures.mean_entropy == pytest.approx(sum(rows) / 5)
    columns = [math.fsum(column) for column in trace.weights.T.tolist()]
    assert measures.most_covered == Covered(1, "like", pytest.approx(max(columns)))
    assert measures.least_covered == Covered(
        columns.index(min(columns)), trace.source_tokens[columns.index(min(columns))], pytest.approx(min(columns))
    )
    assert (measures.lowest_score, measures.highest_score) == (-3, 6)
    # The longest states: ‖h‖ = √5 everywhere, ‖s‖ = √10 at 歡.
    assert measures.score_bound == pytest.approx(math.sqrt(50))
    assert (measures.score_count, measures.parameter_count) == (25, 0)
    assert (measures.log_probability, measures.mean_probability) == (None, None)


def test_probabilities_are_multiplied_and_their_geometric_mean_taken():
    trace = replace(sized_trace(), token_probabilities=np.array([0.5, 0.25, 1, 0.5, 0.5], dtype=np.float32))
    measures = measure_trace(trace)
    assert measures.log_probability == pytest.approx(math.log(1 / 32))
    assert measures.mean_probability == pytest.approx(0.5)
    never = measure_trace(replace(trace, token_probabilities=np.array([0.5, 0, 1, 0.5, 0.5], dtype=np.float32)))
    assert (never.log_probability, never.mean_probability) == (-math.inf, 0)


def test_hidden_scores_are_no_scores():
    measures = measure_trace(sized_trace(hidden=((None, 1), (2, 0))))
    assert math.isfinite(measures.lowest_score)
    assert measures.score_count == 15


def test_a_bound_needs_the_parameters_of_the_scorer():
    trace = sized_trace(scorer="additive")
    measures = measure_trace(
        trace, ScorerParameters(None, np.ones((2, 7)), np.ones((2, 7)), np.array([-3.0, 4.0], dtype=np.float32))
    )
    assert (measures.score_bound, measures.parameter_count) == (7, 30)
    identity = ScorerParameters(score_weight=2 * np.eye(7, dtype=np.float32))
    twice = measure_trace(replace(trace, scorer="multiplicative"), identity).score_bound
    assert twice == pytest.approx(2 * measure_trace(replace(trace, scorer="dot")).score_bound)
    with pytest.raises(TraceError, match="additive needs score_vector"):
        measure_trace(trace)


def test_without_attention_only_the_probabilities_are_measured():
    measures = measure_trace(sized_trace(scorer="none"))
    assert measures.log_probability < 0
    assert measures.parameter_count == 0
    nothing = measures._replace(scorer=None, log_probability=None, mean_probability=None, parameter_count=None)
    assert set(nothing) == {None}
