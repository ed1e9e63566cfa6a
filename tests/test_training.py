"""Training is reproducible, goes on after an interruption, and records how alignment emerges."""

import math
from itertools import pairwise
from pathlib import Path

import orjson
import pytest
import torch
from safetensors.torch import load_file

from attention_model.checkpoint import load_translator
from attention_model.config import ModelConfig, TrainingConfig
from attention_model.data import Pair
from attention_model.decoding import forced_decode
from attention_model.errors import DataError
from attention_model.shelf import HISTORY_FILE, TRAINING_FILE, WEIGHTS_FILE, Probe
from attention_model.training import (
    HISTORY_MARKS,
    STATE_FILE,
    STATE_NOTES_FILE,
    Progress,
    TrainingFiles,
    history_marks,
    learning_rate,
    prepare_corpus,
    train,
)

PEOPLE = {"I": "我", "you": "你", "we": "我們", "she": "她", "he": "他"}
VERBS = {"see": "看見", "like": "喜歡", "know": "知道", "want": "想要"}
THINGS = {"cats": "貓", "dogs": "狗", "fish": "魚", "birds": "鳥", "books": "書"}
PAIRS = [
    (f"{person} {verb} {thing}.", f"{PEOPLE[person]}{VERBS[verb]}{THINGS[thing]}。")
    for person in PEOPLE
    for verb in VERBS
    for thing in THINGS
]
SIZES = ModelConfig(
    scorer="multiplicative",
    embedding_size=7,
    encoder_size=12,
    decoder_size=11,
    output_size=7,
    dropout=0.1,
)
SCHEDULE = TrainingConfig(
    epochs=12,
    batch_size=13,
    warmup_steps=5,
    learning_rate=0.02,
    average_decay=0.5,
    source_vocabulary=120,
    precision="float32",
)
PROBES = (Probe("one", "I like cats.", "我喜歡貓。"),)


class StoppedError(Exception):
    """Stands for the power cut."""


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> TrainingFiles:
    """Small files of pairs and one aligned sentence, on disk."""
    folder = tmp_path_factory.mktemp("pairs")
    lines = [f"{source}\t{target}\n" for source, target in PAIRS]
    (folder / "train.tsv").write_text("".join(lines[:-10]), encoding="utf-8")
    (folder / "valid.tsv").write_text("".join(lines[-10:]), encoding="utf-8")
    aligned = folder / "zh-en_one"
    aligned.mkdir()
    (aligned / "en.txt").write_text("I like cats .\n", encoding="utf-8")
    (aligned / "zh.txt").write_text("我 喜 歡 貓 。\n", encoding="utf-8")
    (aligned / "en-zh.align").write_text("0-0 1-1 1-2 2-3 3-4\n", encoding="utf-8")
    return TrainingFiles(folder / "train.tsv", folder / "valid.tsv", aligned)


def run(files: TrainingFiles, folder: Path, stop_at: int | None = None) -> list[Progress]:
    seen: list[Progress] = []

    def watch(progress: Progress) -> None:
        seen.append(progress)
        if progress.step == stop_at:
            raise StoppedError

    train(SIZES, SCHEDULE, files, PROBES, folder, watch)
    return seen


@pytest.fixture(scope="module")
def finished(files, tmp_path_factory) -> tuple[Path, list[Progress]]:
    """A run from start to end: its folder and what it reported."""
    folder = tmp_path_factory.mktemp("shelf") / "en-zh" / "multiplicative"
    return folder, run(files, folder)


def test_the_same_seed_gives_the_same_weights(files, finished, tmp_path):
    run(files, tmp_path / "again")
    assert (tmp_path / "again" / WEIGHTS_FILE).read_bytes() == (finished[0] / WEIGHTS_FILE).read_bytes()


