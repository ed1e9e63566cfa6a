"""Takes the README's picture of the running app: `python -m docs.screenshot`, with Debian's chromium installed.

The picture shows the fourth step of the running example, 歡 looking back at *like*.
"""

import sys
import tempfile
from pathlib import Path

from tests.browser import real

PICTURE = Path(__file__).parent / "translate.png"
ADDRESS = "?step=4"
WIDTH, HEIGHT = 1360, 1000


def take(url: str, picture: Path) -> None:
    """Save the page at this address once the player stands at a step and nothing is running any more."""
    with real.chromium() as browser:
        page = browser.new_page(
            viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light", reduced_motion="reduce"
        )
        page.goto(url)
        page.locator("[data-step]").first.wait_for()
        page.locator("[data-testid=stStatusWidget]").wait_for(state="detached")
        page.evaluate("document.fonts.ready")
        page.screenshot(path=picture)


if __name__ == "__main__":
    if missing := real.missing():
        sys.exit(missing)
    with tempfile.TemporaryDirectory() as folder, real.app(Path(folder) / "log.txt") as server:
        take(f"{server.url}/{ADDRESS}", PICTURE)
    print(f"Saved {PICTURE}.")
