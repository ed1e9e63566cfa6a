"""Text to pieces and back, on both sides.

The source side is English in word pieces, read in lower case and shown as typed; the target side is Chinese by
character, in one script (Taiwan traditional). This file knows nothing of tensors, models or files of pairs.
"""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple, Self

import opencc
import orjson
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

from attention_model.errors import CheckpointError, TextError
from attention_model.trace import END_TOKEN, UNKNOWN_PIECE

PAD_TOKEN = "<pad>"
BEGIN_TOKEN = "<s>"
SPECIAL_TOKENS = (PAD_TOKEN, UNKNOWN_PIECE, BEGIN_TOKEN, END_TOKEN)
PAD_ID, UNKNOWN_ID, BEGIN_ID, END_ID = range(4)

CONTINUATION = "##"
"""Begins a piece that continues a word, inside the vocabulary; never shown."""

MAX_SOURCE_PIECES = 60
"""The most pieces of a sentence that are read."""

MAX_SOURCE_CHARACTERS = 1000
"""The most characters of a sentence that are looked at before it is cut into pieces."""

_INVISIBLE = r"[\p{Cc}\p{Cf}]"
_SOURCE_UNITS = r"\w+n't\b|'(?:s|ll|re|ve|m|d)\b|[\w&&[^_]]+|\S"
_WORD = re.compile(r"[^\W_]+(?:['’‘ʼ＇][^\W_]+)*|\S")
_FULL_WIDTH = str.maketrans(",?!:;()~", "，？！：；（）～")


class SourcePieces(NamedTuple):
    """A sentence cut into pieces; every tuple has one entry a piece.

    tokens: as typed. pieces: what the model reads, without markers. ids: their numbers. word_ids: the word of each,
    counted by white space and punctuation. spans: (start, end) in the text as typed, in characters.
    """

    tokens: tuple[str, ...]
    pieces: tuple[str, ...]
    ids: tuple[int, ...]
    word_ids: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]


