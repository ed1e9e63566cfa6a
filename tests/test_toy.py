"""The hand-made traces are what they say they are."""

import numpy as np
import pytest

from attention_model.trace import END_TOKEN, SCORERS, DecodingTrace
from tests.toy import RUNNING_TARGET, RUNNING_WORDS, running_example, sized_trace

WORDS_LOOKED_AT = {"我": ("I",), "很": ("a", "lot"), "喜": ("like",), "歡": ("like",), "貓": ("cats",)}


@pytest.mark.parametrize("t", range(5), ids=RUNNING_TARGET)
def test_each_character_of_the_running_example_looks_at_its_words(t):
    trace = running_example()
    looked_at = [RUNNING_WORDS.index(word) for word in WORDS_LOOKED_AT[trace.target_tokens[t]]]
    assert trace.weights[t, looked_at].sum() > 0.95
    assert np.ptp(trace.weights[t, looked_at]) < 0.01


def test_the_running_example_is_computed_from_its_states():
    trace = running_example()
    assert trace.encoder_states.dtype == np.float64
    for t, decoder_state in enumerate(trace.decoder_states):
        exponentials = [np.exp(sum(h * s)) for h, s in zip(trace.encoder_states, [decoder_state] * 5, strict=True)]
        weights = [one / sum(exponentials) for one in exponentials]
        context = sum(weight * h for weight, h in zip(weights, trace.encoder_states, strict=True))
        np.testing.assert_allclose(trace.weights[t], weights, rtol=1e-12)
        np.testing.assert_allclose(trace.contexts[t], context, rtol=1e-12)


@pytest.mark.parametrize("scorer", SCORERS)
def test_a_sized_trace_has_the_sizes_asked_for_and_ends_once(scorer):
    trace = sized_trace(source=5, target=7, d_h=11, d_s=11 if scorer == "dot" else 13, d_o=3, scorer=scorer)
    assert trace.encoder_states.shape == (5, 11)
    assert trace.attention_outputs.shape == (7, 3)
    assert trace.target_tokens.index(END_TOKEN) == 6
    assert all(
        trace.source_text[slice(*span)] == token
        for span, token in zip(trace.source_spans, trace.source_tokens, strict=True)
    )


def test_a_sized_trace_survives_saving_with_a_hidden_position():
    trace = sized_trace(hidden=((None, 1),))
    assert np.isneginf(trace.scores[:, 1]).all()
    assert not trace.weights[:, 1].any()
    again = DecodingTrace.from_json(trace.to_json())
    assert again.to_json() == trace.to_json()
    np.testing.assert_array_equal(again.scores, trace.scores)
