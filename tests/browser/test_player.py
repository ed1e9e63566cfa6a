"""The player alone in one HTML file, in a real Chromium, over file:// and without a network."""

import dataclasses

import numpy as np
import pytest

from app.components.standalone import standalone_html
from app.components.step_player import player_payload
from attention_model import analysis
from tests import toy
from tests.browser.expected import expect_no_sideways_scroll
from tests.test_step_player import heated, with_replaced_row

PHONE = (390, 844)
DESK = (1360, 900)
TYPING = "<label>note <input id='note'></label><a href='#x' id='link'>a link</a>"


@pytest.fixture
def open_player(new_page, tmp_path):
    """A function that opens the player of a trace: `open_player(trace, "#step=3", viewport=PHONE)`."""

    def opened(trace, place="", before="", **options):
        page = new_page(**{"viewport": DESK, **options})
        file = tmp_path / "player.html"
        text = standalone_html(player_payload(trace), title="A map")
        file.write_text(text.replace("<main></main>", f"{before}<main></main>"), encoding="utf-8")
        page.goto(file.as_uri() + place)
        page.wait_for_selector(".player[data-step]")
        return page

    return opened


FILLED_SHARE = """path => {
    const { x, y, width, height } = path.getBBox();
    let filled = 0;
    for (let i = 0; i < 400; i += 1) {
        const at = new DOMPoint(x + ((i % 20) + 0.5) * width / 20, y + (Math.floor(i / 20) + 0.5) * height / 20);
        filled += path.isPointInFill(at);
    }
    return filled / 400;
}"""
"""How much of the box around a drawing is filled: half of it for a triangle."""


def place(page):
    """The step and the part at which the player stands."""
    root = page.locator(".player")
    return root.get_attribute("data-step"), root.get_attribute("data-part")


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def numbers(page, selector):
    """The numbers printed in elements, as floats."""
    return [float(text.replace("−", "-")) for text in page.locator(selector).all_text_contents()]


def test_arrows_lead_to_the_steps_of_the_trace(open_player):
    trace = toy.running_example()
    page = open_player(trace)
    assert place(page) == ("0", "all")
    press(page, "ArrowRight", "ArrowRight")
    assert place(page) == ("2", "all")
    row = page.locator("[role=row]").nth(2)
    assert row.get_attribute("aria-label") == analysis.describe_step(trace, 2, "") + "."
    assert page.locator(".now").inner_text().replace("\n", "").startswith("喜喜 looks at like")
    assert page.locator(".map-row:not(.future)").count() == 3
    assert page.locator(".map-row.current").get_attribute("data-step") == "2"


@pytest.mark.parametrize(
    ("keys", "step"),
    [
        (["End"], "4"),
        (["End", "ArrowRight"], "4"),
        (["PageDown", "PageDown", "PageUp"], "1"),
        (["End", "Home"], "0"),
        (["ArrowLeft"], "0"),
    ],
    ids=str,
)
def test_keys_and_clicker(open_player, keys, step):
    page = open_player(toy.running_example())
    press(page, *keys)
    assert place(page)[0] == step


def test_play_and_next_do_not_look_alike(open_player):
    page = open_player(toy.running_example())
    areas = [page.locator("button.icon path").nth(place).evaluate(FILLED_SHARE) for place in range(5)]
    _, previous, play, following, _ = areas
    assert previous == pytest.approx(following, abs=0.02)
    assert play > following + 0.1


def test_the_sentence_of_the_step_stands_clear_of_the_buttons(open_player):
    page = open_player(toy.running_example())
    buttons = page.locator(".transport").bounding_box()
    assert page.locator(".now").bounding_box()["y"] >= buttons["y"] + buttons["height"] + 8


def test_buttons_move_and_arrows_still_work_after_a_click(open_player):
    page = open_player(toy.running_example())
    page.get_by_role("button", name="Next (right arrow)").click()
    assert place(page)[0] == "1"
    press(page, "ArrowRight")
    assert place(page)[0] == "2"
    page.get_by_role("button", name="First step (Home)").click()
    assert place(page)[0] == "0"


def test_keys_are_left_to_whoever_types_or_works_a_link(open_player):
    page = open_player(toy.running_example(), before=TYPING)
    page.locator("#note").click()
    press(page, "ArrowRight", "End", "Space", "PageDown")
    page.locator("#link").focus()
    press(page, "ArrowRight", "End")
    page.get_by_label("Speed").focus()
    press(page, "End")
    assert place(page)[0] == "0"


def test_space_plays_to_the_end_and_stops(open_player):
    page = open_player(toy.running_example())
    page.get_by_label("Speed").select_option("fast")
    page.evaluate("document.activeElement.blur()")
    press(page, "Space")
    assert page.get_by_role("button", name="Pause (space)").count() == 1
    page.wait_for_selector('.player[data-step="4"]')
    page.wait_for_selector("button[aria-label='Play (space)']")


