"""The Lecture page: a list of links made from what was visited, put in order, named, saved, opened and presented."""

from collections.abc import Callable

import streamlit as st

from app.components.text import plain, prose
from app.guard import guarded
from app.lecture import HOW_TO_PASTE, LONGEST_TITLE, Entry, Lecture, Link, names_of, read_link
from app.presenting import LECTURE, VISITS, open_link
from attention_model.errors import LectureError

TITLE = "Lecture"
ICON = ":material/co_present:"


@guarded
def render(as_page: Callable[[Lecture], str]) -> None:
    """Draw the page. The lecture lives in the session. as_page: makes one HTML file of a lecture."""
    words = prose("lecture")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.title("Lecture", anchor=False, width="content")
        st.caption(words["tagline"])
    st.markdown(words["how"])
    lecture = _lecture()
    listed, beside = st.columns((3, 2), gap="large")
    with listed:
        _entries(lecture)
        _paste()
        _file(lecture, as_page)
    with beside:
        _visited()
        with st.expander("Keys while presenting", expanded=True):
            st.markdown(words["keys"])


def _lecture() -> Lecture:
    return st.session_state.setdefault(LECTURE, Lecture())


def _change(lecture: Lecture) -> None:
    """Go on with another lecture; every row is drawn anew, for its entry may be another one."""
    st.session_state[LECTURE] = lecture
    st.session_state["lecture_full"] = None
    st.session_state["lecture_revision"] = st.session_state.get("lecture_revision", 0) + 1


def _entries(lecture: Lecture) -> None:
    st.subheader("In this lecture", anchor=False)
    if not lecture.entries:
        st.info(prose("lecture")["empty"], icon=":material/playlist_add:")
    gap = min(lecture.deleted[-1].index, len(lecture.entries)) if lecture.deleted else None
    for index, entry in enumerate(lecture.entries):
        if index == gap:
            _deleted(lecture)
        _entry(index, entry, is_last=index + 1 == len(lecture.entries))
    if gap == len(lecture.entries):
        _deleted(lecture)
    _show_mistake("lecture_full")


def _deleted(lecture: Lecture) -> None:
    """Where the last deletion left a gap: what it was, and the way back."""
    words, more = prose("lecture"), len(lecture.deleted) - 1
    title = plain(lecture.deleted[-1].entry.title)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button("Put it back", key="lecture_put_back", icon=":material/undo:", on_click=_put_back)
        st.markdown(words["more deleted" if more else "deleted"].format(title=title, more=more))


def _entry(index: int, entry: Entry, *, is_last: bool) -> None:
    revision = st.session_state.get("lecture_revision", 0)
    number = index + 1
    with st.container(border=True, gap="xsmall", key=f"lecture_entry_{number}"):
        key = f"lecture_title_{revision}_{number}"
        st.text_input(
            f"Title of entry {number}",
            entry.title,
            key=key,
            max_chars=LONGEST_TITLE,
            on_change=_rename,
            args=(index, key),
            autocomplete="off",
        )
        st.caption(plain(entry.link.title))
        with st.container(horizontal=True, gap="small"):
            for name, label, icon, action, is_off in (
                ("present", f"Present {number}", ":material/co_present:", _present, False),
                ("open", f"Open {number}", ":material/open_in_browser:", _open, False),
                ("up", f"Move {number} up", ":material/arrow_upward:", _move_up, index == 0),
                ("down", f"Move {number} down", ":material/arrow_downward:", _move_down, is_last),
                ("delete", f"Delete {number}", ":material/delete:", _delete, False),
            ):
                st.button(
                    label,
                    key=f"lecture_{name}_{number}",
                    icon=icon,
                    on_click=action,
                    args=(index,),
                    disabled=is_off,
                )


@guarded
def _rename(index: int, key: str) -> None:
    _change(_lecture().renamed(index, st.session_state[key]))


@guarded
def _move_up(index: int) -> None:
    _change(_lecture().moved(index, -1))


@guarded
def _move_down(index: int) -> None:
    _change(_lecture().moved(index, 1))


@guarded
def _delete(index: int) -> None:
    _change(_lecture().removed(index))


@guarded
def _put_back() -> None:
    _try(Lecture.put_back)


@guarded
def _open(index: int) -> None:
    open_link(_lecture().entries[index].link)


