"""A component's script is a file of the server, under a name that changes with its content."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.requests import Request

from app import main
from app.components import comparison_player, plot_picture, step_player
from app.components.scripts import FOLDER, Script
from tests.sources import imported_modules
from tests.test_layers import loaded_after_importing


def answer(file):
    """What the server answers; asked in a thread of its own, since a browser test may have left an event loop here."""
    question = main.component_script(Request({"type": "http", "path_params": {"file": file}}))
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, question).result()


def test_a_script_is_named_by_its_content():
    one, same, other = Script.of("player", "1;"), Script.of("player", "1;"), Script.of("player", "2;")
    assert one == same
    assert one.file != other.file
    assert re.fullmatch(r"player\.[0-9a-f]{16}\.js", one.file)


def test_a_loader_names_the_file_below_the_pages_own_address():
    script = Script.of("player", "1;")
    assert f'new URL("{FOLDER}/{script.file}", document.baseURI)' in script.loader()
    assert f"/{FOLDER}/{{file}}" in [route.path for route in main.app._user_routes]


COMPONENTS = [
    (step_player.SCRIPT, step_player.player_script),
    (comparison_player.SCRIPT, comparison_player.comparison_script),
    (plot_picture.SCRIPT, plot_picture.plot_picture_script),
]


@pytest.mark.parametrize(("script", "source"), COMPONENTS, ids=lambda one: getattr(one, "file", ""))
def test_the_server_has_the_script_of_every_component(script, source):
    found = answer(script.file)
    assert found.status_code == 200
    assert found.body == source().encode()
    assert found.headers["content-type"].startswith("text/javascript")
    assert "immutable" in found.headers["cache-control"]


def test_another_name_is_not_found():
    assert answer("../../pyproject.toml").status_code == 404


def test_all_that_the_pages_import_is_imported_before_the_first_visitor():
    loaded = loaded_after_importing(list(main.FIRST_RUN))
    imported = {name for name in imported_modules(main.PAGES) if name.startswith("app")}
    assert imported <= loaded
    assert set(main.FIRST_RUN) <= {*imported, "app.lesson"}
