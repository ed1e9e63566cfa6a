"""What is installed is what is written down: every version exact, everything imported declared."""

import sys
import tomllib
from importlib import metadata

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.sources import PACKAGES, ROOT, imported_modules, python_files

LINES = [line for line in (ROOT / "requirements.txt").read_text().splitlines() if line and not line.startswith("#")]
PINS = [Requirement(line) for line in LINES if not line.startswith("-")]
DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]


def third_party(*folders):
    """The installed distributions from which the files under these folders import."""
    found = {name.split(".")[0] for path in python_files(*folders) for name in imported_modules(path)}
    found -= sys.stdlib_module_names | {*PACKAGES, "tests", "benchmarks", "docs"}
    providers = metadata.packages_distributions()
    return {canonicalize_name(name) for module in found for name in providers[module]}


def test_the_last_requirement_is_the_project_itself():
    assert LINES[-1] == "-e ."


@pytest.mark.parametrize("pin", PINS, ids=str)
def test_a_requirement_is_one_exact_version_and_that_one_is_installed(pin):
    (specifier,) = pin.specifier
    assert specifier.operator == "=="
    assert Version(metadata.version(pin.name)).public == specifier.version


def test_whatever_the_project_imports_is_declared_and_nothing_else():
    assert {canonicalize_name(name) for name in DECLARED} == third_party(*PACKAGES)


def test_whatever_the_tests_and_benchmarks_import_is_pinned():
    assert third_party("tests", "benchmarks") <= {canonicalize_name(pin.name) for pin in PINS}


def test_everything_that_an_installed_requirement_requires_is_pinned():
    pinned = {canonicalize_name(pin.name) for pin in PINS}
    for pin in PINS:
        for text in metadata.requires(pin.name) or []:
            needed = Requirement(text)
            if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                # A build of torch for graphics cards brings the parts it needs in versions of its own choice.
                assert pin.name == "torch" or canonicalize_name(needed.name) in pinned, f"{pin.name} requires {text}"
