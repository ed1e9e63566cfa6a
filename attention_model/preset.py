"""Ready calculations by hand and their traces, read from files as data. Knows no torch and computes nothing.

The traces are shipped so that a first page needs no torch; `python -m attention_model presets` writes them again.
"""

from functools import cache
from pathlib import Path

from attention_model.errors import GivenError
from attention_model.given import GivenStates
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


@cache
def preset_trace(name: str) -> DecodingTrace:
    """What was computed from the ready calculation with this name, by the scorer that it names.

    Raises TraceError when the file is missing or damaged.
    """
    return DecodingTrace.load(trace_path(name))


def trace_path(name: str) -> Path:
    """The file of a ready calculation's trace."""
    return TRACES / f"{name}.json"
