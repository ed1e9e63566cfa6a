"""Many stops in one HTML file: texts, each beside its players, with ways back and forth, for a folder without a server.

It is given texts as safe HTML and players as payloads, and knows no page, no lesson and no model.
"""

import hashlib
import html
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from app.components import comparison_player, step_player, worked_lines
from app.components.standalone import standalone_page
from app.components.step_player import PLAIN_VIEW, PlayerView, joined_script, player_data

STYLE = Path(__file__).with_suffix(".css")

SCRIPT_FILES = (
    *step_player.SOURCE_FILES[:-1],
    *(name for name in comparison_player.SOURCE_FILES[:-1] if name not in step_player.SOURCE_FILES),
    "presenting.js",
    "pack.js",
)
"""Both players without the files that mount them, each file once, and the page that holds them."""


class Words(NamedTuple):
    """Words or a table among the live parts, as safe HTML."""

    html: str


class Player(NamedTuple):
    """A step player. payload: from `player_payload`; the same one may stand at many stops and is kept once."""

    payload: bytes
    step: int = 0
    part: int | None = None
    view: PlayerView = PLAIN_VIEW


class Comparison(NamedTuple):
    """A comparison player. payload: from `comparison_payload`."""

    payload: bytes
    step: int = 0


class PackStop(NamedTuple):
    """One screen of the file. id: its name in the address, unlike that of any other stop, of letters, digits, hyphens.

    text, notes: safe HTML; notes may be empty. live: what stands beside the text.
    """

    id: str
    title: str
    text: str
    live: tuple[Words | Player | Comparison, ...]
    notes: str = ""


def pack_html(title: str, stops: Sequence[PackStop]) -> str:
    """The file as text. Raises ValueError when there is no stop, and when two have one id."""
    if not stops or len({stop.id for stop in stops}) != len(stops):
        raise ValueError(f"{len(stops)} stops were given with the ids {', '.join(stop.id for stop in stops)}.")
    documents: dict[str, bytes] = {}
    parts = [[_part(live, documents) for live in stop.live if not isinstance(live, Words)] for stop in stops]
    data = orjson.dumps({"documents": [orjson.Fragment(one) for one in documents.values()], "stops": parts})
    body = '<main class="pack">\n' + "\n".join(_section(stop) for stop in stops) + "\n</main>"
    style = "\n".join((comparison_player.comparison_style(), worked_lines.STYLE.read_text("utf-8"), _style()))
    return standalone_page(title=title, style=style, data=data, script=joined_script(SCRIPT_FILES), body=body)


def _style() -> str:
    return STYLE.read_text("utf-8")


def _part(live: Player | Comparison, documents: dict[str, bytes]) -> dict[str, Any]:
    """What the script is told of a player; its payload goes to the documents, where it stands once."""
    digest = hashlib.blake2b(live.payload, digest_size=16).hexdigest()
    documents.setdefault(digest, live.payload)
    document = list(documents).index(digest)
    if isinstance(live, Comparison):
        return {"kind": "comparison", "data": {"start": {"step": live.step, "part": None}}, "document": document}
    data = player_data(b"null", live.step, live.part, view=live.view)
    return {"kind": "player", "data": orjson.Fragment(data), "document": document}


def _section(stop: PackStop) -> str:
    title = html.escape(stop.title)
    notes = f"<details><summary>Notes</summary>{stop.notes}</details>" if stop.notes else ""
    live = "".join(
        f'<div class="pack-words">{one.html}</div>' if isinstance(one, Words) else "<div data-live></div>"
        for one in stop.live
    )
    bare = "" if stop.text else " bare"
    return (
        f'<section class="pack-stop{bare}" data-stop="{html.escape(stop.id)}" data-title="{title}">\n'
        f'<div class="pack-text"><h1>{title}</h1>{stop.text}{notes}</div>\n'
        f'<div class="pack-live">{live}</div>\n</section>'
    )
