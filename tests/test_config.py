"""A configuration is one dataclass: one field, one flag, one JSON key; values that cannot work together are refused."""

import dataclasses
import json

import pytest

from attention_model import config
from attention_model.config import ModelConfig
from attention_model.errors import ConfigError
from attention_model.trace import SCORERS

CONFIGURATIONS = [
    kind for kind in vars(config).values() if dataclasses.is_dataclass(kind) and kind.__module__ == config.__name__
]


@pytest.mark.parametrize("kind", CONFIGURATIONS, ids=lambda kind: kind.__name__)
def test_a_configuration_survives_json(kind):
    assert kind.from_dict(json.loads(json.dumps(kind().to_dict()))) == kind()


@pytest.mark.parametrize("kind", CONFIGURATIONS, ids=lambda kind: kind.__name__)
def test_every_field_has_a_default_and_explains_itself(kind):
    for field in dataclasses.fields(kind):
        assert field.default is not dataclasses.MISSING
        assert field.metadata["help"][0].islower()
        assert not field.metadata["help"].endswith(".")


@pytest.mark.parametrize("kind", CONFIGURATIONS, ids=lambda kind: kind.__name__)
def test_unknown_and_missing_names_are_both_told(kind):
    values = kind().to_dict()
    name, value = values.popitem()
    with pytest.raises(ConfigError, match=rf"found the unknown \['colour'\] and missed \['{name}'\]"):
        kind.from_dict(values | {"colour": value})


@pytest.mark.parametrize("scorer", SCORERS)
def test_every_scorer_has_a_configuration(scorer):
    assert ModelConfig(scorer=scorer).scorer == scorer


@pytest.mark.parametrize("scorer", [scorer for scorer in SCORERS if scorer != "dot"])
def test_states_of_different_sizes_are_fine_unless_multiplied(scorer):
    assert ModelConfig(scorer=scorer, encoder_size=6, decoder_size=7).decoder_size == 7


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"scorer": "cosine"}, "The scorer is 'cosine', and one of dot, multiplicative, additive, none is wanted"),
        ({"scorer": "dot", "encoder_size": 6, "decoder_size": 7}, "state of 6 components with a decoder state of 7"),
        ({"embedding_size": 5, "output_size": 3}, "need output_size = embedding_size; found 3 and 5"),
        ({"scorer": "none", "encoder_size": 7}, "7 is odd. Choose an even number"),
        ({"attention_size": 0}, "attention_size is 0, and a whole number of at least 1 is wanted"),
        ({"dropout": 1.0}, "dropout is 1.0, and a number from 0 up to, not including, 1 is wanted"),
        ({"dropout": -0.1}, "dropout is -0.1"),
    ],
)
def test_sizes_that_cannot_work_are_refused_with_the_value_found(values, sentence):
    with pytest.raises(ConfigError, match=sentence):
        ModelConfig(**values)


def test_a_forward_encoder_may_have_an_odd_size():
    assert ModelConfig(scorer="none", encoder_size=7, bidirectional=False).encoder_size == 7
