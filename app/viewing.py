"""Widgets to a frozen Viewing, and the page's link to widgets: how a visitor wants to see a trace.

Nothing here changes a number of a trace: which pieces are put together, how colours follow weights, which readings of
the Chinese stand beside it. It decodes nothing.
"""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from app.components.choice import choice
from app.components.step_player import PlayerView
from app.components.text import plain
from attention_model import chinese, merging
from attention_model.errors import MergeError
from attention_model.merging import Groups, MapGrid
from attention_model.trace import END_TOKEN, DecodingTrace

COLUMNS = ("pieces", "words")
ROWS = ("characters", "words", "by hand")
SCALES = {"fixed 0 to 1": "fixed", "each row": "row", "square root": "root", "logarithm": "log"}
"""What the page and its link call each colour scale, and what the player calls it."""

MOST_JOINS = 60
"""More ranges than a translation has steps make no sense in a link."""

COLUMNS_HELP = "A rare word is read in several pieces. As words, the weights of its pieces are added."
ROWS_HELP = (
    "As words, the rows of a word's characters are averaged. By hand, you choose which neighbours make one row; "
    "the first click on a step takes it, a second one gives it back."
)
SCALE_HELP = (
    "How the colours of the map follow the weights. Every scale but the fixed one is written on the map and on its "
    "pictures. The printed numbers stay the weights."
)


class Viewing(NamedTuple):
    """How a trace is shown.

    columns, rows: one of COLUMNS, one of ROWS. joined: for `by hand`, ranges (first, last) of steps that are one row.
    end_row: whether the map has the row of the end. scale: a value of SCALES.
    pinyin, simplified, gloss: whether these readings of the Chinese are shown.
    """

    columns: str = COLUMNS[0]
    rows: str = ROWS[0]
    joined: Groups = ()
    end_row: bool = True
    scale: str = "fixed"
    pinyin: bool = False
    simplified: bool = False
    gloss: bool = False

    @property
    def is_merged(self) -> bool:
        """False where the map has a column a piece and a row a token, the end's included."""
        return self.columns != COLUMNS[0] or self.rows != ROWS[0] or not self.end_row

    @property
    def reads_characters(self) -> bool:
        """Whether the player is given how characters are read."""
        return self.pinyin or self.simplified

    @property
    def reads_chinese(self) -> bool:
        """Whether dictionaries of Chinese are needed, which take a moment to load."""
        return self.reads_characters or self.gloss


def grid_of(trace: DecodingTrace, viewing: Viewing) -> MapGrid | None:
    """The map put together as the visitor wants it; None for the plain one and where there is no map.

    Raises MergeError when ranges joined by hand overlap or do not exist in this translation.
    """
    if trace.weights is None or not viewing.is_merged:
        return None
    steps = len(trace.target_tokens)
    source_groups = merging.piece_groups(len(trace.source_tokens))
    target_groups = merging.piece_groups(steps)
    if viewing.columns == "words":
        source_groups = merging.source_word_groups(trace)
    if viewing.rows == "words":
        target_groups = chinese.segment_words(trace.target_tokens)
    elif viewing.rows == "by hand":
        target_groups = merging.joined_groups(steps, viewing.joined)
    return merging.merge_map(
        trace,
        source_groups=source_groups,
        target_groups=target_groups,
        end_row=viewing.end_row,
        target_by_hand=viewing.rows == "by hand",
    )


def player_view(trace: DecodingTrace, viewing: Viewing, grid: MapGrid | None) -> PlayerView:
    """What the player is told of it."""
    view = PlayerView(scale=viewing.scale, pinyin=viewing.pinyin, simplified=viewing.simplified)
    if grid is None:
        return view
    return view._replace(
        grid=grid,
        row_labels=tuple(merging.row_label(trace, group) for group in grid.target_groups),
        column_labels=tuple(merging.column_label(trace, group) for group in grid.source_groups),
    )


def view_before(trace: DecodingTrace, viewing: Viewing) -> PlayerView:
    """How the trace before a change is shown: put together likewise. Rows joined by hand are those of the new one."""
    likewise = viewing if viewing.rows != "by hand" else viewing._replace(rows=ROWS[0])
    return player_view(trace, likewise, grid_of(trace, likewise))


def joined_in_link(text: str) -> Groups:
    """The ranges of a link such as `3-4,6-8`, counted there from 1 and here from 0.

    Raises MergeError, with what was found, for anything else.
    """
    ranges = []
    parts = [part for part in text.split(",") if part.strip()]
    for part in parts[: MOST_JOINS + 1]:
        first, dash, last = part.strip().partition("-")
        if not (dash and _is_whole(first) and _is_whole(last)):
            raise MergeError(
                f"The link joins the rows “{part[:40]}”, and ranges such as 3-4 or 3-4,6-8 are wanted, counted from "
                "1. Correct the link, or join neighbours on the page."
            )
        ranges.append((int(first) - 1, int(last) - 1))
    if len(ranges) > MOST_JOINS:
        raise MergeError(
            f"The link joins {len(parts)} ranges of rows, and at most {MOST_JOINS} make sense. Shorten the link."
        )
    return tuple(ranges)


