"""Tables of text cells: numbers there and back exactly, and a clear sentence for each cell that holds none."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from hypothesis import given as for_all
from hypothesis import strategies

from app.number_tables import (
    WITH_WORDS,
    WORD,
    number_table,
    read_given,
    read_number,
    read_step_edits,
    step_table,
    written_number,
)
from attention_model.by_hand import attend_by_hand
from attention_model.errors import GivenError
from attention_model.given import TABLES
from attention_model.preset import preset
from tests.given import drawn


def tables_of(given):
    return {name: number_table(given, name) for name in TABLES if getattr(given, name) is not None}


def typed(given, name, row, column, text):
    """The tables of a calculation with one cell changed."""
    tables = tables_of(given)
    tables[name].loc[row, column] = text
    return tables


@pytest.mark.parametrize("given", [drawn(d_s=5, scorer="additive"), preset("running-example")], ids=["drawn", "whole"])
def test_tables_read_back_exactly(given):
    assert read_given(given, tables_of(given), scorer=given.scorer).to_json() == given.to_json()


def test_tables_that_are_not_shown_stay_as_they_are():
    given = drawn()
    shown = {"decoder_states": number_table(given, "decoder_states")}
    assert (
        read_given(given, shown, scorer="additive").to_json() == dataclasses.replace(given, scorer="additive").to_json()
    )


def test_every_cell_is_text_and_rows_with_names_have_them_first():
    given = preset("running-example")
    table = number_table(given, "encoder_states")
    assert table.columns.tolist() == ["word", "1", "2", "3", "4"]
    assert table.iloc[0].tolist() == ["I", "2", "0", "-1", "0"]
    assert number_table(given, "output_weight").columns.tolist()[3:5] == ["context 4", "query 1"]
    assert number_table(given, "score_vector").shape == (1, 4)
    assert set(WITH_WORDS) == {name for name in TABLES if WORD in number_table(given, name)}


@for_all(strategies.floats(-1e6, 1e6))
def test_a_number_is_written_so_that_it_reads_back(value):
    assert read_number(written_number(value)) == value


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("2", 2),
        (" -0.5 ", -0.5),
        ("−2", -2),
        ("0,25", 0.25),
        (",5", 0.5),
        ("3.", 3),
        ("+1e3", 1000),
        ("1,5E-2", 0.015),
    ],
)
def test_a_point_a_comma_and_a_true_minus_are_read(text, number):
    assert read_number(text) == number


@pytest.mark.parametrize("text", ["abc", "1_000", "1.000,5", "0x10", "nan", "inf", "1 2", "٣", "", "--1", "1e", "π"])
def test_other_text_stays_what_it_is(text):
    assert read_number(text) == text


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("abc", "is 'abc'"),
        ("nan", "is 'nan'"),
        ("-inf", "is '-inf'"),
        ("", "is empty"),
        ("   ", "is empty"),
        (None, "is empty"),
        (float("nan"), "is empty"),
        ("1000000.5", "is 1000000.5"),
        ("1e999", "is inf"),
        ("<b>1</b>", "is '<b>1</b>'"),
    ],
)
def test_a_cell_without_a_number_is_named_with_what_is_wanted(text, found):
    given = preset("running-example")
    with pytest.raises(GivenError) as mistake:
        read_given(given, typed(given, "encoder_states", 1, "3", text), scorer="dot")
    assert str(mistake.value).startswith(f"Row 2, column 3 of the encoder states {found}")
    assert "a number from -1,000,000 to 1,000,000 is wanted" in str(mistake.value)


def test_the_largest_entry_is_read():
    given = preset("running-example")
    assert read_given(given, typed(given, "encoder_states", 1, "3", "1e6"), scorer="dot").encoder_states[1, 2] == 1e6


def test_a_row_without_a_name_is_refused():
    given = preset("running-example")
    with pytest.raises(GivenError, match="The source word 2 is empty"):
        read_given(given, typed(given, "encoder_states", 1, WORD, None), scorer="dot")


def with_rows(given, name, count):
    table = number_table(given, name)
    return {name: pd.concat([table] + [table.iloc[-1:]] * (count - len(table)), ignore_index=True)}


def test_a_row_more_is_a_state_more():
    given = preset("running-example")
    more = read_given(given, with_rows(given, "encoder_states", 7), scorer="dot")
    assert more.source_tokens == ("I", "like", "cats", "a", "lot", "lot", "lot")
    assert more.encoder_states.shape == (7, 4)


def test_too_many_states_are_refused():
    given = preset("running-example")
    with pytest.raises(GivenError, match="13 rows in the encoder states, and at most 12"):
        read_given(given, with_rows(given, "encoder_states", 13), scorer="dot")


def test_no_state_at_all_is_refused():
    given = preset("running-example")
    with pytest.raises(GivenError, match="no numbers in the encoder states"):
        read_given(given, {"encoder_states": number_table(given, "encoder_states").iloc[:0]}, scorer="dot")


def test_what_was_set_by_hand_goes_with_its_row():
    given = dataclasses.replace(drawn(), edited_scores=((0, 2, 1.0), (0, 1, 2.0)), edited_weights=((4, 0, 0.5),))
    tables = {
        "encoder_states": number_table(given, "encoder_states").iloc[:2],
        "decoder_states": number_table(given, "decoder_states").iloc[:3],
    }
    read = read_given(dataclasses.replace(given, vocabulary=None, vocabulary_weight=None), tables, scorer="dot")
    assert (read.edited_scores, read.edited_weights) == (((0, 1, 2.0),), ())


def edits_after(given, t, column, i, text):
    """What is set by hand after one cell of a step's table was typed into."""
    shown = step_table(attend_by_hand(given), t)
    edited = shown.copy()
    edited.loc[i, column] = text
    return read_step_edits(given, shown, edited, t)


