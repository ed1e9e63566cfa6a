"""Training a translator: text prepared, steps taken, weights averaged, the emergence of alignment recorded.

Teacher-forced throughout. Alignment is never supervised: the only loss is that of the next target token.
"""

import copy
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import torch
from jaxtyping import Float
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.nn import functional
from torch.nn.utils import clip_grad_norm_

from attention_model.alignments import AlignmentSet, read_alignment_set
from attention_model.checkpoint import Translator, save_checkpoint
from attention_model.config import ModelConfig, TrainingConfig
from attention_model.data import (
    Batch,
    EncodedPair,
    Pair,
    clean_pairs,
    encode_pairs,
    make_batch,
    read_pairs,
    shuffled_batches,
)
from attention_model.decoding import forced_decode
from attention_model.errors import DataError
from attention_model.evaluation import measure_alignment, measure_translation
from attention_model.model import Seq2Seq
from attention_model.shelf import HISTORY_FILE, TRAINING_FILE, Probe
from attention_model.tokenizer import MAX_SOURCE_PIECES, UNKNOWN_ID, SourceTokenizer, TargetTokenizer

HISTORY_MARKS = 12
"""How many times the history looks at the model, the untrained model and the last included."""

STEPS_BETWEEN_SAVES = 200
"""How many steps an interruption can cost."""

STATE_FILE = "training_state.safetensors"
STATE_NOTES_FILE = "training_state.json"
SOURCE_END_MARKS = ".?!"
TARGET_END_MARKS = "。？！"


class TrainingFiles(NamedTuple):
    """What a run reads: pairs to learn from, pairs to choose on and, if there is one, a folder of human alignments."""

    pairs: Path
    valid_pairs: Path
    alignments: Path | None


class Progress(NamedTuple):
    """Where a run stands after a step; `record` is the history's newest entry when one was just made."""

    step: int
    total_steps: int
    loss: float
    record: dict[str, Any] | None


class Corpus(NamedTuple):
    """Cleaned text as numbers, with the tokenizers that made them and how many pairs each rule left out."""

    pairs: list[EncodedPair]
    source_tokenizer: SourceTokenizer
    target_tokenizer: TargetTokenizer
    left_out: dict[str, int]


class Measures(NamedTuple):
    """What the history looks at along the way."""

    valid_pairs: list[Pair]
    alignment_set: AlignmentSet | None
    probes: tuple[Probe, ...]


@dataclass
class _Run:
    """The moving parts of a run."""

    model: Seq2Seq
    averaged: Seq2Seq
    optimizer: torch.optim.Optimizer
    step: int
    history: list[dict[str, Any]]
    losses: list[float]
    earlier_seconds: float

    @property
    def processor_seconds(self) -> float:
        """Processor time so far, interruptions bridged."""
        return self.earlier_seconds + time.process_time()


def train(
    model_config: ModelConfig,
    training_config: TrainingConfig,
    files: TrainingFiles,
    probes: tuple[Probe, ...],
    folder: Path,
    on_progress: Callable[[Progress], None],
) -> None:
    """Train a translator and write its checkpoint to `folder`, its history beside it.

    probes: sentences whose weights, along their targets, go into the history.

    The same seed and files on the same machine give the same weights. An interrupted run, started again with the same
    arguments, goes on from its last saved state. Raises DataError when a file cannot be read as pairs.
    """
    torch.set_num_threads(training_config.threads)
    corpus = prepare_corpus(read_pairs(files.pairs), training_config)
    measures = Measures(
        read_pairs(files.valid_pairs),
        None if files.alignments is None else read_alignment_set(files.alignments),
        probes,
    )
    torch.manual_seed(training_config.seed)
    model = Seq2Seq(model_config, len(corpus.source_tokenizer), len(corpus.target_tokenizer))
    run = _Run(model, copy.deepcopy(model).eval().requires_grad_(False), _adam(model, training_config), 0, [], [], 0.0)
    folder.mkdir(parents=True, exist_ok=True)
    _resume(run, folder)
    total_steps = training_config.epochs * math.ceil(len(corpus.pairs) / training_config.batch_size)
    marks = history_marks(total_steps)
    translator = Translator(None, run.averaged, corpus.source_tokenizer, corpus.target_tokenizer)
    if not run.history:
        run.history.append(_record(translator, run, measures))
    for batch in _batches(corpus, training_config, skip=run.step):
        loss = _take_step(run, batch, training_config, total_steps)
        run.losses.append(loss)
        record = None
        if run.step in marks:
            record = _record(translator, run, measures)
            run.history.append(record)
            run.losses.clear()
        if run.step % STEPS_BETWEEN_SAVES == 0 or record is not None:
            _save_state(run, folder)
        on_progress(Progress(run.step, total_steps, loss, record))
    save_checkpoint(translator, folder)
    (folder / HISTORY_FILE).write_bytes(orjson.dumps(run.history, option=orjson.OPT_SERIALIZE_NUMPY))
    summary = {
        "training": training_config.to_dict(),
        "pairs_used": len(corpus.pairs),
        "pairs_left_out": corpus.left_out,
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "steps": run.step,
        "processor_seconds": round(run.processor_seconds),
    }
    (folder / TRAINING_FILE).write_bytes(orjson.dumps(summary, option=orjson.OPT_INDENT_2))
    for name in (STATE_FILE, STATE_NOTES_FILE):
        (folder / name).unlink(missing_ok=True)


