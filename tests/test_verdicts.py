"""Checked answers as HTML and Markdown: numbers are those given, and words from people never become code."""

import re

from app.components.verdicts import (
    answered_html,
    exponentials_html,
    results_table,
    sentences_markdown,
    shares_table,
    so_far_html,
    vectors_html,
    verdict_mark,
)

CODE = "<img src=x onerror=alert(1)>"


def text(html):
    return re.sub(r"<[^>]+>", " ", html).split()


def test_an_unchecked_line_keeps_the_room_of_its_mark():
    assert verdict_mark(None) == '<p class="verdict unchecked"></p>'
    assert "✓ right" in verdict_mark("right")
    assert "not yet" in verdict_mark("wrong")


def test_what_was_typed_is_quoted_as_it_is():
    shown = sentences_markdown({f"“{CODE}” is not a number.": ["score of h₁", "score of h₂"]})
    assert shown.startswith("- **score of h₁, score of h₂**: ")
    assert "<img" not in shown.replace("\\<", "")


def test_vectors_and_powers_are_written_out():
    assert text(vectors_html({"h₁": (1.0, -0.5), "s": (2, 0)})) == ["h₁", "=", "(1,", "−0.5)", "s", "=", "(2,", "0)"]
    assert text(exponentials_html((-1, 0, 2))) == ["e", "−1", "≈", "0.368", "e", "0", "=", "1", "e", "2", "≈", "7.389"]


def test_shares_stand_beside_each_other_with_their_overlap():
    shown = shares_table(["like", "貓", CODE], [0.5, 0.5, 0], [0.7, 0.2, 0.1], "word")
    assert text(shown)[:8] == ["word", "you", "model", "smaller", "like", "0.50", "0.70", "0.50"]
    assert text(shown)[-2:] == ["overlap", "0.70"]
    assert '<span lang="zh-Hant">貓</span>' in shown
    assert "<img" not in shown
    assert re.findall(r'bar (\w+)( nothing)?" style="width: ([\d.]+)%', shown)[:2] == [
        ("marked", "", "50.0"),
        ("true", "", "70.0"),
    ]
    assert shown.count("nothing") == 1


def test_the_output_so_far_is_chinese():
    assert so_far_html(("我", "很"), "?") == (
        '<p class="so-far"><span lang="zh-Hant">我很</span><span class="now">?</span></p>'
    )


def test_answered_options_say_which_is_right_and_which_was_given():
    shown = answered_html(("a", "b", CODE), "a", "b")
    assert '<li class="right">a <span class="note">right</span></li>' in shown
    assert '<li class="other">b <span class="note">your answer</span></li>' in shown
    assert "<img" not in shown
    assert "right, your answer" in answered_html(("a", "b"), "a", "a")


def test_results_have_a_row_a_topic():
    assert text(results_table([("The & score", 1, 2, 3)]))[4:] == ["The", "&amp;", "score", "1", "2", "3"]
