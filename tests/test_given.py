"""A calculation by hand is saved and opened exactly, and whatever cannot be computed with is refused in a sentence."""

import math
from dataclasses import fields, replace

import jaxtyping
import numpy as np
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attention_model.errors import GivenError
from attention_model.given import (
    LARGEST_ENTRY,
    MOST_DIMENSIONS,
    MOST_STATES,
    TABLES,
    GivenStates,
    ScorerParameters,
    read_table,
)

SOURCE, TARGET, D_H, D_S, K, D_O = 3, 2, 5, 7, 11, 13
TABLE = np.arange(SOURCE * D_H, dtype=np.float64).reshape(SOURCE, D_H)


def blank(**changes):
    """A calculation whose sizes are different primes, zeros all over, with these parts changed."""
    return replace(GivenStates.blank(SOURCE, TARGET, D_H, D_S, K), **changes)


def full():
    """A calculation that has every part, each number drawn."""
    draw = np.random.default_rng(3).normal
    return blank(
        title="Wort für Wort 貓",
        source_tokens=("I", "like", "<b>cats</b>"),
        target_tokens=("我", "貓"),
        encoder_states=draw(size=(SOURCE, D_H)),
        decoder_states=draw(size=(TARGET, D_S)),
        scorer="additive",
        score_weight=draw(size=(D_H, D_S)),
        key_weight=draw(size=(K, D_H)),
        query_weight=draw(size=(K, D_S)),
        score_vector=draw(size=K),
        output_weight=draw(size=(D_O, D_H + D_S)),
        vocabulary=("我", "貓"),
        vocabulary_weight=draw(size=(2, D_O)),
        temperature=0.3,
        edited_scores=((0, 1, -0.1),),
        edited_weights=((1, 2, 0.7), (1, 0, 0.1)),
    )


def assert_same(first, second):
    for field in fields(GivenStates):
        one, other = getattr(first, field.name), getattr(second, field.name)
        if isinstance(one, np.ndarray):
            assert one.dtype == other.dtype == np.float64, field.name
            assert one.tobytes() == other.tobytes(), field.name
        else:
            assert one == other, field.name


@pytest.mark.parametrize("calculation", [blank(), full()], ids=["blank", "full"])
def test_a_calculation_opened_is_the_calculation_saved(calculation):
    assert_same(GivenStates.from_json(calculation.to_json()), calculation)
    assert_same(GivenStates.from_json(calculation.to_json().decode()), calculation)


@given(hnp.arrays(np.float64, (SOURCE, D_H), elements=st.floats(-LARGEST_ENTRY, LARGEST_ENTRY)))
def test_every_number_in_range_survives_exactly(states):
    calculation = blank(encoder_states=states)
    again = GivenStates.from_json(calculation.to_json())
    assert again.encoder_states.tobytes() == calculation.encoder_states.tobytes() == states.tobytes()


def test_the_sizes_are_those_of_the_tables():
    calculation = full()
    assert (calculation.d_h, calculation.d_s, calculation.k) == (D_H, D_S, K)


def test_a_blank_one_is_zeros_and_begins_from_the_dot_product():
    calculation = blank()
    assert calculation.scorer == "multiplicative"
    assert GivenStates.blank(SOURCE, TARGET, D_H, D_H, K).scorer == "dot"
    assert calculation.score_weight.tolist() == [[float(row == column) for column in range(D_S)] for row in range(D_H)]
    for name in ("encoder_states", "decoder_states", "key_weight", "query_weight", "score_vector"):
        assert not getattr(calculation, name).any()


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ((0, 1, 1, 1, 1), "The number of source states is 0, and a whole number from 1 to 12 is wanted"),
        ((1, 13, 1, 1, 1), "The number of queries is 13, and a whole number from 1 to 12"),
        ((1, 1, 17, 1, 1), r"components of a state \(d_h\) is 17, and a whole number from 1 to 16"),
        ((1, 1, 1, -1, 1), r"components of a query \(d_s\) is -1"),
        ((1, 1, 1, 1, 17), r"rows of W₁ and W₂ \(k\) is 17"),
    ],
)
def test_a_blank_one_of_an_impossible_size_is_refused(sizes, message):
    with pytest.raises(GivenError, match=message):
        GivenStates.blank(*sizes)


def test_the_largest_sizes_are_allowed():
    calculation = GivenStates.blank(MOST_STATES, MOST_STATES, *[MOST_DIMENSIONS] * 3)
    assert_same(GivenStates.from_json(calculation.to_json()), calculation)


