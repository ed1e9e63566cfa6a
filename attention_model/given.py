"""A calculation by hand: states, a scorer with its parameters, and changes, as a person gave them.

Everything is checked when it is made, so that what exists can be computed with. Knows no torch and computes nothing.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, Self

import numpy as np
import orjson
from jaxtyping import Float

from attention_model.errors import GivenError
from attention_model.trace import HIGHEST_TEMPERATURE, LOWEST_TEMPERATURE

MOST_STATES = 12
"""The most encoder states, and the most queries."""

MOST_DIMENSIONS = 16
"""The most components of any vector: of a state, of the additive scorer's hidden layer, of the attention output."""

MOST_WORDS = 50
"""The most words of a vocabulary given by hand."""

MOST_CHARACTERS = 60
"""The longest title and the longest word."""

LARGEST_ENTRY = 1e6
"""The largest size of any number given by hand."""

WEIGHT_TOLERANCE = 1e-6
"""How far a row of weights that are all set by hand may be from the sum 1."""

GIVEN_SCORERS = ("dot", "multiplicative", "additive")

GIVEN_KIND, GIVEN_FORMAT = "by hand", 1
"""What every saved calculation says it is; a file that says something else is refused."""

Numbers = np.ndarray | Sequence[Any]
"""What a table of numbers may be given as; it is kept as a read-only float64 array."""

Edit = tuple[int, int, float]
"""(step, source position, value), both counted from 0."""

TABLES = {
    "encoder_states": "the encoder states",
    "decoder_states": "the queries",
    "score_weight": "W",
    "key_weight": "W₁",
    "query_weight": "W₂",
    "score_vector": "v",
    "output_weight": "W_out",
    "vocabulary_weight": "V",
}
"""The fields that hold numbers, and what people call them."""

OPTIONAL_TABLES = ("output_weight", "vocabulary_weight")

LISTS = ("source_tokens", "target_tokens", "vocabulary", "edited_scores", "edited_weights")
"""The fields that hold words or edits."""

_ROWS_AND_COLUMNS = {
    "score_weight": ("d_h", "d_s"),
    "key_weight": ("k", "d_h"),
    "query_weight": ("k", "d_s"),
    "score_vector": ("k",),
    "output_weight": ("d_o", "d_h + d_s"),
    "vocabulary_weight": ("words", "d_o"),
}

RESTORE = "Choose a file saved on this page."


class ScorerParameters(NamedTuple):
    """The numbers that a scorer has learned or was given; None where it has none of that kind.

    score_weight: W of the multiplicative scorer. key_weight, query_weight, score_vector: W₁, W₂ and v of the additive.
    """

    score_weight: Float[np.ndarray, "d_h d_s"] | None = None
    key_weight: Float[np.ndarray, "k d_h"] | None = None
    query_weight: Float[np.ndarray, "k d_s"] | None = None
    score_vector: Float[np.ndarray, " k"] | None = None

    @property
    def size(self) -> int:
        """How many numbers they are."""
        return sum(array.size for array in self if array is not None)


