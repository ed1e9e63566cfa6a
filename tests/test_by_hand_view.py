"""The By hand page: everything on it comes from one calculation, and bad input never takes the last good one away."""

import dataclasses
import html
import io
import re

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from app.calculation import BLANK, packed
from app.components.step_player import WORD_MARK
from attention_model.by_hand import attend_by_hand
from attention_model.preset import preset
from tests.given import drawn


def page(attend):
    from app.views import by_hand

    by_hand.render(attend)


def reporting_page():
    import streamlit as st

    from app import calculating

    take, arguments = st.session_state["called"]
    getattr(calculating, take)(*arguments)


def opened(attend=attend_by_hand, **link):
    at = AppTest.from_function(page, kwargs={"attend": attend}, default_timeout=60)
    for name, value in link.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    assert not at.error
    return at


def lines(at):
    """Everything that is written out, as plain text."""
    body = "".join(one.value for one in at.html if '<div class="worked">' in one.value)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", body)).split())


def said(at):
    return "\n".join(one.value for kind in (at.warning, at.info, at.caption, at.markdown) for one in kind)


def player(at):
    return at.get("bidi_component")[0].proto.bytes.decode()


def table(at, number):
    return at.dataframe[number].value


@pytest.fixture
def typing(monkeypatch):
    """A function that types from now on into a cell of a table: (the table's name, row, column, text)."""
    cells = []
    original = st.data_editor

    def data_editor(data, *, key, **options):
        frame = original(data, key=key, **options).copy()
        for name, row, column, text in cells:
            if key.startswith(f"hand_{name}_") and row < len(frame):
                frame.loc[row, column] = text
        return frame

    monkeypatch.setattr(st, "data_editor", data_editor)
    return lambda *cell: cells.append(cell)


def test_the_first_paint_shows_the_running_example_worked_out():
    at = opened()
    assert table(at, 0)["word"].tolist() == ["I", "like", "cats", "a", "lot"]
    assert "2·3 + 0·0 + (−1)·0 + 0·0 = 6" in lines(at)
    assert "P(我)" in lines(at)
    assert f"looks at {WORD_MARK}I{WORD_MARK} (0.99)" in player(at)
    assert dict(at.query_params) == {}


@pytest.mark.parametrize(
    ("start", "line"),
    [
        ("exercise-1", "0.468·1 + 0.063·0 + 0.468·1 ≈ 0.937"),
        ("the-cat-sat", "0·0.1 + 1·0.9 = 0.9"),
        (BLANK, "0.333·0 + 0.333·0 + 0.333·0 = 0"),
    ],
)
def test_choosing_a_preset_loads_it(start, line):
    at = opened(step="3")
    at.pills(key="hand_start").set_value(start).run()
    assert line in lines(at)
    assert at.query_params["preset"] == start
    assert at.pills(key="hand_step").value == 0


def test_the_page_shows_what_the_given_engine_computes():
    seen = []

    def attend(given):
        seen.append(given)
        return attend_by_hand(given)

    at = opened(attend, scorer="additive")
    assert {given.scorer for given in seen} == {"additive"}
    at.segmented_control(key="hand_scorer").set_value("multiplicative").run()
    assert seen[-1].scorer == "multiplicative"


def test_the_tables_of_the_scorer_are_there_to_type_in():
    at = opened()
    count = len(at.dataframe)
    at.segmented_control(key="hand_scorer").set_value("multiplicative").run()
    assert len(at.dataframe) == count + 1
    at.segmented_control(key="hand_scorer").set_value("additive").run()
    assert len(at.dataframe) == count + 3
    assert at.query_params["scorer"] == "additive"


def test_what_is_chosen_stays_although_the_browser_still_tells_the_link_of_before():
    at = opened(preset="the-cat-sat")
    at.segmented_control(key="hand_scorer").set_value("additive").run()
    del at.query_params["scorer"]
    at.run()
    assert at.segmented_control(key="hand_scorer").value == "additive"
    assert at.query_params["scorer"] == "additive"


@pytest.mark.parametrize(("take", "arguments"), [("_take_start", ()), ("_take_output", ("hand_output_False",))])
def test_a_widget_that_reports_without_having_been_moved_changes_nothing(take, arguments):
    at = opened(preset="exercise-1", scorer="additive")
    before = at.session_state["hand_given"].to_json()
    page = AppTest.from_function(reporting_page, default_timeout=60)
    for name in ("hand_given", "hand_start", "hand_began"):
        page.session_state[name] = at.session_state[name]
    page.session_state["hand_output_False"] = False
    page.session_state["called"] = take, arguments
    page.run()
    assert not page.exception
    assert page.session_state["hand_given"].to_json() == before


def test_a_typed_number_is_computed_with_at_once(typing):
    typing("encoder_states", 0, "1", "3,5")
    at = opened()
    assert "3.5·3 + 0·0 + (−1)·0 + 0·0 = 10.5" in lines(at)
    assert "Changed by you." in said(at)
    assert "states" in at.query_params


