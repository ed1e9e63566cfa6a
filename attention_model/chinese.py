"""Help for reading Chinese: where its words begin, how characters are said, their simplified form, a gloss in English.

All of it is looked up in dictionaries (jieba's words, pypinyin's readings, OpenCC's characters), which are loaded on
first use, because that takes up to a second each. Readings are those of the mainland's standard. It knows no trace, no
file and no torch, and takes any tokens: whatever is not Chinese stays as it is and has no reading.
"""

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from attention_model.merging import Groups
from attention_model.trace import END_TOKEN, UNKNOWN_PIECE

MARKS = (END_TOKEN, UNKNOWN_PIECE)
"""Tokens that are no text; each is a group of its own, and text does not run on across one."""

NOT_ONE_WORD = (
    *("本书", "那本书", "两本书", "几本书", "这本", "那辆车", "一辆车", "一封信", "封信", "架飞机", "那首歌"),
    *("很大", "很多", "很快", "很少", "很漂亮", "不好", "不想", "不要", "不能", "不会", "不是", "不用", "不吃"),
    *("我会", "我家", "我爱你", "在家", "坐在", "放在", "留在", "待在家里", "花园里", "家里", "和玛丽", "玛丽和"),
    *("看电视", "打网球", "踢足球", "弹钢琴", "喝咖啡", "喝牛奶", "喝啤酒", "喝酒", "吃晚饭", "学法语", "写信给"),
    *("那件事", "太贵", "去过", "看过", "是不是", "下大雨", "别忘了", "别忘", "爸爸妈妈", "小猫咪"),
)
"""What the dictionary of words holds as one word, in simplified characters, though a learner would see two or more."""

WORD_READINGS = {
    "爸爸": ("bà", "ba"),
    "妈妈": ("mā", "ma"),
    "妹妹": ("mèi", "mei"),
    "姐姐": ("jiě", "jie"),
    "东西": ("dōng", "xi"),
    "认识": ("rèn", "shi"),
    "教": ("jiāo",),
    "弹": ("tán",),
}
"""Words, in simplified characters, that the dictionary of readings gives with a reading rare in everyday sentences."""

OWN_TONES = {"不": "bù", "一": "yī"}
"""Both change their tone in speech and keep their own in writing (GB/T 16159-2012); the dictionary mixes the two."""

_PARTICLE_WRITTEN_LIKE_FAMOUS = re.compile("(?<![显名原土巨卓昭专译编论遗])著(?![名作者称])")
"""著 as in 看著書, which OpenCC leaves because of 著書; it stays in words such as 著名 and 名著."""

_TONES = re.compile("[āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜńňǹḿ]")
_CHINESE = re.compile(r"[\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af]")
_UNWRITABLE = re.compile(r"[\x00\ud800-\udfff]")


class _Word(NamedTuple):
    """A word in simplified characters; `kind` is the dictionary's letter for its part of speech, such as `v`."""

    text: str
    kind: str


def segment_words(tokens: Sequence[str]) -> Groups:
    """The tokens of each word as (first, last), both included and counted from 0; together they cover all tokens.

    The words are found in the simplified form and carried back, so a word never cuts a token of several characters.
    """
    groups: list[tuple[int, int]] = []
    for first, run in _runs(tokens):
        if run[0] in MARKS:
            groups.append((first, first))
            continue
        ends, position = set(), 0
        for word in _words("".join(_simplified(run))):
            position += len(word.text)
            ends.add(position)
        start, position = first, 0
        for index, token in enumerate(run, start=first):
            position += len(token)
            if position in ends:
                groups.append((start, index))
                start = index + 1
        # Empty tokens at the start of a run end nowhere; they are left over when nothing follows them.
        if start < first + len(run):
            groups.append((start, first + len(run) - 1))
    return tuple(groups)


def pinyin_of(tokens: Sequence[str]) -> tuple[str, ...]:
    """How each token is said, with tone marks, in the context of the whole sentence; "" for what is not Chinese.

    A token of several characters has its syllables separated by spaces.
    """
    readings: list[str] = []
    for _, run in _runs(tokens):
        if run[0] in MARKS:
            readings.append("")
            continue
        written, simplified = "".join(run), "".join(_simplified(run))
        words = _words(simplified)
        said = [syllable for index in range(len(words)) for syllable in _syllables(words, index)]
        syllables = [_as_written(*one) for one in zip(said, written, simplified, strict=True)]
        position = 0
        for token in run:
            readings.append(" ".join(filter(None, syllables[position : position + len(token)])))
            position += len(token)
    return tuple(readings)


def simplified_of(tokens: Sequence[str]) -> tuple[str, ...]:
    """Each token in simplified characters, chosen in the context of the whole sentence; as long as the token."""
    return tuple(
        simplified for _, run in _runs(tokens) for simplified in (run if run[0] in MARKS else _simplified(run))
    )


