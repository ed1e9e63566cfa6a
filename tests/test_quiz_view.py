"""The Quiz page: a question is asked, checked and explained, and at the end stand the results by topic."""

import dataclasses
import json
from random import Random

import pytest
from streamlit.testing.v1 import AppTest

from app.lesson import stops
from app.progress import Progress, QuizWork
from app.quiz import all_questions, options
from app.views import quiz
from tests.apptest import click, run

QUESTIONS = all_questions()


def page(asked):
    import streamlit as st

    from app.views import quiz

    quiz.render(lambda label, stop: asked.append(stop) or st.markdown(f"link: {label}"))


def opened(*asked, place=0, answers=(), links=None, seed=1, **link):
    """The page at a round with these questions."""
    at = AppTest.from_function(page, kwargs={"asked": [] if links is None else links}, default_timeout=60)
    if asked:
        progress = Progress.beginning(Random(0))
        round_of = QuizWork(seed, asked, place, {}, dict(answers))
        at.session_state["progress"] = dataclasses.replace(progress, quiz=round_of)
    for name, value in link.items():
        at.query_params[name] = value
    return run(at)


def said(at):
    text = "\n".join(one.value for kind in (at.markdown, at.html, at.info, at.caption, at.warning) for one in kind)
    return text.replace("\\", "")


def quiz_of(at):
    return at.session_state["progress"].quiz


def sent(at, component):
    """What a component of the house was sent."""
    found = next(one for one in at.get("bidi_component") if one.proto.component_name == component)
    return json.loads(found.proto.json)


def cell_data(at):
    return sent(at, "cell_map")


def test_the_first_paint_asks_the_first_of_all_questions():
    at = opened()
    assert len(quiz_of(at).asked) == len(QUESTIONS)
    assert 'class="question"' in said(at)
    assert at.button(key="quiz_back").disabled


def test_a_choice_is_checked_explained_and_closed():
    links = []
    at = opened("softmax-shift", "score-dot", links=links)
    assert list(at.radio[0].options) == list(options(QUESTIONS["softmax-shift"], 1))
    at.radio[0].set_value("Nothing")
    at = click(run(at), "quiz_check")
    assert '<div class="explained right">' in said(at)
    assert "Every exponential is multiplied by" in said(at)
    assert not at.radio  # closed
    assert links == ["softmax"]
    assert "1 of 1 answers right so far." in said(at)


def test_a_wrong_choice_names_the_right_one():
    at = opened("softmax-shift")
    at.radio[0].set_value("They all grow by 5 too")
    at = click(run(at), "quiz_check")
    assert '<li class="right">Nothing <span class="note">right</span></li>' in said(at)
    assert '<li class="other">They all grow by 5 too <span class="note">your answer</span></li>' in said(at)
    assert "0 of 1 answers right so far." in said(at)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("softmax-shift", "Nothing is chosen yet"),
        ("score-dot", "Nothing is typed here yet"),
        ("glance-cats", "No cell is chosen yet"),
    ],
)
def test_an_empty_answer_is_said_and_the_question_stays_open(question, sentence):
    at = click(opened(question), "quiz_check")
    assert sentence in said(at)
    assert quiz_of(at).answers == {}


def test_the_keyboard_goes_on_at_what_is_said_and_then_at_the_next_question():
    at = opened("softmax-equal", "score-dot")
    places = [sent(at, "next_focus")]
    for key in ("quiz_check", "quiz_next", "quiz_next"):  # an empty answer, the second question, the results
        at = click(at, key)
        places.append(sent(at, "next_focus"))
    assert [one["number"] for one in places] == [0, 1, 2, 3]
    assert [one["place"] for one in places[1:]] == ["quiz_said", "quiz_asked", "quiz_asked"]


def test_letters_for_a_number_are_said_and_stay_as_typed():
    at = opened("softmax-equal", "score-dot")
    at.text_input[0].set_value("half")
    at = click(run(at), "quiz_check")
    assert "“half” is not a number" in said(at)
    assert at.text_input[0].value == "half"
    at = click(click(at, "quiz_next"), "quiz_back")
    assert at.text_input[0].value == "half"
    at.text_input[0].set_value("0,5")
    at = click(run(at), "quiz_check")
    assert '<div class="explained right">' in said(at)


def test_a_cell_is_chosen_on_the_map_and_the_right_one_is_shown_afterwards():
    at = opened("soft-alignment-a-lot")
    data = cell_data(at)
    assert data["source"] == ["I", "like", "cats", "a", "lot"]
    assert (data["chosen"], data["right"], data["locked"]) == (None, [], False)
    progress = at.session_state["progress"]
    at.session_state["progress"] = progress.with_quiz(drafts={"soft-alignment-a-lot": "1,0"})
    at = click(run(at), "quiz_check")
    data = cell_data(at)
    assert (data["chosen"], data["right"], data["locked"]) == ([1, 0], [[1, 3], [1, 4]], True)
    assert "bears a tick" in said(at)


