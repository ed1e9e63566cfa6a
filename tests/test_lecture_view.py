"""The Lecture page: what is deleted or left for a file has a way back, and a refusal says why and changes nothing."""

from streamlit.testing.v1 import AppTest

from app.lecture import Lecture, Link
from app.presenting import LECTURE
from tests.apptest import click, run

TITLES = ("One", "Two *stars*", "Three")


def page():
    from app.views import lecture

    lecture.render(str)


def lecture(*titles):
    made = Lecture()
    for title in titles:
        made = made.added(Link("quiz"), title)
    return made


def opened(*titles):
    at = AppTest.from_function(page, default_timeout=60)
    at.session_state[LECTURE] = lecture(*titles)
    return run(at)


def open_file(at, content, name="mine.json"):
    at.file_uploader(key="lecture_file").set_value((name, content, "application/json"))
    return run(at)


def titles(at):
    return tuple(box.value for box in at.text_input if box.label.startswith("Title of entry"))


def keys(at):
    return {button.key for button in at.button}


def said(at):
    return "\n".join(one.value for kind in (at.markdown, at.success, at.warning) for one in kind).replace("\\", "")


def test_deleted_entries_are_put_back_one_after_the_other():
    at = click(click(opened(*TITLES), "lecture_delete_2"), "lecture_delete_2")
    assert titles(at) == ("One",)
    assert "“Three” was deleted, and 1 before it." in said(at)
    at = click(at, "lecture_put_back")
    assert titles(at) == ("One", "Three")
    assert "“Two *stars*” was deleted." in said(at)
    at = click(at, "lecture_put_back")
    assert titles(at) == TITLES
    assert "lecture_put_back" not in keys(at)


def test_the_only_entry_is_put_back_too():
    at = click(opened("One"), "lecture_delete_1")
    assert titles(at) == ()
    assert titles(click(at, "lecture_put_back")) == ("One",)


def test_an_entry_that_has_no_room_any_more_is_not_lost(monkeypatch):
    monkeypatch.setattr("app.lecture.MOST_ENTRIES", len(TITLES))
    at = click(opened(*TITLES), "lecture_delete_1")
    at.session_state[LECTURE] = at.session_state[LECTURE].added(Link("quiz"))
    at = click(at, "lecture_put_back")
    assert "at most 3 are possible" in said(at)
    at = click(click(at, "lecture_delete_3"), "lecture_put_back")
    assert "at most" not in said(at)
    assert "“One” was deleted." in said(at)


def test_of_several_opened_lectures_and_what_was_deleted_in_them_nothing_is_lost():
    at = click(opened(*TITLES), "lecture_delete_1")
    for title in ("first", "second"):
        at = open_file(at, lecture(title).to_json(), f"{title}.json")
    assert "is kept until you leave" in said(at)
    shown = []
    for _ in range(4):
        shown.append(titles(at))
        at = click(at, "lecture_back")
    assert shown == [("second",), ("first",), TITLES[1:], ("second",)]
    at = click(click(at, "lecture_back"), "lecture_put_back")
    assert titles(at) == TITLES


def test_an_empty_lecture_is_nothing_to_go_back_to():
    assert "lecture_back" not in keys(open_file(opened(), lecture("first").to_json()))


def test_a_bad_file_is_refused_by_its_name_and_the_lecture_stays():
    at = open_file(opened(*TITLES), b"nonsense", "bad.json")
    assert "bad.json was not opened, and the lecture stays. The file is damaged" in said(at)
    assert titles(at) == TITLES
    assert "lecture_back" not in keys(at)


def test_a_pasted_link_is_added_and_a_refused_one_stays_in_its_box():
    at = opened("One")
    at.text_input(key="lecture_link").set_value("quiz?topic=score")
    at = click(at, "lecture_paste")
    assert titles(at) == ("One", "Quiz: Part 1: the score")
    assert at.text_input(key="lecture_link").value == ""
    at.text_input(key="lecture_link").set_value("javascript:alert(1)")
    at = click(at, "lecture_paste")
    assert "The lecture stays as it was." in said(at)
    assert at.text_input(key="lecture_link").value == "javascript:alert(1)"


def test_enter_in_the_box_for_a_link_does_what_its_button_does():
    at = opened()
    assert at.text_input(key="lecture_link").form_id == at.button(key="lecture_paste").form_id != ""
