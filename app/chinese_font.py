"""The shipped Chinese font, and cuts of it that hold only the glyphs of a text.

It knows no page and no picture. Where the font comes from and what was left out stands in `fonts/README.md`.
"""

import base64
import io
from collections.abc import Iterable
from pathlib import Path

from app.theme import CHINESE_FONT

FILE = Path(__file__).parent / "fonts" / "noto-sans-cjk-tc.woff"

KEPT_NAMES = (0, 1, 2, 3, 4, 5, 6, 13, 14)
"""Of a font's own texts: whose it is, what it is called, and its licence with the address of that."""

RANGE = "U+2E80-9FFF, U+F900-FAFF, U+FE30-FE4F, U+FF00-FFEF, U+20000-323AF"
"""Chinese. Latin and spaces are left to other fonts, which say how high a line is."""

FACE = (
    '@font-face {{ font-family: "{family}"; src: url("data:font/woff;base64,{content}") format("woff"); '
    "unicode-range: {range}; }}"
)


def cut_font(font: Path, characters: Iterable[str], *, number: int = -1) -> bytes:
    """A font file (WOFF) that holds the glyphs of these characters, as far as the font has them.

    number: which of the fonts, for a file that holds several. Its copyright and its licence stay in it.
    """
    from fontTools import subset  # both take a moment to import, and no page needs them
    from fontTools.ttLib import TTFont

    options = subset.Options(
        hinting=False,
        desubroutinize=True,  # so that a later cut is quick
        layout_features=[],
        name_IDs=KEPT_NAMES,
        notdef_outline=True,
        drop_tables=["BASE", "DSIG", "GDEF", "GPOS", "GSUB", "VORG", "vhea", "vmtx"],
    )
    with TTFont(font, fontNumber=number, lazy=True, recalcTimestamp=False) as whole:
        cut = subset.Subsetter(options)
        cut.populate(text="".join(characters))
        cut.subset(whole)
        whole.flavor = "woff"
        written = io.BytesIO()
        whole.save(written)
    return written.getvalue()


def shipped_characters() -> frozenset[str]:
    """Every character of which the shipped font has a glyph."""
    from fontTools.ttLib import TTFont

    with TTFont(FILE, lazy=True) as font:
        return frozenset(map(chr, font.getBestCmap()))


def glyphs_of(text: str) -> bytes | None:
    """The glyphs of a text as a font file (WOFF); None where the font has none of its characters."""
    characters = sorted(shipped_characters() & set(text))
    return cut_font(FILE, characters) if characters else None


def font_face(text: str) -> str:
    """The glyphs of a text as CSS that needs no other file; empty where the font has none of its characters."""
    glyphs = glyphs_of(text)
    if glyphs is None:
        return ""
    return FACE.format(family=CHINESE_FONT, content=base64.b64encode(glyphs).decode("ascii"), range=RANGE)
