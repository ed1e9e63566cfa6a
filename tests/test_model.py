"""Two routes to one number: padded and alone, stepwise and fused; and a tiny model that learns."""

from dataclasses import replace

import pytest
import torch

from attention_model.config import ModelConfig
from attention_model.data import EncodedPair, make_batch
from attention_model.model import Seq2Seq
from attention_model.tokenizer import BEGIN_ID, SPECIAL_TOKENS
from attention_model.training import loss_of

SIZES = ModelConfig(
    scorer="dot",
    embedding_size=5,
    encoder_size=14,
    decoder_size=14,
    attention_size=11,
    output_size=5,
    dropout=0.0,
)
SOURCE_VOCABULARY, TARGET_VOCABULARY = 23, 19
LONG = EncodedPair([5, 6, 7, 8, 9, 10, 11], [4, 5, 6, 7, 8])
SHORT = EncodedPair([12, 13, 14], [9, 10])
KINDS = ["dot", "multiplicative", "additive", "none"]


def tiny_model(scorer: str = "dot", **sizes: object) -> Seq2Seq:
    torch.manual_seed(7)
    return Seq2Seq(replace(SIZES, scorer=scorer, **sizes), SOURCE_VOCABULARY, TARGET_VOCABULARY).eval()


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize("scorer", KINDS)
def test_padding_changes_nothing(scorer, bidirectional):
    model = tiny_model(scorer, bidirectional=bidirectional)
    together, alone = make_batch([LONG, SHORT]), make_batch([SHORT])
    padded = model.attention_outputs(together.source_ids, together.source_mask, together.target_inputs)
    unpadded = model.attention_outputs(alone.source_ids, alone.source_mask, alone.target_inputs)
    torch.testing.assert_close(padded[1:, :3], unpadded, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("scorer", KINDS)
def test_stepwise_equals_teacher_forced(scorer):
    model = tiny_model(scorer)
    batch = make_batch([LONG])
    fused = model(batch.source_ids, batch.source_mask, batch.target_inputs, batch.target_mask)
    source = model.encode(batch.source_ids, batch.source_mask)
    state, rows = source.initial_state, []
    for t in range(batch.target_inputs.shape[1]):
        decoder_states, state = model.decoder(batch.target_inputs[:, t : t + 1], state)
        attention = model.attend(decoder_states, source)
        contexts = None if attention is None else attention.contexts
        rows.append(model.decoder.logits(model.decoder.attention_outputs(contexts, decoder_states))[0])
    torch.testing.assert_close(torch.cat(rows), fused, rtol=1e-4, atol=1e-6)


def test_only_real_target_tokens_are_predicted():
    batch = make_batch([LONG, SHORT])
    logits = tiny_model()(batch.source_ids, batch.source_mask, batch.target_inputs, batch.target_mask)
    assert logits.shape == (len(LONG.target_ids) + 1 + len(SHORT.target_ids) + 1, TARGET_VOCABULARY)


def test_without_attention_only_the_final_state_reaches_the_decoder():
    """Two sources with one final state give one prediction: with `none` there is no other way through."""
    model = tiny_model("none")
    batch = make_batch([LONG])
    source = model.encode(batch.source_ids, batch.source_mask)
    assert source.keys is None
    assert model.attend(torch.zeros(1, 1, SIZES.decoder_size), source) is None
    assert model.decoder.output_layer.in_features == SIZES.decoder_size


def test_the_added_embedding_is_part_of_the_state():
    with_embedding, without = tiny_model(add_embedding=True), tiny_model(add_embedding=False)
    without.load_state_dict(with_embedding.state_dict(), strict=False)
    batch = make_batch([LONG])
    embeddings = with_embedding.encoder.embedding(batch.source_ids)
    added = with_embedding.encoder.embedding_layer(embeddings)
    torch.testing.assert_close(
        with_embedding.encode(batch.source_ids, batch.source_mask).encoder_states,
        without.encode(batch.source_ids, batch.source_mask).encoder_states + added,
    )


def test_a_one_way_encoder_ends_in_its_last_state():
    model = tiny_model(bidirectional=False, add_embedding=False)
    batch = make_batch([LONG, SHORT])
    output = model.encoder(batch.source_ids, batch.source_mask)
    torch.testing.assert_close(output.final_encoder_state[0], output.encoder_states[0, 6])
    torch.testing.assert_close(output.final_encoder_state[1], output.encoder_states[1, 2])


def test_tied_embeddings_are_one_matrix():
    model = tiny_model()
    assert model.decoder.prediction_layer.weight is model.decoder.embedding.weight


@pytest.mark.parametrize("scorer", ["dot", "multiplicative", "additive"])
def test_a_tiny_model_learns_to_reverse_and_looks_along_the_anti_diagonal(scorer):
    generator = torch.Generator().manual_seed(5)
    length, symbols = 5, 11
    torch.manual_seed(2)
    config = ModelConfig(
        scorer=scorer,
        embedding_size=16,
        encoder_size=32,
        decoder_size=32,
        attention_size=16,
        output_size=16,
        dropout=0.0,
    )
    first = len(SPECIAL_TOKENS)
    model = Seq2Seq(config, first + symbols, first + symbols)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

    def draw(count: int) -> list[EncodedPair]:
        rows = torch.randint(first, first + symbols, (count, length), generator=generator).tolist()
        return [EncodedPair(row, row[::-1]) for row in rows]

    for _ in range(250):
        loss = loss_of(model, make_batch(draw(64)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    batch = make_batch(draw(97))
    source = model.encode(batch.source_ids, batch.source_mask)
    decoder_states, _ = model.decoder(batch.target_inputs, source.initial_state)
    logits = model(batch.source_ids, batch.source_mask, batch.target_inputs, batch.target_mask)
    assert (logits.argmax(-1) == batch.target_outputs[batch.target_mask]).float().mean() > 0.97
    looked_at = model.attend(decoder_states, source).weights[:, :length].argmax(-1)
    anti_diagonal = torch.arange(length - 1, -1, -1).expand_as(looked_at)
    assert (looked_at == anti_diagonal).float().mean() > 0.8
    assert int(batch.target_inputs[0, 0]) == BEGIN_ID
