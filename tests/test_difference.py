"""A change's traces on the page, as HTML: marked without colour, in Chinese, and nothing from people is obeyed."""

from dataclasses import replace

from app.components.difference import (
    TOKEN_MARK,
    changed_translation,
    marked_html,
    translation_before,
    what_happened,
)
from app.components.step_player import WORD_MARK, TraceBefore
from attention_model.trace import Intervention
from tests.toy import running_example

RUNNING = running_example()
ZH = '<span lang="zh-Hant">'


def other(tokens, **intervention):
    """The running example with five other tokens."""
    return replace(RUNNING, target_tokens=tuple(tokens), intervention=Intervention(**intervention))


def test_new_words_are_underlined_and_those_that_are_gone_struck_out():
    now = other("我也喜歡狗")
    before = TraceBefore(RUNNING, "before", (False, True, False, False, True), (False, True, False, False, True))
    assert changed_translation(now, before) == (
        f"{ZH}我</span><ins>{ZH}也</span></ins>{ZH}喜歡</span><ins>{ZH}狗</span></ins>"
    )
    assert translation_before(before).endswith(
        f"before</span> {ZH}我</span><del>{ZH}很</span></del>{ZH}喜歡</span><del>{ZH}貓</span></del></span>"
    )


def test_the_end_token_is_no_word():
    now = other(("我", "很", "喜", "貓", "</s>"))
    before = TraceBefore(RUNNING, "before", (False,) * 5, (False, False, False, True, True))
    assert changed_translation(now, before) == f"{ZH}我很喜</span><ins>{ZH}貓</span></ins>"


def test_marks_become_bold_source_words_and_chinese():
    text = f"{WORD_MARK}a < b{WORD_MARK} & {TOKEN_MARK}貓{TOKEN_MARK} <i>"
    assert marked_html(text) == f"<b>a &lt; b</b> &amp; {ZH}貓</span> &lt;i&gt;"
    assert marked_html("") == ""
    assert marked_html(f"odd {WORD_MARK} one") == f"odd {WORD_MARK} one"


def test_what_happened_names_the_change_and_its_reach():
    html = what_happened(RUNNING, other("我也喜歡貓", replaced_weights=((1, (0.0, 0.0, 1.0, 0.0, 0.0)),)))
    assert html.startswith(
        f'<p class="what-happened" role="status">With all weight of step 2 on <b>cats</b>, {ZH}很</span> becomes '
        f"{ZH}也</span>."
    )
    assert 'class="reach"' in html
    assert 'class="reach"' not in what_happened(RUNNING, other("我也喜歡貓", temperature=2.0))


def test_markup_in_a_sentence_or_a_translation_is_shown():
    sentence = "<i>I</i> like cats a lot."
    dangerous = replace(RUNNING, source_text=sentence, source_spans=((0, 8), (9, 13), (14, 18), (19, 20), (21, 24)))
    now = replace(
        dangerous, target_tokens=("<b>", "很", "喜", "歡", "貓"), intervention=Intervention(hidden=((None, 0),))
    )
    html = what_happened(dangerous, now)
    assert "<b>&lt;i&gt;I&lt;/i&gt;</b> hidden" in html
    assert f"{ZH}&lt;b&gt;</span>" in html
    before = TraceBefore(dangerous, "before", (True,) + (False,) * 4, (True,) + (False,) * 4)
    assert "<ins>" + ZH + "&lt;b&gt;" in changed_translation(now, before)
