"""Two traces are compared word by word, and what a change did is said in words that follow from their numbers."""

from dataclasses import replace

import numpy as np
import pytest

from attention_model.comparison import LOOKS_ELSEWHERE, Block, compare_traces, describe_changes, describe_reach
from attention_model.decoding import beam_decode, forced_decode, greedy_decode
from attention_model.trace import END_TOKEN, Intervention
from tests.toy import running_example, sized_trace
from tests.translators import CHINESE, ENGLISH, tiny_translator


def changed(trace, tokens=None, weights=None, source=None, **intervention):
    """The running example with other words, rows or source tokens (numbers of those that stay), as if decoded so."""
    tokens = trace.target_tokens if tokens is None else tuple(tokens)
    rows = np.resize(trace.weights, (len(tokens), len(trace.source_tokens))) if weights is None else weights
    kept = list(range(len(trace.source_tokens))) if source is None else list(source)
    spans, text, end = [], "", 0
    for i in kept:
        start = len(text) + bool(text)
        text += (" " if text else "") + trace.source_tokens[i]
        end = len(text)
        spans.append((start, end))
    states = np.resize(trace.decoder_states, (len(tokens), trace.decoder_states.shape[1]))
    rows = rows[:, kept]
    return replace(
        trace,
        source_text=trace.source_text if source is None else text,
        source_spans=trace.source_spans if source is None else tuple(spans),
        source_tokens=tuple(trace.source_tokens[i] for i in kept),
        source_pieces=tuple(trace.source_pieces[i] for i in kept),
        source_word_ids=tuple(range(len(kept))),
        encoder_states=trace.encoder_states[kept],
        target_tokens=tokens,
        target_known=(True,) * len(tokens),
        decoder_states=states,
        scores=rows,
        computed_weights=rows,
        weights=rows,
        contexts=rows @ trace.encoder_states[kept],
        intervention=Intervention(**intervention),
    )


RUNNING = running_example()


def test_a_trace_compared_with_itself_has_no_changes():
    for trace in (RUNNING, sized_trace(), sized_trace(scorer="none")):
        changes = compare_traces(trace, trace)
        steps = len(trace.target_tokens)
        assert changes.pairs == tuple((t, t) for t in range(steps))
        assert (changes.blocks, changes.looks_elsewhere) == ((), ())
        assert changes.changed_before == changes.changed_now == (False,) * steps


@pytest.mark.parametrize(
    ("tokens", "gone", "new", "blocks"),
    [
        ("我喜歡貓", (1,), (), (Block((1, 2), (1, 1)),)),
        ("我很喜歡狗", (4,), (4,), (Block((4, 5), (4, 5)),)),
        ("我很喜歡貓了", (), (5,), (Block((5, 5), (5, 6)),)),
        ("你也很喜歡", (0, 4), (0, 1), (Block((0, 1), (0, 2)), Block((4, 5), (5, 5)))),
    ],
)
def test_words_that_changed_are_found_on_both_sides(tokens, gone, new, blocks):
    changes = compare_traces(RUNNING, changed(RUNNING, tokens))
    assert tuple(t for t, one in enumerate(changes.changed_before) if one) == gone
    assert tuple(t for t, one in enumerate(changes.changed_now) if one) == new
    assert changes.blocks == blocks


def test_the_way_back_has_the_same_words_the_other_way_round():
    other = changed(RUNNING, "我喜歡狗")
    there, back = compare_traces(RUNNING, other), compare_traces(other, RUNNING)
    assert there.changed_before == back.changed_now
    assert there.changed_now == back.changed_before


def test_a_row_looks_elsewhere_when_enough_of_its_weight_has_moved():
    rows = np.full((5, 5), 0.2)
    just_enough, too_little = rows.copy(), rows.copy()
    for moved, share in ((just_enough, LOOKS_ELSEWHERE * 1.01), (too_little, LOOKS_ELSEWHERE * 0.99)):
        moved[2] += share * np.array([1, 0, 0, 0, -1])
    even = changed(RUNNING, weights=rows)
    assert compare_traces(even, changed(RUNNING, weights=just_enough)).looks_elsewhere == ((2, 2),)
    assert compare_traces(even, changed(RUNNING, weights=too_little)).looks_elsewhere == ()


