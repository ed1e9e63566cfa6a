"""Text from people, made safe to stand in Streamlit's Markdown or in HTML, and the words of the pages.

It knows nothing of traces.
"""

import html
import re
from functools import cache
from pathlib import Path

PROSE = Path(__file__).parent.parent / "prose"

# Everything that CommonMark, Streamlit's own directives (:red[…], :material/…:), mathematics and HTML give a meaning.
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:@&=/^\"'])")
_SPACE = re.compile(r"\s+")
_CHINESE = re.compile("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+")
# Streamlit turns these into arrows, dashes and links even when they are escaped; an invisible joiner keeps them apart.
_RUNS = re.compile(r"(?<=[-<>=~])(?=[-<>=])|(?<=www)(?=\.)|(?<=:)(?=//)|(?=@)", re.IGNORECASE)
WORD_JOINER = "\u2060"


def plain(text: str) -> str:
    """The text as Markdown that shows these characters as they are, on one line, and is never a link or a picture."""
    return _MARKDOWN.sub(r"\\\1", _RUNS.sub(WORD_JOINER, _SPACE.sub(" ", text).strip()))


def chinese(text: str) -> str:
    """The text as an HTML span that says it is Traditional Chinese, so that readers and fonts choose right."""
    return f'<span lang="zh-Hant">{html.escape(text)}</span>'


def with_language(text: str) -> str:
    """The text as HTML, every run of Chinese in it marked as such."""
    return _CHINESE.sub(lambda run: chinese(run.group()), html.escape(text))


@cache
def prose(name: str) -> dict[str, str]:
    """The words of one page: each `## key` heading of `prose/<name>.md`, with the Markdown below it."""
    sections = re.split(r"^## +(.+)$", (PROSE / f"{name}.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {key.strip(): body.strip() for key, body in zip(sections[1::2], sections[2::2], strict=True)}
