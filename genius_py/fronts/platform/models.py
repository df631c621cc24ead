"""Where a player's words come from: a manager of language models, or any callable.

A *model* is called with a prompt and gives the reply, as text or as an action already. The
session manager is handed models as a mapping from id to model, or as an object with
``get_response(prompt, model_id)``, such as the `LLMManager`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias, runtime_checkable

from genius_py.errors import OptionError

__all__ = ["Model", "ModelSource", "model_of"]

Model: TypeAlias = Callable[[str], "str | Mapping[str, Any]"]
"""From a prompt to a reply."""


@runtime_checkable
class ModelSource(Protocol):
    """What the session manager asks of a manager of models."""

    def get_response(self, prompt: str, model_id: str | None = None, **kwargs: Any) -> str:
        """The reply of a model to a prompt."""
        ...


def model_of(source: Mapping[str, Model] | ModelSource | None, model: str | Model) -> Model:
    """The model of an id, or the one that is given itself.

    Raises:
        OptionError: there is no model of that id (a `ValueError`).
    """
    if callable(model):
        return model
    known = source if isinstance(source, Mapping) else getattr(source, "models", None)
    if isinstance(known, Mapping) and model not in known:
        raise OptionError(f"No model is known as {model!r}; there are: {', '.join(known)}.")
    if isinstance(source, Mapping):
        found = source[model]
        if not callable(found):
            raise OptionError(f"Model {model!r} is {found!r}, which cannot be called.")
        return found
    if isinstance(source, ModelSource):
        return lambda prompt: source.get_response(prompt, model_id=model)
    raise OptionError(
        f"No model is known as {model!r}: give a mapping from id to model, or a manager that has "
        f"get_response."
    )
