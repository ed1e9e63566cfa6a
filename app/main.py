"""The app as a server: Streamlit, our scripts and our Chinese font as files, and a first page that is quickly there.

What the first page needs is imported and read while the first visitor's browser still reads Streamlit's own scripts.

It draws nothing: `pages.py` is what runs for each visitor.
"""

import functools
import importlib
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from streamlit.starlette import App

PAGES = Path(__file__).parent / "pages.py"

FIRST_RUN = (
    "app.views.translate",
    "app.resources",
    "app.presenting",
    "app.opened_link",
    "app.arriving",
    "app.components.page_link",
    "app.lesson",
    "app.live",
    "app.views.compare",
    "app.views.by_hand",
    "app.views.learn",
    "app.views.practice",
    "app.views.quiz",
    "app.views.lecture",
    "app.offline",
)
"""What `pages.py` imports when it runs for the first time, what the first page shows first."""

A_YEAR = 31_536_000
"""In seconds; a script's address names its content, so it may be kept as long."""

A_DAY = 86_400
"""In seconds; the font is another one after an update of the app, perhaps."""

MOST_CHARACTERS = 1_000
"""More than any picture has, and little work for the server."""


@asynccontextmanager
async def ready_for_visitors(_: App) -> AsyncIterator[None]:
    """Import and read what the first page needs, beside the server's own start."""
    threading.Thread(target=_prepare_first_page, name="prepare", daemon=True).start()
    yield


def _prepare_first_page() -> None:
    modules = [importlib.import_module(name) for name in FIRST_RUN]
    modules[FIRST_RUN.index("app.resources")].read_first_page()


async def component_script(request: Request) -> Response:
    """The script of a component, by the name of its file."""
    content = _component_scripts().get(request.path_params["file"])
    if content is None:
        return Response("There is no such script.", 404)
    headers = {"Cache-Control": f"public, max-age={A_YEAR}, immutable", "X-Content-Type-Options": "nosniff"}
    return Response(content, media_type="text/javascript", headers=headers)


@functools.cache
def _component_scripts() -> dict[str, bytes]:
    """The scripts of all components, by their files' names."""
    from app.components import (  # not before the server has started
        comparison_player,
        plot_picture,
        presenter,
        step_player,
    )

    return dict([step_player.SCRIPT, comparison_player.SCRIPT, plot_picture.SCRIPT, presenter.SCRIPT])


def chinese_font(request: Request) -> Response:
    """The Chinese font, or with `?characters=…` only the glyphs of these; Starlette runs it beside the event loop."""
    from app.chinese_font import FILE, glyphs_of

    characters = request.query_params.get("characters")
    if characters is not None and len(characters) > MOST_CHARACTERS:
        return Response(f"At most {MOST_CHARACTERS} characters can be asked for at once.", 400)
    glyphs = FILE.read_bytes() if characters is None else glyphs_of(characters)
    if glyphs is None:
        return Response("The font has none of these characters.", 404)
    headers = {"Cache-Control": f"public, max-age={A_DAY}", "X-Content-Type-Options": "nosniff"}
    return Response(glyphs, media_type="font/woff", headers=headers)


ROUTES = [Route("/scripts/{file}", component_script), Route("/fonts/chinese.woff", chinese_font)]

app = App(PAGES, lifespan=ready_for_visitors, routes=ROUTES)
