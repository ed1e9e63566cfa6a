"""A real Chromium and the real app, both unable to leave this machine."""

import os
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser import real
from tests.offline import REFUSAL, is_this_machine

HERE = Path(__file__).parent
# Far more than a page needs on a machine that does nothing else.
TIMEOUT = 1000 * real.PATIENCE
expect.set_options(timeout=TIMEOUT)

BROWSER_LEFT = re.compile(
    r"Exception in ASGI application\n"
    r"(?:(?!Exception in ASGI application).*\n)*?"
    r'starlette\.websockets\.WebSocketDisconnected: Cannot call "send" once a close message has been sent\.\n'
)
"""What Streamlit's server writes where a browser leaves before it was let in: the one traceback that is no bug."""

LOCAL_SCHEMES = ("file", "data", "blob", "about")


def pytest_collection_modifyitems(items):
    """Mark every test of this folder, so that `-m "not browser"` leaves them out."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("browser")


@pytest.fixture(scope="session")
def chromium():
    """Debian's Chromium. Without it the test is skipped, or fails where GLANCEBACK_REQUIRE_BROWSER is set."""
    if missing := real.missing():
        (pytest.fail if os.environ.get("GLANCEBACK_REQUIRE_BROWSER") else pytest.skip)(missing)
    with real.chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def contexts(chromium):
    """A function that gives a context of Chromium with these options, the same one each time.

    Its pages share the browser's caches and nothing else that the app uses, so that each need not read all of
    Streamlit's scripts anew.
    """
    opened = {}

    def context_with(options):
        key = repr(sorted(options.items()))
        if key not in opened:
            opened[key] = chromium.new_context(**options)
            opened[key].set_default_timeout(TIMEOUT)
        return opened[key]

    yield context_with
    for context in opened.values():
        context.close()


@pytest.fixture
def new_page(contexts):
    """A function that opens an empty page: `new_page(viewport=(390, 844), color_scheme="dark", has_touch=True)`.

    After the test: no page raised an error of JavaScript, and no request left this machine.
    """
    used, requested, errors = [], [], []

    def note_request(request):
        requested.append(request.url)

    def note_error(error):
        errors.append(str(error.error))

    def open_page(viewport=(1280, 900), **options):
        width, height = viewport
        context = contexts({"viewport": {"width": width, "height": height}, **options})
        if context not in used:
            used.append(context)
            context.on("request", note_request)
            context.on("weberror", note_error)
        page = context.new_page()
        page.on("websocket", lambda websocket: requested.append(websocket.url))
        return page

    yield open_page
    for context in used:
        for page in context.pages:
            page.close()
        context.remove_listener("request", note_request)
        context.remove_listener("weberror", note_error)
    assert not errors
    assert [url for url in requested if leaves_this_machine(url)] == []


def leaves_this_machine(url):
    """True if fetching this address would ask another machine."""
    parts = urlsplit(url)
    return parts.scheme not in LOCAL_SCHEMES and not is_this_machine(parts.hostname or "?")


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """The real app, started once; at the end its log shows no bug and no attempt to reach another machine."""
    log = tmp_path_factory.mktemp("server") / "log.txt"
    with real.app(log) as running:
        yield running
    text = log.read_text()
    assert REFUSAL not in text, text
    assert "Traceback" not in BROWSER_LEFT.sub("", text), text


@pytest.fixture
def app_page(new_page, server):
    """A function that opens the app: `app_page("?text=…", viewport=(390, 844), color_scheme="dark")`."""

    def open_app(address="", **options):
        page = new_page(**options)
        page.goto(f"{server.url}/{address}")
        return page

    return open_app
