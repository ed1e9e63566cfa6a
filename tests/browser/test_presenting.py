"""Presenter mode in the real app: what is on the screen, how large it is, and what a clicker does."""

import json
import re
from dataclasses import asdict
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from app.components.presenter import Presented
from tests.browser.expected import expect_at_rest, expect_no_sideways_scroll
from tests.sources import ROOT

SIZES = [(1024, 768), (1280, 720), (1920, 1080)]
CHROME = '[data-testid="stHeader"], [data-testid="stSidebar"], [data-testid="stToolbar"]'

# Every text that can be seen, its size on the screen, and whether it is a token or a number.
TEXTS = """() => {
  const TOKENS = ".map-cell, .label-word, .map-heads, .value, .source-word, .now-token, .so-far, "
    + ".candidates :is(.token, .probability, .rank)";
  const found = [];
  const visit = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) visit(element.shadowRoot);
      if (["STYLE", "SCRIPT"].includes(element.tagName)) continue;
      for (const node of element.childNodes) {
        const text = node.nodeType === Node.TEXT_NODE ? node.textContent.trim() : "";
        if (text === "") continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const { width, left, right, top, bottom } = range.getBoundingClientRect();
        const isOn = right > 0 && left < innerWidth && bottom > 0 && top < innerHeight;
        const isSeen = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
        if (width < 1 || !isOn || !isSeen) continue;
        const size = parseFloat(getComputedStyle(element).fontSize) * element.currentCSSZoom;
        const isToken = element.closest(TOKENS) !== null && element.closest("rt") === null;
        found.push({ text, size, isToken });
      }
    }
  };
  visit(document);
  return found;
}"""

# Where the columns of each band that can be seen begin and end.
BANDS = """() => [...document.querySelectorAll("*")]
  .flatMap((one) => [...(one.shadowRoot?.querySelectorAll(".band > :last-child") ?? [])])
  .map((columns) => columns.getBoundingClientRect())
  .filter(({ width }) => width > 0)
  .map(({ left, right }) => `${Math.round(left)} ${Math.round(right)}`)"""

# Whether the cell with the largest weight of the current row stands whole on the screen.
LARGEST_IS_SEEN = """() => {
  const player = [...document.querySelectorAll("*")]
    .flatMap((one) => [...(one.shadowRoot?.querySelectorAll(".player") ?? [])])[0];
  const cells = [...(player?.querySelectorAll(".map-row.current .map-cell") ?? [])];
  const weights = cells.map((cell) => Number(cell.textContent));
  const seen = player?.querySelector(".map-frame").getBoundingClientRect();
  const cell = cells[weights.indexOf(Math.max(...weights))]?.getBoundingClientRect();
  return cell !== undefined && cell.left >= seen.left && cell.right <= seen.right + 1
    && cell.top >= seen.top && cell.bottom <= Math.min(seen.bottom, innerHeight) + 1;
}"""


def player(page):
    return page.locator(".player").first


def presented(app_page, address, **options):
    """The app at an address, presented, as soon as its player stands there."""
    page = app_page(address, **options)
    expect(player(page)).to_have_class(re.compile("presenting"))
    return page


TITLE = """([number, beginning]) => {
  const found = [...document.querySelectorAll(`input[aria-label="Title of entry ${number}"]`)];
  return found.length === 1 && found[0].value.startsWith(beginning);
}"""


def expect_title(page, number, beginning):
    """Wait until an entry has this title, and the rows of before the last change are gone."""
    page.wait_for_function(TITLE, arg=[number, beginning])


def where(page):
    return page.locator(".presenter .where").last  # while Streamlit draws, one of before can stand beside it


def scrolled(page):
    return page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop")


def stop_in_address(page):
    return page.evaluate("new URLSearchParams(location.search).get('stop')")


def tops_until_the_next_stop(page):
    """Press PageDown until it leads to another stop, and say how far the page was scrolled at each press."""
    stop, tops = stop_in_address(page), []
    while stop_in_address(page) == stop:
        tops.append(scrolled(page))
        page.keyboard.press("PageDown")
    return tops


def to_the_live_part(page):
    """Through the text of a stop."""
    while page.evaluate("document.documentElement.dataset.gbPhase") == "text":
        page.keyboard.press("PageDown")


