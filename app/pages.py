"""The app's table of contents: the look of every page, and which pages there are."""

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from app import resources
from app.guard import guarded
from app.lesson import stops
from app.live import Sources
from app.views import by_hand, compare, learn, translate

HERE = Path(__file__).parent

# A Material icon here would be fetched from another machine.
st.set_page_config(page_title="Glanceback", page_icon=str(HERE / "icon.svg"), layout="wide")
st.html(HERE / "page.css")


@guarded
def translate_page() -> None:
    """The Translate page on the trained models."""
    examples = guarded(resources.ready_examples)()  # without them the page says so and works all the same
    glosses = guarded(resources.glosses)()
    translate.render(resources.decode, examples or (), resources.search_tree, glosses or {})


@guarded
def compare_page() -> None:
    """The Compare page on the trained models."""
    sources = compare.Sources(
        decode=resources.decode,
        controlled=resources.controlled,
        attend_by_hand=resources.attend_by_hand,
        parameters=resources.scorer_parameters,
        decoding_time=resources.decoding_time,
        metrics=resources.metrics,
        aligned=guarded(resources.aligned_sentences)() or (),
    )
    compare.render(sources, guarded(resources.ready_examples)() or ())


@guarded
def by_hand_page() -> None:
    """The By hand page on the scorers of the trained models."""
    by_hand.render(resources.attend_by_hand)


@guarded
def learn_page() -> None:
    """The Learn page: the lesson, its live parts on the trained models."""
    sources = Sources(
        decode=resources.decode,
        attend_by_hand=resources.attend_by_hand,
        metrics=resources.metrics,
        open_page=open_page,
        aligned=guarded(resources.aligned_sentences)() or (),
    )
    learn.render(stops(), sources, open_stop)


def open_page(address: str, query: Mapping[str, str]) -> None:
    """Draw a link to a page in a state."""
    title = SHOWN_ELSEWHERE[address].title
    st.page_link(
        SHOWN_ELSEWHERE[address],
        label=f"Open this on the {title} page",
        icon=":material/open_in_new:",
        query_params=query,
    )


def open_stop(label: str, stop: str | None, icon: str) -> None:
    """Draw a link to a stop of the lesson; without one it leads nowhere."""
    query = None if stop is None else {"stop": stop}
    st.page_link(LEARN, label=label, icon=icon, query_params=query, disabled=stop is None)


LEARN = st.Page(learn_page, title=learn.TITLE, icon=learn.ICON, url_path="learn")
# The pages to which live parts of the lesson lead, by their addresses.
SHOWN_ELSEWHERE = {
    "translate": st.Page(
        translate_page, title=translate.TITLE, icon=translate.ICON, url_path="translate", default=True
    ),
    "compare": st.Page(compare_page, title=compare.TITLE, icon=compare.ICON, url_path="compare"),
    "by-hand": st.Page(by_hand_page, title=by_hand.TITLE, icon=by_hand.ICON, url_path="by-hand"),
}

st.navigation(
    [
        *SHOWN_ELSEWHERE.values(),
        LEARN,
    ],
    position="top",
).run()
# Last, so that loading the translators takes no time from the first page.
resources.engine_soon()
