"""The real app as a process of its own, started as a person starts it, and visitors without a browser."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode
from urllib.request import urlopen

import psutil
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect

ROOT = Path(__file__).parents[1]
PATIENCE = 120
"""Seconds to start, to answer or to end."""

MIB = 2**20
DONE = ForwardMsg.ScriptFinishedStatus.FINISHED_SUCCESSFULLY


class Server(NamedTuple):
    """The running app. begun: when its process was started; answered: when it first answered; both by the clock."""

    port: int
    process: psutil.Process
    begun: float
    answered: float

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://localhost:{self.port}"

    def memory(self) -> float:
        """What the process takes of the machine's memory (its resident set), in MiB."""
        return self.process.memory_info().rss / MIB


@contextmanager
def running_app(log: Path) -> Iterator[Server]:
    """Start the app on a free port and end it afterwards. What it says goes to the file `log`."""
    port = _free_port()
    arguments = ["run", "app/main.py", f"--server.port={port}", "--server.headless=true"]
    with log.open("w") as output:
        begun = time.time()
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", *arguments], cwd=ROOT, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            _wait_until_healthy(process, port, log)
            yield Server(port, psutil.Process(process.pid), begun, time.time())
        finally:
            process.terminate()
            process.wait(PATIENCE)


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def _wait_until_healthy(process: subprocess.Popen, port: int, log: Path) -> None:
    """Ask a hundred times a second until the server answers."""
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        try:
            with urlopen(f"http://localhost:{port}/_stcore/health", timeout=PATIENCE):
                return
        except OSError:
            time.sleep(0.01)
    raise RuntimeError(f"The app did not start.\n{log.read_text()}")


@contextmanager
def visitors(server: Server, links: list[dict[str, str]]) -> Iterator[None]:
    """One visitor a link, who has read the whole page under it; they come one after the other and stay until the end.

    They speak Streamlit's own protocol over websockets, as a browser does, and draw nothing.
    """
    with ExitStack() as connections:
        for link in links:
            visitor = connect(f"ws://localhost:{server.port}/_stcore/stream", max_size=None, proxy=None)
            _read_page(connections.enter_context(visitor), link)
        yield


def _read_page(visitor: ClientConnection, link: dict[str, str]) -> None:
    """Ask for the page under this link and read what comes until the page is done."""
    question = BackMsg()
    question.rerun_script.query_string = urlencode(link)
    visitor.send(question.SerializeToString())
    while True:
        answer = ForwardMsg.FromString(visitor.recv(PATIENCE))
        if answer.WhichOneof("type") == "script_finished" and answer.script_finished == DONE:
            return