def texts(page):
    found = [text for text in page.evaluate(TEXTS) if text["text"] != "Skip to main content"]
    assert found
    return found


def assert_readable(page):
    found = texts(page)
    assert [text for text in found if text["size"] < 24] == []
    assert [text for text in found if text["isToken"] and text["size"] < 28] == []
    return found


@pytest.mark.parametrize(("size", "scheme"), [*zip(SIZES, ("dark", "light", "dark"), strict=True)])
def test_a_presented_step_fills_the_screen_with_large_type(app_page, size, scheme):
    page = presented(app_page, "?present=1&step=2", viewport=size, color_scheme=scheme)
    expect(page.locator(CHROME).filter(visible=True)).to_have_count(0)
    expect(page.get_by_label("English sentence")).to_be_hidden()
    expect(page.locator(".map-section")).to_be_visible()
    words = {text["text"] for text in assert_readable(page)}
    assert {"我", "很", "cats"} <= words
    expect_no_sideways_scroll(page)
    heads, cells = (page.locator(name).bounding_box() for name in (".map-heads", ".map-cells"))
    assert (heads["x"], heads["width"]) == (cells["x"], cells["width"])
    for part in range(5):
        page.keyboard.press("PageDown")
        expect(player(page)).to_have_attribute("data-part", str(part))
        assert_readable(page)
        assert len(set(page.evaluate(BANDS))) == (1 if part < 3 else 0)
        box = player(page).bounding_box()
        assert box["y"] + box["height"] <= size[1] + 1
    page.keyboard.press("PageDown")
    expect(player(page)).to_have_attribute("data-part", "all")
    expect(player(page)).to_have_attribute("data-step", "2")


def test_a_long_map_follows_the_step_also_while_it_is_hidden(app_page):
    words = "My brother does not like milk because he drank too much of it when he was a small child in the old house"
    page = presented(app_page, f"?present=1&pinyin=true&step=20&sentence={quote(words)}", viewport=(1280, 720))
    page.wait_for_function(LARGEST_IS_SEEN)
    expect(page.locator(".label-pinyin").first).to_be_attached()
    assert_readable(page)
    steps = set()
    for _ in range(7 * 6):
        page.keyboard.press("PageUp")
        if player(page).get_attribute("data-part") == "all":
            page.wait_for_function(LARGEST_IS_SEEN)
            steps.add(player(page).get_attribute("data-step"))
    assert len(steps) == 7


def test_the_five_parts_come_one_by_one_and_alone(app_page):
    page = presented(app_page, "?present=1")
    for title in ("Score", "Softmax", "Blend", "Attention output", "Next word"):
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("region", name=title, exact=True)).to_be_visible()
        expect(page.locator(".map-section")).to_be_hidden()
        shown = page.locator(".player [data-of-part]").filter(visible=True)
        # The attention output stands beside the two that it is made from.
        expect(shown).to_have_count(3 if title == "Attention output" else 1)
    expect(where(page)).to_have_text("step 1 of 7 · part 5")
    page.keyboard.press("PageUp")
    expect(page.get_by_role("region", name="Attention output", exact=True)).to_be_visible()


def test_without_attention_a_step_begins_with_that_alone(app_page):
    page = presented(app_page, "?present=1&scorer=none", viewport=(1280, 720))
    expect(page.get_by_text("This decoder cannot glance back.")).to_be_visible()
    expect(page.locator(".decoder")).to_be_hidden()
    page.keyboard.press("PageDown")
    expect(page.get_by_role("region", name="Attention output", exact=True)).to_be_visible()


def test_up_and_down_move_whole_steps(app_page):
    page = presented(app_page, "?present=1")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(where(page)).to_have_text("step 3 of 7")
    page.keyboard.press("ArrowUp")
    expect(where(page)).to_have_text("step 2 of 7")


