"""Arriving at a page by a link: what the session remembers of an earlier visit gives way to what the link says.

A page that is opened without saying anything in its link stays as the visitor left it.
"""

import streamlit as st

from app.calculating import LINK_NAMES, forget_link
from app.inputs import forget_place
from app.opened_link import is_link_opened


def arrive(page: str) -> None:
    """To be called before a page is drawn, in every run. page: its address.

    Another entry of a lecture, and any link that is opened in the middle of a visit, is another arrival, though it may
    lie on the same page.
    """
    link = st.query_params.to_dict()
    arrival = page, link.get("entry")
    if st.session_state.get("arrival") == arrival and not is_link_opened():
        return
    st.session_state["arrival"] = arrival
    forget_place()
    for name in link:  # a widget that is kept through the visit would not see that its default is asked for
        st.session_state.pop(name, None)
    if any(name in link for name in LINK_NAMES):
        forget_link()
