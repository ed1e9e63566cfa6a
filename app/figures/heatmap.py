"""The finished map as a Plotly heatmap: a row a target token or word, a column a source token or word.

Colours follow the weights on the fixed scale 0..1 unless another scale is asked for, and then the figure says so. It
knows no page: a trace and a colour scheme go in, a figure comes out.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from app import theme
from app.figures.labels import shown, token_name
from attention_model.errors import TraceError
from attention_model.merging import Groups, MapGrid, column_label, piece_groups, row_label
from attention_model.trace import DecodingTrace

ROW_HEIGHT = 44
DENSE_ROW_HEIGHT = 22
FEW_ROWS = 20
"""In pixels; up to FEW_ROWS rows are high, more of them are dense but still tell their labels apart."""

PRINTED_CELLS = 400
"""Up to so many cells the weights are printed in them; above, they are read on hover."""

RULE_LINE = 20
"""The height of a line of text under the map, in pixels."""

STANDOFF = 6
"""Between the tokens and the title of their axis, in pixels, whatever the length of the tokens."""

HOVER = "%{customdata[0]} looks at %{customdata[1]}<br>weight %{customdata[2]}<extra></extra>"

LEAST_LOGARITHMIC = 0.001
"""On the logarithmic scale this weight and every smaller one have the first colour, as in the player."""


class WeightScale(NamedTuple):
    """How colours follow weights, in words: the title of the bar, and texts at shares 0..1 of it."""

    title: str
    ticks: tuple[tuple[float, str], ...]


WEIGHT_SCALES = {
    "fixed": WeightScale("weight", ((0, "0"), (0.25, "0.25"), (0.5, "0.5"), (0.75, "0.75"), (1, "1"))),
    "row": WeightScale("weight, each row by its largest", ((0, "0"), (0.5, "half"), (1, "largest"))),
    "root": WeightScale("weight, square root", tuple((weight**0.5, str(weight)) for weight in (0, 0.1, 0.5, 1))),
    "log": WeightScale(
        f"weight, log, from {LEAST_LOGARITHMIC}",
        ((0, f"≤ {LEAST_LOGARITHMIC}"), (1 / 3, "0.01"), (2 / 3, "0.1"), (1, "1")),
    ),
}


class _Map(NamedTuple):
    """What is drawn: labels as Plotly shall show them with their axes' titles, the weights, and how they came about."""

    source: tuple[str, ...]
    source_title: str
    target: tuple[str, ...]
    target_title: str
    weights: Float[np.ndarray, "target source"]
    rule: str