class SourceTokenizer:
    """English word pieces (byte-pair encoding, Sennrich et al. 2016), with `<unk>` for a character never met."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        # Else a typed "<s>" or "<unk>" would be read as the token of that name.
        tokenizer.encode_special_tokens = True

    @classmethod
    def train(cls, sentences: Iterable[str], vocabulary_size: int) -> Self:
        """Learn at most `vocabulary_size` pieces from sentences. The same sentences give the same pieces."""
        tokenizer = Tokenizer(models.BPE(unk_token=UNKNOWN_PIECE, continuing_subword_prefix=CONTINUATION))
        tokenizer.normalizer = normalizers.Sequence(
            [
                normalizers.Replace(Regex(r"[\t\n\r\p{Zs}]"), " "),
                normalizers.Replace(Regex(_INVISIBLE), ""),
                normalizers.Replace(Regex("[‘’ʼ`´＇]"), "'"),
                normalizers.Replace(Regex("[“”„«»＂]"), '"'),
                normalizers.Replace(Regex("[‐‑]"), "-"),
                normalizers.Replace("。", "."),
                normalizers.NFKC(),
                normalizers.Lowercase(),
            ]
        )
        tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(_SOURCE_UNITS), behavior="removed", invert=True)
        sentences = list(sentences)
        characters = {
            one for text in sentences for one in tokenizer.normalizer.normalize_str(text) if not one.isspace()
        }
        trainer = trainers.BpeTrainer(
            vocab_size=vocabulary_size,
            # Named in order here, continuing characters are numbered in order; else the library numbers them as they
            # come out of a hash table, anew in each process, and pairs of equal count are merged in another order.
            special_tokens=[*SPECIAL_TOKENS, *(CONTINUATION + one for one in sorted(characters))],
            min_frequency=2,
            continuing_subword_prefix=CONTINUATION,
            show_progress=False,
        )
        tokenizer.train_from_iterator(sentences, trainer)
        learned = orjson.loads(tokenizer.to_str())["model"]
        tokenizer = _with_model(tokenizer, learned["vocab"], [tuple(merge) for merge in learned["merges"]])
        return cls(tokenizer)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a tokenizer that `save` wrote. Raises CheckpointError when the file is missing or damaged."""
        try:
            return cls(Tokenizer.from_str(path.read_text(encoding="utf-8")))
        except Exception as error:  # the library raises a bare Exception on a damaged file
            raise CheckpointError(_cannot_read(path, error)) from error

    def save(self, path: Path) -> None:
        """Write the tokenizer as JSON."""
        path.write_text(self._tokenizer.to_str(pretty=False), encoding="utf-8")

    def __len__(self) -> int:
        return self._tokenizer.get_vocab_size()

    def split(self, text: str) -> SourcePieces:
        """Cut a sentence as typed into pieces.

        Raises TextError when there is nothing to read or more than `MAX_SOURCE_PIECES` pieces, with the number found.
        """
        if len(text) > MAX_SOURCE_CHARACTERS:
            raise TextError(
                f"The sentence is too long: it has {len(text):,} characters, and at most {MAX_SOURCE_CHARACTERS:,} "
                f"characters and {MAX_SOURCE_PIECES} pieces can be read. Shorten it, or give one sentence at a time."
            )
        pieces = self._cut(text)
        if len(pieces.ids) > MAX_SOURCE_PIECES:
            raise TextError(
                f"The sentence is too long: it is {len(pieces.ids)} pieces, and at most {MAX_SOURCE_PIECES} can be "
                "read (a piece is a word, a part of a rare word, or a mark). Shorten it, or give one "
                "sentence at a time."
            )
        if not any(character.isalnum() for character in text):
            found = "nothing" if not text.strip() else f"only {text.strip()!r}"
            if text.strip() and all(map(_is_blank, text)):
                found = "only invisible characters"
            raise TextError(f"There is no word to translate: found {found}. Type an English sentence.")
        return pieces

    def ids(self, text: str) -> list[int]:
        """The numbers of a sentence's pieces, of any length, empty included: for files of pairs."""
        return self._tokenizer.encode(text, add_special_tokens=False).ids

    def _cut(self, text: str) -> SourcePieces:
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        spans = [_trim(text, start, end) for start, end in encoding.offsets]
        pieces = [piece.removeprefix(CONTINUATION) for piece in encoding.tokens]
        tokens = [text[start:end] or piece for (start, end), piece in zip(spans, pieces, strict=True)]
        return SourcePieces(tuple(tokens), tuple(pieces), tuple(encoding.ids), _word_ids(spans, text), tuple(spans))


def _with_model(tokenizer: Tokenizer, vocabulary: dict[str, int], merges: list[tuple[str, str]]) -> Tokenizer:
    """A tokenizer that normalises and splits like this one, with these pieces and no more special tokens than ours."""
    model = models.BPE(vocabulary, merges, unk_token=UNKNOWN_PIECE, continuing_subword_prefix=CONTINUATION)
    rebuilt = Tokenizer(model)
    rebuilt.normalizer, rebuilt.pre_tokenizer = tokenizer.normalizer, tokenizer.pre_tokenizer
    rebuilt.add_special_tokens(list(SPECIAL_TOKENS))
    return rebuilt


