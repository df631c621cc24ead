"""The manager of language models: many known, few loaded, shared by whoever names them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from genius_py.errors import GeniusError, ModelFailure, OptionError
from genius_py.llm.backend import Backend
from genius_py.llm.language_model import LanguageModel
from genius_py.llm.model_spec import ModelSpec
from genius_py.llm.plain_backends import CallableBackend, ScriptedBackend
from genius_py.llm.request import Answer, Message, Request, Sampling

__all__ = ["TYPES", "LLMManager", "ManagedModel"]

TYPES = ("huggingface", "llamacpp", "http", "callable", "echo", "scripted")
"""What the `type` of a model's configuration can be; the first is the default."""

_SAMPLING = frozenset({"temperature", "max_length", "max_tokens", "max_new_tokens", "top_p"})
_OPTIONS = ("dtype", "batch", "threads", "dialect", "concurrency", "timeout")


class ManagedModel:
    """One underlying model, whatever ids it goes by."""

    def __init__(
        self, model: LanguageModel, device: str, defaults: Mapping[str, Any], is_remote: bool
    ) -> None:
        self.model = model
        self.device = device
        self.is_remote = is_remote
        self._defaults = dict(defaults)

    @property
    def model_name(self) -> str:
        """The name of the underlying model."""
        return self.model.name

    @property
    def is_loaded(self) -> bool:
        """Whether it takes up memory now."""
        return self.model.is_loaded

    def load(self) -> None:
        """Load it, unless it is loaded."""
        self.model.load()

    def unload(self) -> None:
        """Free its memory."""
        self.model.unload()

    def complete(self, requests: Sequence[Request]) -> list[Answer]:
        """Answer many requests together."""
        return self.model.complete(requests)

    def generate(self, prompt: str, **settings: Any) -> str:
        """The reply to a prompt.

        `temperature`, `top_p`, `max_length` (tokens of the reply), `do_sample` and `seed` count
        for this reply; what is not given is as in the model's `generation_config`. Without
        sampling the likeliest reply is given.

        Raises:
            OptionError: a setting is unknown or impossible.
            ModelFailure: there is no reply.
        """
        sampling = _sampling({**self._defaults, **settings})
        (answer,) = self.complete([Request([Message("user", prompt)], sampling=sampling)])
        if isinstance(answer, ModelFailure):
            raise answer
        return answer.text


