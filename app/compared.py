"""What stands side by side in a comparison: its traces, their titles and notes, and the player's data.

It gets its traces from whoever calls it, and draws nothing, so that the page and a file show the same.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from app.comparing import ATTENDING, HAND_MADE, MY_WORDS, OWN_WORDS, PERSONS_WORDS, TRAINED, Comparison
from app.components.comparison_player import ComparedTrace, DifferenceView, comparison_payload
from app.inputs import Request
from attention_model.agreement import is_aligned, jensen_shannon_distance, top1_agreement, weight_differences
from attention_model.alignments import AlignedSentence, reference_links
from attention_model.errors import AttentionModelError
from attention_model.given import GivenStates, ScorerParameters
from attention_model.preset import preset
from attention_model.trace import DecodingTrace


class Sources(NamedTuple):
    """Where the page gets everything from. Each function raises AttentionModelError for what cannot be had.

    decode: a request's traces, the best first. controlled: the states of a trace under a scorer, `identity=True` with
    the identity for W. attend_by_hand: a calculation by hand. parameters: what a translator's scorer has learned.
    decoding_time: of a request, in seconds. metrics: what a checkpoint's card says. aligned: what people aligned.
    """

    decode: Callable[[Request], tuple[DecodingTrace, ...]]
    controlled: Callable[..., DecodingTrace]
    attend_by_hand: Callable[[GivenStates], DecodingTrace]
    parameters: Callable[[str], ScorerParameters]
    decoding_time: Callable[[Request], float]
    metrics: Callable[[str], Mapping[str, Any]]
    aligned: Sequence[AlignedSentence] = ()


class Column(NamedTuple):
    """One of the traces that stand side by side.

    request: how a trained model was asked for it; None where its states were given.
    """

    title: str
    trace: DecodingTrace
    request: Request | None = None


def trained_columns(
    sources: Sources, asked: Comparison, person: AlignedSentence | None
) -> tuple[tuple[Column, ...], tuple[AttentionModelError, ...]]:
    """The trained models' traces, and why others are left out, each reason once.

    person: a person's words for the sentence, which all may be led along. Raises AttentionModelError when the model
    that leads the others cannot do what is asked.
    """
    target = _target(sources, asked, person)
    columns: list[Column] = []
    mistakes: dict[str, AttentionModelError] = {}
    for scorer in asked.scorers:
        request = asked.request(scorer, target)
        try:
            columns.append(Column(scorer, sources.decode(request)[0], request))
        except AttentionModelError as mistake:
            mistakes.setdefault(str(mistake), mistake)
    return tuple(columns), tuple(mistakes.values())


def controlled_columns(sources: Sources, asked: Comparison) -> tuple[Column, ...]:
    """One set of states under three scoring functions. Raises AttentionModelError for what cannot be had."""
    titles = {scorer: scorer for scorer in ATTENDING}
    if asked.identity:
        titles["multiplicative"] = "multiplicative, W = identity"
    if asked.states == HAND_MADE:
        given = replace(preset("running-example"), temperature=asked.temperature)
        if asked.identity:
            given = replace(given, score_weight=np.eye(given.d_h, given.d_s))
        traces = [sources.attend_by_hand(replace(given, scorer=scorer)) for scorer in ATTENDING]
    else:
        states = sources.decode(asked.request(asked.states))[0]
        traces = [
            sources.controlled(states, scorer, identity=asked.identity and scorer == "multiplicative")
            for scorer in ATTENDING
        ]
    return tuple(Column(titles[scorer], trace) for scorer, trace in zip(ATTENDING, traces, strict=True))


def compared_payload(
    sources: Sources, asked: Comparison, columns: Sequence[Column], person: AlignedSentence | None
) -> bytes:
    """The player's data: all columns, a person's links on their maps, and the difference that is asked for."""
    compared = [
        ComparedTrace(
            column.title,
            _note(sources, asked, column),
            column.trace,
            None if person is None else reference_links(column.trace, person),
        )
        for column in columns
    ]
    aligned = is_aligned([column.trace for column in columns])
    return comparison_payload(compared, _difference(columns, asked.difference) if aligned else None, aligned=aligned)


def _target(sources: Sources, asked: Comparison, person: AlignedSentence | None) -> str | None:
    """The words that all are led along; None where each says its own."""
    if asked.along == OWN_WORDS or (asked.along == PERSONS_WORDS and person is None):
        return None
    if asked.along == MY_WORDS:
        return asked.target
    if asked.along == PERSONS_WORDS:
        return "".join(person.target_tokens)
    leader = next(scorer for scorer in ATTENDING if asked.along.endswith(f" {scorer}"))
    return sources.decode(Request(asked.sentence, leader))[0].translation


def _difference(columns: Sequence[Column], pair: tuple[str, str] | None) -> DifferenceView | None:
    """The two columns of a pair of scorers, subtracted; None where one of them is not there."""
    places = {column.trace.scorer: place for place, column in enumerate(columns)}
    if pair is None or not set(pair) <= set(places):
        return None
    first, second = (places[scorer] for scorer in pair)
    one, other = columns[first].trace.weights, columns[second].trace.weights
    return DifferenceView(
        first,
        second,
        weight_differences(one, other),
        jensen_shannon_distance(one, other),
        top1_agreement(one, other),
    )


def _note(sources: Sources, asked: Comparison, column: Column) -> str:
    """One short line under a title: how good the model is, or where its scoring function comes from."""
    scorer = column.trace.scorer
    if asked.kind == TRAINED:
        metrics = sources.metrics(scorer)
        note = f"BLEU {metrics['test']['bleu']:.1f}"
        alignment = metrics.get("alignment")
        return note if alignment is None else f"{note} · alignment error {alignment['all']['aer']:.2f}"
    if scorer == "dot":
        return "no parameters"
    if scorer == "multiplicative" and asked.identity:
        return "hᵀ W s with the identity for W"
    of = "as on the By hand page" if asked.states == HAND_MADE else f"learned by the {scorer} translator"
    return f"W {of}" if scorer == "multiplicative" else f"W₁, W₂ and v {of}"
