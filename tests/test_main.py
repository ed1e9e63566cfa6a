"""The command line does what its help says, and tells a person's mistake in one sentence."""

import csv
import io
import json
import subprocess
import sys
from dataclasses import fields

import numpy as np
import pytest
from click.testing import CliRunner

from attention_model import shelf
from attention_model.__main__ import commands, main
from attention_model.alignments import AlignedSentence
from attention_model.checkpoint import load_translator, save_checkpoint
from attention_model.config import ModelConfig, TrainingConfig
from attention_model.decoding import beam_decode, forced_decode, greedy_decode
from attention_model.errors import AttentionModelError
from attention_model.evaluation import find_links
from attention_model.trace import END_TOKEN
from tests.sources import ROOT
from tests.translators import CHINESE, ENGLISH, tiny_translator

TEXT, TARGET = ENGLISH[0], CHINESE[0]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A checkpoints folder with two untrained translators and two ready examples."""
    folder = tmp_path_factory.mktemp("checkpoints")
    for scorer in ("dot", "none"):
        save_checkpoint(tiny_translator(scorer), folder / "en-zh" / scorer)
    examples = "".join(f'[[examples]]\nid = "{n}"\ntitle = "t"\nsentence = "{ENGLISH[n]}"\nwhy = "w"\n' for n in (0, 1))
    (folder / "en-zh" / "examples.toml").write_text(examples, encoding="utf-8")
    return folder


@pytest.fixture
def run(folder, capsys):
    """Run a command on the folder's translators: what it printed. Anything but success fails the test."""

    def run(command, *arguments):
        code = main([command, "--checkpoints", str(folder), *arguments])
        out, error = capsys.readouterr()
        assert code == 0, error
        return out

    return run


@pytest.fixture
def refuse(folder, capsys):
    """Run a command that must be refused: its one sentence."""

    def refuse(command, *arguments):
        assert main([command, *arguments]) == 2
        _, error = capsys.readouterr()
        assert error.count("\n") == 1
        assert "Traceback" not in error
        return error.strip()

    return refuse


@pytest.fixture
def dot(folder):
    return load_translator("en-zh/dot", folder)


def test_translate_prints_the_translation_alone(run, dot):
    assert run("translate", TEXT) == greedy_decode(dot, TEXT).translation + "\n"
    assert run("translate", *ENGLISH[:2]).splitlines() == [greedy_decode(dot, text).translation for text in ENGLISH[:2]]
    assert run("translate", "--beam", "3", TEXT) == beam_decode(dot, TEXT, beam_size=3)[0].translation + "\n"
    assert run("translate", "--target", "我很喜欢猫。", TEXT) == TARGET + "\n"


def test_translate_as_json_prints_one_object_with_the_numbers(run, dot):
    document = json.loads(run("translate", "--json", TEXT))
    trace = greedy_decode(dot, TEXT)
    assert document["translation"] == trace.translation
    assert document["source_tokens"] == list(trace.source_tokens)
    assert document["target_tokens"] == list(trace.target_tokens)
    assert document["scorer"] == "dot"
    assert len(document["weights"]) == len(document["scores"]) == len(trace.target_tokens)
    assert document["weights"][0] == pytest.approx(trace.weights[0].tolist())
    assert document["scores"][0] == pytest.approx(trace.scores[0].tolist())


def test_translate_as_json_along_a_target_and_by_beam(run, dot):
    forced = json.loads(run("translate", "--json", "--target", TARGET, TEXT))
    assert forced["target_tokens"] == [*TARGET, END_TOKEN]
    assert forced["decoding"] == "forced"
    beam = json.loads(run("translate", "--format", "json", "--beam", "2", TEXT))
    hypotheses = beam_decode(dot, TEXT, beam_size=2)
    assert [one["translation"] for one in beam["hypotheses"]] == [trace.translation for trace in hypotheses]
    assert beam["hypotheses"][0]["score"] == pytest.approx(hypotheses[0].hypothesis_score)


