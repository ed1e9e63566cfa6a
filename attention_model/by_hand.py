"""Attention over given states: a calculation by hand, and the states of one trace scored by another function.

Both run through the scorers, the softmax and the blend of every translator. Knows nothing of text or of files.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import linear

from attention_model.attention import AdditiveScorer, Attention, DotScorer, MultiplicativeScorer, Scorer, attend, blend
from attention_model.checkpoint import Translator
from attention_model.decoder import attention_outputs
from attention_model.decoding import Prediction, read_prediction
from attention_model.errors import GivenError
from attention_model.given import GIVEN_SCORERS, TABLES, Edit, GivenStates, ScorerParameters
from attention_model.trace import END_TOKEN, DecodingTrace, Intervention

STATE_NAMES = {
    "score_weight": "score_weight",
    "key_weight": "key_layer.weight",
    "query_weight": "query_layer.weight",
    "score_vector": "score_vector",
}
"""For each field of ScorerParameters the name of that parameter in a scorer."""


@torch.inference_mode()
def attend_by_hand(given: GivenStates) -> DecodingTrace:
    """The calculation as a trace in double precision: one row a query, decoding `toy`, no checkpoint, no text.

    Edited scores stand in `scores`; edited weights, with the rest of their row sharing what is left, stand in `weights`
    beside the `computed_weights`. What needs a matrix that is not given is None; so are the probabilities and ranks of
    the target tokens when one of them is not in the vocabulary.
    Raises ConfigError for a dot product of states of different sizes.
    """
    scorer = _scorer(given.scorer, given.scorer_parameters, given.encoder_states, given.decoder_states)
    attention = _attend(
        scorer, given.encoder_states, given.decoder_states, temperature=given.temperature, scores=given.edited_scores
    )
    computed_weights = attention.weights[0].numpy()
    rows = _edited_rows(computed_weights, given.edited_weights)
    weights, contexts = attention.weights, attention.contexts
    if rows:
        used = [rows.get(t, row) for t, row in enumerate(computed_weights.tolist())]
        weights = torch.tensor([used], dtype=weights.dtype)
        contexts = blend(weights, torch.tensor(given.encoder_states).unsqueeze(0))
    outputs = _outputs(given, contexts[0])
    prediction = _prediction(given, outputs)
    source, target = len(given.source_tokens), len(given.target_tokens)
    words = given.vocabulary or given.target_tokens
    return DecodingTrace(
        source_text=None,
        source_tokens=given.source_tokens,
        source_pieces=given.source_tokens,
        source_word_ids=tuple(range(source)),
        source_spans=None,
        target_tokens=given.target_tokens,
        target_known=tuple(token in words for token in given.target_tokens),
        encoder_states=given.encoder_states,
        decoder_states=given.decoder_states,
        scores=attention.scores[0].numpy(),
        computed_weights=computed_weights,
        weights=weights[0].numpy(),
        contexts=contexts[0].numpy(),
        attention_outputs=None if outputs is None else outputs.numpy(),
        token_probabilities=prediction.token_probabilities,
        token_ranks=prediction.token_ranks,
        candidates=prediction.candidates,
        checkpoint=None,
        scorer=given.scorer,
        decoding="toy",
        intervention=Intervention(
            replaced_weights=tuple(sorted(rows.items())),
            temperature=given.temperature,
            replaced_scores=given.edited_scores,
        ),
        max_length=target,
        finished=given.target_tokens[-1] == END_TOKEN,
    )


@torch.inference_mode()
def controlled_trace(states_of: DecodingTrace, scorer: str, parameters: ScorerParameters) -> DecodingTrace:
    """The encoder and decoder states of a trace scored by another function, so that only the score differs.

    The temperature and the hidden positions of the trace hold here too; nothing else that a person changed does.
    `checkpoint` still says whose states they are, and nothing follows the context. In the precision of the states.
    Raises GivenError when the parameters are not those of the scorer or do not fit the states, ConfigError for a dot
    product of states of different sizes.
    """
    change = Intervention(hidden=states_of.intervention.hidden, temperature=states_of.intervention.temperature)
    attention = _attend(
        _scorer(scorer, parameters, states_of.encoder_states, states_of.decoder_states),
        states_of.encoder_states,
        states_of.decoder_states,
        temperature=change.temperature,
        hidden=change.hidden,
    )
    return replace(
        states_of,
        scores=attention.scores[0].numpy(),
        computed_weights=attention.weights[0].numpy(),
        weights=attention.weights[0].numpy(),
        contexts=attention.contexts[0].numpy(),
        attention_outputs=None,
        token_probabilities=None,
        token_ranks=None,
        candidates=None,
        scorer=scorer,
        intervention=change,
        hypothesis_rank=None,
        hypothesis_score=None,
    )


def scorer_parameters(translator: Translator) -> ScorerParameters:
    """The parameters that the translator's scorer has learned; all None for dot and none."""
    scorer = translator.model.scorer
    learned = {} if scorer is None else scorer.state_dict()
    return ScorerParameters(
        **{name: learned[own].numpy() for name, own in STATE_NAMES.items() if own in learned},
    )


