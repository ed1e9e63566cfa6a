"""Encoder, decoder and scorer wired into one translator; the forward pass of training. Knows nothing of text."""

from typing import NamedTuple

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attention_model.attention import Attention, attend, make_scorer
from attention_model.config import ModelConfig
from attention_model.decoder import Decoder
from attention_model.encoder import Encoder


class EncodedSource(NamedTuple):
    """A source read once: all that decoding needs of it. `keys` is None without attention."""

    encoder_states: Float[Tensor, "batch source d_h"]
    keys: Float[Tensor, "batch source feature"] | None
    source_mask: Bool[Tensor, "batch source"]
    initial_state: Float[Tensor, "batch d_s"]


class Seq2Seq(nn.Module):
    """An attention translator (Luong's order: the current decoder state asks)."""

    def __init__(self, config: ModelConfig, source_vocabulary_size: int, target_vocabulary_size: int) -> None:
        super().__init__()
        self.config = config
        self.encoder = Encoder(config, source_vocabulary_size)
        self.decoder = Decoder(config, target_vocabulary_size)
        self.scorer = make_scorer(config)

    def encode(
        self, source_ids: Int[Tensor, "batch source"], source_mask: Bool[Tensor, "batch source"]
    ) -> EncodedSource:
        """Read the source, project the keys and start the decoder, once a sentence."""
        encoder_states, final_encoder_state = self.encoder(source_ids, source_mask)
        keys = None if self.scorer is None else self.scorer.project_keys(encoder_states)
        return EncodedSource(encoder_states, keys, source_mask, self.decoder.start(final_encoder_state))

    def attend(
        self,
        decoder_states: Float[Tensor, "batch target d_s"],
        source: EncodedSource,
        attention_mask: Bool[Tensor, "batch target source"] | None = None,
        temperature: float = 1.0,
    ) -> Attention | None:
        """Parts 1 to 3 for all target steps at once; None without attention. Padding is always masked."""
        if self.scorer is None:
            return None
        mask = source.source_mask.unsqueeze(1)
        if attention_mask is not None:
            mask = mask & attention_mask
        return attend(self.scorer, decoder_states, source.keys, source.encoder_states, mask, temperature)

    def attention_outputs(
        self,
        source_ids: Int[Tensor, "batch source"],
        source_mask: Bool[Tensor, "batch source"],
        target_inputs: Int[Tensor, "batch target"],
    ) -> Float[Tensor, "batch target d_o"]:
        """Teacher forcing up to part 4: every target step in one fused decoder call and one batched attention."""
        source = self.encode(source_ids, source_mask)
        decoder_states, _ = self.decoder(target_inputs, source.initial_state)
        attention = self.attend(decoder_states, source)
        return self.decoder.attention_outputs(None if attention is None else attention.contexts, decoder_states)

    def forward(
        self,
        source_ids: Int[Tensor, "batch source"],
        source_mask: Bool[Tensor, "batch source"],
        target_inputs: Int[Tensor, "batch target"],
        target_mask: Bool[Tensor, "batch target"],
    ) -> Float[Tensor, "real_tokens vocabulary"]:
        """Teacher forcing: the logits of the real target tokens, row by row; padding is never projected."""
        return self.decoder.logits(self.attention_outputs(source_ids, source_mask, target_inputs)[target_mask])
