"""Predict, then reveal: what a person marked as shares, and how much of it the model shares.

It knows no trace and no page.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Float, Float64

from app.answers import read_number
from attention_model.errors import AnswerError

LARGEST_SHARE = 1_000_000


def even_shares(count: int, chosen: Sequence[int]) -> Float64[np.ndarray, " word"]:
    """Equal shares for the chosen ones of `count`, 0 for the others. Raises AnswerError where nothing is chosen."""
    return stated_shares(count, dict.fromkeys(chosen, "1"))


def stated_shares(count: int, texts: Mapping[int, str]) -> Float64[np.ndarray, " word"]:
    """The shares that were typed, divided by their sum; 0 where nothing was asked for.

    texts: by position. Raises AnswerError for nothing at all, a share that is no number, below 0, or all of them 0.
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


def overlap(marked: Float[np.ndarray, " word"], true: Float[np.ndarray, " word"]) -> float:
    """Σ min(p, q): the part of two distributions that they have in common, 0 to 1."""
    return float(np.minimum(marked, true).sum())
