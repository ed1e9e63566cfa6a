"""The lesson in the real app: from stop to stop and back, live parts that step, and links to the same elsewhere."""

import re

from playwright.sync_api import expect

from app.guard import BUG_NOTICE
from app.lesson import stops
from tests.browser.expected import wait_for_link
from tests.browser.test_app import ask, expect_no_trace_dump, expect_step, link, player, sentence_box

FIRST, SECOND = stops()[:2]


def open_stop(app_page, name, more="", **options):
    return app_page(f"learn?stop={name}{more}", **options)


def heading(page):
    """Of the stop."""
    return page.locator(".st-key-stop_text").get_by_role("heading", level=2)


def page_name(page):
    return page.get_by_role("heading", level=1)


def next_button(page):
    return page.locator(".st-key-stop_next").get_by_role("button")


def elsewhere(page):
    """The link to the page that shows the same as the live part."""
    return page.get_by_role("link", name=re.compile("^Open this on the"))


def test_every_stop_opens_with_its_live_part_and_without_a_complaint(app_page):
    page = open_stop(app_page, FIRST.id)
    for number, stop in enumerate(stops(), start=1):
        expect(heading(page)).to_have_text(stop.title)
        expect(page.get_by_text(f"Stop {number} of {len(stops())}", exact=True)).to_be_visible()
        expect(elsewhere(page)).to_have_count(1)
        expect(page.get_by_test_id("stAlert")).to_have_count(0)
        expect(page.get_by_text(BUG_NOTICE)).to_have_count(0)
        expect_no_trace_dump(page)
        if number < len(stops()):
            next_button(page).click()
    expect(next_button(page)).to_be_disabled()
    page.get_by_role("link", name="Questions about this stop").click()
    expect(page_name(page)).to_have_text("Quiz")
    wait_for_link(page, topic=stops()[-1].id)
    page.go_back()
    page.get_by_role("link", name="Exercises").click()
    expect(page_name(page)).to_have_text("Practice")


def test_next_writes_the_link_and_back_returns(app_page):
    page = open_stop(app_page, FIRST.id)
    expect(heading(page)).to_have_text(FIRST.title)
    next_button(page).click()
    expect(heading(page)).to_have_text(SECOND.title)
    wait_for_link(page, stop=SECOND.id)
    page.go_back()
    expect(heading(page)).to_have_text(FIRST.title)
    wait_for_link(page, stop=FIRST.id)


def test_the_live_part_stands_in_the_state_of_the_stop_and_steps(app_page):
    page = open_stop(app_page, "softmax")
    expect_step(page, 2)
    expect(player(page)).to_have_attribute("data-part", "1")
    page.keyboard.press("ArrowRight")
    expect(player(page)).to_have_attribute("data-part", "2")
    wait_for_link(page, stop="softmax", step="3", part="3")
    page.reload()
    expect(player(page)).to_have_attribute("data-part", "2")


def test_the_list_of_stops_leads_to_any_of_them(app_page):
    page = open_stop(app_page, FIRST.id)
    page.get_by_role("button", name="All stops").click()
    page.get_by_text("23. Further reading").click()
    expect(heading(page)).to_have_text("Further reading")
    wait_for_link(page, stop="further-reading")


def test_a_link_opens_the_very_state_elsewhere_and_back_returns_to_the_stop(app_page):
    """Although the visitor has asked for something else there before, and the stop asks for the default there."""
    page = app_page()
    expect_step(page, 0)
    ask(page, "He likes dogs.")
    wait_for_link(page, sentence="He likes dogs.")
    page.get_by_role("link", name="Learn").click()
    expect(heading(page)).to_have_text(FIRST.title)
    page.get_by_role("button", name="All stops").click()
    page.get_by_text("9. Part 3: the blend").click()
    expect(heading(page)).to_have_text("Part 3: the blend")
    expect_step(page, 2)
    elsewhere(page).click()
    expect(sentence_box(page)).to_have_value("I like cats a lot.")
    expect_step(page, 2)
    expect(player(page)).to_have_attribute("data-part", "2")
    page.go_back()
    expect(heading(page)).to_have_text("Part 3: the blend")
    assert link(page)["stop"] == "blend"


def test_a_calculation_opens_at_its_step_on_the_by_hand_page(app_page):
    page = open_stop(app_page, FIRST.id)
    expect_step(page, 0)
    page.keyboard.press("End")
    expect_step(page, 4)
    expect(elsewhere(page)).to_have_attribute("href", re.compile("step=5"))
    elsewhere(page).click()
    expect(page_name(page)).to_have_text("By hand")
    expect_step(page, 4)


def test_the_visitor_s_sentence_goes_on_to_other_stops_and_into_the_link(app_page):
    page = open_stop(app_page, "bottleneck")
    box = page.get_by_role("textbox", name="Your sentence, in English")
    expect(page.locator(".live-says")).to_have_count(2)
    box.fill("She drinks tea in the kitchen.")
    box.press("Enter")
    expect(page.locator(".live-says").first).to_contain_text("She drinks tea in the kitchen.")
    wait_for_link(page, stop="bottleneck", own_sentence="She drinks tea in the kitchen.")
    next_button(page).click()
    expect(heading(page)).to_have_text("Long paths, small gradients")
    expect(box).to_have_value("She drinks tea in the kitchen.")
    expect(elsewhere(page)).to_have_attribute("href", re.compile(r"sentence=She\+drinks\+tea"))


def test_a_stop_that_does_not_exist_is_told_and_the_first_one_is_shown(app_page):
    page = open_stop(app_page, "<b>nowhere")
    expect(page.get_by_text("The link asks for the stop “<b>nowhere”, which does not exist.")).to_be_visible()
    expect(heading(page)).to_have_text(FIRST.title)


def test_the_text_stays_in_view_beside_a_long_live_part(app_page):
    page = open_stop(app_page, FIRST.id, viewport=(1440, 900))
    expect_step(page, 0)
    page.mouse.move(1000, 500)
    page.mouse.wheel(0, 500)
    page.wait_for_function("document.querySelector('[data-testid=stMain]').scrollTop > 300")
    expect(heading(page)).to_be_in_viewport()


def test_the_presented_text_of_a_stop_stands_on_one_screen(app_page):
    page = open_stop(app_page, "one-breath", "&present=1", viewport=(1280, 720))
    expect(heading(page)).to_be_in_viewport(ratio=1)
    expect(page.get_by_text("It led to self-attention and the transformer.")).to_be_in_viewport(ratio=1)
    points = page.locator(".stop-text li")
    expect(points).to_have_count(5)
    assert points.first.evaluate("one => parseFloat(getComputedStyle(one).fontSize) * one.currentCSSZoom") >= 24