@dataclass(frozen=True, eq=False)
class GivenStates:
    """What a calculation by hand starts from; see the module's text. n source tokens, m queries.

    title: what the calculation is called. source_tokens: n names. target_tokens: m names, one a query.
    encoder_states: h, n × d_h. decoder_states: s, the queries, m × d_s.
    scorer: dot, multiplicative or additive. Its parameters, and those of the others, so that it can be switched:
    score_weight: W, d_h × d_s. key_weight: W₁, k × d_h. query_weight: W₂, k × d_s. score_vector: v, k.
    output_weight: W_out, d_o × (d_h + d_s); without it nothing follows the context.
    vocabulary, vocabulary_weight: the words and V, words × d_o; without them nothing follows the attention output.
    temperature: the scores are divided by it.
    edited_scores: these scores stand in the place of the computed ones, before the softmax.
    edited_weights: these positions get this weight; the rest of the row shares what is left in proportion to the
        computed weights, or equally where those are all 0.

    Tables may be given as lists; they are kept as read-only float64 arrays.
    Raises GivenError for anything that cannot be computed with. Only a dot product of states of different sizes may be
    held, so that the scorer can be switched; it is refused when it is computed.
    """

    title: str
    source_tokens: tuple[str, ...]
    target_tokens: tuple[str, ...]
    encoder_states: Numbers
    decoder_states: Numbers
    scorer: str
    score_weight: Numbers
    key_weight: Numbers
    query_weight: Numbers
    score_vector: Numbers
    output_weight: Numbers | None = None
    vocabulary: tuple[str, ...] | None = None
    vocabulary_weight: Numbers | None = None
    temperature: float = 1.0
    edited_scores: tuple[Edit, ...] = ()
    edited_weights: tuple[Edit, ...] = ()

    def __post_init__(self) -> None:
        """Make the tables arrays and refuse whatever cannot be computed with."""
        for name, called in TABLES.items():
            value = getattr(self, name)
            if value is not None or name not in OPTIONAL_TABLES:
                axes = 1 if name == "score_vector" else 2
                object.__setattr__(self, name, read_table(value, called, axes))
        _check(self)

    @property
    def d_h(self) -> int:
        """Components of an encoder state."""
        return self.encoder_states.shape[1]

    @property
    def d_s(self) -> int:
        """Components of a query."""
        return self.decoder_states.shape[1]

    @property
    def k(self) -> int:
        """Width of the additive scorer's hidden layer."""
        return self.score_vector.shape[0]

    @property
    def scorer_parameters(self) -> ScorerParameters:
        """The parameters that the chosen scorer uses."""
        if self.scorer == "multiplicative":
            return ScorerParameters(score_weight=self.score_weight)
        if self.scorer == "additive":
            return ScorerParameters(None, self.key_weight, self.query_weight, self.score_vector)
        return ScorerParameters()

    def to_json(self) -> bytes:
        """UTF-8 JSON. Every number is written with the fewest digits that give back the same number."""
        document: dict[str, Any] = {"kind": GIVEN_KIND, "format": GIVEN_FORMAT}
        document |= {field.name: getattr(self, field.name) for field in fields(self)}
        return orjson.dumps(document, option=orjson.OPT_SERIALIZE_NUMPY)

    @classmethod
    def from_json(cls, text: bytes | str) -> Self:
        """Read what `to_json` wrote, exactly.

        Raises GivenError when the text is not JSON, is something else or of another format, lacks a part, has one too
        many, or holds what `GivenStates` refuses.
        """
        return cls(**_read_document(text))

    @classmethod
    def blank(cls, source: int, target: int, d_h: int, d_s: int, k: int) -> Self:
        """All zeros, W with ones on its diagonal. Raises GivenError when a size is out of range."""
        for called, size, most in (
            ("source states", source, MOST_STATES),
            ("queries", target, MOST_STATES),
            ("components of a state (d_h)", d_h, MOST_DIMENSIONS),
            ("components of a query (d_s)", d_s, MOST_DIMENSIONS),
            ("rows of W₁ and W₂ (k)", k, MOST_DIMENSIONS),
        ):
            if not 1 <= size <= most:
                raise GivenError(
                    f"The number of {called} is {size}, and a whole number from 1 to {most} is wanted. Choose another."
                )
        return cls(
            title="Blank",
            source_tokens=tuple(f"word {i + 1}" for i in range(source)),
            target_tokens=tuple(f"step {t + 1}" for t in range(target)),
            encoder_states=np.zeros((source, d_h)),
            decoder_states=np.zeros((target, d_s)),
            scorer="dot" if d_h == d_s else "multiplicative",
            score_weight=np.eye(d_h, d_s),
            key_weight=np.zeros((k, d_h)),
            query_weight=np.zeros((k, d_s)),
            score_vector=np.zeros(k),
        )


def read_table(values: Numbers, called: str, axes: int = 2) -> np.ndarray:
    """A table (2 axes) or a vector (1 axis) as a read-only float64 array; `called` is its name in errors.

    Raises GivenError that names the row and the column of a cell that is empty, not a number, not finite or larger in
    size than LARGEST_ENTRY, and when there is nothing or the rows differ in length.
    """
    if isinstance(values, np.ndarray):
        values = values.tolist() if values.ndim else [values.item()]
    rows = values if axes == 2 else [values]
    if not _is_list(values) or not all(_is_list(row) for row in rows):
        wanted = "rows of numbers are" if axes == 2 else "one row of numbers is"
        raise GivenError(f"{_capital(called)} should be a table, and {wanted} wanted. Type it again.")
    lengths = [len(row) for row in rows]
    if not lengths or not lengths[0]:
        raise GivenError(f"There are no numbers in {called}; at least one row and one column are wanted. Add one.")
    for number, length in enumerate(lengths, start=1):
        if length != lengths[0]:
            raise GivenError(
                f"The rows of {called} differ in length: row 1 has {lengths[0]} numbers and row {number} has {length}. "
                "Make them equally long."
            )
    array = np.array(
        [
            [_number(cell, _cell(called, row, column, axes)) for column, cell in enumerate(cells, start=1)]
            for row, cells in enumerate(rows, start=1)
        ],
        dtype=np.float64,
    )
    array = array if axes == 2 else array[0]
    array.flags.writeable = False
    return array