def test_every_hypothesis_of_a_beam_is_given_when_asked_for(run, dot):
    hypotheses = beam_decode(dot, TEXT, beam_size=3)
    asked = ("translate", "--beam", "3", "--all-hypotheses")
    assert run(*asked, TEXT).splitlines() == [trace.translation for trace in hypotheses]
    rows = list(csv.DictReader(io.StringIO(run(*asked, "--format", "csv", TEXT))))
    assert [row["translation"] for row in rows] == [trace.translation for trace in hypotheses]
    document = json.loads(run(*asked, "--json", TEXT))
    assert document["weights"] == document["hypotheses"][0]["weights"]
    for one, trace in zip(document["hypotheses"], hypotheses, strict=True):
        assert (one["translation"], one["finished"]) == (trace.translation, trace.finished)
        assert one["score"] == pytest.approx(trace.hypothesis_score)
        assert one["target_tokens"] == list(trace.target_tokens)
        np.testing.assert_allclose(one["weights"], trace.weights, atol=1e-6)
    assert run(*asked, "--map", TEXT).count("a row sums to 1") == 3


def test_a_model_without_attention_has_null_weights_and_no_map(run, refuse, folder):
    document = json.loads(run("translate", "--checkpoint", "en-zh/none", "--json", TEXT))
    assert (document["scores"], document["weights"], document["scorer"]) == (None, None, "none")
    choice = ("--checkpoints", str(folder), "--checkpoint", "en-zh/none")
    assert "no attention" in refuse("translate", *choice, "--map", TEXT)
    assert "no weights" in refuse("align", *choice, TEXT, TARGET)


def test_a_file_and_standard_input_are_read_a_line_each(run, dot, tmp_path, monkeypatch):
    lines = "\n".join(ENGLISH[:2]) + "\n"
    (tmp_path / "sentences.txt").write_text(lines, encoding="utf-8")
    expected = "".join(greedy_decode(dot, text).translation + "\n" for text in ENGLISH[:2])
    assert run("translate", "--file", str(tmp_path / "sentences.txt")) == expected
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    assert run("translate") == expected


def test_translations_as_csv(run, dot):
    rows = list(csv.DictReader(io.StringIO(run("translate", "--format", "csv", *ENGLISH[:2]))))
    assert [row["source_text"] for row in rows] == list(ENGLISH[:2])
    assert rows[0]["translation"] == greedy_decode(dot, TEXT).translation


def test_the_map_has_a_row_a_token_and_a_column_a_piece(run, dot):
    trace = forced_decode(dot, TEXT, TARGET)
    lines = run("translate", "--map", "--target", TARGET, TEXT).splitlines()
    header = next(line for line in lines if "cats" in line)
    assert all(token in header for token in trace.source_tokens)
    for token, weights in zip(trace.target_tokens, trace.weights, strict=True):
        row = next(line for line in lines if token in line)
        assert [cell.strip() for cell in row.strip("│").split("│")] == [token, *(f"{weight:.2f}" for weight in weights)]


def test_a_wide_map_with_marks_is_drawn_whole_and_as_typed(run, dot):
    text = "I like [red]cats[/red] a lot, and you like [/] dogs at all today."
    trace = forced_decode(dot, text, TARGET)
    header = run("translate", "--map", "--target", TARGET, text).splitlines()[1]
    assert [cell.strip() for cell in header.strip("┃").split("┃")] == ["", *trace.source_tokens]


def test_align_prints_links_of_words_without_the_end_row(run, dot):
    alone = run("align", TEXT, TARGET)
    trace = forced_decode(dot, TEXT, TARGET)
    links = [tuple(map(int, link.split("-"))) for link in alone.split()]
    assert {target for _, target in links} <= set(range(len(TARGET)))
    sentence = AlignedSentence(("I", "like", "cats", "a", "lot", "."), tuple(TARGET), frozenset(), frozenset())
    # The full stop touches its word here and stands alone there, which is the same to the tokenizer.
    assert tuple(links) == find_links(dot, sentence)
    document = json.loads(run("align", "--json", TEXT, TARGET))
    assert [tuple(link) for link in document["links"]] == links
    assert document["source_words"] == ["I", "like", "cats", "a", "lot", "."]
    assert document["target_tokens"] == list(trace.target_tokens)


