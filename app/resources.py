"""The only module that loads checkpoints and decodes; caching lives here and nowhere else.

Traces of the ready examples are read from files, so that the first page needs no torch. The engine is imported and the
translators are loaded meanwhile, in the background. Traces are shared between visitors and read-only.
"""

import contextlib
import gc
import logging
import os
import statistics
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import streamlit as st

from app.inputs import UNCHANGED, Example, Request
from attention_model import shelf
from attention_model.alignments import AlignmentSet
from attention_model.errors import AttentionModelError, CheckpointError
from attention_model.given import GivenStates, ScorerParameters
from attention_model.preset import shipped_trace
from attention_model.search_tree import SearchTree
from attention_model.trace import SCORERS, DecodingTrace

if TYPE_CHECKING:
    from attention_model.checkpoint import Translator

PAIR = "en-zh"
CHECKPOINTS = Path(os.environ.get("GLANCEBACK_CHECKPOINTS", shelf.CHECKPOINTS))
"""The folder of all checkpoints; another one is taken from the environment for trying out new trainings."""

DECODES_AT_ONCE = 2
"""More would only take turns on the processor and make everybody wait longer."""

FIRST_PAINT = 2.0
"""Seconds from the end of a page's first run until a browser has surely painted it."""

TIMED_DECODES = 20
"""How often a decoding is timed; the median is what is told."""

KEPT_TRACES = 400
"""Of short sentences; at about 0.3 MB a trace with its rows of states."""

log = logging.getLogger(__name__)


class Decoded(NamedTuple):
    """What a request asks for: its traces, the best first; and what the search did, None unless decoding is `beam`."""

    traces: tuple[DecodingTrace, ...]
    tree: SearchTree | None = None


class Engine:
    """The translators of one folder of checkpoints, loaded on first need, decoding a bounded number at once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._translators: dict[str, Translator] = {}
        self._loading = threading.Lock()
        self._workers = ThreadPoolExecutor(DECODES_AT_ONCE, thread_name_prefix="decode")

    def warm_up(self) -> Future[None]:
        """Import the engine and load every translator that is there, in the background."""
        return self._workers.submit(self._load_all)

    def decode(self, request: Request) -> Decoded:
        """Decode now. Waits for its turn."""
        return self._workers.submit(self._decode, request).result()

    def time(self, request: Request) -> float:
        """The median of TIMED_DECODES decodings, in seconds, one after the other and none of them kept."""
        return self._workers.submit(self._time, request).result()

    def parameters(self, scorer: str) -> ScorerParameters:
        """What the scorer of a translator has learned."""
        return self._workers.submit(self._parameters, scorer).result()

    def score(self, states_of: DecodingTrace, scorer: str, parameters: ScorerParameters) -> DecodingTrace:
        """The states of a trace under another scorer."""
        return self._workers.submit(self._score, states_of, scorer, parameters).result()

    def _time(self, request: Request) -> float:
        seconds = []
        for _ in range(TIMED_DECODES):
            begun = time.perf_counter()
            self._decode(request)
            seconds.append(time.perf_counter() - begun)
        return statistics.median(seconds)

    def _parameters(self, scorer: str) -> ScorerParameters:
        from attention_model import by_hand

        return by_hand.scorer_parameters(self._translator(f"{PAIR}/{scorer}"))

    def _score(self, states_of: DecodingTrace, scorer: str, parameters: ScorerParameters) -> DecodingTrace:
        from attention_model import by_hand

        return by_hand.controlled_trace(states_of, scorer, parameters)

    def _decode(self, request: Request) -> Decoded:
        import torch  # which nothing before the first decoding needs

        from attention_model import decoding

        torch.set_num_threads(1)  # for this worker; more threads spin against the server's own
        translator = self._translator(f"{PAIR}/{request.scorer}")
        changed = request.intervention
        if request.decoding == "beam":
            return Decoded(
                *decoding.beam_search(translator, request.sentence, beam_size=request.beam_size, intervention=changed)
            )
        if request.decoding == "forced":
            trace = decoding.forced_decode(translator, request.sentence, request.target, intervention=changed)
        else:
            trace = decoding.greedy_decode(translator, request.sentence, intervention=changed)
        return Decoded((trace,))

    def _translator(self, name: str) -> "Translator":
        with self._loading:
            if name not in self._translators:
                from attention_model import checkpoint

                self._translators[name] = checkpoint.load_translator(name, folder=self._folder)
                # Streamlit collects garbage after every run; what stays for good need not be looked at again.
                gc.collect()
                gc.freeze()
            return self._translators[name]

    def _load_all(self) -> None:
        for scorer in SCORERS:
            try:
                self._translator(f"{PAIR}/{scorer}")
            except AttentionModelError as mistake:
                log.warning("%s", mistake)  # a visitor who asks for this scorer is told on the page
            except Exception:
                log.exception("The translator %s/%s could not be loaded", PAIR, scorer)


@st.cache_resource(show_spinner=False)
def engine(folder: Path) -> Engine:
    """The engine of this process; it loads what is asked for, and everything soon after `engine_soon`."""
    return Engine(folder)


@st.cache_resource(show_spinner=False)
def engine_soon(folder: Path = CHECKPOINTS) -> None:
    """Once a process: load the engine in the background, when the first visitor's browser has painted the first page.

    Before, the server's answers and the painting itself would have to share the processor with it.
    """
    timer = threading.Timer(FIRST_PAINT, engine(folder).warm_up)
    timer.daemon = True
    timer.start()


def decode(request: Request, folder: Path = CHECKPOINTS) -> tuple[DecodingTrace, ...]:
    """The traces that a request asks for, the best first: shipped ones where they fit, else decoded once and kept.

    Raises AttentionModelError for a sentence that cannot be read, for a change that does not fit it, and for a
    checkpoint that is missing or damaged.
    """
    return _decoded(request, folder).traces


def search_tree(request: Request, folder: Path = CHECKPOINTS) -> SearchTree | None:
    """What the beam search of a request did; None where none was made. Raises what `decode` raises."""
    return _decoded(request, folder).tree


@st.cache_resource(max_entries=KEPT_TRACES, show_spinner=False)
def _decoded(request: Request, folder: Path) -> Decoded:
    if request.decoding == "greedy" and request.intervention == UNCHANGED:
        shipped = shipped_traces(request.scorer, folder).get(request.sentence)
        if shipped is not None:
            return Decoded((shipped,))
    return engine(folder).decode(request)


@st.cache_resource(max_entries=KEPT_TRACES, show_spinner=False)
def decoding_time(request: Request, folder: Path = CHECKPOINTS) -> float:
    """How long a decoding takes here, in seconds: the median of TIMED_DECODES that are computed anew.

    Measured once a request, and true of a moment: others may be decoding at the same time. Raises what `decode` raises.
    """
    return engine(folder).time(request)


@st.cache_resource(show_spinner=False)
def scorer_parameters(scorer: str, folder: Path = CHECKPOINTS) -> ScorerParameters:
    """What a translator's scorer has learned. Raises CheckpointError for a checkpoint that is missing or damaged."""
    return engine(folder).parameters(scorer)


