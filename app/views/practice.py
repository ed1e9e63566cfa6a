"""The Practice page: exercises that are checked line by line, and predictions that are held against a trained model.

Its traces come from whoever calls it; what is right and which mistake a wrong line looks like is worked out in
`exercises`.
"""

import dataclasses
from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from app.components.choice import choice
from app.components.next_focus import next_focus
from app.components.text import prose
from app.components.verdicts import STYLE, exponentials_html, sentences_markdown, vectors_html, verdict_mark
from app.components.worked_lines import STYLE as WORKED_STYLE
from app.components.worked_lines import worked_parts
from app.exercises import (
    BLOCKS,
    CONTEXT,
    COST,
    FIT,
    HAND,
    KINDS,
    POWERS,
    RIGHT,
    SUBSCRIPTS,
    USABLE,
    WRONG,
    CostExercise,
    FitExercise,
    HandExercise,
    Verdict,
    check_cost,
    check_fit,
    check_hand,
    cost_answers,
    fit_answers,
    hand_numbers,
)
from app.guard import guarded
from app.inputs import Example, Request
from app.notation import NOTATIONS, OURS
from app.practising import (
    box_key,
    check,
    files,
    fresh_numbers,
    keep,
    keep_line,
    more_help,
    numbers_before,
    progress,
    text_box,
    works_before,
)
from app.progress import HINT, SOLUTION, Work
from app.views.prediction import prediction
from attention_model.arithmetic import step_arithmetic
from attention_model.given import GIVEN_SCORERS, GivenStates
from attention_model.trace import DecodingTrace

TITLE = "Practice"
ICON = ":material/edit_note:"

PREDICTION = "predict"
EXERCISES = (*KINDS, PREDICTION)

EXERCISE_HELP = "What to practise. Whatever you type stays where it is while you look at another exercise."

Attend = Callable[[GivenStates], DecodingTrace]


@guarded
def render(attend: Attend, decode: Callable[[Request], tuple[DecodingTrace, ...]], examples: Sequence[Example]) -> None:
    """Draw the page.

    attend: computes a calculation by hand. decode: gives a request's traces, the best first. Both raise
    AttentionModelError for what cannot be had.
    """
    st.html(STYLE)
    st.html(WORKED_STYLE)
    words = prose("practice")
    with st.container(gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="practice_head"):
            st.title("Practice", anchor=False, width="content")
            st.caption(words["tagline"])
            menu = st.container(width="content")
        with st.container(key="exercise_choice"):
            kind = choice("Exercise", EXERCISES, "exercise", EXERCISE_HELP)
    st.header(words[kind], anchor=False)
    if kind == HAND:
        _by_hand(attend)
    elif kind == COST:
        _cost()
    elif kind == FIT:
        _fit()
    else:
        prediction(decode, examples)
    with menu:
        files()


@guarded
def _by_hand(attend: Attend) -> None:
    words, work = prose("practice"), progress().works[HAND]
    exercise: HandExercise = work.exercise
    given = exercise.given()
    trace = attend(given)
    verdicts = _verdicts(HAND, work, check_hand(hand_numbers(exercise, trace), work.checked))
    st.markdown(words["task by hand"])
    vectors = dict(zip(given.source_tokens, exercise.encoder_states, strict=True)) | {"s": exercise.query}
    st.html(vectors_html(vectors))
    left, right = st.columns((3, 2), gap="large")
    with left:
        for block in BLOCKS:
            labels = _hand_labels(exercise, block)
            st.markdown(f"**{words[block]}**")
            _boxes(HAND, work, labels, verdicts)
            _sentences(labels, verdicts, dict.fromkeys(labels, block))
        _buttons(HAND, work, verdicts)
    with right:
        st.html(exponentials_html(POWERS))
        if work.help >= HINT:
            _hints({block: f"hint {block}" for block in BLOCKS if _is_open(exercise.block_lines(block), verdicts)})
        if work.help == SOLUTION:
            arithmetic = step_arithmetic(given, trace, 0)
            for part in worked_parts(arithmetic, NOTATIONS[OURS], given.source_tokens, 0):
                st.markdown(f"**{part.title}**")
                st.html(f'<div class="worked">{part.body}</div>')


def _hand_labels(exercise: HandExercise, block: str) -> dict[str, str]:
    """What each line of a block is called."""
    name = {"scores": "score of h", "weights": "weight of h"}
    return {
        line: f"component {number}" if block == CONTEXT else f"{name[block]}{SUBSCRIPTS[number]}"
        for number, line in enumerate(exercise.block_lines(block), start=1)
    }


@guarded
def _cost() -> None:
    words, work = prose("practice"), progress().works[COST]
    exercise: CostExercise = work.exercise
    verdicts = _verdicts(COST, work, check_cost(exercise, work.checked))
    labels = {line: words[f"line {line}"] for line in exercise.lines}
    st.markdown(words["task cost"].format(**exercise._asdict()))
    _questions(COST, work, labels, verdicts)
    if work.help == SOLUTION:
        st.markdown(words["solution cost"].format(**exercise._asdict(), **cost_answers(exercise)))


@guarded
def _fit() -> None:
    words, work = prose("practice"), progress().works[FIT]
    exercise: FitExercise = work.exercise
    verdicts = _verdicts(FIT, work, check_fit(exercise, work.checked))
    labels = {line: words[f"line {line}"] for line in exercise.lines}
    st.markdown(words["task fit"].format(**exercise._asdict()))
    _usable(work, labels[USABLE], verdicts)
    _questions(FIT, work, labels, verdicts)
    if work.help == SOLUTION:
        answers = {
            line: ", ".join(answer) if line == USABLE else " × ".join(map(str, answer))
            for line, answer in fit_answers(exercise).items()
        }
        st.markdown(words["solution fit"].format(**exercise._asdict(), **answers))


