"""A card says what was measured, and nothing that was not."""

import orjson
import pytest

from attention_model.alignments import AlignedSentence
from attention_model.card import CHOSEN_ON, measure, write_card
from attention_model.checkpoint import Translator, load_translator, save_checkpoint
from attention_model.config import TrainingConfig
from attention_model.data import Pair
from attention_model.evaluation import measure_alignment, measure_translation
from attention_model.shelf import TRAINING_FILE, read_card, read_metrics
from tests.translators import tiny_translator

PAIRS = [Pair("I like cats.", "我喜歡貓。"), Pair("I like cats a lot.", "我很喜歡貓。"), Pair("cats", "猫")]
LINKS = frozenset({(0, 0), (1, 1), (1, 2), (2, 3)})
ALIGNED = (AlignedSentence(("I", "like", "cats"), ("我", "喜", "歡", "貓"), LINKS, LINKS),) * (CHOSEN_ON + 3)
NOTES = {
    "training": TrainingConfig().to_dict(),
    "pairs_used": 12345,
    "pairs_left_out": {"one side is empty": 0, "the pair is a repeat": 67},
    "parameters": 890,
    "steps": 1234,
    "processor_seconds": 754,
}


def shelved(scorer: str, shelf) -> Translator:
    save_checkpoint(tiny_translator(scorer), shelf / "en-zh" / scorer)
    (shelf / "en-zh" / scorer / TRAINING_FILE).write_bytes(orjson.dumps(NOTES))
    return load_translator(f"en-zh/{scorer}", shelf)


@pytest.mark.parametrize("scorer", ["dot", "none"])
def test_the_card_and_its_numbers_are_those_that_were_measured(scorer, tmp_path):
    translator = shelved(scorer, tmp_path)
    metrics = measure(translator, PAIRS[:2], PAIRS, ALIGNED)
    write_card(translator, tmp_path / "en-zh" / scorer, metrics)
    assert read_metrics(f"en-zh/{scorer}", tmp_path) == orjson.loads(orjson.dumps(metrics))
    assert metrics["valid"]["bleu"] == measure_translation(translator, PAIRS[:2]).bleu
    assert metrics["test"]["sentences"] == len(PAIRS)
    card = read_card(f"en-zh/{scorer}", tmp_path)
    assert f"| test | {metrics['test']['bleu']:.1f} | {metrics['test']['chrf']:.1f} | 3 |" in card
    assert "12,345 sentence pairs" in card
    assert "- the pair is a repeat: 67" in card
    assert "one side is empty" not in card
    assert "| processor time | 13 minutes on one thread |" in card
    assert f"train --scorer {scorer} " in card
    assert "CC BY 2.0 FR" in card


def test_alignment_is_reported_apart_for_the_sentences_that_choices_were_made_on(tmp_path):
    translator = shelved("dot", tmp_path)
    metrics = measure(translator, PAIRS, PAIRS, ALIGNED)
    assert {name: part["sentences"] for name, part in metrics["alignment"].items()} == {
        f"lines_1_{CHOSEN_ON}": CHOSEN_ON,
        f"lines_{CHOSEN_ON + 1}_{len(ALIGNED)}": 3,
        "all": len(ALIGNED),
    }
    assert metrics["alignment"]["all"]["aer"] == pytest.approx(measure_alignment(translator, ALIGNED).aer)
    assert len(metrics["running_example"]["looks"]) == len("我很喜歡貓。")


def test_a_model_without_attention_has_no_alignment(tmp_path):
    translator = shelved("none", tmp_path)
    metrics = measure(translator, PAIRS, PAIRS, ALIGNED)
    assert "alignment" not in metrics
    assert "looks" not in metrics["running_example"]
    write_card(translator, tmp_path / "en-zh" / "none", metrics)
    assert "no attention, so there is no alignment" in read_card("en-zh/none", tmp_path)
