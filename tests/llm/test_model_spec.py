"""Which model is meant, and what is said when it cannot be had."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from genius_py.errors import ModelFailure, OptionError, UnknownName
from genius_py.llm.model_spec import ModelSpec
from genius_py.llm.plain_backends import Dice


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Packages that are not installed, as far as anybody can tell."""
    real = importlib.util.find_spec

    def hide(*packages: str) -> None:
        def find(name: str, package: str | None = None) -> Any:
            return None if name in packages else real(name, package)

        monkeypatch.setattr(importlib.util, "find_spec", find)

    return hide


@pytest.fixture
def empty_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A user's cache with nothing in it."""
    monkeypatch.setenv("GENIUS_PY_CACHE", str(tmp_path / "cache"))
    return tmp_path


def test_a_missing_model_is_answered_with_the_command_that_gets_it(empty_cache: Path) -> None:
    with pytest.raises(UnknownName, match="genius-py model fetch smollm2"):
        ModelSpec("smollm2").require()
    with pytest.raises(ModelFailure, match="genius-py model fetch smollm2"):
        ModelSpec("smollm2").load()


@pytest.mark.parametrize("source", ["smollm", "some/deep/folder", "./nowhere", "nowhere.gguf"])
def test_a_name_of_nothing_is_an_error(source: str) -> None:
    with pytest.raises(UnknownName, match="There is no"):
        ModelSpec(source).require()


def test_a_folder_without_a_model_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r"it has no config\.json"):
        ModelSpec(str(tmp_path)).require()


def test_a_missing_package_is_answered_with_the_extra_that_has_it(
    without: Callable[..., None], tmp_path: Path
) -> None:
    without("torch", "httpx2", "xllamacpp")
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    (tmp_path / "it.gguf").write_bytes(b"GGUF")
    for source, extra in (
        (str(tmp_path), "llm"),
        ("owner/name", "llm"),
        (str(tmp_path / "it.gguf"), "llm"),
        ("http://localhost/v1", "remote"),
    ):
        with pytest.raises(OptionError, match=rf"pip install 'genius-py\[{extra}\]'"):
            ModelSpec(source).require()
    with pytest.raises(OptionError, match=r"genius-py\[llamacpp\]"):
        ModelSpec(str(tmp_path / "it.gguf"), engine="llamacpp").require()


def test_llama_cpp_runs_gguf_files_only(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="runs GGUF files"):
        ModelSpec(str(tmp_path), engine="llamacpp").require()


@pytest.mark.parametrize(
    "wrong",
    [{"engine": "jet"}, {"dtype": "int8"}, {"dialect": "latin"}, {"batch": 0}, {"timeout": -1}],
)
def test_impossible_options_are_errors(wrong: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        ModelSpec("dice", **wrong)


def test_the_name_tells_what_is_not_usual() -> None:
    assert ModelSpec("smollm2").name == "smollm2"
    assert ModelSpec("smollm2", dtype="bf16", batch=8).name == "smollm2[dtype=bf16,batch=8]"


def test_equal_specs_are_one_model() -> None:
    assert ModelSpec("dice", batch=8) == ModelSpec("dice", batch=8)
    assert len({ModelSpec("dice"), ModelSpec("dice"), ModelSpec("dice", dtype="bf16")}) == 2


def test_dice_need_nothing(without: Callable[..., None]) -> None:
    without("torch", "transformers", "llguidance", "httpx2", "xllamacpp")
    ModelSpec("dice").require()
    assert isinstance(ModelSpec("dice").load(), Dice)
    assert ModelSpec("dice").identity() == "dice 1"


def test_the_identity_holds_weights_versions_and_precision(tiny: Path) -> None:
    identity = ModelSpec(str(tiny)).identity()
    assert "torch" in identity
    assert "fp32" in identity
    assert identity != ModelSpec(str(tiny), dtype="bf16").identity()
    assert identity == ModelSpec(str(tiny), batch=7).identity()  # which decides no reply
