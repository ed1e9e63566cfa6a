"""Small notes about a trace, as safe Markdown or HTML: unknown words, sentences far from training, sentences in a list.

They say what `analysis` finds; nothing is computed here.
"""

import html
import unicodedata
from collections.abc import Sequence

from app.components.step_player import WORD_MARK
from app.components.text import chinese, plain
from attention_model import analysis
from attention_model.trace import END_TOKEN, UNKNOWN_PIECE, DecodingTrace


def unknown_word_lines(trace: DecodingTrace) -> tuple[str, ...]:
    """For each unknown word a line of Markdown: the word, and what the model saw in its place. Each word once."""
    words = analysis.source_words(trace)
    lines = []
    for word in analysis.unknown_words(trace):
        inside = [position for position, of in enumerate(trace.source_word_ids) if of == word]
        missing = ", ".join(f"“{plain(trace.source_tokens[i])}”" for i in inside if not trace.source_known[i])
        seen = " + ".join(
            "*unknown*" if trace.source_pieces[i] == UNKNOWN_PIECE else f"“{plain(trace.source_pieces[i])}”"
            for i in inside
        )
        lines.append(f"**{plain(words[word])}**: the model has never met {missing}. In its place it saw {seen}.")
    return tuple(dict.fromkeys(lines))


def far_lines(trace: DecodingTrace) -> tuple[str, ...]:
    """Why the sentence is unlike the short everyday sentences of training; unknown words have lines of their own."""
    lines = [plain(note.text) for note in analysis.far_from_training(trace) if note.reason != "unknown"]
    script = _other_script(trace.source_text or "")
    if script:
        lines.insert(0, f"The box is for English, and this is mostly {script}.")
    followed = _script(trace.translation) if trace.decoding == "forced" else None
    if followed not in (None, "Chinese"):
        lines.append(f"Your translation is mostly {followed}, and the models write Chinese.")
    return tuple(lines)


def sentence_list(trace: DecodingTrace, written: Sequence[str] | None = None) -> str:
    """Where each step looks, as an HTML list for reading, aloud too. written: each target token as safe HTML."""
    written = written or tuple(map(chinese, trace.target_tokens))
    items = "".join(f"<li>{_item(trace, t, written[t])}</li>" for t in range(len(trace.target_tokens)))
    return f'<ol class="sentences">{items}</ol>'


def _item(trace: DecodingTrace, t: int, written: str) -> str:
    sentence, token = analysis.describe_step(trace, t, WORD_MARK), trace.target_tokens[t]
    start = ""
    if token != END_TOKEN:
        start, sentence = written, sentence.removeprefix(token)
    parts = html.escape(sentence).split(WORD_MARK)
    return start + "".join(f"<b>{part}</b>" if at % 2 else part for at, part in enumerate(parts)) + "."


def _other_script(text: str) -> str | None:
    """The writing system of a text where it is not the Latin one, named for people."""
    script = _script(text)
    return None if script == "Latin script" else script


def _script(text: str) -> str | None:
    """The writing system of most letters of a text, named for people; None where there is no letter."""
    names = [unicodedata.name(character, "UNKNOWN").split()[0] for character in text if character.isalpha()]
    if not names:
        return None
    if 2 * names.count("LATIN") >= len(names):
        return "Latin script"
    most = max(set(names), key=names.count)
    return "Chinese" if most == "CJK" else f"{most.capitalize()} script"
