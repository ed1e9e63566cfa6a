"""The Quiz page: one question after another, an explanation for each answer, and the results by topic at the end.

The questions are data, and `quiz` checks the answers; nothing is computed here.
"""

import functools
from collections.abc import Callable
from random import Random

import streamlit as st

from app.components.cell_map import cell_map, chosen_cell
from app.components.markdown import line_html, markdown_html
from app.components.next_focus import go_on, next_focus
from app.components.scheme import colour_scheme
from app.components.text import plain, prose
from app.components.verdicts import STYLE, answered_html, results_table
from app.guard import guarded, show_mistake
from app.inputs import quoted
from app.practising import back_to_round, begin_round, box_key, files, keep, progress, rounds_before, text_box
from app.progress import QuizWork, new_round
from app.quiz import (
    CELL,
    CHOICE,
    Question,
    Topic,
    all_questions,
    cell_answer,
    check_answer,
    is_right,
    options,
    read_cell,
    results,
    topics,
)
from attention_model.errors import AnswerError

TITLE = "Quiz"
ICON = ":material/quiz:"

SHORT_ROUND = 10

ASKED, SAID = "quiz_asked", "quiz_said"
"""The places of what is asked, and of what is said of an answer."""

OpenStop = Callable[[str, str], None]
"""Draws a link to a stop of the lesson: its label, and the stop's id."""


@guarded
def render(open_stop: OpenStop) -> None:
    """Draw the page. open_stop: draws a link to a stop of the lesson."""
    st.html(STYLE)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="quiz_head"):
        st.title("Quiz", anchor=False, width="content")
        st.caption(prose("quiz")["tagline"])
        rounds = st.container(width="content")
        menu = st.container(width="content")
    _take_topic()
    quiz = progress().quiz
    if quiz.place < len(quiz.asked):
        _question(quiz, all_questions()[quiz.asked[quiz.place]], open_stop)
    else:
        _results(quiz, open_stop)
    with rounds:
        _rounds()
    with menu:
        files()
    next_focus(SAID if st.session_state.get("quiz_was_checked") else ASKED)


def _take_topic() -> None:
    """Begin the round of the topic that the page's link names, when it is a new one."""
    asked = st.query_params.get("topic")
    if asked is None or asked == st.session_state.get("quiz_link"):
        return
    topic = next((one for one in topics() if one.id == asked), None)
    if topic is None:
        st.info(prose("quiz")["no such topic"].format(topic=quoted(asked)), icon=":material/link_off:")
        return
    st.session_state["quiz_link"] = asked
    begin_round(new_round([question.id for question in topic.questions], Random()))


def _rounds() -> None:
    """The menu of rounds that can be begun."""
    with st.popover("Choose a round", icon=":material/shuffle:"):
        ids = tuple(all_questions())
        st.button(f"All {len(ids)} questions", key="quiz_all", on_click=_begin, args=(ids,))
        st.button(f"{SHORT_ROUND} questions", key="quiz_short", on_click=_begin, args=(ids, SHORT_ROUND))
        by_topic = {topic.id: topic for topic in topics()}
        chosen = st.selectbox(
            "One topic", list(by_topic), format_func=lambda one: by_topic[one].title, key="quiz_topic", index=0
        )
        st.button("Begin with this topic", key="quiz_one_topic", on_click=_begin_topic, args=(by_topic[chosen],))
        if rounds_before():
            st.button("Back to the round before", key="quiz_round_before", on_click=_take_before)


@guarded
def _begin(asked: tuple[str, ...], most: int | None = None) -> None:
    _forget_topic()
    begin_round(new_round(asked, Random(), most))


@guarded
def _begin_topic(topic: Topic) -> None:
    st.query_params["topic"] = st.session_state["quiz_link"] = topic.id
    begin_round(new_round([question.id for question in topic.questions], Random()))


@guarded
def _take_before() -> None:
    _forget_topic()
    back_to_round()


