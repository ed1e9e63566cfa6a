"""The map of the player, in a real Chromium over file://: words put together, colour scales, zoom, readings."""

import dataclasses
import re

import numpy as np
import pytest

from app import theme
from app.components.standalone import standalone_html
from app.components.step_player import (
    PLAIN_VIEW,
    PlayerReading,
    PlayerReadings,
    PlayerView,
    player_data,
    player_payload,
    player_script,
)
from attention_model import merging
from tests import toy
from tests.browser.test_player import CENTRES, DESK, PHONE, numbers, place, press
from tests.test_step_player import with_replaced_row

SIMPLIFIED = {"歡": "欢", "貓": "猫"}
PINYIN = {"我": "wǒ", "很": "hěn", "喜": "xǐ", "歡": "huan", "貓": "māo"}


@pytest.fixture
def open_map(new_page, tmp_path):
    """A function that opens a trace shown in a certain way: `open_map(trace, view, "#step=3", viewport=PHONE)`."""

    def opened(trace, view=PLAIN_VIEW, place="", readings=None, **options):
        page = new_page(**{"viewport": DESK, **options})
        file = tmp_path / "map.html"
        file.write_text(standalone_html(player_payload(trace, readings=readings), title="A map", view=view), "utf-8")
        page.goto(file.as_uri() + place)
        page.wait_for_selector(".player[data-step]")
        return page

    return opened


def merged_view(trace, source_groups, target_groups, *, end_row=True, **how):
    """The view of a map whose neighbours are put together."""
    grid = merging.merge_map(trace, source_groups=source_groups, target_groups=target_groups, end_row=end_row)
    return PlayerView(
        grid=grid,
        row_labels=tuple(merging.row_label(trace, group) for group in grid.target_groups),
        column_labels=tuple(merging.column_label(trace, group) for group in grid.source_groups),
        **how,
    )


def words_of_the_running_example(**how):
    """*a* and *lot* as one column, 喜 and 歡 as one row."""
    source_groups = ((0, 0), (1, 1), (2, 2), (3, 4))
    return merged_view(toy.running_example(), source_groups, ((0, 0), (1, 1), (2, 3), (4, 4)), **how)


def readings_of_the_running_example():
    steps = tuple(PlayerReading(PINYIN[token], SIMPLIFIED.get(token, token)) for token in toy.RUNNING_TARGET)
    return PlayerReadings(steps, dict(zip(toy.RUNNING_TARGET, steps, strict=True)))


def fills(page):
    return page.locator(".map-cell > rect:first-child").evaluate_all("all => all.map(one => one.getAttribute('fill'))")


def box(page, selector, which=0):
    return page.locator(selector).nth(which).bounding_box()


def test_a_merged_map_prints_its_grid_and_its_rule(open_map):
    view = words_of_the_running_example()
    page = open_map(toy.running_example(), view, "#step=5")
    assert numbers(page, ".map-cell text") == [pytest.approx(w, abs=0.005) for w in view.grid.weights.ravel()]
    assert page.locator(".map-label .label-word").all_text_contents() == ["我", "很", "喜歡", "貓"]
    assert page.locator(".map-heads text").all_text_contents() == ["I", "like", "cats", "a lot"]
    assert page.locator(".map-rule").inner_text() == view.grid.rule
    assert page.locator(".map-heading .sentence").inner_text() == "4 of 4 rows; each adds up to 1."


def test_a_merged_cell_spans_the_columns_of_its_pieces_and_a_merged_row_is_one_row(open_map):
    page = open_map(toy.running_example(), words_of_the_running_example(), "#step=5")
    cell, first, last = (box(page, '.map-cell[data-source="3"] rect'), *(box(page, ".source-word", i) for i in (3, 4)))
    assert cell["x"] == pytest.approx(first["x"], abs=2)
    assert cell["x"] + cell["width"] == pytest.approx(last["x"] + last["width"], abs=2)
    heights = [box(page, ".map-cells [role=row]", row)["height"] for row in range(4)]
    assert heights == [30] * 4
    page.locator('.map-cell[data-source="3"]').first.hover()
    assert [box(page, ".column-mark.shown", which)["width"] for which in (0, 1)] == [
        pytest.approx(first["width"] + last["width"], abs=1)
    ] * 2


def test_a_merged_row_is_there_with_its_last_step_and_leads_to_it(open_map):
    page = open_map(toy.running_example(), words_of_the_running_example(), "#step=3")
    assert page.locator(".map-row.current").get_attribute("class") == "map-row future current"
    press(page, "ArrowRight")
    assert place(page)[0] == "3"
    assert page.locator(".map-row.current").get_attribute("class") == "map-row current"
    press(page, "End")
    page.locator('.map-cell[data-step="2"]').first.click()
    assert place(page)[0] == "3"
    assert page.locator(".map-row.current").get_attribute("class") == "map-row current"


