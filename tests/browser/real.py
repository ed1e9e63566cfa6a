"""Starts the real app and a real Chromium, for the tests of this folder and for the README's screenshot."""

import os
import shutil
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

from playwright.sync_api import sync_playwright

from tests.sources import ROOT

CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

PATIENCE = 60
"""Seconds to start or to end. A cold machine that does other things as well needs a good part of them."""


class Server(NamedTuple):
    """The running app: its address, and the file that it writes its log to."""

    url: str
    log: Path


def missing():
    """What this machine lacks to show the app in a browser, as a sentence; empty when nothing is missing."""
    if not shutil.which("chromium"):
        return "Chromium is missing: install Debian's package chromium."
    if not shutil.which("fc-list"):
        return "fc-list is missing, so that Chinese fonts cannot be looked for: install Debian's package fontconfig."
    if not subprocess.run(["fc-list", ":lang=zh-tw"], capture_output=True, check=True).stdout:
        return "A Chinese font is missing: install Debian's package fonts-noto-cjk."
    return ""


@contextmanager
def chromium():
    """Debian's Chromium, without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM_FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def app(log, **environment):
    """The app on a free port, as a process that cannot reach another machine; its log goes to the file `log`.

    environment: variables that the process gets beside those of this one.
    """
    port = _free_port()
    options = {"server.port": port, "server.headless": "true", "server.fileWatcherType": "none"}
    arguments = ["run", "app/main.py", *(f"--{name}={value}" for name, value in options.items())]
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.browser.offline_app", *arguments],
            cwd=ROOT,
            env=os.environ | environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait_until_healthy(process, port, log)
            yield Server(f"http://localhost:{port}", log)
        finally:
            process.terminate()
            process.wait(PATIENCE)


def _free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def _wait_until_healthy(process, port, log):
    """Ask again and again until the server answers; a server that ended, or that is not there in time, is an error."""
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        try:
            with urlopen(f"http://localhost:{port}/_stcore/health", timeout=PATIENCE):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"The app did not start.\n{log.read_text()}")
