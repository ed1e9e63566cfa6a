"""The step player: one component that draws a trace and steps through it in the browser, without a round trip.

Python gives it a payload (the trace, its opened softmaxes, its sentences and the fixed texts of the five parts) and a
place to start; the browser gives back the step and the part, and what the visitor wants changed. The drawing lives in
`player/`, source files of JavaScript that are joined here in a fixed order. This module knows no checkpoint, no page
and no torch, and it carries out no change.
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import orjson
import streamlit as st

from app import theme
from app.components.scripts import Script
from attention_model import analysis
from attention_model.merging import MapGrid
from attention_model.trace import END_TOKEN, DecodingTrace

SOURCE_FOLDER = Path(__file__).parent / "player"

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
    "sharing.js",
    "sliders.js",
    "changing.js",
    "scales.js",
    "grids.js",
    "painter.js",
    "bands.js",
    "words.js",
    "scores.js",
    "softmax.js",
    "blend.js",
    "decoder.js",
    "candidates.js",
    "labels.js",
    "walk.js",
    "reference.js",
    "map.js",
    "before.js",
    "edges.js",
    "glyphs.js",
    "paper.js",
    "picture.js",
    "still.js",
    "pdf.js",
    "downloads.js",
    "transport.js",
    "keys.js",
    "columns.js",
    "stepper.js",
    "player.js",
    "hosts.js",
    "main.js",
)
"""In the order in which they are joined: a file uses only what stands before it."""

WORD_MARK = "\ue000"
"""Stands around source words in sentences: a character that nobody types, unlike an asterisk."""

SCALES = ("fixed", "row", "root", "log")
"""How colours follow weights: from 0 to 1, from 0 to the row's largest, by square root, by logarithm."""

ZOOMS = ("fit", "14", "18", "24", "32", "44", "60", "80", "104")
"""What a link can say of the zoom: all columns in view, or the width of a column. The player itself reads it there."""

PARTS = ("score", "softmax", "blend", "output", "prediction")

FORMULAS = {
    "score": {
        "dot": "α_{t,i} = h_{i}^{⊤} s_{t}",
        "multiplicative": "α_{t,i} = h_{i}^{⊤} W s_{t}",
        "additive": "α_{t,i} = v^{⊤} tanh(W_{1} h_{i} + W_{2} s_{t})",
    },
    "softmax": "α̂_{t,i} = exp(α_{t,i}) / Σ_{k} exp(α_{t,k})",
    "softmax_with_temperature": "α̂_{t,i} = exp(α_{t,i}/τ) / Σ_{k} exp(α_{t,k}/τ)",
    "blend": "a_{t} = Σ_{i} α̂_{t,i} h_{i}",
    "output": "õ_{t} = tanh(W [a_{t}; s_{t}])",
    "output_without_attention": "õ_{t} = tanh(W s_{t})",
    "prediction": "P(y_{t}) = softmax(V õ_{t})",
    "symbols": {"score": "score α", "weight": "weight α̂", "terms": "α̂ · h", "context": "a_{t}"},
}
"""The five parts in the usual symbols, and `symbols`, the names beside the player's bars.

`_{…}` is set below the line, `^{…}` above it.
"""


class PlayerPosition(NamedTuple):
    """Where a player stands: the step from 0, and the part from 0, None when it steps by whole words."""

    step: int
    part: int | None


class PlayerView(NamedTuple):
    """How a trace is shown; it changes no number of it.

    scale: how colours follow weights, one of SCALES.
    grid: the map with pieces and rows put together; None for a column a piece and a row a token.
    row_labels, column_labels: the words that stand for the rows and columns of the grid, in its order.
    pinyin, simplified: whether the readings in the payload are shown.
    before: how the trace before a change is shown; None for likewise, but with a column a piece and a row a token.
    """

    scale: str = "fixed"
    grid: MapGrid | None = None
    pinyin: bool = False
    simplified: bool = False
    row_labels: tuple[str, ...] = ()
    column_labels: tuple[str, ...] = ()
    before: Self | None = None


PLAIN_VIEW = PlayerView()


class PlayerReading(NamedTuple):
    """How one token is read: its pinyin, empty where there is none, and its simplified form."""

    pinyin: str
    simplified: str


