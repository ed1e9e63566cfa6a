"""What stands beside the text of a stop: a kind of live part and its state, as a stop's file says it, checked.

Each kind knows which page shows the same and the link to it. Steps and parts count from 1 here, as in links and files.
It decodes nothing and draws nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, ClassVar

from app.calculation import PARTS, link_of
from app.comparing import ATTENDING, MY_WORDS, OWN_WORDS, TRAINED
from app.inputs import RUNNING_SENTENCE, UNCHANGED, Request
from app.notation import NOTATIONS, OURS
from attention_model.errors import LessonError
from attention_model.given import GIVEN_SCORERS, GivenStates
from attention_model.preset import PRESETS, preset_under
from attention_model.trace import SCORERS

MOST_MAPS = 3
"""More maps under each other are no longer one screen."""

LARGEST_SIZE = 4096
"""Shapes are only counted, so that states may be as large as those of real models."""

SMALLEST_SHARE = 0.5
"""The least that may be left of a gradient after a step; below it everything is gone at once."""

TRANSLATE, COMPARE, BY_HAND = "translate", "compare", "by-hand"
"""The pages that show the same, by their addresses."""


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and SMALLEST_SHARE <= value <= 1


def _whole(most: int | None = None) -> Callable[[Any], bool]:
    """A whole number from 1 on, to `most` where there is a most."""
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= (most or value)


def _state(wanted: str, check: Callable[[Any], bool], **default: Any) -> Any:
    """A field of a state: what is wanted of its value, in words, and whether a value is that."""
    return field(metadata={"wanted": wanted, "check": check}, **default)


def _one_of(names: tuple[str, ...], **default: Any) -> Any:
    return _state(f"one of {', '.join(names)}", lambda value: value in names, **default)


def _step() -> Any:
    return _state("a whole number from 1 on", _whole(), default=1)


def _size() -> Any:
    return _state(f"a whole number from 1 to {LARGEST_SIZE}", _whole(LARGEST_SIZE), default=4)


def _part() -> Any:
    return _state(f"a whole number from 1 to {PARTS}", _whole(PARTS), default=None)


def _yes_or_no() -> Any:
    return _state("true or false", lambda value: isinstance(value, bool), default=False)


def _several(names: tuple[str, ...]) -> Any:
    return _state(
        f"a list of {', '.join(names)}, each at most once",
        lambda value: (
            isinstance(value, list | tuple) and bool(value) and sorted(value, key=str) == _known(value, names)
        ),
    )


def _known(value: Sequence[Any], names: tuple[str, ...]) -> list[str]:
    """Those of the names that are in a list, sorted, each once."""
    return sorted(name for name in names if name in value)


@dataclass(frozen=True)
class LiveState:
    """The state of a live part. kind: what a file calls it. page: the address of the page that shows the same."""

    kind: ClassVar[str]
    page: ClassVar[str]

    def __post_init__(self) -> None:
        """Raise LessonError for a value that makes no sense; lists become tuples."""
        for one in fields(self):
            value = getattr(self, one.name)
            if value is one.default:
                continue
            if not one.metadata["check"](value):
                raise LessonError(f"{one.name} is {_short(value)}, and {one.metadata['wanted']} is wanted. Correct it.")
            if isinstance(value, list):
                object.__setattr__(self, one.name, tuple(value))

    @property
    def link(self) -> dict[str, str]:
        """The query of the link to `page` that shows the same."""
        raise NotImplementedError


@dataclass(frozen=True)
class TranslatePlayer(LiveState):
    """The step player of a translation. target: the words to be led along; None for the model's own."""

    kind = "step player"
    page = TRANSLATE

    sentence: str = _state("a sentence", _text, default=RUNNING_SENTENCE)
    scorer: str = _one_of(SCORERS, default="dot")
    target: str | None = _state("a sentence", _text, default=None)
    step: int = _step()
    part: int | None = _part()

    @property
    def request(self) -> Request:
        """What has to be decoded."""
        return _request(self.sentence, self.scorer, self.target)

    @property
    def link(self) -> dict[str, str]:
        """The query of the link to the Translate page."""
        return _translate_link(self.sentence, self.scorer, self.target) | _place_link(self.step, self.part)


@dataclass(frozen=True)
class Calculation(LiveState):
    """The step player of a ready calculation by hand. itself: whether its states are its queries, too."""

    kind = "calculation"
    page = BY_HAND

    preset: str = _one_of(PRESETS)
    scorer: str = _one_of(GIVEN_SCORERS, default="dot")
    itself: bool = _yes_or_no()
    step: int = _step()
    part: int | None = _part()

    def __post_init__(self) -> None:
        """Raise LessonError as all kinds do, and for a step that the calculation has not."""
        super().__post_init__()
        _check_step(self.given, self.step)

    @property
    def given(self) -> GivenStates:
        """What has to be computed."""
        return preset_under(self.preset, self.scorer, itself=self.itself)

    @property
    def link(self) -> dict[str, str]:
        """The query of the link to the By hand page."""
        return _by_hand_link(self.preset, self.given, OURS, self.step, self.part)


