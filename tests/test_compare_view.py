"""The Compare page on traces written by hand: what it shows is computed from them."""

import dataclasses

import numpy as np
import orjson
import pytest
from streamlit.testing.v1 import AppTest

from app.inputs import RUNNING_SENTENCE, Example
from app.views.compare import Sources
from attention_model.agreement import jensen_shannon_distance, top1_agreement, weight_differences
from attention_model.alignments import AlignedSentence
from attention_model.by_hand import attend_by_hand, controlled_trace
from attention_model.errors import CheckpointError, TextError
from attention_model.given import ScorerParameters
from attention_model.preset import preset
from tests.toy import running_example, sized_trace

EXAMPLES = (Example("running", "A first look", RUNNING_SENTENCE, "See *a lot*."),)
METRICS = {"test": {"bleu": 31.25}, "alignment": {"all": {"aer": 0.2525}}}
LEARNED = {
    "dot": ScorerParameters(),
    "multiplicative": ScorerParameters(score_weight=np.diag([2.0, 3.0, 5.0, 7.0])),
    "additive": ScorerParameters(
        key_weight=np.eye(3, 4), query_weight=np.ones((3, 4)), score_vector=np.array([1.0, -2.0, 4.0])
    ),
    "none": ScorerParameters(),
}
PERSON = AlignedSentence(
    ("I", "like", "cats", "a", "lot", "."),
    ("我", "很", "喜", "歡", "貓"),
    frozenset({(0, 0), (1, 2), (1, 3), (2, 4)}),
    frozenset({(0, 0), (1, 2), (1, 3), (2, 4), (3, 1)}),
)


def traces():
    """The running example as three scorers might see it, and without attention."""
    toy = running_example()
    found = {"dot": toy}
    for scorer in ("multiplicative", "additive"):
        found[scorer] = dataclasses.replace(controlled_trace(toy, scorer, LEARNED[scorer]), decoding="greedy")
    empty = dict.fromkeys(("scores", "computed_weights", "weights", "contexts"))
    found["none"] = dataclasses.replace(toy, scorer="none", **empty)
    return found


def sources(**other):
    found = traces()
    given = {
        "decode": lambda request: (found[request.scorer],),
        "controlled": lambda states, scorer, identity=False: controlled_trace(
            states, scorer, ScorerParameters(score_weight=np.eye(4)) if identity else LEARNED[scorer]
        ),
        "attend_by_hand": attend_by_hand,
        "parameters": LEARNED.__getitem__,
        "decoding_time": lambda _: 0.0123,
        "metrics": lambda _: METRICS,
    }
    return Sources(**given | other)


def page(sources, examples):
    from app.views import compare

    compare.render(sources, examples)


def opened(**other):
    link = other.pop("link", {})
    at = AppTest.from_function(page, kwargs={"sources": sources(**other), "examples": EXAMPLES}, default_timeout=60)
    for name, value in link.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    assert not at.error
    return at


def player(at):
    return orjson.loads(at.get("bidi_component")[0].proto.bytes)


def shown(at):
    return player(at)["comparison"]


def html_of(at):
    return "".join(one.value for one in at.html)


def said(at):
    return "".join(one.value for kind in (at.caption, at.info, at.warning, at.markdown) for one in kind)


def row(at, name):
    """The values of one row of the table, tags and all."""
    return html_of(at).split(f'<th scope="row">{name}', 1)[1].split("</tr>", 1)[0]


def test_the_first_paint_compares_the_running_example():
    at = opened()
    assert [one["title"] for one in shown(at)["traces"]] == ["dot", "multiplicative", "additive"]
    assert [one["trace"]["scorer"] for one in shown(at)["traces"]] == ["dot", "multiplicative", "additive"]
    assert shown(at)["traces"][0]["note"] == "BLEU 31.2 · alignment error 0.25"
    assert player(at)["start"] == 4  # whole maps


@pytest.mark.parametrize(("link", "start"), [({}, 0), ({"step": "3"}, 2), ({"step": "nonsense"}, 4)])
def test_presented_without_a_step_it_begins_at_the_first_one(link, start):
    assert player(opened(link={"present": "1"} | link))["start"] == start


