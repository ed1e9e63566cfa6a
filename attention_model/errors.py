"""The mistakes a person can make, as exceptions whose text can be shown to that person.

Each message says what is wrong, the value found, the value wanted and what to do. Anything else that goes wrong is a
bug and is not caught under this name.
"""


class AttentionModelError(Exception):
    """A person's mistake; its text is a sentence for that person."""


class TextError(AttentionModelError):
    """A sentence that cannot be read: empty, too long, without a single word."""


class CheckpointError(AttentionModelError):
    """A checkpoint that is missing, damaged or unknown."""


class ConfigError(AttentionModelError):
    """A configuration whose values cannot work together."""


class InterventionError(AttentionModelError):
    """A change to a decoding step that does not fit the step."""


class MissingStepError(InterventionError):
    """A change to a decoding step that does not exist. step: from 0. length: how many steps there are."""

    def __init__(self, text: str, step: int, length: int) -> None:
        super().__init__(text)
        self.step = step
        self.length = length


class WhatIfError(AttentionModelError):
    """A list of changes, or one of them, that cannot be read or does not fit the sentence."""


class DecodingError(AttentionModelError):
    """A request for a decoding that cannot be done: a beam of no width, a target that is too long."""


class DataError(AttentionModelError):
    """A file of sentence pairs or alignments that cannot be read as such."""


class TraceError(AttentionModelError):
    """A trace, or a file holding one, whose parts do not fit together."""


class MergeError(AttentionModelError):
    """Neighbours that cannot be joined to one row or column of a map: they overlap, leave a gap or do not exist."""


class GivenError(AttentionModelError):
    """A calculation by hand that cannot be computed with: a number out of range, tables that do not fit together."""


class AnswerError(AttentionModelError):
    """An answer to an exercise or a question that cannot be read: empty, letters, a division by 0."""


class QuizError(AttentionModelError):
    """A file of questions that cannot be asked: damaged, a part missing, a name used twice."""


class ProgressError(AttentionModelError):
    """A file of saved progress that cannot be opened: damaged, of another kind, from another version."""


class LessonError(AttentionModelError):
    """A stop of the lesson whose file cannot be read as one, or a link to a stop that does not exist."""


class LectureError(AttentionModelError):
    """A lecture, or a link for one, that cannot be opened: damaged, of another version, to an unknown page or place."""
