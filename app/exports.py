"""A trace as files to take home: JSON that reads back exactly, CSV that a spreadsheet opens without running anything,
links between words as other tools read them.

It knows no page; pictures are made by the player from its own drawing.
"""

import re
import unicodedata

from attention_model.analysis import ALIGNMENT_THRESHOLD, hard_alignment, threshold_alignment
from attention_model.errors import TraceError
from attention_model.merging import MapGrid, merge_map, piece_groups
from attention_model.trace import DecodingTrace, Intervention

LINK_RULES = {"largest": hard_alignment, "threshold": threshold_alignment}
"""How weights become links: the largest weight of each row, if it reaches the threshold, or every weight that does."""

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
    from app.tables import long_table  # pandas takes long to import, and only a download needs it

    table = long_table(trace)
    for column in table.select_dtypes(exclude="number"):
        table[column] = table[column].map(disarmed, na_action="ignore")
    return table.to_csv(index=False).encode("utf-8-sig")


def pharaoh(
    trace: DecodingTrace,
    *,
    grid: MapGrid | None = None,
    rule: str = "largest",
    threshold: float = ALIGNMENT_THRESHOLD,
) -> bytes:
    """The hard alignment of the sentence as one line of Pharaoh links, such as `0-0 3-1 4-1`, in ASCII.

    The Pharaoh format (Koehn 2004) has a line a sentence and a link `i-j` for source token i and target token j, source
    first, both counted from 0, with spaces between links. What is counted is said by `pharaoh_numbering`: pieces and
    target tokens, or with a merged map its columns and rows. The end of the sentence has no link.
    rule: one of LINK_RULES. Raises TraceError when the trace has no weights.
    """
    if trace.weights is None:
        raise TraceError(f"There are no links: the scorer {trace.scorer!r} has no weights. Choose one with attention.")
    grid = grid or merge_map(
        trace,
        source_groups=piece_groups(len(trace.source_tokens)),
        target_groups=piece_groups(len(trace.target_tokens)),
    )
    words = [row for row, group in enumerate(grid.target_groups) if not _is_end(trace, group)]
    links = LINK_RULES[rule](grid.weights[words], threshold)
    return (" ".join(f"{source}-{target}" for source, target in links) + "\n").encode("ascii")


def pharaoh_numbering(trace: DecodingTrace, grid: MapGrid | None = None) -> str:
    """One sentence that says what the numbers of `pharaoh` count."""
    if grid is None:
        columns, rows = len(trace.source_tokens), len(trace.target_tokens) - trace.finished
        counted = f"i counts the {columns} source pieces and j the {rows} target tokens"
    else:
        rows = sum(not _is_end(trace, group) for group in grid.target_groups)
        counted = f"i counts the {len(grid.source_groups)} columns of the merged map and j its {rows} rows"
    return f"In a link i-j, {counted}, both from 0; the end has no link."


def _is_end(trace: DecodingTrace, group: tuple[int, int]) -> bool:
    return trace.finished and group[1] == len(trace.target_tokens) - 1


def disarmed(cell: str) -> str:
    """The text of a cell, with an apostrophe in front where a spreadsheet would take it for a formula."""
    return f"'{cell}" if cell.lstrip(" ").startswith(FORMULA_STARTS) else cell


def file_name(trace: DecodingTrace, extension: str) -> str:
    """A file name from the sentence and the scorer, of plain letters only, such as `i-like-cats-a-lot-dot.csv`.

    A trace with an intervention is marked, so that nobody takes it for what the model does by itself.
    """
    plain = unicodedata.normalize("NFKD", trace.source_text or "states").encode("ascii", "ignore").decode("ascii")
    words = re.sub(r"[^a-z0-9]+", "-", plain.lower())[:LONGEST_NAME].strip("-")
    changed = "" if trace.intervention == Intervention() else "-what-if"
    return f"{words or 'sentence'}-{trace.scorer}{changed}.{extension}"
