"""What a visitor changed, as a list that stands in the link: read, checked, written, and folded onto a sentence.

A change is a JSON list, here a tuple, the same in the link and in what the player reports. Steps and source positions
count from 0. A position is a source piece of the sentence as it is when the change is made, after earlier drops.

- `["force", step, token]`: continue from this step with this token; tokens forced at later steps fall away.
- `["force", step, [token, …]]`: the same with several tokens, one a step. So a click on a candidate of a beam's
  hypothesis forces the words before it as well, for another beam might not go there.
- `["share", step, [position, …]]`: equal weights on these positions and 0 elsewhere.
- `["weights", step, [weight, …]]`: this row, one weight a position, with the sum 1.
- `["computed", step]`: the computed weights again.
- `["hide", step or null, [position, …]]`: attention cannot see these positions, with null at no step.
- `["show", step or null, [position, …]]`: it can again, with null at every step.
- `["drop", [start, end], [position, …]]`: the word at these characters, whose pieces these positions are, leaves the
  sentence, and the encoder reads again. Later positions move up; rows set by hand that used the word fall away.
- `["temperature", x]`: scores are divided by x before the softmax.

It knows no page and no model: decoding is a function that it is given.
"""

import json
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self

from attention_model.analysis import listed, neighbours
from attention_model.errors import AttentionModelError, MissingStepError, WhatIfError
from attention_model.trace import (
    END_TOKEN,
    HIGHEST_TEMPERATURE,
    LOWEST_TEMPERATURE,
    WEIGHT_SUM_TOLERANCE,
    DecodingTrace,
    Intervention,
)

Change = tuple[Any, ...]
"""One checked change: its name and what belongs to it, lists as tuples."""

CHANGES = ("force", "share", "weights", "computed", "hide", "show", "drop", "temperature")

LONGEST_TEXT = 8000
"""In characters; servers and people refuse much longer links."""

MOST_CHANGES = 60

CLOSING = ".,;:!?)]}%…”’"
"""Marks that stand close to the word before them."""

QUOTE = '"'
"""Stands around source words in the sentences about mistakes."""

WEIGHT_DECIMALS = 4
"""Weights set by hand are kept with so many decimals, so that the link stays short."""


class WhatIf(NamedTuple):
    """All changes in the order in which they were made, and how many of the last ones are undone."""

    changes: tuple[Change, ...] = ()
    undone: int = 0

    @property
    def applied(self) -> tuple[Change, ...]:
        """The changes that are not undone."""
        return self.changes[: len(self.changes) - self.undone]

    def undo(self) -> Self:
        """One more change undone; the same where none is left."""
        return self._replace(undone=min(self.undone + 1, len(self.changes)))

    def redo(self) -> Self:
        """The last undone change made again; the same where none is undone."""
        return self._replace(undone=max(self.undone - 1, 0))

    def take_all_back(self) -> Self:
        """Every change undone; each can be made again."""
        return self._replace(undone=len(self.changes))

    def without(self, number: int) -> Self:
        """The list without the applied change of this number, from 0; later ones stay."""
        return self._replace(changes=self.changes[:number] + self.changes[number + 1 :])

    def changed(self, change: Change) -> Self:
        """One more change, in place of the undone ones; a temperature replaces a temperature right before it.

        Raises WhatIfError when the list becomes too long for a link.
        """
        kept = self.applied
        if change[0] == "temperature" and kept and kept[-1][0] == "temperature":
            kept = kept[:-1]
        changed = self._replace(changes=(*kept, change), undone=0)
        _check_length(changed.text, len(changed.changes))
        return changed

    @property
    def text(self) -> str:
        """The list of changes as it stands in the link."""
        return json.dumps(self.changes, ensure_ascii=False, separators=(",", ":"))


class Reading(NamedTuple):
    """A sentence and its pieces: their texts, their (start, end) in the sentence, in characters, and their words."""

    sentence: str
    tokens: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    word_ids: tuple[int, ...]

    @classmethod
    def of(cls, trace: DecodingTrace) -> Self:
        """The sentence of a trace that has a text."""
        if trace.source_text is None or trace.source_spans is None:
            raise ValueError("A trace without a text has no sentence to change.")
        return cls(trace.source_text, trace.source_tokens, trace.source_spans, trace.source_word_ids)

    def phrases(self, positions: Sequence[int], mark: str) -> str:
        """The pieces at these positions as they stand in the sentence, neighbours together, between two marks."""
        return listed([f"{mark}{self._text(first, last)}{mark}" for first, last in neighbours(positions)])

    def _text(self, first: int, last: int) -> str:
        if last >= len(self.tokens):
            return f"piece {first + 1}" if first == last else f"pieces {first + 1} to {last + 1}"
        return self.sentence[self.spans[first][0] : self.spans[last][1]]


