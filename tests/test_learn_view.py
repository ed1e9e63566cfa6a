"""The Learn page on traces written by hand: every kind of live part, the way from stop to stop, and what goes wrong."""

import dataclasses

import orjson
import pytest
from streamlit.testing.v1 import AppTest

from app.inputs import RUNNING_SENTENCE
from app.lesson import Stop
from app.live_state import live_state
from attention_model.alignments import AlignedSentence
from attention_model.by_hand import attend_by_hand
from attention_model.errors import CheckpointError, TextError
from tests.toy import running_example

BY_LENGTH = [
    {"shortest": 1, "longest": 5, "sentences": 362, "bleu": 40.5},
    {"shortest": 6, "longest": 10, "sentences": 20, "bleu": 31.25},
    {"shortest": 11, "longest": None, "sentences": 19, "bleu": 7.75},
]
METRICS = {"test": {"bleu": 31.25, "by_length": BY_LENGTH}}
PERSON = AlignedSentence(
    ("I", "like", "cats", "a", "lot", "."),
    ("我", "很", "喜", "歡", "貓"),
    frozenset({(0, 0), (1, 2), (1, 3), (2, 4), (3, 1), (4, 1)}),
    frozenset({(0, 0), (1, 2), (1, 3), (2, 4), (3, 1), (4, 1)}),
)


def decode(request):
    """The running example under every scorer; whoever asks for something longer is told that it is too long."""
    if len(request.sentence) > 30:
        raise TextError("The sentence is too long. Shorten it.")
    trace = running_example()
    if request.sentence != RUNNING_SENTENCE:
        trace = dataclasses.replace(trace, source_text=request.sentence, source_spans=None)
    if request.scorer == "none":
        empty = dict.fromkeys(("scores", "computed_weights", "weights", "contexts"))
        return (dataclasses.replace(trace, scorer="none", **empty),)
    return (dataclasses.replace(trace, scorer=request.scorer),)


def stop(name="one", **live):
    return Stop(name, f"The stop {name}", "Read *this*: 我很喜歡貓。", "Say <b>this</b>.", live_state(live))


PLAYER = stop(kind="step player", step=2)


def page(stops, sources):
    import streamlit as st

    from app.live import Sources
    from app.views import learn

    def open_page(name, query):
        st.session_state["opened"] = name, dict(query)

    def lead_on(*way):
        st.session_state["ways"].append(way)

    st.session_state["ways"] = []
    learn.render(stops, Sources(open_page=open_page, **sources), lead_on)


def opened(*stops, link=None, **other):
    sources = {"decode": decode, "attend_by_hand": attend_by_hand, "metrics": lambda _: METRICS, "aligned": (PERSON,)}
    at = AppTest.from_function(page, kwargs={"stops": stops, "sources": sources | other}, default_timeout=60)
    for name, value in (link or {}).items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    assert not at.error
    return at


def players(at):
    return [orjson.loads(one.proto.bytes) for one in at.get("bidi_component")]


def html_of(at):
    return "".join(one.value for one in at.html)


def link_to(at):
    return at.session_state["opened"]


def test_a_stop_has_its_text_its_live_part_and_its_notes():
    at = opened(PLAYER)
    assert [header.value for header in at.header] == ["The stop one"]
    assert 'Read <em>this</em>: <span lang="zh-Hant">我很喜歡貓。</span>' in html_of(at)
    assert "Say &lt;b&gt;this&lt;/b&gt;." in html_of(at)
    (player,) = players(at)
    assert player["start"] == {"step": 1, "part": None}
    assert link_to(at) == ("translate", PLAYER.link)


def test_a_stop_with_questions_leads_to_them_and_the_last_one_to_all_questions_and_exercises():
    at = opened(stop("blend", kind="cost"), stop("two", kind="cost"), stop("softmax", kind="cost"))
    assert at.session_state["ways"] == [("Questions about this stop", "quiz", {"topic": "blend"})]
    assert "This was the last stop." not in html_of(at)
    at.button(key="stop_next").click().run()
    assert at.session_state["ways"] == []
    at.button(key="stop_next").click().run()
    assert at.session_state["ways"] == [
        ("Questions about this stop", "quiz", {"topic": "softmax"}),
        ("All questions", "quiz", {}),
        ("Exercises", "practice", {}),
    ]
    assert "This was the last stop." in html_of(at)


def test_presented_a_stop_leads_to_no_questions():
    at = opened(stop("blend", kind="cost"), link={"present": "1"})
    assert at.session_state["ways"] == []


def test_the_page_says_what_it_is_as_the_others_do():
    at = opened(PLAYER)
    assert [title.value for title in at.title] == ["Learn"]
    assert at.caption[0].value == "A lesson in short stops, each beside a live part."


def test_the_progress_mark_says_where_one_is():
    at = opened(PLAYER, stop("two", kind="cost"), stop("three", kind="cost"), link={"stop": "two"})
    (progress,) = at.get("progress")
    assert (progress.proto.value, progress.proto.text) == (66, "Stop 2 of 3")
    assert at.radio(key="stop_chosen").value == 1
    assert at.radio(key="stop_chosen").options == ["1. The stop one", "2. The stop two", "3. The stop three"]


