"""Edges, and pictures of map, edges and step, in a real Chromium over file://: SVG, PNG and PDF."""

import dataclasses
import re
import struct
import zlib
from xml.etree import ElementTree

import numpy as np
import pytest

from app import theme
from app.components.standalone import standalone_html
from app.components.step_player import PLAIN_VIEW, player_data, player_payload
from tests import toy
from tests.browser.expected import expect_no_sideways_scroll
from tests.browser.mounted import component_html
from tests.browser.test_map import merged_view
from tests.browser.test_player import DESK, PHONE, numbers, place, press
from tests.test_step_player import with_replaced_row

SVG = "{http://www.w3.org/2000/svg}"
NASTY = """</script><script>window.broken = 1</script> <b>&" cats"""
KINDS = {"Map": "map", "Edges": "edges", "This step": "step-3"}


@pytest.fixture
def open_player(new_page, tmp_path):
    """A function that opens a trace in the player: `open_player(trace, "#step=3", view=…, viewport=PHONE)`."""

    def opened(trace, place="", view=PLAIN_VIEW, **options):
        page = new_page(**{"viewport": DESK, **options})
        file = tmp_path / "player.html"
        file.write_text(standalone_html(player_payload(trace), title="A player", view=view), encoding="utf-8")
        page.goto(file.as_uri() + place)
        page.wait_for_selector(".player[data-step]")
        return page

    return opened


def saved(page, label):
    """The bytes of a picture and the name of its file."""
    if page.locator(".pictures-panel").is_hidden():
        page.get_by_role("button", name="Save a picture").click()
    with page.expect_download() as download:
        page.get_by_role("button", name=label, exact=True).click()
    return download.value.path().read_bytes(), download.value.suggested_filename


def texts(root):
    """The texts of an SVG in the order in which they are drawn."""
    return ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]


def size(root):
    return float(root.get("width")), float(root.get("height"))


RIBBONS = """edges => edges.map(edge => {
    const [, start, end] = edge.getAttribute("d").match(/^M([-\\d.]+) .* ([-\\d.]+) [-\\d.]+$/);
    return [Number(edge.getAttribute("stroke-width")), Number(start), Number(end)];
})"""
ROOMS = "rooms => rooms.map(({ x, width }) => [x.baseVal.value, width.baseVal.value])"
BARS = """labels => labels.map(label => {
    const bar = label.querySelectorAll("rect")[1];
    return [Number(bar.getAttribute("x")), Number(bar.getAttribute("width"))];
})"""


def ribbons(page, rows, columns):
    """Thickness, start and end of every ribbon, each "row column", and the bars of the rows."""
    drawn = np.array(page.locator(".edge").evaluate_all(RIBBONS)).reshape(rows, columns, 3)
    return *np.moveaxis(drawn, 2, 0), np.array(page.locator(".edge-label").evaluate_all(BARS))


def test_ribbons_are_as_thick_as_the_weights_and_fill_the_bar_of_their_token(open_player):
    trace = toy.sized_trace(source=5, target=7)
    page = open_player(trace, "#step=7")
    thickness, _, end, bars = ribbons(page, 7, 5)
    left, width = bars.T
    assert np.allclose(width, width[0])
    assert thickness == pytest.approx(trace.weights * width[0], abs=0.001)
    wanted_left = left[:, None] + (trace.weights.cumsum(axis=1) - trace.weights) * width[0]
    assert end - thickness / 2 == pytest.approx(wanted_left, abs=0.002)


def test_ribbons_stand_side_by_side_under_their_source_word(open_player):
    trace = toy.sized_trace(source=5, target=7)
    page = open_player(trace, "#step=7")
    thickness, start, _, _ = ribbons(page, 7, 5)
    assert np.diff(start, axis=0) == pytest.approx((thickness[1:] + thickness[:-1]) / 2, abs=0.003)
    rooms = np.array(page.locator(".edge-head").evaluate_all(ROOMS))
    assert (start[0] - thickness[0] / 2 >= rooms[:, 0]).all()
    assert (start[-1] + thickness[-1] / 2 <= rooms.sum(axis=1)).all()


