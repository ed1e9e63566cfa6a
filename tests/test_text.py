"""What people type is shown, never obeyed; the words of every page can be found."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.components.text import PROSE, WORD_JOINER, chinese, plain, prose


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Zs", "Zl", "Zp", "Cc"])))
def test_every_character_with_a_meaning_is_escaped(text):
    escaped = plain(text)
    assert re.sub(r"\\(.)", r"\1", escaped).replace(WORD_JOINER, "") == text.replace(WORD_JOINER, "").strip()
    assert not re.search(r"(?<!\\)(?:\\\\)*[*_`<>\[\]$:#]", re.sub(r"\\[*_`<>\[\]$:#]", "", escaped))


@pytest.mark.parametrize("text", ["www.example.com", "http://example.com", "me@example.com", "a -> b", "a -- b"])
def test_streamlit_finds_no_link_dash_or_arrow(text):
    assert WORD_JOINER in plain(text)


def test_line_breaks_do_not_end_the_sentence():
    assert plain(" one\n\n# two ") == r"one \# two"


def test_chinese_says_its_language_and_escapes_html():
    assert chinese("貓<script>") == '<span lang="zh-Hant">貓&lt;script&gt;</span>'


@pytest.mark.parametrize("path", sorted(PROSE.glob("*.md")), ids=lambda path: path.stem)
def test_every_section_of_prose_has_words(path):
    sections = prose(path.stem)
    assert sections
    assert all(sections.values())
