"""The Compare page: one sentence under several scorers, stepped together, with what differs in words, maps and numbers.

It gets its traces from whoever calls it, so it runs on traces written by hand as well as on trained models.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from app import exports
from app.compared import Column, Sources, compared_payload, controlled_columns, trained_columns
from app.comparing import (
    CONTROLLED,
    HAND_MADE,
    PERSONS_WORDS,
    TRAINED,
    Comparison,
    comparison_asked,
    show_link_mistakes,
)
from app.components.comparison_player import (
    comparison_html,
    comparison_player,
    comparison_position,
)
from app.components.difference import marked_html
from app.components.facts import Fact, facts_table, probability_text
from app.components.step_player import WORD_MARK
from app.components.text import plain, prose
from app.guard import guarded, show_mistake
from app.inputs import Example
from app.opened_link import is_link_opened
from app.presenting import is_presented
from attention_model.agreement import (
    TraceMeasures,
    describe_difference,
    is_aligned,
    measure_trace,
)
from attention_model.alignments import AlignedSentence, find_reference, reference_links, trace_quality
from attention_model.given import ScorerParameters
from attention_model.preset import preset
from attention_model.trace import DecodingTrace

TITLE = "Compare"
ICON = ":material/compare:"
PLAYER = "comparison"


@guarded
def render(sources: Sources, examples: Sequence[Example]) -> None:
    """Draw the page."""
    words = prose("compare")
    with st.container(gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.title("Compare", anchor=False, width="content")
            st.caption(words["tagline"], width="content")
        asked = comparison_asked(examples)
        person = find_reference(asked.sentence, sources.aligned)
        show_link_mistakes(asked)
        st.caption(words[asked.kind])
        columns = _columns(sources, asked, person)
        if not columns:
            return
        _what_differs(asked, columns)
    payload = _payload(sources, asked, columns, person)
    _player(payload, _place(asked, columns), asked.sentence, columns[0].trace)
    _notes(asked, columns, person)
    _facts(sources, asked, columns, person)
    with st.expander("How to read this"):
        st.markdown(words["how to read"])


def _columns(sources: Sources, asked: Comparison, person: AlignedSentence | None) -> tuple[Column, ...]:
    """What stands side by side; a model that cannot do what is asked is left out, with a sentence in its place."""
    with st.spinner("Translating…"):
        if asked.kind == CONTROLLED:
            return guarded(controlled_columns)(sources, asked) or ()
        columns, mistakes = guarded(trained_columns)(sources, asked, person) or ((), ())
    for mistake in mistakes:
        show_mistake(mistake)
    return columns


def _what_differs(asked: Comparison, columns: Sequence[Column]) -> None:
    """The sentence that says what differs, and whether W = identity made two scorers one."""
    traces = [column.trace for column in columns]
    if len(traces) > 1:
        text = describe_difference(traces, WORD_MARK)
        st.html(f'<p class="what-differs" role="status">{marked_html(text[0].upper() + text[1:])}.</p>')
    if asked.kind == CONTROLLED and asked.identity:
        dot, multiplicative = (trace.scores for trace in traces if trace.scorer in ("dot", "multiplicative"))
        different = int((dot != multiplicative).sum())
        words = prose("compare")["not equal" if different else "equal"]
        st.caption(words.format(count=dot.size, different=different))


@guarded
def _payload(
    sources: Sources, asked: Comparison, columns: Sequence[Column], person: AlignedSentence | None
) -> bytes | None:
    """The player's data, made once for the same traces and session."""
    made_from = (*(id(column.trace) for column in columns), asked.difference)
    kept = st.session_state.get("comparison_payload")
    if kept is None or kept[0] != made_from or any(a is not b.trace for a, b in zip(kept[1], columns, strict=True)):
        payload = compared_payload(sources, asked, columns, person)
        kept = st.session_state["comparison_payload"] = (made_from, [column.trace for column in columns], payload)
    return kept[2]


def _place(asked: Comparison, columns: Sequence[Column]) -> int:
    """Where to start: where the visitor stands, else the link's step, else the last one, so that all maps are whole.

    Presented, a link without a step starts at the first one, for at the last one the next key would leave the page.
    Where the visitor stood before another link was opened counts no longer.
    """
    last = max(len(column.trace.target_tokens) for column in columns) - 1
    place = comparison_position(PLAYER)
    if is_link_opened():
        st.session_state["comparison_left"] = place
    if place is None or place == st.session_state.get("comparison_left"):
        beginning = 0 if is_presented() and "step" not in st.query_params else last
        place = beginning if asked.step is None else asked.step
    return min(place, last)


@st.fragment
@guarded
def _player(payload: bytes | None, step: int, sentence: str, first: DecodingTrace) -> None:
    """The comparison, and the same as a file that opens at the step at which it stands here."""
    if payload is None:
        return
    reached = comparison_player(payload, key=PLAYER, step=step)
    st.download_button(
        "This comparison as one page",
        lambda: comparison_html(payload, title=sentence, step=reached),
        exports.file_name(first, "comparison.html"),
        "text/html",
        key="comparison_page",
        help=prose("compare")["take home"],
        on_click="ignore",
        icon=":material/slideshow:",
    )


