"""Widgets and links ask for the same things; nonsense in a link gets a sentence and the default."""

import pytest
from streamlit.testing.v1 import AppTest

from app.inputs import RUNNING_SENTENCE, Example, Request, link_mistakes, place_in_link, translation_in_link
from attention_model.trace import Intervention

EXAMPLES = (
    Example("running", "A first look", RUNNING_SENTENCE, "See *a lot*."),
    Example("question", "A question", "Where are you?", "See *where*."),
)


def page(examples):
    import streamlit as st

    from app.inputs import show_link_mistakes, translation_request

    request = translation_request(examples)
    show_link_mistakes(request)
    st.session_state["asked"] = request


def opened(**link):
    at = AppTest.from_function(page, kwargs={"examples": EXAMPLES}, default_timeout=60)
    for name, value in link.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def asked(at):
    return at.session_state["asked"]


def test_without_a_link_the_running_example_is_asked_for():
    at = opened()
    assert asked(at) == Request()
    assert not at.info


def test_a_link_gives_every_part_of_the_request():
    at = opened(sentence="Hello there.", scorer="additive", decoding="beam", beam="3", step="4", part="2")
    assert asked(at) == Request("Hello there.", "additive", "beam", 3, step=3, part=1)
    assert not at.info


def test_a_link_gives_a_translation_of_one_s_own_under_either_name():
    for name in ("own translation", "forced"):
        request = asked(opened(decoding=name, target="我喜歡貓。"))
        assert (request.decoding, request.target) == ("forced", "我喜歡貓。")


def test_widgets_give_the_request():
    at = opened()
    at.text_input(key="sentence").set_value("I see a dog.").run()
    at.segmented_control(key="scorer").set_value("multiplicative").run()
    assert asked(at) == Request("I see a dog.", "multiplicative")


def test_the_beam_size_and_the_own_translation_appear_only_when_asked_for():
    at = opened()
    assert not at.number_input
    assert len(at.text_input) == 1
    at.segmented_control(key="decoding").set_value("beam").run()
    assert at.number_input(key="beam").value == 5
    at.segmented_control(key="decoding").set_value("own translation").run()
    assert at.text_input(key="target").value == "我很喜歡貓。"


def test_an_example_fills_the_box_and_says_why_it_is_worth_seeing():
    at = opened()
    assert at.caption[0].value == "See *a lot*."
    at.pills(key="example").set_value("question").run()
    assert asked(at).sentence == "Where are you?"
    assert at.caption[0].value == "See *where*."


def test_an_own_sentence_marks_no_example():
    at = opened(sentence="Something else.")
    assert at.pills(key="example").value is None
    assert at.caption[0].value.startswith("Your own sentence.")


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ({"scorer": "foo"}, ["scorer “foo”", "dot, multiplicative, additive, none"]),
        ({"decoding": "psychic"}, ["decoding “psychic”", "greedy, beam, own translation"]),
        ({"beam": "0"}, ["beam size “0”", "from 2 to 10"]),
        ({"beam": "many"}, ["beam size “many”"]),
        ({"step": "-3"}, ["step “\\-3”", "from 1 on"]),
        ({"step": "٣"}, ["step “٣”"]),
        ({"part": "6"}, ["part “6”", "from 1 to 5"]),
    ],
)
def test_nonsense_in_a_link_is_named_with_what_is_wanted(link, words):
    (mistake,) = link_mistakes(link)
    assert all(word in mistake for word in words)
    at = opened(**link)
    assert mistake in at.info[0].value
    assert asked(at) == Request()


def test_sense_in_a_link_is_no_mistake():
    assert link_mistakes({"scorer": "none", "decoding": "forced", "beam": "10", "step": "1", "part": "5"}) == ()
    assert link_mistakes({"step": "9" * 20}) == ()
    assert link_mistakes({"another": "parameter"}) == ()


def test_a_long_or_dangerous_value_is_cut_and_escaped():
    (mistake,) = link_mistakes({"scorer": "<b>" + "x" * 5000})
    assert r"\<b\>" in mistake
    assert len(mistake) < 250


def test_the_sentence_about_the_link_goes_when_something_else_is_asked_for():
    at = opened(scorer="foo")
    assert at.info
    at.text_input(key="sentence").set_value("I see a dog.").run()
    assert not at.info


@pytest.mark.parametrize(
    ("link", "place"),
    [
        ({}, (0, None)),
        ({"step": "1", "part": "1"}, (0, 0)),
        ({"step": "7"}, (6, None)),
        ({"step": "9" * 20}, (10**20 - 2, None)),
        ({"step": "0", "part": "0"}, (0, None)),
        ({"step": "1e3", "part": "x"}, (0, None)),
        ({"step": "9" * 5000}, (0, None)),
    ],
)
def test_a_place_counts_from_1_in_the_link_and_from_0_inside(link, place):
    assert place_in_link(link) == place


def test_another_sentence_begins_at_its_first_step_and_another_scorer_stays():
    at = opened(step="4")
    at.segmented_control(key="scorer").set_value("additive").run()
    assert asked(at).step == 3
    at.text_input(key="sentence").set_value("I see a dog.").run()
    assert asked(at).step == 0


def test_what_a_decoding_does_not_use_makes_no_other_request():
    assert Request(beam_size=7, target="貓", step=3, part=2).decoded == Request()
    assert Request(decoding="beam", beam_size=7).decoded.beam_size == 7
    assert Request(decoding="forced", target="貓").decoded.target == "貓"


def test_what_was_changed_makes_another_request():
    changed = Request(intervention=Intervention(temperature=2.0), step=3)
    assert changed.decoded == Request(intervention=Intervention(temperature=2.0)) != Request()
    assert hash(changed.decoded) == hash(Request(intervention=Intervention(temperature=2.0)))


def test_a_link_says_what_is_translated_without_any_widget():
    link = {"sentence": "He works.", "scorer": "additive", "decoding": "beam", "beam": "3", "step": "4"}
    assert translation_in_link(link) == Request("He works.", "additive", "beam", 3)
    forced = {"decoding": "own translation", "target": "他"}
    assert translation_in_link(forced) == translation_in_link(forced | {"decoding": "forced"})
    assert translation_in_link(forced) == Request(decoding="forced", target="他")
    assert translation_in_link({"scorer": "nonsense", "decoding": "nonsense", "beam": "99"}) == Request()