def test_threshold_starts_at_nothing_and_says_how_much_is_hidden(open_player):
    trace = toy.sized_trace(source=5, target=7)
    page = open_player(trace, "#step=7")
    assert page.locator(".hidden-weight").text_content() == "Nothing is hidden."
    assert page.locator(".edge.under").count() == 0
    page.get_by_label("hide weights under").fill("0.2")
    small = trace.weights[trace.weights < 0.2]
    assert small.sum() > 0.1
    assert page.locator(".hidden-weight").text_content() == f"{small.sum():.2f} of 7 rows' weight is hidden."
    assert page.locator(".edge.under").count() == len(small)
    root = ElementTree.fromstring(saved(page, "Edges as SVG")[0])
    assert f"Weights under 0.2 are not drawn: {small.sum():.2f} of 7 rows' weight is hidden." in texts(root)
    assert len(root.findall(f".//{SVG}path[@stroke-width]")) == 35 - len(small)


def test_ribbons_come_with_their_step(open_player):
    page = open_player(toy.running_example(), "#step=3")
    rows = page.locator(".edge-row")
    assert [rows.nth(row).get_attribute("class") for row in range(5)] == [
        "edge-row",
        "edge-row",
        "edge-row current",
        "edge-row future",
        "edge-row future",
    ]
    assert page.locator(".edge-label:visible").count() == 3
    page.locator('.edge-label[data-step="0"]').click()
    assert place(page)[0] == "0"
    press(page, "ArrowRight")
    assert place(page)[0] == "1"


def test_ribbons_and_cells_are_linked_both_ways(open_player):
    page = open_player(toy.running_example(), "#step=5")
    page.locator('.map-cell[data-step="2"][data-source="1"]').hover()
    linked = page.locator(".edge.linked")
    assert linked.count() == 1
    assert (linked.get_attribute("data-step"), linked.get_attribute("data-source")) == ("2", "1")
    page.mouse.move(0, 0)
    assert linked.count() == 0
    page.locator('.edge[data-step="4"][data-source="2"]').focus()
    assert page.locator(".map-cell.linked").get_attribute("aria-label").startswith("貓 looks at cats: ")
    assert page.locator(".column-mark.shown").count() == 2
    page.locator(".source-word").nth(3).hover()
    assert page.locator(".edge.linked").count() == 5
    page.locator('.edge-label[data-step="4"]').hover()
    assert {edge.get_attribute("data-step") for edge in page.locator(".edge.linked").all()} == {"4"}


def test_ribbons_are_walked_and_say_their_weights(open_player):
    trace = toy.running_example()
    page = open_player(trace, "#step=4")
    page.locator('.edge[tabindex="0"]').focus()
    press(page, "ArrowUp", "ArrowRight", "ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == (
        f"喜 looks at cats: {trace.weights[2, 2]:.2f}"
    )
    assert page.locator(".hint").text_content() == f"喜 looks at cats: {trace.weights[2, 2]}".replace("e-", "e−")
    press(page, "Enter")
    assert place(page)[0] == "2"


def test_edges_of_words_put_together(open_player):
    trace = toy.running_example()
    view = merged_view(trace, ((0, 0), (1, 1), (2, 2), (3, 4)), ((0, 0), (1, 1), (2, 3), (4, 4)))
    page = open_player(trace, "#step=5", view=view)
    thickness, *_, bars = ribbons(page, 4, 4)
    assert thickness == pytest.approx(view.grid.weights * bars[0, 1], abs=0.001)
    assert page.locator('.edge-label[data-step="2"] .label-word').last.text_content() == "喜歡"
    page.locator('.edge[data-step="1"][data-source="3"]').focus()
    assert page.locator(".map-cell.linked").get_attribute("aria-label").startswith("很 looks at a lot: ")
    root = ElementTree.fromstring(saved(page, "Edges as SVG")[0])
    assert view.grid.rule in " ".join(texts(root))


def test_edges_of_a_long_sentence_scroll_to_the_step(open_player):
    page = open_player(toy.sized_trace(source=50, target=60), "#step=60", viewport=PHONE)
    page.wait_for_function("document.querySelector('.edges-frame').scrollLeft > 0")
    expect_no_sideways_scroll(page)
    label, frame = (page.locator(one).bounding_box() for one in (".edge-label.current", ".edges-frame"))
    assert frame["x"] <= label["x"]
    assert label["x"] + label["width"] <= frame["x"] + frame["width"] + 1