def prepare_corpus(pairs: list[Pair], config: TrainingConfig) -> Corpus:
    """Clean pairs, learn both tokenizers from what is kept, and turn it into numbers.

    Raises DataError when no pair passes the cleaning rules.
    """
    kept, left_out = clean_pairs(pairs)
    if not kept:
        raise DataError(f"None of the {len(pairs)} pairs passes the cleaning rules: {left_out}. Check the columns.")
    source_tokenizer = SourceTokenizer.train((pair.source_text for pair in kept), config.source_vocabulary)
    target_tokenizer = TargetTokenizer.train((pair.reference for pair in kept), config.target_min_count)
    encoded = encode_pairs(kept, source_tokenizer, target_tokenizer, MAX_SOURCE_PIECES)
    left_out = {**left_out, f"the source has more than {MAX_SOURCE_PIECES} pieces": len(kept) - len(encoded)}
    return Corpus(encoded, source_tokenizer, target_tokenizer, left_out)


def history_marks(total_steps: int) -> set[int]:
    """The steps after which the history looks at the model: evenly spaced on a log scale, the last step included."""
    first = max(1, total_steps // 1000)
    ratio = (total_steps / first) ** (1 / (HISTORY_MARKS - 2))
    return {round(first * ratio**number) for number in range(HISTORY_MARKS - 1)} | {total_steps}


def learning_rate(step: int, total_steps: int, config: TrainingConfig) -> float:
    """A rise in a straight line over the warm-up, then half a cosine down to 0 (Loshchilov & Hutter 2017)."""
    if step < config.warmup_steps:
        return config.learning_rate * (step + 1) / config.warmup_steps
    share = (step - config.warmup_steps) / max(1, total_steps - config.warmup_steps)
    return config.learning_rate * 0.5 * (1 + math.cos(math.pi * share))


def loss_of(model: Seq2Seq, batch: Batch, label_smoothing: float = 0.0) -> Float[Tensor, ""]:
    """Mean cross-entropy of the real target tokens, in nats per token."""
    logits = model(batch.source_ids, batch.source_mask, batch.target_inputs, batch.target_mask)
    outputs = batch.target_outputs[batch.target_mask]
    return functional.cross_entropy(logits.float(), outputs, label_smoothing=label_smoothing)


def _adam(model: Seq2Seq, config: TrainingConfig) -> torch.optim.Optimizer:
    """Adam (Kingma & Ba 2015). The multiplicative W moves in smaller steps, a `score_weight_rate` of the others'.

    One step of Adam moves each of the d_h × d_s products in a score, where a dot product has only d_h of them.
    """
    score_weights = [weight for name, weight in model.named_parameters() if name == "scorer.score_weight"]
    others = [weight for name, weight in model.named_parameters() if name != "scorer.score_weight"]
    groups = [{"params": others, "share": 1.0}, {"params": score_weights, "share": config.score_weight_rate}]
    return torch.optim.Adam([group for group in groups if group["params"]], betas=(0.9, 0.98), fused=True)


def _batches(corpus: Corpus, config: TrainingConfig, skip: int) -> Iterator[Batch]:
    """The batches of all epochs from step `skip` on; each epoch's order depends on the seed and the epoch alone."""
    batches_per_epoch = math.ceil(len(corpus.pairs) / config.batch_size)
    source_marks = set(corpus.source_tokenizer.ids(" ".join(SOURCE_END_MARKS)))
    target_marks = set(corpus.target_tokenizer.ids(TARGET_END_MARKS))
    for epoch in range(skip // batches_per_epoch, config.epochs):
        generator = torch.Generator().manual_seed(config.seed * 10_007 + epoch)
        for number, pairs in enumerate(shuffled_batches(corpus.pairs, config.batch_size, generator)):
            draws = torch.rand(len(pairs), generator=generator).tolist()
            words = torch.rand(len(pairs), 1 + max(len(pair.target_ids) for pair in pairs), generator=generator)
            if epoch * batches_per_epoch + number < skip:
                continue
            batch = make_batch(
                [
                    _without_end_marks(pair, source_marks, target_marks) if draw < config.end_mark_dropout else pair
                    for pair, draw in zip(pairs, draws, strict=True)
                ]
            )
            yield _with_dropped_words(batch, words[:, : batch.target_inputs.shape[1]] < config.word_dropout)


def _without_end_marks(pair: EncodedPair, source_marks: set[int], target_marks: set[int]) -> EncodedPair:
    """The pair without its final full stop, question or exclamation mark, if both sides end in one."""
    source_ids, target_ids = pair
    if len(source_ids) > 1 < len(target_ids) and source_ids[-1] in source_marks and target_ids[-1] in target_marks:
        return EncodedPair(source_ids[:-1], target_ids[:-1])
    return pair


def _with_dropped_words(batch: Batch, dropped: Tensor) -> Batch:
    """The batch with the decoder reading `<unk>` at the dropped positions; the begin token is always read."""
    dropped[:, 0] = False
    return batch._replace(target_inputs=batch.target_inputs.masked_fill(dropped & batch.target_mask, UNKNOWN_ID))


def _take_step(run: _Run, batch: Batch, config: TrainingConfig, total_steps: int) -> float:
    """One step of Adam and of the running average; the loss before the step."""
    run.model.train()
    for group in run.optimizer.param_groups:
        group["lr"] = group["share"] * learning_rate(run.step, total_steps, config)
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=config.precision == "bfloat16"):
        loss = loss_of(run.model, batch, config.label_smoothing)
    run.optimizer.zero_grad()
    loss.backward()
    clip_grad_norm_(run.model.parameters(), config.gradient_norm)
    run.optimizer.step()
    decay = min(config.average_decay, (1 + run.step) / (10 + run.step))
    with torch.no_grad():
        for average, parameter in zip(run.averaged.parameters(), run.model.parameters(), strict=True):
            average.lerp_(parameter, 1 - decay)
    run.step += 1
    return loss.item()


def _record(translator: Translator, run: _Run, measures: Measures) -> dict[str, Any]:
    """What the averaged model can do now: losses, BLEU, alignment error rate and the probes' weights."""
    translation = measure_translation(translator, measures.valid_pairs)
    with_alignment = measures.alignment_set is not None and translator.config.scorer != "none"
    traces = [forced_decode(translator, probe.sentence, probe.target) for probe in measures.probes]
    return {
        "step": run.step,
        "training_loss": sum(run.losses) / len(run.losses) if run.losses else None,
        "valid_loss": _valid_loss(translator, measures.valid_pairs),
        "bleu": translation.bleu,
        "aer": measure_alignment(translator, measures.alignment_set).aer if with_alignment else None,
        "probes": [
            {
                "id": probe.id,
                "source_tokens": trace.source_tokens,
                "target_tokens": trace.target_tokens,
                "weights": trace.weights,
            }
            for probe, trace in zip(measures.probes, traces, strict=True)
        ],
    }


@torch.inference_mode()
def _valid_loss(translator: Translator, pairs: list[Pair]) -> float:
    """Mean cross-entropy in nats per target token, nothing smoothed."""
    encoded = encode_pairs(pairs, translator.source_tokenizer, translator.target_tokenizer, MAX_SOURCE_PIECES)
    encoded.sort(key=lambda pair: len(pair.source_ids))
    total = tokens = 0.0
    for start in range(0, len(encoded), 100):
        batch = make_batch(encoded[start : start + 100])
        count = int(batch.target_mask.sum())
        total += loss_of(translator.model, batch).item() * count
        tokens += count
    return total / tokens


def _save_state(run: _Run, folder: Path) -> None:
    """Everything that going on needs, written beside the old state and then put in its place."""
    tensors = {f"model.{name}": value for name, value in _parameters(run.model).items()}
    tensors |= {f"averaged.{name}": value for name, value in _parameters(run.averaged).items()}
    for name, parameter in run.model.named_parameters():
        for key, value in run.optimizer.state[parameter].items():
            tensors[f"optimizer.{key}.{name}"] = value
    tensors["random_state"] = torch.get_rng_state()
    notes = {
        "step": run.step,
        "history": run.history,
        "losses": run.losses,
        "processor_seconds": run.processor_seconds,
    }
    save_file(tensors, folder / f"{STATE_FILE}.new")
    (folder / f"{STATE_NOTES_FILE}.new").write_bytes(orjson.dumps(notes, option=orjson.OPT_SERIALIZE_NUMPY))
    for name in (STATE_FILE, STATE_NOTES_FILE):
        (folder / f"{name}.new").replace(folder / name)


def _resume(run: _Run, folder: Path) -> None:
    """Fill a fresh run from a saved state, if there is one."""
    if not (folder / STATE_NOTES_FILE).exists():
        return
    notes = orjson.loads((folder / STATE_NOTES_FILE).read_bytes())
    tensors = load_file(folder / STATE_FILE)
    run.step, run.history, run.losses = notes["step"], notes["history"], notes["losses"]
    run.earlier_seconds = notes["processor_seconds"]
    with torch.no_grad():
        for prefix, model in (("model", run.model), ("averaged", run.averaged)):
            for name, parameter in model.named_parameters():
                parameter.copy_(tensors[f"{prefix}.{name}"])
    for name, parameter in run.model.named_parameters():
        run.optimizer.state[parameter] = {
            key: tensors[f"optimizer.{key}.{name}"] for key in ("step", "exp_avg", "exp_avg_sq")
        }
    torch.set_rng_state(tensors["random_state"])


def _parameters(model: Seq2Seq) -> dict[str, Tensor]:
    return {name: parameter.detach() for name, parameter in model.named_parameters()}
