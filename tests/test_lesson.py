"""The lesson: its order, what it says, and clear errors for files of stops that cannot be read."""

import json
import re
import subprocess
import sys
from html import unescape

import pytest

from app.components.markdown import markdown_html
from app.lesson import FOLDER, read_stop, stops
from app.live_state import Bottleneck, Calculation, Comparison, Cost, Maps, Paths, TranslatePlayer
from attention_model.agreement import is_aligned
from attention_model.errors import LessonError
from attention_model.preset import shipped_trace
from attention_model.shelf import CHECKPOINTS, example_traces
from attention_model.trace import SCORERS
from tests.sources import ROOT

STOP = """+++
id = "first"
title = "A first stop"
notes = "Say it slowly."

[live]
kind = "step player"
step = 2
+++

Read *this*.
"""


def by_id(name):
    return next(stop for stop in stops() if stop.id == name)


def written(folder, content, name="01-first.md"):
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def shipped(sentence, scorer):
    """The shipped trace of a sentence; None where it has to be decoded."""
    return next((one for one in example_traces(f"en-zh/{scorer}", CHECKPOINTS) if one.source_text == sentence), None)


def test_the_stops_come_in_the_order_of_the_lesson():
    assert [stop.id for stop in stops()] == [
        "glance",
        "encoder-decoder",
        "bottleneck",
        "long-paths",
        "part-of-source",
        "key-idea",
        "score",
        "softmax",
        "blend",
        "attention-output",
        "prediction",
        "three-moves",
        "soft-alignment",
        "word-order",
        "unsupervised",
        "why-it-helps",
        "three-scorers",
        "side-by-side",
        "beyond-translation",
        "self-attention",
        "one-breath",
        "papers",
        "further-reading",
    ]


def test_every_markdown_file_is_a_stop_but_the_one_that_says_how_to_write_them():
    assert {path.name for path in FOLDER.iterdir()} - {"README.md"} == {
        f"{number:02d}-{stop.id}.md" for number, stop in enumerate(stops(), start=1)
    }


@pytest.mark.parametrize("stop", stops(), ids=lambda stop: stop.id)
def test_a_stop_is_one_screen_with_notes_for_whoever_presents(stop):
    words = [word for word in stop.text.replace("|", " ").split() if re.search(r"\w", word)]
    assert 60 <= len(words) <= 140 or stop.id == "further-reading"
    assert stop.notes
    assert "!" not in stop.text + stop.notes + stop.title


@pytest.mark.parametrize("stop", stops(), ids=lambda stop: stop.id)
def test_what_a_stop_shows_at_first_needs_no_model(stop):
    """Otherwise whoever opens its link waits until torch is there."""
    live = stop.live
    requests = []
    if isinstance(live, TranslatePlayer | Cost | Paths):
        requests = [live.request]
    elif isinstance(live, Comparison):
        requests = live.requests
    elif isinstance(live, Bottleneck):
        requests = live.for_sentence(live.sentence)
    elif isinstance(live, Maps):
        requests = [one.shown.request for one in live.maps if one.sentence]
    assert all(shipped(one.sentence, one.scorer) and one.decoding == "greedy" for one in requests)
    given = [live.given] if hasattr(live, "given") else []
    if isinstance(live, Maps):
        given = [one.shown.given for one in live.maps if one.preset]
    assert all(map(shipped_trace, given))


@pytest.mark.parametrize("stop", stops(), ids=lambda stop: stop.id)
def test_a_step_that_a_stop_names_exists(stop):
    live = stop.live
    if isinstance(live, TranslatePlayer):
        assert live.step <= len(shipped(live.sentence, live.scorer).target_tokens)
    elif isinstance(live, Calculation):
        assert live.step <= len(live.given.target_tokens)


def test_the_table_of_the_scorers_names_formulas_conditions_and_papers():
    html = unescape(markdown_html(by_id("three-scorers").text))
    rows = re.findall(r"<tr>\s*<td>(.*?)</td>\s*<td>(.*?)</td>\s*<td>(.*?)</td>", html, re.DOTALL)
    assert [row[0] for row in rows] == ["dot", "multiplicative", "additive"]
    assert [row[1] for row in rows] == ["hᵀ s", "hᵀ W s", "vᵀ tanh(W₁h + W₂s)"]
    dot, multiplicative, additive = (row[2] for row in rows)
    assert "no parameters" in dot
    assert "same dimension" in dot
    assert "lets the dimensions differ" in multiplicative
    assert "Luong's <em>general</em>" in multiplicative
    assert "one hidden layer" in additive
    assert "Bahdanau" in additive


