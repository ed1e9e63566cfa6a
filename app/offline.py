"""A whole lesson, or a lecture, as one HTML file: what stands on each screen, ready for a page without a server.

Traces and measures come from whoever calls; nothing is decoded here, and no page is drawn.
"""

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from app import compared
from app.calculation import asked_by
from app.changing import Changed
from app.comparing import CONTROLLED, comparison_in_link
from app.components.chinese_reading import player_readings, read_line
from app.components.comparison_player import ComparedTrace, comparison_payload
from app.components.difference import changed_translation, translation_before, what_happened
from app.components.lesson_html import difference_line, paths_table, quality_by_length, steps_list, translation_line
from app.components.markdown import markdown_html
from app.components.pack import Comparison, PackStop, Player, Words, pack_html
from app.components.step_player import TraceBefore, player_payload
from app.components.text import chinese, prose, with_language
from app.components.workbench import shapes_table
from app.components.worked_lines import WorkedPart, worked_parts
from app.inputs import OWN_SENTENCE, place_in_link, translation_in_link, whole
from app.lecture import Entry, Lecture
from app.lesson import Stop
from app.live import Sources
from app.live_state import (
    Bottleneck,
    Calculation,
    Cost,
    LiveState,
    Maps,
    MapState,
    OwnSentence,
    Paths,
    ScorerSizes,
    TranslatePlayer,
    WorkedLines,
)
from app.live_state import Comparison as ComparisonState
from app.notation import NOTATIONS, OURS
from app.viewing import Viewing, grid_of, player_view, view_before, viewing_in_link
from app.whatif import Folded, carry_out, parse_what_if
from attention_model.agreement import is_aligned
from attention_model.alignments import find_reference, reference_links
from attention_model.arithmetic import step_arithmetic
from attention_model.errors import AttentionModelError
from attention_model.trace import DecodingTrace

Live = tuple[Words | Player | Comparison, ...]

LESSON_TITLE = "Glanceback: the lesson"
LECTURE_TITLE = "Glanceback: a lecture"


class LectureSources(NamedTuple):
    """Where the screens of a lecture get all from: stops of the lesson, comparisons, English for Chinese words."""

    lesson: Sources
    comparison: compared.Sources
    glosses: Mapping[str, str]


def lesson_html(stops: Sequence[Stop], sources: Sources) -> str:
    """The lesson as one file. Raises AttentionModelError when a stop shows what cannot be decoded or computed."""
    return pack_html(LESSON_TITLE, [lesson_stop(stop, sources) for stop in stops])


def lesson_stop(stop: Stop, sources: Sources) -> PackStop:
    """A stop of the lesson with its live part at rest in the state that the lesson gives it."""
    return PackStop(
        id=stop.id,
        title=stop.title,
        text=markdown_html(stop.text),
        live=live_parts(stop.live, sources),
        notes=markdown_html(stop.notes) if stop.notes else "",
    )


def lecture_html(lecture: Lecture, stops: Sequence[Stop], sources: LectureSources) -> str:
    """The lecture as one file, a screen an entry. What cannot be shown without the app says so in its place.

    stops: of the lesson, to which entries may lead. Raises ValueError for a lecture without entries.
    """
    return pack_html(
        LECTURE_TITLE,
        [_entry_stop(number, entry, stops, sources) for number, entry in enumerate(lecture.entries, 1)],
    )


def _entry_stop(number: int, entry: Entry, stops: Sequence[Stop], sources: LectureSources) -> PackStop:
    """The screen of an entry; a mistake in its link becomes a sentence, and the other entries stay."""
    link = dict(entry.link.parameters)
    stop = PackStop(id=f"entry-{number}", title=entry.title, text="", live=())
    try:
        if entry.link.page == "learn":
            shown = next((one for one in stops if one.id == link.get("stop")), stops[0])
            shown = _on_sentence(shown, link.get(OWN_SENTENCE))
            return lesson_stop(shown, sources.lesson)._replace(id=stop.id, title=entry.title)
        if entry.link.page in _VIEWS:
            return stop._replace(live=_VIEWS[entry.link.page](link, sources))
    except AttentionModelError as mistake:
        return stop._replace(text=f"<p>{html.escape(str(mistake))}</p>")
    return stop._replace(text=markdown_html(prose("lecture")["only in the app"]))


def _on_sentence(stop: Stop, sentence: str | None) -> Stop:
    """The stop on the visitor's own sentence, where it stands on one and a link names one.

    Raises LessonError for a sentence without words.
    """
    if sentence is not None and isinstance(stop.live, Bottleneck):
        return replace(stop, live=replace(stop.live, sentences=(sentence,)))
    if sentence is not None and isinstance(stop.live, OwnSentence):
        return replace(stop, live=replace(stop.live, sentence=sentence))
    return stop


