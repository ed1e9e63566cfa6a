"""Pages in a real Chromium that can measure themselves: `probe.js` is in each of them from the start."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page

PROBE = (Path(__file__).parent / "probe.js").read_text("utf-8")
DESK = {"width": 1360, "height": 1000}


@contextmanager
def new_page(browser: Browser) -> Iterator[Page]:
    """An empty page with nothing kept from any page before it."""
    context = browser.new_context(viewport=DESK)
    context.add_init_script(PROBE)
    try:
        yield context.new_page()
    finally:
        context.close()


def settle(page: Page) -> None:
    """Wait until the first map is painted and the app has nothing more to do."""
    page.evaluate("probe.firstMap")
    page.locator("[data-testid=stStatusWidget]").wait_for(state="detached")
