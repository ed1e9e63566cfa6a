"""A lecture in one file, opened from a folder: stops, keys, places, and whatever a sentence holds."""

import dataclasses

import pytest

from app.components.comparison_player import ComparedTrace, comparison_payload
from app.components.pack import Comparison, PackStop, Player, Words, pack_html
from app.components.step_player import player_payload
from tests import toy
from tests.browser.expected import expect_no_sideways_scroll
from tests.browser.test_player import DESK, PHONE
from tests.browser.test_presenting import assert_readable

NASTY = """</script><script>window.broken = 1</script><img src=x onerror="window.broken = 2"> cats"""


def stops():
    trace = toy.running_example()
    nasty = dataclasses.replace(toy.sized_trace(source=5, target=7), source_text=NASTY, source_spans=None)
    payload = player_payload(trace)
    compared = comparison_payload([ComparedTrace(NASTY, "by hand", trace)], aligned=True)
    return (
        PackStop("first", "First", "<p>The first text.</p>", (Player(payload, step=3),), "<p>Say this.</p>"),
        PackStop("words", NASTY, "<p>Nothing steps here.</p>", (Words("<p>Only words.</p>"),)),
        PackStop("both", "Both", "", (Comparison(compared, step=4), Player(player_payload(nasty)))),
        PackStop("last", "Last", "", (Player(payload, part=1),)),
    )


@pytest.fixture
def open_pack(new_page, tmp_path):
    """A function that opens the file: `open_pack("#last", viewport=PHONE)`."""

    def opened(place="", **options):
        page, file = new_page(**{"viewport": DESK, **options}), tmp_path / "lecture.html"
        file.write_text(pack_html("A lecture", stops()), encoding="utf-8")
        page.goto(file.as_uri() + place)
        page.locator(".pack-bar").wait_for()
        return page

    return opened


def place(page):
    """The stop that is shown, and the step of its first player."""
    player = page.locator(".pack-stop:visible [data-step]").first
    return (
        page.locator(".pack-stop:visible").get_attribute("data-stop"),
        int(player.get_attribute("data-step")) if player.count() else None,
    )


def test_keys_go_through_the_steps_and_beyond_them_to_the_next_stop(open_pack):
    page = open_pack()
    seen = [place(page)]
    for _ in range(5):
        page.keyboard.press("PageDown")
        seen.append(place(page))
    assert seen == [("first", 3), ("first", 4), ("words", None), ("both", 4), ("last", 0), ("last", 0)]
    assert page.locator(".player").get_attribute("data-part") == "2"
    page.keyboard.press("PageUp")
    page.keyboard.press("PageUp")
    page.keyboard.press("PageUp")
    assert place(page) == ("both", 4)
    assert page.url.endswith("#both")


def test_buttons_list_and_address_lead_to_stops(open_pack):
    page = open_pack("#both")
    assert place(page)[0] == "both"
    assert page.get_by_role("status").first.text_content() == "3 of 4"
    page.get_by_role("button", name="Next", exact=True).click()
    assert place(page)[0] == "last"
    assert page.get_by_role("button", name="Next", exact=True).is_disabled()
    page.get_by_label("All stops").select_option("0")
    assert place(page) == ("first", 3)
    assert page.get_by_role("button", name="Previous", exact=True).is_disabled()
    page.get_by_text("Notes").click()
    assert page.get_by_text("Say this.").is_visible()
    page.evaluate("window.location.hash = 'words'")
    page.get_by_text("Only words.").wait_for()
    page.reload()
    assert place(page) == ("words", None)


def test_a_stop_is_found_again_where_it_was_left(open_pack):
    page = open_pack()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_role("button", name="Previous", exact=True).click()
    assert place(page) == ("first", 1)


@pytest.mark.parametrize("viewport", [(1024, 768), (1280, 720), (1920, 1080)], ids="{0[0]}x{0[1]}".format)
def test_presented_one_half_of_a_stop_stands_on_the_screen_in_large_type(open_pack, viewport):
    page = open_pack(viewport=viewport)
    page.get_by_role("button", name="Present", exact=True).click()
    text, player = page.get_by_text("The first text."), page.locator(".pack-stop:visible .player")
    assert (text.is_visible(), player.is_visible()) == (True, False)
    assert_readable(page)
    page.keyboard.press("n")
    assert page.get_by_text("Say this.").is_visible()
    page.keyboard.press("PageDown")
    assert (text.is_visible(), player.is_visible()) == (False, True)
    assert_readable(page)
    expect_no_sideways_scroll(page)
    assert place(page) == ("first", 3)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert place(page) == ("words", None)
    assert page.get_by_text("Nothing steps here.").is_visible()
    page.keyboard.press("PageUp")
    assert place(page) == ("first", 4)
    assert player.is_visible()
    page.reload()
    assert_readable(page)
    assert page.get_by_role("button", name="Present", exact=True).get_attribute("aria-pressed") == "true"


def test_b_blanks_the_screen_of_a_pack_and_f_fills_it(open_pack):
    page = open_pack()
    blank = page.locator(".pack-blank")
    page.keyboard.down("b")
    page.keyboard.down("b")
    page.keyboard.up("b")
    assert blank.is_visible()
    page.keyboard.press("PageDown")
    assert not blank.is_visible()
    assert place(page) == ("first", 3)
    page.keyboard.press("f")
    page.wait_for_function("document.fullscreenElement === document.documentElement")
    page.keyboard.press("f")
    page.wait_for_function("document.fullscreenElement === null")
    page.get_by_label("All stops").focus()
    page.keyboard.press("b")
    assert not blank.is_visible()


@pytest.mark.parametrize("viewport", [DESK, PHONE])
def test_no_sentence_breaks_out_and_nothing_is_wider_than_the_screen(open_pack, viewport):
    page = open_pack("#both", viewport=viewport)
    assert page.evaluate("window.broken") is None
    assert page.locator(".pack-stop:visible").get_by_text(NASTY).count() >= 1
    assert page.locator("option").nth(1).text_content() == f"2. {NASTY}"
    expect_no_sideways_scroll(page)


def test_scripts_styles_and_a_payload_that_two_stops_share_stand_there_once():
    page = pack_html("A lecture", stops())
    trace = player_payload(toy.running_example()).decode()
    assert page.count(trace.replace("<", "\\u003c")) == 1
    assert page.count("function createPlayer(") == page.count("function createComparison(") == 1


def test_stops_are_told_apart_by_their_ids():
    with pytest.raises(ValueError, match="2 stops were given with the ids first, first"):
        pack_html("A lecture", [stops()[0], stops()[0]])
    with pytest.raises(ValueError, match="0 stops"):
        pack_html("A lecture", [])
