"""A real Chromium and the real app, both unable to leave this machine."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
import requests
from playwright.sync_api import sync_playwright
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from tests.offline import REFUSAL, is_this_machine

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

LOCAL_SCHEMES = ("file", "data", "blob", "about")


def pytest_collection_modifyitems(items):
    """Mark every test of this folder, so that `-m "not browser"` leaves them out."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("browser")


def missing_for_browser_tests():
    """What this machine lacks, as a sentence; empty when nothing is missing."""
    if not shutil.which("chromium"):
        return "Chromium is missing: install Debian's package chromium."
    if not shutil.which("fc-list"):
        return "fc-list is missing, so that Chinese fonts cannot be looked for: install Debian's package fontconfig."
    if not subprocess.run(["fc-list", ":lang=zh-tw"], capture_output=True, check=True).stdout:
        return "A Chinese font is missing: install Debian's package fonts-noto-cjk."
    return ""


@pytest.fixture(scope="session")
def chromium():
    """Debian's Chromium. Without it the test is skipped, or fails where GLANCEBACK_REQUIRE_BROWSER is set."""
    if missing := missing_for_browser_tests():
        (pytest.fail if os.environ.get("GLANCEBACK_REQUIRE_BROWSER") else pytest.skip)(missing)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def new_page(chromium):
    """A function that opens an empty page: `new_page(color_scheme="dark", viewport=…, has_touch=…)`.

    After the test: no page raised an error of JavaScript, and no request left this machine.
    """
    contexts, requested, errors = [], [], []

    def open_page(viewport=(1280, 900), **options):
        width, height = viewport
        context = chromium.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        context.on("request", lambda request: requested.append(request.url))
        context.on("weberror", lambda error: errors.append(str(error.error)))
        page = context.new_page()
        page.on("websocket", lambda websocket: requested.append(websocket.url))
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not errors
    assert [url for url in requested if leaves_this_machine(url)] == []


def leaves_this_machine(url):
    """True if fetching this address would ask another machine."""
    parts = urlsplit(url)
    return parts.scheme not in LOCAL_SCHEMES and not is_this_machine(parts.hostname or "?")


class Server(NamedTuple):
    """The running app: its address, and the file that it writes its log to."""

    url: str
    log: Path


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """The real app, started once; at the end its log shows no error and no attempt to reach another machine."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    log = tmp_path_factory.mktemp("server") / "log.txt"
    arguments = ["run", "app/main.py", f"--server.port={port}", "--server.headless=true", "--logger.level=info"]
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, str(HERE / "offline_app.py"), *arguments],
            cwd=ROOT,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait_until_healthy(f"http://localhost:{port}/_stcore/health", log)
            yield Server(f"http://localhost:{port}", log)
        finally:
            process.terminate()
            process.wait(timeout=20)
    text = log.read_text()
    assert REFUSAL not in text
    assert "Traceback" not in text, text


def _wait_until_healthy(url, log):
    """Ask again, for half a minute at most, until the server answers."""
    retry = Retry(total=None, connect=60, status=60, status_forcelist=[503], backoff_factor=0.1, backoff_max=0.5)
    with requests.Session() as session:
        session.mount("http://", HTTPAdapter(max_retries=retry))
        try:
            session.get(url, timeout=10).raise_for_status()
        except requests.RequestException as error:
            pytest.fail(f"The app did not start ({error}).\n{log.read_text()}")


@pytest.fixture
def app_page(new_page, server):
    """A function that opens the app: `app_page("?sentence=…", viewport=(390, 844), color_scheme="dark")`."""

    def open_app(address="", **options):
        page = new_page(**options)
        page.goto(f"{server.url}/{address}")
        return page

    return open_app
