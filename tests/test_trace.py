"""A saved trace is the same trace, to the last bit; a damaged one is refused with a sentence."""

from dataclasses import fields, replace

import jaxtyping
import numpy as np
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attention_model.errors import TraceError
from attention_model.trace import ARRAY_FIELDS, SCORERS, DecodingTrace, Intervention
from tests.toy import running_example, sized_trace


def assert_same(first, second):
    """Every field equal; arrays equal bit by bit and of one type."""
    for field in fields(DecodingTrace):
        one, other = getattr(first, field.name), getattr(second, field.name)
        if isinstance(one, np.ndarray):
            assert one.dtype == other.dtype, field.name
            assert one.tobytes() == other.tobytes(), field.name
        else:
            assert one == other, field.name


CHANGE = Intervention(
    forced_tokens=((1, "貓"),),
    replaced_weights=((0, (0.1, 0.2, 0.7)),),
    hidden=((None, 1), (2, 0)),
    temperature=0.3,
)

TRACES = {
    "running example": running_example(),
    "hidden": sized_trace(hidden=((None, 1), (2, 0))),
    "beam": sized_trace(decoding="beam"),
    "unknown": sized_trace(unknown=(1,)),
    "changed": replace(sized_trace(), intervention=CHANGE),
    "one word": sized_trace(source=1, target=1),
} | {scorer: sized_trace(scorer=scorer, d_s=7) for scorer in SCORERS}


@pytest.mark.parametrize("trace", TRACES.values(), ids=TRACES)
def test_a_trace_loaded_is_the_trace_saved(trace, tmp_path):
    trace.save(tmp_path / "trace.json")
    assert_same(DecodingTrace.load(tmp_path / "trace.json"), trace)


def test_a_hidden_score_is_null_in_json_and_minus_infinity_in_memory():
    trace = sized_trace(hidden=((None, 1),))
    scores = orjson.loads(trace.to_json())["scores"]
    assert [row[1] for row in scores] == [None] * 5
    assert np.isneginf(DecodingTrace.from_json(trace.to_json()).scores[:, 1]).all()


ANY_FLOAT32 = hnp.arrays(np.float32, (5, 3), elements=st.floats(width=32, allow_nan=False, allow_infinity=False))


@given(ANY_FLOAT32, st.sets(st.tuples(st.integers(0, 4), st.integers(0, 2))))
def test_every_float32_survives_exactly(scores, hidden):
    for position in hidden:
        scores[position] = -np.inf
    trace = replace(sized_trace(source=3, target=5), scores=scores)
    again = DecodingTrace.from_json(trace.to_json())
    assert again.scores.tobytes() == trace.scores.tobytes()


@given(hnp.arrays(np.float64, (5, 4), elements=st.floats(-1e6, 1e6)))
def test_every_float64_of_toy_states_survives_exactly(states):
    trace = replace(running_example(), encoder_states=states)
    assert DecodingTrace.from_json(trace.to_json()).encoder_states.tobytes() == trace.encoder_states.tobytes()


@given(st.text(max_size=40))
def test_every_text_survives(text):
    trace = replace(running_example(), source_text=text)
    assert DecodingTrace.from_json(trace.to_json()).source_text == text


@pytest.mark.parametrize("name", ARRAY_FIELDS)
def test_arrays_cannot_be_written_to(name):
    array = getattr(sized_trace(), name)
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 0


def test_a_trace_does_not_change_with_the_array_it_was_made_from():
    states = np.ones((5, 3), dtype=np.float32)
    trace = replace(sized_trace(source=3, target=5), decoder_states=states)
    states[:] = 7
    assert (trace.decoder_states == 1).all()


def test_the_translation_leaves_the_end_out():
    assert running_example().translation == "我很喜歡貓"
    trace = sized_trace(target=5)
    assert trace.translation == "".join(trace.target_tokens[:4])


def test_known_pieces_are_those_the_model_did_not_read_as_unknown():
    assert sized_trace(source=3, unknown=(1,)).source_known == (True, False, True)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"weights": np.ones((5, 2), np.float32)}, r"weights has the shape \(5, 2\), and \(5, 3\) is wanted"),
        ({"target_known": (True,)}, r"target_known has the shape \(1,\), and \(5,\) is wanted"),
        ({"source_spans": ()}, r"source_spans has the shape \(0,\)"),
        ({"scorer": "cosine"}, "scorer is 'cosine', and one of dot, multiplicative, additive, none"),
        ({"decoding": "sampling"}, "decoding is 'sampling'"),
    ],
)
def test_parts_that_do_not_fit_together_are_refused(change, message, monkeypatch):
    # Outside the tests nothing checks the shapes that the signature promises; the trace must do it alone.
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    with pytest.raises(TraceError, match=message):
        replace(sized_trace(source=3, target=5), **change)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"not json", "it is not JSON"),
        (b"[]", "format 'list', and format 1"),
        (b'{"format": 99}', "format 99, and format 1"),
        (b'{"format": 1, "dtype": "float32"}', "damaged"),
    ],
)
def test_a_file_that_is_no_trace_is_refused(text, message, tmp_path):
    (tmp_path / "trace.json").write_bytes(text)
    with pytest.raises(TraceError, match=message):
        DecodingTrace.load(tmp_path / "trace.json")


@pytest.mark.parametrize("name", [field.name for field in fields(DecodingTrace)])
def test_a_file_that_lacks_a_part_is_refused(name):
    document = orjson.loads(sized_trace().to_json())
    del document[name]
    with pytest.raises(TraceError, match="damaged"):
        DecodingTrace.from_json(orjson.dumps(document))


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(TraceError, match=r"none\.json cannot be read"):
        DecodingTrace.load(tmp_path / "none.json")
