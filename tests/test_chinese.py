"""Words, readings and simplified forms of Traditional Chinese sentences, and what is not Chinese left alone."""

import json
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_model import chinese, shelf
from attention_model.trace import END_TOKEN, SCORERS, UNKNOWN_PIECE
from tests.sources import ROOT

TEXTS = st.text(st.characters(codec="utf-8"), max_size=4)
CHINESE = st.text(st.sampled_from("我們很喜歡貓在圖書館裡看書得地長了隻。，Tom1"), max_size=4)
TOKENS = st.lists(st.one_of(CHINESE, TEXTS, st.sampled_from([END_TOKEN, UNKNOWN_PIECE, "", "\x00", "\ud800"])))


def words(*tokens):
    """The words of a sentence; one text stands for its characters."""
    tokens = tuple(tokens[0]) if len(tokens) == 1 else tokens
    return ["".join(tokens[first : last + 1]) for first, last in chinese.segment_words(tokens)]


def pinyin(sentence):
    """The readings of the Chinese characters of a sentence, separated by spaces."""
    return " ".join(filter(None, chinese.pinyin_of(tuple(sentence))))


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        ("我很喜歡貓", "我 很 喜歡 貓"),
        ("我們明天會去公園。", "我們 明天 會 去 公園 。"),
        ("我弟弟不喜歡牛奶。", "我 弟弟 不 喜歡 牛奶 。"),
        ("你在哪裡買了那頂帽子？", "你 在 哪裡 買 了 那 頂 帽子 ？"),
        ("他在圖書館裡工作。", "他 在 圖書館 裡 工作 。"),
        ("這本書很好。", "這 本 書 很 好 。"),
        ("他的頭髮很長。", "他 的 頭髮 很 長 。"),
        ("我吃麵。", "我 吃 麵 。"),
        ("她高興地笑了。", "她 高興 地 笑 了 。"),
        ("昨天下大雨。", "昨天 下 大雨 。"),
        ("我弟弟喝牛奶。", "我 弟弟 喝 牛奶 。"),
    ],
)
def test_words_of_a_sentence_in_traditional_characters(sentence, wanted):
    assert words(sentence) == wanted.split(" ")


def test_marks_are_groups_of_their_own_and_no_word_reaches_across_one():
    assert words("喜", "歡", END_TOKEN) == ["喜歡", END_TOKEN]
    assert words("喜", UNKNOWN_PIECE, "歡") == ["喜", UNKNOWN_PIECE, "歡"]
    assert words(END_TOKEN, END_TOKEN) == [END_TOKEN, END_TOKEN]


def test_a_token_of_several_characters_is_never_cut():
    assert words("我很", "喜", "歡貓") == ["我很", "喜歡貓"]
    assert words("我們明", "天", "去") == ["我們明天", "去"]


def test_no_tokens_have_no_words():
    assert chinese.segment_words(()) == ()
    assert chinese.pinyin_of(()) == ()
    assert chinese.simplified_of(()) == ()


@given(TOKENS)
def test_whatever_comes_groups_cover_it_and_every_token_has_one_reading_and_one_simplified_form(tokens):
    groups = chinese.segment_words(tokens)
    assert [i for first, last in groups for i in range(first, last + 1)] == list(range(len(tokens)))
    assert all(first <= last for first, last in groups)
    for mark in (END_TOKEN, UNKNOWN_PIECE):
        assert all((i, i) in groups for i, token in enumerate(tokens) if token == mark)
    assert len(chinese.pinyin_of(tokens)) == len(tokens)
    assert [len(token) for token in chinese.simplified_of(tokens)] == [len(token) for token in tokens]


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        ("我很喜歡貓。", "wǒ hěn xǐ huān māo"),
        ("我在銀行工作。", "wǒ zài yín háng gōng zuò"),
        ("他不行。", "tā bù xíng"),
        ("他長大了。", "tā zhǎng dà le"),
        ("他的頭髮很長。", "tā de tóu fà hěn cháng"),
        ("他長得很高。", "tā zhǎng de hěn gāo"),
        ("我覺得很好。", "wǒ jué de hěn hǎo"),
        ("我睡覺以前看書。", "wǒ shuì jiào yǐ qián kàn shū"),
        ("她跑得很快。", "tā pǎo de hěn kuài"),
        ("我得走了。", "wǒ děi zǒu le"),
        ("她得了獎。", "tā dé le jiǎng"),
        ("他高興地笑了。", "tā gāo xìng de xiào le"),
        ("這塊地很大。", "zhè kuài dì hěn dà"),
        ("你了解我嗎？", "nǐ liǎo jiě wǒ ma"),
        ("我受不了。", "wǒ shòu bù liǎo"),
        ("我們都住在東京。", "wǒ men dōu zhù zài dōng jīng"),
        ("門開著。", "mén kāi zhe"),
        ("他睡著了。", "tā shuì zháo le"),
        ("我喜歡音樂，祝你快樂。", "wǒ xǐ huān yīn yuè zhù nǐ kuài lè"),
        ("這本書很重，請重新開始。", "zhè běn shū hěn zhòng qǐng chóng xīn kāi shǐ"),
        ("他教我英文，教室很大。", "tā jiāo wǒ yīng wén jiào shì hěn dà"),
        ("這隻貓只吃魚。", "zhè zhī māo zhǐ chī yú"),
        ("我有一隻狗。", "wǒ yǒu yī zhī gǒu"),
        ("天氣乾燥，他幹了什麼？", "tiān qì gān zào tā gàn le shén me"),
        ("我吃麵，後面有人。", "wǒ chī miàn hòu miàn yǒu rén"),
        ("我弟弟不會去。", "wǒ dì di bù huì qù"),
        ("爸爸媽媽買東西。", "bà ba mā ma mǎi dōng xi"),
        ("便宜的綠色雨傘", "pián yi de lǜ sè yǔ sǎn"),
        ("她彈鋼琴。", "tā tán gāng qín"),
        ("我認識她的老師。", "wǒ rèn shi tā de lǎo shī"),
        ("你為什麼哭？", "nǐ wèi shén me kū"),
        ("他發現了一本書。", "tā fā xiàn le yī běn shū"),
        ("我愛好運動。", "wǒ ài hào yùn dòng"),
    ],
)
def test_characters_with_several_readings_are_read_in_context(sentence, wanted):
    assert pinyin(sentence) == wanted