def test_at_the_end_of_a_stop_the_next_one_comes_and_full_screen_stays(app_page):
    page = presented(app_page, "learn?present=1&stop=glance&step=5")
    expect(where(page)).to_have_text("Stop 1 of 23")
    expect(page.get_by_role("heading", name="How a translator glances back")).to_be_visible()
    expect(player(page)).to_be_hidden()
    page.keyboard.press("f")
    page.wait_for_function("document.fullscreenElement === document.documentElement")
    page.keyboard.press("PageDown")
    expect(player(page)).to_be_visible()
    expect(page.get_by_role("heading", name="How a translator glances back")).to_be_hidden()
    expect(where(page)).to_contain_text("Stop 1 of 23 · step 5 of 5")
    page.keyboard.press("ArrowDown")
    expect(where(page)).to_have_text("Stop 2 of 23")
    expect(page.get_by_role("heading", name="The basic encoder and decoder")).to_be_visible()
    assert "present=1" in page.url
    assert "stop=encoder-decoder" in page.url
    assert page.evaluate("document.fullscreenElement === document.documentElement")
    page.keyboard.press("PageUp")
    expect(where(page)).to_contain_text("Stop 1 of 23 · step 5 of 5")
    page.keyboard.press("f")
    page.wait_for_function("document.fullscreenElement === null")


def test_b_blanks_the_screen_and_any_key_brings_it_back_without_a_step(app_page):
    page = presented(app_page, "?present=1&step=2")
    page.keyboard.press("b")
    blank = page.locator(".presenter .blank")
    expect(blank).to_be_visible()
    box = blank.bounding_box()
    assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, 1280, 900)
    page.keyboard.press("PageDown")
    expect(blank).to_be_hidden()
    expect(where(page)).to_have_text("step 2 of 7")
    page.keyboard.press(".")
    expect(blank).to_be_visible()
    page.keyboard.press("b")
    expect(blank).to_be_hidden()


def test_notes_are_there_on_demand_and_escape_leads_nowhere(app_page):
    page = presented(app_page, "learn?present=1&stop=glance")
    notes = page.locator(".st-key-presenter_notes")
    expect(notes).to_be_hidden()
    page.keyboard.press("n")
    expect(notes).to_contain_text("Read the sentence aloud")
    box = notes.bounding_box()
    assert box["y"] > 450
    address = page.url
    page.keyboard.press("Escape")
    expect(notes).to_be_hidden()
    page.keyboard.press("Escape")
    expect(where(page)).to_have_text("Stop 1 of 23")
    assert page.url == address


def test_the_switch_begins_and_ends_it(app_page):
    page = app_page("?scorer=additive&step=3")
    expect(player(page)).to_have_attribute("data-step", "2")
    page.get_by_role("button", name="Present").click()
    expect(player(page)).to_have_class(re.compile("presenting"))
    expect(where(page)).to_have_text("step 3 of 7")
    assert "scorer=additive" in page.url
    page.mouse.move(300, 300)
    page.get_by_role("button", name="Stop presenting").click()
    expect(player(page)).not_to_have_class(re.compile("presenting"))
    expect(page.get_by_label("English sentence")).to_be_visible()
    assert "present" not in page.url
    expect(player(page)).to_have_attribute("data-step", "2")


def test_keys_belong_to_who_types(app_page):
    page = app_page("learn?present=1&stop=three-scorers")
    expect(where(page)).to_have_text("Stop 17 of 23")
    to_the_live_part(page)
    box = page.get_by_role("spinbutton").first
    box.click()
    page.keyboard.press("b")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".presenter .blank")).to_be_hidden()
    expect(where(page)).to_contain_text("Stop 17 of 23")
    expect(box).to_be_focused()


def test_a_clicker_goes_on_from_a_box_and_takes_what_was_typed(app_page):
    page = app_page("learn?present=1&stop=bottleneck")
    expect(where(page)).to_have_text("Stop 3 of 23")
    to_the_live_part(page)
    box = page.get_by_label("Your sentence, in English")
    box.fill("We love music.")
    page.keyboard.press("Escape")
    expect(box).not_to_be_focused()
    page.wait_for_url(re.compile(r"We\+love\+music"))
    box.click()
    page.keyboard.press("PageDown")
    expect(box).not_to_be_focused()
    expect(where(page)).to_contain_text("Stop 3 of 23")
    assert scrolled(page) > 0


