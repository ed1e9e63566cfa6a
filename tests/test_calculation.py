"""A visitor's calculation: what it begins with, other sizes, and the way there and back through a link."""

import base64
import dataclasses
import zlib

import numpy as np
import pytest
from hypothesis import given as for_all
from hypothesis import strategies

from app.calculation import (
    BLANK,
    LONGEST_LINK,
    SMALL,
    STARTS,
    Sizes,
    asked_by,
    beginning,
    is_beginning,
    link_of,
    packed,
    resized,
    sizes_of,
    unpacked,
    with_output,
    without_edits,
    without_output,
)
from app.notation import OURS
from attention_model.errors import GivenError
from attention_model.given import MOST_DIMENSIONS, MOST_STATES
from attention_model.preset import preset
from tests.given import drawn


@pytest.mark.parametrize("start", STARTS)
def test_a_beginning_is_known_as_one_whatever_the_scorer(start):
    given = beginning(start)
    assert is_beginning(given, start)
    assert is_beginning(dataclasses.replace(given, scorer="additive"), start)
    assert not is_beginning(dataclasses.replace(given, temperature=2.0), start)


def test_a_blank_calculation_is_small_and_zero():
    given = beginning(BLANK)
    assert sizes_of(given) == SMALL
    assert not given.encoder_states.any()


def test_other_sizes_keep_what_fits():
    given = drawn(3, 5, 7, 7, 2)
    larger = resized(given, Sizes(4, 6, 8, 8, 3))
    assert sizes_of(larger) == (4, 6, 8, 8, 3)
    assert np.array_equal(larger.encoder_states[:3, :7], given.encoder_states)
    assert not larger.encoder_states[3:].any()
    assert larger.score_weight[7, 7] == 1  # the new corner of W is as in a blank one
    assert larger.source_tokens == (*given.source_tokens, "word 4")
    back = resized(larger, sizes_of(given))
    for name in ("encoder_states", "decoder_states", "score_weight", "key_weight", "query_weight", "score_vector"):
        assert np.array_equal(getattr(back, name), getattr(given, name))


def test_sizes_that_differ_take_dot_away():
    assert resized(beginning(BLANK), Sizes(3, 1, 2, 5, 2)).scorer == "multiplicative"
    assert resized(dataclasses.replace(beginning(BLANK), scorer="additive"), Sizes(3, 1, 2, 5, 2)).scorer == "additive"


def test_a_size_out_of_range_is_refused():
    with pytest.raises(GivenError, match="is 17, and a whole number from 1 to 16"):
        resized(beginning(BLANK), Sizes(3, 1, MOST_DIMENSIONS + 1, 2, 2))


def test_what_follows_the_context_comes_and_goes():
    given = with_output(preset("exercise-1"))
    assert given.vocabulary == ("s",)
    assert np.array_equal(given.output_weight @ [3, 4, 5, 6], [3, 4])  # W_out copies the context
    assert without_output(given).to_json() == preset("exercise-1").to_json()


def test_words_that_come_twice_are_in_the_vocabulary_once():
    given = dataclasses.replace(drawn(target=2, output=False), target_tokens=("貓", "貓"))
    assert with_output(given).vocabulary == ("貓",)


def test_edits_can_be_taken_back():
    given = dataclasses.replace(drawn(), edited_scores=((0, 0, 1.0),), edited_weights=((1, 1, 0.5),))
    assert without_edits(given).to_json() == drawn().to_json()


def linked(start, given, notation=OURS, step=0, part=None):
    return asked_by(link_of(start, given, notation, step, part))


@pytest.mark.parametrize("start", STARTS)
def test_a_beginning_needs_no_states_in_its_link(start):
    given = dataclasses.replace(beginning(start), scorer="additive")
    assert "states" not in link_of(start, given, OURS, 0, None)
    last = len(given.target_tokens) - 1
    asked = linked(start, given, "luong", last, 1)
    assert asked.given.to_json() == given.to_json()
    assert (asked.start, asked.notation, asked.step, asked.part, asked.mistakes) == (start, "luong", last, 1, ())