@dataclass(frozen=True)
class WorkedLines(LiveState):
    """A step of a ready calculation, line by line. choose_notation: whether the visitor may switch the symbols."""

    kind = "worked lines"
    page = BY_HAND

    preset: str = _one_of(PRESETS)
    scorer: str = _one_of(GIVEN_SCORERS, default="dot")
    notation: str = _one_of(tuple(NOTATIONS), default=OURS)
    choose_notation: bool = _yes_or_no()
    step: int = _step()

    def __post_init__(self) -> None:
        """Raise LessonError as all kinds do, and for a step that the calculation has not."""
        super().__post_init__()
        _check_step(self.given, self.step)

    @property
    def given(self) -> GivenStates:
        """What has to be computed."""
        return preset_under(self.preset, self.scorer)

    @property
    def link(self) -> dict[str, str]:
        """The query of the link to the By hand page."""
        return _by_hand_link(self.preset, self.given, self.notation, self.step, None)


@dataclass(frozen=True)
class Comparison(LiveState):
    """Several trained models on one sentence, side by side.

    target: the words that all are led along. step: None for the last one, so that all maps are whole.
    """

    kind = "comparison"
    page = COMPARE

    scorers: tuple[str, ...] = _several(SCORERS)
    sentence: str = _state("a sentence", _text, default=RUNNING_SENTENCE)
    target: str | None = _state("a sentence", _text, default=None)
    step: int | None = _state("a whole number from 1 on", _whole(), default=None)

    @property
    def requests(self) -> tuple[Request, ...]:
        """What has to be decoded."""
        return tuple(_request(self.sentence, scorer, self.target) for scorer in self.scorers)

    @property
    def link(self) -> dict[str, str]:
        """The query of the link to the Compare page, which always has the three scorers."""
        along = {} if self.target is None else {"along": MY_WORDS, "target": self.target}
        return _compare_link(self.sentence, "none" in self.scorers) | along | _place_link(self.step, None)


@dataclass(frozen=True)
class Bottleneck(LiveState):
    """A model with attention beside the one without, on the visitor's sentence, and their quality by length.

    sentences: ready ones to choose from; the first is shown.
    """

    kind = "bottleneck"
    page = COMPARE

    sentences: tuple[str, ...] = _state(
        "a list of sentences", lambda value: isinstance(value, list | tuple) and bool(value) and all(map(_text, value))
    )
    scorer: str = _one_of(ATTENDING, default="dot")

    @property
    def sentence(self) -> str:
        """The sentence that is shown at first."""
        return self.sentences[0]

    def for_sentence(self, sentence: str) -> tuple[Request, ...]:
        """What has to be decoded."""
        return Request(sentence, self.scorer), Request(sentence, "none")

    @property
    def link(self) -> dict[str, str]:
        """The query of the link to the Compare page."""
        return _compare_link(self.sentence, with_none=True)


@dataclass(frozen=True)
class MapState:
    """One map: of a ready calculation, or of a trained model on a sentence, with a person's links on it or without."""

    preset: str | None = None
    sentence: str | None = None
    scorer: str = "dot"
    person: bool = False

    def __post_init__(self) -> None:
        """Raise LessonError for a value that makes no sense."""
        if (self.preset is None) == (self.sentence is None):
            raise LessonError("A map has a preset and no sentence, or a sentence and no preset. Give it one of them.")
        if self.preset is not None:
            Calculation(self.preset, self.scorer)
        else:
            TranslatePlayer(self.sentence, self.scorer)
            if self.scorer not in ATTENDING:
                raise LessonError(
                    f"scorer is {_short(self.scorer)}, which has no map. One of {', '.join(ATTENDING)} is wanted."
                )
        if not isinstance(self.person, bool) or (self.person and self.preset is not None):
            raise LessonError(
                f"person is {_short(self.person)}, and true or false is wanted, true with a sentence only."
            )

    @property
    def shown(self) -> TranslatePlayer | Calculation:
        """What the map is a map of."""
        if self.preset is not None:
            return Calculation(self.preset, self.scorer)
        return TranslatePlayer(self.sentence, self.scorer)


@dataclass(frozen=True)
class Maps(LiveState):
    """Maps under each other, each with its sentences."""

    kind = "maps"

    maps: tuple[MapState, ...] = _state(
        f"a list of 1 to {MOST_MAPS} maps",
        lambda value: isinstance(value, list | tuple) and 1 <= len(value) <= MOST_MAPS,
    )

    def __post_init__(self) -> None:
        """Raise LessonError as all kinds do, and for a map that makes no sense."""
        super().__post_init__()
        maps = tuple(one if isinstance(one, MapState) else _made(MapState, one, "a map") for one in self.maps)
        object.__setattr__(self, "maps", maps)

    @property
    def page(self) -> str:
        """The page of the last map: what is trained comes after what is made by hand."""
        return self.maps[-1].shown.page

    @property
    def link(self) -> dict[str, str]:
        """The query of the link to the page of the last map."""
        return self.maps[-1].shown.link