def test_a_typed_score_or_weight_is_set_by_hand():
    given = dataclasses.replace(drawn(), edited_scores=((0, 0, 1.0),))
    assert edits_after(given, 1, "score", 2, "-1,5").scores == ((0, 0, 1.0), (1, 2, -1.5))
    assert edits_after(given, 1, "weight", 2, "0.25").weights == ((1, 2, 0.25),)
    assert edits_after(given, 0, "score", 0, "7").scores == ((0, 0, 7.0),)


def test_a_table_that_nobody_typed_into_sets_nothing():
    given = drawn()
    shown = step_table(attend_by_hand(given), 1)
    assert read_step_edits(given, shown, shown.copy(), 1) is None


def test_scores_that_were_computed_may_be_larger_than_what_can_be_typed():
    exercise = preset("exercise-1")
    given = dataclasses.replace(exercise, encoder_states=[[1e6, 0], [0, 1], [1, 1]])
    shown = step_table(attend_by_hand(given), 0)
    assert shown["score"].tolist() == ["2e+06", "0", "2"]
    assert read_step_edits(given, shown, shown.copy(), 0) is None
    assert edits_after(given, 0, "score", 1, "2").scores == ((0, 1, 2.0),)


@pytest.mark.parametrize(("text", "found"), [("x", "'x'"), ("", "empty"), ("2e6", "2000000.0"), ("nan", "'nan'")])
def test_a_score_that_is_no_number_is_named(text, found):
    with pytest.raises(GivenError, match=f"Number 3 of the scores of this step is {found}, and a number from"):
        edits_after(drawn(), 1, "score", 2, text)


def test_a_step_s_table_shows_what_is_used():
    given = dataclasses.replace(drawn(), edited_scores=((1, 0, 3.0),), edited_weights=((1, 2, 0.5),))
    trace = attend_by_hand(given)
    table = step_table(trace, 1)
    assert table["score"][0] == "3"
    assert table["weight"][2] == "0.5"
    assert np.array([float(text) for text in table["weight"]]).sum() == pytest.approx(1, abs=1e-5)
