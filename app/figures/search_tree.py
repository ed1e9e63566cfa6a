"""What a beam search did, as a tree left to right: a column a step, a node a prefix, a line to each from its parent.

It knows no page and no model: a search tree and a colour scheme go in, a figure comes out.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go

from app import theme
from app.figures.labels import shown, token_name
from attention_model.search_tree import CUT, DIED, ENDED, LIVED, STOPPED, SearchNode, SearchTree
from attention_model.trace import END_TOKEN

COLUMN_WIDTH, ROW_HEIGHT = 58, 36
"""In pixels, whatever the number of steps: a wide tree is scrolled and stays readable."""

LEAST_WIDTH = 480
LEGEND_ENTRY_WIDTH, LEGEND_LINE_HEIGHT = 190, 20
"""In pixels; by these the room for the legend is reckoned."""

MARGINS = {"l": 16, "r": 16, "t": 72, "b": 16}
"""In pixels, without the legend."""

SHAPES = {
    LIVED: ("circle", 28),
    DIED: ("diamond", 24),
    ENDED: ("square", 28),
    STOPPED: ("hexagon", 29),
    CUT: ("circle", 20),
}
"""For each state of a node its symbol, so that no state is told by colour alone, and how large it is in pixels."""

MEANINGS = {DIED: "died here", ENDED: "the end, with the rank", STOPPED: "greatest length reached"}
"""What the legend says of the symbols that are no circles."""

BECAME = {
    LIVED: "it was continued",
    DIED: "it died: none of its continuations was kept",
    ENDED: "it reached the end",
    STOPPED: "it stopped at the greatest length",
    CUT: "it was cut: others were more probable",
}

HOVER = (
    "<b>%{customdata[0]}</b><br>log probability of the last token %{customdata[1]}<br>of all tokens %{customdata[2]}"
    "<br>per token %{customdata[3]}<br>%{customdata[4]}<extra></extra>"
)


class _Look(NamedTuple):
    """How nodes look, and the lines that lead to them. colour: of lines and outlines; text: of tokens."""

    name: str
    colour: str
    fill: str
    text: str
    width: float
    dash: str


def search_tree_figure(tree: SearchTree, scheme: str, *, shows_cut: bool = False) -> go.Figure:
    """The tree of a search, with exact log probabilities on hover.

    Paths to final hypotheses are solid, the best one strong and straight along the top. Dead ends are faded and dashed,
    with a diamond where a prefix died. shows_cut: draw also the best of what was cut at each step, dotted.
    """
    numbers = [number for number, node in enumerate(tree.nodes) if shows_cut or node.state != CUT]
    rows = tree_rows(tree, numbers)
    roles = [
        (look, members)
        for name, look in _looks(scheme).items()
        if (members := [number for number in numbers if _role(tree, tree.nodes[number]) == name])
    ]
    meanings = _meanings({tree.nodes[number].state for number in numbers}, scheme)
    figure = go.Figure(
        [
            # The legend tells them from the last to the first. The best path is drawn last, to lie on top, and lines
            # are drawn under all nodes.
            *meanings,
            *(_lines(tree, members, rows, look) for look, members in reversed(roles)),
            _start(scheme),
            *(_nodes(tree, members, rows, look) for look, members in reversed(roles)),
            _ranks_of_stopped(tree, rows, scheme),
        ]
    )
    figure.update_xaxes(
        title={"text": "step", "standoff": 4},
        side="top",
        tickvals=list(range(1, tree.steps + 1)),
        range=[-0.4, tree.steps + 0.8],
        showgrid=False,
        zeroline=False,
        fixedrange=True,
    )
    lowest = max(rows.values())
    figure.update_yaxes(visible=False, range=[lowest + 0.6, -0.6], fixedrange=True)
    width = max(LEAST_WIDTH, MARGINS["l"] + MARGINS["r"] + (tree.steps + 1) * COLUMN_WIDTH)
    legend_lines = math.ceil((len(roles) + len(meanings)) / (width // LEGEND_ENTRY_WIDTH))
    top = MARGINS["t"] + legend_lines * LEGEND_LINE_HEIGHT
    figure.update_layout(
        template=theme.plotly_template(scheme),
        width=width,
        height=top + MARGINS["b"] + (lowest + 1) * ROW_HEIGHT,
        margin=MARGINS | {"t": top},
        legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "top", "yref": "container", "traceorder": "reversed"},
        hovermode="closest",
    )
    return figure


def tree_rows(tree: SearchTree, numbers: Sequence[int]) -> dict[int, int]:
    """The row of each of these nodes, from 0 at the top, so that no two lines cross and no path climbs.

    Children stand in the order of their parents; those of one parent by the best hypothesis that they lead to, then
    by probability, and what was cut last. A node is as high as its parent and the nodes above it let it be.
    """
    rows: dict[int, int] = {}

    def row_of_parent(number: int) -> int:
        parent = tree.nodes[number].parent
        return 0 if parent is None else rows[parent]

    def order(number: int) -> tuple[float, ...]:
        node = tree.nodes[number]
        best_rank = min(node.hypotheses, default=float("inf"))
        return row_of_parent(number), best_rank, node.state == CUT, -node.log_prob

    for step in range(tree.steps):
        free = 0
        for number in sorted((number for number in numbers if tree.nodes[number].step == step), key=order):
            rows[number] = max(free, row_of_parent(number))
            free = rows[number] + 1
    return rows


def _looks(scheme: str) -> dict[str, _Look]:
    """For each role, the strongest first."""
    palette = theme.PALETTES[scheme]
    on_target = theme.text_on(palette.target, scheme)
    return {
        "best": _Look("best hypothesis", palette.target, palette.target, on_target, 5, "solid"),
        "finished": _Look("other finished ones", palette.target, palette.target_soft, palette.text, 2, "solid"),
        "stopped": _Look("unfinished ones", palette.muted, palette.surface, palette.text, 2, "solid"),
        "dead": _Look("dead ends", palette.muted, palette.background, palette.muted, 1, "dash"),
        "cut": _Look("cut at once", palette.muted, palette.background, palette.muted, 0.5, "dot"),
    }


def _role(tree: SearchTree, node: SearchNode) -> str:
    if node.state == CUT:
        return "cut"
    if not node.hypotheses:
        return "dead"
    if 1 in node.hypotheses:
        return "best"
    is_finished = any(tree.nodes[tree.last_nodes[rank - 1]].state == ENDED for rank in node.hypotheses)
    return "finished" if is_finished else "stopped"


def _lines(tree: SearchTree, numbers: Sequence[int], rows: dict[int, int], look: _Look) -> go.Scatter:
    """A line from the parent of each node, or from the start, to the node."""
    x: list[int | None] = []
    y: list[int | None] = []
    for number in numbers:
        node = tree.nodes[number]
        x += [node.step, node.step + 1, None]
        y += [0 if node.parent is None else rows[node.parent], rows[number], None]
    return go.Scatter(
        x=x,
        y=y,
        mode="lines",
        name=look.name,
        line={"color": look.colour, "width": look.width, "dash": look.dash},
        legendgroup=look.name,
        hoverinfo="skip",
    )


def _nodes(tree: SearchTree, numbers: Sequence[int], rows: dict[int, int], look: _Look) -> go.Scatter:
    nodes = [tree.nodes[number] for number in numbers]
    symbols, sizes = zip(*(SHAPES[node.state] for node in nodes), strict=True)
    labels = [_label(tree, number) for number in numbers]
    return go.Scatter(
        x=[node.step + 1 for node in nodes],
        y=[rows[number] for number in numbers],
        mode="markers+text",
        text=labels,
        textfont={
            "color": look.text,
            "family": theme.font_stack(),
            "size": [16 if len(label) == 1 else 12 for label in labels],
        },
        marker={
            "symbol": symbols,
            "size": sizes,
            "color": look.fill,
            "opacity": 1,
            "line": {"color": look.colour, "width": [0 if node.state == CUT else 1.5 for node in nodes]},
        },
        customdata=[_told(tree, number) for number in numbers],
        hovertemplate=HOVER,
        name=look.name,
        legendgroup=look.name,
        showlegend=False,
    )


def _label(tree: SearchTree, number: int) -> str:
    """The token; at the end of a hypothesis its rank, for the square says already that it is the end."""
    node = tree.nodes[number]
    if node.state == ENDED:
        return f"#{node.hypotheses[0]}"
    return "end" if node.token == END_TOKEN else shown(node.token)


def _told(tree: SearchTree, number: int) -> tuple[str, float, float, float, str]:
    """What is read on hover: the prefix, three log probabilities, and what became of it."""
    node = tree.nodes[number]
    before = 0.0 if node.parent is None else tree.nodes[node.parent].log_prob
    prefix = " ".join(token_name(tree.nodes[one].token) for one in tree.prefix(number))
    ranks = ", ".join(f"#{rank}" for rank in node.hypotheses)
    leads_to = f"; on the way to {ranks}" if ranks else ""
    return prefix, node.log_prob - before, node.log_prob, node.score, BECAME[node.state] + leads_to


def _start(scheme: str) -> go.Scatter:
    """Where every path begins, before its first token."""
    return go.Scatter(
        x=[0],
        y=[0],
        mode="markers",
        marker={"symbol": "circle", "size": 10, "color": theme.PALETTES[scheme].muted},
        hovertemplate="the start, before the first token<extra></extra>",
        showlegend=False,
    )


def _ranks_of_stopped(tree: SearchTree, rows: dict[int, int], scheme: str) -> go.Scatter:
    """The ranks of unfinished hypotheses beside their last nodes, which show a token."""
    stopped = [number for number in tree.last_nodes if tree.nodes[number].state == STOPPED]
    return go.Scatter(
        x=[tree.nodes[number].step + 1.27 for number in stopped],
        y=[rows[number] for number in stopped],
        mode="text",
        text=[f"#{tree.nodes[number].hypotheses[0]}" for number in stopped],
        textposition="middle right",
        textfont={"color": theme.PALETTES[scheme].text, "size": 12},
        hoverinfo="skip",
        showlegend=False,
    )


def _meanings(states: set[str], scheme: str) -> list[go.Scatter]:
    """Entries of the legend for the symbols that occur."""
    palette = theme.PALETTES[scheme]
    return [
        go.Scatter(
            x=[None],
            y=[None],
            mode="markers",
            name=meaning,
            marker={
                "symbol": SHAPES[state][0],
                "size": 12,
                "color": palette.background,
                "line": {"color": palette.text, "width": 1.5},
            },
        )
        for state, meaning in reversed(MEANINGS.items())
        if state in states
    ]
