"""Source words to encoder states: a GRU whose states are all kept. Knows nothing of attention."""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from attention_model.config import ModelConfig
from attention_model.dropout import SharedDropout
from attention_model.tokenizer import PAD_ID


class EncoderReading(NamedTuple):
    """encoder_states: h, one a source token, 0 on padding. final_encoder_state: what starts the decoder."""

    encoder_states: Float[Tensor, "batch source d_h"]
    final_encoder_state: Float[Tensor, "batch d_h"]


class Encoder(nn.Module):
    """A GRU (Cho et al. 2014), bidirectional if so configured.

    With `add_embedding` the word's embedding, projected where sizes differ, is added to its state; the sum is h_i.
    """

    def __init__(self, config: ModelConfig, vocabulary_size: int) -> None:
        super().__init__()
        directions = 2 if config.bidirectional else 1
        self.embedding = nn.Embedding(vocabulary_size, config.embedding_size, padding_idx=PAD_ID)
        nn.init.normal_(self.embedding.weight, std=config.embedding_size**-0.5)
        self.gru = nn.GRU(
            config.embedding_size,
            config.encoder_size // directions,
            batch_first=True,
            bidirectional=config.bidirectional,
        )
        self.embedding_layer = _embedding_layer(config) if config.add_embedding else None
        self.dropout = SharedDropout(config.dropout)

    def forward(
        self, source_ids: Int[Tensor, "batch source"], source_mask: Bool[Tensor, "batch source"]
    ) -> EncoderReading:
        """Read whole sentences. Padding changes nothing: each sentence is read as if it stood alone."""
        embeddings = self.dropout(self.embedding(source_ids))
        states, final_states = self._read(embeddings, source_mask)
        if self.embedding_layer is not None:
            states = states + self.embedding_layer(embeddings)
        states = self.dropout(states) * source_mask.unsqueeze(-1).to(states.dtype)
        return EncoderReading(states, torch.cat(list(final_states), dim=-1))

    def _read(
        self, embeddings: Float[Tensor, "batch source embedding"], source_mask: Bool[Tensor, "batch source"]
    ) -> tuple[Tensor, Tensor]:
        """The GRU's states and its last state in each direction, padding left out of both."""
        if bool(source_mask.all()):
            return self.gru(embeddings)
        packed = pack_padded_sequence(embeddings, source_mask.sum(1).cpu(), batch_first=True, enforce_sorted=False)
        packed_states, final_states = self.gru(packed)
        states, _ = pad_packed_sequence(packed_states, batch_first=True, total_length=source_mask.shape[1])
        return states, final_states


def _embedding_layer(config: ModelConfig) -> nn.Module:
    if config.embedding_size == config.encoder_size:
        return nn.Identity()
    return nn.Linear(config.embedding_size, config.encoder_size, bias=False)