def _translate_view(link: dict[str, str], sources: LectureSources) -> Live:
    """A translation with what was changed, seen as the link says."""
    decode = sources.lesson.decode
    request = translation_in_link(link)
    traces, what_if = decode(request), parse_what_if(link.get("changes"), link.get("undone"))

    def changed(folded: Folded) -> tuple[DecodingTrace, ...]:
        return decode(replace(request, sentence=folded.sentence, intervention=folded.intervention))

    done = Changed(request.sentence, request, what_if, carry_out(what_if, traces, changed, mark=""))
    rank = whole(link.get("hypothesis", ""))
    trace = done.traces[min(rank or 1, len(done.traces)) - 1]
    before = done.before(trace)
    step, part = place_in_link(link)
    viewing = viewing_in_link(link)
    view = player_view(trace, viewing, grid_of(trace, viewing))
    if before is not None:
        view = view._replace(before=view_before(before.trace, viewing))
    readings = player_readings(trace) if viewing.reads_characters else None
    payload = player_payload(trace, before=before, readings=readings)
    player = Player(payload, min(step, len(trace.target_tokens) - 1), part, view)
    said = translation_line(trace, _translation(trace, before, viewing, sources.glosses))
    return Words(said + _what_became(done, trace, before)), player


def _translation(trace: DecodingTrace, before: TraceBefore | None, viewing: Viewing, glosses: Mapping[str, str]) -> str:
    """The translation as HTML: with the help that is asked for, and the one before a change beside it."""
    was = "" if before is None else translation_before(before)
    if viewing.reads_chinese:
        words = glosses if viewing.gloss else None
        return read_line(trace, pinyin=viewing.pinyin, simplified=viewing.simplified, glosses=words) + was
    return (chinese(trace.translation) if before is None else changed_translation(trace, before)) + was


def _what_became(done: Changed, trace: DecodingTrace, before: TraceBefore | None) -> str:
    """Each change in words, with the reason where it could not be made, and what became of the last one."""
    lines = (
        with_language(line.text) + (f" <small>{html.escape(line.reason)}</small>" if line.reason else "")
        for line in done.outcome.lines
    )
    listed = "".join(f"<li>{line}</li>" for line in lines)
    happened = "" if before is None else what_happened(before.trace, trace)
    return (f"<ul>{listed}</ul>" if listed else "") + happened


def _compare_view(link: dict[str, str], sources: LectureSources) -> Live:
    asked = comparison_in_link(link)
    person = find_reference(asked.sentence, sources.comparison.aligned)
    if asked.kind == CONTROLLED:
        columns = compared.controlled_columns(sources.comparison, asked)
    else:
        columns, mistakes = compared.trained_columns(sources.comparison, asked, person)
        if not columns:
            raise mistakes[0]
    traces = [column.trace for column in columns]
    last = max(len(trace.target_tokens) for trace in traces) - 1
    payload = compared.compared_payload(sources.comparison, asked, columns, person)
    comparison = Comparison(payload, last if asked.step is None else min(asked.step, last))
    return Words(difference_line(traces)), comparison


def _by_hand_view(link: dict[str, str], sources: LectureSources) -> Live:
    """The player and, under it, the lines of the step at which it starts."""
    asked = asked_by(link)
    trace = sources.lesson.attend_by_hand(asked.given)
    t = min(asked.step, len(trace.target_tokens) - 1)
    notation = NOTATIONS[asked.notation]
    player = Player(player_payload(trace, formulas=notation.formulas), t, asked.part)
    arithmetic = step_arithmetic(asked.given, trace, t)
    parts = worked_parts(arithmetic, notation, trace.source_tokens, t, asked.given.temperature)
    return player, Words(_lines(parts))


def live_parts(state: LiveState, sources: Sources) -> Live:
    """What stands beside a text: the players of a live part, with the words and tables around them."""
    return _MADE[type(state)](state, sources)


def _translate_player(state: TranslatePlayer, sources: Sources) -> Live:
    trace = sources.decode(state.request)[0]
    return _line(trace), _player(trace, state)


def _calculation(state: Calculation, sources: Sources) -> Live:
    return (_player(sources.attend_by_hand(state.given), state),)


def _player(trace: DecodingTrace, state: TranslatePlayer | Calculation) -> Player:
    step = min(state.step, len(trace.target_tokens)) - 1
    return Player(player_payload(trace), step, None if state.part is None else state.part - 1)


