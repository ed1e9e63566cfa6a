"""The numbers of a decoded trace follow from each other by the formulas, whatever the route to them."""

import copy
import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from attention_model import analysis
from attention_model.checkpoint import Translator
from attention_model.data import pad_ids
from attention_model.decoding import (
    MAX_STEPS,
    beam_decode,
    default_max_length,
    forced_decode,
    greedy_decode,
    greedy_translations,
)
from attention_model.errors import DecodingError, InterventionError, TextError
from attention_model.tokenizer import END_ID, PAD_ID, SPECIAL_TOKENS, UNKNOWN_ID
from attention_model.trace import ARRAY_FIELDS, END_TOKEN, SCORERS, UNKNOWN_PIECE, Intervention
from tests.translators import ATTENDING, CHINESE, ENGLISH, shipped_translator, tiny_translator

TEXT, TARGET = ENGLISH[0], CHINESE[0]
TRANSLATORS = [
    pytest.param(make, scorer, id=f"{kind} {scorer}")
    for kind, make in (("tiny", tiny_translator), ("shipped", shipped_translator))
    for scorer in SCORERS
]


def softmax(values):
    exponentials = np.exp(values - values.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def score(translator, encoder_state, decoder_state):
    """One score by the formula of its paper, component by component."""
    scorer = translator.model.scorer
    match translator.config.scorer:
        case "dot":
            return sum(h * s for h, s in zip(encoder_state, decoder_state, strict=True))
        case "multiplicative":
            matrix = scorer.score_weight.numpy()
            return sum(h * matrix[j] @ decoder_state for j, h in enumerate(encoder_state))
        case "additive":
            layer = scorer.key_layer.weight.numpy() @ encoder_state + scorer.query_layer.weight.numpy() @ decoder_state
            return sum(v * math.tanh(one) for v, one in zip(scorer.score_vector.numpy(), layer, strict=True))


def assert_formulas_hold(translator, trace):
    """Parts 1 to 5, recomputed from the states and the model's matrices in numpy."""
    decoder = translator.model.decoder
    output_input = trace.decoder_states
    if translator.config.scorer != "none":
        for t, decoder_state in enumerate(trace.decoder_states):
            for i, encoder_state in enumerate(trace.encoder_states):
                if np.isfinite(trace.scores[t, i]):
                    expected = score(translator, encoder_state, decoder_state)
                    assert trace.scores[t, i] == pytest.approx(expected, rel=1e-3, abs=1e-3)
        np.testing.assert_allclose(
            trace.computed_weights, softmax(trace.scores / trace.intervention.temperature), atol=1e-5
        )
        np.testing.assert_allclose(trace.weights.sum(axis=1), 1, atol=1e-5)
        np.testing.assert_allclose(trace.contexts, trace.weights @ trace.encoder_states, atol=1e-4)
        output_input = np.concatenate([trace.contexts, trace.decoder_states], axis=1)
    outputs = np.tanh(output_input @ decoder.output_layer.weight.numpy().T)
    np.testing.assert_allclose(trace.attention_outputs, outputs, atol=1e-4)
    probabilities = softmax(outputs @ decoder.prediction_layer.weight.numpy().T)
    ids = translator.target_tokenizer.ids(trace.target_tokens)
    np.testing.assert_allclose(trace.token_probabilities, probabilities[np.arange(len(ids)), ids], rtol=1e-3, atol=1e-6)
    for t, row in enumerate(trace.candidates):
        listed = [probabilities[t, number] for number in translator.target_tokenizer.ids(one.token for one in row)]
        np.testing.assert_allclose([one.probability for one in row], listed, rtol=1e-3, atol=1e-6)
        np.testing.assert_allclose(listed, np.sort(probabilities[t])[::-1][: len(row)], rtol=1e-3, atol=1e-6)
        assert [one.rank for one in row] == list(range(1, 11))
        if trace.token_ranks[t] <= 10 and trace.target_known[t]:
            assert row[trace.token_ranks[t] - 1].probability == pytest.approx(trace.token_probabilities[t])


def assert_same_numbers(first, second, tolerance=1e-5):
    """Two traces along the same tokens hold the same arrays; the shorter says how many rows are compared."""
    rows = min(len(first.target_tokens), len(second.target_tokens))
    assert first.target_tokens[:rows] == second.target_tokens[:rows]
    np.testing.assert_allclose(first.encoder_states, second.encoder_states, atol=tolerance)
    for name in ARRAY_FIELDS[1:]:
        one, other = getattr(first, name), getattr(second, name)
        assert (one is None) == (other is None), name
        if one is not None:
            np.testing.assert_allclose(one[:rows], other[:rows], atol=tolerance, rtol=1e-4, err_msg=name)


def along(translator, trace):
    """Forced decoding of the trace's sentence along its own tokens, one by one (a text might be normalised)."""
    forced = Intervention(forced_tokens=tuple(enumerate(trace.target_tokens)))
    target = "貓" * len(trace.translation or "貓")
    return forced_decode(translator, trace.source_text, target, intervention=forced)


@pytest.mark.parametrize(("make", "scorer"), TRANSLATORS)
def test_the_formulas_hold_for_every_way_of_decoding(make, scorer):
    translator = make(scorer)
    traces = [greedy_decode(translator, text, max_length=7) for text in ENGLISH]
    traces += beam_decode(translator, TEXT, beam_size=3, max_length=7)
    traces.append(forced_decode(translator, TEXT, TARGET))
    if scorer != "none":
        change = Intervention(hidden=((None, 0), (1, 2)), temperature=0.7)
        traces.append(forced_decode(translator, TEXT, TARGET, intervention=change))
    for trace in traces:
        assert trace.scorer == scorer
        assert_formulas_hold(translator, trace)


@pytest.mark.parametrize(("make", "scorer"), TRANSLATORS)
def test_step_by_step_and_all_at_once_give_the_same_numbers(make, scorer):
    translator = make(scorer)
    for text in ENGLISH:
        trace = greedy_decode(translator, text, max_length=11)
        assert_same_numbers(trace, along(translator, trace), tolerance=1e-4)


@pytest.mark.parametrize(("make", "scorer"), TRANSLATORS)
def test_a_beam_of_one_is_greedy(make, scorer):
    translator = make(scorer)
    for text in ENGLISH:
        greedy = greedy_decode(translator, text)
        (beam,) = beam_decode(translator, text, beam_size=1)
        assert beam.target_tokens == greedy.target_tokens
        assert_same_numbers(beam, greedy)


@pytest.mark.parametrize(("make", "scorer"), TRANSLATORS)
def test_many_sentences_at_once_are_translated_as_each_alone(make, scorer):
    translator = make(scorer)
    alone = [greedy_decode(translator, text) for text in ENGLISH]
    told = []
    together = greedy_translations(translator, ENGLISH, batch_size=3, on_progress=told.append)
    assert told == [3, 4]
    for one, trace in zip(together, alone, strict=True):
        assert (one.text, one.steps, one.finished) == (trace.translation, len(trace.target_tokens), trace.finished)
        if scorer == "none":
            assert one.entropy is None
        else:
            assert one.entropy == pytest.approx(analysis.weight_entropy(trace.weights).mean(), abs=1e-4)


@pytest.mark.parametrize("scorer", SCORERS)
def test_padding_changes_no_state(scorer):
    translator = tiny_translator(scorer)
    ids = [list(translator.source_tokenizer.split(text).ids) for text in ENGLISH]
    padded = pad_ids(ids)
    together = translator.model.encode(padded, padded != PAD_ID)
    for row, own in enumerate(ids):
        alone = translator.model.encode(torch.tensor([own]), torch.ones(1, len(own), dtype=torch.bool))
        np.testing.assert_allclose(together.encoder_states[row, : len(own)], alone.encoder_states[0], atol=1e-6)
        np.testing.assert_allclose(together.initial_state[row], alone.initial_state[0], atol=1e-6)


def test_a_beam_of_one_step_gives_the_most_probable_tokens():
    hypotheses = beam_decode(tiny_translator(), TEXT, beam_size=5, max_length=1)
    candidates = [one for one in hypotheses[0].candidates[0] if one.token not in SPECIAL_TOKENS[:END_ID]]
    assert [trace.target_tokens for trace in hypotheses] == [(one.token,) for one in candidates[:5]]


def test_every_hypothesis_keeps_its_own_attention_also_when_some_end_earlier():
    translator = tiny_translator()
    hypotheses = beam_decode(translator, TEXT, beam_size=5)
    assert len({len(trace.target_tokens) for trace in hypotheses}) > 2
    assert [trace.hypothesis_rank for trace in hypotheses] == [1, 2, 3, 4, 5]
    assert len({trace.target_tokens for trace in hypotheses}) == 5
    scores = [trace.hypothesis_score for trace in hypotheses]
    assert scores == sorted(scores, reverse=True)
    for trace in hypotheses:
        assert trace.hypothesis_score == pytest.approx(np.log(trace.token_probabilities).mean(), abs=1e-4)
        assert_same_numbers(trace, along(translator, trace))


@pytest.fixture
def fond_of_unknown():
    """A translator for which `<unk>` is the most probable token of the first step, and what it chose before."""
    translator = tiny_translator(tied_embeddings=False)
    before = greedy_decode(translator, TEXT, max_length=1)
    model = copy.deepcopy(translator.model)
    (number,) = translator.target_tokenizer.ids(before.target_tokens)
    matrix = model.decoder.prediction_layer.weight
    matrix[UNKNOWN_ID] = 1.5 * matrix[number]
    return Translator(None, model, translator.source_tokenizer, translator.target_tokenizer), before


def test_the_unknown_token_is_never_chosen_but_keeps_its_probability(fond_of_unknown):
    translator, before = fond_of_unknown
    greedy = greedy_decode(translator, TEXT, max_length=1)
    (beam,) = beam_decode(translator, TEXT, beam_size=1, max_length=1)
    for trace in (greedy, beam):
        assert trace.target_tokens == before.target_tokens
        assert trace.token_ranks == (2,)
        assert trace.candidates[0][0].token == UNKNOWN_PIECE
        assert trace.candidates[0][0].probability > trace.token_probabilities[0]
        assert_formulas_hold(translator, trace)
    assert UNKNOWN_PIECE not in greedy_translations(translator, [TEXT])[0].text


@pytest.mark.parametrize("seed", range(3))
def test_no_special_token_but_the_end_is_ever_chosen(seed):
    for trace in beam_decode(tiny_translator(seed=seed), TEXT, beam_size=7):
        assert not set(trace.target_tokens) & set(SPECIAL_TOKENS[:END_ID])
        assert END_TOKEN not in trace.target_tokens[:-1]
        assert trace.finished == (trace.target_tokens[-1] == END_TOKEN)


def test_a_trace_says_what_was_asked_and_read():
    translator = tiny_translator()
    trace = greedy_decode(translator, "I  LIKE\u00a0cats a lot.")
    assert trace.source_tokens[:2] == ("I", "LIKE")
    assert "".join(trace.source_pieces[:2]).startswith("ilike")
    for token, (start, end) in zip(trace.source_tokens, trace.source_spans, strict=True):
        assert trace.source_text[start:end] == token
    assert (trace.checkpoint, trace.decoding, trace.intervention) == ("en-zh/dot", "greedy", Intervention())
    np.testing.assert_allclose(trace.encoder_states, greedy_decode(translator, TEXT).encoder_states, atol=1e-6)


def test_an_unknown_letter_is_shown_as_typed_and_read_as_unknown():
    trace = greedy_decode(tiny_translator(), "I like ø.")
    position = trace.source_tokens.index("ø")
    assert trace.source_pieces[position] == UNKNOWN_PIECE
    assert [i for i, known in enumerate(trace.source_known) if not known] == [position]


@pytest.mark.parametrize("text", ["<s> I like cats.", "</s> I like cats.", "<pad> I like cats.", "<unk> I like cats."])
def test_a_typed_special_token_is_read_as_its_characters(text):
    trace = greedy_decode(tiny_translator(), text)
    assert trace.source_tokens[0] == "<"
    assert trace.source_pieces.count(END_TOKEN) == 0


def test_a_forced_character_that_nobody_knows_stays_visible():
    translator = tiny_translator()
    trace = forced_decode(translator, TEXT, "我很愛貓。")
    assert trace.target_tokens == ("我", "很", "愛", "貓", "。", END_TOKEN)
    assert trace.target_known == (True, True, False, True, True, True)
    assert trace.finished
    step = trace.candidates[2]
    unknown = next((one.probability for one in step if one.token == UNKNOWN_PIECE), None)
    assert unknown is None or unknown == pytest.approx(trace.token_probabilities[2])


def test_a_forced_target_may_be_in_simplified_characters():
    assert forced_decode(tiny_translator(), TEXT, "我很喜欢猫.").target_tokens == (*TARGET, END_TOKEN)


@pytest.mark.parametrize("scorer", SCORERS)
def test_the_greatest_length_is_stated_and_reaching_it_is_said(scorer):
    translator = tiny_translator(scorer)
    pieces = len(greedy_decode(translator, TEXT, max_length=1).source_tokens)
    assert greedy_decode(translator, TEXT).max_length == default_max_length(pieces) == 3 * pieces + 20
    change = Intervention(forced_tokens=((0, "貓"), (1, "貓")))
    cut = greedy_decode(translator, TEXT, max_length=2, intervention=change)
    assert (cut.target_tokens, cut.max_length, cut.finished) == (("貓", "貓"), 2, False)
    ended = greedy_decode(translator, TEXT, intervention=Intervention(forced_tokens=((0, END_TOKEN),)))
    assert (ended.target_tokens, ended.finished) == ((END_TOKEN,), True)
    assert default_max_length(10_000) == MAX_STEPS


# What a person may change


def test_changing_nothing_changes_nothing():
    translator = tiny_translator()
    assert (
        greedy_decode(translator, TEXT, intervention=Intervention()).to_json()
        == greedy_decode(translator, TEXT).to_json()
    )


def test_a_forced_token_is_taken_whatever_its_probability():
    translator = tiny_translator()
    before = greedy_decode(translator, TEXT, max_length=5)
    token = next(one for one in "我貓狗" if one != before.target_tokens[1])
    after = greedy_decode(translator, TEXT, max_length=5, intervention=Intervention(forced_tokens=((1, token),)))
    assert after.target_tokens[:2] == (before.target_tokens[0], token)
    assert after.token_ranks[1] > 1
    np.testing.assert_array_equal(after.weights[:2], before.weights[:2])
    hypotheses = beam_decode(translator, TEXT, beam_size=3, intervention=Intervention(forced_tokens=((1, token),)))
    assert {trace.target_tokens[1] for trace in hypotheses if len(trace.target_tokens) > 1} == {token}


def test_forcing_the_end_ends_the_sentence():
    for decode in (greedy_decode, lambda *args, **more: forced_decode(args[0], args[1], TARGET, **more)):
        trace = decode(tiny_translator(), TEXT, intervention=Intervention(forced_tokens=((2, END_TOKEN),)))
        assert trace.target_tokens[2:] == (END_TOKEN,)
        assert trace.finished


@pytest.mark.parametrize("scorer", ATTENDING)
def test_weights_set_by_hand_change_the_word_of_their_step_only(scorer):
    translator = tiny_translator(scorer)
    before = forced_decode(translator, TEXT, TARGET)
    source = len(before.source_tokens)
    chosen = int(before.weights[1].argmin())
    by_hand = tuple(float(i == chosen) for i in range(source))
    after = forced_decode(translator, TEXT, TARGET, intervention=Intervention(replaced_weights=((1, by_hand),)))
    np.testing.assert_array_equal(after.weights[1], by_hand)
    np.testing.assert_array_equal(after.contexts[1], before.encoder_states[chosen])
    np.testing.assert_array_equal(after.computed_weights, before.weights)
    np.testing.assert_array_equal(after.decoder_states, before.decoder_states)
    others = [0, *range(2, len(before.target_tokens))]
    np.testing.assert_array_equal(after.weights[others], before.weights[others])
    np.testing.assert_allclose(after.token_probabilities[others], before.token_probabilities[others], rtol=1e-5)
    assert after.token_probabilities[1] != pytest.approx(before.token_probabilities[1], rel=1e-3)
    assert_formulas_hold(translator, after)


def test_setting_the_computed_weights_by_hand_changes_no_word():
    translator = tiny_translator()
    before = greedy_decode(translator, TEXT)
    rows = tuple((t, tuple(row.tolist())) for t, row in enumerate(before.weights))
    assert_same_numbers(greedy_decode(translator, TEXT, intervention=Intervention(replaced_weights=rows)), before)
    (beam, *_) = beam_decode(translator, TEXT, beam_size=1, intervention=Intervention(replaced_weights=rows))
    assert_same_numbers(beam, before)


@pytest.mark.parametrize("scorer", ATTENDING)
def test_a_hidden_word_gets_no_weight_and_the_others_share_its_part(scorer):
    translator = tiny_translator(scorer)
    before = forced_decode(translator, TEXT, TARGET)
    after = forced_decode(translator, TEXT, TARGET, intervention=Intervention(hidden=((None, 1),)))
    assert np.isneginf(after.scores[:, 1]).all()
    np.testing.assert_array_equal(after.encoder_states, before.encoder_states)
    expected = before.weights.copy()
    expected[:, 1] = 0
    np.testing.assert_allclose(after.weights, expected / expected.sum(axis=1, keepdims=True), atol=1e-5)


def test_a_word_hidden_at_one_step_is_seen_at_the_others():
    translator = tiny_translator()
    before = forced_decode(translator, TEXT, TARGET)
    after = forced_decode(translator, TEXT, TARGET, intervention=Intervention(hidden=((2, 1), (2, 0))))
    assert np.isneginf(after.scores).sum() == 2
    assert not after.weights[2, :2].any()
    np.testing.assert_array_equal(np.delete(after.weights, 2, axis=0), np.delete(before.weights, 2, axis=0))


@pytest.mark.parametrize("scorer", ATTENDING)
def test_the_temperature_goes_from_one_word_to_all_alike(scorer):
    translator = tiny_translator(scorer)
    before = forced_decode(translator, TEXT, TARGET)
    hard, even = (
        forced_decode(translator, TEXT, TARGET, intervention=Intervention(temperature=temperature))
        for temperature in (0.001, 1000.0)
    )
    np.testing.assert_array_equal(hard.scores, before.scores)
    np.testing.assert_array_equal(hard.weights.argmax(axis=1), before.weights.argmax(axis=1))
    assert hard.weights.max(axis=1).min() > 0.95
    np.testing.assert_allclose(even.weights, 1 / len(before.source_tokens), atol=0.01)


def row(*weights):
    """A row of weights for TEXT: these, and zeros."""
    source = len(greedy_decode(tiny_translator(), TEXT, max_length=1).source_tokens)
    return (*weights, *[0.0] * (source - len(weights)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"replaced_weights": ((0, (1.0,)),)}, r"step 0 are 1 numbers, and the source has \d+ tokens"),
        ({"replaced_weights": ((0, row(0.5, 0.4)),)}, r"step 0 sum to 0\.9, and 1 is wanted"),
        ({"replaced_weights": ((0, row(0.5, 0.50011)),)}, r"sum to 1\.00011, and 1"),
        ({"replaced_weights": ((0, row(1.5, -0.5)),)}, r"A weight of step 0 is -0\.5"),
        ({"replaced_weights": ((0, row(math.nan, 1.0)),)}, "A weight of step 0 is nan"),
        ({"replaced_weights": ((0, row(math.inf)),)}, "A weight of step 0 is inf"),
        ({"replaced_weights": ((0, row(1.0)), (0, row(1.0)))}, "Step 0 is given more than one row of weights"),
        ({"replaced_weights": ((-1, row(1.0)),)}, "There is no step -1 to change"),
        ({"hidden": ((0, 99),)}, "no source token 99 to hide at step 0"),
        ({"hidden": ((None, -1),)}, "no source token -1 to hide at every step"),
        ({"hidden": tuple((None, i) for i in range(len(row())))}, r"All \d+ source tokens are hidden at every step"),
        ({"hidden": ((None, 0), *((1, i) for i in range(1, len(row()))))}, "source tokens are hidden at step 1"),
        (
            {"hidden": ((None, 0),), "replaced_weights": ((1, row(1.0)),)},
            "token 0 is hidden at step 1 and given weight",
        ),
        ({"temperature": 0.0}, "The temperature is 0.0, and a number from 0.001 to 1000 is wanted"),
        ({"temperature": math.nan}, "The temperature is nan"),
        ({"temperature": math.inf}, "The temperature is inf"),
        ({"forced_tokens": ((0, "喜歡"),)}, "'喜歡' cannot be forced at one step: it is 2 tokens"),
        ({"forced_tokens": ((0, ""),)}, "it is 0 tokens"),
        ({"forced_tokens": ((0, UNKNOWN_PIECE),)}, "cannot be forced at one step"),
        ({"forced_tokens": ((0, "我"), (0, "貓"))}, "Step 0 is given more than one token"),
        ({"forced_tokens": ((500, "我"),)}, r"no step 500 to change: .* \d+ steps, counted from 0"),
        ({"hidden": ((500, 0),)}, "no step 500 to change"),
    ],
)
def test_a_change_that_does_not_fit_is_refused(change, message):
    for decode in (
        greedy_decode,
        lambda *args, **more: beam_decode(*args, beam_size=2, **more),
        lambda *args, **more: forced_decode(*args, TARGET, **more),
    ):
        with pytest.raises(InterventionError, match=message):
            decode(tiny_translator(), TEXT, intervention=Intervention(**change))