def test_what_is_not_chinese_has_no_reading():
    assert chinese.pinyin_of(("我", "Tom", "，", "3", UNKNOWN_PIECE, END_TOKEN)) == ("wǒ", "", "", "", "", "")


def test_a_token_of_several_characters_has_a_reading_of_several_syllables():
    assert chinese.pinyin_of(("我", "喜歡", "T恤")) == ("wǒ", "xǐ huān", "xù")


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        ("我很喜歡貓", "我很喜欢猫"),
        ("他在圖書館裡看著書。", "他在图书馆里看着书。"),
        ("他拿著書，這是名著。", "他拿着书，这是名著。"),
        ("著名的乾燥頭髮", "著名的干燥头发"),
        ("乾坤", "乾坤"),
        ("臺灣的麵和後面", "台湾的面和后面"),
    ],
)
def test_simplified_characters_are_chosen_in_context_one_for_one(sentence, wanted):
    assert chinese.simplified_of(tuple(sentence)) == tuple(wanted)


def test_marks_and_other_scripts_stay_as_they_are():
    tokens = ("貓", "Tom", "😀", "\x00", "\ud800", UNKNOWN_PIECE, END_TOKEN)
    assert chinese.simplified_of(tokens) == ("猫", *tokens[1:])


def test_a_gloss_belongs_to_a_word_and_not_to_its_characters():
    tokens = ("我", "喜", "歡", "貓", END_TOKEN)
    glosses = {"我": "I, me", "喜歡": "like"}
    assert chinese.gloss_of(tokens, chinese.segment_words(tokens), glosses) == ("I, me", "like", "", "")
    assert chinese.gloss_of(tokens, tuple((i, i) for i in range(5)), glosses) == ("I, me", "", "", "", "")


def test_every_word_of_the_shipped_translations_has_a_gloss():
    glosses = shelf.glosses("en-zh")
    missing = {}
    for scorer in SCORERS:
        for trace in shelf.example_traces(f"en-zh/{scorer}"):
            tokens = trace.target_tokens
            groups = chinese.segment_words(tokens)
            found = chinese.gloss_of(tokens, groups, glosses)
            for (first, last), gloss in zip(groups, found, strict=True):
                word = "".join(tokens[first : last + 1])
                if not gloss and re.search(r"[\u4e00-\u9fff]", word):
                    missing.setdefault(word, f"{scorer}: {trace.translation}")
    assert not missing, f"checkpoints/en-zh/glosses.toml lacks {len(missing)} words: {missing}"


def test_every_gloss_can_be_found_and_is_short():
    glosses = shelf.glosses("en-zh")
    assert len(glosses) >= 120
    assert [word for word in glosses if len(words(word)) > 1] == []
    assert [gloss for gloss in glosses.values() if not re.fullmatch(r"[A-Za-z ,'()]{1,30}", gloss)] == []


def test_the_dictionaries_are_loaded_on_first_use_and_not_before():
    code = (
        "import json, sys\n"
        "from attention_model import chinese\n"
        "names = ('rjieba', 'pypinyin', 'opencc')\n"
        "before = [name for name in names if name in sys.modules]\n"
        "chinese.pinyin_of(('我',))\n"
        "print(json.dumps([before, [name for name in names if name in sys.modules], 'torch' in sys.modules]))"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    before, after, loads_torch = json.loads(run.stdout)
    assert before == []
    assert after == ["rjieba", "pypinyin", "opencc"]
    assert not loads_torch
