"""The checkpoints folder as a shelf: what stands on it, looked up by name, and what can be read of it without torch.

A name such as `en-zh/dot` is only ever compared with the names found on the shelf; it is never opened as a path.
"""

import gzip
import tomllib
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from attention_model.alignments import AlignmentSet, read_alignment_set
from attention_model.config import ModelConfig
from attention_model.errors import AttentionModelError, CheckpointError, DataError
from attention_model.trace import DecodingTrace

CHECKPOINTS = Path(__file__).resolve().parent.parent / "checkpoints"

CONFIG_FILE = "config.json"
SOURCE_TOKENIZER_FILE = "source_tokenizer.json"
TARGET_TOKENIZER_FILE = "target_tokenizer.json"
WEIGHTS_FILE = "weights.safetensors"
HISTORY_FILE = "history.json"
TRAINING_FILE = "training.json"
METRICS_FILE = "metrics.json"
CARD_FILE = "README.md"
EXAMPLE_TRACES_FILE = "examples.json.gz"
READY_EXAMPLES_FILE = "examples.toml"
PROBES_FILE = "probes.toml"
GLOSSES_FILE = "glosses.toml"
ALIGNMENTS_FOLDER = "alignments"
"""Stands beside the checkpoints of a language pair and is none itself."""

RESTORE = "Restore the file from the project's checkpoints folder."


class ReadyExample(NamedTuple):
    """A sentence offered to visitors: `id` is unique, `title` says what it is about, `why` what there is to see."""

    id: str
    title: str
    sentence: str
    why: str


class Probe(NamedTuple):
    """A sentence whose weights are recorded while a model trains, always along the same target."""

    id: str
    sentence: str
    target: str


def list_checkpoints(folder: Path = CHECKPOINTS) -> tuple[str, ...]:
    """The names of the checkpoints that stand in the folder, damaged ones too, in alphabetical order."""
    return tuple(
        sorted(
            f"{one.parent.name}/{one.name}"
            for one in folder.glob("*/*")
            if one.is_dir() and one.name != ALIGNMENTS_FOLDER
        )
    )


def checkpoint_folder(name: str, folder: Path = CHECKPOINTS) -> Path:
    """The folder of the checkpoint of that name. Raises CheckpointError, with the names that exist, for any other."""
    names = list_checkpoints(folder)
    if name not in names:
        known = (
            f"Choose one of {', '.join(names)}." if names else f"There is none in the folder {folder.name}; restore it."
        )
        raise CheckpointError(f"There is no checkpoint named {name!r}. {known}")
    pair, scorer = name.split("/")
    return folder / pair / scorer


def read_config(name: str, folder: Path = CHECKPOINTS) -> ModelConfig:
    """The sizes of a checkpoint's model. Raises CheckpointError when the file is missing or damaged."""
    path = checkpoint_folder(name, folder) / CONFIG_FILE
    values = _read_json(path)
    try:
        return ModelConfig.from_dict(values)
    except (AttentionModelError, TypeError) as error:
        raise CheckpointError(f"{_shown(path)} is damaged: {error} {RESTORE}") from None


def read_metrics(name: str, folder: Path = CHECKPOINTS) -> dict[str, Any]:
    """What was measured of a checkpoint: the numbers of its card."""
    return _read_json(checkpoint_folder(name, folder) / METRICS_FILE)


def read_history(name: str, folder: Path = CHECKPOINTS) -> Any:
    """What was recorded while the checkpoint was trained."""
    return _read_json(checkpoint_folder(name, folder) / HISTORY_FILE)


def read_card(name: str, folder: Path = CHECKPOINTS) -> str:
    """The checkpoint's card, Markdown."""
    return _read(checkpoint_folder(name, folder) / CARD_FILE, lambda content: content.decode())


def ready_examples(pair: str, folder: Path = CHECKPOINTS) -> tuple[ReadyExample, ...]:
    """The ready examples of a language pair such as `en-zh`, in the order in which they are offered."""
    return tuple(_read_tables(pair, READY_EXAMPLES_FILE, "examples", ReadyExample, folder))


