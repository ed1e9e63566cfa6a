"""One decoded sentence with every number that produced it: the contract between the engine and everything drawn.

A trace is frozen and read-only, has no batch axis and knows no torch. Row t of every target-axis array is the
computation that produced `target_tokens[t]`, the end token's row included when the end token was produced. What does
not exist is None, never invented. Derived numbers (entropy, coverage, hard alignments) live in `analysis`.
"""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self

import numpy as np
import orjson
from jaxtyping import Float, Float32, Float64

from attention_model.errors import TraceError

END_TOKEN = "</s>"
"""How the end of a sentence is written in `target_tokens`."""

UNKNOWN_PIECE = "<unk>"
"""What the model reads in place of a character that it has never met."""

TRACE_FORMAT = 1
"""The number written into every saved trace; a file with another number is refused."""

LOWEST_TEMPERATURE, HIGHEST_TEMPERATURE = 0.001, 1000.0
"""Beyond these, scores divided by the temperature would leave the range of single precision."""

WEIGHT_SUM_TOLERANCE = 1e-4
"""How far the sum of weights set by hand may be from 1."""

SCORERS = ("dot", "multiplicative", "additive", "none")
DECODINGS = ("greedy", "beam", "forced", "toy")


@dataclass(frozen=True)
class Candidate:
    """One token that the model considered at a step.

    `probability` is its share of the whole vocabulary (0..1); `rank` counts from 1, the most probable.
    """

    token: str
    probability: float
    rank: int


@dataclass(frozen=True)
class Intervention:
    """What a person changed before decoding; the default changes nothing.

    forced_tokens: pairs (step, token): at that step this token is taken whatever its probability.
    replaced_weights: pairs (step, weights): at that step these weights are used instead of the computed ones.
    replaced_scores: triples (step, source position, score): this score stands in the place of the computed one, before
        the softmax. Only in a calculation by hand.
    hidden: pairs (step, source position): attention cannot see that position at that step; step None means all steps.
        The encoder has read the word all the same.
    temperature: the scores are divided by it before the softmax; 1 changes nothing.
    """

    forced_tokens: tuple[tuple[int, str], ...] = ()
    replaced_weights: tuple[tuple[int, tuple[float, ...]], ...] = ()
    hidden: tuple[tuple[int | None, int], ...] = ()
    temperature: float = 1.0
    replaced_scores: tuple[tuple[int, int, float], ...] = ()


