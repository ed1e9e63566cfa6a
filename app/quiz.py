"""The quiz: questions read from TOML files, one file a stop of the lesson, shuffled, checked, and counted by topic.

A question is a choice, a number, or a cell of a map. Pure functions; it knows no page.
"""

import math
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from app.answers import read_number, read_whole
from app.lesson import stops
from attention_model.errors import AnswerError, AttentionModelError, QuizError
from attention_model.preset import preset_trace

FOLDER = Path(__file__).parent / "questions"

CHOICE, NUMBER, CELL = KINDS = ("choice", "number", "cell")

NUMBER_TOLERANCE = 0.006
"""How far an answer with decimals may be from the right one, so that two rounded decimals are enough."""


class CellMap(NamedTuple):
    """A map to click on. weights: a row a target token, each of which sums to 1; None for one to be imagined."""

    source_tokens: tuple[str, ...]
    target_tokens: tuple[str, ...]
    weights: tuple[tuple[float, ...], ...] | None


@dataclass(frozen=True)
class Question:
    """One question.

    id: unique. topic: the id of the lesson's stop that it belongs to. kind: one of KINDS. text, explanation: Markdown.
    For a choice: right and wrong, the options. For a number: number, whole where an int. For a cell: map, and cells,
    pairs (step, source position) from 0, each of which is right.
    """

    id: str
    topic: str
    kind: str
    text: str
    explanation: str
    right: str | None = None
    wrong: tuple[str, ...] = ()
    number: int | float | None = None
    map: CellMap | None = None
    cells: tuple[tuple[int, int], ...] = ()

    @property
    def right_answer(self) -> str:
        """The right answer as a person would give it; for a cell the first of the right ones."""
        if self.kind == CHOICE:
            return self.right
        return str(self.number) if self.kind == NUMBER else cell_answer(*self.cells[0])


class Topic(NamedTuple):
    """The questions of one stop of the lesson."""

    id: str
    title: str
    questions: tuple[Question, ...]


class TopicResult(NamedTuple):
    """How a topic went: answers that were right, given, and questions that were asked."""

    topic: Topic
    right: int
    answered: int
    asked: int


@cache
def topics(folder: Path = FOLDER) -> tuple[Topic, ...]:
    """All topics, in the order of the lesson. A file is called like the id of its stop, and not every stop needs one.

    Raises QuizError when a file cannot be read or belongs to no stop, LessonError when the lesson cannot be read.
    """
    order = [stop.id for stop in stops()]
    paths = {path.stem: path for path in folder.glob("*.toml")}
    if strange := sorted(set(paths) - set(order)):
        raise QuizError(f"The questions in {strange[0]}.toml belong to no stop of the lesson. Rename the file.")
    found = tuple(read_topic(paths[one]) for one in order if one in paths)
    ids = [question.id for topic in found for question in topic.questions]
    twice = next((one for one in ids if ids.count(one) > 1), None)
    if twice is not None:
        raise QuizError(f"Two questions are called {twice!r}, and each name once is wanted. Rename one.")
    return found


def all_questions(folder: Path = FOLDER) -> dict[str, Question]:
    """Every question by its id, in the order of the topics."""
    return {question.id: question for topic in topics(folder) for question in topic.questions}


def read_topic(path: Path) -> Topic:
    """The questions of one file, called like a stop. Raises QuizError, with the reason, for a damaged one."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise QuizError(f"The questions in {path.name} cannot be read ({error}). Mend the file.") from None
    try:
        title = next(stop.title for stop in stops() if stop.id == path.stem)
        return Topic(path.stem, title, tuple(_question(path.stem, one) for one in document["questions"]))
    except (KeyError, TypeError, ValueError, AttentionModelError) as error:
        reason = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error).rstrip(".")
        raise QuizError(f"The questions in {path.name} cannot be asked: {reason}. Mend the file.") from None


def shuffled(questions: Iterable[str], seed: int) -> tuple[str, ...]:
    """The ids in an order that the seed alone decides."""
    ids = list(questions)
    Random(seed).shuffle(ids)
    return tuple(ids)


def options(question: Question, seed: int) -> tuple[str, ...]:
    """The options of a choice in an order that the seed and the question decide."""
    found = [question.right, *question.wrong]
    Random(f"{seed} {question.id}").shuffle(found)
    return tuple(found)


def check_answer(question: Question, answer: str) -> bool:
    """Whether an answer is right: an option's text, a number as typed, or a cell as `cell_answer` writes it.

    Raises AnswerError, with a sentence, for an answer that is empty or cannot be read.
    """
    if question.kind == CHOICE:
        if answer not in (question.right, *question.wrong):
            raise AnswerError("Nothing is chosen yet. Choose one of the answers.")
        return answer == question.right
    if question.kind == NUMBER:
        return _is_number(question.number, answer)
    return read_cell(question, answer) in question.cells


def _is_number(right: int | float, answer: str) -> bool:
    """Whether an answer is this number: exactly for a whole one, whose thousands may be set apart."""
    if isinstance(right, float):
        return math.isclose(read_number(answer).value, right, rel_tol=0, abs_tol=NUMBER_TOLERANCE)
    try:
        return read_whole(answer) == right
    except AnswerError:
        return read_number(answer).value == right  # any other number is an answer, too, and a wrong one


def cell_answer(t: int, i: int) -> str:
    """A cell of a map as an answer: step and source position, from 0."""
    return f"{t},{i}"


def read_cell(question: Question, answer: str) -> tuple[int, int]:
    """The cell that an answer names. Raises AnswerError where it names none of the question's map."""
    step, _, position = answer.partition(",")
    if step.isdecimal() and position.isdecimal():
        t, i = int(step), int(position)
        if t < len(question.map.target_tokens) and i < len(question.map.source_tokens):
            return t, i
    raise AnswerError("No cell is chosen yet. Choose one on the map.")