def probes(pair: str, folder: Path = CHECKPOINTS) -> tuple[Probe, ...]:
    """The probe sentences of a language pair such as `en-zh`."""
    return tuple(_read_tables(pair, PROBES_FILE, "probes", Probe, folder))


def glosses(pair: str, folder: Path = CHECKPOINTS) -> dict[str, str]:
    """A few English words for each target word that turns up in translations of the ready examples.

    Empty for a language pair without such a file. Raises CheckpointError when the file is damaged.
    """
    if not any(one.parent.name == pair for one in folder.glob(f"*/{GLOSSES_FILE}")):
        return {}
    found = _read(folder / pair / GLOSSES_FILE, lambda content: tomllib.loads(content.decode())).get("glosses")
    if not isinstance(found, dict) or not all(isinstance(gloss, str) for gloss in found.values()):
        raise CheckpointError(f"{pair}/{GLOSSES_FILE} is damaged: it wants a table of texts. {RESTORE}")
    return found


def aligned_sentences(pair: str, folder: Path = CHECKPOINTS) -> AlignmentSet:
    """The sentences of a language pair that people aligned; empty for a pair without any.

    Raises CheckpointError when their files are damaged.
    """
    if not any(one.parent.name == pair for one in folder.glob(f"*/{ALIGNMENTS_FOLDER}")):
        return ()
    try:
        return read_alignment_set(folder / pair / ALIGNMENTS_FOLDER)
    except DataError as error:
        raise CheckpointError(f"The aligned sentences of {pair} are damaged: {error} {RESTORE}") from None


def example_traces(name: str, folder: Path = CHECKPOINTS) -> tuple[DecodingTrace, ...]:
    """The shipped greedy traces of the ready examples, in their order.

    Raises CheckpointError when the file is missing or damaged.
    """
    path = checkpoint_folder(name, folder) / EXAMPLE_TRACES_FILE
    documents = _read(path, lambda content: orjson.loads(gzip.decompress(content)))
    try:
        return tuple(DecodingTrace.from_json(orjson.dumps(document)) for document in documents)
    except (AttentionModelError, TypeError) as error:
        raise CheckpointError(f"{_shown(path)} is damaged: {error} {RESTORE}") from None


def write_example_traces(name: str, traces: Iterable[DecodingTrace], folder: Path = CHECKPOINTS) -> Path:
    """Ship these traces with the checkpoint; the same traces give the same bytes."""
    path = checkpoint_folder(name, folder) / EXAMPLE_TRACES_FILE
    document = b"[" + b",".join(trace.to_json() for trace in traces) + b"]"
    path.write_bytes(gzip.compress(document, mtime=0))
    return path


def _read_tables(pair: str, file: str, key: str, kind: type, folder: Path) -> list[Any]:
    """The tables of a TOML file as named tuples."""
    pairs = sorted({one.parent.name for one in folder.glob(f"*/{file}")})
    if pair not in pairs:
        known = f"Choose one of {', '.join(pairs)}." if pairs else RESTORE
        raise CheckpointError(f"There is no {file} for the language pair {pair!r}. {known}")
    path = folder / pair / file
    tables = _read(path, lambda content: tomllib.loads(content.decode()))
    try:
        return [kind(**table) for table in tables[key]]
    except (KeyError, TypeError) as error:
        raise CheckpointError(f"{pair}/{file} is damaged ({error}). {RESTORE}") from None


def _read_json(path: Path) -> Any:
    return _read(path, orjson.loads)


def _read(path: Path, parse: Callable[[bytes], Any]) -> Any:
    """A file's content, parsed. Raises CheckpointError that names the file when it is missing or damaged."""
    try:
        return parse(path.read_bytes())
    except OSError as error:
        raise CheckpointError(f"{_shown(path)} cannot be read ({error.strerror or error}). {RESTORE}") from None
    except (ValueError, EOFError, zlib.error) as error:
        raise CheckpointError(f"{_shown(path)} is damaged ({error}). {RESTORE}") from None


def _shown(path: Path) -> str:
    """The file as a person knows it: its name and the checkpoint's, not where this machine keeps it."""
    return f"The file {path.name} of the checkpoint {path.parent.parent.name}/{path.parent.name}"
