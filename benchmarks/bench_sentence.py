"""From the Enter key to the painted map of a new sentence of ten words, in the app, in Chromium.

Each sentence is asked for once, so none of them is in a cache; the engine is loaded before.
"""

from collections.abc import Callable

from playwright.sync_api import Browser

from benchmarks.app_server import Server
from benchmarks.browser import new_page, settle
from benchmarks.conftest import Record
from benchmarks.sentences import new_sentences

TITLE = "New sentence to painted map"
AIM = 400.0
SENTENCES = 30
PAUSE = 500
"""Milliseconds between two sentences."""


def bench_a_new_sentence(chromium: Browser, server: Server, record: Record, often: Callable[[int], int]) -> None:
    """Type a sentence, press Enter, wait for its map."""
    first, *sentences = new_sentences(often(SENTENCES) + 1)
    with new_page(chromium) as page:
        page.goto(server.url)
        settle(page)
        box = page.get_by_role("textbox", name="English sentence")

        def ask(sentence: str) -> float:
            box.fill(sentence)
            page.evaluate("sentence => void (globalThis.asked = probe.nextSentence(sentence))", sentence)
            box.press("Enter")
            milliseconds = page.evaluate("asked")
            page.wait_for_timeout(PAUSE)
            return milliseconds

        ask(first)  # waits until the engine is loaded
        record("a new sentence of 10 words", [ask(sentence) for sentence in sentences], "ms", AIM)