def test_a_long_live_part_is_seen_to_its_end_and_back_leads_to_where_it_was_left(app_page):
    page = app_page("learn?present=1&stop=bottleneck", viewport=(1280, 720))
    expect(where(page)).to_have_text("Stop 3 of 23")
    to_the_live_part(page)
    expect(where(page)).to_have_text("Stop 3 of 23 · step 7 of 7")
    assert len(tops_until_the_next_stop(page)) > 3
    expect(where(page)).to_have_text("Stop 4 of 23")
    expect_at_rest(page)
    to_the_live_part(page)
    expect(where(page)).to_have_text("Stop 4 of 23")  # nothing steps there, and the player of before has gone
    page.keyboard.press("PageUp")
    page.keyboard.press("PageUp")
    expect(where(page)).to_have_text("Stop 3 of 23 · step 7 of 7")
    expect(page.get_by_label("Your sentence, in English")).to_be_visible()


def presses_until(page, key, one, step):
    """Press a key until a player stands at a step, and count."""
    for count in range(30):
        if one.get_attribute("data-step") == step:
            return count
        page.keyboard.press(key)
    raise AssertionError(f"{key} does not lead to step {step}")


def test_of_two_maps_the_one_that_is_seen_moves_and_a_clicker_reaches_both(app_page):
    page = app_page("learn?present=1&stop=soft-alignment", viewport=(1280, 720))
    expect(where(page)).to_have_text("Stop 13 of 23")
    to_the_live_part(page)
    upper, lower = page.locator(".player").first, page.locator(".player").last
    expect(lower).to_have_attribute("data-step", "6")
    page.keyboard.press("PageUp")
    expect(upper).to_have_attribute("data-step", "3")
    for _ in range(3):  # to the end of the upper map, and on to the lower one
        page.keyboard.press("PageDown")
    expect(lower).to_be_in_viewport(ratio=0.6)
    for _ in range(6):
        page.keyboard.press("PageUp")
    expect(where(page)).to_contain_text("step 1 of 7")
    expect(lower).to_be_in_viewport(ratio=1)
    expect(upper).to_have_attribute("data-step", "4")
    assert presses_until(page, "PageUp", upper, "0") > 4
    expect(upper).to_be_in_viewport(ratio=1)
    expect(lower).to_have_attribute("data-step", "0")
    assert presses_until(page, "PageDown", lower, "6") > 4 + 6
    expect(lower).to_be_in_viewport(ratio=1)
    tops_until_the_next_stop(page)
    expect(where(page)).to_have_text("Stop 14 of 23")


def test_a_key_that_is_held_switches_once_and_stays_within_its_stop(app_page):
    page = presented(app_page, "learn?present=1&stop=glance&step=5")
    expect(where(page)).to_have_text("Stop 1 of 23")
    page.keyboard.down("b")
    page.keyboard.down("b")
    expect(page.locator(".presenter .blank")).to_be_visible()
    page.keyboard.up("b")
    page.keyboard.press("b")
    for _ in range(9):
        page.keyboard.down("ArrowDown")
    page.keyboard.up("ArrowDown")
    expect(where(page)).to_have_text("Stop 1 of 23 · step 5 of 5")
    page.keyboard.press("q")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("dialog", name="This view on other machines")).to_be_hidden()
    expect(where(page)).to_have_text("Stop 1 of 23 · step 5 of 5")
    page.keyboard.press("ArrowDown")
    expect(where(page)).to_have_text("Stop 2 of 23")


def test_the_address_for_the_class_says_how_when_only_this_machine_is_served(app_page):
    page = presented(app_page, "?present=1")
    page.keyboard.press("q")
    card = page.get_by_role("dialog", name="This view on other machines")
    expect(card).to_contain_text("--server.address=0.0.0.0")
    expect(card.get_by_role("button", name="Copy the link of this view")).to_be_focused()
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()


def test_the_zoom_is_part_of_the_link(app_page):
    page = app_page("?zoom=60&step=2")
    expect(page.locator(".map-section")).to_be_visible()
    assert player(page).evaluate("player => player.style.getPropertyValue('--column-width')") == "60px"
    page.get_by_role("button", name="Wider columns").click()
    page.wait_for_url(re.compile("zoom=80"))
    page.get_by_role("radio", name="Additive").click()
    expect(page.get_by_text("additive scorer")).to_be_visible()
    page.wait_for_url(re.compile("scorer=additive"))
    assert "zoom=80" in page.url
    assert player(page).evaluate("player => player.style.getPropertyValue('--column-width')") == "80px"


