"""The scorers against the papers' formulas in plain loops, the softmax against its definition, the mask."""

import itertools
import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attention_model.attention import (
    AdditiveScorer,
    DotScorer,
    MultiplicativeScorer,
    attend,
    blend,
    make_scorer,
    softmax_weights,
)
from attention_model.config import ModelConfig
from attention_model.errors import ConfigError

BATCH, SOURCE, TARGET, D_H, D_S, K = 2, 3, 5, 7, 11, 13

quick = settings(max_examples=40)


def vectors(size):
    """States of so many components, in double precision; none so small that its square is 0."""
    return hnp.arrays(np.float64, size, elements=st.floats(-1e6, 1e6).map(lambda component: round(component, 6)))


@pytest.fixture
def states() -> tuple[torch.Tensor, torch.Tensor]:
    """Encoder and decoder states of different sizes."""
    generator = torch.Generator().manual_seed(3)
    return (
        torch.randn(BATCH, SOURCE, D_H, generator=generator),
        torch.randn(BATCH, TARGET, D_S, generator=generator),
    )


def scores_by_loops(score_of_two, encoder_states, decoder_states):
    return [
        [[score_of_two(h.tolist(), s.tolist()) for h in encoder_states[b]] for s in decoder_states[b]]
        for b in range(len(encoder_states))
    ]


def test_dot_is_the_sum_of_products(states):
    encoder_states = states[0]
    decoder_states = torch.randn(BATCH, TARGET, D_H)
    scorer = DotScorer(D_H, D_H)
    scores = scorer(decoder_states, scorer.project_keys(encoder_states))
    expected = scores_by_loops(
        lambda h, s: sum(a * b for a, b in zip(h, s, strict=True)), encoder_states, decoder_states
    )
    torch.testing.assert_close(scores, torch.tensor(expected))
    assert not list(scorer.parameters())


def test_multiplicative_is_h_w_s(states):
    encoder_states, decoder_states = states
    scorer = MultiplicativeScorer(D_H, D_S)
    torch.nn.init.normal_(scorer.score_weight)
    w = scorer.score_weight.tolist()
    scores = scorer(decoder_states, scorer.project_keys(encoder_states))

    def score_of_two(h, s):
        return sum(h[a] * w[a][b] * s[b] for a in range(D_H) for b in range(D_S))

    assert scorer.score_weight.shape == (D_H, D_S)
    torch.testing.assert_close(scores, torch.tensor(scores_by_loops(score_of_two, encoder_states, decoder_states)))


def test_multiplicative_with_the_identity_is_dot(states):
    encoder_states = states[0]
    decoder_states = torch.randn(BATCH, TARGET, D_H)
    scorer = MultiplicativeScorer(D_H, D_H)
    torch.nn.init.eye_(scorer.score_weight)
    dot = DotScorer(D_H, D_H)(decoder_states, encoder_states)
    assert torch.equal(scorer(decoder_states, scorer.project_keys(encoder_states)), dot)


def test_additive_is_v_tanh_of_the_sum(states):
    encoder_states, decoder_states = states
    scorer = AdditiveScorer(D_H, D_S, K)
    w1, w2, v = scorer.key_layer.weight.tolist(), scorer.query_layer.weight.tolist(), scorer.score_vector.tolist()
    scores = scorer(decoder_states, scorer.project_keys(encoder_states))

    def score_of_two(h, s):
        return sum(
            v[c] * math.tanh(sum(w1[c][a] * h[a] for a in range(D_H)) + sum(w2[c][b] * s[b] for b in range(D_S)))
            for c in range(K)
        )

    assert (len(w1), len(w1[0]), len(w2), len(w2[0]), len(v)) == (K, D_H, K, D_S, K)
    torch.testing.assert_close(scores, torch.tensor(scores_by_loops(score_of_two, encoder_states, decoder_states)))


def one_score(scorer, h, s):
    """The score of one pair of states, in double precision."""
    states, query = (torch.tensor(one).reshape(1, 1, -1) for one in (h, s))
    return scorer.double()(query, scorer.project_keys(states)).item()


@quick
@given(vectors(D_H), vectors(D_H), vectors(D_H), st.floats(-10, 10))
def test_dot_is_symmetric_and_linear_in_each_state(h, other, s, factor):
    scorer = DotScorer(D_H, D_H)
    rounding = 1e-9 * (1 + abs(factor)) * (1 + np.abs([h, other]).max()) * (1 + np.abs(s).max())
    assert one_score(scorer, h, s) == one_score(scorer, s, h)
    expected = factor * one_score(scorer, h, s) + one_score(scorer, other, s)
    assert one_score(scorer, factor * h + other, s) == pytest.approx(expected, abs=rounding)
    assert one_score(scorer, s, factor * h + other) == pytest.approx(expected, abs=rounding)


