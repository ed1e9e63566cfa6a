"""Progress with the exercises and the quiz: what was typed, checked, predicted and answered; saved to a file, and read.

Everything is frozen; a change gives another one. It knows no page. A file is checked part by part before it is taken.
"""

import dataclasses
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple, Self

import orjson

from app.exercises import (
    COMPONENTS,
    COST,
    HAND,
    KINDS,
    LARGEST_SIZE,
    SUBSCRIPTS,
    CostExercise,
    Exercise,
    FitExercise,
    HandExercise,
    first_exercise,
)
from app.quiz import all_questions, shuffled
from attention_model.errors import ProgressError
from attention_model.given import MOST_CHARACTERS

PROGRESS_KIND, PROGRESS_FORMAT = "practice", 1
"""What every saved file says it is; a file that says something else is refused."""

NO_HELP, HINT, SOLUTION = range(3)

WEIGHTS_HIDDEN, WORD_HIDDEN = HIDDEN = ("where it looks", "the next word")
"""What can be hidden to be predicted."""

LONGEST_TEXT = 140
"""In characters: what a line can hold, far more than an answer that is read."""

MOST_GUESSES = 1000
MOST_SOLVED = LARGEST_SEED = 10**6
LARGEST_FILE = 1_000_000
"""In bytes; far more than a person fills."""

RESTORE = "Choose a file saved on these pages. Nothing has changed here."


@dataclass(frozen=True)
class Work:
    """What a person does with one exercise.

    texts: what stands in each line, by its name. checked: what stood there when it was last checked.
    help: how much help was asked for. is_solved: whether all lines were right at once.
    """

    exercise: Exercise
    texts: Mapping[str, str] = field(default_factory=dict)
    checked: Mapping[str, str] = field(default_factory=dict)
    help: int = NO_HELP
    is_solved: bool = False


class Guess(NamedTuple):
    """A prediction that was revealed. hidden: one of HIDDEN. step: from 0. overlap: Σ min(p, q), 0 to 1."""

    sentence: str
    scorer: str
    hidden: str
    step: int
    overlap: float


@dataclass(frozen=True)
class QuizWork:
    """One round of the quiz.

    asked: ids of questions in order. place: the one that is shown; len(asked) for the results.
    drafts: what is typed or chosen but not checked, by id. answers: what was checked.
    """

    seed: int
    asked: tuple[str, ...]
    place: int = 0
    drafts: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Progress:
    """works: by kind of exercise. solved: how many of each kind were solved without the worked solution."""

    works: Mapping[str, Work]
    solved: Mapping[str, int]
    guesses: tuple[Guess, ...]
    quiz: QuizWork

    @classmethod
    def beginning(cls, random: Random) -> Self:
        """Nothing done yet; the quiz is shuffled."""
        works = {kind: Work(first_exercise(kind)) for kind in KINDS}
        return cls(works, dict.fromkeys(KINDS, 0), (), new_round(all_questions(), random))

    def with_work(self, kind: str, work: Work) -> "Progress":
        """With another work of one kind; counted where it has just been solved without the worked solution."""
        is_new = work.is_solved and not self.works[kind].is_solved and work.help < SOLUTION
        solved = {**self.solved, kind: self.solved[kind] + is_new}
        return dataclasses.replace(self, works={**self.works, kind: work}, solved=solved)

    def with_quiz(self, **changes: Any) -> "Progress":
        """With some fields of the quiz changed."""
        return dataclasses.replace(self, quiz=dataclasses.replace(self.quiz, **changes))

    def with_guess(self, guess: Guess) -> "Progress":
        """With one more prediction; the first one at a place counts, and only the last MOST_GUESSES are kept."""
        if any(one[:-1] == guess[:-1] for one in self.guesses):
            return self
        return dataclasses.replace(self, guesses=(*self.guesses, guess)[-MOST_GUESSES:])

    def to_json(self) -> bytes:
        """UTF-8 JSON."""
        return orjson.dumps(
            {
                "kind": PROGRESS_KIND,
                "format": PROGRESS_FORMAT,
                "works": {kind: _work_document(work) for kind, work in self.works.items()},
                "solved": self.solved,
                "guesses": [guess._asdict() for guess in self.guesses],
                "quiz": self.quiz,
            },
            option=orjson.OPT_INDENT_2,
        )

    @classmethod
    def from_json(cls, text: bytes) -> Self:
        """Read what `to_json` wrote. Raises ProgressError, with the reason, for anything else."""
        document = _document(text)
        works = {kind: _work(kind, one) for kind, one in _named(document["works"], KINDS, "the exercises").items()}
        counts = _named(document["solved"], KINDS, "the numbers of solved exercises")
        solved = {
            kind: _whole(one, f"the number of solved exercises “{kind}”", MOST_SOLVED) for kind, one in counts.items()
        }
        guesses = tuple(_guess(one) for one in _list(document["guesses"], "the predictions", MOST_GUESSES))
        return cls(works, solved, guesses, _quiz(document["quiz"]))


def new_round(asked: Iterable[str], random: Random, most: int | None = None) -> QuizWork:
    """A round with these questions, by their ids, shuffled anew. most: how many of them; None for all."""
    seed = random.randrange(LARGEST_SEED)
    return QuizWork(seed, shuffled(asked, seed)[:most])


def _work_document(work: Work) -> dict[str, Any]:
    return dataclasses.asdict(work) | {"exercise": work.exercise._asdict()}


