"""The Practice page: what is typed stays, each line gets its verdict, help comes bit by bit, marks are revealed."""

import json
from random import Random

import pytest
from streamlit.testing.v1 import AppTest

from app.exercises import COST, FIT, HAND, CostExercise, cost_answers, hand_answers, hand_numbers
from app.inputs import Example
from app.progress import SOLUTION, WORD_HIDDEN, Progress, Work
from attention_model.by_hand import attend_by_hand
from tests.apptest import click, run
from tests.toy import running_example, sized_trace

EXAMPLES = (Example("running", "A first look", "I like cats a lot.", "why"),)
RUNNING = running_example()
TRANSLATED = sized_trace(source=5, target=7)


def page(attend, decode, examples):
    from app.views import practice

    practice.render(attend, decode, examples)


def other_page(attend, decode, examples):
    """Two pages in one script, as the navigation has them."""
    import streamlit as st

    from app.views import practice

    if st.checkbox("Elsewhere", key="elsewhere"):
        st.markdown("Another page")
    else:
        practice.render(attend, decode, examples)


def running(request):
    return (RUNNING,)


def opened(decode=running, script=page, **link):
    arguments = {"attend": attend_by_hand, "decode": decode, "examples": EXAMPLES}
    at = AppTest.from_function(script, kwargs=arguments, default_timeout=60)
    for name, value in link.items():
        at.query_params[name] = value
    return run(at)


def line(at, name, kind=HAND):
    key = f"practice_{kind}_{name}".replace(" ", "_")
    return next(box for box in at.text_input if box.key.startswith(f"{key}_"))


def type_in(at, kind=HAND, **texts):
    for name, text in texts.items():
        line(at, name, kind).set_value(text)
    return run(at)


def check(at, kind=HAND):
    return click(at, f"practice_check_{kind}")


def said(at):
    text = "\n".join(one.value for kind in (at.markdown, at.html, at.success, at.caption, at.warning) for one in kind)
    return text.replace("\\", "")


def marks(at):
    """The marks under the lines, in their order."""
    return [one.value.split('"')[1].split()[1] for one in at.html if one.value.startswith('<p class="verdict')]


RIGHT_WORK = {
    "scores_1": "2",
    "scores_2": "0",
    "scores_3": "2",
    "weights_1": "0,468",
    "weights_2": "0.063",
    "weights_3": "0.47",
    "context_1": "0.936",
    "context_2": "0.53",
}


def test_the_first_paint_gives_exercise_1_and_judges_nothing():
    at = opened()
    assert "<b>h₁</b> = (1, 0)" in said(at)
    assert "<b>s</b> = (2, 0)" in said(at)
    assert set(marks(at)) == {"unchecked"}
    assert len(marks(at)) == 8


def test_right_work_is_right_and_counts_once():
    at = check(type_in(opened(), **RIGHT_WORK))
    assert set(marks(at)) == {"right"}
    assert "Everything is right." in said(at)
    assert "Solved without the worked solution: 1." in said(at)
    assert "Solved without the worked solution: 1." in said(check(at))


def test_each_line_has_its_own_verdict_and_its_own_sentence():
    at = check(type_in(opened(), scores_1="2", scores_2="1", weights_1="7.39", context_1="0,937", context_2="abc"))
    assert marks(at) == ["right", "wrong", "empty", "wrong", "empty", "empty", "right", "unread"]
    assert "**score of h₂**: It looks like h · h" in said(at)
    assert "**weight of h₁**: It looks like e to the power of the score" in said(at)
    assert "**score of h₃**: Nothing is typed here yet" in said(at)
    assert "**component 2**: “abc” is not a number" in said(at)
    assert line(at, "context_2").value == "abc"


def test_a_line_that_was_changed_after_the_check_is_not_judged():
    at = check(type_in(opened(), scores_1="3", scores_2="1"))
    at = type_in(at, scores_1="2")
    assert marks(at)[:2] == ["unchecked", "wrong"]


def test_text_that_looks_like_code_is_shown_as_it_is():
    at = check(type_in(opened(), scores_1="<b>*2*</b>"))
    assert "“<b>*2*</b>” is not a number" in said(at)
    assert not any("<b>*2*</b>" in one.value for one in at.html)


def test_first_a_hint_then_the_worked_solution():
    at = check(type_in(opened(), **{**RIGHT_WORK, "weights_1": "1"}))
    assert "divide each by the sum" not in said(at)
    at = click(at, f"practice_help_{HAND}")
    assert "divide each by the sum" in said(at)
    assert "Take the components in pairs" not in said(at)  # the scores are right already
    assert '<div class="worked">' not in said(at)
    at = click(at, f"practice_help_{HAND}")
    assert "<b><span" in said(at)
    assert said(at).count('<div class="worked">') == 3
    assert at.button(key=f"practice_help_{HAND}").disabled
    at = check(type_in(at, weights_1="0.468"))
    assert "Everything is right." in said(at)
    assert "Solved without" not in said(at)


