"""Every page, light and dark, also presented, is checked with axe against WCAG 2.2 AA, and walked with the Tab key."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.expected import expect_at_rest
from tests.browser.test_app import SCHEMES

AXE = Axe()
LEVELS = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
OF_COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
"""The rules of these levels whose answer depends on the colours: the others need not be asked twice."""

# What shows that a page is drawn to its end.
PAGES = {
    "": ".player[data-step]",
    "?scorer=none": ".player[data-step]",
    "?decoding=beam": ".player[data-step]",
    "?part=3&step=2": ".player[data-step]",
    "compare": ".comparison[data-step]",
    "by-hand": ".player[data-step]",
    "learn": ".player[data-step]",
    "learn?stop=three-scorers": "h1",
    "practice": "h1",
    "quiz": "h1",
    "lecture": "h1",
    "?present=1&step=3": ".presenting[data-step]",
    "?present=1&step=3&part=2": ".presenting[data-step]",
    "compare?present=1": ".presenting[data-step]",
    "learn?present=1": ".presenter.presenting",
}


STYLED = """() => Array.from(document.querySelectorAll('[data-testid="stMarkdown"] [data-testid="stCaptionContainer"]'))
  .every((caption) => getComputedStyle(caption).opacity === "0.8")"""

AT_REST = "() => !document.getAnimations().some((one) => one instanceof CSSTransition && one.playState === 'running')"
"""Streamlit fades some colours from one scheme to the other."""


def violations(page, rules=LEVELS):
    """What axe finds, as short sentences. Nothing is left out, not even what Streamlit draws itself."""
    return [
        f"{rule['id']}: {node['html'][:200]} {node['failureSummary']}"
        for rule in AXE.run(page, options={"resultTypes": ["violations"], "runOnly": rules}).response["violations"]
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("address", PAGES)
def test_axe_finds_nothing_wrong(app_page, address):
    page = app_page(address, viewport=(1440, 900), color_scheme="light", reduced_motion="reduce")
    expect(page.locator(PAGES[address]).first).to_be_attached()
    expect_at_rest(page)
    for scheme, background in SCHEMES.items():
        page.emulate_media(color_scheme=scheme)
        expect(page.get_by_test_id("stApp")).to_have_css("background-color", background)
        expect(page.locator(f".player[data-scheme={scheme}]").or_(page.locator("h1")).first).to_be_attached()
        # Our style sheet is there: Streamlit draws captions paler than it.
        page.wait_for_function(STYLED)
        page.wait_for_function(AT_REST)
        assert violations(page, LEVELS if scheme == "light" else OF_COLOURS) == [], scheme


def test_axe_would_find_something(new_page):
    page = new_page()
    page.set_content('<html lang="en"><title>Bad</title><main><img src="data:,"></main></html>')
    assert [text.split(":")[0] for text in violations(page)] == ["image-alt"]


# The name of the focused element, inside shadow roots too, and whether it has an outline; null for what is not ours.
FOCUSED = """() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  const name = element.getAttribute("aria-label") || element.textContent.trim().slice(0, 40);
  const isOurs = element.closest(".player, .presenter") !== null;
  return { name, hasOutline: isOurs ? getComputedStyle(element).outlineStyle !== "none" : null };
}"""


@pytest.mark.parametrize("address", ["", "?present=1&step=3"])
def test_the_tab_key_reaches_everything_and_the_focus_is_seen(app_page, address):
    page = app_page(address)
    expect(page.locator(PAGES[address]).first).to_be_attached()
    expect_at_rest(page)
    reached = []
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            break
        reached.append(page.evaluate(FOCUSED))
    names = [one["name"] for one in reached]
    wanted = {"": ["English sentence", "Next (right arrow)", "Present"]}.get(address, ["Next", "Stop presenting"])
    assert set(wanted) <= set(names)
    ours = [one for one in reached if one["hasOutline"] is not None and "looks at" not in one["name"]]
    assert ours
    assert [one["name"] for one in ours if not one["hasOutline"]] == []  # a cell of the map has a frame instead


def test_nothing_moves_for_people_who_ask_for_no_motion(app_page):
    page = app_page("?present=1", reduced_motion="reduce")
    expect(page.locator(".presenting[data-step]")).to_be_visible()
    moving = """() => {
      const found = [];
      const visit = (root) => {
        for (const element of root.querySelectorAll("*")) {
          if (element.shadowRoot) visit(element.shadowRoot);
          const { transitionDuration, animationName } = getComputedStyle(element);
          const isMoving = parseFloat(transitionDuration) > 0 || animationName !== "none";
          if (isMoving && element.closest(".player, .presenter")) found.push(element.className);
        }
      };
      visit(document);
      return found;
    }"""
    assert page.evaluate(moving) == []
