"""From a key press to the painted step, in Chromium.

The arrow keys step through a trace and back, each press once the page is at rest. 8 × 8 means 8 source and 8 target
tokens. "Work" is what the page computes for one step: key handlers, style, layout and painting.
"""

import random
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page

from app.components.standalone import standalone_html
from app.components.step_player import player_payload
from attention_model.checkpoint import Translator
from attention_model.decoding import forced_decode
from benchmarks.app_server import Server
from benchmarks.browser import new_page, settle
from benchmarks.conftest import Record
from benchmarks.sentences import sentence_of, translation_of

TITLE = "Key press to painted step"
AIM = 33.0
SIZES = ((8, 8), (50, 60))
PRESSES = 40
AT_REST = 400
"""Milliseconds after which a step has been told to the server and the page is quiet again."""

FRAME = 1000 / 60


@pytest.mark.parametrize("size", SIZES, ids="{0[0]}x{0[1]}".format)
def bench_steps_of_the_player_alone(
    chromium: Browser,
    translator: Translator,
    tmp_path: Path,
    record: Record,
    often: Callable[[int], int],
    size: tuple[int, int],
) -> None:
    """The player as one HTML file, opened from a folder."""
    trace = forced_decode(translator, sentence_of(translator.source_tokenizer, size[0]), translation_of(size[1] - 1))
    file = tmp_path / "player.html"
    file.write_text(standalone_html(player_payload(trace), title="Benchmark"), encoding="utf-8")
    with new_page(chromium) as page:
        page.goto(file.as_uri())
        opened = page.evaluate("probe.firstMap")["sinceAsked"]
        _record_steps(page, record, f"player alone, {size[0]} × {size[1]}", often(PRESSES), size[1])
    record(f"player alone, {size[0]} × {size[1]}: file opened to painted map", opened, "ms")


@pytest.mark.parametrize("size", SIZES, ids="{0[0]}x{0[1]}".format)
def bench_steps_in_the_app(
    chromium: Browser,
    server: Server,
    translator: Translator,
    record: Record,
    often: Callable[[int], int],
    size: tuple[int, int],
) -> None:
    """The player on the Translate page, which also tells the server where it came to rest."""
    link = {
        "sentence": sentence_of(translator.source_tokenizer, size[0]),
        "decoding": "own translation",
        "target": translation_of(size[1] - 1),
    }
    with new_page(chromium) as page:
        page.goto(f"{server.url}/?{urlencode(link)}")
        settle(page)
        _record_steps(page, record, f"in the app, {size[0]} × {size[1]}", often(PRESSES), size[1])


def _record_steps(page: Page, record: Record, where: str, presses: int, steps: int) -> None:
    """Press arrow keys, from the first step on to the last and back again."""
    waits = random.Random(1)
    found = []
    for number in range(presses):
        direction = 1 if (number // (steps - 1)) % 2 == 0 else -1
        # Not in time with the screen, so that a press falls anywhere between two frames.
        page.wait_for_timeout(AT_REST + waits.random() * FRAME)
        page.evaluate("void (globalThis.pressed = probe.nextStep())")
        page.keyboard.press("ArrowRight" if direction == 1 else "ArrowLeft")
        press = page.evaluate("pressed")
        assert press["moved"] == direction
        found.append(press)
    record(where, [press["painted"] for press in found], "ms", AIM)
    record(f"{where}: work", [press["work"] for press in found], "ms")