def _worked_lines(state: WorkedLines, sources: Sources) -> Live:
    """The lines in the stop's notation, and where the visitor may switch it, in the others too, folded up."""
    trace, t = sources.attend_by_hand(state.given), state.step - 1
    arithmetic = step_arithmetic(state.given, trace, t)

    def lines(name: str) -> str:
        return _lines(worked_parts(arithmetic, NOTATIONS[name], trace.source_tokens, t, state.given.temperature))

    shown = Words(lines(state.notation))
    if not state.choose_notation:
        return (shown,)
    others = (
        f"<details><summary>{NOTATIONS[name].title}</summary>{lines(name)}</details>"
        for name in NOTATIONS
        if name != state.notation
    )
    return shown, Words("".join(others))


def _lines(parts: Sequence[WorkedPart]) -> str:
    return f'<div class="worked">{"".join(f"<h2>{part.title}</h2>{part.body}" for part in parts)}</div>'


def _comparison(state: ComparisonState, sources: Sources) -> Live:
    traces = [sources.decode(request)[0] for request in state.requests]
    line = difference_line(traces)
    return (*((Words(line),) if line else ()), _compared(traces, sources, state.step))


def _bottleneck(state: Bottleneck, sources: Sources) -> Live:
    """Every ready sentence with and without attention; in a file nobody can type another one."""
    table = Words(quality_by_length(sources.metrics(state.scorer), sources.metrics("none")))
    live: list[Words | Player | Comparison] = [table, _stands_still()]
    for sentence in state.sentences:
        traces = [sources.decode(request)[0] for request in state.for_sentence(sentence)]
        live += [*map(_line, traces), _compared(traces, sources, None)]
    return tuple(live)


def _compared(traces: Sequence[DecodingTrace], sources: Sources, step: int | None) -> Comparison:
    columns = [
        ComparedTrace(trace.scorer, f"BLEU {sources.metrics(trace.scorer)['test']['bleu']:.1f}", trace)
        for trace in traces
    ]
    last = max(len(trace.target_tokens) for trace in traces)
    return Comparison(comparison_payload(columns, aligned=is_aligned(traces)), min(step or last, last) - 1)


def _maps(state: Maps, sources: Sources) -> Live:
    return tuple(one for shown in state.maps for one in _map(shown, sources))


def _map(state: MapState, sources: Sources) -> Live:
    shown = state.shown
    if isinstance(shown, Calculation):
        trace, title, note = sources.attend_by_hand(shown.given), "Made by hand", f"{shown.scorer} scorer"
    else:
        trace = sources.decode(shown.request)[0]
        title = f"The {shown.scorer} translator"
        note = f"BLEU {sources.metrics(shown.scorer)['test']['bleu']:.1f}"
    person = find_reference(trace.source_text or "", sources.aligned) if state.person else None
    links = None if person is None else reference_links(trace, person)
    return _one_map(ComparedTrace(title, note, trace, links)), Words(steps_list(trace))


def _one_map(one: ComparedTrace) -> Comparison:
    return Comparison(comparison_payload([one], aligned=True), len(one.trace.target_tokens) - 1)


def _cost(state: Cost, sources: Sources) -> Live:
    trace = sources.decode(state.request)[0]
    m, n = trace.scores.shape
    counted = f"<p>n = {n} source tokens, m = {m} target tokens: n × m = <b>{trace.scores.size:,} scores</b>. "
    counted += f"Twice as long on both sides: {4 * trace.scores.size:,}.</p>"
    return (
        Words(counted),
        _stands_still(),
        _line(trace),
        _one_map(ComparedTrace(f"{n} × {m} cells", "a score for each", trace)),
    )


def _paths(state: Paths, sources: Sources) -> Live:
    trace = sources.decode(state.request)[0]
    share = f"<p>What is left of a gradient after one step: {state.share:g}</p>"
    table = share + paths_table(trace, state.share) + markdown_html(prose("learn")["paths"])
    return _line(trace), Words(table), _stands_still()


def _scorer_sizes(state: ScorerSizes, _: Sources) -> Live:
    sizes = f"<p>d_h = {state.d_h}, d_s = {state.d_s}, k = {state.k}</p>"
    return Words(sizes + shapes_table(state.d_h, state.d_s, state.k, NOTATIONS[OURS])), _stands_still()


def _stands_still() -> Words:
    """What a visitor can type in the app stands still here."""
    return Words(markdown_html(prose("learn")["stands still"]))


def _line(trace: DecodingTrace) -> Words:
    return Words(translation_line(trace))


_MADE: dict[type[LiveState], Callable[[Any, Sources], Live]] = {
    TranslatePlayer: _translate_player,
    Calculation: _calculation,
    WorkedLines: _worked_lines,
    ComparisonState: _comparison,
    Bottleneck: _bottleneck,
    Maps: _maps,
    Cost: _cost,
    Paths: _paths,
    ScorerSizes: _scorer_sizes,
}

_VIEWS: dict[str, Callable[[dict[str, str], LectureSources], Live]] = {
    "translate": _translate_view,
    "compare": _compare_view,
    "by-hand": _by_hand_view,
}
