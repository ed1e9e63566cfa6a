"""What stands beside a stop: each kind refuses what makes no sense and links to the page that shows the same."""

import re
from dataclasses import fields

import pytest

from app.calculation import asked_by
from app.comparing import link_mistakes as comparison_mistakes
from app.inputs import link_mistakes, place_in_link
from app.lesson import FOLDER, stops
from app.live_state import KINDS, Calculation, Comparison, MapState, live_state
from attention_model.errors import LessonError
from attention_model.preset import preset

SMALLEST = {
    "step player": {},
    "calculation": {"preset": "exercise-1"},
    "worked lines": {"preset": "the-cat-sat"},
    "comparison": {"scorers": ["dot", "additive"]},
    "bottleneck": {"sentences": ["I see a dog."]},
    "maps": {"maps": [{"preset": "running-example"}]},
    "cost": {},
    "paths": {},
    "scorer sizes": {},
}


def made(kind, **state):
    return live_state({"kind": kind} | SMALLEST[kind] | state)


def test_every_kind_is_made_from_what_it_needs_and_nothing_more():
    assert set(SMALLEST) == set(KINDS)
    for kind, needed in SMALLEST.items():
        assert live_state({"kind": kind} | needed).kind == kind
        for name in needed:
            with pytest.raises(
                LessonError, match=f"{name} is not given, and a live part of the kind “{kind}” needs it"
            ):
                live_state({"kind": kind} | {one: value for one, value in needed.items() if one != name})


def test_every_kind_and_every_part_of_its_state_is_described_for_whoever_writes_stops():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r'^\| `"(.+?)"` \|(.*)$', text, re.MULTILINE))
    assert set(rows) == set(KINDS)
    for kind, state in KINDS.items():
        for name in (field.name for field in fields(state)):
            assert f"`{name}" in rows[kind] or f"[[live.{name}]]" in rows[kind], (kind, name)


@pytest.mark.parametrize(
    ("kind", "state", "message"),
    [
        (
            "step player",
            {"scorer": "best"},
            "scorer is 'best', and one of dot, multiplicative, additive, none is wanted",
        ),
        ("step player", {"part": 6}, "part is 6, and a whole number from 1 to 5 is wanted"),
        ("step player", {"step": True}, "step is True, and a whole number from 1 on is wanted"),
        ("step player", {"sentence": " "}, "sentence is ' ', and a sentence is wanted"),
        ("calculation", {"preset": "cats"}, "preset is 'cats', and one of running-example, exercise-1"),
        ("calculation", {"scorer": "none"}, "scorer is 'none', and one of dot, multiplicative, additive is wanted"),
        ("calculation", {"step": 2}, "step is 2, and the calculation has 1"),
        ("calculation", {"itself": 1}, "itself is 1, and true or false is wanted"),
        ("worked lines", {"notation": "greek"}, "notation is 'greek', and one of ours, bahdanau, luong"),
        ("worked lines", {"step": 3}, "step is 3, and the calculation has 1"),
        ("comparison", {"scorers": []}, r"scorers is \[\], and a list of dot, multiplicative, additive, none"),
        ("comparison", {"scorers": ["dot", "dot"]}, "each at most once is wanted"),
        ("comparison", {"scorers": [["dot"]]}, "and a list of dot, multiplicative"),
        ("comparison", {"scorers": "dot"}, "scorers is 'dot', and a list of"),
        ("bottleneck", {"sentences": ["Fine.", ""]}, "and a list of sentences is wanted"),
        ("bottleneck", {"scorer": "none"}, "scorer is 'none', and one of dot, multiplicative, additive is wanted"),
        ("maps", {"maps": []}, r"maps is \[\], and a list of 1 to 3 maps is wanted"),
        ("maps", {"maps": [{}]}, "A map has a preset and no sentence, or a sentence and no preset"),
        ("maps", {"maps": ["map"]}, "'map' stands where a table is wanted"),
        ("maps", {"maps": [{"picture": "a.png"}]}, "'picture' is no part of a map, which has preset, sentence"),
        ("maps", {"maps": [{"sentence": "Hi.", "scorer": "none"}]}, "scorer is 'none', which has no map"),
        ("maps", {"maps": [{"preset": "exercise-1", "person": True}]}, "true with a sentence only"),
        ("paths", {"share": 0.2}, "share is 0.2, and a number from 0.5 to 1 is wanted"),
        ("scorer sizes", {"k": 4097}, "k is 4097, and a whole number from 1 to 4096 is wanted"),
    ],
)
def test_a_value_that_makes_no_sense_is_named_with_what_is_wanted(kind, state, message):
    with pytest.raises(LessonError, match=message):
        made(kind, **state)


