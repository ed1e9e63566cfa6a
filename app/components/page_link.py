"""A link to a page of the app in a state: a true link, with an address, which opens in this visit.

It knows no page.
"""

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

SCRIPT, STYLE = (Path(__file__).with_suffix(suffix) for suffix in (".js", ".css"))


def page_link(label: str, page: str, query: Mapping[str, str], key: str) -> None:
    """Draw the link. page: as `st.Page` has its address, empty for the first page. query: what the address says."""
    address = f"./{page}?{urlencode(query)}" if query else f"./{page}"
    _COMPONENT(key=key, data={"label": label, "address": address}, width="content", height="content")


_COMPONENT = st.components.v2.component(
    "page_link", js=SCRIPT.read_text("utf-8"), css=STYLE.read_text("utf-8"), isolate_styles=True
)
