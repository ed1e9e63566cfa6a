"""What the Compare page is asked: the link's values, their mistakes, and the requests to the models."""

import pytest

from app.comparing import (
    ALONG,
    ATTENDING,
    CONTROLLED,
    DIFFERENCES,
    PAIRS,
    Comparison,
    comparison_in_link,
    link_mistakes,
)
from app.inputs import UNCHANGED, Request
from attention_model.trace import Intervention


def test_the_three_scorings_stand_side_by_side_and_none_on_demand():
    assert Comparison().scorers == ("dot", "multiplicative", "additive")
    assert Comparison(with_none=True).scorers == ("dot", "multiplicative", "additive", "none")
    assert Comparison(with_none=True, kind=CONTROLLED).scorers == ATTENDING


def test_a_difference_is_offered_for_any_pair():
    assert PAIRS == (("dot", "multiplicative"), ("dot", "additive"), ("multiplicative", "additive"))
    assert DIFFERENCES == ("dot − multiplicative", "dot − additive", "multiplicative − additive", "none")


def test_a_model_says_its_own_words_or_those_of_a_target():
    asked = Comparison(sentence="Hello.")
    assert asked.request("dot") == Request("Hello.", "dot")
    assert asked.request("dot", "你好") == Request("Hello.", "dot", "forced", target="你好")


def test_the_temperature_acts_on_every_softmax_over_the_source():
    asked = Comparison(temperature=0.5)
    assert {asked.request(scorer).intervention for scorer in ATTENDING} == {Intervention(temperature=0.5)}
    assert asked.request("none").intervention == UNCHANGED


@pytest.mark.parametrize(
    ("link", "told"),
    [
        ({"kind": "all"}, "The link says kind=all, which does not exist. There are trained models, same states"),
        ({"along": "x" * 60}, "along=" + "x" * 40 + "…, which does not exist. There are its own words, "),
        ({"states": "none"}, "states=none, which does not exist. There are dot, multiplicative, additive, by hand"),
        ({"difference": "dot"}, "difference=dot, which does not exist."),
        ({"heat": "7"}, "heat=7, which does not exist. There are hard (one word), 0.01, 0.03"),
        ({"none": "yes"}, "none=yes, which does not exist. There are true, false"),
        ({"identity": "1"}, "identity=1, which does not exist."),
        ({"step": "0"}, "The link asks for the step “0”, and a whole number from 1 on is wanted."),
        ({"step": "two"}, "The link asks for the step “two”"),
    ],
)
def test_a_value_that_makes_no_sense_is_told(link, told):
    (mistake,) = link_mistakes(link)
    assert told in mistake


def test_what_makes_sense_is_no_mistake():
    link = {"kind": CONTROLLED, "along": ALONG[2], "states": "by hand", "difference": "none", "heat": "0.5"}
    assert link_mistakes(link | {"step": "3"}) == ()


def test_text_from_a_link_is_never_markdown():
    assert "<b>" not in link_mistakes({"kind": "<b>*x*</b>"})[0]


def test_a_link_says_what_is_compared_without_any_widget():
    link = {
        "kind": "same states",
        "sentence": "He works.",
        "states": "additive",
        "identity": "true",
        "heat": "hard (one word)",
        "difference": "none",
        "step": "3",
    }
    assert comparison_in_link(link) == Comparison(
        "same states", "He works.", states="additive", identity=True, temperature=0.001, difference=None, step=2
    )
    nonsense = dict.fromkeys(("kind", "along", "states", "heat", "difference", "none", "step"), "nonsense")
    assert comparison_in_link(nonsense) == comparison_in_link({}) == Comparison()
