"""What if on the page: the link, the player and the buttons change one list, and the page shows what became of it."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from app.components.step_player import PlayerChange, PlayerPosition
from app.inputs import RUNNING_SENTENCE, Example
from app.views import translate
from attention_model.decoding import beam_decode, forced_decode, greedy_decode
from attention_model.trace import END_TOKEN, Intervention
from tests.translators import tiny_translator

EXAMPLES = (Example("running", "A first look", RUNNING_SENTENCE, "See *a lot*."),)
HIDE, SHARE, WARM = ["hide", None, [0]], ["share", 1, [1]], ["temperature", 2.0]


def page(decode, examples):
    import streamlit as st

    from app.views import translate

    if not st.session_state.get("elsewhere"):
        translate.render(decode, examples)


def opened(**link):
    """The page on the tiny translator; `at.asked` lists the requests."""
    asked = []

    def decode(request):
        asked.append(request)
        translator, changed = tiny_translator(request.scorer), request.intervention
        if request.decoding == "beam":
            beam = request.beam_size
            return beam_decode(translator, request.sentence, beam_size=beam, intervention=changed)
        if request.decoding == "forced":
            return (forced_decode(translator, request.sentence, request.target, intervention=changed),)
        return (greedy_decode(translator, request.sentence, intervention=changed),)

    at = AppTest.from_function(page, kwargs={"decode": decode, "examples": EXAMPLES}, default_timeout=120)
    for name, value in link.items():
        at.query_params[name] = value if isinstance(value, str) else json.dumps(value)
    at.asked = asked
    return run(at)


def run(what):
    """Run the page after what was done to it or to one of its widgets."""
    at = what.run()
    assert not at.exception
    assert not at.error
    return at


def in_link(at, name):
    """A value of the link: the test's own text, or the list of one that Streamlit gives back."""
    value = at.query_params[name]
    return value if isinstance(value, str) else value[-1]


def listed(at):
    """The changes and the number of undone ones in the link."""
    return json.loads(in_link(at, "changes")), int(in_link(at, "undone"))


def greedy(scorer="dot", sentence=RUNNING_SENTENCE, **changed):
    return greedy_decode(tiny_translator(scorer), sentence, intervention=Intervention(**changed))


def html_of(at):
    return "".join(one.value for one in at.html)


def shown(at):
    """The trace that the player was last given, as JSON values."""
    return json.loads(at.get("bidi_component")[0].proto.bytes)["document"]["trace"]


def test_without_changes_there_is_a_hint_and_nothing_to_undo():
    at = opened()
    assert any("Click a next word" in caption.value for caption in at.caption)
    assert not [button for button in at.button if button.key in ("undo", "redo", "take_all_back")]
    assert "changes" not in at.query_params
    assert len(at.asked) == 1


def test_the_link_s_changes_are_made():
    at = opened(changes=[HIDE, SHARE, WARM], undone="1")
    wanted = greedy(hidden=((None, 0),), replaced_weights=((1, (0.0, 1.0, 0.0, 0.0, 0.0, 0.0)),))
    assert shown(at)["target_tokens"] == list(wanted.target_tokens)
    assert at.asked[0].intervention == Intervention()  # the pieces of the sentence come from it
    assert wanted.intervention in [request.intervention for request in at.asked]
    assert listed(at) == ([HIDE, SHARE, WARM], 1)


def test_the_translation_before_the_last_change_stands_beside_the_new_one():
    token = "貓" if greedy().target_tokens[1] != "貓" else "狗"
    at = opened(changes=[["force", 1, token]])
    html = html_of(at)
    assert "<ins>" in html
    assert "<del>" in html
    assert '<span class="when">before</span>' in html
    assert f'With <span lang="zh-Hant">{token}</span> at step 2,' in html
    document = json.loads(at.get("bidi_component")[0].proto.bytes)["document"]
    assert document["before"]["trace"]["target_tokens"] == list(greedy().target_tokens)
    assert any(document["changed"])
    assert any(document["before"]["changed"])


def test_the_sentence_names_the_hidden_word_and_how_far_weights_reach():
    assert "With <b>I</b> hidden," in html_of(opened(changes=[HIDE]))
    html = html_of(opened(changes=[SHARE]))
    assert "With all weight of step 2 on <b>like</b>," in html
    assert "The weights of step 2 decide only its word" in html


