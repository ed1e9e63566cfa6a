"""Widgets to a frozen Request, and the page's link to widgets: what a person asks of the Translate page.

Streamlit keeps each widget and its name in the link in step; here stands which values make sense, and the sentences
for those that do not. It decodes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import streamlit as st

from app.components.choice import choice
from app.components.step_player import ZOOMS
from app.components.text import plain
from app.drawing import draw_again
from attention_model.trace import SCORERS, Intervention

RUNNING_SENTENCE = "I like cats a lot."
RUNNING_TARGET = "我很喜歡貓。"
UNCHANGED = Intervention()

DECODING_NAMES = {"greedy": "greedy", "beam": "beam", "own translation": "forced"}
"""What the page and its link call each decoding, and what the engine calls it."""

BEAM_SIZES = range(2, 11)
DEFAULT_BEAM_SIZE = 5
PARTS = range(1, 6)

OWN_SENTENCE = "own_sentence"
"""Under this name the link to a stop of the lesson carries the visitor's sentence."""

SCORER_HELP = (
    "How an encoder state is compared with the decoder state that asks. "
    "With none there is no attention: the decoder has only the last encoder state."
)
DECODING_HELP = (
    "Greedy takes the most probable word at each step. Beam keeps several unfinished translations. "
    "Own translation leads the model along a sentence of yours."
)


@dataclass(frozen=True)
class Request:
    """What the page shall show.

    sentence: the English text as typed; where words were dropped from it, what the encoder reads. scorer: one of
    SCORERS. decoding: a value of DECODING_NAMES. beam_size: hypotheses kept, for `beam`. target: the person's own
    translation, for `forced`. intervention: what a person changed; nothing, until a list of changes is folded in.
    step: where to start, from 0. part: the opened part of the step, from 0; None for the step as a whole.
    """

    sentence: str = RUNNING_SENTENCE
    scorer: str = "dot"
    decoding: str = "greedy"
    beam_size: int = DEFAULT_BEAM_SIZE
    target: str = RUNNING_TARGET
    intervention: Intervention = UNCHANGED
    step: int = 0
    part: int | None = None

    @property
    def decoded(self) -> "Request":
        """The request without the place in it: two requests with equal `decoded` have the same trace."""
        return replace(
            self,
            beam_size=self.beam_size if self.decoding == "beam" else DEFAULT_BEAM_SIZE,
            target=self.target if self.decoding == "forced" else RUNNING_TARGET,
            step=0,
            part=None,
        )


class Example(NamedTuple):
    """A ready example: a short name, the button's text, the sentence, and a line (Markdown) on what there is to see."""

    id: str
    title: str
    sentence: str
    why: str


def link_mistakes(link: dict[str, str]) -> tuple[str, ...]:
    """One sentence (Markdown) for each value in a link that makes no sense; the page takes the default instead."""
    mistakes = []
    for name, allowed in (("scorer", SCORERS), ("decoding", (*DECODING_NAMES, "forced")), ("zoom", ZOOMS)):
        if name in link and link[name] not in allowed:
            mistakes.append(
                f"The link asks for the {name} “{quoted(link[name])}”, which does not exist. "
                f"There are {', '.join(allowed)}; the default is taken."
            )
    for name, what, allowed in (("beam", "beam size", BEAM_SIZES), ("part", "part", PARTS)):
        if name in link and whole(link[name]) not in allowed:
            mistakes.append(
                f"The link asks for the {what} “{quoted(link[name])}”, and a whole number from {allowed[0]} to "
                f"{allowed[-1]} is wanted. The default is taken."
            )
    if "step" in link and (whole(link["step"]) or 0) < 1:
        mistakes.append(
            f"The link asks for the step “{quoted(link['step'])}”, and a whole number from 1 on is wanted. "
            "The first step is shown."
        )
    return tuple(mistakes)


def place_in_link(link: dict[str, str]) -> tuple[int, int | None]:
    """The step and the part that a link names, both from 0; step 0 and no part where it names nothing sensible."""
    step, part = whole(link.get("step", "")), whole(link.get("part", ""))
    return (step - 1 if step and step >= 1 else 0), (part - 1 if part in PARTS else None)


def translation_in_link(link: dict[str, str]) -> Request:
    """What a link to the Translate page asks for, without its place; the default for what makes no sense."""
    names = DECODING_NAMES | {"forced": "forced"}
    beam_size = whole(link.get("beam", ""))
    return Request(
        sentence=link.get("sentence", RUNNING_SENTENCE),
        scorer=link["scorer"] if link.get("scorer") in SCORERS else SCORERS[0],
        decoding=names.get(link.get("decoding", ""), "greedy"),
        beam_size=beam_size if beam_size in BEAM_SIZES else DEFAULT_BEAM_SIZE,
        target=link.get("target", RUNNING_TARGET),
    ).decoded


