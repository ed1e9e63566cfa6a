"""What stands in words and tables beside the live parts of a lesson, as safe HTML, on the page and in a file alike.

It is given traces and measures, and decodes nothing.
"""

import html
from collections.abc import Mapping, Sequence
from typing import Any

from app.components.difference import marked_html
from app.components.facts import Fact, facts_table, rows_table
from app.components.step_player import WORD_MARK
from app.components.text import chinese, with_language
from attention_model import analysis
from attention_model.agreement import describe_difference
from attention_model.trace import END_TOKEN, DecodingTrace

ENOUGH_SENTENCES = 20
"""A BLEU of fewer sentences is left out: it would say more about them than about the model."""


def translation_line(trace: DecodingTrace, translation: str | None = None) -> str:
    """The sentence, what was made of it, and by which scorer. translation: safe HTML where it is not the plain one."""
    shown = chinese(trace.translation) if translation is None else translation
    scorer = "without attention" if trace.scorer == "none" else f"{trace.scorer} scorer"
    return f'<p class="live-says">{html.escape(trace.source_text or "")} <b>{shown}</b> <small>{scorer}</small></p>'


def difference_line(traces: Sequence[DecodingTrace]) -> str:
    """What differs between traces of one sentence; empty for a single one."""
    if len(traces) < 2:
        return ""
    text = describe_difference(traces, WORD_MARK)
    return f'<p class="live-says" role="status">{marked_html(text[0].upper() + text[1:])}.</p>'


def steps_list(trace: DecodingTrace) -> str:
    """One sentence for each step: what it looks at."""
    seen = (analysis.describe_step(trace, t, WORD_MARK) for t in range(len(trace.target_tokens)))
    return f'<ul class="live-steps">{"".join(f"<li>{marked_html(one)}.</li>" for one in seen)}</ul>'


def quality_by_length(with_attention: Mapping[str, Any], without: Mapping[str, Any]) -> str:
    """BLEU of two models by the length of the sentence. Both as the models' cards measure them."""
    buckets = zip(with_attention["test"]["by_length"], without["test"]["by_length"], strict=True)
    rows = [
        Fact(_length_name(one), (f"{one['bleu']:.1f}", f"{other['bleu']:.1f}"), f"{one['sentences']} test sentences")
        for one, other in buckets
        if one["sentences"] >= ENOUGH_SENTENCES
    ]
    return facts_table(("with attention", "without"), [("BLEU by the length of the sentence", rows)])


def paths_table(trace: DecodingTrace, share: float) -> str:
    """How many steps a gradient goes from each source word, and what is left of it where a step leaves `share`."""
    steps = analysis.recurrent_steps(trace)
    heads = ("source word", "written at", "steps without attention", "left of the gradient", "steps with attention")
    rows = []
    for i, token in enumerate(trace.source_tokens):
        t = int(trace.weights[:, i].argmax())
        written = "the end" if trace.target_tokens[t] == END_TOKEN else with_language(trace.target_tokens[t])
        left = _percent(share ** int(steps[t, i]))
        rows.append((html.escape(token), f"{written}, step {t + 1}", str(steps[t, i]), left, "1"))
    return rows_table(heads, rows)


def _length_name(bucket: Mapping[str, Any]) -> str:
    longest = bucket["longest"]
    return f"{bucket['shortest']} words or more" if longest is None else f"{bucket['shortest']} to {longest} words"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.01 else f"{100 * share:.1g} %"
