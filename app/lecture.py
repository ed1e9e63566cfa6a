"""A lecture: a list of links into the app, with a title each. Read and written as JSON; pure, knows no page's drawing.

A link is relative and names a page of the app with parameters that this page knows. Everything else is refused.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self
from urllib.parse import parse_qsl, urlencode, urlsplit

from app.naming import first_stop, view_name
from attention_model.errors import LectureError

FORMAT = "glanceback lecture"
VERSION = 1

MOST_ENTRIES = 200
LONGEST_LINK = 8_000
LONGEST_TITLE = 200
LARGEST_FILE = 2_000_000
"""In bytes; what the largest lecture of the longest links takes, and a little more."""

PLACE = frozenset({"step", "part", "zoom"})
"""Where in a view one stands; the rest of a link says what is viewed."""

SHARED = frozenset({"present", "entry"})
"""What every page knows: whether it is presented, and which entry of a lecture it is. Neither is kept in a lecture."""

PAGES: Mapping[str, frozenset[str]] = {
    "translate": PLACE
    | {"sentence", "scorer", "decoding", "beam", "target", "hypothesis", "changes", "undone"}
    | {"columns", "rows", "joined", "end_row", "scale", "pinyin", "simplified", "gloss"},
    "compare": frozenset({"step", "zoom"})
    | {"sentence", "kind", "along", "target", "none", "states", "identity", "heat", "difference"},
    "by-hand": PLACE | {"preset", "scorer", "notation", "states", "tab"},
    "learn": PLACE | {"stop", "own_sentence"},
    "practice": frozenset({"exercise", "sentence", "predict_scorer", "predict_hidden"}),
    "quiz": frozenset({"topic"}),
    "lecture": frozenset(),
}
"""The pages, as they are called in an address, and the parameters that each knows."""

FIRST_PAGE = "translate"

HOW_TO_PASTE = "Copy the address of a page of this app as the browser shows it, and paste it here."


class Link(NamedTuple):
    """A page and its parameters, in their order. `str()` gives the relative link."""

    page: str
    parameters: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        # The first page has no name of its own in an address.
        page = "./" if self.page == FIRST_PAGE else self.page
        return f"{page}?{urlencode(self.parameters)}" if self.parameters else page

    @property
    def view(self) -> "Link":
        """The link without the place in it: two links with one `view` show the same at other steps."""
        beginning = ("stop", first_stop())
        kept = sorted(pair for pair in self.parameters if pair[0] not in PLACE and pair != beginning)
        return self._replace(parameters=tuple(kept))

    def with_parameters(self, **values: str) -> "Link":
        """The link with these parameters beside its own."""
        kept = tuple(pair for pair in self.parameters if pair[0] not in values)
        return self._replace(parameters=(*kept, *values.items()))

    @property
    def title(self) -> str:
        """A title that says what the link shows."""
        return view_name(self.page, dict(self.parameters), LONGEST_TITLE)


class Entry(NamedTuple):
    """One line of a lecture."""

    title: str
    link: Link


class Deletion(NamedTuple):
    """An entry that was deleted, and the place from 0 at which it stood."""

    index: int
    entry: Entry


@dataclass(frozen=True)
class Lecture:
    """Entries in the order in which they are shown.

    deleted: what was deleted and not put back, the last one at the end. A file does not keep it.
    """

    entries: tuple[Entry, ...] = ()
    deleted: tuple[Deletion, ...] = ()

    def added(self, link: Link, title: str | None = None) -> Self:
        """With one entry more at its end. Raises LectureError for more entries than a lecture may have."""
        return self._with(len(self.entries), Entry(title or link.title, link))

    def removed(self, index: int) -> Self:
        """Without the entry at `index`, from 0; it can be put back."""
        deleted = (*self.deleted, Deletion(index, self.entries[index]))
        return replace(self, entries=(*self.entries[:index], *self.entries[index + 1 :]), deleted=deleted)

    def put_back(self) -> Self:
        """With the entry that was deleted last where it stood. Raises LectureError as `added` does."""
        *earlier, (index, entry) = self.deleted
        return replace(self._with(index, entry), deleted=tuple(earlier))

    def _with(self, index: int, entry: Entry) -> Self:
        if len(self.entries) >= MOST_ENTRIES:
            raise LectureError(
                f"The lecture has {len(self.entries)} entries, and at most {MOST_ENTRIES} are possible. "
                "Delete one first, or begin a second lecture."
            )
        return replace(self, entries=(*self.entries[:index], entry, *self.entries[index:]))

    def moved(self, index: int, distance: int) -> Self:
        """With the entry at `index` so many places further down; it stops at the ends."""
        entries = list(self.entries)
        entry = entries.pop(index)
        entries.insert(min(max(index + distance, 0), len(entries)), entry)
        return replace(self, entries=tuple(entries))

    def renamed(self, index: int, title: str) -> Self:
        """With another title at `index`; an empty one becomes the title that says what the link shows."""
        entry = self.entries[index]
        title = " ".join(title.split())[:LONGEST_TITLE] or entry.link.title
        return replace(self, entries=(*self.entries[:index], entry._replace(title=title), *self.entries[index + 1 :]))

    def to_json(self) -> bytes:
        """The lecture as a file."""
        entries = [{"title": entry.title, "link": str(entry.link)} for entry in self.entries]
        document = {"format": FORMAT, "version": VERSION, "entries": entries}
        return json.dumps(document, ensure_ascii=False, indent=2).encode()

    @classmethod
    def from_json(cls, content: bytes) -> Self:
        """The lecture of a file. Raises LectureError, with what is wrong, for anything but a whole lecture."""
        if len(content) > LARGEST_FILE:
            raise LectureError(
                f"The file has {len(content):,} bytes, and a lecture has at most {LARGEST_FILE:,}. "
                "Choose a file that the Lecture page saved."
            )
        try:
            document = json.loads(content)
        except (ValueError, RecursionError):
            raise LectureError(
                "The file is damaged or no lecture: it is not JSON. Choose a file that the Lecture page saved."
            ) from None
        return cls(_entries(document))


def _entries(document: Any) -> tuple[Entry, ...]:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        found = document.get("format") if isinstance(document, dict) else type(document).__name__
        raise LectureError(
            f"The file is no lecture: its format is {_shown(found)}, and {FORMAT!r} is wanted. "
            "Choose a file that the Lecture page saved."
        )
    if document.get("version") != VERSION or isinstance(document["version"], bool):
        raise LectureError(
            f"The lecture has version {_shown(document.get('version'))}, and this app reads version {VERSION}. "
            "Open it with the app that saved it, and copy its links by hand."
        )
    entries = document.get("entries")
    if not isinstance(entries, list) or len(entries) > MOST_ENTRIES:
        found = f"{len(entries)} entries" if isinstance(entries, list) else _shown(entries)
        raise LectureError(f"The lecture holds {found}, and a list of at most {MOST_ENTRIES} entries is wanted.")
    return tuple(_entry(number, entry) for number, entry in enumerate(entries, 1))


def _entry(number: int, entry: Any) -> Entry:
    values = (entry.get("title"), entry.get("link")) if isinstance(entry, dict) else (None, None)
    if not all(isinstance(value, str) for value in values):
        raise LectureError(f"Entry {number} of the lecture is {_shown(entry)}, and a title and a link are wanted.")
    title, text = values
    try:
        _refuse_half_characters(title)
        link = read_link(text, relative_only=True)
    except LectureError as mistake:
        raise LectureError(f"Entry {number} of the lecture, {_shown(title)}: {mistake}") from None
    return Entry(" ".join(title.split())[:LONGEST_TITLE] or link.title, link)


def read_link(text: str, *, own_host: str | None = None, relative_only: bool = False) -> Link:
    """The link that a text is: relative, or the whole address of a page of this app.

    own_host: the host and port at which this app is open, such as `localhost:8501`; another one is refused.
    relative_only: refuse whole addresses, whatever their host.
    Raises LectureError for another scheme or host, an unknown page, an unknown parameter, and a text that is too long.
    """
    text = text.strip()
    if not text:
        raise LectureError(f"The link is empty. {HOW_TO_PASTE}")
    if len(text) > LONGEST_LINK:
        raise LectureError(
            f"The link has {len(text):,} characters, and at most {LONGEST_LINK:,} are taken. Show less in it."
        )
    try:
        parts = urlsplit(text)
        host = parts.netloc
    except ValueError:
        raise LectureError(f"The link {_shown(text)} cannot be read. {HOW_TO_PASTE}") from None
    if parts.scheme not in ("", "http", "https"):
        raise LectureError(
            f"The link begins with {_shown(parts.scheme + ':')}, and a page of this app is wanted. {HOW_TO_PASTE}"
        )
    _refuse_half_characters(text)
    if "\\" in text or any(character < " " for character in text):
        raise LectureError(f"The link {_shown(text)} holds characters that no link has. {HOW_TO_PASTE}")
    if (parts.scheme or host) and (relative_only or host != own_host):
        raise LectureError(
            f"The link leads to another place, {_shown(host or text)}, and a page of this app is wanted. {HOW_TO_PASTE}"
        )
    page = parts.path.removeprefix(".").strip("/") or FIRST_PAGE
    if page not in PAGES:
        raise LectureError(f"The link leads to the page {_shown(page)}, and there are {', '.join(PAGES)}.")
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    unknown = [name for name, _ in pairs if name not in PAGES[page] | SHARED]
    if unknown:
        known = ", ".join(sorted(PAGES[page])) or "none"
        raise LectureError(
            f"The page {page} does not know the parameter {_shown(unknown[0])} of the link. It knows {known}."
        )
    # The last of a name counts, as in the browser's own reading of the app.
    return Link(page, tuple({name: value for name, value in pairs if name not in SHARED}.items()))


def _refuse_half_characters(text: str) -> None:
    """JSON can hold one half of a pair of code units, which is no character: no page can show it, no file keep it."""
    try:
        text.encode()
    except UnicodeEncodeError as mistake:
        raise LectureError(
            f"Character {mistake.start + 1} of {len(text)} is half a character, {text[mistake.start]!a}, and whole "
            "ones are wanted. Delete it in the file."
        ) from None


def visited_links(texts: Any) -> tuple[Link, ...]:
    """What was visited, newest last and each view once, at the place where it was left; what is no link is left out."""
    latest: dict[Link, Link] = {}
    for text in texts if isinstance(texts, list) else []:
        try:
            link = read_link(text if isinstance(text, str) else "", relative_only=True)
        except LectureError:
            continue
        latest.pop(link.view, None)
        if link.page != "lecture":
            latest[link.view] = link
    return tuple(latest.values())


def names_of(links: Sequence[Link]) -> tuple[str, ...]:
    """The titles of links, with a number where two that show different things have the same one."""
    titles = [link.title for link in links]
    return tuple(
        f"{title}, number {titles[: at + 1].count(title)}" if titles.count(title) > 1 else title
        for at, title in enumerate(titles)
    )


def _shown(value: Any) -> str:
    """A value of a file or a link, short enough for a sentence."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    text = text.encode(errors="replace").decode()  # half a character becomes a question mark
    return f"“{text if len(text) <= 60 else text[:60] + '…'}”"
