"""The ways in which papers write attention: one set of symbols and formulas each, for the same five parts.

A symbol is text in which `_{…}` is set below the line and `^{…}` above it. It knows no numbers and no page.
"""

import html
import re
from dataclasses import dataclass
from typing import Any

OURS = "ours"

BARRED = '<span class="barred">h</span>'
"""Many fonts put the bar of a combining character beside the letter; a line over it stands right in all."""

_RAISED = re.compile(r"([_^])\{([^}]*)\}")


@dataclass(frozen=True)
class Notation:
    """One way of writing; every field but the last four is a symbol.

    query: the decoder state that asks. key: an encoder state where it is compared. value: one where it is blended.
    query_with_score_weight: what the multiplicative scorer makes of the query first.
    query_first: whether products are written with the query's number in front.
    title: what the switch calls it. formulas: as `step_player.FORMULAS` has them. note: one sentence (Markdown).
    """

    key: str
    value: str
    query: str
    score: str
    weight: str
    context: str
    output: str
    score_weight: str
    key_weight: str
    query_weight: str
    score_vector: str
    output_weight: str
    vocabulary_weight: str
    query_with_score_weight: str
    query_first: bool
    title: str
    formulas: dict[str, Any]
    note: str

    def at(self, symbol: str, t: int, i: int | None = None) -> str:
        """A symbol with numbers, counted from 1, in the place of t and i, such as `α_{2,1}`; both come from 0."""
        shown = re.sub(r"\bt\b", str(t + 1), symbol) if "{" in symbol else symbol
        return shown if i is None else re.sub(r"(?<=[{,(])i(?=[},)])", str(i + 1), shown)


def _formulas(
    score: dict[str, str], softmax: str, heated: str, blend: str, output: str, prediction: str, symbols: dict[str, str]
) -> dict[str, Any]:
    return {
        "score": score,
        "softmax": softmax,
        "softmax_with_temperature": heated,
        "blend": blend,
        "output": output,
        "prediction": prediction,
        "symbols": symbols,
    }


