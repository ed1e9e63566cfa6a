"""Traces come from files where they fit and from the engine otherwise; the engine is loaded once and works in turns."""

import logging
import subprocess
import sys
import threading

import numpy as np
import pytest
import streamlit as st
import torch

from app import resources
from app.inputs import Request
from attention_model import checkpoint, decoding, shelf
from attention_model.errors import CheckpointError, InterventionError, TextError
from attention_model.trace import Intervention
from tests.sources import ROOT
from tests.toy import sized_trace
from tests.translators import tiny_translator


@pytest.fixture
def folder(tmp_path):
    """A checkpoints folder with tiny untrained translators."""
    for scorer in ("dot", "none"):
        checkpoint.save_checkpoint(tiny_translator(scorer), tmp_path / "en-zh" / scorer)
    yield tmp_path
    st.cache_resource.clear()


def assert_same(one, other):
    assert one.target_tokens == other.target_tokens
    np.testing.assert_array_equal(one.weights, other.weights)


def test_each_decoding_is_the_engine_s(folder):
    translator = checkpoint.load_translator("en-zh/dot", folder)
    request = Request("I see a dog.")
    (greedy,) = resources.decode(request, folder)
    assert_same(greedy, decoding.greedy_decode(translator, "I see a dog."))
    (forced,) = resources.decode(Request("I see a dog.", decoding="forced", target="我看到海。"), folder)
    assert_same(forced, decoding.forced_decode(translator, "I see a dog.", "我看到海。"))
    beams = resources.decode(Request("I see a dog.", decoding="beam", beam_size=3), folder)
    expected = decoding.beam_decode(translator, "I see a dog.", beam_size=3)
    assert len(beams) == len(expected) == 3
    for one, other in zip(beams, expected, strict=True):
        assert_same(one, other)


def test_what_was_changed_reaches_each_decoding(folder):
    changed = Intervention(forced_tokens=((1, "貓"),), hidden=((None, 0),), temperature=2.0)
    for how in ({}, {"decoding": "forced", "target": "我看到海。"}, {"decoding": "beam", "beam_size": 3}):
        for trace in resources.decode(Request("I see a dog.", intervention=changed, **how), folder):
            assert trace.intervention == changed
            assert trace.target_tokens[1] == "貓"
            assert not trace.weights[:, 0].any()
            assert trace.decoding == how.get("decoding", "greedy")


def test_a_change_that_does_not_fit_reaches_the_page(folder):
    with pytest.raises(InterventionError, match="no source token 99"):
        resources.decode(Request("I see a dog.", intervention=Intervention(hidden=((None, 99),))), folder)


def test_the_same_request_is_decoded_once(folder):
    first = resources.decode(Request("I see a dog."), folder)
    assert resources.decode(Request("I see a dog."), folder)[0] is first[0]


def test_without_attention_too(folder):
    (trace,) = resources.decode(Request("I see a dog.", "none"), folder)
    assert trace.scorer == "none"
    assert trace.weights is None


def test_a_shipped_trace_is_taken_as_it_is(folder, monkeypatch):
    shipped = sized_trace()
    shelf.write_example_traces("en-zh/dot", [shipped], folder)
    monkeypatch.setattr(resources, "engine", lambda _: pytest.fail("the engine was asked"))
    (trace,) = resources.decode(Request(shipped.source_text), folder)
    assert_same(trace, shipped)


def test_a_shipped_trace_is_greedy_only(folder):
    shipped = sized_trace()
    shelf.write_example_traces("en-zh/dot", [shipped], folder)
    (trace,) = resources.decode(Request(shipped.source_text, decoding="forced", target="我看到海。"), folder)
    assert trace.translation == "我看到海。"


def test_a_shipped_trace_is_without_changes_only(folder):
    shipped = sized_trace()
    shelf.write_example_traces("en-zh/dot", [shipped], folder)
    (trace,) = resources.decode(Request(shipped.source_text, intervention=Intervention(temperature=2.0)), folder)
    assert trace.intervention.temperature == 2


def test_damaged_shipped_traces_are_logged_and_decoded_instead(folder, caplog):
    (folder / "en-zh" / "dot" / shelf.EXAMPLE_TRACES_FILE).write_bytes(b"not gzip")
    with caplog.at_level(logging.WARNING, logger="app.resources"):
        (trace,) = resources.decode(Request("I see a dog."), folder)
    assert trace.source_text == "I see a dog."
    assert shelf.EXAMPLE_TRACES_FILE in caplog.text


def test_a_missing_checkpoint_is_named(folder):
    with pytest.raises(CheckpointError, match="en-zh/additive"):
        resources.decode(Request("I see a dog.", "additive"), folder)


def test_an_empty_folder_is_named(tmp_path):
    with pytest.raises(CheckpointError, match="en-zh/dot"):
        resources.decode(Request("I see a dog."), tmp_path)


def test_a_damaged_file_is_named_and_can_be_mended_while_the_app_runs(folder):
    weights = folder / "en-zh" / "none" / shelf.WEIGHTS_FILE
    whole = weights.read_bytes()
    weights.write_bytes(whole[:50])
    engine = resources.Engine(folder)
    with pytest.raises(CheckpointError, match=shelf.WEIGHTS_FILE):
        engine.decode(Request("I see a dog.", "none"))
    weights.write_bytes(whole)
    assert engine.decode(Request("I see a dog.", "none")).traces[0].scorer == "none"


