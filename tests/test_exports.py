"""Files to take home: the JSON reads back exactly, and no cell of the CSV is a formula."""

import csv
import io

import numpy as np
import pytest

from app.exports import disarmed, file_name, trace_csv, trace_json
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
