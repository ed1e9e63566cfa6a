"""Runs `streamlit` with the arguments given, as a process that cannot reach another machine."""

from streamlit.web.cli import main

from tests.offline import stay_on_this_machine

stay_on_this_machine()
main()
