"""The player's payload, its joined source files, where it starts, and the page that holds it alone."""

import dataclasses
import re

import numpy as np
import orjson
import pytest
from streamlit.testing.v1 import AppTest

from app import theme
from app.components import comparison_player, pack, plot_picture
from app.components.standalone import standalone_html
from app.components.step_player import (
    SOURCE_FILES,
    SOURCE_FOLDER,
    WORD_MARK,
    PlayerReading,
    PlayerReadings,
    PlayerView,
    TraceBefore,
    joined_script,
    player_data,
    player_payload,
    player_script,
    player_style,
)
from attention_model import analysis
from attention_model.trace import DecodingTrace, Intervention
from tests import toy

TEMPERATURE = 0.5


def heated(trace):
    """The same trace with another temperature, its weights computed anew."""
    weights = toy.softmax(trace.scores / TEMPERATURE)
    return dataclasses.replace(
        trace,
        computed_weights=weights,
        weights=weights,
        contexts=weights @ trace.encoder_states,
        intervention=Intervention(temperature=TEMPERATURE),
    )


def with_replaced_row(trace, step, row):
    """The same trace with the weights of one step set by hand."""
    weights = trace.weights.copy()
    weights[step] = row
    change = Intervention(replaced_weights=((step, tuple(float(weight) for weight in row)),))
    return dataclasses.replace(trace, weights=weights, contexts=weights @ trace.encoder_states, intervention=change)


def sentences(trace, part):
    """The sentences of a part for every step, words between asterisks."""
    document = orjson.loads(player_payload(trace))
    return [one[part].replace(WORD_MARK, "*") for one in document["sentences"]]


def test_payload_holds_the_whole_trace_exactly():
    trace = toy.sized_trace(scorer="additive", d_s=5)
    document = orjson.loads(player_payload(trace))
    restored = DecodingTrace.from_json(orjson.dumps(document["trace"]))
    assert restored.to_json() == trace.to_json()


@pytest.mark.parametrize("temperature", [1, TEMPERATURE])
def test_softmax_of_the_payload_leads_from_scores_to_weights(temperature):
    trace = toy.sized_trace(hidden=((1, 2),))
    trace = trace if temperature == 1 else heated(trace)
    for t, parts in enumerate(orjson.loads(player_payload(trace))["softmax"]):
        scores = [score / temperature for score in trace.scores[t] if np.isfinite(score)]
        shifted = [value for value in parts["shifted"] if value is not None]
        assert parts["largest"] == pytest.approx(max(scores))
        assert shifted == pytest.approx([score - max(scores) for score in scores], abs=1e-6)
        assert np.array(parts["exponentials"]) / parts["total"] == pytest.approx(trace.weights[t], abs=1e-6)


def test_hidden_score_is_null_and_named():
    trace = toy.sized_trace(hidden=((None, 1),))
    document = orjson.loads(player_payload(trace))
    assert all(row[1] is None for row in document["trace"]["scores"])
    assert f"hidden: *{trace.source_tokens[1]}*." in sentences(trace, "score")[0]


def test_step_sentence_is_that_of_analysis():
    trace = toy.running_example()
    assert sentences(trace, "step") == [analysis.describe_step(trace, t) + "." for t in range(5)]


def test_sentences_of_the_running_example_say_what_its_whole_numbers_are():
    trace = toy.running_example()
    assert sentences(trace, "score")[0] == "Largest 6.00 for *I*, smallest −3.00 for *cats*."
    assert sentences(trace, "softmax")[0] == "The largest score, 6.00, is subtracted first. The weights add up to 1."
    assert sentences(trace, "blend")[1] == "The context is 0.50 of *a* + 0.50 of *lot*."
    assert sentences(trace, "output")[0] == "These states have no output layer."
    assert sentences(trace, "prediction")[0] == "These states have no vocabulary, so no word is predicted."


def test_a_temperature_is_named_in_formula_and_sentence():
    trace = heated(toy.running_example())
    assert "/τ" in orjson.loads(player_payload(trace))["formulas"]["softmax"]
    assert sentences(trace, "softmax")[0].startswith(
        "Scores are divided by the temperature 0.5; the largest, 12.00, is subtracted first."
    )


