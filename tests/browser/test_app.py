"""The real app in a real Chromium: what a visitor sees, types, presses and links to."""

import re
import shutil
from urllib.parse import parse_qs, urlencode, urlsplit
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

from attention_model.trace import SCORERS
from tests.browser import real
from tests.browser.expected import expect_no_sideways_scroll, wait_for_link
from tests.sources import ROOT

PHONE = {"viewport": (390, 844), "has_touch": True, "is_mobile": True}
SCHEMES = {"light": "rgb(255, 255, 255)", "dark": "rgb(18, 22, 27)"}


IS_WHOLE = """element => {
    const inside = element.getBoundingClientRect();
    const around = element.closest("[data-testid=stButtonGroup]").getBoundingClientRect();
    return around.left <= inside.left && inside.right <= around.right;
}"""
"""Whether a button's text lies wholly in its group, which scrolls where it is too narrow."""


def player(page):
    """The step player, standing at a step."""
    return page.locator("[data-step]").first


def expect_step(page, t):
    """The player stands at step t, counted from 0."""
    expect(player(page)).to_have_attribute("data-step", str(t))


def translation(page):
    """The line with the whole translation."""
    return page.locator("p.translation")


def last_step(page):
    """The number of the last step, counted from 0, by what the page says about the number of steps."""
    return int(re.search(r"(\d+) steps?", page.get_by_text(re.compile(r"\d+ steps? ·")).inner_text())[1]) - 1


def sentence_box(page):
    return page.get_by_role("textbox", name="English sentence")


def ask(page, sentence):
    """Type a sentence and send it."""
    sentence_box(page).fill(sentence)
    sentence_box(page).press("Enter")


def link(page):
    """The values in the page's address."""
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def expect_no_trace_dump(page):
    """Nowhere on the page is there a Python exception."""
    expect(page.get_by_text("Traceback")).to_have_count(0)
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_the_first_paint_shows_the_running_example(app_page):
    page = app_page()
    expect(sentence_box(page)).to_have_value("I like cats a lot.")
    expect(translation(page)).to_have_text(re.compile("^我很?喜歡貓。?$"))
    expect(translation(page).locator("[lang=zh-Hant]")).to_have_count(1)
    expect_step(page, 0)


def test_the_page_follows_the_visitors_choice_of_light_or_dark(app_page):
    page = app_page()
    expect_step(page, 0)
    for scheme, background in SCHEMES.items():
        page.emulate_media(color_scheme=scheme)
        expect(page.get_by_test_id("stApp")).to_have_css("background-color", background)


def test_a_typed_sentence_is_translated_and_linked(app_page):
    page = app_page()
    expect_step(page, 0)
    ask(page, "He likes dogs.")
    expect(translation(page)).to_have_text(re.compile("狗"))
    wait_for_link(page, sentence="He likes dogs.")
    expect_step(page, 0)
    expect(sentence_box(page)).not_to_be_focused()
    page.keyboard.press("ArrowRight")
    expect_step(page, 1)


def test_keys_step_through_the_translation(app_page):
    page = app_page()
    expect_step(page, 0)
    last = last_step(page)
    for key, t in (("ArrowRight", 1), ("PageDown", 2), ("ArrowLeft", 1), ("End", last), ("PageUp", last - 1)):
        page.keyboard.press(key)
        expect_step(page, t)
    wait_for_link(page, step=str(last))
    page.keyboard.press("Home")
    expect_step(page, 0)


def test_keys_pressed_while_typing_step_nothing(app_page):
    page = app_page()
    expect_step(page, 0)
    sentence_box(page).click()
    page.keyboard.press("End")
    page.keyboard.type(" Really")
    page.keyboard.press("ArrowLeft")
    expect(sentence_box(page)).to_have_value("I like cats a lot. Really")
    expect_step(page, 0)


@pytest.mark.parametrize("scorer", ["multiplicative", "additive"])
def test_another_scorer_shows_its_own_formula_at_the_same_step(app_page, scorer):
    page = app_page()
    expect_step(page, 0)
    page.keyboard.press("ArrowRight")
    wait_for_link(page, step="2")
    page.get_by_role("radio", name=scorer).or_(page.get_by_role("button", name=scorer)).click()
    expect(page.get_by_text(f"{scorer} scorer")).to_be_visible()
    wait_for_link(page, scorer=scorer)
    expect_step(page, 1)


def test_without_attention_the_page_says_so_and_still_steps(app_page):
    page = app_page("?scorer=none")
    expect(page.get_by_text("This model has no attention.").first).to_be_visible()
    expect_step(page, 0)
    page.keyboard.press("ArrowRight")
    expect_step(page, 1)


def test_a_link_brings_everything_back(app_page):
    asked = {
        "sentence": "I like cats a lot.",
        "scorer": "additive",
        "decoding": "forced",
        "target": "我喜歡貓",
        "step": "3",
    }
    page = app_page("?" + urlencode(asked))
    expect(page.get_by_text("additive scorer")).to_be_visible()
    expect(translation(page)).to_have_text("我喜歡貓")
    expect_step(page, 2)
    expect(page.get_by_role("textbox", name="Your own translation, in Chinese")).to_have_value("我喜歡貓")


def test_a_link_by_the_engine_s_name_survives_a_reload(app_page):
    page = app_page("?" + urlencode({"decoding": "forced", "target": "我喜歡貓"}))
    wait_for_link(page, decoding="own translation")
    page.reload()
    expect(translation(page)).to_have_text("我喜歡貓")