def _forget_topic() -> None:
    """The link names no topic any more."""
    st.query_params.pop("topic", None)
    st.session_state["quiz_link"] = None


def _question(quiz: QuizWork, question: Question, open_stop: OpenStop) -> None:
    """One question, and what became of it."""
    given = quiz.answers.get(question.id)
    st.progress((quiz.place + 1) / len(quiz.asked), f"Question {quiz.place + 1} of {len(quiz.asked)}")
    with st.container(key=ASKED):
        st.html(f'<h2 class="question">{line_html(question.text)}</h2>')
    if question.kind == CELL:  # what belongs to the map stands beside it where there is room
        with st.container(horizontal=True, gap="small", key="quiz_cell"):
            with st.container(width="content", gap=None, key="quiz_map"):
                _cell(quiz, question, given)
            with st.container(key="quiz_map_answer"):
                _answering(quiz, question, given, open_stop)
        return
    if question.kind == CHOICE:
        _choice(quiz, question, given)
    else:
        _number(quiz, question, given)
    _answering(quiz, question, given, open_stop)


def _answering(quiz: QuizWork, question: Question, given: str | None, open_stop: OpenStop) -> None:
    """What is wrong with an answer or what it was worth, the ways on, and how the round goes."""
    mistake = st.session_state.get("quiz_mistake")
    if mistake is not None and mistake[0] == question.id and given is None:
        with st.container(key=SAID):
            show_mistake(mistake[1])
    if given is not None:
        with st.container(key=SAID):
            _explanation(question, given)
    elif question.kind == CELL:
        with st.container(key="quiz_how"):
            st.caption(prose("quiz")["cell"])
    _buttons(quiz, question, is_answered=given is not None, open_stop=open_stop)
    if quiz.answers:
        right = sum(is_right(all_questions()[one], answer) for one, answer in quiz.answers.items())
        with st.container(key="quiz_so_far"):
            st.caption(f"{right} of {len(quiz.answers)} answers right so far.")


def _choice(quiz: QuizWork, question: Question, given: str | None) -> None:
    shown = options(question, quiz.seed)
    if given is not None:
        st.html(answered_html(shown, question.right, given))
        return
    key, draft = box_key(f"quiz_{question.id}"), quiz.drafts.get(question.id)
    st.session_state.setdefault(key, draft if draft in shown else None)
    st.radio(
        "Answers",
        shown,
        key=key,
        label_visibility="collapsed",
        on_change=guarded(lambda: _keep_draft(question.id, st.session_state[key])),
        index=None,
    )


def _number(quiz: QuizWork, question: Question, given: str | None) -> None:
    if given is None:
        take = functools.partial(_keep_draft, question.id)
        text_box("Your number", box_key(f"quiz_{question.id}"), quiz.drafts.get(question.id, ""), take)
        if isinstance(question.number, float):
            st.caption(prose("quiz")["short"])
    else:
        st.markdown(f"Your number: **{plain(given)}**")


def _cell(quiz: QuizWork, question: Question, given: str | None) -> None:
    key = box_key(f"quiz_{question.id}")
    answer = quiz.drafts.get(question.id, "") if given is None else given
    cell_map(
        question.map.source_tokens,
        question.map.target_tokens,
        question.map.weights,
        key=key,
        scheme=colour_scheme("quiz_scheme"),
        chosen=_cell_of(question, answer),
        right=question.cells if given is not None else (),
        locked=given is not None,
        on_change=guarded(lambda: _take_cell(question)),
    )


def _take_cell(question: Question) -> None:
    """Keep the cell that was clicked on last, if there was one."""
    cell = chosen_cell(box_key(f"quiz_{question.id}"))
    if cell is not None:
        _keep_draft(question.id, cell_answer(*cell))


def _cell_of(question: Question, answer: str) -> tuple[int, int] | None:
    """The cell that an answer names; None where it names none, as it may in a file."""
    try:
        return read_cell(question, answer)
    except AnswerError:
        return None


