"""Target words so far to decoder states, and decoder states with contexts to a prediction. Knows nothing of scoring."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.functional import linear

from attention_model.config import ModelConfig
from attention_model.dropout import SharedDropout
from attention_model.tokenizer import PAD_ID


def attention_outputs(
    contexts: Float[Tensor, "*steps d_h"] | None,
    decoder_states: Float[Tensor, "*steps d_s"],
    output_weight: Float[Tensor, "d_o together"],
) -> Float[Tensor, "*steps d_o"]:
    """tanh(W_out [context; s]) (Luong et al. 2015, equation 5); without attention, tanh(W_out s)."""
    together = decoder_states if contexts is None else torch.cat([contexts, decoder_states], dim=-1)
    return torch.tanh(linear(together, output_weight))


class Decoder(nn.Module):
    """A GRU over the target words, started from the encoder's final state through a bridge.

    There is no input feeding: a state depends on the words before it, never on a context. So one fused call gives the
    states of all target steps.
    """

    def __init__(self, config: ModelConfig, vocabulary_size: int) -> None:
        super().__init__()
        context_size = 0 if config.scorer == "none" else config.encoder_size
        self.embedding = nn.Embedding(vocabulary_size, config.embedding_size, padding_idx=PAD_ID)
        self.bridge = nn.Linear(config.encoder_size, config.decoder_size)
        self.gru = nn.GRU(config.embedding_size, config.decoder_size, batch_first=True)
        self.output_layer = nn.Linear(context_size + config.decoder_size, config.output_size, bias=False)
        self.prediction_layer = nn.Linear(config.output_size, vocabulary_size, bias=False)
        if config.tied_embeddings:
            nn.init.normal_(self.embedding.weight, std=config.embedding_size**-0.5)
            self.prediction_layer.weight = self.embedding.weight
        self.dropout = SharedDropout(config.dropout)

    def start(self, final_encoder_state: Float[Tensor, "batch d_h"]) -> Float[Tensor, "batch d_s"]:
        """The state before the first word: tanh of the bridge."""
        return torch.tanh(self.bridge(final_encoder_state))

    def forward(
        self, target_inputs: Int[Tensor, "batch target"], state: Float[Tensor, "batch d_s"]
    ) -> tuple[Float[Tensor, "batch target d_s"], Float[Tensor, "batch d_s"]]:
        """The states s after reading each of the target words, and the last of them."""
        states, last = self.gru(self.dropout(self.embedding(target_inputs)), state.unsqueeze(0))
        return states, last.squeeze(0)

    def attention_outputs(
        self, contexts: Float[Tensor, "batch target d_h"] | None, decoder_states: Float[Tensor, "batch target d_s"]
    ) -> Float[Tensor, "batch target d_o"]:
        """Part 4 with the decoder's own W_out; see the function of the same name."""
        return self.dropout(attention_outputs(contexts, decoder_states, self.output_layer.weight))

    def logits(self, attention_outputs: Float[Tensor, "*steps d_o"]) -> Float[Tensor, "*steps vocabulary"]:
        """V · attention_output."""
        return self.prediction_layer(attention_outputs)
