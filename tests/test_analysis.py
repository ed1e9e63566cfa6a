"""What is derived from a trace is what a person would derive by hand."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attention_model import analysis
from attention_model.errors import TraceError
from attention_model.trace import Intervention
from tests.toy import running_example, sized_trace

ROWS = hnp.arrays(np.float64, st.tuples(st.integers(1, 7), st.integers(1, 5)), elements=st.floats(0.01, 1)).map(
    lambda drawn: drawn / drawn.sum(axis=1, keepdims=True)
)


def with_weights(trace, *rows):
    """The trace with these weights; everything else as it was."""
    weights = np.array(rows, dtype=np.float64)
    assert np.allclose(weights.sum(axis=1), 1)
    return replace(trace, weights=np.concatenate([weights, trace.weights[len(weights) :]]))


def test_words_are_cut_from_the_text_as_typed():
    trace = sized_trace(source=5)
    assert analysis.source_words(trace) == tuple(trace.source_text.split())
    assert analysis.word_count(trace) == len(set(trace.source_word_ids))


def test_words_without_a_text_are_their_pieces_joined():
    trace = replace(sized_trace(source=5), source_text=None, source_spans=None)
    assert analysis.source_words(trace) == tuple(sized_trace(source=5).source_text.split())
    assert analysis.phrase_text(trace, 0, 1) == " ".join(analysis.source_words(trace)[:2])


def test_the_weight_of_a_word_is_the_sum_of_its_pieces():
    trace = sized_trace(source=5, target=3)
    words = analysis.word_weights(trace)
    assert words.shape == (3, 4)
    for t in range(3):
        for word in range(4):
            pieces = [trace.weights[t, i] for i, number in enumerate(trace.source_word_ids) if number == word]
            assert words[t, word] == pytest.approx(sum(pieces), rel=1e-6)


@given(ROWS)
def test_merging_pieces_keeps_the_sum_of_a_row(rows):
    target, source = rows.shape
    trace = sized_trace(source=source, target=target)
    merged = analysis.word_weights(replace(trace, weights=rows))
    np.testing.assert_allclose(merged.sum(axis=1), 1, rtol=1e-12)


def test_entropy_is_zero_for_one_token_and_the_logarithm_of_the_length_for_all():
    weights = np.array([[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.25, 0.25, 0.25, 0.25]])
    np.testing.assert_array_equal(analysis.weight_entropy(weights), [0, 1, 2])


@given(ROWS)
def test_entropy_lies_between_zero_and_the_logarithm_of_the_length(rows):
    entropy = analysis.weight_entropy(rows)
    assert (entropy >= 0).all()
    assert (entropy <= np.log2(rows.shape[1]) + 1e-9).all()


@given(ROWS)
def test_coverage_sums_to_the_number_of_steps(rows):
    assert analysis.coverage(rows).sum() == pytest.approx(len(rows))


def test_a_link_needs_the_threshold_and_goes_to_the_largest_weight():
    weights = np.array([[0.85, 0.15, 0, 0, 0, 0, 0, 0], [0.15, 0.13, 0.12, 0.12, 0.12, 0.12, 0.12, 0.12], [0.125] * 8])
    assert analysis.hard_alignment(weights) == ((0, 0), (0, 1))
    assert analysis.hard_alignment(weights, threshold=0) == ((0, 0), (0, 1), (0, 2))
    assert analysis.hard_alignment(weights, threshold=0.9) == ()
    assert analysis.hard_alignment(np.zeros((0, 8))) == ()


def test_every_weight_that_reaches_the_threshold_is_a_link():
    weights = np.array([[0.5, 0.5, 0], [0.7, 0.1, 0.2], [0.2, 0.3, 0.5]], dtype=np.float32)
    assert analysis.threshold_alignment(weights, threshold=0.5) == ((0, 0), (1, 0), (0, 1), (2, 2))
    # The nearest float32 lies below 0.7 and still reaches it.
    assert analysis.threshold_alignment(weights, threshold=0.7) == ((0, 1),)
    assert len(analysis.threshold_alignment(weights, threshold=0)) == 9
    assert analysis.threshold_alignment(weights, threshold=0.8) == ()
    assert analysis.threshold_alignment(np.zeros((0, 3))) == ()


@given(ROWS, st.floats(0.01, 1))
def test_the_largest_weights_of_rows_are_among_the_links_of_the_threshold(rows, threshold):
    every = analysis.threshold_alignment(rows, threshold)
    assert set(analysis.hard_alignment(rows, threshold)) <= set(every)
    assert {(i, t) for t in range(len(rows)) for i in range(rows.shape[1]) if rows[t, i] >= threshold} == set(every)


def test_the_softmax_of_exercise_one_part_by_part():
    parts = analysis.softmax_parts(np.array([2.0, 0.0, 2.0]))
    assert parts.largest == 2
    np.testing.assert_array_equal(parts.shifted, [0, -2, 0])
    np.testing.assert_allclose(parts.exponentials, [1, np.exp(-2), 1])
    assert parts.total == pytest.approx(2 + np.exp(-2))
    np.testing.assert_allclose(parts.weights, [0.468, 0.063, 0.468], atol=5e-4)


def test_a_temperature_divides_the_scores():
    parts = analysis.softmax_parts(np.array([1.0, 3.0]), temperature=2)
    np.testing.assert_array_equal(parts.scaled, [0.5, 1.5])
    np.testing.assert_allclose(parts.weights, [1 / (1 + np.e), np.e / (1 + np.e)])


def test_a_hidden_position_has_no_weight_and_the_softmax_says_when_all_are_hidden():
    parts = analysis.softmax_parts(np.array([-np.inf, 5.0, 5.0]))
    np.testing.assert_array_equal(parts.weights, [0, 0.5, 0.5])
    with pytest.raises(TraceError, match="at least one finite score"):
        analysis.softmax_parts(np.array([-np.inf, -np.inf]))
    with pytest.raises(TraceError, match="temperature is 0"):
        analysis.softmax_parts(np.array([1.0]), temperature=0)


@given(hnp.arrays(np.float64, st.integers(1, 9), elements=st.floats(-1e6, 1e6)), st.floats(-1e6, 1e6))
def test_weights_sum_to_one_and_do_not_change_when_all_scores_are_shifted(scores, shift):
    weights = analysis.softmax_parts(scores).weights
    assert weights.sum() == pytest.approx(1)
    np.testing.assert_allclose(analysis.softmax_parts(scores + shift).weights, weights, atol=1e-8)


@pytest.mark.parametrize("scorer", ["dot", "multiplicative", "additive"])
def test_the_softmax_written_out_gives_the_weights_of_the_trace(scorer):
    trace = sized_trace(scorer=scorer, hidden=((2, 1),))
    for t, row in enumerate(trace.scores):
        np.testing.assert_allclose(analysis.softmax_parts(row).weights, trace.computed_weights[t], atol=1e-6)


def test_the_terms_of_the_blend_add_up_to_the_context():
    trace = sized_trace()
    for t, context in enumerate(trace.contexts):
        terms = analysis.blend_terms(trace, t)
        np.testing.assert_allclose(terms[1], trace.weights[t, 1] * trace.encoder_states[1])
        np.testing.assert_allclose(terms.sum(axis=0), context, atol=1e-6)


def test_no_score_exceeds_its_bound():
    random = np.random.default_rng(5)
    matrix, vector = random.normal(size=(7, 11)), random.normal(size=13)
    trace = sized_trace(source=3, target=5, d_h=7, d_s=11, scorer="multiplicative")
    scores = trace.decoder_states @ (trace.encoder_states @ matrix).T
    assert (np.abs(scores) <= analysis.score_bounds(trace, score_weight=matrix)).all()
    trace = sized_trace(source=3, target=5, scorer="dot")
    assert (np.abs(trace.scores) <= analysis.score_bounds(trace)).all()
    trace = sized_trace(source=3, target=5, scorer="additive")
    np.testing.assert_array_equal(analysis.score_bounds(trace, score_vector=vector), np.abs(vector).sum())


def test_a_bound_that_cannot_be_computed_is_refused():
    for scorer in ("multiplicative", "additive", "none"):
        with pytest.raises(TraceError, match="no known bound"):
            analysis.score_bounds(sized_trace(scorer=scorer))


def test_the_running_example_in_words():
    assert analysis.describe_trace(running_example()) == (
        "我 looks at *I* (0.99)",
        "很 looks at *a lot* (1.00)",
        "喜 looks at *like* (0.99)",
        "歡 looks at *like* (0.99)",
        "貓 looks at *cats* (0.99)",
    )


def test_a_sentence_about_a_step_follows_its_weights():
    trace = with_weights(
        running_example(),
        [0.1, 0.05, 0.02, 0.4, 0.43],
        [0.45, 0, 0.55, 0, 0],
        [0.2, 0.2, 0.2, 0.2, 0.2],
        [0.3, 0.3, 0.3, 0.1, 0],
        [0.7, 0.1, 0.1, 0.1, 0],
    )
    assert analysis.describe_trace(trace, mark="") == (
        "我 looks mostly at a lot (0.83)",
        "很 is split between cats (0.55) and I (0.45)",
        "喜 looks at 5 words alike (0.20 each)",
        "歡 looks at many words at once, most at I (0.30)",
        "貓 looks mostly at I (0.70)",
    )


def test_a_row_set_by_hand_is_said_to_be():
    trace = with_weights(running_example(), [0, 0, 1, 0, 0])
    trace = replace(trace, intervention=Intervention(replaced_weights=((0, (0, 0, 1, 0, 0)),)))
    assert analysis.describe_step(trace, 0) == "我 looks at *cats* (1.00, by hand)"
    assert "by hand" not in analysis.describe_step(trace, 1)


def test_words_that_are_looked_at_alike_are_counted_and_none_is_preferred():
    trace = with_weights(running_example(), [0.25, 0.251, 0.25, 0.249, 0], [0.25, 0.26, 0.25, 0.24, 0])
    trace = replace(trace, intervention=Intervention(replaced_weights=((0, (0.25, 0.251, 0.25, 0.249, 0)),)))
    assert analysis.describe_step(trace, 0) == "我 looks at 4 words alike (0.25 each, by hand)"
    assert analysis.describe_step(trace, 1) == "很 looks at many words at once, most at *like* (0.26)"


def test_the_end_and_a_model_without_attention_are_named():
    assert analysis.describe_step(sized_trace(target=5), 4).startswith("The end ")
    assert analysis.describe_step(sized_trace(target=5, scorer="none"), 4) == "The end is produced without attention"


def test_a_sentence_of_one_word_is_looked_at_wholly():
    trace = sized_trace(source=1, target=2)
    assert analysis.describe_step(trace, 0).endswith(f"looks at *{trace.source_text}* (1.00)")


def test_what_does_not_exist_is_refused_with_the_number_found():
    trace = sized_trace(source=3, target=5)
    with pytest.raises(TraceError, match="Step 5 does not exist: the trace has 5 steps"):
        analysis.describe_step(trace, 5)
    with pytest.raises(TraceError, match="the sentence has 2 words"):
        analysis.phrase_text(trace, 2, 2)
    with pytest.raises(TraceError, match=r"no weights .its scorer is 'none'"):
        analysis.word_weights(sized_trace(scorer="none"))


def test_an_everyday_sentence_has_no_note_and_others_say_why():
    assert analysis.far_from_training(running_example()) == ()
    unknown = sized_trace(source=5, unknown=(2,))
    assert analysis.unknown_words(unknown) == (unknown.source_word_ids[2],)
    (note,) = analysis.far_from_training(unknown)
    assert note.reason == "unknown"
    assert analysis.source_words(unknown)[unknown.source_word_ids[2]] in note.text
    (note,) = analysis.far_from_training(sized_trace(source=37))
    assert (note.reason, "25 words" in note.text) == ("long", True)
    (note,) = analysis.far_from_training(replace(sized_trace(source=5), source_word_ids=(0, 0, 0, 1, 1)))
    assert (note.reason, "2 words are cut into 5 pieces" in note.text) == ("rare", True)


def test_the_recurrent_way_is_counted_state_by_state():
    trace = sized_trace(source=3, target=5)
    steps = analysis.recurrent_steps(trace)
    assert steps.shape == (5, 3)
    for t in range(5):
        for i in range(3):
            encoder = len(range(i, 2))  # from h_i to the last state
            decoder = len(range(t + 1))  # from there to s_t
            assert steps[t, i] == encoder + decoder