def test_the_further_reading_cites_six_papers_in_full():
    entries = re.findall(r"<li>(.*?)</li>", markdown_html(by_id("further-reading").text), re.DOTALL)
    cited = [" ".join(entry.split()) for entry in entries]
    for entry, author, title, year in zip(
        cited,
        ("Bahdanau", "Luong", "Olah", "Chan", "Xu", "Vaswani"),
        (
            "Neural Machine Translation by Jointly Learning to Align and Translate",
            "Effective Approaches to Attention-based Neural Machine Translation",
            "Attention and Augmented Recurrent Neural Networks",
            "Listen, Attend and Spell",
            "Show, Attend and Tell",
            "Attention Is All You Need",
        ),
        ("2015", "2015", "2016", "2016", "2015", "2017"),
        strict=True,
    ):
        assert author in entry
        assert f"<em>{title}" in entry
        assert year in entry
        assert "arXiv" in entry or "doi" in entry


def test_the_stop_about_papers_settles_every_difference():
    text = by_id("papers").text
    for settled in ("s(t−1)", "*general*", "Two matrices are called W", "α has two meanings", "No input feeding"):
        assert settled in text


def test_what_the_alignment_stop_says_is_true_of_its_maps():
    """很 on *a* and *lot* by hand and elsewhere in the trained model; 喜 and 歡 on *like* in both."""
    by_hand, trained = by_id("soft-alignment").live.maps
    made = shipped_trace(by_hand.shown.given)
    model = shipped(trained.sentence, trained.scorer)
    assert made.target_tokens[1:4] == model.target_tokens[1:4] == ("很", "喜", "歡")
    like, a_lot = 1, [3, 4]
    assert made.weights[1, a_lot].min() > 0.45
    assert made.weights[2:4, like].min() > 0.9
    assert model.weights[1].argmax() == like
    assert model.weights[1, a_lot].sum() < 0.5
    assert model.weights[2:4].argmax(axis=1).tolist() == [like, like]


def test_no_stop_says_where_its_live_part_stands():
    """It stands beside the text, under it on a phone, and on the next screen when it is presented."""
    assert not [stop.id for stop in stops() if re.search("beside th(is|e) (text|list)", stop.text + stop.notes, re.I)]


def test_what_the_stop_of_the_library_says_is_true_of_its_steps():
    live = by_id("part-of-source").live
    trace = shipped(live.sentence, live.scorer)
    assert "".join(trace.target_tokens[live.step - 1 :]).startswith("圖書館工作")
    looked_at = [trace.source_tokens[i] for i in trace.weights.argmax(axis=1)]
    assert looked_at[live.step - 1 :][:5] == ["library"] * 3 + ["works"] * 2
    assert max((trace.weights > 0.2).sum(axis=1)) <= 2


def test_the_mixture_of_the_key_idea_is_mostly_like():
    live = by_id("key-idea").live
    trace = shipped(live.sentence, live.scorer)
    assert trace.target_tokens[live.step - 1] == "喜"
    assert trace.weights[live.step - 1, trace.source_tokens.index("like")] > 0.8


def test_the_encoder_without_attention_reads_in_both_directions_as_its_stop_says():
    config = json.loads((CHECKPOINTS / "en-zh" / by_id("encoder-decoder").live.scorer / "config.json").read_text())
    assert config["bidirectional"]
    assert "forwards and backwards" in by_id("encoder-decoder").text


def test_the_first_stop_whose_text_sends_through_all_five_characters_begins_at_the_first():
    first = stops()[0]
    assert "Step through the five characters" in first.text
    assert (first.live.step, len(first.live.given.target_tokens)) == (1, 5)


def test_the_glance_of_the_crossing_stop_jumps_and_comes_back():
    (one,) = by_id("word-order").live.maps
    trace = shipped(one.sentence, one.scorer)
    looked_at = [trace.source_tokens[i] for i in trace.weights.argmax(axis=1)]
    assert trace.translation.startswith("我們明天會去公園")
    assert looked_at[:8] == ["We", "We", "tomorrow", "tomorrow", "will", "go", "park", "park"]