def test_a_merged_map_is_heard_and_walked_as_it_is_seen(open_map):
    trace, view = toy.running_example(), words_of_the_running_example()
    page = open_map(trace, view, "#step=5")
    page.locator('.map-cell[tabindex="0"]').focus()
    press(page, "ArrowUp", "End")
    heard = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert heard == f"喜歡 looks at a lot: {view.grid.weights[2, 3]:.2f}"
    assert page.locator(".hint").inner_text().startswith("喜歡 looks at a lot: ")
    assert page.locator(".map-cells [role=row]").nth(2).get_attribute("aria-label").count("looks") == 2
    press(page, "Enter")
    assert place(page)[0] == "3"


def test_a_cell_names_the_positions_that_it_stands_for(open_map):
    page = open_map(toy.running_example(), words_of_the_running_example())
    places = page.locator(".map-cell").evaluate_all(
        "all => all.slice(0, 4).map(({ dataset }) => [dataset.source, dataset.first, dataset.last])"
    )
    assert places == [["0", "0", "0"], ["1", "1", "1"], ["2", "2", "2"], ["3", "3", "4"]]


def test_a_merged_row_with_weights_set_by_hand_is_hatched(open_map):
    trace = with_replaced_row(toy.running_example(), 2, [0, 0.5, 0.5, 0, 0])
    view = merged_view(trace, ((0, 0), (1, 1), (2, 2), (3, 4)), ((0, 0), (1, 1), (2, 3), (4, 4)))
    page = open_map(trace, view, "#step=5")
    assert page.locator('.map-row[data-step="2"] path').count() == 4
    assert page.locator(".map-row path").count() == 4
    label = page.locator('.map-cell[data-step="2"]').first.get_attribute("aria-label")
    assert label == f"喜歡 looks at I: {view.grid.weights[2, 0]:.2f}, from weights set by hand"


def test_without_the_end_row_nothing_is_current_at_the_end(open_map):
    trace = toy.sized_trace(source=5, target=7)
    view = merged_view(trace, merging.piece_groups(5), merging.piece_groups(7), end_row=False)
    page = open_map(trace, view, "#step=6")
    assert page.locator(".current-mark").is_visible()
    press(page, "ArrowRight")
    assert page.locator(".map-cells [role=row]").count() == 6
    assert page.locator(".map-row.current").count() == 0
    assert not page.locator(".current-mark").is_visible()