def _notes(asked: Comparison, columns: Sequence[Column], person: AlignedSentence | None) -> None:
    """What a reader should know of this comparison before trusting it."""
    words = prose("compare")
    if asked.kind == CONTROLLED:
        hand_made = asked.states == HAND_MADE
        st.caption(words["states by hand"] if hand_made else words["states of a model"].format(states=asked.states))
    if asked.kind == TRAINED and asked.along == PERSONS_WORDS and person is None:
        st.info(words["no person"], icon=":material/info:")
    if not is_aligned([column.trace for column in columns]):
        st.info(words["rows do not line up"], icon=":material/info:")
    if any(column.trace.weights is None for column in columns):
        st.caption(words["without attention"])
    if person is not None and not (asked.kind == CONTROLLED and asked.states == HAND_MADE):
        all_drawn = all(reference_links(column.trace, person) is not None for column in columns)
        translation = plain("".join(person.target_tokens))
        text = words["reference"] if all_drawn else words["reference elsewhere"].format(translation=translation)
        st.caption(text)


@st.fragment
@guarded
def _facts(sources: Sources, asked: Comparison, columns: Sequence[Column], person: AlignedSentence | None) -> None:
    """The table of what is measured."""
    st.markdown(prose("compare")["facts" if asked.kind == TRAINED else "facts of one sentence"])
    measures = [measure_trace(column.trace, _parameters(sources, asked, column)) for column in columns]
    groups = [
        ("This sentence", [*_sentence_facts(columns, measures), *_reference_facts(columns, person)]),
        ("Raw scores", _score_facts(measures)),
        ("Cost", [*_cost_facts(measures), *_time_facts(sources, columns)]),
    ]
    if asked.kind == TRAINED:
        groups.append(("The model, by its card", _card_facts([sources.metrics(one.trace.scorer) for one in columns])))
    st.html(facts_table([column.title for column in columns], groups))


def _parameters(sources: Sources, asked: Comparison, column: Column) -> ScorerParameters:
    scorer, trace = column.trace.scorer, column.trace
    if asked.kind == CONTROLLED and asked.identity and scorer == "multiplicative":
        return ScorerParameters(score_weight=np.eye(trace.encoder_states.shape[1], trace.decoder_states.shape[1]))
    if asked.kind == CONTROLLED and asked.states == HAND_MADE:
        return replace(preset("running-example"), scorer=scorer).scorer_parameters
    return sources.parameters(scorer)


def _sentence_facts(columns: Sequence[Column], measures: Sequence[TraceMeasures]) -> list[Fact]:
    return [
        Fact("says", tuple(column.trace.translation for column in columns), is_chinese=True),
        Fact(
            "probability of these words",
            tuple(probability_text(one.log_probability) for one in measures),
            "all characters together, and the end where there is one",
        ),
        Fact(
            "probability a character",
            tuple(_probability(one.mean_probability) for one in measures),
            "geometric mean",
        ),
        Fact(
            "entropy of the weights",
            tuple(_decimals(one.mean_entropy, 2, " bits") for one in measures),
            "mean of all steps",
        ),
        Fact(
            "most looked at",
            tuple(_covered(one.most_covered) for one in measures),
            "the largest coverage, the sum of a column",
        ),
        Fact("least looked at", tuple(_covered(one.least_covered) for one in measures)),
    ]


def _reference_facts(columns: Sequence[Column], person: AlignedSentence | None) -> list[Fact]:
    if person is None:
        return []
    qualities = [trace_quality(column.trace, person) for column in columns]
    values = tuple(None if quality is None else f"{quality.aer:.2f}" for quality in qualities)
    return [Fact("alignment error rate", values, "against a person's links of this sentence")]


def _score_facts(measures: Sequence[TraceMeasures]) -> list[Fact]:
    ranges = tuple(
        None if one.lowest_score is None else f"{_signed(one.lowest_score)} to {_signed(one.highest_score)}"
        for one in measures
    )
    bounds = tuple(None if one.score_bound is None else f"±{one.score_bound:.2f}" for one in measures)
    return [
        Fact("range", ranges),
        Fact("can be at most", bounds, "dot |h| |s|, multiplicative |W| |h| |s|, additive Σ|v|"),
    ]


def _cost_facts(measures: Sequence[TraceMeasures]) -> list[Fact]:
    return [
        Fact(
            "scores computed",
            tuple(None if one.score_count is None else f"{one.score_count:,}" for one in measures),
            "n × m",
        ),
        Fact("parameters of the scorer", tuple(f"{one.parameter_count:,}" for one in measures)),
    ]


def _time_facts(sources: Sources, columns: Sequence[Column]) -> list[Fact]:
    times = tuple(
        None if one.request is None else f"{1000 * sources.decoding_time(one.request):.1f} ms" for one in columns
    )
    return [Fact("time to decode", times, "on this machine just now: median of 20, nothing kept")]


def _card_facts(metrics: Sequence[Mapping[str, Any]]) -> list[Fact]:
    alignments = [one.get("alignment") for one in metrics]
    return [
        Fact("BLEU", tuple(f"{one['test']['bleu']:.1f}" for one in metrics), "of the test sentences"),
        Fact(
            "alignment error rate",
            tuple(None if one is None else f"{one['all']['aer']:.3f}" for one in alignments),
            "of 100 sentences that people aligned",
        ),
    ]


def _decimals(value: float | None, decimals: int, unit: str = "") -> str | None:
    return None if value is None else f"{value:.{decimals}f}{unit}"


def _signed(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


def _covered(covered: Any) -> str | None:
    return None if covered is None else f"{covered.token} ({covered.coverage:.2f})"


def _probability(probability: float | None) -> str | None:
    if probability is None:
        return None
    return probability_text(math.log(probability) if probability else -math.inf)
