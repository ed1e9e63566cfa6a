"""Presenting: whether the page's link asks for it, what comes before and after this page, and what the class is shown.

The link alone says whether a page is presented: `present=1`. An entry of a lecture is `entry=3`, counted from 1.
The page on which a lecture is made is never presented itself: what is presented there is the lecture.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import urljoin

import streamlit as st

from app.components.markdown import markdown_html
from app.components.presenter import STYLE, Move, Presented, asked_link, presenter, told_kept, told_visits
from app.drawing import draw_again
from app.guard import guarded
from app.lecture import Lecture, Link, read_link, visited_links
from app.lesson import Stop
from attention_model.errors import LectureError

LECTURE = "lecture"
"""Under this name the session keeps the lecture."""

VISITS = "visited"
"""Under this name the session keeps the links of what was visited, newest last."""

_KEPT_TOLD = "lecture_kept_told"
"""Under this name the session keeps that the browser has told which lecture the tab kept."""

ENTRY = "Entry"
"""What a part of a lecture is called, as a part of the lesson is called a stop."""

LESSON_PAGE = "learn"
LECTURE_PAGE = "lecture"


class Neighbours(NamedTuple):
    """What stands before and after a page, as relative links; None at an end.

    number, count: where it stands itself. title: of an entry of a lecture; empty for a stop, whose text has it.
    """

    previous: str | None
    next: str | None
    name: str
    number: int
    count: int
    title: str = ""


def is_presented() -> bool:
    """Whether the page is presented."""
    return st.query_params.get("present") == "1"


def open_page(page: str, stops: Sequence[Stop]) -> None:
    """What stands on every page before its own: the switch, or what a presented page has instead of its chrome.

    page: as it is called in links. stops: of the lesson, in order.
    """
    _keep_presenting(page)
    stop = _stop(page, stops) if is_presented() else None
    if is_presented():
        st.html(STYLE)
    _presenter(page, stops, has_notes=stop is not None and bool(stop.notes))
    if stop is not None and stop.notes:
        with st.container(key="presenter_notes"):
            st.html(f'<div class="stop-text">{markdown_html(stop.notes)}</div>')


def open_link(link: Link) -> None:
    """Open a link in this session at the end of this run; for a callback."""
    number = st.session_state.get("presenter_moves", 0) + 1
    st.session_state["presenter_moves"] = number
    st.session_state["presenter_move"] = Move(number, str(link))


def neighbours(page: str, link: dict[str, str], stops: Sequence[Stop], lecture: Lecture) -> Neighbours | None:
    """What comes before and after: in the lecture where the link names an entry of it, else in the lesson."""
    number = link.get("entry", "")
    entries = lecture.entries
    if number.isascii() and number.isdigit() and 1 <= int(number[:6]) <= len(entries):
        index = int(number[:6]) - 1
        if entries[index].link.page == page:
            links = [presented_entry(lecture, at) for at in range(len(entries))]
            return _neighbours(links, index, ENTRY)._replace(title=entries[index].title)
    if page == LESSON_PAGE and stops:
        ids = [stop.id for stop in stops]
        index = ids.index(link["stop"]) if link.get("stop") in ids else 0
        links = [str(Link(LESSON_PAGE, (("stop", one), ("present", "1")))) for one in ids]
        return _neighbours(links, index, "Stop")
    return None


def presented_entry(lecture: Lecture, index: int) -> str:
    """The relative link that presents the entry at `index`, from 0, of a lecture."""
    return str(lecture.entries[index].link.with_parameters(present="1", entry=str(index + 1)))


def _neighbours(links: Sequence[str], index: int, name: str) -> Neighbours:
    return Neighbours(
        links[index - 1] if index > 0 else None,
        links[index + 1] if index + 1 < len(links) else None,
        name,
        index + 1,
        len(links),
    )


def _keep_presenting(page: str) -> None:
    """A page that is reached from a presented one by a plain link stays presented."""
    if page == LECTURE_PAGE:
        st.query_params.pop("present", None)
        st.session_state["presented_page"] = (page, False)
        return
    before: tuple[str, bool] | None = st.session_state.get("presented_page")
    if before is not None and before[0] != page and before[1] and "present" not in st.query_params:
        st.query_params["present"] = "1"
    st.session_state["presented_page"] = (page, is_presented())


def _stop(page: str, stops: Sequence[Stop]) -> Stop | None:
    """The stop of the lesson that the page shows; the first where its link names none."""
    if page != LESSON_PAGE or not stops:
        return None
    asked = st.query_params.get("stop")
    return next((stop for stop in stops if stop.id == asked), stops[0])


@st.fragment
@guarded
def _presenter(page: str, stops: Sequence[Stop], *, has_notes: bool) -> None:
    st.session_state[VISITS] = visited_links(told_visits())
    _take_kept_lecture()
    presents = is_presented()
    lecture = st.session_state.get(LECTURE, Lecture())
    around = neighbours(page, st.query_params.to_dict(), stops, lecture)
    from app.addresses import class_addresses  # which the first page does not need

    addresses = class_addresses() if presents else ()
    link = asked_link() if presents else None
    presenter(
        Presented(
            presents=presents,
            previous=around.previous if presents and around else None,
            next=around.next if presents and around else None,
            place=f"{around.name} {around.number} of {around.count}" if presents and around else "",
            share=around.number / around.count if presents and around else 0.0,
            title=around.title if presents and around else "",
            begins_with_text=presents and page == LESSON_PAGE,
            has_notes=has_notes,
            addresses=addresses,
            link=link,
            code=_code(link, addresses),
            wants_visits=page == LECTURE_PAGE,
            keep=_kept_lecture() if page == LECTURE_PAGE else None,
            wants_kept=_KEPT_TOLD not in st.session_state,
            move=st.session_state.get("presenter_move"),
            after=LECTURE_PAGE if presents and around and around.name == ENTRY else None,
            has_switch=page != LECTURE_PAGE or bool(lecture.entries),
            first=presented_entry(lecture, 0) if page == LECTURE_PAGE and lecture.entries else None,
        ),
        on_change=_told,
    )
    if st.session_state.pop("presenter_told", False) and page == LECTURE_PAGE:
        draw_again()  # the whole page, which lists what was visited


def _kept_lecture() -> str | None:
    """The lecture as the tab shall keep it; None while the one that it kept before is not known yet."""
    if _KEPT_TOLD not in st.session_state:
        return None
    return st.session_state.get(LECTURE, Lecture()).to_json().decode()


def _take_kept_lecture() -> None:
    """After a reload, go on with the lecture that the tab kept; what the tab says is checked like any file."""
    kept = told_kept()
    if kept is None or _KEPT_TOLD in st.session_state:
        return
    st.session_state[_KEPT_TOLD] = True
    if kept and not st.session_state.get(LECTURE, Lecture()).entries:
        with suppress(LectureError):
            st.session_state[LECTURE] = Lecture.from_json(kept.encode(errors="replace"))


def _told() -> None:
    st.session_state["presenter_told"] = True


def _code(link: str | None, addresses: Sequence[str]) -> str | None:
    """The code of a link that the browser asked for; None where it leads nobody here, or is none of this app."""
    if link is None or not addresses:
        return None
    try:
        read_link(link, relative_only=True)
    except LectureError:
        return None
    from app.addresses import code_picture

    return code_picture(urljoin(addresses[0], link))
