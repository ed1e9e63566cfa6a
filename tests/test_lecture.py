"""A lecture: which links it takes, what it refuses and why, and that a saved one opens as it was."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.lecture import (
    FORMAT,
    LARGEST_FILE,
    LONGEST_LINK,
    LONGEST_TITLE,
    MOST_ENTRIES,
    PAGES,
    VERSION,
    Entry,
    Lecture,
    Link,
    names_of,
    read_link,
    visited_links,
)
from attention_model.errors import LectureError

CATS = "./?sentence=I+like+cats+a+lot.&scorer=additive&step=2&part=3&zoom=60"
COMPARED = "compare?sentence=I+like+tea.&kind=same+states&step=4"


def lecture(*links):
    found = Lecture()
    for link in links:
        found = found.added(read_link(link))
    return found


def file_of(**changes):
    document = {"format": FORMAT, "version": VERSION, "entries": []} | changes
    return json.dumps(document).encode()


def test_a_link_keeps_page_and_parameters():
    link = read_link(CATS)
    assert link.page == "translate"
    assert dict(link.parameters) == {
        "sentence": "I like cats a lot.",
        "scorer": "additive",
        "step": "2",
        "part": "3",
        "zoom": "60",
    }
    assert str(link) == CATS


@pytest.mark.parametrize("text", ["", "./", "translate", "/translate", "?", "/"])
def test_the_first_page_has_several_names(text):
    if text:
        assert read_link(text) == Link("translate")
    else:
        with pytest.raises(LectureError, match="The link is empty"):
            read_link(text)


def test_a_whole_address_of_this_app_becomes_relative():
    link = read_link(f"http://localhost:8501/{COMPARED}", own_host="localhost:8501")
    assert str(link) == COMPARED


def test_whether_a_page_is_presented_is_no_part_of_a_lecture():
    assert read_link("learn?stop=glance&present=1&entry=2") == Link("learn", (("stop", "glance"),))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("javascript:alert(1)", "begins with “javascript:”"),
        (" JavaScript:alert(1)", "begins with “javascript:”"),
        ("java\nscript:alert(1)", "leads to the page|begins with|holds characters"),
        ("data:text/html,x", "begins with “data:”"),
        ("file:///etc/passwd", "begins with “file:”"),
        ("//example.org/compare", "leads to another place, “example.org”"),
        ("https://example.org/compare", "leads to another place, “example.org”"),
        ("http://localhost:8501@example.org/", "leads to another place"),
        ("http://localhost:9999/compare", "leads to another place, “localhost:9999”"),
        ("\\\\example.org\\compare", "holds characters that no link has"),
        ("http://[", "cannot be read"),
        ("settings", "leads to the page “settings”"),
        ("../compare", "leads to the page “./compare”"),
        ("compare/../../x", "leads to the page"),
        ("compare?script=1", "does not know the parameter “script”"),
        ("quiz?step=2", "does not know the parameter “step”"),
        ("?sentence=" + "a" * LONGEST_LINK, f"at most {LONGEST_LINK:,} are taken"),
    ],
)
def test_what_is_no_link_into_this_app_is_refused_with_the_reason(text, reason):
    with pytest.raises(LectureError, match=reason):
        read_link(text, own_host="localhost:8501")


@given(st.text(max_size=80))
def test_any_text_is_a_known_relative_link_or_is_refused(text):
    try:
        link = read_link(text)
    except LectureError:
        return
    assert link.page in PAGES
    assert {name for name, _ in link.parameters} <= PAGES[link.page]
    assert read_link(str(link)) == link
    assert ":" not in str(link).split("?")[0]


@given(st.dictionaries(st.sampled_from(sorted(PAGES["translate"])), st.text(max_size=20)))
def test_any_values_survive_a_link(values):
    link = Link("translate", tuple(values.items()))
    assert read_link(str(link), relative_only=True) == link


def test_a_saved_lecture_opens_as_it_was():
    saved = lecture(CATS, COMPARED, "learn?stop=glance").renamed(1, "Which scorer? 哪一個")
    assert Lecture.from_json(saved.to_json()) == saved
    assert json.loads(saved.to_json())["version"] == VERSION


def test_entries_are_moved_renamed_and_removed():
    first, second, third = lecture(CATS, COMPARED, "quiz").entries
    assert lecture(CATS, COMPARED, "quiz").moved(0, 1).entries == (second, first, third)
    assert lecture(CATS, COMPARED, "quiz").moved(2, -2).entries == (third, first, second)
    assert lecture(CATS, COMPARED, "quiz").moved(0, -1).entries == (first, second, third)
    assert lecture(CATS, COMPARED, "quiz").moved(2, 5).entries == (first, second, third)
    assert lecture(CATS, COMPARED, "quiz").removed(1).entries == (first, third)
    assert lecture(CATS).renamed(0, "  The \n sentence ").entries[0].title == "The sentence"
    assert lecture(CATS).renamed(0, "x" * 1000).entries[0].title == "x" * LONGEST_TITLE


def test_what_was_deleted_is_put_back_where_it_stood_the_last_one_first():
    whole = lecture(CATS, COMPARED, "quiz")
    shorter = whole.removed(0).removed(1)
    assert [entry.link.page for entry in shorter.entries] == ["compare"]
    assert shorter.put_back().entries == whole.removed(0).entries
    assert shorter.put_back().put_back() == whole
    assert whole.removed(2).removed(0).moved(0, 1).put_back().put_back().entries == whole.entries
    assert Lecture.from_json(shorter.to_json()) == Lecture(shorter.entries)


def test_an_empty_title_says_what_the_link_shows():
    assert lecture(CATS).renamed(0, " ").entries[0].title == (
        "Translate: I like cats a lot. (additive, step 2, part 3)"
    )
    assert Link("quiz").title == "Quiz"


def test_a_lecture_has_an_end():
    full = Lecture(tuple(Entry("one", Link("quiz")) for _ in range(MOST_ENTRIES)))
    with pytest.raises(LectureError, match=f"at most {MOST_ENTRIES} are possible"):
        full.added(Link("quiz"))
    with pytest.raises(LectureError, match=f"at most {MOST_ENTRIES} are possible"):
        full.removed(3).added(Link("quiz")).put_back()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "it is not JSON"),
        (b"\xff\xfe", "it is not JSON"),
        (b"[" * 100_000, "it is not JSON"),
        (b"[]", "its format is “list”"),
        (b"{}", "its format is “null”"),
        (file_of(format="glanceback progress"), "its format is “glanceback progress”"),
        (file_of(version=2), "has version “2”, and this app reads version 1"),
        (file_of(version=True), "has version “true”"),
        (file_of(version=None), "has version “null”"),
        (file_of(entries={}), "holds “{}”, and a list"),
        (file_of(entries=[{}] * (MOST_ENTRIES + 1)), f"holds {MOST_ENTRIES + 1} entries"),
        (file_of(entries=["quiz"]), "Entry 1 of the lecture is “quiz”, and a title and a link are wanted"),
        (file_of(entries=[{"title": "a", "link": 3}]), "a title and a link are wanted"),
        (
            file_of(entries=[{"title": "a", "link": "quiz"}, {"title": "b", "link": "javascript:alert(1)"}]),
            "Entry 2 of the lecture, “b”: The link begins with “javascript:”",
        ),
        (file_of(entries=[{"title": "a", "link": "http://localhost:8501/quiz"}]), "leads to another place"),
        (file_of(entries=[{"title": "a", "link": "exam"}]), "leads to the page “exam”"),
        (b" " * (LARGEST_FILE + 1), "has at most"),
        (file_of(entries=[{"title": "a\ud800", "link": "quiz"}]), r"“a\?”: Character 2 of 2 is half a character"),
        (file_of(entries=[{"title": "a", "link": "./?sentence=\ud800"}]), "Character 13 of 13 is half a character"),
        (file_of(format="\ud800"), r"its format is “\?”"),
    ],
)
def test_a_file_that_is_no_lecture_is_refused_with_the_reason(content, reason):
    with pytest.raises(LectureError, match=reason) as raised:
        Lecture.from_json(content)
    str(raised.value).encode()  # so that a page can show it


def test_a_view_is_listed_once_at_the_place_where_it_was_left():
    visits = visited_links(["./?step=1", "compare", "./?step=4&zoom=60", "quiz?x=1", "lecture", 3, "javascript:x"])
    assert visits == (Link("compare"), Link("translate", (("step", "4"), ("zoom", "60"))))
    assert visited_links("no list") == ()


def test_a_stop_with_a_sentence_of_one_s_own_is_a_view():
    (link,) = visited_links(["learn?stop=bottleneck&own_sentence=We+sing."])
    assert link.title == "Learn: Everything through one vector (“We sing.”)"


def test_the_first_stop_is_one_view_whether_it_is_named_or_not():
    assert visited_links(["learn", "learn?stop=softmax", "learn?stop=glance&step=3"]) == (
        Link("learn", (("stop", "softmax"),)),
        Link("learn", (("stop", "glance"), ("step", "3"))),
    )


def test_two_views_never_have_the_same_name():
    one, other = (Link("by-hand", (("states", states),)) for states in "ab")
    assert names_of((one, Link("quiz"), other)) == (
        "By hand (own numbers), number 1",
        "Quiz",
        "By hand (own numbers), number 2",
    )
