"""The script of a component as a file: its name, its content, and the few lines of JavaScript that load it.

Streamlit sends a component's script again with each new content, and for a player it is twice as long as the trace
itself. So Streamlit is given only a loader; the script comes once, and browsers keep it. Knows no component.
"""

import hashlib
from typing import NamedTuple, Self

FOLDER = "scripts"
"""Under this address, below that of the pages, the server has the scripts."""

LOADER = """const loading = import(new URL("{address}", document.baseURI).href);

export default function mount(component) {{
  let isWanted = true;
  let leave = () => {{}};
  loading.then((script) => {{
    if (isWanted) {{
      leave = script.default(component);
    }}
  }});
  return () => {{
    isWanted = false;
    leave();
  }};
}}
"""


class Script(NamedTuple):
    """A JavaScript module whose default export mounts a component. file: its name, which changes with its content."""

    file: str
    content: bytes

    @classmethod
    def of(cls, name: str, source: str) -> Self:
        """The script of a component; `name` is the part of the file's name that people read."""
        content = source.encode()
        return cls(f"{name}.{hashlib.blake2b(content, digest_size=8).hexdigest()}.js", content)

    def loader(self) -> str:
        """A module that mounts what the file mounts, as soon as it has come."""
        return LOADER.format(address=f"{FOLDER}/{self.file}")
