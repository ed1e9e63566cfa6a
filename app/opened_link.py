"""Links that are opened in the middle of a visit: by the browser's Back and Forward, and by the presenter.

The whole link counts then, also what another page's widget was bound to. It knows no page.
"""

from urllib.parse import parse_qsl

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx


def is_link_opened() -> bool:
    """Whether this run shows a link that was opened in the middle of a visit, so that the link's place counts."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def take_whole_link() -> None:
    """Give a link that was just opened to the widgets of its page, before they are drawn.

    Two pages have a box for the sentence, and Streamlit, on the way from one to the other, takes the link's sentence
    for one that was left behind.
    """
    context = get_script_run_ctx()
    if context is None or not context.is_history_navigation:
        return
    whole = dict(parse_qsl(context.query_string, keep_blank_values=True))
    if whole != st.query_params.to_dict():
        with context.session_state.query_params() as query:
            query.set_initial_query_params(context.query_string)
        st.query_params.from_dict(whole)
