"""The sheet of paper: its numbers are the trace's, its blanks are blank, and no sentence breaks out."""

import dataclasses
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from app.handout import MOST_COLUMNS, handout_html
from attention_model.analysis import softmax_parts
from attention_model.errors import TraceError
from attention_model.trace import Intervention
from tests import toy

NASTY = """</article><script>window.broken = 1</script> <b>&" cats"""


class Reader(HTMLParser):
    """The texts of the sheets, of each table's rows and of the map's cells."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.tables, self.weights, self.texts = [], [], [], []
        self.cell = self.weight = None
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
            self.cell = self.tables[-1][-1]
        elif tag == "text" and ("class", "weight") in attributes:
            self.weight = True

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.cell = None

    def handle_data(self, data):
        self.texts.append(data)
        if self.cell is not None:
            self.cell[-1] += data
        if self.weight:
            self.weights.append(data)
            self.weight = None


def sheets(page):
    """The exercise and the solution."""
    articles = re.findall(r"<article.*?</article>", page, re.DOTALL)
    assert len(articles) == 2
    return map(Reader, articles)


def test_the_exercise_leaves_out_what_the_solution_says():
    trace, t = toy.sized_trace(source=5, target=7), 3
    exercise, solution = sheets(handout_html(trace, t))
    parts = softmax_parts(trace.scores[t])
    scores = [f"{score:.2f}".replace("-", "−") for score in trace.scores[t]]
    largest = f"exp(score − {parts.largest:.2f})".replace("(score − -", "(score − −")
    assert exercise.tables == [
        [
            ["", *trace.source_tokens, "sum"],
            ["score", *scores, ""],
            [largest, *[""] * 6],
            ["weight = exp / sum", *[""] * 6],
        ]
    ]
    exponentials = [f"{one:.3f}" for one in (*parts.exponentials, parts.total)]
    assert solution.tables[0][2][1:] == exponentials
    assert solution.tables[0][3][1:] == [*(f"{weight:.2f}" for weight in trace.weights[t]), "1.00"]
    others = np.delete(trace.weights, t, axis=0)
    assert exercise.weights == [f"{weight:.2f}" for weight in others.flat]
    assert solution.weights == [f"{weight:.2f}" for weight in trace.weights.flat]
    said = "".join(solution.texts)
    assert f"look at most? {trace.source_tokens[trace.weights[t].argmax()]}" in said
    assert "5 × 7 = 35" in said
    assert "5 × 7" not in "".join(exercise.texts)


def test_small_states_are_reckoned_with_from_the_first_product():
    trace = toy.running_example()
    exercise, solution = sheets(handout_html(trace, 4))
    states, numbers = exercise.tables
    assert states[0] == ["I", "2", "0", "−1", "0"]
    assert states[-1] == ["query: 貓", "0", "0", "0", "3"]
    assert numbers[1] == ["score", *[""] * 6]
    assert solution.tables[1][1] == ["score", "0.00", "−3.00", "6.00", "0.00", "−3.00", ""]
    context = ", ".join(f"{one:.2f}".replace("-0.00", "0.00").replace("-", "−") for one in trace.contexts[4])
    assert f"The context is ({context})" in "".join(solution.texts)


def test_a_long_sentence_keeps_its_sums():
    trace, t = toy.sized_trace(source=31, target=37), 5
    exercise, solution = sheets(handout_html(trace, t))
    heads, _, exponentials, weights = solution.tables[0]
    assert len(heads) == MOST_COLUMNS + 2
    assert heads[-2:] == ["all others", "sum"]
    assert sum(map(float, exponentials[1:-1])) == pytest.approx(float(exponentials[-1]), abs=0.006)
    assert sum(map(float, weights[1:-1])) == pytest.approx(1, abs=0.06)
    assert exercise.tables[0][2][-2] == exponentials[-2]
    assert exercise.weights == []


def test_no_sentence_breaks_out():
    trace = dataclasses.replace(toy.sized_trace(source=5, target=7), source_text=NASTY, source_spans=None)
    page = handout_html(trace, 0)
    assert "script" not in Reader(page).tags
    assert page.count("<title>") == 1
    assert NASTY in "".join(Reader(page).texts)


def test_what_was_changed_by_hand_is_said():
    weights = (1.0, 0.0, 0.0)
    trace = toy.sized_trace(source=3, target=5)
    changed = dataclasses.replace(
        trace,
        weights=np.vstack([trace.weights[:2], weights, trace.weights[3:]]).astype(np.float32),
        intervention=Intervention(replaced_weights=((2, weights),)),
        contexts=None,
    )
    said = "".join(Reader(handout_html(changed, 2)).texts)
    assert "changed by hand" in said
    assert "The weights of this step were set by hand; the table shows what the softmax gives." in said


def test_what_has_no_weights_and_what_is_no_step_is_refused():
    with pytest.raises(TraceError, match="'none' has no weights"):
        handout_html(toy.sized_trace(scorer="none"), 0)
    with pytest.raises(TraceError, match="Step 6 does not exist: there are 5"):
        handout_html(toy.sized_trace(target=5), 5)