def test_parts_inside_a_step(open_player):
    page = open_player(toy.sized_trace())
    page.get_by_role("switch", name="part by part").check()
    page.evaluate("document.activeElement.blur()")
    assert place(page) == ("0", "0")
    assert not page.locator(".candidates").is_visible()
    assert not page.locator(".map-row.current").is_visible()
    press(page, *["ArrowRight"] * 4)
    assert place(page) == ("0", "4")
    assert page.locator(".candidates").is_visible()
    press(page, "ArrowRight")
    assert place(page) == ("1", "0")


def test_parts_that_do_not_exist_are_skipped(open_player):
    page = open_player(toy.sized_trace(scorer="none"), "#step=1&part=1")
    assert place(page) == ("0", "3")
    press(page, "ArrowRight", "ArrowRight")
    assert place(page) == ("1", "3")


def test_place_is_kept_in_the_address_and_restored(open_player):
    page = open_player(toy.sized_trace(), "#step=3&part=2")
    assert place(page) == ("2", "1")
    length = page.evaluate("history.length")
    press(page, "ArrowRight")
    page.wait_for_function("location.hash === '#step=3&part=3'")
    assert page.evaluate("history.length") == length


def test_address_with_nonsense_opens_at_the_nearest_step(open_player):
    assert place(open_player(toy.running_example(), "#step=99&part=77")) == ("4", "2")
    assert place(open_player(toy.running_example(), "#step=x&part=-1")) == ("0", "all")


def test_map_prints_the_weights_of_the_trace(open_player):
    trace = toy.sized_trace(source=5, target=7)
    page = open_player(trace, "#step=7")
    assert numbers(page, ".map-cell text") == [pytest.approx(w, abs=0.005) for w in trace.weights.ravel()]


@pytest.mark.parametrize("make", [lambda trace: trace, heated], ids=["plain", "heated"])
def test_lines_of_the_softmax_are_those_of_analysis(open_player, make):
    trace = make(toy.sized_trace(source=5, target=7))
    page = open_player(trace, "#step=4")
    parts = analysis.softmax_parts(trace.scores[3], trace.intervention.temperature)
    shown = numbers(page, '.band[data-of-part="1"] .value:not(.used)')
    heat = [] if trace.intervention.temperature == 1 else [parts.scaled]
    wanted = np.concatenate([*heat, parts.shifted, parts.exponentials, parts.weights])
    assert shown == [pytest.approx(value, abs=0.00501) for value in wanted]
    assert numbers(page, '.band[data-of-part="0"] .value') == [pytest.approx(s, abs=0.00501) for s in trace.scores[3]]
    assert page.get_by_text(f"÷ {parts.total:.3f}").count() == 1


def test_products_of_the_blend_are_those_of_analysis_and_add_up_to_the_context(open_player):
    trace = toy.sized_trace(source=5, target=7, d_h=19, d_s=19)
    page = open_player(trace, "#step=2")
    for component in (0, 18):
        page.get_by_label("component that is followed").fill(str(component + 1))
        terms = analysis.blend_terms(trace, 1)[:, component]
        assert numbers(page, ".value.term") == [pytest.approx(term, abs=0.000501) for term in terms]
        assert numbers(page, ".component output") == [pytest.approx(trace.contexts[1, component], abs=0.000501)]


def test_few_components_are_printed(open_player):
    page = open_player(toy.running_example(), "#step=2")
    assert numbers(page, ".vectors .printed") == [0, 0, 3, 0, *[pytest.approx(c, abs=0.005) for c in toy_context(1)]]


def toy_context(step):
    return toy.running_example().contexts[step]


def test_short_dot_products_are_written_out_on_hover(open_player):
    page = open_player(toy.running_example())
    page.locator('.band[data-of-part="0"] .target').first.hover()
    assert page.locator(".hint").text_content() == "score of I: 2 × 3 + 0 × 0 + (−1) × 0 + 0 × 0 = 6"


def test_hundreds_of_components_show_their_value_on_hover(open_player):
    trace = toy.sized_trace(d_h=512, d_s=512)
    page = open_player(trace)
    page.locator(".band").first.locator(".grid").first.hover(position={"x": 1, "y": 1})
    shown = float(page.locator(".hint").text_content().split(": ")[1].replace("−", "-"))
    assert np.float32(shown) == trace.encoder_states[0, 0]


def test_chosen_word_is_marked_whatever_its_rank(open_player):
    trace = toy.sized_trace(target=5)
    page = open_player(trace, "#step=5")
    assert page.locator(".candidates .chosen .token").text_content() == "end"
    assert page.locator(".candidates .chosen .rank").text_content() == "1"


