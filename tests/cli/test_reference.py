"""The reference pages hold all there is: commands, options, keys, parties and protocols."""

import importlib
import importlib.util
from pathlib import Path
from types import ModuleType

import attrs
import click
import pytest

from genius_py import registry
from genius_py.analysis.of_outcome import OutcomeAnalysis
from genius_py.cli import COMMANDS

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"


def page(name: str) -> str:
    return (REFERENCE / name).read_text(encoding="utf-8")


def section(command: str) -> str:
    """The part of the page on the command line that is about one command."""
    text = page("cli.md").partition(f"\n## {command}\n")[2]
    assert text, f"docs/reference/cli.md has no section on {command}"
    return text.partition("\n## ")[0]


@pytest.fixture(scope="module")
def writer() -> ModuleType:
    """The tool that writes the pages of parties and protocols."""
    path = ROOT / "tools" / "reference_pages.py"
    spec = importlib.util.spec_from_file_location("reference_pages", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_each_of_its_options_is_documented(name: str) -> None:
    command: click.Command = importlib.import_module(f"genius_py.cli.{name}").command
    text = section(name)
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            for option in parameter.opts:
                assert f"{option} " in text or f"{option}`" in text, f"{name} {option}"
        else:
            assert f"genius-py {name}" in text


def test_every_key_of_the_analysis_is_documented() -> None:
    for field in attrs.fields(OutcomeAnalysis):
        assert f"`{field.name}`" in section("run")


@pytest.mark.parametrize("name", ["parties.md", "protocols.md"])
def test_a_page_is_what_the_registry_says(writer: ModuleType, name: str) -> None:
    assert page(name) == writer.pages()[name], "run: python tools/reference_pages.py"


@pytest.mark.parametrize(("kind", "name"), [("party", "parties.md"), ("protocol", "protocols.md")])
def test_every_name_that_is_registered_here_is_documented(kind: str, name: str) -> None:
    text = page(name)
    for registered, cls in registry.names(kind).items():
        if cls.__module__.startswith("genius_py."):  # other packages have docs of their own
            assert f"| `{registered}` |" in text