def test_a_change_after_the_end_of_the_sentence_is_refused_with_its_length():
    change = Intervention(forced_tokens=((0, END_TOKEN), (1, "我")))
    with pytest.raises(InterventionError, match="no step 1 to change: decoding took 1 step,"):
        greedy_decode(tiny_translator(), TEXT, intervention=change)
    with pytest.raises(InterventionError, match="the target has 1 step,"):
        forced_decode(tiny_translator(), TEXT, TARGET, intervention=change)


def test_weights_within_the_tolerance_are_taken():
    trace = greedy_decode(
        tiny_translator(), TEXT, intervention=Intervention(replaced_weights=((0, row(0.5, 0.50009)),))
    )
    assert trace.weights[0, 1] == pytest.approx(0.50009)


@pytest.mark.parametrize(
    "change", [{"hidden": ((None, 0),)}, {"replaced_weights": ((0, row(1.0)),)}, {"temperature": 2.0}]
)
def test_a_model_without_attention_has_no_attention_to_change(change):
    with pytest.raises(InterventionError, match="This model has no attention"):
        greedy_decode(tiny_translator("none"), TEXT, intervention=Intervention(**change))


def test_a_model_without_attention_can_be_forced():
    trace = greedy_decode(tiny_translator("none"), TEXT, intervention=Intervention(forced_tokens=((0, "貓"),)))
    assert trace.target_tokens[0] == "貓"
    assert (trace.scores, trace.weights, trace.computed_weights, trace.contexts) == (None, None, None, None)


