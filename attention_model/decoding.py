"""From a sentence to its traces: greedy, beam and forced decoding, with what a person changed along the way.

Knows translators and traces; knows nothing of files, pages or training. A model's decoder state does not depend on its
contexts (no input feeding), so a change to the weights of step t changes the word of step t, and later steps only
through that word.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from attention_model.attention import blend
from attention_model.checkpoint import Translator
from attention_model.data import pad_ids
from attention_model.errors import DecodingError, TextError
from attention_model.model import EncodedSource
from attention_model.plan import Plan, TargetToken
from attention_model.search_tree import Extension, SearchTree, grow_tree
from attention_model.tokenizer import BEGIN_ID, END_ID, PAD_ID, SourcePieces
from attention_model.trace import Candidate, DecodingTrace, Intervention

MAX_STEPS = 200
"""The most steps of any decoding, the end token's included."""

MAX_BEAM_SIZE = 10
"""The most hypotheses that are followed side by side."""

CANDIDATES = 10
"""How many candidates a trace keeps for each step."""

SHOWN_CUTS = 3
"""Of the extensions that a beam does not keep at a step, how many of the best its search tree shows."""


class Translation(NamedTuple):
    """A greedy translation without its trace.

    text: without the end token. steps: how many, the end token's included. entropy: mean entropy of the weights over
    these steps, in bits; None without attention. finished: False when the greatest length was reached first.
    """

    text: str
    steps: int
    entropy: float | None
    finished: bool


class Prediction(NamedTuple):
    """What the vocabulary's probabilities say of some steps: of the token chosen there, and the best candidates.

    None is what does not exist: the first two where no token was chosen, all of it without a vocabulary.
    """

    token_probabilities: Float[np.ndarray, " target"] | None
    token_ranks: tuple[int, ...] | None
    candidates: tuple[tuple[Candidate, ...], ...] | None


class BeamSearch(NamedTuple):
    """What a beam search found: one trace a hypothesis, best first, and the tree of all that it looked at."""

    traces: tuple[DecodingTrace, ...]
    tree: SearchTree


class _Rows(NamedTuple):
    """The five parts of some decoding steps, one row a step."""

    decoder_states: Float[Tensor, "target d_s"]
    scores: Float[Tensor, "target source"] | None
    computed_weights: Float[Tensor, "target source"] | None
    weights: Float[Tensor, "target source"] | None
    contexts: Float[Tensor, "target d_h"] | None
    attention_outputs: Float[Tensor, "target d_o"]
    logits: Float[Tensor, "target vocabulary"]


class _Run(NamedTuple):
    """What is the same for all traces of one call."""

    translator: Translator
    source_text: str
    pieces: SourcePieces
    source: EncodedSource
    plan: Plan
    decoding: str
    max_length: int


class _Hypothesis(NamedTuple):
    """A path of the beam: its tokens, the row that it took at each step, and the sum of its log probabilities.

    node: where it stands in the search tree; None before its first token.
    """

    tokens: tuple[TargetToken, ...]
    rows: tuple[int, ...]
    log_prob: float
    node: int | None = None

    @property
    def finished(self) -> bool:
        return bool(self.tokens) and self.tokens[-1].id == END_ID

    @property
    def score(self) -> float:
        """The log probability a token, so that short paths have no advantage."""
        return self.log_prob / len(self.tokens)


