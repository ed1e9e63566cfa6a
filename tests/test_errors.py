"""A person's mistake is told in a sentence: what is wrong, what was found, what is wanted, what to do."""

import inspect
import json

import pytest

from attention_model import errors
from attention_model.errors import AttentionModelError, TraceError
from attention_model.trace import DecodingTrace
from tests.toy import running_example

KINDS = [kind for _, kind in inspect.getmembers(errors, inspect.isclass)]
DETAILS = {errors.MissingStepError: {"step": 7, "length": 5}}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_mistake_is_of_one_family_and_shows_its_text(kind):
    assert issubclass(kind, AttentionModelError)
    assert str(kind("The text is empty.", **DETAILS.get(kind, {}))) == "The text is empty."


def test_a_mistake_is_not_mistaken_for_a_bug():
    # Bugs are ValueError, TypeError, KeyError and the like: no handler for people's mistakes may catch one.
    assert all(kind.__mro__[-3:] == (Exception, BaseException, object) for kind in KINDS)


def saved(**changes):
    """The running example as saved, with some parts changed."""
    return json.dumps(running_example().to_dict() | changes)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "not a saved trace: it is not JSON"),
        ("{", "not a saved trace: it is not JSON"),
        ("[]", "has the format 'list', and format 1 is wanted"),
        ("{}", "has the format None, and format 1 is wanted"),
        (saved(format=2), "has the format 2, and format 1 is wanted"),
        ('{"format": 1, "dtype": "float64"}', "is damaged"),
        (saved(encoder_states="not numbers"), "is damaged"),
        (saved(candidates=[[{"token": "x"}]]), "is damaged"),
        (saved(source_pieces=["i"]), r"source_pieces has the shape \(1,\), and \(5,\) is wanted"),
        (saved(scorer="guess"), "scorer is 'guess', and one of dot, multiplicative, additive, none is wanted"),
        (saved(decoding="guess"), "decoding is 'guess', and one of greedy, beam, forced, toy is wanted"),
    ],
)
def test_a_file_that_is_no_trace_is_refused_with_the_reason(text, sentence):
    with pytest.raises(TraceError, match=sentence):
        DecodingTrace.from_json(text)


def test_a_trace_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(TraceError, match=r"nowhere\.json cannot be read \(No such file or directory\)"):
        DecodingTrace.load(tmp_path / "nowhere.json")
