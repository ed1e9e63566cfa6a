"""The live parts beside the lesson's texts, drawn: the players, tables and counts of the pages, in a given state.

What has to be decoded or computed comes from whoever calls it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import streamlit as st

from app.components.comparison_player import (
    ComparedTrace,
    comparison_payload,
    comparison_player,
)
from app.components.lesson_html import difference_line, paths_table, quality_by_length, steps_list, translation_line
from app.components.step_player import player_payload, step_player
from app.components.text import prose
from app.components.workbench import LABELS, shapes_table
from app.components.worked_lines import STYLE, worked_parts
from app.guard import guarded, show_mistake
from app.inputs import Request, place_in_link, visitors_sentence, whole
from app.live_state import (
    LARGEST_SIZE,
    SMALLEST_SHARE,
    Bottleneck,
    Calculation,
    Comparison,
    Cost,
    LiveState,
    Maps,
    MapState,
    Paths,
    ScorerSizes,
    TranslatePlayer,
    WorkedLines,
)
from app.notation import NOTATIONS, OURS
from attention_model.agreement import is_aligned
from attention_model.alignments import AlignedSentence, find_reference, reference_links, trace_quality
from attention_model.arithmetic import step_arithmetic
from attention_model.errors import AttentionModelError, LessonError
from attention_model.given import GivenStates
from attention_model.trace import DecodingTrace

SHARE_STEP = 0.01


class Sources(NamedTuple):
    """Where live parts get everything from. Each function raises AttentionModelError for what cannot be had.

    decode: a request's traces, the best first. attend_by_hand: a calculation by hand. metrics: what a checkpoint's card
    says. open_page: draws a link to a page, given its address and the query. aligned: what people aligned.
    """

    decode: Callable[[Request], tuple[DecodingTrace, ...]]
    attend_by_hand: Callable[[GivenStates], DecodingTrace]
    metrics: Callable[[str], Mapping[str, Any]]
    open_page: Callable[[str, Mapping[str, str]], None]
    aligned: Sequence[AlignedSentence] = ()


@guarded
def live_part(state: LiveState, key: str, sources: Sources) -> None:
    """Draw a live part and, under it, the link to the page that shows the same.

    key: begins the keys of its widgets. A step in the page's link takes the place of the state's.
    """
    _DRAWN[type(state)](state, key, sources)


def _translate_player(state: TranslatePlayer, key: str, sources: Sources) -> None:
    with st.spinner("Translating…"):
        trace = sources.decode(state.request)[0]
    st.html(translation_line(trace))
    _stepping(state, key, trace, sources)


def _calculation(state: Calculation, key: str, sources: Sources) -> None:
    _stepping(state, key, sources.attend_by_hand(state.given), sources)


@st.fragment
@guarded
def _stepping(state: TranslatePlayer | Calculation, key: str, trace: DecodingTrace, sources: Sources) -> None:
    """The step player and the link to where it stands."""
    payload = _kept(f"{key}_payload", (trace,), lambda: player_payload(trace))
    step, part = _place(state.step, state.part, len(trace.target_tokens))
    place = step_player(payload, key=key, step=step, part=part)
    at = replace(state, step=place.step + 1, part=None if place.part is None else place.part + 1)
    sources.open_page(at.page, at.link)


def _place(step: int, part: int | None, steps: int) -> tuple[int, int | None]:
    """Where a player shall stand, from 0: where the page's link says, at most at the end, else where the state says."""
    link = st.query_params.to_dict()
    if whole(link.get("step", "")):
        asked, part = place_in_link(link)
        return min(asked, steps - 1), part
    if step > steps:
        raise LessonError(f"This stop begins at step {step}, and there are {steps} steps. Correct its file.")
    return step - 1, None if part is None else part - 1