class LLMManager:
    """Knows models by ids, loads one when it is needed, and never too many at once.

    `model_configs` maps an id to ``{"model_name", "type", "device", "generation_config",
    "api_key"}``; all but the name may be left out. Ids whose `model_name` is the same share one
    model. `api_key` names the environment variable that holds the key. The types besides
    "huggingface": "llamacpp" (a GGUF file), "http" (a server's URL as the name), "callable" (with
    `function`), "scripted" (with `script`, a list of replies) and "echo".

    At most `max_loaded_models` are in memory; models on servers do not count. The one that was
    used least recently makes room.

    All methods may be called from several threads; they wait for each other.

    Raises:
        OptionError: models that cannot be registered; the text names all of them.
    """

    def __init__(
        self, model_configs: Mapping[str, Mapping[str, Any]], max_loaded_models: int = 2
    ) -> None:
        if max_loaded_models < 1:
            raise OptionError(f"At least 1 model must be loaded, not {max_loaded_models!r}.")
        self.models: dict[str, ManagedModel] = {}
        """Id -> model, loaded or not."""
        self.shared_models: dict[str, ManagedModel] = {}
        """Name -> model, of those that are loaded."""
        self.model_aliases: dict[str, str] = {}
        """Id -> name of the underlying model."""
        self.model_configs: dict[str, dict[str, Any]] = {}
        """Id -> configuration."""
        self.max_loaded_models = max_loaded_models
        self.loaded_order: list[str] = []
        """Names of the loaded models, the least recently used one first."""
        self.manager_lock = threading.RLock()
        self.active_model: str | None = None
        """The id that `get_response` asks when none is named."""
        self._is_closed = False
        wrong = []
        for model_id, config in model_configs.items():
            try:
                self.register_model(model_id, config)
            except OptionError as error:
                wrong.append(str(error))
        if wrong:
            raise OptionError(" ".join(wrong))

    def register_model(self, model_id: str, model_config: Mapping[str, Any]) -> None:
        """Make a model known by an id; it is not loaded.

        Raises:
            OptionError: its type is not supported, or something is missing.
        """
        with self._open():
            name = str(model_config.get("model_name") or model_id)
            known = next((m for m in self.models.values() if m.model_name == name), None)
            self.register(model_id, known or _managed(model_id, name, model_config))
            self.model_configs[model_id] = dict(model_config)

    def register(self, model_id: str, model: ManagedModel) -> None:
        """Make a model known by an id, and nothing else."""
        with self._open():
            self.models[model_id] = model
            self.model_aliases[model_id] = model.model_name
            self.model_configs[model_id] = {"model_name": model.model_name, "device": model.device}

    def load_model(self, model_id: str) -> ManagedModel:
        """The model, loaded, and now the most recently used one.

        Raises:
            OptionError: the id is not known.
            GeniusError: it cannot be loaded.
        """
        with self._open():
            model = self._model(model_id)
            name = model.model_name
            if not model.is_loaded:
                self._make_room(model)
                model.load()
                self.shared_models[name] = model
            if name in self.loaded_order:
                self.loaded_order.remove(name)
            self.loaded_order.append(name)
            return model

    def _make_room(self, model: ManagedModel) -> None:
        if model.is_remote:
            return
        local = [name for name in self.loaded_order if not self.shared_models[name].is_remote]
        while len(local) >= self.max_loaded_models:
            self._unload(local.pop(0))

    def _unload(self, name: str) -> None:
        model = self.shared_models.pop(name, None)
        if name in self.loaded_order:
            self.loaded_order.remove(name)
        if model is not None:
            model.unload()

    def switch_model(self, model_id: str) -> None:
        """Make a model the active one; the one before stays loaded while there is room.

        Raises: as `load_model`.
        """
        with self._open():
            self.load_model(model_id)
            self.active_model = model_id

    def get_response(self, prompt: str, model_id: str | None = None, **kwargs: Any) -> str:
        """The reply of a model, which becomes the active one; of the active one when None.

        `kwargs` are those of `ManagedModel.generate`.

        Raises:
            ModelFailure: no model is active, or it does not answer (a `RuntimeError`).
            OptionError: the id is not known (a `ValueError`).
        """
        with self._open():
            if model_id is None:
                if self.active_model is None:
                    raise ModelFailure(
                        "No model is active; name one, or call switch_model(id) first."
                    )
                model_id = self.active_model
            model = self.load_model(model_id)
            self.active_model = model_id
            return model.generate(prompt, **kwargs)

    def generate_response(self, model_id: str, prompt: str, **kwargs: Any) -> str:
        """As `get_response`, the model first."""
        return self.get_response(prompt, model_id, **kwargs)

    def complete(self, model_id: str, requests: Sequence[Request]) -> list[Answer]:
        """Answer many requests by one model together; it is loaded if the cache lacks any.

        A model on a server does not keep others waiting.

        Raises:
            OptionError: the id is not known.
        """
        with self._open():
            model = self._model(model_id)
            if not model.is_remote:
                if model.model.lacks(requests):
                    try:
                        self.load_model(model_id)
                    except GeniusError as error:
                        return [ModelFailure(str(error))] * len(requests)
                return model.complete(requests)
        return model.complete(requests)

    def unload_model(self, model_id: str) -> None:
        """Free a model's memory; it stays registered. One that another id shares stays loaded.

        Raises:
            OptionError: the id is not known.
        """
        with self._open():
            name = self._model(model_id).model_name
            if sum(other == name for other in self.model_aliases.values()) == 1:
                self._unload(name)
                if self.active_model == model_id:
                    self.active_model = None

    def list_models(self) -> dict[str, dict[str, Any]]:
        """Id -> `model_name` (also `name`), `is_loaded` (also `loaded`), `device`, `type`,
        `config`, and what it has been used for (`usage`)."""
        with self._open():
            return {
                model_id: {
                    "model_name": model.model_name,
                    "name": model.model_name,
                    "is_loaded": model.is_loaded,
                    "loaded": model.is_loaded,
                    "device": model.device,
                    "type": self.model_configs[model_id].get("type", TYPES[0]),
                    "config": dict(self.model_configs[model_id]),
                    "usage": model.model.usage,
                }
                for model_id, model in self.models.items()
            }

    def cleanup(self) -> None:
        """Unload everything and forget it; the manager cannot be used any more."""
        with self.manager_lock:
            for model in self.models.values():
                model.unload()
            self.models.clear()
            self.shared_models.clear()
            self.model_aliases.clear()
            self.model_configs.clear()
            self.loaded_order.clear()
            self.active_model = None
            self._is_closed = True

    def _model(self, model_id: str) -> ManagedModel:
        if model_id not in self.models:
            known = ", ".join(self.models) or "none"
            raise OptionError(f"No model is registered as {model_id!r}; there are: {known}.")
        return self.models[model_id]

    @contextmanager
    def _open(self) -> Iterator[None]:
        with self.manager_lock:
            if self._is_closed:
                raise ModelFailure("This manager was cleaned up; make another one.")
            yield


