"""The list of changes between the page's link and the session, and the widgets that undo, redo and set a temperature.

`app.whatif` knows what a change is; here stands where the list lives. The link is what counts: it is read at the start
and after the browser's Back, and written at every change. Decoding is a function that it is given.
"""

import html
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from app.components.difference import TOKEN_MARK, marked_html
from app.components.step_player import WORD_MARK, PlayerChange, TraceBefore, player_position
from app.components.temperature import TEMPERATURES, temperature_name
from app.components.text import plain, prose
from app.guard import guarded
from app.inputs import Request
from app.whatif import Change, Folded, Line, Outcome, WhatIf, carry_out, checked_change, parse_what_if
from attention_model.comparison import compare_traces
from attention_model.errors import WhatIfError
from attention_model.trace import DecodingTrace

KEPT = "what_if"
"""The list's place in the session."""

PLAYER = "player"
"""The key of the page's player, whose place is kept when the list changes."""


class KeptWhatIf(NamedTuple):
    """What the session knows of the list.

    sentence: the sentence as typed that the changes are about. link: `changes` and `undone` as they stood in the link
    when it was last read or written. mistake: what was wrong with them or with a new change, until the list is changed.
    """

    sentence: str
    link: tuple[str | None, str | None]
    what_if: WhatIf = WhatIf()
    mistake: str | None = None


class Changed(NamedTuple):
    """A request with its list of changes carried out.

    sentence: as typed. request: what the shown traces were decoded from. what_if: the list. outcome: its traces, those
    before, its lines.
    """

    sentence: str
    request: Request
    what_if: WhatIf
    outcome: Outcome

    @property
    def traces(self) -> tuple[DecodingTrace, ...]:
        """With every change that could be made, the best hypothesis first."""
        return self.outcome.traces

    def before(self, trace: DecodingTrace) -> TraceBefore | None:
        """What one of the traces was before the last change: the hypothesis of its rank; None without a change."""
        if self.outcome.before is None:
            return None
        place = min(self.traces.index(trace), len(self.outcome.before) - 1)
        before = self.outcome.before[place]
        changes = compare_traces(before, trace)
        return TraceBefore(before, "Before the last change", changes.changed_before, changes.changed_now)


def carried_out(request: Request, decode: Callable[[Request], tuple[DecodingTrace, ...]]) -> Changed:
    """Decode what a request asks for, with the changes that the link lists for its sentence.

    Raises AttentionModelError for a mistake in the request; a change that cannot be made gets a line.
    """
    unchanged = request.decoded

    def changed(folded: Folded) -> Request:
        return replace(unchanged, sentence=folded.sentence, intervention=folded.intervention)

    traces = decode(unchanged)
    what_if = what_if_asked(request.sentence)
    outcome = carry_out(what_if, traces, lambda folded: decode(changed(folded)), mark=WORD_MARK, target_mark=TOKEN_MARK)
    return Changed(request.sentence, changed(outcome.folded), what_if, outcome)


def what_if_asked(sentence: str) -> WhatIf:
    """The list of changes for the sentence in the box: the link's, or the last good one where the link's is wrong.

    Changes are about positions of one sentence, so another sentence has none. Another scorer or decoding keeps them.
    """
    kept: KeptWhatIf | None = st.session_state.get(KEPT)
    link = (st.query_params.get("changes"), st.query_params.get("undone"))
    if kept is not None and link == kept.link:
        if sentence == kept.sentence:
            return kept.what_if
        # The place is left out of the link: the player's last one belongs to the sentence before.
        for name in ("changes", "undone"):
            st.query_params.pop(name, None)
        st.session_state[KEPT] = KeptWhatIf(sentence, (None, None))
        return WhatIf()
    if kept is not None and kept.sentence == sentence and _came_back_without_link(link):
        keep_what_if(kept.what_if, sentence)
        return kept.what_if
    try:
        st.session_state[KEPT] = KeptWhatIf(sentence, link, parse_what_if(*link))
    except WhatIfError as mistake:
        last_good = kept.what_if if kept is not None and kept.sentence == sentence else WhatIf()
        st.session_state[KEPT] = KeptWhatIf(sentence, link, last_good, str(mistake))
    return st.session_state[KEPT].what_if


def keep_what_if(what_if: WhatIf, sentence: str, step: int | None = None) -> None:
    """Keep a list and write it into the link.

    step: where the player shall stand, from 0; None leaves it where the visitor took it. That place is written too,
    for the player writes it into the address only, and Streamlit would write an older one over it.
    """
    values = {"changes": what_if.text, "undone": str(what_if.undone)} if what_if.changes else {}
    st.session_state[KEPT] = KeptWhatIf(sentence, (values.get("changes"), values.get("undone")), what_if)
    place = player_position(PLAYER)
    leaving = [name for name in ("changes", "undone") if name not in values]
    if step is not None or place is not None:
        values["step"] = str((place.step if step is None else step) + 1)
    if place is not None and place.part is not None:
        values["part"] = str(place.part + 1)
    elif place is not None:
        leaving.append("part")
    for name in leaving:
        st.query_params.pop(name, None)
    st.query_params.update(values)


