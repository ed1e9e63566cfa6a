"""The comparison's data, its joined script, the page that holds it alone, and its mount."""

import dataclasses
import re

import numpy as np
import orjson
import pytest
from streamlit.testing.v1 import AppTest

from app.components.comparison_player import (
    MOST_TRACES,
    SOURCE_FILES,
    ComparedTrace,
    DifferenceView,
    comparison_data,
    comparison_html,
    comparison_payload,
    comparison_script,
    comparison_style,
)
from app.components.step_player import SOURCE_FOLDER, WORD_MARK, player_style
from attention_model import analysis
from tests import toy


def compared(trace, title="Dot", reference=None):
    return ComparedTrace(title, f"a note on {title}", trace, reference)


def with_scores(trace, scores):
    """The same states scored otherwise, and nothing after the context."""
    weights = toy.softmax(scores)
    return dataclasses.replace(
        trace, scores=scores, computed_weights=weights, weights=weights, contexts=weights @ trace.encoder_states
    )


def scored_two_ways(trace):
    """The trace as it is, and with scores of another order in every second row."""
    scores = trace.scores.copy()
    scores[::2] = scores[::2, ::-1]
    return trace, with_scores(trace, scores)


def difference_of(one, other, first=0, second=1):
    """A view of the difference, its distances easy to recognise."""
    agrees = one.weights.argmax(axis=1) == other.weights.argmax(axis=1)
    distances = np.linspace(0.11, 0.87, len(agrees))
    return DifferenceView(first, second, one.weights - other.weights, distances, agrees)


def document_of(traces, difference=None, *, aligned=True):
    return orjson.loads(comparison_payload(traces, difference, aligned=aligned))


def test_payload_holds_weights_sentences_and_entropies_of_every_trace():
    traces = [toy.sized_trace(3, target, scorer="additive") for target in (5, 7)]
    document = document_of([compared(trace) for trace in traces], aligned=False)
    for sent, trace in zip(document["traces"], traces, strict=True):
        assert np.array(sent["trace"]["weights"], dtype=np.float32).tobytes() == trace.weights.tobytes()
        assert [one.replace(WORD_MARK, "*") for one in sent["sentences"]] == [
            f"{sentence}." for sentence in analysis.describe_trace(trace)
        ]
        assert sent["entropies"] == pytest.approx(analysis.weight_entropy(trace.weights))
        assert max(sent["entropies"]) <= sent["largestEntropy"] == pytest.approx(np.log2(3))
    assert document["aligned"] is False
    assert document["difference"] is None


def test_no_states_are_sent():
    sent = document_of([compared(toy.sized_trace())])["traces"][0]["trace"]
    assert {"encoder_states", "decoder_states", "candidates"} & set(sent) == set()


def test_without_attention_there_are_neither_weights_nor_entropies():
    sent = document_of([compared(toy.sized_trace(scorer="none"), "None")])["traces"][0]
    assert sent["trace"]["weights"] is None
    assert sent["entropies"] is None
    assert all(sentence.endswith("is produced without attention.") for sentence in sent["sentences"])


def test_reference_links_are_sent_as_they_are():
    links = ((0, 0, True), (4, 1, False))
    document = document_of([compared(toy.running_example(), reference=links), compared(toy.running_example())])
    assert [sent["reference"] for sent in document["traces"]] == [[[0, 0, True], [4, 1, False]], None]


def test_difference_is_sent_exactly_and_said_in_words():
    one, other = scored_two_ways(toy.sized_trace(7, 5))
    difference = difference_of(one, other)
    sent = document_of([compared(one), compared(other, "Additive")], difference)["difference"]
    assert np.array(sent["differences"], dtype=np.float32).tobytes() == difference.differences.tobytes()
    assert sent["distances"] == list(difference.distances)
    assert sent["agrees"] == list(difference.agrees)
    assert set(sent["agrees"]) == {True, False}
    for t, sentence in enumerate(sent["sentences"]):
        token = "The end" if t == 4 else one.target_tokens[t]
        tops = [f"*{one.source_tokens[trace.weights[t].argmax()]}*" for trace in (one, other)]
        where = (
            f"both look most at {tops[0]}"
            if sent["agrees"][t]
            else f"Dot looks most at {tops[0]}, Additive at {tops[1]}"
        )
        distance = f"{difference.distances[t]:.2f}"
        assert sentence.replace(WORD_MARK, "*") == f"{token}: {where}. Their distance is {distance}."


RUNNING = toy.running_example()
OTHER_TARGET = dataclasses.replace(RUNNING, target_tokens=("你", *RUNNING.target_tokens[1:]))
RUNNING_DIFFERENCE = difference_of(RUNNING, RUNNING)