def test_fresh_numbers_are_another_exercise_that_its_answers_solve():
    at = click(check(type_in(opened(), scores_1="2")), f"practice_fresh_{HAND}")
    exercise = at.session_state["progress"].works[HAND].exercise
    assert "<b>h₁</b> = (1, 0)</span><span><b>h₂</b> = (0, 1)</span><span><b>h₃</b> = (1, 1)" not in said(at)
    assert {box.value for box in at.text_input} == {""}
    answers = hand_answers(hand_numbers(exercise, attend_by_hand(exercise.given())))
    at = check(type_in(at, **{name.replace(" ", "_"): f"{value:.2f}" for name, value in answers.items()}))
    assert set(marks(at)) == {"right"}


def test_cost_and_fit_are_solved_and_explained():
    at = opened(exercise=COST)
    at = check(type_in(at, COST, scores="45", vector="20"), COST)
    assert marks(at) == ["wrong", "right"]
    assert "It looks like n + m" in said(at)
    at = check(type_in(at, COST, scores="500"), COST)
    assert "Everything is right." in said(at)
    at.segmented_control(key="exercise").set_value(FIT)
    run(at)
    at.pills[0].set_value(["multiplicative", "additive"])
    shapes = {"score_weight": "512x256", "key_weight": "128, 512", "query_weight": "128 × 256", "score_vector": "128"}
    at = check(type_in(at, FIT, **shapes), FIT)
    assert set(marks(at)) == {"right"}
    at = click(click(at, f"practice_help_{FIT}"), f"practice_help_{FIT}")
    assert "W is d_h × d_s = **512 × 256**" in said(at)


def test_a_wrong_choice_of_scorings_is_explained():
    at = opened(exercise=FIT)
    at.pills[0].set_value(["dot"])
    at = check(run(at), FIT)
    assert "some would have no partner" in said(at)
    at.pills[0].set_value([])
    at = check(run(at), FIT)
    assert "Choose every scoring that can be used" in said(at)


def test_what_is_typed_survives_other_exercises_and_other_pages():
    at = type_in(opened(script=other_page), scores_1="1/3", context_2="abc")
    at.segmented_control(key="exercise").set_value(COST)
    at = type_in(run(at), COST, scores="12x")
    at.checkbox(key="elsewhere").set_value(True)
    assert "Another page" in said(run(at))
    at.checkbox(key="elsewhere").set_value(False)
    at = run(at)
    at.segmented_control(key="exercise").set_value(COST)
    assert line(run(at), "scores", COST).value == "12x"
    at.segmented_control(key="exercise").set_value(HAND)
    at = run(at)
    assert (line(at, "scores_1").value, line(at, "context_2").value) == ("1/3", "abc")


def open_file(at, content, name="mine.json"):
    at.file_uploader(key="progress_file").set_value((name, content, "application/json"))
    return run(at)


def test_saved_progress_opens_and_there_is_a_way_back():
    at = check(type_in(opened(), scores_1="7"))
    saved = at.session_state["progress"]
    at = type_in(at, scores_1="8")
    at = open_file(at, saved.to_json())
    assert line(at, "scores_1").value == "7"
    assert "is kept until you leave" in said(at)
    at = click(at, "progress_back")
    assert line(at, "scores_1").value == "8"


def test_what_was_typed_before_fresh_numbers_is_one_click_away_and_solved_once():
    at = opened(exercise=COST)
    for name, answer in cost_answers(at.session_state["progress"].works[COST].exercise).items():
        line(at, name, COST).set_value(str(answer))
        at = run(at)
    at = click(at, "practice_check_cost")
    assert at.session_state["progress"].solved[COST] == 1
    at = click(at, "practice_fresh_cost")
    line(at, "scores", COST).set_value("17")
    at = click(run(at), "practice_before_cost")
    assert line(at, "scores", COST).value == "500"
    assert "Everything is right." in said(at)
    assert at.session_state["progress"].solved[COST] == 1
    assert line(click(at, "practice_before_cost"), "scores", COST).value == "17"


def test_numbers_in_which_nothing_was_typed_are_not_kept():
    at = click(opened(exercise=FIT), "practice_fresh_fit")
    assert "practice_before_fit" not in {button.key for button in at.button}


def test_of_several_opened_files_and_the_work_before_them_nothing_is_lost():
    at = type_in(opened(), scores_1="mine")
    for text in ("first", "second"):
        at = open_file(at, Progress.beginning(Random(0)).to_json(), f"{text}.json")
        at = type_in(at, scores_1=text)
    shown = []
    for _ in range(4):
        shown.append(line(at, "scores_1").value)
        at = click(at, "progress_back")
    assert shown == ["second", "first", "mine", "second"]


