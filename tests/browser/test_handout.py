"""The sheet of paper as a browser prints it: one page, and one for the solution, on A4 and on Letter."""

import re

import pytest

from app.handout import handout_html
from tests import toy
from tests.browser.expected import expect_no_sideways_scroll

TRACES = {
    "states": toy.running_example(),
    "short": toy.sized_trace(source=7, target=11),
    "long": toy.sized_trace(source=50, target=60),
}
PAPERS = ("A4", "Letter")


def pages(pdf):
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@pytest.mark.parametrize("kind", TRACES)
def test_the_sheet_and_its_solution_are_one_page_each(new_page, tmp_path, kind):
    page, file = new_page(), tmp_path / "handout.html"
    file.write_text(handout_html(TRACES[kind], 2), encoding="utf-8")
    page.goto(file.as_uri())
    assert [pages(page.pdf(format=paper)) for paper in PAPERS] == [2, 2]
    page.get_by_label("with the solution").uncheck()
    assert [pages(page.pdf(format=paper)) for paper in PAPERS] == [1, 1]


def test_paper_is_white_in_the_dark_and_fits_a_phone(new_page, tmp_path):
    page, file = new_page(viewport=(390, 844), color_scheme="dark"), tmp_path / "handout.html"
    file.write_text(handout_html(TRACES["short"], 2), encoding="utf-8")
    page.goto(file.as_uri())
    assert page.locator(".sheet").first.evaluate("one => getComputedStyle(one).backgroundColor") == "rgb(255, 255, 255)"
    expect_no_sideways_scroll(page)