@pytest.mark.parametrize(
    ("traces", "difference", "aligned", "text"),
    [
        ([], None, True, "0 traces were given, and 1 to 4 can be compared."),
        ([compared(RUNNING)] * (MOST_TRACES + 1), None, True, "5 traces were given, and 1 to 4 can be compared."),
        (
            [compared(RUNNING), compared(toy.sized_trace(), "Other")],
            None,
            False,
            "'Other' reads other source tokens than 'Dot'.",
        ),
        (
            [compared(RUNNING), compared(OTHER_TARGET, "Other")],
            None,
            True,
            "'Other' is called aligned, but stands on another target than 'Dot'.",
        ),
        (
            [compared(RUNNING, reference=((0, 0, True), (0, 5, True)))],
            None,
            True,
            "A reference link of 'Dot' lies outside its 5 rows and 5 columns.",
        ),
        (
            [compared(RUNNING)] * 2,
            RUNNING_DIFFERENCE,
            False,
            "A difference was given of traces whose rows do not line up.",
        ),
        (
            [compared(RUNNING)] * 2,
            RUNNING_DIFFERENCE._replace(differences=np.zeros((3, 5))),
            True,
            "The differences do not fit the weights of 'Dot'.",
        ),
        (
            [compared(RUNNING)] * 2,
            RUNNING_DIFFERENCE._replace(distances=np.zeros(3)),
            True,
            "A difference needs one distance and one agreement a row.",
        ),
    ],
    ids=str,
)
def test_traces_that_cannot_be_compared_are_refused(traces, difference, aligned, text):
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        comparison_payload(traces, difference, aligned=aligned)


def test_traces_of_other_targets_are_compared_when_they_are_not_called_aligned():
    document = document_of([compared(RUNNING), compared(OTHER_TARGET, "Other")], aligned=False)
    assert [sent["trace"]["target_tokens"][0] for sent in document["traces"]] == ["我", "你"]


def test_data_names_the_start_and_keeps_the_payload():
    payload = comparison_payload([compared(RUNNING)], aligned=True)
    data = orjson.loads(comparison_data(payload, 3, writes_address=True))
    assert (data["start"], data["writesAddress"]) == (3, True)
    assert data["comparison"] == orjson.loads(payload)


def test_every_file_is_joined_after_what_it_uses():
    assert len(set(SOURCE_FILES)) == len(SOURCE_FILES)
    for place, name in enumerate(SOURCE_FILES):
        source = (SOURCE_FOLDER / name).read_text("utf-8")
        used = re.findall(r'^import[^;]* from "\./(\w+\.js)";', source, flags=re.MULTILINE)
        assert set(used) <= set(SOURCE_FILES[:place]), name


def test_joined_script_has_one_export_and_reads_no_markup_from_text():
    script = comparison_script()
    assert re.findall(r"^export default function (\w+)", script, flags=re.MULTILINE) == ["mountComparison"]
    assert len(re.findall(r"^export ", script, flags=re.MULTILINE)) == 1
    assert not re.search(r"^import ", script, flags=re.MULTILINE)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", script)


def test_style_begins_with_that_of_the_player():
    assert comparison_style().startswith(player_style())
    assert ".compared" in comparison_style().removeprefix(player_style())


def test_words_of_people_cannot_leave_the_data_of_the_page():
    nasty = "</script><script>alert(1)</script>"
    trace = dataclasses.replace(RUNNING, source_text=None, source_spans=None)
    trace = dataclasses.replace(trace, source_tokens=(nasty, *trace.source_tokens[1:]))
    page = comparison_html(comparison_payload([compared(trace, nasty)], aligned=True), title=nasty)
    assert page.count("<script") == 2
    assert "<title>&lt;/script&gt;" in page
    data = re.search(r'<script type="application/json">(.*?)</script>', page, flags=re.DOTALL)[1]
    assert orjson.loads(data)["comparison"]["traces"][0]["title"] == nasty


def test_page_of_its_own_names_no_other_address():
    page = comparison_html(comparison_payload([compared(RUNNING)], aligned=True), title="x")
    assert set(re.findall(r"https?://[^\s\"'`]+", page)) == {"http://www.w3.org/2000/svg"}


def mounted_page():
    """A page with one comparison whose start the test changes."""
    import streamlit as st

    from app.components.comparison_player import comparison_player
    from tests.test_comparison_player import RUNNING, compared, comparison_payload

    payload = comparison_payload([compared(RUNNING)], aligned=True)
    asked = st.session_state.get("asked", 2)
    st.session_state["place"] = comparison_player(payload, key="comparison", step=asked)


def sent_by(page):
    return page.get("bidi_component")[0].proto.bytes


def test_rerun_sends_the_same_bytes_and_another_wish_moves_the_comparison():
    page = AppTest.from_function(mounted_page).run()
    assert not page.exception
    before = sent_by(page)
    assert orjson.loads(before)["start"] == 2
    assert page.session_state["place"] == 2
    page.run()
    assert sent_by(page) == before
    page.session_state["asked"] = 4
    page.run()
    assert orjson.loads(sent_by(page))["start"] == 4