def test_a_row_set_by_hand_is_said_to_be():
    trace = with_replaced_row(toy.running_example(), 2, [0, 0.5, 0.5, 0, 0])
    said = ["by hand" in sentence for sentence in sentences(trace, "softmax")]
    assert said == [False, False, True, False, False]


def test_a_choice_that_is_not_the_most_probable_names_both():
    trace = toy.sized_trace()
    second = trace.candidates[0][1]
    changed = dataclasses.replace(
        trace,
        target_tokens=(second.token, *trace.target_tokens[1:]),
        token_probabilities=np.array([second.probability, *trace.token_probabilities[1:]], dtype=np.float32),
        token_ranks=(2, *trace.token_ranks[1:]),
    )
    first = trace.candidates[0][0]
    assert sentences(changed, "prediction")[0] == (
        f"{second.token} has rank 2 ({second.probability:.2f}); "
        f"the most probable is {first.token} ({first.probability:.2f})."
    )


def test_without_attention_there_is_no_softmax_and_no_score_formula():
    document = orjson.loads(player_payload(toy.sized_trace(scorer="none")))
    assert document["softmax"] is None
    assert document["formulas"]["score"] is None
    assert document["formulas"]["output"] == "õ_{t} = tanh(W s_{t})"


@pytest.mark.parametrize(
    ("scorer", "formula"),
    [
        ("dot", "α_{t,i} = h_{i}^{⊤} s_{t}"),
        ("multiplicative", "α_{t,i} = h_{i}^{⊤} W s_{t}"),
        ("additive", "α_{t,i} = v^{⊤} tanh(W_{1} h_{i} + W_{2} s_{t})"),
    ],
)
def test_score_formula_is_the_scorers_own(scorer, formula):
    assert orjson.loads(player_payload(toy.sized_trace(scorer=scorer)))["formulas"]["score"] == formula


def test_data_names_the_start_and_keeps_the_payload():
    payload = player_payload(toy.running_example())
    data = orjson.loads(player_data(payload, 3, 1))
    assert data["start"] == {"step": 3, "part": 1}
    assert data["document"] == orjson.loads(payload)


def test_another_view_changes_the_view_alone():
    payload = player_payload(toy.running_example())
    plain, other = (orjson.loads(player_data(payload, view=view)) for view in (PlayerView(), PlayerView("log")))
    assert plain["view"] == {"scale": "fixed", "grid": None, "pinyin": False, "simplified": False, "before": None}
    assert other == plain | {"view": plain["view"] | {"scale": "log"}}


def test_view_of_the_trace_before_stands_in_the_view():
    view = PlayerView("log", before=PlayerView("root"))
    sent = orjson.loads(player_data(player_payload(toy.running_example()), view=view))["view"]
    assert (sent["scale"], sent["before"]["scale"], sent["before"]["before"]) == ("log", "root", None)


def test_digest_tells_documents_apart():
    payloads = [player_payload(trace) for trace in (toy.running_example(), toy.running_example(), toy.sized_trace())]
    one, same, other = (orjson.loads(player_data(payload))["digest"] for payload in payloads)
    assert one == same != other


def test_trace_before_brings_its_map_and_both_lists_of_changed_rows():
    trace = toy.running_example()
    before = TraceBefore(toy.sized_trace(target=2), "Before: like hidden", (True, False), (True,) * 5)
    document = orjson.loads(player_payload(trace, before=before))
    assert document["changed"] == [True] * 5
    assert document["before"]["changed"] == [True, False]
    assert document["before"]["label"] == "Before: like hidden"
    sent = document["before"]["trace"]
    assert sent["target_tokens"] == list(before.trace.target_tokens)
    assert np.array(sent["weights"], dtype=np.float32).tobytes() == before.trace.weights.tobytes()
    assert "encoder_states" not in sent


def test_without_a_change_nothing_stands_beside_the_trace():
    document = orjson.loads(player_payload(toy.running_example()))
    assert [document[name] for name in ("before", "changed", "readings")] == [None, None, None]


def test_readings_are_sent_by_step_and_by_token():
    cat = PlayerReading("māo", "猫")
    document = orjson.loads(player_payload(toy.running_example(), readings=PlayerReadings((cat,) * 5, {"貓": cat})))
    assert document["readings"]["steps"][4] == {"pinyin": "māo", "simplified": "猫"}
    assert document["readings"]["tokens"] == {"貓": {"pinyin": "māo", "simplified": "猫"}}


