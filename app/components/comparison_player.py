"""The comparison player: up to four traces of one sentence side by side, stepped together in the browser.

Like the step player it is given bytes and a place to start and gives back the step. It draws what it is given: the
differences of two traces, their distances and where they agree are computed elsewhere. This module knows no
checkpoint, no page and no torch.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import orjson
import streamlit as st
from jaxtyping import Bool, Float

from app.components.scripts import Script
from app.components.standalone import standalone_page
from app.components.step_player import (
    MAP_FIELDS,
    SOURCE_FOLDER,
    WORD_MARK,
    PlayerPosition,
    joined_script,
    kept_start,
    player_position,
    player_style,
)
from attention_model import analysis
from attention_model.trace import END_TOKEN, DecodingTrace

MOST_TRACES = 4

SOURCE_FILES = (
    "numbers.js",
    "dom.js",
    "colours.js",
    "reading.js",
    "changes.js",
    "groups.js",
    "hints.js",
    "frames.js",
    "zoom.js",
    "formulas.js",
    "hatch.js",
    "marks.js",
    "floating.js",
    "menu.js",
    "scales.js",
    "grids.js",
    "bands.js",
    "words.js",
    "labels.js",
    "walk.js",
    "reference.js",
    "map.js",
    "glyphs.js",
    "paper.js",
    "pdf.js",
    "downloads.js",
    "transport.js",
    "keys.js",
    "stepper.js",
    "columns.js",
    "panels.js",
    "difference_map.js",
    "comparison_picture.js",
    "compare.js",
    "hosts.js",
    "compare_main.js",
)
"""In the order in which they are joined: a file uses only what stands before it."""

COMPARED_FIELDS = (*MAP_FIELDS, "source_text", "checkpoint", "decoding")
"""What is sent of a trace: what a map is drawn from, and what a picture says of where it comes from."""


class ComparedTrace(NamedTuple):
    """One of the traces.

    note: one short line under the title. reference: the links of a person that are drawn on the map, each as (source
    position, target step, whether the person was sure); None for none.
    """

    title: str
    note: str
    trace: DecodingTrace
    reference: tuple[tuple[int, int, bool], ...] | None = None


class DifferenceView(NamedTuple):
    """How far two of the traces are apart: the weights of the first minus those of the second.

    first, second: which traces, from 0. distances: the Jensen-Shannon distance of each row, 0..1. agrees: whether
    both rows have their largest weight on the same source token.
    """

    first: int
    second: int
    differences: Float[np.ndarray, "target source"]
    distances: Float[np.ndarray, " target"]
    agrees: Bool[np.ndarray, " target"]


def comparison_payload(
    traces: Sequence[ComparedTrace], difference: DifferenceView | None = None, *, aligned: bool
) -> bytes:
    """Everything that the comparison draws from, as JSON; to be made once and kept.

    aligned: whether all traces stand on one target, so that their rows line up; else each steps through its own.
    Raises ValueError when the traces are none or too many, are not of one sentence, or do not stand on one target
    although they are called aligned, and when a difference does not fit them.
    """
    _check_traces(traces, aligned)
    if difference is not None:
        _check_difference(traces, difference, aligned)
    document = {
        "traces": [_compared(one) for one in traces],
        "difference": None if difference is None else _difference(traces, difference),
        "aligned": aligned,
        "wordMark": WORD_MARK,
    }
    return orjson.dumps(document, option=orjson.OPT_SERIALIZE_NUMPY)


def comparison_data(payload: bytes, step: int = 0, *, writes_address: bool = False) -> bytes:
    """A payload together with the step to start at, and whether the page's address is kept up to date."""
    return orjson.dumps(
        {"start": step, "writesAddress": writes_address, "comparison": orjson.Fragment(payload)},
    )


def comparison_script() -> str:
    """The source files as one module whose default export is the entry that Streamlit calls."""
    return joined_script(SOURCE_FILES)


def comparison_style() -> str:
    """The player's style sheet, and after it what only the comparison has."""
    return player_style() + "\n" + (SOURCE_FOLDER / "comparison.css").read_text("utf-8")


def comparison_html(payload: bytes, *, title: str, step: int = 0) -> str:
    """One HTML file that holds a comparison: it needs no server and no network and opens from a folder."""
    return standalone_page(
        title=title, style=comparison_style(), data=comparison_data(payload, step), script=comparison_script()
    )