def _number(value: Any, where: str) -> float:
    """One number in range. `where` begins the text of an error."""
    wanted = f"a number from {-LARGEST_ENTRY:,.0f} to {LARGEST_ENTRY:,.0f} is wanted"
    if value is None or (isinstance(value, str) and not value.strip()):
        raise GivenError(f"{where} is empty, and {wanted}. Type one.")
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise GivenError(f"{where} is {_short(value)}, and {wanted}. Type one.")
    # Compared before it becomes a float: a whole number may be too large to be one. Only nan differs from itself.
    if not abs(value) <= LARGEST_ENTRY:
        found = "not a number (nan)" if value != value else _short(value)
        raise GivenError(f"{where} is {found}, and {wanted}. Type one in that range.")
    return float(value)


def _check(given: GivenStates) -> None:
    """Raise GivenError when the parts are out of range or do not fit together."""
    for name in LISTS:
        value = getattr(given, name)
        if not isinstance(value, tuple) and not (name == "vocabulary" and value is None):
            raise GivenError(f"{name} is {_short(value)}, and a list is wanted. {RESTORE}")
    _check_text(given.title, "The title")
    if given.scorer not in GIVEN_SCORERS:
        raise GivenError(f"The scorer is {_short(given.scorer)}, and one of {', '.join(GIVEN_SCORERS)} is wanted.")
    for name, called, tokens, one in (
        ("encoder_states", "source words", given.source_tokens, "source word"),
        ("decoder_states", "target words", given.target_tokens, "target word"),
    ):
        _check_count(len(getattr(given, name)), MOST_STATES, TABLES[name], "rows")
        _check_count(getattr(given, name).shape[1], MOST_DIMENSIONS, TABLES[name], "columns")
        if len(tokens) != len(getattr(given, name)):
            raise GivenError(
                f"There are {len(tokens)} {called}, and {TABLES[name]} have {len(getattr(given, name))} rows. "
                "Give one name a row."
            )
        _check_words(tokens, one)
    _check_count(given.k, MOST_DIMENSIONS, TABLES["score_vector"], "numbers")
    _check_after_context(given)
    _check_sizes(given)
    if not LOWEST_TEMPERATURE <= _number(given.temperature, "The temperature") <= HIGHEST_TEMPERATURE:
        raise GivenError(
            f"The temperature is {_short(given.temperature)}, and a number from {LOWEST_TEMPERATURE} to "
            f"{HIGHEST_TEMPERATURE:.0f} is wanted. 1 changes nothing."
        )
    _check_edits(given, given.edited_scores, "score")
    _check_edits(given, given.edited_weights, "weight")
    _check_edited_rows(given)


def _check_after_context(given: GivenStates) -> None:
    """What follows the context: W_out alone, or W_out with V and the words of its rows."""
    if (given.vocabulary is None) != (given.vocabulary_weight is None):
        missing = "words" if given.vocabulary is None else "V"
        raise GivenError(f"A prediction needs both V and one word for each of its rows; found no {missing}. Give both.")
    if given.vocabulary_weight is not None and given.output_weight is None:
        raise GivenError("V is given without W_out, and a prediction needs both. Give W_out, or take V away.")
    if given.output_weight is not None:
        _check_count(len(given.output_weight), MOST_DIMENSIONS, TABLES["output_weight"], "rows")
    if given.vocabulary is not None:
        _check_count(len(given.vocabulary), MOST_WORDS, "the vocabulary", "words")
        _check_words(given.vocabulary, "word of the vocabulary")
        twice = next((word for word in given.vocabulary if given.vocabulary.count(word) > 1), None)
        if twice is not None:
            raise GivenError(f"The vocabulary holds {twice!r} twice, and each word once is wanted. Take one away.")


def _check_sizes(given: GivenStates) -> None:
    """Every matrix fits the vectors that it multiplies."""
    sizes = {
        "d_h": given.d_h,
        "d_s": given.d_s,
        "k": given.k,
        "d_h + d_s": given.d_h + given.d_s,
        "d_o": 0 if given.output_weight is None else len(given.output_weight),
        "words": 0 if given.vocabulary is None else len(given.vocabulary),
    }
    for name, axes in _ROWS_AND_COLUMNS.items():
        table = getattr(given, name)
        if table is not None and table.shape != tuple(sizes[axis] for axis in axes):
            found = " × ".join(str(size) for size in table.shape)
            wanted = " × ".join(str(sizes[axis]) for axis in axes)
            named = " × ".join(f"({axis})" if "+" in axis else axis for axis in axes)
            raise GivenError(f"{TABLES[name]} is {found}, and {wanted} is wanted ({named}). Change its size.")


