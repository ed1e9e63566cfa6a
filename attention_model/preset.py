"""Ready calculations by hand and their traces, read from files as data. Knows no torch and computes nothing.

The traces are shipped so that a first page needs no torch; `python -m attention_model presets` writes them again.
"""

from dataclasses import replace
from functools import cache
from pathlib import Path

from attention_model.errors import GivenError
from attention_model.given import GIVEN_SCORERS, GivenStates
from attention_model.trace import DecodingTrace

FOLDER = Path(__file__).parent / "presets"
TRACES = FOLDER / "traces"

PRESETS = ("running-example", "exercise-1", "the-cat-sat")
"""Their names, in the order in which they are offered."""


@cache
def preset(name: str) -> GivenStates:
    """The ready calculation with this name, one of PRESETS.

    The running example has states of four components, written so that under dot, whatever is worked out by hand, 我
    looks at *I*, 很 at *a* and *lot* together, 喜 and 歡 both at *like*, and 貓 at *cats*. Exercise 1 and the cat sat
    share their three states of two components. Raises GivenError for another name.
    """
    if name not in PRESETS:
        raise GivenError(f"There is no ready calculation {name!r}. There are {', '.join(PRESETS)}.")
    return GivenStates.from_json((FOLDER / f"{name}.json").read_bytes())


def preset_under(name: str, scorer: str, *, itself: bool = False) -> GivenStates:
    """The ready calculation with this name under another scorer. itself: with its states as its queries, too.

    Raises GivenError for a name or a scorer that does not exist, and for states that do not fit as queries.
    """
    given = replace(preset(name), scorer=scorer)
    if not itself:
        return given
    return replace(given, target_tokens=given.source_tokens, decoder_states=given.encoder_states)


@cache
def shipped_calculations() -> dict[str, GivenStates]:
    """What traces are shipped of, by their files: each preset under each scorer, and with its own states as queries."""
    return {
        "-".join([name, scorer, *(["itself"] if itself else [])]): preset_under(name, scorer, itself=itself)
        for name in PRESETS
        for scorer in GIVEN_SCORERS
        for itself in (False, True)
    }


def preset_trace(name: str) -> DecodingTrace:
    """What was computed from the ready calculation with this name, by the scorer that it names.

    Raises GivenError for another name, and TraceError when the file is missing or damaged.
    """
    return _load(_names()[preset(name).to_json()])


def shipped_trace(given: GivenStates) -> DecodingTrace | None:
    """What was computed from a calculation whose trace is shipped; None for any other calculation.

    Raises TraceError when the file is missing or damaged.
    """
    name = _names().get(given.to_json())
    return None if name is None else _load(name)


def trace_path(name: str) -> Path:
    """The file of a trace that is shipped, by a name of `shipped_calculations`."""
    return TRACES / f"{name}.json"


@cache
def _names() -> dict[bytes, str]:
    return {given.to_json(): name for name, given in shipped_calculations().items()}


@cache
def _load(name: str) -> DecodingTrace:
    return DecodingTrace.load(trace_path(name))
