"""The lesson as ordered data: one Markdown file a stop, in the order of the files' names.

It knows what stands beside each stop and draws nothing. How a file is written: `prose/lesson/README.md`.
"""

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from app.live_state import LiveState, live_state
from attention_model.errors import LessonError

FOLDER = Path(__file__).parent / "prose" / "lesson"

_FILE = re.compile(r"\A\+\+\+\n(.*?)\n\+\+\+\n(.*)\Z", re.DOTALL)
_NAME = re.compile(r"\A\d\d-.+\.md\Z")
_ID = re.compile(r"\A[a-z0-9]+(-[a-z0-9]+)*\Z")


@dataclass(frozen=True)
class Stop:
    """One stop of the lesson.

    id: its name in links. title: its heading. text: Markdown. notes: for whoever presents, Markdown; may be empty.
    live: what stands beside the text.
    """

    id: str
    title: str
    text: str
    notes: str
    live: LiveState

    @property
    def page(self) -> str:
        """The address of the page that shows the same as the live part."""
        return self.live.page

    @property
    def link(self) -> dict[str, str]:
        """The query of the link to that page."""
        return self.live.link


@cache
def stops(folder: Path = FOLDER) -> tuple[Stop, ...]:
    """All stops, in order.

    Raises LessonError when there is none, when a file cannot be read as a stop, and when two stops have one id.
    """
    paths = sorted(path for path in folder.glob("*.md") if _NAME.match(path.name))
    if not paths:
        raise LessonError(f"There is no stop in {folder}. Put a file such as 01-first.md there.")
    found: dict[str, Stop] = {}
    files: dict[str, str] = {}
    for path in paths:
        stop = read_stop(path)
        if stop.id in found:
            raise LessonError(f"{path.name} has the id “{stop.id}”, which {files[stop.id]} has already. Change one.")
        found[stop.id], files[stop.id] = stop, path.name
    return tuple(found.values())


def read_stop(path: Path) -> Stop:
    """The stop that a file describes. Raises LessonError, with the name of the file, for anything else."""
    try:
        return _stop(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise LessonError(f"{path.name} cannot be read ({error.strerror}). Check the file.") from None
    except UnicodeDecodeError:
        raise LessonError(f"{path.name} is not written in UTF-8. Save it as UTF-8.") from None
    except LessonError as mistake:
        raise LessonError(f"{path.name} is no stop of the lesson. {mistake}") from None


def _stop(content: str) -> Stop:
    parts = _FILE.match(content.replace("\r\n", "\n"))
    if parts is None:
        raise LessonError("It has to begin with settings between two lines of +++, and the text follows them.")
    try:
        settings = tomllib.loads(parts[1])
    except tomllib.TOMLDecodeError as error:
        raise LessonError(f"Its settings are not TOML: {error}.") from None
    unknown = sorted(set(settings) - {"id", "title", "notes", "live"})
    if unknown:
        raise LessonError(f"It has the unknown setting {unknown[0]!r}. There are id, title, notes and live.")
    text = parts[2].strip()
    if not text:
        raise LessonError("It has no text. Write it below the second line of +++.")
    return Stop(
        id=_setting(settings, "id", lambda value: bool(_ID.match(value)), "letters from a to z, digits and hyphens"),
        title=_setting(settings, "title", lambda value: bool(value.strip()) and "\n" not in value, "one line of text"),
        text=text,
        notes=_setting({"notes": ""} | settings, "notes", lambda _: True, "text").strip(),
        live=live_state(_table(settings)),
    )


def _setting(settings: dict[str, Any], name: str, is_right: Callable[[str], bool], wanted: str) -> str:
    value = settings.get(name)
    if not isinstance(value, str) or not is_right(value):
        raise LessonError(f"Its {name} is {value!r}, and {wanted} is wanted.")
    return value


def _table(settings: dict[str, Any]) -> dict[str, Any]:
    live = settings.get("live")
    if not isinstance(live, dict):
        raise LessonError("It has no table [live]. Say there what stands beside the text.")
    return live
