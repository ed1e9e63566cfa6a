"""What the player asks to be changed, in a real Chromium, mounted over file:// as Streamlit mounts it."""

import dataclasses

import numpy as np
import pytest

from app.components.step_player import PLAIN_VIEW, PlayerView, TraceBefore, player_data, player_payload
from app.viewing import Viewing, player_view, view_before
from attention_model.trace import Intervention
from tests import toy
from tests.browser.expected import expect_no_sideways_scroll
from tests.browser.mounted import component_html
from tests.test_step_player import with_replaced_row

PHONE = (390, 844)
DESK = (1360, 900)

# Positions 1 and 2 are the pieces of one word.
SENTENCE = toy.sized_trace(source=5, target=7)
STEP = 2


@pytest.fixture
def mount(new_page, tmp_path):
    """A function that mounts the player of a trace: `mount(trace, step=2, offers_changes=False, viewport=PHONE)`."""

    def mounted(trace=SENTENCE, *, step=STEP, before=None, view=PLAIN_VIEW, offers_changes=True, **options):
        page = new_page(**{"viewport": DESK, **options})
        data = player_data(player_payload(trace, before=before), step, view=view, offers_changes=offers_changes)
        file = tmp_path / "player.html"
        file.write_text(component_html(data), encoding="utf-8")
        page.goto(file.as_uri())
        page.wait_for_selector(".player[data-step]")
        return page

    return mounted


def changes(page):
    """The changes that the player has asked for, and forget them."""
    reported = page.evaluate(
        "window.reported.splice(0).filter(([name]) => name === 'change').map(([, value]) => value)"
    )
    return [one["change"] for one in reported]


def step_of(page):
    return int(page.locator(".player").get_attribute("data-step"))


def item(page, text):
    return page.get_by_role("menuitem", name=text)


def choose(page, text):
    """Choose an entry of the menu at the piece of position 2, and tell what the player asks for."""
    page.locator(".source-word").nth(2).click()
    item(page, text).click()
    assert page.get_by_role("menu").count() == 0
    return changes(page)


def intervened(**changed):
    return dataclasses.replace(SENTENCE, intervention=Intervention(**changed))


def test_entries_of_the_menu_ask_for_their_changes(mount):
    page = mount()
    start, end = SENTENCE.source_spans[1][0], SENTENCE.source_spans[2][1]
    assert choose(page, "Put all of this step's weight here") == [["share", STEP, [2]]]
    assert choose(page, "Make this step's weights uniform") == [["share", STEP, [0, 1, 2, 3, 4]]]
    assert choose(page, "Hide this word at this step") == [["hide", STEP, [1, 2]]]
    assert choose(page, "Hide it at all steps") == [["hide", None, [1, 2]]]
    assert choose(page, "Drop it from the sentence") == [["drop", [start, end], [1, 2]]]


def test_numbers_of_changes_grow(mount):
    page = mount()
    for _ in range(3):
        page.locator(".source-word").first.click()
        item(page, "Hide it at all steps").click()
    numbers = page.evaluate("window.reported.map(([, value]) => value.number)")
    assert numbers == sorted(set(numbers))
    assert len(numbers) == 3


def test_a_hidden_word_can_be_shown_again_and_gets_no_weight(mount):
    page = mount(toy.sized_trace(source=5, target=7, hidden=((STEP, 1), (STEP, 2))))
    assert choose(page, "Make this step's weights uniform") == [["share", STEP, [0, 3, 4]]]
    assert choose(page, "Show it again at this step") == [["show", STEP, [1, 2]]]
    page.locator(".source-word").nth(2).click()
    assert item(page, "Put all of this step's weight here").get_attribute("aria-disabled") == "true"


def test_a_word_hidden_everywhere_is_shown_everywhere(mount):
    page = mount(toy.sized_trace(source=5, target=7, hidden=((None, 1), (None, 2))))
    assert choose(page, "Show it again at all steps") == [["show", None, [1, 2]]]
    page.locator(".source-word").nth(2).click()
    assert item(page, "Hide").count() == 0


