"""Ways of writing: each paper's own formulas, and symbols with numbers in the place of their letters."""

import re

import pytest

from app.components.step_player import FORMULAS
from app.notation import NOTATIONS, OURS, SYMBOLS, symbol_html, symbol_table
from attention_model.given import GIVEN_SCORERS


def test_our_formulas_are_those_of_the_player_but_for_the_name_of_the_output_matrix():
    ours = NOTATIONS[OURS].formulas
    differing = {name for name in ours if ours[name] != FORMULAS[name]}
    assert differing == {"output"}
    assert ours["output"].replace("W_{out}", "W") == FORMULAS["output"]


@pytest.mark.parametrize("name", NOTATIONS)
def test_every_notation_writes_every_part(name):
    formulas = NOTATIONS[name].formulas
    assert set(formulas) == set(FORMULAS) - {"output_without_attention"}
    assert set(formulas["score"]) == set(GIVEN_SCORERS)
    assert set(formulas["symbols"]) == set(FORMULAS["symbols"])


@pytest.mark.parametrize("name", NOTATIONS)
def test_formulas_define_the_symbols_of_their_notation(name):
    one = NOTATIONS[name]
    for scorer in GIVEN_SCORERS:
        assert one.formulas["score"][scorer].startswith(f"{one.score} = ")
    for formula in ("softmax", "softmax_with_temperature"):
        assert one.formulas[formula].startswith(f"{one.weight} = exp({one.score}")
    assert one.formulas["blend"].startswith(f"{one.context} = ")
    assert f"{one.weight} {one.value}" in one.formulas["blend"]
    assert one.formulas["output"] == f"{one.output} = tanh({one.output_weight} [{one.context}; {one.query}])"
    assert one.formulas["prediction"].endswith(f"softmax({one.vocabulary_weight} {one.output})")


def test_the_papers_own_letters():
    bahdanau, luong = NOTATIONS["bahdanau"], NOTATIONS["luong"]
    assert (bahdanau.score, bahdanau.weight, bahdanau.context) == ("e_{t,i}", "α_{t,i}", "c_{t}")
    assert (luong.weight, luong.context) == ("a_{t}(i)", "c_{t}")
    assert luong.formulas["score"]["multiplicative"] == "score(h_{t}, h̄_{i}) = h_{t}^{⊤} W_{a} h̄_{i}"


@pytest.mark.parametrize(
    ("symbol", "written"),
    [
        ("α_{t,i}", "α_{2,3}"),
        ("a_{t}(i)", "a_{2}(3)"),
        ("score(h_{t}, h̄_{i})", "score(h_{2}, h̄_{3})"),
        ("W_{out} s_{t}", "W_{out} s_{2}"),
        ("v^{⊤}", "v^{⊤}"),
    ],
)
def test_numbers_take_the_place_of_letters_and_count_from_1(symbol, written):
    assert NOTATIONS[OURS].at(symbol, 1, 2) == written


@pytest.mark.parametrize("name", NOTATIONS)
def test_no_letter_is_left_where_numbers_stand(name):
    one = NOTATIONS[name]
    for symbol in (one.score, one.weight, one.key, one.value):
        assert not re.search(r"[{,(][ti][},)]", one.at(symbol, 0, 0))


def test_a_symbol_as_html():
    assert symbol_html("α_{t,i} < s^{⊤}") == "α<sub>t,i</sub> &lt; s<sup>⊤</sup>"


def test_the_table_says_which_symbol_is_which():
    table = symbol_table()
    assert table.count("<tr>") == len(SYMBOLS) + 1
    for one in NOTATIONS.values():
        assert f"<td>{symbol_html(one.weight)}</td>" in table