def test_the_difference_is_that_of_the_traces():
    found = traces()
    one, other = found["dot"].weights, found["additive"].weights
    difference = shown(opened())["difference"]
    assert (difference["first"], difference["second"]) == (0, 2)
    np.testing.assert_array_equal(difference["differences"], weight_differences(one, other))
    np.testing.assert_array_equal(difference["distances"], jensen_shannon_distance(one, other))
    np.testing.assert_array_equal(difference["agrees"], top1_agreement(one, other))
    assert shown(opened(link={"difference": "multiplicative − additive"}))["difference"]["first"] == 1
    assert shown(opened(link={"difference": "none"}))["difference"] is None


def test_what_differs_is_said_of_these_traces():
    swapped = traces()
    swapped["additive"] = dataclasses.replace(
        swapped["additive"], weights=np.roll(swapped["additive"].weights, 1, axis=1)
    )
    first, second = (
        html_of(opened(decode=lambda request, found=found: (found[request.scorer],))) for found in (traces(), swapped)
    )
    told = [text.split('<p class="what-differs" role="status">', 1)[1].split("</p>", 1)[0] for text in (first, second)]
    assert told[0] != told[1]
    assert '<span lang="zh-Hant">' in told[1]


def test_freely_decoded_rows_that_do_not_line_up_are_not_subtracted():
    found = traces() | {"dot": sized_trace(6, 7)}
    words = dataclasses.replace(traces()["dot"], target_tokens=("貓",) * 5)
    at = opened(decode=lambda request: (words if request.scorer == "dot" else found[request.scorer],))
    assert shown(at)["difference"] is None
    assert not shown(at)["aligned"]
    assert "their rows do not stand for the same characters and cannot be subtracted" in said(at)
    assert "Dot says" in html_of(at)


def test_along_a_target_every_model_is_led_through_the_same_words():
    requests = []

    def decode(request):
        requests.append(request)
        return (traces()[request.scorer],)

    opened(decode=decode, link={"along": "the words of additive", "heat": "0.5"})
    leader, *led = requests
    assert (leader.scorer, leader.decoding) == ("additive", "greedy")
    assert [(one.scorer, one.decoding, one.target) for one in led] == [
        (scorer, "forced", "我很喜歡貓") for scorer in ("dot", "multiplicative", "additive")
    ]
    assert {one.intervention.temperature for one in led} == {0.5}
    requests.clear()
    opened(decode=decode, link={"along": "my words", "target": "我愛貓"})
    assert {one.target for one in requests} == {"我愛貓"}


def test_the_model_without_attention_can_stand_beside():
    at = opened(link={"none": "true"})
    assert [one["title"] for one in shown(at)["traces"]] == ["dot", "multiplicative", "additive", "none"]
    assert "takes no part in the differences" in said(at)
    assert "The scorer none has no attention" in html_of(at)


def test_the_same_states_go_through_three_scorings():
    at = opened(link={"kind": "same states"})
    found = shown(at)["traces"]
    assert [one["note"] for one in found] == [
        "no parameters",
        "W learned by the multiplicative translator",
        "W₁, W₂ and v learned by the additive translator",
    ]
    assert "those of the **dot** translator" in said(at)
    expected = controlled_trace(running_example(), "additive", LEARNED["additive"])
    np.testing.assert_array_equal(found[2]["trace"]["weights"], expected.weights)


def test_with_the_identity_multiplicative_is_dot_to_the_last_digit():
    for states, count in (("dot", 25), ("by hand", 25)):
        at = opened(link={"kind": "same states", "states": states, "identity": "true"})
        dot, multiplicative, _ = shown(at)["traces"]
        assert multiplicative["title"] == "multiplicative, W = identity"
        assert dot["trace"]["weights"] == multiplicative["trace"]["weights"]
        assert f"all {count} multiplicative scores are the dot scores, equal to the last digit" in said(at)