class Folded(NamedTuple):
    """What is decoded in place of the sentence as typed: the sentence that the encoder reads, and the intervention."""

    reading: Reading
    intervention: Intervention

    @property
    def sentence(self) -> str:
        """What the encoder reads."""
        return self.reading.sentence


class Line(NamedTuple):
    """One applied change in words. number: its place in the list, from 0. reason: why it is not done; None if it is."""

    number: int
    text: str
    reason: str | None = None


class Outcome(NamedTuple):
    """What became of the applied changes.

    traces: with every change that could be made, the best hypothesis first. before: with all of those but the last,
    None when none was made. folded: the changes that were made. lines: each applied change in words.
    """

    traces: tuple[DecodingTrace, ...]
    before: tuple[DecodingTrace, ...] | None
    folded: Folded
    lines: tuple[Line, ...]


def parse_what_if(changes: str | None, undone: str | None) -> WhatIf:
    """Read the two values of the link; None where the link lacks one.

    Raises WhatIfError with what is wrong, the value found, the value wanted and what to do.
    """
    listed = _parsed(changes) if changes else ()
    if not undone:
        return WhatIf(listed)
    if not (undone.isascii() and undone.isdigit() and len(undone) <= 9 and int(undone) <= len(listed)):
        raise WhatIfError(
            f"The link says that “{_cut(undone)}” changes are undone, and a whole number from 0 to {len(listed)} is "
            "wanted, for there are so many changes. Correct it, or leave it out."
        )
    return WhatIf(listed, int(undone))


def checked_change(value: Any) -> Change:
    """A change as it comes out of JSON, checked by itself and made a tuple; positions are sorted, weights rounded.

    Whether it fits a sentence is seen when it is folded. Raises WhatIfError.
    """
    match value:
        case ["force", step, [*tokens]] if tokens:
            return ("force", _step(step), tuple(_token(token) for token in tokens))
        case ["force", step, token]:
            return ("force", _step(step), _token(token))
        case ["share", step, positions]:
            return ("share", _step(step), _positions(positions))
        case ["weights", step, row]:
            return ("weights", _step(step), _row(row))
        case ["computed", step]:
            return ("computed", _step(step))
        case ["hide" | "show" as name, step, positions]:
            return (name, None if step is None else _step(step), _positions(positions))
        case ["drop", [start, end], positions]:
            return ("drop", _span(start, end), _positions(positions))
        case ["temperature", temperature]:
            return ("temperature", _temperature(temperature))
    name = value[0] if isinstance(value, list) and value else value
    if isinstance(name, str) and name in CHANGES:
        raise WhatIfError(f"The change {_quoted(value)} lacks a part or has one too many. Make the change again.")
    raise WhatIfError(
        f"The change {_quoted(name)} does not exist. There are {', '.join(CHANGES)}. Correct it, or leave it out."
    )


def fold(reading: Reading, changes: Sequence[Change]) -> Folded:
    """The changes one after the other: the sentence that is left, and everything that decoding must do otherwise.

    Raises WhatIfError for a change that does not fit the sentence or the changes before it.
    """
    state = _State(reading)
    for change in changes:
        state.make(change)
    return Folded(state.reading, state.intervention)


def describe_change(change: Change, reading: Reading, *, mark: str = "*", target_mark: str = "") -> str:
    """One change in words, steps counted from 1. reading: the sentence when the change is made.

    Source pieces stand between two `mark`s, target tokens between two `target_mark`s. They come from people: whoever
    shows the text must not take it for code.
    """
    match change:
        case ("force", step, token):
            return _describe_force(step, (token,) if isinstance(token, str) else token, target_mark)
        case ("share", step, positions) if len(positions) == len(reading.tokens):
            return f"Make the weights of step {step + 1} equal"
        case ("share", step, positions) if positions[-1] - positions[0] == len(positions) - 1:
            return f"Put all weight of step {step + 1} on {reading.phrases(positions, mark)}"
        case ("share", step, positions):
            return f"Share the weight of step {step + 1} between {reading.phrases(positions, mark)}"
        case ("weights", step, _):
            return f"Set the weights of step {step + 1} by hand"
        case ("computed", step):
            return f"Take the computed weights of step {step + 1} again"
        case ("hide", step, positions):
            return f"Hide {reading.phrases(positions, mark)} {_at(step)}"
        case ("show", step, positions):
            return f"Show {reading.phrases(positions, mark)} again {_at(step)}"
        case ("drop", _, positions):
            return f"Drop {reading.phrases(positions, mark)} from the sentence"
    return f"Set the temperature to {change[1]:g}"