def test_an_interrupted_run_ends_where_an_uninterrupted_one_does(files, finished, tmp_path):
    folder = tmp_path / "interrupted"
    marks = sorted(history_marks(finished[1][-1].total_steps))
    with pytest.raises(StoppedError):
        run(files, folder, stop_at=marks[-2] + 1)
    rest = run(files, folder)
    assert rest[0].step == marks[-2] + 1, "it goes on from the last saved state"
    stopped, whole = load_file(folder / WEIGHTS_FILE), load_file(finished[0] / WEIGHTS_FILE)
    assert stopped.keys() == whole.keys()
    assert all(torch.equal(stopped[name], whole[name]) for name in whole)
    stopped_history, whole_history = (orjson.loads((one / HISTORY_FILE).read_bytes()) for one in (folder, finished[0]))
    assert stopped_history == whole_history
    assert not (folder / STATE_FILE).exists()
    assert not (folder / STATE_NOTES_FILE).exists()


def test_it_learns(finished):
    history = orjson.loads((finished[0] / HISTORY_FILE).read_bytes())
    assert history[0]["training_loss"] is None
    assert history[0]["valid_loss"] == pytest.approx(math.log(25 + 4), rel=0.25), "an untrained model guesses"
    assert history[-1]["valid_loss"] < 0.55 * history[0]["valid_loss"]


def test_the_history_looks_at_its_marks_and_keeps_the_probes_weights(finished):
    folder, seen = finished
    history = orjson.loads((folder / HISTORY_FILE).read_bytes())
    total = seen[-1].total_steps
    assert [record["step"] for record in history] == [0, *sorted(history_marks(total))]
    assert [progress.step for progress in seen] == list(range(1, total + 1))
    last = history[-1]["probes"][0]
    assert last["target_tokens"] == ["我", "喜", "歡", "貓", "。", "</s>"]
    assert all(sum(row) == pytest.approx(1, abs=1e-5) for row in last["weights"])
    assert 0 <= history[-1]["aer"] <= 1
    assert 0 <= history[-1]["bleu"] <= 100


def test_the_saved_model_is_the_last_one_of_the_history(finished):
    folder, _ = finished
    translator = load_translator("en-zh/multiplicative", folder.parent.parent)
    trace = forced_decode(translator, PROBES[0].sentence, PROBES[0].target)
    recorded = orjson.loads((folder / HISTORY_FILE).read_bytes())[-1]["probes"][0]["weights"]
    torch.testing.assert_close(torch.tensor(trace.weights), torch.tensor(recorded), rtol=0.02, atol=0.005)


def test_what_was_used_is_written_down(finished):
    notes = orjson.loads((finished[0] / TRAINING_FILE).read_bytes())
    assert TrainingConfig.from_dict(notes["training"]) == SCHEDULE
    assert notes["pairs_used"] == len(PAIRS) - 10
    assert sum(notes["pairs_left_out"].values()) == 0


@pytest.mark.parametrize("total", [1000, 8390, 13424])
def test_the_marks_are_evenly_spaced_on_a_log_scale(total):
    marks = sorted(history_marks(total))
    assert marks[-1] == total
    assert len(marks) == HISTORY_MARKS - 1, "the untrained model is the twelfth"
    ratios = [later / earlier for earlier, later in pairwise(marks[3:])]
    assert max(ratios) / min(ratios) < 1.15


def test_the_learning_rate_rises_to_its_height_and_falls_to_nothing():
    rates = [learning_rate(step, 100, SCHEDULE) for step in range(101)]
    assert max(rates) == pytest.approx(SCHEDULE.learning_rate)
    assert rates.index(max(rates)) in (SCHEDULE.warmup_steps - 1, SCHEDULE.warmup_steps)
    assert rates[0] == pytest.approx(SCHEDULE.learning_rate / SCHEDULE.warmup_steps)
    assert rates[100] == pytest.approx(0, abs=1e-12)


def test_pairs_that_all_break_a_rule_are_refused():
    with pytest.raises(DataError, match="None of the 1 pairs passes the cleaning rules"):
        prepare_corpus([Pair("Yes.", "Yes.")], SCHEDULE)
