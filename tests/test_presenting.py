"""What the presenter is told of each page: where its switch leads, what comes before and after, and the way out."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from app.lecture import Lecture, read_link
from app.presenting import LECTURE

FIRST, SECOND = "./?scorer=additive&step=2", "compare?kind=same+states"


def page(name):
    from app import presenting
    from app.lesson import stops

    presenting.open_page(name, stops())


def lecture():
    return Lecture().added(read_link(FIRST), "First look").added(read_link(SECOND))


def told(name, made=None, link=None):
    """What the presenter is told on a page, and the page's link after it."""
    at = AppTest.from_function(page, args=(name,), default_timeout=60)
    at.session_state[LECTURE] = made or Lecture()
    for key, value in (link or {}).items():
        at.query_params[key] = value
    at.run()
    assert not at.exception
    (component,) = at.get("bidi_component")
    return json.loads(component.proto.json), at.query_params


def test_the_switch_of_the_lecture_page_presents_the_first_entry():
    presented, _ = told("lecture", lecture())
    assert presented["has_switch"]
    assert presented["first"] == f"{FIRST}&present=1&entry=1"


def test_an_empty_lecture_has_no_switch():
    presented, _ = told("lecture")
    assert not presented["has_switch"]


@pytest.mark.parametrize("name", ["translate", "compare", "by-hand", "learn", "practice", "quiz"])
def test_the_switch_of_every_other_page_presents_the_page_itself(name):
    presented, _ = told(name, lecture())
    assert presented["has_switch"]
    assert presented["first"] is None


def test_the_page_of_lectures_is_never_presented_itself():
    presented, link = told("lecture", lecture(), {"present": "1"})
    assert not presented["presents"]
    assert "present" not in link


def test_an_entry_is_shown_with_the_title_that_the_lecture_gives_it():
    presented, _ = told("translate", lecture(), {"present": "1", "entry": "1"})
    assert (presented["title"], presented["place"]) == ("First look", "Entry 1 of 2")


def test_without_a_lecture_there_is_no_title():
    for link in ({}, {"entry": "1"}, {"present": "1"}):
        assert told("translate", lecture(), link)[0]["title"] == ""


def test_the_way_out_of_a_lecture_leads_to_its_page_and_out_of_the_lesson_to_the_stop():
    presented, _ = told("compare", lecture(), {"present": "1", "entry": "2"})
    assert presented["after"] == "lecture"
    for link in ({"present": "1"}, {"present": "1", "stop": "bottleneck"}):
        assert told("learn", lecture(), link)[0]["after"] is None
