"""One thing, one name: what the glossary in CONTRIBUTING.md calls by one name is not called by another."""

import ast
import re

import pytest

from tests.sources import PACKAGES, ROOT, module_name, parse, python_files

# Words that are part of no name that we give, and what to write in their place.
FORBIDDEN_WORDS = {
    "src": "source",
    "trg": "target",
    "tgt": "target",
    "attn": "attention, weights",
    "att": "attention",
    "energies": "scores",
    "energy": "scores",
    "pred": "hypothesis",
    "preds": "probabilities",
    "gold": "reference",
}
FORBIDDEN_NAMES = {
    "memory": "encoder_states",
    "encoder_output": "encoder_states",
    "encoder_outputs": "encoder_states",
    "hidden_state": "decoder_state",
    "hidden_states": "decoder_states",
    "proj_key": "keys",
    "alpha": "weights",
    "alphas": "weights",
    "variant": "scorer",
    "predict": "greedy_decode, beam_decode, forced_decode",
    "input_ids": "source_ids, target_inputs",
    "input_tokens": "source_tokens",
    "output_ids": "target_ids",
    "output_tokens": "target_tokens",
}
JAVASCRIPT = sorted((ROOT / "app").rglob("*.js"))
DECLARED_IN_JAVASCRIPT = re.compile(r"\b(?:const|let|var|function|class)\s+([A-Za-z_$][\w$]*)|@param\s+\S+\s+(\w+)")


def names_given(tree):
    """Every name that a file gives to something: variables, arguments, functions, classes, attributes, imports as."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.alias(asname=str(name)):
                yield name


def snake_case(name):
    """`encoderStates` -> `encoder_states`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def objections(names):
    """For each name that the glossary forbids, what it wants in its place."""
    found = {}
    for name in map(snake_case, names):
        if name in FORBIDDEN_NAMES:
            found[name] = FORBIDDEN_NAMES[name]
        for word in name.split("_"):
            if word in FORBIDDEN_WORDS:
                found[name] = FORBIDDEN_WORDS[word]
    return found


@pytest.mark.parametrize("path", [*python_files(*PACKAGES), *python_files("tests")], ids=module_name)
def test_python_speaks_the_glossary(path):
    assert objections(names_given(parse(path))) == {}


@pytest.mark.parametrize("path", JAVASCRIPT, ids=lambda path: path.name)
def test_javascript_speaks_the_glossary(path):
    declared = ["".join(groups) for groups in DECLARED_IN_JAVASCRIPT.findall(path.read_text(encoding="utf-8"))]
    assert declared
    assert objections(declared) == {}


@pytest.mark.parametrize("code", ["src = 1", "def f(attn_type): ...", "self.trg_mask = 0", "import numpy as pred"])
def test_a_forbidden_name_is_found(code):
    assert objections(names_given(ast.parse(code)))