def weights_heatmap(
    trace: DecodingTrace,
    scheme: str,
    *,
    grid: MapGrid | None = None,
    scale: str = "fixed",
    written: Sequence[str] | None = None,
) -> go.Figure:
    """The weights of a trace, every value exact on hover, printed with two decimals where it fits.

    grid: a merged map of this trace to draw instead; its rule is printed under it. scale: one of WEIGHT_SCALES; it
    changes colours alone. written: how each target token is written, such as with its pinyin; as it is by default.
    Raises TraceError when the trace has no weights.
    """
    drawn = _what_is_drawn(trace, grid)
    if written is not None:
        groups = grid.target_groups if grid is not None else piece_groups(len(trace.target_tokens))
        drawn = drawn._replace(target=tuple(shown(" ".join(written[first : last + 1])) for first, last in groups))
    rows, columns = drawn.weights.shape
    palette = theme.PALETTES[scheme]
    figure = go.Figure([_cells(drawn, scheme, scale, text) for text in (palette.cell_dark, palette.cell_light)])
    # Positions are numbers and tokens only their labels: a token that occurs twice keeps two columns.
    figure.update_xaxes(
        title={"text": drawn.source_title, "standoff": STANDOFF},
        side="top",
        automargin=True,
        tickvals=list(range(columns)),
        ticktext=drawn.source,
        range=[-0.5, columns - 0.5],
        tickfont={"color": palette.source},
        showgrid=False,
        zeroline=False,
    )
    figure.update_yaxes(
        title={"text": drawn.target_title, "standoff": STANDOFF},
        automargin=True,
        tickvals=list(range(rows)),
        ticktext=drawn.target,
        tickfont={"color": palette.target},
        range=[rows - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
    )
    figure.update_layout(
        template=theme.plotly_template(scheme),
        coloraxis={
            "cmin": 0,
            "cmax": 1,
            "colorscale": theme.colour_scale(palette.weights),
            "colorbar": {
                "title": {"text": WEIGHT_SCALES[scale].title, "side": "right", "font": {"size": theme.SIZES.small}},
                "tickvals": [share for share, _ in WEIGHT_SCALES[scale].ticks],
                "ticktext": [text for _, text in WEIGHT_SCALES[scale].ticks],
                "thickness": 12,
                "outlinewidth": 0,
            },
        },
        height=130 + rows * (ROW_HEIGHT if rows <= FEW_ROWS else DENSE_ROW_HEIGHT),
        margin={"l": 72, "r": 16, "t": 100, "b": 16},
    )
    if drawn.rule:
        _print_rule(figure, drawn.rule, palette.muted)
    return figure


def weight_shares(weights: Float[np.ndarray, "target source"], scale: str) -> Float[np.ndarray, "target source"]:
    """Where each weight stands on the scale of colours, 0..1; by the same formulas as in the player."""
    if scale == "row":
        return weights / weights.max(axis=1, keepdims=True)
    if scale == "root":
        return np.sqrt(weights)
    if scale == "log":
        return 1 - np.log(np.maximum(weights, LEAST_LOGARITHMIC)) / np.log(LEAST_LOGARITHMIC)
    return weights


def _what_is_drawn(trace: DecodingTrace, grid: MapGrid | None) -> _Map:
    if trace.weights is None:
        raise TraceError(f"There is no map: the scorer {trace.scorer!r} has no weights. Choose one with attention.")
    if grid is None:
        source, target = map(shown, trace.source_tokens), map(token_name, trace.target_tokens)
        return _Map(tuple(source), "source tokens", tuple(target), "target tokens", trace.weights, "")
    return _Map(
        tuple(shown(column_label(trace, group)) for group in grid.source_groups),
        _title("source tokens", grid.source_groups),
        tuple(shown(row_label(trace, group)) for group in grid.target_groups),
        _title("target tokens", grid.target_groups),
        grid.weights,
        grid.rule,
    )


def _title(name: str, groups: Groups) -> str:
    return f"{name}, joined" if any(first < last for first, last in groups) else name


def _print_rule(figure: go.Figure, rule: str, colour: str) -> None:
    """The rule under the map, a line a sentence, so that it fits a narrow screen."""
    lines = rule.replace(". ", ".<br>")
    figure.add_annotation(
        text=lines,
        font={"color": colour, "size": theme.SIZES.small},
        align="left",
        showarrow=False,
        xref="paper",
        yref="paper",
        x=0,
        y=0,
        xanchor="left",
        yanchor="top",
        yshift=-4,
    )
    room = RULE_LINE * (lines.count("<br>") + 1)
    figure.update_layout(height=figure.layout.height + room, margin_b=figure.layout.margin.b + room)


def _cells(drawn: _Map, scheme: str, scale: str, text_colour: str) -> go.Heatmap:
    """The cells on which this colour of text is read best; the others stay empty.

    Plotly gives a heatmap one colour of text and shrinks the text to the cells; so there is a heatmap a colour.
    """
    is_printed = drawn.weights.size <= PRINTED_CELLS
    shares, texts, named = [], [], []
    for above, row, row_shares in zip(drawn.target, drawn.weights, weight_shares(drawn.weights, scale), strict=True):
        is_here = [
            theme.text_on(theme.weight_colour(float(share), scheme), scheme) == text_colour for share in row_shares
        ]
        # Through text, so that a float32 such as 0.97 is not shown with the digits that float64 adds.
        shares.append([float(str(share)) if here else None for share, here in zip(row_shares, is_here, strict=True)])
        texts.append(
            [f"{weight:.2f}" if here and is_printed else "" for weight, here in zip(row, is_here, strict=True)]
        )
        named.append([(above, beside, float(str(weight))) for beside, weight in zip(drawn.source, row, strict=True)])
    return go.Heatmap(
        z=shares,
        customdata=named,
        text=texts,
        texttemplate="%{text}",
        textfont={"color": text_colour, "family": theme.font_stack()},
        coloraxis="coloraxis",
        hoverongaps=False,
        hovertemplate=HOVER,
        xgap=2,
        ygap=2,
    )
