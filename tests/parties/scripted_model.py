"""A language model that says what a test wants, in the place of whatever a spec names."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from genius_py.errors import ModelFailure
from genius_py.llm import shared_models
from genius_py.llm.model_spec import ModelSpec
from genius_py.llm.plain_backends import ScriptedBackend

__all__ = ["put_in_place"]


def put_in_place(
    monkeypatch: pytest.MonkeyPatch, script: Iterable[str | ModelFailure]
) -> ScriptedBackend:
    """Every model is this one from now on; what it was asked is in `asked`."""
    backend = ScriptedBackend(script)
    shared_models.close_all()
    monkeypatch.setattr(ModelSpec, "require", lambda self: None)
    monkeypatch.setattr(ModelSpec, "load", lambda self: backend)
    monkeypatch.setattr(ModelSpec, "identity", lambda self: "a script")
    return backend
