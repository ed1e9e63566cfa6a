"""Who may import whom. The front end runs on a trace alone; the engine knows nothing of the front end."""

import graphlib
import json
import subprocess
import sys

import pytest

from tests.sources import PACKAGES, ROOT, imported_modules, module_name, module_names, python_files

# The engine from the bottom up: a module may use those of its own row and of the rows before it.
ENGINE = (
    {"errors", "trace", "config"},
    {
        "agreement",
        "alignments",
        "analysis",
        "arithmetic",
        "chinese",
        "comparison",
        "given",
        "merging",
        "preset",
        "search_tree",
        "shelf",
    },
    {"data", "tokenizer"},
    {"dropout", "attention", "encoder", "decoder"},
    {"model"},
    {"decoding", "plan", "checkpoint"},
    {"by_hand"},
    {"evaluation"},
    {"training", "card"},
    {"__main__"},
)

# What the front end may know of the engine without loading torch.
LIGHT = {
    "attention_model.agreement",
    "attention_model.alignments",
    "attention_model.analysis",
    "attention_model.arithmetic",
    "attention_model.chinese",
    "attention_model.comparison",
    "attention_model.errors",
    "attention_model.given",
    "attention_model.merging",
    "attention_model.preset",
    "attention_model.search_tree",
    "attention_model.trace",
}

# For each part of the front end, what it may use of the project.
FRONT_END = {
    "app.theme": set(),
    "app.notation": set(),
    "app.drawing": set(),
    "app.chinese_font": {"app.theme"},
    "app.guard": {"app.components", "attention_model.errors"},
    "app.figures": {"app.figures", "app.theme", *LIGHT},
    "app.tables": LIGHT,
    "app.number_tables": LIGHT,
    "app.listings": LIGHT,
    "app.calculation": {"app.notation", *LIGHT},
    "app.calculating": {
        "app.calculation",
        "app.components",
        "app.drawing",
        "app.guard",
        "app.notation",
        "app.number_tables",
        *LIGHT,
    },
    "app.whatif": LIGHT,
    "app.exports": {"app.tables", "app.theme", *LIGHT},
    "app.components": {
        "app.components",
        "app.figures",
        "app.theme",
        "app.notation",
        "app.guard",
        "app.exports",
        "app.chinese_font",
        *LIGHT,
    },
    "app.inputs": {"app.components", "app.drawing", "app.figures", "app.theme", "app.guard", *LIGHT},
    "app.comparing": {"app.components", "app.inputs", *LIGHT},
    "app.compared": {"app.comparing", "app.components", "app.inputs", *LIGHT},
    "app.viewing": {"app.components", *LIGHT},
    "app.live_state": {"app.calculation", "app.comparing", "app.inputs", "app.notation", *LIGHT},
    "app.lesson": {"app.live_state", *LIGHT},
    "app.opened_link": set(),
    "app.arriving": {"app.calculating", "app.inputs", "app.opened_link"},
    "app.addresses": set(),
    "app.naming": {"app.lesson", "app.whatif", *LIGHT},
    "app.lecture": {"app.naming", *LIGHT},
    "app.presenting": {
        "app.addresses",
        "app.components",
        "app.drawing",
        "app.guard",
        "app.lecture",
        "app.lesson",
        *LIGHT,
    },
    "app.live": {"app.components", "app.guard", "app.inputs", "app.live_state", "app.notation", *LIGHT},
    "app.handout": {"app.chinese_font", "app.components", "app.theme", *LIGHT},
    "app.offline": {
        "app.calculation",
        "app.changing",
        "app.compared",
        "app.comparing",
        "app.components",
        "app.inputs",
        "app.lecture",
        "app.lesson",
        "app.live",
        "app.live_state",
        "app.notation",
        "app.viewing",
        "app.whatif",
        *LIGHT,
    },
    "app.changing": {"app.components", "app.guard", "app.inputs", "app.whatif", *LIGHT},
    "app.answers": LIGHT,
    "app.exercises": {"app.answers", *LIGHT},
    "app.quiz": {"app.answers", "app.lesson", *LIGHT},
    "app.progress": {"app.exercises", "app.quiz", *LIGHT},
    "app.predicting": {"app.answers", "app.progress", *LIGHT},
    "app.practising": {"app.components", "app.exercises", "app.guard", "app.progress", *LIGHT},
    "app.forms": {
        "app.handout",
        "app.components",
        "app.changing",
        "app.viewing",
        "app.figures",
        "app.guard",
        "app.exports",
        "app.tables",
        *LIGHT,
    },
    "app.views": {
        "app.compared",
        "app.drawing",
        "app.handout",
        "app.exercises",
        "app.practising",
        "app.predicting",
        "app.progress",
        "app.quiz",
        "app.lecture",
        "app.lesson",
        "app.live",
        "app.offline",
        "app.opened_link",
        "app.presenting",
        "app.comparing",
        "app.views",
        "app.calculation",
        "app.calculating",
        "app.listings",
        "app.notation",
        "app.forms",
        "app.viewing",
        "app.changing",
        "app.components",
        "app.inputs",
        "app.figures",
        "app.theme",
        "app.guard",
        "app.exports",
        "app.tables",
        *LIGHT,
    },
    "app.resources": {"app.inputs", "attention_model"},
    "app.pages": {
        "app.views",
        "app.arriving",
        "app.components",
        "app.guard",
        "app.inputs",
        "app.lesson",
        "app.live",
        "app.offline",
        "app.opened_link",
        "app.presenting",
        "app.resources",
    },
    "app.main": {"app.components", "app.chinese_font"},
}

