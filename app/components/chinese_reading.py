"""Help with Chinese beside a trace: pinyin over the characters, their simplified form, a gloss under the words.

What is looked up stands in `chinese`; here it is put into the player's data and into HTML.
"""

import html
from collections.abc import Mapping

from app.components.step_player import PlayerReading, PlayerReadings
from attention_model import chinese
from attention_model.trace import END_TOKEN, DecodingTrace


def player_readings(trace: DecodingTrace) -> PlayerReadings:
    """How the target tokens are read, in the context of the sentence, and how each candidate is read alone."""
    steps = zip(chinese.pinyin_of(trace.target_tokens), chinese.simplified_of(trace.target_tokens), strict=True)
    tokens = sorted({one.token for candidates in trace.candidates or () for one in candidates})
    return PlayerReadings(
        tuple(PlayerReading(*reading) for reading in steps),
        {token: PlayerReading(*chinese.pinyin_of([token]), *chinese.simplified_of([token])) for token in tokens},
    )


def read_line(
    trace: DecodingTrace,
    *,
    pinyin: bool = False,
    simplified: bool = False,
    glosses: Mapping[str, str] | None = None,
) -> str:
    """The translation as HTML, with what is asked for over and under it. glosses: English for words; None for none.

    Each word stays in one piece, its gloss under it.
    """
    tokens = [token for token in trace.target_tokens if token != END_TOKEN]
    said = chinese.pinyin_of(tokens) if pinyin else ("",) * len(tokens)
    written = chinese.simplified_of(tokens) if simplified else tuple(tokens)
    language = "zh-Hans" if simplified else "zh-Hant"
    characters = [_character(*both) for both in zip(written, said, strict=True)]
    groups = chinese.segment_words(tokens) if glosses is not None else ((0, len(tokens) - 1),)
    under = chinese.gloss_of(tokens, groups, glosses) if glosses is not None else ("",)
    words = [
        _word("".join(characters[first : last + 1]), gloss, language)
        for (first, last), gloss in zip(groups, under, strict=True)
    ]
    return "".join(words)


def _character(written: str, said: str) -> str:
    """A token, with its pinyin over it where there is one."""
    if not said:
        return html.escape(written)
    return f"<ruby>{html.escape(written)}<rt>{html.escape(said)}</rt></ruby>"


def _word(characters: str, gloss: str, language: str) -> str:
    word = f'<span lang="{language}">{characters}</span>'
    if not gloss:
        return word
    return f'<span class="glossed">{word}<span class="gloss">{html.escape(gloss)}</span></span>'