def test_the_running_example_needs_no_link_at_all():
    assert link_of("running-example", preset("running-example"), OURS, 0, None) == {}


@for_all(
    source=strategies.integers(1, 5),
    d_h=strategies.integers(1, 4),
    d_s=strategies.integers(1, 4),
    seed=strategies.integers(0, 1000),
)
def test_a_small_calculation_travels_in_its_link_exactly(source, d_h, d_s, seed):
    given = drawn(source, 2, d_h, d_s, 2, scorer="multiplicative", seed=seed, output=False)
    given = dataclasses.replace(given, edited_weights=((1, 0, 1.0),) if source == 1 else ((1, 0, 0.25),))
    asked = linked(BLANK, given)
    assert asked.given.to_json() == given.to_json()
    assert asked.mistakes == ()


def test_a_large_calculation_stays_out_of_the_link():
    given = drawn(MOST_STATES, MOST_STATES, 16, 16, 16, output=False)
    assert len(packed(given)) > LONGEST_LINK
    assert "states" not in link_of(BLANK, given, OURS, 0, None)


def test_the_limit_lets_eight_states_of_eight_components_through():
    given = drawn(8, 8, 8, 8, 8, output=False)
    rounded = {
        name: np.round(getattr(given, name), 2)
        for name in ("encoder_states", "decoder_states", "score_weight", "key_weight", "query_weight", "score_vector")
    }
    assert "states" in link_of(BLANK, dataclasses.replace(given, **rounded), OURS, 0, None)


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ({"preset": "dogs"}, "asks for the calculation “dogs”"),
        ({"notation": "x" * 100}, f"asks for the notation “{'x' * 40}”"),
        ({"scorer": "none"}, "asks for the scorer “none”"),
        ({"step": "banana"}, "asks for the step “banana”"),
        ({"part": "6"}, "asks for the part “6”"),
    ],
)
def test_nonsense_in_a_link_is_said_and_the_default_taken(link, said):
    asked = asked_by(link)
    assert said in asked.mistakes[0]
    assert asked.given.to_json() == preset("running-example").to_json()
    assert (asked.notation, asked.step, asked.part) == (OURS, 0, None)


def test_a_step_after_the_last_one_is_said_and_the_last_one_taken():
    asked = asked_by({"preset": "exercise-1", "step": "9"})
    assert asked.step == 0
    assert asked.mistakes == (
        "The link asks for the step 9, and the last step of this calculation is 1. The last one is shown.",
    )
    assert asked_by({"step": "5"}).mistakes == ()


def bomb():
    return base64.urlsafe_b64encode(zlib.compress(b" " * 50_000_000, 9)).decode()


@pytest.mark.parametrize(
    "states", ["", "x", "貓", "AAAA", packed(preset("exercise-1"))[:-9], bomb()], ids=lambda text: text[:8]
)
def test_states_that_cannot_be_read_leave_the_preset(states):
    asked = asked_by({"preset": "exercise-1", "states": states})
    assert asked.given.to_json() == preset("exercise-1").to_json()
    assert asked.mistakes[0].startswith("The states in the link cannot be read, so those of the preset are taken.")


def test_the_scorer_of_a_link_is_taken_even_where_its_states_cannot_be_read():
    assert asked_by({"preset": "exercise-1", "scorer": "additive", "states": "x"}).given.scorer == "additive"


def test_states_that_cannot_be_computed_with_are_refused_with_the_reason():
    document = preset("exercise-1").to_json().replace(b"2.0", b"2e9")
    states = base64.urlsafe_b64encode(zlib.compress(document)).decode()
    with pytest.raises(GivenError, match="Row 1, column 1 of the queries is 2000000000"):
        unpacked(states)