@torch.inference_mode()
def greedy_decode(
    translator: Translator,
    text: str,
    *,
    intervention: Intervention = Intervention(),  # noqa: B008 (frozen)
    max_length: int | None = None,
) -> DecodingTrace:
    """Take the most probable token at every step, until the end token or `max_length` steps.

    max_length: the most steps, the end token's included; by default `default_max_length`. `<unk>`, `<s>` and `<pad>`
    are never chosen, though they keep their probability, so a chosen token may have rank 2.
    Raises TextError (nothing to read, too long), InterventionError, DecodingError (a length out of range).
    """
    run = _start(translator, text, "greedy", intervention, max_length)
    state, last = run.source.initial_state, BEGIN_ID
    tokens: list[TargetToken] = []
    steps: list[_Rows] = []
    while len(tokens) < run.max_length and last != END_ID:
        states, state = translator.model.decoder(torch.tensor([[last]]), state)
        rows = _five_parts(run, states, [len(tokens)])
        token = run.plan.forced.get(len(tokens)) or TargetToken.number(translator, _best_id(rows.logits[0]))
        last = token.id
        tokens.append(token)
        steps.append(rows)
    run.plan.check_steps(len(tokens), "decoding took")
    return _trace(run, tokens, _stack(steps))


def beam_decode(
    translator: Translator,
    text: str,
    *,
    beam_size: int,
    intervention: Intervention = Intervention(),  # noqa: B008 (frozen)
    max_length: int | None = None,
) -> tuple[DecodingTrace, ...]:
    """The traces of a `beam_search`, best first; it raises the same."""
    return beam_search(translator, text, beam_size=beam_size, intervention=intervention, max_length=max_length).traces


@torch.inference_mode()
def beam_search(
    translator: Translator,
    text: str,
    *,
    beam_size: int,
    intervention: Intervention = Intervention(),  # noqa: B008 (frozen)
    max_length: int | None = None,
) -> BeamSearch:
    """Follow the `beam_size` most probable paths side by side.

    A path that ends keeps its place, and the others go on. Hypotheses are ranked by their log probability a token.
    A change of the intervention is made in every hypothesis that reaches its step.
    Raises what `greedy_decode` raises, and DecodingError when `beam_size` is out of range.
    """
    if not 1 <= beam_size <= MAX_BEAM_SIZE:
        raise DecodingError(f"The beam size is {beam_size}, and a whole number from 1 to {MAX_BEAM_SIZE} is wanted.")
    run = _start(translator, text, "beam", intervention, max_length)
    ended: list[_Hypothesis] = []
    alive = [_Hypothesis((), (), 0.0)]
    state = run.source.initial_state
    steps: list[_Rows] = []
    looked_at: list[Extension] = []
    while alive and len(steps) < run.max_length:
        last_ids = torch.tensor([[one.tokens[-1].id if one.tokens else BEGIN_ID] for one in alive])
        states, state = translator.model.decoder(last_ids, state)
        # Hypotheses lie on the target axis: each row is attended alone, so they share one copy of the source.
        rows = _five_parts(run, states.transpose(0, 1), [len(steps)] * len(alive))
        places = beam_size - len(ended)
        extended = _extend(run, alive, rows.logits, len(steps), places + SHOWN_CUTS, len(looked_at))
        looked_at += [
            Extension(alive[one.rows[-1]].node, one.tokens[-1].text, one.log_prob, kept=place < places)
            for place, one in enumerate(extended)
        ]
        kept = extended[:places]
        steps.append(rows)
        ended += [one for one in kept if one.finished]
        alive = [one for one in kept if not one.finished]
        state = state[[one.rows[-1] for one in alive]]
    run.plan.check_steps(len(steps), "decoding took")
    ranked = sorted(ended + alive, key=lambda one: -one.score)
    traces = tuple(
        _trace(run, one.tokens, _gather(steps, one.rows), hypothesis_rank=rank, hypothesis_score=one.score)
        for rank, one in enumerate(ranked, start=1)
    )
    return BeamSearch(traces, grow_tree(looked_at, [one.node for one in ranked]))


