"""The command line: python -m attention_model translate | align | train | evaluate | examples | presets | card.

A person's mistake becomes one sentence on standard error and exit code 2.
"""

import csv
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import orjson
import torch
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from attention_model import training
from attention_model.alignments import AlignmentQuality, read_alignment_set
from attention_model.analysis import hard_alignment, source_words, word_weights
from attention_model.by_hand import attend_by_hand
from attention_model.card import measure, write_card
from attention_model.checkpoint import Translator, load_translator
from attention_model.config import ModelConfig, TrainingConfig
from attention_model.data import Pair, read_pairs
from attention_model.decoding import MAX_BEAM_SIZE, beam_decode, forced_decode, greedy_decode
from attention_model.errors import AttentionModelError, DataError, TraceError
from attention_model.evaluation import TranslationQuality, measure_alignment, measure_translation
from attention_model.preset import shipped_calculations, trace_path
from attention_model.shelf import (
    CARD_FILE,
    CHECKPOINTS,
    checkpoint_folder,
    probes,
    ready_examples,
    write_example_traces,
)
from attention_model.trace import DecodingTrace

MISTAKE = 2
"""The exit code after a person's mistake."""

WIDEST_MAP = 10_000
"""In characters: more than the longest sentence needs."""

FORMATS = ("text", "json", "csv")
SHOWN_IN_JSON = (
    "source_text",
    "source_tokens",
    "target_tokens",
    "target_known",
    "scores",
    "weights",
    "token_probabilities",
    "scorer",
    "checkpoint",
    "decoding",
    "max_length",
    "finished",
)
"""The parts of a trace that `--json` prints; the whole of it is for the Python API."""


def _options(*options: Callable) -> Callable:
    """Several options as one decorator, in the order given."""

    def decorate(command: Callable) -> Callable:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


