"""The Translate page on traces written by hand: everything it shows comes from the trace, and nothing is lost."""

import dataclasses

import pytest
from streamlit.testing.v1 import AppTest

from app.inputs import RUNNING_SENTENCE, Example
from attention_model.decoding import beam_search
from attention_model.errors import CheckpointError, TextError
from tests.toy import running_example, sized_trace
from tests.translators import tiny_translator

EXAMPLES = (Example("running", "A first look", RUNNING_SENTENCE, "See *a lot*."),)


def page(decode, examples):
    from app.views import translate

    translate.render(decode, examples)


def opened(decode, *, examples=EXAMPLES, **link):
    at = AppTest.from_function(page, kwargs={"decode": decode, "examples": examples}, default_timeout=60)
    for name, value in link.items():
        at.query_params[name] = value
    return at.run()


def shown(trace, tab=None, **link):
    at = opened(lambda _: (trace,), **link)
    if tab:
        at.session_state["form"] = tab
        at.run()
    assert not at.exception
    assert not at.error
    return at


def player(at):
    return at.get("bidi_component")[0].proto


def captions(at):
    return "".join(one.value for one in at.caption)


def html_of(at):
    return "".join(one.value for one in at.html)


def test_the_first_paint_shows_the_running_example():
    at = shown(running_example())
    assert at.text_input(key="sentence").value == RUNNING_SENTENCE
    assert '<p class="translation"><span lang="zh-Hant">我很喜歡貓</span></p>' in html_of(at)
    assert "很".encode() in player(at).bytes


def test_the_view_asks_for_what_the_widgets_say():
    requests = []

    def decode(request):
        requests.append(request)
        return (running_example(),)

    opened(decode, sentence="Hello.", scorer="additive", decoding="beam", beam="3", step="2")
    (request,) = requests
    assert (request.sentence, request.scorer, request.decoding, request.beam_size) == ("Hello.", "additive", "beam", 3)
    assert request.step == 0  # the place is no part of what is decoded


def test_the_player_starts_at_the_link_s_place():
    assert b'"start":{"step":2,"part":1}' in player(shown(running_example(), step="3", part="2")).bytes


def test_a_step_beyond_the_end_is_the_last_one():
    assert b'"start":{"step":4,"part":null}' in player(shown(running_example(), step="400")).bytes


def test_every_step_is_said_in_words():
    text = html_of(shown(running_example()))
    assert text.count("<li>") == 5
    assert "<b>a lot</b>" in text


def test_the_finished_map_is_a_plotly_heatmap():
    at = shown(running_example(), tab="Finished map")
    assert '"heatmap"' in at.get("plotly_chart")[0].proto.spec


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("Weights", ["1 I", "2 like", "3 cats", "4 a", "5 lot"]),
        ("Scores", ["1 I", "2 like", "3 cats", "4 a", "5 lot"]),
        ("Steps", ["token", "entropy (bits)", "where it looks"]),
        ("Next words", ["rank", "candidate", "probability", "chosen"]),
    ],
)
def test_the_numbers_stand_in_tables(name, columns):
    at = shown(running_example(), tab="Tables")
    at.segmented_control(key="table").set_value(name).run()
    assert list(at.dataframe[0].value.columns) == columns


def test_the_trace_can_be_taken_home():
    at = shown(running_example(), tab="Take it home")
    assert [button.label for button in at.get("download_button")] == [
        "This player as one page",
        "Numbers as CSV",
        "Trace as JSON",
        "Class handout",
        "Links as text",
    ]
    assert at.selectbox(key="handout_step").options[3] == "4  歡"
    assert shown(running_example(), tab="Take it home", step="4").selectbox(key="handout_step").value == 3
    assert at.code[0].value == "0-0 3-1 1-2 1-3 2-4"


def test_links_are_by_rule_and_by_threshold():
    trace = running_example()
    at = shown(trace, tab="Take it home")
    at.segmented_control(key="links").set_value("all above").run()
    at.slider(key="threshold").set_value(0.02).run()
    assert len(at.code[0].value.split()) == int((trace.weights >= 0.02).sum())
    at.slider(key="threshold").set_value(1.0).run()
    assert at.code[0].value == "no link"


def test_a_merged_map_is_drawn_tabled_and_sent_to_the_player():
    at = shown(running_example(), tab="Tables", rows="words")
    at.segmented_control(key="table").set_value("Merged map").run()
    assert [row.split()[1] for row in at.dataframe[0].value.index] == ["我", "很", "喜歡", "貓"]
    assert '"row_labels":["我","很","喜歡","貓"]'.encode() in player(at).bytes
    assert "rows are averaged" in at.caption[-1].value


def test_ranges_that_do_not_fit_leave_the_plain_map():
    at = opened(lambda _: (running_example(),), rows="by hand", joined="2-9")
    assert "2 to 9 cannot be joined" in at.warning[0].value
    assert b'"grid":null' in player(at).bytes


def test_help_with_chinese_stands_over_and_under_the_translation():
    at = shown(running_example(), pinyin="true", simplified="true")
    assert '<ruby>猫<rt lang="zh-Latn">māo</rt></ruby>' in html_of(at)
    assert "māo".encode() in player(at).bytes
    assert "māo".encode() not in player(shown(running_example())).bytes


def hypotheses():
    texts = ("我很喜歡貓", "我喜歡很貓", "貓喜歡我很")
    return tuple(
        dataclasses.replace(
            running_example(),
            target_tokens=tuple(text),
            decoding="beam",
            hypothesis_rank=rank,
            hypothesis_score=-0.25 * rank,
        )
        for rank, text in enumerate(texts, start=1)
    )


