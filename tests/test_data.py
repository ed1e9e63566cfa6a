"""Files of pairs as people have them, cleaning by stated rules, and batches that lose nothing."""

import zipfile
from collections import Counter

import pytest
import torch

from attention_model.data import (
    CLEANING_RULES,
    EncodedPair,
    Pair,
    clean_pairs,
    make_batch,
    read_pairs,
    shuffled_batches,
)
from attention_model.errors import DataError
from attention_model.tokenizer import BEGIN_ID, END_ID, PAD_ID

TWO_COLUMNS = "I like cats.\t我喜歡貓。\n\nWait.\t等等。\n"
THREE_COLUMNS = "I like cats.\t我喜歡貓。\tCC-BY 2.0 (France) Attribution: one & two\nWait.\t等等。\tthree\n"
PAIRS = [Pair("I like cats.", "我喜歡貓。"), Pair("Wait.", "等等。")]


@pytest.mark.parametrize("content", [TWO_COLUMNS, THREE_COLUMNS, "\ufeff" + TWO_COLUMNS])
def test_two_and_three_columns_are_read(tmp_path, content):
    path = tmp_path / "pairs.tsv"
    path.write_text(content, encoding="utf-8")
    assert read_pairs(path) == PAIRS


def test_a_zip_is_read_as_it_comes(tmp_path):
    path = tmp_path / "cmn-eng.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("_about.txt", "This is a notice.\n")
        archive.writestr("cmn.txt", THREE_COLUMNS)
    assert read_pairs(path) == PAIRS


def test_a_line_without_a_tab_is_named(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("I like cats.\t我喜歡貓。\nno tab here\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"Line 2 of pairs.tsv has one column: 'no tab here'"):
        read_pairs(path)


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xff\xfe\x00"])
def test_an_empty_or_unreadable_file_is_refused(tmp_path, content):
    path = tmp_path / "pairs.tsv"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"pairs\.tsv (holds no pairs|cannot be read)"):
        read_pairs(path)


def test_missing_files_and_archives_without_text_are_refused(tmp_path):
    with pytest.raises(DataError, match="cannot be read"):
        read_pairs(tmp_path / "absent.tsv")
    with zipfile.ZipFile(tmp_path / "empty.zip", "w") as archive:
        archive.writestr("_about.txt", "notice")
    with pytest.raises(DataError, match=r"holds no \.txt or \.tsv"):
        read_pairs(tmp_path / "empty.zip")
    (tmp_path / "false.zip").write_text("not a zip")
    with pytest.raises(DataError, match="cannot be read"):
        read_pairs(tmp_path / "false.zip")


@pytest.mark.parametrize(
    ("pair", "rule"),
    [
        (Pair("", "我"), "one side is empty"),
        (Pair("1, 2, 3.", "一二三。"), "the source has no Latin letter"),
        (Pair("I like 貓.", "我喜歡貓。"), "the source has Chinese characters"),
        (Pair("Yes.", "Yes."), "the target has no Chinese character"),
        (Pair("Ask Bob.", "問Bob。"), "the target has three or more Latin letters in a row"),
        (Pair("Far away.", "Yuǎn遠。"), "the target has accented Latin letters (pinyin)"),
        (Pair("Long.", "長" * 81), "the target is longer than 80 characters"),
        (Pair("This is a very long one.", "好"), "the source has more than four words a target character"),
    ],
)
def test_each_cleaning_rule_leaves_out_its_own_kind(pair, rule):
    kept, left_out = clean_pairs([*PAIRS, pair])
    assert kept == PAIRS
    assert left_out[rule] == 1
    assert sum(left_out.values()) == 1
    assert set(left_out) == {*CLEANING_RULES, "the pair is a repeat"}


def test_repeats_are_dropped_after_normalising():
    kept, left_out = clean_pairs([Pair("I like cats.", "我喜欢猫."), *PAIRS])
    assert kept == PAIRS
    assert left_out["the pair is a repeat"] == 1


def test_a_batch_reads_from_begin_and_predicts_to_end():
    batch = make_batch([EncodedPair([5, 6, 7], [8, 9]), EncodedPair([4, 5], [6, 7, 8, 9, 10])])
    assert batch.source_ids.tolist() == [[5, 6, 7], [4, 5, PAD_ID]]
    assert batch.source_mask.tolist() == [[True] * 3, [True, True, False]]
    assert batch.target_inputs.tolist() == [[BEGIN_ID, 8, 9, PAD_ID, PAD_ID, PAD_ID], [BEGIN_ID, 6, 7, 8, 9, 10]]
    assert batch.target_outputs.tolist() == [[8, 9, END_ID, PAD_ID, PAD_ID, PAD_ID], [6, 7, 8, 9, 10, END_ID]]
    assert batch.target_mask.tolist() == [[True] * 3 + [False] * 3, [True] * 6]


def test_an_epoch_reads_every_pair_once_in_an_order_that_the_seed_decides():
    pairs = [EncodedPair([5] * (1 + number % 7), [number]) for number in range(53)]

    def epoch(seed: int) -> list[list[EncodedPair]]:
        return list(shuffled_batches(pairs, 5, torch.Generator().manual_seed(seed)))

    read = [pair.target_ids[0] for batch in epoch(1) for pair in batch]
    assert Counter(read) == Counter(range(53))
    assert epoch(1) == epoch(1) != epoch(2)
    spreads = [len({len(pair.source_ids) for pair in batch}) for batch in epoch(1)]
    assert max(spreads) <= 2
