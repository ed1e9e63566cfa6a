"""What if in the real app: clicks in the player change the page and its address, and every change goes back."""

import json
import re

from playwright.sync_api import expect

from tests.browser.expected import wait_for_link
from tests.browser.test_app import ask, expect_no_trace_dump, expect_step, link, player, translation

AT_STEP_2 = "?step=2"


def changes(page):
    return json.loads(link(page)["changes"])


def choose_candidate(page):
    """Click a next word that is not the chosen one; gives it."""
    other = player(page).locator(".candidates button").nth(1)
    token = other.locator("[lang=zh-Hant]").first.inner_text()
    other.click()
    return token


def choose(page, entry, word=0):
    """Choose an entry of the menu of a source word."""
    player(page).locator(".source-word").nth(word).click()
    page.get_by_role("menuitem", name=entry).click()


def before(page):
    """The translation before the last change."""
    return page.locator("p.translation .was")


def test_a_clicked_candidate_goes_on_from_there_and_every_way_back_works(app_page):
    page = app_page(AT_STEP_2)
    expect_step(page, 1)
    unchanged = translation(page).inner_text()
    token = choose_candidate(page)
    wait_for_link(page, changes=json.dumps([["force", 1, token]], ensure_ascii=False, separators=(",", ":")))
    expect(before(page)).to_contain_text(unchanged)
    expect_step(page, 1)
    expect(translation(page)).to_have_text(re.compile(f"^.{token}"))
    assert link(page)["step"] == "2"
    page.get_by_role("button", name="Undo").click()
    wait_for_link(page, undone="1")
    expect(translation(page)).to_have_text(unchanged)
    page.get_by_role("button", name="Redo (1)").click()
    wait_for_link(page, undone="0")
    expect(before(page)).to_contain_text(unchanged)
    page.reload()
    expect(before(page)).to_contain_text(unchanged)
    expect_step(page, 1)
    expect_no_trace_dump(page)


def test_the_browser_s_back_takes_a_change_back(app_page):
    page = app_page(AT_STEP_2)
    expect_step(page, 1)
    unchanged = translation(page).inner_text()
    choose(page, "Hide it at all steps")
    expect(page.get_by_text(re.compile("^With I hidden, "))).to_be_visible()
    assert changes(page) == [["hide", None, [0]]]
    page.go_back()
    expect(before(page)).to_have_count(0)
    expect(translation(page)).to_have_text(unchanged)
    assert "changes" not in link(page)


def test_a_dropped_word_leaves_the_player_and_stays_in_the_box(app_page):
    page = app_page()
    expect(player(page).locator(".source-word").nth(2)).to_contain_text("cats")
    choose(page, "Drop it from the sentence", word=2)
    expect(page.get_by_text(re.compile("^With cats dropped from the sentence, "))).to_be_visible()
    expect(player(page).locator(".source-word").nth(2)).to_contain_text("a")
    expect(page.get_by_role("textbox", name="English sentence")).to_have_value("I like cats a lot.")
    ask(page, "I see a dog.")
    expect(before(page)).to_have_count(0)
    page.wait_for_function("!new URLSearchParams(location.search).has('changes')")
    expect_no_trace_dump(page)


def test_the_temperature_is_set_with_the_keyboard(app_page):
    page = app_page()
    page.get_by_role("button", name="What if").click()
    slider = page.get_by_role("slider", name=re.compile("^Temperature"))
    slider.focus()
    slider.press("Home")
    wait_for_link(page, changes='[["temperature",0.001]]')
    expect(page.get_by_text(re.compile("^With temperature 0.001, "))).to_be_visible()
