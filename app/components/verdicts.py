"""What checked answers look like: a mark under a line, sentences under lines, and two rows of shares side by side.

It checks nothing and knows no exercise.
"""

import html
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from app.components.text import chinese, plain, with_language

STYLE = Path(__file__).with_suffix(".css")

MARKS = {"right": "✓ right", "wrong": "not yet", "unread": "not read", "empty": "empty"}
"""What stands under a line, by its status."""


def verdict_mark(status: str | None) -> str:
    """The mark under a line as HTML; an empty one, of the same height, where the line is not checked."""
    return f'<p class="verdict {status or "unchecked"}">{MARKS.get(status, "")}</p>'


def sentences_markdown(sentences: Mapping[str, Sequence[str]]) -> str:
    """Sentences as a list in Markdown, each behind the lines that it belongs to; it may quote what was typed."""
    return "\n".join(f"- **{', '.join(lines)}**: {plain(sentence)}" for sentence, lines in sentences.items())


def vectors_html(vectors: Mapping[str, Sequence[float]]) -> str:
    """Named vectors, such as h₁ = (1, 0), as HTML."""
    shown = (
        f"<span><b>{html.escape(name)}</b> = ({', '.join(_written(value) for value in vector)})</span>"
        for name, vector in vectors.items()
    )
    return f'<p class="given-vectors">{"".join(shown)}</p>'


def exponentials_html(powers: Iterable[int]) -> str:
    """e to each of these powers, three decimals, as HTML."""
    shown = (
        f"<span>e<sup>{_written(power)}</sup> " + (f"≈ {math.exp(power):.3f}" if power else "= 1") + "</span>"
        for power in powers
    )
    return f'<p class="exponentials">{"".join(shown)}</p>'


def so_far_html(before: Sequence[str], now: str) -> str:
    """The tokens that are written already, and the one that is asked about. now: HTML."""
    return f'<p class="so-far">{chinese("".join(before))}<span class="now">{now}</span></p>'


def shares_table(names: Sequence[str], marked: Sequence[float], true: Sequence[float], first: str) -> str:
    """A row a name: the share that a person marked and the model's, as numbers and bars, as HTML.

    first: what the names are. The last line is the sum of the smaller ones, their overlap.
    """
    rows = "".join(
        f'<tr><th scope="row">{with_language(name)}</th><td>{mine:.2f}</td><td>{its:.2f}</td>'
        f'<td>{min(mine, its):.2f}</td><td class="bars">{_bar("marked", mine)}{_bar("true", its)}</td></tr>'
        for name, mine, its in zip(names, marked, true, strict=True)
    )
    total = sum(min(mine, its) for mine, its in zip(marked, true, strict=True))
    head = "".join(f'<th scope="col">{one}</th>' for one in (html.escape(first), "you", "model", "smaller"))
    return (
        f'<div class="shares"><table><thead><tr>{head}<td class="bars"></td></tr></thead><tbody>{rows}</tbody>'
        f'<tfoot><tr><th scope="row" colspan="3">overlap</th><td>{total:.2f}</td><td></td></tr></tfoot></table></div>'
    )


def answered_html(options: Sequence[str], right: str, given: str) -> str:
    """The options of a question that was answered, as HTML: which is right, and which was given."""
    lines = "".join(_answered(option, is_right=option == right, is_given=option == given) for option in options)
    return f'<ul class="answered">{lines}</ul>'


def _answered(option: str, *, is_right: bool, is_given: bool) -> str:
    said = [word for word, holds in (("right", is_right), ("your answer", is_given)) if holds]
    note = f' <span class="note">{", ".join(said)}</span>' if said else ""
    kind = "right" if is_right else "other"
    return f'<li class="{kind}">{with_language(option)}{note}</li>'


def results_table(rows: Sequence[tuple[str, int, int, int]]) -> str:
    """A row a topic as HTML: its title, and how many answers were right, given and asked for."""
    lines = "".join(
        f'<tr><th scope="row">{html.escape(title)}</th><td>{right}</td><td>{answered}</td><td>{asked}</td></tr>'
        for title, right, answered, asked in rows
    )
    head = "".join(f'<th scope="col">{one}</th>' for one in ("topic", "right", "answered", "asked"))
    return f'<div class="shares"><table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div>'


def _bar(kind: str, share: float) -> str:
    nothing = "" if share >= 0.005 else " nothing"
    return f'<span class="bar {kind}{nothing}" style="width: {100 * share:.1f}%"></span>'


def _written(value: float) -> str:
    return f"{value:g}".replace("-", "−")
