"""What several browser tests wait for."""

import pytest
from playwright.sync_api import TimeoutError as TooLate
from playwright.sync_api import expect


def expect_at_rest(page):
    """Wait until Streamlit draws nothing more: until then an element can be put in the place of another."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


def expect_no_sideways_scroll(page):
    """Wait until the whole page is as wide as the window: a player fits itself to its room a frame after it got it."""
    width = page.viewport_size["width"]
    try:
        page.wait_for_function("width => document.documentElement.scrollWidth <= width", arg=width)
    except TooLate:
        pytest.fail(f"{page.evaluate('document.documentElement.scrollWidth')} pixels are wider than {width}")


def wait_for_link(page, **values):
    """Wait until the page's address carries these values; None stands for a name that it does not carry."""
    try:
        page.wait_for_function(
            "values => Object.entries(values).every("
            "([name, value]) => new URLSearchParams(location.search).get(name) === value)",
            arg=values,
        )
    except TooLate:
        pytest.fail(f"{page.url} does not carry {values}")