def test_undo_redo_and_take_all_back_move_only_the_number_of_undone_changes():
    at = opened(changes=[HIDE, WARM], undone="0")
    assert at.button(key="redo").disabled
    run(at.button(key="undo").click())
    assert listed(at) == ([HIDE, WARM], 1)
    assert shown(at)["intervention"]["temperature"] == 1
    assert at.button(key="redo").label == "Redo (1)"
    run(at.button(key="take_all_back").click())
    assert listed(at) == ([HIDE, WARM], 2)
    assert shown(at)["target_tokens"] == list(greedy().target_tokens)
    assert at.button(key="undo").disabled
    assert at.button(key="take_all_back").disabled
    run(at.button(key="redo").click())
    run(at.button(key="redo").click())
    assert listed(at) == ([HIDE, WARM], 0)
    assert shown(at)["intervention"]["temperature"] == 2


def test_the_temperature_slider_goes_from_hard_to_uniform_and_replaces_itself():
    at = opened()
    slider = at.select_slider(key="temperature")
    assert (slider.options[0], slider.value, slider.options[-1]) == ("hard (one word)", 1.0, "uniform")
    run(slider.set_value(0.001))
    assert listed(at) == ([["temperature", 0.001]], 0)
    assert max(max(row) for row in shown(at)["weights"]) == pytest.approx(1)
    run(at.select_slider(key="temperature").set_value(1000.0))
    assert listed(at) == ([["temperature", 1000.0]], 0)
    assert shown(at)["weights"][0] == pytest.approx([1 / 6] * 6, abs=1e-2)


def test_a_temperature_between_two_stops_shows_the_nearest_stop():
    assert opened(changes=[["temperature", 0.13]]).select_slider(key="temperature").value == 0.1


def test_another_sentence_has_no_changes_and_another_scorer_or_decoding_keeps_them():
    at = opened(changes=[HIDE], undone="0")
    run(at.segmented_control(key="scorer").set_value("additive"))
    run(at.segmented_control(key="decoding").set_value("beam"))
    assert listed(at) == ([HIDE], 0)
    assert shown(at)["intervention"]["hidden"] == [[None, 0]]
    run(at.text_input(key="sentence").set_value("She doesn't like dogs at all."))
    assert "changes" not in at.query_params
    assert "undone" not in at.query_params
    assert shown(at)["intervention"]["hidden"] == []


def test_a_dropped_word_stays_in_the_box_and_is_not_read():
    at = opened(changes=[["drop", [7, 11], [2]]])
    assert at.text_input(key="sentence").value == RUNNING_SENTENCE
    assert shown(at)["source_text"] == "I like a lot."
    assert "With <b>cats</b> dropped from the sentence," in html_of(at)


def test_a_change_that_cannot_be_made_is_named_and_can_be_left_out():
    at = opened(changes=[HIDE, ["share", 150, [1]], WARM], undone="0")
    assert shown(at)["intervention"]["temperature"] == 2
    html = html_of(at)
    assert "<b>Not done:</b> Put all weight of step 151 on <b>like</b>." in html
    assert "There is no step 151" in html
    run(at.button(key="leave_out_1").click())
    assert listed(at) == ([HIDE, WARM], 0)
    assert "Not done" not in html_of(at)


def test_without_attention_only_words_can_be_chosen():
    at = opened(scorer="none", changes=[HIDE, ["force", 0, "貓"]])
    assert shown(at)["target_tokens"][0] == "貓"
    assert "This model has no attention" in html_of(at)
    assert not [slider for slider in at.select_slider if slider.key == "temperature"]
    hints = [caption.value for caption in opened(scorer="none").caption]
    assert "Click a next word or a source word." in hints


@pytest.mark.parametrize("text", ["rubbish", '[["share",1,[-1]]]', '[["weights",1,[0.5,0.2,0,0,0,0]]]'])
def test_a_link_that_makes_no_sense_is_named_and_the_sentence_is_translated(text):
    at = opened(changes=text)
    assert at.info
    assert shown(at)["target_tokens"] == list(greedy().target_tokens)
    run(at.select_slider(key="temperature").set_value(2.0))
    assert not at.info
    assert listed(at) == ([WARM], 0)


def test_a_mistake_in_a_later_link_keeps_the_last_good_state():
    at = opened(changes=[HIDE])
    at.query_params["changes"] = "[[" + "9" * 9000
    run(at)
    assert "too long" in at.info[0].value
    assert shown(at)["intervention"]["hidden"] == [[None, 0]]


def test_the_browser_s_back_leads_to_the_changes_of_then():
    at = opened(changes=[HIDE], undone="0")
    run(at.select_slider(key="temperature").set_value(2.0))
    assert shown(at)["intervention"]["temperature"] == 2
    at.query_params["changes"] = json.dumps([HIDE])
    run(at)
    assert shown(at)["intervention"] == shown(opened(changes=[HIDE]))["intervention"]
    del at.query_params["changes"]
    del at.query_params["undone"]
    run(at)
    assert shown(at)["intervention"]["hidden"] == []


