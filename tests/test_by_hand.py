"""A calculation by hand follows the formulas, to the last digit where it must; changes stand where they were made."""

import math
from dataclasses import fields, replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attention_model import analysis
from attention_model.by_hand import attend_by_hand, controlled_trace, scorer_parameters
from attention_model.decoding import forced_decode
from attention_model.errors import ConfigError, GivenError, InterventionError
from attention_model.given import GIVEN_SCORERS, LARGEST_ENTRY, GivenStates, ScorerParameters
from attention_model.trace import END_TOKEN, SCORERS, DecodingTrace, Intervention
from tests.toy import running_example
from tests.translators import ATTENDING, CHINESE, ENGLISH, shipped_translator, tiny_translator

THREE_STATES = [[1, 0], [0, 1], [1, 1]]
SOURCE, TARGET, D_H, D_S, K, D_O = 3, 2, 5, 7, 11, 13
WORDS = ("我", "很", "貓", "狗", END_TOKEN)


def exercise_one(**changes):
    return replace(GivenStates.blank(3, 1, 2, 2, 1), encoder_states=THREE_STATES, decoder_states=[[2, 0]], **changes)


def the_cat_sat():
    return replace(
        exercise_one(), source_tokens=("the", "cat", "sat"), target_tokens=("query",), decoder_states=[[0.1, 0.9]]
    )


def drawn(scorer, **changes):
    """Every part given, each number drawn; all sizes differ."""
    draw = np.random.default_rng(5).normal
    parts = {
        "target_tokens": ("貓", "我"),
        "encoder_states": draw(size=(SOURCE, D_H)),
        "decoder_states": draw(size=(TARGET, D_H if scorer == "dot" else D_S)),
        "score_weight": draw(size=(D_H, D_H if scorer == "dot" else D_S)),
        "key_weight": draw(size=(K, D_H)),
        "query_weight": draw(size=(K, D_H if scorer == "dot" else D_S)),
        "score_vector": draw(size=K),
        "output_weight": draw(size=(D_O, D_H + (D_H if scorer == "dot" else D_S))),
        "vocabulary": WORDS,
        "vocabulary_weight": draw(size=(len(WORDS), D_O)),
        "scorer": scorer,
    }
    return replace(GivenStates.blank(SOURCE, TARGET, D_H, D_H if scorer == "dot" else D_S, K), **(parts | changes))


def score(calculation, h, s):
    """One score by the formula of its paper, component by component."""
    match calculation.scorer:
        case "dot":
            return math.fsum(a * b for a, b in zip(h, s, strict=True))
        case "multiplicative":
            return math.fsum(
                h[row] * weight * s[column]
                for row, weights in enumerate(calculation.score_weight)
                for column, weight in enumerate(weights)
            )
        case "additive":
            return math.fsum(
                v * math.tanh(math.fsum([*(w1 * h), *(w2 * s)]))
                for v, w1, w2 in zip(
                    calculation.score_vector, calculation.key_weight, calculation.query_weight, strict=True
                )
            )


def test_exercise_one():
    trace = attend_by_hand(exercise_one())
    assert trace.scores.tolist() == [[2, 0, 2]]
    assert trace.weights[0].round(3).tolist() == [0.468, 0.063, 0.468]
    assert trace.contexts[0].round(3).tolist() == [0.937, 0.532]
    share = math.exp(2) / (2 * math.exp(2) + 1)
    assert trace.contexts[0].tolist() == pytest.approx([2 * share, 1 - share], rel=1e-15)


def test_the_cat_sat():
    trace = attend_by_hand(the_cat_sat())
    assert trace.source_tokens == ("the", "cat", "sat")
    assert trace.scores[0].tolist() == pytest.approx([0.1, 0.9, 1.0], rel=1e-15)
    assert trace.weights[0].round(2).tolist() == [0.18, 0.39, 0.43]
    assert trace.contexts[0].round(2).tolist() == [0.61, 0.82]


