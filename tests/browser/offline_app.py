"""Runs `streamlit` with the arguments given, as a process that cannot reach another machine."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from streamlit.web.cli import main

from tests.offline import stay_on_this_machine

stay_on_this_machine()
main()
