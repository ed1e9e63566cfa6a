"""Translators for tests: tiny ones with random numbers, and those that are shipped."""

from functools import cache

import torch

from attention_model.checkpoint import Translator, load_translator
from attention_model.config import ModelConfig
from attention_model.model import Seq2Seq
from attention_model.tokenizer import SourceTokenizer, TargetTokenizer
from attention_model.trace import SCORERS

ATTENDING = SCORERS[:3]
ENGLISH = (
    "I like cats a lot.",
    "She doesn't like dogs at all.",
    "Do you want to drink some water today?",
    "My teacher walked along the river yesterday, and it's late now.",
)
CHINESE = ("我很喜歡貓。", "她一點也不喜歡狗。", "你今天想喝水嗎？", "我的老師昨天沿著河走，現在很晚了！")
SIZES = {"embedding_size": 11, "encoder_size": 14, "decoder_size": 14, "attention_size": 5, "output_size": 11}


@cache
def tiny_translator(scorer="dot", seed=456, **changes):
    """An untrained translator of odd sizes that knows the words of the sentences above.

    With the first seed, dot translates the first sentence by eight tokens and an end.
    """
    source_tokenizer = SourceTokenizer.train(ENGLISH * 2, 200)
    target_tokenizer = TargetTokenizer.train(CHINESE, 1)
    torch.manual_seed(seed)
    config = ModelConfig(scorer=scorer, **(SIZES | changes))
    model = Seq2Seq(config, len(source_tokenizer), len(target_tokenizer))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(2)  # far apart enough that weights and probabilities differ clearly
    return Translator(f"en-zh/{scorer}", model.eval().requires_grad_(False), source_tokenizer, target_tokenizer)


@cache
def shipped_translator(scorer):
    """The shipped en-zh translator of this scorer, loaded once."""
    return load_translator(f"en-zh/{scorer}")
