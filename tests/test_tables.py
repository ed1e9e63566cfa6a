"""The tables carry the trace's own numbers, unrounded, under labels that stay unique."""

import numpy as np
import pytest

from app.tables import (
    candidates_table,
    grid_table,
    hypotheses_table,
    long_table,
    matrix_table,
    search_table,
    steps_table,
)
from attention_model.errors import TraceError
from attention_model.merging import joined_groups, merge_map, source_word_groups
from attention_model.search_tree import Extension, grow_tree
from attention_model.trace import END_TOKEN
from tests.toy import running_example, sized_trace


@pytest.mark.parametrize("name", ["weights", "scores", "computed_weights"])
def test_a_matrix_is_the_trace_s_own(name):
    trace = sized_trace(source=3, target=5)
    np.testing.assert_array_equal(matrix_table(trace, name).to_numpy(), getattr(trace, name))


def test_labels_carry_positions_so_that_a_token_can_occur_twice():
    trace = sized_trace(source=3, target=5)
    object.__setattr__(trace, "source_tokens", ("the", "cat", "the"))
    assert list(matrix_table(trace, "weights").columns) == ["1 the", "2 cat", "3 the"]
    assert matrix_table(trace, "weights").index[-1] == "5 the end"


def test_a_merged_map_is_a_table_of_its_groups():
    trace = sized_trace(source=5, target=7)
    grid = merge_map(
        trace, source_groups=source_word_groups(trace), target_groups=joined_groups(7, [(0, 1)]), end_row=True
    )
    table = grid_table(trace, grid)
    np.testing.assert_array_equal(table.to_numpy(), grid.weights)
    assert list(table.columns) == [f"{i} {word}" for i, word in enumerate(trace.source_text.split(), start=1)]
    assert table.index[0] == "1 " + "".join(trace.target_tokens[:2])
    assert table.index[-1] == "6 the end"


def test_steps_say_in_words_where_they_look():
    table = steps_table(running_example())
    assert list(table["token"]) == ["我", "很", "喜", "歡", "貓"]
    assert table.loc[2, "where it looks"].startswith("很 looks at a lot")
    assert "probability" not in table


def test_steps_have_probability_rank_and_entropy_where_they_exist():
    trace = sized_trace()
    table = steps_table(trace)
    np.testing.assert_array_equal(table["probability"], trace.token_probabilities)
    assert tuple(table["rank"]) == trace.token_ranks
    assert "entropy (bits)" in table
    assert "entropy (bits)" not in steps_table(sized_trace(scorer="none"))


def test_candidates_mark_the_chosen_one():
    table = candidates_table(sized_trace(target=5))
    assert len(table) == 5 * 10
    assert list(table[table["chosen"]]["rank"]) == [1] * 5
    assert candidates_table(running_example()).empty


def test_the_long_table_has_a_row_a_cell():
    trace = sized_trace(source=3, target=5)
    table = long_table(trace)
    assert len(table) == 15
    cell = table[(table["step"] == 4) & (table["source_position"] == 2)].iloc[0]
    assert cell["weight"] == trace.weights[3, 1]
    assert cell["score"] == trace.scores[3, 1]
    assert cell["target_token"] == trace.target_tokens[3]
    assert cell["source_token"] == trace.source_tokens[1]
    assert cell["probability"] == trace.token_probabilities[3]


def test_without_attention_the_long_table_has_a_row_a_step():
    table = long_table(sized_trace(target=5, scorer="none"))
    assert len(table) == 5
    assert "weight" not in table


def test_without_attention_there_is_no_matrix():
    with pytest.raises(TraceError, match=r"no scores.*'none'"):
        matrix_table(sized_trace(scorer="none"), "scores")


def test_hypotheses_are_listed_with_their_log_probabilities():
    traces = [sized_trace(target=5, decoding="beam"), sized_trace(target=3, decoding="beam", seed=1)]
    object.__setattr__(traces[1], "hypothesis_rank", 2)
    object.__setattr__(traces[1], "finished", False)
    table = hypotheses_table(traces)
    assert list(table.index) == [1, 2]
    assert list(table["translation"]) == [trace.translation for trace in traces]
    assert list(table["score per token"]) == [trace.hypothesis_score for trace in traces]
    for total, trace in zip(table["log probability"], traces, strict=True):
        assert total == pytest.approx(np.log(trace.token_probabilities).sum(), rel=1e-5)
    assert list(table["steps"]) == [5, 3]
    assert list(table["finished"]) == [True, False]


def test_only_beam_search_has_hypotheses():
    with pytest.raises(TraceError, match=r"no hypotheses to rank: decoding is 'greedy'"):
        hypotheses_table([sized_trace()])


def test_a_search_is_a_row_a_prefix():
    tree = grow_tree(
        [
            Extension(None, "我", -0.25, True),
            Extension(None, "很", -1.5, True),
            Extension(0, END_TOKEN, -1.0, True),
            Extension(0, "貓", -1.25, True),
            Extension(1, "貓", -2.0, False),
        ],
        [2, 3],
    )
    table = search_table(tree)
    assert list(table.index) == [1, 1, 2, 2, 2]
    assert list(table["prefix"]) == ["我", "很", "我 the end", "我 貓", "很 貓"]
    assert list(table["what became of it"]) == ["lived", "died", "ended", "stopped", "cut"]
    assert list(table["log probability"]) == [-0.25, -1.5, -1.0, -1.25, -2.0]
    assert list(table["score per token"]) == [-0.25, -1.5, -0.5, -0.625, -1.0]
    assert list(table["leads to rank"]) == ["1, 2", "", "1", "2", ""]
