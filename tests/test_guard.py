"""What goes wrong becomes a calm sentence: people's mistakes in their own words, bugs in the log."""

import logging

from streamlit.testing.v1 import AppTest

from app.guard import BUG_NOTICE, guarded


def mistaken_page():
    import streamlit as st

    from app.guard import guarded
    from attention_model.errors import TextError

    @guarded
    def view():
        raise TextError("There is no word in “*stars* <b>& tags</b>”.")

    view()
    st.markdown("The rest of the page")


def broken_page():
    import streamlit as st

    from app.guard import guarded

    @guarded
    def view():
        raise ZeroDivisionError("a secret detail")

    view()
    st.markdown("The rest of the page")


def broken_fragment_page():
    import streamlit as st

    from app.guard import guarded

    @st.fragment
    @guarded
    def fragment():
        if st.button("Break", key="break"):
            raise ZeroDivisionError("a secret detail")

    fragment()


def broken_callback_page():
    import streamlit as st

    from app.guard import guarded

    @guarded
    def callback():
        raise ZeroDivisionError("a secret detail")

    st.button("Break", key="break", on_click=callback)


def stopped_page():
    import streamlit as st

    from app.guard import guarded

    @guarded
    def view():
        st.stop()

    view()
    st.markdown("Never reached")


def test_a_mistake_is_shown_as_text_and_the_page_goes_on():
    page = AppTest.from_function(mistaken_page, default_timeout=60).run()
    assert page.warning[0].value == r"There is no word in “\*stars\* \<b\>\& tags\<\/b\>”\."
    assert page.markdown[0].value == "The rest of the page"
    assert not page.exception
    assert not page.error


def test_a_bug_goes_whole_to_the_log_and_not_to_the_page(caplog):
    with caplog.at_level(logging.ERROR, logger="app.guard"):
        page = AppTest.from_function(broken_page, default_timeout=60).run()
    assert [error.value for error in page.error] == [BUG_NOTICE]
    assert page.markdown[0].value == "The rest of the page"
    assert not page.exception
    assert "a secret detail" in caplog.text
    assert "Traceback" in caplog.text


def test_a_bug_in_a_fragment_s_rerun_is_caught():
    page = AppTest.from_function(broken_fragment_page, default_timeout=60).run()
    page.button(key="break").click().run()
    assert [error.value for error in page.error] == [BUG_NOTICE]
    assert not page.exception


def test_a_bug_in_a_callback_is_caught():
    page = AppTest.from_function(broken_callback_page, default_timeout=60).run()
    page.button(key="break").click().run()
    assert [error.value for error in page.error] == [BUG_NOTICE]
    assert not page.exception


def test_stopping_a_page_is_not_a_bug():
    page = AppTest.from_function(stopped_page, default_timeout=60).run()
    assert not page.error
    assert not page.markdown


def test_a_guarded_function_returns_what_it_returned():
    @guarded
    def add(one: int, other: int) -> int:
        """Adds."""
        return one + other

    assert add(2, other=3) == 5
    assert add.__name__ == "add"