def test_each_scorer_has_the_parameters_of_its_formula():
    calculation = full()
    assert replace(calculation, scorer="dot").scorer_parameters.size == 0
    assert replace(calculation, scorer="multiplicative").scorer_parameters.size == D_H * D_S
    assert calculation.scorer_parameters.size == K * D_H + K * D_S + K
    assert ScorerParameters(score_vector=np.ones(3)).size == 3


def test_tables_are_read_only_and_do_not_change_with_what_they_were_made_from():
    states = TABLE.copy()
    calculation = blank(encoder_states=states)
    states[:] = 7
    assert (calculation.encoder_states == TABLE).all()
    for name in TABLES:
        with pytest.raises(ValueError, match="read-only"):
            getattr(full(), name)[0] = 0


def test_whole_numbers_and_single_precision_become_double():
    assert read_table([[1, 2]], "W").dtype == np.float64
    assert read_table(np.float32([[0.1]]), "W").tolist() == [[float(np.float32(0.1))]]
    assert read_table([0, -0.5], "v", axes=1).tolist() == [0, -0.5]


def changed_cell(value):
    rows = TABLE.tolist()
    rows[1][4] = value
    return rows


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (changed_cell("a"), "Row 2, column 5 of the encoder states is 'a', and a number from -1,000,000 to 1,000,000"),
        (changed_cell("7"), "is '7', and a number"),
        (changed_cell(None), "Row 2, column 5 of the encoder states is empty"),
        (changed_cell(" "), "Row 2, column 5 of the encoder states is empty"),
        (changed_cell(math.nan), r"is not a number \(nan\), and a number from -1,000,000 to 1,000,000 is wanted"),
        (changed_cell(math.inf), "is inf, and a number from"),
        (changed_cell(-math.inf), "is -inf, and a number from"),
        (changed_cell(1000000.5), "is 1000000.5, and a number from"),
        (changed_cell(10**400), "is 1000.*, and a number from"),
        (changed_cell(True), "is True, and a number"),
        (changed_cell([1]), r"is \[1\], and a number"),
        ([*TABLE.tolist()[:2], [1.0]], "differ in length: row 1 has 5 numbers and row 3 has 1. Make them equally long"),
        ([], "There are no numbers in the encoder states"),
        ([[], [], []], "There are no numbers in the encoder states"),
        ([1.0, 2.0, 3.0], "The encoder states should be a table"),
        (None, "The encoder states should be a table"),
        (np.zeros((MOST_STATES + 1, D_H)), "There are 13 rows in the encoder states, and at most 12 are wanted"),
        (np.zeros((SOURCE, 17)), "There are 17 columns in the encoder states, and at most 16 are wanted"),
        (np.zeros((2, D_H)), "There are 3 source words, and the encoder states have 2 rows"),
    ],
)
def test_a_table_that_cannot_be_computed_with_is_refused(table, message, monkeypatch):
    # Outside the tests nothing checks the types that the signature promises; the calculation must do it alone.
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    with pytest.raises(GivenError, match=message):
        blank(encoder_states=table)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"score_weight": np.eye(5)}, r"W is 5 × 5, and 5 × 7 is wanted \(d_h × d_s\)"),
        ({"key_weight": np.zeros((11, 7))}, r"W₁ is 11 × 7, and 11 × 5 is wanted \(k × d_h\)"),
        ({"query_weight": np.zeros((2, 7))}, r"W₂ is 2 × 7, and 11 × 7 is wanted \(k × d_s\)"),
        ({"score_vector": np.zeros(3)}, r"W₁ is 11 × 5, and 3 × 5 is wanted"),
        ({"score_vector": np.zeros(17)}, r"There are 17 numbers in v, and at most 16"),
        ({"score_vector": [1.0, math.nan]}, "Number 2 of v is not a number"),
        ({"output_weight": np.zeros((2, 5))}, r"W_out is 2 × 5, and 2 × 12 is wanted \(d_o × \(d_h \+ d_s\)\)"),
        ({"output_weight": np.zeros((17, 12))}, r"There are 17 rows in W_out, and at most 16"),
        ({"vocabulary": ("a",)}, "needs both V and one word for each of its rows; found no V"),
        ({"vocabulary_weight": [[1.0]]}, "found no words"),
        ({"vocabulary": ("a",), "vocabulary_weight": [[1.0]]}, "V is given without W_out"),
        ({"scorer": "none"}, "The scorer is 'none', and one of dot, multiplicative, additive is wanted"),
        ({"title": " "}, "The title is empty"),
        ({"title": 5}, "The title is 5, and text is wanted"),
        ({"title": "x" * 61}, "The title has 61 characters, and at most 60"),
        ({"source_tokens": ("a", "", "c")}, "The source word 2 is empty"),
        ({"target_tokens": ("a",)}, "There are 1 target words, and the queries have 2 rows"),
        ({"target_tokens": 5}, "target_tokens is 5, and a list is wanted"),
        ({"temperature": 0.0}, "The temperature is 0.0, and a number from 0.001 to 1000 is wanted"),
        ({"temperature": math.nan}, r"The temperature is not a number"),
        ({"edited_scores": ((2, 0, 1.0),)}, "A score is set by hand at step 2, and there are 2, counted from 0"),
        ({"edited_scores": ((0, 3, 1.0),)}, "A score is set by hand at source position 3, and there are 3"),
        ({"edited_scores": ((0, 0, math.inf),)}, "The score of 'word 1' at step 1 is inf"),
        ({"edited_scores": ((0, 0, 1.0), (0, 0, 2.0))}, "is set by hand twice"),
        ({"edited_scores": ((0, 0),)}, r"is a step, a position and a value; found \(0, 0\)"),
        ({"edited_weights": ((0, 0, 1.5),)}, "The weight of 'word 1' at step 1 is 1.5, and a number from 0 to 1"),
        ({"edited_weights": ((0, 0, -0.5),)}, "is -0.5, and a number from 0 to 1"),
        ({"edited_weights": ((1, 0, 0.5), (1, 1, 0.75))}, "step 2 sum to 1.25, and at most 1 is wanted"),
        ({"edited_weights": tuple((1, i, 0.25) for i in range(3))}, "step 2 sum to 0.75, and exactly 1 is wanted"),
    ],
)
def test_parts_that_do_not_fit_together_are_refused(changes, message, monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    with pytest.raises(GivenError, match=message):
        blank(**changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"vocabulary": ()}, r"V is 2 × 13, and 0 × 13 is wanted \(words × d_o\)"),
        ({"vocabulary": ("我", "我")}, "The vocabulary holds '我' twice"),
        ({"vocabulary": ("我", "")}, "The word of the vocabulary 2 is empty"),
        (
            {"vocabulary": tuple(map(str, range(51))), "vocabulary_weight": np.zeros((51, D_O))},
            "There are 51 words in the vocabulary, and at most 50",
        ),
    ],
)
def test_a_vocabulary_that_cannot_be_used_is_refused(changes, message):
    with pytest.raises(GivenError, match=message):
        replace(full(), **changes)


