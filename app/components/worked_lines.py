"""The arithmetic of a step as HTML: one line a result, its products one by one, rounded for show only.

It writes what `arithmetic` found in the symbols of a notation, and computes nothing. A number that is shown rounded has
its exact value on hover; "≈" stands before it, "=" before one that is shown whole.
"""

import html
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from app.components.text import chinese
from app.notation import Notation, symbol_html
from attention_model.analysis import SoftmaxParts
from attention_model.arithmetic import Products, ScoreLines, StepArithmetic

STYLE = Path(__file__).with_suffix(".css")

DECIMALS = 3
SMALLEST = 0.0005
"""A number of smaller size, other than 0, is written with a power of ten."""

WHOLE = 1e-12
"""A number that differs from its rounding by less than this share was meant to be that rounding."""

OPENED_LINES = 12
"""The additive scorer's lines of a state stand open when all states have at most this many, else only the first's."""

_CHINESE = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff]")


class WorkedPart(NamedTuple):
    """One of the five parts, written out. title: plain words. body: safe HTML."""

    title: str
    body: str


def worked_parts(
    arithmetic: StepArithmetic, notation: Notation, source_tokens: Sequence[str], t: int, temperature: float = 1.0
) -> tuple[WorkedPart, ...]:
    """The parts that there are, in order: score, softmax, blend, and output and prediction where they exist."""
    parts = [
        WorkedPart("1 · Score", _score(arithmetic, notation, source_tokens, t)),
        WorkedPart("2 · Softmax", _softmax(arithmetic, notation, source_tokens, t, temperature)),
        WorkedPart("3 · Blend", _blend(arithmetic, notation, t)),
    ]
    if arithmetic.output is not None:
        parts.append(WorkedPart("4 · Attention output", _output(arithmetic, notation, t)))
    if arithmetic.prediction is not None:
        parts.append(WorkedPart("5 · Prediction", _prediction(arithmetic, notation)))
    return tuple(parts)


def shown_number(value: float) -> str:
    """A number for show: whole where it is short, else three decimals, very small ones with a power of ten."""
    rounded = _rounded(value)
    if rounded is not None:
        return _signed(f"{rounded:.{DECIMALS}f}".rstrip("0").rstrip("."))
    if abs(value) < SMALLEST:
        digits, exponent = f"{value:.2e}".split("e")
        return f"{_signed(digits)}·10^{{{_signed(str(int(exponent)))}}}"
    return _signed(f"{value:.{DECIMALS}f}")


def _rounded(value: float) -> float | None:
    """The number with three decimals where that is the number itself, else None."""
    rounded = round(value, DECIMALS) + 0.0  # never -0
    return rounded if abs(value - rounded) <= WHOLE * max(1.0, abs(value)) else None


def _signed(text: str) -> str:
    return text.replace("-", "−")


def _number(value: float) -> str:
    """The number as HTML; the exact value on hover where it is rounded."""
    shown = symbol_html(shown_number(value))
    return shown if _rounded(value) is not None else f'<span title="{_signed(repr(value))}">{shown}</span>'


def _factor(value: float) -> str:
    """A number inside a product, a negative one in brackets."""
    return f"({_number(value)})" if shown_number(value).startswith("−") else _number(value)


def _equals(value: float) -> str:
    """The result at the end of a line, kept together with its sign."""
    sign = "=" if _rounded(value) is not None else "≈"
    return f'<span class="term">{sign} <b>{_number(value)}</b></span>'


def _word(token: str) -> str:
    return chinese(token) if _CHINESE.search(token) else html.escape(token)


def _line(label: str, *terms: str) -> str:
    return f'<div class="line"><span class="term label">{label}</span> {" ".join(terms)}</div>'


def _terms(texts: Iterable[str]) -> str:
    """Summands, each kept together with the plus sign before it, so that a long sum breaks between them only."""
    return " ".join(f'<span class="term">{"+ " if at else ""}{text}</span>' for at, text in enumerate(texts))