def test_for_five_words_the_model_without_attention_does_well():
    live = by_id("encoder-decoder").live
    assert live.scorer == "none"
    assert shipped(live.sentence, "none").translation == shipped(live.sentence, "dot").translation == "我很喜歡貓。"


def test_the_three_scorers_do_not_say_the_same_of_the_sentence_side_by_side():
    live = by_id("side-by-side").live
    assert not is_aligned([shipped(live.sentence, scorer) for scorer in live.scorers])
    assert set(live.scorers) < set(SCORERS)


def test_the_lesson_loads_no_torch():
    code = "import sys; from app.lesson import stops; print(len(stops()), 'torch' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.split() == [str(len(stops())), "False"]


def test_a_file_is_read_as_a_stop(tmp_path):
    stop = read_stop(written(tmp_path, STOP))
    assert (stop.id, stop.title, stop.text, stop.notes) == ("first", "A first stop", "Read *this*.", "Say it slowly.")
    assert stop.live == TranslatePlayer(step=2)
    assert stop.page == "translate"
    assert stop.link["step"] == "2"


def test_a_file_with_the_line_ends_of_windows_and_without_notes_is_read(tmp_path):
    stop = read_stop(written(tmp_path, STOP.replace('notes = "Say it slowly."\n', "").replace("\n", "\r\n")))
    assert (stop.notes, stop.text) == ("", "Read *this*.")


def test_a_new_file_is_a_new_stop_in_its_place(tmp_path):
    for name, number in (("second", 20), ("first", 10), ("third", 30)):
        written(tmp_path, STOP.replace('"first"', f'"{name}"'), f"{number}-{name}.md")
    written(tmp_path, "How to write stops.", "README.md")
    assert [stop.id for stop in stops(tmp_path)] == ["first", "second", "third"]


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (STOP, "Read this.", r"It has to begin with settings between two lines of \+\+\+"),
        ("id =", "id", "Its settings are not TOML"),
        ('id = "first"\n', "", r"Its id is None, and letters from a to z, digits and hyphens is wanted"),
        ('"first"', '"First stop"', r"Its id is 'First stop'"),
        ('"A first stop"', '" "', r"Its title is ' ', and one line of text is wanted"),
        ('"Say it slowly."', "3", r"Its notes is 3, and text is wanted"),
        ("notes", "nodes", r"unknown setting 'nodes'\. There are id, title, notes and live"),
        ("[live]", "[alive]", r"unknown setting 'alive'"),
        ("Read *this*.\n", "\n", "It has no text"),
        ('"step player"', '"video"', r"The kind of the live part is 'video', and one of step player, calculation"),
        ("step = 2", "steps = 2", r"'steps' is no part of a live part of the kind “step player”, which has sentence"),
        ("step = 2", 'step = "2"', r"step is '2', and a whole number from 1 on is wanted"),
        ("step = 2", "step = 0", r"step is 0, and a whole number from 1 on is wanted"),
    ],
)
def test_a_damaged_file_is_refused_by_name_with_what_is_wanted(tmp_path, before, after, message):
    assert before in STOP
    path = written(tmp_path, STOP.replace(before, after, 1))
    with pytest.raises(LessonError, match=rf"^01-first\.md is no stop of the lesson\. .*{message}"):
        read_stop(path)


def test_a_stop_without_a_live_part_is_refused(tmp_path):
    without = re.sub(r"\[live\].*?\+\+\+", "+++", STOP, flags=re.DOTALL)
    with pytest.raises(LessonError, match=r"It has no table \[live\]"):
        read_stop(written(tmp_path, without))


def test_two_stops_with_one_id_are_refused(tmp_path):
    written(tmp_path, STOP, "01-one.md")
    written(tmp_path, STOP, "02-two.md")
    with pytest.raises(LessonError, match=r"02-two\.md has the id “first”, which 01-one\.md has already"):
        stops(tmp_path)


def test_a_folder_without_stops_and_a_file_that_cannot_be_read_are_told(tmp_path):
    with pytest.raises(LessonError, match="There is no stop in"):
        stops(tmp_path)
    with pytest.raises(LessonError, match=r"01-gone\.md cannot be read"):
        read_stop(tmp_path / "01-gone.md")
    (tmp_path / "01-latin.md").write_bytes(STOP.replace("Read", "Lies für").encode("latin-1"))
    with pytest.raises(LessonError, match=r"01-latin\.md is not written in UTF-8"):
        read_stop(tmp_path / "01-latin.md")
