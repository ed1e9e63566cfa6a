"""`python -m benchmarks` measures everything, prints the figures and writes them to docs/benchmarks.md."""

import sys
from pathlib import Path

import click
import pytest

FOLDER = Path(__file__).parent
REPORT = FOLDER.parent / "docs" / "benchmarks.md"
COMMAND = "python -m benchmarks"


@click.command()
@click.option("--quick", is_flag=True, help="Measure few times and write no report: shows that the benchmarks work.")
@click.option("--only", metavar="WORDS", help="Run the benchmarks whose names have these words; writes no report.")
@click.option(
    "--pairs",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Train on these sentence pairs (TSV) and not on invented ones.",
)
def benchmarks(quick: bool, only: str | None, pairs: Path | None) -> None:
    """Measure how fast the app and the engine are and how much memory they take.

    Nothing else should run meanwhile. All of it takes about six minutes.
    """
    arguments = [
        str(FOLDER),
        "--override-ini=python_files=bench_*.py",
        "--override-ini=python_functions=bench_*",
        "--verbose",
        "--benchmark-columns=min,median,max,rounds",
        "-p",
        "no:cacheprovider",
        "--numprocesses=0",  # one after the other, unlike tests
    ]
    if quick:
        arguments.append("--quick")
    if only:
        arguments += ["-k", only]
    if pairs:
        arguments.append(f"--training-pairs={pairs}")
    if not quick and not only:
        arguments += [f"--report={REPORT}", f"--report-command={COMMAND}{f' --pairs {pairs.name}' if pairs else ''}"]
    sys.exit(pytest.main(arguments))


if __name__ == "__main__":
    benchmarks()