def test_align_as_csv_reads_two_columns_and_prints_every_weight(run, dot, tmp_path):
    (tmp_path / "pairs.tsv").write_text(f"{TEXT}\t{TARGET}\n{ENGLISH[1]}\t{CHINESE[1]}\n", encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(run("align", "--format", "csv", "--file", str(tmp_path / "pairs.tsv")))))
    trace = forced_decode(dot, TEXT, TARGET)
    first = [row for row in rows if row["source_text"] == TEXT]
    assert len(first) == trace.weights.size
    assert [row["target_token"] for row in first[:: trace.weights.shape[1]]] == [*TARGET, END_TOKEN]
    assert [float(row["weight"]) for row in first[:3]] == pytest.approx(trace.weights[0, :3].tolist(), abs=1e-5)
    assert {row["link"] for row in rows} == {"True", "False"}


@pytest.fixture
def measured_files(tmp_path):
    (tmp_path / "pairs.tsv").write_text(f"{TEXT}\t我很喜欢猫。\n{ENGLISH[1]}\t{CHINESE[1]}\tby\n", encoding="utf-8")
    (tmp_path / "en.txt").write_text("I like cats a lot .\nI sleep .\n", encoding="utf-8")
    (tmp_path / "zh.txt").write_text("我 很 喜 歡 貓 。\n我 睡 。\n", encoding="utf-8")
    (tmp_path / "en-zh.align").write_text("0-0 1-2 1-3 2-4 4?1 5-5\n0-0 1-1\n", encoding="utf-8")
    return tmp_path


def test_evaluate_as_json_has_the_measures_by_name(run, measured_files):
    pairs = ("--pairs", str(measured_files / "pairs.tsv"))
    document = json.loads(run("evaluate", *pairs, "--json"))
    assert {"bleu", "chrf", "sentences", "seconds", "mean_entropy", "by_length"} <= document.keys()
    assert not {"aer", "precision", "recall"} & document.keys()
    assert document["sentences"] == 2
    document = json.loads(run("evaluate", *pairs, "--alignments", str(measured_files), "--json"))
    assert 0 <= document["aer"] <= 1
    assert {"precision", "recall"} <= document.keys()
    assert document["aligned_sentences"] == 2


def test_evaluate_in_words_and_on_some_lines(run, measured_files):
    arguments = ("--alignments", str(measured_files))
    assert "on 2 sentences" in run("evaluate", *arguments)
    assert "on 1 sentences" in run("evaluate", *arguments, "--alignment-lines", "2-2")
    words = run("evaluate", "--pairs", str(measured_files / "pairs.tsv"))
    assert "BLEU" in words
    assert "1 to 5 words" in words


def test_examples_are_shipped_with_the_checkpoint(run, folder, dot):
    assert run("examples").startswith("2 traces")
    traces = shelf.example_traces("en-zh/dot", folder)
    assert [trace.to_json() for trace in traces] == [greedy_decode(dot, text).to_json() for text in ENGLISH[:2]]


def test_every_field_of_both_configurations_is_a_flag_with_its_default():
    options = {option.name: option for option in commands.commands["train"].params}
    for configuration in (ModelConfig, TrainingConfig):
        for field in fields(configuration):
            option = options[field.name]
            assert f"--{field.name.replace('_', '-')}" in option.opts
            assert option.default == field.default
            assert option.help == field.metadata["help"]