def test_the_computed_weights_come_back_only_where_a_row_was_set(mount):
    page = mount(with_replaced_row(SENTENCE, STEP, [0, 0.5, 0, 0.5, 0]))
    assert choose(page, "Use the computed weights again") == [["computed", STEP]]
    page.locator(".source-word").nth(2).click()
    said = item(page, "Hide this word at this step").inner_text()
    assert said.endswith("It has weight set by hand at step 3.")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowLeft")
    page.locator(".source-word").nth(2).click()
    assert item(page, "Use the computed weights again").count() == 0


def test_the_only_word_that_attention_sees_cannot_be_hidden(mount):
    page = mount(toy.sized_trace(source=5, target=7, hidden=tuple((None, i) for i in (0, 3, 4))))
    page.locator(".source-word").nth(2).click()
    assert item(page, "Hide it at all steps").get_attribute("aria-disabled") == "true"
    item(page, "Hide it at all steps").click(force=True)
    assert changes(page) == []


def test_first_click_goes_to_a_row_and_the_second_opens_its_menu(mount):
    page = mount()
    cell = page.locator('.map-frame .map-cell[data-step="1"]').nth(3)
    cell.click()
    assert step_of(page) == 1
    assert page.get_by_role("menu").count() == 0
    cell.click()
    item(page, "Put all of this step's weight here").click()
    assert changes(page) == [["share", 1, [3]]]


def test_words_in_menus_and_panels_are_text_never_markup(mount):
    nasty = "<img src=x onerror=alert(1)></script>"
    page = mount(dataclasses.replace(SENTENCE, source_tokens=(nasty, *SENTENCE.source_tokens[1:])))
    page.locator(".source-word").first.click()
    assert page.get_by_role("menu").get_attribute("aria-label") == f"Step 3: {nasty}"
    item(page, "Share it between").click()
    assert page.locator(".chip").first.inner_text() == nasty
    assert page.locator("img").count() == 0


def test_the_place_is_told_before_the_change(mount):
    page = mount()
    page.keyboard.press("ArrowRight")
    page.locator(".source-word").first.click()
    item(page, "Hide this word at this step").click()
    assert page.evaluate("window.reported.map(([name]) => name)") == ["position", "change"]
    assert page.evaluate("window.reported[0][1].step") == STEP + 1


FOCUSED = "document.querySelector('main').shadowRoot.activeElement?.{}"