@quick
@given(vectors(D_H), vectors(D_S), vectors(D_H), st.integers(0, 999), st.floats(-10, 10))
def test_multiplicative_is_linear_in_each_state(h, s, other, seed, factor):
    scorer = MultiplicativeScorer(D_H, D_S)
    torch.nn.init.normal_(scorer.score_weight, generator=torch.Generator().manual_seed(seed))
    rounding = 1e-8 * (1 + abs(factor)) * (1 + np.abs([h, other]).max()) * (1 + np.abs(s).max())
    expected = factor * one_score(scorer, h, s) + one_score(scorer, other, s)
    assert one_score(scorer, factor * h + other, s) == pytest.approx(expected, abs=rounding)
    assert one_score(scorer, h, factor * s) == pytest.approx(factor * one_score(scorer, h, s), abs=rounding)


@quick
@given(vectors(D_H), vectors(D_H))
def test_a_dot_product_is_no_larger_than_both_lengths(h, s):
    bound = np.linalg.norm(h) * np.linalg.norm(s)
    assert abs(one_score(DotScorer(D_H, D_H), h, s)) <= bound * (1 + 1e-12)


@quick
@given(vectors(D_H), vectors(D_S), st.integers(0, 999))
def test_a_multiplicative_score_is_no_larger_than_the_lengths_and_the_norm_of_w(h, s, seed):
    scorer = MultiplicativeScorer(D_H, D_S)
    torch.nn.init.normal_(scorer.score_weight, generator=torch.Generator().manual_seed(seed))
    norm = np.linalg.norm(scorer.score_weight.detach().double().numpy(), ord=2)
    assert abs(one_score(scorer, h, s)) <= norm * np.linalg.norm(h) * np.linalg.norm(s) * (1 + 1e-12)


@quick
@given(vectors(D_H), vectors(D_S), st.integers(0, 999))
def test_an_additive_score_stays_within_the_sum_of_v_whatever_the_states(h, s, seed):
    scorer = AdditiveScorer(D_H, D_S, K)
    torch.nn.init.normal_(scorer.score_vector, generator=torch.Generator().manual_seed(seed))
    assert abs(one_score(scorer, h, s)) <= scorer.score_vector.detach().abs().sum().item() * (1 + 1e-12)


def test_the_bounds_are_reached_and_not_only_kept():
    h = np.arange(1.0, D_H + 1)
    assert one_score(DotScorer(D_H, D_H), h, 3 * h) == pytest.approx(3 * np.linalg.norm(h) ** 2)
    multiplicative = MultiplicativeScorer(D_H, D_H)
    assert one_score(multiplicative, h, 3 * h) == pytest.approx(3 * np.linalg.norm(h) ** 2)
    additive = AdditiveScorer(D_H, D_S, K)
    torch.nn.init.ones_(additive.key_layer.weight)
    torch.nn.init.ones_(additive.score_vector)
    assert one_score(additive, 1e3 * h, np.zeros(D_S)) == pytest.approx(K)


def test_dot_refuses_different_sizes_with_the_sizes_found():
    with pytest.raises(ConfigError, match=r"encoder state has 7, a decoder state 11.*multiplicative or additive"):
        DotScorer(D_H, D_S)


@pytest.mark.parametrize(
    ("scorer", "kind"),
    [("multiplicative", MultiplicativeScorer), ("additive", AdditiveScorer), ("none", type(None))],
)
def test_the_configuration_names_the_scorer(scorer, kind):
    config = ModelConfig(scorer=scorer, encoder_size=6, decoder_size=7)
    assert isinstance(make_scorer(config), kind)


@quick
@given(st.lists(st.floats(-1e6, 1e6, width=32), min_size=1, max_size=12), st.sampled_from([0.25, 1.0, 4.0]))
def test_softmax_is_its_definition_and_sums_to_one(row, temperature):
    weights = softmax_weights(torch.tensor([[row]]), temperature)[0, 0].tolist()
    largest = max(row)
    exponentials = [math.exp((score - largest) / temperature) for score in row]
    assert sum(weights) == pytest.approx(1, abs=1e-5)
    assert weights == pytest.approx([one / sum(exponentials) for one in exponentials], abs=1e-5)


