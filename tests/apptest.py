"""A page in Streamlit's AppTest, which has no browser: run it, press its buttons."""


def run(at):
    """The page after a run that raised nothing and said no bug."""
    at.run()
    assert not at.exception
    assert not at.error
    return at


def click(at, key):
    """The page after the button with this key was pressed."""
    at.button(key=key).click()
    return run(at)
