"""A sentence of ten words to its finished trace, on one thread, with the shipped translators.

Each time another sentence, and the tokenizer's work included.
"""

from collections.abc import Callable

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from attention_model.checkpoint import Translator, load_translator
from attention_model.decoding import beam_decode, forced_decode, greedy_decode
from attention_model.trace import SCORERS
from benchmarks.conftest import Record
from benchmarks.sentences import new_sentences, translation_of

TITLE = "Decoding"
GREEDY_AIM = 25.0
SENTENCES = 60
WARM_UP = 3
FORCED_CHARACTERS = 12
BEAM_SIZE = 5

Decode = Callable[[Translator, str], object]


@pytest.fixture
def measure(benchmark: BenchmarkFixture, often: Callable[[int], int]) -> Callable[[Translator, Decode], list[float]]:
    """A function that decodes many sentences and gives the milliseconds of each."""

    def milliseconds(translator: Translator, decode: Decode) -> list[float]:
        sentences = iter(new_sentences(often(SENTENCES) + WARM_UP))
        benchmark.pedantic(
            decode,
            setup=lambda: ((translator, next(sentences)), {}),
            rounds=often(SENTENCES),
            warmup_rounds=WARM_UP,
        )
        return [1000 * seconds for seconds in benchmark.stats.stats.data]

    return milliseconds


@pytest.mark.parametrize("scorer", SCORERS)
def bench_greedy(
    translator: Translator, record: Record, measure: Callable[[Translator, Decode], list[float]], scorer: str
) -> None:
    """The most probable token at every step."""
    asked = translator if scorer == translator.config.scorer else load_translator(f"en-zh/{scorer}")
    record(f"greedy, {scorer}", measure(asked, greedy_decode), "ms", GREEDY_AIM)


def bench_beam(translator: Translator, record: Record, measure: Callable[[Translator, Decode], list[float]]) -> None:
    """Five hypotheses, a trace each."""
    times = measure(translator, lambda asked, text: beam_decode(asked, text, beam_size=BEAM_SIZE))
    record(f"beam of {BEAM_SIZE}, {translator.config.scorer}", times, "ms")


def bench_forced(translator: Translator, record: Record, measure: Callable[[Translator, Decode], list[float]]) -> None:
    """Along a given translation, in one fused call."""
    target = translation_of(FORCED_CHARACTERS)
    times = measure(translator, lambda asked, text: forced_decode(asked, text, target))
    record(f"forced along {FORCED_CHARACTERS} characters, {translator.config.scorer}", times, "ms")
