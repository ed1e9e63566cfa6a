"""The lesson and a lecture as one file: every stop with what stands beside it, every entry in its state."""

import html
import re

import pytest

from app import compared, resources
from app.components.pack import SCRIPT_FILES, Comparison, Player, Words
from app.components.step_player import SOURCE_FOLDER
from app.lecture import Lecture, read_link
from app.lesson import stops
from app.live import Sources
from app.live_state import Calculation, Maps, TranslatePlayer, WorkedLines
from app.live_state import Comparison as ComparisonState
from app.notation import NOTATIONS
from app.offline import LectureSources, lecture_html, lesson_html, lesson_stop, live_parts
from attention_model.errors import DataError
from tests import toy

METRICS = {
    "test": {
        "bleu": 30.0,
        "by_length": [{"shortest": 1, "longest": 5, "bleu": 40.0, "sentences": 99}],
    }
}


@pytest.fixture
def asked():
    """The requests that were decoded."""
    return []


@pytest.fixture
def sources(asked):
    def decode(request):
        asked.append(request)
        if request.sentence == "too long":
            raise DataError("The sentence is <too> long.")
        return (toy.sized_trace(source=5, target=7, scorer=request.scorer),) * 2

    def controlled(trace, scorer, *, identity):
        return toy.sized_trace(source=5, target=7, scorer=scorer)

    def metrics(scorer):
        return METRICS

    def unasked(*what):
        raise AssertionError(f"Nothing in a file needs {what}.")

    lesson = Sources(decode, resources.attend_by_hand, metrics, unasked)
    comparison = compared.Sources(decode, controlled, resources.attend_by_hand, unasked, unasked, metrics)
    return LectureSources(lesson, comparison, {})


def lecture(*links):
    entries = Lecture()
    for link in links:
        entries = entries.added(read_link(link, relative_only=True))
    return entries


def kinds(live):
    return [type(one) for one in live]


def test_every_stop_of_the_lesson_has_its_place_in_the_file(sources):
    page = lesson_html(stops(), sources.lesson)
    assert re.findall(r'<section class="pack-stop[^"]*" data-stop="([^"]+)"', page) == [stop.id for stop in stops()]
    for stop in stops():
        made = lesson_stop(stop, sources.lesson)
        assert made.live
        assert bool(made.notes) == bool(stop.notes)


def test_players_start_where_the_lesson_says(sources):
    words, player = live_parts(TranslatePlayer("A sentence", "dot", step=3, part=2), sources.lesson)
    assert html.escape(toy.sized_trace(source=5, target=7).source_text) in words.html
    assert (player.step, player.part) == (2, 1)
    (player,) = live_parts(Calculation("running-example", step=5), sources.lesson)
    assert (player.step, player.part) == (4, None)
    *_, comparison = live_parts(ComparisonState(("dot", "none"), step=2), sources.lesson)
    assert comparison.step == 1
    assert live_parts(ComparisonState(("dot", "none")), sources.lesson)[-1].step == 6


def test_a_choice_of_notations_is_folded_up(sources):
    live = live_parts(WorkedLines("the-cat-sat", choose_notation=True), sources.lesson)
    assert kinds(live) == [Words, Words]
    assert live[1].html.count("<details>") == len(NOTATIONS) - 1
    assert kinds(live_parts(WorkedLines("the-cat-sat"), sources.lesson)) == [Words]


def test_maps_stand_whole_with_their_sentences(sources):
    live = live_parts(Maps([{"preset": "running-example"}, {"sentence": "A sentence"}]), sources.lesson)
    assert kinds(live) == [Comparison, Words] * 2
    assert [live[0].step, live[2].step] == [4, 6]
    assert live[1].html.count("<li>") == 5


