"""What the app's process takes of the machine's memory (its resident set).

"Engine loaded" is after all four translators have translated. A visitor has opened the page and stays; visitors come by
websocket, without a browser, and what they add is divided by their number.
"""

from collections.abc import Callable
from pathlib import Path

from attention_model.trace import SCORERS
from benchmarks.app_server import running_app, visitors
from benchmarks.conftest import Record
from benchmarks.sentences import new_sentences

TITLE = "Memory"
VISITORS = 60


def bench_memory(tmp_path: Path, record: Record, often: Callable[[int], int]) -> None:
    """Start the app, load the engine, let visitors come."""
    count = often(VISITORS)
    first, *sentences = new_sentences(count + 1)
    with running_app(tmp_path / "log.txt") as server:
        record("server just started", server.memory(), "MiB")
        with visitors(server, [{"scorer": scorer, "sentence": first} for scorer in SCORERS]):
            pass
        loaded = server.memory()
        record("engine loaded", loaded, "MiB")
        with visitors(server, [{}] * count):
            with_visitors = server.memory()
            record(f"a visitor, of {count} on the first page", (with_visitors - loaded) / count, "MiB")
            with visitors(server, [{"sentence": sentence} for sentence in sentences]):
                added = (server.memory() - with_visitors) / count
                record(f"a visitor, of {count} with a new sentence each", added, "MiB")
