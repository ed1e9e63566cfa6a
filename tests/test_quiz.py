"""Every question has one answer that is right, and where a number can be computed it is computed here once more."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.components.markdown import markdown_html
from app.lesson import stops
from app.quiz import (
    CELL,
    CHOICE,
    FOLDER,
    KINDS,
    NUMBER,
    all_questions,
    cell_answer,
    check_answer,
    is_right,
    options,
    read_topic,
    results,
    shuffled,
    topics,
)
from attention_model.errors import AnswerError, QuizError
from attention_model.preset import preset_trace
from attention_model.trace import END_TOKEN

QUESTIONS = all_questions()


def of_kind(kind):
    return [question for question in QUESTIONS.values() if question.kind == kind]


def soft(*scores):
    exponentials = np.exp(scores)
    return exponentials / exponentials.sum()


W, W1, W2, V = np.empty((4, 3)), np.empty((2, 4)), np.empty((2, 3)), np.empty(2)

NUMBERS = {
    "bottleneck-size": np.zeros(256).size,
    "long-paths-half": 0.5**3,
    "key-idea-contexts": len(np.zeros((9, 7)) @ np.zeros((7, 2))),
    "score-dot": np.array([1, 2, 0]) @ np.array([3, -1, 5]),
    "softmax-equal": soft(4, 4)[0],
    "softmax-three": soft(2, 0, 2)[1],
    "blend-component": (np.array([0.25, 0.75]) @ np.array([[4, 0], [0, 4]]))[1],
    "attention-output-size": np.concatenate([np.zeros(512), np.zeros(256)]).size,
    "prediction-count": soft(*np.zeros(5000)).size,
    "soft-alignment-sum": np.tile(soft(*range(6)), (5, 1)).sum(),
    "why-it-helps-scores": (np.zeros((15, 2)) @ np.zeros((2, 12))).size,
    "three-scorers-w": W.size,
    "three-scorers-additive": W1.size + W2.size + V.size,
    "beyond-translation-picture": np.zeros((14, 14)).size,
    "self-attention-cost": (np.zeros((30, 2)) @ np.zeros((2, 30))).size,
}


def test_there_are_enough_questions_of_every_kind_over_all_stops():
    assert len(QUESTIONS) >= 24
    assert {question.kind for question in QUESTIONS.values()} == set(KINDS)
    assert [topic.id for topic in topics()] == [stop.id for stop in stops()]
    assert [topic.title for topic in topics()] == [stop.title for stop in stops()]
    assert all(topic.questions for topic in topics())


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=lambda one: one.id)
def test_the_right_answer_is_right_and_every_other_is_not(question):
    assert check_answer(question, question.right_answer)
    if question.kind == CHOICE:
        assert not any(check_answer(question, wrong) for wrong in question.wrong)
    elif question.kind == NUMBER:
        assert not check_answer(question, str(question.number + 1))
        assert not check_answer(question, "0")
    else:
        every = [(t, i) for t in range(len(question.map.target_tokens)) for i in range(len(question.map.source_tokens))]
        assert {cell for cell in every if check_answer(question, cell_answer(*cell))} == set(question.cells)
    assert markdown_html(question.explanation)


def test_the_right_choice_is_the_longest_in_at_most_a_third():
    choices = of_kind(CHOICE)
    longest = [one.id for one in choices if len(one.right) >= max(map(len, one.wrong))]
    assert len(longest) <= len(choices) / 3
    shortest = [one.id for one in choices if len(one.right) <= min(map(len, one.wrong))]
    assert len(shortest) <= len(choices) / 3  # nor is the shortest one a good guess


@pytest.mark.parametrize("question", of_kind(NUMBER), ids=lambda one: one.id)
def test_each_number_is_the_one_that_is_computed(question):
    assert question.number == pytest.approx(NUMBERS[question.id], abs=5e-5)


def test_cells_are_those_of_the_largest_weights():
    trace = preset_trace("running-example")

    def largest(token, count=1):
        t = trace.target_tokens.index(token)
        return {(t, int(i)) for i in np.argsort(-trace.weights[t], kind="stable")[:count]}

    assert set(QUESTIONS["glance-cats"].cells) == largest("貓")
    assert set(QUESTIONS["soft-alignment-like"].cells) == largest("歡")
    assert set(QUESTIONS["soft-alignment-a-lot"].cells) == largest("很", 2)
    assert END_TOKEN not in trace.target_tokens
    jump = QUESTIONS["word-order-jump"]
    looked_at = np.argmax(jump.map.weights, axis=1)
    furthest = int(np.argmax(np.diff(looked_at))) + 1
    assert jump.cells == ((furthest, looked_at[furthest]),)
    assert {question.id for question in of_kind(CELL)} == {
        "glance-cats",
        "soft-alignment-like",
        "soft-alignment-a-lot",
        "word-order-jump",
    }


def test_a_map_that_is_to_be_imagined_shows_no_weights():
    assert QUESTIONS["glance-cats"].map.weights is None
    assert QUESTIONS["soft-alignment-like"].map.weights is not None


@given(st.integers(0, 10**6))
def test_shuffling_loses_nothing_and_is_decided_by_the_seed(seed):
    assert sorted(shuffled(QUESTIONS, seed)) == sorted(QUESTIONS)
    assert shuffled(QUESTIONS, seed) == shuffled(QUESTIONS, seed)
    for question in of_kind(CHOICE):
        assert sorted(options(question, seed)) == sorted([question.right, *question.wrong])


def test_the_right_choice_stands_in_every_place():
    places = {options(question, seed).index(question.right) for question in of_kind(CHOICE) for seed in range(9)}
    assert places == {0, 1, 2, 3}
    assert len({shuffled(QUESTIONS, seed)[0] for seed in range(99)}) > 20


@pytest.mark.parametrize(
    ("question", "answer", "said"),
    [
        ("softmax-shift", "", "Choose one of the answers"),
        ("softmax-shift", "something else", "Choose one of the answers"),
        ("softmax-equal", "", "Nothing is typed here yet"),
        ("softmax-equal", "half", "“half” is not a number"),
        ("bottleneck-size", "many", "“many” is not a number"),
        ("bottleneck-size", "1/0", "divides by 0"),
        ("glance-cats", "", "Choose one on the map"),
        ("glance-cats", "9,9", "Choose one on the map"),
        ("glance-cats", "-1,0", "Choose one on the map"),
    ],
)
def test_an_answer_that_cannot_be_read_is_said_and_is_not_right(question, answer, said):
    with pytest.raises(AnswerError) as mistake:
        check_answer(QUESTIONS[question], answer)
    assert said in str(mistake.value)
    assert not is_right(QUESTIONS[question], answer)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("softmax-equal", "1/2"),
        ("softmax-equal", "0,5"),
        ("softmax-three", "0.06"),
        ("softmax-three", "1/15.778"),
        ("prediction-count", "5,000"),
        ("prediction-count", "5 000"),
        ("long-paths-half", "1/8"),
        ("blend-component", "3.0"),
        ("blend-component", "12/4"),
        ("prediction-count", "10000/2"),
    ],
)
def test_numbers_are_read_as_in_the_exercises(question, answer):
    assert check_answer(QUESTIONS[question], answer)


@pytest.mark.parametrize("answer", ["-1", "0.5", "1.01", "1/2"])
def test_any_other_number_is_a_wrong_answer_to_a_question_for_a_whole_one(answer):
    assert not check_answer(QUESTIONS["score-dot"], answer)


def test_results_are_counted_by_topic():
    score, softmax = (next(one for one in topics() if one.id == name) for name in ("score", "softmax"))
    asked = [question.id for topic in (score, softmax) for question in topic.questions]
    answers = {"score-dot": "1", "softmax-equal": "0.5", "softmax-shift": "They all grow by 5 too"}
    assert results(asked, answers) == ((score, 1, 1, 2), (softmax, 1, 2, 3))
    assert results(["score-dot"], {}) == ((score, 0, 0, 1),)


QUESTION = """
[[questions]]
id = "one"
kind = "choice"
text = "?"
right = "a"
wrong = ["b", "c"]
explanation = "because"
"""
MAP = 'source = ["a", "b"]\ntarget = ["x"]\nweights = [[0.5, 0.5]]'
CELL_QUESTION = """
[[questions]]
id = "one"
kind = "cell"
text = "?"
cells = [["x", "a"]]
explanation = "because"
"""
OTHER_CELL = CELL_QUESTION.replace('["x", "a"]', '["x", "c"]')
NO_CELL = CELL_QUESTION.replace('[["x", "a"]]', "[]")


def topic_file(folder, content, name="score"):
    path = folder / f"{name}.toml"
    path.write_text(content, encoding="utf-8")
    return path


def test_a_file_of_questions_is_read(tmp_path):
    question = read_topic(topic_file(tmp_path, QUESTION)).questions[0]
    assert (question.id, question.topic, question.right, question.wrong) == ("one", "score", "a", ("b", "c"))
    drawn = read_topic(topic_file(tmp_path, f"{CELL_QUESTION}[questions.map]\n{MAP}")).questions[0]
    assert drawn.map.weights == ((0.5, 0.5),)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[[", "cannot be read"),
        ("", "'questions' is missing"),
        (QUESTION.replace('right = "a"\n', ""), "'right' is missing"),
        (QUESTION.replace('"because"', '" "'), "text is wanted"),
        (QUESTION.replace('["b", "c"]', '["b"]'), "at least two wrong answers"),
        (QUESTION.replace('["b", "c"]', '["a", "c"]'), "all different"),
        (QUESTION.replace('"choice"', '"essay"'), "one of choice, number, cell is wanted"),
        (f"{QUESTION}hint = 1", "unknown part 'hint'"),
        (QUESTION.replace('"choice"', '"number"').replace('right = "a"', 'number = "a"'), "the number of one is 'a'"),
        (CELL_QUESTION.replace("text", 'map = "dogs"\ntext'), "There is no ready calculation 'dogs'"),
        (f"{CELL_QUESTION}[questions.map]\n{MAP.replace('0.5]', '0.6]')}", "each row sums to 1"),
        (f"{CELL_QUESTION}[questions.map]\n{MAP.replace('0.5, 0.5', '1.0')}", "one row of weights a target token"),
        (f"{OTHER_CELL}[questions.map]\n{MAP}", "the cell x, c"),
        (f"{NO_CELL}[questions.map]\n{MAP}", "no right cell"),
    ],
)
def test_a_damaged_file_is_refused_with_its_name_and_the_reason(tmp_path, content, said):
    with pytest.raises(QuizError) as mistake:
        read_topic(topic_file(tmp_path, content))
    assert "score.toml" in str(mistake.value)
    assert said in str(mistake.value)


def test_a_file_that_belongs_to_no_stop_and_a_name_used_twice_are_refused(tmp_path):
    topic_file(tmp_path, QUESTION)
    topic_file(tmp_path, QUESTION, "softmax")
    with pytest.raises(QuizError, match="Two questions are called 'one'"):
        topics(tmp_path)
    topic_file(tmp_path, QUESTION, "dogs")
    with pytest.raises(QuizError, match=r"dogs.toml belong to no stop"):
        topics(tmp_path)


def test_every_file_of_the_folder_is_asked():
    assert {path.stem for path in FOLDER.iterdir()} == {topic.id for topic in topics()}