@guarded
def _present(index: int) -> None:
    open_link(_lecture().entries[index].link.with_parameters(present="1", entry=str(index + 1)))


def _add(link: Link) -> None:
    _try(lambda lecture: lecture.added(link))


def _try(change: Callable[[Lecture], Lecture]) -> None:
    """Change the lecture, or say under its entries why it holds no more."""
    try:
        _change(change(_lecture()))
    except LectureError as mistake:
        st.session_state["lecture_full"] = str(mistake)


def _paste() -> None:
    with (
        st.form("lecture_paste_form", border=False),
        st.container(horizontal=True, vertical_alignment="bottom", gap="small"),
    ):
        st.text_input(
            "Add by a link",
            key="lecture_link",
            help=HOW_TO_PASTE,
            placeholder="Paste the address of a page of this app",
            autocomplete="off",
        )
        st.form_submit_button("Add the link", key="lecture_paste", icon=":material/add_link:", on_click=_take_link)
    _show_mistake("lecture_link_mistake")


@guarded
def _take_link() -> None:
    """Add what was pasted; a link that is refused stays in the box, with the reason under it."""
    st.session_state["lecture_link_mistake"] = None
    try:
        link = read_link(st.session_state["lecture_link"], own_host=st.context.headers.get("Host"))
    except LectureError as mistake:
        st.session_state["lecture_link_mistake"] = f"{mistake} The lecture stays as it was."
        return
    _add(link)
    if st.session_state["lecture_full"] is None:
        st.session_state["lecture_link"] = ""


def _file(lecture: Lecture, as_page: Callable[[Lecture], str]) -> None:
    with st.container(border=True, gap="small"):
        st.markdown(prose("lecture")["file"])
        with st.container(horizontal=True, gap="small"):
            st.download_button(
                "Save this lecture",
                lecture.to_json(),
                "lecture.json",
                "application/json",
                key="lecture_save",
                on_click="ignore",
                icon=":material/download:",
                disabled=not lecture.entries,
            )
            st.download_button(
                "The lecture as one page",
                lambda: as_page(lecture),
                "glanceback-lecture.html",
                "text/html",
                key="lecture_page",
                help=prose("lecture")["pack"],
                on_click="ignore",
                icon=":material/slideshow:",
                disabled=not lecture.entries,
            )
        st.file_uploader("Open a saved lecture", type=["json"], key="lecture_file", on_change=_take_file)
        _show_mistake("lecture_file_mistake")
        if st.session_state.get("lecture_before"):
            st.success(prose("lecture")["opened"], icon=":material/check:")
            st.button("Back to what was here before", key="lecture_back", icon=":material/undo:", on_click=_take_back)


@guarded
def _take_file() -> None:
    st.session_state["lecture_file_mistake"] = None
    file = st.session_state["lecture_file"]
    if file is None:
        return
    try:
        opened = Lecture.from_json(file.getvalue())
    except LectureError as mistake:
        st.session_state["lecture_file_mistake"] = f"{file.name} was not opened, and the lecture stays. {mistake}"
        return
    st.session_state["lecture_before"] = (*st.session_state.get("lecture_before", ()), *_left())
    _change(opened)


@guarded
def _take_back() -> None:
    """Go back to the lecture that was left last; the one that is left now comes after all others."""
    *others, before = st.session_state["lecture_before"]
    st.session_state["lecture_before"] = (*_left(), *others)
    _change(before)


def _left() -> tuple[Lecture, ...]:
    """The lecture that is left for another, where anything was done in it."""
    lecture = _lecture()
    return (lecture,) if lecture.entries or lecture.deleted else ()


def _visited() -> None:
    words = prose("lecture")
    st.subheader("Visited", anchor=False)
    visits: tuple[Link, ...] = st.session_state.get(VISITS, ())
    if not visits:
        st.caption(words["nothing visited"])
        return
    st.caption(words["visited"])
    for number, (name, link) in enumerate(reversed(tuple(zip(names_of(visits), visits, strict=True))), 1):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"lecture_visit_{number}"):
            st.button(f"Add {number}", key=f"lecture_add_{number}", icon=":material/add:", on_click=_add, args=(link,))
            st.markdown(plain(name))


def _show_mistake(name: str) -> None:
    if mistake := st.session_state.get(name):
        st.warning(plain(mistake), icon=":material/info:")