@quick
@given(hnp.arrays(np.float64, SOURCE, elements=st.floats(-1e6, 1e6)), st.sampled_from([0.25, 1.0, 4.0]))
def test_softmax_keeps_the_order_of_the_scores(row, temperature):
    weights = softmax_weights(torch.tensor(row).reshape(1, 1, -1), temperature)[0, 0].numpy()
    for i, j in itertools.permutations(range(SOURCE), 2):
        if row[i] > row[j]:
            assert weights[i] >= weights[j]
        if row[i] == row[j]:
            assert weights[i] == weights[j]


@quick
@given(hnp.arrays(np.float64, SOURCE, elements=st.floats(-50, 50)), st.floats(-1e6, 1e6))
def test_softmax_does_not_see_what_is_added_to_every_score(row, shift):
    scores = torch.tensor(row).reshape(1, 1, -1)
    torch.testing.assert_close(softmax_weights(scores + shift), softmax_weights(scores), rtol=1e-8, atol=1e-8)


@quick
@given(st.permutations([-1.5, 0.25, 2.0]))
def test_a_low_temperature_takes_the_largest_score_and_a_high_one_makes_all_equal(row):
    scores = torch.tensor([[row]], dtype=torch.float64)
    largest = [float(score == max(row)) for score in row]
    assert softmax_weights(scores, 1e-3)[0, 0].tolist() == pytest.approx(largest, abs=1e-12)
    assert softmax_weights(scores, 1e6)[0, 0].tolist() == pytest.approx([1 / SOURCE] * SOURCE, abs=1e-5)


@pytest.mark.parametrize(
    ("kind", "precision"), [(torch.float64, 1e-15), (torch.float32, 1e-7), (torch.bfloat16, 2**-8)]
)
def test_weights_come_in_the_precision_of_the_scores(kind, precision):
    scores = torch.tensor([[[0.0, 1.0, 2.0]]], dtype=kind)
    weights = softmax_weights(scores, 0.5)
    total = sum(math.exp(2 * one) for one in range(3))
    assert weights.dtype == kind
    assert weights[0, 0].tolist() == pytest.approx([math.exp(2 * one) / total for one in range(3)], rel=precision)


def test_a_masked_position_has_the_score_minus_infinity_and_no_weight(states):
    encoder_states = states[0]
    decoder_states = torch.randn(BATCH, TARGET, D_H)
    mask = torch.tensor([[True, False, True], [True, True, False]]).unsqueeze(1)
    attention = attend(DotScorer(D_H, D_H), decoder_states, encoder_states, encoder_states, mask)
    hidden = ~mask.expand_as(attention.scores)
    assert bool((attention.scores[hidden] == -torch.inf).all())
    assert bool((attention.weights[hidden] == 0).all())
    torch.testing.assert_close(attention.weights.sum(-1), torch.ones(BATCH, TARGET))


def test_a_masked_state_cannot_change_anything(states):
    encoder_states = states[0]
    decoder_states = torch.randn(BATCH, TARGET, D_H)
    mask = torch.tensor([[True, True, False], [True, True, False]]).unsqueeze(1)
    other_states = encoder_states.clone()
    other_states[:, 2] = 1e4
    scorer = DotScorer(D_H, D_H)
    one = attend(scorer, decoder_states, encoder_states, encoder_states, mask)
    other = attend(scorer, decoder_states, other_states, other_states, mask)
    assert torch.equal(one.weights, other.weights)
    assert torch.equal(one.contexts, other.contexts)


def test_the_context_is_the_weighted_sum(states):
    encoder_states = states[0]
    weights = torch.rand(BATCH, TARGET, SOURCE)
    contexts = blend(weights, encoder_states)
    expected = [
        [
            [sum(float(weights[b, t, i]) * float(encoder_states[b, i, a]) for i in range(SOURCE)) for a in range(D_H)]
            for t in range(TARGET)
        ]
        for b in range(BATCH)
    ]
    torch.testing.assert_close(contexts, torch.tensor(expected))


def test_exercise_one():
    """h₁ = [1, 0], h₂ = [0, 1], h₃ = [1, 1], s = [2, 0]: scores 2, 0, 2."""
    encoder_states = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]])
    mask = torch.ones(1, 1, 3, dtype=torch.bool)
    attention = attend(DotScorer(2, 2), torch.tensor([[[2.0, 0.0]]]), encoder_states, encoder_states, mask)
    assert attention.scores.flatten().tolist() == [2, 0, 2]
    share = math.exp(2) / (2 * math.exp(2) + 1)
    assert attention.weights.flatten().tolist() == pytest.approx([share, 1 - 2 * share, share])
    assert attention.contexts.flatten().tolist() == pytest.approx([2 * share, 1 - share])
