"""A sentence on one sheet of paper for a class: its map, its numbers, an exercise with blanks, and the solution.

The sheet is HTML that prints on A4 and Letter, in black and white too, and opens from a folder. Everything on it is of
a trace; it knows no page and decodes nothing.
"""

import html
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from app.chinese_font import font_face
from app.components.text import chinese, with_language
from app.theme import font_stack
from attention_model import analysis
from attention_model.analysis import SoftmaxParts
from attention_model.errors import TraceError
from attention_model.trace import END_TOKEN, DecodingTrace, Intervention

STYLE = Path(__file__).with_suffix(".css")

MOST_COLUMNS = 9
"""Source tokens in the table of the exercise; of a longer sentence those with the largest weights, the rest as one."""

MOST_COMPONENTS = 4
"""States of at most so many components are printed, and their scores and context are worked out on paper."""

PRINTED_COLUMNS, PRINTED_ROWS = 14, 18
"""A larger map has squares in the place of numbers: the larger the weight, the larger the square."""

CELL_WIDTH, CELL_HEIGHT = 52, 30
NAMES_WIDTH = 76
"""In units of the drawing."""

MILLIMETRES = 0.3
"""How large a unit is on paper, at most; a large map is scaled to the sheet."""

DARK = 0.66
"""From this weight on a cell is dark, and its number white."""

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style data-chinese-font>{font}</style>
<style>
:root {{ --fonts: {fonts}; }}
{style}
</style>
</head>
<body>
<form class="bar"><button type="button" onclick="window.print()">Print</button>
<label><input type="checkbox" id="with-solution" checked> with the solution, on a page of its own</label></form>
{sheets}
</body>
</html>
"""


class _Exercise(NamedTuple):
    """What is asked about step t. shown: the source positions with a column of their own; the others are one."""

    trace: DecodingTrace
    t: int
    parts: SoftmaxParts
    shown: tuple[int, ...]

    @property
    def others(self) -> tuple[int, ...]:
        return tuple(i for i in range(len(self.trace.source_tokens)) if i not in self.shown)

    @property
    def has_states(self) -> bool:
        """Whether scores and context can be worked out on paper."""
        return self.trace.encoder_states.shape[1] <= MOST_COMPONENTS and not self.others

    @property
    def asks_scores(self) -> bool:
        """Whether the scores are asked for, too: a dot product needs nothing but the states."""
        edited = self.trace.intervention.replaced_scores
        return self.has_states and self.trace.scorer == "dot" and not any(step == self.t for step, *_ in edited)


def handout_html(trace: DecodingTrace, t: int) -> str:
    """The sheet as text, with an exercise about step t, counted from 0. Words come from people and cannot break out.

    Raises TraceError when the trace has no weights and when there is no such step.
    """
    if trace.weights is None or trace.scores is None:
        raise TraceError(f"There is nothing to print: the scorer {trace.scorer!r} has no weights. Choose another one.")
    if not 0 <= t < len(trace.target_tokens):
        raise TraceError(f"Step {t + 1} does not exist: there are {len(trace.target_tokens)}. Choose one of them.")
    temperature = trace.intervention.temperature
    parts = analysis.softmax_parts(trace.scores[t], temperature)
    largest = np.argsort(-parts.weights, kind="stable")[:MOST_COLUMNS]
    is_short = len(trace.source_tokens) <= MOST_COLUMNS
    shown = range(len(trace.source_tokens)) if is_short else sorted(largest[: MOST_COLUMNS - 1].tolist())
    exercise = _Exercise(trace, t, parts, tuple(shown))
    sheets = _sheet(exercise, is_solution=False) + "\n" + _sheet(exercise, is_solution=True)
    title = f"{trace.source_text or ' '.join(trace.source_tokens)} → {trace.translation}"
    return PAGE.format(
        title=html.escape(title),
        font=font_face(title + sheets),
        fonts=font_stack(),
        style=STYLE.read_text("utf-8"),
        sheets=sheets,
    )


def _sheet(exercise: _Exercise, *, is_solution: bool) -> str:
    head = (
        "Solution" if is_solution else '<span>Name <i class="line"></i></span> <span>Date <i class="line"></i></span>'
    )
    return (
        f'<article class="sheet{" solution" if is_solution else ""}">\n'
        f'<header><b>Attention on paper</b><span class="who">{head}</span></header>\n'
        f"{_sentence(exercise.trace)}\n"
        f"{_map(exercise, is_solution=is_solution)}\n"
        f"{_states(exercise)}\n{_numbers(exercise, is_solution=is_solution)}\n"
        f"{_questions(exercise, is_solution=is_solution)}\n"
        f"<footer>{_origin(exercise.trace)}</footer>\n</article>"
    )


def _sentence(trace: DecodingTrace) -> str:
    text = html.escape(trace.source_text or " ".join(trace.source_tokens))
    return f'<h1>{text} <span class="arrow">→</span> {chinese(trace.translation)}</h1>'


def _origin(trace: DecodingTrace) -> str:
    """Where the numbers come from, and that somebody changed them."""
    model = "states set by hand" if trace.checkpoint is None else f"checkpoint {html.escape(trace.checkpoint)}"
    changed = "" if trace.intervention == Intervention() else " · <b>changed by hand</b>"
    return f"Glanceback · {model} · scorer {html.escape(trace.scorer)} · {html.escape(trace.decoding)}{changed}"


def _map(exercise: _Exercise, *, is_solution: bool) -> str:
    """The weights, the row of the exercise left empty unless it is the solution."""
    trace, t = exercise.trace, exercise.t
    rows, columns = trace.weights.shape
    prints = columns <= PRINTED_COLUMNS and rows <= PRINTED_ROWS
    longest = max(map(len, trace.source_tokens))
    leans = longest * 9 > CELL_WIDTH
    top = 20 + min(longest, 16) * 7 if leans else 28
    width = NAMES_WIDTH + columns * CELL_WIDTH + (60 if leans else 1)
    height = top + rows * CELL_HEIGHT + 1
    heads = "".join(_head(token, i, top, leans=leans) for i, token in enumerate(trace.source_tokens))
    body = "".join(_row(trace, row, top, prints=prints, is_blank=row == t and not is_solution) for row in range(rows))
    marks = f'<path d="M2 {top + t * CELL_HEIGHT + 9} l9 6 l-9 6 z"/>'
    say = f"The map of weights: {rows} rows, {columns} columns"
    return (
        f'<svg class="map{"" if prints else " large"}" style="width: min(100%, {width * MILLIMETRES:.0f}mm)" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="{say}">'
        f"{heads}{body}{marks}</svg>"
    )


def _head(token: str, i: int, top: int, *, leans: bool) -> str:
    x = NAMES_WIDTH + (i + 0.5) * CELL_WIDTH
    place = f'transform="translate({x} {top - 8}) rotate(-40)"' if leans else f'x="{x}" y="{top - 9}"'
    return f'<text class="head{" leaning" if leans else ""}" {place}>{html.escape(token)}</text>'


def _row(trace: DecodingTrace, row: int, top: int, *, prints: bool, is_blank: bool) -> str:
    y = top + row * CELL_HEIGHT
    middle = y + CELL_HEIGHT / 2
    token = trace.target_tokens[row]
    word = "end" if token == END_TOKEN else html.escape(token)
    name = f'<text class="name" lang="zh-Hant" x="{NAMES_WIDTH - 12}" y="{middle + 7}">{word}</text>'
    number = f'<text class="number" x="16" y="{middle + 5}">{row + 1}</text>'
    cells = "".join(
        _cell(NAMES_WIDTH + i * CELL_WIDTH, y, None if is_blank else float(weight), prints=prints)
        for i, weight in enumerate(trace.weights[row])
    )
    return number + name + cells


def _cell(x: float, y: float, weight: float | None, *, prints: bool) -> str:
    frame = f'<rect class="cell" x="{x}" y="{y}" width="{CELL_WIDTH}" height="{CELL_HEIGHT}"'
    if weight is None:
        return f'{frame} fill="#FFFFFF"/>'
    if not prints:
        side = weight**0.5 * (CELL_HEIGHT - 4)
        left, top = x + (CELL_WIDTH - side) / 2, y + (CELL_HEIGHT - side) / 2
        return f'{frame} fill="#FFFFFF"/><rect x="{left:.2f}" y="{top:.2f}" width="{side:.2f}" height="{side:.2f}"/>'
    grey = round(255 - 205 * weight)
    colour = "#FFFFFF" if weight > DARK else "#000000"
    place = f'x="{x + CELL_WIDTH / 2}" y="{y + CELL_HEIGHT / 2 + 5}"'
    return (
        f'{frame} fill="rgb({grey}, {grey}, {grey})"/><text class="weight" {place} fill="{colour}">{weight:.2f}</text>'
    )


def _states(exercise: _Exercise) -> str:
    """The states, where they are few enough to reckon with."""
    if not exercise.has_states:
        return ""
    trace, t = exercise.trace, exercise.t
    words = map(with_language, trace.source_tokens)
    rows = list(zip(words, trace.encoder_states, strict=True))
    rows.append((f"query: {_token(trace.target_tokens[t])}", trace.decoder_states[t]))
    body = "".join(f'<tr><th scope="row">{name}</th>{_cells(map(_exact, state))}</tr>' for name, state in rows)
    return f'<table class="states"><caption>The states, and the query that asks</caption><tbody>{body}</tbody></table>'


def _numbers(exercise: _Exercise, *, is_solution: bool) -> str:
    """Score, exponential and weight of each source token; what is asked for is blank unless it is the solution."""
    trace, parts, shown, others = exercise.trace, exercise.parts, exercise.shown, exercise.others
    heads = [with_language(trace.source_tokens[i]) for i in shown] + (["all others"] if others else []) + ["sum"]
    scores = [_score(trace.scores[exercise.t][i]) for i in shown] + [""] * (1 + bool(others))
    rest = [f"{parts.exponentials[list(others)].sum():.3f}"] if others else []
    exponentials = [f"{parts.exponentials[i]:.3f}" for i in shown]
    weights = [f"{parts.weights[i]:.2f}" for i in shown]
    rest_weight = [f"{parts.weights[list(others)].sum():.2f}"] if others else []
    blanks = [""] * len(shown)
    scaled = "" if trace.intervention.temperature == 1 else f", divided by {trace.intervention.temperature:g}"
    largest = "the largest" if exercise.asks_scores and not is_solution else _number(parts.largest)
    if is_solution:
        rows = (scores, [*exponentials, *rest, f"{parts.total:.3f}"], [*weights, *rest_weight, "1.00"])
    else:
        asked = [*blanks, *scores[len(shown) :]] if exercise.asks_scores else scores
        rows = (asked, [*blanks, *rest, ""], [*blanks, *([""] if others else []), ""])
    names = (f"score{scaled}", f"exp(score − {largest})", "weight = exp / sum")
    body = "".join(f'<tr><th scope="row">{name}</th>{_cells(row)}</tr>' for name, row in zip(names, rows, strict=True))
    head = "".join(f'<th scope="col">{one}</th>' for one in heads)
    caption = f"Step {exercise.t + 1}, {_token(trace.target_tokens[exercise.t])}"
    return (
        f'<table class="numbers"><caption>{caption}</caption><thead><tr><td></td>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


def _questions(exercise: _Exercise, *, is_solution: bool) -> str:
    trace, t, parts = exercise.trace, exercise.t, exercise.parts
    token, (m, n) = _token(trace.target_tokens[t]), trace.scores.shape
    blank = '<i class="blank"></i>'

    def answer(value: str) -> str:
        return f"<b>{value}</b>" if is_solution else blank

    looks = with_language(trace.source_tokens[int(parts.weights.argmax())])
    items = []
    if exercise.asks_scores:
        items.append("Multiply the query with each state, component by component, and add up: these are the scores.")
    items += [
        "Fill in the exponentials, their sum, and the weights with two decimals. What do the weights add up to? "
        + answer("1"),
        f"Shade the empty row of the map by your weights. Which word does {token} look at most? {answer(looks)}",
    ]
    if exercise.has_states:
        context = parts.weights @ trace.encoder_states.astype(np.float64)
        values = ", ".join(f"{_number(one)}" for one in context) if is_solution else ""
        count = len(context)
        blanks = f"({', '.join([blank] * count)})"
        items.append(f"Mix the states by the weights. The context is {f'<b>({values})</b>' if is_solution else blanks}")
    items.append(
        "How many scores does this sentence take, one for each pair of a source and a target token? "
        f"{answer(str(n))} × {answer(str(m))} = {answer(f'{n * m:,}')}"
    )
    return f"<ol>{''.join(f'<li>{item}</li>' for item in items)}</ol>{_hint(exercise, is_solution=is_solution)}"


def _hint(exercise: _Exercise, *, is_solution: bool) -> str:
    """How exact the answers are, and that the map has another row where somebody set its weights."""
    hints = []
    if is_solution:
        hints.append("Computed with unrounded scores; with rounded ones the last digit may differ by one.")
    if any(step == exercise.t for step, _ in exercise.trace.intervention.replaced_weights):
        hints.append("The weights of this step were set by hand; the table shows what the softmax gives.")
    return f'<p class="hint">{" ".join(hints)}</p>' if hints else ""


def _token(token: str) -> str:
    return "the end" if token == END_TOKEN else chinese(token)


def _cells(texts: Sequence[str]) -> str:
    return "".join(f"<td>{text}</td>" for text in texts)


def _score(score: float) -> str:
    return _number(score) if np.isfinite(score) else "hidden"


def _number(value: float) -> str:
    """Two decimals, with a true minus sign."""
    return f"{value:.2f}".replace("-0.00", "0.00").replace("-", "−")


def _exact(value: float) -> str:
    """A number of a state as short as it is."""
    return f"{value:.4g}".replace("-", "−")
