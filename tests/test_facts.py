"""The table of facts holds what it is given, escaped, and nothing for what does not exist."""

import math

import pytest

from app.components.facts import NOTHING, Fact, facts_table, probability_text


def test_a_row_holds_a_value_a_model():
    table = facts_table(("dot", "none"), [("Scores", [Fact("range", ("−1 to 2", None), "raw")])])
    assert '<th scope="col">dot</th><th scope="col">none</th>' in table
    assert f'<tr><th scope="row">range<small>raw</small></th><td>−1 to 2</td><td>{NOTHING}</td></tr>' in table
    assert '<th class="group" scope="rowgroup" colspan="3">Scores</th>' in table


def test_what_no_model_has_is_left_out():
    table = facts_table(("a", "b"), [("Scores", [Fact("range", (None, None))]), ("Cost", [Fact("n", ("1", "2"))])])
    assert "range" not in table
    assert "Scores" not in table
    assert "Cost" in table


def test_chinese_carries_its_language_and_text_is_escaped():
    table = facts_table(("<i>",), [("<b>", [Fact("<u>", ("<s>貓",), "<a>", is_chinese=True)])])
    assert '<span lang="zh-Hant">&lt;s&gt;貓</span>' in table
    for tag in ("<i>", "<b>", "<u>", "<a>", "<s>"):
        assert tag not in table


@pytest.mark.parametrize(
    ("log_probability", "text"),
    [
        (0.0, "1.000"),
        (math.log(0.25), "0.250"),
        (math.log(0.001), "0.001"),
        (math.log(4.9e-17), "4.9·10⁻¹⁷"),
        (math.log(9.99e-5), "1.0·10⁻⁴"),
        (-1000 * math.log(10), "1.0·10⁻¹⁰⁰⁰"),  # smaller than any number of the machine
        (-math.inf, "0"),
        (None, None),
    ],
)
def test_a_probability_is_said_however_small_it_is(log_probability, text):
    assert probability_text(log_probability) == text
