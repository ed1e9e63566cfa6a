"""The drawn tree says what the search tree says, and tells states apart by shape and dash, not by colour alone."""

import math
import re

import pytest

from app import theme
from app.figures.search_tree import HOVER, SHAPES, search_tree_figure, tree_rows
from attention_model.search_tree import CUT, DIED, ENDED, STOPPED, Extension, grow_tree
from attention_model.trace import END_TOKEN


def grown(extensions, last_nodes):
    return grow_tree([Extension(*one) for one in extensions], last_nodes)


def small_tree():
    """A beam of three: one hypothesis ends at step 2, the best at step 4, one is cut off there; two prefixes die."""
    return grown(
        [
            (None, "我", -0.25, True),  # 0
            (None, "很", -1.0, True),  # 1
            (None, "你", -2.0, True),  # 2 died
            (None, "貓", -3.0, False),  # 3 cut
            (1, "多", -1.5, True),  # 4 leads nowhere later
            (0, END_TOKEN, -1.75, True),  # 5 ended
            (0, "愛", -2.0, True),  # 6
            (0, "喜", -2.5, False),  # 7 cut
            (6, "貓", -2.25, True),  # 8
            (4, "多", -2.5, True),  # 9 died
            (6, "狗", -5.0, False),  # 10 cut
            (8, END_TOKEN, -2.375, True),  # 11 ended
            (8, "。", -2.625, True),  # 12 stopped
        ],
        [11, 12, 5],
    )


def large_tree(beam_size=10, steps=20):
    """Every path forks into two; the more probable half is kept."""
    extensions, alive = [(None, str(i), -float(i + 1), True) for i in range(beam_size)], list(range(beam_size))
    for step in range(1, steps):
        forks = sorted(
            (
                (extensions[parent][2] - 0.1 - 0.9 * i - (parent * step % 7) / 3, parent, i)
                for parent in alive
                for i in (0, 1)
            ),
            reverse=True,
        )
        first = len(extensions)
        extensions += [
            (parent, "甲乙"[i], total, place < beam_size)
            for place, (total, parent, i) in enumerate(forks[: beam_size + 3])
        ]
        alive = list(range(first, first + beam_size))
    return grown(extensions, alive)


TREES = [pytest.param(small_tree(), id="small"), pytest.param(large_tree(), id="large")]


def drawn_nodes(figure):
    """Position, label, symbol and what is told of every node that is drawn, in no order."""
    return [
        (x, y, label, symbol, told)
        for trace in figure.data
        if trace.customdata is not None
        for x, y, label, symbol, told in zip(
            trace.x, trace.y, trace.text, trace.marker.symbol, trace.customdata, strict=True
        )
    ]


def drawn_lines(figure):
    """Both ends of every line and its dash."""
    return {
        (trace.x[k], trace.y[k], trace.x[k + 1], trace.y[k + 1]): trace.line.dash
        for trace in figure.data
        if trace.mode == "lines"
        for k in range(0, len(trace.x), 3)
    }


@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("shows_cut", [False, True])
def test_every_node_is_drawn_once_with_its_numbers(tree, shows_cut):
    shown = [number for number, node in enumerate(tree.nodes) if shows_cut or node.state != CUT]
    rows = tree_rows(tree, shown)
    expected = []
    for number in shown:
        node = tree.nodes[number]
        before = 0.0 if node.parent is None else tree.nodes[node.parent].log_prob
        expected.append((node.step + 1, rows[number], node.log_prob - before, node.log_prob, node.score))
    drawn = [
        (x, y, *told[1:4]) for x, y, _, _, told in drawn_nodes(search_tree_figure(tree, "light", shows_cut=shows_cut))
    ]
    assert sorted(drawn) == sorted(expected)


@pytest.mark.parametrize("tree", TREES)
def test_a_line_leads_to_every_node_from_its_parent(tree):
    shown = range(len(tree.nodes))
    rows = tree_rows(tree, shown)
    lines = drawn_lines(search_tree_figure(tree, "light", shows_cut=True))
    parents = [tree.nodes[number].parent for number in shown]
    assert set(lines) == {
        (tree.nodes[number].step, 0 if parent is None else rows[parent], tree.nodes[number].step + 1, rows[number])
        for number, parent in zip(shown, parents, strict=True)
    }


@pytest.mark.parametrize("tree", TREES)
def test_no_two_nodes_share_a_place_no_lines_cross_and_the_best_path_is_straight_on_top(tree):
    shown = range(len(tree.nodes))
    rows = tree_rows(tree, shown)
    assert len({(tree.nodes[number].step, rows[number]) for number in shown}) == len(shown)
    assert {rows[number] for number in tree.prefix(tree.last_nodes[0])} == {0}
    for step in range(1, tree.steps):
        level = sorted((number for number in shown if tree.nodes[number].step == step), key=rows.get)
        above = [rows[tree.nodes[number].parent] for number in level]
        assert above == sorted(above)
        assert all(rows[number] >= row for number, row in zip(level, above, strict=True))


