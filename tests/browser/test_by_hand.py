"""A calculation by hand in the real app: typed into its tables, followed line by line, taken home and brought back."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.expected import expect_at_rest, wait_for_link
from tests.browser.test_app import PHONE, expect_no_trace_dump, expect_step, link, player

ROW = 35
"""The height of a table's row, in pixels."""

CLICKS = 20

SELECTION = 32
"""The width of the column of a growing table in which rows are selected."""


def open_page(app_page, address="", **options):
    page = app_page(f"by-hand{address}", **options)
    expect_step(page, 0)
    return page


def opened_cell(page):
    """The text of the cell under the mouse: one click goes to the table, one selects the cell, one opens it."""
    cell = page.locator("textarea.gdg-input")
    for _ in range(CLICKS):
        page.mouse.down()
        page.mouse.up()
        try:
            expect(cell).to_be_visible(timeout=1000)
        except AssertionError:
            continue
        return cell
    raise AssertionError(f"{CLICKS} clicks did not open the cell")


def place_mouse(page, name, row, column, *, columns, selection=SELECTION):
    """Move the mouse over a cell of a table; rows and columns count from 0, the column of words included."""
    expect_at_rest(page)
    table = page.locator(f"[class*='st-key-hand_{name}_'] [data-testid=stDataFrame]").first
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    width = (box["width"] - selection) / columns
    page.mouse.move(box["x"] + selection + width * (column + 0.5), box["y"] + ROW * (row + 1.5))


def type_into(page, name, row, column, text, **sizes):
    """Type into a cell of a table."""
    place_mouse(page, name, row, column, **sizes)
    cell = opened_cell(page)
    cell.fill(text)
    cell.press("Enter")


def line(page, text):
    """The line of arithmetic that ends so; line breaks in the page's own text do not matter."""
    return page.locator(".worked .line").filter(has_text=re.compile(re.escape(text).replace(r"\ ", r"\s*") + r"\s*$"))


def expect_line(page, text):
    expect(line(page, text).first).to_be_visible()


def choose(page, name):
    page.get_by_role("radio", name=name, exact=True).click()


def test_a_whole_calculation_by_hand(app_page):
    page = open_page(app_page)
    expect_line(page, "2·3 + 0·0 + (−1)·0 + 0·0 = 6")

    choose(page, "The cat sat")
    expect_line(page, "0·0.1 + 1·0.9 = 0.9")
    expect_line(page, "0.176·1 + 0.391·0 + 0.433·1 ≈ 0.609")

    type_into(page, "decoder_states", 0, 1, "0,5", columns=3)  # the query's first component
    expect_line(page, "1·0.5 + 0·0.9 = 0.5")
    expect(player(page).get_by_text("1.40").first).to_be_visible()  # the player shows the new score of sat

    type_into(page, "encoder_states", 2, 2, "two", columns=3)
    expect(page.get_by_text("Row 3, column 2 of the encoder states is 'two'")).to_be_visible()
    expect_line(page, "1·0.5 + 1·0.9 = 1.4")
    type_into(page, "encoder_states", 2, 2, "2", columns=3)
    expect(page.get_by_text("is 'two'")).to_have_count(0)
    expect_line(page, "1·0.5 + 2·0.9 = 2.3")

    type_into(page, "step", 0, 2, "0.5", columns=3, selection=0)
    expect(page.get_by_text("The weight of the is set by hand.")).to_be_visible()
    expect_line(page, "set by hand = 0.5")
    page.get_by_role("button", name="Take what is set by hand back").click()
    expect(page.get_by_text("is set by hand.")).to_have_count(0)

    choose(page, "additive")
    expect_line(page, "row 1 1 + 0.5 = 1.5, tanh(1.5) ≈ 0.905")
    choose(page, "Bahdanau")
    expect(page.locator(".worked-formula").first).to_have_text("et,i = va⊤ tanh(Wa st + Ua hi)")
    wait_for_link(page, preset="the-cat-sat", scorer="additive", notation="bahdanau")

    page.reload()
    expect_line(page, "row 1 1 + 0.5 = 1.5, tanh(1.5) ≈ 0.905")
    expect_no_trace_dump(page)


def test_the_player_and_the_arithmetic_stand_at_the_same_step(app_page):
    page = open_page(app_page)
    page.keyboard.press("End")
    expect_step(page, 4)
    expect_line(page, "(−1)·0 + 0·0 + 0·0 + 2·3 = 6")
    wait_for_link(page, step="5")
    choose(page, "2 很")
    expect_step(page, 1)
    expect_line(page, "0·0 + 0·0 + 2·3 + (−1)·0 = 6")


