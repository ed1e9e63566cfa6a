"""The Learn page: the lesson, one stop a screen, a short text beside a live part of the app.

The stops are data (`lesson`); the live parts get their numbers from whoever calls the page.
"""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from app.components.markdown import markdown_html
from app.components.text import prose
from app.guard import guarded
from app.inputs import OWN_SENTENCE, quoted, whole
from app.lesson import Stop
from app.live import Sources, live_part
from app.offline import lesson_html
from app.presenting import is_presented
from app.quiz import topics

TITLE = "Learn"
ICON = ":material/school:"

KEPT_NAMES = ("present", "entry", OWN_SENTENCE)
"""What stays in the page's link from stop to stop."""


LeadOn = Callable[[str, str, Mapping[str, str]], None]
"""Draws a link: its label, the page as it is called in addresses, and the query."""


@guarded
def render(stops: Sequence[Stop], sources: Sources, lead_on: LeadOn) -> None:
    """Draw the page at the stop that its link names. lead_on: draws a link to questions and exercises."""
    asked = st.query_params.get("stop", stops[0].id)
    number = next((number for number, stop in enumerate(stops) if stop.id == asked), None)
    with st.container(key="learn_head", horizontal=True, vertical_alignment="center", gap="small"):
        st.title("Learn", anchor=False, width="content")
        st.caption(prose("learn")["tagline"], width="content")
        _navigation(stops, number or 0)
    if number is None:
        st.info(prose("learn")["no such stop"].format(id=quoted(asked)), icon=":material/link_off:")
    step = st.query_params.get("step")
    if step is not None and not whole(step):
        st.info(prose("learn")["no such step"].format(step=quoted(step)), icon=":material/link_off:")
    stop = stops[number or 0]
    beside, live = st.columns((3, 7), gap="large")
    with beside, st.container(key="stop_text"):
        st.header(stop.title, anchor=False)
        st.html(f'<div class="stop-text">{markdown_html(stop.text)}</div>')
        if not is_presented():
            _ways_on(stop, stop == stops[-1], lead_on)
    with live, st.container(key="stop_live"):
        live_part(stop.live, f"live_{stop.id}", sources)
    if stop.notes:
        with st.container(key="stop_notes"), st.expander("Notes for presenting"):
            st.html(f'<div class="stop-text">{markdown_html(stop.notes)}</div>')
    with st.container(key="stop_file"):
        st.download_button(
            "The whole lesson as one file",
            lambda: lesson_html(stops, sources),
            "glanceback-lesson.html",
            "text/html",
            key="lesson_file",
            help=prose("learn")["file"],
            on_click="ignore",
            icon=":material/download:",
        )


@guarded
def _ways_on(stop: Stop, is_last: bool, lead_on: LeadOn) -> None:
    """To the questions of the stop, if it has any, and after the last stop to all questions and exercises."""
    if is_last:
        st.html(f'<div class="stop-text">{markdown_html(prose("learn")["end"])}</div>')
    with st.container(key="stop_ways", horizontal=True, gap="small"):
        if any(topic.id == stop.id for topic in topics()):
            lead_on("Questions about this stop", "quiz", {"topic": stop.id})
        if is_last:
            lead_on("All questions", "quiz", {})
            lead_on("Exercises", "practice", {})


def _navigation(stops: Sequence[Stop], number: int) -> None:
    """Where one is, the ways to the neighbours, and the list of all stops."""
    with st.container(key="stop_navigation", horizontal=True, vertical_alignment="center", gap="small"):
        _way("Previous", stops, number - 1, "stop_previous", ":material/arrow_back:")
        st.progress((number + 1) / len(stops), f"Stop {number + 1} of {len(stops)}")
        _way("Next", stops, number + 1, "stop_next", ":material/arrow_forward:")
        with st.popover("All stops", icon=":material/list:", key="stop_list"):
            st.session_state["stop_chosen"] = number
            st.radio(
                "Stops",
                range(len(stops)),
                format_func=lambda at: f"{at + 1}. {stops[at].title}",
                key="stop_chosen",
                label_visibility="collapsed",
                on_change=_take_chosen,
                args=(stops,),
            )


def _way(label: str, stops: Sequence[Stop], number: int, key: str, icon: str) -> None:
    exists = 0 <= number < len(stops)
    st.button(
        label, key=key, icon=icon, disabled=not exists, on_click=_open, args=(stops[number].id if exists else "",)
    )


@guarded
def _take_chosen(stops: Sequence[Stop]) -> None:
    _open(stops[st.session_state["stop_chosen"]].id)


def _open(stop: str) -> None:
    """Go to a stop, and leave the place in the one before."""
    kept = {name: value for name, value in st.query_params.to_dict().items() if name in KEPT_NAMES}
    st.query_params.from_dict(kept | {"stop": stop})
