"""Makes the shipped Chinese font again: `python -m docs.chinese_font`, with Debian's fonts-noto-cjk installed.

It holds the characters of the shipped target vocabularies, their simplified forms, and Chinese punctuation.
"""

import json
from pathlib import Path

from fontTools.ttLib import TTCollection

from app.chinese_font import FILE, cut_font
from attention_model.chinese import MARKS, simplified_of

CHECKPOINTS = Path(__file__).parents[1] / "checkpoints"
COLLECTION = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")
FAMILY = "Noto Sans CJK TC"

FIRST_CHINESE = "\u2e80"
"""What stands before it in Unicode, the fonts of every machine have."""

PUNCTUATION = {
    *map(chr, range(0x3000, 0x3040)),  # CJK symbols and punctuation
    *map(chr, range(0xFF01, 0xFF5F)),  # the wide forms of ASCII
}


def wanted_characters() -> frozenset[str]:
    """The characters of all target vocabularies, in both ways of writing, with the punctuation of Chinese."""
    tokens = {
        token
        for file in CHECKPOINTS.glob("*/*/target_tokenizer.json")
        for token in json.loads(file.read_text("utf-8"))["tokens"]
        if token not in MARKS and not token.startswith("<")
    }
    written = {character for token in tokens for character in token}
    # One by one, for beside each other characters may make words that are simplified in another way.
    simplified = {form for character in written for form in simplified_of([character])[0]}
    simplified |= {form for token in tokens for form in simplified_of([token])[0]}
    return frozenset(one for one in written | simplified | PUNCTUATION if one >= FIRST_CHINESE)


def number_in_collection() -> int:
    """Which font of the collection has the forms that are used in Taiwan."""
    with TTCollection(COLLECTION, lazy=True) as collection:
        return next(number for number, font in enumerate(collection.fonts) if font["name"].getDebugName(1) == FAMILY)


if __name__ == "__main__":
    FILE.write_bytes(cut_font(COLLECTION, sorted(wanted_characters()), number=number_in_collection()))
    print(f"Saved {FILE}.")
