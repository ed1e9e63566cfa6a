"""Predict, then reveal: a part of the Practice page.

The weights of a step or its next word are hidden; a person marks what they expect, and the trained model's own shares
are laid beside it. Nothing is computed here.
"""

import zlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import streamlit as st
from jaxtyping import Float64

from app.comparing import ATTENDING
from app.components.choice import choice
from app.components.difference import marked_html
from app.components.next_focus import go_on, next_focus
from app.components.step_player import WORD_MARK
from app.components.text import chinese, plain, prose
from app.components.verdicts import shares_table, so_far_html
from app.guard import guarded, show_mistake
from app.inputs import Example, Request, example_pills, sentence_box
from app.practising import keep, progress
from app.predicting import mean_overlap, overlap, stated_shares
from app.progress import HIDDEN, LONGEST_TEXT, WEIGHTS_HIDDEN, Guess
from attention_model import analysis
from attention_model.errors import AnswerError
from attention_model.trace import END_TOKEN, DecodingTrace

SCORER_HELP = "Which of the trained translators is to be predicted."
HIDDEN_HELP = "What is hidden until you have marked what you expect."

ASKED, SAID = "predict_asked", "predict_said"
"""The places of what is asked, and of what is revealed or refused."""

END = "the end"
ONE = "1"
"""The share of each marked one until another is typed."""


class Place(NamedTuple):
    """What is predicted. hidden: one of HIDDEN. step: from 0."""

    sentence: str
    scorer: str
    hidden: str
    step: int

    def key(self, name: str) -> str:
        """The key of a widget that belongs to this place alone."""
        return f"predict_{name}_{zlib.crc32(repr(tuple(self)).encode()):08x}"


class Hidden(NamedTuple):
    """What is hidden at a place.

    names: what there is to mark. shares: the model's, by name. first: what one of the names is.
    """

    names: tuple[str, ...]
    shares: tuple[float, ...]
    first: str


@guarded
def prediction(decode: Callable[[Request], tuple[DecodingTrace, ...]], examples: Sequence[Example]) -> None:
    """Draw it. decode: gives a request's traces, the best first; raises AttentionModelError for what cannot be read."""
    words = prose("practice")
    st.markdown(words["task predict"])
    with st.container(horizontal=True, gap="medium", key="predicting"):
        sentence = sentence_box()
        scorer = choice("Scorer", ATTENDING, "predict_scorer", SCORER_HELP)
        hidden = choice("What is hidden", HIDDEN, "predict_hidden", HIDDEN_HELP)
    if examples:
        example_pills(examples, sentence, explains=False)
    with st.spinner("Translating…"):
        trace = decode(Request(sentence, scorer))[0]
    place = Place(sentence, scorer, hidden, _step(trace, hidden))
    found = _hidden(trace, place)
    revealed: set[Place] = st.session_state.setdefault("predict_revealed", set())
    left, right = st.columns(2, gap="large")
    with left:
        _asked(trace, place)
        _marks(place, found, is_open=place not in revealed)
        mistake = st.session_state.get("predict_mistake")
        is_mistaken = mistake is not None and mistake[0] == place
        if is_mistaken:
            with st.container(key=SAID):
                show_mistake(mistake[1])
        _buttons(place, found, len(trace.target_tokens), is_revealed=place in revealed)
        if guesses := progress().guesses:
            st.caption(f"{_count(len(guesses))} so far, with a mean overlap of {mean_overlap(guesses):.2f}.")
    if place in revealed:
        with right, st.container(key=SAID):
            _revealed(trace, place, found)
    next_focus(SAID if is_mistaken or place in revealed else ASKED)


def _count(number: int) -> str:
    return "1 prediction" if number == 1 else f"{number} predictions"


def _step(trace: DecodingTrace, hidden: str) -> int:
    """Draw the steps to choose from; the words that are to be predicted are not named."""
    steps = range(len(trace.target_tokens))
    st.session_state["predict_step"] = min(st.session_state.get("predict_step", 0), steps[-1])
    return st.pills(
        "Step",
        steps,
        required=True,
        format_func=lambda t: f"{t + 1}  {_token(trace, t)}" if hidden == WEIGHTS_HIDDEN else str(t + 1),
        key="predict_step",
        wrap=True,
        persist_state="session",
    )


def _token(trace: DecodingTrace, t: int) -> str:
    token = trace.target_tokens[t]
    return END if token == END_TOKEN else plain(token)


