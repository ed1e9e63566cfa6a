"""The finished map as a Plotly heatmap: a row a target token, a column a source token, on the fixed scale 0..1.

It knows no page: a trace and a colour scheme go in, a figure comes out.
"""

import plotly.graph_objects as go

from app import theme
from attention_model.errors import TraceError
from attention_model.trace import END_TOKEN, DecodingTrace

ROW_HEIGHT = 44
DENSE_ROW_HEIGHT = 22
FEW_ROWS = 20
"""In pixels; up to FEW_ROWS rows are high, more of them are dense but still tell their labels apart."""

PRINTED_CELLS = 400
"""Up to so many cells the weights are printed in them; above, they are read on hover."""

HOVER = "%{customdata[0]} looks at %{customdata[1]}<br>weight %{z}<extra></extra>"


def weights_heatmap(trace: DecodingTrace, scheme: str) -> go.Figure:
    """The weights of a trace, every value exact on hover, printed with two decimals where it fits.

    Raises TraceError when the trace has no weights.
    """
    if trace.weights is None:
        raise TraceError(f"There is no map: the scorer {trace.scorer!r} has no weights. Choose one with attention.")
    source = [_shown(token) for token in trace.source_tokens]
    target = ["the end" if token == END_TOKEN else _shown(token) for token in trace.target_tokens]
    rows, columns = trace.weights.shape
    palette = theme.PALETTES[scheme]
    figure = go.Figure(
        [_cells(trace, source, target, scheme, text) for text in (palette.cell_dark, palette.cell_light)]
    )
    # Positions are numbers and tokens only their labels: a token that occurs twice keeps two columns.
    figure.update_xaxes(
        title="source tokens",
        side="top",
        tickvals=list(range(columns)),
        ticktext=source,
        range=[-0.5, columns - 0.5],
        tickfont={"color": palette.source},
        showgrid=False,
        zeroline=False,
    )
    figure.update_yaxes(
        title="target tokens",
        tickvals=list(range(rows)),
        ticktext=target,
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
                "title": {"text": "weight", "side": "right", "font": {"size": theme.SIZES.small}},
                "tickvals": [0, 0.25, 0.5, 0.75, 1],
                "thickness": 12,
                "outlinewidth": 0,
            },
        },
        height=130 + rows * (ROW_HEIGHT if rows <= FEW_ROWS else DENSE_ROW_HEIGHT),
        margin={"l": 72, "r": 16, "t": 100, "b": 16},
    )
    return figure


def _cells(trace: DecodingTrace, source: list[str], target: list[str], scheme: str, text_colour: str) -> go.Heatmap:
    """The cells on which this colour of text is read best; the others stay empty.

    Plotly gives a heatmap one colour of text and shrinks the text to the cells; so there is a heatmap a colour.
    """
    is_printed = trace.weights.size <= PRINTED_CELLS
    cells = [
        [
            weight if theme.text_on(theme.weight_colour(float(weight), scheme), scheme) == text_colour else None
            for weight in row
        ]
        for row in trace.weights
    ]
    return go.Heatmap(
        # Through text, so that a float32 such as 0.97 is not shown with the digits that float64 adds.
        z=[[None if weight is None else float(str(weight)) for weight in row] for row in cells],
        customdata=[[(above, beside) for beside in source] for above in target],
        text=[["" if weight is None or not is_printed else f"{weight:.2f}" for weight in row] for row in cells],
        texttemplate="%{text}",
        textfont={"color": text_colour, "family": theme.font_stack()},
        coloraxis="coloraxis",
        hoverongaps=False,
        hovertemplate=HOVER,
        xgap=2,
        ygap=2,
    )


def _shown(token: str) -> str:
    """A token as Plotly shall show it: Plotly reads a small HTML of its own, and tokens come from people."""
    return token.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
