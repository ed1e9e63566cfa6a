"""The ready calculations: the conditions that the running example keeps, and closed forms of the two exercises."""

import dataclasses
import math
import subprocess
import sys

import numpy as np
import pytest

from attention_model.__main__ import main
from attention_model.by_hand import attend_by_hand
from attention_model.errors import GivenError
from attention_model.given import GIVEN_SCORERS
from attention_model.preset import FOLDER, PRESETS, TRACES, preset, preset_under, shipped_calculations, shipped_trace
from attention_model.trace import ARRAY_FIELDS
from tests.sources import ROOT
from tests.toy import RUNNING_DECODER_STATES, RUNNING_ENCODER_STATES, RUNNING_TARGET, RUNNING_WORDS


def trace_of(name):
    return attend_by_hand(preset(name))


def test_every_file_is_a_preset():
    assert {path.stem for path in FOLDER.glob("*.json")} == set(PRESETS)
    assert {path.stem for path in TRACES.iterdir()} == set(shipped_calculations())


def test_every_preset_is_shipped_under_every_scorer():
    for name in PRESETS:
        for scorer in GIVEN_SCORERS:
            for itself in (False, True):
                assert shipped_trace(preset_under(name, scorer, itself=itself)).scorer == scorer
    assert shipped_trace(dataclasses.replace(preset("exercise-1"), temperature=2)) is None


def test_asking_itself_takes_the_states_as_queries():
    given = preset_under("the-cat-sat", "dot", itself=True)
    assert given.target_tokens == given.source_tokens == ("the", "cat", "sat")
    assert np.array_equal(given.decoder_states, given.encoder_states)
    # Each state's dot product with itself and the others: a symmetric table of scores.
    scores = shipped_trace(given).scores
    assert np.array_equal(scores, scores.T)


@pytest.mark.parametrize("name", shipped_calculations())
def test_a_shipped_trace_is_what_is_computed(name):
    given = shipped_calculations()[name]
    shipped, computed = shipped_trace(given), attend_by_hand(given)
    for array in ARRAY_FIELDS:
        if getattr(computed, array) is None:
            assert getattr(shipped, array) is None
        else:
            assert getattr(shipped, array) == pytest.approx(getattr(computed, array), rel=1e-12, abs=1e-15)
    for field in dataclasses.fields(computed):
        if field.name not in (*ARRAY_FIELDS, "candidates"):
            assert getattr(shipped, field.name) == getattr(computed, field.name)


def test_the_command_writes_the_traces_again(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("attention_model.preset.TRACES", tmp_path)
    assert main(["presets"]) == 0
    assert {path.stem for path in tmp_path.iterdir()} == set(shipped_calculations())
    assert "the-cat-sat-dot: " in capsys.readouterr().out


def test_a_page_with_a_preset_needs_no_torch():
    code = (
        "import sys; from app.resources import attend_by_hand\n"
        "from attention_model.preset import shipped_calculations\n"
        "print(len({attend_by_hand(given) for given in shipped_calculations().values()}), 'torch' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["18", "False"]


def test_another_name_is_refused_with_those_there_are():
    with pytest.raises(GivenError, match=r"no ready calculation 'cats'\. There are running-example, exercise-1"):
        preset("cats")


def test_the_running_example_looks_where_its_words_come_from():
    trace = trace_of("running-example")
    i, like, cats, a, lot = range(5)
    assert trace.target_tokens == ("我", "很", "喜", "歡", "貓")  # five steps and no end mark
    assert trace.weights[0, i] > 0.95
    assert np.abs(trace.contexts[0] - trace.encoder_states[i]).max() < 0.05
    assert trace.weights[1, [a, lot]].sum() > 0.95
    assert trace.weights[2:4].argmax(axis=1).tolist() == [like, like]
    assert trace.weights[4].argmax() == cats


def test_the_running_example_has_the_states_of_the_tests():
    given = preset("running-example")
    assert (given.source_tokens, given.target_tokens) == (RUNNING_WORDS, RUNNING_TARGET)
    assert np.array_equal(given.encoder_states, RUNNING_ENCODER_STATES)
    assert np.array_equal(given.decoder_states, RUNNING_DECODER_STATES)


def test_the_running_example_predicts_its_own_words():
    assert trace_of("running-example").token_ranks == (1,) * 5


def test_exercise_1_has_the_numbers_that_one_works_out():
    trace = trace_of("exercise-1")
    total = 2 * math.exp(2) + 1
    assert trace.scores.tolist() == [[2, 0, 2]]
    assert trace.weights[0].tolist() == pytest.approx([math.exp(2) / total, 1 / total, math.exp(2) / total])
    assert np.round(trace.weights[0], 3).tolist() == [0.468, 0.063, 0.468]
    assert np.round(trace.contexts[0], 3).tolist() == [0.937, 0.532]


def test_the_cat_sat_has_its_numbers_on_the_states_of_exercise_1():
    trace = trace_of("the-cat-sat")
    assert np.array_equal(trace.encoder_states, trace_of("exercise-1").encoder_states)
    assert trace.scores[0].tolist() == pytest.approx([0.1, 0.9, 1.0])
    assert np.round(trace.weights[0], 2).tolist() == [0.18, 0.39, 0.43]
    assert np.round(trace.contexts[0], 2).tolist() == [0.61, 0.82]
