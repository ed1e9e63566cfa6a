"""Progress in the session: what is typed goes into it at once, so that no rerun and no change of page loses anything.

Also the menu that saves it to a file and opens it again. It checks no answer.
"""

import dataclasses
from collections.abc import Callable, Sequence
from random import Random

import streamlit as st

from app.components.next_focus import go_on
from app.components.text import plain, prose
from app.exercises import fresh_exercise
from app.guard import guarded
from app.progress import LONGEST_TEXT, SOLUTION, Progress, QuizWork, Work
from attention_model.errors import ProgressError


def progress() -> Progress:
    """The progress of this session; a beginning at first."""
    if "progress" not in st.session_state:
        st.session_state["progress"] = Progress.beginning(Random())
    return st.session_state["progress"]


def keep(changed: Progress) -> None:
    """Go on with this progress."""
    st.session_state["progress"] = changed


def box_key(name: str) -> str:
    """The key of a box that shows a part of the progress; another one after a file was opened or numbers are fresh."""
    return f"{name}_{st.session_state.get('progress_number', 0)}"


def text_box(label: str, key: str, text: str, take: Callable[[str], None]) -> None:
    """A box to type an answer in. text: what stood in it. take: is told what was typed."""
    st.session_state.setdefault(key, text)
    st.text_input(
        label,
        key=key,
        max_chars=LONGEST_TEXT,
        autocomplete="off",
        on_change=guarded(lambda: take(st.session_state[key])),
    )


def keep_line(kind: str, line: str, text: str) -> None:
    """What stands in a line of an exercise now."""
    work = progress().works[kind]
    keep(progress().with_work(kind, dataclasses.replace(work, texts={**work.texts, line: text})))


@guarded
def check(kind: str) -> None:
    """Check every line as it stands; the keyboard goes on at the first one that is not right."""
    work = progress().works[kind]
    keep(progress().with_work(kind, dataclasses.replace(work, checked=dict(work.texts) | _empty_lines(work))))
    go_on()


@guarded
def more_help(kind: str) -> None:
    """The hint at first, then the worked solution."""
    work = progress().works[kind]
    keep(progress().with_work(kind, dataclasses.replace(work, help=min(work.help + 1, SOLUTION))))


@guarded
def fresh_numbers(kind: str) -> None:
    """Another exercise of the kind; the one before is kept where something was typed in it."""
    _go_on_with_work(kind, Work(fresh_exercise(kind, Random(), progress().works[kind].exercise)), works_before(kind))


def works_before(kind: str) -> tuple[Work, ...]:
    """The exercises of a kind that were left for fresh numbers in this visit, the last one at the end."""
    return st.session_state.get("works_before", {}).get(kind, ())


@guarded
def numbers_before(kind: str) -> None:
    """Go back to the exercise that was left last; the one that is left now comes after all others."""
    *others, before = works_before(kind)
    _go_on_with_work(kind, before, (), others)


def _go_on_with_work(kind: str, work: Work, earlier: Sequence[Work], later: Sequence[Work] = ()) -> None:
    """Put the exercise that is left between others, where something was typed in it."""
    left = progress().works[kind]
    row = (*earlier, *((left,) if any(left.texts.values()) else ()), *later)
    st.session_state["works_before"] = {**st.session_state.get("works_before", {}), kind: row}
    # As it is: an exercise that was solved before is not solved once more.
    keep(dataclasses.replace(progress(), works={**progress().works, kind: work}))
    _new_boxes()


def begin_round(quiz: QuizWork) -> None:
    """Go on with another round of the quiz; each one before is kept where something was answered in it."""
    _go_on_with_round(quiz, rounds_before())


def rounds_before() -> tuple[QuizWork, ...]:
    """The rounds of this visit that were left for another, the last one at the end."""
    return st.session_state.get("rounds_before", ())


def back_to_round() -> None:
    """Go back to the round that was left last; the one that is left now comes after all others."""
    *others, before = rounds_before()
    _go_on_with_round(before, (), others)


def _go_on_with_round(quiz: QuizWork, earlier: Sequence[QuizWork], later: Sequence[QuizWork] = ()) -> None:
    """Put the round that is left between others, where something was answered in it."""
    left = progress().quiz
    st.session_state["rounds_before"] = (*earlier, *((left,) if left.answers or left.drafts else ()), *later)
    keep(dataclasses.replace(progress(), quiz=quiz))
    _new_boxes()


def files() -> None:
    """Draw the menu of files: save the progress, open one, and the way back after opening."""
    with st.popover("Save or open", icon=":material/folder_open:"):
        st.markdown(prose("practice")["file"])
        st.download_button(
            "Save my progress",
            progress().to_json(),
            "glanceback-progress.json",
            "application/json",
            key="progress_save",
            on_click="ignore",
            icon=":material/download:",
        )
        st.file_uploader("Open saved progress", type=["json"], key="progress_file", on_change=_take_file)
        if mistake := st.session_state.get("progress_mistake"):
            st.warning(plain(mistake), icon=":material/info:")
        if st.session_state.get("progress_before"):
            st.success(prose("practice")["opened"], icon=":material/check:")
            st.button("Back to what was here before", key="progress_back", icon=":material/undo:", on_click=_take_back)


@guarded
def _take_file() -> None:
    st.session_state["progress_mistake"] = None
    file = st.session_state["progress_file"]
    if file is None:
        return
    try:
        opened = Progress.from_json(file.getvalue())
    except ProgressError as mistake:
        st.session_state["progress_mistake"] = f"{file.name} was not opened. {mistake}"
        return
    st.session_state["progress_before"] = (*st.session_state.get("progress_before", ()), progress())
    keep(opened)
    _new_boxes()


@guarded
def _take_back() -> None:
    """Go back to what was here last; what is here now comes after all others, for work was done in it, too."""
    *others, before = st.session_state["progress_before"]
    st.session_state["progress_before"] = (progress(), *others)
    keep(before)
    _new_boxes()


def _new_boxes() -> None:
    """Let every box begin with what the progress says."""
    st.session_state["progress_number"] = st.session_state.get("progress_number", 0) + 1


def _empty_lines(work: Work) -> dict[str, str]:
    """The lines in which nothing was ever typed."""
    return {line: "" for line in work.exercise.lines if line not in work.texts}