def _managed(model_id: str, name: str, config: Mapping[str, Any]) -> ManagedModel:
    kind = config.get("type", TYPES[0])
    if kind not in TYPES:
        raise OptionError(
            f"Model {model_id!r} has the type {kind!r}; supported are: {', '.join(TYPES)}."
        )
    device = str(config.get("device", "cpu"))
    defaults = config.get("generation_config") or {}
    if not isinstance(defaults, Mapping):
        raise OptionError(f"Model {model_id!r}: its generation_config is no mapping.")
    load = _plain(model_id, str(kind), config)
    if load is not None:
        return ManagedModel(LanguageModel(name, load), device, defaults, is_remote=False)
    options = {key: config[key] for key in _OPTIONS if key in config}
    if config.get("api_key"):
        options["api_key"] = _variable(str(config["api_key"]))
    if kind == "llamacpp":
        options["engine"] = "llamacpp"
    try:
        spec = ModelSpec(name, device=device, **options)
    except OptionError as error:
        raise OptionError(f"Model {model_id!r}: {error}") from error
    model = LanguageModel(name, spec.load, spec.identity)
    return ManagedModel(model, device, defaults, spec.is_remote)


def _plain(model_id: str, kind: str, config: Mapping[str, Any]) -> Callable[[], Backend] | None:
    match kind:
        case "echo":
            return lambda: CallableBackend(lambda prompt: prompt)
        case "callable":
            if not callable(config.get("function")):
                raise OptionError(f"Model {model_id!r} needs a `function` that can be called.")
            return lambda: CallableBackend(config["function"])
        case "scripted":
            script = config.get("script")
            if not isinstance(script, Sequence) or isinstance(script, str) or not script:
                raise OptionError(f"Model {model_id!r} needs a `script`, a list of replies.")
            return lambda: ScriptedBackend(list(script))
    return None


def _variable(text: str) -> str:
    """The name of an environment variable, written as NAME, $NAME or ${NAME}."""
    return text.strip().removeprefix("$").strip("{}")


def _sampling(settings: Mapping[str, Any]) -> Sampling:
    unknown = set(settings) - _SAMPLING - {"do_sample", "seed"}
    if unknown:
        raise OptionError(
            f"A reply has no setting {', '.join(sorted(map(repr, unknown)))}; it has: "
            f"{', '.join(sorted({*_SAMPLING, 'do_sample', 'seed'}))}."
        )
    temperature = float(settings.get("temperature", 0.0))
    if settings.get("do_sample") is False:
        temperature = 0.0
    elif settings.get("do_sample") and "temperature" not in settings:
        temperature = 1.0
    longest = next(
        (
            int(settings[key])
            for key in ("max_new_tokens", "max_tokens", "max_length")
            if key in settings
        ),
        Sampling().max_tokens,
    )
    return Sampling(
        temperature=temperature,
        top_p=float(settings.get("top_p", 1.0)),
        max_tokens=longest,
        seed=int(settings.get("seed", 0)),
    )