class TargetTokenizer:
    """Chinese by character in Taiwan traditional script, with full-width punctuation."""

    def __init__(self, tokens: Iterable[str]) -> None:
        self.tokens = tuple(tokens)
        self._ids = {token: number for number, token in enumerate(self.tokens)}

    @classmethod
    def train(cls, sentences: Iterable[str], min_count: int) -> Self:
        """The characters met at least `min_count` times in normalised sentences, most frequent first."""
        counts = Counter(character for sentence in sentences for character in normalize_target(sentence))
        kept = [character for character, count in counts.items() if count >= min_count]
        return cls([*SPECIAL_TOKENS, *sorted(kept, key=lambda character: (-counts[character], character))])

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a tokenizer that `save` wrote. Raises CheckpointError when the file is missing or damaged."""
        try:
            tokens = orjson.loads(path.read_bytes())["tokens"]
        except (OSError, orjson.JSONDecodeError, KeyError, TypeError) as error:
            raise CheckpointError(_cannot_read(path, error)) from error
        if not isinstance(tokens, list) or tuple(tokens[: len(SPECIAL_TOKENS)]) != SPECIAL_TOKENS:
            raise CheckpointError(_cannot_read(path, "it does not begin with the four special tokens"))
        return cls(tokens)

    def save(self, path: Path) -> None:
        """Write the tokenizer as JSON."""
        path.write_bytes(orjson.dumps({"tokens": self.tokens}))

    def __len__(self) -> int:
        return len(self.tokens)

    def split(self, text: str) -> tuple[str, ...]:
        """The characters of a target text after `normalize_target`."""
        return tuple(normalize_target(text))

    def ids(self, tokens: Iterable[str]) -> list[int]:
        """The numbers of tokens; one that is not in the vocabulary becomes `UNKNOWN_ID`."""
        return [self._ids.get(token, UNKNOWN_ID) for token in tokens]

    def knows(self, token: str) -> bool:
        """True when the token is in the vocabulary."""
        return token in self._ids

    def join(self, ids: Iterable[int]) -> str:
        """The text of these numbers, special tokens left out."""
        return "".join(self.tokens[number] for number in ids if number >= len(SPECIAL_TOKENS))


def normalize_target(text: str) -> str:
    """One script and one punctuation for Chinese text, in training, display and scoring alike.

    Simplified, then Taiwan traditional characters (OpenCC t2s, s2tw); full-width ，。？！ and the like; 「」 for
    quotation marks; half-width letters and digits; no white space, no invisible characters.
    """
    text = "".join(_half_width(character) for character in text)
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    text = re.sub(r"(?<!\d)\.|\.(?!\d)", "。", text)
    while (paired := re.sub(r"[“\"„«]([^”\"»“]*)[”\"»]", r"「\1」", text)) != text:
        text = paired
    text = text.replace("“", "「").replace("”", "」").replace("‘", "『").replace("’", "』")
    text = re.sub(r"(?<!\d):|:(?!\d)", "：", text).translate({**_FULL_WIDTH, ord(":"): ":"})
    text = "".join(character for character in text if not character.isspace())
    text = re.sub(r"(?:[⋯…]|。{3,})+", "…", text)
    to_simplified, to_traditional = _converters()
    return to_traditional.convert(to_simplified.convert(text))


def _half_width(character: str) -> str:
    """Full-width letters and digits folded, invisible characters dropped, everything else as it is."""
    if unicodedata.category(character) in ("Cf", "Cc") and not character.isspace():
        return ""
    folded = unicodedata.normalize("NFKC", character)
    return folded if len(folded) == 1 and (folded.isalnum() or folded in '"%+-/.') and folded != "。" else character


@cache
def _converters() -> tuple[opencc.OpenCC, opencc.OpenCC]:
    return opencc.OpenCC("t2s"), opencc.OpenCC("s2tw")


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """A span without the invisible characters and white space at its edges."""
    while end > start and _is_blank(text[end - 1]):
        end -= 1
    while start < end and _is_blank(text[start]):
        start += 1
    return start, end


def _is_blank(character: str) -> bool:
    return character.isspace() or unicodedata.category(character) in ("Cc", "Cf")


def _word_ids(spans: list[tuple[int, int]], text: str) -> tuple[int, ...]:
    """Number the words: a run of letters and digits, with apostrophes inside it, is one; so is any other character."""
    starts = [word.start() for word in _WORD.finditer(text)]
    word_of_piece = [bisect_right(starts, start) for start, _ in spans]
    numbers = {word: number for number, word in enumerate(dict.fromkeys(word_of_piece))}
    return tuple(numbers[word] for word in word_of_piece)


def _cannot_read(path: Path, reason: object) -> str:
    return (
        f"The tokenizer {path.name} of the checkpoint {path.parent.parent.name}/{path.parent.name} cannot be read "
        f"({reason}). Restore the file from the project's checkpoints folder."
    )
