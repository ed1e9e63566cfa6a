"""What a person typed as an answer, read as a number, a whole number or a shape.

It knows no exercise. Decimals may have a point or a comma, fractions are numbers too, and so are the wide digits that a
Chinese keyboard gives.
"""

import re
from typing import NamedTuple

from attention_model.errors import AnswerError

LONGEST_ANSWER = 40
"""In characters; nothing that is asked for needs more."""

_DECIMAL = r"[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d{1,2})?"
_NUMBER = re.compile(rf"({_DECIMAL})(?:\s*/\s*({_DECIMAL}))?", re.ASCII)
_WHOLE = re.compile(r"\d+|\d{1,3}(?:([., '’])\d{3})(?:\1\d{3})*", re.ASCII)
_SHAPE = re.compile(r"(\d+)\s*(?:[×⨯✕x*,;·]|by)\s*(\d+)", re.ASCII | re.IGNORECASE)
_DECIMALS = re.compile(r"[.,](\d*)", re.ASCII)
_AS_TYPED = str.maketrans("−–", "--") | {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
"""Other signs for minus, and the wide forms of ASCII, as ASCII."""


class ReadNumber(NamedTuple):
    """A number as it was typed. decimals: how many digits stand behind the point; None for a fraction."""

    value: float
    decimals: int | None


def read_number(text: str) -> ReadNumber:
    """The number that a text is: 0.5, 0,5, −2, 1/2. Raises AnswerError, with a sentence, for anything else."""
    typed = _typed(text, "a number")
    found = _NUMBER.fullmatch(typed)
    if found is None:
        raise AnswerError(
            f"{_quoted(text)} is not a number. Write one with digits, such as 3, −0.5, 0,5 or 1/2{_percent(typed)}."
        )
    above, below = (None if part is None else float(part.replace(",", ".")) for part in found.groups())
    if below is None:
        decimals = _DECIMALS.search(typed)
        return ReadNumber(above, len(decimals.group(1)) if decimals else 0)
    if below == 0:
        raise AnswerError(f"{_quoted(text)} divides by 0, which gives no number. Write another fraction.")
    return ReadNumber(above / below, None)


def read_whole(text: str) -> int:
    """The whole number, 0 or more, that a text is, also one such as 24.0 or 48/2; thousands may be set apart.

    Raises AnswerError for anything else.
    """
    typed = _typed(text, "a whole number")
    if _WHOLE.fullmatch(typed):
        return int(re.sub(r"\D", "", typed))
    value = read_number(text).value if _NUMBER.fullmatch(typed) else -1.0
    if value < 0 or not value.is_integer():
        raise AnswerError(f"{_quoted(text)} is not a whole number from 0 on. Write one with digits alone, such as 24.")
    return int(value)


def read_shape(text: str, axes: int) -> tuple[int, ...]:
    """The shape that a text is: "3 × 4", "3x4" or "3, 4" for a matrix (2 axes), "3" for a vector (1 axis).

    A vector may be written as a column or a row, "3 × 1" or "1 × 3". Raises AnswerError for anything else.
    """
    wanted = "rows × columns, such as 3 × 4" if axes == 2 else "one whole number, such as 3"
    typed = _typed(text, wanted).strip("()[] ").removesuffix(",").rstrip()  # a vector in Python is (3,)
    matrix, vector = _SHAPE.fullmatch(typed), re.fullmatch(r"\d+", typed, re.ASCII)
    if axes == 2 and matrix:
        return int(matrix.group(1)), int(matrix.group(2))
    if axes == 1 and vector:
        return (int(typed),)
    if axes == 1 and matrix and "1" in matrix.groups():
        return (max(map(int, matrix.groups())),)
    if axes == 2 and vector:
        raise AnswerError(f"{_quoted(text)} is one number, and a matrix has two: write {wanted}.")
    if axes == 1 and matrix:
        raise AnswerError(f"{_quoted(text)} is the shape of a matrix, and a vector has one number: write {wanted}.")
    raise AnswerError(f"{_quoted(text)} is not a shape. Write {wanted}, in digits.")


def _typed(text: str, wanted: str) -> str:
    """The text in ASCII without spaces around it. Raises AnswerError for nothing, or far too much."""
    typed = text.strip().translate(_AS_TYPED)
    if not typed:
        raise AnswerError(f"Nothing is typed here yet. Write {wanted}.")
    if len(typed) > LONGEST_ANSWER:
        raise AnswerError(
            f"This answer has {len(typed)} characters, and at most {LONGEST_ANSWER} are read. Write {wanted}."
        )
    return typed


def _quoted(text: str) -> str:
    return f"“{text.strip()}”"


def _percent(typed: str) -> str:
    return "; for 47 % write 0.47" if typed.endswith("%") else ""
