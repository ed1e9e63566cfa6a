"""Help with Chinese beside a trace: pinyin over the characters, their simplified form, a gloss under the words.

What is looked up stands in `chinese`; here it is put into the player's data and into HTML.
"""

import html
from collections.abc import Mapping, Sequence

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
    characters = written_tokens(tokens, pinyin=pinyin, simplified=simplified)
    groups = chinese.segment_words(tokens) if glosses is not None else ((0, len(tokens) - 1),)
    under = chinese.gloss_of(tokens, groups, glosses) if glosses is not None else ("",)
    words = [
        _word("".join(characters[first : last + 1]), gloss) for (first, last), gloss in zip(groups, under, strict=True)
    ]
    return "".join(words)


def written_tokens(tokens: Sequence[str], *, pinyin: bool, simplified: bool) -> tuple[str, ...]:
    """Each token as HTML: in simplified characters, with its pinyin over it, or both; read in the whole sentence."""
    said = chinese.pinyin_of(tokens) if pinyin else ("",) * len(tokens)
    written = chinese.simplified_of(tokens) if simplified else tuple(tokens)
    language = "zh-Hans" if simplified else "zh-Hant"
    return tuple(_character(*both, language) for both in zip(written, said, strict=True))


def plain_tokens(tokens: Sequence[str], *, pinyin: bool, simplified: bool) -> tuple[str, ...]:
    """Each token as plain text: in simplified characters, with its pinyin after it, or both; the end in words."""
    said = chinese.pinyin_of(tokens) if pinyin else ("",) * len(tokens)
    written = chinese.simplified_of(tokens) if simplified else tuple(tokens)
    names = ("the end" if token == END_TOKEN else token for token in written)
    return tuple(f"{name} {reading}".strip() for name, reading in zip(names, said, strict=True))


def _character(written: str, said: str, language: str) -> str:
    """A token, with its pinyin over it where there is one."""
    text = html.escape(written)
    over = f'<ruby>{text}<rt lang="zh-Latn">{html.escape(said)}</rt></ruby>' if said else text
    return f'<span lang="{language}">{over}</span>'


def _word(characters: str, gloss: str) -> str:
    if not gloss:
        return characters
    return f'<span class="glossed"><span>{characters}</span><span class="gloss">{html.escape(gloss)}</span></span>'