@pytest.mark.parametrize("text", ["abc", "", "nan", "inf", "1e7", None])
def test_a_cell_that_is_no_number_is_named_and_the_last_good_numbers_stay(typing, text):
    at = opened()
    typing("encoder_states", 1, "3", text)
    at.run()
    assert len(at.warning) == 1
    assert at.warning[0].value.startswith("Row 2, column 3 of the encoder states is ")
    assert "is wanted" in at.warning[0].value
    assert "last good numbers" in at.warning[0].value
    assert "2·3 + 0·0 + (−1)·0 + 0·0 = 6" in lines(at)
    at.segmented_control(key="hand_scorer").set_value("multiplicative").run()  # everything else goes on
    assert "W s1, row 1" in lines(at)


def test_a_typed_weight_makes_the_others_share_the_rest(typing):
    at = opened(preset="the-cat-sat")
    typing("step", 2, "weight", "0.5")
    at.run()
    assert "The weight of **sat** is set by hand." in said(at)
    assert "Weights were set by hand. The others share what is left, 0.5" in lines(at)
    assert '"replaced_weights":[[0,[' in player(at)


def test_a_typed_score_changes_all_weights_and_can_be_taken_back(typing):
    given = dataclasses.replace(preset("the-cat-sat"), edited_scores=((0, 0, 1.0),))
    at = opened(preset="the-cat-sat", states=packed(given))
    assert "The score of **the** is set by hand." in said(at)
    assert "the Set by hand: 1 takes the place of this score." in lines(at)
    at.button(key="hand_take_back").click().run()
    assert "Set by hand" not in lines(at)
    assert "states" not in at.query_params


def test_a_weight_out_of_range_is_refused(typing):
    at = opened(preset="the-cat-sat")
    typing("step", 2, "weight", "1.5")
    at.run()
    assert "The weight of 'sat' at step 1 is 1.5, and a number from 0 to 1 is wanted" in at.warning[0].value.replace(
        "\\", ""
    )
    assert "0.433" in lines(at)


def test_the_step_is_the_one_that_is_worked_out_and_shown():
    at = opened(step="2")
    assert '"start":{"step":1,"part":null}' in player(at)
    at.pills(key="hand_step").set_value(4).run()
    assert '"start":{"step":4,"part":null}' in player(at)
    assert "0·0 + 2·0 + 0·0 + (−1)·3 = −3" in lines(at)


@pytest.mark.parametrize("name", ["bahdanau", "luong", "query-key-value"])
def test_formulas_follow_the_notation_on_the_page_and_in_the_player(name):
    at = opened()
    at.segmented_control(key="hand_notation").set_value(name).run()
    assert at.query_params["notation"] == name
    symbol, context = {
        "bahdanau": ("e1,1", "ct ="),
        "luong": ("score(h1, h1)", "ct ="),
        "query-key-value": ("S1,1", "zt ="),
    }[name]
    assert symbol in lines(at)
    assert context in lines(at)
    assert {"bahdanau": "c_{t} = ", "luong": "c_{t} = ", "query-key-value": "z_{t} = "}[name] in player(at)


def test_states_of_different_sizes_refuse_dot_and_the_last_good_numbers_stay():
    at = opened(preset=BLANK)
    at.number_input(key="hand_d_s").set_value(5).run()
    assert at.segmented_control(key="hand_scorer").value == "multiplicative"
    at.segmented_control(key="hand_scorer").set_value("dot").run()
    assert "A dot product needs equally many components" in said(at)
    assert "W s1, row 1" in lines(at)


def test_a_link_whose_states_cannot_be_scored_says_why():
    given = dataclasses.replace(drawn(d_s=5, output=False), scorer="dot")
    at = opened(preset=BLANK, states=packed(given))
    assert "A dot product needs equally many components" in said(at)


def test_a_blank_calculation_grows_and_keeps_what_it_had():
    at = opened(preset="exercise-1")
    at.pills(key="hand_start").set_value(BLANK).run()
    at.number_input(key="hand_source").set_value(4).run()
    assert len(table(at, 0)) == 4
    at.number_input(key="hand_d_h").set_value(3).run()
    assert table(at, 0).columns.tolist() == ["word", "1", "2", "3"]


def test_sizes_of_the_workbench_become_a_blank_calculation():
    at = opened()
    at.session_state["tab"] = "Sizes"
    at.run()
    at.number_input(key="bench_d_s").set_value(5).run()
    at.button(key="bench_take").click().run()
    assert at.pills(key="hand_start").value == BLANK
    assert table(at, 0).columns.tolist() == ["word", "1", "2", "3", "4"]
    assert table(at, 1).columns.tolist() == ["word", "1", "2", "3", "4", "5"]


def test_what_follows_the_context_can_be_switched():
    at = opened(preset="exercise-1")
    at.toggle(key="hand_output_False").set_value(True).run()
    assert "õ1 =" in lines(at)
    at.toggle(key="hand_output_True").set_value(False).run()
    assert "õ1 =" not in lines(at)