def test_menu_by_keyboard(mount):
    page = mount()
    page.locator('.map-frame [role=gridcell][tabindex="0"]').focus()
    for key in ("ArrowRight", "Enter", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    assert page.evaluate(FOCUSED.format("textContent")) == "Make this step's weights uniform"
    page.keyboard.press("End")
    assert page.evaluate(FOCUSED.format("textContent")).startswith("Drop it")
    page.keyboard.press("Escape")
    assert page.get_by_role("menu").count() == 0
    assert page.evaluate(FOCUSED.format("dataset.source")) == "1"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(FOCUSED.format("dataset.source")) == "2"
    assert step_of(page) == STEP
    page.locator(".source-word").nth(3).focus()
    page.keyboard.press("ArrowRight")
    assert step_of(page) == STEP + 1
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert changes(page) == [["share", STEP + 1, [3]]]


def test_a_click_elsewhere_closes_the_menu(mount):
    page = mount()
    page.locator(".source-word").first.click(button="right")
    assert page.get_by_role("menu").is_visible()
    page.locator(".counter").click()
    assert page.get_by_role("menu").count() == 0
    assert changes(page) == []


def test_weight_is_shared_between_words_and_clicked_columns(mount):
    page = mount()
    page.locator(".source-word").nth(2).click()
    item(page, "Share it between chosen words").click()
    page.locator(".source-word").nth(4).click()
    page.locator('.map-frame .map-cell[data-step="1"]').first.click()
    assert page.locator(".bands .column-mark.chosen").count() == 3
    assert page.get_by_text("3 chosen, 0.33 each.").is_visible()
    page.get_by_role("button", name=SENTENCE.source_tokens[2], pressed=True).click()
    page.get_by_role("button", name="Done").click()
    assert changes(page) == [["share", STEP, [0, 4]]]
    assert page.locator(".column-mark.chosen").count() == 0
    assert step_of(page) == STEP


def slide(page, position, value):
    page.get_by_role("dialog").get_by_role("slider").nth(position).evaluate(
        "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input')); }", str(value)
    )


def test_sliders_keep_the_proportions_of_the_others(mount):
    trace = toy.sized_trace(source=5, target=7, hidden=((STEP, 4),))
    page = mount(trace)
    page.locator(".source-word").nth(2).click()
    item(page, "Set the row by sliders").click()
    assert page.get_by_role("dialog").get_by_role("slider").nth(4).is_disabled()
    slide(page, 1, 1)
    slide(page, 1, 0.4)
    page.get_by_role("button", name="Apply").click()
    others = np.delete(trace.weights[STEP], 1)
    wanted = np.insert(0.6 * others / others.sum(), 1, 0.4)
    [[name, step, row]] = changes(page)
    assert (name, step) == ("weights", STEP)
    assert row == [pytest.approx(weight, abs=1e-4) for weight in wanted]
    assert sum(row) == pytest.approx(1, abs=1e-9)
    assert [round(weight, 4) for weight in row] == row
    assert row[4] == 0


def test_cancelled_sliders_ask_for_nothing(mount):
    page = mount()
    page.locator(".source-word").first.click()
    item(page, "Set the row by sliders").click()
    slide(page, 3, 0.9)
    assert page.get_by_role("dialog").locator(".panel-status").inner_text() == "sum 1.00"
    page.get_by_role("button", name="Cancel").click()
    assert page.get_by_role("dialog").count() == 0
    assert changes(page) == []


def test_a_candidate_continues_from_its_step(mount):
    page = mount()
    third = SENTENCE.candidates[STEP][2].token
    page.locator("button.candidate").nth(2).click()
    assert changes(page) == [["force", STEP, third]]
    page.keyboard.press("ArrowLeft")
    assert step_of(page) == STEP - 1
    page.keyboard.press("Enter")
    assert changes(page) == [["force", STEP - 1, SENTENCE.candidates[STEP - 1][2].token]]
    page.locator("button.candidate").first.click(force=True)
    assert changes(page) == []


def test_tokens_taken_by_hand_are_marked_at_their_steps_only(mount):
    page = mount(intervened(forced_tokens=((STEP, SENTENCE.target_tokens[STEP]),)))
    assert page.get_by_text("taken by hand").is_visible()
    assert page.locator(".candidates .chosen .chosen-mark").inner_text() == "by hand"
    assert page.locator(".map-label:has(.taken)").evaluate_all("all => all.map((one) => one.dataset.step)") == ["2"]
    assert page.locator("[role=row]").nth(STEP).get_attribute("aria-label").endswith("Taken by hand.")
    page.keyboard.press("ArrowRight")
    assert not page.get_by_text("taken by hand").is_visible()
    assert page.locator(".candidates .chosen .chosen-mark").inner_text() == "chosen"


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=str)
def test_menus_and_panels_stay_on_the_screen(mount, viewport):
    page = mount(toy.sized_trace(source=17, target=5), viewport=viewport)
    width, height = viewport
    for word in (0, 16):
        for entry in (None, "Share it", "Set the row"):
            page.locator(".source-word").nth(word).scroll_into_view_if_needed()
            page.locator(".source-word").nth(word).click()
            if entry is not None:
                item(page, entry).click()
            box = page.locator(".floating").bounding_box()
            assert box["x"] >= 0
            assert box["y"] >= 0
            assert box["x"] + box["width"] <= width
            assert box["y"] + box["height"] <= height
            page.keyboard.press("Escape")
    expect_no_sideways_scroll(page)


