"""Figures as a page of Markdown: a table for each section, whether each aim holds, and the machine."""

from collections.abc import Mapping, Sequence

from benchmarks.figures import Figure
from benchmarks.machine import Machine

BUSY = 0.1
"""From this share of the cores on, what else runs is too much for the figures to be trusted."""

HEAD = """# Benchmarks

How fast Glanceback is and how much memory it takes. This page is written by

```bash
{command}
```

while nothing else runs; how each figure is taken stands above its table. Where one was taken several times, the figure
is the median, which is compared with the aim; p95 is what 95 in 100 do not exceed.

"Painted" is the moment when the second animation frame after a change begins, which is when the frame that shows the
change is done. At 60 frames a second, 17 to 33 ms of such a time are waiting for the screen, however little there is to
compute.
"""

TABLE_HEAD = "| | figure | p95 | measured | aim | holds |\n|---|---:|---:|---:|---:|---|"


def write_report(
    figures: Sequence[Figure],
    sections: Mapping[str, str],
    missing: Sequence[str],
    machine: Machine,
    command: str,
    seconds: float,
) -> str:
    """The page.

    sections: the title of each section, in order, with the words that stand above its table. missing: a sentence for
    each benchmark that could not be run.
    """
    parts = [HEAD.format(command=command), _machine(machine, seconds)]
    if missing:
        parts.append("Not measured:\n\n" + "\n".join(f"- {sentence}" for sentence in missing) + "\n")
    for title, words in sections.items():
        rows = "\n".join(_row(figure) for figure in figures if figure.section == title)
        if rows:
            parts.append(f"## {title}\n\n{words}\n\n{TABLE_HEAD}\n{rows}\n")
    return "\n".join(parts)


def _machine(machine: Machine, seconds: float) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in machine.versions.items())
    features = f" ({', '.join(machine.features)})" if machine.features else ""
    lines = [
        f"- Machine: {machine.processor}{features}, {machine.cores} cores, {machine.memory:.0f} GiB, {machine.system}",
        f"- Programs: {versions}",
        f"- Glanceback: commit {machine.commit}",
        f"- Date: {machine.date}; the whole run took {seconds / 60:.1f} minutes",
        f"- Everything else on the machine used {machine.busy:.0%} of its cores just before",
    ]
    if machine.busy >= BUSY:
        lines.append("- **That is too much: these figures are worse than those of an idle machine**")
    return "\n".join(lines) + "\n"


def _row(figure: Figure) -> str:
    cells = [
        figure.name,
        _amount(figure.value, figure.unit),
        "" if figure.p95 is None else _amount(figure.p95, figure.unit),
        "once" if figure.count == 1 else f"{figure.count} times",
        "" if figure.aim is None else f"≤ {_amount(figure.aim, figure.unit, exact=True)}",
        {None: "", True: "yes", False: "**no**"}[figure.holds],
    ]
    return f"| {' | '.join(cells)} |"


def _amount(value: float, unit: str, *, exact: bool = False) -> str:
    """A number with its unit, three digits long where it was measured; thousands are set apart."""
    if unit == "%":
        return f"{value:.0%}"
    if exact or value >= 100:
        return f"{value:,.10g} {unit}" if exact else f"{value:,.0f} {unit}"
    return f"{value:.1f} {unit}" if value >= 10 else f"{value:.2f} {unit}"
