"""The name of a view: what differs in the link differs in the name."""

import pytest

from app.lecture import PAGES
from app.lesson import stops
from app.naming import TITLES, view_name

LONGEST = 200
SWITCHES = ("none", "identity", "end_row", "pinyin", "simplified", "gloss")
VALUES = {
    "changes": ('[["hide",null,[2]]]', '[["hide",1,[2]]]'),
    "preset": ("exercise-1", "the-cat-sat"),
    "stop": (stops()[0].id, stops()[1].id),
    "topic": (stops()[0].id, stops()[1].id),
} | dict.fromkeys(SWITCHES, ("true", "false"))
NAMED_ELSEWHERE = {("by-hand", "states"), ("translate", "undone")}
NAMED = [
    (page, name) for page in PAGES for name in sorted(PAGES[page] - {"zoom"}) if (page, name) not in NAMED_ELSEWHERE
]


def name(page, **link):
    return view_name(page, link, LONGEST)


@pytest.mark.parametrize(("page", "parameter"), NAMED)
def test_every_parameter_of_a_link_is_in_the_name(page, parameter):
    one, other = VALUES.get(parameter, ("3", "5"))
    assert len({name(page, **{parameter: one}), name(page, **{parameter: other})}) == 2


def test_own_numbers_are_others_than_those_of_the_page():
    assert name("by-hand", states="eJw", preset="the-cat-sat") == "By hand: The cat sat (own numbers)"


def test_a_stop_is_named_by_its_title_the_first_one_too():
    assert name("learn") == name("learn", stop=stops()[0].id) == f"Learn: {stops()[0].title}"
    assert name("learn", stop="bottleneck", step="3") == "Learn: Everything through one vector (step 3)"
    assert name("quiz", topic="blend") == "Quiz: Part 3: the blend"
    assert name("learn", stop="nowhere") == "Learn: nowhere"


def test_changes_are_said_in_words_without_those_that_are_undone():
    changes = '[["temperature",2],["force",2,"貓"],["hide",null,[1]]]'
    assert name("translate", changes=changes, undone="1") == (
        "Translate (set the temperature to 2; continue from step 3 with 貓)"
    )
    assert name("translate", changes=changes, undone="3") == "Translate (changes taken back)"
    assert name("translate", changes="nonsense") == "Translate (changes that cannot be read)"
    many = str([["temperature", 2], ["hide", 1, [1]]] * 3).replace("'", '"')
    assert name("translate", changes=many).endswith("; 3 changes more)")


def test_of_a_long_sentence_the_end_is_cut_off_and_what_is_said_of_it_stays():
    found = name("compare", sentence="very " * 60, kind="same states", heat="0.5")
    assert len(found) == LONGEST
    assert found.endswith("… (same states, temperature 0.5)")


def test_every_page_has_a_title():
    assert set(TITLES) == set(PAGES)
