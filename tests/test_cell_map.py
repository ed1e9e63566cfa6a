"""The map of buttons: what Python tells the browser, and what it takes back. Its clicks are tested in a browser."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from app.theme import contrast


def page(weights, scheme, sent):
    import streamlit as st

    from app.components.cell_map import cell_map, chosen_cell

    st.session_state.setdefault("found", {"cell": sent})
    cell_map(
        ("cats", "dogs", "<b>"),
        ("貓", "狗"),
        weights,
        key="map",
        scheme=scheme,
        chosen=(1, 2),
        right=((0, 1),),
        locked=True,
        on_change=lambda: None,
    )
    st.text(str(chosen_cell("found")))


WEIGHTS = ((0.5, 0.25, 0.25), (0.0, 0.0, 1.0))


def run(weights=WEIGHTS, scheme="light", sent=None):
    at = AppTest.from_function(page, args=(weights, scheme, sent)).run()
    assert not at.exception
    return json.loads(at.get("bidi_component")[0].proto.json), at.text[0].value


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_cell_says_its_row_column_and_weight_and_can_be_read(scheme):
    data, _ = run(scheme=scheme)
    texts = [[cell["text"] for cell in row] for row in data["rows"]]
    assert texts == [["0.50", "0.25", "0.25"], ["0.00", "0.00", "1.00"]]
    assert data["rows"][1][2]["label"] == "row 狗, column <b>, weight 1.00"
    assert all(contrast(cell["colour"], cell["background"]) >= 4.5 for row in data["rows"] for cell in row)
    assert (data["chosen"], data["right"], data["locked"]) == ([1, 2], [[0, 1]], True)


def test_a_map_without_weights_says_rows_and_columns_only():
    data, _ = run(weights=None)
    assert data["rows"][0][0] == {"text": "", "label": "row 貓, column cats", "background": "", "colour": ""}


@pytest.mark.parametrize(
    ("sent", "cell"),
    [([1, 2], "(1, 2)"), (None, "None"), ([1], "None"), ("1,2", "None"), ([1, "2"], "None"), ({"a": 1}, "None")],
)
def test_what_a_browser_sends_is_taken_only_as_a_pair_of_numbers(sent, cell):
    assert run(sent=sent)[1] == cell