@pytest.mark.parametrize("scorer", GIVEN_SCORERS)
def test_every_part_follows_its_formula_in_double_precision(scorer):
    calculation = drawn(scorer, temperature=0.3)
    trace = attend_by_hand(calculation)
    for t, s in enumerate(calculation.decoder_states):
        for i, h in enumerate(calculation.encoder_states):
            assert trace.scores[t, i] == pytest.approx(score(calculation, h, s), rel=1e-12)
        exponentials = [math.exp(one / 0.3) for one in trace.scores[t]]
        assert trace.weights[t].tolist() == pytest.approx([one / sum(exponentials) for one in exponentials], rel=1e-12)
        context = [math.fsum(trace.weights[t] * column) for column in calculation.encoder_states.T]
        assert trace.contexts[t].tolist() == pytest.approx(context, rel=1e-12)
        together = np.concatenate([context, s])
        outputs = [math.tanh(math.fsum(row * together)) for row in calculation.output_weight]
        assert trace.attention_outputs[t].tolist() == pytest.approx(outputs, rel=1e-12)
        shares = [math.exp(math.fsum(row * outputs)) for row in calculation.vocabulary_weight]
        probabilities = {word: share / sum(shares) for word, share in zip(WORDS, shares, strict=True)}
        assert trace.token_probabilities[t] == pytest.approx(probabilities[trace.target_tokens[t]], rel=1e-12)
        listed = {candidate.token: candidate.probability for candidate in trace.candidates[t]}
        assert listed == pytest.approx(probabilities, rel=1e-12)
        assert list(listed) == sorted(WORDS, key=lambda word: -probabilities[word])
        assert list(listed).index(trace.target_tokens[t]) + 1 == trace.token_ranks[t]


@pytest.mark.parametrize("scorer", GIVEN_SCORERS)
def test_a_calculation_is_a_trace_like_any_other(scorer):
    trace = attend_by_hand(drawn(scorer))
    assert (trace.checkpoint, trace.decoding, trace.scorer) == (None, "toy", scorer)
    assert (trace.source_text, trace.source_spans) == (None, None)
    assert trace.intervention == Intervention()
    assert {array.dtype for array in (trace.scores, trace.weights, trace.contexts, trace.attention_outputs)} == {
        np.dtype(np.float64)
    }
    again = DecodingTrace.from_json(trace.to_json())
    assert again.to_json() == trace.to_json()
    assert analysis.describe_step(trace, 0)
    parameters = drawn(scorer).scorer_parameters
    bounds = analysis.score_bounds(trace, score_weight=parameters.score_weight, score_vector=parameters.score_vector)
    assert (np.abs(trace.scores) <= bounds).all()


def test_what_is_not_given_does_not_exist():
    trace = attend_by_hand(exercise_one())
    assert (trace.attention_outputs, trace.token_probabilities, trace.token_ranks, trace.candidates) == (None,) * 4
    assert trace.target_known == (True,)
    with_outputs = attend_by_hand(exercise_one(output_weight=np.ones((3, 4))))
    assert with_outputs.attention_outputs.shape == (1, 3)
    assert with_outputs.candidates is None


def test_a_target_word_outside_the_vocabulary_has_no_probability():
    trace = attend_by_hand(drawn("additive", target_tokens=("貓", "魚")))
    assert trace.target_known == (True, False)
    assert (trace.token_probabilities, trace.token_ranks) == (None, None)
    assert len(trace.candidates[1]) == len(WORDS)


def test_the_end_token_finishes_a_calculation():
    assert not attend_by_hand(drawn("dot")).finished
    assert attend_by_hand(drawn("dot", target_tokens=("我", END_TOKEN))).finished


def test_a_score_set_by_hand_stands_in_the_scores_before_the_softmax():
    trace = attend_by_hand(exercise_one(edited_scores=((0, 1, 2.0),)))
    assert trace.scores.tolist() == [[2, 2, 2]]
    assert trace.weights[0].tolist() == trace.computed_weights[0].tolist() == pytest.approx([1 / 3] * 3)
    assert trace.intervention == Intervention(replaced_scores=((0, 1, 2.0),))
    assert DecodingTrace.from_json(trace.to_json()).intervention == trace.intervention


def test_a_score_set_by_hand_is_divided_by_the_temperature_and_changes_only_its_step():
    calculation = drawn("additive", temperature=2.0)
    before = attend_by_hand(calculation)
    trace = attend_by_hand(replace(calculation, edited_scores=((1, 0, 3.0),)))
    assert trace.weights[0].tolist() == before.weights[0].tolist()
    ratio = math.exp((3.0 - before.scores[1, 2]) / 2.0)
    assert trace.weights[1, 0] / trace.weights[1, 2] == pytest.approx(ratio)


def test_weights_set_by_hand_stay_and_the_rest_shares_what_is_left():
    before = attend_by_hand(exercise_one())
    trace = attend_by_hand(exercise_one(edited_weights=((0, 1, 0.4),)))
    # The two other words have equal weights, so each takes half of 0.6.
    assert trace.weights[0].tolist() == pytest.approx([0.3, 0.4, 0.3], rel=1e-15)
    assert trace.computed_weights.tolist() == before.weights.tolist()
    assert trace.contexts[0].tolist() == pytest.approx([0.6, 0.7], rel=1e-15)
    ((step, row),) = trace.intervention.replaced_weights
    assert (step, list(row)) == (0, trace.weights[0].tolist())