SHARES = {
    "fixed": lambda weights: weights,
    "row": lambda weights: weights / weights.max(axis=1, keepdims=True),
    "root": np.sqrt,
    "log": lambda weights: 1 + np.log10(np.maximum(weights, 0.001)) / 3,
}
TITLES = {
    "fixed": "weight α̂",
    "row": "weight α̂, each row by its largest",
    "root": "weight α̂, square root",
    "log": "weight α̂, log, from 0.001",
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_colour_scale_changes_colours_only_and_says_so(open_map, scheme):
    trace = toy.sized_trace(source=5, target=7, seed=3)
    for scale, shares in SHARES.items():
        page = open_map(trace, PlayerView(scale=scale), "#step=7", color_scheme=scheme)
        wanted = [theme.weight_colour(share, scheme) for share in shares(trace.weights).ravel()]
        assert differences(fills(page), wanted) <= 1, scale
        assert numbers(page, ".map-cell text") == [pytest.approx(w, abs=0.005) for w in trace.weights.ravel()]
        assert page.locator(".map-heading svg text").first.text_content() == TITLES[scale]
        inks = page.locator(".map-cell text").evaluate_all("all => all.map(one => one.getAttribute('fill'))")
        assert min(map(theme.contrast, inks, fills(page))) >= 4.5


def differences(found, wanted):
    """The largest difference of a channel between two lists of colours."""
    channels = [[int(colour[start : start + 2], 16) for start in (1, 3, 5)] for colour in (*found, *wanted)]
    return np.abs(np.subtract(channels[: len(found)], channels[len(found) :])).max()


@pytest.mark.parametrize(
    ("scale", "ticks"),
    [("root", {0.1: 0.1**0.5, 0.5: 0.5**0.5, 1: 1}), ("log", {0.01: 1 / 3, 0.1: 2 / 3, 1: 1})],
)
def test_ticks_stand_where_their_weights_are(open_map, scale, ticks):
    page = open_map(toy.running_example(), PlayerView(scale=scale))
    for weight, share in ticks.items():
        tick = page.locator(".map-heading svg").get_by_text(str(weight), exact=True)
        assert float(tick.get_attribute("x")) == pytest.approx(150 * share, abs=0.1)


def test_pictures_say_the_scale_and_the_rule(open_map):
    view = words_of_the_running_example(scale="root")
    page = open_map(toy.running_example(), view)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save a picture").click()
        page.get_by_role("button", name="Map as SVG", exact=True).click()
    text = download.value.path().read_text("utf-8")
    assert TITLES["root"] in text
    assert len(re.findall(r'class="map-cell"', text)) == 16
    lines = re.sub(r"<[^>]*>", " ", text)
    assert " ".join(view.grid.rule.split()) in " ".join(lines.split())


def columns_in_line(page):
    first, *others = page.evaluate(
        CENTRES,
        [
            ".source-word",
            '.band[data-of-part="0"] .target',
            '.band[data-of-part="1"] .target',
            '.band[data-of-part="2"] .grid',
            '.map-row[data-step="0"] .map-cell rect',
        ],
    )
    return all(centres == [pytest.approx(centre, abs=1) for centre in first] for centres in others)


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=str)
def test_fit_brings_every_column_into_view_and_nothing_is_printed_over_another(open_map, viewport):
    page = open_map(toy.sized_trace(source=50, target=60, d_h=31, d_s=31), place="#step=60", viewport=viewport)
    page.get_by_role("button", name="Fit all columns into the width").click()
    frame = box(page, ".map-frame")
    first, last = (box(page, '.map-row[data-step="59"] .map-cell rect', which) for which in (0, 49))
    assert frame["x"] + 72 <= first["x"]
    assert last["x"] + last["width"] <= frame["x"] + frame["width"] + 1
    assert columns_in_line(page)
    assert page.locator(".map-cell text").count() == 0
    assert page.locator(".band .value").count() == 0
    widths = page.locator(".grid").evaluate_all("all => all.slice(0, 50).map(one => one.offsetWidth)")
    assert max(widths) <= first["width"] + 2
    written = page.locator(".map-heads text").evaluate_all("""all => all.filter(one => one.textContent !== "")
        .map(one => { const { left, width } = one.getBoundingClientRect(); return left + width / 2; })""")
    size = float(page.locator(".map-heads text").first.get_attribute("font-size"))
    assert min(np.diff(written)) >= size
    row = box(page, ".map-label.current")
    assert frame["y"] <= row["y"]
    assert row["y"] + row["height"] <= frame["y"] + frame["height"] + 1


def test_zoom_goes_in_steps_and_keeps_its_button_in_focus(open_map):
    page = open_map(toy.sized_trace(source=5, target=7))
    narrower = page.get_by_role("button", name="Narrower columns")
    narrower.click()
    narrower.click()
    assert box(page, ".source-word")["width"] == 60
    assert narrower.evaluate("button => button === document.activeElement")
    for _ in range(5):
        narrower.click()
    assert box(page, ".source-word")["width"] == 14
    assert box(page, ".map-cells [role=row]")["height"] == 14
    assert narrower.get_attribute("aria-disabled") == "true"
    page.get_by_role("button", name="Wider columns").click()
    assert box(page, ".source-word")["width"] == 18


MOUNT = """async ([script, first, second]) => {
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const { default: mount } = await import(address);
    const parentElement = document.createElement("section");
    document.body.append(parentElement);
    const open = (text) => mount({ data: new TextEncoder().encode(text), parentElement, setStateValue() {} });
    open(first);
    parentElement.querySelector("[aria-label='Fit all columns into the width']").click();
    open(second);
}"""


def test_zoom_is_kept_when_the_trace_changes_and_is_not_in_the_address(open_map):
    page = open_map(toy.running_example())
    payloads = [player_payload(toy.sized_trace(source=count, target=3)) for count in (17, 19)]
    page.evaluate(MOUNT, [player_script(), *(player_data(payload).decode() for payload in payloads)])
    player = page.locator("body > section")
    assert player.locator(".source-word").count() == 19
    assert player.get_by_label("Fit all columns into the width").get_attribute("aria-pressed") == "true"
    last = player.locator(".map-row .map-cell rect").nth(18).bounding_box()
    frame = player.locator(".map-frame").bounding_box()
    assert last["x"] + last["width"] <= frame["x"] + frame["width"] + 1
    assert page.evaluate("location.hash + location.search") == ""


def test_a_place_in_a_long_sentence_is_in_view_from_the_start(open_map):
    page = open_map(toy.sized_trace(source=50, target=60), place="#step=50")
    page.wait_for_function("document.querySelector('.map-frame').scrollTop > 0")
    frame, row, heads = (box(page, selector) for selector in (".map-frame", ".map-label.current", ".map-heads"))
    assert heads["y"] + heads["height"] <= row["y"]
    assert row["y"] + row["height"] <= frame["y"] + frame["height"]