@torch.inference_mode()
def forced_decode(
    translator: Translator,
    text: str,
    target: str,
    *,
    intervention: Intervention = Intervention(),  # noqa: B008 (frozen)
) -> DecodingTrace:
    """Walk along a given target, the end token's row included; all steps are one fused call.

    A character that the vocabulary lacks stays visible in `target_tokens`, and the model reads `<unk>` in its place.
    A token forced by the intervention takes the place of the target's own at that step.
    Raises TextError (nothing to read on either side, source too long), DecodingError (target too long),
    InterventionError.
    """
    run = _start(translator, text, "forced", intervention, None)
    pieces = translator.target_tokenizer.split(target)
    if not pieces:
        raise TextError("There is no translation to follow: found nothing. Type the target sentence.")
    if len(pieces) >= MAX_STEPS:
        raise DecodingError(
            f"The target is too long: it has {len(pieces)} characters, and at most {MAX_STEPS - 1} can be followed. "
            "Shorten it."
        )
    own = [*(TargetToken.of(translator, piece) for piece in pieces), TargetToken.number(translator, END_ID)]
    run.plan.check_steps(len(own), "the target has")
    tokens = [run.plan.forced.get(t, token) for t, token in enumerate(own)]
    ends = next((t for t, token in enumerate(tokens) if token.id == END_ID), len(tokens) - 1)
    tokens = tokens[: ends + 1]
    run.plan.check_steps(len(tokens), "the target has")
    target_inputs = torch.tensor([[BEGIN_ID, *(token.id for token in tokens[:-1])]])
    states, _ = translator.model.decoder(target_inputs, run.source.initial_state)
    return _trace(run, tokens, _five_parts(run, states, range(len(tokens))))


@torch.inference_mode()
def greedy_translations(
    translator: Translator,
    texts: Sequence[str],
    *,
    batch_size: int = 64,
    on_progress: Callable[[int], None] | None = None,
) -> list[Translation]:
    """The greedy translations of many sentences, in their order, without traces: many sentences a batch.

    on_progress is told how many sentences are done.
    Raises TextError for the first sentence that cannot be read, before anything is translated.
    """
    _require_eval(translator)
    ids = [list(translator.source_tokenizer.split(text).ids) for text in texts]
    order = sorted(range(len(texts)), key=lambda number: len(ids[number]))
    done: dict[int, Translation] = {}
    for start in range(0, len(order), batch_size):
        numbers = order[start : start + batch_size]
        done |= zip(numbers, _translate_batch(translator, [ids[number] for number in numbers]), strict=True)
        if on_progress is not None:
            on_progress(len(done))
    return [done[number] for number in range(len(texts))]


def read_prediction(
    logits: Float[Tensor, "target vocabulary"], chosen_ids: Sequence[int] | None, names: Sequence[str]
) -> Prediction:
    """Part 5 of some steps, softmax(logits), and what it says of the token that was chosen at each of them.

    chosen_ids: one token a step; None where they are not of this vocabulary. names: how its tokens are written.
    """
    probabilities = torch.softmax(logits, dim=-1)
    candidates = tuple(_candidates(probabilities, names))
    if chosen_ids is None:
        return Prediction(None, None, candidates)
    chosen = torch.tensor(chosen_ids).unsqueeze(1)
    ranks = (logits > logits.gather(1, chosen)).sum(dim=1) + 1
    return Prediction(_array(probabilities.gather(1, chosen).squeeze(1)), tuple(ranks.tolist()), candidates)


def default_max_length(source_length: int) -> int:
    """The most steps that a sentence of so many pieces may take: three a piece and twenty, at most `MAX_STEPS`."""
    return min(3 * source_length + 20, MAX_STEPS)


def _require_eval(translator: Translator) -> None:
    if translator.model.training:
        raise RuntimeError("The model is in training mode: its dropout would change every number. Call model.eval().")


