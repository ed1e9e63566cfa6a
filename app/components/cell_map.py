"""A small map to click on: every cell is a button, reached by keyboard too, and large enough for a finger.

Python gives it the words, the cells with their colours and what is chosen; the browser gives back the chosen cell.
It knows no question.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from app.theme import text_on, weight_colour

HERE = Path(__file__).parent

Cell = tuple[int, int]
"""Step and source position, from 0."""


def cell_map(
    source_tokens: Sequence[str],
    target_tokens: Sequence[str],
    weights: Sequence[Sequence[float]] | None,
    *,
    key: str,
    scheme: str,
    chosen: Cell | None,
    right: Sequence[Cell] = (),
    locked: bool = False,
    on_change: Callable[[], None],
) -> None:
    """Draw the map; `chosen_cell` tells which cell was clicked on. weights: None for a map without numbers.

    chosen: the cell that is marked. right: the cells that are shown to be right. locked: nothing more can be chosen.
    """
    rows = [
        [
            _cell(None if weights is None else weights[t][i], target, source, scheme)
            for i, source in enumerate(source_tokens)
        ]
        for t, target in enumerate(target_tokens)
    ]
    data = {
        "source": list(source_tokens),
        "target": list(target_tokens),
        "rows": rows,
        "chosen": None if chosen is None else list(chosen),
        "right": [list(cell) for cell in right],
        "locked": locked,
    }
    _COMPONENT(key=key, data=data, default={"cell": None}, on_cell_change=on_change)


def chosen_cell(key: str) -> Cell | None:
    """The cell that was clicked on last, None before the first click. What a browser sends is not trusted."""
    found = (st.session_state.get(key) or {}).get("cell")
    if isinstance(found, list) and len(found) == 2 and all(isinstance(one, int | float) for one in found):
        return int(found[0]), int(found[1])
    return None


def _cell(weight: float | None, target: str, source: str, scheme: str) -> dict[str, str]:
    """What one cell shows and what it is called by a screen reader."""
    if weight is None:
        return {"text": "", "label": f"row {target}, column {source}", "background": "", "colour": ""}
    background = weight_colour(weight, scheme)
    return {
        "text": f"{weight:.2f}",
        "label": f"row {target}, column {source}, weight {weight:.2f}",
        "background": background,
        "colour": text_on(background, scheme),
    }


_COMPONENT = st.components.v2.component(
    "cell_map",
    css=(HERE / "cell_map.css").read_text("utf-8"),
    js=(HERE / "cell_map.js").read_text("utf-8"),
    isolate_styles=True,
)