def _check_edits(given: GivenStates, edits: tuple[Edit, ...], noun: str) -> None:
    """Each edit stands in a cell that exists, in one cell only once, and has a value in range."""
    seen = set()
    for edit in edits:
        if not isinstance(edit, tuple) or len(edit) != 3:
            raise GivenError(f"A {noun} set by hand is a step, a position and a value; found {_short(edit)}.")
        step, position, value = edit
        for number, called, count in (
            (step, "step", len(given.target_tokens)),
            (position, "source position", len(given.source_tokens)),
        ):
            if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < count:
                raise GivenError(
                    f"A {noun} is set by hand at {called} {_short(number)}, and there are {count}, counted from 0. "
                    "Take it back."
                )
        where = f"The {noun} of {given.source_tokens[position]!r} at step {step + 1}"
        if (step, position) in seen:
            raise GivenError(f"{where} is set by hand twice, and once is wanted. Take one back.")
        seen.add((step, position))
        checked = _number(value, where)
        if noun == "weight" and not 0 <= checked <= 1:
            raise GivenError(f"{where} is {_short(checked)}, and a number from 0 to 1 is wanted. Type one.")


def _check_edited_rows(given: GivenStates) -> None:
    """The weights set by hand in a row leave room for the rest, or are the whole of 1."""
    for step in sorted({step for step, _, _ in given.edited_weights}):
        weights = [value for one, _, value in given.edited_weights if one == step]
        total = math.fsum(weights)
        is_whole_row = len(weights) == len(given.source_tokens)
        if total > 1 + WEIGHT_TOLERANCE or (is_whole_row and total < 1 - WEIGHT_TOLERANCE):
            wanted = (
                "exactly 1 is wanted, as no other word is left to take the rest"
                if is_whole_row
                else "at most 1 is wanted"
            )
            raise GivenError(
                f"The weights set by hand at step {step + 1} sum to {total:.6g}, and {wanted}. "
                "Change one, or take one back."
            )


def _check_count(count: int, most: int, called: str, unit: str) -> None:
    if count > most:
        raise GivenError(f"There are {count} {unit} in {called}, and at most {most} are wanted. Take some away.")


def _check_words(words: tuple[str, ...], one: str) -> None:
    for number, word in enumerate(words, start=1):
        _check_text(word, f"The {one} {number}")


def _check_text(text: Any, where: str) -> None:
    """`where` begins the text of an error."""
    if not isinstance(text, str):
        raise GivenError(f"{where} is {_short(text)}, and text is wanted. Type it again.")
    if not text.strip():
        raise GivenError(f"{where} is empty, and at least one character is wanted. Type a name.")
    if len(text) > MOST_CHARACTERS:
        raise GivenError(f"{where} has {len(text)} characters, and at most {MOST_CHARACTERS} are wanted. Shorten it.")


def _read_document(text: bytes | str) -> dict[str, Any]:
    """The fields of a saved calculation, lists of words and edits as tuples."""
    try:
        document = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise GivenError(f"This is not a saved calculation: it is not JSON ({error}). {RESTORE}") from None
    if not isinstance(document, dict) or document.pop("kind", None) != GIVEN_KIND:
        raise GivenError(f"This file holds no calculation by hand. {RESTORE}")
    found = document.pop("format", None)
    if found != GIVEN_FORMAT:
        raise GivenError(
            f"This calculation has the format {_short(found)}, and format {GIVEN_FORMAT} is wanted. {RESTORE}"
        )
    names = {field.name for field in fields(GivenStates)}
    for word, wrong in (("lacks", names - set(document)), ("has the unknown part", set(document) - names)):
        if wrong:
            raise GivenError(f"This calculation {word} {_short(min(wrong))}. {RESTORE}")
    for name in LISTS:
        if isinstance(document[name], list):
            document[name] = tuple(tuple(one) if isinstance(one, list) else one for one in document[name])
    return document


def _cell(called: str, row: int, column: int, axes: int) -> str:
    return f"Row {row}, column {column} of {called}" if axes == 2 else f"Number {column} of {called}"


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple | np.ndarray)


def _capital(text: str) -> str:
    """With a capital at the start of a sentence; a symbol such as v keeps its own."""
    return text[0].upper() + text[1:] if text.startswith("the ") else text


def _short(value: Any) -> str:
    """A value as a person would know it, never long."""
    shown = repr(value)
    return shown if len(shown) <= MOST_CHARACTERS else shown[: MOST_CHARACTERS - 1] + "…"
