"""What differs between two traces of one sentence, step by step and in words: what a change did to the translation.

Pure numbers and text: it knows no torch, no page and no list of changes. What was changed is read from the two traces'
interventions and sentences, so any two traces can be compared, whichever way one came from the other.
"""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

import numpy as np
from jaxtyping import Float64

from attention_model.analysis import listed, neighbours
from attention_model.trace import END_TOKEN, DecodingTrace, Intervention

LOOKS_ELSEWHERE = 0.05
"""A row looks elsewhere when at least this share of its weight has gone to other source tokens."""

CLEAR_SHIFT = 0.05
"""From this difference on, a changed probability of a word that stayed is worth a sentence."""

EQUAL_SHARES = 1e-3
"""Weights that differ by less than this from equal shares are told as such."""

MOST_EFFECTS = 3
"""More places than this are not listed: the new translation is given whole."""


class Block(NamedTuple):
    """Neighbouring steps that differ: `before[first:last]` of the one trace became `now[first:last]` of the other.

    An empty pair (first = last) means that nothing stood there, or that nothing stands there now.
    """

    before: tuple[int, int]
    now: tuple[int, int]


class TraceChanges(NamedTuple):
    """How one trace became another.

    pairs: (step before, step now) of the target tokens that both have, in order.
    blocks: what lies between the pairs, in order.
    changed_before: for each step of the trace before, True when its token is gone or another stands in its place.
    changed_now: for each step of the trace now, True when its token is new or stands in another one's place.
    looks_elsewhere: the pairs whose rows of weights differ by at least LOOKS_ELSEWHERE.
    """

    pairs: tuple[tuple[int, int], ...]
    blocks: tuple[Block, ...]
    changed_before: tuple[bool, ...]
    changed_now: tuple[bool, ...]
    looks_elsewhere: tuple[tuple[int, int], ...]


def compare_traces(before: DecodingTrace, now: DecodingTrace) -> TraceChanges:
    """Align the target tokens of two traces, and find the tokens that changed and the rows that look elsewhere."""
    pairs, blocks = _aligned(before.target_tokens, now.target_tokens)
    kept_before, kept_now = {one for one, _ in pairs}, {other for _, other in pairs}
    return TraceChanges(
        pairs=pairs,
        blocks=blocks,
        changed_before=tuple(t not in kept_before for t in range(len(before.target_tokens))),
        changed_now=tuple(t not in kept_now for t in range(len(now.target_tokens))),
        looks_elsewhere=_looking_elsewhere(before, now, pairs),
    )


def describe_changes(before: DecodingTrace, now: DecodingTrace, *, mark: str = "*", target_mark: str = "") -> str:
    """One sentence: what was changed, and what became of the translation.

    Source words stand between two `mark`s, target tokens between two `target_mark`s. The words come from people:
    whoever shows the sentence must not take it for code.
    """
    causes = _causes(before, now, _Marks(mark, target_mark))
    effect = _effect(before, now, _Marks(mark, target_mark))
    if not causes:
        return effect[0].upper() + effect[1:] + "."
    return f"With {listed(causes)}, {effect}."


def describe_reach(before: DecodingTrace, now: DecodingTrace, *, target_mark: str = "") -> str | None:
    """How far a change of the weights of single steps can reach, or which rows set by hand left with a word; None when
    something else was changed as well, and for a beam that ends elsewhere: there the change decides which of many paths
    is followed, also before its step.

    Without input feeding a decoder state depends on the words before it and on nothing else.
    """
    if before.source_tokens != now.source_tokens:
        return _rows_that_left(before, now)
    step = _only_step_whose_weights_changed(before, now)
    if step is None or (now.decoding == "beam" and before.target_tokens != now.target_tokens):
        return None
    reach = f"The weights of step {step + 1} decide only its word; later words change only through it."
    if before.target_tokens == now.target_tokens and step < len(now.target_tokens):
        token = _named(now.target_tokens[step : step + 1], _Marks("", target_mark))
        reach += f" It is still {token}, so every later step is as it was."
    return reach


def _rows_that_left(before: DecodingTrace, now: DecodingTrace) -> str | None:
    """Which weights set by hand are computed again, because they used a word that left the sentence."""
    were, are = ({step for step, _ in trace.intervention.replaced_weights} for trace in (before, now))
    left = sorted(were - are)
    if not left:
        return None
    steps = f"step{'' if len(left) == 1 else 's'} {listed([str(step + 1) for step in left])}"
    return f"The weights set by hand at {steps} used it, so they are computed again."


class _Marks(NamedTuple):
    """What stands on both sides of source words and of target tokens."""

    source: str
    target: str