def test_train_writes_a_checkpoint_that_translates(tmp_path, capsys):
    lines = "".join(f"{source}\t{target}\n" for source, target in zip(ENGLISH, CHINESE, strict=True))
    (tmp_path / "pairs.tsv").write_text(lines * 2, encoding="utf-8")
    files = ("--pairs", str(tmp_path / "pairs.tsv"), "--valid-pairs", str(tmp_path / "pairs.tsv"))
    sizes = (f"--{name}-size=8" for name in ("embedding", "encoder", "decoder", "attention", "output"))
    output = tmp_path / "shelf" / "en-zh" / "additive"
    arguments = ("--scorer=additive", *sizes, "--epochs=3", "--precision=float32", "--no-bidirectional")
    assert main(["train", *files, "--output", str(output), *arguments]) == 0
    assert shelf.read_config("en-zh/additive", tmp_path / "shelf") == ModelConfig(
        "additive", 8, 8, 8, 8, 8, bidirectional=False
    )
    capsys.readouterr()
    assert main(["translate", "--checkpoints", str(tmp_path / "shelf"), "--checkpoint", "en-zh/additive", TEXT]) == 0
    assert capsys.readouterr().out.endswith("\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("translate", "--checkpoint", "../en-zh/dot", TEXT), "There is no checkpoint named '../en-zh/dot'"),
        (("translate", "..."), "There is no word to translate: found only '...'"),
        (("translate", TEXT, "", TEXT), "Sentence 2: There is no word to translate: found nothing"),
        (("translate", "cats " * 90), "The sentence is too long"),
        (("translate", "--target", "", TEXT), "There is no translation to follow"),
        (("translate", "--target", TARGET, "--beam", "2", TEXT), "--target and --beam cannot go together"),
        (("translate", "--beam", "0", TEXT), "0 is not in the range 1<=x<=10"),
        (("translate", "--all-hypotheses", TEXT), "--all-hypotheses needs --beam"),
        (("translate", "--file", "/nowhere.txt"), "The file /nowhere.txt cannot be read (No such file or directory)"),
        (("translate", "--nonsense"), "No such option"),
        (("translate", "--format", "xml", TEXT), "'xml' is not one of"),
        (("align", TEXT), "must come in pairs; found 1 arguments"),
        (("evaluate",), "There is nothing to measure"),
        (("evaluate", "--pairs", "/nowhere.tsv"), "/nowhere.tsv cannot be read"),
        (("evaluate", "--alignments", "/nowhere"), "There is no folder /nowhere"),
        (("nonsense",), "No such command 'nonsense'"),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_code_two(arguments, message, refuse, folder):
    command, *others = arguments
    chosen = () if command == "nonsense" else ("--checkpoints", str(folder))
    assert message in refuse(command, *chosen, *others)


def test_training_with_sizes_that_cannot_be_is_refused(refuse, tmp_path):
    files = ("--pairs", str(tmp_path / "a"), "--valid-pairs", str(tmp_path / "a"), "--output", str(tmp_path / "b"))
    assert "Make encoder_size and decoder_size equal" in refuse("train", *files, "--encoder-size", "6")
    assert "a cannot be read" in refuse("train", *files)
    assert "Missing option '--pairs'" in refuse("train")


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "the text has no line"), (b"\xff\xfe\xff", "cannot be read as UTF-8"), (b"one column\n", "has one column")],
)
def test_a_text_that_cannot_be_read_is_told(content, message, refuse, folder, tmp_path):
    (tmp_path / "text").write_bytes(content)
    assert message in refuse("align", "--checkpoints", str(folder), "--file", str(tmp_path / "text"))


def test_lines_of_alignments_that_do_not_exist_are_refused(refuse, folder, measured_files):
    for lines in ("0-1", "2-1", "1-3", "one", "1"):
        arguments = ("--checkpoints", str(folder), "--alignments", str(measured_files), "--alignment-lines", lines)
        assert f"The lines {lines!r} do not exist" in refuse("evaluate", *arguments)


def test_a_bug_is_not_taken_for_a_mistake(monkeypatch, folder):
    def break_down(*_, **__):
        raise ZeroDivisionError

    monkeypatch.setattr("attention_model.__main__.greedy_decode", break_down)
    assert not issubclass(ZeroDivisionError, AttentionModelError)
    with pytest.raises(ZeroDivisionError):
        main(["translate", "--checkpoints", str(folder), TEXT])


def test_every_command_explains_itself():
    for command in ("translate", "align", "train", "evaluate", "examples"):
        result = CliRunner().invoke(commands, [command, "--help"])
        assert result.exit_code == 0
        assert len(result.output.splitlines()) > 5


def test_the_module_runs_as_a_program(folder, dot):
    call = [sys.executable, "-m", "attention_model", "translate", "--checkpoints", str(folder)]
    done = subprocess.run([*call, TEXT], cwd=ROOT, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == (greedy_decode(dot, TEXT).translation + "\n", "")
    refused = subprocess.run([*call, "?"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.count("\n") == 1
