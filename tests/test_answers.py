"""What a person types is read as it is meant, and what cannot be read is named in a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.answers import LONGEST_ANSWER, read_number, read_shape, read_whole
from attention_model.errors import AnswerError


@pytest.mark.parametrize(
    ("text", "value", "decimals"),
    [
        ("3", 3, 0),
        (" 0.5 ", 0.5, 1),
        ("0,468", 0.468, 3),
        (".5", 0.5, 1),
        ("2.", 2, 0),
        ("-1", -1, 0),
        ("−1,5", -1.5, 1),
        ("+2", 2, 0),
        ("1e-3", 0.001, 0),
        ("1/2", 0.5, None),
        ("1 / 4", 0.25, None),
        ("-1/2", -0.5, None),
        ("1,5/3", 0.5, None),
        ("－０．４６８", -0.468, 3),
        ("１／２", 0.5, None),
    ],
)
def test_a_number_is_read_however_it_is_written(text, value, decimals):
    assert read_number(text) == (pytest.approx(value), decimals)


@given(st.floats(-1e6, 1e6), st.sampled_from(".,"))
def test_a_point_and_a_comma_are_the_same(value, mark):
    assert read_number(f"{value:.4f}".replace(".", mark)).value == float(f"{value:.4f}")


@given(st.integers(-1000, 1000), st.integers(1, 1000))
def test_a_fraction_is_its_quotient(above, below):
    assert read_number(f"{above}/{below}").value == above / below


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Nothing is typed here yet"),
        ("   ", "Nothing is typed here yet"),
        ("abc", "“abc” is not a number"),
        ("1/0", "divides by 0"),
        ("1/2/3", "is not a number"),
        ("1.2.3", "is not a number"),
        ("47 %", "for 47 % write 0.47"),
        ("nan", "is not a number"),
        ("inf", "is not a number"),
        ("１²", "is not a number"),
        ("1" * (LONGEST_ANSWER + 1), f"at most {LONGEST_ANSWER} are read"),
    ],
)
def test_what_is_no_number_is_named(text, said):
    with pytest.raises(AnswerError, match="Write") as mistake:
        read_number(text)
    assert said in str(mistake.value)


@pytest.mark.parametrize("text", ["131072", "131,072", "131.072", "131 072", "131'072", " 131072 "])
def test_thousands_may_be_set_apart(text):
    assert read_whole(text) == 131072


@pytest.mark.parametrize("text", ["24", "24.0", "24,00", "24.", "48/2", "12,0 / 0,5", "２４"])
def test_a_whole_number_is_one_however_it_is_written(text):
    assert read_whole(text) == 24


@pytest.mark.parametrize("text", ["", "five", "5.5", "1/2", "-3", "1,07", "1,0720", "1,072.000"])
def test_what_is_no_whole_number_is_named(text):
    with pytest.raises(AnswerError, match="whole number"):
        read_whole(text)


@pytest.mark.parametrize(
    "text", ["512 × 256", "512x256", "512 X 256", "512*256", "(512, 256)", "[512; 256]", "512 by 256", "５１２×２５６"]
)
def test_a_shape_is_read_however_it_is_written(text):
    assert read_shape(text, 2) == (512, 256)


@pytest.mark.parametrize("text", ["128", "128 × 1", "1x128", "(128,1)", "(128,)", "１２８"])
def test_a_vector_may_be_a_column_or_a_row(text):
    assert read_shape(text, 1) == (128,)


@pytest.mark.parametrize(
    ("text", "axes", "said"),
    [
        ("", 2, "rows × columns"),
        ("", 1, "one whole number"),
        ("512", 2, "a matrix has two"),
        ("512 × 256", 1, "a vector has one number"),
        ("d_h × d_s", 2, "in digits"),
        ("1 × 2 × 3", 2, "is not a shape"),
    ],
)
def test_what_is_no_shape_is_named(text, axes, said):
    with pytest.raises(AnswerError) as mistake:
        read_shape(text, axes)
    assert said in str(mistake.value)