def test_page_of_its_own_offers_no_changes():
    page = standalone_html(player_payload(toy.running_example()), title="x", view=PlayerView("row"))
    data = orjson.loads(re.search(r'<script type="application/json">(.*?)</script>', page, flags=re.DOTALL)[1])
    assert data["offersChanges"] is False
    assert data["view"]["scale"] == "row"


def test_every_source_file_is_joined_once_after_what_it_uses():
    others = {*comparison_player.SOURCE_FILES, *pack.SCRIPT_FILES, *plot_picture.SOURCE_FILES} - set(SOURCE_FILES)
    assert sorted(SOURCE_FILES) == sorted({path.name for path in SOURCE_FOLDER.glob("*.js")} - others)
    for place, name in enumerate(SOURCE_FILES):
        source = (SOURCE_FOLDER / name).read_text("utf-8")
        used = re.findall(r'^import[^;]* from "\./(\w+\.js)";', source, flags=re.MULTILINE)
        assert set(used) <= set(SOURCE_FILES[:place]), name


@pytest.mark.parametrize("path", sorted(SOURCE_FOLDER.glob("*.js")), ids=lambda path: path.name)
def test_every_name_that_is_imported_is_given_away_by_the_joined_file(path):
    imports = re.findall(r'^import \{([^}]*)\} from "\./(\w+\.js)";', path.read_text("utf-8"), flags=re.MULTILINE)
    for names, source in imports:
        given_away = re.match(r"const \{ ([^}]*) \} =", joined_script([source]))[1].split(", ")
        assert {name.strip() for name in names.split(",") if name.strip()} <= set(given_away), source


def test_joined_script_has_one_export_and_no_import():
    script = player_script()
    assert re.findall(r"^export .*", script, flags=re.MULTILINE) == [
        "export default function mountPlayer({ data, parentElement, setStateValue }) {"
    ]
    assert not re.search(r"^import ", script, flags=re.MULTILINE)


def test_script_never_reads_markup_from_text():
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", player_script())


def test_style_names_the_theme_of_both_schemes():
    for scheme in theme.SCHEMES:
        assert f'[data-scheme="{scheme}"]' in player_style()
        assert theme.PALETTES[scheme].accent in player_style()


def test_script_tags_in_words_cannot_end_the_data_of_the_page():
    nasty = "</script><script>alert(1)</script>"
    trace = dataclasses.replace(toy.running_example(), source_text=None, source_spans=None)
    trace = dataclasses.replace(trace, source_tokens=(nasty, *trace.source_tokens[1:]))
    page = standalone_html(player_payload(trace), title=nasty)
    assert page.count("<script") == 2
    assert "<title>&lt;/script&gt;" in page
    data = re.search(r'<script type="application/json">(.*?)</script>', page, flags=re.DOTALL)[1]
    assert orjson.loads(data)["document"]["trace"]["source_tokens"][0] == nasty


def test_page_of_its_own_names_no_other_address():
    page = standalone_html(player_payload(toy.running_example()), title="x")
    assert set(re.findall(r"https?://[^\s\"'`]+", page)) == {"http://www.w3.org/2000/svg"}


def mounted_page(step, part):
    """A page with one player whose start the test changes."""
    import streamlit as st

    from app.components.step_player import player_payload, step_player
    from tests import toy

    asked = st.session_state.get("asked", (step, part))
    st.session_state["place"] = step_player(player_payload(toy.running_example()), key="player", step=asked[0])


def start_of(page):
    """The start named in the bytes that the page sent to the player."""
    return orjson.loads(page.get("bidi_component")[0].proto.bytes)["start"]


def test_rerun_sends_the_same_bytes_and_another_wish_moves_the_player():
    page = AppTest.from_function(mounted_page, kwargs={"step": 2, "part": None}).run()
    assert not page.exception
    assert start_of(page) == {"step": 2, "part": None}
    assert page.session_state["place"] == (2, None)
    before = page.get("bidi_component")[0].proto.bytes
    page.run()
    assert page.get("bidi_component")[0].proto.bytes == before
    page.session_state["asked"] = (4, None)
    page.run()
    assert start_of(page) == {"step": 4, "part": None}