_existing_file = click.Path(path_type=Path, dir_okay=False)
_folder = click.Path(path_type=Path, file_okay=False)
_checkpoint_options = _options(
    click.option(
        "--checkpoint", "name", default="en-zh/dot", show_default=True, help="A name in the checkpoints folder."
    ),
    click.option("--checkpoints", type=_folder, default=CHECKPOINTS, help="The checkpoints folder, if it is another."),
)
_text_options = _options(
    click.option("--file", "path", type=_existing_file, help="Read from this file, a line each."),
    click.option("--format", "style", type=click.Choice(FORMATS), default="text", show_default=True),
    click.option("--json", "style", flag_value="json", type=click.Choice(FORMATS), help="The same as --format json."),
    click.option("--map", "draws_map", is_flag=True, help="Draw the weights as a map in the terminal."),
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def commands() -> None:
    """Attention translators that show every number they compute."""


@commands.command()
@_checkpoint_options
@_text_options
@click.option("--target", help="Follow this translation instead of choosing words.")
@click.option("--beam", "beam_size", type=click.IntRange(1, MAX_BEAM_SIZE), help="Follow so many hypotheses at once.")
@click.option("--all-hypotheses", is_flag=True, help="With --beam: give every hypothesis, not the best alone.")
@click.argument("sentences", nargs=-1)
def translate(
    name: str,
    checkpoints: Path,
    path: Path | None,
    style: str,
    draws_map: bool,
    target: str | None,
    beam_size: int | None,
    all_hypotheses: bool,
    sentences: tuple[str, ...],
) -> None:
    """Translate SENTENCES, or the lines of a file or of standard input.

    With --json each sentence gives one JSON object on a line of its own.
    """
    if all_hypotheses and beam_size is None:
        raise click.UsageError("--all-hypotheses needs --beam: without it there is one hypothesis alone.")
    if target is not None and beam_size is not None:
        raise click.UsageError("--target and --beam cannot go together: a given translation leaves nothing to search.")
    texts = list(sentences) or _lines(path)
    translator = load_translator(name, checkpoints)

    def decode(text: str) -> tuple[DecodingTrace, ...]:
        if target is not None:
            return (forced_decode(translator, text, target),)
        if beam_size is not None:
            return beam_decode(translator, text, beam_size=beam_size)
        return (greedy_decode(translator, text),)

    if style == "csv":
        _csv_row("source_text", "translation", "finished")
    for hypotheses in _each(texts, decode, "Translating"):
        if style == "json" and not draws_map:
            _print_json(_document(hypotheses, all_hypotheses))
        for trace in hypotheses if all_hypotheses else hypotheses[:1]:
            if draws_map:
                _draw_map(trace)
            elif style == "csv":
                _csv_row(trace.source_text, trace.translation, trace.finished)
            elif style == "text":
                click.echo(trace.translation)
            if not trace.finished:
                click.echo(f"Stopped at the greatest length, {trace.max_length} steps, before the end.", err=True)


@commands.command()
@_checkpoint_options
@_text_options
@click.argument("texts", nargs=-1, metavar="[SENTENCE TRANSLATION]...")
def align(name: str, checkpoints: Path, path: Path | None, style: str, draws_map: bool, texts: tuple[str, ...]) -> None:
    """Say which source word each target token looks at, along a given translation.

    Reads a sentence and its translation as two arguments, or as two columns (a tab between them) of a file or of
    standard input. Writes links `i-j`: source word i, target token j, both counted from 0.
    """
    if len(texts) % 2:
        raise click.UsageError(f"Sentences and translations must come in pairs; found {len(texts)} arguments.")
    pairs = list(zip(texts[::2], texts[1::2], strict=True)) or [_two_columns(line) for line in _lines(path)]
    translator = load_translator(name, checkpoints)
    if style == "csv":
        _csv_row("source_text", "target_position", "target_token", "source_position", "source_word", "weight", "link")
    for trace in _each(pairs, lambda pair: forced_decode(translator, *pair), "Aligning"):
        weights = word_weights(trace)
        # The end row looks somewhere too, but aligns nothing.
        links = hard_alignment(weights[:-1])
        if draws_map:
            _draw_map(trace)
        elif style == "json":
            _print_json(_document((trace,)) | {"source_words": source_words(trace), "links": links})
        elif style == "csv":
            for t, token in enumerate(trace.target_tokens):
                for i, word in enumerate(source_words(trace)):
                    _csv_row(trace.source_text, t, token, i, word, f"{weights[t, i]:.6f}", (i, t) in links)
        else:
            click.echo(" ".join(f"{source}-{target}" for source, target in links))


def _configuration_options(command: Callable) -> Callable:
    """One flag for each field of both configurations, with its default and its explanation."""
    for field in reversed(fields(ModelConfig) + fields(TrainingConfig)):
        flag = f"--{field.name.replace('_', '-')}"
        command = click.option(
            f"{flag}/--no-{flag[2:]}" if field.type is bool else flag,
            field.name,
            type=field.type,
            default=field.default,
            show_default=True,
            help=field.metadata["help"],
        )(command)
    return command


@commands.command()
@click.option(
    "--pairs", type=_existing_file, required=True, help="Pairs to learn from: TSV of 2 or 3 columns, or .zip."
)
@click.option("--valid-pairs", type=_existing_file, required=True, help="Pairs to watch the quality on.")
@click.option("--alignments", type=_folder, help="A folder with en.txt, xx.txt and en-xx.align to watch alignment on.")
@click.option("--probes", "pair", help="Record the weights of the probe sentences of this pair, such as en-zh.")
@click.option("--output", type=_folder, required=True, help="The checkpoint's folder, such as checkpoints/en-zh/dot.")
@_configuration_options
def train(
    pairs: Path, valid_pairs: Path, alignments: Path | None, pair: str | None, output: Path, **values: Any
) -> None:
    """Train a translator. The same call, given again after an interruption, goes on where it was."""
    model_config = ModelConfig.from_dict({field.name: values[field.name] for field in fields(ModelConfig)})
    training_config = TrainingConfig.from_dict({field.name: values[field.name] for field in fields(TrainingConfig)})
    with _progress() as progress:
        task = progress.add_task("Training", total=None)

        def show(state: training.Progress) -> None:
            progress.update(
                task, completed=state.step, total=state.total_steps, description=f"Training, loss {state.loss:.2f}"
            )
            if state.record is not None:
                measured = {key: state.record[key] for key in ("step", "training_loss", "valid_loss", "bleu", "aer")}
                progress.console.print(
                    "  ".join(f"{key} {value:.4g}" for key, value in measured.items() if value is not None)
                )

        training.train(
            model_config,
            training_config,
            training.TrainingFiles(pairs, valid_pairs, alignments),
            () if pair is None else probes(pair),
            output,
            show,
        )


@commands.command()
@_checkpoint_options
@click.option(
    "--pairs", "pairs_path", type=_existing_file, help="Pairs with references: TSV of 2 or 3 columns, or .zip."
)
@click.option("--alignments", type=_folder, help="A folder with en.txt, xx.txt and en-xx.align.")
@click.option("--alignment-lines", help="Only these lines of the alignments, such as 51-100, counted from 1.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def evaluate(
    name: str,
    checkpoints: Path,
    pairs_path: Path | None,
    alignments: Path | None,
    alignment_lines: str | None,
    as_json: bool,
) -> None:
    """Measure BLEU and chrF on pairs, and the alignment error rate on human alignments.

    References may be in simplified or traditional characters.
    """
    if pairs_path is None and alignments is None:
        raise click.UsageError("There is nothing to measure: give --pairs, --alignments or both.")
    pairs = None if pairs_path is None else read_pairs(pairs_path)
    alignment_set = None if alignments is None else read_alignment_set(alignments)
    translator = load_translator(name, checkpoints)
    translation = alignment = None
    if pairs is not None:
        translation = _measure_with_progress(translator, pairs)
    if alignment_set is not None:
        alignment = measure_alignment(translator, alignment_set[_slice(alignment_lines, len(alignment_set))])
    if as_json:
        _print_json(_measured(name, translation, alignment))
    else:
        _print_measured(translation, alignment)


@commands.command()
@_checkpoint_options
def examples(name: str, checkpoints: Path) -> None:
    """Decode the ready examples and ship their traces with the checkpoint, so that a first page needs no model."""
    translator = load_translator(name, checkpoints)
    offered = ready_examples(name.split("/")[0], checkpoints)
    traces = list(_each([one.sentence for one in offered], lambda text: greedy_decode(translator, text), "Decoding"))
    path = write_example_traces(name, traces, checkpoints)
    click.echo(f"{len(traces)} traces, {path.stat().st_size:,} bytes: {name}/{path.name}")


@commands.command()
def presets() -> None:
    """Compute the ready calculations by hand and write their traces, so that a first page needs no torch."""
    for name, given in shipped_calculations().items():
        attend_by_hand(given).save(trace_path(name))
        click.echo(f"{name}: {trace_path(name).stat().st_size:,} bytes")


@commands.command()
@_checkpoint_options
@click.option("--valid-pairs", type=_existing_file, required=True, help="The pairs that choices were made on.")
@click.option("--test-pairs", type=_existing_file, required=True, help="The pairs that results are reported on.")
@click.option("--alignments", type=_folder, required=True, help="A folder with en.txt, xx.txt and en-xx.align.")
def card(name: str, checkpoints: Path, valid_pairs: Path, test_pairs: Path, alignments: Path) -> None:
    """Measure a checkpoint and write its metrics.json and its card (README.md)."""
    translator = load_translator(name, checkpoints)
    metrics = measure(translator, read_pairs(valid_pairs), read_pairs(test_pairs), read_alignment_set(alignments))
    write_card(translator, checkpoint_folder(name, checkpoints), metrics)
    click.echo(f"BLEU {metrics['test']['bleu']:.1f} on test: {name}/{CARD_FILE}")


def main(arguments: list[str] | None = None) -> int:
    """Run a command; the exit code. A person's mistake is told in one sentence on standard error."""
    torch.set_num_threads(1)  # a sentence is too small to share out: more threads only wait for each other
    try:
        commands.main(arguments, prog_name="python -m attention_model", standalone_mode=False)
    except AttentionModelError as mistake:
        return _say(str(mistake))
    except click.ClickException as mistake:
        return _say(mistake.format_message())
    except click.Abort:
        return _say("Stopped.")
    return 0


def _say(sentence: str) -> int:
    click.echo(sentence, err=True)
    return MISTAKE


def _lines(path: Path | None) -> list[str]:
    """The lines of a file, or of standard input when there is no path."""
    if path is None and sys.stdin.isatty():
        raise click.UsageError("There is nothing to read: give a sentence, --file FILE or standard input.")
    try:
        content = sys.stdin.buffer.read() if path is None else path.read_bytes()
        lines = content.decode("utf-8-sig").splitlines()
    except OSError as error:
        raise DataError(f"The file {path} cannot be read ({error.strerror}). Check its name.") from None
    except UnicodeDecodeError as error:
        raise DataError(
            f"The text cannot be read as UTF-8 ({error.reason} at byte {error.start}). Save it so."
        ) from None
    if not lines:
        raise DataError("There is nothing to read: the text has no line. Give at least one sentence.")
    return lines


def _two_columns(line: str) -> tuple[str, str]:
    columns = line.split("\t")
    if len(columns) < 2:
        raise DataError(f"The line {line[:40]!r} has one column; a sentence, a tab and its translation are wanted.")
    return columns[0], columns[1]


def _each(items: list, work: Callable[[Any], Any], title: str) -> Iterator[Any]:
    """The work done on each item; of several, a mistake says in which it is.

    Where results appear on the terminal one by one, they are the progress, and a bar would get in between.
    """
    with _progress(is_shown=len(items) > 1 and not sys.stdout.isatty()) as progress:
        for number, item in enumerate(progress.track(items, description=title), start=1):
            try:
                yield work(item)
            except AttentionModelError as mistake:
                if len(items) == 1:
                    raise
                raise type(mistake)(f"Sentence {number}: {mistake}") from None


def _progress(is_shown: bool = True) -> Progress:
    """A bar on standard error, so that standard output holds the result alone."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not (is_shown and console.is_terminal),
    )


def _document(hypotheses: tuple[DecodingTrace, ...], all_hypotheses: bool = False) -> dict[str, Any]:
    """What `--json` prints for a sentence; with beam search the other hypotheses too, all their numbers if asked."""
    best = hypotheses[0]
    document = _numbers(best)
    if best.decoding == "beam":
        document["hypotheses"] = [
            {"translation": one.translation, "score": one.hypothesis_score} | (_numbers(one) if all_hypotheses else {})
            for one in hypotheses
        ]
    return document


def _numbers(trace: DecodingTrace) -> dict[str, Any]:
    whole = trace.to_dict()
    return {"translation": trace.translation} | {name: whole[name] for name in SHOWN_IN_JSON}


def _print_json(document: dict[str, Any]) -> None:
    click.echo(orjson.dumps(document).decode())


def _csv_row(*cells: object) -> None:
    csv.writer(sys.stdout, lineterminator="\n").writerow(cells)


def _draw_map(trace: DecodingTrace) -> None:
    """A row a target token, a column a source piece; the darker a cell, the larger its weight."""
    if trace.weights is None:
        raise TraceError("This model has no attention (its scorer is none), so there is no map. Choose another.")
    table = Table(caption="weights, 0 to 1; a row sums to 1", pad_edge=False)
    table.add_column("")
    for token in trace.source_tokens:
        table.add_column(Text(token), justify="center", no_wrap=True)
    for token, row in zip(trace.target_tokens, trace.weights, strict=True):
        table.add_row(Text(token), *(_cell(float(weight)) for weight in row))
    console = Console()
    # A map that does not fit is wrapped by the terminal, never cut short.
    needed = Console(width=WIDEST_MAP).measure(table).maximum
    Console(width=max(console.width, needed)).print(table)


def _cell(weight: float) -> Text:
    """A weight on a ground from white (0) to dark blue (1), its figures readable on both."""
    red, green, blue = (round(255 - weight * (255 - dark)) for dark in (8, 48, 107))
    return Text(f"{weight:.2f}", style=f"{'white' if weight > 0.5 else 'black'} on rgb({red},{green},{blue})")


def _measure_with_progress(translator: Translator, pairs: list[Pair]) -> TranslationQuality:
    with _progress() as progress:
        task = progress.add_task("Translating", total=len(pairs))
        return measure_translation(translator, pairs, lambda done: progress.update(task, completed=done))


def _slice(lines: str | None, count: int) -> slice:
    """`51-100` as a slice of a set of `count` sentences."""
    if lines is None:
        return slice(None)
    first, separator, last = lines.partition("-")
    if not (separator and first.isdecimal() and last.isdecimal() and 1 <= int(first) <= int(last) <= count):
        raise click.UsageError(f"The lines {lines!r} do not exist; FIRST-LAST is wanted, between 1 and {count}.")
    return slice(int(first) - 1, int(last))


def _measured(name: str, translation: TranslationQuality | None, alignment: AlignmentQuality | None) -> dict[str, Any]:
    """The numbers of an evaluation by name."""
    document: dict[str, Any] = {"checkpoint": name}
    if translation is not None:
        document |= translation.to_dict()
    if alignment is not None:
        document |= {"aer": alignment.aer, "precision": alignment.precision, "recall": alignment.recall}
        document |= {"links": alignment.links, "aligned_sentences": alignment.sentences}
    return document


def _print_measured(translation: TranslationQuality | None, alignment: AlignmentQuality | None) -> None:
    if translation is not None:
        click.echo(f"BLEU {translation.bleu:.1f}, chrF {translation.chrf:.1f} on {translation.sentences} sentences")
        click.echo(f"decoded in {translation.seconds:.1f} seconds, {translation.unfinished} cut at the greatest length")
        if translation.mean_entropy is not None:
            click.echo(f"mean entropy of the weights {translation.mean_entropy:.2f} bits")
        for group in translation.by_length:
            words = f"{group.shortest} to {group.longest}" if group.longest else f"{group.shortest} and more"
            click.echo(f"{words} words: BLEU {group.bleu:.1f}, chrF {group.chrf:.1f} on {group.sentences} sentences")
    if alignment is not None:
        click.echo(
            f"alignment error rate {alignment.aer:.3f}, precision {alignment.precision:.3f}, recall "
            f"{alignment.recall:.3f} on {alignment.sentences} sentences"
        )


if __name__ == "__main__":
    sys.exit(main())