def _asked(trace: DecodingTrace, place: Place) -> None:
    """The translation up to the step, and the question."""
    words, token = prose("practice"), trace.target_tokens[place.step]
    if place.hidden == WEIGHTS_HIDDEN:
        now = END if token == END_TOKEN else chinese(token)
        question = words["ask where it looks"].format(token=_token(trace, place.step))
    else:
        now, question = "?", words["ask the next word"]
    with st.container(key=ASKED):
        st.html(so_far_html(trace.target_tokens[: place.step], now))
        st.markdown(question)


def _hidden(trace: DecodingTrace, place: Place) -> Hidden:
    if place.hidden == WEIGHTS_HIDDEN:
        weights = analysis.word_weights(trace)[place.step].tolist()
        return Hidden(analysis.source_words(trace), tuple(weights), "source word")
    candidates = sorted(trace.candidates[place.step], key=lambda one: one.token)
    names = tuple(END if one.token == END_TOKEN else one.token for one in candidates)
    return Hidden(names, tuple(one.probability for one in candidates), "next word")


def _marks(place: Place, found: Hidden, *, is_open: bool) -> None:
    """Draw what can be marked, and a box for the share of each where several are."""
    key = place.key("mark")
    st.session_state.setdefault(key, _kept("predict_marks").get(place, []))
    chosen = st.pills(
        f"{found.first.capitalize()}s",
        range(len(found.names)),
        selection_mode="multi",
        format_func=lambda position: plain(found.names[position]),
        key=key,
        wrap=True,
        on_change=_keep,
        args=("predict_marks", place, key),
        disabled=not is_open,
    )
    if len(chosen) > 1:
        st.caption(prose("practice")["shares"])
        with st.container(horizontal=True, gap="small"):
            for position in sorted(chosen):
                _share_box(place, position, plain(found.names[position]), is_open=is_open)


def _share_box(place: Place, position: int, name: str, *, is_open: bool) -> None:
    key = place.key(f"share_{position}")
    st.session_state.setdefault(key, _kept("predict_shares").get((place, position), ONE))
    st.text_input(
        f"share of {name}",
        key=key,
        max_chars=LONGEST_TEXT,
        autocomplete="off",
        on_change=_keep,
        args=("predict_shares", (place, position), key),
        disabled=not is_open,
        width=130,
    )


def _kept(name: str) -> dict[Any, Any]:
    """What was marked or typed in this session, by place; it outlives the widgets."""
    return st.session_state.setdefault(name, {})


@guarded
def _keep(name: str, where: Any, key: str) -> None:
    st.session_state["predict_mistake"] = None
    _kept(name)[where] = st.session_state[key]


def _shares(place: Place, found: Hidden) -> Float64[np.ndarray, " place"]:
    """The shares that a person gave. Raises AnswerError where nothing can be made of them."""
    marked = _kept("predict_marks").get(place, [])
    typed = _kept("predict_shares")
    texts = {position: typed.get((place, position), ONE) if len(marked) > 1 else ONE for position in marked}
    return stated_shares(len(found.names), texts)


def _revealed(trace: DecodingTrace, place: Place, found: Hidden) -> None:
    """Show the model's shares beside the marked ones."""
    words, marked = prose("practice"), _shares(place, found)
    st.markdown(f"**Overlap {overlap(marked, found.shares):.2f}**")
    if place.hidden == WEIGHTS_HIDDEN:
        st.html(f"<p>{marked_html(analysis.describe_step(trace, place.step, WORD_MARK))}.</p>")
    st.html(shares_table(found.names, marked.tolist(), found.shares, found.first))
    st.caption(words["overlap"] + ("" if place.hidden == WEIGHTS_HIDDEN else f" {words['overlap word']}"))


def _buttons(place: Place, found: Hidden, steps: int, *, is_revealed: bool) -> None:
    with st.container(horizontal=True, gap="small"):
        if is_revealed:
            st.button("Hide again", key="predict_hide", icon=":material/visibility_off:", on_click=_hide, args=(place,))
        else:
            st.button(
                "Reveal", key="predict_reveal", icon=":material/visibility:", on_click=_reveal, args=(place, found)
            )
        st.button(
            "Next step",
            key="predict_next",
            icon=":material/arrow_forward:",
            disabled=place.step + 1 == steps,
            on_click=_go,
            args=(place.step + 1,),
        )


@guarded
def _reveal(place: Place, found: Hidden) -> None:
    go_on()
    try:
        score = overlap(_shares(place, found), found.shares)
    except AnswerError as mistake:
        st.session_state["predict_mistake"] = (place, mistake)
        return
    st.session_state["predict_revealed"].add(place)
    keep(progress().with_guess(Guess(*place, score)))


@guarded
def _hide(place: Place) -> None:
    go_on()
    st.session_state["predict_revealed"].discard(place)


@guarded
def _go(step: int) -> None:
    go_on()
    st.session_state["predict_step"] = step