def test_states_by_hand_are_the_running_example_of_the_by_hand_page():
    at = opened(link={"kind": "same states", "states": "by hand", "heat": "2"})
    given = dataclasses.replace(preset("running-example"), scorer="additive", temperature=2.0)
    np.testing.assert_array_equal(shown(at)["traces"][2]["trace"]["weights"], attend_by_hand(given).weights)


def test_a_person_s_links_are_drawn_and_counted():
    at = opened(aligned=(PERSON,))
    links = shown(at)["traces"][0]["reference"]
    assert [0, 0, True] in links
    assert [3, 1, False] in links
    assert "A person has aligned this sentence: squares mark the links" in said(at)
    assert row(at, "alignment error rate").count("<td>") == 3


def test_the_table_holds_what_is_measured():
    at = opened(link={"none": "true"})
    scores = traces()["dot"].scores
    assert f"<td>{scores.min():.2f} to {scores.max():.2f}</td>".replace("-", "−") in row(at, "range")
    assert "<td>25</td><td>25</td><td>25</td><td>–</td>" in row(at, "scores computed")
    assert "<td>0</td><td>16</td><td>27</td><td>0</td>" in row(at, "parameters of the scorer")
    assert row(at, "can be at most").count("±7.00") == 1  # Σ|v| of the additive scorer
    assert row(at, "time to decode").count("12.3 ms") == 4
    assert row(at, "BLEU").count("31.2") == 4


def test_a_mistake_of_the_sentence_is_told_once_and_the_text_stays():
    def decode(request):
        raise TextError("There is nothing to translate.")

    at = opened(decode=decode, link={"sentence": "…"})
    assert len(at.warning) == 1
    assert "There is nothing to translate" in at.warning[0].value
    assert at.text_input(key="sentence").value == "…"


def test_a_missing_checkpoint_leaves_the_others():
    def decode(request):
        if request.scorer == "multiplicative":
            raise CheckpointError("The checkpoint is missing.")
        return (traces()[request.scorer],)

    at = opened(decode=decode)
    assert [one["title"] for one in shown(at)["traces"]] == ["dot", "additive"]
    assert "The checkpoint is missing" in at.warning[0].value


@pytest.mark.parametrize(("step", "start"), [("2", 1), ("99", 4), ("zero", 4)])
def test_the_link_s_step_is_where_it_starts(step, start):
    assert player(opened(link={"step": step}))["start"] == start


def test_a_wrong_link_is_told_and_the_default_taken():
    at = opened(link={"kind": "nonsense"})
    assert "kind\\=nonsense" in said(at) or "kind=nonsense" in said(at)
    assert len(shown(at)["traces"]) == 3


@pytest.mark.parametrize("name", ["kind", "along", "states", "difference", "heat", "none", "identity", "step"])
def test_an_empty_value_in_a_link_is_told_and_the_default_taken(name):
    at = opened(link={name: ""})
    assert "the default is taken" in said(at).replace("\\", "") or "The last step is shown" in said(at)
    assert len(shown(at)["traces"]) == 3


def test_probabilities_that_are_very_small_are_still_told():
    unlikely = {
        name: dataclasses.replace(trace, token_probabilities=np.full(5, 1e-30)) for name, trace in traces().items()
    }
    at = opened(decode=lambda request: (unlikely[request.scorer],))
    assert row(at, "probability of these words").count("1.0·10⁻¹⁵⁰") == 3
    assert row(at, "probability a character").count("1.0·10⁻³⁰") == 3


def test_the_words_of_a_person_are_followed_where_they_are_known():
    requests = []

    def decode(request):
        requests.append(request)
        return (traces()[request.scorer],)

    opened(decode=decode, aligned=(PERSON,), link={"along": "a person's words"})
    assert {(one.decoding, one.target) for one in requests} == {("forced", "我很喜歡貓")}
    requests.clear()
    at = opened(decode=decode, link={"along": "a person's words"})
    assert {one.decoding for one in requests} == {"greedy"}
    assert "No person has aligned this sentence" in said(at)
