"""A translation before and after a change, as safe HTML: words that changed are marked, and not by colour alone.

It draws what `comparison` finds, and computes nothing.
"""

import html
import re

from app.components.step_player import WORD_MARK
from app.components.text import chinese
from attention_model.comparison import TraceChanges
from attention_model.trace import END_TOKEN, DecodingTrace

TOKEN_MARK = "\ue001"
"""Stands around target tokens in sentences: a character that nobody types."""

_MARKED = re.compile(f"([{WORD_MARK}{TOKEN_MARK}])(.*?)\\1", re.DOTALL)


def marked_html(text: str) -> str:
    """A sentence with source words bold and target tokens as Chinese, the rest as it is."""
    parts, end = [], 0
    for marked in _MARKED.finditer(text):
        parts.append(html.escape(text[end : marked.start()]))
        inner = marked.group(2)
        parts.append(chinese(inner) if marked.group(1) == TOKEN_MARK else f"<b>{html.escape(inner)}</b>")
        end = marked.end()
    return "".join(parts) + html.escape(text[end:])


def two_translations(before: DecodingTrace, now: DecodingTrace, changes: TraceChanges) -> str:
    """The translation now and the one before beside it: new words are underlined, those that are gone struck out."""
    new = _tokens(now.target_tokens, changes.changed_now, "ins")
    old = _tokens(before.target_tokens, changes.changed_before, "del")
    return f'<p class="translation now">{new}</p><p class="translation was"><span class="when">before</span> {old}</p>'


def _tokens(tokens: tuple[str, ...], changed: tuple[bool, ...], tag: str) -> str:
    """Target tokens without the end token, neighbours that changed together in one tag."""
    parts: list[str] = []
    run, run_changed = "", False
    for token, is_changed in [*zip(tokens, changed, strict=True), (END_TOKEN, False)]:
        if (is_changed != run_changed or token == END_TOKEN) and run:
            parts.append(f"<{tag}>{chinese(run)}</{tag}>" if run_changed else chinese(run))
            run = ""
        run_changed = is_changed
        run += "" if token == END_TOKEN else token
    return "".join(parts)