def saved(**changes):
    """A calculation as saved, with some parts changed."""
    return orjson.dumps(orjson.loads(full().to_json()) | changes)


def lacking(name):
    document = orjson.loads(full().to_json())
    del document[name]
    return orjson.dumps(document)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "it is not JSON"),
        (b"\xff\xfe", "it is not JSON"),
        (b"[]", "holds no calculation by hand"),
        (b'{"format": 1, "source_text": "a trace"}', "holds no calculation by hand"),
        (saved(format=2), "has the format 2, and format 1 is wanted"),
        (lacking("format"), "has the format None, and format 1 is wanted"),
        (saved(extra=1), "has the unknown part 'extra'"),
        (saved(score_vector=None), "v should be a table"),
        (saved(score_vector="abc"), "v should be a table"),
        (saved(encoder_states={}), "The encoder states should be a table"),
        (saved(encoder_states=[["a"]]), "Row 1, column 1 of the encoder states is 'a'"),
        (saved(source_tokens="abc"), "source_tokens is 'abc', and a list is wanted"),
        (saved(source_tokens=[1, 2, 3]), "The source word 1 is 1, and text is wanted"),
        (saved(edited_weights=[[0, 0.5, 1.0]]), "set by hand at source position 0.5"),
        (saved(edited_weights=[[True, 0, 1.0]]), "set by hand at step True"),
        (saved(edited_scores=[3]), "is a step, a position and a value; found 3"),
        (saved(temperature="warm"), "The temperature is 'warm'"),
        *((lacking(field.name), f"lacks '{field.name}'") for field in fields(GivenStates)),
    ],
)
def test_a_file_that_is_no_calculation_is_refused(text, message, monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    with pytest.raises(GivenError, match=message):
        GivenStates.from_json(text)
