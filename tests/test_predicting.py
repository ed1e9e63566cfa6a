"""Marks become shares, and the overlap of two rows of shares is what they have in common."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.predicting import mean_overlap, overlap, stated_shares
from app.progress import WEIGHTS_HIDDEN, Guess
from attention_model.errors import AnswerError

SHARES = st.lists(st.floats(0, 1), min_size=5, max_size=5).filter(lambda row: sum(row) > 0.01)


@given(SHARES, SHARES)
def test_the_overlap_is_one_minus_half_of_the_differences(one, other):
    p, q = (np.array(row) / sum(row) for row in (one, other))
    assert overlap(p, q) == pytest.approx(1 - np.abs(p - q).sum() / 2)
    assert overlap(p, p) == pytest.approx(1)


def test_without_a_common_word_the_overlap_is_0():
    assert overlap([0.5, 0.5, 0], [0, 0, 1]) == 0


@pytest.mark.parametrize(
    ("texts", "shares"),
    [
        ({1: "1"}, [0, 1, 0]),
        ({0: "1", 2: "1"}, [0.5, 0, 0.5]),
        ({0: "3", 1: "1"}, [0.75, 0.25, 0]),
        ({0: "0,5", 1: "1/4", 2: "0.25"}, [0.5, 0.25, 0.25]),
        ({0: "0", 1: "7"}, [0, 1, 0]),
    ],
)
def test_what_is_marked_becomes_shares_of_1(texts, shares):
    assert stated_shares(3, texts).tolist() == pytest.approx(shares)


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({}, "Nothing is marked yet"),
        ({0: "", 1: "1"}, "Nothing is typed here yet"),
        ({0: "much"}, "“much” is not a number"),
        ({0: "-1"}, "“-1” is no share"),
        ({0: "1e9"}, "is no share"),
        ({0: "0"}, "All shares are 0"),
    ],
)
def test_marks_that_say_nothing_get_a_sentence(texts, said):
    with pytest.raises(AnswerError) as mistake:
        stated_shares(3, texts)
    assert said in str(mistake.value)


def test_the_mean_is_that_of_all_predictions():
    guesses = [Guess("a", "dot", WEIGHTS_HIDDEN, step, value) for step, value in enumerate((0.25, 0.75, 0.5))]
    assert mean_overlap(guesses) == pytest.approx(0.5)
