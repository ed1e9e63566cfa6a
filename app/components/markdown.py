"""Markdown from files as safe HTML: HTML in it is shown as written, no picture is fetched, Chinese is marked as such.

It knows nothing of pages. The same HTML serves a page and a file that is taken home.
"""

from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from app.components.text import with_language


def markdown_html(text: str) -> str:
    """The HTML of a text in CommonMark with tables. Only links with harmless addresses become links."""
    return _MARKDOWN.render(text)


def line_html(text: str) -> str:
    """The HTML of one line, to stand in an element of its own."""
    return _MARKDOWN.renderInline(text)


def _text(_: RendererHTML, tokens: Sequence[Token], at: int, __: OptionsDict, ___: EnvType) -> str:
    return with_language(tokens[at].content)


_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
_MARKDOWN.add_render_rule("text", _text)
