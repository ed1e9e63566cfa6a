"""A merged map: pieces add, rows average, every row still sums to 1, and the rule says what was done."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attention_model import analysis
from attention_model.chinese import segment_words
from attention_model.errors import MergeError, TraceError
from attention_model.merging import (
    CHARACTERS_RULE,
    COLUMNS_RULE,
    END_RULE,
    NOTHING_RULE,
    PIECES_RULE,
    ROWS_RULE,
    column_label,
    joined_groups,
    merge_map,
    piece_groups,
    row_label,
    source_word_groups,
)
from attention_model.trace import Intervention
from tests.toy import running_example, sized_trace, softmax


def in_plain_loops(weights, source_groups, target_groups):
    """The rule as a person would do it with a pencil."""
    grid = []
    for top, bottom in target_groups:
        row = []
        for left, right in source_groups:
            added = [sum(float(weights[t, i]) for i in range(left, right + 1)) for t in range(top, bottom + 1)]
            row.append(sum(added) / len(added))
        grid.append(row)
    return np.array(grid)


@st.composite
def groupings(draw, length):
    """Any way to cut `length` positions into neighbouring groups."""
    is_start = [True, *draw(st.lists(st.booleans(), min_size=length - 1, max_size=length - 1))]
    starts = [position for position, starts_here in enumerate(is_start) if starts_here]
    return tuple((start, stop - 1) for start, stop in zip(starts, [*starts[1:], length], strict=True))


def test_the_running_example_has_five_rows_by_character_and_four_by_word():
    trace = running_example()
    by_character = merge_map(trace, source_groups=piece_groups(5), target_groups=piece_groups(5))
    by_word = merge_map(trace, source_groups=piece_groups(5), target_groups=segment_words(trace.target_tokens))
    assert by_character.weights.shape == (5, 5)
    assert by_word.weights.shape == (4, 5)
    assert [row_label(trace, group) for group in by_word.target_groups] == ["我", "很", "喜歡", "貓"]
    np.testing.assert_allclose(by_word.weights[2], (trace.weights[2] + trace.weights[3]) / 2, rtol=1e-12)


def test_nothing_joined_is_the_map_itself_to_the_last_digit():
    trace = sized_trace(source=7, target=5)
    grid = merge_map(trace, source_groups=piece_groups(7), target_groups=piece_groups(5))
    np.testing.assert_array_equal(grid.weights, trace.weights)
    assert grid.weights.dtype == trace.weights.dtype
    assert grid.rule == NOTHING_RULE


def test_source_words_are_those_of_the_word_weights():
    trace = sized_trace(source=7, target=5)
    grid = merge_map(trace, source_groups=source_word_groups(trace), target_groups=piece_groups(5))
    np.testing.assert_allclose(grid.weights, analysis.word_weights(trace), rtol=1e-6)
    assert tuple(column_label(trace, group) for group in grid.source_groups) == analysis.source_words(trace)


@given(source_groups=groupings(7), target_groups=groupings(4))
def test_any_merge_is_what_plain_loops_give_and_its_rows_sum_to_1(source_groups, target_groups):
    trace = sized_trace(source=7, target=5)
    grid = merge_map(trace, source_groups=source_groups, target_groups=(*target_groups, (4, 4)))
    np.testing.assert_allclose(
        grid.weights, in_plain_loops(trace.weights, source_groups, (*target_groups, (4, 4))), rtol=1e-6
    )
    np.testing.assert_allclose(grid.weights.sum(axis=1), 1, rtol=1e-6)


@settings(max_examples=40)
@given(hnp.arrays(np.float64, (5, 7), elements=st.floats(-9, 9)).map(softmax), groupings(7), groupings(5))
def test_no_weight_is_lost_or_made_by_merging(weights, source_groups, target_groups):
    trace = replace(sized_trace(source=7, target=5), weights=weights, finished=False)
    columns = merge_map(trace, source_groups=source_groups, target_groups=piece_groups(5))
    np.testing.assert_allclose(
        analysis.coverage(columns.weights),
        [weights[:, first : last + 1].sum() for first, last in source_groups],
        rtol=1e-12,
    )
    # A row that is an average stands for all the rows in it.
    both = merge_map(trace, source_groups=source_groups, target_groups=target_groups)
    steps = np.array([last - first + 1 for first, last in target_groups])
    np.testing.assert_allclose(steps @ both.weights, analysis.coverage(columns.weights), rtol=1e-12)


def test_the_end_row_is_left_out_on_request_or_when_no_group_holds_it():
    trace = sized_trace(source=3, target=5)
    pieces = piece_groups(3)
    shown = merge_map(trace, source_groups=pieces, target_groups=piece_groups(5))
    hidden = merge_map(trace, source_groups=pieces, target_groups=piece_groups(5), end_row=False)
    without = merge_map(trace, source_groups=pieces, target_groups=piece_groups(4))
    assert shown.weights.shape == (5, 3)
    assert row_label(trace, shown.target_groups[-1]) == "the end"
    for grid in (hidden, without):
        np.testing.assert_array_equal(grid.weights, trace.weights[:4])
        assert grid.target_groups == piece_groups(4)
        assert grid.rule == END_RULE


def test_a_sentence_without_an_end_keeps_its_last_row():
    trace = running_example()
    grid = merge_map(trace, source_groups=piece_groups(5), target_groups=piece_groups(5), end_row=False)
    np.testing.assert_array_equal(grid.weights, trace.weights)
    assert END_RULE not in grid.rule


def test_a_sentence_of_the_end_alone_has_a_map_without_rows():
    trace = sized_trace(source=3, target=1)
    grid = merge_map(trace, source_groups=piece_groups(3), target_groups=piece_groups(1), end_row=False)
    assert grid.weights.shape == (0, 3)
    again = merge_map(trace, source_groups=piece_groups(3), target_groups=())
    assert again.target_groups == ()
    assert again.rule == END_RULE


def test_rows_set_by_hand_are_merged_like_any_other():
    trace = sized_trace(source=3, target=5)
    row = (0.5, 0.25, 0.25)
    weights = trace.weights.copy()
    weights[1] = row
    changed = replace(trace, weights=weights, intervention=Intervention(replaced_weights=((1, row),)))
    grid = merge_map(
        changed, source_groups=source_word_groups(trace), target_groups=joined_groups(5, [(0, 1)]), end_row=False
    )
    assert grid.source_groups == ((0, 0), (1, 2))
    np.testing.assert_allclose(grid.weights[0], [(weights[0, 0] + 0.5) / 2, (weights[0, 1:].sum() + 0.5) / 2])
    np.testing.assert_allclose(grid.weights.sum(axis=1), 1, rtol=1e-6)


def test_the_rule_says_what_was_done_and_nothing_else():
    trace = sized_trace(source=5, target=5)
    words, pieces = source_word_groups(trace), piece_groups(5)
    characters = joined_groups(5, [(1, 2)])

    def rule(source_groups, target_groups, **options):
        return merge_map(trace, source_groups=source_groups, target_groups=target_groups, **options).rule

    assert rule(words, pieces) == PIECES_RULE
    assert rule(pieces, characters) == CHARACTERS_RULE
    assert rule(words, characters, end_row=False) == f"{PIECES_RULE} {CHARACTERS_RULE} {END_RULE}"
    assert rule(joined_groups(5, [(0, 1)]), pieces) == COLUMNS_RULE
    assert rule(pieces, characters, target_by_hand=True) == ROWS_RULE
    assert rule(pieces, pieces, target_by_hand=True) == NOTHING_RULE


def test_words_are_called_what_was_typed():
    trace = sized_trace(source=5)
    assert column_label(trace, (0, 2)) == trace.source_text[: trace.source_spans[2][1]]
    assert column_label(trace, (1, 1)) == trace.source_tokens[1]
    without_text = replace(trace, source_text=None, source_spans=None)
    assert column_label(without_text, (0, 2)) == column_label(trace, (0, 2))
    assert column_label(without_text, (1, 2)) == trace.source_tokens[1] + trace.source_tokens[2]


def test_neighbours_joined_by_hand_leave_the_others_alone():
    assert joined_groups(5, [(3, 4), (0, 1)]) == ((0, 1), (2, 2), (3, 4))
    assert joined_groups(5, [(2, 2)]) == piece_groups(5)
    assert joined_groups(3, []) == ((0, 0), (1, 1), (2, 2))
    assert joined_groups(0, []) == ()


@pytest.mark.parametrize(
    ("spans", "sentence"),
    [
        ([(0, 2), (2, 3)], r"1 to 3 and 3 to 4 overlap"),
        ([(1, 3), (1, 3)], r"2 to 4 and 2 to 4 overlap"),
        ([(0, 4), (1, 2)], r"1 to 5 and 2 to 3 overlap"),
        ([(3, 5)], r"4 to 6 cannot be joined: there are 5 positions"),
        ([(-1, 1)], r"0 to 2 cannot be joined"),
        ([(2, 1)], r"3 to 2 cannot be joined.*the smaller one first"),
    ],
)
def test_spans_that_overlap_or_do_not_exist_are_refused(spans, sentence):
    with pytest.raises(MergeError, match=sentence):
        joined_groups(5, spans)


@pytest.mark.parametrize(
    ("source_groups", "target_groups", "sentence"),
    [
        (((0, 1), (1, 2)), piece_groups(5), r"source group 2 to 3 does not follow .* begin at position 3"),
        (((0, 0), (2, 2)), piece_groups(5), r"source group 3 to 3 does not follow .* begin at position 2"),
        (((0, 1),), piece_groups(5), r"source groups cover 2 positions, and 3 are wanted"),
        (((0, 3),), piece_groups(5), r"source groups cover 4 positions, and 3 are wanted"),
        ((), piece_groups(5), r"source groups cover 0 positions, and 3 are wanted"),
        (piece_groups(3), piece_groups(3), r"target groups cover 3 positions, and 4 are wanted"),
        (piece_groups(3), piece_groups(6), r"target groups cover 6 positions, and 5 are wanted"),
        (piece_groups(3), ((0, 1), (3, 4)), r"target group 4 to 5 does not follow"),
        (piece_groups(3), ((0, 0), (1, 0)), r"target group 2 to 1 does not follow"),
        (piece_groups(3), ((0, 2), (3, 4)), r"Rows 4 to 5 cannot be joined: row 5 is the end.*stop at row 4"),
    ],
)
def test_groups_that_do_not_fit_are_refused_with_the_reason(source_groups, target_groups, sentence):
    with pytest.raises(MergeError, match=sentence):
        merge_map(sized_trace(source=3, target=5), source_groups=source_groups, target_groups=target_groups)


def test_without_attention_there_is_nothing_to_merge():
    with pytest.raises(TraceError, match=r"no map.*'none'"):
        merge_map(sized_trace(scorer="none"), source_groups=piece_groups(3), target_groups=piece_groups(5))
