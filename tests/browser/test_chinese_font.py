"""Chinese on a machine without a Chinese font: pictures, pages to take home and the app itself bring their glyphs."""

import base64
import dataclasses
import io
import os
import re
import shutil
import subprocess
from xml.etree import ElementTree

import numpy as np
import pytest
from fontTools.ttLib import TTFont
from PIL import Image

from app.chinese_font import FACE, FILE, RANGE, font_face
from app.components.standalone import standalone_html
from app.components.step_player import player_payload
from app.theme import CHINESE_FONT, font_stack
from tests import toy
from tests.browser import real
from tests.browser.test_pictures import SVG, saved, texts

CHINESE_LANGUAGES = ("zh-tw", "zh-cn", "zh-hk", "ja", "ko")
FONTCONFIG = """<?xml version="1.0"?>
<fontconfig>
<include>/etc/fonts/fonts.conf</include>
<selectfont><rejectfont>{rejected}</rejectfont></selectfont>
<cachedir>{cache}</cachedir>
</fontconfig>
"""

INK = """([character, font]) => {
    const pen = Object.assign(document.createElement("canvas"), { width: 60, height: 60 }).getContext("2d");
    pen.font = `40px ${font}`;
    pen.fillText(character, 5, 45);
    return Array.from(pen.getImageData(0, 0, 60, 60).data).join();
}"""


@pytest.fixture(scope="module")
def blind(chromium, tmp_path_factory):
    """A Chromium for which this machine has no Chinese font."""
    folder = tmp_path_factory.mktemp("fonts")
    files = {
        line.rstrip(": ")
        for language in CHINESE_LANGUAGES
        for line in subprocess.run(
            ["fc-list", f":lang={language}", "file"], capture_output=True, text=True, check=True
        ).stdout.splitlines()
    }
    settings = folder / "fonts.conf"
    rejected = "".join(f"<glob>{file}</glob>" for file in sorted(files))
    settings.write_text(FONTCONFIG.format(rejected=rejected, cache=folder), encoding="utf-8")
    browser = chromium.browser_type.launch(
        executable_path=shutil.which("chromium"),
        args=real.CHROMIUM_FLAGS,
        env=os.environ | {"FONTCONFIG_FILE": str(settings)},
    )
    yield browser
    browser.close()


@pytest.fixture
def blind_page(blind):
    """An empty page of that Chromium, on which all Chinese characters look alike."""
    context = blind.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    assert page.evaluate(INK, ["我", font_stack()]) == page.evaluate(INK, ["很", font_stack()])
    assert page.evaluate(INK, ["I", font_stack()]) != page.evaluate(INK, ["l", font_stack()])
    yield page
    context.close()


def embedded(svg_text):
    """The font that a picture carries."""
    content = re.search(r"data:font/woff;base64,([^\"]+)", svg_text).group(1)
    return TTFont(io.BytesIO(base64.b64decode(content)))


def with_face(svg_text, face):
    """The picture with another style sheet in the place of its own."""
    changed, count = re.subn(r"(<style[^>]*>).*?(</style>)", lambda found: f"{found[1]}{face}{found[2]}", svg_text)
    assert count == 1
    return changed


def whole_font():
    return FACE.format(family=CHINESE_FONT, content=base64.b64encode(FILE.read_bytes()).decode(), range=RANGE)


@pytest.fixture
def taken_home(blind_page, tmp_path):
    """The player of the running example, as a file that was taken home."""
    file = tmp_path / "player.html"
    page = standalone_html(player_payload(toy.running_example()), title="A player", step=4)
    file.write_text(page, encoding="utf-8")
    blind_page.goto(file.as_uri())
    blind_page.wait_for_selector(".player[data-step]")
    return blind_page


def test_a_page_taken_home_shows_every_character(taken_home):
    stack = taken_home.locator(".player").evaluate("player => getComputedStyle(player).fontFamily")
    taken_home.evaluate(f"document.fonts.load('40px \"{CHINESE_FONT}\"', '我很喜歡貓')")
    assert len({taken_home.evaluate(INK, [one, stack]) for one in "我很喜歡貓"}) == 5
    assert {face["status"] for face in faces(taken_home)} == {"loaded"}


def faces(page):
    return page.evaluate("Array.from(document.fonts, ({ family, status }) => ({ family, status }))")


def photograph(context, picture, folder):
    """What a browser shows of a picture that it opens: its dots, as an array."""
    file, page = folder / "picture.svg", context.new_page()
    file.write_text(picture, encoding="utf-8")
    page.goto(file.as_uri())
    page.evaluate("document.fonts.ready")
    shown = dots(page.locator("svg").first.screenshot())
    page.close()
    return shown


def dots(png):
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(int)


@pytest.mark.parametrize("kind", ["Map", "Edges", "This step"])
def test_a_picture_has_its_glyphs_and_says_whose_they_are(taken_home, tmp_path, kind):
    picture = saved(taken_home, f"{kind} as SVG")[0].decode("utf-8")
    own, whole, without = (
        photograph(taken_home.context, one, tmp_path)
        for one in (picture, with_face(picture, whole_font()), with_face(picture, ""))
    )
    assert (own == whole).all()
    tofu = np.abs(own - without).max(axis=-1) > 100
    assert tofu.sum() > 200
    png = dots(saved(taken_home, f"{kind} as PNG 1×")[0])
    assert (np.abs(png - own).max(axis=-1) <= 100)[tofu].mean() > 0.95
    assert texts(ElementTree.fromstring(picture))[-1] == (
        "Chinese glyphs: Noto Sans CJK TC, © Adobe, SIL Open Font License 1.1"
    )
    assert "SIL Open Font License" in embedded(picture)["name"].getDebugName(13)


def test_the_app_fetches_its_font_and_a_picture_carries_what_it_needs_of_it(blind_page, server):
    blind_page.goto(server.url)
    blind_page.wait_for_selector(".player[data-step]")
    blind_page.wait_for_function("Array.from(document.fonts).some(({ status }) => status === 'loaded')")
    assert len({blind_page.evaluate(INK, [one, font_stack()]) for one in "我很喜歡貓"}) == 5
    picture = saved(blind_page, "Map as SVG")[0].decode("utf-8")
    shown = {one for text in texts(ElementTree.fromstring(picture)) for one in text if one >= "\u2e80"}
    assert set(map(chr, embedded(picture).getBestCmap())) == shown
    assert shown >= set("我很喜歡貓")


def test_a_machine_with_a_chinese_font_fetches_none(app_page):
    page = app_page()
    page.wait_for_selector(".player[data-step]")
    page.get_by_text("我很喜歡貓").first.wait_for()
    assert {(face["family"], face["status"]) for face in faces(page) if CHINESE_FONT in face["family"]} == {
        (CHINESE_FONT, "unloaded")
    }


def test_a_picture_without_chinese_carries_no_font(new_page, tmp_path):
    page, file = new_page(), tmp_path / "player.html"
    trace = dataclasses.replace(toy.running_example(), target_tokens=("je", "les", "aime", "bien", "</s>"))
    file.write_text(standalone_html(player_payload(trace), title="A player"), encoding="utf-8")
    page.goto(file.as_uri())
    page.wait_for_selector(".player[data-step]")
    root = ElementTree.fromstring(saved(page, "Map as SVG")[0])
    assert list(root.iter(f"{SVG}style")) == []
    assert not any("Noto" in text for text in texts(root))
    assert font_face(file.read_text("utf-8")) == ""
