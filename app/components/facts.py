"""What is measured of several models, as an HTML table: a row a measure, a column a model. It computes nothing."""

import html
import math
from collections.abc import Sequence
from typing import NamedTuple

from app.components.text import chinese

NOTHING = "–"
"""Stands where a measure does not exist."""

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Fact(NamedTuple):
    """One row. values: one a model, as text; None where there is none. hint: a short explanation under the name.

    is_chinese: whether the values are Chinese.
    """

    name: str
    values: tuple[str | None, ...]
    hint: str = ""
    is_chinese: bool = False


def facts_table(titles: Sequence[str], groups: Sequence[tuple[str, Sequence[Fact]]]) -> str:
    """The table as safe HTML. groups: a name and its rows; a row that no model has is left out."""
    heads = "".join(f'<th scope="col">{html.escape(title)}</th>' for title in titles)
    bodies = "".join(_group(name, rows, len(titles)) for name, rows in groups)
    return f'<div class="facts"><table><thead><tr><td></td>{heads}</tr></thead>{bodies}</table></div>'


def rows_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of the same look: a head a column, and rows whose first cell names them. All cells are safe HTML."""
    head = "".join(f'<th scope="col">{one}</th>' for one in heads)
    body = "".join(
        f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in rest)}</tr>' for first, *rest in rows
    )
    return f'<div class="facts"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def probability_text(log_probability: float | None) -> str | None:
    """A probability from its natural logarithm: three decimals, or a power of ten where it is small, however small."""
    if log_probability is None:
        return None
    if log_probability == -math.inf:
        return "0"
    if log_probability >= math.log(0.001):
        return f"{math.exp(log_probability):.3f}"
    digits = log_probability / math.log(10)
    exponent = math.floor(digits)
    first = f"{10 ** (digits - exponent):.1f}"
    if first == "10.0":  # rounded up
        first, exponent = "1.0", exponent + 1
    return f"{first}·10{str(exponent).translate(_RAISED)}"


def _group(name: str, facts: Sequence[Fact], columns: int) -> str:
    rows = "".join(_row(fact) for fact in facts if any(value is not None for value in fact.values))
    head = f'<tr><th class="group" scope="rowgroup" colspan="{columns + 1}">{html.escape(name)}</th></tr>'
    return f"<tbody>{head}{rows}</tbody>" if rows else ""


def _row(fact: Fact) -> str:
    hint = f"<small>{html.escape(fact.hint)}</small>" if fact.hint else ""
    cells = "".join(f"<td>{_value(value, is_chinese=fact.is_chinese)}</td>" for value in fact.values)
    return f'<tr><th scope="row">{html.escape(fact.name)}{hint}</th>{cells}</tr>'


def _value(value: str | None, *, is_chinese: bool) -> str:
    if value is None:
        return NOTHING
    return chinese(value) if is_chinese else html.escape(value)