def _scorer(
    name: str,
    parameters: ScorerParameters,
    encoder_states: Float[np.ndarray, "source d_h"],
    decoder_states: Float[np.ndarray, "target d_s"],
) -> Scorer:
    """The scorer of that name for states of these sizes and this precision, with the given parameters in it."""
    sizes = encoder_states.shape[1], decoder_states.shape[1]
    # Made without storage: no random numbers are drawn, and the parameters given take their places.
    with torch.device("meta"):
        match name:
            case "dot":
                scorer = DotScorer(*sizes)
            case "multiplicative":
                scorer = MultiplicativeScorer(*sizes)
            case "additive":
                k = 1 if parameters.score_vector is None else len(parameters.score_vector)
                scorer = AdditiveScorer(*sizes, k)
            case _:
                raise GivenError(
                    f"The scorer is {name!r}, and one of {', '.join(GIVEN_SCORERS)} is wanted: only they give scores."
                )
    wanted = scorer.state_dict()
    found = {}
    for field, own in STATE_NAMES.items():
        if own in wanted:
            array = getattr(parameters, field)
            shape = tuple(wanted[own].shape)
            if array is None or array.shape != shape:
                shown = "missing" if array is None else _shown(array.shape)
                raise GivenError(
                    f"{TABLES[field]} is {shown}, and the {name} scorer wants {_shown(shape)} for these states. "
                    "Choose parameters of that size."
                )
            found[own] = torch.tensor(array.astype(encoder_states.dtype))
    scorer.load_state_dict(found, assign=True)
    return scorer


def _attend(
    scorer: Scorer,
    encoder_states: Float[np.ndarray, "source d_h"],
    decoder_states: Float[np.ndarray, "target d_s"],
    *,
    temperature: float,
    scores: tuple[Edit, ...] = (),
    hidden: tuple[tuple[int | None, int], ...] = (),
) -> Attention:
    """Parts 1 to 3 for one sentence, as a batch of one."""
    # Copied, not shared: numbers must not depend on where in memory the states happen to lie.
    states = torch.tensor(encoder_states).unsqueeze(0)
    queries = torch.tensor(decoder_states).unsqueeze(0)
    mask = torch.ones(1, len(decoder_states), len(encoder_states), dtype=torch.bool)
    for step, position in hidden:
        mask[0, slice(None) if step is None else step, position] = False
    return attend(scorer, queries, scorer.project_keys(states), states, mask, temperature, scores)


def _edited_rows(
    computed_weights: Float[np.ndarray, "target source"], edits: tuple[Edit, ...]
) -> dict[int, tuple[float, ...]]:
    """For each step that has weights set by hand its whole row: the rest shares what they leave."""
    rows = {}
    for step in {step for step, _, _ in edits}:
        fixed = {position: value for one, position, value in edits if one == step}
        rest = [position for position in range(computed_weights.shape[1]) if position not in fixed]
        left = max(0.0, 1.0 - sum(fixed.values()))
        shares = computed_weights[step, rest]
        shares = shares / shares.sum() if shares.sum() > 0 else np.full(len(rest), 1 / max(len(rest), 1))
        row = fixed | dict(zip(rest, (left * shares).tolist(), strict=True))
        rows[step] = tuple(row[position] for position in sorted(row))
    return rows


def _outputs(given: GivenStates, contexts: Float[Tensor, "target d_h"]) -> Float[Tensor, "target d_o"] | None:
    if given.output_weight is None:
        return None
    return attention_outputs(contexts, torch.tensor(given.decoder_states), torch.tensor(given.output_weight))


def _prediction(given: GivenStates, outputs: Float[Tensor, "target d_o"] | None) -> Prediction:
    """Part 5; nothing of it without V."""
    if outputs is None or given.vocabulary is None:
        return Prediction(None, None, None)
    logits = linear(outputs, torch.tensor(given.vocabulary_weight))
    are_known = all(token in given.vocabulary for token in given.target_tokens)
    chosen = [given.vocabulary.index(token) for token in given.target_tokens] if are_known else None
    return read_prediction(logits, chosen, given.vocabulary)


def _shown(shape: Sequence[int]) -> str:
    return " × ".join(str(size) for size in shape)