def test_pictures_stand_alone_and_hold_any_sentence(open_player):
    trace = dataclasses.replace(toy.sized_trace(source=5, target=7), source_text=NASTY, source_spans=None)
    page = open_player(trace, "#step=3", color_scheme="dark")
    assert page.evaluate("window.broken") is None
    for label, ending in KINDS.items():
        content, name = saved(page, f"{label} as SVG")
        assert name == f"glanceback-script-script-window-broken-1-script-b-cats-{ending}.svg"
        text = content.decode("utf-8")
        assert not re.search(r"<script|foreignObject|var\(|https?://(?!www\.w3\.org/)", text)
        root = ElementTree.fromstring(text)
        (style,) = root.iter(f"{SVG}style")
        assert re.fullmatch(r'@font-face \{ font-family: "[\w ]+"; src: url\("data:font/woff;[^"]*"\).*\}', style.text)
        assert root.find(f"{SVG}title").text == f"{NASTY} → {trace.translation}"
        assert f"{NASTY} → {trace.translation}" in " ".join(texts(root))
        assert any("checkpoint en-zh/dot · scorer dot · greedy" in line for line in texts(root))
        assert root.find(f"{SVG}rect").get("fill") == "#FFFFFF"


def test_map_picture_holds_the_weights_axes_and_scale(open_player):
    trace = toy.sized_trace(source=5, target=7)
    root = ElementTree.fromstring(saved(open_player(trace), "Map as SVG")[0])
    cells = [cell for cell in root.iter(f"{SVG}g") if cell.get("class") == "map-cell"]
    shown = [float(cell.find(f"{SVG}text").text) for cell in cells]
    assert shown == [pytest.approx(weight, abs=0.00501) for weight in trace.weights.ravel()]
    assert {"source", "translation", "weight α̂", "0", "0.5", "1"} <= set(texts(root))


def test_step_picture_holds_what_the_page_shows(open_player):
    trace = toy.sized_trace(source=5, target=7, d_h=19, d_s=19)
    page = open_player(trace, "#step=4")
    drawn = texts(ElementTree.fromstring(saved(page, "This step as SVG")[0]))
    scores = [f"{score:.2f}".replace("-", "−") for score in trace.scores[3]]
    assert scores in [drawn[start : start + 5] for start in range(len(drawn))]
    assert {f"{candidate.probability:.3f}" for candidate in trace.candidates[3]} <= set(drawn)
    page_values = page.locator(".stage .value").all_text_contents()
    assert set(page_values) - {""} <= set(drawn)
    for heading in (
        "Source and encoder states",
        "Score",
        "Softmax",
        "Blend",
        "Context",
        "Attention output",
        "Next word",
    ):
        assert heading in drawn
    assert page.locator(".paper").count() == 0


def test_step_picture_shows_the_parts_that_are_there(open_player):
    page = open_player(toy.sized_trace(source=5, target=7), "#step=4&part=1")
    content, _ = saved(page, "This step as SVG")
    drawn = texts(ElementTree.fromstring(content))
    assert "Softmax" in drawn
    assert "chosen" not in drawn
    assert not set(page.locator('.band[data-of-part="1"] .value').all_text_contents()) & set(drawn)


def test_pngs_are_as_large_as_they_say(open_player):
    page = open_player(toy.running_example(), "#step=3")
    width, height = size(ElementTree.fromstring(saved(page, "Map as SVG")[0]))
    for scale, ending in ((1, ""), (2, "-2x"), (4, "-4x")):
        content, name = saved(page, f"Map as PNG {scale}×")
        assert name == f"glanceback-i-like-cats-a-lot-map{ending}.png"
        assert content.startswith(b"\x89PNG")
        assert struct.unpack(">II", content[16:24]) == (scale * width, scale * height)


def test_pdf_is_one_page_with_the_picture_and_its_title(open_player):
    trace = toy.running_example()
    page = open_player(trace, "#step=3")
    width, height = size(ElementTree.fromstring(saved(page, "Edges as SVG")[0]))
    content, name = saved(page, "Edges as PDF")
    assert name == "glanceback-i-like-cats-a-lot-edges.pdf"
    assert content.startswith(b"%PDF-1.5\n")
    assert content.endswith(b"%%EOF\n")
    assert f"/MediaBox [0 0 {width:g} {height:g}]".encode() in content
    title = bytes.fromhex(re.search(rb"/Title <([0-9a-f]+)>", content)[1].decode())
    assert title.decode("utf-16") == f"{trace.source_text} → {trace.translation}"
    image = re.search(rb"/Width (\d+) /Height (\d+) .*?/Length (\d+) >>\nstream\n", content)
    across, down, length = map(int, image.groups())
    assert (across, down) == (4 * width, 4 * height)
    pixels = zlib.decompress(content[image.end() : image.end() + length])
    assert len(pixels) == 3 * across * down
    assert pixels[:3] == b"\xff\xff\xff"
    assert len(set(pixels)) > 50
    table = int(re.search(rb"startxref\n(\d+)\n", content)[1])
    assert content[table:].startswith(b"xref\n0 7\n")
    starts = re.findall(rb"(\d{10}) 00000 n \n", content[table:])
    assert len(starts) == 6
    for number, start in enumerate(starts, start=1):
        assert content[int(start) :].startswith(f"{number} 0 obj\n".encode())