def _product_line(label: str, products: Products, *, right_first: bool = False) -> str:
    factors = ((right, left) if right_first else (left, right) for left, right in products.factors)
    summands = (f"{_factor(one)}·{_factor(other)}" for one, other in factors)
    return _line(label, _terms(summands), _equals(products.total))


def _formula(text: str) -> str:
    return f'<p class="worked-formula">{symbol_html(text)}</p>'


def _say(text: str) -> str:
    """A sentence; `text` is HTML."""
    return f'<p class="worked-say">{text}</p>'


def _vector(values: Iterable[float]) -> str:
    return f"[{', '.join(_number(value) for value in values)}]"


def _score(arithmetic: StepArithmetic, notation: Notation, tokens: Sequence[str], t: int) -> str:
    parts = [_formula(notation.formulas["score"][arithmetic.scorer])]
    if arithmetic.query:
        symbol = notation.query_with_score_weight
        if arithmetic.scorer == "additive":
            symbol = f"{notation.query_weight} {notation.query}"
        name = symbol_html(notation.at(symbol, t))
        parts.append(_say(f"First {name}, once for all words, a row of the matrix at a time:"))
        parts += [_product_line(f"{name}, row {row}", line) for row, line in enumerate(arithmetic.query, start=1)]
        parts.append(_say("Then the score of each word:"))
    is_open = len(tokens) * len(arithmetic.query) <= OPENED_LINES
    for i, (token, lines) in enumerate(zip(tokens, arithmetic.scores, strict=True)):
        label = f"{symbol_html(notation.at(notation.score, t, i))} {_of(token)}"
        result = _product_line(label, lines.products, right_first=notation.query_first and not lines.key)
        if lines.key:
            inner = _additive_lines(lines, arithmetic.query, notation, t, i)
            result = f"<details{' open' if is_open or i == 0 else ''}><summary>{result}</summary>{inner}</details>"
        parts.append(result)
        if lines.edited is not None:
            parts.append(
                _say(f"{_of(token)} Set by hand: <b>{_number(lines.edited)}</b> takes the place of this score.")
            )
    return "".join(parts)


def _of(token: str) -> str:
    return f'<span class="word">{_word(token)}</span>'


def _additive_lines(lines: ScoreLines, query: Sequence[Products], notation: Notation, t: int, i: int) -> str:
    """W₁h row by row, added to W₂s, and the tanh of the sums."""
    name = symbol_html(notation.at(f"{notation.key_weight} {notation.key}", t, i))
    parts = [_product_line(f"{name}, row {row}", line) for row, line in enumerate(lines.key, start=1)]
    for row, (key, asked, total, value) in enumerate(
        zip(lines.key, query, lines.sums, lines.tanh, strict=True), start=1
    ):
        summed = _terms((_factor(key.total), _factor(asked.total)))
        tanh = f'<span class="term">tanh({_number(total)}) {_sign(value)} {_number(value)}</span>'
        parts.append(_line(f"row {row}", f'{summed} <span class="term">{_sign(total)} {_number(total)},</span>', tanh))
    return "".join(parts)


def _sign(value: float) -> str:
    return "=" if _rounded(value) is not None else "≈"


def _softmax(arithmetic: StepArithmetic, notation: Notation, tokens: Sequence[str], t: int, temperature: float) -> str:
    parts = arithmetic.softmax
    is_heated = temperature != 1
    lines = [_formula(notation.formulas["softmax_with_temperature" if is_heated else "softmax"])]
    what = "score"
    if is_heated:
        what = "quotient"
        lines.append(_say(f"Each score is divided by the temperature {_number(temperature)} first."))
    lines.append(_subtraction(what, parts.largest))
    lines += _exponential_lines([_of(token) for token in tokens], parts)
    labels = [f"{symbol_html(notation.at(notation.weight, t, i))} {_of(token)}" for i, token in enumerate(tokens)]
    lines += _division_lines(labels, parts)
    if arithmetic.edited_row is not None:
        lines += _edited_lines(arithmetic, tokens)
    return "".join(lines)