@dataclass(frozen=True)
class OwnSentence(LiveState):
    """A live part that counts something of the visitor's sentence. sentence: the one that stands there at first."""

    sentence: str = _state("a sentence", _text, default=RUNNING_SENTENCE)
    scorer: str = _one_of(ATTENDING, default="dot")

    @property
    def request(self) -> Request:
        """What has to be decoded at first."""
        return Request(self.sentence, self.scorer)


@dataclass(frozen=True)
class Cost(OwnSentence):
    """How many scores the visitor's sentence takes: n, m and their product."""

    kind = "cost"
    page = COMPARE

    @property
    def link(self) -> dict[str, str]:
        """The query of the link to the Compare page, whose table counts the scores."""
        return _compare_link(self.sentence, with_none=False)


@dataclass(frozen=True)
class Paths(OwnSentence):
    """How many steps lie between an output word and each source word. share: what is left of a gradient a step."""

    kind = "paths"
    page = TRANSLATE

    share: float = _state(f"a number from {SMALLEST_SHARE} to 1", _is_share, default=0.9)

    @property
    def link(self) -> dict[str, str]:
        """The query of the link to the Translate page."""
        return _translate_link(self.sentence, self.scorer, None)


@dataclass(frozen=True)
class ScorerSizes(LiveState):
    """What each scorer needs for states of these sizes; the visitor may change them."""

    kind = "scorer sizes"
    page = BY_HAND

    d_h: int = _size()
    d_s: int = _size()
    k: int = _size()

    @property
    def link(self) -> dict[str, str]:
        """The query of the link to the By hand page, on which the scorers can be tried."""
        return {}


KINDS: dict[str, type[LiveState]] = {
    one.kind: one
    for one in (
        TranslatePlayer,
        Calculation,
        WorkedLines,
        Comparison,
        Bottleneck,
        Maps,
        Cost,
        Paths,
        ScorerSizes,
    )
}


def live_state(document: dict[str, Any]) -> LiveState:
    """The live part that the table `[live]` of a stop's file describes.

    Raises LessonError for an unknown kind, for a part of the state that the kind has not or lacks, and for a value that
    makes no sense.
    """
    rest = dict(document)
    kind = rest.pop("kind", None)
    if kind not in tuple(KINDS):
        raise LessonError(f"The kind of the live part is {_short(kind)}, and one of {', '.join(KINDS)} is wanted.")
    return _made(KINDS[kind], rest, f"a live part of the kind “{kind}”")


def _made(state: type[Any], document: Any, called: str) -> Any:
    """The dataclass filled from a table of a file."""
    if not isinstance(document, dict):
        raise LessonError(f"{_short(document)} stands where a table is wanted. Describe {called} there.")
    known = {one.name: one.default for one in fields(state)}
    unknown = sorted(set(document) - set(known))
    if unknown:
        raise LessonError(f"{_short(unknown[0])} is no part of {called}, which has {', '.join(known)}. Take it away.")
    missing = [name for name, default in known.items() if default is MISSING and name not in document]
    if missing:
        raise LessonError(f"{missing[0]} is not given, and {called} needs it. Add it.")
    return state(**document)


def _request(sentence: str, scorer: str, target: str | None) -> Request:
    if target is None:
        return Request(sentence, scorer)
    return Request(sentence, scorer, "forced", target=target, intervention=UNCHANGED)


def _translate_link(sentence: str, scorer: str, target: str | None) -> dict[str, str]:
    """With what is the default elsewhere written out, so that the page does not keep what it had before."""
    along = {"decoding": "greedy"} if target is None else {"decoding": "own translation", "target": target}
    return {"sentence": sentence, "scorer": scorer} | along


def _compare_link(sentence: str, with_none: bool) -> dict[str, str]:
    """With what is the default elsewhere written out, so that the page does not keep what it had before."""
    return {"kind": TRAINED, "sentence": sentence, "along": OWN_WORDS, "none": str(with_none).lower()}


def _by_hand_link(start: str, given: GivenStates, notation: str, step: int, part: int | None) -> dict[str, str]:
    """The step always stands in it: a link that says nothing would leave the page as it was."""
    return {"step": str(step)} | link_of(start, given, notation, step - 1, None if part is None else part - 1)


def _place_link(step: int | None, part: int | None) -> dict[str, str]:
    place = {"step": step, "part": part}
    return {name: str(number) for name, number in place.items() if number is not None}


def _check_step(given: GivenStates, step: int) -> None:
    steps = len(given.target_tokens)
    if step > steps:
        raise LessonError(f"step is {step}, and the calculation has {steps}. Give a number from 1 to {steps}.")


def _short(value: Any) -> str:
    """A value as its author would know it, never long."""
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:59] + "…"
