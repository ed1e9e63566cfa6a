"""Practice and quiz in the real app: typed, checked, left, saved, opened again, and answered by key and finger."""

import json
import re

import pytest
from playwright.sync_api import expect

from app.quiz import all_questions
from tests.browser.expected import expect_at_rest, expect_no_sideways_scroll
from tests.browser.test_app import PHONE, expect_no_trace_dump

QUESTIONS = all_questions()

MOST_QUESTIONS = 60
"""More than there are, so that a search among them ends."""


def open_practice(app_page, exercise="", **options):
    page = app_page(f"practice{exercise}", **options)
    expect(page.get_by_role("heading", name="Practice")).to_be_visible()
    return page


def line(page, label):
    return page.get_by_role("textbox", name=label, exact=True)


def write(page, texts):
    for label, text in texts.items():
        box = line(page, label)
        box.fill(text)
        box.press("Tab")


def press(page, name):
    expect_at_rest(page)  # until then the focus can go elsewhere, and the page scroll
    page.get_by_role("button", name=name, exact=True).click()


def choose(page, name):
    page.get_by_role("radio", name=name, exact=True).click()


def expect_marks(page, **counts):
    for name, count in counts.items():
        expect(page.locator(f".verdict.{name}")).to_have_count(count)


def test_attention_by_hand_is_checked_left_saved_and_opened_again(app_page, tmp_path):
    page = open_practice(app_page)
    write(
        page,
        {"score of h₁": "2", "score of h₂": "0", "score of h₃": "2", "weight of h₁": "7.39", "component 1": "0,936"},
    )
    press(page, "Check")
    expect_marks(page, right=4, wrong=1, empty=3)
    expect(page.get_by_text("It looks like e to the power of the score.")).to_be_visible()

    page.get_by_role("link", name="Quiz").click()
    expect(page.locator(".question")).to_be_visible()
    page.get_by_role("link", name="Practice").click()
    expect(line(page, "component 1")).to_have_value("0,936")
    expect_marks(page, right=4, wrong=1, empty=3)

    press(page, "Save or open")
    with page.expect_download() as saving:
        press(page, "Save my progress")
    saved = tmp_path / "progress.json"
    saving.value.save_as(saved)
    assert json.loads(saved.read_text())["works"]["by hand"]["texts"]["context 1"] == "0,936"

    page = open_practice(app_page)
    expect(line(page, "component 1")).to_have_value("")
    press(page, "Save or open")
    foreign = tmp_path / "foreign.json"
    foreign.write_text('{"kind": "by hand"}')
    page.locator("input[type=file]").set_input_files(foreign)
    said = page.get_by_text("foreign.json was not opened. This file holds no progress")
    expect(said).to_be_visible()
    # Streamlit itself refuses this one and tells the page nothing of it.
    plain = tmp_path / "plain.txt"
    plain.write_text("")
    page.locator("input[type=file]").set_input_files(plain)
    refused = page.get_by_label("plain.txt").get_by_role("alert")
    expect(refused).to_contain_text("not allowed")
    assert refused.bounding_box()["width"] > 100
    expect(said).to_be_hidden()
    page.locator("input[type=file]").set_input_files(foreign.rename(tmp_path / "again.json"))
    expect(page.get_by_text("again.json was not opened. This file holds no progress")).to_be_visible()
    page.locator("input[type=file]").set_input_files(saved)
    expect(line(page, "component 1")).to_have_value("0,936")
    expect_no_trace_dump(page)


def test_text_that_was_not_sent_is_checked_all_the_same(app_page):
    page = open_practice(app_page, "?exercise=cost")
    line(page, "How many scores are computed in all?").fill("500")
    press(page, "Check")  # straight from the box
    expect_marks(page, right=1, empty=1)


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_a_prediction_is_revealed(app_page, options):
    page = open_practice(app_page, "?exercise=predict&sentence=I+like+cats+a+lot.", **options)
    page.get_by_role("button", name="I", exact=True).click()
    press(page, "Reveal")
    expect(page.get_by_text(re.compile(r"^Overlap 0\.\d\d$"))).to_be_visible()
    expect(page.locator(".shares tbody tr")).to_have_count(6)
    press(page, "Next step")
    expect(page.locator(".so-far")).to_have_text("我很")
    expect(page.locator(".shares")).to_have_count(0)
    expect_no_sideways_scroll(page)


def go_to(page, question):
    """Go on until this question is asked."""
    text = re.sub(r"[*]", "", QUESTIONS[question].text)
    for _ in range(MOST_QUESTIONS):
        asked = page.locator(".question").inner_text()
        if asked == text:
            return
        press(page, "Later")
        expect(page.locator(".question")).not_to_have_text(asked)
        expect_at_rest(page)  # the focus goes to the question
    raise AssertionError(f"{question} was not asked")


def cell(page, name):
    return page.get_by_role("button", name=re.compile(f"^{name}"))


