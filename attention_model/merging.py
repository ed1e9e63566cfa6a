"""A map with neighbours joined: pieces to words on the source side, characters to words on the target side.

Which neighbours make a word is said by groups of positions; this file joins them and says in words what it did. It
knows no segmenter, no page and no torch, and a trace stays as it is.
"""

import itertools
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from attention_model.errors import MergeError, TraceError
from attention_model.trace import END_TOKEN, DecodingTrace

Group = tuple[int, int]
"""The first and the last position of neighbours that become one row or column; both belong to it, counted from 0."""

Groups = tuple[Group, ...]

PIECES_RULE = "Pieces of one word: weights add."
COLUMNS_RULE = "Source tokens joined by hand: weights add."
CHARACTERS_RULE = "Characters of one word: rows are averaged."
ROWS_RULE = "Target tokens joined by hand: rows are averaged."
END_RULE = "The end row is left out."
NOTHING_RULE = "Every piece and every target token stands alone."


class MapGrid(NamedTuple):
    """A map whose rows and columns stand for groups.

    source_groups: a group a column; together they cover every source position.
    target_groups: a group a row; together they cover every step, or every step but the end.
    weights: the weights of a group's source tokens added, the rows of a group's steps averaged; a row sums to 1.
    rule: in one to three short sentences, what was joined and how.
    """

    source_groups: Groups
    target_groups: Groups
    weights: Float[np.ndarray, "row column"]
    rule: str


def merge_map(
    trace: DecodingTrace,
    *,
    source_groups: Groups,
    target_groups: Groups,
    end_row: bool = True,
    target_by_hand: bool = False,
) -> MapGrid:
    """The map of a trace with the groups joined. It takes the weights that were used, rows set by hand included.

    target_groups: they may cover the end's row or leave it out. end_row: False leaves it out in either case.
    target_by_hand: the target groups are a person's choice, not words; only the printed rule depends on it.
    Raises MergeError when groups overlap, leave a gap, do not exist, or join the end to a word; TraceError when the
    trace has no weights.
    """
    if trace.weights is None:
        raise TraceError(f"There is no map: the scorer {trace.scorer!r} has no weights. Choose one with attention.")
    steps = len(trace.target_tokens)
    end = steps - 1 if trace.finished else None
    has_end = end is not None and len(target_groups) > 0 and target_groups[-1][1] >= end
    _check_cover(source_groups, len(trace.source_tokens), "source")
    _check_cover(target_groups, steps if end is None or has_end else end, "target")
    if has_end and target_groups[-1] != (end, end):
        raise MergeError(
            f"Rows {_shown(target_groups[-1])} cannot be joined: row {steps} is the end, which is no part of a word. "
            f"Let the group stop at row {end}."
        )
    if has_end and not end_row:
        target_groups = target_groups[:-1]
    averages = _membership(target_groups, steps)
    averages /= averages.sum(axis=1, keepdims=True)
    # In float64, then back: a group of one keeps the trace's number to the last digit.
    weights = averages @ trace.weights.astype(np.float64) @ _membership(source_groups, len(trace.source_tokens)).T
    is_end_left_out = end is not None and not (has_end and end_row)
    rule = _rule(trace, source_groups, target_groups, target_by_hand, is_end_left_out)
    return MapGrid(source_groups, target_groups, weights.astype(trace.weights.dtype), rule)


def piece_groups(length: int) -> Groups:
    """Every position a group of its own: nothing is joined."""
    return tuple((position, position) for position in range(length))


def source_word_groups(trace: DecodingTrace) -> Groups:
    """The pieces of each source word as one group."""
    starts = [
        position
        for position, word in enumerate(trace.source_word_ids)
        if position == 0 or word != trace.source_word_ids[position - 1]
    ]
    return _between(starts, len(trace.source_word_ids))


def joined_groups(length: int, spans: Iterable[Group]) -> Groups:
    """Groups for `length` positions: each span (first, last) is one group, every other position one of its own.

    Raises MergeError when a span does not exist, runs backwards or overlaps another one.
    """
    spans = sorted(spans)
    for first, last in spans:
        if not 0 <= first <= last < length:
            raise MergeError(
                f"{_shown((first, last))} cannot be joined: there are {length} positions. Choose a first and a last "
                f"position from 1 to {length}, the smaller one first."
            )
    for (first, last), (next_first, next_last) in itertools.pairwise(spans):
        if next_first <= last:
            raise MergeError(
                f"{_shown((first, last))} and {_shown((next_first, next_last))} overlap: a position can be joined "
                "only once. Take one of the two back first."
            )
    inside = {position for first, last in spans for position in range(first + 1, last + 1)}
    return _between([position for position in range(length) if position not in inside], length)


def row_label(trace: DecodingTrace, group: Group) -> str:
    """What a row of a merged map is called: its target tokens put together, `the end` for the end's row."""
    first, last = group
    tokens = trace.target_tokens[first : last + 1]
    return "".join("the end" if token == END_TOKEN else token for token in tokens)


def column_label(trace: DecodingTrace, group: Group) -> str:
    """What a column is called: the text as typed, or where there is none the pieces, with a space between words."""
    first, last = group
    if first == last:
        return trace.source_tokens[first]
    if trace.source_text is not None and trace.source_spans is not None:
        return trace.source_text[trace.source_spans[first][0] : trace.source_spans[last][1]]
    label = trace.source_tokens[first]
    for position in range(first + 1, last + 1):
        is_same_word = trace.source_word_ids[position] == trace.source_word_ids[position - 1]
        label += ("" if is_same_word else " ") + trace.source_tokens[position]
    return label


def _check_cover(groups: Groups, length: int, side: str) -> None:
    """Raise MergeError unless the groups follow one another from position 0 to the last, without a gap."""
    wanted = 0
    for first, last in groups:
        if first != wanted or last < first:
            raise MergeError(
                f"The {side} group {_shown((first, last))} does not follow the one before it: the next group must "
                f"begin at position {wanted + 1} and not stop before it begins. Groups may not overlap or leave a gap."
            )
        wanted = last + 1
    if wanted != length:
        raise MergeError(
            f"The {side} groups cover {wanted} positions, and {length} are wanted: every one belongs to one group."
        )


def _membership(groups: Groups, length: int) -> Float[np.ndarray, "group position"]:
    """1 where the position belongs to the group, else 0."""
    belongs = np.zeros((len(groups), length))
    for row, (first, last) in enumerate(groups):
        belongs[row, first : last + 1] = 1
    return belongs


def _between(starts: list[int], length: int) -> Groups:
    """Groups that begin at these positions; each lasts until the next one begins."""
    return tuple((start, stop - 1) for start, stop in itertools.pairwise([*starts, length]))


def _rule(
    trace: DecodingTrace, source_groups: Groups, target_groups: Groups, target_by_hand: bool, is_end_left_out: bool
) -> str:
    """What was really done, and nothing that was not."""
    joined = [(first, last) for first, last in source_groups if first < last]
    sentences = []
    if joined:
        is_words = all(trace.source_word_ids[first] == trace.source_word_ids[last] for first, last in joined)
        sentences.append(PIECES_RULE if is_words else COLUMNS_RULE)
    if any(first < last for first, last in target_groups):
        sentences.append(ROWS_RULE if target_by_hand else CHARACTERS_RULE)
    if is_end_left_out:
        sentences.append(END_RULE)
    return " ".join(sentences) or NOTHING_RULE


def _shown(group: Group) -> str:
    """A group as people count, from 1."""
    first, last = group
    return f"{first + 1} to {last + 1}"
