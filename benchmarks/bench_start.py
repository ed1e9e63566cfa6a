"""From the start of the app's process to the first painted map.

Each time a fresh process, and a page with nothing kept from before. Chromium itself runs already, and the files are in
the machine's file cache.
"""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser

from benchmarks.app_server import running_app
from benchmarks.browser import new_page
from benchmarks.conftest import Record

TITLE = "Cold start"
AIM = 3.0
STARTS = 8


def bench_cold_start(chromium: Browser, tmp_path: Path, record: Record, often: Callable[[int], int]) -> None:
    """Start the app, open the page as soon as it answers, wait for the map."""
    starts, answers, pages = [], [], []
    for _ in range(often(STARTS)):
        with running_app(tmp_path / "log.txt") as server, new_page(chromium) as page:
            page.goto(server.url, wait_until="commit")
            map_painted = page.evaluate("probe.firstMap")
        starts.append(map_painted["clock"] / 1000 - server.begun)
        answers.append(server.answered - server.begun)
        pages.append(map_painted["sinceAsked"] / 1000)
    record("process started to painted map", starts, "s", AIM)
    record("of that: process started to its first answer", answers, "s")
    record("of that: page asked for to painted map", pages, "s")
