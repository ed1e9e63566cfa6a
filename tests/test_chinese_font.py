"""The shipped Chinese font: what it holds, what is cut from it, whose it is, and the server that gives it."""

import io

import pytest
from fontTools.pens.recordingPen import RecordingPen
from fontTools.ttLib import TTFont
from starlette.testclient import TestClient

from app.chinese_font import FILE, cut_font, font_face, glyphs_of, shipped_characters
from app.main import MOST_CHARACTERS, app
from app.theme import CHINESE_FONT, MONO_FONTS, SANS_FONTS
from attention_model import shelf
from docs.chinese_font import CHECKPOINTS, COLLECTION, FIRST_CHINESE, number_in_collection, wanted_characters


def outline(font, character):
    pen = RecordingPen()
    font.getGlyphSet()[font.getBestCmap()[ord(character)]].draw(pen)
    return pen.value


def opened(content):
    return TTFont(io.BytesIO(content))


def test_it_has_every_character_that_the_translators_can_say_in_both_ways_of_writing():
    assert shipped_characters() == wanted_characters()
    assert set("我很喜歡貓們这个。，？「」（）") <= shipped_characters()
    assert min(shipped_characters()) >= FIRST_CHINESE


def test_it_has_the_glossed_words_and_is_a_small_file():
    missing = {one for word in shelf.glosses("en-zh", CHECKPOINTS) for one in word} - shipped_characters()
    assert missing == set()
    assert FILE.stat().st_size < 1_000_000


def test_the_font_and_every_cut_of_it_say_whose_they_are():
    for font in (opened(FILE.read_bytes()), opened(glyphs_of("貓"))):
        names = font["name"]
        assert names.getDebugName(0) == "© 2014-2021 Adobe (http://www.adobe.com/)."
        assert names.getDebugName(1) == "Noto Sans CJK TC"
        assert "SIL Open Font License, Version 1.1" in names.getDebugName(13)
    assert "SIL OPEN FONT LICENSE" in FILE.with_name("OFL.txt").read_text("utf-8")


def test_a_cut_has_the_glyphs_of_its_text_and_no_others():
    cut = opened(glyphs_of("I like 貓 <喜> 貓 \ud800 🐈"))
    assert set(map(chr, cut.getBestCmap())) == {"貓", "喜"}
    assert cut.flavor == "woff"
    assert outline(cut, "貓") == outline(opened(FILE.read_bytes()), "貓")
    assert outline(cut, "貓") != outline(cut, "喜")
    assert len(glyphs_of("貓喜")) < 5_000


@pytest.mark.skipif(not COLLECTION.exists(), reason="Debian's fonts-noto-cjk is not installed.")
def test_its_glyphs_are_those_of_the_font_that_it_was_cut_from():
    with TTFont(COLLECTION, fontNumber=number_in_collection(), lazy=True) as whole, TTFont(FILE) as shipped:
        for character in "我很喜歡貓骨直这。":
            assert outline(shipped, character) == outline(whole, character)
    assert opened(cut_font(COLLECTION, "貓", number=number_in_collection())).getBestCmap().keys() == {ord("貓")}


def test_text_without_chinese_needs_no_font():
    assert glyphs_of("I like cats a lot… “yes” — no") is None
    assert font_face("I like cats") == ""
    assert f'font-family: "{CHINESE_FONT}"; src: url("data:font/woff;base64,' in font_face("貓")


def test_every_stack_has_it_after_the_fonts_of_the_machine():
    for fonts in (SANS_FONTS, MONO_FONTS):
        assert fonts[-2] == CHINESE_FONT


def test_the_server_gives_the_font_and_cuts_of_it():
    client = TestClient(app)
    whole = client.get("/fonts/chinese.woff")
    assert whole.content == FILE.read_bytes()
    assert whole.headers["content-type"] == "font/woff"
    cut = client.get("/fonts/chinese.woff", params={"characters": "喜貓"})
    assert set(map(chr, opened(cut.content).getBestCmap())) == {"貓", "喜"}
    assert client.get("/fonts/chinese.woff", params={"characters": "abc"}).status_code == 404
    refused = client.get("/fonts/chinese.woff", params={"characters": "貓" * (MOST_CHARACTERS + 1)})
    assert (refused.status_code, refused.text) == (400, "At most 1000 characters can be asked for at once.")
