"""The presenter: what a presented page has instead of its chrome, and the switch that begins it.

Keys and moves are the browser's work; Python says where the moves lead and draws the code of a link that is asked for.
It knows no page, no lesson and no lecture.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import streamlit as st

from app import theme
from app.components.scripts import Script

HERE = Path(__file__).parent
KEY = "presenter"
STYLE = HERE / "presenting.css"
"""For the page around: it hides the chrome and magnifies the rest."""


@dataclass(frozen=True)
class Move:
    """A relative link that the browser shall open once. number: larger than that of every move before."""

    number: int
    link: str


@dataclass(frozen=True)
class Presented:
    """What the browser is told.

    presents: whether the page is presented. previous, next: relative links of the neighbours; None at an end.
    place: where in the lesson or lecture, such as "Stop 3 of 23"; empty elsewhere. share: the same from 0 to 1.
    title: what the lecture calls this entry; empty elsewhere.
    begins_with_text: whether the text stands alone on the screen before the live part. has_notes: of the presenter.
    addresses: what others can type; none where only this machine can open the app. link, code: the link that was asked
    for, and its code as the address of a picture, None where there is none. wants_visits: whether to tell what was
    visited. keep: a text that the tab keeps beyond a reload; None to leave what it keeps. wants_kept: whether to tell
    that text. move: a link to open now; None for none. has_switch: whether the page can be presented, or leads to what
    can. first: the relative link that the switch opens; None for the page as it stands. after: the relative link to
    which the way out leads; None for the page as it stands.
    """

    presents: bool
    previous: str | None = None
    next: str | None = None
    place: str = ""
    share: float = 0.0
    title: str = ""
    begins_with_text: bool = False
    has_notes: bool = False
    addresses: tuple[str, ...] = ()
    link: str | None = None
    code: str | None = None
    wants_visits: bool = False
    keep: str | None = None
    wants_kept: bool = False
    move: Move | None = None
    has_switch: bool = True
    first: str | None = None
    after: str | None = None


def presenter(presented: Presented, *, on_change: Callable[[], None]) -> None:
    """Mount the presenter, once a page. on_change: called when the browser asks for a link or tells something."""
    _COMPONENT(
        key=KEY,
        data=asdict(presented),
        height=1,
        on_asked_change=on_change,
        on_visits_change=on_change,
        on_kept_change=on_change,
    )


def asked_link() -> str | None:
    """The relative link of the view whose code was asked for; None while none was. It comes from the browser."""
    asked = (st.session_state.get(KEY) or {}).get("asked")
    return asked if isinstance(asked, str) else None


def told_visits() -> list[str]:
    """The links of what was visited in this tab, newest last, as the browser tells them."""
    visits = (st.session_state.get(KEY) or {}).get("visits")
    return [link for link in visits if isinstance(link, str)] if isinstance(visits, list) else []


def told_kept() -> str | None:
    """The text that the tab kept, empty where it kept none; None before it was told. It comes from the browser."""
    kept = (st.session_state.get(KEY) or {}).get("kept")
    return kept if isinstance(kept, str) else None


def _style() -> str:
    schemes = "\n".join(f'[data-scheme="{scheme}"] {{\n{theme.css_variables(scheme)}\n}}' for scheme in theme.SCHEMES)
    return schemes + "\n" + (HERE / "presenter.css").read_text("utf-8")


SCRIPT = Script.of("presenter", (HERE / "presenter.js").read_text("utf-8"))
_COMPONENT = st.components.v2.component("presenter", js=SCRIPT.loader(), css=_style(), isolate_styles=True)
