"""Files of sentence pairs: reading, cleaning by stated rules, and cutting into batches.

Knows the two tokenizers and torch tensors; knows nothing of models.
"""

import io
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import torch
from jaxtyping import Bool, Int
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from attention_model.errors import DataError
from attention_model.tokenizer import BEGIN_ID, END_ID, PAD_ID, SourceTokenizer, TargetTokenizer, normalize_target


class Pair(NamedTuple):
    """A sentence and a person's translation of it, as in the file."""

    source_text: str
    reference: str


class EncodedPair(NamedTuple):
    """A pair as numbers, without begin and end marks."""

    source_ids: list[int]
    target_ids: list[int]


class Batch(NamedTuple):
    """Pairs side by side, padded with `PAD_ID`.

    The decoder reads `target_inputs` (begins with the begin token) and must predict `target_outputs` (ends with the
    end token); `target_mask` is True on real tokens of both.
    """

    source_ids: Int[Tensor, "batch source"]
    source_mask: Bool[Tensor, "batch source"]
    target_inputs: Int[Tensor, "batch target"]
    target_outputs: Int[Tensor, "batch target"]
    target_mask: Bool[Tensor, "batch target"]


def read_pairs(path: Path) -> list[Pair]:
    """Read a TSV of two columns, or of the three that ManyThings gives (the third, an attribution, is not read).

    A `.zip` is read by its first `.txt` or `.tsv` file that is not a notice. Raises DataError with the line's number
    when a line has no tab, and when there is no line at all.
    """
    pairs = []
    for number, line in enumerate(_lines(path), start=1):
        if not line.strip():
            continue
        columns = line.split("\t")
        if len(columns) < 2:
            raise DataError(
                f"Line {number} of {path.name} has one column: {line[:40]!r}. Wanted: a sentence, a tab, its "
                "translation. Mend the line or remove it."
            )
        pairs.append(Pair(columns[0].strip(), columns[1].strip()))
    if not pairs:
        raise DataError(f"{path.name} holds no pairs. Wanted: lines with a sentence, a tab and its translation.")
    return pairs


def _lines(path: Path) -> list[str]:
    try:
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                names = [
                    name
                    for name in archive.namelist()
                    if name.endswith((".txt", ".tsv")) and not Path(name).name.startswith("_")
                ]
                if not names:
                    raise DataError(f"{path.name} holds no .txt or .tsv file. Choose another archive.")
                with archive.open(names[0]) as raw:
                    return io.TextIOWrapper(raw, encoding="utf-8-sig").read().splitlines()
        return path.read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        raise DataError(f"The file {path} cannot be read ({error.strerror}). Check its name.") from None
    except (UnicodeDecodeError, zipfile.BadZipFile) as error:
        raise DataError(f"{path.name} cannot be read as UTF-8 text ({error}). Save it as UTF-8.") from None


MAX_TARGET_CHARACTERS = 80

CLEANING_RULES: dict[str, Callable[[str, str], bool]] = {
    "one side is empty": lambda source, target: not source or not target,
    "the source has no Latin letter": lambda source, _: not re.search(r"[A-Za-z]", source),
    "the source has Chinese characters": lambda source, _: bool(re.search(r"[\u3400-\u9fff]", source)),
    "the target has no Chinese character": lambda _, target: not re.search(r"[\u3400-\u9fff]", target),
    "the target has three or more Latin letters in a row": lambda _, target: bool(
        re.search(r"[^\W\d_]{3}", _latin(target))
    ),
    "the target has accented Latin letters (pinyin)": lambda _, target: bool(re.search(r"[À-ɏḀ-ỿ]", target)),
    f"the target is longer than {MAX_TARGET_CHARACTERS} characters": lambda _, target: (
        len(target) > MAX_TARGET_CHARACTERS
    ),
    "the source has more than four words a target character": lambda source, target: (
        len(source.split()) > 4 * len(target)
    ),
}
"""Why a pair is left out of training, each rule with its test on the source and the normalised target."""


def _latin(text: str) -> str:
    """The text with everything but ASCII letters as spaces."""
    return re.sub(r"[^A-Za-z]", " ", text)


def clean_pairs(pairs: list[Pair]) -> tuple[list[Pair], dict[str, int]]:
    """The pairs that pass every rule, targets normalised, exact repeats dropped; and how many each rule left out."""
    kept: dict[Pair, None] = {}
    left_out = dict.fromkeys(CLEANING_RULES, 0)
    repeats = 0
    for source_text, reference in pairs:
        target = normalize_target(reference)
        reason = next((reason for reason, broken in CLEANING_RULES.items() if broken(source_text, target)), None)
        if reason is not None:
            left_out[reason] += 1
        elif (pair := Pair(source_text, target)) in kept:
            repeats += 1
        else:
            kept[pair] = None
    return list(kept), {**left_out, "the pair is a repeat": repeats}


def encode_pairs(
    pairs: list[Pair], source_tokenizer: SourceTokenizer, target_tokenizer: TargetTokenizer, max_source_pieces: int
) -> list[EncodedPair]:
    """Pairs as numbers; those of more than `max_source_pieces` source pieces are left out."""
    encoded = (
        EncodedPair(source_tokenizer.ids(source), target_tokenizer.ids(target_tokenizer.split(target)))
        for source, target in pairs
    )
    return [pair for pair in encoded if 0 < len(pair.source_ids) <= max_source_pieces]


def make_batch(pairs: list[EncodedPair]) -> Batch:
    """Pad pairs to one size."""
    source_ids = pad_ids([pair.source_ids for pair in pairs])
    target_inputs = pad_ids([[BEGIN_ID, *pair.target_ids] for pair in pairs])
    target_outputs = pad_ids([[*pair.target_ids, END_ID] for pair in pairs])
    return Batch(source_ids, source_ids != PAD_ID, target_inputs, target_outputs, target_outputs != PAD_ID)


def pad_ids(rows: list[list[int]]) -> Int[Tensor, "batch length"]:
    """Rows of numbers as one tensor, short rows filled with `PAD_ID` on the right."""
    return pad_sequence([torch.tensor(row) for row in rows], batch_first=True, padding_value=PAD_ID)


def shuffled_batches(
    pairs: list[EncodedPair], batch_size: int, generator: torch.Generator
) -> Iterator[list[EncodedPair]]:
    """All pairs once, in batches of similar lengths in a random order drawn from `generator`.

    Within a batch the source lengths are equal or nearly so, which keeps padding low.
    """
    order = torch.randperm(len(pairs), generator=generator).tolist()
    order.sort(key=lambda number: (len(pairs[number].source_ids), len(pairs[number].target_ids)))
    starts = range(0, len(order), batch_size)
    for start in torch.randperm(len(starts), generator=generator).tolist():
        yield [pairs[number] for number in order[start * batch_size : (start + 1) * batch_size]]
