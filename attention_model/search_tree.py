"""What a beam search did: every path that it kept, the best ones that it cut, and which of them died.

A tree of extensions, a level a step; it knows neither models nor torch, and no page.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from attention_model.trace import END_TOKEN

LIVED, DIED, ENDED, STOPPED, CUT = "lived", "died", "ended", "stopped", "cut"
"""What can become of a prefix; `SearchNode` says what each means."""


class Extension(NamedTuple):
    """A path made one token longer, as a search reports it.

    parent: the number of the extension before it in the search's report, from 0; None at the first step.
    token: the last of the path. log_prob: the sum of the log probabilities of all its tokens. kept: False if cut.
    """

    parent: int | None
    token: str
    log_prob: float
    kept: bool


@dataclass(frozen=True)
class SearchNode:
    """A prefix that a search looked at: that of its parent, and one token more.

    step: from 0. parent: the number of its parent in the tree; None at the first step.
    token: `</s>` if it ends here.
    log_prob: the sum of the natural logarithms of the probabilities of the prefix's tokens, this one's included.
    state: what became of it.
        `lived`: kept, and at least one of its extensions was kept at the next step.
        `died`: kept, and none of its extensions was: from here on it is out of the search.
        `ended`: kept, and its token is the end token; it keeps its place and is never extended.
        `stopped`: kept at the last step that decoding was allowed, before an end token.
        `cut`: not kept.
    hypotheses: the ranks (from 1, ascending) of the final hypotheses that begin with this prefix; none for one
        that died or was cut, and none for one that lived a while although all that came of it died later.
    """

    step: int
    parent: int | None
    token: str
    log_prob: float
    state: str
    hypotheses: tuple[int, ...]

    @property
    def score(self) -> float:
        """The log probability a token. It ranks hypotheses; within a step all have the same number of tokens."""
        return self.log_prob / (self.step + 1)


@dataclass(frozen=True)
class SearchTree:
    """The nodes of a search: step by step, within a step those kept and then those cut, each most probable first.

    At a step where a token was forced there is one node a path, in the order of the paths, and nothing is cut.
    Held is every extension that was kept, and of those cut at a step only the best few; all others are not held.

    nodes: a parent always comes before its children; a node's number is its position here.
    last_nodes: for each final hypothesis, best first, the number of its last node.
    """

    nodes: tuple[SearchNode, ...]
    last_nodes: tuple[int, ...]

    @property
    def steps(self) -> int:
        """How many steps the search took, the end token's included."""
        return self.nodes[-1].step + 1

    def prefix(self, number: int) -> tuple[int, ...]:
        """The numbers of the nodes from the first step to this node."""
        return _prefix(number, [node.parent for node in self.nodes])


def grow_tree(extensions: Sequence[Extension], last_nodes: Sequence[int]) -> SearchTree:
    """The tree of a search's report.

    extensions: in the order in which nodes stand in a tree. last_nodes: for each final hypothesis, best first, the
    number of its last extension.
    """
    parents = [one.parent for one in extensions]
    steps: list[int] = []
    for parent in parents:
        steps.append(0 if parent is None else steps[parent] + 1)
    hypotheses: list[list[int]] = [[] for _ in extensions]
    for rank, last in enumerate(last_nodes, start=1):
        for number in _prefix(last, parents):
            hypotheses[number].append(rank)
    extended = {one.parent for one in extensions if one.kept}
    return SearchTree(
        tuple(
            SearchNode(
                steps[number],
                one.parent,
                one.token,
                one.log_prob,
                _state(one, number in extended, number in last_nodes),
                tuple(hypotheses[number]),
            )
            for number, one in enumerate(extensions)
        ),
        tuple(last_nodes),
    )


def describe_search(tree: SearchTree) -> str:
    """What the search did, in a sentence or two, for people who cannot see the tree."""
    states = [node.state for node in tree.nodes]
    kept = len(states) - states.count(CUT)
    dead = [node for node in tree.nodes if node.state != CUT and not node.hypotheses]
    told = [
        f"In {_count(tree.steps, 'step')} the search kept {_count(kept, 'prefix', 'prefixes')}, "
        f"and {len(dead)} of them led to no hypothesis.",
        f"{_count(states.count(ENDED), 'hypothesis', 'hypotheses')} reached the end.",
    ]
    if STOPPED in states:
        told.append(f"{states.count(STOPPED)} stopped at the greatest length.")
    return " ".join(told)


def _count(number: int, one: str, several: str | None = None) -> str:
    return f"{number} {one if number == 1 else several or one + 's'}"


def _prefix(number: int, parents: Sequence[int | None]) -> tuple[int, ...]:
    path = [number]
    while (parent := parents[path[-1]]) is not None:
        path.append(parent)
    return tuple(reversed(path))


def _state(one: Extension, is_extended: bool, is_last: bool) -> str:
    if not one.kept:
        return CUT
    if one.token == END_TOKEN:
        return ENDED
    if is_extended:
        return LIVED
    return STOPPED if is_last else DIED
