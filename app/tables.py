"""A trace, or a search, as pandas tables: what the page shows under the player and what a spreadsheet opens.

Every number is the trace's own, unrounded. It knows no page and no file.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from attention_model import analysis
from attention_model.errors import TraceError
from attention_model.merging import MapGrid, column_label, row_label
from attention_model.search_tree import SearchTree
from attention_model.trace import END_TOKEN, DecodingTrace


def steps_table(trace: DecodingTrace) -> pd.DataFrame:
    """A row a step: the token, its probability and rank, the entropy of its weights in bits, and the sentence."""
    table = pd.DataFrame({"step": range(1, len(trace.target_tokens) + 1), "token": _target_names(trace)})
    if trace.token_probabilities is not None:
        table["probability"] = trace.token_probabilities
        table["rank"] = trace.token_ranks
    if trace.weights is not None:
        table["entropy (bits)"] = analysis.weight_entropy(trace.weights)
    table["where it looks"] = analysis.describe_trace(trace, mark="")
    return table.set_index("step")


def matrix_table(trace: DecodingTrace, name: str) -> pd.DataFrame:
    """`weights`, `computed_weights` or `scores` with a row a target token and a column a source token.

    Labels carry positions, counted from 1, because a token can occur twice. Raises TraceError when there is none.
    """
    matrix = getattr(trace, name)
    if matrix is None:
        raise TraceError(f"There are no {name}: the scorer is {trace.scorer!r}. Choose one with attention.")
    return pd.DataFrame(
        matrix,
        index=pd.Index([f"{t} {token}" for t, token in enumerate(_target_names(trace), start=1)], name="target"),
        columns=[f"{i} {token}" for i, token in enumerate(trace.source_tokens, start=1)],
    )


def grid_table(trace: DecodingTrace, grid: MapGrid) -> pd.DataFrame:
    """The weights of a merged map with a row and a column a group; labels carry positions like those of the matrix."""
    rows = [f"{number} {row_label(trace, group)}" for number, group in enumerate(grid.target_groups, start=1)]
    columns = [f"{number} {column_label(trace, group)}" for number, group in enumerate(grid.source_groups, start=1)]
    return pd.DataFrame(grid.weights, index=pd.Index(rows, name="target"), columns=columns)


def candidates_table(trace: DecodingTrace) -> pd.DataFrame:
    """A row a step and rank: the most probable next tokens with their probabilities. Empty without a vocabulary."""
    rows = [
        (t, one.rank, _name(one.token), one.probability, one.token == trace.target_tokens[t - 1])
        for t, candidates in enumerate(trace.candidates or (), start=1)
        for one in candidates
    ]
    return pd.DataFrame(rows, columns=["step", "rank", "candidate", "probability", "chosen"]).set_index("step")


def hypotheses_table(traces: Sequence[DecodingTrace]) -> pd.DataFrame:
    """A row a hypothesis of a beam search: its rank, translation, log probability a token and in all, and its steps.

    Logarithms are natural. Raises TraceError for a trace that is no hypothesis of a beam search.
    """
    for trace in traces:
        if trace.hypothesis_score is None:
            raise TraceError(f"There are no hypotheses to rank: decoding is {trace.decoding!r}. Choose beam.")
    rows = [
        (
            trace.hypothesis_rank,
            trace.translation,
            trace.hypothesis_score,
            trace.hypothesis_score * len(trace.target_tokens),
            len(trace.target_tokens),
            trace.finished,
        )
        for trace in traces
    ]
    names = ["rank", "translation", "score per token", "log probability", "steps", "finished"]
    return pd.DataFrame(rows, columns=names).set_index("rank")


def search_table(tree: SearchTree) -> pd.DataFrame:
    """A row a node of a search tree: what its figure shows, for people who read numbers or cannot see it."""
    rows = [
        (
            node.step + 1,
            " ".join(_name(tree.nodes[one].token) for one in tree.prefix(number)),
            node.state,
            node.log_prob,
            node.score,
            ", ".join(map(str, node.hypotheses)),
        )
        for number, node in enumerate(tree.nodes)
    ]
    names = ["step", "prefix", "what became of it", "log probability", "score per token", "leads to rank"]
    return pd.DataFrame(rows, columns=names).set_index("step")


def long_table(trace: DecodingTrace) -> pd.DataFrame:
    """A row a target and source position with every number of that cell: the table for a spreadsheet.

    Without attention there is a row a step, and no columns of cells.
    """
    steps = pd.DataFrame(
        {
            "step": range(1, len(trace.target_tokens) + 1),
            "target_token": trace.target_tokens,
            "probability": _or_missing(trace.token_probabilities, len(trace.target_tokens)),
            "rank": _or_missing(trace.token_ranks, len(trace.target_tokens)),
        }
    )
    if trace.weights is None:
        return steps
    cells = pd.DataFrame(
        {
            "step": np.repeat(np.arange(1, len(trace.target_tokens) + 1), len(trace.source_tokens)),
            "source_position": np.tile(np.arange(1, len(trace.source_tokens) + 1), len(trace.target_tokens)),
            "source_token": list(trace.source_tokens) * len(trace.target_tokens),
            "source_piece": list(trace.source_pieces) * len(trace.target_tokens),
            "score": trace.scores.ravel(),
            "computed_weight": trace.computed_weights.ravel(),
            "weight": trace.weights.ravel(),
        }
    )
    return steps.merge(cells, on="step")


def _target_names(trace: DecodingTrace) -> list[str]:
    return [_name(token) for token in trace.target_tokens]


def _name(token: str) -> str:
    return "the end" if token == END_TOKEN else token


def _or_missing(values: np.ndarray | tuple[int, ...] | None, length: int) -> np.ndarray | tuple[int, ...] | list[None]:
    return [None] * length if values is None else values