def test_the_changes_are_there_again_after_another_page():
    at = opened(changes=[HIDE], undone="0")
    at.session_state["elsewhere"] = True
    del at.query_params["changes"]
    del at.query_params["undone"]
    run(at)
    assert not at.get("bidi_component")
    at.session_state["elsewhere"] = False
    run(at)
    assert shown(at)["intervention"]["hidden"] == [[None, 0]]
    assert listed(at) == ([HIDE], 0)


@pytest.fixture
def player(monkeypatch):
    """A button in the player's place that reports what `player["change"]` holds, standing at `player["place"]`."""
    state = {"change": None, "place": None}

    def report_button(payload, *, key, on_change, **_):
        import streamlit as st

        state["payload"] = payload
        st.button("Report", key="report", on_click=on_change)

    monkeypatch.setattr(translate, "step_player", report_button)
    monkeypatch.setattr(translate, "player_change", lambda _: PlayerChange(1, state["change"]))
    monkeypatch.setattr("app.changing.player_position", lambda _: state["place"])
    return state


def reported(at, player, change):
    player["change"] = change
    run(at.button(key="report").click())
    return json.loads(player["payload"])["trace"]


def test_what_the_player_reports_is_made_and_stands_in_the_link(player):
    at = opened(step="3")
    player["place"] = PlayerPosition(3, 1)
    trace = reported(at, player, ["hide", None, [1, 0]])
    assert trace["intervention"]["hidden"] == [[None, 0], [None, 1]]
    assert listed(at) == ([["hide", None, [0, 1]]], 0)
    assert (in_link(at, "step"), in_link(at, "part")) == ("4", "2")
    trace = reported(at, player, ["share", 1, [2, 3]])
    assert trace["intervention"]["replaced_weights"] == [[1, [0, 0, 0.5, 0.5, 0, 0]]]
    assert in_link(at, "step") == "2"
    player["place"] = PlayerPosition(1, None)
    run(at.button(key="undo").click())
    assert listed(at)[1] == 1
    assert "part" not in at.query_params
    reported(at, player, ["force", 2, END_TOKEN])
    assert listed(at) == ([["hide", None, [0, 1]], ["force", 2, END_TOKEN]], 0)


def test_a_word_chosen_in_a_hypothesis_keeps_the_words_before_it(player):
    at = opened(decoding="beam", beam="3", hypothesis="2")
    second = beam_decode(tiny_translator(), RUNNING_SENTENCE, beam_size=3)[1]
    other = next(one.token for one in second.candidates[2] if one.token not in (second.target_tokens[2], END_TOKEN))
    trace = reported(at, player, ["force", 2, other])
    prefix = [*second.target_tokens[:2], other]
    assert trace["target_tokens"][:3] == prefix
    assert listed(at) == ([["force", 0, prefix]], 0)


def test_along_one_s_own_translation_a_chosen_word_takes_one_place(player):
    at = opened(decoding="own translation", target="我很喜歡貓。")
    trace = reported(at, player, ["force", 2, "愛"])
    assert trace["target_tokens"] == [*"我很愛歡貓。", END_TOKEN]


def test_a_change_that_fits_no_list_is_refused_in_words(player):
    at = opened(changes=[["computed", 0]] * 60, undone="0")
    player["change"] = ["computed", 1]
    run(at.button(key="report").click())
    assert "at most 60 are kept" in at.info[0].value
    assert len(listed(at)[0]) == 60


def test_words_from_people_are_shown_and_not_obeyed():
    at = opened(sentence="I <i>like</i> cats.", changes=[["hide", None, [1, 2, 3]]])
    html = html_of(at)
    assert "With <b>&lt;i&gt;</b> hidden," in html
    assert "<i>" not in html


def change_twice():
    from app.changing import carried_out, take_change
    from app.components.step_player import PlayerChange
    from app.inputs import Request
    from attention_model.decoding import greedy_decode
    from tests.translators import tiny_translator

    def decode(request):
        return (greedy_decode(tiny_translator("dot"), request.sentence, intervention=request.intervention),)

    changed = carried_out(Request(), decode)
    for number, change in enumerate((["hide", None, [0]], ["temperature", 2.0])):
        take_change(PlayerChange(number, change), changed, changed.traces[0])


def test_two_changes_before_the_page_is_drawn_again_are_both_kept():
    at = AppTest.from_function(change_twice, default_timeout=60).run()
    assert not at.exception
    assert listed(at) == ([HIDE, WARM], 0)
