"""Aligned sentences are read as they are written, found by their text, and held against a trace's own weights."""

import json
import shutil
from dataclasses import replace

import numpy as np
import pytest

from attention_model import shelf
from attention_model.alignments import (
    AlignedSentence,
    alignment_quality,
    find_reference,
    read_alignment_set,
    reference_links,
    target_lengths,
    trace_quality,
)
from attention_model.decoding import forced_decode
from attention_model.errors import CheckpointError, DataError
from attention_model.evaluation import measure_alignment
from tests.sources import ROOT
from tests.toy import running_example
from tests.translators import ATTENDING, CHINESE, ENGLISH, shipped_translator, tiny_translator

FOLDER = ROOT / "checkpoints" / "en-zh" / "alignments"
SENTENCE = AlignedSentence(
    ("I", "like", "cats", "a", "lot", "."),
    ("我", "很", "喜歡", "貓", "。"),
    frozenset({(0, 0), (1, 2), (2, 3)}),
    frozenset({(0, 0), (1, 2), (2, 3), (4, 1)}),
)


def write_set(folder, source="I sleep .\n", target="我 睡 。\n", links="0-0 1-1 1?2\n"):
    (folder / "en.txt").write_text(source, encoding="utf-8")
    (folder / "zh.txt").write_text(target, encoding="utf-8")
    (folder / "en-zh.align").write_text(links, encoding="utf-8")
    return folder


def shipped_set():
    return shelf.aligned_sentences("en-zh")


def test_a_set_is_read_with_sure_links_counted_as_possible(tmp_path):
    (sentence,) = read_alignment_set(write_set(tmp_path))
    assert sentence.source_tokens == ("I", "sleep", ".")
    assert sentence.target_tokens == ("我", "睡", "。")
    assert sentence.sure == {(0, 0), (1, 1)}
    assert sentence.possible == {(0, 0), (1, 1), (1, 2)}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"links": "0-0 1:1\n"}, r"Line 1 of en-zh\.align has the link '1:1'; i-j or i\?j is wanted"),
        ({"links": "0-0 3-0\n"}, r"has the link '3-0', and the sentence has 3 source and 3 target tokens"),
        ({"links": "0-0 0?3\n"}, r"has the link '0\?3'"),
        ({"links": "0-0\n1-1\n"}, r"have 1, 1 and 2 lines"),
        ({"target": ""}, r"have 1, 0 and 1 lines"),
        ({"links": "0?0\n"}, r"has no sure link"),
    ],
)
def test_a_set_that_does_not_fit_together_is_refused(changed, message, tmp_path):
    with pytest.raises(DataError, match=message):
        read_alignment_set(write_set(tmp_path, **changed))


def test_a_set_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"There is no folder .*nowhere\. Give one that holds a file named like en-zh"):
        read_alignment_set(tmp_path / "nowhere")
    with pytest.raises(DataError, match=r"holds 0 files named like en-zh\.align, and one is wanted"):
        read_alignment_set(tmp_path)
    (write_set(tmp_path) / "zh.txt").unlink()
    with pytest.raises(DataError, match=r"zh\.txt cannot be read"):
        read_alignment_set(tmp_path)


def test_the_shipped_set_is_read_line_by_line():
    sentences = shipped_set()
    assert len(sentences) == 100
    lines = zip(*((FOLDER / name).read_text("utf-8").splitlines() for name in ("en.txt", "zh.txt")), strict=True)
    for sentence, (source, target) in zip(sentences, lines, strict=True):
        assert " ".join(sentence.source_tokens) == source
        assert " ".join(sentence.target_tokens) == target
        assert sentence.sure
        assert sentence.sure <= sentence.possible
    assert sentences[0].source_tokens == ("I", "like", "cats", "a", "lot", ".")
    # 我 is I, 很 is a lot, 喜歡 is like, 貓 is cats.
    assert sentences[0].sure == {(0, 0), (1, 2), (1, 3), (2, 4), (3, 1), (4, 1), (5, 5)}


def test_the_set_is_no_checkpoint_and_other_pairs_have_none():
    assert shelf.list_checkpoints() == ("en-zh/additive", "en-zh/dot", "en-zh/multiplicative", "en-zh/none")
    assert shelf.aligned_sentences("en-de") == ()
    assert shelf.aligned_sentences("../checkpoints/en-zh") == ()


def test_a_damaged_set_is_refused_with_the_reason(tmp_path):
    shutil.copytree(FOLDER, tmp_path / "en-zh" / "alignments")
    (tmp_path / "en-zh" / "alignments" / "zh.txt").unlink()
    with pytest.raises(CheckpointError, match=r"aligned sentences of en-zh are damaged: .*zh\.txt cannot be read"):
        shelf.aligned_sentences("en-zh", tmp_path)


@pytest.mark.parametrize(
    "text", ["I like cats a lot.", "I like cats a lot .", "  i LIKE cats a  lot. ", "I like cats a lot .\n"]
)
def test_a_sentence_is_found_by_its_letters(text):
    assert find_reference(text, shipped_set()) is shipped_set()[0] or find_reference(text, [SENTENCE]) is SENTENCE


def test_a_curly_apostrophe_is_an_apostrophe():
    sentence = SENTENCE._replace(source_tokens=("Don't", "go", "!"))
    assert find_reference("Don’t go!", [SENTENCE, sentence]) is sentence


