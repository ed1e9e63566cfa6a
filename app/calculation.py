"""The calculation by hand that a visitor works on: where it begins, how its size changes, how it travels in a link.

It draws nothing and computes no attention.
"""

import base64
import binascii
import dataclasses
import zlib
from typing import NamedTuple

import numpy as np

from app.notation import NOTATIONS, OURS
from attention_model.errors import GivenError
from attention_model.given import GIVEN_SCORERS, GivenStates
from attention_model.preset import PRESETS, preset

BLANK = "blank"
STARTS = (*PRESETS, BLANK)
"""What a calculation can begin with."""

PARTS = 5
"""Parts of a step."""

LONGEST_LINK = 2000
"""Characters of a packed calculation in a link: what chat and mail programs pass on whole. Measured: eight states and
queries of eight components with two decimals take 1,400, the largest calculation in whole numbers 1,800, five states of
four components with all their digits 1,500, the largest with all its digits 15,000."""

_LARGEST_DOCUMENT = 200_000
"""Bytes of an unpacked calculation; the largest that is allowed needs about half."""


class Sizes(NamedTuple):
    """Encoder states, queries, and the components of an encoder state, of a query and of the additive scorer."""

    source: int
    target: int
    d_h: int
    d_s: int
    k: int


class Asked(NamedTuple):
    """What a link asks for. start: one of STARTS. given: the calculation. mistakes: a sentence for each nonsense."""

    start: str
    given: GivenStates
    notation: str
    step: int
    part: int | None
    mistakes: tuple[str, ...]


SMALL = Sizes(3, 1, 2, 2, 2)
"""The size of a blank calculation until another one is chosen."""


def beginning(start: str) -> GivenStates:
    """The calculation that one of STARTS names."""
    return GivenStates.blank(*SMALL) if start == BLANK else preset(start)


def sizes_of(given: GivenStates) -> Sizes:
    """How large a calculation is."""
    return Sizes(len(given.source_tokens), len(given.target_tokens), given.d_h, given.d_s, given.k)


def resized(given: GivenStates, sizes: Sizes) -> GivenStates:
    """The calculation with other sizes: what fits stays, what is new is blank, what follows the context goes.

    Takes the multiplicative scorer in the place of dot where the states differ in size. Raises GivenError for a size
    out of range.
    """
    blank = GivenStates.blank(*sizes)
    scorer = given.scorer
    if scorer == "dot" and sizes.d_h != sizes.d_s:
        scorer = "multiplicative"
    return dataclasses.replace(
        blank,
        title=given.title,
        scorer=scorer,
        source_tokens=(*given.source_tokens, *blank.source_tokens[len(given.source_tokens) :])[: sizes.source],
        target_tokens=(*given.target_tokens, *blank.target_tokens[len(given.target_tokens) :])[: sizes.target],
        **{
            name: _laid_over(getattr(blank, name), getattr(given, name))
            for name in ("encoder_states", "decoder_states", "score_weight", "key_weight", "query_weight")
        },
        score_vector=_laid_over(blank.score_vector[None], given.score_vector[None])[0],
    )


def with_output(given: GivenStates) -> GivenStates:
    """The calculation with W_out and V: W_out copies the context, and the vocabulary is the target words."""
    words = tuple(dict.fromkeys(given.target_tokens))
    return dataclasses.replace(
        given,
        output_weight=np.eye(given.d_h, given.d_h + given.d_s),
        vocabulary=words,
        vocabulary_weight=np.eye(len(words), given.d_h),
    )


def without_output(given: GivenStates) -> GivenStates:
    """The calculation that ends with the context."""
    return dataclasses.replace(given, output_weight=None, vocabulary=None, vocabulary_weight=None)


def without_edits(given: GivenStates) -> GivenStates:
    """The calculation with every score and weight as it is computed."""
    return dataclasses.replace(given, edited_scores=(), edited_weights=())


