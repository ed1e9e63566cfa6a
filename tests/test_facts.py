"""The table of facts holds what it is given, escaped, and nothing for what does not exist."""

from app.components.facts import NOTHING, Fact, facts_table


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
