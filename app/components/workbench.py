"""The dimension workbench: three sizes, and what each scorer needs of matrices for them.

It computes shapes and counts, and knows no calculation.
"""

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from app.components.text import prose
from app.notation import Notation, symbol_html
from attention_model.given import MOST_DIMENSIONS

LABELS = {
    "d_h": "d_h, components of an encoder state",
    "d_s": "d_s, components of a query",
    "k": "k, rows of the additive matrices",
}


class ScorerShapes(NamedTuple):
    """What a scorer needs: for each field of a Notation the shape of that matrix, and how many numbers in all."""

    scorer: str
    shapes: dict[str, tuple[int, ...]]
    parameters: int


def scorer_shapes(d_h: int, d_s: int, k: int) -> tuple[ScorerShapes, ...]:
    """The three scorers with the shapes and the number of their parameters."""
    return (
        ScorerShapes("dot", {}, 0),
        ScorerShapes("multiplicative", {"score_weight": (d_h, d_s)}, d_h * d_s),
        ScorerShapes(
            "additive",
            {"key_weight": (k, d_h), "query_weight": (k, d_s), "score_vector": (k,)},
            k * (d_h + d_s + 1),
        ),
    )


def shapes_table(d_h: int, d_s: int, k: int, notation: Notation) -> str:
    """The shapes and counts as an HTML table."""
    rows = []
    for one in scorer_shapes(d_h, d_s, k):
        shapes = "<br>".join(_shape(field, shape, notation) for field, shape in one.shapes.items()) or "nothing"
        usable = "no, d_h and d_s differ" if one.scorer == "dot" and d_h != d_s else "yes"
        cells = (shapes, f"{one.parameters:,}", usable, symbol_html(notation.formulas["score"][one.scorer]))
        rows.append(f'<tr><th scope="row">{one.scorer}</th>' + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    head = "".join(f'<th scope="col">{name}</th>' for name in ("scorer", "needs", "numbers", "usable", "score"))
    return (
        f'<div class="symbols-frame"><table class="symbols"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def workbench(notation: Notation, take: Callable[[int, int, int], None]) -> None:
    """Draw the workbench. take: called with d_h, d_s and k when the visitor wants a blank calculation of them."""
    words = prose("by_hand")
    st.markdown(words["workbench"])
    with st.container(horizontal=True, gap="small"):
        sizes = tuple(
            st.number_input(label, 1, MOST_DIMENSIONS, 4, key=f"bench_{name}", persist_state="session", width=260)
            for name, label in LABELS.items()
        )
    st.html(shapes_table(*sizes, notation))
    if sizes[0] != sizes[1]:
        st.markdown(words["no dot"].format(d_h=sizes[0], d_s=sizes[1]))
    st.button(
        "Begin a blank calculation of these sizes", key="bench_take", icon=":material/add:", on_click=take, args=sizes
    )


def _shape(field: str, shape: tuple[int, ...], notation: Notation) -> str:
    symbol = symbol_html(getattr(notation, field))
    return f"{symbol}: {' × '.join(map(str, shape))}"
