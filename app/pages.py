"""The app's table of contents: the look of every page, and which pages there are."""

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from app import presenting, resources
from app.arriving import arrive
from app.components.page_link import page_link
from app.guard import guarded
from app.lesson import stops
from app.live import Sources
from app.offline import LectureSources, lecture_html
from app.opened_link import take_whole_link
from app.views import by_hand, compare, learn, lecture, practice, quiz, translate

HERE = Path(__file__).parent

# A Material icon here would be fetched from another machine.
st.set_page_config(page_title="Glanceback", page_icon=str(HERE / "icon.svg"), layout="wide")
st.html(HERE / "page.css")


@guarded
def translate_page() -> None:
    """The Translate page on the trained models."""
    examples = guarded(resources.ready_examples)()  # without them the page says so and works all the same
    glosses = guarded(resources.glosses)()
    translate.render(resources.decode, examples or (), resources.search_tree, glosses or {})


@guarded
def compare_page() -> None:
    """The Compare page on the trained models."""
    compare.render(comparison_sources(), guarded(resources.ready_examples)() or ())


def comparison_sources() -> compare.Sources:
    """Where comparisons get their traces and measures from."""
    return compare.Sources(
        decode=resources.decode,
        controlled=resources.controlled,
        attend_by_hand=resources.attend_by_hand,
        parameters=resources.scorer_parameters,
        decoding_time=resources.decoding_time,
        metrics=resources.metrics,
        aligned=guarded(resources.aligned_sentences)() or (),
    )


@guarded
def by_hand_page() -> None:
    """The By hand page on the scorers of the trained models."""
    by_hand.render(resources.attend_by_hand)


@guarded
def learn_page() -> None:
    """The Learn page: the lesson, its live parts on the trained models."""
    learn.render(stops(), lesson_sources(), lead_on)


def lesson_sources() -> Sources:
    """Where the lesson's live parts get their traces and measures from."""
    return Sources(
        decode=resources.decode,
        attend_by_hand=resources.attend_by_hand,
        metrics=resources.metrics,
        open_page=open_page,
        aligned=guarded(resources.aligned_sentences)() or (),
    )


@guarded
def lecture_page() -> None:
    """The Lecture page, which makes one file of a lecture."""
    glosses = guarded(resources.glosses)() or {}
    sources = LectureSources(lesson_sources(), comparison_sources(), glosses)
    lecture.render(lambda one: lecture_html(one, stops(), sources))


@guarded
def practice_page() -> None:
    """The Practice page: exercises, and predictions on the trained models."""
    examples = guarded(resources.ready_examples)()
    practice.render(resources.attend_by_hand, resources.decode, examples or ())


@guarded
def quiz_page() -> None:
    """The Quiz page, with ways to the stops of the lesson."""
    quiz.render(open_stop)


def open_stop(label: str, stop: str) -> None:
    """Draw a link to a stop of the lesson."""
    page_link(label, LEARN.url_path, {"stop": stop}, key=f"open_stop_{stop}")


def open_page(name: str, query: Mapping[str, str]) -> None:
    """Draw a link to a page in a state, for a live part of the lesson."""
    page = SHOWN_ELSEWHERE[name]
    page_link(f"Open this on the {page.title} page", page.url_path, query, key="open_page")


def lead_on(label: str, page: str, query: Mapping[str, str]) -> None:
    """Draw a link from a stop of the lesson to questions or exercises."""
    page_link(label, page, query, key=f"lead_on_{label}")


LEARN = st.Page(learn_page, title=learn.TITLE, icon=learn.ICON, url_path="learn")
# The pages to which live parts of the lesson lead, by their addresses.
SHOWN_ELSEWHERE = {
    "translate": st.Page(
        translate_page, title=translate.TITLE, icon=translate.ICON, url_path="translate", default=True
    ),
    "compare": st.Page(compare_page, title=compare.TITLE, icon=compare.ICON, url_path="compare"),
    "by-hand": st.Page(by_hand_page, title=by_hand.TITLE, icon=by_hand.ICON, url_path="by-hand"),
}

page = st.navigation(
    [
        *SHOWN_ELSEWHERE.values(),
        LEARN,
        st.Page(practice_page, title=practice.TITLE, icon=practice.ICON, url_path="practice"),
        st.Page(quiz_page, title=quiz.TITLE, icon=quiz.ICON, url_path="quiz"),
        st.Page(lecture_page, title=lecture.TITLE, icon=lecture.ICON, url_path="lecture"),
    ],
    position="top",
)
# The default page has no address of its own.
address = page.url_path or "translate"
take_whole_link()
arrive(address)
presenting.open_page(address, guarded(stops)() or ())
page.run()
# Last, so that loading the translators takes no time from the first page.
resources.engine_soon()
