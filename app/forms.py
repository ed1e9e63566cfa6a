"""What stands under the player: the trace as words, as a finished map, as tables, as files, and the search behind it.

It draws what it is given and decodes nothing.
"""

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from app import exports
from app.changing import PLAYER
from app.components.chinese_reading import plain_tokens, written_tokens
from app.components.notes import sentence_list
from app.components.plot_picture import plot_picture
from app.components.scheme import colour_scheme
from app.components.standalone import standalone_html
from app.components.step_player import PlayerPosition, player_position
from app.components.text import plain, prose
from app.figures.heatmap import weights_heatmap
from app.figures.search_tree import search_tree_figure
from app.guard import guarded
from app.handout import handout_html
from app.viewing import Viewing, player_view
from attention_model.analysis import ALIGNMENT_THRESHOLD
from attention_model.merging import MapGrid
from attention_model.search_tree import SearchTree, describe_search
from attention_model.trace import END_TOKEN, DecodingTrace

TABS = ("In words", "Finished map", "Tables", "Take it home", "How to read this")
SEARCH_TAB = "Search"
LINKS_BY = {"largest of a row": "largest", "all above": "threshold"}
"""What the page calls each rule for hard links, and what `exports.pharaoh` calls it."""

TABLES = ("Weights", "Scores", "Steps", "Next words")

NOT_OF_PLOTS = ("select2d", "lasso2d", "toImage")
"""Plotly's buttons that do nothing here, and its picture, whose Chinese would be left to the fonts of the machine."""


class Shown(NamedTuple):
    """What there is to show: a trace and its rivals, the player's data, how it is seen, the search that found it.

    start: where the player stands until the visitor moves it.
    """

    trace: DecodingTrace
    traces: tuple[DecodingTrace, ...]
    payload: bytes
    viewing: Viewing
    grid: MapGrid | None
    tree: SearchTree | None
    start: PlayerPosition


@st.fragment
@guarded
def forms(shown: Shown) -> None:
    """The same numbers in other forms; only the open tab is drawn."""
    names = TABS if shown.tree is None else (SEARCH_TAB, *TABS)
    tabs = st.tabs(names, key="form", on_change="rerun")
    drawings = {
        SEARCH_TAB: _search,
        "In words": _in_words,
        "Finished map": _map,
        "Tables": _tables,
        "Take it home": _downloads,
        "How to read this": _how_to_read,
    }
    for name, tab in zip(names, tabs, strict=True):
        if tab.open:
            with tab:
                drawings[name](shown)


def _search(shown: Shown) -> None:
    """Every hypothesis and the tree of prefixes from which they came."""
    from app import tables  # pandas takes longer to import than all the rest, and the first page needs none of it

    st.dataframe(tables.hypotheses_table(shown.traces), key="hypotheses", alt="The hypotheses with their scores")
    st.markdown(plain(describe_search(shown.tree)))
    shows_cut = st.toggle(
        "Show what was cut too", key="shows_cut", help="The most probable of the continuations that were not kept."
    )
    best = shown.traces[0]
    plot_picture("search_tree", best, what="Search tree", stem=exports.file_name(best, "search-tree"))
    figure = search_tree_figure(shown.tree, colour_scheme("search_scheme"), shows_cut=shows_cut)
    # A tree keeps its size and scrolls in its frame; Streamlit alone would shrink it to the screen of a phone.
    with st.container(key="search_frame"), st.container(key="search_canvas", width=int(figure.layout.width)):
        st.plotly_chart(
            figure,
            theme=None,
            key="search_tree",
            config={"displaylogo": False, "modeBarButtonsToRemove": NOT_OF_PLOTS},
            alt="The prefixes that the beam search kept, a column a step. The table under it says the same.",
        )
    with st.expander("The tree as a table"):
        st.dataframe(tables.search_table(shown.tree), key="search_nodes", alt="Every prefix and what became of it")


def _in_words(shown: Shown) -> None:
    st.html(sentence_list(shown.trace, _written(shown)))


def _written(shown: Shown) -> tuple[str, ...] | None:
    """Each target token as HTML where help with Chinese is asked for, else None."""
    if not shown.viewing.reads_characters:
        return None
    return written_tokens(shown.trace.target_tokens, pinyin=shown.viewing.pinyin, simplified=shown.viewing.simplified)


def _plain(shown: Shown) -> tuple[str, ...]:
    """Each target token as plain text with the help with Chinese that is asked for."""
    return plain_tokens(shown.trace.target_tokens, pinyin=shown.viewing.pinyin, simplified=shown.viewing.simplified)


def _how_to_read(_: Shown) -> None:
    st.markdown(prose("translate")["how to read"])


