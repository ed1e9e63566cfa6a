"""The tree of a beam search holds every path that was kept, with its probability and what became of it."""

import math

import pytest

from attention_model.decoding import MAX_BEAM_SIZE, SHOWN_CUTS, beam_decode, beam_search, greedy_decode
from attention_model.search_tree import (
    CUT,
    DIED,
    ENDED,
    LIVED,
    STOPPED,
    Extension,
    describe_search,
    grow_tree,
)
from attention_model.trace import END_TOKEN, SCORERS, Intervention
from tests.translators import ENGLISH, tiny_translator

TEXT = ENGLISH[0]
SEARCHES = [
    pytest.param(scorer, beam_size, max_length, id=f"{scorer} {beam_size} {max_length}")
    for scorer, beam_size, max_length in (
        *((scorer, 5, None) for scorer in SCORERS),
        ("dot", 2, None),
        ("dot", MAX_BEAM_SIZE, None),
        ("dot", 3, 1),
        ("additive", 7, 5),
    )
]


def search(scorer="dot", beam_size=5, max_length=None, **changes):
    return beam_search(
        tiny_translator(scorer), TEXT, beam_size=beam_size, max_length=max_length, intervention=Intervention(**changes)
    )


def tokens(tree, number):
    return tuple(tree.nodes[one].token for one in tree.prefix(number))


def children(tree, number):
    return [node for node in tree.nodes if node.parent == number]


def made_by_hand():
    """A beam of two over three steps: 我 and 很 are kept, 很 dies, 我貓 ends, and 我狗 is unfinished at the last."""
    extensions = [
        Extension(None, "我", -0.5, True),  # 0
        Extension(None, "很", -1.0, True),  # 1
        Extension(None, "貓", -3.0, False),  # 2
        Extension(0, "貓", -0.75, True),  # 3
        Extension(0, "狗", -1.5, True),  # 4
        Extension(1, "狗", -1.75, False),  # 5
        Extension(3, END_TOKEN, -1.5, True),  # 6
        Extension(4, "。", -1.75, True),  # 7
    ]
    return grow_tree(extensions, [6, 7])


def test_a_tree_made_by_hand_says_what_became_of_every_prefix():
    tree = made_by_hand()
    assert [node.state for node in tree.nodes] == [LIVED, DIED, CUT, LIVED, LIVED, CUT, ENDED, STOPPED]
    assert [node.step for node in tree.nodes] == [0, 0, 0, 1, 1, 1, 2, 2]
    assert [node.hypotheses for node in tree.nodes] == [(1, 2), (), (), (1,), (2,), (), (1,), (2,)]
    assert tree.steps == 3
    assert tree.prefix(7) == (0, 4, 7)
    assert tree.nodes[6].score == -0.5
    assert tree.nodes[1].score == -1.0


def test_a_search_is_told_in_words():
    assert describe_search(made_by_hand()) == (
        "In 3 steps the search kept 6 prefixes, and 1 of them led to no hypothesis. 1 hypothesis reached the end. "
        "1 stopped at the greatest length."
    )
    told = describe_search(search().tree)
    assert "5 hypotheses reached the end." in told
    assert "stopped" not in told


@pytest.mark.parametrize(("scorer", "beam_size", "max_length"), SEARCHES)
def test_every_trace_is_a_path_of_the_tree_with_the_same_log_probability(scorer, beam_size, max_length):
    traces, tree = search(scorer, beam_size, max_length)
    assert len(traces) == len(tree.last_nodes) == beam_size
    for trace, number in zip(traces, tree.last_nodes, strict=True):
        assert tokens(tree, number) == trace.target_tokens
        last = tree.nodes[number]
        assert last.hypotheses == (trace.hypothesis_rank,)
        assert last.score == trace.hypothesis_score
        assert last.state == (ENDED if trace.finished else STOPPED)
        sums = [tree.nodes[one].log_prob for one in tree.prefix(number)]
        expected = [math.log(probability) for probability in trace.token_probabilities]
        assert sums == pytest.approx([sum(expected[: t + 1]) for t in range(len(expected))], abs=1e-4)
        assert all(trace.hypothesis_rank in tree.nodes[one].hypotheses for one in tree.prefix(number))


