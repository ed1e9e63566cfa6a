"""The Learn page: the lesson, one stop a screen, a short text beside a live part of the app.

The stops are data (`lesson`); the live parts get their numbers from whoever calls the page.
"""

from collections.abc import Callable, Sequence

import streamlit as st

from app.components.markdown import markdown_html
from app.components.text import prose
from app.guard import guarded
from app.inputs import quoted
from app.lesson import Stop
from app.live import Sources, live_part

TITLE = "Learn"
ICON = ":material/school:"

OpenStop = Callable[[str, str | None, str], None]


@guarded
def render(stops: Sequence[Stop], sources: Sources, open_stop: OpenStop) -> None:
    """Draw the page at the stop that its link names.

    open_stop: draws a link to a stop, given a label, the stop's id (None where there is none) and an icon.
    """
    asked = st.query_params.get("stop", stops[0].id)
    number = next((number for number, stop in enumerate(stops) if stop.id == asked), None)
    _navigation(stops, number or 0, open_stop)
    if number is None:
        st.info(prose("learn")["no such stop"].format(id=quoted(asked)), icon=":material/link_off:")
    stop = stops[number or 0]
    beside, live = st.columns((3, 7), gap="large")
    with beside, st.container(key="stop_text"):
        st.title(stop.title, anchor=False)
        st.html(f'<div class="stop-text">{markdown_html(stop.text)}</div>')
    with live, st.container(key="stop_live"):
        live_part(stop.live, f"live_{stop.id}", sources)
    if stop.notes:
        with st.container(key="stop_notes"), st.expander("Notes for presenting"):
            st.html(f'<div class="stop-text">{markdown_html(stop.notes)}</div>')


def _navigation(stops: Sequence[Stop], number: int, open_stop: OpenStop) -> None:
    """Where one is, the ways to the neighbours, and the list of all stops."""
    before = stops[number - 1].id if number > 0 else None
    after = stops[number + 1].id if number + 1 < len(stops) else None
    with st.container(key="stop_navigation", horizontal=True, vertical_alignment="center", gap="small"):
        open_stop("Previous", before, ":material/arrow_back:")
        st.progress((number + 1) / len(stops), f"Stop {number + 1} of {len(stops)}")
        open_stop("Next", after, ":material/arrow_forward:")
        with st.popover("All stops", icon=":material/list:"):
            for at, stop in enumerate(stops, start=1):
                here = ":material/my_location:" if at == number + 1 else ":material/radio_button_unchecked:"
                open_stop(f"{at}. {stop.title}", stop.id, here)