def _kept(name: str, made_from: tuple[Any, ...], make: Callable[[], bytes]) -> bytes:
    """A player's data, made once a session for the same traces."""
    kept = st.session_state.get(name)
    # Traces are the same or not; to compare their numbers would take longer than to make the data.
    if kept is None or list(map(id, kept[0])) != list(map(id, made_from)):
        kept = st.session_state[name] = (made_from, make())
    return kept[1]


def _worked_lines(state: WorkedLines, key: str, sources: Sources) -> None:
    st.html(STYLE)
    trace = sources.attend_by_hand(state.given)
    name = state.notation
    if state.choose_notation:
        name = st.segmented_control(
            "Notation",
            tuple(NOTATIONS),
            default=state.notation,
            required=True,
            format_func=lambda one: NOTATIONS[one].title,
            key=f"{key}_notation",
        )
    notation, t = NOTATIONS[name], state.step - 1
    arithmetic = step_arithmetic(state.given, trace, t)
    for part in worked_parts(arithmetic, notation, trace.source_tokens, t, state.given.temperature):
        with st.expander(f"**{part.title}**", expanded=True):
            st.html(f'<div class="worked">{part.body}</div>')
    if state.choose_notation:
        st.caption(notation.note)
    else:
        st.caption(prose("by_hand")["arithmetic"])
    shown = replace(state, notation=name)
    sources.open_page(shown.page, shown.link)


def _comparison(state: Comparison, key: str, sources: Sources) -> None:
    with st.spinner("Translating…"):
        traces = tuple(sources.decode(request)[0] for request in state.requests)
    if len(traces) > 1:
        st.html(difference_line(traces))
    _comparing(state, key, traces, sources)


@st.fragment
@guarded
def _comparing(state: Comparison | Bottleneck, key: str, traces: tuple[DecodingTrace, ...], sources: Sources) -> None:
    """Several traces side by side, and the link to the page that compares them."""

    def payload() -> bytes:
        compared = [ComparedTrace(trace.scorer, _quality(trace.scorer, sources), trace) for trace in traces]
        return comparison_payload(compared, aligned=is_aligned(traces))

    steps = max(len(trace.target_tokens) for trace in traces)
    step, _ = _place(getattr(state, "step", None) or steps, None, steps)
    reached = comparison_player(_kept(f"{key}_payload", traces, payload), key=key, step=step)
    sources.open_page(state.page, state.link | {"step": str(reached + 1)})


def _quality(scorer: str, sources: Sources) -> str:
    return f"BLEU {sources.metrics(scorer)['test']['bleu']:.1f}"


def _bottleneck(state: Bottleneck, key: str, sources: Sources) -> None:
    sentence = visitors_sentence(state.sentence, state.sentences)
    traces, read = _last_good(
        f"{key}_good",
        sentence,
        state.sentence,
        lambda text: tuple(sources.decode(one)[0] for one in state.for_sentence(text)),
    )
    for trace in traces:
        st.html(translation_line(trace))
    st.html(quality_by_length(sources.metrics(state.scorer), sources.metrics("none")))
    _comparing(replace(state, sentences=[read]), key, traces, sources)


def _last_good(
    name: str, sentence: str, beginning: str, make: Callable[[str], tuple[DecodingTrace, ...]]
) -> tuple[tuple[DecodingTrace, ...], str]:
    """What is made of a sentence, and the sentence.

    Where nothing can be made of it, that is said, and it is the last one of which something could be made, or the
    beginning. Raises AttentionModelError where nothing can be made of the beginning either.
    """
    try:
        with st.spinner("Translating…"):
            st.session_state[name] = make(sentence), sentence
    except AttentionModelError as mistake:
        if name not in st.session_state:
            if sentence == beginning:
                raise
            st.session_state[name] = make(beginning), beginning
        show_mistake(mistake)
    return st.session_state[name]


def _maps(state: Maps, key: str, sources: Sources) -> None:
    for number, one in enumerate(state.maps):
        _map(one, f"{key}_{number}", sources)
    sources.open_page(state.page, state.link)


