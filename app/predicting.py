"""Predict, then reveal: what a person marked as shares, and how much of it the model shares.

It knows no trace and no page.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Float64

from app.answers import read_number
from app.progress import Guess
from attention_model.errors import AnswerError

LARGEST_SHARE = 1_000_000


def stated_shares(count: int, texts: Mapping[int, str]) -> Float64[np.ndarray, " place"]:
    """The shares that were typed, divided by their sum; 0 where nothing is marked.

    count: how many could be marked. texts: by position. Raises AnswerError for nothing at all, a share that is no
    number, below 0 or far too large, and for all of them 0.
    """
    if not texts:
        raise AnswerError("Nothing is marked yet. Mark at least one, then reveal.")
    shares = np.zeros(count)
    for position, text in texts.items():
        value = read_number(text).value
        if not 0 <= value <= LARGEST_SHARE:
            raise AnswerError(
                f"“{text.strip()}” is no share. Write a number from 0 to {LARGEST_SHARE:,}, such as 2 or 0.5."
            )
        shares[position] = value
    if not shares.any():
        raise AnswerError("All shares are 0, and one above 0 is wanted. Write how much each gets.")
    return shares / shares.sum()


def overlap(marked: Sequence[float], true: Sequence[float]) -> float:
    """Σ min(p, q): what two rows of shares have in common, 0 to 1."""
    return float(np.minimum(marked, true).sum())


def mean_overlap(guesses: Sequence[Guess]) -> float:
    """The mean overlap of at least one prediction."""
    return float(np.mean([guess.overlap for guess in guesses]))
