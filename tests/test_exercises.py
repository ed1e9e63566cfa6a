"""Every exercise can be solved, rounded work counts as right, and the usual mistakes are told apart from it."""

import functools
import itertools
import math
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.components.text import prose
from app.exercises import (
    ANOTHER_LINE,
    BLOCKS,
    CARRIED,
    CONTEXT,
    COST,
    EMPTY,
    FIT,
    FIT_SHAPES,
    HAND,
    HAND_MISTAKES,
    KINDS,
    POWERS,
    RIGHT,
    ROUNDED,
    UNREAD,
    USABLE,
    WEIGHT_ORDER,
    WRONG,
    CostExercise,
    FitExercise,
    HandExercise,
    check_cost,
    check_fit,
    check_hand,
    cost_answers,
    first_exercise,
    fit_answers,
    fresh_exercise,
    hand_answers,
    hand_numbers,
)
from attention_model.by_hand import attend_by_hand
from attention_model.errors import TraceError
from attention_model.preset import preset

FRESH = 60
SEEDS = st.integers(0, 10**6)


@functools.cache
def numbers_of(exercise):
    return hand_numbers(exercise, attend_by_hand(exercise.given()))


def fresh(kind, seed):
    return fresh_exercise(kind, Random(seed), first_exercise(kind))


FIRST = first_exercise(HAND)
NUMBERS = numbers_of(FIRST)


def verdict(line, text, **others):
    """The verdict of one line of exercise 1, with other lines as `scores_1="2"`."""
    texts = {name.replace("_", " "): value for name, value in others.items()}
    return check_hand(NUMBERS, {line: text, **texts})[line]


def written(answers, decimals):
    return {line: f"{value:.{decimals}f}" for line, value in answers.items()}


def test_attention_by_hand_begins_with_exercise_1():
    assert FIRST.given().to_json() == preset("exercise-1").to_json()
    assert HandExercise(((1, 0), (0, 1), (1, 1)), (2, 0)) == FIRST


def test_the_right_answers_of_exercise_1_are_those_of_plain_loops():
    answers = hand_answers(NUMBERS)
    scores = [1 * 2 + 0 * 0, 0 * 2 + 1 * 0, 1 * 2 + 1 * 0]
    total = sum(math.exp(score) for score in scores)
    weights = [math.exp(score) / total for score in scores]
    context = [weights[0] + weights[2], weights[1] + weights[2]]
    for block, values in zip(BLOCKS, (scores, weights, context), strict=True):
        for at, value in enumerate(values, start=1):
            assert answers[f"{block} {at}"] == pytest.approx(value)
    assert list(answers) == list(FIRST.lines)


@pytest.mark.parametrize("text", ["0.936", "0.937", "0,936", "0.94", "0.9366", "0.93662", " 0.937 "])
def test_rounded_work_is_right_for_the_first_component_of_exercise_1(text):
    assert verdict("context 1", text) == (RIGHT, None, None)


@pytest.mark.parametrize(
    ("line", "text"), [("scores 1", "2"), ("scores 2", "0/7"), ("weights 2", "0.06"), ("weights 1", "0,47")]
)
def test_decimal_commas_fractions_and_rounded_numbers_are_right(line, text):
    assert verdict(line, text).status == RIGHT


@pytest.mark.parametrize("decimals", [2, 3, 6])
def test_every_fresh_exercise_is_solved_by_its_answers_as_rounded_as_they_may_be(decimals):
    for seed in range(FRESH):
        numbers = numbers_of(fresh(HAND, seed))
        verdicts = check_hand(numbers, written(hand_answers(numbers), decimals))
        assert {one.status for one in verdicts.values()} == {RIGHT}


def test_work_carried_on_from_rounded_weights_is_right():
    states = np.array(((9.0, 9.0), (9.0, 9.0), (9.0, 0.0)))
    exercise = HandExercise(tuple(map(tuple, states.tolist())), (0.25, 0.25))
    numbers = numbers_of(exercise)
    rounded = np.round(numbers.weights, 2)
    carried = rounded @ states
    assert np.abs(carried - numbers.context).max() > 0.02  # too far off by itself
    texts = {f"weights {at + 1}": f"{value:.2f}" for at, value in enumerate(rounded)}
    texts |= {f"context {at + 1}": f"{value:.2f}" for at, value in enumerate(carried)}
    verdicts = check_hand(numbers, texts)
    assert {verdicts[line].status for line in texts} == {RIGHT}