def test_shares_of_the_rest_keep_their_proportions():
    before = attend_by_hand(drawn("additive")).weights[1]
    trace = attend_by_hand(drawn("additive", edited_weights=((1, 0, 0.25),)))
    assert trace.weights[1, 0] == 0.25
    assert trace.weights[1, 1] / trace.weights[1, 2] == pytest.approx(before[1] / before[2])
    assert trace.weights[1].sum() == pytest.approx(1, rel=1e-15)
    assert trace.weights[0].tolist() == trace.computed_weights[0].tolist()


def test_where_the_rest_has_no_weight_at_all_it_shares_equally():
    calculation = exercise_one(edited_scores=((0, 0, 1e6),), edited_weights=((0, 0, 0.5),))
    trace = attend_by_hand(calculation)
    assert trace.computed_weights.tolist() == [[1, 0, 0]]
    assert trace.weights.tolist() == [[0.5, 0.25, 0.25]]


def test_a_whole_row_may_be_set_by_hand():
    edits = tuple((0, i, weight) for i, weight in enumerate((0.1, 0.2, 0.7)))
    assert attend_by_hand(exercise_one(edited_weights=edits)).weights.tolist() == [[0.1, 0.2, 0.7]]


@pytest.mark.parametrize(("d_h", "d_s"), [(2, 3), (3, 2)])
def test_a_dot_product_of_different_sizes_is_refused_with_the_reason(d_h, d_s):
    calculation = replace(GivenStates.blank(1, 1, d_h, d_s, 1), scorer="dot")
    with pytest.raises(ConfigError, match=f"an encoder state has {d_h}, a decoder state {d_s}. Make them equal"):
        attend_by_hand(calculation)


NUMBERS = st.floats(-LARGEST_ENTRY, LARGEST_ENTRY)


@settings(max_examples=30)
@given(
    hnp.arrays(np.float64, (SOURCE, D_H), elements=NUMBERS),
    hnp.arrays(np.float64, (TARGET, D_H), elements=NUMBERS),
    st.sampled_from(GIVEN_SCORERS),
)
def test_the_softmax_is_exact_for_every_number_that_may_be_given(states, queries, scorer):
    calculation = replace(drawn("dot"), scorer=scorer, encoder_states=states, decoder_states=queries)
    trace = attend_by_hand(calculation)
    for t in range(TARGET):
        parts = analysis.softmax_parts(trace.scores[t])
        np.testing.assert_allclose(trace.weights[t], parts.weights, rtol=1e-12, atol=1e-300)
    np.testing.assert_allclose(trace.weights.sum(axis=1), 1, rtol=1e-15)


def test_the_largest_numbers_do_not_overflow():
    largest = np.full((SOURCE, 16), LARGEST_ENTRY)
    largest[1] *= -1
    calculation = replace(
        GivenStates.blank(SOURCE, 1, 16, 16, 1),
        encoder_states=largest,
        decoder_states=largest[:1],
        score_weight=np.full((16, 16), LARGEST_ENTRY),
        scorer="multiplicative",
        temperature=0.001,
    )
    trace = attend_by_hand(calculation)
    assert trace.scores[0].tolist() == pytest.approx([2.56e20, -2.56e20, 2.56e20])
    assert trace.weights.tolist() == [[0.5, 0, 0.5]]
    assert trace.contexts.tolist() == [[LARGEST_ENTRY] * 16]


@settings(max_examples=30)
@given(hnp.arrays(np.float64, (SOURCE, D_H), elements=NUMBERS), hnp.arrays(np.float64, (TARGET, D_H), elements=NUMBERS))
def test_multiplicative_with_the_identity_is_dot_to_the_last_digit_by_hand(states, queries):
    calculation = replace(GivenStates.blank(SOURCE, TARGET, D_H, D_H, K), encoder_states=states, decoder_states=queries)
    dot, multiplicative = (attend_by_hand(replace(calculation, scorer=one)) for one in ("dot", "multiplicative"))
    assert multiplicative.scores.tolist() == dot.scores.tolist()
    assert multiplicative.weights.tolist() == dot.weights.tolist()


@pytest.mark.parametrize("scorer", SCORERS)
def test_multiplicative_with_the_identity_is_dot_to_the_last_digit_on_trained_states(scorer):
    states_of = forced_decode(shipped_translator(scorer), ENGLISH[0], CHINESE[0])
    size = states_of.encoder_states.shape[1]
    dot = controlled_trace(states_of, "dot", ScorerParameters())
    multiplicative = controlled_trace(states_of, "multiplicative", ScorerParameters(score_weight=np.eye(size)))
    assert dot.scores.dtype == multiplicative.scores.dtype == np.float32
    for name in ("scores", "weights", "contexts"):
        assert getattr(dot, name).tobytes() == getattr(multiplicative, name).tobytes(), name


