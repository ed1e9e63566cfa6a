"""How good a translator is: BLEU and chrF against references, alignment error rate against human links, by length.

Knows translators, pairs and aligned sentences; knows nothing of files or of training.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import sacrebleu

from attention_model.alignments import AlignedSentence, AlignmentQuality, Link, alignment_quality, trace_links
from attention_model.analysis import ALIGNMENT_THRESHOLD
from attention_model.checkpoint import Translator
from attention_model.data import Pair
from attention_model.decoding import Translation, forced_decode, greedy_translations
from attention_model.errors import DataError
from attention_model.tokenizer import normalize_target

LENGTH_LIMITS = (5, 10, 15, 20)
"""In source words: quality is given for sentences of up to 5, of 6 to 10, and so on, and of more than the last."""


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

    See `alignment_quality` for the formulas.
    Raises TextError when a sentence is too long, and DataError when the model has no attention or a sentence's tokens
    are not kept apart by the target tokenizer.
    """
    if translator.config.scorer == "none":
        raise DataError(
            "This model has no attention (its scorer is none), so it has no links to measure. Choose another."
        )
    return alignment_quality([(find_links(translator, one, threshold), one) for one in alignment_set])


def find_links(
    translator: Translator, sentence: AlignedSentence, threshold: float = ALIGNMENT_THRESHOLD
) -> tuple[Link, ...]:
    """The `trace_links` of forced decoding along the sentence's translation."""
    trace = forced_decode(translator, " ".join(sentence.source_tokens), "".join(sentence.target_tokens))
    lengths = [len(translator.target_tokenizer.split(token)) for token in sentence.target_tokens]
    if sum(lengths) != len(trace.target_tokens) - 1:
        raise DataError(
            f"The tokens {' '.join(sentence.target_tokens)!r} are {sum(lengths)} characters one by one and "
            f"{len(trace.target_tokens) - 1} in their sentence, and equally many are wanted. Mend the line."
        )
    return trace_links(trace, sentence, lengths, threshold)


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
