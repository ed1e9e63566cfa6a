"""The three scoring functions, the softmax under a mask, and the blend.

Knows states and masks; knows nothing of words, encoders or decoders.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from attention_model.config import ModelConfig
from attention_model.errors import ConfigError


class Attention(NamedTuple):
    """What attending gives, for every target step at once.

    scores: any real number, -inf where masked. weights: softmax over the source. contexts: weighted sums of states.
    """

    scores: Float[Tensor, "batch target source"]
    weights: Float[Tensor, "batch target source"]
    contexts: Float[Tensor, "batch target d_h"]


class DotScorer(nn.Module):
    """score = h·s (Luong et al. 2015, equation 8, "dot"). No parameters; h and s must be of one size."""

    def __init__(self, encoder_size: int, decoder_size: int) -> None:
        super().__init__()
        if encoder_size != decoder_size:
            raise ConfigError(
                f"A dot product needs equally many components: an encoder state has {encoder_size}, a decoder state "
                f"{decoder_size}. Make them equal, or choose the multiplicative or additive scorer."
            )

    def project_keys(self, encoder_states: Float[Tensor, "batch source d_h"]) -> Float[Tensor, "batch source d_h"]:
        """The states themselves: a dot product projects nothing."""
        return encoder_states

    def forward(
        self, decoder_states: Float[Tensor, "batch target d_s"], keys: Float[Tensor, "batch source d_s"]
    ) -> Float[Tensor, "batch target source"]:
        """The scores of every state against every key."""
        return torch.bmm(decoder_states, keys.transpose(1, 2))


class MultiplicativeScorer(nn.Module):
    """score = hᵀ W s (Luong et al. 2015, equation 8, "general"). `score_weight` is W, d_h × d_s.

    W begins as the identity (ones on the diagonal where sizes differ), so that training starts from the dot product.
    """

    def __init__(self, encoder_size: int, decoder_size: int) -> None:
        super().__init__()
        self.score_weight = nn.Parameter(torch.empty(encoder_size, decoder_size))
        nn.init.eye_(self.score_weight)

    def project_keys(self, encoder_states: Float[Tensor, "batch source d_h"]) -> Float[Tensor, "batch source d_s"]:
        """Wᵀh, once a sentence."""
        return encoder_states @ self.score_weight

    def forward(
        self, decoder_states: Float[Tensor, "batch target d_s"], keys: Float[Tensor, "batch source d_s"]
    ) -> Float[Tensor, "batch target source"]:
        """The scores of every state against every key."""
        return torch.bmm(decoder_states, keys.transpose(1, 2))


class AdditiveScorer(nn.Module):
    """score = vᵀ tanh(W₁h + W₂s) (Bahdanau et al. 2015, appendix A.1.2, asked with the current s_t).

    `key_layer` is W₁ (k × d_h), `query_layer` W₂ (k × d_s), `score_vector` v (k).
    """

    def __init__(self, encoder_size: int, decoder_size: int, attention_size: int) -> None:
        super().__init__()
        self.key_layer = nn.Linear(encoder_size, attention_size, bias=False)
        self.query_layer = nn.Linear(decoder_size, attention_size, bias=False)
        self.score_vector = nn.Parameter(torch.empty(attention_size).uniform_(-1, 1) / attention_size**0.5)

    def project_keys(self, encoder_states: Float[Tensor, "batch source d_h"]) -> Float[Tensor, "batch source k"]:
        """W₁h, once a sentence."""
        return self.key_layer(encoder_states)

    def forward(
        self, decoder_states: Float[Tensor, "batch target d_s"], keys: Float[Tensor, "batch source k"]
    ) -> Float[Tensor, "batch target source"]:
        """The scores of every state against every key."""
        hidden = torch.tanh(self.query_layer(decoder_states).unsqueeze(2) + keys.unsqueeze(1))
        return hidden @ self.score_vector.to(hidden.dtype)


Scorer = DotScorer | MultiplicativeScorer | AdditiveScorer


def make_scorer(config: ModelConfig) -> Scorer | None:
    """The scorer that the configuration names; None for `none`."""
    match config.scorer:
        case "dot":
            return DotScorer(config.encoder_size, config.decoder_size)
        case "multiplicative":
            return MultiplicativeScorer(config.encoder_size, config.decoder_size)
        case "additive":
            return AdditiveScorer(config.encoder_size, config.decoder_size, config.attention_size)
        case _:
            return None


def softmax_weights(
    scores: Float[Tensor, "batch target source"], temperature: float = 1.0
) -> Float[Tensor, "batch target source"]:
    """exp(score_i / temperature) / Σ exp(score_k / temperature); a score of -inf gets the weight 0.

    Half precision is raised to single for the sum; single and double are kept.
    """
    exact = scores if scores.dtype == torch.float64 else scores.float()
    return torch.softmax(exact / temperature, dim=-1).to(scores.dtype)


def blend(
    weights: Float[Tensor, "batch target source"], encoder_states: Float[Tensor, "batch source d_h"]
) -> Float[Tensor, "batch target d_h"]:
    """Σ weights_i · h_i, for every target step."""
    return torch.bmm(weights, encoder_states)


def attend(
    scorer: Scorer,
    decoder_states: Float[Tensor, "batch target d_s"],
    keys: Float[Tensor, "batch source feature"],
    encoder_states: Float[Tensor, "batch source d_h"],
    attention_mask: Bool[Tensor, "batch target source"] | Bool[Tensor, "batch 1 source"],
    temperature: float = 1.0,
    replaced_scores: Sequence[tuple[int, int, float]] = (),
) -> Attention:
    """Score, softmax, blend, for all target steps in one batched product.

    attention_mask: True where a step may look; each row needs at least one True.
    replaced_scores: (target step, source position, score): these stand in the place of the computed scores.
    """
    scores = scorer(decoder_states, keys)
    for step, position, score in replaced_scores:
        scores[:, step, position] = score
    scores = scores.masked_fill(~attention_mask, -torch.inf)
    weights = softmax_weights(scores, temperature)
    return Attention(scores, weights, blend(weights, encoder_states))
