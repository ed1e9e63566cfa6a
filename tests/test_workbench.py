"""The dimension workbench: shapes and counts by their formulas, and when dot cannot be used."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.components.workbench import scorer_shapes, shapes_table
from app.notation import NOTATIONS, OURS
from attention_model.by_hand import attend_by_hand
from tests.given import drawn


def test_shapes_are_those_of_a_calculation_of_these_sizes():
    given = drawn(d_h=3, d_s=5, k=7, output=False)
    for one in scorer_shapes(3, 5, 7):
        for field, shape in one.shapes.items():
            assert getattr(given, field).shape == shape
        assert one.parameters == sum(int(np.prod(shape)) for shape in one.shapes.values())


def test_counts_are_those_of_the_scorers_that_are_computed_with():
    for one in scorer_shapes(7, 7, 2):
        given = drawn(d_h=7, d_s=7, k=2, scorer=one.scorer)
        assert attend_by_hand(given).scorer == one.scorer
        assert given.scorer_parameters.size == one.parameters


def test_the_table_names_shapes_counts_and_what_is_usable():
    table = shapes_table(3, 5, 7, NOTATIONS[OURS])
    assert "<td>W: 3 × 5</td><td>15</td><td>yes</td>" in table
    assert "W<sub>1</sub>: 7 × 3<br>W<sub>2</sub>: 7 × 5<br>v: 7</td><td>63</td><td>yes</td>" in table
    assert "<td>nothing</td><td>0</td><td>no, d_h and d_s differ</td>" in table
    assert "no, " not in shapes_table(5, 5, 7, NOTATIONS[OURS])


def test_symbols_follow_the_notation():
    assert "U<sub>a</sub>: 7 × 3" in shapes_table(3, 5, 7, NOTATIONS["bahdanau"])


def page():
    import streamlit as st

    from app.components.workbench import workbench
    from app.notation import NOTATIONS, OURS

    taken = st.session_state.setdefault("taken", [])
    workbench(NOTATIONS[OURS], lambda *sizes: taken.append(sizes))


@pytest.mark.parametrize(("d_s", "is_said"), [(4, False), (5, True)])
def test_the_page_says_why_dot_cannot_be_used(d_s, is_said):
    at = AppTest.from_function(page, default_timeout=60).run()
    at.number_input(key="bench_d_s").set_value(d_s).run()
    assert ("Dot is not usable here" in "".join(one.value for one in at.markdown)) == is_said
    assert at.session_state["taken"] == []
    at.button(key="bench_take").click().run()
    assert at.session_state["taken"] == [(4, d_s, 4)]
