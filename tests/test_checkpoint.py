"""A translator loaded is the translator saved; a name is looked up, never opened; damage is told by the file's name."""

import gzip
from dataclasses import replace

import numpy as np
import orjson
import pytest
import torch
from safetensors.torch import load_file, save_file

from attention_model import shelf
from attention_model.checkpoint import load_translator, save_checkpoint
from attention_model.decoding import forced_decode, greedy_decode
from attention_model.errors import CheckpointError
from attention_model.trace import SCORERS
from tests.translators import ATTENDING, CHINESE, ENGLISH, shipped_translator, tiny_translator

NEEDED_FILES = (
    shelf.CONFIG_FILE,
    shelf.SOURCE_TOKENIZER_FILE,
    shelf.TARGET_TOKENIZER_FILE,
    shelf.WEIGHTS_FILE,
)
RUNNING_TARGET = "我很喜歡貓。"


@pytest.fixture
def folder(tmp_path):
    """A checkpoints folder with one untrained translator, en-zh/dot."""
    save_checkpoint(tiny_translator(), tmp_path / "en-zh" / "dot")
    return tmp_path


@pytest.mark.parametrize("scorer", SCORERS)
@pytest.mark.parametrize("tied", [True, False])
def test_a_translator_loaded_is_the_one_saved_in_half_precision(scorer, tied, tmp_path):
    saved = tiny_translator(scorer, tied_embeddings=tied)
    save_checkpoint(saved, tmp_path / "en-zh" / scorer)
    loaded = load_translator(f"en-zh/{scorer}", tmp_path)
    assert (loaded.name, loaded.config) == (f"en-zh/{scorer}", saved.config)
    parameters = dict(loaded.model.named_parameters())
    assert parameters.keys() == dict(saved.model.named_parameters()).keys()
    for name, parameter in saved.model.named_parameters():
        assert parameters[name].dtype == torch.float32
        torch.testing.assert_close(parameters[name], parameter.half().float(), rtol=0, atol=0)
    assert loaded.target_tokenizer.tokens == saved.target_tokenizer.tokens
    assert loaded.source_tokenizer.split(ENGLISH[1]) == saved.source_tokenizer.split(ENGLISH[1])


def test_a_translator_saved_again_gives_the_same_files(folder):
    save_checkpoint(load_translator("en-zh/dot", folder), folder / "en-zh" / "again")
    for file in NEEDED_FILES:
        assert (folder / "en-zh" / "again" / file).read_bytes() == (folder / "en-zh" / "dot" / file).read_bytes()
    first, again = (load_translator(f"en-zh/{name}", folder) for name in ("dot", "again"))
    one, other = (greedy_decode(translator, ENGLISH[0]) for translator in (first, again))
    assert one.to_json() == replace(other, checkpoint="en-zh/dot").to_json()


def test_weights_are_half_precision_and_no_pickle(folder):
    weights = load_file(folder / "en-zh" / "dot" / shelf.WEIGHTS_FILE)
    assert {weight.dtype for weight in weights.values()} == {torch.float16}
    assert sorted(one.name for one in (folder / "en-zh" / "dot").iterdir()) == sorted(NEEDED_FILES)


def test_names_are_listed_in_order(folder):
    save_checkpoint(tiny_translator("additive"), folder / "en-zh" / "additive")
    (folder / "en-zh" / "examples.toml").write_text("")
    assert shelf.list_checkpoints(folder) == ("en-zh/additive", "en-zh/dot")
    assert shelf.list_checkpoints(folder / "nowhere") == ()


@pytest.mark.parametrize(
    "name",
    [
        "",
        "dot",
        "en-zh",
        "en-zh/",
        "en-zh/*",
        "en-zh/Dot",
        "en-zh/dot/",
        "../x/en-zh/dot",
        "en-zh/../en-zh/dot",
        "/etc/passwd",
    ],
)
def test_a_name_that_does_not_stand_there_is_refused_with_those_that_do(name, folder):
    with pytest.raises(CheckpointError, match=r"There is no checkpoint named '.*'\. Choose one of en-zh/dot\."):
        load_translator(name, folder)
    with pytest.raises(CheckpointError, match="There is no checkpoint named"):
        load_translator(str(folder / "en-zh" / "dot"), folder)


