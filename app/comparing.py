"""Widgets to a frozen Comparison, and the page's link to widgets: what a person asks of the Compare page.

It decodes nothing and draws nothing but the widgets.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import streamlit as st

from app.components.choice import choice
from app.components.step_player import ZOOMS
from app.components.temperature import TEMPERATURES, temperature_name
from app.inputs import (
    RUNNING_SENTENCE,
    RUNNING_TARGET,
    UNCHANGED,
    Example,
    Request,
    example_pills,
    quoted,
    sentence_box,
    target_box,
    whole,
)
from attention_model.trace import SCORERS, Intervention

ATTENDING = tuple(scorer for scorer in SCORERS if scorer != "none")

TRAINED, CONTROLLED = KINDS = ("trained models", "same states")
OWN_WORDS, MY_WORDS, PERSONS_WORDS = "its own words", "my words", "a person's words"
HAND_MADE = "by hand"
NO_DIFFERENCE = "none"

ALONG = (OWN_WORDS, *(f"the words of {scorer}" for scorer in ATTENDING), MY_WORDS, PERSONS_WORDS)
"""What the models say; a person's words are known where a person has aligned the sentence."""

STATES = (*ATTENDING, HAND_MADE)
PAIRS = tuple(combinations(ATTENDING, 2))
DIFFERENCES = (*(f"{one} − {other}" for one, other in PAIRS), NO_DIFFERENCE)

KIND_HELP = (
    "Trained models: three models, each trained with its own scoring function, so that everything in them differs. "
    "Same states: one set of encoder and decoder states under three scoring functions, so that only the score differs."
)
ALONG_HELP = (
    "Freely, each model says what it finds most probable. Along one translation, all are led through the same words, "
    "so that row stands beside row."
)
TEMPERATURE_HELP = "The scores are divided by it before the softmax: below 1 the weights are sharper, above 1 flatter."
STATES_HELP = "Whose encoder and decoder states are scored. The other scoring functions were not trained on them."
IDENTITY_HELP = "Take the identity matrix for W: then hᵀ W s is h·s, and multiplicative becomes dot."


@dataclass(frozen=True)
class Comparison:
    """What the page shall compare.

    kind: one of KINDS. sentence: as typed. along: what trained models say, one of ALONG. target: the
    visitor's own words. with_none: whether the model without attention stands beside. states: whose states are scored,
    one of STATES. identity: whether W is the identity there. temperature: of every softmax.
    difference: the two scorers whose difference is shown; None for none.
    step: where to start, from 0; None for the end.
    """

    kind: str = TRAINED
    sentence: str = RUNNING_SENTENCE
    along: str = OWN_WORDS
    target: str = RUNNING_TARGET
    with_none: bool = False
    states: str = "dot"
    identity: bool = False
    temperature: float = 1.0
    difference: tuple[str, str] | None = PAIRS[1]
    step: int | None = None

    @property
    def scorers(self) -> tuple[str, ...]:
        """The scorers that stand side by side."""
        return (*ATTENDING, "none") if self.with_none and self.kind == TRAINED else ATTENDING

    def request(self, scorer: str, target: str | None = None) -> Request:
        """A translation by one of the models: freely, or along a target."""
        # Without attention there is no softmax over the source to be heated.
        change = UNCHANGED if scorer == "none" else Intervention(temperature=self.temperature)
        if target is None:
            return Request(self.sentence, scorer, intervention=change)
        return Request(self.sentence, scorer, "forced", target=target, intervention=change)


def link_mistakes(link: dict[str, str]) -> tuple[str, ...]:
    """One sentence (Markdown) for each value in a link that makes no sense; the page takes the default instead."""
    mistakes = []
    for name, allowed in (
        ("kind", KINDS),
        ("along", ALONG),
        ("states", STATES),
        ("difference", DIFFERENCES),
        ("zoom", ZOOMS),
        ("heat", tuple(map(temperature_name, TEMPERATURES))),
        ("none", ("true", "false")),
        ("identity", ("true", "false")),
    ):
        if name in link and link[name] not in allowed:
            mistakes.append(
                f"The link says {name}={quoted(link[name])}, which does not exist. There are {', '.join(allowed)}; "
                "the default is taken."
            )
    if "step" in link and (whole(link["step"]) or 0) < 1:
        mistakes.append(
            f"The link asks for the step “{quoted(link['step'])}”, and a whole number from 1 on is wanted. "
            "The last step is shown."
        )
    return tuple(mistakes)