def test_a_cell_of_which_the_page_was_not_told_yet_is_checked_too(monkeypatch):
    at = opened("glance-cats")
    monkeypatch.setattr(quiz, "chosen_cell", lambda _key: QUESTIONS["glance-cats"].cells[0])
    at = click(at, "quiz_check")
    assert '<div class="explained right">' in said(at)


@pytest.mark.parametrize("question", ["glance-cats", "softmax-shift", "softmax-equal"])
@pytest.mark.parametrize("part", ["drafts", "answers"])
def test_an_answer_that_makes_no_sense_in_a_file_stops_nobody(question, part):
    at = opened(question, "score-dot")
    at.session_state["progress"] = at.session_state["progress"].with_quiz(**{part: {question: "99,99 <b>"}})
    at = run(at)
    assert ('class="explained wrong"' in said(at)) == (part == "answers")
    assert "score-dot" in quiz_of(click(at, "quiz_next")).asked
    assert quiz_of(at).place == 1


def test_a_map_to_be_imagined_shows_no_numbers():
    assert {cell["text"] for row in cell_data(opened("glance-cats"))["rows"] for cell in row} == {""}
    shown = cell_data(opened("soft-alignment-like"))["rows"][3][1]
    assert float(shown["text"]) > 0.9
    assert shown["label"] == f"row 歡, column like, weight {shown['text']}"


ANSWERS = {"score-dot": "1", "softmax-equal": "0.5", "softmax-shift": "They all grow by 5 too"}


def test_the_results_are_told_by_topic_with_ways_back_into_the_lesson():
    links = []
    asked = (*ANSWERS, "glance-cats")
    at = opened(*asked, place=len(asked), answers=ANSWERS, links=links)
    assert "2 of 3 answers are right. One question is left open." in said(at)
    titles = {stop.id: stop.title for stop in stops()}
    assert f"{titles['softmax']}</th><td>1</td><td>2</td><td>2</td>" in said(at)
    assert f"{titles['score']}</th><td>1</td><td>1</td><td>1</td>" in said(at)
    assert links == ["softmax"]
    at = click(at, "quiz_again")
    assert set(quiz_of(at).asked) == {"softmax-shift", "glance-cats"}
    assert quiz_of(at).answers == {}
    at = click(at, "quiz_round_before")
    assert quiz_of(at).answers == ANSWERS


def test_without_answers_the_results_say_so():
    assert "Nothing is answered yet" in said(click(opened("score-dot", "softmax-equal"), "quiz_results"))


def test_the_last_question_leads_to_the_results_and_back():
    at = opened("score-dot")
    at.text_input[0].set_value("1")
    at = click(click(run(at), "quiz_check"), "quiz_next")
    assert "1 of 1 answers are right. No question is left open." in said(at)
    assert 'class="explained' in said(click(at, "quiz_return"))


def test_rounds_can_be_short_or_of_one_topic():
    at = click(opened(), "quiz_short")
    assert len(quiz_of(at).asked) == 10
    at.selectbox(key="quiz_topic").set_value("papers")
    at = click(run(at), "quiz_one_topic")
    assert {QUESTIONS[one].topic for one in quiz_of(at).asked} == {"papers"}
    assert at.query_params["topic"] == "papers"
    at = click(at, "quiz_all")
    assert len(quiz_of(at).asked) == len(QUESTIONS)
    assert "topic" not in at.query_params


def test_a_link_begins_a_topic_and_the_round_before_is_kept():
    at = opened("score-dot", answers={"score-dot": "1"}, topic="papers")
    assert {QUESTIONS[one].topic for one in quiz_of(at).asked} == {"papers"}
    asked = quiz_of(at).asked
    assert quiz_of(run(at)).asked == asked
    assert quiz_of(click(at, "quiz_round_before")).answers == {"score-dot": "1"}


def test_of_many_rounds_none_is_lost():
    at = opened("score-dot", answers={"score-dot": "1"})
    for topic in ("papers", "softmax"):
        at.selectbox(key="quiz_topic").set_value(topic)
        at = click(run(at), "quiz_one_topic")
        at.session_state["progress"] = at.session_state["progress"].with_quiz(answers={quiz_of(at).asked[0]: "1"})
        at = run(at)
    shown = []
    for _ in range(3):
        shown.append(QUESTIONS[quiz_of(at).asked[0]].topic)
        at = click(at, "quiz_round_before")
    assert shown == ["softmax", "papers", "score"]
    assert QUESTIONS[quiz_of(at).asked[0]].topic == "softmax"


def test_a_link_to_no_topic_is_said():
    at = opened("score-dot", topic="*dogs*")
    assert "the questions of “*dogs*”" in said(at)
    assert quiz_of(at).asked == ("score-dot",)