@pytest.mark.parametrize(
    ("text", "status"), [("", EMPTY), ("  ", EMPTY), ("abc", UNREAD), ("1/0", UNREAD), ("½ e", UNREAD)]
)
def test_letters_and_empty_lines_get_a_sentence_and_the_other_lines_their_verdicts(text, status):
    verdicts = check_hand(NUMBERS, {"scores 1": text, "scores 2": "0"})
    assert verdicts["scores 1"].status == status
    assert verdicts["scores 1"].unreadable
    assert verdicts["scores 2"].status == RIGHT


def hand_mistakes():
    return [(block, name) for block in BLOCKS for name in HAND_MISTAKES[block]]


@pytest.mark.parametrize(("block", "name"), hand_mistakes())
def test_a_usual_mistake_is_never_right_and_is_recognised_by_its_name(block, name):
    recognised = 0
    for seed in range(FRESH):
        numbers = numbers_of(fresh(HAND, seed))
        outcome = HAND_MISTAKES[block][name](numbers)
        if outcome is None:
            continue
        texts = {f"{block} {at + 1}": f"{value:.4f}" for at, value in enumerate(outcome)}
        verdicts = [check_hand(numbers, texts)[line] for line in texts]
        assert any(one.status == WRONG for one in verdicts), "the mistake passes as right"
        recognised += any(one.mistake == name for one in verdicts)
    assert recognised >= FRESH / 4


@pytest.mark.parametrize(
    ("line", "text", "mistake"),
    [
        ("scores 1", "1", "h with itself"),
        ("scores 1", "-2", "sign"),
        ("scores 2", "1", "h with itself"),
        ("weights 1", "7.39", "not divided"),
        ("weights 1", "0.38", "softmax of weights"),
        ("weights 2", "0.25", "softmax of weights"),
        ("weights 1", "0.5", ROUNDED),
        ("weights 2", "0.135", "largest taken, not divided"),
        ("weights 1", "0.333", "all alike"),
        ("weights 2", "0.11", "base 2"),
        ("weights 2", "0.468", ANOTHER_LINE),
        ("weights 1", "0.063", ANOTHER_LINE),
        ("context 1", "2", "without weights"),
        ("context 1", "0.67", "mean"),
        ("context 1", "4", "scores for weights"),
        ("context 2", "8.389", "exponentials for weights"),
        ("context 2", "0", "largest only"),
        ("context 1", "0.468", "not added"),
        ("context 2", "0.9366", ANOTHER_LINE),
        ("context 1", "0.9", ROUNDED),
        ("context 1", "17", None),
    ],
)
def test_the_typical_wrong_answers_of_exercise_1_are_told_what_they_look_like(line, text, mistake):
    assert verdict(line, text) == (WRONG, mistake, None)


def test_the_query_in_the_place_of_the_context_is_recognised():
    verdicts = check_hand(NUMBERS, {"context 1": "2", "context 2": "0"})
    assert {verdicts[f"context {at}"].mistake for at in (1, 2)} == {"query for states"}


def test_weights_in_the_wrong_order_are_recognised_in_the_context():
    exercise = HandExercise(((1, 0), (0, 2), (2, 1)), (1, 1))
    numbers = numbers_of(exercise)
    order = numbers.weights[[1, 2, 0]]
    text = f"{float(order @ numbers.encoder_states[:, 0]):.3f}"
    assert check_hand(numbers, {"context 1": text})["context 1"].mistake == WEIGHT_ORDER


def test_the_mistake_of_most_lines_is_named_in_all_of_them():
    # 1 alone could be e⁰; beside two others it is the score that was put in the place of the weight.
    numbers = numbers_of(HandExercise(((0, 1), (1, 1), (2, 1)), (1, 0)))
    texts = {"weights 1": "1", "weights 2": "2.718", "weights 3": "7.389"}
    assert {one.mistake for line, one in check_hand(numbers, texts).items() if line in texts} == {"not divided"}
    assert check_hand(numbers, {"weights 2": "1"})["weights 2"].mistake == "scores for weights"