def test_chosen_word_beyond_the_ten_best_has_a_row_of_its_own(open_player):
    trace = toy.sized_trace()
    forced = dataclasses.replace(
        trace,
        target_tokens=("龘", *trace.target_tokens[1:]),
        token_ranks=(4321, *trace.token_ranks[1:]),
        token_probabilities=np.array([1e-6, *trace.token_probabilities[1:]], dtype=np.float32),
    )
    page = open_player(forced)
    rows = page.locator(".candidates li:not(.empty)")
    assert rows.count() == 11
    assert page.locator(".candidates .chosen").inner_text().split("\n")[:2] == ["4321", "龘"]
    press(page, "ArrowRight")
    assert rows.count() == 10


def test_map_is_walked_by_arrows_and_entered(open_player):
    trace = toy.running_example()
    page = open_player(trace, "#step=4")
    page.locator('.map-cell[tabindex="0"]').focus()
    press(page, "ArrowUp", "ArrowRight", "ArrowRight")
    focused = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focused == f"喜 looks at cats: {trace.weights[2, 2]:.2f}"
    assert place(page)[0] == "3"
    press(page, "Enter")
    assert place(page)[0] == "2"
    press(page, "ArrowDown")
    assert "喜 looks at" in page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert page.locator('.map-cell[tabindex="0"]').count() == 1


def test_click_on_a_finished_row_goes_to_its_step_and_leaves_the_arrows_free(open_player):
    page = open_player(toy.running_example(), "#step=5")
    page.locator('.map-cell[data-step="1"]').first.click()
    assert place(page)[0] == "1"
    press(page, "ArrowRight")
    assert place(page)[0] == "2"


def test_pointing_at_a_word_marks_its_column_everywhere(open_player):
    page = open_player(toy.running_example())
    marks = page.locator(".column-mark.shown")
    page.locator(".source-word").nth(3).hover()
    assert marks.count() == 2
    word = page.locator(".source-word").nth(3).bounding_box()
    cell = page.locator('.map-cell[data-source="3"] rect').first.bounding_box()
    for box in (marks.nth(0).bounding_box(), marks.nth(1).bounding_box()):
        assert box["x"] == pytest.approx(word["x"], abs=1)
        assert box["x"] == pytest.approx(cell["x"], abs=2)


CENTRES = """selectors => selectors.map(selector =>
    Array.from(document.querySelectorAll(selector), element => {
        const box = element.getBoundingClientRect();
        return box.left + box.width / 2;
    }))"""


@pytest.mark.parametrize("viewport", [DESK, (800, 900), PHONE], ids=str)
def test_columns_stand_under_each_other_at_every_width(open_player, viewport):
    page = open_player(toy.sized_trace(source=5, target=7), viewport=viewport)
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
    assert len(first) == 5
    for centres in others:
        assert centres == [pytest.approx(centre, abs=1) for centre in first]


def test_nothing_moves_from_step_to_step(open_player):
    for viewport in (DESK, PHONE):
        page = open_player(toy.sized_trace(source=5, target=7, hidden=((2, 1),)), viewport=viewport)
        boxes = """Array.from(
            document.querySelectorAll(".band, .card, .map, .map-frame"),
            (element) => element.getBoundingClientRect().top + scrollY,
        )"""
        first = page.evaluate(boxes)
        for _ in range(6):
            press(page, "ArrowRight")
            assert page.evaluate(boxes) == first


def test_no_attention_is_said_and_leaves_no_map(open_player):
    page = open_player(toy.sized_trace(scorer="none"))
    assert page.get_by_text("This decoder cannot glance back.").is_visible()
    assert page.locator(".map-frame").count() == 0
    assert page.locator(".candidates .chosen").count() == 1


def test_unknown_and_hidden_words_are_marked(open_player):
    page = open_player(toy.sized_trace(source=5, hidden=((None, 3),), unknown=(1,)))
    assert page.locator(".source-word.unknown").inner_text().split("\n")[1] == "unknown"
    assert page.locator('.band[data-of-part="0"] .value').nth(3).text_content() == "hidden"


def test_a_row_set_by_hand_is_hatched_over_the_computed_one(open_player):
    trace = with_replaced_row(toy.running_example(), 2, [0, 0.5, 0.5, 0, 0])
    page = open_player(trace, "#step=3")
    assert page.locator(".map-row .computed").count() == 5
    assert page.locator('.map-row[data-step="2"] .computed').count() == 5
    label = page.locator('.map-cell[data-step="2"]').nth(2).get_attribute("aria-label")
    assert label == f"喜 looks at cats: 0.50, set by hand; computed {trace.computed_weights[2, 2]:.2f}"
    assert numbers(page, ".value.used") == [0, 0.5, 0.5, 0, 0]


