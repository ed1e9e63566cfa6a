"""Whether the visitor's page is light or dark, also after a change in the middle of a visit.

Streamlit alone tells it at the start of a run only, and a change starts no run (streamlit#11920). It knows no figure.
"""

from pathlib import Path

import streamlit as st

SCRIPT = Path(__file__).with_suffix(".js")


def colour_scheme(key: str) -> str:
    """`light` or `dark`; a change runs the fragment that asks again. Takes no room on the page."""
    state = st.session_state.get(key) or {}
    scheme = state.get("scheme") or ("dark" if st.context.theme.type == "dark" else "light")
    _COMPONENT(key=key, data={"scheme": scheme}, height=1, on_scheme_change=_nothing)
    return scheme


def _nothing() -> None:
    """Streamlit keeps a state only when a callback is named for it."""


_COMPONENT = st.components.v2.component("colour_scheme", js=SCRIPT.read_text("utf-8"), isolate_styles=True)
