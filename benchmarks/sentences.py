"""Sentences for the benchmarks, our own: as many of ten words as are needed, and some of an exact number of pieces."""

import itertools
import random

from attention_model.tokenizer import SourceTokenizer

OWNERS = ("My", "Your", "Our", "Their", "His", "Her")
KINDS = ("old", "young", "good", "rich", "tall", "best")
PEOPLE = ("friend", "teacher", "brother", "sister", "mother", "father", "doctor", "student")
ACTIONS = ("buy", "sell", "see", "find", "get", "use")
LOOKS = ("new", "small", "big", "red", "cheap")
THINGS = ("car", "house", "book", "boat", "table", "phone")
TIMES = ("today", "tomorrow", "now", "soon", "tonight")

COMMON_WORDS = ("I", "like", "the", "cats", "and", "you", "want", "to", "see", "my", "books", "with", "them")
COMMON_CHARACTERS = "我很喜歡你的貓"


def new_sentences(count: int) -> list[str]:
    """Different sentences of ten words each, the same ones at every call."""
    choices = list(itertools.product(OWNERS, KINDS, PEOPLE, ACTIONS, LOOKS, THINGS, TIMES))
    return [
        f"{owner} {kind} {person} wants to {action} a {look} {thing} {when}."
        for owner, kind, person, action, look, thing, when in random.Random(1).sample(choices, count)
    ]


def sentence_of(tokenizer: SourceTokenizer, pieces: int) -> str:
    """A sentence of common words that the tokenizer cuts into exactly so many pieces."""
    words: list[str] = []
    choices = itertools.cycle(COMMON_WORDS)
    count = 0
    while count < pieces:
        longer = [*words, next(choices)]
        count_of_longer = len(tokenizer.split(" ".join(longer)).ids)
        if count_of_longer <= pieces:
            words, count = longer, count_of_longer
    return " ".join(words)


def translation_of(characters: int) -> str:
    """So many Chinese characters; with the end token, a decoding led along them has one step more."""
    return "".join(itertools.islice(itertools.cycle(COMMON_CHARACTERS), characters))
