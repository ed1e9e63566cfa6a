"""The By hand page: a small calculation whose every number can be changed and is worked out line by line.

Its traces come from whoever calls it, so the numbers are those of the scorers, the softmax and the blend of the
trained models; nothing is computed here.
"""

from collections.abc import Callable

import numpy as np
import streamlit as st

from app import exports
from app.calculating import (
    PLAYER,
    Computed,
    choices,
    chosen_step,
    edited_calculation,
    edited_step,
    files,
    load,
    move_query,
    open_calculation,
    player_place,
    show_link_mistakes,
    take_player_step,
    write_link,
)
from app.calculation import BLANK, SMALL, is_beginning
from app.components.difference import marked_html
from app.components.plot_picture import plot_picture
from app.components.scheme import colour_scheme
from app.components.standalone import standalone_html
from app.components.step_player import WORD_MARK, player_payload, step_player
from app.components.text import chinese, prose
from app.components.workbench import workbench
from app.components.worked_lines import STYLE, worked_parts
from app.drawing import draw_again
from app.figures.geometry import OtherQuery, geometry_figure
from app.guard import guarded, show_mistake
from app.handout import handout_html
from app.inputs import quoted
from app.listings import LANGUAGES, listing, printed
from app.notation import Notation, symbol_table
from attention_model import analysis
from attention_model.arithmetic import step_arithmetic
from attention_model.errors import AttentionModelError
from attention_model.given import GivenStates
from attention_model.preset import PRESETS, preset
from attention_model.trace import END_TOKEN, DecodingTrace

TITLE = "By hand"
ICON = ":material/calculate:"

Attend = Callable[[GivenStates], DecodingTrace]

SLIDER_STEP = 0.05

PICTURE, CODE, SIZES, SYMBOLS, HOME, HOW = (
    "Picture",
    "As code",
    "Sizes",
    "Symbols",
    "Take it home",
    "How to read this",
)