def _document(text: bytes) -> dict[str, Any]:
    if len(text) > LARGEST_FILE:
        raise ProgressError(f"This file has {len(text):,} bytes, and at most {LARGEST_FILE:,} are wanted. {RESTORE}")
    try:
        document = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise ProgressError(f"This is not saved progress: it is not JSON ({error}). {RESTORE}") from None
    if not isinstance(document, dict) or document.get("kind") != PROGRESS_KIND:
        raise ProgressError(f"This file holds no progress with the exercises and the quiz. {RESTORE}")
    if document.get("format") != PROGRESS_FORMAT:
        found = _short(document.get("format"))
        raise ProgressError(f"This progress has the format {found}, and format {PROGRESS_FORMAT} is wanted. {RESTORE}")
    return _named(document, ("kind", "format", "works", "solved", "guesses", "quiz"), "the file")


def _work(kind: str, value: Any) -> Work:
    where = f"the exercise “{kind}”"
    one = _named(value, [entry.name for entry in dataclasses.fields(Work)], where)
    exercise = _exercise(kind, one["exercise"], where)
    texts, checked = (_texts(one[name], where, exercise.lines) for name in ("texts", "checked"))
    if not isinstance(one["is_solved"], bool):
        raise _damaged(where, one["is_solved"], "true or false")
    return Work(exercise, texts, checked, _whole(one["help"], where, SOLUTION), one["is_solved"])


def _exercise(kind: str, value: Any, where: str) -> Exercise:
    if kind == HAND:
        one = _named(value, HandExercise._fields, where)
        states = tuple(_numbers(row, where) for row in _list(one["encoder_states"], where, len(SUBSCRIPTS) - 1))
        if not states:
            raise _damaged(where, [], "at least one state")
        return HandExercise(states, _numbers(one["query"], where))
    made = CostExercise if kind == COST else FitExercise
    one = _named(value, made._fields, where)
    return made(*(_whole(one[name], where, LARGEST_SIZE, least=1) for name in made._fields))


def _guess(value: Any) -> Guess:
    where = "a prediction"
    one = _named(value, Guess._fields, where)
    for name in ("sentence", "scorer"):
        if not isinstance(one[name], str):
            raise _damaged(where, one[name], "text")
    if one["hidden"] not in HIDDEN:
        raise _damaged(where, one["hidden"], f"one of {', '.join(HIDDEN)}")
    _whole(one["step"], where, LARGEST_SIZE)
    if not _is_number(one["overlap"]) or not 0 <= one["overlap"] <= 1 + 1e-6:
        raise _damaged(where, one["overlap"], "a number from 0 to 1")
    return Guess(**one)


def _quiz(value: Any) -> QuizWork:
    where = "the quiz"
    one = _named(value, [entry.name for entry in dataclasses.fields(QuizWork)], where)
    known = all_questions()
    asked = tuple(_list(one["asked"], where, LARGEST_SIZE))
    if not all(isinstance(name, str) for name in asked) or len(set(asked)) < len(asked) or not asked:
        raise _damaged(where, one["asked"], "the names of questions, each once")
    unknown = next((name for name in asked if name not in known), None)
    if unknown is not None:
        raise _damaged(where, unknown, "a question of this version")
    place = _whole(one["place"], where, len(asked))
    drafts, answers = (_texts(one[name], where, asked, most=500) for name in ("drafts", "answers"))
    return QuizWork(_whole(one["seed"], where, LARGEST_SEED), asked, place, drafts, answers)


def _named(value: Any, names: Any, where: str) -> dict[str, Any]:
    """A table that has exactly these names."""
    if not isinstance(value, dict):
        raise _damaged(where, value, "a table")
    for what, wrong in (("is missing", set(names) - set(value)), ("is unknown", set(value) - set(names))):
        if wrong:
            raise ProgressError(f"This progress is damaged: in {where} {_short(min(wrong))} {what}. {RESTORE}")
    return value


def _list(value: Any, where: str, most: int) -> list[Any]:
    if not isinstance(value, list) or len(value) > most:
        raise _damaged(where, value, f"a list of at most {most}")
    return value


def _texts(value: Any, where: str, names: Any, most: int = LONGEST_TEXT) -> dict[str, str]:
    """What was typed, by names that exist."""
    if not isinstance(value, dict):
        raise _damaged(where, value, "a table of answers")
    for name, text in value.items():
        if name not in names:
            raise _damaged(where, name, "the name of a line")
        if not isinstance(text, str) or len(text) > most:
            raise _damaged(where, text, f"text of at most {most} characters")
    return value


def _numbers(value: Any, where: str) -> tuple[float, ...]:
    row = _list(value, where, COMPONENTS)
    if len(row) < COMPONENTS:
        raise _damaged(where, value, f"a list of {COMPONENTS} numbers")
    for one in row:
        if not _is_number(one) or abs(one) > LARGEST_SIZE:
            raise _damaged(where, one, f"a number of size {LARGEST_SIZE} at most")
    return tuple(map(float, row))


def _whole(value: Any, where: str, most: int, least: int = 0) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise _damaged(where, value, f"a whole number from {least} to {most}")
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _damaged(where: str, found: Any, wanted: str) -> ProgressError:
    return ProgressError(
        f"This progress is damaged: in {where} stands {_short(found)}, and {wanted} is wanted. {RESTORE}"
    )


def _short(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= MOST_CHARACTERS else shown[: MOST_CHARACTERS - 1] + "…"