def test_the_neighbours_are_one_click_away_and_the_ends_are_ends():
    at = opened(PLAYER, stop("two", kind="cost"), link={"step": "3", "own_sentence": "I see a dog.", "present": "1"})
    assert at.button(key="stop_previous").disabled
    at.button(key="stop_next").click().run()
    assert at.header[0].value == "The stop two"
    # The place belongs to the stop that was left; the visitor's sentence and the way of showing go on.
    assert at.query_params == {"stop": "two", "own_sentence": "I see a dog.", "present": "1"}
    assert at.button(key="stop_next").disabled
    at.button(key="stop_previous").click().run()
    assert at.header[0].value == "The stop one"


def test_any_stop_can_be_chosen_from_the_list():
    at = opened(PLAYER, stop("two", kind="cost"), stop("three", kind="scorer sizes"))
    at.radio(key="stop_chosen").set_value(2).run()
    assert at.header[0].value == "The stop three"
    assert at.query_params["stop"] == "three"


def test_a_link_to_a_stop_that_does_not_exist_is_told_and_the_first_is_shown():
    at = opened(PLAYER, stop("two", kind="cost"), link={"stop": "*nowhere*"})
    (info,) = at.info
    assert info.value == r"The link asks for the stop “\*nowhere\*”, which does not exist. The first stop is shown."
    assert at.header[0].value == "The stop one"


def test_a_step_in_the_link_takes_the_place_of_the_stop_s():
    at = opened(PLAYER, link={"step": "4", "part": "2"})
    assert players(at)[0]["start"] == {"step": 3, "part": 1}
    assert link_to(at) == ("translate", PLAYER.link | {"step": "4", "part": "2"})
    assert players(opened(PLAYER, link={"step": "99"}))[0]["start"]["step"] == 4


def test_a_stop_that_begins_at_a_step_that_does_not_exist_says_so_and_keeps_its_text():
    at = opened(stop(kind="step player", step=9))
    (warning,) = at.warning
    assert "begins at step 9, and there are 5 steps" in warning.value.replace("\\", "")
    assert "Read <em>this</em>" in html_of(at)


def test_a_missing_model_says_so_and_the_text_stays():
    def missing(_):
        raise CheckpointError("There is no checkpoint en-zh/dot.")

    at = opened(PLAYER, decode=missing)
    assert "There is no checkpoint" in at.warning[0].value
    assert "Read <em>this</em>" in html_of(at)


def test_a_calculation_stands_in_the_step_player():
    one = stop(kind="calculation", preset="running-example", step=2, part=1)
    at = opened(one)
    (player,) = players(at)
    assert player["document"]["trace"]["target_tokens"] == ["我", "很", "喜", "歡", "貓"]
    assert player["start"] == {"step": 1, "part": 0}
    assert link_to(at) == ("by-hand", one.link)


def test_states_that_ask_each_other_have_a_row_each():
    (player,) = players(opened(stop(kind="calculation", preset="the-cat-sat", itself=True)))
    trace = player["document"]["trace"]
    assert trace["target_tokens"] == trace["source_tokens"] == ["the", "cat", "sat"]
    assert trace["decoder_states"] == trace["encoder_states"]


def test_worked_lines_are_those_of_the_calculation_in_the_notation_that_is_chosen():
    at = opened(stop(kind="worked lines", preset="exercise-1", choose_notation=True))
    assert "0.936" in html_of(at)  # the first component of the context
    assert "α" in html_of(at)
    assert link_to(at)[1]["preset"] == "exercise-1"
    at.segmented_control(key="live_one_notation").set_value("bahdanau").run()
    assert link_to(at)[1]["notation"] == "bahdanau"
    assert "0.936" in html_of(at)


def test_a_comparison_has_its_scorers_in_order_and_starts_at_the_end():
    one = stop(kind="comparison", scorers=["additive", "none"])
    at = opened(one)
    (player,) = players(at)
    assert [trace["title"] for trace in player["comparison"]["traces"]] == ["additive", "none"]
    assert player["start"] == 4
    assert "has no attention" in html_of(at)
    assert link_to(at) == ("compare", one.link | {"step": "5"})


def test_the_bottleneck_stands_on_the_visitor_s_sentence():
    one = stop(kind="bottleneck", scorer="additive", sentences=[RUNNING_SENTENCE, "I see a dog."])
    at = opened(one)
    assert at.text_input(key="lesson_sentence").value == RUNNING_SENTENCE
    assert [trace["title"] for trace in players(at)[0]["comparison"]["traces"]] == ["additive", "none"]
    at.text_input(key="lesson_sentence").set_value("We sing.").run()
    assert at.query_params["own_sentence"] == "We sing."
    assert "We sing. <b>" in html_of(at)
    assert link_to(at)[1]["sentence"] == "We sing."
    assert link_to(at)[1]["none"] == "true"
    at.pills(key="ready_sentence").set_value("I see a dog.").run()
    assert at.text_input(key="lesson_sentence").value == "I see a dog."