@guarded
def render(attend: Attend) -> None:
    """Draw the page. attend: computes a calculation; raises AttentionModelError for one that cannot be computed."""
    st.html(STYLE)
    words = prose("by_hand")
    open_calculation()
    with st.container(gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.title("By hand", anchor=False, width="content")
            st.caption(words["tagline"])
            menu = st.container(width="content")
        notation = choices()
        show_link_mistakes()
        about = st.container()
    tables, lines = st.columns((5, 6), gap="large")
    with tables:
        given = edited_calculation(notation, lines.empty())
    with menu:
        files()
    with about:
        _about(given)
        computed = _computed(attend, given)
    if computed is None:
        write_link(0)
        return
    with lines:
        t = _lines(computed, notation)
    with tables:
        edited_step(computed, t)
    write_link(t)
    st.caption(words["same steps"])
    place = player_place(t)
    _player(_payload(computed.trace, notation), place.step, place.part)
    _forms(attend, computed, t, notation)


def _about(given: GivenStates) -> None:
    words, start = prose("by_hand"), st.session_state["hand_start"]
    if is_beginning(given, start):
        st.caption(words[start])
    elif start == BLANK:
        st.caption(words["own"])
    else:
        st.caption(f"{words[start]} **{words['changed']}**")


def _computed(attend: Attend, given: GivenStates) -> Computed | None:
    """The trace of the calculation; the last one, with a sentence, where it cannot be computed."""
    try:
        computed = st.session_state["hand_computed"] = Computed(given, attend(given))
    except AttentionModelError as mistake:
        show_mistake(mistake)
        computed = st.session_state.get("hand_computed")
    return computed


def _lines(computed: Computed, notation: Notation) -> int:
    """The step to choose, and its arithmetic; returns the step, from 0."""
    trace = computed.trace
    t = chosen_step(trace)
    st.html(f'<p class="worked-step">{_sentence(trace, t)}</p>')
    arithmetic = step_arithmetic(computed.given, trace, t)
    for part in worked_parts(arithmetic, notation, trace.source_tokens, t, computed.given.temperature):
        with st.expander(f"**{part.title}**", expanded=True):
            st.html(f'<div class="worked">{part.body}</div>')
    st.caption(prose("by_hand")["arithmetic"])
    return t


def _sentence(trace: DecodingTrace, t: int) -> str:
    """Where the step looks, as safe HTML."""
    token, sentence = trace.target_tokens[t], analysis.describe_step(trace, t, WORD_MARK)
    if token == END_TOKEN:
        return f"{marked_html(sentence)}."
    return f"{chinese(token)}{marked_html(sentence.removeprefix(token))}."


def _payload(trace: DecodingTrace, notation: Notation) -> bytes:
    """The player's data, made once a trace and notation."""
    kept = st.session_state.get("hand_payload")
    if kept is None or kept[0] is not trace or kept[1] is not notation:
        kept = (trace, notation, player_payload(trace, formulas=notation.formulas))
        st.session_state["hand_payload"] = kept
    return kept[2]


@st.fragment
@guarded
def _player(payload: bytes, step: int, part: int | None) -> None:
    def stepped() -> None:
        guarded(take_player_step)()
        st.session_state["hand_stepped"] = True

    step_player(payload, key=PLAYER, step=step, part=part, on_step_change=stepped)
    if st.session_state.pop("hand_stepped", False):
        draw_again()  # the whole page, which works out the step that the player shows


@st.fragment
@guarded
def _forms(attend: Attend, computed: Computed, t: int, notation: Notation) -> None:
    """The step as a picture and as code, sizes, symbols; only the open tab is drawn."""
    if st.session_state.pop("hand_changed", False):
        draw_again()  # the whole page, for the calculation is another one
    names = [CODE, SIZES, SYMBOLS, HOME, HOW]
    if computed.given.d_h == 2:
        names.insert(0, PICTURE)
    _open_tab_of_link(names)
    for name, tab in zip(names, st.tabs(names, key="tab", on_change=_tab_to_link), strict=True):
        if not tab.open:
            continue
        with tab:
            if name == PICTURE:
                _picture(attend, computed, t)
            elif name == CODE:
                _code(computed, t)
            elif name == SIZES:
                workbench(notation, _take_sizes)
            elif name == SYMBOLS:
                st.markdown(notation.note)
                st.html(f'<div class="symbols-frame">{symbol_table()}</div>')
            elif name == HOME:
                _take_home(computed.trace, t, notation)
            else:
                st.markdown(prose("by_hand")["how to read"])


def _open_tab_of_link(names: list[str]) -> None:
    """Open the tab that the link names where the visitor opened none since; it stays open in other calculations."""
    asked = st.query_params.get("tab")
    wanted = st.session_state.get("tab", asked)
    if wanted in names:
        st.session_state["tab"] = wanted
    if asked not in (None, PICTURE, *names):  # a picture there is of two components only
        words = prose("by_hand")["no such tab"].format(tab=quoted(asked), tabs=", ".join(names))
        st.info(words, icon=":material/link_off:")


def _tab_to_link() -> None:
    st.query_params["tab"] = st.session_state["tab"]


def _take_home(trace: DecodingTrace, t: int, notation: Notation) -> None:
    """The player and a sheet of paper as files."""
    place = player_place(t)
    st.markdown(prose("by_hand")["take home"])
    with st.container(horizontal=True):
        st.download_button(
            "This player as one page",
            lambda: standalone_html(
                player_payload(trace, formulas=notation.formulas), title="By hand", step=place.step, part=place.part
            ),
            exports.file_name(trace, "html"),
            "text/html",
            key="hand_page",
            on_click="ignore",
            icon=":material/slideshow:",
        )
        st.download_button(
            "Class handout",
            lambda: handout_html(trace, t),
            exports.file_name(trace, "handout.html"),
            "text/html",
            key="hand_handout",
            on_click="ignore",
            icon=":material/print:",
        )


def _picture(attend: Attend, computed: Computed, t: int) -> None:
    words, (given, trace) = prose("by_hand"), computed
    others, reach = _others(attend, given), _reach(given)
    beside, drawing = st.columns((2, 3), gap="large")
    with beside:
        st.markdown(words["picture"] + (f" {words['picture shared']}" if others else ""))
        if given.d_s == 2:
            _query_sliders(given, t, reach)
        else:
            st.caption(words["no query in the picture"])
    with drawing:
        plot_picture("hand_picture", trace, what=f"States, step {t + 1}", stem=exports.file_name(trace, "states"))
        st.plotly_chart(
            geometry_figure(trace, t, colour_scheme("hand_scheme"), others=others, reach=reach),
            theme=None,
            key="hand_picture",
            config={"displaylogo": False, "displayModeBar": False},
            alt="States and query as arrows, the context as a point. The arithmetic above says the same in numbers.",
        )


def _query_sliders(given: GivenStates, t: int, reach: float) -> None:
    """The query of the step, to be moved."""
    for component, value in enumerate(given.decoder_states[t].tolist()):
        key = f"hand_query_{component}"
        st.session_state[key] = value
        st.slider(
            f"query, component {component + 1}",
            -reach,
            reach,
            step=SLIDER_STEP,
            key=key,
            on_change=_take_query,
            args=(given, t),
        )


def _reach(given: GivenStates) -> float:
    """How far the sliders go: beyond every state, and as far as every query."""
    states, queries = np.abs(given.encoder_states).max(), np.abs(given.decoder_states).max()
    return float(max(1.0, np.ceil(1.5 * states), np.ceil(queries)))


@guarded
def _take_query(given: GivenStates, t: int) -> None:
    move_query(given, t, tuple(st.session_state[f"hand_query_{component}"] for component in range(2)))
    st.session_state["hand_changed"] = True


def _others(attend: Attend, given: GivenStates) -> tuple[OtherQuery, ...]:
    """The queries of the presets that have the very states of this calculation, its own queries left out."""
    others = []
    for name in PRESETS:
        one = preset(name)
        if np.array_equal(one.encoder_states, given.encoder_states):
            trace = attend(one)
            others += [
                OtherQuery(one.title, query, context)
                for query, context in zip(one.decoder_states, trace.contexts, strict=True)
                if not any(np.array_equal(query, own) for own in given.decoder_states)
            ]
    return tuple(others)


def _code(computed: Computed, t: int) -> None:
    language = st.segmented_control(
        "Language", LANGUAGES, default=LANGUAGES[0], required=True, key="hand_language", label_visibility="collapsed"
    )
    st.code(listing(computed.given, t, language), language="python")
    st.markdown(prose("by_hand")["code"])
    st.code(printed(*computed, t), language=None)


@guarded
def _take_sizes(d_h: int, d_s: int, k: int) -> None:
    load(GivenStates.blank(SMALL.source, SMALL.target, d_h, d_s, k), BLANK)
    st.session_state["hand_changed"] = True
