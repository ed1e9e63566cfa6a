"""Beside a plot: the control that saves it as SVG, PNG or PDF, as it stands on the page, with its Chinese glyphs in it.

It knows no plot but by the key of its element.
"""

import orjson
import streamlit as st

from app.components.scripts import Script
from app.components.step_player import joined_script, player_style
from attention_model.trace import DecodingTrace

SOURCE_FILES = (
    "numbers.js",
    "dom.js",
    "colours.js",
    "reading.js",
    "zoom.js",
    "glyphs.js",
    "paper.js",
    "pdf.js",
    "downloads.js",
    "hosts.js",
    "plot_picture.js",
)
"""In the order in which they are joined: a file uses only what stands before it."""

TRACE_FIELDS = (
    "source_text",
    "source_tokens",
    "target_tokens",
    "checkpoint",
    "scorer",
    "decoding",
    "intervention",
)
"""What a picture says of where it comes from."""


def plot_picture_script() -> str:
    """The source files as one module whose default export is the entry that Streamlit calls."""
    return joined_script(SOURCE_FILES)


def plot_picture(plot: str, trace: DecodingTrace, *, what: str, stem: str) -> None:
    """Draw the control. plot: the key of the plot. trace: where it comes from. what: it shows. stem: of the files."""
    told = {name: getattr(trace, name) for name in TRACE_FIELDS}
    _COMPONENT(key=f"{plot}_picture", data=orjson.dumps({"plot": plot, "what": what, "stem": stem, "trace": told}))


SCRIPT = Script.of("plot_picture", plot_picture_script())
_COMPONENT = st.components.v2.component("plot_picture", js=SCRIPT.loader(), css=player_style(), isolate_styles=True)
