"""A full comparison in the real app: models at once, along one target, on the same states, and back by the link."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.expected import expect_no_sideways_scroll, wait_for_link
from tests.browser.test_app import PHONE, ask, expect_no_trace_dump, expect_step, sentence_box


def open_page(app_page, address="", **options):
    page = app_page(f"compare{address}", **options)
    expect(panels(page).first).to_be_visible()
    return page


def panels(page):
    return page.locator(".compared")


def titles(page):
    return panels(page).locator("h2, h3")


def expect_titles(page, *wanted):
    expect(titles(page)).to_have_text(list(wanted))


def choose(page, label, option):
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=option, exact=True).click()


def value(page, row, column):
    """A cell of the table of facts."""
    return (
        page.locator(".facts tr")
        .filter(has=page.get_by_role("rowheader", name=re.compile(f"^{row}")))
        .locator(f"td >> nth={column}")
    )


def test_a_full_comparison(app_page):
    page = open_page(app_page)
    expect_titles(page, "dot", "multiplicative", "additive")
    expect(page.locator(".what-differs")).to_contain_text("dot", ignore_case=True)
    expect(page.locator(".difference")).to_have_count(1)
    expect(value(page, "parameters of the scorer", 0)).to_have_text("0")
    expect(value(page, "time to decode", 2)).to_have_text(re.compile(r"^\d+\.\d ms$"))

    # All maps step together, and pointing at a cell marks the same one in the others.
    page.keyboard.press("Home")
    expect_step(page, 0)
    page.keyboard.press("ArrowRight")
    expect_step(page, 1)
    wait_for_link(page, step="2")
    panels(page).nth(1).locator(".map-cell[data-step='1']").nth(2).hover()
    expect(page.locator(".compared .map-cell.linked")).to_have_count(3)

    # Along the words of one model, with the fourth beside.
    page.get_by_text("Without attention, too").click()
    expect_titles(page, "dot", "multiplicative", "additive", "none")
    ask(page, "My father hardly ever watches television.")
    choose(page, "Each model says", "the words of additive")
    wait_for_link(page, along="the words of additive", none="true")
    said = [value(page, "says", column) for column in range(4)]
    expect(said[2]).to_have_text(re.compile("電視"))  # and not what was said of the sentence before
    for one in said:
        expect(one).to_have_text(said[2].inner_text())
    choose(page, "Each model says", "a person's words")
    expect(said[0]).to_have_text("我爸爸很少看電視。")
    expect(page.get_by_text("A person has aligned this sentence: squares mark the links")).to_be_visible()
    expect(value(page, "alignment error rate", 0).first).to_have_text(re.compile(r"^0\.\d\d"))

    # The same states under three scorings; the link brings all of it back.
    page.get_by_role("radio", name="same states").or_(page.get_by_role("button", name="same states")).click()
    expect_titles(page, "dot", "multiplicative", "additive")
    # Streamlit ends a run by taking out of the link what is asked no longer, and with it what was clicked meanwhile.
    wait_for_link(page, kind="same states", along=None)
    page.get_by_text("W = identity", exact=True).click()
    expect(page.get_by_text("are the dot scores, equal to the last digit")).to_be_visible()
    wait_for_link(page, kind="same states", identity="true")
    again = open_page(app_page, page.url.partition("/compare")[2])
    expect_titles(again, "dot", "multiplicative, W = identity", "additive")
    expect(sentence_box(again)).to_have_value("My father hardly ever watches television.")
    expect_no_trace_dump(again)


def test_the_temperature_acts_on_all_maps(app_page):
    page = open_page(app_page, "?heat=uniform&kind=same+states&states=by+hand")
    for column in range(3):
        expect(value(page, "entropy of the weights", column)).to_have_text("2.32 bits")  # log2(5)


def test_a_sentence_that_cannot_be_read_is_told_once_and_stays(app_page):
    page = open_page(app_page)
    ask(page, "😀")
    expect(page.get_by_test_id("stAlert").first).to_be_visible()
    expect(sentence_box(page)).to_have_value("😀")
    expect_no_trace_dump(page)
    ask(page, "I like cats.")
    expect_titles(page, "dot", "multiplicative", "additive")


@pytest.mark.parametrize("address", ["", "?kind=same+states", "?none=true&sentence=She+waited+for+him+outside."])
def test_on_a_phone_nothing_sticks_out(app_page, address):
    page = open_page(app_page, address, **PHONE)
    expect_no_sideways_scroll(page)
    for panel in panels(page).all():
        box = panel.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["viewport"][0]