def comparison_position(key: str) -> int | None:
    """The step to which the visitor has taken the comparison with this key; None while it stands where it started."""
    position = player_position(key)
    return None if position is None else position.step


def comparison_player(
    payload: bytes,
    *,
    key: str,
    step: int = 0,
    on_step_change: Callable[[], None] | None = None,
    writes_address: bool = True,
) -> int:
    """Mount the comparison and return the step at which it stands.

    payload: from `comparison_payload`.
    step: where to start, from 0. A later run moves the comparison only by giving another step than the run before it,
        or another payload; giving back what was reported moves nothing, and lets another payload open where it stood.
    on_step_change: called about 250 ms after the visitor came to rest; `comparison_position(key)` tells where.
    writes_address: keep `step`, counted from 1, in the page's address. For one player a page.
    """
    start = kept_start(key, payload, PlayerPosition(step, None))
    _COMPONENT(
        key=key,
        data=comparison_data(payload, start.step, writes_address=writes_address),
        on_position_change=on_step_change or _nothing,
    )
    reported = comparison_position(key)
    return start.step if reported is None else reported


def _nothing() -> None:
    """Streamlit keeps a state only when a callback is named for it."""


def _check_traces(traces: Sequence[ComparedTrace], aligned: bool) -> None:
    if not 1 <= len(traces) <= MOST_TRACES:
        raise ValueError(f"{len(traces)} traces were given, and 1 to {MOST_TRACES} can be compared.")
    first = traces[0].trace
    for title, _, trace, reference in traces:
        if trace.source_tokens != first.source_tokens:
            raise ValueError(f"{title!r} reads other source tokens than {traces[0].title!r}.")
        if aligned and trace.target_tokens != first.target_tokens:
            raise ValueError(f"{title!r} is called aligned, but stands on another target than {traces[0].title!r}.")
        rows, columns = len(trace.target_tokens), len(trace.source_tokens)
        if not all(0 <= i < columns and 0 <= t < rows for i, t, _ in reference or ()):
            raise ValueError(f"A reference link of {title!r} lies outside its {rows} rows and {columns} columns.")


def _check_difference(traces: Sequence[ComparedTrace], difference: DifferenceView, aligned: bool) -> None:
    if not aligned:
        raise ValueError("A difference was given of traces whose rows do not line up.")
    for which in (difference.first, difference.second):
        weights = traces[which].trace.weights
        if weights is None or weights.shape != difference.differences.shape:
            raise ValueError(f"The differences do not fit the weights of {traces[which].title!r}.")
    if not difference.distances.shape == difference.agrees.shape == difference.differences.shape[:1]:
        raise ValueError("A difference needs one distance and one agreement a row.")


def _compared(compared: ComparedTrace) -> dict[str, Any]:
    trace = compared.trace
    entropies = None if trace.weights is None else analysis.weight_entropy(trace.weights)
    return {
        "title": compared.title,
        "note": compared.note,
        "trace": {name: getattr(trace, name) for name in COMPARED_FIELDS},
        "sentences": [f"{sentence}." for sentence in analysis.describe_trace(trace, WORD_MARK)],
        "entropies": entropies,
        "largestEntropy": float(np.log2(len(trace.source_tokens))),
        "reference": compared.reference,
    }


def _difference(traces: Sequence[ComparedTrace], difference: DifferenceView) -> dict[str, Any]:
    first, second = traces[difference.first], traces[difference.second]
    steps = range(len(first.trace.target_tokens))
    return difference._asdict() | {"sentences": [_describe_difference(first, second, difference, t) for t in steps]}


def _describe_difference(first: ComparedTrace, second: ComparedTrace, difference: DifferenceView, t: int) -> str:
    """One sentence that says where both look most at step t, and how far apart their rows are."""
    token = first.trace.target_tokens[t]
    name = "The end" if token == END_TOKEN else token
    tops = [
        f"{WORD_MARK}{one.trace.source_tokens[one.trace.weights[t].argmax()]}{WORD_MARK}" for one in (first, second)
    ]
    if difference.agrees[t]:
        where = f"{name}: both look most at {tops[0]}"
    else:
        where = f"{name}: {first.title} looks most at {tops[0]}, {second.title} at {tops[1]}"
    return f"{where}. Their distance is {difference.distances[t]:.2f}."


SCRIPT = Script.of("comparison_player", comparison_script())
_COMPONENT = st.components.v2.component(
    "comparison_player", js=SCRIPT.loader(), css=comparison_style(), isolate_styles=True
)
