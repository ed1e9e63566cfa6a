"""A trace as files to take home: JSON that reads back exactly, CSV that a spreadsheet opens without running anything.

It knows no page; pictures are made by the player from its own drawing.
"""

import re
import unicodedata

from app.tables import long_table
from attention_model.trace import DecodingTrace

FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")
"""A cell that begins with one of these is run by some spreadsheets (OWASP, "CSV injection")."""

LONGEST_NAME = 40


def trace_json(trace: DecodingTrace) -> bytes:
    """The whole trace; `DecodingTrace.from_json` gives it back exactly."""
    return trace.to_json()


def trace_csv(trace: DecodingTrace) -> bytes:
    """The long table of the trace as UTF-8 with a byte order mark, so that Excel shows Chinese.

    Text that a spreadsheet would run as a formula gets an apostrophe in front; numbers stay numbers.
    """
    table = long_table(trace)
    for column in table.select_dtypes(exclude="number"):
        table[column] = table[column].map(disarmed, na_action="ignore")
    return table.to_csv(index=False).encode("utf-8-sig")


def disarmed(cell: str) -> str:
    """The text of a cell, with an apostrophe in front where a spreadsheet would take it for a formula."""
    return f"'{cell}" if cell.lstrip(" ").startswith(FORMULA_STARTS) else cell


def file_name(trace: DecodingTrace, extension: str) -> str:
    """A file name from the sentence and the scorer, of plain letters only, such as `i-like-cats-a-lot-dot.csv`."""
    plain = unicodedata.normalize("NFKD", trace.source_text or "states").encode("ascii", "ignore").decode("ascii")
    words = re.sub(r"[^a-z0-9]+", "-", plain.lower())[:LONGEST_NAME].strip("-")
    return f"{words or 'sentence'}-{trace.scorer}.{extension}"