def test_a_lecture_is_made_from_what_was_visited_and_presented_in_its_order(app_page, tmp_path):
    page = app_page("?scorer=additive&step=3")
    expect(player(page)).to_have_attribute("data-step", "2")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    page.get_by_role("link", name="Compare").click()  # before the player has told where it rests
    expect(page.locator(".comparison")).to_be_visible()
    page.get_by_role("link", name="Lecture").click()
    name = page.get_by_text("Translate (additive, step 3)")
    expect(name).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    button = page.get_by_role("button", name="Add 2")
    expect(button).to_be_visible()
    page.wait_for_function(
        "([name, button]) => name.getBoundingClientRect().left > button.getBoundingClientRect().right"
        " && name.getBoundingClientRect().bottom > button.getBoundingClientRect().top",
        arg=[name.element_handle(), button.element_handle()],
    )
    page.set_viewport_size({"width": 1280, "height": 900})
    page.get_by_role("button", name="Add 1").click()
    expect_title(page, 1, "Compare")
    page.get_by_role("button", name="Add 2").click()
    expect_title(page, 2, "Translate")
    page.get_by_role("button", name="Move 2 up").click()
    expect_title(page, 1, "Translate")
    page.get_by_label("Title of entry 1").fill("First look")
    page.keyboard.press("Enter")
    expect_title(page, 1, "First look")
    page.get_by_role("textbox", name="Add by a link").fill("javascript:alert(1)")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The lecture stays as it was.")).to_be_visible()
    expect(page.get_by_role("textbox", name="Add by a link")).to_have_value("javascript:alert(1)")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save this lecture").click()
    file = tmp_path / "lecture.json"
    download.value.save_as(file)
    saved = json.loads(file.read_text())
    assert saved["entries"][0]["title"] == "First look"
    assert saved["entries"][0]["link"] == "./?scorer=additive&step=3"
    page.reload()
    expect_title(page, 1, "First look")
    page.get_by_role("button", name="Present 1").click()
    expect(player(page)).to_have_class(re.compile("presenting"))
    expect(where(page)).to_have_text("Entry 1 of 2 · step 3 of 7")
    expect(page.locator(".presenter .title")).to_have_text("First look")
    for _ in range(4 + 1):  # likewise
        page.keyboard.press("ArrowDown")
    expect(page.locator(".comparison")).to_be_visible()
    expect(where(page)).to_contain_text("Entry 2 of 2")
    assert "present=1" in page.url
    page.go_back()
    expect(where(page)).to_have_text("Entry 1 of 2 · step 7 of 7")
    page.go_forward()
    expect(where(page)).to_contain_text("Entry 2 of 2")
    page.reload()
    expect(where(page)).to_have_text("Entry 2 of 2 · step 1 of 7")
    page.mouse.move(300, 300)
    page.get_by_role("button", name="Stop presenting").click()
    expect_title(page, 1, "First look")
    page.get_by_role("button", name="Present", exact=True).click()
    expect(where(page)).to_have_text("Entry 1 of 2 · step 3 of 7")


def test_a_presenter_that_is_taken_away_late_leaves_the_next_one_its_phase(new_page):
    page = new_page()
    page.goto("about:blank")
    phase = page.evaluate(
        """async ([script, data]) => {
          const { default: mount } = await import(`data:text/javascript,${encodeURIComponent(script)}`);
          const [unmount] = ["one", "other"].map(() => {
            const host = document.body.appendChild(document.createElement("div"));
            return mount({ data, parentElement: host.attachShadow({ mode: "open" }), setStateValue() {} });
          });
          unmount();
          return document.documentElement.dataset.gbPhase;
        }""",
        [(ROOT / "app" / "components" / "presenter.js").read_text(), asdict(Presented(True, begins_with_text=True))],
    )
    assert phase == "text"


def test_the_readme_names_the_switch_for_the_class():
    assert "--server.address=0.0.0.0" in (ROOT / "README.md").read_text()