def carry_out(
    what_if: WhatIf,
    unchanged: tuple[DecodingTrace, ...],
    decode: Callable[[Folded], tuple[DecodingTrace, ...]],
    *,
    mark: str = "*",
    target_mark: str = "",
) -> Outcome:
    """Make the applied changes, leaving out each one that cannot be made after those before it.

    unchanged: the traces of the sentence as typed. decode: gives the traces of what is folded, or raises
    AttentionModelError, which becomes the reason of a line.
    """
    reading = Reading.of(unchanged[0])
    made = _possible(reading, what_if.applied, unchanged, decode)
    before = _possible(reading, made.changes[:-1], unchanged, decode) if made.changes else None
    lines = []
    done: list[Change] = []
    for number, change in enumerate(what_if.applied):
        text = describe_change(change, fold(reading, done).reading, mark=mark, target_mark=target_mark)
        mistake = made.mistakes.get(number)
        if mistake is None:
            done.append(change)
            lines.append(Line(number, text))
        else:
            lines.append(Line(number, text, _reason(mistake, change)))
    return Outcome(made.traces, before.traces if before else None, fold(reading, made.changes), tuple(lines))


class _Made(NamedTuple):
    """The traces with all changes that could be made, these changes, and for each other one, by number, the mistake."""

    traces: tuple[DecodingTrace, ...]
    changes: tuple[Change, ...]
    mistakes: dict[int, AttentionModelError]


def _possible(
    reading: Reading,
    changes: Sequence[Change],
    unchanged: tuple[DecodingTrace, ...],
    decode: Callable[[Folded], tuple[DecodingTrace, ...]],
) -> _Made:
    """All changes at once where that can be done, else one after the other, without those that cannot be made."""
    traces, made, mistakes = unchanged, [], {}
    if changes:
        try:
            return _Made(decode(fold(reading, changes)), tuple(changes), {})
        except AttentionModelError:
            pass  # which of them cannot be made shows below
    for number, change in enumerate(changes):
        try:
            traces = decode(fold(reading, [*made, change]))
        except AttentionModelError as mistake:
            mistakes[number] = mistake
        else:
            made.append(change)
    return _Made(traces, tuple(made), mistakes)