# What cannot be asked


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no word to translate: found nothing"),
        (" \n\t", "no word to translate: found nothing"),
        ("?!…", r"no word to translate: found only '\?!…'"),
        ("cats " * 99, r"too long: it is \d+ pieces, and at most 60"),
        ("a" * 10_000, "too long: it has 10,000 characters, and at most 1,000"),
    ],
)
def test_a_sentence_that_cannot_be_read_is_refused(text, message):
    for decode in (
        greedy_decode,
        lambda *args: beam_decode(*args, beam_size=2),
        lambda *args: forced_decode(*args, TARGET),
        lambda translator, text: greedy_translations(translator, [TEXT, text]),
    ):
        with pytest.raises(TextError, match=message):
            decode(tiny_translator(), text)


@pytest.mark.parametrize(("target", "kind"), [("", TextError), (" \u200b", TextError), ("貓" * 200, DecodingError)])
def test_a_target_that_cannot_be_followed_is_refused(target, kind):
    with pytest.raises(kind, match="found nothing" if kind is TextError else "200 characters, and at most 199"):
        forced_decode(tiny_translator(), TEXT, target)


@pytest.mark.parametrize("size", [0, -1, 11])
def test_a_beam_of_no_width_or_too_wide_is_refused(size):
    with pytest.raises(DecodingError, match=f"beam size is {size}, and a whole number from 1 to 10"):
        beam_decode(tiny_translator(), TEXT, beam_size=size)


@pytest.mark.parametrize("length", [0, -3, MAX_STEPS + 1])
def test_a_length_out_of_range_is_refused(length):
    with pytest.raises(DecodingError, match=f"greatest length is {length}, and a whole number from 1 to {MAX_STEPS}"):
        greedy_decode(tiny_translator(), TEXT, max_length=length)


def test_a_model_in_training_mode_is_a_bug_not_a_result():
    translator = tiny_translator()
    in_training = replace(translator, model=copy.deepcopy(translator.model).train())
    with pytest.raises(RuntimeError, match="training mode"):
        greedy_decode(in_training, TEXT)
    with pytest.raises(RuntimeError, match="training mode"):
        greedy_translations(in_training, [TEXT])
