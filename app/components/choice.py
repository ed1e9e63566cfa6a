"""A choice between a few words, which the page's link carries as it is written on the page."""

from collections.abc import Sequence

import streamlit as st


def choice(label: str, options: Sequence[str], key: str, help_text: str) -> str:
    """Draw a segmented control, the first option chosen at first, and return what is chosen."""
    chosen = st.segmented_control(
        label,
        options,
        default=options[0],
        required=True,
        key=key,
        help=help_text,
        bind="query-params",
        persist_state="session",
    )
    return chosen or options[0]  # Streamlit takes an empty value in a link for none, though one is required
