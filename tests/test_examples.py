"""The traces that are shipped for a first page are those that the shipped models compute."""

import numpy as np
import pytest

from attention_model import shelf
from attention_model.decoding import greedy_decode
from attention_model.trace import ARRAY_FIELDS, SCORERS
from tests.translators import shipped_translator


@pytest.mark.parametrize("scorer", SCORERS)
def test_shipped_traces_are_those_of_the_model(scorer):
    examples = shelf.ready_examples("en-zh")
    traces = shelf.example_traces(f"en-zh/{scorer}")
    assert [trace.source_text for trace in traces] == [example.sentence for example in examples]
    for shipped in traces:
        computed = greedy_decode(shipped_translator(scorer), shipped.source_text)
        assert computed.target_tokens == shipped.target_tokens
        assert computed.source_tokens == shipped.source_tokens
        assert computed.token_ranks == shipped.token_ranks
        for name in ARRAY_FIELDS:
            one, other = getattr(computed, name), getattr(shipped, name)
            assert (one is None) == (other is None)
            if one is not None:
                np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-4, err_msg=name)


def test_the_examples_show_what_they_promise():
    traces = {
        example.id: trace
        for example, trace in zip(shelf.ready_examples("en-zh"), shelf.example_traces("en-zh/dot"), strict=True)
    }
    assert not all(traces["unknown"].source_known)
    assert all(all(trace.source_known) for name, trace in traces.items() if name != "unknown")
    assert all(trace.finished for trace in traces.values())