def test_two_exercises_share_one_picture_whose_query_moves():
    at = opened(preset="the-cat-sat")
    spec = at.get("plotly_chart")[0].proto.spec
    assert "query of Exercise 1" in spec
    at.slider(key="hand_query_0").set_value(1.5).run()
    assert "1·1.5 + 0·0.9 = 1.5" in lines(at)
    assert table(at, 1).iloc[0].tolist() == ["query", "1.5", "0.9"]


def test_states_of_four_components_have_no_picture():
    assert not opened().get("plotly_chart")


@pytest.mark.parametrize(("language", "beginning"), [("NumPy", "import numpy as np"), ("PyTorch", "import torch")])
def test_the_step_is_there_as_code_with_what_it_prints(language, beginning):
    at = opened(preset="the-cat-sat")
    at.session_state["tab"] = "As code"
    at.run()
    at.segmented_control(key="hand_language").set_value(language).run()
    assert at.code[0].value.startswith(beginning)
    assert at.code[1].value.splitlines()[0] == "the  score=0.10  attention=0.18"


def test_a_link_names_a_tab():
    at = opened(preset="exercise-1", tab="Symbols")
    assert any('<table class="symbols">' in one.value for one in at.html)
    assert not at.info
    at.pills(key="hand_start").set_value(BLANK).run()
    assert at.query_params["tab"] == "Symbols"
    assert any('<table class="symbols">' in one.value for one in at.html)


def test_a_tab_that_does_not_exist_is_said():
    at = opened(preset="exercise-1", tab="<b>Nothing")
    assert "the tab “\\<b\\>Nothing”" in at.info[0].value
    assert "Picture, As code" in at.info[0].value


def test_the_symbols_are_explained():
    at = opened(notation="bahdanau")
    at.session_state["tab"] = "Symbols"
    at.run()
    assert "Bahdanau, Cho and Bengio" in said(at)
    assert any('<table class="symbols">' in one.value for one in at.html)


def test_a_link_brings_the_calculation_back():
    given = dataclasses.replace(drawn(2, 3, 2, 2, 2, output=False), scorer="additive")
    at = opened(preset=BLANK, states=packed(given), notation="luong", step="3")
    assert table(at, 0)["word"].tolist() == ["word 1", "word 2"]
    assert at.segmented_control(key="hand_scorer").value == "additive"
    assert at.segmented_control(key="hand_notation").value == "luong"
    assert '"start":{"step":2,' in player(at)
    assert at.query_params["states"] == [packed(given)] or at.query_params["states"] == packed(given)


def test_nonsense_in_a_link_is_said():
    at = opened(preset="dogs", states="nonsense")
    assert "asks for the calculation" in at.info[0].value
    assert "2·3 + 0·0 + (−1)·0 + 0·0 = 6" in lines(at)
    at.pills(key="hand_start").set_value("exercise-1").run()
    assert not at.info


def opened_with_file(name, content):
    at = opened(preset="the-cat-sat")
    file = io.BytesIO(content)
    at.file_uploader(key="hand_file").set_value((name, file.getvalue(), "application/json")).run()
    assert not at.exception
    assert not at.error
    return at


def test_a_saved_file_opens_again():
    given = drawn(d_s=5, scorer="additive")
    at = opened_with_file("mine.json", given.to_json())
    assert at.session_state["hand_given"].to_json() == given.to_json()
    assert not at.warning


def test_a_file_that_cannot_be_computed_is_not_mixed_with_the_calculation_before_it():
    at = opened_with_file("mine.json", dataclasses.replace(drawn(d_s=5), scorer="dot").to_json())
    assert "A dot product needs equally many components" in said(at)
    assert not lines(at)  # its numbers could be typed over, and would then meet this file's tables
    at.segmented_control(key="hand_scorer").set_value("multiplicative").run()
    assert not at.warning
    assert lines(at)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"not json", "it is not JSON"),
        (b"{}", "holds no calculation by hand"),
        (preset("exercise-1").to_json().replace(b"2.0", b"2e9"), "Row 1, column 1 of the queries is 2000000000"),
        (preset("exercise-1").to_json().replace(b"[2.0,0.0]", b"[2.0]"), "differ in length|is wanted"),
    ],
)
def test_a_bad_file_is_refused_with_the_reason_and_the_page_keeps_what_it_had(content, reason):
    at = opened_with_file("bad.json", content)
    warning = at.warning[0].value.replace("\\", "")
    assert warning.startswith("bad.json was not opened, and the page keeps what it had.")
    assert re.search(reason, warning)
    assert "0·0.1 + 1·0.9 = 0.9" in lines(at)


def test_a_calculation_too_large_for_a_link_says_that_a_file_is_needed():
    at = opened_with_file("large.json", drawn(12, 12, 16, 16, 16, output=False).to_json())
    assert "too large for a link" in said(at)
    assert "states" not in at.query_params