def test_a_cell_is_chosen_by_keyboard(app_page):
    page = app_page("quiz?topic=soft-alignment")
    expect(page.locator(".question")).to_be_visible()
    go_to(page, "soft-alignment-like")
    first = cell(page, "row 我, column I,")
    first.focus()
    expect(first).to_be_focused()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    expect(cell(page, "row 歡, column like,")).to_be_focused()
    page.keyboard.press("Enter")
    expect(cell(page, "row 歡, column like,")).to_have_attribute("aria-pressed", "true")
    press(page, "Check answer")
    expect(page.locator(".explained.right")).to_be_visible()
    expect(cell(page, "row 歡, column like,")).to_have_attribute("aria-label", re.compile("right$"))


def test_by_keyboard_one_goes_on_from_what_is_said_to_the_next_question(app_page):
    page = app_page("quiz?topic=papers")
    expect(page.locator(".question")).to_be_visible()
    go_to(page, "papers-alpha")
    page.get_by_role("radio").first.press("Space")
    expect(page.get_by_role("radio").first).to_be_checked()
    page.get_by_role("button", name="Check answer", exact=True).press("Enter")
    said = page.locator(".st-key-quiz_said")
    expect(said).to_be_focused()
    expect(said).to_contain_text(re.compile("right", re.IGNORECASE))
    page.keyboard.press("Tab")
    on = page.get_by_role("button", name=re.compile("^(Next question|To the results)$"))
    expect(on).to_be_focused()
    on.press("Enter")
    expect(page.locator(".st-key-quiz_asked")).to_be_focused()
    page = open_practice(app_page, "?exercise=cost")
    line(page, "How many scores are computed in all?").fill("500")
    page.get_by_role("button", name="Check", exact=True).press("Enter")
    expect_marks(page, right=1, empty=1)
    expect(line(page, "How many weights has each step?")).to_be_focused()


def test_a_cell_is_chosen_by_finger_on_a_phone(app_page):
    page = app_page("quiz?topic=glance", **PHONE)
    expect(page.locator(".question")).to_be_visible()
    go_to(page, "glance-cats")
    wanted = cell(page, "row 貓, column cats")
    box = wanted.bounding_box()
    assert box["width"] >= 44
    assert box["height"] >= 44
    wanted.tap()
    press(page, "Check answer")
    expect(page.locator(".explained.right")).to_be_visible()
    expect_no_sideways_scroll(page)


def test_a_presented_map_stands_on_the_screen_with_its_answer_and_can_be_read(app_page):
    page = app_page("quiz?present=1&topic=soft-alignment", viewport=(1280, 720))
    expect(page.locator(".question")).to_be_visible()
    go_to(page, "soft-alignment-a-lot")
    expect(cell(page, "row 貓, column lot,")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Check answer", exact=True)).to_be_in_viewport(ratio=1)
    wanted = cell(page, "row 很, column lot,")
    assert wanted.evaluate("one => parseFloat(getComputedStyle(one).fontSize) * one.currentCSSZoom") >= 28
    wanted.click()
    press(page, "Check answer")
    expect(page.locator(".explained.right")).to_be_in_viewport(ratio=1)
    expect(cell(page, "row 貓, column lot,")).to_be_in_viewport(ratio=1)


def test_presented_each_move_of_attention_by_hand_stands_on_one_screen(app_page):
    page = app_page("practice?present=1", viewport=(1280, 720))
    expect(line(page, "weight of h₃")).to_be_visible()
    first, second, third = (line(page, f"weight of h{number}").bounding_box() for number in "₁₂₃")
    assert first["y"] == second["y"] == third["y"]
    press(page, "Check")
    expect_marks(page, empty=8)
    title = page.get_by_text("1 · Score: each state times the query")
    sentence = page.get_by_text("Nothing is typed here yet").first
    assert sentence.bounding_box()["y"] + sentence.bounding_box()["height"] - title.bounding_box()["y"] < 0.75 * 720


def test_a_round_ends_with_results_and_leads_back_into_the_lesson(app_page):
    page = app_page("quiz?topic=papers")
    expect(page.locator(".question")).to_be_visible()
    go_to(page, "papers-alpha")
    page.get_by_text("The context of a step", exact=True).click()
    press(page, "Check answer")
    expect(page.locator(".explained.wrong")).to_contain_text("Not right.")
    expect(page.locator(".answered .right")).to_contain_text("The weight")
    results = page.get_by_role("button", name=re.compile("^(Results|To the results)$"))
    expect(results).to_have_count(1)
    results.click()
    expect(page.get_by_text("0 of 1 answers are right. One question is left open.")).to_be_visible()
    page.get_by_role("link", name="Where papers differ, settled once").click()
    expect(page.get_by_role("heading", name="Where papers differ, settled once")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("0 of 1 answers are right.")).to_be_visible()
    expect_no_trace_dump(page)