def test_words_are_shown_as_text_never_as_markup(open_player):
    nasty = "<img src=x onerror=alert(1)></script>"
    trace = dataclasses.replace(
        toy.running_example(), source_text=None, source_spans=None, source_tokens=(nasty, "like", "cats", "a", "lot")
    )
    page = open_player(trace)
    assert page.locator("img").count() == 0
    assert page.locator(".source-word").first.text_content() == nasty
    assert page.locator(".map-heads text").first.text_content() == nasty


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_schemes_and_a_change_between_them(open_player, scheme):
    page = open_player(toy.running_example(), "#step=3", color_scheme=scheme)
    root = page.locator(".player")
    other = "dark" if scheme == "light" else "light"
    assert root.get_attribute("data-scheme") == scheme
    before = page.evaluate("getComputedStyle(document.querySelector('.player')).backgroundColor")
    page.emulate_media(color_scheme=other)
    page.wait_for_selector(f'.player[data-scheme="{other}"]')
    assert page.evaluate("getComputedStyle(document.querySelector('.player')).backgroundColor") != before
    assert place(page)[0] == "2"


def test_swipe_steps_on_a_phone(open_player):
    page = open_player(toy.running_example(), viewport=PHONE, has_touch=True)
    swipe = """([from, to]) => {
        const target = document.querySelector(".now");
        const touch = (x) => new Touch({ identifier: 1, target, clientX: x, clientY: 100 });
        const send = (type, x, lists) => target.dispatchEvent(
            new TouchEvent(type, { bubbles: true, composed: true, changedTouches: [touch(x)], ...lists(x) }));
        send("touchstart", from, (x) => ({ touches: [touch(x)] }));
        send("touchend", to, () => ({}));
    }"""
    page.evaluate(swipe, [300, 100])
    assert place(page)[0] == "1"
    page.evaluate(swipe, [100, 300])
    assert place(page)[0] == "0"
    page.evaluate(swipe, [100, 120])
    assert place(page)[0] == "0"


def test_phone_scrolls_the_map_in_its_frame_with_labels_in_view(open_player):
    page = open_player(toy.sized_trace(source=17, target=13), "#step=13", viewport=PHONE)
    expect_no_sideways_scroll(page)
    frame = page.locator(".map-frame")
    frame.evaluate("frame => frame.scrollTo({ left: 200 })")
    page.wait_for_function("document.querySelector('.bands-frame').scrollLeft === 200")
    label = page.locator(".map-label.current .label-word").bounding_box()
    box = frame.bounding_box()
    assert box["x"] <= label["x"] <= box["x"] + 72


# Whether a cell of step 60 lies between the left and the right edge of the map's frame.
IN_FRAME = """(column) => {
  const cell = document.querySelectorAll(".map-cell[data-step='59']")[column].getBoundingClientRect();
  const frame = document.querySelector(".map-frame").getBoundingClientRect();
  return frame.left <= cell.left && cell.right <= frame.right + 1;
}"""


def test_long_sentence_follows_the_step_with_heads_in_view(open_player):
    trace = toy.sized_trace(source=50, target=60)
    page = open_player(trace)
    press(page, "End")
    assert place(page)[0] == "59"
    column = int(trace.weights[59].argmax())
    page.wait_for_function("document.querySelector('.map-frame').scrollTop > 0")
    page.wait_for_function(IN_FRAME, arg=column)
    frame = page.locator(".map-frame").bounding_box()
    row = page.locator(".map-label.current").bounding_box()
    heads = page.locator(".map-heads").bounding_box()
    assert heads["y"] == pytest.approx(frame["y"], abs=1)
    assert heads["y"] + heads["height"] <= row["y"]
    assert row["y"] + row["height"] <= frame["y"] + frame["height"]
    largest = page.locator(".map-cell[data-step='59']").nth(column).bounding_box()
    assert frame["x"] + 280 <= largest["x"] + 1


def test_two_players_on_one_page_stay_apart(open_player):
    page = open_player(toy.running_example())
    page.evaluate("""() => {
        const script = document.querySelector('script[type="module"]').textContent;
        const again = document.createElement("script");
        again.type = "module";
        again.textContent = script.replace('document.querySelector("main")', "document.body");
        document.body.append(again);
    }""")
    page.wait_for_function("document.querySelectorAll('.player[data-step]').length === 2")
    press(page, "ArrowRight")
    steps = [page.locator(".player").nth(which).get_attribute("data-step") for which in (0, 1)]
    assert steps == ["1", "0"]
    assert page.evaluate("document.querySelectorAll('[id]').length") == 0
