"""The style that a machine can check, checked by ruff with the rules in pyproject.toml."""

import subprocess
import sys

import pytest

from tests.sources import ROOT


@pytest.mark.parametrize("arguments", [["check"], ["format", "--check", "--diff"]], ids=" ".join)
def test_ruff_has_nothing_to_say(arguments):
    run = subprocess.run(
        [sys.executable, "-m", "ruff", *arguments, "."], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
