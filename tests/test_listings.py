"""The programs of the page: they run, they print the page's numbers, and no word can break out of its quotes."""

import contextlib
import dataclasses
import io
import subprocess
import sys

import numpy as np
import pytest

from app.listings import LANGUAGES, listing, printed
from attention_model.by_hand import attend_by_hand
from attention_model.given import GIVEN_SCORERS, GivenStates
from attention_model.preset import PRESETS, preset
from tests.given import drawn

CAT_SAT = """the  score=0.10  attention=0.18
cat  score=0.90  attention=0.39
sat  score=1.00  attention=0.43
context vector: [0.61 0.82]"""


def run(program):
    """What a program prints."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(program, "listing", "exec"), {"__name__": "listing"})
    return output.getvalue().rstrip("\n")


def test_the_cat_sat_prints_these_lines_to_the_letter():
    given = preset("the-cat-sat")
    assert printed(given, attend_by_hand(given), 0) == CAT_SAT
    program = listing(given, 0, "NumPy")
    alone = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert alone.stdout == CAT_SAT + "\n"
    assert run(listing(given, 0, "PyTorch")) == CAT_SAT


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scorer", GIVEN_SCORERS)
@pytest.mark.parametrize("name", PRESETS)
def test_a_program_prints_the_numbers_of_the_page(name, scorer, language):
    given = dataclasses.replace(preset(name), scorer=scorer)
    trace = attend_by_hand(given)
    for t in range(len(given.target_tokens)):
        assert run(listing(given, t, language)) == printed(given, trace, t)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scorer", ["multiplicative", "additive"])
def test_numbers_of_many_digits_and_sizes_that_differ_stay_the_same(scorer, language):
    given = dataclasses.replace(drawn(d_s=5, scorer=scorer), temperature=0.75)
    assert run(listing(given, 3, language)) == printed(given, attend_by_hand(given), 3)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "edits",
    [
        {"edited_scores": ((1, 2, 4.5), (0, 0, 9.0))},
        {"edited_weights": ((1, 2, 0.4), (1, 0, 0.125))},
        {"edited_weights": ((1, 0, 0.5), (1, 1, 0.25), (1, 2, 0.25))},
        {"edited_scores": ((1, 0, 0.0), (1, 1, 0.0), (1, 2, 1e6)), "edited_weights": ((1, 2, 0.5),)},
    ],
    ids=["scores", "weights", "all weights", "others of weight 0"],
)
def test_what_is_set_by_hand_stands_in_the_program(edits, language):
    given = dataclasses.replace(drawn(), **edits)
    program = listing(given, 1, language)
    assert "set by hand" in program
    assert run(program) == printed(given, attend_by_hand(given), 1)
    assert "set by hand" not in listing(given, 4, language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scorer", GIVEN_SCORERS)
def test_a_number_in_the_middle_between_two_is_rounded_as_on_the_page(scorer, language):
    # Numbers of one decimal: every tenth product of three of them ends with a 5 in the third decimal.
    sizes = {"encoder_states": (3, 4), "decoder_states": (1, 4), "score_weight": (4, 4)}
    sizes |= {"key_weight": (2, 4), "query_weight": (2, 4), "score_vector": 2}
    for seed in range(40):
        draws = np.random.default_rng(seed)
        tables = {name: draws.integers(-20, 21, size) / 10 for name, size in sizes.items()}
        given = GivenStates("Drawn", ("one", "two", "three"), ("ask",), scorer=scorer, **tables)
        assert run(listing(given, 0, language)) == printed(given, attend_by_hand(given), 0)


WICKED = (
    '"]; raise SystemExit("out") #',
    "'''\nraise SystemExit('out')\n'''",
    '\\"]\\nraise SystemExit()',
    "{print('out')}",
    "\u2028raise SystemExit('out')",
    "\x00\x1b[31m",
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_can_break_out_of_its_quotes(language):
    given = drawn(source=len(WICKED), target=1, words=len(WICKED) + 1)
    given = dataclasses.replace(
        given,
        source_tokens=WICKED,
        target_tokens=('"""',),
        vocabulary=('"""', *WICKED),
        title='"""\nraise SystemExit()',
    )
    assert run(listing(given, 0, language)) == printed(given, attend_by_hand(given), 0)