def _subtraction(what: str, largest: float) -> str:
    return _say(
        f"The largest {what}, {_number(largest)}, is subtracted from all: this changes no result, "
        "and no exponential can become too large."
    )


def _exponential_lines(labels: Sequence[str], parts: SoftmaxParts) -> list[str]:
    """exp of each score minus the largest, and their sum."""
    lines = [
        _line(
            label,
            f'<span class="term">exp({_number(scaled)} − {_factor(parts.largest)})</span>',
            f'<span class="term">{_sign(shifted)} exp({_number(shifted)})</span>',
            _equals(exponential),
        )
        for label, scaled, shifted, exponential in zip(
            labels, parts.scaled.tolist(), parts.shifted.tolist(), parts.exponentials.tolist(), strict=True
        )
    ]
    return [*lines, _line("Σ =", _terms(_number(value) for value in parts.exponentials.tolist()), _equals(parts.total))]


def _division_lines(labels: Sequence[str], parts: SoftmaxParts) -> list[str]:
    return [
        _line(label, f'<span class="term">{_number(exponential)} / {_number(parts.total)}</span>', _equals(weight))
        for label, exponential, weight in zip(labels, parts.exponentials.tolist(), parts.weights.tolist(), strict=True)
    ]


def _edited_lines(arithmetic: StepArithmetic, tokens: Sequence[str]) -> list[str]:
    """How the weights that were not set by hand share what is left."""
    row = arithmetic.edited_row
    others = sum(not line.is_set for line in row.lines)
    how = "in proportion to these weights" if row.shared > 0 else "equally, as these weights are 0"
    said = f"The others share what is left, {_number(row.left)}, {how}:" if others else "No other word is left."
    lines = [_say(f"Weights were set by hand. {said}")]
    for token, line in zip(tokens, row.lines, strict=True):
        if line.is_set:
            term = '<span class="term">set by hand</span>'
        elif row.shared > 0:
            term = f'<span class="term">{_number(line.computed)} · {_number(row.left)} / {_number(row.shared)}</span>'
        else:
            term = f'<span class="term">{_number(row.left)} / {others}</span>'
        lines.append(_line(_of(token), term, _equals(line.weight)))
    return lines


def _blend(arithmetic: StepArithmetic, notation: Notation, t: int) -> str:
    name = symbol_html(notation.at(notation.context, t))
    lines = [
        _product_line(f"{name}, component {number}", line) for number, line in enumerate(arithmetic.context, start=1)
    ]
    total = _line(f"{name} =", f"<b>{_vector(line.total for line in arithmetic.context)}</b>")
    return "".join([_formula(notation.formulas["blend"]), *lines, total])


def _output(arithmetic: StepArithmetic, notation: Notation, t: int) -> str:
    output = arithmetic.output
    joined = symbol_html(notation.at(f"[{notation.context}; {notation.query}]", t))
    lines = [_formula(notation.formulas["output"]), _line(f"{joined} =", _vector(output.joined))]
    for row, (line, value) in enumerate(zip(output.products, output.values, strict=True), start=1):
        lines.append(_product_line(f"row {row}", line))
        lines.append(_line("", f'<span class="term">tanh({_number(line.total)})</span>', _equals(value)))
    lines.append(_line(f"{symbol_html(notation.at(notation.output, t))} =", f"<b>{_vector(output.values)}</b>"))
    return "".join(lines)


def _prediction(arithmetic: StepArithmetic, notation: Notation) -> str:
    prediction = arithmetic.prediction
    labels = [_of(word) for word in prediction.words]
    lines = [_formula(notation.formulas["prediction"])]
    lines += [_product_line(label, line) for label, line in zip(labels, prediction.products, strict=True)]
    lines.append(_subtraction("product", prediction.softmax.largest))
    lines += _exponential_lines(labels, prediction.softmax)
    lines += _division_lines([f"P({label})" for label in labels], prediction.softmax)
    return "".join(lines)
