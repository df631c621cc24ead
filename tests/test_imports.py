"""Importing costs little: no extra is loaded before it is needed."""

import json
import subprocess
import sys

import pytest

EXTRAS = {
    "accelerate",
    "dask",
    "distributed",
    "gguf",
    "httpx2",
    "hypothesis",
    "joblib",
    "langgraph",
    "llguidance",
    "matplotlib",
    "pandas",
    "prompt_toolkit",
    "pyarrow",
    "pytest",
    "ray",
    "torch",
    "transformers",
    "xllamacpp",
}


def modules_loaded_by(statement: str) -> set[str]:
    """Names of all modules that a fresh interpreter holds after the statement."""
    program = f"""
import json, sys
try:
    {statement}
except SystemExit:
    pass
print()
print(json.dumps(sorted(sys.modules)))
"""
    finished = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True
    )
    names: list[str] = json.loads(finished.stdout.splitlines()[-1])
    return set(names)


def top_level(modules: set[str]) -> set[str]:
    """The packages that the modules belong to."""
    return {module.partition(".")[0] for module in modules}


@pytest.mark.parametrize(
    "statement",
    [
        "import genius_py",
        "from genius_py.cli import main; main(['--help'])",
        "from genius_py.cli import main; main(['list', 'parties'])",
        "from genius_py.cli import main; main(['run', '--domain', 'company_car'])",
        "import genius_py.llm.shared_models, genius_py.llm.prompt",
    ],
    ids=["package", "command-line", "list", "run", "llm"],
)
def test_no_extra_is_loaded(statement: str) -> None:
    loaded = top_level(modules_loaded_by(statement))
    assert "genius_py" in loaded
    assert loaded & EXTRAS == set()


def test_import_genius_py_loads_only_what_its_values_need() -> None:
    loaded = top_level(modules_loaded_by("import genius_py"))
    # A bare interpreter has its own site customisation to load.
    ours = loaded - top_level(modules_loaded_by("pass")) - sys.stdlib_module_names
    third_party = {name for name in ours if not name.startswith("_")}
    assert third_party <= {"attr", "attrs", "genius_py", "numpy"}


def test_the_plug_in_folders_have_one_name() -> None:
    loaded = modules_loaded_by("import genius_py.domains, genius_py.parties, genius_py.protocols")
    assert {"genius_py.domains", "genius_py.parties", "genius_py.protocols"} <= loaded
    assert loaded & {"domains", "parties", "protocols"} == set()
