"""States of two components as arrows in the plane: where the query points, and where the context comes to lie.

The context is a weighted mean of the encoder states, so it lies inside the triangle (or other outline) that they span.
It knows no page: a trace and a colour scheme go in, a figure comes out.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from app import theme
from app.figures.labels import shown, token_name
from attention_model.errors import TraceError
from attention_model.trace import DecodingTrace

HEIGHT = 520
"""In pixels, whatever is drawn."""

ROOM = 1.15
"""How far beyond the longest arrow the axes go."""


class OtherQuery(NamedTuple):
    """A query of another calculation over the same states, drawn quietly: its name, the query and its context."""

    name: str
    query: Float[np.ndarray, "2"]
    context: Float[np.ndarray, "2"]


def geometry_figure(
    trace: DecodingTrace, t: int, scheme: str, *, others: Sequence[OtherQuery] = (), reach: float = 0.0
) -> go.Figure:
    """The encoder states, the query of step t and its context.

    Equal units on both axes, fixed over the steps of the trace. reach: the least size that the axes must show.
    Raises TraceError unless the encoder states have two components.
    """
    if trace.encoder_states.shape[1] != 2 or trace.contexts is None:
        raise TraceError(
            f"The picture needs encoder states of two components and a context; these states have "
            f"{trace.encoder_states.shape[1]}. Choose a calculation with two."
        )
    palette = theme.PALETTES[scheme]
    weights = trace.weights[t].tolist()
    states = trace.encoder_states.tolist()
    names = [f"{shown(token)} {weight:.2f}" for token, weight in zip(trace.source_tokens, weights, strict=True)]
    data = [_outline(states, palette)]
    data += [_pull(state, trace.contexts[t], weight, palette) for state, weight in zip(states, weights, strict=True)]
    for one in others:
        data.append(_arrow(f"query of {one.name}", one.query, palette.muted, dash="dot"))
        data.append(_point(f"context of {one.name}", one.context, palette.muted, "diamond-open"))
    data += [
        _arrow(f"state of {name}", state, palette.source, label=name) for name, state in zip(names, states, strict=True)
    ]
    if trace.decoder_states.shape[1] == 2:
        asking = token_name(trace.target_tokens[t])
        data.append(_arrow(f"query of step {t + 1}, {asking}", trace.decoder_states[t], palette.target, width=4))
    data.append(_point("context", trace.contexts[t], palette.accent, "diamond"))
    figure = go.Figure(data)
    low, high = _range(trace, others, reach)
    axis = {
        "range": [low, high],
        "constrain": "domain",
        "fixedrange": True,
        "tickfont": {"size": theme.SIZES.small},
        "zerolinewidth": 2,
    }
    figure.update_xaxes(title="component 1", **axis)
    figure.update_yaxes(title="component 2", scaleanchor="x", scaleratio=1, **axis)
    figure.update_layout(
        template=theme.plotly_template(scheme),
        height=HEIGHT,
        legend={
            "orientation": "h",
            "x": 0,
            "y": 1.02,
            "yanchor": "bottom",
            "itemclick": False,
            "itemdoubleclick": False,
        },
        margin={"l": 48, "r": 16, "t": 56, "b": 48},
        uirevision="kept",
    )
    return figure


def hull(points: Sequence[Sequence[float]]) -> list[tuple[float, float]]:
    """The corners of the smallest convex outline around points, anticlockwise (Andrew's monotone chain, 1979)."""
    ordered = sorted({(float(x), float(y)) for x, y in points})
    if len(ordered) < 3:
        return ordered
    return _half(ordered)[:-1] + _half(ordered[::-1])[:-1]


def _half(ordered: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The corners on one side of an outline, from the first point to the last."""
    corners: list[tuple[float, float]] = []
    for point in ordered:
        while len(corners) > 1 and _turn(corners[-2], corners[-1], point) <= 0:
            corners.pop()
        corners.append(point)
    return corners


def _turn(one: tuple[float, float], two: tuple[float, float], three: tuple[float, float]) -> float:
    """Above 0 where the way over the three points turns left."""
    return (two[0] - one[0]) * (three[1] - one[1]) - (two[1] - one[1]) * (three[0] - one[0])


def _outline(states: Sequence[Sequence[float]], palette: theme.Palette) -> go.Scatter:
    corners = hull(states)
    closed = [*corners, corners[0]]
    return go.Scatter(
        x=[x for x, _ in closed],
        y=[y for _, y in closed],
        mode="lines",
        fill="toself",
        fillcolor=palette.source_soft,
        line={"color": palette.source, "width": 1, "dash": "dot"},
        name="outline of the states",
        showlegend=False,
        hoverinfo="skip",
    )


def _pull(state: Sequence[float], context: Float[np.ndarray, "2"], weight: float, palette: theme.Palette) -> go.Scatter:
    """A line from a state to the context, as thick as the weight is large."""
    return go.Scatter(
        x=[state[0], context[0]],
        y=[state[1], context[1]],
        mode="lines",
        line={"color": palette.accent, "width": 0.5 + 6 * weight},
        opacity=0.35,
        name="weight",
        showlegend=False,
        hoverinfo="skip",
    )


def _arrow(
    name: str,
    end: Sequence[float] | Float[np.ndarray, "2"],
    colour: str,
    *,
    label: str = "",
    width: float = 2.5,
    dash: str = "solid",
) -> go.Scatter:
    """An arrow from 0. With a label it says at its end what it is, without one the legend does."""
    x, y = float(end[0]), float(end[1])
    return go.Scatter(
        x=[0, x],
        y=[0, y],
        mode="lines+markers+text",
        line={"color": colour, "width": width, "dash": dash},
        marker={"symbol": "arrow", "size": [0, 14], "angleref": "previous", "color": colour},
        text=["", label],
        textposition=_beside(x, y),
        textfont={"color": colour, "size": theme.SIZES.small},
        cliponaxis=False,
        name=name,
        showlegend=not label,
        hovertemplate=f"{name}<br>[%{{x}}, %{{y}}]<extra></extra>",
    )


def _point(name: str, at: Float[np.ndarray, "2"], colour: str, symbol: str) -> go.Scatter:
    return go.Scatter(
        x=[float(at[0])],
        y=[float(at[1])],
        mode="markers",
        marker={"symbol": symbol, "size": 14, "color": colour},
        name=name,
        hovertemplate=f"{name}<br>[%{{x}}, %{{y}}]<extra></extra>",
    )


def _beside(x: float, y: float) -> str:
    """Where a label stands so that it is off its arrow, and off the axes."""
    if abs(y) > 2 * abs(x):
        return "top center" if y > 0 else "bottom center"
    upright = "top" if y > 0 and abs(x) <= 2 * abs(y) else "bottom"
    return f"{upright} {'right' if x >= 0 else 'left'}"


def _range(trace: DecodingTrace, others: Sequence[OtherQuery], reach: float) -> tuple[float, float]:
    """One range for both axes, so that every arrow of every step is inside and 0 too."""
    parts = [trace.encoder_states, trace.contexts, *(one.query[None] for one in others), np.array([[reach, -reach]])]
    if trace.decoder_states.shape[1] == 2:
        parts.append(trace.decoder_states)
    numbers = np.concatenate([part.ravel() for part in parts])
    largest = float(np.abs(numbers).max()) or 1.0
    low = -ROOM * largest if numbers.min() < 0 else -0.15 * largest
    return low, ROOM * largest
