"""How good a translator is: BLEU and chrF against references, alignment error rate against human links, by length.

Knows translators and files of pairs and alignments; knows nothing of training.
"""

import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import sacrebleu
from jaxtyping import Float32

from attention_model.analysis import ALIGNMENT_THRESHOLD, hard_alignment
from attention_model.checkpoint import Translator
from attention_model.data import Pair
from attention_model.decoding import Translation, forced_decode, greedy_translations
from attention_model.errors import DataError
from attention_model.tokenizer import normalize_target
from attention_model.trace import DecodingTrace

LENGTH_LIMITS = (5, 10, 15, 20)
"""In source words: quality is given for sentences of up to 5, of 6 to 10, and so on, and of more than the last."""

Link = tuple[int, int]
"""(source, target), counted from 0."""


class LengthGroup(NamedTuple):
    """Quality on sentences of `shortest` to `longest` source words; `longest` is None for the open last group."""

    shortest: int
    longest: int | None
    sentences: int
    bleu: float
    chrf: float


class TranslationQuality(NamedTuple):
    """Quality of greedy translations. bleu and chrf: 0 to 100. seconds: decoding time.

    mean_entropy: of the weights, in bits a step; None without attention. unfinished: sentences cut at the greatest
    length. by_length: the groups that have a sentence.
    """

    bleu: float
    chrf: float
    sentences: int
    seconds: float
    mean_entropy: float | None
    unfinished: int
    by_length: tuple[LengthGroup, ...]

    def to_dict(self) -> dict[str, Any]:
        """The numbers by name, the groups of lengths too."""
        return {**self._asdict(), "by_length": [group._asdict() for group in self.by_length]}


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


def measure_translation(
    translator: Translator, pairs: Sequence[Pair], on_progress: Callable[[int], None] | None = None
) -> TranslationQuality:
    """Translate greedily and compare with the references, which may be in either Chinese script.

    BLEU by sacrebleu with the tokenizer `zh` (Papineni et al. 2002; Post 2018), chrF by sacrebleu (Popović 2015).
    on_progress is told how many sentences have been translated.
    Raises TextError when a source sentence cannot be read.
    """
    started = time.perf_counter()
    translations = greedy_translations(translator, [pair.source_text for pair in pairs], on_progress=on_progress)
    seconds = time.perf_counter() - started
    hypotheses = [translation.text for translation in translations]
    references = [normalize_target(pair.reference) for pair in pairs]
    bleu, chrf = _bleu_and_chrf(hypotheses, references)
    return TranslationQuality(
        bleu,
        chrf,
        len(pairs),
        seconds,
        _mean_entropy(translations),
        sum(not translation.finished for translation in translations),
        _by_length([len(pair.source_text.split()) for pair in pairs], hypotheses, references),
    )


def measure_alignment(
    translator: Translator, alignment_set: Sequence[AlignedSentence], threshold: float = ALIGNMENT_THRESHOLD
) -> AlignmentQuality:
    """Compare the links found by forced decoding with those that people drew (Och & Ney 2003).

    AER = 1 − (|A∩S| + |A∩P|) / (|A| + |S|), precision = |A∩P| / |A|, recall = |A∩S| / |S|, summed over the set.
    Raises TextError when a sentence is too long, and DataError when the model has no attention or a sentence's tokens
    are not kept apart by the target tokenizer.
    """
    if translator.config.scorer == "none":
        raise DataError(
            "This model has no attention (its scorer is none), so it has no links to measure. Choose another."
        )
    found_sure = found_possible = found = sure = 0
    for sentence in alignment_set:
        links = set(find_links(translator, sentence, threshold))
        found += len(links)
        sure += len(sentence.sure)
        found_sure += len(links & sentence.sure)
        found_possible += len(links & sentence.possible)
    return AlignmentQuality(
        aer=1 - (found_sure + found_possible) / (found + sure),
        precision=found_possible / found if found else 0.0,
        recall=found_sure / sure,
        links=found,
        sentences=len(alignment_set),
    )


def find_links(
    translator: Translator, sentence: AlignedSentence, threshold: float = ALIGNMENT_THRESHOLD
) -> tuple[Link, ...]:
    """For each target token the source token of largest weight, kept from `threshold` on; the end row is left out.

    Both sides are counted in the sentence's own tokens: the weights of a source token's pieces are added, the rows of
    a target token's characters averaged.
    """
    trace = forced_decode(translator, " ".join(sentence.source_tokens), "".join(sentence.target_tokens))
    lengths = [len(translator.target_tokenizer.split(token)) for token in sentence.target_tokens]
    if sum(lengths) != len(trace.target_tokens) - 1:
        raise DataError(
            f"The tokens {' '.join(sentence.target_tokens)!r} are {sum(lengths)} characters one by one and "
            f"{len(trace.target_tokens) - 1} in their sentence, and equally many are wanted. Mend the line."
        )
    return hard_alignment(_merge(trace, sentence.source_tokens, lengths), threshold)


def read_alignment_set(folder: Path) -> AlignmentSet:
    """Read a folder with `en.txt`, `xx.txt` and `en-xx.align`: tokens between spaces, links `i-j` sure, `i?j` possible.

    Raises DataError, with the line's number, when a file is missing, the files differ in length, a link points nowhere
    or no link is sure.
    """
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


def _merge(
    trace: DecodingTrace, source_tokens: Sequence[str], lengths: Sequence[int]
) -> Float32[np.ndarray, "target source"]:
    """The weights in other tokens: columns by where a piece begins in the text, rows by characters a target token.

    source_tokens: joined by single spaces they are the text. The end row is left out.
    """
    ends = np.cumsum([len(token) + 1 for token in source_tokens])
    columns = np.searchsorted(ends, [start for start, _ in trace.source_spans], side="right")
    rows = np.repeat(np.arange(len(lengths)), lengths)
    merged = np.zeros((len(lengths), len(source_tokens)), dtype=np.float32)
    np.add.at(merged, (rows[:, None], columns[None, :]), trace.weights[:-1])
    return merged / np.maximum(lengths, 1, dtype=np.float32)[:, None]


def _bleu_and_chrf(hypotheses: list[str], references: list[str]) -> tuple[float, float]:
    bleu = sacrebleu.corpus_bleu(hypotheses, [references], tokenize="zh")
    return bleu.score, sacrebleu.corpus_chrf(hypotheses, [references]).score


def _mean_entropy(translations: Sequence[Translation]) -> float | None:
    """Over all steps of all sentences; None without attention."""
    known = [(one.entropy, one.steps) for one in translations if one.entropy is not None]
    steps = sum(count for _, count in known)
    return sum(entropy * count for entropy, count in known) / steps if steps else None


def _by_length(words: list[int], hypotheses: list[str], references: list[str]) -> tuple[LengthGroup, ...]:
    """The quality of each group of lengths that has a sentence."""
    groups = []
    shortest = 1
    for longest in (*LENGTH_LIMITS, None):
        inside = [
            number for number, count in enumerate(words) if shortest <= count and (longest is None or count <= longest)
        ]
        if inside:
            scores = _bleu_and_chrf(
                [hypotheses[number] for number in inside], [references[number] for number in inside]
            )
            groups.append(LengthGroup(shortest, longest, len(inside), *scores))
        shortest = (longest or 0) + 1
    return tuple(groups)
