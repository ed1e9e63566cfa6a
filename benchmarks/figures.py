"""What a benchmark found, as data: a name, a number, its spread, its aim. Knows nothing of how it was measured."""

import statistics
from collections.abc import Sequence
from typing import NamedTuple, Self


class Spread(NamedTuple):
    """Repeated measurements of one thing, in a few numbers."""

    median: float
    p95: float
    count: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Self:
        """The median, and the smallest value that is not exceeded by 95 in 100. Needs at least one value."""
        ordered = sorted(values)
        return cls(statistics.median(ordered), ordered[-(-95 * len(ordered) // 100) - 1], len(ordered))


class Figure(NamedTuple):
    """One row of the report.

    value: the median where there were several measurements. p95: None where there was one. aim: the most that the
    value shall be; None where none was set.
    """

    section: str
    name: str
    value: float
    unit: str
    count: int = 1
    p95: float | None = None
    aim: float | None = None

    @property
    def holds(self) -> bool | None:
        """Whether the aim is met; None where there is no aim."""
        return None if self.aim is None else self.value <= self.aim
