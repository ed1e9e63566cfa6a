"""Notes name what the model did not know, in words that cannot be taken for code."""

import dataclasses

from app.components.notes import far_lines, sentence_list, unknown_word_lines
from tests.toy import running_example, sized_trace


def trace_of(text, **changes):
    """The running example's shape with another text: one token a word."""
    trace = running_example()
    words = text.split()
    starts = [text.index(word) for word in words]
    changes |= {
        "source_text": text,
        "source_tokens": tuple(words),
        "source_spans": tuple((start, start + len(word)) for start, word in zip(starts, words, strict=True)),
    }
    for name, value in changes.items():
        object.__setattr__(trace, name, value)
    return trace


def test_an_unknown_piece_is_named_with_what_the_model_saw():
    trace = sized_trace(source=3, unknown=(2,))
    (line,) = unknown_word_lines(trace)
    first, second = trace.source_tokens[1:]
    assert line == (
        f"**{first}{second}**: the model has never met “{second}”. In its place it saw “{first}” + *unknown*."
    )


def test_an_unknown_word_that_comes_again_has_one_line():
    trace = trace_of("☃ like ☃ a ☃", source_pieces=("<unk>", "like", "<unk>", "a", "<unk>"), source_word_ids=range(5))
    assert unknown_word_lines(trace) == ("**☃**: the model has never met “☃”. In its place it saw *unknown*.",)


def test_a_known_sentence_has_no_such_line():
    assert unknown_word_lines(running_example()) == ()


def test_an_english_everyday_sentence_has_no_note():
    assert far_lines(running_example()) == ()


def test_another_script_is_named():
    assert far_lines(trace_of("我 很 喜 歡 貓")) == ("The box is for English, and this is mostly Chinese.",)
    assert far_lines(trace_of("אני אוהב חתולים מאוד כן")) == (
        "The box is for English, and this is mostly Hebrew script.",
    )


def test_sentences_are_a_list_that_names_the_language_of_each_token():
    text = sentence_list(running_example())
    assert text.startswith('<ol class="sentences"><li><span lang="zh-Hant">我</span> looks at <b>I</b> (')
    assert '<span lang="zh-Hant">很</span> looks at <b>a lot</b> (' in text
    assert text.count("<li>") == 5


def test_html_in_a_word_is_shown_and_not_obeyed():
    text = sentence_list(trace_of("<script> like cats a lot"))
    assert "<script>" not in text
    assert "<b>&lt;script&gt;</b>" in text


def test_an_own_translation_that_is_not_chinese_gets_a_line():
    english = dataclasses.replace(running_example(), decoding="forced", target_tokens=tuple("I,c是!"))
    assert "Your translation is mostly Latin script, and the models write Chinese." in far_lines(english)
    chinese = dataclasses.replace(running_example(), decoding="forced")
    assert far_lines(chinese) == ()