def test_a_mistake_in_the_sentence_reaches_the_page(folder):
    with pytest.raises(TextError):
        resources.decode(Request("   "), folder)


def test_decoding_uses_one_thread(folder, monkeypatch):
    monkeypatch.setattr(decoding, "greedy_decode", lambda *_, **__: torch.get_num_threads())
    assert resources.Engine(folder).decode(Request("I see a dog.")).traces == (1,)


def test_only_a_few_sentences_are_decoded_at_once(folder, monkeypatch):
    running, most, lock = 0, 0, threading.Lock()
    together = threading.Barrier(resources.DECODES_AT_ONCE)

    def slow(translator, sentence, *, intervention):
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        together.wait(timeout=20)  # goes on only when as many as are allowed are here
        with lock:
            running -= 1
        return sized_trace()

    monkeypatch.setattr(decoding, "greedy_decode", slow)
    engine = resources.Engine(folder)
    visitors = [
        threading.Thread(target=engine.decode, args=(Request(f"Dog {number}."),))
        for number in range(3 * resources.DECODES_AT_ONCE)
    ]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
    assert most == resources.DECODES_AT_ONCE


def test_warming_up_survives_a_missing_checkpoint(folder, caplog):
    engine = resources.Engine(folder)
    with caplog.at_level(logging.WARNING, logger="app.resources"):
        engine.warm_up().result()
        assert engine.decode(Request("I see a dog.")).traces
    assert "en-zh/additive" in caplog.text


def test_the_ready_examples_begin_with_the_running_one():
    examples = resources.ready_examples()
    assert examples[0].sentence == "I like cats a lot."
    assert len({example.id for example in examples}) == len(examples) >= 7
    assert all(example.why and example.title for example in examples)


def test_damaged_ready_examples_are_named(tmp_path):
    (tmp_path / "en-zh").mkdir()
    (tmp_path / "en-zh" / shelf.READY_EXAMPLES_FILE).write_text("not toml")
    with pytest.raises(CheckpointError, match=shelf.READY_EXAMPLES_FILE):
        resources.ready_examples(tmp_path)


def test_a_shipped_trace_needs_no_torch(folder):
    shelf.write_example_traces("en-zh/dot", [sized_trace()], folder)
    code = (
        "import sys; from pathlib import Path\n"
        "from app import resources; from app.inputs import Request\n"
        f"resources.decode(Request({sized_trace().source_text!r}), Path({str(folder)!r}))\n"
        "print('torch' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


def test_the_search_tree_is_that_of_the_traces(folder):
    request = Request("I see a dog.", decoding="beam", beam_size=3)
    traces, tree = resources.decode(request, folder), resources.search_tree(request, folder)
    ended = {rank for node in tree.nodes for rank in node.hypotheses}
    assert ended == {trace.hypothesis_rank for trace in traces}
    assert resources.search_tree(Request("I see a dog."), folder) is None


def test_the_first_page_needs_no_file_once_it_was_read(monkeypatch):
    resources.read_first_page()

    def read(*_):
        raise AssertionError("a file was read again")

    for name in ("ready_examples", "glosses", "example_traces"):
        monkeypatch.setattr(shelf, name, read)
    assert resources.ready_examples()[0].sentence in resources.shipped_traces("dot", resources.CHECKPOINTS)
    assert resources.glosses()


def test_reading_the_first_page_leaves_damage_to_the_visitors_page(monkeypatch):
    def damaged(*_):
        raise CheckpointError("examples.toml is damaged.")

    st.cache_resource.clear()
    monkeypatch.setattr(shelf, "ready_examples", damaged)
    resources.read_first_page()
    with pytest.raises(CheckpointError, match="damaged"):
        resources.ready_examples()


def test_the_same_states_are_scored_by_what_another_translator_has_learned(folder):
    checkpoint.save_checkpoint(tiny_translator("multiplicative"), folder / "en-zh" / "multiplicative")
    (states,) = resources.decode(Request("I see a dog."), folder)
    learned = resources.scorer_parameters("multiplicative", folder).score_weight
    scored = resources.controlled(states, "multiplicative", folder=folder)
    assert scored.checkpoint == "en-zh/dot"
    np.testing.assert_allclose(scored.scores, states.decoder_states @ learned.T @ states.encoder_states.T, rtol=1e-4)
    identity = resources.controlled(states, "multiplicative", identity=True, folder=folder)
    np.testing.assert_array_equal(identity.scores, resources.controlled(states, "dot", folder=folder).scores)


def test_a_decoding_is_timed_by_the_median_of_twenty_that_are_not_kept(folder, monkeypatch):
    took = []

    def decode(*_):
        took.append(len(took) + 1.0)  # seconds: 1, 2, … 20

    monkeypatch.setattr(resources.Engine, "_decode", decode)
    monkeypatch.setattr(resources.time, "perf_counter", lambda: sum(took))
    request = Request("I see a dog.")
    assert resources.decoding_time(request, folder) == 10.5
    assert resources.decoding_time(request, folder) == 10.5
    assert len(took) == 20