@pytest.mark.parametrize("scorer", ATTENDING)
@pytest.mark.parametrize("make", [tiny_translator, shipped_translator], ids=["tiny", "shipped"])
def test_the_states_of_a_translator_under_its_own_scorer_are_its_own_trace(make, scorer):
    change = Intervention(hidden=((None, 1), (2, 0)), temperature=0.7)
    states_of = forced_decode(make(scorer), ENGLISH[0], CHINESE[0], intervention=change)
    trace = controlled_trace(states_of, scorer, scorer_parameters(make(scorer)))
    np.testing.assert_allclose(trace.scores, states_of.scores, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(trace.weights, states_of.weights, atol=1e-6)
    np.testing.assert_allclose(trace.contexts, states_of.contexts, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("scorer", GIVEN_SCORERS)
def test_only_the_score_differs_in_a_controlled_trace(scorer):
    states_of = forced_decode(tiny_translator("none"), ENGLISH[0], CHINESE[0])
    parameters = scorer_parameters(tiny_translator(scorer))
    trace = controlled_trace(states_of, scorer, parameters)
    after_the_context = {"attention_outputs", "token_probabilities", "token_ranks", "candidates"}
    changed = {"scores", "computed_weights", "weights", "contexts", "scorer"} | after_the_context
    for field in fields(DecodingTrace):
        one, other = getattr(trace, field.name), getattr(states_of, field.name)
        if field.name in after_the_context:
            assert one is None
        elif field.name not in changed:
            assert np.array_equal(one, other), field.name
    assert trace.checkpoint == "en-zh/none"
    assert trace.scorer == scorer


def test_given_states_are_scored_by_another_function_in_their_own_precision():
    calculation = drawn("multiplicative", temperature=0.3, edited_scores=((0, 0, 9.0),), edited_weights=((1, 1, 0.9),))
    additive = replace(calculation, scorer="additive", edited_scores=(), edited_weights=())
    trace = controlled_trace(attend_by_hand(calculation), "additive", additive.scorer_parameters)
    alone = attend_by_hand(additive)
    assert trace.scores.dtype == np.float64
    assert trace.scores.tolist() == alone.scores.tolist()
    assert trace.contexts.tolist() == alone.contexts.tolist()
    assert trace.intervention == Intervention(temperature=0.3)


@pytest.mark.parametrize(
    ("scorer", "parameters", "message"),
    [
        ("multiplicative", ScorerParameters(), "W is missing, and the multiplicative scorer wants 4 × 4"),
        ("multiplicative", ScorerParameters(np.eye(3)), "W is 3 × 3, and the multiplicative scorer wants 4 × 4"),
        (
            "additive",
            ScorerParameters(None, np.ones((5, 4)), np.ones((5, 3)), np.ones(5)),
            "W₂ is 5 × 3, .*wants 5 × 4",
        ),
        ("additive", ScorerParameters(np.eye(4)), "W₁ is missing"),
        ("none", ScorerParameters(), "The scorer is 'none', and one of dot, multiplicative, additive is wanted"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(scorer, parameters, message):
    with pytest.raises(GivenError, match=message):
        controlled_trace(running_example(), scorer, parameters)


@pytest.mark.parametrize("scorer", SCORERS)
def test_the_parameters_of_a_translator_are_those_of_its_scorer(scorer):
    translator = tiny_translator(scorer)
    parameters = scorer_parameters(translator)
    module = translator.model.scorer
    learned = [] if module is None else list(module.parameters())
    assert parameters.size == sum(one.numel() for one in learned)
    assert (parameters.score_weight is not None) == (scorer == "multiplicative")
    if scorer == "additive":
        assert np.array_equal(parameters.key_weight, module.key_layer.weight.numpy())
        assert np.array_equal(parameters.query_weight, module.query_layer.weight.numpy())
        assert np.array_equal(parameters.score_vector, module.score_vector.numpy())


def test_no_random_number_is_drawn():
    torch.manual_seed(3)
    before = torch.get_rng_state()
    attend_by_hand(drawn("additive"))
    assert torch.equal(torch.get_rng_state(), before)


def test_a_translator_refuses_scores_set_by_hand():
    with pytest.raises(InterventionError, match="Scores set by hand: 1; a translator allows none"):
        forced_decode(
            tiny_translator(), ENGLISH[0], CHINESE[0], intervention=Intervention(replaced_scores=((0, 0, 1.0),))
        )