def test_the_bottleneck_s_table_has_the_lengths_of_which_there_are_enough_sentences():
    html = html_of(opened(stop(kind="bottleneck", sentences=["We sing."])))
    assert "1 to 5 words<small>362 test sentences</small></th><td>40.5</td><td>40.5</td>" in html
    assert "6 to 10 words" in html
    assert "11 words or more" not in html


def test_a_sentence_that_cannot_be_read_keeps_the_last_good_one_and_stays_as_typed():
    at = opened(stop(kind="cost"))
    long = "A sentence that is far longer than thirty characters."
    at.text_input(key="lesson_sentence").set_value(long).run()
    assert "too long" in at.warning[0].value
    assert at.text_input(key="lesson_sentence").value == long
    assert [metric.value for metric in at.metric][:3] == ["5", "5", "25"]
    assert link_to(at)[1]["sentence"] == RUNNING_SENTENCE


@pytest.mark.parametrize("kind", ["cost", "paths", "bottleneck"])
def test_a_link_with_a_sentence_that_cannot_be_read_shows_the_stop_as_it_begins(kind):
    ready = {"sentences": [RUNNING_SENTENCE]} if kind == "bottleneck" else {}
    long = "A sentence that is far longer than thirty characters."
    at = opened(stop(kind=kind, **ready), link={"own_sentence": long})
    assert "too long" in at.warning[0].value
    assert at.text_input(key="lesson_sentence").value == long
    assert RUNNING_SENTENCE in html_of(at)
    assert link_to(at)[1]["sentence"] == RUNNING_SENTENCE


def test_without_any_translation_that_is_said_once():
    def decode_nothing(request):
        raise TextError("There is no model.")

    at = opened(stop(kind="cost"), decode=decode_nothing)
    assert [one.value for one in at.warning] == ["There is no model\\."]


@pytest.mark.parametrize("step", ["abc", "0", "-5", "", "2.5"])
def test_a_step_that_makes_no_sense_is_told_and_the_stop_is_shown_as_it_begins(step):
    at = opened(PLAYER, link={"step": step, "part": "1"})
    assert f"the step “{step}”" in at.info[0].value.replace("\\", "")
    assert players(at)[0]["start"] == {"step": 1, "part": None}


def test_the_cost_is_n_times_m():
    at = opened(stop(kind="cost", sentence="We sing."))
    n, m = len(running_example().source_tokens), len(running_example().target_tokens)
    values = {metric.label: metric.value for metric in at.metric}
    assert values == {
        "n, source tokens": str(n),
        "m, target tokens": str(m),
        "n × m, scores": str(n * m),
        "twice as long on both sides": str(2 * n * 2 * m),
    }


def test_the_paths_count_from_the_word_to_the_token_that_looks_at_it_most():
    at = opened(stop(kind="paths", share=0.5))
    rows = [row.split("<td>") for row in html_of(at).split("<tr>") if "step " in row and "<td>" in row]
    assert len(rows) == len(running_example().source_tokens)
    # *I*, the first of five, is written at the first of five steps: four steps of the encoder, one of the decoder.
    assert [cell.split("</td>")[0] for cell in rows[0][2:]] == ["5", "3 %", "1"]
    at.slider(key="live_one_share").set_value(1.0).run()
    assert html_of(at).count("<td>100 %</td>") == len(rows)


def test_maps_say_in_words_what_is_seen_and_how_far_a_person_s_links_are():
    one = stop(
        kind="maps",
        maps=[{"preset": "running-example"}, {"sentence": RUNNING_SENTENCE, "scorer": "dot", "person": True}],
    )
    at = opened(one)
    made, trained = players(at)
    assert made["comparison"]["traces"][0]["title"] == "Made by hand"
    assert trained["comparison"]["traces"][0]["reference"]
    assert html_of(at).count("looks at <b>a lot</b> (1.00).") == 2
    assert any("Alignment error rate of this sentence: **0." in caption.value for caption in at.caption)
    assert link_to(at) == ("translate", one.link)


def test_a_map_of_a_sentence_that_nobody_aligned_has_no_squares():
    at = opened(stop(kind="maps", maps=[{"sentence": "We sing.", "person": True}]))
    assert players(at)[0]["comparison"]["traces"][0]["reference"] is None
    assert any("Nobody has aligned this sentence" in caption.value for caption in at.caption)


def test_the_sizes_say_what_each_scorer_needs_and_when_dot_cannot_be_used():
    at = opened(stop(kind="scorer sizes", d_h=5, d_s=5, k=3))
    assert "5 × 5" in html_of(at)
    assert "d_h and d_s differ" not in html_of(at)
    at.number_input(key="live_one_d_s").set_value(2).run()
    assert "5 × 2" in html_of(at)
    assert "no, d_h and d_s differ" in html_of(at)
    at.number_input(key="live_one_d_h").set_value(512).run()
    assert "512 × 2" in html_of(at)  # as large as real states are