class PlayerReadings(NamedTuple):
    """Readings of the target tokens, one a step, and of every candidate, by its token."""

    steps: tuple[PlayerReading, ...]
    tokens: dict[str, PlayerReading]


class TraceBefore(NamedTuple):
    """The trace before a change, to stand beside the one after it.

    label: a short title, such as "Before: a lot hidden". changed: for each row of the trace before whether it is gone
    or changed. changed_now: for each row of the new trace whether it is new or changed.
    """

    trace: DecodingTrace
    label: str
    changed: tuple[bool, ...]
    changed_now: tuple[bool, ...]


class PlayerChange(NamedTuple):
    """What a visitor wants changed: a number that grows from change to change, and the change as a JSON list."""

    number: int
    change: list[Any]


def player_payload(
    trace: DecodingTrace,
    *,
    before: TraceBefore | None = None,
    readings: PlayerReadings | None = None,
    formulas: Mapping[str, Any] = FORMULAS,
) -> bytes:
    """Everything that the player draws from, as JSON; to be made once a trace and kept.

    readings: only where pinyin or simplified characters are to be shown, for looking them up takes time.
    formulas: the five parts in other symbols, with the keys of FORMULAS.
    """
    steps = range(len(trace.target_tokens))
    document = {
        "trace": orjson.Fragment(trace.to_json()),
        "softmax": None if trace.scores is None else [_softmax(trace, t) for t in steps],
        "sentences": [_sentences(trace, t) for t in steps],
        "formulas": _formulas(trace, formulas),
        "wordMark": WORD_MARK,
        "before": None if before is None else _before(before),
        "changed": None if before is None else before.changed_now,
        "readings": None if readings is None else _readings(readings),
    }
    return orjson.dumps(document, option=orjson.OPT_SERIALIZE_NUMPY)


def player_data(
    payload: bytes,
    step: int = 0,
    part: int | None = None,
    *,
    view: PlayerView = PLAIN_VIEW,
    writes_address: bool = False,
    offers_changes: bool = False,
) -> bytes:
    """A payload together with the place to start, how it is shown, and what the player may do.

    writes_address: whether it keeps the page's address up to date. offers_changes: whether it has menus for changes.
    """
    return orjson.dumps(
        {
            "start": {"step": step, "part": part},
            "writesAddress": writes_address,
            "offersChanges": offers_changes,
            "view": _view(view),
            "digest": hashlib.blake2b(payload, digest_size=16).hexdigest(),
            "document": orjson.Fragment(payload),
        },
        option=orjson.OPT_SERIALIZE_NUMPY,
    )


def player_script() -> str:
    """The player's source files as one module whose default export is the entry that Streamlit calls."""
    return joined_script(SOURCE_FILES)


def joined_script(names: Sequence[str]) -> str:
    """Files of the player's folder as one module, in this order; only the last may have a default export."""
    return "\n".join(_joined((SOURCE_FOLDER / name).read_text("utf-8")) for name in names)


def player_style() -> str:
    """The player's style sheet, after the theme's colours for both schemes."""
    schemes = "\n".join(f'[data-scheme="{scheme}"] {{\n{theme.css_variables(scheme)}\n}}' for scheme in theme.SCHEMES)
    return schemes + "\n" + (SOURCE_FOLDER / "player.css").read_text("utf-8")


def player_position(key: str) -> PlayerPosition | None:
    """Where the visitor has taken the player with this key; None while it stands where it started."""
    state = st.session_state.get(key)
    position = state.get("position") if state else None
    return PlayerPosition(position["step"], position["part"]) if position else None


def player_change(key: str) -> PlayerChange | None:
    """The last change that the visitor asked for in the player with this key; a new one has a larger number."""
    state = st.session_state.get(key)
    change = state.get("change") if state else None
    return PlayerChange(change["number"], change["change"]) if change else None


