"""The Translate page: a sentence, its translation, the step player, and the same numbers as words, map, tables, files.

It gets its traces from whoever calls it, so it runs on a trace written by hand as well as on a trained model.
"""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.changing import (
    PLAYER,
    Changed,
    carried_out,
    show_not_done,
    show_what_if_mistake,
    take_change,
    undo_and_redo,
    what_if_menu,
)
from app.components.chinese_reading import player_readings, read_line
from app.components.difference import changed_translation, translation_before, what_happened
from app.components.notes import far_lines, unknown_word_lines
from app.components.step_player import (
    PlayerPosition,
    PlayerView,
    TraceBefore,
    player_change,
    player_payload,
    step_player,
)
from app.components.text import chinese, plain, prose
from app.drawing import draw_again
from app.forms import Shown, forms
from app.guard import guarded
from app.inputs import Example, Request, show_link_mistakes, translation_request
from app.viewing import Viewing, grid_of, player_view, view_before, viewing_mistakes, viewing_options
from attention_model.merging import MapGrid
from attention_model.search_tree import SearchTree
from attention_model.trace import DecodingTrace, Intervention

TITLE = "Translate"
ICON = ":material/translate:"

LARGE_CHARACTERS = 20
"""A longer translation is printed smaller, so that it takes at most two lines or so from the player."""


@guarded
def render(
    decode: Callable[[Request], tuple[DecodingTrace, ...]],
    examples: Sequence[Example],
    search_tree: Callable[[Request], SearchTree] | None = None,
    glosses: Mapping[str, str] | None = None,
) -> None:
    """Draw the page.

    decode: gives a request's traces, the best first. search_tree: gives what the beam search of a request did.
    glosses: English for Chinese words; None where there is none to offer.
    """
    with st.container(gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.title("Glanceback", anchor=False, width="content")
            st.caption(prose("translate")["tagline"], width="content")
        link = st.query_params.to_dict()
        request = translation_request(examples)
        show_link_mistakes(request)
        changed = _decoded(decode, request)
        show_what_if_mistake()
        if changed is None:
            return
        traces = changed.traces
        line = st.container()
        trace = _hypothesis(traces)
        before = changed.before(trace)
        viewing = _translation(line, changed, trace, request, glosses or {}) or Viewing()
        _what_became(changed, trace, before)
        _show_viewing_mistakes(link, viewing)
    grid = _grid(trace, viewing)
    payload = _payload(trace, before, with_readings=viewing.reads_characters)
    place = min(request.step, len(trace.target_tokens) - 1)

    def on_change() -> None:
        take_change(player_change(PLAYER), changed, trace)

    view = player_view(trace, viewing, grid)
    if before is not None:
        view = view._replace(before=view_before(before.trace, viewing))
    _player(payload, place, request.part, view, on_change)
    _notes(trace)
    tree = search_tree(changed.request) if search_tree is not None and len(traces) > 1 else None
    forms(Shown(trace, traces, payload, viewing, grid, tree, PlayerPosition(place, request.part)))


@guarded
def _decoded(decode: Callable[[Request], tuple[DecodingTrace, ...]], request: Request) -> Changed | None:
    """Decode with what was changed; None, with a sentence in its place, where that cannot be done."""
    with st.spinner("Translating…"):
        return carried_out(request, decode)


def _hypothesis(traces: tuple[DecodingTrace, ...]) -> DecodingTrace:
    """The hypothesis that the visitor chose, the best at first; its rank, from 1, stands in the link."""
    if len(traces) == 1:
        return traces[0]
    ranks = range(1, len(traces) + 1)
    shown_for = tuple(trace.translation for trace in traces)
    before = st.session_state.get("hypotheses_shown")
    if before not in (None, shown_for):
        st.session_state["hypothesis"] = 1
        st.query_params.pop("hypothesis", None)
    elif "hypothesis" not in st.session_state:  # at first, and after another decoding was shown in between
        asked = st.query_params.get("hypothesis", "1")
        st.session_state["hypothesis"] = int(asked) if asked in map(str, ranks) else 1
    st.session_state["hypotheses_shown"] = shown_for
    rank = st.pills(
        "Hypotheses, with their log probability a token",
        ranks,
        required=True,
        format_func=lambda rank: _hypothesis_name(traces[rank - 1]),
        key="hypothesis",
        on_change=_hypothesis_to_link,
    )
    return traces[rank - 1]


def _hypothesis_name(trace: DecodingTrace) -> str:
    score = f"{trace.hypothesis_score:.2f}".replace("-", "−")
    return f"{trace.hypothesis_rank}  {plain(trace.translation) or 'nothing'}  {score}"


def _hypothesis_to_link() -> None:
    st.query_params["hypothesis"] = str(st.session_state["hypothesis"])


@guarded
def _translation(
    line: DeltaGenerator,
    changed: Changed,
    trace: DecodingTrace,
    request: Request,
    glosses: Mapping[str, str],
) -> Viewing:
    """The translation, with the one before a change beside it, how it was made, how it can be seen and changed."""
    before = changed.before(trace)
    size = "translation long" if len(trace.translation) > LARGE_CHARACTERS else "translation"
    with line, st.container(horizontal=True, vertical_alignment="center", gap="small"):
        text = st.empty()
        st.caption(_how_it_was_made(trace, request), width="content")
        viewing = viewing_options(trace)
        what_if_menu(changed, trace)
        if before is None or viewing.reads_chinese:
            shown = _read_translation(trace, viewing, glosses)
        else:
            shown = changed_translation(trace, before)
        was = "" if before is None else translation_before(before)
        with text:
            st.html(f'<p class="{size}">{shown}{was}</p>', width="content")
    return viewing


@guarded
def _what_became(changed: Changed, trace: DecodingTrace, before: TraceBefore | None) -> None:
    """The ways back and forth between changes, and what became of the last one."""
    if changed.what_if.changes:
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="what_became"):
            undo_and_redo(changed)
            if before is not None:
                st.html(what_happened(before.trace, trace), width="content")
    show_not_done(changed)


