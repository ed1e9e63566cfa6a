"""The scorers against the papers' formulas in plain loops, the softmax against its definition, the mask."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

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


def test_additive_scores_stay_within_the_sum_of_v(states):
    encoder_states, decoder_states = states
    scorer = AdditiveScorer(D_H, D_S, K)
    scores = scorer(1000 * decoder_states, scorer.project_keys(1000 * encoder_states))
    assert scores.abs().max() <= scorer.score_vector.abs().sum() + 1e-5


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


@given(st.lists(st.floats(-1e6, 1e6, width=32), min_size=1, max_size=12), st.sampled_from([0.25, 1.0, 4.0]))
def test_softmax_is_its_definition_and_sums_to_one(row, temperature):
    weights = softmax_weights(torch.tensor([[row]]), temperature)[0, 0].tolist()
    largest = max(row)
    exponentials = [math.exp((score - largest) / temperature) for score in row]
    assert sum(weights) == pytest.approx(1, abs=1e-5)
    assert weights == pytest.approx([one / sum(exponentials) for one in exponentials], abs=1e-5)


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