def _map(shown: Shown) -> None:
    trace = shown.trace
    if trace.weights is None:
        st.markdown(prose("translate")["without attention"])
        return
    plot_picture("map", trace, what="Attention weights", stem=exports.file_name(trace, "finished-map"))
    st.plotly_chart(
        weights_heatmap(
            trace,
            colour_scheme("scheme"),
            grid=shown.grid,
            scale=shown.viewing.scale,
            written=_plain(shown) if shown.viewing.reads_characters else None,
        ),
        theme=None,
        key="map",
        config={"displaylogo": False, "displayModeBar": True, "modeBarButtonsToRemove": NOT_OF_PLOTS},
        alt="The map of weights: a row a target token, a column a source token. The tab In words says it in sentences.",
    )


def _tables(shown: Shown) -> None:
    from app import tables  # as above

    trace = shown.trace
    offered = TABLES if trace.weights is not None else TABLES[2:]
    if shown.grid is not None:
        offered = ("Merged map", *offered)
    chosen = st.segmented_control(
        "Table", offered, default=offered[0], required=True, key="table", label_visibility="collapsed"
    )
    if chosen == "Merged map":
        table = tables.grid_table(trace, shown.grid)
        st.caption(shown.grid.rule)
    elif chosen in ("Weights", "Scores"):
        table = tables.matrix_table(trace, chosen.lower())
    elif chosen == "Steps":
        table = tables.steps_table(trace)
        if shown.viewing.reads_characters:
            table.insert(1, "read", _plain(shown))
    else:
        table = tables.candidates_table(trace)
    exact = {name: st.column_config.NumberColumn(format="%.9g") for name in table.select_dtypes("floating")}
    st.dataframe(table, key="numbers", column_config=exact, alt=f"{chosen} of every step, unrounded")


def _downloads(shown: Shown) -> None:
    """Files: the page as one file, the numbers, and the hard alignment."""
    trace = shown.trace
    # Read now: a file is made outside of the session, where nobody knows the player's place.
    position = player_position(PLAYER) or shown.start
    st.markdown(prose("translate")["take home"])
    with st.container(horizontal=True):
        _file(
            "This player as one page", lambda: _page(shown, position), (trace, "html"), "text/html", "html", "slideshow"
        )
        _file("Numbers as CSV", lambda: exports.trace_csv(trace), (trace, "csv"), "text/csv", "csv", "table")
        _file(
            "Trace as JSON",
            lambda: exports.trace_json(trace),
            (trace, "json"),
            "application/json",
            "json",
            "data_object",
        )
    if trace.weights is not None:
        _handout(trace, position.step)
        _links(shown)


def _handout(trace: DecodingTrace, current: int) -> None:
    """A sheet of paper about the step that the visitor chooses; the player's at first."""
    st.markdown(prose("translate")["handout"])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        t = st.selectbox(
            "Step of the exercise",
            range(len(trace.target_tokens)),
            current,
            format_func=lambda t: f"{t + 1}  {_token_name(trace.target_tokens[t])}",
            key="handout_step",
            width=180,
        )
        _file("Class handout", lambda: handout_html(trace, t), (trace, "handout.html"), "text/html", "handout", "print")


def _links(shown: Shown) -> None:
    """The hard alignment by the rule that the visitor chooses, to be seen and to be saved."""
    st.markdown(prose("translate")["hard alignment"])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        rule = LINKS_BY[
            st.segmented_control("Links", tuple(LINKS_BY), default="largest of a row", required=True, key="links")
        ]
        threshold = st.slider("at least this weight", 0.0, 1.0, ALIGNMENT_THRESHOLD, 0.01, key="threshold", width=260)
    links = exports.pharaoh(shown.trace, grid=shown.grid, rule=rule, threshold=threshold)
    st.code(links.decode("ascii").strip() or "no link", language=None, wrap_lines=True)
    st.caption(exports.pharaoh_numbering(shown.trace, shown.grid))
    _file("Links as text", lambda: links, (shown.trace, "align"), "text/plain", "pharaoh", "link")


def _token_name(token: str) -> str:
    return "the end" if token == END_TOKEN else token


def _page(shown: Shown, position: PlayerPosition) -> str:
    """The player with this trace, at this place, as one HTML file."""
    return standalone_html(
        shown.payload,
        title=f"{shown.trace.source_text or 'Attention'} → {shown.trace.translation}",
        step=position.step,
        part=position.part,
        view=player_view(shown.trace, shown.viewing, shown.grid),
    )


def _file(
    label: str, data: Callable[[], bytes | str], name: tuple[DecodingTrace, str], kind: str, key: str, icon: str
) -> None:
    """A button that saves a file. data: makes it when pressed. name: of which trace, with which ending."""
    st.download_button(
        label,
        data,
        exports.file_name(*name),
        kind,
        key=key,
        on_click="ignore",
        icon=f":material/{icon}:",
    )