def take_change(reported: PlayerChange | None, changed: Changed, trace: DecodingTrace) -> None:
    """Add what the player reports to the list. trace: what the player shows.

    A word chosen in a hypothesis of a beam keeps the words before it, for the beam might leave them. What cannot be
    added is a mistake to be shown, and the list stays.
    """
    if reported is None:
        return
    try:
        change = checked_change(reported.change)
        if change[0] == "force" and trace.decoding == "beam" and isinstance(change[2], str):
            change = ("force", 0, (*trace.target_tokens[: change[1]], change[2]))
        longer = _latest(changed).changed(change)
    except WhatIfError as mistake:
        st.session_state[KEPT] = st.session_state[KEPT]._replace(mistake=str(mistake))
    else:
        keep_what_if(longer, changed.sentence, _step_of(change))


def _latest(changed: Changed) -> WhatIf:
    """The list as it stands now: two changes may come before the page is drawn again."""
    kept: KeptWhatIf | None = st.session_state.get(KEPT)
    return kept.what_if if kept is not None and kept.sentence == changed.sentence else changed.what_if


def show_what_if_mistake() -> None:
    """Show what was wrong with the link's changes or with a new one, until the list is changed."""
    kept: KeptWhatIf | None = st.session_state.get(KEPT)
    if kept is not None and kept.mistake is not None:
        st.info(plain(kept.mistake), icon=":material/link_off:")


def what_if_menu(changed: Changed, trace: DecodingTrace) -> None:
    """Draw what can be changed and how, with the temperature and the changes in words. trace: what is shown."""
    words = prose("translate")
    without = "" if trace.weights is not None else " without attention"
    with st.popover("What if", icon=":material/alt_route:", key="what_if_open"):
        st.markdown(words["what if" + without])
        if not without:
            _temperature_slider(changed, trace)
        if changed.outcome.lines:
            st.html(_list_of(changed.outcome.lines))
    if not changed.what_if.changes:
        st.caption(words["what if hint" + without], width="content")


def undo_and_redo(changed: Changed) -> None:
    """Draw the ways back and forth."""
    what_if = changed.what_if
    redo = f"Redo ({what_if.undone})" if what_if.undone else "Redo"
    ways = (
        ("Undo", "undo", what_if.undo(), not what_if.applied),
        (redo, "redo", what_if.redo(), not what_if.undone),
        ("Take all back", "restart_alt", what_if.take_all_back(), not what_if.applied),
    )
    for (label, icon, then, is_disabled), key in zip(ways, ("undo", "redo", "take_all_back"), strict=True):
        _button(label, icon, key, then, changed.sentence, disabled=is_disabled)


def show_not_done(changed: Changed) -> None:
    """For each change that could not be made: what it was, why not, and a way to take it out of the list."""
    for line in changed.outcome.lines:
        if line.reason is None:
            continue
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"not_done_{line.number}"):
            text = f"<b>Not done:</b> {marked_html(line.text)}. {html.escape(line.reason)}"
            st.html(f'<p class="what-happened" role="status">{text}</p>', width="content")
            left_out = changed.what_if.without(line.number)
            _button("Leave it out", "backspace", f"leave_out_{line.number}", left_out, changed.sentence)


def _came_back_without_link(link: tuple[str | None, str | None]) -> bool:
    """True when another page was shown in between, which takes this page's values out of the link.

    A widget that is not drawn leaves the session; the Undo button is drawn whenever there are changes.
    """
    return link == (None, None) and "undo" not in st.session_state


def _button(label: str, icon: str, key: str, then: WhatIf, sentence: str, *, disabled: bool = False) -> None:
    """A button that puts another list in the place of the present one."""
    st.button(
        label,
        key=key,
        icon=f":material/{icon}:",
        type="tertiary",
        disabled=disabled,
        on_click=guarded(keep_what_if),
        args=(then, sentence),
    )


def _temperature_slider(changed: Changed, trace: DecodingTrace) -> None:
    """The slider stands at the stop nearest to the temperature that was used."""
    used = math.log(trace.intervention.temperature)
    shown = st.session_state["temperature"] = min(TEMPERATURES, key=lambda stop: abs(math.log(stop) - used))
    st.select_slider(
        "Temperature, by which scores are divided before the softmax",
        TEMPERATURES,
        key="temperature",
        format_func=temperature_name,
        on_change=guarded(_take_temperature),
        args=(changed, shown),
    )


def _take_temperature(changed: Changed, shown: float) -> None:
    if st.session_state["temperature"] == shown:  # Streamlit can call this though nobody has moved the slider
        return
    temperature = checked_change(["temperature", st.session_state["temperature"]])
    keep_what_if(_latest(changed).changed(temperature), changed.sentence)


def _step_of(change: Change) -> int | None:
    """The step that a change is about; the last one that it forces; None where it is about all."""
    if change[0] in ("drop", "temperature") or change[1] is None:
        return None
    return change[1] + len(change[2]) - 1 if change[0] == "force" and isinstance(change[2], tuple) else change[1]


def _list_of(lines: Sequence[Line]) -> str:
    """The applied changes as an HTML list, those that could not be made named as such."""
    items = "".join(
        f"<li>{marked_html(line.text)}{'' if line.reason is None else ' (not done)'}</li>" for line in lines
    )
    return f'<ol class="changes">{items}</ol>'
