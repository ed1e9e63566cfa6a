"""One place where what goes wrong becomes a calm sentence: a decorator for every view, fragment and callback.

A person's mistake (AttentionModelError) is shown in its own words. Anything else is a bug: it goes whole to the log,
and the page says only that something went wrong. It knows no view.
"""

import functools
import logging
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import streamlit as st

from app.components.text import plain
from attention_model.errors import AttentionModelError

BUG_NOTICE = (
    "Something went wrong here, and it is not your mistake. The details are in the server's log. "
    "Change the sentence or reload the page to go on."
)

log = logging.getLogger(__name__)

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def guarded(function: Callable[Parameters, Result]) -> Callable[Parameters, Result | None]:
    """The function, which shows a sentence and returns None where it would have raised.

    It must stand inside `st.fragment`, because an exception in a fragment's own rerun never reaches the page around it.
    """

    @functools.wraps(function)
    def wrapper(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result | None:
        try:
            return function(*args, **kwargs)
        except AttentionModelError as mistake:
            show_mistake(mistake)
        except Exception:
            log.exception("A bug in %s", function.__qualname__)
            st.error(BUG_NOTICE, icon=":material/build:")
        return None

    return wrapper


def show_mistake(mistake: AttentionModelError) -> None:
    """Show the sentence of a person's mistake, as plain text: it may quote what the person typed."""
    st.warning(plain(str(mistake)), icon=":material/info:")
