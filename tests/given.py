"""Calculations by hand for tests: of any size, drawn at random, with or without what follows the context."""

import dataclasses

import numpy as np

from attention_model.given import GivenStates


def drawn(source=3, target=5, d_h=7, d_s=7, k=2, d_o=11, words=13, scorer="dot", seed=0, *, output=True):
    """A calculation of random numbers."""
    random = np.random.default_rng(seed)

    def draw(*shape):
        return random.normal(size=shape)

    blank = GivenStates.blank(source, target, d_h, d_s, k)
    given = dataclasses.replace(
        blank,
        scorer=scorer,
        encoder_states=draw(source, d_h),
        decoder_states=draw(target, d_s),
        score_weight=draw(d_h, d_s),
        key_weight=draw(k, d_h),
        query_weight=draw(k, d_s),
        score_vector=draw(k),
    )
    if not output:
        return given
    return dataclasses.replace(
        given,
        output_weight=draw(d_o, d_h + d_s),
        vocabulary=(*given.target_tokens, *(f"other {number}" for number in range(words - target))),
        vocabulary_weight=draw(words, d_o),
    )