class _State:
    """A sentence and what was changed about it so far."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self._forced: dict[int, str] = {}
        self._rows: dict[int, tuple[float, ...]] = {}
        self._hidden: set[tuple[int | None, int]] = set()
        self._temperature = 1.0

    @property
    def intervention(self) -> Intervention:
        by_step = sorted(self._hidden, key=lambda one: (-1 if one[0] is None else one[0], one[1]))
        return Intervention(
            forced_tokens=tuple(sorted(self._forced.items())),
            replaced_weights=tuple(sorted(self._rows.items())),
            hidden=tuple(by_step),
            temperature=self._temperature,
        )

    def make(self, change: Change) -> None:
        """One more change."""
        match change:
            case ("force", step, token):
                self._force(step, (token,) if isinstance(token, str) else token)
            case ("share", step, positions):
                self._check_positions(positions)
                share = 1 / len(positions)
                self._rows[step] = tuple(share if i in positions else 0.0 for i in range(len(self.reading.tokens)))
            case ("weights", step, row):
                self._check_row(step, row)
                self._rows[step] = row
            case ("computed", step):
                self._rows.pop(step, None)
            case ("hide", step, positions):
                self._check_positions(positions)
                self._hidden |= {(step, position) for position in positions}
            case ("show", step, positions):
                self._check_positions(positions)
                self._show(step, positions)
            case ("drop", span, positions):
                self._drop(span, positions)
            case ("temperature", temperature):
                self._temperature = temperature
        self._check_visible()

    def _force(self, step: int, tokens: Sequence[str]) -> None:
        self._forced = {one: token for one, token in self._forced.items() if one < step}
        self._forced |= dict(enumerate(tokens, start=step))

    def _show(self, step: int | None, positions: Sequence[int]) -> None:
        everywhere = [position for position in positions if (None, position) in self._hidden]
        if step is not None and everywhere:
            raise WhatIfError(
                f"{self.reading.phrases(everywhere, QUOTE)} is hidden at every step, so it cannot be shown at step "
                f"{step + 1} alone. Show it at every step."
            )
        self._hidden = {
            (one, position)
            for one, position in self._hidden
            if position not in positions or (step is not None and one != step)
        }

    def _drop(self, span: tuple[int, int], positions: Sequence[int]) -> None:
        self._check_positions(positions)
        first, last = positions[0], positions[-1]
        spans = self.reading.spans
        words = self.reading.word_ids
        whole = [position for position, word in enumerate(words) if words[first] <= word <= words[last]]
        # A part of a word cannot leave: the rest would be cut into other pieces.
        if list(positions) != whole or (spans[first][0], spans[last][1]) != span:
            raise WhatIfError(
                f"No word with these pieces stands at the characters {span[0]} to {span[1]} of the sentence. "
                "Choose the word again."
            )
        if len(positions) == len(self.reading.tokens):
            raise WhatIfError("The last word cannot be dropped, for then nothing is left to read. Keep one word.")
        moved = _moved_positions(len(self.reading.tokens), positions)
        self._hidden = {(step, moved[position]) for step, position in self._hidden if position in moved}
        self._rows = {
            step: tuple(weight for i, weight in enumerate(row) if i in moved)
            for step, row in self._rows.items()
            if not any(row[i] > 0 for i in positions)
        }
        self.reading = _without_word(self.reading, span, moved)

    def _check_positions(self, positions: Sequence[int]) -> None:
        length = len(self.reading.tokens)
        if positions[-1] >= length:
            raise WhatIfError(
                f"There is no source piece {positions[-1] + 1}: the sentence has {length}. "
                "Take the change back, or choose another word."
            )

    def _check_row(self, step: int, row: Sequence[float]) -> None:
        length = len(self.reading.tokens)
        if len(row) != length:
            raise WhatIfError(
                f"The weights of step {step + 1} are {len(row)} numbers, and the sentence has {length} pieces. "
                "Give one weight a piece."
            )

    def _check_visible(self) -> None:
        length = len(self.reading.tokens)
        always = {position for step, position in self._hidden if step is None}
        for step in {step for step, _ in self._hidden} | set(self._rows):
            hidden = always | {position for one, position in self._hidden if one == step}
            if len(hidden) == length:
                raise WhatIfError(f"Then every word is hidden {_at(step)}, and attention needs at least one to see.")
            both = [i for i, weight in enumerate(self._rows.get(step, ())) if weight > 0 and i in hidden]
            if both:
                raise WhatIfError(
                    f"At step {step + 1} {self.reading.phrases(both, QUOTE)} would be hidden and yet have weight by "
                    "hand. Show it, or take the computed weights of that step first."
                )


def _moved_positions(length: int, dropped: Sequence[int]) -> dict[int, int]:
    """For each position that stays its new number."""
    return {position: number for number, position in enumerate(i for i in range(length) if i not in dropped)}


def _without_word(reading: Reading, span: tuple[int, int], moved: dict[int, int]) -> Reading:
    """The sentence without a word: one space where there were two, none before a full stop, no words run together."""
    before, after = reading.sentence[: span[0]], reading.sentence[span[1] :]
    rest = after.lstrip()
    if not rest or rest[0] in CLOSING:
        before = before.rstrip()
    elif before and before[-1].isalnum() and rest[0].isalnum():
        before += " "
    shift = len(before) - (len(reading.sentence) - len(rest))
    spans = tuple(
        (start + shift, end + shift) if start >= span[1] else (start, end)
        for i, (start, end) in enumerate(reading.spans)
        if i in moved
    )
    tokens, words = (tuple(values[i] for i in moved) for values in (reading.tokens, reading.word_ids))
    return Reading(before + rest, tokens, spans, words)


def _describe_force(step: int, tokens: Sequence[str], target_mark: str) -> str:
    if tokens[-1] == END_TOKEN:
        return f"End at step {step + len(tokens)}"
    return f"Continue from step {step + len(tokens)} with {target_mark}{tokens[-1]}{target_mark}"


def _reason(mistake: AttentionModelError, change: Change) -> str:
    """Why a change was not made, with steps counted as on the page."""
    if not isinstance(mistake, MissingStepError):
        return str(mistake)
    steps = f"{mistake.length} step{'' if mistake.length == 1 else 's'}"
    if len(change) == 3 and change[1] == mistake.step:
        return f"There is no step {mistake.step + 1}: there are at most {steps}. Choose an earlier step."
    return (
        f"Then there would be at most {steps}, and step {mistake.step + 1}, which was changed before, would no "
        "longer exist. Take that change back first."
    )


def _parsed(text: str) -> tuple[Change, ...]:
    """The list of changes in a link."""
    if len(text) > LONGEST_TEXT:
        raise WhatIfError(
            f"The changes in the link are too long: {len(text):,} characters, and at most {LONGEST_TEXT:,} are read. "
            "Leave some out."
        )
    try:
        values = json.loads(text)
        json.dumps(values, ensure_ascii=False).encode()  # half a character, such as \ud800, can be shown nowhere
    except (ValueError, RecursionError):
        raise WhatIfError(
            f"The changes in the link are not JSON: found “{_cut(text)}”, and a list of changes is wanted. "
            "Copy the whole link again."
        ) from None
    if not isinstance(values, list):
        raise WhatIfError(
            f"The changes in the link are {_quoted(values)}, and a list of changes is wanted. "
            "Copy the whole link again."
        )
    _check_length(text, len(values))
    changes = []
    for number, value in enumerate(values, start=1):
        try:
            changes.append(checked_change(value))
        except WhatIfError as mistake:
            raise WhatIfError(f"Change {number} in the link cannot be read. {mistake}") from None
    return tuple(changes)


def _check_length(text: str, changes: int) -> None:
    if changes > MOST_CHANGES:
        raise WhatIfError(f"There are {changes} changes, and at most {MOST_CHANGES} are kept. Take some back first.")
    if len(text) > LONGEST_TEXT:
        raise WhatIfError(
            f"The changes take {len(text):,} characters of the link, and at most {LONGEST_TEXT:,} fit. "
            "Take some back first."
        )


def _step(value: Any) -> int:
    return _whole(value, "step")


def _whole(value: Any, what: str) -> int:
    if type(value) is not int or value < 0:
        raise WhatIfError(f"Its {what} is {_quoted(value)}, and a whole number from 0 on is wanted. Correct it.")
    return value


def _positions(values: Any) -> tuple[int, ...]:
    if not isinstance(values, list) or not values:
        raise WhatIfError(
            f"Its source positions are {_quoted(values)}, and a list with at least one whole number is wanted. "
            "Choose a word."
        )
    return tuple(sorted({_whole(value, "source position") for value in values}))


def _span(start: Any, end: Any) -> tuple[int, int]:
    span = (_whole(start, "first character"), _whole(end, "last character"))
    if span[0] >= span[1]:
        raise WhatIfError(f"Its word goes from character {start} to {end}, which is nothing. Choose a word.")
    return span


def _token(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise WhatIfError(f"Its token is {_quoted(value)}, and a Chinese character or {END_TOKEN} is wanted.")
    return value


def _row(values: Any) -> tuple[float, ...]:
    if not isinstance(values, list) or not values:
        raise WhatIfError(f"Its weights are {_quoted(values)}, and a list of numbers is wanted, one a source piece.")
    for value in values:
        if not _is_number(value) or not 0 <= value <= 1 + WEIGHT_SUM_TOLERANCE:
            raise WhatIfError(
                f"One of its weights is {_quoted(value)}, and a number from 0 to 1 is wanted. Correct it."
            )
    total = math.fsum(values)
    if abs(total - 1) > WEIGHT_SUM_TOLERANCE:
        raise WhatIfError(f"Its weights add up to {total:.6g}, and 1 is wanted. Share out the rest.")
    return _rounded(values)


def _rounded(row: Sequence[float]) -> tuple[float, ...]:
    """The row with few decimals; the largest weight takes up what rounding left over, so that the sum is 1."""
    units = 10**WEIGHT_DECIMALS
    counts = [round(weight * units) for weight in row]
    counts[max(range(len(row)), key=row.__getitem__)] += units - sum(counts)
    return tuple(count / units for count in counts)


def _temperature(value: Any) -> float:
    if not _is_number(value) or not LOWEST_TEMPERATURE <= value <= HIGHEST_TEMPERATURE:
        raise WhatIfError(
            f"Its temperature is {_quoted(value)}, and a number from {LOWEST_TEMPERATURE} to {HIGHEST_TEMPERATURE:.0f} "
            "is wanted. 1 changes nothing."
        )
    return float(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _at(step: int | None) -> str:
    return "at every step" if step is None else f"at step {step + 1}"


def _quoted(value: Any) -> str:
    return f"“{_cut(json.dumps(value, ensure_ascii=False))}”"


def _cut(text: str) -> str:
    return text if len(text) <= 40 else text[:40] + "…"