def is_beginning(given: GivenStates, start: str) -> bool:
    """Whether nothing but the scorer differs from the beginning."""
    return dataclasses.replace(given, scorer="dot").to_json() == beginning(start).to_json()


def link_of(start: str, given: GivenStates, notation: str, step: int, part: int | None) -> dict[str, str]:
    """The values of a link that brings this back; step and part count from 1 there, and defaults are left out.

    A calculation that was changed and is small enough stands in it under `states`.
    """
    link = {"preset": start} if start != STARTS[0] else {}
    if given.scorer != GIVEN_SCORERS[0]:
        link["scorer"] = given.scorer
    if notation != OURS:
        link["notation"] = notation
    if not is_beginning(given, start):
        states = packed(given)
        if len(states) <= LONGEST_LINK:
            link["states"] = states
    if step or part is not None:
        link["step"] = str(step + 1)
    if part is not None:
        link["part"] = str(part + 1)
    return link


def asked_by(link: dict[str, str]) -> Asked:
    """What a link asks for; the default takes the place of what makes no sense, with a sentence for each."""
    mistakes = []

    def one_of(name: str, what: str, allowed: tuple[str, ...]) -> str:
        found = link.get(name, allowed[0])
        if found in allowed:
            return found
        mistakes.append(
            f"The link asks for the {what} “{found[:40]}”, which does not exist. There are {', '.join(allowed)}; "
            "the first is taken."
        )
        return allowed[0]

    start = one_of("preset", "calculation", STARTS)
    notation = one_of("notation", "notation", tuple(NOTATIONS))
    given = beginning(start)
    if "scorer" in link:
        given = dataclasses.replace(given, scorer=one_of("scorer", "scorer", GIVEN_SCORERS))
    if "states" in link:
        try:
            given = unpacked(link["states"])
        except GivenError as mistake:
            mistakes.append(f"The states in the link cannot be read, so those of the preset are taken. {mistake}")
    step, part = _counted(link.get("step")), _counted(link.get("part"))
    if "step" in link and step is None:
        mistakes.append(
            f"The link asks for the step “{link['step'][:40]}”, and a whole number from 1 on is wanted. "
            "The first step is shown."
        )
    last = len(given.target_tokens)
    if step is not None and step >= last:
        mistakes.append(
            f"The link asks for the step {step + 1}, and the last step of this calculation is {last}. "
            "The last one is shown."
        )
        step = last - 1
    if "part" in link and (part is None or part >= PARTS):
        mistakes.append(
            f"The link asks for the part “{link['part'][:40]}”, and a whole number from 1 to {PARTS} is wanted. "
            "The step is shown as a whole."
        )
        part = None
    return Asked(start, given, notation, step or 0, part, tuple(mistakes))


def packed(given: GivenStates) -> str:
    """A calculation as text for a link: its JSON, compressed, in letters that need no escapes."""
    return base64.urlsafe_b64encode(zlib.compress(given.to_json(), 9)).decode("ascii").rstrip("=")


def unpacked(text: str) -> GivenStates:
    """The calculation that `packed` wrote. Raises GivenError for anything else."""
    try:
        data = base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
        document = zlib.decompressobj().decompress(data, _LARGEST_DOCUMENT)
    except (UnicodeEncodeError, binascii.Error, zlib.error):
        raise GivenError("Its text is damaged. Copy the whole link again.") from None
    return GivenStates.from_json(document)


def _laid_over(below: np.ndarray, above: np.ndarray) -> np.ndarray:
    """`below` with as much of `above` in its upper left corner as fits."""
    result = below.copy()
    rows, columns = min(len(below), len(above)), min(below.shape[1], above.shape[1])
    result[:rows, :columns] = above[:rows, :columns]
    return result


def _counted(text: str | None) -> int | None:
    """A number that a link counts from 1, counted from 0; None where it is none."""
    if text is None or not (text.isascii() and text.isdigit() and len(text) < 5 and int(text) > 0):
        return None
    return int(text) - 1
