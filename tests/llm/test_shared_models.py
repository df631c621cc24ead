"""The models that all parties of a process share."""

from __future__ import annotations

from pathlib import Path

import pytest

from genius_py.errors import OptionError
from genius_py.llm import shared_models
from genius_py.llm.model_spec import ModelSpec
from genius_py.llm.request import Completion, Message, Request
from genius_py.llm.shared_models import SharedModel

HELLO = Request([Message("user", "hello")], '{"enum": ["a", "b"]}')


pytestmark = pytest.mark.usefixtures("no_shared_models")


def test_equal_models_are_one_and_what_they_cost_is_summed_by_name(tmp_path: Path) -> None:
    one, same = SharedModel(ModelSpec("dice")), SharedModel(ModelSpec("dice"))
    cached = SharedModel(ModelSpec("dice"), str(tmp_path / "replies.sqlite"))
    for model in (one, same, cached, cached):
        (answer,) = model.complete([HELLO])
        assert isinstance(answer, Completion)
    assert (one.usage.requests, cached.usage.requests, cached.usage.cached) == (2, 2, 1)
    assert one.usage is same.usage
    total = shared_models.usage()["dice"]
    assert (total.requests, total.cached, total.batches) == (4, 1, 3)


def test_models_that_name_one_file_share_a_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    relative, absolute = (
        SharedModel(ModelSpec("dice", batch=batch), cache)
        for batch, cache in ((1, "it.sqlite"), (2, str(tmp_path / "it.sqlite")))
    )
    relative.complete([HELLO])
    absolute.complete([HELLO])
    assert absolute.usage.cached == 1  # dice are the same in whatever batch


def test_what_has_been_closed_is_opened_again(tmp_path: Path) -> None:
    model = SharedModel(ModelSpec("dice"), str(tmp_path / "it.sqlite"))
    model.complete([HELLO])
    shared_models.close_all()
    model.complete([HELLO])
    assert model.usage.cached == 1


def test_a_replay_needs_a_cache_that_is_there(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="cache=FILE"):
        SharedModel(ModelSpec("dice"), replay_only=True)
    with pytest.raises(OptionError, match="There is no cache"):
        SharedModel(ModelSpec("dice"), str(tmp_path / "none"), replay_only=True)


def test_how_many_are_loaded_is_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GENIUS_PY_MAX_LOADED_MODELS", "many")
    with pytest.raises(OptionError, match="may be loaded, not 'many'"):
        SharedModel(ModelSpec("dice")).require()
    monkeypatch.setenv("GENIUS_PY_MAX_LOADED_MODELS", "0")
    with pytest.raises(OptionError, match="At least 1 model"):
        SharedModel(ModelSpec("dice")).require()
    monkeypatch.setenv("GENIUS_PY_MAX_LOADED_MODELS", "")
    SharedModel(ModelSpec("dice")).require()