# Everything but the pages themselves, which run as soon as they are imported.
FRONT_END_MODULES = [name for name in module_names("app") if name != "app.pages"]
WITHOUT_TORCH = [*sorted(LIGHT), "attention_model.shelf", *FRONT_END_MODULES]


def front_end_files():
    return [path for path in python_files("app") if path.name != "__init__.py"]


def part_of(name, parts):
    """The part of the front end to which a module belongs."""
    return next((part for part in parts if name == part or name.startswith(part + ".")), None)


def loaded_after_importing(modules):
    """Every module loaded in a fresh Python after these are imported, one after the other."""
    code = (
        "import importlib, json, sys\n"
        f"for name in {modules!r}: importlib.import_module(name)\n"
        "print(json.dumps(sorted(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return set(json.loads(run.stdout.splitlines()[-1]))


@pytest.mark.parametrize("path", python_files("attention_model"), ids=module_name)
def test_an_engine_module_uses_only_what_is_below_it(path):
    rows = {name: row for row, names in enumerate(ENGINE) for name in names}
    if path.stem == "__init__":
        allowed = set()
    else:
        assert path.stem in rows, f"{path.name} has no row in ENGINE: say where it belongs."
        allowed = {f"attention_model.{name}" for name, row in rows.items() if row <= rows[path.stem]}
    ours = {name for name in imported_modules(path) if name.split(".")[0] in PACKAGES}
    assert ours <= allowed


@pytest.mark.parametrize("path", front_end_files(), ids=module_name)
def test_a_front_end_module_uses_only_what_it_may(path):
    part = part_of(module_name(path), FRONT_END)
    assert part, f"{module_name(path)} has no place in FRONT_END: say where it belongs."
    ours = {name for name in imported_modules(path) if name.split(".")[0] in PACKAGES}
    assert {name for name in ours if not part_of(name, FRONT_END[part])} == set()


def test_imports_form_no_circle():
    graph = {module_name(path): imported_modules(path) for path in python_files(*PACKAGES)}
    graphlib.TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("path", python_files(*PACKAGES), ids=module_name)
def test_imports_are_written_in_full(path):
    # `streamlit run app/main.py` puts app/ on the path, so that `import theme` would work there and nowhere else.
    siblings = {entry.stem for entry in (ROOT / "app").iterdir()} - {"__init__", "__pycache__"}
    assert {name for name in imported_modules(path) if name.startswith(".") or name.split(".")[0] in siblings} == set()


def test_no_file_of_the_app_hides_a_standard_module():
    assert {entry.stem for entry in (ROOT / "app").iterdir()} & sys.stdlib_module_names == set()


def test_the_engine_loads_no_front_end():
    loaded = loaded_after_importing(module_names("attention_model"))
    assert "torch" in loaded
    assert {name.split(".")[0] for name in loaded} & {"app", "streamlit", "plotly"} == set()


def test_the_front_end_and_the_trace_load_no_torch():
    loaded = loaded_after_importing(WITHOUT_TORCH)
    assert set(WITHOUT_TORCH) <= loaded
    assert "torch" not in loaded


def test_figures_load_no_streamlit():
    figures = module_names("app/figures")
    loaded = loaded_after_importing(figures)
    assert set(figures) <= loaded
    assert "streamlit" not in loaded


def test_the_first_page_loads_no_pandas():
    # It would take half of the time until the first page is there.
    loaded = loaded_after_importing(["app.views.translate", "app.resources"])
    assert "streamlit" in loaded
    assert "pandas" not in loaded
