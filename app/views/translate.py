"""The Translate page: a sentence, its translation, the step player, and the same numbers as words, map, tables, files.

It gets its traces from whoever calls it, so it runs on a trace written by hand as well as on a trained model.
"""

from collections.abc import Callable, Sequence

import streamlit as st

from app import exports, tables
from app.components.notes import far_lines, sentence_list, unknown_word_lines
from app.components.scheme import colour_scheme
from app.components.step_player import player_payload, step_player
from app.components.text import chinese, plain, prose
from app.figures.heatmap import weights_heatmap
from app.guard import guarded
from app.inputs import Example, Request, show_link_mistakes, translation_request
from attention_model.trace import DecodingTrace

TITLE = "Translate"
ICON = ":material/translate:"

TABS = ("In words", "Finished map", "Tables", "Take it home", "How to read this")
TABLES = ("Weights", "Scores", "Steps", "Next words")

LARGE_CHARACTERS = 20
"""A longer translation is printed smaller, so that it takes at most two lines or so from the player."""


@guarded
def render(decode: Callable[[Request], tuple[DecodingTrace, ...]], examples: Sequence[Example]) -> None:
    """Draw the page. decode: gives a request's traces, the best first."""
    with st.container(gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.title("Glanceback", anchor=False, width="content")
            st.caption(prose("translate")["tagline"], width="content")
        request = translation_request(examples)
        show_link_mistakes(request)
        trace = _translation(decode, request)
    if trace is not None:
        _player(_payload(trace), min(request.step, len(trace.target_tokens) - 1), request.part)
        _notes(trace)
        _below(trace)


@guarded
def _translation(decode: Callable[[Request], tuple[DecodingTrace, ...]], request: Request) -> DecodingTrace | None:
    """Decode and show the translation; None, with a sentence in its place, where that cannot be done."""
    with st.spinner("Translating…"):
        trace = decode(request.decoded)[0]
    size = "translation long" if len(trace.translation) > LARGE_CHARACTERS else "translation"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<p class="{size}">{chinese(trace.translation)}</p>', width="content")
        st.caption(_how_it_was_made(trace, request), width="content")
    return trace


def _how_it_was_made(trace: DecodingTrace, request: Request) -> str:
    """A short line: scorer, decoding, steps, checkpoint, and whether notes under the player are worth a look."""
    scorer = "without attention" if trace.scorer == "none" else f"{trace.scorer} scorer"
    decoding = {
        "greedy": "greedy decoding",
        "beam": f"best of beam {request.beam_size}",
        "forced": "along your own translation",
    }.get(trace.decoding, trace.decoding)
    steps = len(trace.target_tokens)
    parts = [scorer, decoding, f"{steps} step{'s' if steps != 1 else ''}"]
    if trace.checkpoint:
        parts.append(f"checkpoint {plain(trace.checkpoint)}")
    unknown = len(unknown_word_lines(trace))
    if unknown:
        parts.append(f"**{unknown} unknown word{'s' if unknown != 1 else ''}**, see below")
    if far_lines(trace):
        parts.append("**far from what the models know**, see below")
    return " · ".join(parts)


def _payload(trace: DecodingTrace) -> bytes:
    """The player's data, made once a trace and session."""
    kept = st.session_state.get("payload")
    if kept is None or kept[0] is not trace:
        kept = st.session_state["payload"] = (trace, player_payload(trace))
    return kept[1]


@st.fragment
@guarded
def _player(payload: bytes, step: int, part: int | None) -> None:
    step_player(payload, key="player", step=step, part=part)


def _notes(trace: DecodingTrace) -> None:
    """What a reader should know about this sentence before trusting the translation."""
    words = prose("translate")
    if trace.weights is None:
        st.info(words["without attention"], icon=":material/visibility_off:")
    if not trace.finished and trace.decoding != "forced":
        st.info(words["cut short"].format(max_length=trace.max_length), icon=":material/content_cut:")
    unknown = unknown_word_lines(trace)
    if unknown:
        _card("An unknown word" if len(unknown) == 1 else "Unknown words", words["unknown"], unknown)
    far = far_lines(trace)
    if far:
        _card("Far from what the models know", words["far"], far)
    unseen = [plain(token) for token, known in zip(trace.target_tokens, trace.target_known, strict=True) if not known]
    if unseen:
        _card("Unknown characters", words["unseen character"], unseen)


def _card(title: str, text: str, lines: Sequence[str]) -> None:
    """A framed note with a list. The lines are safe Markdown."""
    with st.container(border=True, gap="small"):
        st.markdown(f"**{title}**  \n{text}")
        st.markdown("\n".join(f"- {line}" for line in lines))


@st.fragment
@guarded
def _below(trace: DecodingTrace) -> None:
    """The same numbers in other forms; only the open tab is drawn."""
    in_words, finished_map, numbers, take_home, how_to_read = st.tabs(TABS, key="form", on_change="rerun")
    if in_words.open:
        in_words.html(sentence_list(trace))
    if finished_map.open:
        with finished_map:
            _map(trace)
    if numbers.open:
        with numbers:
            _tables(trace)
    if take_home.open:
        with take_home:
            _downloads(trace)
    if how_to_read.open:
        how_to_read.markdown(prose("translate")["how to read"])


def _map(trace: DecodingTrace) -> None:
    if trace.weights is None:
        st.markdown(prose("translate")["without attention"])
        return
    st.plotly_chart(
        weights_heatmap(trace, colour_scheme("scheme")),
        theme=None,
        key="map",
        config={"displaylogo": False, "displayModeBar": True, "modeBarButtonsToRemove": ["select2d", "lasso2d"]},
        alt="The map of weights: a row a target token, a column a source token. The tab In words says it in sentences.",
    )


def _tables(trace: DecodingTrace) -> None:
    offered = TABLES if trace.weights is not None else TABLES[2:]
    chosen = st.segmented_control(
        "Table", offered, default=offered[0], required=True, key="table", label_visibility="collapsed"
    )
    if chosen in ("Weights", "Scores"):
        table = tables.matrix_table(trace, chosen.lower())
    elif chosen == "Steps":
        table = tables.steps_table(trace)
    else:
        table = tables.candidates_table(trace)
    exact = {name: st.column_config.NumberColumn(format="%.9g") for name in table.select_dtypes("floating")}
    st.dataframe(table, key="numbers", column_config=exact, alt=f"{chosen} of every step, unrounded")


def _downloads(trace: DecodingTrace) -> None:
    st.markdown(prose("translate")["take home"])
    with st.container(horizontal=True):
        st.download_button(
            "Numbers as CSV",
            lambda: exports.trace_csv(trace),
            exports.file_name(trace, "csv"),
            "text/csv",
            key="csv",
            on_click="ignore",
            icon=":material/table:",
        )
        st.download_button(
            "Trace as JSON",
            lambda: exports.trace_json(trace),
            exports.file_name(trace, "json"),
            "application/json",
            key="json",
            on_click="ignore",
            icon=":material/data_object:",
        )
