"""What the README promises is there: its commands, its files, its Python."""

import re
import shlex

import pytest

from attention_model.__main__ import commands, main
from tests.sources import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PREPARE = "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt && "


def blocks(text, language):
    """The fenced blocks in this language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def command_lines(text):
    """Every line of every shell block."""
    return [line for block in blocks(text, "bash") for line in block.splitlines()]


ENGINE_CALLS = [line for line in command_lines(README) if line.startswith("python -m attention_model ")]
CALLS_WITH_THEIR_OWN_FILES = [line for line in ENGINE_CALLS if re.search(r"\.(tsv|txt)", line)]
CALLS_AS_THEY_STAND = [line for line in ENGINE_CALLS if line not in CALLS_WITH_THEIR_OWN_FILES]


def arguments_of(line):
    """What follows `python -m attention_model`."""
    return shlex.split(line)[3:]


def test_the_first_command_opens_the_app():
    assert command_lines(README)[0] == f"{PREPARE}.venv/bin/streamlit run app/main.py"
    assert (ROOT / "app/main.py").is_file()


def test_the_second_command_runs_the_tests_and_is_what_continuous_integration_runs():
    second = command_lines(README)[1]
    assert second == f"{PREPARE}.venv/bin/python -m pytest"
    assert (ROOT / ".ci/run").read_text().splitlines()[-1] == second


def test_the_small_build_of_torch_is_the_pinned_version():
    (version,) = set(re.findall(r"torch==(\S+)", README))
    assert f"torch=={version}" in (ROOT / "requirements.txt").read_text().splitlines()


@pytest.mark.parametrize("line", CALLS_AS_THEY_STAND)
def test_a_call_of_the_engine_works_as_written(line, capsys):
    assert main(arguments_of(line)) == 0
    assert capsys.readouterr().out


@pytest.mark.parametrize("line", CALLS_WITH_THEIR_OWN_FILES)
def test_a_call_of_the_engine_has_only_flags_that_exist(line):
    name, *arguments = arguments_of(line)
    command = commands.commands[name]
    with command.make_context(name, arguments) as context:
        assert context.args == []


def test_the_python_runs_as_written(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (code,) = blocks(README, "python")
    names = {}
    exec(compile(code, "README.md", "exec"), names)
    assert names["trace"].translation in capsys.readouterr().out
    assert names["same"].to_json() == names["trace"].to_json()
    assert (tmp_path / "cats.json").is_file()


def test_every_part_of_the_tree_is_there():
    (tree,) = blocks(README, "text")
    folder = ROOT
    for line in tree.splitlines():
        name = line.split()[0]
        path = folder / name if line.startswith(" ") else ROOT / name
        assert path.exists(), path
        if not line.startswith(" "):
            folder = path


@pytest.mark.parametrize("text", [README, CONTRIBUTING], ids=["README.md", "CONTRIBUTING.md"])
def test_links_and_pictures_and_files_named_in_commands_are_there(text):
    linked = [target for target in re.findall(r"\]\(([^)]+)\)", text) if not target.startswith("https://")]
    named = [word for line in command_lines(text) for word in line.split() if re.fullmatch(r"[\w/]+\.(py|txt)", word)]
    assert linked
    for name in linked + named:
        assert (ROOT / name).is_file(), name
