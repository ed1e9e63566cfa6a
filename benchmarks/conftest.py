"""What the benchmarks share: how often to measure, where figures go, a real Chromium, the app, a translator.

Not part of the tests: `python -m benchmarks` runs this folder, and nothing else does.
"""

import inspect
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
import torch
from playwright.sync_api import Browser

from attention_model.checkpoint import Translator, load_translator
from benchmarks.app_server import Server, running_app
from benchmarks.figures import Figure, Spread
from benchmarks.machine import describe_machine
from benchmarks.report import write_report
from tests.browser import real

QUICK = 3
"""How often a quick run measures what a full one measures more often."""

Record = Callable[..., None]


class Findings:
    """What the benchmarks of this run have found so far."""

    def __init__(self) -> None:
        self.machine = describe_machine()
        self.begun = time.monotonic()
        self.figures: list[Figure] = []
        self.sections: dict[str, str] = {}
        self.missing: list[str] = []


findings_key = pytest.StashKey[Findings]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of `python -m benchmarks`, which passes them on."""
    parser.addoption("--quick", action="store_true", help="measure few times")
    parser.addoption("--report", type=Path, help="write the report to this file")
    parser.addoption("--report-command", default="", help="the command that the report names")
    parser.addoption("--training-pairs", type=Path, help="sentence pairs to train on; invented ones without it")


def pytest_configure(config: pytest.Config) -> None:
    """Look at the machine before anything of ours runs."""
    config.stash[findings_key] = Findings()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config) -> None:
    """Print the report, and keep it if every benchmark ran to its end."""
    found = config.stash[findings_key]
    text = write_report(
        found.figures,
        found.sections,
        found.missing,
        found.machine,
        config.getoption("--report-command"),
        time.monotonic() - found.begun,
    )
    terminalreporter.write("\n" + text)
    path: Path | None = config.getoption("--report")
    if path is not None and exitstatus == pytest.ExitCode.OK:
        path.write_text(text, encoding="utf-8")
        terminalreporter.write_line(f"Saved {path}.")


@pytest.fixture(scope="session")
def findings(request: pytest.FixtureRequest) -> Findings:
    """What has been found so far."""
    return request.config.stash[findings_key]


@pytest.fixture
def record(request: pytest.FixtureRequest, findings: Findings) -> Record:
    """`record(name, values, unit, aim=None)` keeps a figure: one number, or several measurements of one thing.

    It stands in the section that the benchmark's file is, under the file's TITLE and its docstring.
    """
    section = request.module.TITLE
    findings.sections.setdefault(section, inspect.cleandoc(request.module.__doc__))

    def keep(name: str, values: float | Sequence[float], unit: str, aim: float | None = None) -> None:
        if isinstance(values, Sequence):
            spread = Spread.of(values)
            figure = Figure(section, name, spread.median, unit, spread.count, spread.p95, aim)
        else:
            figure = Figure(section, name, values, unit, aim=aim)
        findings.figures.append(figure)

    return keep


@pytest.fixture
def often(request: pytest.FixtureRequest) -> Callable[[int], int]:
    """`often(30)`: how often to measure what a full run measures 30 times."""
    return lambda full: min(full, QUICK) if request.config.getoption("--quick") else full


@pytest.fixture(scope="session")
def translator() -> Translator:
    """The shipped dot translator, on one thread."""
    torch.set_num_threads(1)
    return load_translator("en-zh/dot")


@pytest.fixture(scope="session")
def chromium(findings: Findings) -> Iterator[Browser]:
    """Debian's Chromium without a window; without it the benchmark is skipped, and the report says so."""
    if missing := real.missing():
        if missing not in findings.missing:
            findings.missing.append(missing)
        pytest.skip(missing)
    with real.chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app, started once for all benchmarks that need no fresh process."""
    with running_app(tmp_path_factory.mktemp("app") / "log.txt") as running:
        yield running
