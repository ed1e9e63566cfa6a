"""The measures are those of their papers, counted by hand on small cases."""

import numpy as np
import opencc
import pytest

from attention_model import evaluation
from attention_model.alignments import AlignedSentence
from attention_model.data import Pair
from attention_model.decoding import forced_decode, greedy_decode
from attention_model.errors import DataError, TextError
from attention_model.evaluation import find_links, measure_alignment, measure_translation
from attention_model.trace import SCORERS
from tests.translators import ATTENDING, CHINESE, ENGLISH, tiny_translator

SENTENCE = AlignedSentence(
    ("I", "like", "cats", "a", "lot", "."),
    ("我", "很", "喜", "歡", "貓", "。"),
    frozenset({(0, 0), (1, 2), (1, 3), (2, 4), (5, 5)}),
    frozenset({(0, 0), (1, 2), (1, 3), (2, 4), (5, 5), (4, 1)}),
)


def measure_found(monkeypatch, *found):
    """The alignment quality when these links are found in sentences that are all SENTENCE."""
    remaining = iter(found)
    monkeypatch.setattr(evaluation, "find_links", lambda *_: tuple(next(remaining)))
    return measure_alignment(tiny_translator(), [SENTENCE] * len(found))


def test_the_error_rate_of_perfect_links_is_zero(monkeypatch):
    quality = measure_found(monkeypatch, SENTENCE.sure, SENTENCE.possible)
    assert (quality.aer, quality.precision, quality.recall) == (0, 1, 1)


def test_the_error_rate_of_wrong_or_no_links_is_one(monkeypatch):
    assert measure_found(monkeypatch, [(3, 3), (3, 4)]).aer == 1
    assert measure_found(monkeypatch, []) == (1, 0, 0, 0, 1)


def test_the_error_rate_of_a_mixed_case_by_hand(monkeypatch):
    # Four links: two sure, one possible, one wrong; five sure ones exist. Then nothing at all in a second sentence.
    quality = measure_found(monkeypatch, [(0, 0), (1, 2), (4, 1), (3, 3)], [])
    assert quality.aer == pytest.approx(1 - (2 + 3) / (4 + 5 + 5))
    assert quality.precision == 3 / 4
    assert quality.recall == 2 / 10
    assert (quality.links, quality.sentences) == (4, 2)


@pytest.mark.parametrize("scorer", ATTENDING)
@pytest.mark.parametrize("source", [SENTENCE.source_tokens, ("I", "doesn't", "yesterday,", "it's", "teachers")])
def test_links_are_the_largest_weights_of_forced_decoding(scorer, source):
    translator = tiny_translator(scorer)
    sentence = SENTENCE._replace(source_tokens=source)
    trace = forced_decode(translator, " ".join(source), "".join(sentence.target_tokens))
    expected = []
    for t in range(len(sentence.target_tokens)):
        totals = [0.0] * len(source)
        begin = 0
        for i, token in enumerate(source):
            for weight, (start, _) in zip(trace.weights[t], trace.source_spans, strict=True):
                if begin <= start < begin + len(token):
                    totals[i] += weight
            begin += len(token) + 1
        assert sum(totals) == pytest.approx(1, abs=1e-5)
        if max(totals) >= 0.15:
            expected.append((totals.index(max(totals)), t))
    assert find_links(translator, sentence) == tuple(expected)
    assert find_links(translator, sentence, threshold=1.01) == ()


def test_rows_of_a_target_token_of_several_characters_are_averaged():
    translator = tiny_translator()
    sentence = SENTENCE._replace(target_tokens=("我", "很", "喜歡", "貓。"))
    weights = forced_decode(translator, ENGLISH[0], CHINESE[0]).weights
    rows = np.stack([weights[0], weights[1], weights[2:4].mean(axis=0), weights[4:6].mean(axis=0)])
    expected = tuple((int(row.argmax()), t) for t, row in enumerate(rows) if row.max() >= 0.15)
    assert find_links(translator, sentence) == expected


def test_tokens_that_melt_into_each_other_are_refused():
    with pytest.raises(DataError, match=r"are 4 characters one by one and 2 in their sentence"):
        find_links(tiny_translator(), SENTENCE._replace(target_tokens=("我", ".", ".", ".")))


def test_a_model_without_attention_has_no_links():
    with pytest.raises(DataError, match="no attention"):
        measure_alignment(tiny_translator("none"), [SENTENCE])


@pytest.mark.parametrize("scorer", SCORERS)
def test_references_in_simplified_characters_that_the_model_meets_exactly_give_full_marks(scorer):
    translator = tiny_translator(scorer)
    traces = [greedy_decode(translator, text) for text in ENGLISH]
    to_simplified = opencc.OpenCC("tw2s")
    pairs = [
        Pair(trace.source_text, to_simplified.convert(evaluation.normalize_target(trace.translation)))
        for trace in traces
    ]
    quality = measure_translation(translator, pairs)
    assert quality.sentences == 4
    assert quality.unfinished == sum(not trace.finished for trace in traces)
    assert (quality.mean_entropy is None) == (scorer == "none")
    assert quality.seconds > 0
    # Three full stops in a row are written as one mark by the text rules, so a perfect score is not quite reached.
    assert quality.bleu > 90
    assert quality.chrf > 90


def test_a_perfect_translation_scores_a_hundred_and_a_foreign_one_nothing(monkeypatch):
    def translated(texts):
        def translate(*_, **__):
            return [evaluation.Translation(text, len(text), None, True) for text in texts]

        monkeypatch.setattr(evaluation, "greedy_translations", translate)
        return measure_translation(tiny_translator(), [Pair(*pair) for pair in zip(ENGLISH, CHINESE, strict=True)])

    perfect = translated(CHINESE)
    assert (perfect.bleu, perfect.chrf) == (pytest.approx(100), pytest.approx(100))
    assert translated(["龘" * 9] * 4).bleu < 5


def test_every_sentence_is_in_one_group_of_lengths():
    pairs = [Pair(ENGLISH[0] + " cats" * number, CHINESE[0]) for number in (0, 1, 5, 6, 11, 16, 20)]
    quality = measure_translation(tiny_translator(), pairs)
    groups = {(group.shortest, group.longest): group.sentences for group in quality.by_length}
    assert groups == {(1, 5): 1, (6, 10): 2, (11, 15): 1, (16, 20): 1, (21, None): 2}


def test_mean_entropy_is_over_all_steps():
    translator = tiny_translator()
    pairs = [Pair(ENGLISH[0], CHINESE[0]), Pair(ENGLISH[1], CHINESE[1])]
    rows = [row for pair in pairs for row in greedy_decode(translator, pair.source_text).weights]
    expected = np.mean([-(row * np.log2(np.maximum(row, 1e-30))).sum() for row in rows])
    assert measure_translation(translator, pairs).mean_entropy == pytest.approx(expected, abs=1e-3)


def test_a_sentence_that_cannot_be_read_stops_the_measuring():
    with pytest.raises(TextError, match="no word to translate"):
        measure_translation(tiny_translator(), [Pair(ENGLISH[0], CHINESE[0]), Pair("?", "嗎？")])