def test_what_follows_from_a_wrong_line_above_is_not_right_and_said_to_follow():
    scores = np.array([1.0, 1.0, 2.0])  # h · h in the place of h · s
    weights = np.exp(scores) / np.exp(scores).sum()
    texts = {f"scores {at + 1}": f"{value:g}" for at, value in enumerate(scores)}
    texts |= {f"weights {at + 1}": f"{value:.3f}" for at, value in enumerate(weights)}
    verdicts = check_hand(NUMBERS, texts)
    assert {verdicts[f"weights {at}"] for at in (1, 2, 3)} == {(WRONG, CARRIED, None)}


def test_with_the_large_scores_of_a_file_nothing_looks_like_an_exponential_without_end():
    exercise = HandExercise(((4096.0, 4096.0), (4096.0, 0.0)), (4096.0, 4096.0))
    found = check_hand(
        numbers_of(exercise), {"weights 1": "1", "weights 2": "0.3", "context 1": "5", "context 2": "4096"}
    )
    assert [found[line] for line in ("weights 1", "context 2")] == [(RIGHT, None, None)] * 2
    assert [found[line] for line in ("weights 2", "context 1")] == [(WRONG, None, None)] * 2


def test_the_trace_of_another_exercise_is_refused():
    with pytest.raises(TraceError, match="another exercise"):
        hand_numbers(HandExercise(((1, 0), (0, 1), (1, 2)), (2, 0)), attend_by_hand(FIRST.given()))


@given(SEEDS)
def test_fresh_numbers_are_pleasant(seed):
    exercise = fresh(HAND, seed)
    states, query = np.array(exercise.encoder_states), np.array(exercise.query)
    scores = states @ query
    assert {*states.ravel(), *query} <= {-1.0, 0.0, 1.0, 2.0}
    assert (states < 0).sum() <= 1
    assert 1 <= scores.max() - scores.min() <= 3
    assert {*scores, *(scores - scores.max())} <= {*POWERS}
    assert len({tuple(row) for row in states.tolist()}) == len(states)
    weights = np.exp(scores) / np.exp(scores).sum()
    assert weights.min() > 0.012  # two decimals do not make it 0.01 or less


@given(SEEDS)
def test_a_fresh_exercise_has_exactly_one_right_answer(seed):
    numbers = numbers_of(fresh(HAND, seed))
    answers = hand_answers(numbers)
    for line, value in answers.items():
        block, at = line.split()
        verdicts = [
            check_hand(numbers, {line: f"{value + shift:.4f}"})[line].status for shift in (0, 0.02, -0.02, 1, -1)
        ]
        assert verdicts == [RIGHT, WRONG, WRONG, WRONG, WRONG]
        assert value == pytest.approx(getattr(numbers, block)[int(at) - 1])
    # Its numbers are those of the softmax and the blend, worked out once more.
    weights = np.exp(numbers.scores) / np.exp(numbers.scores).sum()
    assert np.allclose(numbers.weights, weights)
    assert np.allclose(numbers.context, weights @ numbers.encoder_states)


@pytest.mark.parametrize("kind", KINDS)
def test_fresh_numbers_differ_from_those_before_and_vary(kind):
    exercise, seen = first_exercise(kind), set()
    random = Random(3)
    for _ in range(20):
        another = fresh_exercise(kind, random, exercise)
        assert another != exercise
        exercise = another
        seen.add(another)
    assert len(seen) > 10


def test_the_cost_of_20_and_25_is_500_scores_and_vectors_of_20():
    exercise = first_exercise(COST)
    assert check_cost(exercise, {"scores": "500", "vector": "20"}) == dict.fromkeys(exercise.lines, (RIGHT, None, None))


@given(SEEDS)
def test_fresh_costs_are_solved_by_counting_pairs(seed):
    exercise = fresh(COST, seed)
    assert exercise.source != exercise.target
    pairs = list(itertools.product(range(exercise.source), range(exercise.target)))
    assert cost_answers(exercise) == {"scores": len(pairs), "vector": len({i for i, _ in pairs})}
    texts = {line: str(answer) for line, answer in cost_answers(exercise).items()}
    assert {one.status for one in check_cost(exercise, texts).values()} == {RIGHT}