def _usable(work: Work, label: str, verdicts: Mapping[str, Verdict]) -> None:
    """The choice of scorers."""
    key = _box_key(FIT, USABLE)
    st.session_state.setdefault(key, [one for one in GIVEN_SCORERS if one in work.texts.get(USABLE, "").split()])
    take = guarded(lambda: keep_line(FIT, USABLE, " ".join(st.session_state[key])))
    with st.container(gap="xsmall"):
        st.pills(label, GIVEN_SCORERS, selection_mode="multi", key=key, on_change=take)
        st.html(verdict_mark(_status(USABLE, verdicts)))


def _questions(kind: str, work: Work, labels: Mapping[str, str], verdicts: Mapping[str, Verdict]) -> None:
    """The lines of an exercise, what became of them, the buttons, and hints where they were asked for."""
    _boxes(kind, work, {line: label for line, label in labels.items() if line != USABLE}, verdicts)
    _sentences(labels, verdicts, dict.fromkeys(labels, kind))
    _buttons(kind, work, verdicts)
    if work.help >= HINT:
        _hints({line: f"hint {kind} {line}" for line in labels if _is_open((line,), verdicts)}, labels)


def _verdicts(kind: str, work: Work, found: Mapping[str, Verdict]) -> dict[str, Verdict]:
    """The verdicts of the lines that still read as they did when they were checked."""
    if work.checked and not work.is_solved and all(verdict.status == RIGHT for verdict in found.values()):
        keep(progress().with_work(kind, dataclasses.replace(work, is_solved=True)))
    return {
        line: verdict
        for line, verdict in found.items()
        if line in work.checked and work.checked[line] == work.texts.get(line, "")
    }


def _status(line: str, verdicts: Mapping[str, Verdict]) -> str | None:
    return verdicts[line].status if line in verdicts else None


def _is_open(lines: Sequence[str], verdicts: Mapping[str, Verdict]) -> bool:
    """Whether one of the lines is not right yet."""
    return any(_status(line, verdicts) != RIGHT for line in lines)


def _boxes(kind: str, work: Work, labels: Mapping[str, str], verdicts: Mapping[str, Verdict]) -> None:
    """A box for each line with its mark below."""
    with st.container(horizontal=True, gap="small"):
        for line, label in labels.items():
            with st.container(gap=None, width=_WIDTHS[kind]):
                _box(kind, work, line, label)
                st.html(verdict_mark(_status(line, verdicts)))


_WIDTHS = {HAND: 108, COST: 260, FIT: 150}
"""In pixels: three boxes of attention by hand stand beside each other even on a phone."""


def _box(kind: str, work: Work, line: str, label: str) -> None:
    text_box(label, _box_key(kind, line), work.texts.get(line, ""), lambda text: keep_line(kind, line, text))


def _box_key(kind: str, line: str) -> str:
    return box_key(f"practice_{kind}_{line}".replace(" ", "_"))


def _sentences(labels: Mapping[str, str], verdicts: Mapping[str, Verdict], place: Mapping[str, str]) -> None:
    """What is said of wrong and unread lines, once a sentence. place: the part of the words to look in, by line."""
    sentences: dict[str, list[str]] = {}
    for line, label in labels.items():
        verdict = verdicts.get(line)
        if verdict is not None and verdict.status != RIGHT:
            sentences.setdefault(_sentence(verdict, place[line]), []).append(label)
    if sentences:
        st.markdown(sentences_markdown(sentences))


def _sentence(verdict: Verdict, place: str) -> str:
    if verdict.status != WRONG:
        return verdict.unreadable
    words = prose("practice")
    if verdict.mistake is None:
        return words["unknown mistake"]
    return words.get(f"mistake {verdict.mistake}") or words[f"mistake {place}: {verdict.mistake}"]


def _buttons(kind: str, work: Work, verdicts: Mapping[str, Verdict]) -> None:
    words, lines = prose("practice"), work.exercise.lines
    with st.container(horizontal=True, gap="small"):
        st.button("Check", key=f"practice_check_{kind}", icon=":material/check:", on_click=check, args=(kind,))
        st.button(
            "Hint" if work.help < HINT else "Worked solution",
            key=f"practice_help_{kind}",
            disabled=work.help == SOLUTION,
            icon=":material/lightbulb:",
            on_click=more_help,
            args=(kind,),
        )
        st.button(
            "Fresh numbers",
            key=f"practice_fresh_{kind}",
            icon=":material/refresh:",
            on_click=fresh_numbers,
            args=(kind,),
        )
        if works_before(kind):
            st.button(
                "Numbers before",
                key=f"practice_before_{kind}",
                icon=":material/undo:",
                on_click=numbers_before,
                args=(kind,),
            )
    if verdicts and not _is_open(lines, verdicts):
        with st.container(key="practice_solved"):
            st.success(words["solved"], icon=":material/check:")
    if count := progress().solved[kind]:
        st.caption(words["solved count"].format(count=count))
    next_focus(next((_box_key(kind, line) for line in lines if _is_open((line,), verdicts)), "practice_solved"))


def _hints(names: Mapping[str, str], labels: Mapping[str, str] | None = None) -> None:
    """The hints of what is not right yet. names: by line or block."""
    words = prose("practice")
    lines = [f"- **{labels[one] if labels else words[one]}**  \n  {words[name]}" for one, name in names.items()]
    if lines:
        st.markdown("\n".join(lines))