@pytest.mark.parametrize(("scorer", "beam_size", "max_length"), SEARCHES)
def test_a_beam_never_holds_more_paths_than_its_size(scorer, beam_size, max_length):
    tree = search(scorer, beam_size, max_length).tree
    ended = 0
    for step in range(tree.steps):
        kept = [node for node in tree.nodes if node.step == step and node.state != CUT]
        assert len(kept) == beam_size - ended
        ended += sum(node.state == ENDED for node in kept)


@pytest.mark.parametrize(("scorer", "beam_size", "max_length"), SEARCHES)
def test_what_became_of_a_prefix_is_seen_in_its_children(scorer, beam_size, max_length):
    tree = search(scorer, beam_size, max_length).tree
    for number, node in enumerate(tree.nodes):
        kept = [child for child in children(tree, number) if child.state != CUT]
        assert bool(kept) == (node.state == LIVED)
        assert (node.token == END_TOKEN) == (node.state == ENDED or (node.state == CUT and node.token == END_TOKEN))
        if node.state == STOPPED:
            assert node.step == tree.steps - 1
        if node.state in (CUT, ENDED):
            assert not children(tree, number)
        if node.state in (CUT, DIED):
            assert not node.hypotheses
        else:
            through = {rank for child in kept for rank in child.hypotheses}
            assert node.state != LIVED or set(node.hypotheses) == through


@pytest.mark.parametrize(("scorer", "beam_size", "max_length"), SEARCHES)
def test_what_was_cut_is_less_probable_than_all_that_was_kept(scorer, beam_size, max_length):
    tree = search(scorer, beam_size, max_length).tree
    for step in range(tree.steps):
        level = [node for node in tree.nodes if node.step == step]
        assert [node.log_prob for node in level] == sorted((node.log_prob for node in level), reverse=True)
        assert [node.state for node in level[-SHOWN_CUTS:]] == [CUT] * SHOWN_CUTS
        assert CUT not in [node.state for node in level[:-SHOWN_CUTS]]


@pytest.mark.parametrize("scorer", SCORERS)
def test_probabilities_fall_along_every_path_and_no_prefix_stands_twice(scorer):
    tree = search(scorer).tree
    for number, node in enumerate(tree.nodes):
        before = 0.0 if node.parent is None else tree.nodes[node.parent].log_prob
        assert node.log_prob <= before
        assert node.parent is None or (node.parent < number and tree.nodes[node.parent].step == node.step - 1)
    assert len({tokens(tree, number) for number in range(len(tree.nodes))}) == len(tree.nodes)


@pytest.mark.parametrize("scorer", SCORERS)
def test_a_beam_of_one_keeps_the_greedy_path_alone(scorer):
    tree = search(scorer, beam_size=1).tree
    kept = [node.token for node in tree.nodes if node.state != CUT]
    assert tuple(kept) == greedy_decode(tiny_translator(scorer), TEXT).target_tokens
    assert DIED not in [node.state for node in tree.nodes]


def test_the_first_extensions_are_the_most_probable_tokens():
    tree = search(beam_size=5).tree
    candidates = greedy_decode(tiny_translator(), TEXT, max_length=1).candidates[0]
    first = [node for node in tree.nodes if node.step == 0]
    shown = [one for one in candidates if one.token not in ("<pad>", "<unk>", "<s>")][: len(first)]
    assert [node.token for node in first][: len(shown)] == [one.token for one in shown]
    for node, one in zip(first, shown, strict=False):
        assert node.log_prob == pytest.approx(math.log(one.probability), abs=1e-5)


def test_at_a_forced_step_every_path_goes_on_with_the_token_and_nothing_is_cut():
    tree = search(forced_tokens=((1, "貓"), (2, END_TOKEN))).tree
    before = [number for number, node in enumerate(tree.nodes) if node.step == 0 and node.state == LIVED]
    forced = [node for node in tree.nodes if node.step == 1]
    assert [(node.parent, node.token) for node in forced] == [(number, "貓") for number in before]
    assert [node.state for node in tree.nodes if node.step == 2] == [ENDED] * len(before)
    assert tree.steps == 3


def test_a_forced_token_that_nobody_knows_stays_visible():
    tree = search(beam_size=2, max_length=3, forced_tokens=((1, "愛"),)).tree
    assert [node.token for node in tree.nodes if node.step == 1] == ["愛", "愛"]


def test_the_traces_are_those_of_beam_decoding():
    traces = beam_decode(tiny_translator(), TEXT, beam_size=3)
    assert [one.to_json() for one in traces] == [one.to_json() for one in search(beam_size=3).traces]
