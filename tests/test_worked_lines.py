"""Arithmetic as text: numbers rounded for show only, products one by one, in the symbols that were chosen."""

import dataclasses
import html
import re

import pytest
from hypothesis import given as for_all
from hypothesis import strategies

from app.components.worked_lines import shown_number, worked_parts
from app.notation import NOTATIONS, OURS
from attention_model.arithmetic import step_arithmetic
from attention_model.by_hand import attend_by_hand
from attention_model.given import GIVEN_SCORERS
from attention_model.preset import preset
from tests.given import drawn


def parts_of(given, t=0, notation=OURS):
    trace = attend_by_hand(given)
    arithmetic = step_arithmetic(given, trace, t)
    return worked_parts(arithmetic, NOTATIONS[notation], trace.source_tokens, t, given.temperature)


def text_of(given, t=0, notation=OURS):
    """All parts as plain text, a line a line."""
    body = "".join(part.body for part in parts_of(given, t, notation))
    lines = re.sub(r"<(div|p|details)\b[^>]*>", "\n", re.sub(r"<su[bp]>(.*?)</su[bp]>", r"\1", body))
    return [" ".join(html.unescape(re.sub(r"<[^>]+>", "", line)).split()) for line in lines.split("\n") if line]


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (2.0, "2"),
        (-0.0, "0"),
        (-3.0, "−3"),
        (0.5, "0.5"),
        (0.468310, "0.468"),
        (0.1 + 0.2, "0.3"),
        (1.0, "1"),
        (0.9999, "1.000"),
        (0.00012341, "1.23·10^{−4}"),
        (-2e-9, "−2.00·10^{−9}"),
        (1e6, "1000000"),
    ],
)
def test_numbers_are_short_and_say_when_they_are_rounded(value, written):
    assert shown_number(value) == written


@for_all(strategies.floats(-1e6, 1e6))
def test_a_shown_number_is_near_the_number(value):
    text = shown_number(value).replace("−", "-").replace("·10^{", "e").rstrip("}")
    assert float(text) == pytest.approx(value, abs=0.0005)


def test_exercise_1_is_written_as_on_paper():
    lines = text_of(preset("exercise-1"))
    for line in (
        "α1,1 h₁ 1·2 + 0·0 = 2",
        "α1,2 h₂ 0·2 + 1·0 = 0",
        "α1,3 h₃ 1·2 + 1·0 = 2",
        "The largest score, 2, is subtracted from all: this changes no result, "
        "and no exponential can become too large.",
        "h₁ exp(2 − 2) = exp(0) = 1",
        "h₂ exp(0 − 2) = exp(−2) ≈ 0.135",
        "Σ = 1 + 0.135 + 1 ≈ 2.135",
        "α̂1,1 h₁ 1 / 2.135 ≈ 0.468",
        "α̂1,2 h₂ 0.135 / 2.135 ≈ 0.063",
        "a1, component 1 0.468·1 + 0.063·0 + 0.468·1 ≈ 0.937",
        "a1, component 2 0.468·0 + 0.063·1 + 0.468·1 ≈ 0.532",
        "a1 = [0.937, 0.532]",
    ):
        assert line in lines


def test_products_follow_the_notation_s_order():
    assert "score(h1, h1) h₁ 2·1 + 0·0 = 2" in text_of(preset("exercise-1"), notation="luong")
    assert "S1,1 h₁ 2·1 + 0·0 = 2" in text_of(preset("exercise-1"), notation="query-key-value")


def test_the_multiplicative_scorer_turns_the_query_first():
    given = dataclasses.replace(preset("exercise-1"), scorer="multiplicative", score_weight=[[1, 2], [3, -1]])
    lines = text_of(given)
    assert "W s1, row 1 1·2 + 2·0 = 2" in lines
    assert "W s1, row 2 3·2 + (−1)·0 = 6" in lines
    assert "α1,3 h₃ 1·2 + 1·6 = 8" in lines


def test_the_additive_scorer_is_written_inside_out():
    given = dataclasses.replace(preset("exercise-1"), scorer="additive")
    lines = text_of(given)
    for line in (
        "W2 s1, row 1 1·2 + 0·0 = 2",
        "W1 h2, row 2 0·0 + 1·1 = 1",
        "row 2 1 + 0 = 1, tanh(1) ≈ 0.762",
        "α1,2 h₂ 1·0.964 + 1·0.762 ≈ 1.726",
    ):
        assert line in lines


def test_what_follows_the_context_is_written_too():
    lines = text_of(preset("running-example"), 2)
    assert "õt = tanh(Wout [at; st])" in lines
    assert any(line.startswith("P(喜) ") for line in lines)
    assert len(parts_of(preset("running-example"))) == 5
    assert len(parts_of(preset("exercise-1"))) == 3


def test_what_is_set_by_hand_is_said():
    given = dataclasses.replace(preset("exercise-1"), edited_scores=((0, 1, 2.0),), edited_weights=((0, 0, 0.5),))
    lines = text_of(given)
    assert "h₂ Set by hand: 2 takes the place of this score." in lines
    assert "Weights were set by hand. The others share what is left, 0.5, in proportion to these weights:" in lines
    assert "h₁ set by hand = 0.5" in lines
    assert "h₂ 0.333 · 0.5 / 0.667 = 0.25" in lines


def test_a_whole_row_set_by_hand_leaves_nothing():
    edits = ((0, 0, 0.5), (0, 1, 0.25), (0, 2, 0.25))
    lines = text_of(dataclasses.replace(preset("exercise-1"), edited_weights=edits))
    assert "Weights were set by hand. No other word is left." in lines


def test_a_temperature_is_said():
    lines = text_of(dataclasses.replace(preset("exercise-1"), temperature=0.5))
    assert "Each score is divided by the temperature 0.5 first." in lines
    assert "h₂ exp(0 − 4) = exp(−4) ≈ 0.018" in lines


@pytest.mark.parametrize("scorer", GIVEN_SCORERS)
@pytest.mark.parametrize("notation", NOTATIONS)
def test_a_rounded_number_has_its_exact_value_on_hover(notation, scorer):
    given = drawn(scorer=scorer)
    body = "".join(part.body for part in parts_of(given, 1, notation))
    trace = attend_by_hand(given)
    for value in trace.weights[1].tolist():
        assert f'title="{value!r}"' in body


def test_words_are_no_html():
    given = dataclasses.replace(
        drawn(target=1, words=2), source_tokens=("<b>", "&", "c"), vocabulary=("<i>x</i>", "step 1")
    )
    body = "".join(part.body for part in parts_of(given))
    assert "&lt;b&gt;" in body
    assert "&lt;i&gt;x" in body
    assert "<i>" not in body


def test_chinese_words_are_marked():
    assert '<span lang="zh-Hant">喜</span>' in parts_of(preset("running-example"))[4].body
