"""Progress is saved and opened exactly, and whatever is not progress is refused with the reason."""

import dataclasses
from random import Random

import orjson
import pytest

from app.exercises import COST, FIT, HAND, KINDS, first_exercise, fresh_exercise
from app.progress import (
    HINT,
    LARGEST_FILE,
    LONGEST_TEXT,
    MOST_GUESSES,
    SOLUTION,
    WEIGHTS_HIDDEN,
    WORD_HIDDEN,
    Guess,
    Progress,
    Work,
    new_round,
)
from app.quiz import all_questions
from attention_model.errors import ProgressError

GUESS = Guess("I like cats a lot.", "dot", WEIGHTS_HIDDEN, 2, 0.75)


def beginning():
    return Progress.beginning(Random(1))


def half_way():
    """Something of everything."""
    progress = beginning()
    for seed, kind in enumerate(KINDS):
        exercise = fresh_exercise(kind, Random(seed), first_exercise(kind))
        line = exercise.lines[-1]
        progress = progress.with_work(kind, Work(exercise, {line: "1/2 <b>"}, {line: "0,5"}, HINT))
    progress = progress.with_work(COST, dataclasses.replace(progress.works[COST], is_solved=True))
    progress = progress.with_guess(GUESS).with_guess(GUESS._replace(hidden=WORD_HIDDEN, overlap=0.25))
    return progress.with_quiz(drafts={"score-dot": "one"}, answers={"glance-cats": "4,2"}, place=3)


def document(**changes):
    return orjson.loads(half_way().to_json()) | changes


def refused(content):
    with pytest.raises(ProgressError) as mistake:
        Progress.from_json(content if isinstance(content, bytes) else orjson.dumps(content))
    return str(mistake.value)


def test_the_beginning_asks_everything_and_begins_with_the_first_exercises():
    progress = beginning()
    assert sorted(progress.quiz.asked) == sorted(all_questions())
    assert {kind: work.exercise for kind, work in progress.works.items()} == {k: first_exercise(k) for k in KINDS}
    assert progress.quiz.asked != Progress.beginning(Random(2)).quiz.asked


@pytest.mark.parametrize("progress", [beginning(), half_way()], ids=["beginning", "half way"])
def test_saved_progress_opens_exactly(progress):
    assert Progress.from_json(progress.to_json()) == progress


def test_an_exercise_counts_once_and_not_after_its_worked_solution():
    progress = beginning()
    solved = dataclasses.replace(progress.works[HAND], is_solved=True)
    progress = progress.with_work(HAND, solved).with_work(HAND, solved)
    assert progress.solved == {HAND: 1, COST: 0, FIT: 0}
    progress = progress.with_work(HAND, Work(solved.exercise, help=SOLUTION))
    progress = progress.with_work(HAND, Work(solved.exercise, help=SOLUTION, is_solved=True))
    assert progress.solved[HAND] == 1


def test_the_first_prediction_at_a_place_counts_and_there_is_an_end():
    progress = beginning().with_guess(GUESS).with_guess(GUESS._replace(overlap=1.0))
    assert progress.guesses == (GUESS,)
    for step in range(MOST_GUESSES + 5):
        progress = progress.with_guess(GUESS._replace(step=step))
    assert len(progress.guesses) == MOST_GUESSES
    assert progress.guesses[-1].step == MOST_GUESSES + 4


def test_a_round_can_be_shorter():
    assert len(new_round(all_questions(), Random(0), 10).asked) == 10
    assert sorted(new_round(["a", "b"], Random(0)).asked) == ["a", "b"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x89PNG", "it is not JSON"),
        (b"[]", "holds no progress"),
        (b"{}", "holds no progress"),
        (b"1" * (LARGEST_FILE + 1), "bytes, and at most"),
        (document(kind="by hand"), "holds no progress"),
        (document(format=2), "format 2, and format 1 is wanted"),
        (document(more=1), "in the file 'more' is unknown"),
        (document(works={}), "in the exercises 'by hand' is missing"),
        (document(works=[]), "a table is wanted"),
        (document(solved=dict.fromkeys(KINDS, -1)), "a whole number from 0"),
        (document(solved=dict.fromkeys(KINDS, True)), "a whole number from 0"),
        (document(guesses=[{}]), "in a prediction 'hidden' is missing"),
        (document(guesses=[GUESS._asdict() | {"overlap": 2}]), "a number from 0 to 1"),
        (document(guesses=[GUESS._asdict() | {"hidden": "all"}]), "one of where it looks, the next word"),
        (document(guesses=[GUESS._asdict() | {"scorer": 1}]), "text is wanted"),
        (document(guesses=[GUESS._asdict()] * (MOST_GUESSES + 1)), "a list of at most"),
        (document(quiz=[]), "a table is wanted"),
    ],
)
def test_a_foreign_or_damaged_file_is_refused_with_the_reason(content, said):
    text = refused(content)
    assert said in text
    assert text.endswith("Nothing has changed here.")


@pytest.mark.parametrize(
    ("kind", "part", "value", "said"),
    [
        (HAND, "exercise", {"encoder_states": [], "query": [1, 2]}, "at least one state"),
        (HAND, "exercise", {"encoder_states": [[1, 2]] * 10, "query": [1, 2]}, "a list of at most 9"),
        (HAND, "exercise", {"encoder_states": [[1]], "query": [1, 2]}, "a list of 2 numbers"),
        (HAND, "exercise", {"encoder_states": [[1, 1e9]], "query": [1, 2]}, "a number of size"),
        (HAND, "exercise", {"encoder_states": [[1, "2"]], "query": [1, 2]}, "a number of size"),
        (COST, "exercise", {"source": 0, "target": 5}, "a whole number from 1"),
        (COST, "exercise", {"source": 5}, "'target' is missing"),
        (FIT, "exercise", {"d_h": 1.5, "d_s": 2, "k": 3}, "a whole number from 1"),
        (COST, "texts", {"context 1": "2"}, "the name of a line"),
        (COST, "texts", {"scores": 5}, "text of at most"),
        (COST, "texts", {"scores": "1" * (LONGEST_TEXT + 1)}, "text of at most"),
        (COST, "texts", [], "a table of answers"),
        (COST, "help", 7, "a whole number from 0 to 2"),
        (COST, "is_solved", 1, "true or false"),
    ],
)
def test_a_damaged_exercise_is_refused(kind, part, value, said):
    content = document()
    content["works"][kind][part] = value
    text = refused(content)
    assert said in text
    assert kind in text


@pytest.mark.parametrize(
    ("part", "value", "said"),
    [
        ("asked", [], "each once"),
        ("asked", ["score-dot", "score-dot"], "each once"),
        ("asked", [1], "each once"),
        ("asked", ["what-is-love"], "a question of this version"),
        ("place", 99, "a whole number from 0"),
        ("seed", "x", "a whole number from 0"),
        ("answers", {"what-is-love": "x"}, "the name of a line"),
    ],
)
def test_a_damaged_quiz_is_refused(part, value, said):
    content = document()
    content["quiz"][part] = value
    assert said in refused(content)
