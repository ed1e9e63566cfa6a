"""The finished map says what the trace says, on the scale 0..1 whatever the values."""

import numpy as np
import pytest

from app import theme
from app.figures.heatmap import PRINTED_CELLS, weights_heatmap
from attention_model.errors import TraceError
from tests.toy import running_example, sized_trace


def cells(figure):
    """The numbers of all layers; each cell stands in exactly one of them."""
    layers = np.array([np.array(layer.z, dtype=float) for layer in figure.data])
    assert (np.isfinite(layers).sum(axis=0) == 1).all()
    return np.nansum(layers, axis=0).astype(np.float32)


@pytest.mark.parametrize("trace", [sized_trace(source=3, target=5), running_example()], ids=["sized", "running"])
def test_every_cell_is_the_trace_s_weight(trace):
    np.testing.assert_array_equal(cells(weights_heatmap(trace, "light")), trace.weights.astype(np.float32))


@pytest.mark.parametrize("scheme", theme.SCHEMES)
def test_the_scale_is_fixed_from_0_to_1(scheme):
    figure = weights_heatmap(sized_trace(), scheme)
    scale = figure.layout.coloraxis
    assert (scale.cmin, scale.cmax) == (0, 1)
    assert [colour for _, colour in scale.colorscale] == list(theme.PALETTES[scheme].weights)
    assert {layer.coloraxis for layer in figure.data} == {"coloraxis"}


def test_the_axes_have_titles_and_the_first_step_is_on_top():
    figure = weights_heatmap(running_example(), "light")
    assert figure.layout.xaxis.title.text == "source tokens"
    assert figure.layout.yaxis.title.text == "target tokens"
    assert list(figure.layout.xaxis.ticktext) == ["I", "like", "cats", "a", "lot"]
    assert list(figure.layout.yaxis.ticktext) == ["我", "很", "喜", "歡", "貓"]
    assert figure.layout.yaxis.range == (4.5, -0.5)


def printed(figure):
    """For each cell the texts of both layers, one of which is empty."""
    return np.char.add(*(np.array(layer.text) for layer in figure.data))


@pytest.mark.parametrize("scheme", theme.SCHEMES)
def test_weights_are_printed_with_two_decimals_in_a_colour_that_can_be_read(scheme):
    trace = running_example()
    figure = weights_heatmap(trace, scheme)
    assert printed(figure).tolist() == [[f"{weight:.2f}" for weight in row] for row in trace.weights]
    for layer in figure.data:
        for row, texts in zip(layer.z, layer.text, strict=True):
            for weight, text in zip(row, texts, strict=True):
                assert (weight is None) == (text == "")
                assert not text or theme.contrast(layer.textfont.color, theme.weight_colour(weight, scheme)) >= 4.5


def test_a_large_map_prints_nothing_and_keeps_the_values_for_hovering():
    trace = sized_trace(source=29, target=17)
    assert trace.weights.size > PRINTED_CELLS
    figure = weights_heatmap(trace, "light")
    assert set(printed(figure).ravel()) == {""}
    assert "%{z}" in figure.data[1].hovertemplate


def test_a_cell_is_named_on_hover_by_both_of_its_tokens():
    figure = weights_heatmap(running_example(), "light")
    assert tuple(figure.data[0].customdata[1][3]) == ("很", "a")


def test_the_end_is_named_in_words():
    assert weights_heatmap(sized_trace(), "light").layout.yaxis.ticktext[-1] == "the end"


def test_html_in_a_token_is_shown_and_not_obeyed():
    trace = sized_trace(source=2, target=2)
    object.__setattr__(trace, "source_tokens", ("<b>x</b>", "&lt;"))
    figure = weights_heatmap(trace, "light")
    assert list(figure.layout.xaxis.ticktext) == ["&lt;b&gt;x&lt;/b&gt;", "&amp;lt;"]


def test_without_attention_there_is_no_map():
    with pytest.raises(TraceError, match=r"no map.*'none'"):
        weights_heatmap(sized_trace(scorer="none"), "light")