def test_entries_are_shown_in_the_state_of_their_links(sources, asked):
    page = lecture_html(
        lecture(
            "translate?sentence=One&scorer=additive&step=4&part=2",
            "translate?sentence=Two&decoding=beam&beam=3&hypothesis=2",
            "compare?sentence=Three&none=true&step=2",
            "compare?kind=same+states&states=additive&sentence=Four",
            "by-hand?preset=exercise-1",
            "learn?stop=glance",
        ),
        stops(),
        sources,
    )
    assert re.findall(r'data-stop="([^"]+)"', page) == [f"entry-{number}" for number in range(1, 7)]
    assert (asked[0].sentence, asked[0].scorer, asked[0].decoding) == ("One", "additive", "greedy")
    assert (asked[1].sentence, asked[1].decoding, asked[1].beam_size) == ("Two", "beam", 3)
    assert [one.scorer for one in asked[2:6]] == ["dot", "multiplicative", "additive", "none"]
    assert (asked[6].sentence, asked[6].scorer) == ("Four", "additive")
    assert '"start":{"step":3,"part":1}' in page
    assert '"kind":"comparison","data":{"start":{"step":1,"part":null}}' in page


@pytest.mark.parametrize("stop", ["bottleneck", "long-paths", "glance"])
def test_a_stop_of_a_lecture_stands_on_the_sentence_of_its_link_where_it_stands_on_one(sources, asked, stop):
    lecture_html(lecture(f"learn?stop={stop}&own_sentence=We+sing."), stops(), sources)
    assert {one.sentence for one in asked} == (set() if stop == "glance" else {"We sing."})


def test_changes_of_a_link_are_made_and_said(sources, asked):
    page = lecture_html(lecture('translate?sentence=One&changes=[["temperature",2]]'), stops(), sources)
    assert asked[-1].intervention.temperature == 2
    assert "emperature" in re.search(r"<ul><li>(.*?)</li></ul>", page).group(1)
    assert '"label":"Before the last change"' in page
    assert 'class="what-happened"' in page


def test_a_change_that_cannot_be_made_says_why(sources):
    page = lecture_html(lecture('translate?sentence=One&changes=[["hide",null,[0,1,2,3,4]]]'), stops(), sources)
    assert re.search(r"<ul><li>.* <small>.+</small></li></ul>", page)
    assert '"label":"Before the last change"' not in page


def test_a_translation_is_read_as_the_link_asks(sources):
    trace = toy.sized_trace(source=5, target=7)
    words = dict.fromkeys(trace.target_tokens, "a <gloss>")
    asked = lecture("translate?sentence=One&gloss=true&pinyin=true")
    page = lecture_html(asked, stops(), sources._replace(glosses=words))
    assert '<span class="gloss">a &lt;gloss&gt;</span>' in page
    assert '<span class="gloss">' not in lecture_html(lecture("translate?sentence=One"), stops(), sources)


def test_what_cannot_be_shown_says_so_and_the_rest_stays(sources):
    page = lecture_html(lecture("translate?sentence=too+long", "quiz", "translate?sentence=One"), stops(), sources)
    assert "<p>The sentence is &lt;too&gt; long.</p>" in page
    assert "so it is only in the app" in page
    assert page.count("<div data-live></div>") == 1


def test_every_source_file_of_a_pack_is_joined_once_after_what_it_uses():
    assert len(set(SCRIPT_FILES)) == len(SCRIPT_FILES)
    for place, name in enumerate(SCRIPT_FILES):
        used = re.findall(r'^import[^;]* from "\./(\w+\.js)";', (SOURCE_FOLDER / name).read_text("utf-8"), re.MULTILINE)
        assert set(used) <= set(SCRIPT_FILES[:place]), name


def test_a_players_data_is_kept_once_for_all_its_stops(sources):
    one = "translate?sentence=One"
    entries = [lecture_html(lecture(*[one] * count), stops(), sources) for count in (1, 2)]
    assert len(entries[1]) - len(entries[0]) < 1500
    assert isinstance(live_parts(TranslatePlayer("One"), sources.lesson)[1], Player)
