"""Sentences that people aligned: read from files, found by their text, and held against the weights of a trace.

Knows traces and no translator, and loads no torch.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from jaxtyping import Int

from attention_model.analysis import ALIGNMENT_THRESHOLD, hard_alignment
from attention_model.chinese import simplified_of
from attention_model.errors import DataError
from attention_model.trace import DecodingTrace

Link = tuple[int, int]
"""(source, target), counted from 0."""

ReferenceLink = tuple[int, int, bool]
"""(source position, target step, whether the person was sure), in the pieces and characters of a trace."""


class AlignedSentence(NamedTuple):
    """A sentence pair cut into tokens with the links that people drew; every sure link is also possible."""

    source_tokens: tuple[str, ...]
    target_tokens: tuple[str, ...]
    sure: frozenset[Link]
    possible: frozenset[Link]


AlignmentSet = tuple[AlignedSentence, ...]


class AlignmentQuality(NamedTuple):
    """aer: alignment error rate, 0 is best. precision: share of the links found that are possible. recall: share of the
    sure links that were found. links: how many were found.
    """

    aer: float
    precision: float
    recall: float
    links: int
    sentences: int


def alignment_quality(found: Iterable[tuple[Iterable[Link], AlignedSentence]]) -> AlignmentQuality:
    """The links that were found in some sentences, against those that people drew (Och & Ney 2003).

    AER = 1 − (|A∩S| + |A∩P|) / (|A| + |S|), precision = |A∩P| / |A|, recall = |A∩S| / |S|, summed over the sentences;
    what would be divided by 0 is 0.
    """
    found_sure = found_possible = links = sure = sentences = 0
    for some, sentence in found:
        some = set(some)
        sentences += 1
        links += len(some)
        sure += len(sentence.sure)
        found_sure += len(some & sentence.sure)
        found_possible += len(some & sentence.possible)
    return AlignmentQuality(
        aer=1 - (found_sure + found_possible) / (links + sure) if links + sure else 0.0,
        precision=found_possible / links if links else 0.0,
        recall=found_sure / sure if sure else 0.0,
        links=links,
        sentences=sentences,
    )


def find_reference(text: str, sentences: Iterable[AlignedSentence]) -> AlignedSentence | None:
    """The aligned sentence that reads like the text, whatever its spaces, capitals and apostrophes; None for none."""
    wanted = _letters(text)
    return next((one for one in sentences if _letters("".join(one.source_tokens)) == wanted), None)


def reference_links(trace: DecodingTrace, sentence: AlignedSentence) -> tuple[ReferenceLink, ...] | None:
    """The links of a sentence in the pieces and characters of a trace, ready to be drawn.

    Each piece of a source token is linked to each character of a target token. None when the trace reads another
    sentence or says something else than the sentence's translation.
    """
    lengths = target_lengths(trace, sentence)
    if lengths is None:
        return None
    columns = _columns(trace, sentence)
    rows = _rows(lengths)
    return tuple(
        (int(i), int(t), (source, target) in sentence.sure)
        for source, target in sorted(sentence.possible)
        for i in np.flatnonzero(columns == source)
        for t in np.flatnonzero(rows == target)
    )


def trace_quality(
    trace: DecodingTrace, sentence: AlignedSentence, threshold: float = ALIGNMENT_THRESHOLD
) -> AlignmentQuality | None:
    """The quality of one trace's own links against a sentence's, by the rule of the whole set.

    None when the trace has no weights, reads another sentence or says something else than its translation.
    """
    lengths = None if trace.weights is None else target_lengths(trace, sentence)
    if lengths is None:
        return None
    return alignment_quality([(trace_links(trace, sentence, lengths, threshold), sentence)])


def trace_links(
    trace: DecodingTrace, sentence: AlignedSentence, lengths: Sequence[int], threshold: float = ALIGNMENT_THRESHOLD
) -> tuple[Link, ...]:
    """For each target token the source token of largest weight, kept from `threshold` on; the end row is left out.

    lengths: how many rows of the trace each target token has. Both sides are counted in the sentence's own tokens: the
    weights of a source token's pieces are added, the rows of a target token's characters averaged.
    """
    columns, rows = _columns(trace, sentence), _rows(lengths)
    merged = np.zeros((len(lengths), len(sentence.source_tokens)), dtype=np.float32)
    np.add.at(merged, (rows[:, None], columns[None, :]), trace.weights[: len(rows)])
    return hard_alignment(merged / np.maximum(lengths, 1, dtype=np.float32)[:, None], threshold)


def target_lengths(trace: DecodingTrace, sentence: AlignedSentence) -> tuple[int, ...] | None:
    """How many rows of the trace each target token of the sentence has.

    None when the trace reads another sentence, has no text, or says something else than the sentence's translation; a
    character and its variant (游, 遊) are the same.
    """
    source = "".join(sentence.source_tokens)
    reads_it = trace.source_text is not None and _letters(trace.source_text) == _letters(source)
    if not reads_it or not _is_same_chinese(trace.translation, "".join(sentence.target_tokens)):
        return None
    ends = np.cumsum([len(token) for token in trace.target_tokens]).tolist()
    wanted = np.cumsum([len(token) for token in sentence.target_tokens]).tolist()
    if not set(wanted) <= set(ends):
        return None
    return tuple(np.diff([0, *(ends.index(end) + 1 for end in wanted)]).tolist())


def read_alignment_set(folder: Path) -> AlignmentSet:
    """Read a folder with `en.txt`, `xx.txt` and `en-xx.align`: tokens between spaces, links `i-j` sure, `i?j` possible.

    Raises DataError, with the line's number, when a file is missing, the files differ in length, a link points nowhere
    or no link is sure.
    """
    if not folder.is_dir():
        raise DataError(f"There is no folder {folder}. Give one that holds a file named like en-zh.align.")
    files = sorted(folder.glob("*-*.align"))
    if len(files) != 1:
        raise DataError(
            f"The folder {folder} holds {len(files)} files named like en-zh.align, and one is wanted. Check its name."
        )
    source_name, target_name = files[0].stem.split("-")
    columns = [_read_lines(path) for path in (folder / f"{source_name}.txt", folder / f"{target_name}.txt", files[0])]
    counts = [len(lines) for lines in columns]
    if len(set(counts)) != 1:
        raise DataError(
            f"The files of {folder.name} have {counts[0]}, {counts[1]} and {counts[2]} lines ({source_name}.txt, "
            f"{target_name}.txt, {files[0].name}), and equally many are wanted."
        )
    sentences = tuple(
        _aligned_sentence(source.split(), target.split(), links.split(), f"Line {number} of {files[0].name}")
        for number, (source, target, links) in enumerate(zip(*columns, strict=True), start=1)
    )
    if not any(sentence.sure for sentence in sentences):
        raise DataError(f"{files[0].name} has no sure link (i-j), and at least one is wanted. Choose another set.")
    return sentences


def _aligned_sentence(source: list[str], target: list[str], links: list[str], where: str) -> AlignedSentence:
    """One sentence of an alignment set; `where` begins the text of an error."""
    sure, possible = set(), set()
    for link in links:
        match = re.fullmatch(r"(\d+)([-?])(\d+)", link)
        if match is None:
            raise DataError(f"{where} has the link {link!r}; i-j or i?j is wanted, with numbers for i and j.")
        source_position, target_position = int(match[1]), int(match[3])
        if source_position >= len(source) or target_position >= len(target):
            raise DataError(
                f"{where} has the link {link!r}, and the sentence has {len(source)} source and {len(target)} target "
                "tokens, counted from 0."
            )
        possible.add((source_position, target_position))
        if match[2] == "-":
            sure.add((source_position, target_position))
    return AlignedSentence(tuple(source), tuple(target), frozenset(sure), frozenset(possible))


def _read_lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"The file {path} cannot be read ({error}). Check its name.") from None


def _letters(text: str) -> str:
    """Without spaces, small letters only, straight apostrophes; as many characters as were no spaces."""
    return "".join(character.lower()[:1] for character in text if not character.isspace()).replace("’", "'")


def _is_same_chinese(one: str, other: str) -> bool:
    """Equal as written, or character by character in simplified script, in which variants are one."""
    if one == other or len(one) != len(other):
        return one == other
    return simplified_of(tuple(one)) == simplified_of(tuple(other))


def _columns(trace: DecodingTrace, sentence: AlignedSentence) -> Int[np.ndarray, " source"]:
    """For each piece of the trace the source token of the sentence in which it begins."""
    ends = np.cumsum([len(token) for token in sentence.source_tokens])
    starts = [len(_letters(trace.source_text[:start])) for start, _ in trace.source_spans]
    return np.searchsorted(ends, starts, side="right")


def _rows(lengths: Sequence[int]) -> Int[np.ndarray, " row"]:
    """For each row of a trace, without the end's, the target token to which it belongs."""
    return np.repeat(np.arange(len(lengths)), lengths)