def step_player(
    payload: bytes,
    *,
    key: str,
    step: int = 0,
    part: int | None = None,
    view: PlayerView = PLAIN_VIEW,
    offers_changes: bool = False,
    on_step_change: Callable[[], None] | None = None,
    on_change: Callable[[], None] | None = None,
    writes_address: bool = True,
) -> PlayerPosition:
    """Mount the player and return where it stands.

    payload: from `player_payload`.
    step, part: where to start, from 0. A later run moves the player only by giving another place than the run before
        it, or another payload; giving back what the player reported moves nothing. Another view alone moves nothing.
    view: how the trace is shown.
    offers_changes: whether clicking words, cells and candidates offers to change what the decoder did.
    on_step_change: called about 250 ms after the visitor came to rest at a step; `player_position(key)` tells where.
    on_change: called when the visitor wants something changed; `player_change(key)` tells what.
    writes_address: keep `step` and `part`, counted from 1, in the page's address. For one player a page.
    """
    asked = PlayerPosition(step, part)
    start = kept_start(key, payload, asked)
    _COMPONENT(
        key=key,
        data=player_data(
            payload,
            start.step,
            start.part,
            view=view,
            writes_address=writes_address,
            offers_changes=offers_changes,
        ),
        on_position_change=on_step_change or _nothing,
        on_change_change=on_change or _nothing,
    )
    return player_position(key) or start


class _Mounted(NamedTuple):
    """What a player was last given: kept in the session so that a rerun sends nothing new without need."""

    payload: int
    asked: PlayerPosition
    start: PlayerPosition


def kept_start(key: str, payload: bytes, asked: PlayerPosition) -> PlayerPosition:
    """The place that the data names as the start; unchanged over reruns, or the whole payload would travel again."""
    session_key = f"{key}:mounted"
    before: _Mounted | None = st.session_state.get(session_key)
    reported = player_position(key)
    is_same = before is not None and before.payload == hash(payload) and key in st.session_state
    keeps = is_same and (asked in (before.asked, reported))
    start = before.start if keeps else asked
    st.session_state[session_key] = _Mounted(hash(payload), asked, start)
    return start


def _nothing() -> None:
    """Streamlit keeps a state only when a callback is named for it."""


def _joined(source: str) -> str:
    """A source file in a scope of its own that gives away what it exports; the last file stays as it is."""
    without_imports = re.sub(r'^import\s*\{[^}]*\}\s*from\s*"\./\w+\.js";\n', "", source, flags=re.MULTILINE)
    exported = ", ".join(re.findall(r"^export (?:async )?(?:function|const|class) (\w+)", source, flags=re.MULTILINE))
    plain = re.sub(r"^export (?!default)", "", without_imports, flags=re.MULTILINE)
    if "export default" in plain:
        return plain
    return f"const {{ {exported} }} = (() => {{\n{plain}\nreturn {{ {exported} }};\n}})();\n"


MAP_FIELDS = (
    "source_tokens",
    "source_pieces",
    "source_word_ids",
    "target_tokens",
    "target_known",
    "computed_weights",
    "weights",
    "scorer",
    "intervention",
)
"""What a map is drawn from: all that is sent of the trace before a change."""


def _before(before: TraceBefore) -> dict[str, Any]:
    return {
        "trace": {name: getattr(before.trace, name) for name in MAP_FIELDS},
        "label": before.label,
        "changed": before.changed,
    }


def _readings(readings: PlayerReadings) -> dict[str, Any]:
    return {
        "steps": [reading._asdict() for reading in readings.steps],
        "tokens": {token: reading._asdict() for token, reading in readings.tokens.items()},
    }


def _view(view: PlayerView) -> dict[str, Any]:
    grid = None
    if view.grid is not None:
        grid = view.grid._asdict() | {"row_labels": view.row_labels, "column_labels": view.column_labels}
    before = None if view.before is None else _view(view.before)
    shown = {"scale": view.scale, "grid": grid, "pinyin": view.pinyin, "simplified": view.simplified}
    return shown | {"before": before}


def _softmax(trace: DecodingTrace, t: int) -> dict[str, Any]:
    """The softmax of step t, opened, in single precision: exact enough to be read, and half as long."""
    parts = analysis.softmax_parts(trace.scores[t], trace.intervention.temperature)
    return {
        "scaled": _single(parts.scaled),
        "largest": parts.largest,
        "shifted": _single(parts.shifted),
        "exponentials": _single(parts.exponentials),
        "total": parts.total,
    }


def _single(values: np.ndarray) -> np.ndarray:
    return values.astype(np.float32)


def _formulas(trace: DecodingTrace, formulas: Mapping[str, Any]) -> dict[str, Any]:
    """The formula of each part, for this trace's scorer, and the symbols that stand beside bars and scales."""
    has_attention = trace.scorer != "none"
    is_heated = trace.intervention.temperature != 1
    return {
        "score": formulas["score"].get(trace.scorer),
        "softmax": formulas["softmax_with_temperature" if is_heated else "softmax"],
        "blend": formulas["blend"],
        "output": formulas["output"] if has_attention else FORMULAS["output_without_attention"],
        "prediction": formulas["prediction"],
        "symbols": formulas["symbols"],
    }