@pytest.mark.parametrize("kind", ["film", None, 3, ["step player"]])
def test_an_unknown_kind_is_refused_with_those_there_are(kind):
    with pytest.raises(LessonError, match="and one of step player, calculation, worked lines"):
        live_state({"kind": kind})


def test_the_link_to_the_translate_page_names_sentence_scorer_step_and_part():
    state = made("step player", sentence="I see a dog.", scorer="additive", step=4, part=2)
    assert state.page == "translate"
    assert state.link["sentence"] == state.request.sentence == "I see a dog."
    assert state.link["scorer"] == state.request.scorer == "additive"
    assert place_in_link(state.link) == (3, 1)
    assert link_mistakes(state.link) == ()


def test_the_link_to_a_translation_along_one_s_own_words_names_them():
    state = made("step player", target="我喜歡貓。")
    assert (state.request.decoding, state.request.target) == ("forced", "我喜歡貓。")
    assert (state.link["decoding"], state.link["target"]) == ("own translation", "我喜歡貓。")
    assert link_mistakes(state.link) == ()


def test_the_link_to_the_by_hand_page_brings_the_same_calculation():
    for state in (
        Calculation("running-example", "additive", step=3, part=2),
        Calculation("the-cat-sat", itself=True, step=2),
        made("worked lines", preset="exercise-1", scorer="multiplicative", notation="luong"),
    ):
        asked = asked_by(state.link)
        assert asked.given.to_json() == state.given.to_json()
        assert asked.step == state.step - 1
        assert asked.part == (state.part - 1 if getattr(state, "part", None) else None)
        assert asked.notation == getattr(state, "notation", "ours")
        assert asked.mistakes == ()


def test_states_that_ask_each_other_are_their_own_queries():
    given = Calculation("the-cat-sat", itself=True).given
    assert given.target_tokens == given.source_tokens
    assert (given.decoder_states == preset("the-cat-sat").encoder_states).all()


def test_the_link_to_the_compare_page_says_whether_the_model_without_attention_stands_there():
    assert made("bottleneck").link["none"] == "true"
    assert made("comparison").link["none"] == "false"
    along = Comparison(("dot", "none"), target="我喜歡貓。", step=2).link
    assert (along["along"], along["target"], along["step"]) == ("my words", "我喜歡貓。", "2")
    assert comparison_mistakes(along) == ()
    assert made("cost", sentence="I see a dog.").link["sentence"] == "I see a dog."


def test_maps_lead_to_the_page_of_the_last_one():
    maps = made("maps", maps=[{"preset": "running-example"}, {"sentence": "I see a dog.", "scorer": "dot"}])
    assert (maps.page, maps.link["sentence"]) == ("translate", "I see a dog.")
    assert made("maps").page == "by-hand"
    assert MapState(preset="exercise-1").shown == Calculation("exercise-1")


@pytest.mark.parametrize("stop", stops(), ids=lambda stop: stop.id)
def test_no_link_of_the_lesson_asks_for_what_does_not_exist(stop):
    check = {
        "translate": link_mistakes,
        "compare": comparison_mistakes,
        "by-hand": lambda link: asked_by(link).mistakes,
    }[stop.page]
    assert check(stop.link) == ()
