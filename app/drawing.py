"""Draws the whole page again, when one of its parts has changed what the rest shows."""

import streamlit as st


def draw_again() -> None:
    """Draw the whole page from its beginning; what follows in this run is not drawn.

    What the person has asked for meanwhile, such as another page, comes first: Streamlit turns to it where anything is
    drawn, while a run that is asked for here would otherwise take its place.
    """
    st.empty()
    st.rerun()  # noqa: TID251