@pytest.mark.parametrize("text", ["", "I like cats a lot", "I like dogs a lot.", "I like cats a lot. Yes."])
def test_another_sentence_is_not_found(text):
    assert find_reference(text, shipped_set()) is None


def test_links_are_given_in_pieces_and_characters():
    # Typed without a space before the full stop, and with a word that this tokenizer cuts into pieces.
    trace = forced_decode(tiny_translator(), "I like teachers a lot.", CHINESE[0])
    sentence = SENTENCE._replace(source_tokens=("I", "like", "teachers", "a", "lot", "."))
    teachers = [i for i, (start, _) in enumerate(trace.source_spans) if 7 <= start < 15]
    assert len(teachers) > 1
    after = teachers[-1] + 1
    expected = {(0, 0, True), (1, 2, True), (1, 3, True), (after + 1, 1, False)} | {(i, 4, True) for i in teachers}
    links = reference_links(trace, sentence)
    assert set(links) == expected
    assert len(links) == len(expected)


def test_rows_of_target_tokens_are_counted_in_the_tokens_of_the_trace():
    trace = forced_decode(tiny_translator(), ENGLISH[0], CHINESE[0])
    assert trace.target_tokens[-1] == "</s>"
    assert target_lengths(trace, SENTENCE) == (1, 1, 2, 1, 1)
    # One token of the trace that lies across two of the sentence belongs to neither.
    joined = running_example()
    joined = replace(joined, target_tokens=("我很", "喜", "歡", "貓", "。"), source_text=ENGLISH[0])
    assert target_lengths(joined, SENTENCE) is None


@pytest.mark.parametrize(
    ("text", "target"), [(ENGLISH[0], CHINESE[1]), (ENGLISH[1], CHINESE[0]), (ENGLISH[0], CHINESE[0] + "。")]
)
def test_another_sentence_or_translation_has_no_links(text, target):
    trace = forced_decode(tiny_translator(), text, target)
    assert reference_links(trace, SENTENCE) is None
    assert trace_quality(trace, SENTENCE) is None


def test_states_without_text_have_no_links():
    trace = replace(running_example(), source_text=None, source_spans=None)
    assert reference_links(trace, SENTENCE) is None


def test_a_model_without_attention_has_links_to_draw_and_no_error_rate():
    trace = forced_decode(tiny_translator("none"), ENGLISH[0], CHINESE[0])
    assert len(reference_links(trace, SENTENCE)) == 5
    assert trace_quality(trace, SENTENCE) is None


def test_the_error_rate_of_one_trace_by_hand():
    # Four rows look at a sure word, one (很) at a possible one, the full stop at nothing but the whole sentence.
    trace = forced_decode(tiny_translator(), ENGLISH[0], CHINESE[0])
    assert len(trace.source_tokens) == 6
    weights = np.full(trace.weights.shape, 1 / 6, dtype=np.float32)
    for t, i in enumerate((0, 4, 1, 1, 2)):
        weights[t] = np.eye(6, dtype=np.float32)[i]
    weights[5] = [0.14, 0.14, 0.14, 0.14, 0.3, 0.14]
    quality = trace_quality(replace(trace, weights=weights), SENTENCE)
    # Found: 我-I, 很-lot, 喜歡-like, 貓-cats and the wrong 。-lot; three of them sure, four possible, three sure exist.
    assert quality.links == 5
    assert quality.aer == pytest.approx(1 - (3 + 4) / (5 + 3))
    assert (quality.precision, quality.recall) == (4 / 5, 1)
    weights[5] = 1 / 7
    assert trace_quality(replace(trace, weights=weights), SENTENCE, threshold=0.15).aer == 0


def test_nothing_found_where_nothing_is_sure_is_no_error():
    sentence = SENTENCE._replace(sure=frozenset())
    assert alignment_quality([((), sentence)]) == (0, 0, 0, 0, 1)


def test_every_sentence_of_the_set_can_be_drawn_on_a_trace_along_its_translation():
    translator = tiny_translator()
    for sentence in shipped_set():
        trace = forced_decode(translator, " ".join(sentence.source_tokens), "".join(sentence.target_tokens))
        drawn = reference_links(trace, sentence)
        assert {(t, is_sure) for _, t, is_sure in drawn} == {(t, (i, t) in sentence.sure) for i, t in sentence.possible}


@pytest.mark.parametrize("scorer", ATTENDING)
def test_one_trace_is_measured_like_the_whole_set(scorer):
    translator = shipped_translator(scorer)
    for sentence in shipped_set()[:3]:
        text = " ".join(sentence.source_tokens)
        trace = forced_decode(translator, text, "".join(sentence.target_tokens))
        assert trace_quality(trace, sentence) == measure_alignment(translator, [sentence])
        # Typed as people type, the pieces are the same.
        typed = text.replace(" .", ".").replace(" ,", ",").replace(" ?", "?")
        assert trace_quality(forced_decode(translator, typed, "".join(sentence.target_tokens)), sentence) == (
            trace_quality(trace, sentence)
        )


def test_the_card_holds_the_error_rate_of_the_shipped_set():
    reported = json.loads((ROOT / "checkpoints" / "en-zh" / "dot" / "metrics.json").read_text("utf-8"))["alignment"]
    measured = measure_alignment(shipped_translator("dot"), shipped_set()[50:])
    assert measured._asdict() == pytest.approx(reported["lines_51_100"], abs=2e-3)