def _aligned(before: Sequence[str], now: Sequence[str]) -> tuple[tuple[tuple[int, int], ...], tuple[Block, ...]]:
    """The positions of equal entries in order, and the blocks between them."""
    pairs: list[tuple[int, int]] = []
    blocks: list[Block] = []
    for kind, first, last, now_first, now_last in SequenceMatcher(None, before, now, autojunk=False).get_opcodes():
        if kind == "equal":
            pairs += zip(range(first, last), range(now_first, now_last), strict=True)
        else:
            blocks.append(Block((first, last), (now_first, now_last)))
    return tuple(pairs), tuple(blocks)


def _looking_elsewhere(
    before: DecodingTrace, now: DecodingTrace, pairs: tuple[tuple[int, int], ...]
) -> tuple[tuple[int, int], ...]:
    if before.weights is None or now.weights is None:
        return ()
    shared, _ = _aligned(before.source_tokens, now.source_tokens)
    return tuple(
        (t, t_now)
        for t, t_now in pairs
        if _moved_share(before.weights[t].astype(float), now.weights[t_now].astype(float), shared) >= LOOKS_ELSEWHERE
    )


def _moved_share(
    before: Float64[np.ndarray, " source"], now: Float64[np.ndarray, " source_now"], shared: tuple[tuple[int, int], ...]
) -> float:
    """The weight that sits on another source token than before, from 0 to 1."""
    stayed = sum(min(before[i], now[i_now]) for i, i_now in shared)
    return float(max(before.sum(), now.sum()) - stayed)


def _effect(before: DecodingTrace, now: DecodingTrace, marks: _Marks) -> str:
    """What became of the translation, as the second half of a sentence."""
    changes = compare_traces(before, now)
    if not changes.blocks:
        return _effect_on_weights(before, now, changes, marks)
    kept = sum(now.target_tokens[t] != END_TOKEN for _, t in changes.pairs)
    longest = max(len(before.target_tokens), len(now.target_tokens))
    if len(changes.blocks) > MOST_EFFECTS or (longest > MOST_EFFECTS and 2 * kept < longest - 1):
        if not now.translation:
            return "nothing is left of the translation"
        return f"the translation becomes {marks.target}{now.translation}{marks.target}"
    return listed([_block_text(before, now, block, marks) for block in changes.blocks])


def _effect_on_weights(before: DecodingTrace, now: DecodingTrace, changes: TraceChanges, marks: _Marks) -> str:
    """What changed where every word stayed: rows that look elsewhere, and the word that lost or won most."""
    text = "your words stay" if now.decoding == "forced" else "nothing changes in the translation"
    rows = len(changes.looks_elsewhere)
    if rows:
        text += f"; {rows} row{'s look' if rows > 1 else ' looks'} elsewhere"
    elif now.weights is not None:
        text += ", and no row looks elsewhere"
    if before.token_probabilities is None or now.token_probabilities is None or not changes.pairs:
        return text
    was, is_now = (trace.token_probabilities.astype(float) for trace in (before, now))
    t, t_now = max(changes.pairs, key=lambda pair: abs(is_now[pair[1]] - was[pair[0]]))
    if abs(is_now[t_now] - was[t]) >= CLEAR_SHIFT:
        verb = "falls" if is_now[t_now] < was[t] else "rises"
        token = _named(now.target_tokens[t_now : t_now + 1], marks)
        text += f"; the probability of {token} {verb} from {was[t]:.2f} to {is_now[t_now]:.2f}"
    return text


def _block_text(before: DecodingTrace, now: DecodingTrace, block: Block, marks: _Marks) -> str:
    was = _named(before.target_tokens[slice(*block.before)], marks)
    becomes = _named(now.target_tokens[slice(*block.now)], marks)
    if not becomes:
        return f"{was} is gone"
    if not was:
        return f"{becomes} is new"
    return f"{was} becomes {becomes}"


def _named(tokens: Sequence[str], marks: _Marks) -> str:
    """Target tokens joined, the end token named; empty for none."""
    names = []
    words = "".join(token for token in tokens if token != END_TOKEN)
    if words:
        names.append(f"{marks.target}{words}{marks.target}")
    if END_TOKEN in tokens:
        names.append("the end")
    return " and ".join(names)


def _causes(before: DecodingTrace, now: DecodingTrace, marks: _Marks) -> list[str]:
    """What was changed between two traces, each as a phrase that stands after "with"."""
    if before.source_tokens != now.source_tokens:
        return _dropped_words(before, now, marks)
    was, is_now = before.intervention, now.intervention
    return [
        *_forced_words(before, now, marks),
        *_changed_rows(now, was, is_now, marks),
        *_hidden_words(now, was, is_now, marks),
        *_temperature(was, is_now),
    ]


