"""The app as a server: Streamlit, the scripts of our components as files, and a first page that is quickly there.

What the first page needs is imported while the first visitor's browser still reads Streamlit's own scripts.

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

FIRST_PAGE = ("app.views.translate", "app.resources")
"""What `pages.py` imports at its first run, which no visitor need wait for."""

A_YEAR = 31_536_000
"""In seconds; a script's address names its content, so it may be kept as long."""


@asynccontextmanager
async def ready_for_visitors(_: App) -> AsyncIterator[None]:
    """Import what the first page needs, beside the server's own start."""
    threading.Thread(target=_import_first_page, name="import", daemon=True).start()
    yield


def _import_first_page() -> None:
    for name in FIRST_PAGE:
        importlib.import_module(name)


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
    from app.components import comparison_player, step_player  # not before the server has started

    return dict([step_player.SCRIPT, comparison_player.SCRIPT])


app = App(PAGES, lifespan=ready_for_visitors, routes=[Route("/scripts/{file}", component_script)])