def test_a_step_redraws_no_cell(open_map):
    page = open_map(toy.sized_trace(source=50, target=60))
    page.evaluate("""() => {
        window.added = 0;
        new MutationObserver((records) => {
            window.added += records.reduce((sum, record) => sum + record.addedNodes.length, 0);
        }).observe(document.querySelector(".map"), { childList: true, subtree: true, characterData: true });
    }""")
    press(page, "ArrowRight", "ArrowRight", "End")
    page.wait_for_function("document.querySelectorAll('.map-row:not(.future)').length === 60")
    # The sentence over the scale, once a step.
    assert page.evaluate("added") <= 3


def test_pinyin_stands_above_the_characters_and_makes_room_for_itself(open_map):
    readings = readings_of_the_running_example()
    plain = open_map(toy.running_example(), place="#step=5", readings=readings)
    assert plain.locator(".label-pinyin, ruby").count() == 0
    height = box(plain, ".map-cells [role=row]")["height"]
    page = open_map(
        toy.running_example(), words_of_the_running_example(pinyin=True), "#step=3", readings, color_scheme="dark"
    )
    assert box(page, ".map-cells [role=row]")["height"] == height + 14
    assert page.locator(".label-pinyin").all_text_contents() == ["wǒ", "hěn", "xǐhuan", "māo"]
    press(page, "End")
    assert page.locator(".map-label .label-word").all_text_contents() == ["我", "很", "喜歡", "貓"]
    for which in range(4):
        above, word = box(page, ".label-pinyin", which), box(page, ".map-label .label-word", which)
        number = box(page, ".map-label > text:first-child", which)
        assert above["y"] < word["y"]
        assert min(above["x"], word["x"]) > number["x"] + number["width"]
        assert max(above["x"] + above["width"], word["x"] + word["width"]) <= box(page, ".map-area")["x"] + 1
    assert page.locator(".now-token rt").text_content() == "māo"
    assert page.locator(".now-token").get_attribute("lang") == "zh-Hant"
    assert page.locator(".now-token rt").get_attribute("lang") == "zh-Latn-pinyin"


def test_simplified_characters_stand_in_labels_sentences_and_descriptions(open_map):
    view = words_of_the_running_example(simplified=True)
    page = open_map(toy.running_example(), view, "#step=5", readings_of_the_running_example())
    assert page.locator(".map-label .label-word").all_text_contents() == ["我", "很", "喜欢", "猫"]
    assert page.locator(".map-label .label-word").nth(2).get_attribute("lang") == "zh-Hans"
    assert page.locator(".now").inner_text().replace("\n", "").startswith("猫猫 looks at cats")
    assert page.locator(".now-token").get_attribute("lang") == "zh-Hans"
    assert page.locator(".now-sentence [lang=zh-Hans]").text_content() == "猫"
    assert page.locator("body").get_by_text("歡").count() == 0
    assert page.locator('.map-cell[data-step="2"]').first.get_attribute("aria-label").startswith("喜欢 looks at I")


def test_candidates_are_read_too(open_map):
    trace = toy.sized_trace(source=5, target=7)
    tokens = {one.token for row in trace.candidates for one in row} | set(trace.target_tokens)
    known = {token: PlayerReading(f"p{number}", token) for number, token in enumerate(sorted(tokens))}
    readings = PlayerReadings(tuple(known[token] for token in trace.target_tokens), known)
    page = open_map(trace, PlayerView(pinyin=True), "#step=2", readings)
    shown = page.locator(".candidates li:not(.empty) rt").all_text_contents()
    assert shown == [known[one.token].pinyin for one in trace.candidates[1] if one.token != "</s>"]
    press(page, "End")
    assert page.locator(".candidates .chosen .token").inner_text() == "end"


def test_words_that_lean_are_whole_over_the_last_column_too(open_map):
    words = ("recommendations", "temperature", "mountainous", "international", "organisation")
    trace = dataclasses.replace(
        toy.running_example(), source_text=None, source_spans=None, source_tokens=words, source_word_ids=tuple(range(5))
    )
    page = open_map(trace)
    for _ in range(3):
        page.get_by_role("button", name="Narrower columns").click()
    assert "rotate(-45)" in page.locator(".map-heads text").last.get_attribute("transform")
    frame, last = box(page, ".map-frame"), page.locator(".map-heads text").last.bounding_box()
    assert last["x"] + last["width"] <= frame["x"] + frame["width"] + 1
    upright = page.locator(".source-word").first
    assert upright.evaluate("word => word.scrollHeight <= word.clientHeight")