@dataclass(frozen=True, eq=False)
class DecodingTrace:
    """A decoded sentence; see the module's text for what a row means.

    source_text: as typed; None where there was no text (toy states).
    source_tokens: the pieces as shown, cut from the text as typed, without tokenizer markers.
    source_pieces: the vocabulary entries that the model read in their place (lower-cased, `<unk>` where unknown).
    source_word_ids: for each piece the number of its word, from 0, never falling.
    source_spans: for each piece (start, end) in `source_text`, in characters.
    target_tokens: what was produced or forced, `</s>` last if the end was produced.
    target_known: False where a forced token is not in the vocabulary, so that the model read `<unk>`.
    encoder_states: h, "source d_h".
    decoder_states: s, "target d_s".
    scores: "target source", any real number, -inf where hidden; None for the scorer `none`. They differ from what the
        scorer gave only where a person replaced them.
    computed_weights: softmax(scores / temperature) under the mask; a row sums to 1.
    weights: those that were used; they differ from `computed_weights` only in rows a person replaced.
    contexts: "target d_h", weights @ encoder_states.
    attention_outputs: "target d_o", tanh(W_out [context; s]) (for `none`: tanh(W_out s)).
    token_probabilities: "target", the probability of each target token at its step, over the whole vocabulary.
    token_ranks: for each target token its rank at its step, from 1.
    candidates: for each step the ten most probable tokens, most probable first.
    checkpoint: its name in the checkpoints folder, such as `en-zh/dot`; None for toy states.
    scorer, decoding: one of SCORERS, one of DECODINGS.
    intervention: what a person changed.
    max_length: the most steps that decoding was allowed, the end token included.
    finished: True if the last row is the end token's.
    hypothesis_rank: from 1, the best; None unless decoding is `beam`.
    hypothesis_score: the length-normalised log probability (natural logarithm per token) that ranked it; None likewise.
    """

    source_text: str | None
    source_tokens: tuple[str, ...]
    source_pieces: tuple[str, ...]
    source_word_ids: tuple[int, ...]
    source_spans: tuple[tuple[int, int], ...] | None
    target_tokens: tuple[str, ...]
    target_known: tuple[bool, ...]
    encoder_states: Float32[np.ndarray, "source d_h"] | Float64[np.ndarray, "source d_h"]
    decoder_states: Float32[np.ndarray, "target d_s"] | Float64[np.ndarray, "target d_s"]
    scores: Float[np.ndarray, "target source"] | None
    computed_weights: Float[np.ndarray, "target source"] | None
    weights: Float[np.ndarray, "target source"] | None
    contexts: Float[np.ndarray, "target d_h"] | None
    attention_outputs: Float[np.ndarray, "target d_o"] | None
    token_probabilities: Float[np.ndarray, " target"] | None
    token_ranks: tuple[int, ...] | None
    candidates: tuple[tuple[Candidate, ...], ...] | None
    checkpoint: str | None
    scorer: str
    decoding: str
    intervention: Intervention
    max_length: int
    finished: bool
    hypothesis_rank: int | None = None
    hypothesis_score: float | None = None

    def __post_init__(self) -> None:
        """Make the arrays read-only and refuse parts that do not fit together."""
        for name in ARRAY_FIELDS:
            array = getattr(self, name)
            if array is not None:
                if not array.flags.c_contiguous or array.flags.writeable:
                    array = np.array(array, order="C")
                    array.flags.writeable = False
                object.__setattr__(self, name, array)
        _check(self)

    @property
    def translation(self) -> str:
        """The target tokens joined, without the end token."""
        return "".join(token for token in self.target_tokens if token != END_TOKEN)

    @property
    def source_known(self) -> tuple[bool, ...]:
        """For each source piece, False where the model read `<unk>`."""
        return tuple(piece != UNKNOWN_PIECE for piece in self.source_pieces)

    def to_dict(self) -> dict[str, Any]:
        """The trace as JSON-ready values; a score of -inf becomes None. Numbers are exact for their width."""
        return orjson.loads(self.to_json())

    def to_json(self) -> bytes:
        """The trace as UTF-8 JSON. Every float is written with the fewest digits that give back the same float."""
        document: dict[str, Any] = {"format": TRACE_FORMAT, "dtype": str(self.encoder_states.dtype)}
        document |= {field.name: getattr(self, field.name) for field in fields(self)}
        return orjson.dumps(document, option=orjson.OPT_SERIALIZE_NUMPY)

    @classmethod
    def from_json(cls, text: bytes | str) -> Self:
        """Read what `to_json` wrote, exactly.

        Raises TraceError when the text is not JSON, is of another format or lacks a part.
        """
        try:
            document = orjson.loads(text)
        except orjson.JSONDecodeError as error:
            raise TraceError(
                f"This is not a saved trace: it is not JSON ({error}). Choose a file saved here."
            ) from None
        if not isinstance(document, dict) or document.get("format") != TRACE_FORMAT:
            found = document.get("format") if isinstance(document, dict) else type(document).__name__
            raise TraceError(
                f"This trace has the format {found!r}, and format {TRACE_FORMAT} is wanted. Save the trace again."
            )
        try:
            return cls(**_restore(document))
        except (KeyError, TypeError, ValueError) as error:
            raise TraceError(f"This saved trace is damaged ({error!r}). Save the trace again.") from None

    def save(self, path: Path | str) -> None:
        """Write the trace to one JSON file."""
        Path(path).write_bytes(self.to_json())

    @classmethod
    def load(cls, path: Path | str) -> Self:
        """Read a trace from a file that `save` wrote. Raises TraceError when there is none or it is damaged."""
        try:
            return cls.from_json(Path(path).read_bytes())
        except OSError as error:
            raise TraceError(f"The trace file {path} cannot be read ({error.strerror}). Check its name.") from None


