"""The tables of a calculation by hand as text cells, and text cells as numbers.

Cells are text, so that whatever a person types stays as it was typed. It knows no page; what cannot be computed with is
refused by `given`, which names the cell.
"""

import dataclasses
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from attention_model.given import Edit, GivenStates, read_table
from attention_model.trace import DecodingTrace

WORD = "word"
"""The column that holds the name of a row."""

WITH_WORDS = {"encoder_states": "source_tokens", "decoder_states": "target_tokens", "vocabulary_weight": "vocabulary"}
"""The tables whose rows have names, and the field that holds these names."""

_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d{1,3})?", re.ASCII)


class StepEdits(NamedTuple):
    """The scores and the weights of a calculation that are set by hand, those of the other steps included."""

    scores: tuple[Edit, ...]
    weights: tuple[Edit, ...]


def number_table(given: GivenStates, name: str) -> pd.DataFrame:
    """One of the given tables (a key of `given.TABLES`) as text, the rows' names first where they have any."""
    numbers = np.atleast_2d(getattr(given, name))
    table = pd.DataFrame(
        [[written_number(value) for value in row] for row in numbers.tolist()],
        columns=_columns(given, name, numbers.shape[1]),
        dtype="object",
    )
    if name in WITH_WORDS:
        table.insert(0, WORD, list(getattr(given, WITH_WORDS[name])))
    return table


def step_table(trace: DecodingTrace, t: int) -> pd.DataFrame:
    """The scores and weights of one step as text, a row a source token."""
    return pd.DataFrame(
        {
            WORD: list(trace.source_tokens),
            "score": [f"{value:.6g}" for value in trace.scores[t].tolist()],
            "weight": [f"{value:.6g}" for value in trace.weights[t].tolist()],
        },
        dtype="object",
    )


def read_given(given: GivenStates, tables: Mapping[str, pd.DataFrame], *, scorer: str) -> GivenStates:
    """The calculation with the tables as they were edited, and with this scorer.

    Edits of scores and weights whose row or column is gone are dropped. Raises GivenError for what cannot be computed.
    """
    changed: dict[str, object] = {"scorer": scorer}
    for name, table in tables.items():
        if name in WITH_WORDS:
            changed[WITH_WORDS[name]] = tuple(_word(cell) for cell in table[WORD].tolist())
            table = table.drop(columns=WORD)
        rows = [[read_number(cell) for cell in row] for row in table.to_numpy(dtype=object).tolist()]
        changed[name] = rows[0] if name == "score_vector" else rows
    steps = len(changed.get("target_tokens", given.target_tokens))
    positions = len(changed.get("source_tokens", given.source_tokens))
    for name in ("edited_scores", "edited_weights"):
        changed[name] = tuple(edit for edit in getattr(given, name) if edit[0] < steps and edit[1] < positions)
    return dataclasses.replace(given, **changed)


def read_step_edits(given: GivenStates, shown: pd.DataFrame, edited: pd.DataFrame, t: int) -> StepEdits | None:
    """What is set by hand once the cells that differ between the two tables of step t are; None where none differs.

    Raises GivenError that names the cell which holds no number in range.
    """
    changed: dict[str, list[Edit]] = {}
    for column in ("score", "weight"):
        cells = zip(shown[column].tolist(), edited[column].tolist(), strict=True)
        # What was computed may be larger than what can be typed, so it is not read again.
        typed = {i: read_number(after) for i, (before, after) in enumerate(cells) if after != before}
        row = [typed.get(i, 0.0) for i in range(len(shown))]
        values = read_table(row, f"the {column}s of this step", 1).tolist()
        changed[column] = [(t, i, values[i]) for i in typed]
    if not any(changed.values()):
        return None
    return StepEdits(_merged(given.edited_scores, changed["score"]), _merged(given.edited_weights, changed["weight"]))


def written_number(value: float) -> str:
    """A number as a person would type it, exactly: whole numbers without a point."""
    return str(int(value)) if value.is_integer() else repr(value)


def read_number(cell: object) -> object:
    """The number that a cell holds, with a point or a comma for its decimals; the cell itself where it holds none."""
    if not isinstance(cell, str):
        return None if cell is None or cell is pd.NA or cell != cell else cell
    text = cell.strip().replace("−", "-")
    return float(text.replace(",", ".")) if _NUMBER.fullmatch(text) else cell


def _word(cell: object) -> str:
    return cell.strip() if isinstance(cell, str) else ""


def _merged(edits: Sequence[Edit], changed: Sequence[Edit]) -> tuple[Edit, ...]:
    values = {(step, position): value for step, position, value in (*edits, *changed)}
    return tuple((step, position, value) for (step, position), value in values.items())


def _columns(given: GivenStates, name: str, count: int) -> list[str]:
    """Components are counted from 1; those that W_out reads say from which state they come."""
    if name == "output_weight":
        return [f"context {j + 1}" for j in range(given.d_h)] + [f"query {j + 1}" for j in range(given.d_s)]
    return [str(j + 1) for j in range(count)]