NOTATIONS = {
    OURS: Notation(
        key="h_{i}",
        value="h_{i}",
        query="s_{t}",
        score="α_{t,i}",
        weight="α̂_{t,i}",
        context="a_{t}",
        output="õ_{t}",
        score_weight="W",
        key_weight="W_{1}",
        query_weight="W_{2}",
        score_vector="v",
        output_weight="W_{out}",
        vocabulary_weight="V",
        query_with_score_weight="W s_{t}",
        query_first=False,
        title="Ours",
        formulas=_formulas(
            {
                "dot": "α_{t,i} = h_{i}^{⊤} s_{t}",
                "multiplicative": "α_{t,i} = h_{i}^{⊤} W s_{t}",
                "additive": "α_{t,i} = v^{⊤} tanh(W_{1} h_{i} + W_{2} s_{t})",
            },
            "α̂_{t,i} = exp(α_{t,i}) / Σ_{k} exp(α_{t,k})",
            "α̂_{t,i} = exp(α_{t,i}/τ) / Σ_{k} exp(α_{t,k}/τ)",
            "a_{t} = Σ_{i} α̂_{t,i} h_{i}",
            "õ_{t} = tanh(W_{out} [a_{t}; s_{t}])",
            "P(y_{t}) = softmax(V õ_{t})",
            {"score": "score α", "weight": "weight α̂", "terms": "α̂ · h", "context": "a_{t}"},
        ),
        note="The symbols of the other pages. Here the matrix of the attention output is called W with *out*, because "
        "the multiplicative scorer has a W too.",
    ),
    "bahdanau": Notation(
        key="h_{i}",
        value="h_{i}",
        query="s_{t}",
        score="e_{t,i}",
        weight="α_{t,i}",
        context="c_{t}",
        output="õ_{t}",
        score_weight="W",
        key_weight="U_{a}",
        query_weight="W_{a}",
        score_vector="v_{a}",
        output_weight="W_{out}",
        vocabulary_weight="V",
        query_with_score_weight="W s_{t}",
        query_first=False,
        title="Bahdanau",
        formulas=_formulas(
            {
                "dot": "e_{t,i} = h_{i}^{⊤} s_{t}",
                "multiplicative": "e_{t,i} = h_{i}^{⊤} W s_{t}",
                "additive": "e_{t,i} = v_{a}^{⊤} tanh(W_{a} s_{t} + U_{a} h_{i})",
            },
            "α_{t,i} = exp(e_{t,i}) / Σ_{k} exp(e_{t,k})",
            "α_{t,i} = exp(e_{t,i}/τ) / Σ_{k} exp(e_{t,k}/τ)",
            "c_{t} = Σ_{i} α_{t,i} h_{i}",
            "õ_{t} = tanh(W_{out} [c_{t}; s_{t}])",
            "P(y_{t}) = softmax(V õ_{t})",
            {"score": "score e", "weight": "weight α", "terms": "α · h", "context": "c_{t}"},
        ),
        note="Bahdanau, Cho and Bengio (2015) have the additive scorer only. They count target words with i and source "
        "words with j, and they ask with the state before; here the current state asks. What follows the context is "
        "another layer in their paper, so it keeps our symbols.",
    ),
    "luong": Notation(
        key="h̄_{i}",
        value="h̄_{i}",
        query="h_{t}",
        score="score(h_{t}, h̄_{i})",
        weight="a_{t}(i)",
        context="c_{t}",
        output="h̃_{t}",
        score_weight="W_{a}^{⊤}",
        key_weight="W_{a1}",
        query_weight="W_{a2}",
        score_vector="v_{a}",
        output_weight="W_{c}",
        vocabulary_weight="W_{s}",
        query_with_score_weight="W_{a}^{⊤} h_{t}",
        query_first=True,
        title="Luong",
        formulas=_formulas(
            {
                "dot": "score(h_{t}, h̄_{i}) = h_{t}^{⊤} h̄_{i}",
                "multiplicative": "score(h_{t}, h̄_{i}) = h_{t}^{⊤} W_{a} h̄_{i}",
                "additive": "score(h_{t}, h̄_{i}) = v_{a}^{⊤} tanh(W_{a} [h_{t}; h̄_{i}])",
            },
            "a_{t}(i) = exp(score(h_{t}, h̄_{i})) / Σ_{k} exp(score(h_{t}, h̄_{k}))",
            "a_{t}(i) = exp(score(h_{t}, h̄_{i})/τ) / Σ_{k} exp(score(h_{t}, h̄_{k})/τ)",
            "c_{t} = Σ_{i} a_{t}(i) h̄_{i}",
            "h̃_{t} = tanh(W_{c} [c_{t}; h_{t}])",
            "p(y_{t}) = softmax(W_{s} h̃_{t})",
            {"score": "score", "weight": "weight a", "terms": "a · h̄", "context": "c_{t}"},
        ),
        note="Luong, Pham and Manning (2015) count source words with s; here it is i. Their matrix stands between the "
        "query and the state, so it is ours turned over. Their additive scorer, *concat*, has one matrix for both, "
        "which is our two side by side.",
    ),
    "query-key-value": Notation(
        key="k_{i}",
        value="v_{i}",
        query="q_{t}",
        score="S_{t,i}",
        weight="A_{t,i}",
        context="z_{t}",
        output="õ_{t}",
        score_weight="W",
        key_weight="W_{1}",
        query_weight="W_{2}",
        score_vector="w",
        output_weight="W_{out}",
        vocabulary_weight="V",
        query_with_score_weight="W q_{t}",
        query_first=True,
        title="Q, K, V",
        formulas=_formulas(
            {
                "dot": "S_{t,i} = q_{t}^{⊤} k_{i}",
                "multiplicative": "S_{t,i} = (W q_{t})^{⊤} k_{i}",
                "additive": "S_{t,i} = w^{⊤} tanh(W_{2} q_{t} + W_{1} k_{i})",
            },
            "A_{t,i} = exp(S_{t,i}) / Σ_{j} exp(S_{t,j})",
            "A_{t,i} = exp(S_{t,i}/τ) / Σ_{j} exp(S_{t,j}/τ)",
            "z_{t} = Σ_{i} A_{t,i} v_{i}",
            "õ_{t} = tanh(W_{out} [z_{t}; q_{t}])",
            "P(y_{t}) = softmax(V õ_{t})",
            {"score": "score S", "weight": "weight A", "terms": "A · v", "context": "z_{t}"},
        ),
        note="As in transformers (Vaswani et al. 2017). Here an encoder state is its own key and its own value, the "
        "decoder state is the query, and scores are not divided by the square root of their size.",
    ),
}

SYMBOLS = {
    "state compared": "key",
    "state blended": "value",
    "state that asks": "query",
    "score": "score",
    "weight": "weight",
    "context": "context",
    "attention output": "output",
    "multiplicative matrix": "score_weight",
    "additive, for states": "key_weight",
    "additive, for the query": "query_weight",
    "additive vector": "score_vector",
    "output matrix": "output_weight",
    "prediction matrix": "vocabulary_weight",
}
"""What each symbol means, and the field of a Notation that holds it."""


def symbol_html(symbol: str) -> str:
    """A symbol or formula as HTML, other characters as they are."""
    return _RAISED.sub(_raised_html, html.escape(symbol)).replace("h̄", BARRED)


def _raised_html(found: re.Match[str]) -> str:
    tag = "sub" if found[1] == "_" else "sup"
    return f"<{tag}>{found[2]}</{tag}>"


def symbol_table() -> str:
    """Which symbol is which, as an HTML table: a row a meaning, a column a notation."""
    head = "".join(f'<th scope="col">{html.escape(one.title)}</th>' for one in NOTATIONS.values())
    rows = "".join(
        f'<tr><th scope="row">{meaning}</th>'
        + "".join(f"<td>{symbol_html(getattr(one, field))}</td>" for one in NOTATIONS.values())
        + "</tr>"
        for meaning, field in SYMBOLS.items()
    )
    return f'<table class="symbols"><thead><tr><th></th>{head}</tr></thead><tbody>{rows}</tbody></table>'