def translation_request(examples: Sequence[Example]) -> Request:
    """Draw the widgets of the Translate page and return what they ask for.

    Every widget is in the link under its key, except the examples, which only fill the sentence box.
    """
    link = st.query_params.to_dict()
    if "link_mistakes" not in st.session_state:
        st.session_state["link_mistakes"] = link_mistakes(link)
        if link.get("decoding") == "forced":  # the engine's name, put right in the link before a widget reads it
            st.query_params["decoding"] = "own translation"
            draw_again()
    with st.container(horizontal=True, gap="medium", key="asking"):
        sentence = sentence_box()
        with st.container(horizontal=True, gap="medium", width="content"):
            scorer = choice("Scorer", SCORERS, "scorer", SCORER_HELP)
            decoding = DECODING_NAMES[choice("Decoding", tuple(DECODING_NAMES), "decoding", DECODING_HELP)]
    beam_size, target = DEFAULT_BEAM_SIZE, RUNNING_TARGET
    if decoding == "beam":
        beam_size = _beam_box()
    elif decoding == "forced":
        target = target_box()
    if examples:
        example_pills(examples, sentence)
    step, part = place_in_link(link)
    return _with_place(Request(sentence, scorer, decoding, beam_size, target), step, part)


def show_link_mistakes(request: Request) -> None:
    """Show what the link got wrong, until the person asks for something else."""
    mistakes = st.session_state.get("link_mistakes", ())
    first = st.session_state.setdefault("link_request", request.decoded)
    if mistakes and request.decoded == first:
        st.info("  \n".join(mistakes), icon=":material/link_off:")


def forget_place() -> None:
    """Take the next link's place as it is, whatever was shown before."""
    st.session_state.pop("placed_request", None)


def _with_place(request: Request, step: int, part: int | None) -> Request:
    """The request with its place: the link's while the trace stays the same, the beginning after a change of trace.

    A change of the scorer alone keeps the place, so that one can look at the same step under another scorer.
    """
    before: Request | None = st.session_state.get("placed_request")
    st.session_state["placed_request"] = request.decoded
    if before is not None and replace(request.decoded, scorer=before.scorer) != before:
        for name in ("step", "part"):
            st.query_params.pop(name, None)
        return request
    return replace(request, step=step, part=part)


def sentence_box() -> str:
    """The box for the English sentence, the same on every page that reads one."""
    return st.text_input(
        "English sentence",
        RUNNING_SENTENCE,
        key="sentence",
        bind="query-params",
        persist_state="session",
        placeholder="Type a short English sentence",
        autocomplete="off",
        icon=":material/edit:",
    )


def visitors_sentence(beginning: str, ready: Sequence[str] = ()) -> str:
    """The box for a sentence of the visitor's own in the lesson, which the link carries from stop to stop.

    beginning: what stands there until something is typed. ready: sentences that a click puts there.
    """
    sentence = st.query_params.get(OWN_SENTENCE, beginning)
    st.session_state["lesson_sentence"] = sentence
    st.text_input(
        "Your sentence, in English",
        key="lesson_sentence",
        placeholder="Type an English sentence, short or long",
        autocomplete="off",
        icon=":material/edit:",
        on_change=_take_own_sentence,
        args=("lesson_sentence",),
    )
    if ready:
        st.session_state["ready_sentence"] = sentence if sentence in ready else None
        st.pills(
            "Ready sentences",
            ready,
            format_func=lambda one: f"{len(one.split())} words",
            key="ready_sentence",
            label_visibility="collapsed",
            on_change=_take_own_sentence,
            args=("ready_sentence",),
        )
    return sentence


def _take_own_sentence(key: str) -> None:
    """Put into the link what was typed or chosen; a second click on a ready sentence changes nothing."""
    if st.session_state[key] is not None:
        st.query_params[OWN_SENTENCE] = st.session_state[key]


def _beam_box() -> int:
    return st.number_input(
        "Beam size",
        BEAM_SIZES[0],
        BEAM_SIZES[-1],
        DEFAULT_BEAM_SIZE,
        key="beam",
        help="How many unfinished translations are kept at each step.",
        bind="query-params",
        persist_state="session",
        width=180,
    )


def target_box() -> str:
    """The box for a translation of the visitor's own."""
    return st.text_input(
        "Your own translation, in Chinese",
        RUNNING_TARGET,
        key="target",
        help="The model is led along it, character by character, and shows where it would have looked.",
        bind="query-params",
        persist_state="session",
        autocomplete="off",
        icon=":material/edit:",
    )


def example_pills(examples: Sequence[Example], sentence: str, *, explains: bool = True) -> None:
    """The ready examples as quiet buttons; the one whose sentence stands in the box is marked.

    explains: whether it is said what there is to see in it.
    """
    current = next((one for one in examples if one.sentence == sentence), None)
    st.session_state["example"] = current.id if current else None
    titles = {one.id: one.title for one in examples}
    st.pills(
        "Ready examples",
        list(titles),
        format_func=titles.__getitem__,
        key="example",
        label_visibility="collapsed",
        on_change=_take_example,
        args=({one.id: one.sentence for one in examples},),
    )
    if explains:
        st.caption(current.why if current else "Your own sentence. The examples above lead back to ready ones.")


def _take_example(sentences: dict[str, str]) -> None:
    """Put the chosen example into the sentence box; a second click on the same one changes nothing."""
    chosen = st.session_state["example"]
    if chosen is not None:
        st.session_state["sentence"] = sentences[chosen]


def whole(text: str) -> int | None:
    """The whole number that a text is, or None. Only plain digits count, and not thousands of them."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 100 else None


def quoted(text: str) -> str:
    """A value from a link, short enough for a sentence and safe in Markdown."""
    return plain(text if len(text) <= 40 else text[:40] + "…")
