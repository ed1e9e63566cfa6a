"""Text to pieces: shown as typed, read in lower case, every span in the text as typed; one script for Chinese."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_model.errors import CheckpointError, TextError
from attention_model.tokenizer import (
    BEGIN_ID,
    END_ID,
    MAX_SOURCE_CHARACTERS,
    MAX_SOURCE_PIECES,
    PAD_ID,
    SPECIAL_TOKENS,
    UNKNOWN_ID,
    SourceTokenizer,
    TargetTokenizer,
    normalize_target,
)
from attention_model.trace import UNKNOWN_PIECE

SENTENCES = [
    "I like cats a lot.",
    "I don't like cats, but my sister's dog likes cats a lot!",
    'She said "hello" and they\'ll like my sister a lot?',
    "We don't know the lots of cats that I'm a sister to.",
] * 3


@pytest.fixture(scope="module")
def source_tokenizer() -> SourceTokenizer:
    """A small tokenizer that knows the words of SENTENCES."""
    return SourceTokenizer.train(SENTENCES, 200)


@pytest.fixture(scope="module")
def target_tokenizer() -> TargetTokenizer:
    """A character vocabulary with 我喜歡貓 and little else."""
    return TargetTokenizer.train(["我喜歡貓。", "我喜欢猫。", "狗"], 2)


def test_the_running_example_is_one_piece_a_word(source_tokenizer):
    pieces = source_tokenizer.split("I like cats a lot.")
    assert pieces.tokens == ("I", "like", "cats", "a", "lot", ".")
    assert pieces.pieces == ("i", "like", "cats", "a", "lot", ".")
    assert pieces.word_ids == (0, 1, 2, 3, 4, 5)
    assert pieces.spans == ((0, 1), (2, 6), (7, 11), (12, 13), (14, 17), (17, 18))


def test_there_is_no_mark_at_the_end_of_the_source(source_tokenizer):
    ids = source_tokenizer.split("I like cats a lot.").ids
    assert not set(ids) & {PAD_ID, BEGIN_ID, END_ID}


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("I DON’T like CATS", "i don't like cats"),
        ("Ｉ ｌｉｋｅ ｃａｔｓ！", "i like cats!"),
        ("“hello”", '"hello"'),
        ("I\u200b li\u200dke\u00a0cats\ufeff", "i like cats"),
        ("I  like\t\tcats\n", "i like cats"),
    ],
)
def test_typographic_and_full_width_forms_are_read_as_plain_ones(source_tokenizer, typed, plain):
    assert source_tokenizer.split(typed).ids == source_tokenizer.split(plain).ids


def test_an_unknown_character_is_visibly_unknown_and_shown_as_typed(source_tokenizer):
    pieces = source_tokenizer.split("I like 😀 cats")
    assert pieces.tokens == ("I", "like", "😀", "cats")
    assert pieces.pieces == ("i", "like", UNKNOWN_PIECE, "cats")
    assert pieces.ids[2] == UNKNOWN_ID


def test_a_new_word_is_cut_into_known_pieces_of_one_word(source_tokenizer):
    pieces = source_tokenizer.split("I like catsister.")
    assert len(pieces.ids) > 4
    assert "".join(pieces.tokens) == "Ilikecatsister."
    assert len(set(pieces.word_ids)) == 4
    assert UNKNOWN_PIECE not in pieces.pieces


def test_a_contraction_is_two_pieces_of_one_word(source_tokenizer):
    pieces = source_tokenizer.split("I'm a sister")
    assert pieces.tokens == ("I", "'m", "a", "sister")
    assert pieces.word_ids == (0, 0, 1, 2)


def test_a_quotation_mark_is_a_word_of_its_own(source_tokenizer):
    pieces = source_tokenizer.split("'cats'")
    assert pieces.tokens == ("'", "cats", "'")
    assert pieces.word_ids == (0, 1, 2)


@given(st.text(max_size=60))
def test_any_text_is_cut_into_spans_that_follow_each_other(source_tokenizer, text):
    if not any(character.isalnum() for character in text):
        with pytest.raises(TextError):
            source_tokenizer.split(text)
        return
    pieces = source_tokenizer.split(text)
    assert len(pieces.tokens) == len(pieces.pieces) == len(pieces.ids) == len(pieces.word_ids) == len(pieces.spans)
    assert all(0 <= start <= end <= len(text) for start, end in pieces.spans)
    assert list(pieces.word_ids) == sorted(pieces.word_ids)
    for token, (start, end) in zip(pieces.tokens, pieces.spans, strict=True):
        assert token == text[start:end] or start == end


@pytest.mark.parametrize(
    ("text", "found"),
    [("", "nothing"), ("  \t ", "nothing"), (" ?! ", "'?!'"), ("\u200b \u200d", "only invisible characters")],
)
def test_nothing_to_read_is_said_with_what_was_found(source_tokenizer, text, found):
    with pytest.raises(TextError, match="no word to translate") as caught:
        source_tokenizer.split(text)
    assert found in str(caught.value)
    assert "Type an English sentence" in str(caught.value)


def test_too_many_pieces_are_refused_with_the_number_found(source_tokenizer):
    with pytest.raises(TextError, match=rf"it is {MAX_SOURCE_PIECES + 1} pieces, and at most {MAX_SOURCE_PIECES}"):
        source_tokenizer.split("cats " * (MAX_SOURCE_PIECES + 1))
    assert len(source_tokenizer.split("cats " * MAX_SOURCE_PIECES).ids) == MAX_SOURCE_PIECES


def test_ten_thousand_characters_are_refused_with_the_number_found(source_tokenizer):
    with pytest.raises(TextError, match=rf"it has 10,000 characters, and at most {MAX_SOURCE_CHARACTERS:,}"):
        source_tokenizer.split("x" * 10_000)


def test_both_tokenizers_come_back_from_their_files(source_tokenizer, target_tokenizer, tmp_path):
    source_tokenizer.save(tmp_path / "source.json")
    target_tokenizer.save(tmp_path / "target.json")
    text = "I like 😀 my sister’s CATS."
    assert SourceTokenizer.load(tmp_path / "source.json").split(text) == source_tokenizer.split(text)
    assert TargetTokenizer.load(tmp_path / "target.json").tokens == target_tokenizer.tokens


@pytest.mark.parametrize("kind", [SourceTokenizer, TargetTokenizer])
@pytest.mark.parametrize("content", [None, "", "{", "[]", '{"tokens": ["a"]}'])
def test_a_missing_or_damaged_file_is_named(kind, content, tmp_path):
    path = tmp_path / "en-zh" / "dot" / "tokenizer.json"
    path.parent.mkdir(parents=True)
    if content is not None:
        path.write_text(content)
    with pytest.raises(CheckpointError, match=r"tokenizer.json of the checkpoint en-zh/dot cannot be read.*Restore"):
        kind.load(path)


def test_the_same_sentences_give_the_same_tokenizer_in_every_process(source_tokenizer, tmp_path):
    code = (
        "import sys; from pathlib import Path; from attention_model.tokenizer import SourceTokenizer; "
        f"SourceTokenizer.train({SENTENCES!r}, 200).save(Path(sys.argv[1]))"
    )
    source_tokenizer.save(tmp_path / "here")
    for name in ("one", "two"):
        subprocess.run([sys.executable, "-c", code, str(tmp_path / name)], check=True)
        assert (tmp_path / name).read_bytes() == (tmp_path / "here").read_bytes()


@pytest.mark.parametrize(
    ("typed", "normal"),
    [
        ("我喜欢猫。", "我喜歡貓。"),
        ("爲什麽在房子裏等着?", "為什麼在房子裡等著？"),
        ("他說:“你好.”", "他說：「你好。」"),
        ("你好,再見!", "你好，再見！"),
        ("他 有 3.5 公斤, 1,000 人", "他有3.5公斤，1000人"),
        ("Ｔ恤在１０:３０", "T恤在10:30"),
        ("我\u200b喜\u00adⅰ", "我喜i"),
        ("等等。。。", "等等…"),
    ],
)
def test_chinese_has_one_script_and_one_punctuation(typed, normal):
    assert normalize_target(typed) == normal


@pytest.mark.parametrize("typed", ["...", "..。", ". . .", "。。。", "⋯⋯", "……", "…..."])
def test_dots_in_a_row_are_one_ellipsis_however_they_are_typed(typed):
    assert normalize_target(f"貓{typed}狗") == "貓…狗"


@given(st.text(alphabet="我喜歡貓狗裡里面面麵，。？！,.?!:;“”\"' 1a", max_size=30))
def test_normalising_twice_is_normalising_once(text):
    assert normalize_target(normalize_target(text)) == normalize_target(text)


def test_rare_characters_are_unknown_and_common_ones_are_not(target_tokenizer):
    assert target_tokenizer.tokens[: len(SPECIAL_TOKENS)] == SPECIAL_TOKENS
    assert target_tokenizer.ids(["我", "貓", "狗"])[2] == UNKNOWN_ID
    assert target_tokenizer.knows("我")
    assert not target_tokenizer.knows("狗")
    ids = target_tokenizer.ids(target_tokenizer.split("我喜欢猫。"))
    assert target_tokenizer.join([BEGIN_ID, *ids, END_ID]) == "我喜歡貓。"
