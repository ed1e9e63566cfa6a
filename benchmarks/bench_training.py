"""Training on one thread, with the sizes and settings of the shipped translators.

"Matrix products" is their share of the time that torch computes, by its profiler. The multiplications and additions in
them, divided by the time, are the GFLOP/s that training reaches, inside the products and over whole steps. Beside these
stands what the machine reaches in the same run and precision with one product alone: of large square matrices, and of
the shape of the largest product of a step, the prediction of the target words. The sentences are invented, as many
tokens long as everyday ones, unless the command names a file of pairs.
"""

import copy
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
import torch
from torch.profiler import ProfilerActivity, profile
from torch.utils.flop_counter import FlopCounterMode

from attention_model import training
from attention_model.checkpoint import Translator
from attention_model.config import ModelConfig, TrainingConfig
from attention_model.data import EncodedPair, read_pairs
from attention_model.model import Seq2Seq
from attention_model.tokenizer import END_ID
from attention_model.trace import SCORERS
from benchmarks.conftest import Record

TITLE = "Training"
WARM_UP = 5
STEPS = 60
PROFILED_STEPS = 15
COUNTED_STEPS = 5
PRODUCTS = 30
SQUARE = 2048
GIGA = 1e9

MATRIX_PRODUCTS = ("aten::mm", "aten::addmm", "aten::bmm", "aten::baddbmm")
"""Under these names the profiler counts what multiplies matrices; the GRUs' products are among them."""

INVENTED_PAIRS = 6400
LENGTHS = ((8.5, 3.5), (9.5, 4.5))
"""Mean and standard deviation of the tokens in everyday sentences, source and target; two at least."""


Result = TypeVar("Result")


class Trainer:
    """A training at the point where steps are taken: the engine's own batches and steps."""

    def __init__(self, corpus: training.Corpus, scorer: str) -> None:
        torch.set_num_threads(1)
        self.config = TrainingConfig()
        torch.manual_seed(self.config.seed)
        vocabularies = len(corpus.source_tokenizer), len(corpus.target_tokenizer)
        self.model = Seq2Seq(ModelConfig(scorer=scorer), *vocabularies)
        averaged = copy.deepcopy(self.model).eval().requires_grad_(False)
        self._run = training._Run(self.model, averaged, training._adam(self.model, self.config), 0, [], [], 0.0)
        self._batches = training._batches(corpus, self.config, skip=0)
        self._total_steps = self.config.epochs * len(corpus.pairs) // self.config.batch_size
        self.take_steps(WARM_UP)

    def take_steps(self, count: int) -> int:
        """Make so many batches and take a step with each; how many real target tokens they held."""
        target_tokens = 0
        for _ in range(count):
            batch = next(self._batches)
            training._take_step(self._run, batch, self.config, self._total_steps)
            target_tokens += int(batch.target_mask.sum())
        return target_tokens


@pytest.fixture(scope="module")
def corpus(request: pytest.FixtureRequest, translator: Translator) -> training.Corpus:
    """Pairs as numbers: invented ones in the vocabularies of the shipped translators, or those of a file."""
    path: Path | None = request.config.getoption("--training-pairs")
    if path is not None:
        return training.prepare_corpus(read_pairs(path), TrainingConfig())
    tokenizers = translator.source_tokenizer, translator.target_tokenizer
    draw = random.Random(1)
    pairs = [
        EncodedPair(
            *(_some_ids(draw, len(tokenizer), length) for tokenizer, length in zip(tokenizers, LENGTHS, strict=True))
        )
        for _ in range(INVENTED_PAIRS)
    ]
    return training.Corpus(pairs, *tokenizers, {})


def _some_ids(draw: random.Random, vocabulary: int, length: tuple[float, float]) -> list[int]:
    """Random tokens of a vocabulary, special ones left out."""
    return [draw.randrange(END_ID + 1, vocabulary) for _ in range(max(2, round(draw.gauss(*length))))]


@pytest.mark.parametrize("scorer", SCORERS)
def bench_target_tokens(corpus: training.Corpus, record: Record, often: Callable[[int], int], scorer: str) -> None:
    """Target tokens a second of each scorer, and for dot how far that is from the machine's limit."""
    trainer, steps = Trainer(corpus, scorer), often(STEPS)
    target_tokens, seconds = _timed(lambda: trainer.take_steps(steps))
    record(f"{scorer}, over {steps} steps", target_tokens / seconds, "target tokens/s")
    if scorer == "dot":
        _record_distance_from_limit(trainer, target_tokens / seconds, record, often)


def _record_distance_from_limit(
    trainer: Trainer, tokens_a_second: float, record: Record, often: Callable[[int], int]
) -> None:
    """What the matrix products take and reach, and what the machine reaches with them alone."""
    with FlopCounterMode(display=False) as counter:
        counted_tokens = trainer.take_steps(often(COUNTED_STEPS))
    operations_a_token = counter.get_total_flops() / counted_tokens
    with profile(activities=[ProfilerActivity.CPU]) as profiler:
        profiled_tokens = trainer.take_steps(often(PROFILED_STEPS))
    seconds_by_name = {event.key: event.self_cpu_time_total / 1e6 for event in profiler.key_averages()}
    in_products = sum(seconds_by_name[name] for name in MATRIX_PRODUCTS if name in seconds_by_name)
    inside = operations_a_token * profiled_tokens / in_products / GIGA
    over_steps = operations_a_token * tokens_a_second / GIGA
    prediction = trainer.model.decoder.prediction_layer.weight
    rows = round(counted_tokens / often(COUNTED_STEPS))
    alone = _speed_of_product(trainer.config.precision, (rows, prediction.shape[1], prediction.shape[0]), often)
    square = _speed_of_product(trainer.config.precision, (SQUARE, SQUARE, SQUARE), often)
    record("dot: matrix products, of the time in torch", in_products / sum(seconds_by_name.values()), "%")
    record("dot: reached inside the matrix products", inside, "GFLOP/s")
    record("dot: reached over whole steps", over_steps, "GFLOP/s")
    record(f"one product alone, {rows} × {prediction.shape[1]} × {prediction.shape[0]}", alone, "GFLOP/s")
    record(f"one product alone, {SQUARE} × {SQUARE} × {SQUARE}", square, "GFLOP/s")
    record("dot: whole steps, of the faster product alone", over_steps / max(alone, square), "%")


def _speed_of_product(precision: str, shape: tuple[int, int, int], often: Callable[[int], int]) -> float:
    """GFLOP/s of the product of a rows × inner and an inner × columns matrix; the best of several times."""
    rows, inner, columns = shape
    kind = getattr(torch, precision)
    left, right = torch.randn(rows, inner, dtype=kind), torch.randn(inner, columns, dtype=kind)
    seconds = min(_timed(lambda: left @ right)[1] for _ in range(often(PRODUCTS)))
    return 2 * rows * inner * columns / seconds / GIGA


def _timed(work: Callable[[], Result]) -> tuple[Result, float]:
    """What the work gives, and the seconds that it took."""
    begun = time.perf_counter()
    result = work()
    return result, time.perf_counter() - begun