def next_place(at):
    """Where the keyboard goes on."""
    found = next(one for one in at.get("bidi_component") if one.proto.component_name == "next_focus")
    return json.loads(found.proto.json)["place"]


def test_after_a_check_the_keyboard_goes_on_at_the_first_line_that_is_not_right():
    at = opened(exercise=COST)
    answers = cost_answers(at.session_state["progress"].works[COST].exercise)
    first, second = answers
    at = check(type_in(at, COST, **{first: str(answers[first])}), COST)
    assert next_place(at) == line(at, second, COST).key
    at = check(type_in(at, COST, **{second: str(answers[second])}), COST)
    assert next_place(at) == "practice_solved"


def test_the_keyboard_goes_on_at_what_is_revealed_and_then_at_the_next_step():
    at = click(opened(exercise="predict"), "predict_reveal")  # nothing is marked
    assert next_place(at) == "predict_said"
    assert next_place(click(at, "predict_next")) == "predict_asked"
    assert next_place(click(mark(at, 0), "predict_reveal")) == "predict_said"


@pytest.mark.parametrize(
    ("content", "said_of_it"),
    [(b"{}", "holds no progress"), (b"nonsense", "it is not JSON"), (b'{"kind": "practice", "format": 9}', "format 9")],
)
def test_a_bad_file_is_refused_and_everything_typed_stays(content, said_of_it):
    at = open_file(type_in(opened(), scores_1="7"), content)
    assert said_of_it in said(at)
    assert "mine.json was not opened" in said(at)
    assert line(at, "scores_1").value == "7"


def test_a_file_from_another_exercise_shows_its_numbers():
    progress = Progress.beginning(Random(0))
    exercise = CostExercise(source=7, target=9)
    progress = progress.with_work(COST, Work(exercise, {"scores": "63"}, {"scores": "63"}, SOLUTION))
    at = open_file(opened(exercise=COST), progress.to_json())
    assert "**7** source tokens" in said(at)
    assert "7 · 9 =" in said(at)
    assert marks(at)[0] == "right"


def marking(at):
    return next(one for one in at.pills if one.label in ("Source words", "Next words"))


def mark(at, *positions):
    marking(at).set_value(list(positions))
    return run(at)


def test_a_prediction_is_hidden_then_revealed_and_scored_by_overlap():
    at = opened(exercise="predict")
    assert "looks at" not in said(at)
    at = click(mark(at, 0), "predict_reveal")
    weight = float(RUNNING.weights[0, 0])
    assert f"**Overlap {weight:.2f}**" in said(at)
    assert "Σ min(p, q)" in said(at)
    assert "looks at" in said(at)
    assert f"1 prediction so far, with a mean overlap of {weight:.2f}." in said(at)
    assert marking(at).disabled
    at = click(at, "predict_hide")
    assert "Overlap" not in said(at)
    assert at.session_state["progress"].guesses[0].overlap == pytest.approx(weight)


def test_shares_can_be_written_and_nonsense_among_them_is_named():
    at = mark(opened(exercise="predict"), 3, 4)
    at.pills(key="predict_step").set_value(1)
    at = mark(run(at), 3, 4)
    boxes = [box for box in at.text_input if box.key.startswith("predict_share")]
    assert [box.value for box in boxes] == ["1", "1"]
    boxes[0].set_value("lots")
    at = click(run(at), "predict_reveal")
    assert "“lots” is not a number" in said(at)
    assert "**Overlap" not in said(at)
    next(box for box in at.text_input if box.value == "lots").set_value("3/2")
    at = click(run(at), "predict_reveal")
    row = RUNNING.weights[1]
    assert f"**Overlap {min(0.6, row[3]) + min(0.4, row[4]):.2f}**" in said(at)


def test_nothing_marked_is_said():
    at = click(opened(exercise="predict"), "predict_reveal")
    assert "Nothing is marked yet" in said(at)


def test_the_next_word_is_predicted_among_the_candidates():
    asked = []

    def decode(request):
        asked.append(request)
        return (TRANSLATED,)

    at = opened(decode, exercise="predict", predict_hidden=WORD_HIDDEN, predict_scorer="additive", sentence="A cat.")
    assert (asked[-1].sentence, asked[-1].scorer) == ("A cat.", "additive")
    best = TRANSLATED.candidates[0][0]
    names = sorted(one.token for one in TRANSLATED.candidates[0])
    assert [name.replace("\\", "") for name in marking(at).options] == ["the end" if n == "</s>" else n for n in names]
    at = click(mark(at, names.index(best.token)), "predict_reveal")
    assert f"**Overlap {best.probability:.2f}**" in said(at)
    assert at.pills(key="predict_step").options == [str(t + 1) for t in range(7)]


def test_marks_are_kept_for_each_step():
    at = mark(opened(exercise="predict"), 2)
    at = click(at, "predict_next")
    assert marking(at).value == []
    at.pills(key="predict_step").set_value(0)
    assert marking(run(at)).value == [2]
