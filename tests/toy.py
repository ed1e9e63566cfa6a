"""Traces made by hand for tests: the running example by small whole numbers, and consistent ones of any size.

Nothing here comes from a trained model, and nothing here needs torch.
"""

import re

import numpy as np

from attention_model.trace import (
    END_TOKEN,
    UNKNOWN_PIECE,
    Candidate,
    DecodingTrace,
    Intervention,
)

RUNNING_TEXT = "I like cats a lot."
RUNNING_WORDS = ("I", "like", "cats", "a", "lot")
RUNNING_TARGET = ("我", "很", "喜", "歡", "貓")

# The four components stand for the person, the liking, the amount and the animal.
RUNNING_ENCODER_STATES = np.array(
    [
        [2, 0, -1, 0],  # I
        [0, 2, 0, -1],  # like
        [-1, 0, 0, 2],  # cats
        [0, -1, 2, 0],  # a
        [0, 0, 2, -1],  # lot
    ],
    dtype=np.float64,
)
RUNNING_DECODER_STATES = np.array(
    [
        [3, 0, 0, 0],  # 我
        [0, 0, 3, 0],  # 很
        [0, 3, 0, 0],  # 喜
        [-1, 3, 0, 0],  # 歡
        [0, 0, 0, 3],  # 貓
    ],
    dtype=np.float64,
)

_CHARACTERS = "我你他她們很不喜歡貓狗是的一個人在有這那大小好看書水火山上下來去吃喝走跑說話天日月年今明昨，。？！"
VOCABULARY = (END_TOKEN, *_CHARACTERS)

_SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
_CANDIDATES = 10


def softmax(values):
    """exp over the last axis divided by its sum; the largest value is subtracted first."""
    exponentials = np.exp(values - values.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def running_example():
    """The running example by states that a person can multiply in the head; scored by dot product, in float64.

    There is no vocabulary, so there are no probabilities, and decoding never reaches an end token.
    """
    scores = RUNNING_DECODER_STATES @ RUNNING_ENCODER_STATES.T
    weights = softmax(scores)
    starts = [re.search(rf"\b{word}\b", RUNNING_TEXT).start() for word in RUNNING_WORDS]
    return DecodingTrace(
        source_text=RUNNING_TEXT,
        source_tokens=RUNNING_WORDS,
        source_pieces=tuple(word.lower() for word in RUNNING_WORDS),
        source_word_ids=tuple(range(len(RUNNING_WORDS))),
        source_spans=tuple((start, start + len(word)) for start, word in zip(starts, RUNNING_WORDS, strict=True)),
        target_tokens=RUNNING_TARGET,
        target_known=(True,) * len(RUNNING_TARGET),
        encoder_states=RUNNING_ENCODER_STATES,
        decoder_states=RUNNING_DECODER_STATES,
        scores=scores,
        computed_weights=weights,
        weights=weights,
        contexts=weights @ RUNNING_ENCODER_STATES,
        attention_outputs=None,
        token_probabilities=None,
        token_ranks=None,
        candidates=None,
        checkpoint=None,
        scorer="dot",
        decoding="toy",
        intervention=Intervention(),
        max_length=len(RUNNING_TARGET),
        finished=False,
    )


def sized_trace(
    source=3,
    target=5,
    d_h=7,
    d_s=7,
    d_o=11,
    scorer="dot",
    seed=0,
    *,
    decoding="greedy",
    hidden=(),
    unknown=(),
):
    """A trace of random float32 states whose every other number follows from them, the end token last.

    source, target: their lengths, target with the end token's row. Every second word has two pieces.
    hidden: pairs (step or None, source position) that attention cannot see, as in `Intervention`.
    unknown: source positions at which the model read `<unk>`.
    """
    random = np.random.default_rng(seed)

    def draw(*shape):
        return random.normal(scale=shape[-1] ** -0.5, size=shape).astype(np.float32)

    words, word_ids, spans, text = _source(source)
    encoder_states = np.tanh(3 * draw(source, d_h))
    decoder_states = np.tanh(3 * draw(target, d_s))
    output_input = decoder_states
    scores = weights = contexts = None
    if scorer != "none":
        scores = _scores(scorer, encoder_states, decoder_states, draw)
        for step, position in hidden:
            scores[slice(None) if step is None else step, position] = -np.inf
        weights = softmax(scores)
        contexts = weights @ encoder_states
        output_input = np.concatenate([contexts, decoder_states], axis=1)
    attention_outputs = np.tanh(output_input @ draw(d_o, output_input.shape[1]).T)
    logits = 6 * attention_outputs @ draw(len(VOCABULARY), d_o).T
    # The sentence ends at its last step and not before.
    logits[:, 0] = logits.min(axis=1) - 1
    logits[-1, 0] = logits[-1].max() + 1
    probabilities = softmax(logits)
    order = np.argsort(-probabilities, axis=1, kind="stable")
    candidates = tuple(
        tuple(
            Candidate(VOCABULARY[token], float(probabilities[t, token]), rank)
            for rank, token in enumerate(order[t, :_CANDIDATES], start=1)
        )
        for t in range(target)
    )
    token_probabilities = probabilities.max(axis=1)
    is_beam = decoding == "beam"
    return DecodingTrace(
        source_text=text,
        source_tokens=words,
        source_pieces=tuple(UNKNOWN_PIECE if i in unknown else word.lower() for i, word in enumerate(words)),
        source_word_ids=word_ids,
        source_spans=spans,
        target_tokens=tuple(row[0].token for row in candidates),
        target_known=(True,) * target,
        encoder_states=encoder_states,
        decoder_states=decoder_states,
        scores=scores,
        computed_weights=weights,
        weights=weights,
        contexts=contexts,
        attention_outputs=attention_outputs,
        token_probabilities=token_probabilities,
        token_ranks=(1,) * target,
        candidates=candidates,
        checkpoint=f"en-zh/{scorer}",
        scorer=scorer,
        decoding=decoding,
        intervention=Intervention(hidden=tuple(hidden)),
        max_length=max(60, target),
        finished=True,
        hypothesis_rank=1 if is_beam else None,
        hypothesis_score=float(np.log(token_probabilities).mean()) if is_beam else None,
    )


def _scores(scorer, encoder_states, decoder_states, draw):
    """Scores "target source" by the formula of each scorer, with drawn weights."""
    d_h, d_s = encoder_states.shape[1], decoder_states.shape[1]
    if scorer == "dot":
        return decoder_states @ encoder_states.T
    if scorer == "multiplicative":
        return 3 * decoder_states @ (encoder_states @ draw(d_h, d_s)).T
    size = max(d_h, d_s)
    keys, queries = encoder_states @ draw(size, d_h).T, decoder_states @ draw(size, d_s).T
    return np.tanh(queries[:, None] + keys[None, :]) @ (6 * draw(size))


def _source(length):
    """Invented words: their pieces, the word of each piece, spans and the text."""
    pieces, word_ids, spans, text = [], [], [], ""
    for i in range(length):
        continues_word = i % 3 == 2
        piece = _SYLLABLES[(17 * i) % len(_SYLLABLES)]
        piece = piece.capitalize() if i == 0 else piece
        text += "" if continues_word or i == 0 else " "
        spans.append((len(text), len(text) + len(piece)))
        text += piece
        pieces.append(piece)
        word_ids.append(word_ids[-1] + (not continues_word) if word_ids else 0)
    return tuple(pieces), tuple(word_ids), tuple(spans), text
