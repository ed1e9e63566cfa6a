"""The name of a view: its page, and in a few words all that its link says beyond the page's beginning.

Two links that show different things should have different names, so nothing is left out. It knows no page's drawing.
"""

from collections.abc import Callable, Mapping

from app.lesson import stops
from app.whatif import Reading, describe_change, parse_what_if
from attention_model.errors import LessonError, WhatIfError
from attention_model.preset import PRESETS, preset

TITLES = {
    "translate": "Translate",
    "compare": "Compare",
    "by-hand": "By hand",
    "learn": "Learn",
    "practice": "Practice",
    "quiz": "Quiz",
    "lecture": "Lecture",
}

LEARN, BY_HAND = "learn", "by-hand"

_UNREAD = Reading("", (), (), ())
"""A sentence whose pieces are not known here: they are named by their numbers."""

_MOST_CHANGES = 3
_LEAST_SENTENCE = 20


def first_stop() -> str:
    """The stop that the lesson shows where a link names none; empty where there is no lesson."""
    try:
        return stops()[0].id
    except LessonError:
        return ""


def view_name(page: str, link: Mapping[str, str], longest: int) -> str:
    """The name of what a link to a page shows, in at most `longest` characters: of a long sentence the end is cut off.

    page: one of TITLES. link: its parameters.
    """
    what = _what(page, link)
    details = _details(page, link)
    beginning, end = TITLES[page] + (": " if what else ""), f" ({', '.join(details)})" if details else ""
    room = max(longest - len(beginning) - len(end), _LEAST_SENTENCE)
    return (beginning + (what if len(what) <= room else what[: room - 1] + "…") + end)[:longest]


def _what(page: str, link: Mapping[str, str]) -> str:
    """What the page is about."""
    if page == LEARN:
        return _stop_title(link.get("stop") or first_stop())
    if "preset" in link:
        return preset(link["preset"]).title if link["preset"] in PRESETS else link["preset"]
    if "topic" in link:
        return _stop_title(link["topic"])
    return link.get("sentence", "")


def _stop_title(stop: str) -> str:
    try:
        return next((one.title for one in stops() if one.id == stop), stop)
    except LessonError:
        return stop


def _details(page: str, link: Mapping[str, str]) -> list[str]:
    said = _SAID | ({"states": lambda _: "own numbers"} if page == BY_HAND else {})
    found = [say(link[name]) for name, say in said.items() if name in link]
    if "changes" in link:
        found.append(_changes(link["changes"], link.get("undone")))
    return [*found, *(f"{name} {link[name]}" for name in ("step", "part") if name in link)]


def _changes(changes: str, undone: str | None) -> str:
    """What was changed, in words."""
    try:
        applied = parse_what_if(changes, undone).applied
    except WhatIfError:
        return "changes that cannot be read"
    lines = [describe_change(change, _UNREAD, mark="") for change in applied]
    if len(lines) > _MOST_CHANGES:
        lines = [*lines[:_MOST_CHANGES], f"{len(lines) - _MOST_CHANGES} changes more"]
    return "; ".join(line[0].lower() + line[1:] for line in lines) or "changes taken back"


def _as_it_is(value: str) -> str:
    return value


def _switch(name: str, off: str = "") -> Callable[[str], str]:
    """What is said of a switch: its name where it is on."""
    return lambda value: name if value == "true" else off or f"no {name}"


# What is said of each parameter's value, in this order.
_SAID: Mapping[str, Callable[[str], str]] = {
    "own_sentence": lambda value: f"“{value}”",
    "scorer": _as_it_is,
    "decoding": _as_it_is,
    "beam": lambda value: f"beam size {value}",
    "kind": _as_it_is,
    "along": _as_it_is,
    "target": lambda value: f"along “{value}”",
    "hypothesis": lambda value: f"hypothesis {value}",
    "none": _switch("without attention, too", "with attention only"),
    "states": lambda value: f"states of {value}",
    "identity": _switch("W = identity", "W as trained"),
    "heat": lambda value: f"temperature {value}",
    "difference": lambda value: f"difference {value}",
    "columns": lambda value: f"columns are {value}",
    "rows": lambda value: f"rows are {value}",
    "joined": lambda value: f"rows {value} joined",
    "end_row": _switch("the end has a row", "the end has no row"),
    "scale": lambda value: f"colours {value}",
    "pinyin": _switch("pinyin"),
    "simplified": _switch("simplified characters"),
    "gloss": _switch("gloss"),
    "notation": lambda value: f"notation {value}",
    "tab": _as_it_is,
    "exercise": _as_it_is,
    "predict_scorer": _as_it_is,
    "predict_hidden": lambda value: f"{value} hidden",
}