@guarded
def _map(state: MapState, key: str, sources: Sources) -> None:
    """One map, and what is seen on it in words."""
    shown = state.shown
    if isinstance(shown, Calculation):
        trace, title, note = sources.attend_by_hand(shown.given), "Made by hand", f"{shown.scorer} scorer"
    else:
        with st.spinner("Translating…"):
            trace = sources.decode(shown.request)[0]
        title, note = f"The {shown.scorer} translator", _quality(shown.scorer, sources)
    person = find_reference(trace.source_text or "", sources.aligned) if state.person else None
    links = None if person is None else reference_links(trace, person)
    _map_player(ComparedTrace(title, note, trace, links), key)
    st.html(steps_list(trace))
    if links is not None:
        error = trace_quality(trace, person)
        st.caption(prose("learn")["alignment error"].format(aer=f"{error.aer:.2f}"))
    elif state.person:
        st.caption(prose("learn")["no links"])


@st.fragment
@guarded
def _map_player(compared: ComparedTrace, key: str) -> None:
    payload = _kept(f"{key}_payload", (compared.trace,), lambda: comparison_payload([compared], aligned=True))
    comparison_player(payload, key=key, step=len(compared.trace.target_tokens) - 1, writes_address=False)


def _cost(state: Cost, key: str, sources: Sources) -> None:
    (trace,), read = _trace_of_own(state, key, sources)
    m, n = trace.scores.shape
    with st.container(horizontal=True, gap="large"):
        st.metric("n, source tokens", n, width="content")
        st.metric("m, target tokens", m, width="content")
        st.metric("n × m, scores", f"{trace.scores.size:,}", width="content")
        st.metric("twice as long on both sides", f"{4 * trace.scores.size:,}", width="content")
    st.caption(prose("learn")["cost"])
    st.html(translation_line(trace))
    _map_player(ComparedTrace(f"{n} × {m} cells", "a score for each", trace), key)
    at = replace(state, sentence=read)
    sources.open_page(at.page, at.link)


def _trace_of_own(state: Cost | Paths, key: str, sources: Sources) -> tuple[tuple[DecodingTrace, ...], str]:
    """The trace of the visitor's sentence, and the sentence."""
    return _last_good(
        f"{key}_good",
        visitors_sentence(state.sentence),
        state.sentence,
        lambda text: sources.decode(replace(state, sentence=text).request),
    )


def _paths(state: Paths, key: str, sources: Sources) -> None:
    (trace,), read = _trace_of_own(state, key, sources)
    share = st.slider(
        "What is left of a gradient after one step", SMALLEST_SHARE, 1.0, state.share, SHARE_STEP, key=f"{key}_share"
    )
    st.html(translation_line(trace))
    st.html(paths_table(trace, share))
    st.caption(prose("learn")["paths"])
    at = replace(state, sentence=read)
    sources.open_page(at.page, at.link)


def _scorer_sizes(state: ScorerSizes, key: str, sources: Sources) -> None:
    st.html(STYLE)
    with st.container(horizontal=True, gap="small"):
        sizes = tuple(
            st.number_input(label, 1, LARGEST_SIZE, getattr(state, name), key=f"{key}_{name}", width=260)
            for name, label in LABELS.items()
        )
    st.html(shapes_table(*sizes, NOTATIONS[OURS]))
    if sizes[0] != sizes[1]:
        st.caption(prose("by_hand")["no dot"].format(d_h=sizes[0], d_s=sizes[1]))
    sources.open_page(state.page, state.link)


_DRAWN: dict[type[LiveState], Callable[[Any, str, Sources], None]] = {
    TranslatePlayer: _translate_player,
    Calculation: _calculation,
    WorkedLines: _worked_lines,
    Comparison: _comparison,
    Bottleneck: _bottleneck,
    Maps: _maps,
    Cost: _cost,
    Paths: _paths,
    ScorerSizes: _scorer_sizes,
}
