"""One step of a calculation by hand as a short program, in NumPy or in PyTorch, with its numbers in place.

A program prints the numbers of the page. Words stand in it as Python literals and numbers as Python writes them, so
that nothing that people type can become code. It knows no page.
"""

from collections.abc import Sequence

import numpy as np

from attention_model.arithmetic import step_arithmetic
from attention_model.given import GivenStates
from attention_model.trace import DecodingTrace

LANGUAGES = ("NumPy", "PyTorch")

WIDEST = 88
"""A matrix longer than this in one line gets a line a row."""

EXACT_DECIMALS = 9
"""A number is rounded to so many decimals before it is to two: what lies in the middle between two numbers of two
decimals must not fall to one side or the other by the order in which its products were added up."""

PRINTING = f"""def shown(number):
    return f"{{round(float(number), {EXACT_DECIMALS}) + 0:.2f}}"


for word, score, weight in zip(words, scores, weights):
    print(f"{{word}}  score={{shown(score)}}  attention={{shown(weight)}}")
print(f"context vector: [{{' '.join(map(shown, context))}}]")"""

PRINTING_OUTPUT = """print(f"attention output: [{' '.join(map(shown, output))}]")"""

PRINTING_PREDICTION = """for word, probability in zip(vocabulary, probabilities):
    print(f"{word}  probability={shown(probability)}")"""


def listing(given: GivenStates, t: int, language: str) -> str:
    """The program for step t, counted from 0. language: one of LANGUAGES."""
    return "\n\n".join(_torch(given, t) if language == "PyTorch" else _numpy(given, t)) + "\n"


def printed(given: GivenStates, trace: DecodingTrace, t: int) -> str:
    """What the program prints, from the trace's numbers."""
    rows = zip(given.source_tokens, trace.scores[t].tolist(), trace.weights[t].tolist(), strict=True)
    lines = [f"{word}  score={_shown(score)}  attention={_shown(weight)}" for word, score, weight in rows]
    lines.append(f"context vector: {_printed_vector(trace.contexts[t].tolist())}")
    if trace.attention_outputs is not None:
        lines.append(f"attention output: {_printed_vector(trace.attention_outputs[t].tolist())}")
    prediction = step_arithmetic(given, trace, t).prediction
    if prediction is not None:
        shares = zip(prediction.words, prediction.softmax.weights.tolist(), strict=True)
        lines += [f"{word}  probability={_shown(share)}" for word, share in shares]
    return "\n".join(lines)


def _printed_vector(values: Sequence[float]) -> str:
    return f"[{' '.join(map(_shown, values))}]"


def _shown(number: float) -> str:
    """As the program shows it."""
    return f"{round(number, EXACT_DECIMALS) + 0:.2f}"


def _numpy(given: GivenStates, t: int) -> list[str]:
    parts = ["import numpy as np", _numbers(given, t, "np.array({}, dtype=float)")]
    scores = {
        "dot": "scores = states @ query",
        "multiplicative": "scores = states @ (W @ query)",
        "additive": "scores = np.tanh(states @ W1.T + W2 @ query) @ v",
    }[given.scorer]
    weights = f"weights = np.exp({_scaled(given)})\nweights = weights / weights.sum()"
    parts.append(_attending(given, t, scores, weights))
    after = []
    if given.output_weight is not None:
        after.append("output = np.tanh(W_out @ np.concatenate([context, query]))")
    if given.vocabulary is not None:
        after.append("logits = V @ output\nprobabilities = np.exp(logits - logits.max())")
        after.append("probabilities = probabilities / probabilities.sum()")
    return [*parts, *(["\n".join(after)] if after else []), _printing(given)]


def _torch(given: GivenStates, t: int) -> list[str]:
    parts = ["import torch", _numbers(given, t, "torch.tensor({}, dtype=torch.float64)")]
    scores = {
        "dot": "scores = states @ query",
        "multiplicative": "scores = states @ (W @ query)",
        "additive": "scores = torch.tanh(states @ W1.T + W2 @ query) @ v",
    }[given.scorer]
    heated = "" if given.temperature == 1 else f" / {given.temperature!r}"
    parts.append(_attending(given, t, scores, f"weights = torch.softmax(scores{heated}, dim=0)"))
    after = []
    if given.output_weight is not None:
        after.append("output = torch.tanh(W_out @ torch.cat([context, query]))")
    if given.vocabulary is not None:
        after.append("probabilities = torch.softmax(V @ output, dim=0)")
    return [*parts, *(["\n".join(after)] if after else []), _printing(given)]


def _scaled(given: GivenStates) -> str:
    """The scores as they go into the exponential, the largest subtracted."""
    if given.temperature == 1:
        return "scores - scores.max()"
    return f"(scores - scores.max()) / {given.temperature!r}"


def _attending(given: GivenStates, t: int, scores: str, weights: str) -> str:
    """Score, softmax, blend, with what was set by hand."""
    lines = [scores]
    lines += [f"scores[{i}] = {value!r}  # set by hand" for step, i, value in given.edited_scores if step == t]
    lines.append(weights)
    lines += _set_weights({i: value for step, i, value in given.edited_weights if step == t}, len(given.source_tokens))
    lines.append("context = weights @ states")
    return "\n".join(lines)


def _set_weights(edits: dict[int, float], count: int) -> list[str]:
    """Lines that set weights by hand and let the others share what is left."""
    if not edits:
        return []
    others = [i for i in range(count) if i not in edits]
    lines = []
    if others:
        left = f"(1 - {' - '.join(repr(value) for value in edits.values())})"
        lines = [
            f"others = {others}",
            "shared = weights[others].sum()",
            f"weights[others] = weights[others] / shared * {left} if shared > 0 else {left} / len(others)",
        ]
    return [*lines, *(f"weights[{i}] = {value!r}  # set by hand" for i, value in edits.items())]


def _numbers(given: GivenStates, t: int, array: str) -> str:
    """The words and every array that the step needs. array: how one is made, with `{}` for its numbers."""
    lines = [f"words = {_words(given.source_tokens)}"]

    def add(name: str, values: np.ndarray) -> None:
        lines.append(f"{name} = {array.format(_literal(values))}")

    add("states", given.encoder_states)
    add("query", given.decoder_states[t])
    if given.scorer == "multiplicative":
        add("W", given.score_weight)
    elif given.scorer == "additive":
        add("W1", given.key_weight)
        add("W2", given.query_weight)
        add("v", given.score_vector)
    if given.output_weight is not None:
        add("W_out", given.output_weight)
    if given.vocabulary is not None:
        lines.append(f"vocabulary = {_words(given.vocabulary)}")
        add("V", given.vocabulary_weight)
    return "\n".join(lines)


def _words(words: Sequence[str]) -> str:
    return f"[{', '.join(map(repr, words))}]"


def _literal(values: np.ndarray) -> str:
    """An array as nested lists; a long matrix with a line a row."""
    if values.ndim == 1:
        return f"[{', '.join(_number(value) for value in values.tolist())}]"
    rows = [_literal(row) for row in values]
    if sum(map(len, rows)) <= WIDEST - 30:
        return f"[{', '.join(rows)}]"
    return "[\n    " + ",\n    ".join(rows) + ",\n]"


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)


def _printing(given: GivenStates) -> str:
    lines = [PRINTING]
    if given.output_weight is not None:
        lines.append(PRINTING_OUTPUT)
    if given.vocabulary is not None:
        lines.append(PRINTING_PREDICTION)
    return "\n".join(lines)