def test_without_a_word_of_the_sentence_only_rows_that_looked_at_it_look_elsewhere():
    without_cats = RUNNING.weights.copy()
    without_cats[:4, 2] = 0
    without_cats /= without_cats.sum(axis=1, keepdims=True)
    now = changed(RUNNING, weights=without_cats, source=(0, 1, 3, 4))
    expected = tuple((t, t) for t in range(5) if RUNNING.weights[t, 2] >= LOOKS_ELSEWHERE)
    assert expected
    assert compare_traces(RUNNING, now).looks_elsewhere == expected


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"hidden": ((None, 3), (None, 4))}, "*a lot* hidden"),
        ({"hidden": ((None, 0), (None, 3), (None, 4))}, "*I* and *a lot* hidden"),
        ({"hidden": ((1, 4),)}, "*lot* hidden at step 2"),
        ({"replaced_weights": ((1, (0.0, 0.0, 1.0, 0.0, 0.0)),)}, "all weight of step 2 on *cats*"),
        ({"replaced_weights": ((1, (0.5, 0.0, 0.5, 0.0, 0.0)),)}, "the weight of step 2 shared by *I* and *cats*"),
        ({"replaced_weights": ((1, (0.0, 0.0, 0.0, 0.5, 0.5)),)}, "all weight of step 2 on *a lot*"),
        ({"replaced_weights": ((0, (0.2,) * 5),)}, "equal weights at step 1"),
        (
            {"replaced_weights": ((0, (0.5, 0.5, 0.0, 0.0, 0.0)),), "hidden": ((0, 2), (None, 3), (None, 4))},
            "equal weights at step 1, *a lot* hidden and *cats* hidden at step 1",
        ),
        ({"replaced_weights": ((0, (0.1, 0.2, 0.7, 0.0, 0.0)),)}, "the weights of step 1 set by hand"),
        ({"forced_tokens": ((4, "狗"),)}, "狗 at step 5"),
        ({"forced_tokens": ((4, END_TOKEN),)}, "the end at step 5"),
        ({"temperature": 0.001}, "temperature 0.001"),
        ({"hidden": ((None, 2),), "temperature": 2.5}, "*cats* hidden and temperature 2.5"),
    ],
)
def test_the_change_is_named(change, cause):
    text = describe_changes(RUNNING, changed(RUNNING, "我喜歡貓", **change))
    assert text == f"With {cause}, 很 is gone."


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"hidden": ((None, 3), (None, 4))}, "*a lot* seen again"),
        ({"replaced_weights": ((1, (0.0, 0.0, 1.0, 0.0, 0.0)),)}, "the computed weights of step 2 again"),
        ({"forced_tokens": ((3, "貓"),)}, "the model choosing again from step 4 on"),
        ({"temperature": 0.1}, "temperature 1 again"),
    ],
)
def test_the_way_back_is_named_too(change, cause):
    text = describe_changes(changed(RUNNING, "我喜歡貓", **change), RUNNING)
    assert text == f"With {cause}, 很 is new."


def test_words_that_left_the_sentence_are_named():
    now = changed(RUNNING, "我喜歡貓", source=(0, 1, 2))
    assert describe_changes(RUNNING, now) == "With *a lot* dropped from the sentence, 很 is gone."
    assert describe_changes(now, RUNNING) == "With *a lot* back in the sentence, 很 is new."


@pytest.mark.parametrize(
    ("tokens", "effect"),
    [
        ("我喜歡貓", "很 is gone"),
        ("我很愛貓", "喜歡 becomes 愛"),
        ("我很喜歡貓呢", "呢 is new"),
        ("你很喜歡狗", "我 becomes 你 and 貓 becomes 狗"),
        (("我", "很", "喜", "歡", "貓", END_TOKEN), "the end is new"),
        (("我", END_TOKEN), "the translation becomes 我"),
        ((END_TOKEN,), "nothing is left of the translation"),
        ("她到家了嗎", "the translation becomes 她到家了嗎"),
    ],
)
def test_what_became_of_the_words(tokens, effect):
    assert describe_changes(RUNNING, changed(RUNNING, tokens)) == effect[0].upper() + effect[1:] + "."


def test_where_no_word_changed_the_rows_that_look_elsewhere_are_counted():
    rows = RUNNING.weights.copy()
    rows[[1, 3]] = 0.2
    now = changed(RUNNING, weights=rows, hidden=((1, 0),))
    expected = "With *I* hidden at step 2, nothing changes in the translation; 2 rows look elsewhere."
    assert describe_changes(RUNNING, now) == expected
    rows[3] = RUNNING.weights[3]
    assert describe_changes(RUNNING, changed(RUNNING, weights=rows)).endswith("; 1 row looks elsewhere.")
    assert describe_changes(RUNNING, RUNNING) == "Nothing changes in the translation, and no row looks elsewhere."