def _sentences(trace: DecodingTrace, t: int) -> dict[str, str]:
    """One short sentence a picture for step t, `step` for the whole of it."""
    return {
        "step": analysis.describe_step(trace, t, WORD_MARK) + ".",
        "score": _describe_scores(trace, t),
        "softmax": _describe_softmax(trace, t),
        "blend": _describe_blend(trace, t),
        "output": _describe_output(trace, t),
        "prediction": _describe_prediction(trace, t),
    }


NO_ATTENTION = "There is no attention: the decoder reads only the encoder's final state."


def _describe_scores(trace: DecodingTrace, t: int) -> str:
    if trace.scores is None:
        return NO_ATTENTION
    row = trace.scores[t]
    seen = np.flatnonzero(np.isfinite(row))
    largest, smallest = seen[row[seen].argmax()], seen[row[seen].argmin()]
    text = f"Largest {_number(row[largest])} for {_word(trace, largest)}"
    if len(seen) > 1:
        text += f", smallest {_number(row[smallest])} for {_word(trace, smallest)}"
    if len(seen) < len(row):
        hidden = ", ".join(_word(trace, i) for i in np.flatnonzero(np.isinf(row)))
        text += f"; hidden: {hidden}"
    return text + "."


def _describe_softmax(trace: DecodingTrace, t: int) -> str:
    if trace.scores is None:
        return NO_ATTENTION
    parts = analysis.softmax_parts(trace.scores[t], trace.intervention.temperature)
    last = "The weights add up to 1."
    if not np.array_equal(trace.weights[t], trace.computed_weights[t]):
        last = "The hatched bars are the weights set by hand."
    first = "The largest score"
    if trace.intervention.temperature != 1:
        first = f"Scores are divided by the temperature {trace.intervention.temperature:g}; the largest"
    return f"{first}, {_number(parts.largest)}, is subtracted first. {last}"


def _describe_blend(trace: DecodingTrace, t: int) -> str:
    if trace.weights is None:
        return NO_ATTENTION
    row = trace.weights[t]
    order = [i for i in np.argsort(-row, kind="stable")[:3] if row[i] >= 0.1]
    shares = [f"{row[i]:.2f} of {_word(trace, i)}" for i in order]
    if not order:
        return "No state has as much as a tenth of the blend."
    rest = 1 - float(sum(row[i] for i in order))
    if rest >= 0.005:
        shares.append(f"{rest:.2f} of the rest")
    return "The context is " + " + ".join(shares) + "."


def _describe_output(trace: DecodingTrace, t: int) -> str:
    if trace.attention_outputs is None:
        return "These states have no output layer."
    values = trace.attention_outputs[t]
    return f"{len(values)} numbers from {_number(values.min())} to {_number(values.max())}."


def _describe_prediction(trace: DecodingTrace, t: int) -> str:
    if trace.candidates is None or trace.token_probabilities is None or trace.token_ranks is None:
        return "These states have no vocabulary, so no word is predicted."
    token, probability, rank = _name(trace.target_tokens[t]), trace.token_probabilities[t], trace.token_ranks[t]
    if not trace.target_known[t]:
        return f"{token} is not in the vocabulary; the model read an unknown word in its place."
    if rank == 1:
        return f"{token} is the most probable next word ({probability:.2f})."
    best = trace.candidates[t][0]
    most = f"the most probable is {_name(best.token)} ({best.probability:.2f})"
    return f"{token} has rank {rank} ({probability:.2f}); {most}."


def _word(trace: DecodingTrace, i: int) -> str:
    return f"{WORD_MARK}{trace.source_tokens[i]}{WORD_MARK}"


def _name(token: str) -> str:
    return "The end" if token == END_TOKEN else token


def _number(value: float) -> str:
    """Two decimals, with a true minus sign."""
    return f"{value:.2f}".replace("-", "−")


SCRIPT = Script.of("step_player", player_script())
_COMPONENT = st.components.v2.component("step_player", js=SCRIPT.loader(), css=player_style(), isolate_styles=True)