def test_every_hypothesis_can_be_seen_and_stands_in_the_link():
    at = opened(lambda _: hypotheses(), decoding="beam")
    assert at.pills(key="hypothesis").options[1].endswith("−0.50")
    assert "我很喜歡貓" in html_of(at)
    assert "best of beam 5" in captions(at)
    at.pills(key="hypothesis").set_value(2).run()
    assert "我喜歡很貓" in html_of(at)
    assert "number 2 of beam 5" in captions(at)
    assert at.query_params["hypothesis"] == "2"
    linked = opened(lambda _: hypotheses(), decoding="beam", hypothesis="3")
    assert "貓喜歡我很" in html_of(linked)
    nonsense = opened(lambda _: hypotheses(), decoding="beam", hypothesis="ninth")
    assert "我很喜歡貓" in html_of(nonsense)
    assert not nonsense.exception


def test_an_unknown_word_gets_a_card():
    text = " ".join(one.value for one in shown(sized_trace(source=3, unknown=(2,))).markdown)
    assert "An unknown word" in text
    assert "the model has never met" in text


def test_a_known_everyday_sentence_gets_no_card():
    text = " ".join(one.value for one in shown(running_example()).markdown)
    assert "nknown" not in text
    assert "Far from" not in text


def test_a_long_sentence_gets_a_note():
    text = " ".join(one.value for one in shown(sized_trace(source=43, target=5)).markdown)
    assert "Far from what the models know" in text


def test_without_attention_the_page_says_why_there_is_no_map():
    trace = sized_trace(scorer="none")
    assert "has no attention" in shown(trace).info[0].value
    at = shown(trace, tab="Finished map")
    assert not at.get("plotly_chart")
    at = shown(trace, tab="Tables")
    assert list(at.segmented_control(key="table").options) == ["Steps", "Next words"]


def test_a_translation_that_was_cut_off_says_so():
    trace = sized_trace(target=5)
    object.__setattr__(trace, "finished", False)
    object.__setattr__(trace, "max_length", 5)
    assert "cut off at 5 steps" in shown(trace).info[0].value


def test_an_unknown_character_of_one_s_own_translation_is_named():
    trace = sized_trace(target=5, decoding="forced")
    object.__setattr__(trace, "target_known", (True, False, True, True, True))
    text = " ".join(one.value for one in shown(trace).markdown)
    assert "Unknown characters" in text
    assert trace.target_tokens[1] in text


@pytest.mark.parametrize("error", [TextError, CheckpointError])
def test_a_mistake_is_shown_calmly_and_the_text_is_kept(error):
    def decode(request):
        raise error("What is wrong, and what to do.")

    text = "word " * 2000
    at = opened(decode, sentence=text)
    assert at.warning[0].value == r"What is wrong, and what to do\."
    assert at.text_input(key="sentence").value == text
    assert not at.exception
    assert not at.error


def test_a_mistake_takes_nothing_from_the_next_sentence():
    def decode(request):
        if not request.sentence.strip():
            raise TextError("There is no word to translate.")
        return (running_example(),)

    at = opened(decode)
    at.text_input(key="sentence").set_value("   ").run()
    assert at.warning
    at.text_input(key="sentence").set_value("I like cats a lot.").run()
    assert not at.warning
    assert "我很喜歡貓" in html_of(at)


def test_a_bug_shows_a_calm_notice_and_no_trace_of_the_stack():
    def decode(request):
        raise ZeroDivisionError("a secret detail")

    at = opened(decode)
    assert len(at.error) == 1
    assert "secret" not in at.error[0].value
    assert not at.exception


def test_without_ready_examples_the_page_still_translates():
    at = opened(lambda _: (running_example(),), examples=())
    assert not at.pills
    assert "我很喜歡貓" in html_of(at)


def test_notes_under_the_player_are_announced_above_it():
    assert "**1 unknown word**, see below" in captions(shown(sized_trace(source=3, unknown=(2,))))
    assert "far from what the models know" in captions(shown(sized_trace(source=43, target=5)))
    assert "see below" not in captions(shown(running_example()))


def test_html_in_a_translation_is_shown_and_not_obeyed():
    trace = running_example()
    object.__setattr__(trace, "target_tokens", ("<script>", "很", "喜", "歡", "貓"))
    text = html_of(shown(trace))
    assert "<script>" not in text
    assert "&lt;script&gt;" in text


def searched_page(traces, tree):
    from app.views import translate

    translate.render(lambda _: traces, (), lambda _: tree)


def test_the_search_is_drawn_and_tabled():
    search = beam_search(tiny_translator(), "I see a dog.", beam_size=3)
    at = AppTest.from_function(searched_page, kwargs=search._asdict(), default_timeout=60)
    at.query_params["decoding"] = "beam"
    at.run()
    at.session_state["form"] = "Search"
    at.run()
    assert not at.exception
    assert list(at.dataframe[0].value["translation"]) == [trace.translation for trace in search.traces]
    assert len(at.dataframe[1].value) == len(search.tree.nodes)
    assert at.get("plotly_chart")


def test_help_with_chinese_reaches_the_finished_map_the_words_and_the_tables():
    at = shown(running_example(), tab="Finished map", pinyin="true")
    assert "māo" in at.get("plotly_chart")[0].proto.spec
    assert "<rt" in html_of(shown(running_example(), tab="In words", pinyin="true"))
    at = shown(running_example(), tab="Tables", pinyin="true")
    at.segmented_control(key="table").set_value("Steps").run()
    assert list(at.dataframe[0].value["read"]) == ["我 wǒ", "很 hěn", "喜 xǐ", "歡 huān", "貓 māo"]


def test_a_trace_changed_by_hand_is_called_so():
    assert "changed by hand" in captions(shown(sized_trace(hidden=((1, 0),))))
    assert "changed by hand" not in captions(shown(sized_trace()))
