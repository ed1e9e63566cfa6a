"""What every test shares."""

import jaxtyping

from tests import shapes
from tests.offline import stay_on_this_machine

# Before anything of the engine is imported: from here on the shapes that its signatures promise are checked.
jaxtyping.install_import_hook("attention_model", f"{shapes.__name__}.check")
stay_on_this_machine()
