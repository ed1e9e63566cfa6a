"""An intervention made ready for decoding: checked against the sentence and the model, and looked up by step.

Knows what a person may change and what not; knows nothing of how a decoding proceeds.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self, TypeVar

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from attention_model.checkpoint import Translator
from attention_model.errors import InterventionError, MissingStepError
from attention_model.tokenizer import END_ID
from attention_model.trace import (
    END_TOKEN,
    HIGHEST_TEMPERATURE,
    LOWEST_TEMPERATURE,
    WEIGHT_SUM_TOLERANCE,
    Intervention,
)

Change = TypeVar("Change")


class TargetToken(NamedTuple):
    """A target token as shown, its number in the vocabulary, and whether the vocabulary knows it."""

    text: str
    id: int
    known: bool

    @classmethod
    def number(cls, translator: Translator, number: int) -> Self:
        """The token of this number."""
        return cls(translator.target_tokenizer.tokens[number], number, True)

    @classmethod
    def of(cls, translator: Translator, text: str) -> Self:
        """The token that is written like this; the model reads `<unk>` when the vocabulary lacks it."""
        (number,) = translator.target_tokenizer.ids([text])
        return cls(text, number, translator.target_tokenizer.knows(text))


class Plan:
    """What a person changed, by step.

    forced: the token to take at a step. replaced: the weights to use at a step. temperature: divides the scores.

    Raises InterventionError when a change does not fit the sentence or the model.
    """

    def __init__(self, intervention: Intervention, translator: Translator, source_length: int, max_length: int) -> None:
        self.intervention = intervention
        if intervention.replaced_scores:
            raise InterventionError(
                f"Scores set by hand: {len(intervention.replaced_scores)}; a translator allows none, only a "
                "calculation by hand does. Set the weights of the step instead."
            )
        self.temperature = _checked_temperature(intervention.temperature)
        self.forced = _checked_tokens(intervention, translator)
        self.replaced = _checked_weights(intervention, source_length)
        self._visible_always, self._visible_at = _checked_visibility(intervention, source_length)
        self._check_hidden_weights()
        self.steps = sorted({*self.forced, *self.replaced, *self._visible_at})
        self.check_steps(max_length, "decoding may take at most")
        changes_attention = self.replaced or intervention.hidden or self.temperature != 1
        if translator.config.scorer == "none" and changes_attention:
            raise InterventionError(
                "This model has no attention (its scorer is none), so there are no weights to change, nothing to hide "
                "and no scores to divide. Choose a model with attention, or force tokens only."
            )

    def check_steps(self, length: int, reason: str) -> None:
        """Raise MissingStepError when a change is meant for a step that does not exist."""
        for step in self.steps:
            if not 0 <= step < length:
                raise MissingStepError(
                    f"There is no step {step} to change: {reason} {length} "
                    f"{'step' if length == 1 else 'steps'}, counted from 0. "
                    "Choose an earlier step, or take the change back.",
                    step,
                    length,
                )

    def _check_hidden_weights(self) -> None:
        for step, weights in self.replaced.items():
            both = (weights > 0) & ~self._visible_at.get(step, self._visible_always)
            if bool(both.any()):
                raise InterventionError(
                    f"Source token {int(both.nonzero()[0])} is hidden at step {step} and given weight there. "
                    "Show it again, or give it the weight 0."
                )

    def mask(self, steps: Sequence[int]) -> Bool[Tensor, "1 target source"] | None:
        """True where a step may look, for these steps; None when nothing is hidden."""
        if not self.intervention.hidden:
            return None
        return torch.stack([self._visible_at.get(step, self._visible_always) for step in steps]).unsqueeze(0)


def _checked_temperature(temperature: float) -> float:
    if not LOWEST_TEMPERATURE <= temperature <= HIGHEST_TEMPERATURE:
        raise InterventionError(
            f"The temperature is {temperature}, and a number from {LOWEST_TEMPERATURE} to {HIGHEST_TEMPERATURE:.0f} is "
            "wanted. 1 changes nothing."
        )
    return temperature


def _checked_tokens(intervention: Intervention, translator: Translator) -> dict[int, TargetToken]:
    """The forced token of each step."""
    forced = _by_step(intervention.forced_tokens, "token")
    return {step: _checked_token(text, translator) for step, text in forced.items()}


def _checked_token(text: str, translator: Translator) -> TargetToken:
    if text == END_TOKEN:
        return TargetToken.number(translator, END_ID)
    pieces = translator.target_tokenizer.split(text)
    if len(pieces) != 1:
        raise InterventionError(
            f"{text!r} cannot be forced at one step: it is {len(pieces)} tokens, and one is wanted. "
            f"Give one character, or {END_TOKEN} for the end."
        )
    return TargetToken.of(translator, pieces[0])


def _checked_weights(intervention: Intervention, source_length: int) -> dict[int, Float[Tensor, " source"]]:
    """The weights set by hand at each step."""
    replaced = _by_step(intervention.replaced_weights, "row of weights")
    for step, weights in replaced.items():
        if len(weights) != source_length:
            raise InterventionError(
                f"The weights of step {step} are {len(weights)} numbers, and the source has {source_length} tokens. "
                "Give one weight a token."
            )
        for weight in weights:
            if not (math.isfinite(weight) and weight >= 0):
                raise InterventionError(f"A weight of step {step} is {weight}, and a number from 0 to 1 is wanted.")
        total = math.fsum(weights)
        if abs(total - 1) > WEIGHT_SUM_TOLERANCE:
            raise InterventionError(
                f"The weights of step {step} sum to {total:.6g}, and 1 is wanted. Share out the rest."
            )
    return {step: torch.tensor(weights, dtype=torch.float32) for step, weights in replaced.items()}


def _checked_visibility(
    intervention: Intervention, source_length: int
) -> tuple[Bool[Tensor, " source"], dict[int, Bool[Tensor, " source"]]]:
    """True where attention may look: at every step, and at the steps that have positions hidden of their own."""
    for step, position in intervention.hidden:
        if not 0 <= position < source_length:
            raise InterventionError(
                f"There is no source token {position} to hide{_at(step)}: the source has {source_length}, counted "
                "from 0."
            )
    always = torch.ones(source_length, dtype=torch.bool)
    always[[position for step, position in intervention.hidden if step is None]] = False
    visible = {}
    for step in {step for step, _ in intervention.hidden if step is not None}:
        visible[step] = always.clone()
        visible[step][[position for one, position in intervention.hidden if one == step]] = False
    for step, mask in ((None, always), *visible.items()):
        if not bool(mask.any()):
            raise InterventionError(
                f"All {source_length} source tokens are hidden{_at(step)}, and attention needs at least one. "
                "Show one again."
            )
    return always, visible


def _by_step(pairs: Iterable[tuple[int, Change]], noun: str) -> dict[int, Change]:
    """The pairs by step. Raises InterventionError when a step is named twice."""
    found: dict[int, Change] = {}
    for step, change in pairs:
        if step in found:
            raise InterventionError(f"Step {step} is given more than one {noun}, and one is wanted. Take one back.")
        found[step] = change
    return found


def _at(step: int | None) -> str:
    return " at every step" if step is None else f" at step {step}"
