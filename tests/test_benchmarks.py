"""Benchmarks run only by hand; here is what their report makes of numbers, and that none of them runs as a test."""

import re

import pytest

from benchmarks.__main__ import REPORT
from benchmarks.figures import Figure, Spread
from benchmarks.machine import Machine
from benchmarks.report import write_report
from benchmarks.sentences import new_sentences, sentence_of, translation_of
from tests.sources import ROOT
from tests.translators import shipped_translator

IDLE = Machine("A processor", ("avx2",), 2, 8.0, "Linux 1", {"Python": "3.11"}, "abc1234", "2026-01-01 12:00 UTC", 0.01)


def report(*figures, missing=(), machine=IDLE):
    return write_report(figures, {"Decoding": "How it is taken."}, missing, machine, "python -m benchmarks", 90.0)


def row(text, name):
    """The cells of a table's row, by its name."""
    (line,) = [line for line in text.splitlines() if line.startswith(f"| {name} |")]
    return [cell.strip() for cell in line.split("|")[2:-1]]


def test_a_spread_is_the_median_and_what_95_in_100_do_not_exceed():
    assert Spread.of([float(value) for value in range(1, 101)]) == (50.5, 95.0, 100)
    assert Spread.of([3.0, 1.0, 2.0]) == (2.0, 3.0, 3)
    assert Spread.of([7.0]) == (7.0, 7.0, 1)


@pytest.mark.parametrize(
    ("value", "aim", "shown"), [(25.0, 25.0, "yes"), (25.1, 25.0, "**no**"), (99.0, None, "")], ids=str
)
def test_the_report_says_whether_an_aim_holds(value, aim, shown):
    text = report(Figure("Decoding", "greedy", value, "ms", 60, 30.0, aim))
    assert row(text, "greedy")[-1] == shown
    assert row(text, "greedy")[2] == "60 times"


def test_the_report_prints_numbers_three_digits_long():
    figures = [Figure("Decoding", f"of {value}", value, "ms") for value in (0.123456, 12.3456, 1234.56)]
    text = report(*figures, Figure("Decoding", "share", 0.4567, "%"))
    assert [row(text, figure.name)[0] for figure in figures] == ["0.12 ms", "12.3 ms", "1,235 ms"]
    assert row(text, "share")[0] == "46%"


def test_the_report_names_machine_command_date_and_what_is_missing():
    text = report(missing=["Chromium is missing."])
    for part in ("A processor", "Python 3.11", "abc1234", "2026-01-01", "python -m benchmarks", "1.5 minutes"):
        assert part in text
    assert "- Chromium is missing." in text
    assert "too much" not in text


def test_the_report_warns_when_the_machine_was_not_idle():
    assert "too much" in report(machine=IDLE._replace(busy=0.5))


def test_new_sentences_have_ten_words_and_never_repeat():
    sentences = new_sentences(100)
    assert len(set(sentences)) == 100
    assert {len(sentence.split()) for sentence in sentences} == {10}


@pytest.mark.parametrize("pieces", [8, 50])
def test_a_sentence_has_exactly_as_many_pieces_as_asked(pieces):
    tokenizer = shipped_translator("dot").source_tokenizer
    assert len(tokenizer.split(sentence_of(tokenizer, pieces)).ids) == pieces
    assert len(translation_of(pieces)) == pieces


def test_a_test_run_collects_no_benchmark(pytestconfig):
    assert pytestconfig.getini("testpaths") == ["tests"]
    for path in (ROOT / "benchmarks").glob("*.py"):
        assert not re.match(r"test_|.*_test\.py$", path.name), path


def test_the_report_is_kept_among_the_documents():
    assert REPORT.parent == ROOT / "docs"
