"""A checkpoint's card: what it was trained on, how, and what it can do, measured and written down.

Measures with `evaluation`; knows nothing of training beyond the notes that it left.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from attention_model.alignments import AlignmentSet
from attention_model.analysis import describe_step
from attention_model.checkpoint import Translator
from attention_model.data import Pair
from attention_model.decoding import forced_decode, greedy_decode
from attention_model.evaluation import measure_alignment, measure_translation
from attention_model.shelf import CARD_FILE, METRICS_FILE, TRAINING_FILE

RUNNING_EXAMPLE = "I like cats a lot."
RUNNING_TARGET = "我很喜歡貓。"
CHOSEN_ON = 50
"""Choices were made on so many first sentences of the alignment set; the others are reported apart."""


def measure(
    translator: Translator, valid_pairs: Sequence[Pair], test_pairs: Sequence[Pair], alignment_set: AlignmentSet
) -> dict[str, Any]:
    """Everything that a card reports, by name; what the scorer `none` does not have is left out."""
    metrics: dict[str, Any] = {
        "valid": measure_translation(translator, valid_pairs).to_dict(),
        "test": measure_translation(translator, test_pairs).to_dict(),
        "running_example": {
            "with_full_stop": greedy_decode(translator, RUNNING_EXAMPLE).translation,
            "without_full_stop": greedy_decode(translator, RUNNING_EXAMPLE.rstrip(".")).translation,
        },
    }
    if translator.config.scorer == "none":
        return metrics
    parts = {
        f"lines_1_{CHOSEN_ON}": alignment_set[:CHOSEN_ON],
        f"lines_{CHOSEN_ON + 1}_{len(alignment_set)}": alignment_set[CHOSEN_ON:],
        "all": alignment_set,
    }
    metrics["alignment"] = {name: measure_alignment(translator, part)._asdict() for name, part in parts.items()}
    trace = forced_decode(translator, RUNNING_EXAMPLE, RUNNING_TARGET)
    metrics["running_example"]["looks"] = [describe_step(trace, t) for t in range(len(RUNNING_TARGET))]
    return metrics


def write_card(translator: Translator, folder: Path, metrics: dict[str, Any]) -> None:
    """Write the measures and the card beside the weights."""
    (folder / METRICS_FILE).write_bytes(orjson.dumps(metrics, option=orjson.OPT_INDENT_2))
    notes = orjson.loads((folder / TRAINING_FILE).read_bytes())
    (folder / CARD_FILE).write_text(_card(translator, notes, metrics), encoding="utf-8")


def _card(translator: Translator, notes: dict[str, Any], metrics: dict[str, Any]) -> str:
    config, schedule = translator.config, notes["training"]
    pair = translator.name.split("/")[0]
    left_out = "\n".join(f"- {reason}: {count:,}" for reason, count in notes["pairs_left_out"].items() if count)
    return f"""# {translator.name}

An English to Chinese (Taiwan traditional) translator with the scorer `{config.scorer}`, trained for Glanceback so that
every number of its attention can be looked at. It knows short everyday sentences and little else.

## Trained on

{notes["pairs_used"]:,} sentence pairs of Tatoeba (Tatoeba contributors, tatoeba.org, by way of manythings.org/anki and
OPUS), licensed CC BY 2.0 FR. All Chinese was brought into one script (OpenCC t2s, then s2tw) and full-width
punctuation. Left out, by rule:

{left_out}

Alignment was never supervised: the only loss is that of the next character.

## Sizes and command

| | |
|---|---|
| word embedding | {config.embedding_size}, {"added to each encoder state" if config.add_embedding else "not added"} |
| encoder state d_h | {config.encoder_size}, {"both directions together" if config.bidirectional else "one direction"} |
| decoder state d_s | {config.decoder_size} |
| additive layer k | {config.attention_size if config.scorer == "additive" else "–"} |
| attention output d_o | {config.output_size} |
| source word pieces, target characters | {len(translator.source_tokenizer):,}, {len(translator.target_tokenizer):,} |
| parameters | {notes["parameters"]:,} |
| steps | {notes["steps"]:,} of {schedule["batch_size"]} pairs, {schedule["epochs"]} epochs |
| processor time | {notes["processor_seconds"] / 60:.0f} minutes on one thread |

```bash
python -m attention_model train --scorer {config.scorer} --pairs train.tsv --valid-pairs valid.tsv \\
    --alignments checkpoints/{pair}/alignments --probes {pair} --output checkpoints/{translator.name}
```

## Results

Greedy decoding. BLEU by sacrebleu (tokenizer `zh`), references in the same script and punctuation.

| | BLEU | chrF | sentences |
|---|---|---|---|
| valid | {metrics["valid"]["bleu"]:.1f} | {metrics["valid"]["chrf"]:.1f} | {metrics["valid"]["sentences"]:,} |
| test | {metrics["test"]["bleu"]:.1f} | {metrics["test"]["chrf"]:.1f} | {metrics["test"]["sentences"]:,} |

{_lengths(metrics)}
{_alignment(metrics)}
## The running example

*{RUNNING_EXAMPLE}* becomes {metrics["running_example"]["with_full_stop"]}
(without the full stop: {metrics["running_example"]["without_full_stop"]}).
{_looks(metrics)}
## Limits

- Trained on short everyday sentences: the quality falls with the length, and rare words come out wrong.
- No unknown character is ever produced; an unknown one in the source is read as `<unk>`.
- Weights say where the model looked, not why it chose a character.
"""


def _lengths(metrics: dict[str, Any]) -> str:
    """Quality by sentence length as a table."""
    rows = [
        f"| {group['shortest']} {'to ' + str(group['longest']) if group['longest'] else 'and more'} "
        f"| {group['bleu']:.1f} | {group['sentences']:,} |"
        for group in metrics["test"]["by_length"]
    ]
    return "\n".join(["| source words (test) | BLEU | sentences |", "|---|---|---|", *rows, ""])


def _alignment(metrics: dict[str, Any]) -> str:
    """Alignment quality as a table; nothing for a model without attention."""
    if "alignment" not in metrics:
        return "There is no attention, so there is no alignment to measure.\n"
    names = {"all": "all 100", **{name: name.replace("_", " ") for name in metrics["alignment"] if name != "all"}}
    rows = [
        f"| {names[name]} | {part['aer']:.3f} | {part['precision']:.3f} | {part['recall']:.3f} |"
        for name, part in metrics["alignment"].items()
    ]
    table = ["| everyday100 | alignment error rate | precision | recall |", "|---|---|---|---|", *rows]
    return "\n".join([*table, "", f"Mean entropy of the weights: {metrics['test']['mean_entropy']:.2f} bits.", ""])


def _looks(metrics: dict[str, Any]) -> str:
    """Where each character of the running example looks, one a line."""
    looks = metrics["running_example"].get("looks")
    if looks is None:
        return ""
    return "\n".join([f"Forced along {RUNNING_TARGET}:", "", *(f"- {look}" for look in looks), ""])