@pytest.mark.parametrize(
    ("line", "text", "mistake"),
    [
        ("scores", "45", "added"),
        ("scores", "20", "one step"),
        ("scores", "25", "one word"),
        ("scores", "400", "within the source"),
        ("scores", "625", "within the target"),
        ("scores", "501", None),
        ("vector", "25", "target for source"),
        ("vector", "500", "all scores"),
        ("vector", "45", "lengths added"),
        ("vector", "1", "one number"),
    ],
)
def test_typical_wrong_costs_are_told_what_they_look_like(line, text, mistake):
    assert check_cost(CostExercise(20, 25), {line: text})[line] == (WRONG, mistake, None)
    assert mistake is None or prose("practice")[f"mistake cost: {mistake}"]


@pytest.mark.parametrize("text", ["", "many", "500.5", "-500"])
def test_a_cost_that_is_no_whole_number_gets_a_sentence(text):
    found = check_cost(CostExercise(20, 25), {"scores": text})["scores"]
    assert found.status in (UNREAD, EMPTY)
    assert "whole number" in found.unreadable


def test_512_and_256_fit_multiplicative_and_additive():
    exercise = first_exercise(FIT)
    assert fit_answers(exercise) == {
        USABLE: ("multiplicative", "additive"),
        "score_weight": (512, 256),
        "key_weight": (128, 512),
        "query_weight": (128, 256),
        "score_vector": (128,),
    }


@given(SEEDS)
def test_fresh_shapes_are_those_that_numpy_can_multiply(seed):
    exercise = fresh(FIT, seed)
    answers = fit_answers(exercise)
    h, s = np.ones(exercise.d_h), np.ones(exercise.d_s)
    weight, key, query, vector = (np.ones(answers[line]) for line in FIT_SHAPES)
    assert (h @ weight @ s).shape == ()
    assert (vector @ np.tanh(key @ h + query @ s)).shape == ()
    assert ("dot" in answers[USABLE]) == (h.shape == s.shape)
    texts = {line: " × ".join(map(str, answers[line])) for line in FIT_SHAPES} | {USABLE: " ".join(answers[USABLE])}
    assert {one.status for one in check_fit(exercise, texts).values()} == {RIGHT}


def test_now_and_then_dot_fits():
    sizes = {fresh(FIT, seed).d_h == fresh(FIT, seed).d_s for seed in range(FRESH)}
    assert sizes == {True, False}


@pytest.mark.parametrize(
    ("line", "text", "mistake"),
    [
        (USABLE, "dot multiplicative additive", "dot of different sizes"),
        (USABLE, "dot", "dot of different sizes"),
        (USABLE, "additive", "one left out"),
        ("score_weight", "256 × 512", "turned"),
        ("score_weight", "512 × 512", "square"),
        ("score_weight", "256 × 256", "square of s"),
        ("key_weight", "512 × 128", "turned"),
        ("key_weight", "128 × 256", "of the query"),
        ("key_weight", "512 × 256", "without k"),
        ("query_weight", "256 × 128", "turned"),
        ("query_weight", "128 × 512", "of the state"),
        ("score_vector", "512", "size of h"),
        ("score_vector", "256", "size of s"),
        ("score_vector", "768", "both sizes"),
        ("score_vector", "3", None),
    ],
)
def test_typical_wrong_shapes_are_told_what_they_look_like(line, text, mistake):
    assert check_fit(FitExercise(512, 256, 128), {line: text})[line] == (WRONG, mistake, None)
    assert mistake is None or prose("practice")[f"mistake fit: {mistake}"]


def test_with_equal_sizes_dot_must_not_be_left_out():
    found = check_fit(FitExercise(64, 64, 32), {USABLE: "additive multiplicative"})
    assert found[USABLE].mistake == "dot left out"
    assert check_fit(FitExercise(64, 64, 32), {USABLE: "additive dot multiplicative"})[USABLE].status == RIGHT


def test_every_mistake_has_its_sentence():
    words = prose("practice")
    for block, mistakes in HAND_MISTAKES.items():
        for name in mistakes:
            assert words[f"mistake {block}: {name}"]
    for name in (CARRIED, ROUNDED, ANOTHER_LINE):
        assert words[f"mistake {name}"]
    assert words[f"mistake {CONTEXT}: {WEIGHT_ORDER}"]
