"""The widgets of a calculation by hand: presets, scorer, notation, tables, sizes, file and link, to a GivenStates.

Where the visitor's calculation lives during a visit. The last numbers that could be computed with stay; what was typed
stays in its table as it was typed. It computes no attention.
"""

import dataclasses
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.calculation import (
    BLANK,
    LONGEST_LINK,
    STARTS,
    Sizes,
    asked_by,
    beginning,
    is_beginning,
    link_of,
    packed,
    resized,
    sizes_of,
    with_output,
    without_edits,
    without_output,
)
from app.components.step_player import PlayerPosition, player_position
from app.components.text import plain, prose
from app.drawing import draw_again
from app.guard import guarded, show_mistake
from app.notation import NOTATIONS, Notation, symbol_html
from attention_model.errors import GivenError
from attention_model.given import GIVEN_SCORERS, MOST_DIMENSIONS, MOST_STATES, TABLES, GivenStates
from attention_model.trace import DecodingTrace

if TYPE_CHECKING:
    import pandas as pd  # which takes longer to import than all the rest, and the first page needs none of it

PLAYER = "hand_player"

LINK_NAMES = ("preset", "scorer", "notation", "states", "step", "part")
PLACE_NAMES = ("step", "part")
"""The names that the player keeps up to date in the page's address by itself."""

START_TITLES = {
    "running-example": "Running example",
    "exercise-1": "Exercise 1",
    "the-cat-sat": "The cat sat",
    BLANK: "Blank",
}

SIZE_LABELS = {
    "source": "words",
    "target": "queries",
    "d_h": "d_h (of a state)",
    "d_s": "d_s (of a query)",
    "k": "k (additive)",
}

SCORER_TABLES = {
    "dot": (),
    "multiplicative": ("score_weight",),
    "additive": ("key_weight", "query_weight", "score_vector"),
}

TABLE_TITLES = {
    "encoder_states": ("key", "encoder states, a row a word"),
    "decoder_states": ("query", "queries: the decoder states that ask, a row a step"),
    "score_weight": ("score_weight", "matrix of the multiplicative scorer"),
    "key_weight": ("key_weight", "matrix for the encoder state"),
    "query_weight": ("query_weight", "matrix for the query"),
    "score_vector": ("score_vector", "vector that makes one score of it"),
    "output_weight": ("output_weight", "matrix of the attention output"),
    "vocabulary_weight": ("vocabulary_weight", "matrix of the prediction, a row a word of the vocabulary"),
}
"""For each table the field of a Notation that holds its symbol, and what it is."""

GROWING = ("encoder_states", "decoder_states", "vocabulary_weight")
"""The tables to which rows can be added."""


class Editor(NamedTuple):
    """A table on the page. key: of its widget. shown: the table before what the visitor has typed into it."""

    key: str
    shown: "pd.DataFrame"


class Computed(NamedTuple):
    """A calculation and the trace that was computed from it."""

    given: GivenStates
    trace: DecodingTrace


def open_calculation() -> None:
    """Take the calculation from the page's link when the page is arrived at by one; else keep the one there is.

    While the page is worked with, its link can be an older one: the browser tells what stood in its address before it
    heard of the last change.
    """
    if "hand_link" in st.session_state:
        return
    link = {name: st.query_params[name] for name in LINK_NAMES if name in st.query_params}
    st.session_state["hand_left"] = player_position(PLAYER)
    asked = asked_by(link)
    load(asked.given, asked.start)
    st.session_state["hand_notation"] = asked.notation
    st.session_state["hand_step"] = asked.step
    st.session_state["hand_part"] = asked.part
    st.session_state["hand_mistakes"] = asked.mistakes
    st.session_state["hand_link"] = True


def forget_link() -> None:
    """Take the next link's calculation and step, even if they are those that the session has had before."""
    st.session_state.pop("hand_link", None)


def load(given: GivenStates, start: str | None = None) -> None:
    """Go on with another calculation. start: where it began, one of STARTS; None for where the last one began."""
    st.session_state["hand_given"] = given
    st.session_state.pop("hand_computed", None)  # of other tables, whose numbers would be mixed with these
    st.session_state["hand_scorer"] = given.scorer
    st.session_state["hand_tables"] = {}
    st.session_state["hand_mistakes"] = ()
    if start is not None:
        st.session_state["hand_start"] = st.session_state["hand_began"] = start


def show_link_mistakes() -> None:
    """Say what the link got wrong, until another calculation is taken."""
    if mistakes := st.session_state["hand_mistakes"]:
        st.info("  \n".join(map(plain, mistakes)), icon=":material/link_off:")