def _read_translation(trace: DecodingTrace, viewing: Viewing, glosses: Mapping[str, str]) -> str:
    """The translation as HTML, with the help that is asked for."""
    if not viewing.reads_chinese:
        return chinese(trace.translation)
    return read_line(
        trace,
        pinyin=viewing.pinyin,
        simplified=viewing.simplified,
        glosses=glosses if viewing.gloss else None,
    )


def _show_viewing_mistakes(link: dict[str, str], viewing: Viewing) -> None:
    """Show what the link got wrong about how to see the trace, until the visitor sees it otherwise."""
    mistakes = st.session_state.setdefault("viewing_mistakes", viewing_mistakes(link))
    first = st.session_state.setdefault("first_viewing", viewing)
    if mistakes and viewing == first:
        st.info("  \n".join(mistakes), icon=":material/link_off:")


@guarded
def _grid(trace: DecodingTrace, viewing: Viewing) -> MapGrid | None:
    """The map put together as wanted; the plain one, with a sentence, where that cannot be done."""
    return grid_of(trace, viewing)


def _how_it_was_made(trace: DecodingTrace, request: Request) -> str:
    """A short line: scorer, decoding, steps, checkpoint, and whether notes under the player are worth a look."""
    scorer = "without attention" if trace.scorer == "none" else f"{trace.scorer} scorer"
    decoding = {
        "greedy": "greedy decoding",
        "beam": f"{_ranked(trace.hypothesis_rank)} of beam {request.beam_size}",
        "forced": "along your own translation",
    }.get(trace.decoding, trace.decoding)
    steps = len(trace.target_tokens)
    parts = [scorer, decoding, f"{steps} step{'s' if steps != 1 else ''}"]
    if trace.intervention != Intervention():
        parts.append("**changed by hand**")
    if trace.checkpoint:
        parts.append(f"checkpoint {plain(trace.checkpoint)}")
    unknown = len(unknown_word_lines(trace))
    if unknown:
        parts.append(f"**{unknown} unknown word{'s' if unknown != 1 else ''}**, see below")
    if far_lines(trace):
        parts.append("**far from what the models know**, see below")
    return " · ".join(parts)


def _ranked(rank: int | None) -> str:
    """A hypothesis among the others."""
    return "best" if rank in (None, 1) else f"number {rank}"


def _payload(trace: DecodingTrace, before: TraceBefore | None, *, with_readings: bool) -> bytes:
    """The player's data, made once a trace and session."""
    trace_before = before.trace if before else None
    kept = st.session_state.get("payload")
    if kept is None or kept[0] is not trace or kept[1] is not trace_before or kept[2] != with_readings:
        readings = player_readings(trace) if with_readings else None
        payload = player_payload(trace, before=before, readings=readings)
        kept = st.session_state["payload"] = (trace, trace_before, with_readings, payload)
    return kept[3]


@st.fragment
@guarded
def _player(payload: bytes, step: int, part: int | None, view: PlayerView, on_change: Callable[[], None]) -> None:
    def changed() -> None:
        guarded(on_change)()
        st.session_state["player_changed"] = True

    step_player(payload, key=PLAYER, step=step, part=part, view=view, offers_changes=True, on_change=changed)
    if st.session_state.pop("player_changed", False):
        draw_again()  # the whole page, of which the player is only a part


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
