"""The models of this process, which all its parties share."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from pathlib import Path

import attrs

from genius_py.errors import OptionError
from genius_py.llm.language_model import LanguageModel
from genius_py.llm.manager import LLMManager, ManagedModel
from genius_py.llm.model_spec import ModelSpec
from genius_py.llm.reply_cache import ReplyCache
from genius_py.llm.request import Answer, Request
from genius_py.llm.usage import Usage

__all__ = ["SharedModel", "close_all", "usage"]

_lock = threading.Lock()
_managers: list[LLMManager] = []
_caches: dict[tuple[Path, bool], ReplyCache] = {}


@attrs.frozen
class SharedModel:
    """A model as parties name it: how it is run, and where its replies are kept.

    `cache` is a file; empty: replies are not kept. With `replay_only` they come from it alone.

    Raises:
        OptionError: a replay has no cache to come from.
    """

    spec: ModelSpec
    cache: str = ""
    replay_only: bool = False

    def __attrs_post_init__(self) -> None:
        if self.replay_only and not self.cache:
            raise OptionError("replay_only needs the cache to replay from: cache=FILE.")
        if self.replay_only and not Path(self.cache).expanduser().is_file():
            raise OptionError(f"There is no cache {self.cache!r} to replay from.")

    @property
    def name(self) -> str:
        """For people."""
        return self.spec.name

    def require(self) -> None:
        """Look whether it can be had, without loading it.

        Raises:
            UnknownName: there is no such model.
            OptionError: a package is missing, or the cache cannot be used.
        """
        if not self.replay_only:
            self.spec.require()
        self._registered()

    def complete(self, requests: Sequence[Request]) -> list[Answer]:
        """Answer together; the model is loaded when the cache does not have every reply."""
        return self._registered().complete(self._id, requests)

    @property
    def usage(self) -> Usage:
        """What it has been used for in this process."""
        return self._registered().models[self._id].model.usage

    @property
    def _id(self) -> str:
        return f"{self.spec!r} {self.cache} {self.replay_only}"

    def _registered(self) -> LLMManager:
        with _lock:
            if not _managers:
                _managers.append(LLMManager({}, _most_loaded()))
            (manager,) = _managers
            if self._id not in manager.models:
                manager.register(self._id, self._managed())
            return manager

    def _managed(self) -> ManagedModel:
        cache = None
        if self.cache:
            key = Path(self.cache).expanduser().resolve(), self.replay_only
            cache = _caches.get(key)
            if cache is None:
                cache = _caches[key] = ReplyCache(key[0], read_only=self.replay_only)
        model = LanguageModel(
            self.spec.name,
            self.spec.load,
            self.spec.identity,
            cache=cache,
            replay_only=self.replay_only,
        )
        return ManagedModel(model, self.spec.device, {}, self.spec.is_remote)


def _most_loaded() -> int:
    """As many as the seed's manager, unless somebody with more memory says otherwise."""
    said = os.environ.get("GENIUS_PY_MAX_LOADED_MODELS") or "2"
    try:
        return int(said)
    except ValueError as error:
        raise OptionError(
            f"GENIUS_PY_MAX_LOADED_MODELS is how many models may be loaded, not {said!r}."
        ) from error


def usage() -> dict[str, Usage]:
    """What each model has been used for, by its name."""
    found: dict[str, Usage] = {}
    with _lock:
        for manager in _managers:
            for model in manager.models.values():
                found[model.model_name] = found.get(model.model_name, Usage()) + model.model.usage
    return found


def close_all() -> None:
    """Unload every model and close every cache; parties that are asked later load them again."""
    with _lock:
        while _managers:
            _managers.pop().cleanup()
        while _caches:
            _, cache = _caches.popitem()
            cache.close()
