"""Trained translators on disk: saved to a folder, loaded by name. Knows nothing of decoding or training.

Weights are kept in half precision (safetensors, never pickle) and computed with in single precision.
"""

from dataclasses import dataclass
from pathlib import Path

import orjson
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from attention_model.config import ModelConfig
from attention_model.errors import CheckpointError
from attention_model.model import Seq2Seq
from attention_model.shelf import (
    CHECKPOINTS,
    CONFIG_FILE,
    RESTORE,
    SOURCE_TOKENIZER_FILE,
    TARGET_TOKENIZER_FILE,
    WEIGHTS_FILE,
    checkpoint_folder,
    read_config,
)
from attention_model.tokenizer import SourceTokenizer, TargetTokenizer

TIED_NAME = "decoder.prediction_layer.weight"
TIED_TO = "decoder.embedding.weight"


@dataclass(frozen=True, eq=False)
class Translator:
    """A model with the two tokenizers it was trained with. `name` is its place on the shelf, None when it has none."""

    name: str | None
    model: Seq2Seq
    source_tokenizer: SourceTokenizer
    target_tokenizer: TargetTokenizer

    @property
    def config(self) -> ModelConfig:
        """The sizes of the model."""
        return self.model.config


def save_checkpoint(translator: Translator, folder: Path) -> None:
    """Write configuration, tokenizers and weights (float16) to a folder, which is made if need be."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / CONFIG_FILE).write_bytes(orjson.dumps(translator.config.to_dict(), option=orjson.OPT_INDENT_2))
    translator.source_tokenizer.save(folder / SOURCE_TOKENIZER_FILE)
    translator.target_tokenizer.save(folder / TARGET_TOKENIZER_FILE)
    weights = {name: weight.detach().half().contiguous() for name, weight in translator.model.state_dict().items()}
    if translator.config.tied_embeddings:
        del weights[TIED_NAME]
    save_file(weights, folder / WEIGHTS_FILE)


def load_translator(name: str, folder: Path = CHECKPOINTS) -> Translator:
    """The checkpoint of that name, such as `en-zh/dot`, ready to decode.

    Raises CheckpointError when there is none of that name, and when one of its files is missing or damaged.
    """
    own_folder = checkpoint_folder(name, folder)
    config = read_config(name, folder)
    for file in (SOURCE_TOKENIZER_FILE, TARGET_TOKENIZER_FILE, WEIGHTS_FILE):
        if not (own_folder / file).is_file():
            raise CheckpointError(f"The file {file} of the checkpoint {name} is missing. {RESTORE}")
    source_tokenizer = SourceTokenizer.load(own_folder / SOURCE_TOKENIZER_FILE)
    target_tokenizer = TargetTokenizer.load(own_folder / TARGET_TOKENIZER_FILE)
    model = Seq2Seq(config, len(source_tokenizer), len(target_tokenizer))
    _load_weights(model, name, own_folder / WEIGHTS_FILE)
    return Translator(name, model.eval().requires_grad_(False), source_tokenizer, target_tokenizer)


def _load_weights(model: Seq2Seq, name: str, path: Path) -> None:
    """Fill the model from a file. Raises CheckpointError when names, sizes or numbers are not the model's."""
    file = f"The file {path.name} of the checkpoint {name}"
    try:
        weights = load_file(path)
    except (SafetensorError, OSError) as error:
        raise CheckpointError(f"{file} is damaged ({error}). {RESTORE}") from None
    if model.config.tied_embeddings and TIED_TO in weights:
        weights[TIED_NAME] = weights[TIED_TO]
    wanted = {one: tuple(weight.shape) for one, weight in model.state_dict().items()}
    found = {one: tuple(weight.shape) for one, weight in weights.items()}
    if found != wanted:
        wrong = sorted(one for one in wanted.keys() | found.keys() if wanted.get(one) != found.get(one))[0]
        raise CheckpointError(
            f"{file} does not fit its configuration: {wrong} has the shape {found.get(wrong)}, and {wanted.get(wrong)} "
            f"is wanted. {RESTORE}"
        )
    for one, weight in weights.items():
        if not bool(torch.isfinite(weight).all()):
            raise CheckpointError(f"{file} is damaged: {one} holds numbers that are not finite. {RESTORE}")
    model.load_state_dict({one: weight.float() for one, weight in weights.items()})