def _start(
    translator: Translator, text: str, decoding: str, intervention: Intervention, max_length: int | None
) -> _Run:
    """Read the source once and check what was asked for."""
    _require_eval(translator)
    pieces = translator.source_tokenizer.split(text)
    if decoding == "forced":
        length = MAX_STEPS
    else:
        length = default_max_length(len(pieces.ids)) if max_length is None else max_length
    if not 1 <= length <= MAX_STEPS:
        raise DecodingError(f"The greatest length is {length}, and a whole number from 1 to {MAX_STEPS} is wanted.")
    plan = Plan(intervention, translator, len(pieces.ids), length)
    source_ids = torch.tensor([pieces.ids])
    source = translator.model.encode(source_ids, torch.ones_like(source_ids, dtype=torch.bool))
    return _Run(translator, text, pieces, source, plan, decoding, length)


def _five_parts(run: _Run, decoder_states: Float[Tensor, "1 target d_s"], steps: Sequence[int]) -> _Rows:
    """Score, softmax, blend, attention output and logits of some states; `steps` says which step each state is."""
    model, plan = run.translator.model, run.plan
    attention = model.attend(decoder_states, run.source, plan.mask(steps), plan.temperature)
    if attention is None:
        outputs = model.decoder.attention_outputs(None, decoder_states)
        return _Rows(decoder_states[0], None, None, None, None, outputs[0], model.decoder.logits(outputs)[0])
    weights, contexts = attention.weights, attention.contexts
    if any(step in plan.replaced for step in steps):
        rows = [plan.replaced.get(step, weights[0, row]) for row, step in enumerate(steps)]
        weights = torch.stack(rows).unsqueeze(0)
        contexts = blend(weights, run.source.encoder_states)
    outputs = model.decoder.attention_outputs(contexts, decoder_states)
    logits = model.decoder.logits(outputs)
    return _Rows(
        decoder_states[0], attention.scores[0], attention.weights[0], weights[0], contexts[0], outputs[0], logits[0]
    )


def _best_id(logits: Float[Tensor, " vocabulary"]) -> int:
    """The most probable token that may be chosen: the special tokens before the end token may not."""
    return int(logits[END_ID:].argmax()) + END_ID


def _extend(
    run: _Run,
    alive: list[_Hypothesis],
    logits: Float[Tensor, "hypothesis vocabulary"],
    step: int,
    count: int,
    first_node: int,
) -> list[_Hypothesis]:
    """The `count` most probable paths that are one token longer; one a path when the token is forced.

    Their nodes in the search tree are numbered from `first_node`.
    """
    log_probs = torch.log_softmax(logits, dim=-1)
    forced = run.plan.forced.get(step)
    if forced is not None:
        totals = [one.log_prob + float(log_probs[row, forced.id]) for row, one in enumerate(alive)]
        return [
            _Hypothesis((*one.tokens, forced), (*one.rows, row), total, first_node + row)
            for row, (one, total) in enumerate(zip(alive, totals, strict=True))
        ]
    choosable = log_probs[:, END_ID:]
    sums = torch.tensor([one.log_prob for one in alive], dtype=torch.float64)
    best = (choosable.double() + sums.unsqueeze(1)).flatten().topk(min(count, choosable.numel()))
    extended = []
    for node, (total, position) in enumerate(zip(best.values.tolist(), best.indices.tolist(), strict=True), first_node):
        row, offset = divmod(position, choosable.shape[1])
        token = TargetToken.number(run.translator, offset + END_ID)
        extended.append(_Hypothesis((*alive[row].tokens, token), (*alive[row].rows, row), total, node))
    return extended


def _stack(steps: list[_Rows]) -> _Rows:
    """Rows of one step each, one below the other."""
    return _Rows(*(None if parts[0] is None else torch.cat(parts) for parts in zip(*steps, strict=True)))


def _gather(steps: list[_Rows], rows: tuple[int, ...]) -> _Rows:
    """The rows of one hypothesis: at each step the row of its batch that it took."""
    return _stack(
        [
            _Rows(*(None if part is None else part[row : row + 1] for part in step))
            for step, row in zip(steps[: len(rows)], rows, strict=True)
        ]
    )