def test_the_probability_of_a_word_that_stayed_is_told_when_it_moved_most():
    before = sized_trace(target=5)
    probabilities = before.token_probabilities.copy()
    probabilities[:] = (0.5, 0.5, 0.5, 0.5, 0.5)
    before = replace(before, token_probabilities=probabilities)
    probabilities = probabilities.copy()
    probabilities[1], probabilities[3] = 0.46, 0.125
    now = replace(before, token_probabilities=probabilities)
    assert describe_changes(before, now).endswith(
        f"; the probability of {before.target_tokens[3]} falls from 0.50 to 0.12."
    )
    assert describe_changes(now, before).endswith(
        f"; the probability of {before.target_tokens[3]} rises from 0.12 to 0.50."
    )


def test_marks_stand_around_what_comes_from_people():
    now = changed(RUNNING, "我很愛貓", hidden=((None, 2),))
    text = describe_changes(RUNNING, now, mark="«", target_mark="|")
    assert text == "With «cats« hidden, |喜歡| becomes |愛|."


def test_the_reach_of_weights_is_told_for_one_step_only():
    row = (0.0, 0.0, 1.0, 0.0, 0.0)
    stays = describe_reach(RUNNING, changed(RUNNING, replaced_weights=((1, row),)))
    assert stays.startswith("The weights of step 2 decide only its word;")
    assert stays.endswith("It is still 很, so every later step is as it was.")
    goes = describe_reach(RUNNING, changed(RUNNING, "我愛", replaced_weights=((1, row),)))
    assert goes.endswith("later words change only through it.")
    for change in ({"temperature": 2.0}, {"hidden": ((None, 1),)}, {"hidden": ((1, 1), (2, 1))}, {}):
        assert describe_reach(RUNNING, changed(RUNNING, **change)) is None
    assert describe_reach(RUNNING, changed(RUNNING, source=(0, 1, 2, 3), hidden=((1, 1),))) is None
    assert describe_reach(RUNNING, changed(RUNNING, forced_tokens=((0, "你"),), hidden=((1, 1),))) is None


def test_weights_set_by_hand_that_left_with_a_word_are_told():
    on_a_lot = (0.0, 0.0, 0.0, 0.5, 0.5)
    rows = ((1, on_a_lot), (2, on_a_lot), (3, (1.0, 0.0, 0.0, 0.0, 0.0)))
    by_hand = changed(RUNNING, replaced_weights=rows)
    shorter = changed(RUNNING, source=(0, 1, 2), replaced_weights=((3, (1.0, 0.0, 0.0)),))
    assert describe_reach(by_hand, shorter) == (
        "The weights set by hand at steps 2 and 3 used it, so they are computed again."
    )
    assert describe_reach(shorter, by_hand) is None
    only_kept = changed(RUNNING, replaced_weights=rows[2:])
    assert describe_reach(only_kept, shorter) is None


@pytest.mark.parametrize("step", [0, 2, 4])
def test_the_reach_is_true_of_the_engine(step):
    translator = tiny_translator()
    before = greedy_decode(translator, ENGLISH[0])
    for position in range(len(before.source_tokens)):
        row = tuple(float(i == position) for i in range(len(before.source_tokens)))
        now = greedy_decode(translator, ENGLISH[0], intervention=Intervention(replaced_weights=((step, row),)))
        assert now.target_tokens[:step] == before.target_tokens[:step]
        if now.target_tokens[step] == before.target_tokens[step]:
            assert now.target_tokens == before.target_tokens
            assert "every later step is as it was" in describe_reach(before, now)
            np.testing.assert_array_equal(now.weights[step + 1 :], before.weights[step + 1 :])


def test_along_one_s_own_translation_the_words_stay():
    translator = tiny_translator()
    before = forced_decode(translator, ENGLISH[0], CHINESE[0])
    now = forced_decode(translator, ENGLISH[0], CHINESE[0], intervention=Intervention(temperature=1000.0))
    assert describe_changes(before, now).startswith("With temperature 1000, your words stay; ")


def test_without_attention_and_between_hypotheses_there_is_a_sentence_too():
    none = greedy_decode(tiny_translator("none"), ENGLISH[0])
    assert describe_changes(none, none) == "Nothing changes in the translation."
    one, other, *_ = beam_decode(tiny_translator(), ENGLISH[0], beam_size=3)
    assert one.target_tokens != other.target_tokens
    assert "othing" not in describe_changes(one, other)