def gloss_of(tokens: Sequence[str], groups: Groups, glosses: Mapping[str, str]) -> tuple[str, ...]:
    """For each group its gloss: a few English words, or "" where the word has none.

    groups: as `segment_words` gives them. glosses: English for Chinese words, as `shelf.glosses` reads them.
    """
    return tuple(glosses.get("".join(tokens[first : last + 1]), "") for first, last in groups)


def _runs(tokens: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """The tokens between marks, and each mark alone, with the position of the first one."""
    start = 0
    for position, token in enumerate(tokens):
        if token in MARKS:
            if start < position:
                yield start, list(tokens[start:position])
            yield position, [token]
            start = position + 1
    if start < len(tokens):
        yield start, list(tokens[start:])


def _simplified(run: list[str]) -> list[str]:
    """The tokens of a run in simplified characters, each as long as before."""
    # What OpenCC cannot take would cut the sentence off or raise; it is put back afterwards.
    written = "".join(run)
    simplified = _PARTICLE_WRITTEN_LIKE_FAMOUS.sub("着", _convert()(_UNWRITABLE.sub("\ufffd", written)))
    if len(simplified) != len(written):
        return run
    simplified = "".join(
        before if _UNWRITABLE.match(before) else after for before, after in zip(written, simplified, strict=True)
    )
    cuts = [0]
    for token in run:
        cuts.append(cuts[-1] + len(token))
    return [simplified[start:stop] for start, stop in itertools.pairwise(cuts)]


def _words(simplified: str) -> list[_Word]:
    """The words of a text, which put together give the text."""
    found, position = [], 0
    for text, kind in _tag()(_UNWRITABLE.sub("\ufffd", simplified)):
        found.append(_Word(simplified[position : position + len(text)], kind))
        position += len(text)
    return found


def _syllables(words: list[_Word], index: int) -> Sequence[str]:
    """A reading for each character of a word, "" for one that is not Chinese."""
    word = words[index].text
    if word in ("得", "地", "长"):
        before = words[index - 1].kind[:1] if index else ""
        after = words[index + 1].text if index + 1 < len(words) else ""
        return [_by_neighbours(word, before, after)]
    if word in WORD_READINGS:
        return WORD_READINGS[word]
    syllables = _read()(word)
    return [OWN_TONES.get(one, syllable) if syllable else "" for one, syllable in zip(word, syllables, strict=True)]


def _by_neighbours(word: str, before: str, after: str) -> str:
    """得, 地 or 长 as a word of its own. before: the kind of the word before; after: the word after; "" for none."""
    if word == "长":
        # 长得高 is to grow up tall, 很长 is very long.
        return "zhǎng" if after in ("得", "了", "出", "着") else "cháng"
    if word == "得":
        if after in ("了", "到", "过"):
            return "dé"
        return "děi" if before in ("", "r", "n", "x", "t") else "de"
    is_followed = _CHINESE.match(after) is not None
    return "de" if is_followed and before in ("a", "b", "d", "i", "l", "v", "z") else "dì"


def _as_written(syllable: str, written: str, simplified: str) -> str:
    """The reading, unless it belongs to the simplified character alone: 只 may be zhǐ, but 隻 is always zhī."""
    if written == simplified or not _TONES.search(syllable):
        return syllable
    known = _character_readings()(written)
    shared = [one for one in known if one in _character_readings()(simplified)]
    return shared[0] if shared and syllable not in known else syllable


@cache
def _convert() -> Callable[[str], str]:
    """From Taiwan's characters to simplified ones."""
    import opencc

    return opencc.OpenCC("tw2s").convert


@cache
def _tag() -> Callable[[str], list[tuple[str, str]]]:
    """The words of a text with their kinds, from the dictionary alone.

    Guessing words that are in no dictionary (jieba's hidden Markov model) glues 很 to 長 and 吃 to 麵.
    """
    import rjieba

    for word in NOT_ONE_WORD:
        rjieba.add_word(word, 0, None)
    return lambda text: rjieba.tag(text, hmm=False)


@cache
def _read() -> Callable[[str], list[str]]:
    """A reading for each character of a word."""
    import pypinyin

    def read(word: str) -> list[str]:
        return pypinyin.lazy_pinyin(
            [word], style=pypinyin.Style.TONE, errors=lambda other: [""] * len(other), v_to_u=True
        )

    return read


@cache
def _character_readings() -> Callable[[str], list[str]]:
    """All readings of one character, whatever stands beside it."""
    import pypinyin

    def readings(character: str) -> list[str]:
        return pypinyin.pinyin(character, style=pypinyin.Style.TONE, heteronym=True, errors="ignore")[0]

    return readings