def test_nothing_is_offered_where_changes_are_not(mount):
    page = mount(offers_changes=False)
    page.locator(".source-word").first.click()
    page.locator('.map-frame .map-cell[data-step="2"]').first.click()
    page.locator(".candidate").nth(3).click()
    assert page.get_by_role("menu").count() == 0
    assert page.locator("button.candidate").count() == 0
    assert page.evaluate("window.reported") == []


def test_without_attention_only_candidates_are_offered(mount):
    page = mount(toy.sized_trace(scorer="none", target=7))
    page.locator(".source-word").first.click()
    assert page.get_by_role("menu").count() == 0
    page.locator("button.candidate").nth(1).click()
    assert [change[0] for change in changes(page)] == ["force"]


def test_another_view_keeps_the_place_and_another_trace_takes_its_own(mount):
    page = mount()
    page.keyboard.press("ArrowRight")
    payload = player_payload(SENTENCE)
    page.evaluate("text => window.mount(text)", player_data(payload, STEP, view=PlayerView("log")).decode())
    assert step_of(page) == STEP + 1
    assert page.get_by_text("weight α̂, log").count() == 1
    other = player_data(player_payload(toy.running_example()), 1).decode()
    page.evaluate("text => window.mount(text)", other)
    assert step_of(page) == 1


def test_focus_stays_on_the_word_when_the_trace_changes(mount):
    page = mount()
    page.locator(".source-word").nth(3).focus()
    hidden = toy.sized_trace(source=5, target=7, hidden=((None, 3),))
    page.evaluate("text => window.mount(text)", player_data(player_payload(hidden), STEP, offers_changes=True).decode())
    assert page.evaluate(FOCUSED.format("textContent")) == SENTENCE.source_tokens[3]


BEFORE = TraceBefore(toy.running_example(), "Before the last change", (True, False, False, False, True), (True,) * 7)


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=str)
def test_the_map_before_stands_beside_or_under_the_new_one(mount, viewport):
    page = mount(before=BEFORE, viewport=viewport)
    old, new = page.locator(".before-frame").bounding_box(), page.locator(".map-frame").bounding_box()
    if viewport == DESK:
        assert old["x"] >= new["x"] + new["width"]
        rows = [
            page.locator(f"{frame} .map-row rect").first.bounding_box() for frame in (".before-frame", ".map-frame")
        ]
        assert rows[0]["y"] == pytest.approx(rows[1]["y"], abs=1)
    else:
        assert old["y"] >= new["y"] + new["height"]
    assert page.get_by_text("Before the last change").is_visible()
    assert page.locator(".before-frame .map-cell").count() == 25
    assert page.locator(".before-frame .changed").count() == 2
    assert page.locator(".map-frame .changed").count() == 7
    assert page.locator(".before-map").get_attribute("aria-label").count("(gone or changed)") == 2
    assert page.locator("[role=row]").first.get_attribute("aria-label").endswith("Changed since the map before.")
    expect_no_sideways_scroll(page)


def test_cells_of_the_map_before_say_their_own_numbers(mount):
    page = mount(before=BEFORE)
    page.locator('.before-frame .map-cell[data-step="1"]').nth(3).hover()
    weight = BEFORE.trace.weights[1, 3]
    assert page.locator(".hint").inner_text() == f"before: 很 looks at a: {weight}"


def test_the_map_before_can_be_put_together_too(mount):
    viewing = Viewing(rows="words")
    view = player_view(SENTENCE, viewing, None)._replace(before=view_before(BEFORE.trace, viewing))
    page = mount(before=BEFORE, view=view)
    assert page.locator(".before-frame .map-row").count() == 4
    assert page.locator(".before-frame .label-word").nth(2).text_content() == "喜歡"
    assert page.locator(".before-frame .changed").count() == 2
    page.locator('.before-frame .map-cell[data-step="4"]').nth(2).hover()
    assert page.locator(".hint").inner_text().startswith("before: 貓 looks at cats: ")