def _explanation(question: Question, given: str) -> None:
    words, right = prose("quiz"), is_right(question, given)
    said = words["right"] if right else words[f"wrong {question.kind}"].format(answer=question.right_answer)
    kind = "right" if right else "wrong"
    st.html(f'<div class="explained {kind}">{markdown_html(said)}{markdown_html(question.explanation)}</div>')


def _buttons(quiz: QuizWork, question: Question, *, is_answered: bool, open_stop: OpenStop) -> None:
    last = quiz.place + 1 == len(quiz.asked)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if not is_answered:
            st.button(
                "Check answer",
                key="quiz_check",
                icon=":material/check:",
                on_click=_check,
                args=(question,),
            )
        st.button(
            "To the results" if last else "Next question" if is_answered else "Later",
            key="quiz_next",
            icon=":material/arrow_forward:",
            on_click=_go,
            args=(quiz.place + 1,),
        )
        st.button(
            "Back",
            key="quiz_back",
            icon=":material/arrow_back:",
            disabled=quiz.place == 0,
            on_click=_go,
            args=(quiz.place - 1,),
        )
        if not last:
            st.button("Results", key="quiz_results", icon=":material/list:", on_click=_go, args=(len(quiz.asked),))
        if is_answered:
            open_stop("Read in the lesson", question.topic)


def _results(quiz: QuizWork, open_stop: OpenStop) -> None:
    """How each topic went, and the ways on."""
    words, found = prose("quiz"), results(quiz.asked, quiz.answers)
    with st.container(key=ASKED):
        st.header("Results by topic", anchor=False)
    if quiz.answers:
        right, answered = sum(one.right for one in found), sum(one.answered for one in found)
        st.markdown(
            words["results"].format(right=right, answered=answered, open=_left_open(len(quiz.asked) - answered))
        )
        st.html(results_table([(one.topic.title, one.right, one.answered, one.asked) for one in found]))
    else:
        st.info(words["nothing answered"], icon=":material/info:")
    missed = _missed(quiz)
    with st.container(horizontal=True, gap="small"):
        if missed and quiz.answers:
            st.button(
                "Ask again what was wrong or open",
                key="quiz_again",
                icon=":material/refresh:",
                on_click=_begin,
                args=(missed,),
            )
        st.button("Back to the questions", key="quiz_return", icon=":material/arrow_back:", on_click=_go, args=(0,))
    weak = [one.topic for one in found if one.right < one.answered]
    if weak:
        st.markdown("**Read again in the lesson**")
        with st.container(horizontal=True, gap="small"):
            for topic in weak:
                open_stop(topic.title, topic.id)


def _left_open(count: int) -> str:
    words = prose("quiz")
    if count == 0:
        return words["nothing left open"]
    return words["one left open"] if count == 1 else words["some left open"].format(count=count)


def _missed(quiz: QuizWork) -> tuple[str, ...]:
    """The questions that were not answered right, in their order."""
    questions = all_questions()
    return tuple(one for one in quiz.asked if not is_right(questions[one], quiz.answers.get(one, "")))


@guarded
def _check(question: Question) -> None:
    _go_on(was_checked=True)
    if question.kind == CELL:  # Streamlit tells of a quick click on a cell only after the one on the button
        _take_cell(question)
    quiz = progress().quiz
    answer = quiz.drafts.get(question.id, "")
    try:
        check_answer(question, answer)
    except AnswerError as mistake:
        st.session_state["quiz_mistake"] = (question.id, mistake)
        return
    keep(progress().with_quiz(answers={**quiz.answers, question.id: answer}))


def _keep_draft(question: str, answer: str) -> None:
    st.session_state["quiz_mistake"] = None
    keep(progress().with_quiz(drafts={**progress().quiz.drafts, question: answer}))


@guarded
def _go(place: int) -> None:
    _go_on(was_checked=False)
    keep(progress().with_quiz(place=place))


def _go_on(*, was_checked: bool) -> None:
    """The keyboard goes on at what is said of the answer, or at another question."""
    st.session_state["quiz_was_checked"] = was_checked
    go_on()