def _dropped_words(before: DecodingTrace, now: DecodingTrace, marks: _Marks) -> list[str]:
    _, blocks = _aligned(before.source_tokens, now.source_tokens)
    gone = [i for block in blocks for i in range(*block.before)]
    new = [i for block in blocks for i in range(*block.now)]
    causes = []
    if gone:
        causes.append(f"{_phrases(before, gone, marks)} dropped from the sentence")
    if new:
        causes.append(f"{_phrases(now, new, marks)} back in the sentence")
    return causes


def _forced_words(before: DecodingTrace, now: DecodingTrace, marks: _Marks) -> list[str]:
    was, is_now = dict(before.intervention.forced_tokens), dict(now.intervention.forced_tokens)
    said = dict(enumerate(before.target_tokens))
    causes = [
        f"{_named([token], marks)} at step {step + 1}"
        for step, token in sorted(is_now.items())
        if was.get(step, said.get(step)) != token
    ]
    free = [step for step in sorted(was) if step not in is_now]
    if free and not causes:
        causes.append(f"the model choosing again from step {free[0] + 1} on")
    return causes


def _changed_rows(now: DecodingTrace, was: Intervention, is_now: Intervention, marks: _Marks) -> list[str]:
    rows_before, rows = dict(was.replaced_weights), dict(is_now.replaced_weights)
    set_by_hand = [
        _row_text(now, step, row, marks) for step, row in sorted(rows.items()) if rows_before.get(step) != row
    ]
    taken_back = [f"the computed weights of step {step + 1} again" for step in sorted(rows_before) if step not in rows]
    return set_by_hand + taken_back


def _row_text(trace: DecodingTrace, step: int, row: tuple[float, ...], marks: _Marks) -> str:
    used = [i for i, weight in enumerate(row) if weight > 0]
    where = f"step {step + 1}"
    if any(abs(row[i] - 1 / len(used)) >= EQUAL_SHARES for i in used):
        return f"the weights of {where} set by hand"
    hidden = {i for one, i in trace.intervention.hidden if one in (None, step)}
    if len(used) == len(row) - len(hidden):
        return f"equal weights at {where}"
    if used[-1] - used[0] == len(used) - 1:
        return f"all weight of {where} on {_phrases(trace, used, marks)}"
    return f"the weight of {where} shared by {_phrases(trace, used, marks)}"


def _hidden_words(now: DecodingTrace, was: Intervention, is_now: Intervention, marks: _Marks) -> list[str]:
    causes = []
    for hidden, text in (
        (set(is_now.hidden) - set(was.hidden), "hidden"),
        (set(was.hidden) - set(is_now.hidden), "seen again"),
    ):
        steps = sorted({step for step, _ in hidden}, key=lambda step: -1 if step is None else step)
        for step in steps:
            phrases = _phrases(now, sorted(i for one, i in hidden if one == step), marks)
            causes.append(f"{phrases} {text}" + ("" if step is None else f" at step {step + 1}"))
    return causes


def _temperature(was: Intervention, is_now: Intervention) -> list[str]:
    if was.temperature == is_now.temperature:
        return []
    back = " again" if is_now.temperature == 1 else ""
    return [f"temperature {is_now.temperature:g}{back}"]


def _phrases(trace: DecodingTrace, positions: Sequence[int], marks: _Marks) -> str:
    """Source tokens as they stand in the text, neighbours together: "*a lot* and *cats*"."""
    mark = marks.source
    return listed([f"{mark}{_source_text(trace, first, last)}{mark}" for first, last in neighbours(positions)])


def _source_text(trace: DecodingTrace, first: int, last: int) -> str:
    """The text from the source token `first` to `last`, both included."""
    if trace.source_text is None or trace.source_spans is None:
        return " ".join(trace.source_tokens[first : last + 1])
    return trace.source_text[trace.source_spans[first][0] : trace.source_spans[last][1]]


def _only_step_whose_weights_changed(before: DecodingTrace, now: DecodingTrace) -> int | None:
    """The one step at which weights were set or words hidden, where nothing else was changed."""
    was, is_now = before.intervention, now.intervention
    if before.source_tokens != now.source_tokens or was.temperature != is_now.temperature:
        return None
    if was.forced_tokens != is_now.forced_tokens:
        return None
    rows = {step for step, _ in set(was.replaced_weights) ^ set(is_now.replaced_weights)}
    steps = rows | {step for step, _ in set(was.hidden) ^ set(is_now.hidden)}
    return steps.pop() if len(steps) == 1 else None