ARRAY_FIELDS = (
    "encoder_states",
    "decoder_states",
    "scores",
    "computed_weights",
    "weights",
    "contexts",
    "attention_outputs",
    "token_probabilities",
)


def _restore(document: dict[str, Any]) -> dict[str, Any]:
    """JSON values back to the types of the trace's fields."""
    values = {field.name: document[field.name] for field in fields(DecodingTrace)}
    for name in ARRAY_FIELDS:
        if values[name] is not None:
            rows = _none_to_minus_infinity(values[name]) if name == "scores" else values[name]
            values[name] = np.array(rows, dtype=document["dtype"])
    for name in ("source_tokens", "source_pieces", "source_word_ids", "target_tokens", "target_known"):
        values[name] = tuple(values[name])
    if values["source_spans"] is not None:
        values["source_spans"] = tuple((start, end) for start, end in values["source_spans"])
    if values["token_ranks"] is not None:
        values["token_ranks"] = tuple(values["token_ranks"])
    if values["candidates"] is not None:
        values["candidates"] = tuple(tuple(Candidate(**one) for one in row) for row in values["candidates"])
    change = values["intervention"]
    values["intervention"] = Intervention(
        forced_tokens=tuple((step, token) for step, token in change["forced_tokens"]),
        replaced_weights=tuple((step, tuple(weights)) for step, weights in change["replaced_weights"]),
        hidden=tuple((step, position) for step, position in change["hidden"]),
        temperature=change["temperature"],
        # Traces saved before scores could be set by hand have none.
        replaced_scores=tuple((step, position, score) for step, position, score in change.get("replaced_scores", ())),
    )
    return values


def _none_to_minus_infinity(values: Any) -> Any:
    """Nested lists with every None replaced by -inf."""
    if isinstance(values, list):
        return [_none_to_minus_infinity(value) for value in values]
    return -np.inf if values is None else values


def _check(trace: DecodingTrace) -> None:
    """Raise TraceError when the lengths of the parts contradict each other."""
    source, target = len(trace.source_tokens), len(trace.target_tokens)
    wanted: dict[str, tuple[int, ...]] = {
        "source_pieces": (source,),
        "source_word_ids": (source,),
        "target_known": (target,),
        "encoder_states": (source, trace.encoder_states.shape[-1]),
        "decoder_states": (target, trace.decoder_states.shape[-1]),
        "scores": (target, source),
        "computed_weights": (target, source),
        "weights": (target, source),
        "contexts": (target, trace.encoder_states.shape[-1]),
        "token_probabilities": (target,),
        "token_ranks": (target,),
        "candidates": (target,),
        "source_spans": (source,),
    }
    for name, shape in wanted.items():
        value = getattr(trace, name)
        if value is None:
            continue
        found = value.shape if isinstance(value, np.ndarray) else (len(value),)
        if found != shape:
            raise TraceError(f"{name} has the shape {found}, and {shape} is wanted: a trace's parts must fit together.")
    for name in ARRAY_FIELDS:
        array = getattr(trace, name)
        if array is not None and not np.isfinite(array if name != "scores" else array[array != -np.inf]).all():
            raise TraceError(f"{name} holds a number that is not finite; only a masked score may be -inf.")
    for name, value, allowed in (("scorer", trace.scorer, SCORERS), ("decoding", trace.decoding, DECODINGS)):
        if value not in allowed:
            raise TraceError(f"{name} is {value!r}, and one of {', '.join(allowed)} is wanted.")
