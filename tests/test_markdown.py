"""Markdown from files: what it may do, and what in it stays harmless."""

import pytest

from app.components.markdown import markdown_html


def test_paragraphs_lists_emphasis_and_tables_become_html():
    html = markdown_html("One *two* **three**.\n\n- four\n\n| a | b |\n|---|---|\n| c | d |\n")
    for part in ("<p>One <em>two</em> <strong>three</strong>.</p>", "<li>four</li>", "<th>a</th>", "<td>d</td>"):
        assert part in html


def test_chinese_is_marked_wherever_it_stands():
    html = markdown_html("Say 我很喜歡貓。 in **圖書館**, please.")
    assert '<span lang="zh-Hant">我很喜歡貓。</span>' in html
    assert '<strong><span lang="zh-Hant">圖書館</span></strong>' in html
    assert html.count("lang=") == 2


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "an <img src=x onerror=alert(1)> inside",
        "[click](javascript:alert(1))",
        "![a picture](https://example.org/a.png)",
        "`<b>code</b>`",
        "    <b>a block of code</b>",
    ],
)
def test_html_stays_text_and_nothing_is_fetched_or_run(text):
    html = markdown_html(text)
    for tag in ("<script", "<img", "<b>", 'href="javascript'):
        assert tag not in html


def test_a_harmless_link_is_a_link():
    assert '<a href="https://example.org">there</a>' in markdown_html("[there](https://example.org)")