def test_arrow_keys_in_a_table_move_in_the_table(app_page):
    page = open_page(app_page)
    place_mouse(page, "encoder_states", 0, 1, columns=5)
    opened_cell(page).press("Escape")
    table = page.locator("[class*='st-key-hand_encoder_states_']")
    expect(page.locator("textarea.gdg-input")).to_have_count(0)  # until then the keys are not the table's
    expect(table.get_by_test_id("glide-cell-2-0")).to_be_focused()
    expect(table.get_by_test_id("glide-cell-2-0")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowRight")
    expect(table.get_by_test_id("glide-cell-3-0")).to_have_attribute("aria-selected", "true")
    expect_step(page, 0)


def test_a_row_can_be_added_and_what_was_typed_stays(app_page):
    page = open_page(app_page, "?preset=the-cat-sat")
    type_into(page, "encoder_states", 0, 2, "4", columns=3)
    expect_line(page, "1·0.1 + 4·0.9 = 3.7")
    table = page.locator("[class*='st-key-hand_encoder_states_']")
    for rows in (4, 5):
        table.hover()
        table.get_by_role("button", name="Add row").click()
        expect(page.locator(".worked .line").filter(has_text=re.compile("^α1,"))).to_have_count(rows)
    expect_line(page, "1·0.1 + 4·0.9 = 3.7")
    type_into(page, "encoder_states", 4, 1, "7", columns=3)
    expect_line(page, "7·0.1 + 0·0.9 = 0.7")
    expect_line(page, "1·0.1 + 4·0.9 = 3.7")


def test_back_takes_a_typed_number_back(app_page):
    page = open_page(app_page, "?preset=the-cat-sat")
    type_into(page, "decoder_states", 0, 1, "2", columns=3)
    expect_line(page, "1·2 + 0·0.9 = 2")
    page.wait_for_url(re.compile("[?&]states="))
    page.go_back()
    expect_line(page, "1·0.1 + 0·0.9 = 0.1")


def test_a_calculation_is_saved_and_opened_again(app_page, tmp_path):
    page = open_page(app_page, "?preset=exercise-1")
    type_into(page, "decoder_states", 0, 1, "-1.5", columns=3)
    expect_line(page, "1·(−1.5) + 0·0 = −1.5")
    page.get_by_role("button", name="Save or open").click()
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save this calculation").click()
    file = tmp_path / "saved.json"
    saving.value.save_as(file)
    assert json.loads(file.read_text())["decoder_states"] == [[-1.5, 0.0]]

    other = open_page(app_page)
    other.get_by_role("button", name="Save or open").click()
    bad = tmp_path / "bad.json"
    bad.write_text(file.read_text().replace("-1.5", "1e9"))
    other.locator("input[type=file]").set_input_files(bad)
    expect(other.get_by_text("bad.json was not opened, and the page keeps what it had.")).to_be_visible()
    expect_line(other, "2·3 + 0·0 + (−1)·0 + 0·0 = 6")
    other.locator("input[type=file]").set_input_files(file)
    expect_line(other, "1·(−1.5) + 0·0 = −1.5")


def test_another_page_and_back_keeps_the_calculation(app_page):
    page = open_page(app_page, "?preset=the-cat-sat")
    type_into(page, "decoder_states", 0, 1, "2", columns=3)
    expect_line(page, "1·2 + 0·0.9 = 2")
    page.get_by_role("link", name="Translate").click()
    expect(page.get_by_role("textbox", name="English sentence")).to_be_visible()
    page.get_by_role("link", name="By hand").click()
    expect_line(page, "1·2 + 0·0.9 = 2")
    wait_for_link(page, preset="the-cat-sat")
    assert "states" in link(page)


def test_the_picture_moves_with_the_query(app_page):
    page = open_page(app_page, "?preset=the-cat-sat")
    picture = page.get_by_test_id("stPlotlyChart")
    expect(picture.filter(has_text="sat 0.43").first).to_be_visible()
    slider = page.get_by_role("slider", name="query, component 1")
    slider.focus()
    slider.press("ArrowRight")
    expect_line(page, "1·0.15 + 0·0.9 = 0.15")
    expect(picture.filter(has_text="sat 0.44").first).to_be_visible()


@pytest.mark.parametrize("address", ["", "?preset=exercise-1&scorer=additive", "?preset=blank"])
def test_a_phone_scrolls_down_only(app_page, address):
    page = open_page(app_page, address, **PHONE)
    expect(page.get_by_test_id("stMain")).to_have_js_property("scrollWidth", 390)
    for found in page.locator(".worked .line").all():
        assert found.evaluate("element => element.scrollWidth <= element.clientWidth")


def test_the_largest_calculation_stays_readable_on_a_phone(app_page, tmp_path):
    from tests.given import drawn

    file = tmp_path / "large.json"
    file.write_bytes(drawn(12, 12, 16, 16, 16, d_o=16, words=50, scorer="additive").to_json())
    page = open_page(app_page, **PHONE)
    page.get_by_role("button", name="Save or open").click()
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("too large for a link")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stMain")).to_have_js_property("scrollWidth", 390)
    expect_no_trace_dump(page)