def test_an_empty_folder_says_that_it_is(tmp_path):
    with pytest.raises(CheckpointError, match="There is none in the folder"):
        load_translator("en-zh/dot", tmp_path)


@pytest.mark.parametrize("file", NEEDED_FILES)
@pytest.mark.parametrize(
    "damage", [None, b"", b"\x00\xff damaged", b"[1]", b"{}"], ids=["missing", "empty", "noise", "list", "bare"]
)
def test_a_file_that_is_missing_or_damaged_is_named(file, damage, folder):
    path = folder / "en-zh" / "dot" / file
    path.unlink() if damage is None else path.write_bytes(damage)
    with pytest.raises(CheckpointError) as caught:
        load_translator("en-zh/dot", folder)
    assert file in str(caught.value)
    assert "en-zh/dot" in str(caught.value)
    assert "Restore the file" in str(caught.value)
    assert str(folder) not in str(caught.value)


def test_half_a_file_of_weights_is_refused(folder):
    path = folder / "en-zh" / "dot" / shelf.WEIGHTS_FILE
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(CheckpointError, match=r"weights\.safetensors of the checkpoint en-zh/dot is damaged"):
        load_translator("en-zh/dot", folder)


def test_weights_of_another_size_or_without_an_end_are_refused(folder):
    path = folder / "en-zh" / "dot" / shelf.WEIGHTS_FILE
    weights = load_file(path)
    bias = weights["decoder.bridge.bias"]
    save_file(weights | {"decoder.bridge.bias": bias[:3].clone()}, path)
    with pytest.raises(CheckpointError, match=r"decoder\.bridge\.bias has the shape \(3,\), and \(14,\) is wanted"):
        load_translator("en-zh/dot", folder)
    save_file({name: weight for name, weight in weights.items() if name != "decoder.bridge.bias"}, path)
    with pytest.raises(CheckpointError, match=r"decoder\.bridge\.bias has the shape None"):
        load_translator("en-zh/dot", folder)
    save_file(weights | {"decoder.bridge.bias": torch.full_like(bias, torch.nan)}, path)
    with pytest.raises(CheckpointError, match=r"decoder\.bridge\.bias holds numbers that are not finite"):
        load_translator("en-zh/dot", folder)


def test_a_configuration_that_cannot_be_is_told_with_its_reason(folder):
    path = folder / "en-zh" / "dot" / shelf.CONFIG_FILE
    values = orjson.loads(path.read_bytes())
    path.write_bytes(orjson.dumps(values | {"decoder_size": 13}))
    with pytest.raises(CheckpointError, match=r"config\.json .* is damaged: The dot scorer .* 14 .* 13"):
        load_translator("en-zh/dot", folder)


# What can be read without torch


def test_traces_of_examples_are_read_as_they_were_written(folder):
    traces = [greedy_decode(tiny_translator(), text) for text in ENGLISH]
    path = shelf.write_example_traces("en-zh/dot", traces, folder)
    content = path.read_bytes()
    assert shelf.write_example_traces("en-zh/dot", traces, folder).read_bytes() == content
    read = shelf.example_traces("en-zh/dot", folder)
    assert [trace.to_json() for trace in read] == [trace.to_json() for trace in traces]


@pytest.mark.parametrize("damage", [b"", b"no gzip", b"\x1f\x8b\x08\x00", None])
def test_traces_of_examples_that_cannot_be_read_are_named(damage, folder):
    path = folder / "en-zh" / "dot" / shelf.EXAMPLE_TRACES_FILE
    if damage is not None:
        path.write_bytes(damage)
    with pytest.raises(CheckpointError, match=r"examples\.json\.gz of the checkpoint en-zh/dot"):
        shelf.example_traces("en-zh/dot", folder)


def test_a_trace_of_an_example_that_is_no_trace_is_told(folder):
    path = shelf.write_example_traces("en-zh/dot", [greedy_decode(tiny_translator(), ENGLISH[0])], folder)
    shelf.write_example_traces("en-zh/dot", [], folder)
    assert shelf.example_traces("en-zh/dot", folder) == ()
    path.write_bytes(gzip.compress(b'[{"format": 99}]'))
    with pytest.raises(CheckpointError, match=r"is damaged: This trace has the format 99"):
        shelf.example_traces("en-zh/dot", folder)


