"""Help with Chinese beside a trace: what the player and the page are given comes from the trace's own tokens."""

import dataclasses

from app.components.chinese_reading import plain_tokens, player_readings, read_line
from attention_model.trace import Candidate
from tests.toy import running_example

GLOSSES = {"喜歡": "like", "貓": "cat & <kitten>"}


def test_each_step_has_its_reading_and_each_candidate_too():
    trace = running_example()
    candidates = ((Candidate("狗", 0.5, 1), Candidate("</s>", 0.25, 2)),) * len(trace.target_tokens)
    readings = player_readings(dataclasses.replace(trace, candidates=candidates))
    assert [one.pinyin for one in readings.steps] == ["wǒ", "hěn", "xǐ", "huān", "māo"]
    assert [one.simplified for one in readings.steps] == ["我", "很", "喜", "欢", "猫"]
    assert readings.tokens["狗"].pinyin == "gǒu"
    assert readings.tokens["</s>"] == ("", "</s>")


def test_pinyin_stands_over_each_character():
    line = read_line(running_example(), pinyin=True)
    assert '<span lang="zh-Hant"><ruby>貓<rt lang="zh-Latn">māo</rt></ruby></span>' in line


def test_simplified_characters_say_that_they_are():
    line = read_line(running_example(), simplified=True)
    assert line == "".join(f'<span lang="zh-Hans">{character}</span>' for character in "我很喜欢猫")


def test_a_word_carries_its_gloss_and_a_word_without_one_stands_alone():
    line = read_line(running_example(), glosses=GLOSSES)
    assert '<span lang="zh-Hant">歡</span></span><span class="gloss">like</span>' in line
    assert "cat &amp; &lt;kitten&gt;" in line
    assert '</span><span lang="zh-Hant">很</span><' in line
    assert line.count("glossed") == 2


def test_tokens_from_people_are_escaped():
    trace = dataclasses.replace(running_example(), target_tokens=("<b>", "&", "喜", "歡", "貓"))
    for line in (read_line(trace, pinyin=True), read_line(trace, simplified=True), read_line(trace, glosses=GLOSSES)):
        assert "<b>" not in line
        assert "&lt;b&gt;" in line


def test_as_plain_text_pinyin_follows_the_character():
    tokens = ("喜", "歡", "。", "</s>")
    assert plain_tokens(tokens, pinyin=True, simplified=False) == ("喜 xǐ", "歡 huān", "。", "the end")
    assert plain_tokens(tokens, pinyin=False, simplified=True) == ("喜", "欢", "。", "the end")
