"""Where the keyboard goes on after a button was pressed: Streamlit draws the page anew, and the focus would be lost.

It knows no page.
"""

from pathlib import Path

import streamlit as st

SCRIPT = Path(__file__).with_suffix(".js")


def go_on() -> None:
    """For a callback: after this run the keyboard goes on where `next_focus` says."""
    st.session_state["next_focus_number"] = st.session_state.get("next_focus_number", 0) + 1


def next_focus(place: str) -> None:
    """Draw it, once a page and below the place, without room. place: the key of a widget or of a container.

    The first box or button in it gets the focus, or the place itself, to be read, where it has none.
    """
    number = st.session_state.get("next_focus_number", 0)
    _COMPONENT(key="next_focus", data={"place": place, "number": number}, height=1)


_COMPONENT = st.components.v2.component("next_focus", js=SCRIPT.read_text("utf-8"), isolate_styles=True)