def choices() -> Notation:
    """Draw what can be chosen of every calculation, and return the notation."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom", key="hand_asking"):
        st.pills(
            "Calculation",
            STARTS,
            required=True,
            format_func=START_TITLES.__getitem__,
            key="hand_start",
            on_change=_take_start,
            persist_state="session",
        )
        st.segmented_control(
            "Scorer",
            GIVEN_SCORERS,
            required=True,
            key="hand_scorer",
            help="How an encoder state is compared with the query.",
            persist_state="session",
        )
        notation = st.segmented_control(
            "Notation",
            tuple(NOTATIONS),
            required=True,
            format_func=lambda name: NOTATIONS[name].title,
            key="hand_notation",
            help="In which symbols the formulas of this page are written. The tab Symbols says which is which.",
            persist_state="session",
        )
    if st.session_state["hand_start"] == BLANK:
        _sizes()
    return NOTATIONS[notation]


@guarded
def _take_start() -> None:
    start = st.session_state["hand_start"]
    if start != st.session_state["hand_began"]:  # Streamlit can call this though nobody has chosen another one
        load(beginning(start), start)
        st.session_state["hand_step"] = 0


def _sizes() -> None:
    """The size of a blank calculation; what is typed already stays as far as it fits."""
    sizes = sizes_of(st.session_state["hand_given"])
    with st.container(horizontal=True, gap="small"):
        for name, label in SIZE_LABELS.items():
            key, most = f"hand_{name}", MOST_STATES if name in ("source", "target") else MOST_DIMENSIONS
            st.session_state[key] = getattr(sizes, name)
            st.number_input(label, 1, most, key=key, on_change=_take_sizes, width=150)


@guarded
def _take_sizes() -> None:
    sizes = Sizes(*(st.session_state[f"hand_{name}"] for name in Sizes._fields))
    load(resized(st.session_state["hand_given"], sizes))


def files() -> None:
    """Draw the menu of files: save the calculation, open one, and whether the link carries it."""
    with st.popover("Save or open", icon=":material/folder_open:"):
        _save_and_open()


def _save_and_open() -> None:
    words, given = prose("by_hand"), st.session_state["hand_given"]
    st.markdown(words["file"])
    st.download_button(
        "Save this calculation",
        given.to_json(),
        f"{st.session_state['hand_start']}.json",
        "application/json",
        key="hand_save",
        on_click="ignore",
        icon=":material/download:",
    )
    st.file_uploader("Open a saved calculation", type=["json"], key="hand_file", on_change=_take_file)
    if mistake := st.session_state.get("hand_file_mistake"):
        st.warning(plain(mistake), icon=":material/info:")
    if not is_beginning(given, st.session_state["hand_start"]):
        length = len(packed(given))
        name = "link that is too long" if length > LONGEST_LINK else "link"
        st.caption(words[name].format(length=f"{length:,}", most=f"{LONGEST_LINK:,}"))


@guarded
def _take_file() -> None:
    st.session_state["hand_file_mistake"] = None
    file = st.session_state["hand_file"]
    if file is None:
        return
    try:
        load(GivenStates.from_json(file.getvalue()), BLANK)
    except GivenError as mistake:
        st.session_state["hand_file_mistake"] = f"{file.name} was not opened, and the page keeps what it had. {mistake}"


def edited_calculation(notation: Notation, message: DeltaGenerator) -> GivenStates:
    """Draw the tables and return the calculation as they stand; the last good one where a cell makes no sense.

    message: where to say so; not above the tables, which must stay under the pointer.
    """
    from app.number_tables import read_given

    given: GivenStates = st.session_state["hand_given"]
    scorer = st.session_state["hand_scorer"]
    tables = {
        name: _editor(name, given, notation) for name in ("encoder_states", "decoder_states", *SCORER_TABLES[scorer])
    }
    with st.expander("After the context: attention output and prediction"):
        tables |= _output_tables(given, notation)
    try:
        given = read_given(given, tables, scorer=scorer)
    except GivenError as mistake:
        with message:
            show_mistake(GivenError(f"{mistake} Until then the last good numbers are shown."))
        given = dataclasses.replace(given, scorer=scorer)
    st.session_state["hand_given"] = given
    return given


def _output_tables(given: GivenStates, notation: Notation) -> dict[str, "pd.DataFrame"]:
    """What follows the context: whether there is anything, and its tables."""
    has_output = given.output_weight is not None
    key = f"hand_output_{has_output}"
    st.toggle(
        "Compute them",
        has_output,
        key=key,
        on_change=_take_output,
        args=(key,),
        help="One more layer, and a probability for each word of a vocabulary.",
    )
    names = [name for name in ("output_weight", "vocabulary_weight") if getattr(given, name) is not None]
    return {name: _editor(name, given, notation) for name in names}


def _editor(name: str, given: GivenStates, notation: Notation) -> "pd.DataFrame":
    """One table to type in; it keeps what was typed until another calculation is taken."""
    from app.number_tables import WORD, number_table

    editors: dict[str, Editor] = st.session_state["hand_tables"]
    editor = editors.get(name)
    if editor is None or editor.key not in st.session_state:
        number = st.session_state["hand_table_number"] = st.session_state.get("hand_table_number", 0) + 1
        editor = editors[name] = Editor(f"hand_{name}_{number}", number_table(given, name))
    field, title = TABLE_TITLES[name]
    symbol = symbol_html(getattr(notation, field))
    with st.container(gap=None):
        st.html(f'<p class="table-title"><b>{symbol}</b> {title}</p>')
        columns = {
            column: st.column_config.TextColumn(
                _column_label(column, notation), default="new" if column == WORD else "0", width="small"
            )
            for column in editor.shown.columns
        }
        return st.data_editor(
            editor.shown,
            key=editor.key,
            column_config=columns,
            hide_index=True,
            num_rows="dynamic" if name in GROWING else "fixed",
            height="content",  # never a number: with another one the table forgets what was typed into it
            alt=f"{TABLES[name]}, as a table to type in",
        )


def _column_label(column: str, notation: Notation) -> str:
    """A column of W_out by the symbol of the state that it reads; every other column by its own name."""
    state, _, number = column.partition(" ")
    symbol = {"context": notation.context, "query": notation.query}.get(state)
    return column if symbol is None else f"{symbol[0]} {number}"


@guarded
def _take_output(key: str) -> None:
    given, is_wanted = st.session_state["hand_given"], st.session_state[key]
    if is_wanted != (given.output_weight is not None):
        load(with_output(given) if is_wanted else without_output(given))


def edited_step(computed: Computed, t: int) -> None:
    """Draw the scores and weights of step t as a table to type in; what is typed is set by hand."""
    from app.number_tables import WORD, read_step_edits, step_table

    given = computed.given
    shown = step_table(computed.trace, t)
    edits = (given.edited_scores, given.edited_weights)
    with st.container(gap=None):
        st.html('<p class="table-title">scores and weights of this step; a number that you type is set by hand</p>')
        edited = st.data_editor(
            shown,
            key=f"hand_step_{t}_{hash((shown.to_csv(), edits))}",
            column_config={WORD: st.column_config.TextColumn(width="small")},
            disabled=(WORD,),
            hide_index=True,
            height="content",
            alt="scores and weights of this step, as a table to type in",
        )
    try:
        taken = read_step_edits(given, shown, edited, t)
        if taken is not None and tuple(taken) != edits:
            st.session_state["hand_given"] = dataclasses.replace(
                given, edited_scores=taken.scores, edited_weights=taken.weights
            )
            draw_again()
    except GivenError as mistake:
        show_mistake(GivenError(f"{mistake} Until then the last good numbers are shown."))
    _say_what_is_set(given, t)


def _say_what_is_set(given: GivenStates, t: int) -> None:
    """Which numbers of this step are set by hand, what became of the others, and the way back."""
    scores, weights = (
        [plain(given.source_tokens[i]) for step, i, _ in edits if step == t]
        for edits in (given.edited_scores, given.edited_weights)
    )
    if not given.edited_scores and not given.edited_weights:
        return
    words = prose("by_hand")
    if scores:
        st.markdown(words["score set"].format(words=", ".join(scores)))
    if weights:
        st.markdown(words["weight set"].format(words=", ".join(weights)))
    if not scores and not weights:
        st.markdown(words["set elsewhere"])
    st.button("Take what is set by hand back", key="hand_take_back", icon=":material/undo:", on_click=_take_back)


@guarded
def _take_back() -> None:
    st.session_state["hand_given"] = without_edits(st.session_state["hand_given"])


def move_query(given: GivenStates, t: int, query: tuple[float, ...]) -> None:
    """Go on with another query at step t."""
    states = given.decoder_states.copy()
    states[t] = query
    st.session_state["hand_given"] = dataclasses.replace(given, decoder_states=states)
    st.session_state["hand_tables"].pop("decoder_states", None)


def chosen_step(trace: DecodingTrace) -> int:
    """Draw the steps to choose from, and return the chosen one, from 0."""
    steps = range(len(trace.target_tokens))
    st.session_state["hand_step"] = min(st.session_state.get("hand_step", 0), steps[-1])
    return st.pills(
        "Step",
        steps,
        required=True,
        format_func=lambda t: f"{t + 1}  {plain(trace.target_tokens[t])}",
        key="hand_step",
        persist_state="session",
    )


def take_player_step() -> None:
    """Go to the step at which the player stands."""
    position = player_position(PLAYER)
    if position is not None:
        st.session_state["hand_step"] = position.step


def player_place(t: int) -> PlayerPosition:
    """Where the player shall stand: at the chosen step, with the part that is open there."""
    position = player_position(PLAYER)
    if position is None or position == st.session_state["hand_left"]:  # not moved since the link was opened
        return PlayerPosition(t, st.session_state["hand_part"])
    return PlayerPosition(t, position.part)


def write_link(t: int) -> None:
    """Put the calculation into the page's link, unless the link has it already."""
    given, start, notation = (st.session_state[name] for name in ("hand_given", "hand_start", "hand_notation"))
    link = link_of(start, given, notation, t, player_place(t).part)
    named = {name: value for name, value in link.items() if name not in PLACE_NAMES}
    found = st.query_params.to_dict()
    if named != {name: found[name] for name in LINK_NAMES if name in found and name not in PLACE_NAMES}:
        others = {name: value for name, value in found.items() if name not in LINK_NAMES}
        st.query_params.from_dict(others | link)
