"""The finished map says what the trace says, on the scale 0..1 whatever the values."""

import numpy as np
import pytest

from app import theme
from app.figures.heatmap import LEAST_LOGARITHMIC, PRINTED_CELLS, WEIGHT_SCALES, weight_shares, weights_heatmap
from attention_model.chinese import segment_words
from attention_model.errors import TraceError
from attention_model.merging import END_RULE, PIECES_RULE, merge_map, piece_groups, source_word_groups
from tests.sources import ROOT
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


def hovered(figure):
    """For each cell the weight that is told on hover, which is the same in both layers."""
    told = [[[weight for _, _, weight in row] for row in layer.customdata] for layer in figure.data]
    assert told[0] == told[1]
    return np.array(told[0], dtype=np.float32)


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
    assert "%{customdata[2]}" in figure.data[1].hovertemplate
    np.testing.assert_array_equal(hovered(figure), trace.weights)


def test_a_cell_is_named_on_hover_by_both_of_its_tokens():
    figure = weights_heatmap(running_example(), "light")
    assert tuple(figure.data[0].customdata[1][3][:2]) == ("很", "a")


def test_the_end_is_named_in_words():
    assert weights_heatmap(sized_trace(), "light").layout.yaxis.ticktext[-1] == "the end"


def test_html_in_a_token_is_shown_and_not_obeyed():
    trace = sized_trace(source=2, target=2)
    object.__setattr__(trace, "source_tokens", ("<b>x</b>", "&lt;"))
    figure = weights_heatmap(trace, "light")
    assert list(figure.layout.xaxis.ticktext) == ["&lt;b&gt;x&lt;/b&gt;", "&amp;lt;"]


def merged_running_example():
    trace = running_example()
    return trace, merge_map(trace, source_groups=piece_groups(5), target_groups=segment_words(trace.target_tokens))


def test_a_merged_map_is_drawn_from_its_own_labels_and_weights():
    trace, grid = merged_running_example()
    figure = weights_heatmap(trace, "light", grid=grid)
    assert list(figure.layout.yaxis.ticktext) == ["我", "很", "喜歡", "貓"]
    assert list(figure.layout.xaxis.ticktext) == ["I", "like", "cats", "a", "lot"]
    assert figure.layout.yaxis.range == (3.5, -0.5)
    assert figure.layout.xaxis.title.text == "source tokens"
    assert figure.layout.yaxis.title.text == "target tokens, joined"
    np.testing.assert_array_equal(cells(figure), grid.weights.astype(np.float32))
    np.testing.assert_array_equal(hovered(figure), grid.weights.astype(np.float32))
    assert printed(figure).tolist() == [[f"{weight:.2f}" for weight in row] for row in grid.weights]
    assert tuple(figure.data[0].customdata[2][1][:2]) == ("喜歡", "like")


def test_source_words_of_a_merged_map_are_what_was_typed():
    trace = sized_trace(source=5, target=3)
    grid = merge_map(trace, source_groups=source_word_groups(trace), target_groups=piece_groups(3))
    figure = weights_heatmap(trace, "light", grid=grid)
    assert list(figure.layout.xaxis.ticktext) == trace.source_text.split()
    assert figure.layout.yaxis.ticktext[-1] == "the end"


def test_the_rule_of_a_merged_map_stands_under_it_in_room_of_its_own():
    trace = sized_trace(source=5, target=3)
    grid = merge_map(trace, source_groups=source_word_groups(trace), target_groups=piece_groups(3), end_row=False)
    figure = weights_heatmap(trace, "light", grid=grid)
    (rule,) = figure.layout.annotations
    assert rule.text == f"{PIECES_RULE}<br>{END_RULE}"
    assert (rule.y, rule.yref, rule.yanchor) == (0, "paper", "top")
    plain = weights_heatmap(trace, "light")
    assert plain.layout.annotations == ()
    assert figure.layout.margin.b >= plain.layout.margin.b + 2 * rule.font.size
    inside = [one.layout.height - one.layout.margin.t - one.layout.margin.b for one in (figure, plain)]
    assert inside[0] == inside[1] - 44  # a row less, and each row as high as before


def test_html_in_a_typed_word_is_shown_and_not_obeyed_in_a_merged_map():
    trace = sized_trace(source=3, target=3)
    object.__setattr__(trace, "source_text", "<i>" + trace.source_text[3:])
    grid = merge_map(trace, source_groups=((0, 2),), target_groups=piece_groups(3))
    (label,) = weights_heatmap(trace, "light", grid=grid).layout.xaxis.ticktext
    assert label.startswith("&lt;i&gt;")


@pytest.mark.parametrize("scale", WEIGHT_SCALES)
def test_a_scale_changes_colours_and_no_number(scale):
    trace = sized_trace(source=3, target=5)
    figure = weights_heatmap(trace, "light", scale=scale)
    np.testing.assert_array_equal(hovered(figure), trace.weights)
    assert printed(figure).tolist() == [[f"{weight:.2f}" for weight in row] for row in trace.weights]
    np.testing.assert_allclose(cells(figure), weight_shares(trace.weights, scale), rtol=1e-6)
    bar = figure.layout.coloraxis.colorbar
    assert bar.title.text == WEIGHT_SCALES[scale].title
    assert (figure.layout.coloraxis.cmin, figure.layout.coloraxis.cmax) == (0, 1)


def test_every_scale_is_named_and_the_fixed_one_is_the_default():
    titles = [scale.title for scale in WEIGHT_SCALES.values()]
    assert len(set(titles)) == len(titles) == 4
    assert weights_heatmap(sized_trace(), "light") == weights_heatmap(sized_trace(), "light", scale="fixed")


def test_shares_of_the_scales_by_their_formulas():
    weights = np.array([[0.0, 0.2, 0.8], [0.25, 0.25, 0.5]])
    np.testing.assert_array_equal(weight_shares(weights, "fixed"), weights)
    np.testing.assert_allclose(weight_shares(weights, "row"), [[0, 0.25, 1], [0.5, 0.5, 1]])
    np.testing.assert_allclose(weight_shares(weights, "root")[1], [0.5, 0.5, 0.5**0.5])
    decades = np.array([[1e-5, 0.001, 0.01, 0.1, 1.0]])
    np.testing.assert_allclose(weight_shares(decades, "log"), [[0, 0, 1 / 3, 2 / 3, 1]], atol=1e-12)


@pytest.mark.parametrize("scale", ["fixed", "root", "log"])
def test_a_tick_of_the_bar_stands_at_the_colour_of_its_weight(scale):
    for share, text in WEIGHT_SCALES[scale].ticks:
        weight = float(text.removeprefix("≤ "))
        assert weight_shares(np.array([[weight]]), scale)[0, 0] == pytest.approx(share)


def test_the_logarithmic_scale_begins_where_the_player_s_does():
    source = (ROOT / "app/components/player/colours.js").read_text(encoding="utf-8")
    assert f"LEAST_LOGARITHMIC = {LEAST_LOGARITHMIC};" in source


def test_without_attention_there_is_no_map():
    with pytest.raises(TraceError, match=r"no map.*'none'"):
        weights_heatmap(sized_trace(scorer="none"), "light")


def test_rows_are_written_as_asked():
    trace = running_example()
    written = [f"{token}!" for token in trace.target_tokens]
    assert weights_heatmap(trace, "light", written=written).layout.yaxis.ticktext == ("我!", "很!", "喜!", "歡!", "貓!")