def is_right(question: Question, answer: str) -> bool:
    """Whether an answer is right; one that cannot be read is not."""
    try:
        return check_answer(question, answer)
    except AnswerError:
        return False


def results(asked: Sequence[str], answers: Mapping[str, str], folder: Path = FOLDER) -> tuple[TopicResult, ...]:
    """How each topic went of which something was asked. answers: by the id of the question."""
    found = []
    for topic in topics(folder):
        questions = [question for question in topic.questions if question.id in asked]
        given = [question for question in questions if question.id in answers]
        if questions:
            right = sum(is_right(question, answers[question.id]) for question in given)
            found.append(TopicResult(topic, right, len(given), len(questions)))
    return tuple(found)


def _question(topic: str, one: Mapping[str, Any]) -> Question:
    """A question from its table in the file. Raises what `read_topic` turns into a QuizError."""
    kind = one["kind"]
    known = {"id", "kind", "text", "explanation"}
    values: dict[str, Any] = {}
    if kind == CHOICE:
        known |= {"right", "wrong"}
        wrong = tuple(one["wrong"])
        values = {"right": _text(one, "right"), "wrong": wrong}
        if len(wrong) < 2 or len({one["right"], *wrong}) <= len(wrong):
            raise QuizError(f"{one['id']} needs at least two wrong answers, all different")
    elif kind == NUMBER:
        known |= {"number"}
        if isinstance(one["number"], bool) or not isinstance(one["number"], int | float):
            raise QuizError(f"the number of {one['id']} is {one['number']!r}")
        values = {"number": one["number"]}
    elif kind == CELL:
        known |= {"map", "cells", "hide_weights"}
        drawn = _map(one["map"])
        values = {"cells": _cells(one["id"], one["cells"], drawn)}
        values["map"] = drawn._replace(weights=None) if one.get("hide_weights") else drawn
    else:
        raise QuizError(f"the kind of {one['id']} is {kind!r}, and one of {', '.join(KINDS)} is wanted")
    if unknown := set(one) - known:
        raise QuizError(f"{one['id']} has the unknown part {min(unknown)!r}")
    return Question(_text(one, "id"), topic, kind, _text(one, "text"), _text(one, "explanation"), **values)


def _map(asked: str | Mapping[str, Any]) -> CellMap:
    """The map of a ready calculation, by its name, or one written out in the file."""
    if isinstance(asked, str):
        trace = preset_trace(asked)
        return CellMap(trace.source_tokens, trace.target_tokens, tuple(map(tuple, trace.weights.tolist())))
    weights = tuple(tuple(map(float, row)) for row in asked["weights"])
    drawn = CellMap(tuple(asked["source"]), tuple(asked["target"]), weights)
    fits = len(weights) == len(drawn.target_tokens) and all(len(row) == len(drawn.source_tokens) for row in weights)
    if not fits or any(abs(sum(row) - 1) > 1e-6 or min(row) < 0 for row in weights):
        raise QuizError("a map needs one row of weights a target token, and each row sums to 1")
    return drawn


def _cells(called: str, pairs: Sequence[Sequence[str]], drawn: CellMap) -> tuple[tuple[int, int], ...]:
    """Cells named by their target and source tokens, which must each stand in the map once."""
    cells = []
    for target, source in pairs:
        if drawn.target_tokens.count(target) != 1 or drawn.source_tokens.count(source) != 1:
            raise QuizError(f"{called} names the cell {target}, {source}, which the map does not have just once")
        cells.append((drawn.target_tokens.index(target), drawn.source_tokens.index(source)))
    if not cells:
        raise QuizError(f"{called} names no right cell")
    return tuple(cells)


def _text(table: Mapping[str, Any], name: str) -> str:
    value = table[name]
    if not isinstance(value, str) or not value.strip():
        raise QuizError(f"{name!r} is {value!r}, and text is wanted")
    return value.strip()
