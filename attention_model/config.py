"""The sizes of a model and the schedule of its training: one field, one flag, one JSON key, the same name.

The defaults train the shipped checkpoints.
"""

from dataclasses import asdict, dataclass, field, fields
from typing import Any, Self

from attention_model.errors import ConfigError
from attention_model.trace import SCORERS


def _flag(default: Any, text: str) -> Any:
    """A field with its explanation, which is the flag's help on the command line."""
    return field(default=default, metadata={"help": text})


class _Config:
    """What both configurations can do: become a dictionary and come back from one."""

    def to_dict(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """The configuration with these fields. Raises ConfigError on a name that is missing or unknown."""
        known = {one.name for one in fields(cls)}
        if set(values) != known:
            unknown, missing = sorted(set(values) - known), sorted(known - set(values))
            raise ConfigError(
                f"A {cls.__name__} has the fields {', '.join(sorted(known))}; found the unknown {unknown} and missed "
                f"{missing}. Use a configuration written by this version."
            )
        return cls(**values)


@dataclass(frozen=True)
class ModelConfig(_Config):
    """Sizes of one translator. d_h is `encoder_size`, d_s `decoder_size`, k `attention_size`, d_o `output_size`."""

    scorer: str = _flag("dot", "how a state is scored against the asking state: dot, multiplicative, additive or none")
    embedding_size: int = _flag(256, "components of a word's embedding, source and target")
    encoder_size: int = _flag(384, "components of an encoder state (d_h), both directions together")
    decoder_size: int = _flag(384, "components of a decoder state (d_s)")
    attention_size: int = _flag(256, "width of the additive scorer's hidden layer (k)")
    output_size: int = _flag(256, "components of the attention output (d_o); equal to embedding_size when tied")
    bidirectional: bool = _flag(True, "read the source in both directions")
    add_embedding: bool = _flag(True, "add the word's embedding to its encoder state")
    tied_embeddings: bool = _flag(True, "use the target embedding as the matrix V of the prediction")
    dropout: float = _flag(0.2, "share of components dropped in training")

    def __post_init__(self) -> None:
        """Refuse sizes that cannot work together, with the sizes found."""
        if self.scorer not in SCORERS:
            raise ConfigError(f"The scorer is {self.scorer!r}, and one of {', '.join(SCORERS)} is wanted.")
        if self.scorer == "dot" and self.encoder_size != self.decoder_size:
            raise ConfigError(
                f"The dot scorer multiplies an encoder state of {self.encoder_size} components with a decoder state of "
                f"{self.decoder_size}, and a dot product needs equally many. Make encoder_size and decoder_size equal, "
                "or choose the multiplicative or additive scorer."
            )
        if self.tied_embeddings and self.output_size != self.embedding_size:
            raise ConfigError(
                f"Tied embeddings need output_size = embedding_size; found {self.output_size} and "
                f"{self.embedding_size}. Make them equal or switch tied_embeddings off."
            )
        if self.bidirectional and self.encoder_size % 2:
            raise ConfigError(
                f"A bidirectional encoder splits encoder_size between two directions; {self.encoder_size} is odd. "
                "Choose an even number."
            )
        for name in ("embedding_size", "encoder_size", "decoder_size", "attention_size", "output_size"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} is {getattr(self, name)}, and a whole number of at least 1 is wanted.")
        if not 0 <= self.dropout < 1:
            raise ConfigError(f"dropout is {self.dropout}, and a number from 0 up to, not including, 1 is wanted.")


@dataclass(frozen=True)
class TrainingConfig(_Config):
    """The schedule of a training run and how its text is prepared."""

    seed: int = _flag(1, "start of every random number")
    epochs: int = _flag(10, "times every pair is read")
    batch_size: int = _flag(64, "pairs a step")
    learning_rate: float = _flag(0.0015, "highest step size of Adam, reached after the warm-up and then lowered to 0")
    score_weight_rate: float = _flag(0.02, "share of the learning rate that the multiplicative W gets")
    warmup_steps: int = _flag(400, "steps over which the learning rate rises")
    label_smoothing: float = _flag(0.1, "share of the target probability spread over the vocabulary")
    gradient_norm: float = _flag(1.0, "longest gradient; a longer one is shortened to it")
    average_decay: float = _flag(0.998, "decay of the running average of the weights, which is what is saved")
    word_dropout: float = _flag(0.1, "share of target words that the decoder reads as unknown in training")
    end_mark_dropout: float = _flag(0.3, "share of pairs read without their final punctuation marks in training")
    source_vocabulary: int = _flag(6000, "most word pieces on the source side")
    target_min_count: int = _flag(2, "times a target character must occur to be known")
    precision: str = _flag("bfloat16", "of the matrix products in training: float32 or bfloat16")
    threads: int = _flag(1, "processor threads")

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        for name in ("epochs", "batch_size", "target_min_count", "threads"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} is {getattr(self, name)}, and a whole number of at least 1 is wanted.")
        for name in ("label_smoothing", "average_decay", "word_dropout", "end_mark_dropout"):
            if not 0 <= getattr(self, name) < 1:
                raise ConfigError(
                    f"{name} is {getattr(self, name)}, and a number from 0 up to, not including, 1 is wanted."
                )
        if self.precision not in ("float32", "bfloat16"):
            raise ConfigError(f"precision is {self.precision!r}, and float32 or bfloat16 is wanted.")