def test_link_is_in_the_pictures_of_a_served_page_only(new_page):
    address = "http://localhost/player?text=I%20like%20(cats)&step=2"
    text = standalone_html(player_payload(toy.running_example()), title="A player")
    page = new_page(viewport=DESK)
    page.route("http://localhost/**", lambda route: route.fulfill(body=text, content_type="text/html; charset=utf-8"))
    page.goto(address)
    page.wait_for_selector(".player[data-step]")
    root = ElementTree.fromstring(saved(page, "Map as SVG")[0])
    link = root.find(f"{SVG}a")
    assert link.get("href") == address
    assert "".join(texts(link)) == address
    escaped = address.replace("(", "\\(").replace(")", "\\)")
    assert f"/URI ({escaped})".encode() in saved(page, "Map as PDF")[0]


def test_what_was_changed_by_hand_is_said(open_player):
    trace = with_replaced_row(toy.running_example(), 2, [0, 0.5, 0.5, 0, 0])
    change = dataclasses.replace(
        trace.intervention, forced_tokens=((1, "很"),), hidden=((None, 3), (4, 0)), temperature=0.5
    )
    page = open_player(dataclasses.replace(trace, intervention=change), "#step=5")
    said = (
        "Changed by hand: temperature 0.5; step 2 goes on with 很; weights of step 3; hidden at every step: a; "
        "hidden at step 5: I."
    )
    assert said in " ".join(texts(ElementTree.fromstring(saved(page, "Map as SVG")[0])))
    dashed = page.locator(".edge[stroke-dasharray]")
    assert {edge.get_attribute("data-step") for edge in dashed.all()} == {"2"}


def test_without_attention_only_the_step_is_a_picture(open_player):
    page = open_player(toy.sized_trace(scorer="none"), "#step=2")
    assert page.locator(".edges-section").count() == 0
    content, name = saved(page, "This step as SVG")
    assert name.endswith("-step-2.svg")
    assert "No attention" in texts(ElementTree.fromstring(content))
    assert page.get_by_role("button", name="Map as SVG").count() == 0


def test_control_opens_and_closes_by_key_and_fits_on_a_phone(open_player):
    page = open_player(toy.running_example(), viewport=PHONE)
    toggle = page.get_by_role("button", name="Save a picture")
    toggle.focus()
    press(page, "Enter", "Tab", "ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Map as SVG"
    assert place(page)[0] == "0"
    panel = page.locator(".pictures-panel").bounding_box()
    assert panel["x"] >= 0
    assert panel["x"] + panel["width"] <= PHONE[0]
    for button in page.locator(".pictures-panel button").all():
        box = button.bounding_box()
        assert box["x"] + box["width"] <= PHONE[0]
    press(page, "Escape")
    assert toggle.get_attribute("aria-expanded") == "false"
    assert page.evaluate("document.activeElement.textContent") == "Save a picture"
    toggle.click()
    page.locator(".counter").click()
    assert page.locator(".pictures-panel").is_hidden()


def test_numbers_of_the_edges_are_those_of_the_map(open_player):
    trace = toy.sized_trace(source=5, target=7)
    page = open_player(trace, "#step=7")
    said = [float(edge.get_attribute("aria-label").split(": ")[1]) for edge in page.locator(".edge").all()]
    assert said == numbers(page, ".map-cell text")


def test_step_picture_is_light_where_the_player_is_mounted_in_a_dark_page(new_page, tmp_path):
    trace = toy.sized_trace(source=5, target=7)
    file = tmp_path / "mounted.html"
    file.write_text(component_html(player_data(player_payload(trace), 2), "dark"), "utf-8")
    page = new_page(viewport=(700, 900), color_scheme="dark")
    page.goto(file.as_uri())
    page.wait_for_selector('.player[data-scheme="dark"]')
    text = saved(page, "This step as SVG")[0].decode("utf-8")
    colours = {
        scheme: {rgb(palette.text), rgb(palette.muted), rgb(palette.source), rgb(palette.target)}
        for scheme, palette in theme.PALETTES.items()
    }
    assert {colour for colour in colours["light"] if colour in text} == colours["light"]
    assert {colour for colour in colours["dark"] if colour in text} == set()


def rgb(colour):
    """`#RRGGBB` as a browser writes it."""
    return f"rgb({', '.join(str(int(colour[start : start + 2], 16)) for start in (1, 3, 5))})"
