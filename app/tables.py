"""A trace as pandas tables: what the page shows under the player and what a spreadsheet opens.

Every number is the trace's own, unrounded. It knows no page and no file.
"""

import numpy as np
import pandas as pd

from attention_model import analysis
from attention_model.errors import TraceError
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


def candidates_table(trace: DecodingTrace) -> pd.DataFrame:
    """A row a step and rank: the most probable next tokens with their probabilities. Empty without a vocabulary."""
    rows = [
        (t, one.rank, _name(one.token), one.probability, one.token == trace.target_tokens[t - 1])
        for t, candidates in enumerate(trace.candidates or (), start=1)
        for one in candidates
    ]
    return pd.DataFrame(rows, columns=["step", "rank", "candidate", "probability", "chosen"]).set_index("step")


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
