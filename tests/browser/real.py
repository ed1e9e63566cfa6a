"""Starts the real app and a real Chromium, for the tests of this folder and for the README's screenshot."""

import shutil
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import requests
from playwright.sync_api import sync_playwright
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

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
def app(log):
    """The app on a free port, as a process that cannot reach another machine; its log goes to the file `log`."""
    port = _free_port()
    arguments = ["run", "app/main.py", f"--server.port={port}", "--server.headless=true", "--logger.level=info"]
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.browser.offline_app", *arguments],
            cwd=ROOT,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait_until_healthy(port, log)
            yield Server(f"http://localhost:{port}", log)
        finally:
            process.terminate()
            process.wait(timeout=20)


def _free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def _wait_until_healthy(port, log):
    """Ask again, for half a minute at most, until the server answers."""
    retry = Retry(total=None, connect=60, status=60, status_forcelist=[503], backoff_factor=0.1, backoff_max=0.5)
    with requests.Session() as session:
        session.mount("http://", HTTPAdapter(max_retries=retry))
        try:
            session.get(f"http://localhost:{port}/_stcore/health", timeout=10).raise_for_status()
        except requests.RequestException as error:
            raise RuntimeError(f"The app did not start ({error}).\n{log.read_text()}") from error
