"""What every test shares."""

import jaxtyping
from hypothesis import settings

from tests import shapes
from tests.offline import stay_on_this_machine

# Before anything of the engine is imported: from here on the shapes that its signatures promise are checked.
jaxtyping.install_import_hook("attention_model", f"{shapes.__name__}.check")
stay_on_this_machine()

# A busy machine must not fail a property that holds: no time limit a case.
settings.register_profile("glanceback", deadline=None)
settings.load_profile("glanceback")
