"""The project's own source files, for the tests that read code instead of running it."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("app", "attention_model")


def python_files(*folders):
    """Every Python file under these folders of the project, sorted."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def module_name(path):
    """`app/views/translate.py` -> `app.views.translate`; a package's `__init__.py` bears the package's name."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def module_names(*folders):
    """The names of all modules under these folders."""
    return [module_name(path) for path in python_files(*folders)]


def parse(path):
    """The syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def imported_modules(path):
    """The modules that a file imports anywhere in it, inside functions too; `from a import b` gives a.b if b is one."""
    known = set(module_names(*PACKAGES))
    found = set()
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            inner = {f"{base}.{alias.name}" for alias in node.names}
            found |= inner & known
            if inner - known:
                found.add(base)
    return found