def test_states_are_told_by_shape_and_by_dash():
    tree = small_tree()
    figure = search_tree_figure(tree, "light", shows_cut=True)
    assert len({SHAPES[state][0] for state in (DIED, ENDED, STOPPED)} | {"circle"}) == 4
    rows = tree_rows(tree, range(len(tree.nodes)))
    symbols = {(x, y): symbol for x, y, _, symbol, _ in drawn_nodes(figure)}
    dashes = {line[2:]: dash for line, dash in drawn_lines(figure).items()}
    for number, node in enumerate(tree.nodes):
        place = (node.step + 1, rows[number])
        assert symbols[place] == SHAPES[node.state][0]
        assert dashes[place] == ("dot" if node.state == CUT else "solid" if node.hypotheses else "dash")


def test_the_best_path_is_the_strongest_and_lies_on_top():
    lines = [trace for trace in search_tree_figure(small_tree(), "light", shows_cut=True).data if trace.mode == "lines"]
    widths = {trace.name: trace.line.width for trace in lines}
    assert max(widths, key=widths.get) == lines[-1].name == "best hypothesis"
    assert list(lines[-1].x) == [0, 1, None, 1, 2, None, 2, 3, None, 3, 4, None]


def test_hypotheses_carry_their_rank_and_prefixes_their_token():
    figure = search_tree_figure(small_tree(), "light")
    labels = {told[0]: label for _, _, label, _, told in drawn_nodes(figure)}
    assert labels["我 愛 貓 the end"] == "#1"
    assert labels["我 the end"] == "#3"
    assert labels["我 愛 貓 。"] == "。"
    assert labels["很 多"] == "多"
    beside = next(trace for trace in figure.data if trace.mode == "text")
    assert list(beside.text) == ["#2"]


def test_what_became_of_a_prefix_is_said_on_hover():
    told = {row[0]: row[4] for *_, row in drawn_nodes(search_tree_figure(small_tree(), "light", shows_cut=True))}
    assert told["我"] == "it was continued; on the way to #1, #2, #3"
    assert told["很 多"] == "it was continued"
    assert told["你"] == "it died: none of its continuations was kept"
    assert told["貓"] == "it was cut: others were more probable"
    assert told["我 the end"] == "it reached the end; on the way to #3"
    assert "stopped at the greatest length" in told["我 愛 貓 。"]
    assert {int(number) for number in re.findall(r"customdata\[(\d)\]", HOVER)} == {0, 1, 2, 3, 4}


def test_what_was_cut_is_drawn_only_when_asked_for():
    tree = small_tree()
    cut = [node.state for node in tree.nodes].count(CUT)
    assert cut == 3
    nodes = len(drawn_nodes(search_tree_figure(tree, "light")))
    assert len(drawn_nodes(search_tree_figure(tree, "light", shows_cut=True))) == nodes + cut


def test_the_legend_names_what_occurs_and_nothing_else():
    def legend(tree, **more):
        return {trace.name for trace in search_tree_figure(tree, "light", **more).data if trace.showlegend is None}

    assert legend(grown([(None, "我", -0.5, True), (0, END_TOKEN, -0.75, True)], [1])) == {
        "best hypothesis",
        "the end, with the rank",
    }
    assert legend(small_tree(), shows_cut=True) == {
        "best hypothesis",
        "other finished ones",
        "unfinished ones",
        "dead ends",
        "cut at once",
        "died here",
        "the end, with the rank",
        "greatest length reached",
    }


@pytest.mark.parametrize("scheme", theme.SCHEMES)
def test_tokens_can_be_read_on_their_nodes(scheme):
    for trace in search_tree_figure(small_tree(), scheme, shows_cut=True).data:
        if trace.customdata is not None:
            assert theme.contrast(trace.textfont.color, trace.marker.color) >= 4.5


def test_a_wide_search_has_room_for_every_step_and_row():
    tree = large_tree()
    figure = search_tree_figure(tree, "dark", shows_cut=True)
    rows = tree_rows(tree, range(len(tree.nodes)))
    sizes = [size for trace in figure.data if trace.customdata is not None for size in trace.marker.size]
    layout = figure.layout
    a_column = (layout.width - layout.margin.l - layout.margin.r) / (layout.xaxis.range[1] - layout.xaxis.range[0])
    a_row = (layout.height - layout.margin.t - layout.margin.b) / (layout.yaxis.range[0] - layout.yaxis.range[1])
    assert min(a_column, a_row) > max(sizes)
    assert max(rows.values()) < 40
    assert list(layout.xaxis.tickvals) == list(range(1, 21))
    assert layout.xaxis.title.text == "step"
    assert math.isclose(layout.yaxis.range[0], max(rows.values()) + 0.6)


def test_html_in_a_token_is_shown_and_not_obeyed():
    tree = grown([(None, "<b>", -0.5, True), (0, END_TOKEN, -0.75, True)], [1])
    (first, last) = sorted(drawn_nodes(search_tree_figure(tree, "light")))
    assert first[2] == first[4][0] == "&lt;b&gt;"
    assert last[4][0] == "&lt;b&gt; the end"
