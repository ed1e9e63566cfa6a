"""A translation before and after a change, as safe HTML: words that changed are marked, and not by colour alone.

It draws and says what `comparison` finds, and computes nothing.
"""

import html
import re
from collections.abc import Sequence
from itertools import groupby

from app.components.step_player import WORD_MARK, TraceBefore
from app.components.text import chinese, with_language
from attention_model.comparison import describe_changes, describe_reach
from attention_model.trace import END_TOKEN, DecodingTrace

TOKEN_MARK = "\ue001"
"""Stands around target tokens in sentences: a character that nobody types."""

_MARKED = re.compile(f"([{WORD_MARK}{TOKEN_MARK}])(.*?)\\1", re.DOTALL)


def marked_html(text: str) -> str:
    """A sentence with source words bold and target tokens as Chinese, everything else as it is."""
    parts, end = [], 0
    for marked in _MARKED.finditer(text):
        parts.append(with_language(text[end : marked.start()]))
        inner = marked.group(2)
        parts.append(chinese(inner) if marked.group(1) == TOKEN_MARK else f"<b>{html.escape(inner)}</b>")
        end = marked.end()
    return "".join(parts) + with_language(text[end:])


def changed_translation(trace: DecodingTrace, before: TraceBefore) -> str:
    """The translation with the words that are new, or stand in another's place, underlined."""
    return _tokens(trace.target_tokens, before.changed_now, "ins")


def translation_before(before: TraceBefore) -> str:
    """The translation before the change, small, with the words that are gone or changed struck out."""
    words = _tokens(before.trace.target_tokens, before.changed, "del")
    return f' <span class="was"><span class="when">before</span> {words}</span>'


def what_happened(before: DecodingTrace, now: DecodingTrace) -> str:
    """The sentence that says what a change did, and how far it can reach, as a paragraph."""
    text = marked_html(describe_changes(before, now, mark=WORD_MARK, target_mark=TOKEN_MARK))
    reach = describe_reach(before, now, target_mark=TOKEN_MARK)
    more = f' <span class="reach">{marked_html(reach)}</span>' if reach else ""
    return f'<p class="what-happened" role="status">{text}{more}</p>'


def _tokens(tokens: Sequence[str], changed: Sequence[bool], tag: str) -> str:
    """Target tokens without the end token; neighbours that changed stand together in one tag."""
    shown = [(token, has_changed) for token, has_changed in zip(tokens, changed, strict=True) if token != END_TOKEN]
    parts = []
    for has_changed, run in groupby(shown, key=lambda one: one[1]):
        text = chinese("".join(token for token, _ in run))
        parts.append(f"<{tag}>{text}</{tag}>" if has_changed else text)
    return "".join(parts)