def _trace(
    run: _Run,
    tokens: Sequence[TargetToken],
    rows: _Rows,
    hypothesis_rank: int | None = None,
    hypothesis_score: float | None = None,
) -> DecodingTrace:
    """Everything that was computed, as numpy, and what follows from the logits: probabilities, ranks, candidates."""
    prediction = read_prediction(rows.logits, [token.id for token in tokens], run.translator.target_tokenizer.tokens)
    return DecodingTrace(
        source_text=run.source_text,
        source_tokens=run.pieces.tokens,
        source_pieces=run.pieces.pieces,
        source_word_ids=run.pieces.word_ids,
        source_spans=run.pieces.spans,
        target_tokens=tuple(token.text for token in tokens),
        target_known=tuple(token.known for token in tokens),
        encoder_states=_array(run.source.encoder_states[0]),
        decoder_states=_array(rows.decoder_states),
        scores=_array(rows.scores),
        computed_weights=_array(rows.computed_weights),
        weights=_array(rows.weights),
        contexts=_array(rows.contexts),
        attention_outputs=_array(rows.attention_outputs),
        token_probabilities=prediction.token_probabilities,
        token_ranks=prediction.token_ranks,
        candidates=prediction.candidates,
        checkpoint=run.translator.name,
        scorer=run.translator.config.scorer,
        decoding=run.decoding,
        intervention=run.plan.intervention,
        max_length=run.max_length,
        finished=tokens[-1].id == END_ID,
        hypothesis_rank=hypothesis_rank,
        hypothesis_score=hypothesis_score,
    )


def _candidates(
    probabilities: Float[Tensor, "target vocabulary"], names: Sequence[str]
) -> Iterator[tuple[Candidate, ...]]:
    """For each step its most probable tokens, most probable first."""
    best = probabilities.topk(min(CANDIDATES, probabilities.shape[1]))
    for values, ids in zip(best.values.tolist(), best.indices.tolist(), strict=True):
        yield tuple(
            Candidate(names[number], value, rank)
            for rank, (value, number) in enumerate(zip(values, ids, strict=True), start=1)
        )


def _array(tensor: Float[Tensor, "..."] | None) -> Float[np.ndarray, "..."] | None:
    return None if tensor is None else tensor.numpy()


def _translate_batch(translator: Translator, ids: list[list[int]]) -> list[Translation]:
    """Greedy decoding of some sentences at once. The vocabulary's first tokens are left out as in `greedy_decode`."""
    model = translator.model
    source_ids = pad_ids(ids)
    source = model.encode(source_ids, source_ids != PAD_ID)
    state = source.initial_state
    last = torch.full((len(ids), 1), BEGIN_ID)
    limits = [default_max_length(len(one)) for one in ids]
    chosen: list[list[int]] = []
    entropies: list[Float[Tensor, " batch"]] = []
    lengths = [0] * len(ids)
    while not all(lengths):
        states, state = model.decoder(last, state)
        attention = model.attend(states, source)
        contexts = None if attention is None else attention.contexts
        logits = model.decoder.logits(model.decoder.attention_outputs(contexts, states))
        last = logits[:, :, END_ID:].argmax(dim=-1) + END_ID
        chosen.append(last.squeeze(1).tolist())
        if attention is not None:
            entropies.append(torch.special.entr(attention.weights).sum(dim=-1).squeeze(1) / math.log(2))
        for number, token in enumerate(chosen[-1]):
            if not lengths[number] and (token == END_ID or len(chosen) == limits[number]):
                lengths[number] = len(chosen)
    rows = list(zip(*chosen, strict=True))
    means: list[float | None] = [None] * len(ids)
    if entropies:
        bits = torch.stack(entropies, dim=1)
        means = [float(bits[number, :length].mean()) for number, length in enumerate(lengths)]
    return [
        Translation(translator.target_tokenizer.join(row[:length]), length, mean, row[length - 1] == END_ID)
        for row, length, mean in zip(rows, lengths, means, strict=True)
    ]
