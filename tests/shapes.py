"""The type checker that watches the engine's signatures while tests run."""

from typing import Any, Self

from beartype import BeartypeConf, FrozenDict, beartype

# The checker sees methods one by one and cannot know their class, so Self goes unchecked. An int may stand for a float.
check = beartype(conf=BeartypeConf(hint_overrides=FrozenDict({Self: Any}), is_pep484_tower=True))
