"""Files to take home: the JSON reads back exactly, and no cell of the CSV is a formula."""

import csv
import io

import numpy as np
import pytest

from app.exports import LINK_RULES, disarmed, file_name, pharaoh, pharaoh_numbering, trace_csv, trace_json
from attention_model.chinese import segment_words
from attention_model.errors import TraceError
from attention_model.merging import merge_map, piece_groups, source_word_groups
from attention_model.trace import ARRAY_FIELDS, DecodingTrace
from tests.toy import running_example, sized_trace


def rows_of(trace):
    return list(csv.DictReader(io.StringIO(trace_csv(trace).decode("utf-8-sig"))))


def test_the_json_gives_the_trace_back_exactly():
    trace = sized_trace()
    again = DecodingTrace.from_json(trace_json(trace))
    assert again.target_tokens == trace.target_tokens
    for name in ARRAY_FIELDS:
        np.testing.assert_array_equal(getattr(again, name), getattr(trace, name))


def test_the_csv_holds_every_weight_exactly():
    trace = sized_trace(source=3, target=5)
    weights = np.array([row["weight"] for row in rows_of(trace)], dtype=np.float32)
    np.testing.assert_array_equal(weights.reshape(5, 3), trace.weights)


def test_the_csv_says_that_it_is_utf_8():
    assert trace_csv(running_example()).startswith(b"\xef\xbb\xbf")
    assert rows_of(running_example())[0]["target_token"] == "我"


def read_links(line):
    """Pharaoh links as another tool reads them: pairs (source, target)."""
    return [tuple(map(int, link.split("-"))) for link in line.decode("ascii").split()]


def test_the_links_of_the_running_example_are_source_first_and_counted_from_0():
    # 很 looks at *a* and *lot* alike, and the first of equals is taken.
    assert pharaoh(running_example()) == b"0-0 3-1 1-2 1-3 2-4\n"


def test_the_links_of_the_merged_running_example_count_words():
    trace = running_example()
    grid = merge_map(trace, source_groups=piece_groups(5), target_groups=segment_words(trace.target_tokens))
    assert pharaoh(trace, grid=grid) == b"0-0 3-1 1-2 2-3\n"


@pytest.mark.parametrize("rule", LINK_RULES)
def test_links_are_those_of_the_rule_and_the_end_has_none(rule):
    trace = sized_trace(source=5, target=7)
    threshold = float(np.median(trace.weights))
    links = read_links(pharaoh(trace, rule=rule, threshold=threshold))
    wanted = [
        (i, t)
        for t in range(6)
        for i in range(5)
        if trace.weights[t, i] >= threshold and (rule == "threshold" or trace.weights[t, i] == trace.weights[t].max())
    ]
    assert links == wanted
    assert len(wanted) > 3


@pytest.mark.parametrize("end_row", [True, False])
def test_links_of_a_merged_map_are_the_same_with_and_without_the_end_s_row(end_row):
    trace = sized_trace(source=5, target=7)
    words = source_word_groups(trace)
    grid = merge_map(trace, source_groups=words, target_groups=piece_groups(7), end_row=end_row)
    links = read_links(pharaoh(trace, grid=grid, rule="threshold", threshold=0))
    assert links == [(i, t) for t in range(6) for i in range(len(words))]


def test_a_sentence_without_links_is_an_empty_line():
    assert pharaoh(running_example(), threshold=1.0) == b"\n"


def test_it_is_said_what_the_numbers_of_links_count():
    trace = sized_trace(source=5, target=7)
    assert pharaoh_numbering(trace) == (
        "In a link i-j, i counts the 5 source pieces and j the 6 target tokens, both from 0; the end has no link."
    )
    grid = merge_map(trace, source_groups=source_word_groups(trace), target_groups=piece_groups(7))
    assert "i counts the 4 columns of the merged map and j its 6 rows" in pharaoh_numbering(trace, grid)
    assert "j the 5 target tokens" in pharaoh_numbering(running_example())


def test_without_attention_there_are_no_links():
    with pytest.raises(TraceError, match=r"no links.*'none'"):
        pharaoh(sized_trace(scorer="none"))


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1", "  =1"])
def test_a_formula_is_disarmed(cell):
    assert disarmed(cell) == "'" + cell


@pytest.mark.parametrize("cell", ["cats", "a=b", "我", "", "'", "</s>"])
def test_other_text_stays_as_it_is(cell):
    assert disarmed(cell) == cell


def test_tokens_of_the_csv_are_disarmed_and_negative_numbers_stay_numbers():
    trace = sized_trace(source=3, target=5)
    object.__setattr__(trace, "source_tokens", ("=cmd", "-x", "cats"))
    rows = rows_of(trace)
    assert {row["source_token"] for row in rows} == {"'=cmd", "'-x", "cats"}
    negative = [row["score"] for row in rows if float(row["score"]) < 0]
    assert negative
    assert all(score.startswith("-") for score in negative)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("I like cats a lot.", "i-like-cats-a-lot-dot.csv"),
        ("../../etc/passwd", "etc-passwd-dot.csv"),
        ("我喜歡貓", "sentence-dot.csv"),
        ("word " * 100, "word-word-word-word-word-word-word-word-dot.csv"),
    ],
)
def test_file_names_are_plain(text, name):
    trace = sized_trace()
    object.__setattr__(trace, "source_text", text)
    assert file_name(trace, "csv") == name


def test_a_file_of_a_changed_trace_says_so():
    assert file_name(sized_trace(hidden=((1, 0),)), "csv").endswith("-dot-what-if.csv")
    assert file_name(sized_trace(), "csv").endswith("-dot.csv")
