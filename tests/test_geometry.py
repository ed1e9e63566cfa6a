"""The picture of two-dimensional states: arrows where the numbers are, the context inside the outline."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given as for_all
from hypothesis import strategies

from app.figures.geometry import OtherQuery, geometry_figure, hull
from app.theme import SCHEMES
from attention_model.by_hand import attend_by_hand
from attention_model.errors import TraceError
from attention_model.preset import preset
from tests.given import drawn


def trace_of(name):
    return attend_by_hand(preset(name))


def drawn_at(figure, beginning):
    """The last point of the one curve whose name begins so."""
    (curve,) = [one for one in figure.data if one.name.startswith(beginning)]
    return curve.x[-1], curve.y[-1]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_states_query_and_context_stand_where_their_numbers_are(scheme):
    trace = trace_of("the-cat-sat")
    figure = geometry_figure(trace, 0, scheme)
    assert drawn_at(figure, "state of the 0.18") == (1, 0)
    assert drawn_at(figure, "state of cat 0.39") == (0, 1)
    assert drawn_at(figure, "state of sat 0.43") == (1, 1)
    assert drawn_at(figure, "query of step 1, query") == (0.1, 0.9)
    assert drawn_at(figure, "context") == tuple(trace.contexts[0].tolist())


def test_both_exercises_stand_in_one_picture():
    cat, exercise = trace_of("the-cat-sat"), trace_of("exercise-1")
    other = OtherQuery("Exercise 1", exercise.decoder_states[0], exercise.contexts[0])
    figure = geometry_figure(cat, 0, "light", others=(other,))
    assert drawn_at(figure, "query of Exercise 1") == (2, 0)
    assert drawn_at(figure, "context of Exercise 1") == tuple(exercise.contexts[0].tolist())
    assert figure.layout.xaxis.range[1] > 2


def test_axes_have_equal_units_and_stay_over_the_steps():
    trace = attend_by_hand(drawn(d_h=2, d_s=2))
    figures = [geometry_figure(trace, t, "light") for t in range(5)]
    assert {(figure.layout.xaxis.range, figure.layout.yaxis.range) for figure in figures} == {
        (figures[0].layout.xaxis.range, figures[0].layout.xaxis.range)
    }
    assert (figures[0].layout.yaxis.scaleanchor, figures[0].layout.yaxis.scaleratio) == ("x", 1)
    low, high = figures[0].layout.xaxis.range
    for numbers in (trace.encoder_states, trace.decoder_states, trace.contexts):
        assert low <= numbers.min() <= numbers.max() <= high


def test_the_axes_show_as_far_as_the_sliders_go():
    low, high = geometry_figure(trace_of("exercise-1"), 0, "light", reach=7.0).layout.xaxis.range
    assert low < -7 < 7 < high


@for_all(
    points=strategies.lists(strategies.tuples(*[strategies.integers(-5, 5)] * 2), min_size=1, max_size=12),
    seed=strategies.integers(0, 100),
)
def test_a_weighted_mean_lies_inside_the_outline(points, seed):
    weights = np.random.default_rng(seed).dirichlet(np.ones(len(points)))
    x, y = weights @ np.array(points, dtype=np.float64)
    corners = hull(points)
    assert set(corners) <= {(float(one), float(other)) for one, other in points}
    if len(corners) > 2:
        for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
            assert (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) >= -1e-9


def test_the_outline_of_a_square_has_four_corners():
    assert hull([(0, 0), (1, 0), (0.5, 0.5), (1, 1), (0, 1), (0.5, 0)]) == [(0, 0), (1, 0), (1, 1), (0, 1)]
    assert hull([(1, 2), (1, 2)]) == [(1, 2)]


def test_a_query_of_another_size_has_no_place():
    figure = geometry_figure(attend_by_hand(drawn(d_h=2, d_s=3, scorer="additive")), 0, "light")
    assert [one.name for one in figure.data if one.name.startswith("query")] == []


def test_states_of_more_components_are_refused():
    with pytest.raises(TraceError, match="needs encoder states of two components and a context; these states have 4"):
        geometry_figure(trace_of("running-example"), 0, "light")


def test_words_are_no_html():
    given = dataclasses.replace(preset("exercise-1"), source_tokens=("<b>a</b>", "b", "c"), target_tokens=("<i>",))
    figure = geometry_figure(attend_by_hand(given), 0, "light")
    text = "".join(f"{one.name}{one.text}{one.hovertemplate}" for one in figure.data)
    assert "&lt;b&gt;a" in text
    assert "<b>" not in text
    assert "<i>" not in text