def test_no_choice_is_cut_off(app_page):
    page = app_page()
    expect_step(page, 0)
    for width in (1440, 1024, 768, 390):
        page.set_viewport_size({"width": width, "height": 844})
        expect(page.get_by_test_id("stMain")).to_have_js_property("clientWidth", width)
        for name in ("none", "own translation"):
            choice = page.get_by_test_id("stButtonGroup").get_by_text(name, exact=True)
            assert choice.evaluate(IS_WHOLE), (width, name)
        assert sentence_box(page).bounding_box()["width"] >= 240, width


def test_a_reload_keeps_the_step(app_page):
    page = app_page()
    expect_step(page, 0)
    page.keyboard.press("End")
    last = player(page).get_attribute("data-step")
    assert last != "0"
    wait_for_link(page, step=str(int(last) + 1))
    page.reload()
    expect_step(page, last)


def test_beam_search_is_offered_with_its_size_and_its_tree_is_a_picture(app_page):
    page = app_page("?decoding=beam&beam=3")
    expect(page.get_by_text("best of beam 3")).to_be_visible()
    expect_step(page, 0)
    page.get_by_role("tab", name="Search").click()
    expect(page.locator(".st-key-search_tree .main-svg").first).to_be_visible()
    control = page.locator(".plot-picture")
    control.get_by_role("button", name="Save a picture").click()
    with page.expect_download() as saving:
        control.get_by_role("button", name="Picture as SVG").click()
    picture = saving.value.path().read_text("utf-8")
    assert saving.value.suggested_filename == "i-like-cats-a-lot-dot.search-tree.svg"
    drawn = page.locator(".st-key-search_tree .main-svg text").all_text_contents()
    assert {"我", "貓", "#1", "#2", "#3"} <= set(drawn)
    root = ElementTree.fromstring(picture)
    written = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert [text for text in written if text in set(drawn)] == drawn
    assert written[0].startswith("I like cats a lot. →")
    assert "Search tree · checkpoint en-zh/dot · scorer dot · beam" in written
    assert "@font-face" in picture
    assert "url('http" not in picture


BAD_SENTENCES = [
    ("", "There is no word to translate"),
    ("     ", "There is no word to translate"),
    ("?! ...", "There is no word to translate"),
    ("cats " * 400, "too long"),
    ("a" * 10_000, "too long"),
]


def test_a_sentence_that_cannot_be_read_is_answered_in_words_and_kept(app_page):
    page = app_page()
    expect_step(page, 0)
    for sentence, answer in BAD_SENTENCES:
        ask(page, sentence)
        expect(page.get_by_text(answer)).to_be_visible()
        expect(sentence_box(page)).to_have_value(sentence)
        expect_no_trace_dump(page)
        ask(page, "I like cats a lot.")
        expect(page.get_by_text(answer)).to_have_count(0)
        expect_step(page, 0)


ODD_SENTENCES = [
    "I like 🐈 a lot.",
    "我很喜歡貓。",
    "I like חתולים a lot.",
    "I l\u200bike ca\u200dts.",
    "I <b>like</b> cats <img src=x onerror=alert(1)>",
    "<script>alert(1)</script> cats",
    "I **like** [cats](http://192.0.2.1) :red[a] $lot$.",
]


def test_an_odd_sentence_gets_a_result_and_stays_text(app_page):
    page = app_page()
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    expect_step(page, 0)
    for sentence in ODD_SENTENCES:
        ask(page, sentence)
        wait_for_link(page, sentence=sentence)
        expect(page.get_by_text("Your own sentence.")).to_be_visible()
        expect_step(page, 0)
        expect(sentence_box(page)).to_have_value(sentence)
        expect(page.locator("img[src=x], a[href*='192.0.2.1']")).to_have_count(0)
        expect_no_trace_dump(page)
    assert dialogs == []


@pytest.mark.parametrize("values", [{"scorer": "../../etc"}, {"decoding": "beam", "beam": "1000000"}], ids=urlencode)
def test_a_link_with_nonsense_is_answered_in_words(app_page, values):
    page = app_page("?" + urlencode(values))
    expect(page.get_by_text("The link asks for")).to_be_visible()
    expect_step(page, 0)
    expect_no_trace_dump(page)


def test_a_link_beyond_the_last_step_shows_the_last(app_page):
    page = app_page("?step=999")
    expect(player(page)).to_have_attribute("data-step", re.compile("^[1-9][0-9]*$"))
    expect_no_trace_dump(page)


def test_a_phone_scrolls_down_only(app_page):
    page = app_page(**PHONE)
    expect_step(page, 0)
    expect_no_sideways_scroll(page)
    expect(page.get_by_test_id("stMain")).to_have_js_property("scrollWidth", 390)


def test_a_damaged_checkpoint_is_named_with_what_to_do(new_page, tmp_path):
    pair = tmp_path / "checkpoints" / "en-zh"
    shutil.copytree(ROOT / "checkpoints" / "en-zh", pair)
    missing, cut_off, *_ = SCORERS
    (pair / missing / "weights.safetensors").unlink()
    weights = pair / cut_off / "weights.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    with real.app(tmp_path / "log.txt", GLANCEBACK_CHECKPOINTS=str(pair.parent)) as server:
        page = new_page()
        for scorer in (missing, cut_off):
            page.goto(f"{server.url}/?{urlencode({'sentence': 'Hello', 'scorer': scorer})}")
            answer = page.get_by_text("weights.safetensors").filter(has_text=f"en-zh/{scorer}")
            expect(answer).to_contain_text("Restore")
            expect(sentence_box(page)).to_have_value("Hello")
            expect_no_trace_dump(page)
    assert "Traceback" not in server.log.read_text()


def test_nothing_jumps_while_stepping(app_page):
    page = app_page()
    expect_step(page, 0)
    before = player(page).bounding_box()
    last = last_step(page)
    for t in range(1, last + 1):
        page.keyboard.press("ArrowRight")
        expect_step(page, t)
        assert player(page).bounding_box() == before