def test_ready_examples_and_probes_are_read_in_order():
    examples = shelf.ready_examples("en-zh")
    assert examples[0].sentence == "I like cats a lot."
    assert len({example.id for example in examples}) == len(examples) >= 6
    probes = shelf.probes("en-zh")
    assert (probes[0].sentence, probes[0].target, len(probes)) == ("I like cats a lot.", RUNNING_TARGET, 8)


def test_examples_of_a_pair_that_is_not_there_or_damaged_are_refused(folder):
    with pytest.raises(CheckpointError, match=r"There is no examples\.toml for the language pair '\.\./en-zh'"):
        shelf.ready_examples("../en-zh", folder)
    for content in ("[[examples]", "", '[[examples]]\nid = "a"'):
        (folder / "en-zh" / "examples.toml").write_text(content)
        with pytest.raises(CheckpointError, match=r"examples\.toml.* is damaged"):
            shelf.ready_examples("en-zh", folder)


def test_glosses_are_read_and_a_pair_without_any_has_none(folder):
    assert shelf.glosses("en-zh", folder) == {}
    assert shelf.glosses("../en-zh", folder) == {}
    (folder / "en-zh" / "glosses.toml").write_text('[glosses]\n"貓" = "cat"\n', encoding="utf-8")
    assert shelf.glosses("en-zh", folder) == {"貓": "cat"}
    assert shelf.glosses("en-fr", folder) == {}


@pytest.mark.parametrize("content", ["[glosses", "", "glosses = 3", '[glosses]\n"貓" = 3'])
def test_damaged_glosses_are_named(content, folder):
    (folder / "en-zh" / "glosses.toml").write_text(content, encoding="utf-8")
    with pytest.raises(CheckpointError, match=r"glosses\.toml.* is damaged"):
        shelf.glosses("en-zh", folder)


# The translators that are shipped


@pytest.mark.parametrize("scorer", SCORERS)
def test_the_four_translators_are_shipped_whole(scorer):
    name = f"en-zh/{scorer}"
    assert name in shelf.list_checkpoints()
    assert shelf.read_config(name).scorer == scorer
    assert shelf.read_metrics(name)
    assert shelf.read_history(name)
    assert shelf.read_card(name).startswith("#")
    own_folder = shelf.checkpoint_folder(name)
    assert sum(file.stat().st_size for file in own_folder.glob("*.safetensors")) < 10_000_000


def test_the_four_translators_differ_in_the_scorer_only():
    configs = [shelf.read_config(f"en-zh/{scorer}") for scorer in SCORERS]
    assert {replace(config, scorer="none") for config in configs} == {configs[-1]}
    for file in (shelf.SOURCE_TOKENIZER_FILE, shelf.TARGET_TOKENIZER_FILE):
        contents = {(shelf.checkpoint_folder(f"en-zh/{scorer}") / file).read_bytes() for scorer in SCORERS}
        assert len(contents) == 1


@pytest.mark.parametrize("scorer", ATTENDING)
@pytest.mark.parametrize(("sentence", "end"), [("I like cats a lot.", "。"), ("I like cats a lot", "")])
def test_the_running_example_comes_out_right(scorer, sentence, end):
    trace = greedy_decode(shipped_translator(scorer), sentence)
    assert trace.finished
    assert trace.translation.removesuffix("。") in ("我喜歡貓", "我很喜歡貓")
    assert trace.translation.endswith(end)


@pytest.mark.parametrize("scorer", ATTENDING)
def test_the_running_example_looks_where_a_person_would(scorer):
    trace = forced_decode(shipped_translator(scorer), "I like cats a lot.", RUNNING_TARGET)
    looked_at = {
        token: trace.source_tokens[int(np.argmax(row))]
        for token, row in zip(trace.target_tokens, trace.weights, strict=True)
    }
    assert {"我": "I", "喜": "like", "歡": "like", "貓": "cats"}.items() <= looked_at.items()


def test_the_words_of_tiny_translators_are_known():
    translator = tiny_translator()
    assert all(translator.target_tokenizer.knows(token) for text in CHINESE for token in text)