def controlled(
    states_of: DecodingTrace, scorer: str, *, identity: bool = False, folder: Path = CHECKPOINTS
) -> DecodingTrace:
    """The states of a trace scored by the function that another translator has learned, so that only the score differs.

    identity: take the identity for W, in the place of what the multiplicative translator has learned.
    """
    learned = scorer_parameters(scorer, folder)
    if identity:
        sizes = states_of.encoder_states.shape[1], states_of.decoder_states.shape[1]
        learned = ScorerParameters(score_weight=np.eye(*sizes, dtype=states_of.encoder_states.dtype))
    return engine(folder).score(states_of, scorer, learned)


def attend_by_hand(given: GivenStates) -> DecodingTrace:
    """The trace of a calculation by hand, computed once and kept.

    That of a ready calculation is read from a file, so that the first page needs no torch.
    Raises AttentionModelError for one that cannot be computed: a dot product of states of different sizes.
    """
    shipped = shipped_trace(given)
    return _attended(given.to_json()) if shipped is None else shipped


@st.cache_resource(max_entries=KEPT_TRACES, show_spinner=False)
def _attended(document: bytes) -> DecodingTrace:
    from attention_model import by_hand  # which loads torch, and nothing before the first calculation needs it

    return by_hand.attend_by_hand(GivenStates.from_json(document))


@st.cache_resource(show_spinner=False)
def shipped_traces(scorer: str, folder: Path = CHECKPOINTS) -> dict[str, DecodingTrace]:
    """The traces of the ready examples that lie beside a checkpoint, by sentence; empty where they cannot be read.

    That is no mistake of a visitor and stops nobody: the reason goes to the log, and the sentences are decoded.
    """
    try:
        traces = shelf.example_traces(f"{PAIR}/{scorer}", folder)
    except CheckpointError as mistake:
        log.warning("%s", mistake)
        return {}
    return {trace.source_text: trace for trace in traces if trace.source_text is not None}


def read_first_page() -> None:
    """Read from their files what the first page shows, so that the first visitor need not wait for it.

    A file that cannot be read is told to the visitors of the page that needs it.
    """
    with contextlib.suppress(CheckpointError):
        ready_examples()
        glosses()
    shipped_traces(SCORERS[0], CHECKPOINTS)


@st.cache_resource(show_spinner=False)
def ready_examples(folder: Path = CHECKPOINTS) -> tuple[Example, ...]:
    """The ready examples of the page, in order. Raises CheckpointError when their file is missing or damaged."""
    return tuple(Example(*example) for example in shelf.ready_examples(PAIR, folder))


@st.cache_resource(show_spinner=False)
def glosses(folder: Path = CHECKPOINTS) -> dict[str, str]:
    """English for the words of the ready examples' translations. Raises CheckpointError when the file is damaged."""
    return shelf.glosses(PAIR, folder)


@st.cache_resource(show_spinner=False)
def aligned_sentences(folder: Path = CHECKPOINTS) -> AlignmentSet:
    """The sentences that people aligned. Raises CheckpointError when their files are damaged."""
    return shelf.aligned_sentences(PAIR, folder)


@st.cache_resource(show_spinner=False)
def metrics(scorer: str, folder: Path = CHECKPOINTS) -> dict[str, Any]:
    """What the card of a checkpoint says of its quality. Raises CheckpointError when there is none."""
    return shelf.read_metrics(f"{PAIR}/{scorer}", folder)