def comparison_in_link(link: dict[str, str]) -> Comparison:
    """What a link asks for, without the widgets; the default takes the place of what makes no sense."""

    def one_of(name: str, allowed: Sequence[str], default: str) -> str:
        return link[name] if link.get(name) in allowed else default

    heats = {temperature_name(temperature): temperature for temperature in TEMPERATURES}
    difference = one_of("difference", DIFFERENCES, DIFFERENCES[1])
    step = whole(link.get("step", ""))
    return Comparison(
        kind=one_of("kind", KINDS, TRAINED),
        sentence=link.get("sentence", RUNNING_SENTENCE),
        along=one_of("along", ALONG, OWN_WORDS),
        target=link.get("target", RUNNING_TARGET),
        with_none=link.get("none") == "true",
        states=one_of("states", STATES, STATES[0]),
        identity=link.get("identity") == "true",
        temperature=heats[one_of("heat", tuple(heats), temperature_name(1.0))],
        difference=None if difference == NO_DIFFERENCE else PAIRS[DIFFERENCES.index(difference)],
        step=step - 1 if step else None,
    )


def comparison_asked(examples: Sequence[Example]) -> Comparison:
    """Draw the widgets of the Compare page and return what they ask for; each is in the link under its key."""
    link = st.query_params.to_dict()
    st.session_state.setdefault("comparison_mistakes", link_mistakes(link))
    with st.container(horizontal=True, gap="medium", key="comparing"):
        sentence = sentence_box()
        kind = choice("What is compared", KINDS, "kind", KIND_HELP)
    asked = {"kind": kind, "sentence": sentence}
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom", key="comparing_how"):
        asked |= _trained() if kind == TRAINED else _same_states()
        asked["temperature"] = _temperature()
        asked["difference"] = _difference()
    if asked.get("along") == MY_WORDS:
        asked["target"] = target_box()
    if examples:
        example_pills(examples, sentence)
    step = whole(link.get("step", ""))
    return Comparison(**asked, step=step - 1 if step else None)


def show_link_mistakes(comparison: Comparison) -> None:
    """Show what the link got wrong, until the person asks for something else."""
    first = st.session_state.setdefault("first_comparison", comparison)
    if st.session_state["comparison_mistakes"] and comparison == first:
        st.info("  \n".join(st.session_state["comparison_mistakes"]), icon=":material/link_off:")


def _trained() -> dict[str, object]:
    along = _box("Each model says", ALONG, "along", ALONG_HELP)
    with_none = st.toggle(
        "Without attention, too",
        key="none",
        help="A fourth model, which has no attention and reads only the last encoder state.",
        bind="query-params",
        persist_state="session",
    )
    return {"along": along, "with_none": with_none}


def _same_states() -> dict[str, object]:
    states = _box("Whose states", STATES, "states", STATES_HELP)
    identity = st.toggle(
        "W = identity", key="identity", help=IDENTITY_HELP, bind="query-params", persist_state="session"
    )
    return {"states": states, "identity": identity}


def _temperature() -> float:
    return st.select_slider(
        "Softmax temperature",
        TEMPERATURES,
        1.0,
        temperature_name,
        key="heat",
        help=TEMPERATURE_HELP,
        bind="query-params",
        persist_state="session",
        width=220,
    )


def _difference() -> tuple[str, str] | None:
    chosen = _box("Difference", DIFFERENCES, "difference", "The weights of the first minus those of the second.", 1)
    return None if chosen == NO_DIFFERENCE else PAIRS[DIFFERENCES.index(chosen)]


def _box(label: str, options: Sequence[str], key: str, help_text: str, index: int = 0) -> str:
    return st.selectbox(
        label, options, index, key=key, help=help_text, bind="query-params", persist_state="session", width=230
    )