def joined_text(ranges: Groups) -> str:
    """The ranges as they stand in a link."""
    return ",".join(f"{first + 1}-{last + 1}" for first, last in ranges)


def viewing_mistakes(link: dict[str, str]) -> tuple[str, ...]:
    """One sentence (Markdown) for each value in a link that makes no sense; the page takes the default instead."""
    choices = (("columns", COLUMNS), ("rows", ROWS), ("scale", tuple(SCALES)))
    mistakes = tuple(
        f"The link asks for the {name} “{plain(link[name][:40])}”, which does not exist. "
        f"There are {', '.join(allowed)}; the first is shown."
        for name, allowed in choices
        if name in link and link[name] not in allowed
    )
    try:
        joined_in_link(link.get("joined", ""))
    except MergeError as mistake:
        return (*mistakes, plain(str(mistake)))
    return mistakes


def viewing_in_link(link: dict[str, str]) -> Viewing:
    """What a link asks for, without the widgets; the default takes the place of what makes no sense."""

    def one_of(name: str, allowed: Sequence[str]) -> str:
        return link[name] if link.get(name) in allowed else allowed[0]

    try:
        joined = joined_in_link(link.get("joined", ""))
    except MergeError:
        joined = ()
    rows = one_of("rows", ROWS)
    return Viewing(
        columns=one_of("columns", COLUMNS),
        rows=rows,
        joined=joined if rows == "by hand" else (),
        end_row=link.get("end_row") != "false",
        scale=SCALES[one_of("scale", tuple(SCALES))],
        pinyin=link.get("pinyin") == "true",
        simplified=link.get("simplified") == "true",
        gloss=link.get("gloss") == "true",
    )


def viewing_options(trace: DecodingTrace) -> Viewing:
    """Draw the widgets and return what they ask for; every one is in the link under its key.

    Ranges in the link that make no sense join nothing.
    """
    columns, rows, end_row, scale = COLUMNS[0], ROWS[0], True, next(iter(SCALES))
    with st.popover("View", icon=":material/tune:", key="view_options", help="Words, colours, pinyin"):
        if trace.weights is not None:
            columns = choice("Columns of the map", COLUMNS, "columns", COLUMNS_HELP)
            rows = choice("Rows of the map", ROWS, "rows", ROWS_HELP)
            by_hand = st.container()
            end_row = _toggle("The end has a row", "end_row", default=True)
            scale = choice("Colours of the map", tuple(SCALES), "scale", SCALE_HELP)
        st.markdown("**Help with Chinese**")
        with st.container(horizontal=True):
            pinyin = _toggle("Pinyin", "pinyin")
            simplified = _toggle("Simplified characters", "simplified")
            gloss = _toggle("English gloss", "gloss")
        joined: Groups = ()
        if rows == "by hand":
            with by_hand:
                joined = _joined_rows(trace)
    return Viewing(columns, rows, joined, end_row, SCALES[scale], pinyin, simplified, gloss)


def _toggle(label: str, key: str, *, default: bool = False) -> bool:
    return st.toggle(label, default, key=key, bind="query-params", persist_state="session")


def _joined_rows(trace: DecodingTrace) -> Groups:
    """Choose neighbouring steps and join them; the ranges stand in the link under `joined`."""
    joined_for = st.session_state.setdefault("joined_for", trace.target_tokens)
    if joined_for != trace.target_tokens:  # ranges chosen in another translation mean nothing in this one
        st.session_state["joined_for"] = trace.target_tokens
        _separate()
    steps = [step for step, token in enumerate(trace.target_tokens) if token != END_TOKEN]
    chosen = st.pills(
        "Choose neighbours",
        steps,
        selection_mode="multi",
        format_func=lambda step: f"{step + 1} {plain(trace.target_tokens[step])}",
        key="neighbours",
    )
    with st.container(horizontal=True):
        st.button(
            "Join them",
            on_click=_join,
            args=(tuple(chosen),),
            key="join",
            disabled=len(chosen) < 2,
            icon=":material/merge:",
        )
        st.button(
            "Separate all",
            on_click=_separate,
            key="separate",
            disabled="joined" not in st.query_params,
            icon=":material/call_split:",
        )
    joined = _joined_so_far()
    if joined:
        named = ", ".join(
            plain("".join(trace.target_tokens[first : last + 1]) or f"{first + 1} to {last + 1}")
            for first, last in joined
        )
        st.caption(f"One row each: {named}")
    return joined


def _join(chosen: tuple[int, ...]) -> None:
    """One row more: from the first chosen step to the last. It takes the place of ranges that it touches."""
    first, last = min(chosen), max(chosen)
    kept = [(start, stop) for start, stop in _joined_so_far() if stop < first or start > last]
    st.query_params["joined"] = joined_text(tuple(sorted([*kept, (first, last)])))
    st.session_state["neighbours"] = []


def _joined_so_far() -> Groups:
    """The ranges in the link; none where it makes no sense, which is said when the page is opened."""
    try:
        return joined_in_link(st.query_params.get("joined", ""))
    except MergeError:
        return ()


def _separate() -> None:
    st.query_params.pop("joined", None)
    st.session_state["neighbours"] = []


def _is_whole(text: str) -> bool:
    return text.strip().isascii() and text.strip().isdigit() and len(text) <= 6
