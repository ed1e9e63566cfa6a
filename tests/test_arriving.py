"""Arriving at a page by a link: what the link says is shown, even where the visitor had something else there before."""

from streamlit.testing.v1 import AppTest

from app.inputs import RUNNING_SENTENCE, Request

ASKED_BEFORE = Request("I see a dog.", step=1)


def page(address):
    import streamlit as st

    from app.arriving import arrive
    from app.calculating import open_calculation
    from app.inputs import translation_request

    arrive(address)
    if address == "translate":
        st.session_state["asked"] = translation_request(())
    else:
        open_calculation()


def arriving(address, link, **before):
    at = AppTest.from_function(page, kwargs={"address": address}, default_timeout=60)
    for name, value in before.items():
        at.session_state[name] = value
    for name, value in link.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def test_the_place_of_the_link_is_taken_although_another_sentence_was_shown_before():
    link = {"sentence": "We sing.", "step": "3", "part": "2"}
    at = arriving("translate", link, placed_request=ASKED_BEFORE.decoded)
    assert at.session_state["asked"] == Request("We sing.", step=2, part=1)


def test_a_link_to_the_default_is_a_link_too():
    at = arriving("translate", {"sentence": RUNNING_SENTENCE}, sentence="I see a dog.")
    assert at.session_state["asked"].sentence == RUNNING_SENTENCE


def test_without_a_link_the_page_is_as_it_was():
    assert arriving("translate", {}, sentence="I see a dog.").session_state["asked"].sentence == "I see a dog."


def test_only_the_first_run_is_an_arrival():
    at = arriving("translate", {"step": "3"})
    assert at.session_state["asked"].step == 2
    at.text_input(key="sentence").set_value("I see a dog.").run()
    # Another sentence typed on the page begins at its first step.
    assert at.session_state["asked"] == Request("I see a dog.")


def test_another_entry_of_a_lecture_is_another_arrival():
    link = {"sentence": "We sing.", "step": "3", "entry": "2"}
    before = {"arrival": ("translate", "1"), "placed_request": ASKED_BEFORE.decoded}
    assert arriving("translate", link, **before).session_state["asked"].step == 2


def test_a_calculation_opens_at_the_link_s_step_although_it_was_open_at_another():
    at = arriving("by-hand", {"step": "4"})
    assert at.session_state["hand_step"] == 3
    before = {name: at.session_state[name] for name in ("hand_given", "hand_link", "hand_start")}
    assert arriving("by-hand", {"step": "2"}, hand_step=3, **before).session_state["hand_step"] == 1
    assert arriving("by-hand", {}, hand_step=3, **before).session_state["hand_step"] == 3
