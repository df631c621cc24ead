"""The manager of language models: statements S0.10 to S0.21, S0.130 and S0.132."""

from __future__ import annotations

import gc
import importlib
import threading
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from genius_py.errors import ModelFailure, OptionError
from genius_py.fronts import platform
from genius_py.fronts.platform import LLMManager
from genius_py.llm.plain_backends import CallableBackend
from genius_py.llm.request import Answer, Completion, Request
from tests.llm.models import save_model


def named(name: str, **config: Any) -> dict[str, Any]:
    """A model that answers ``name: prompt``."""
    return {
        "model_name": name,
        "type": "callable",
        "function": lambda prompt: f"{name}: {prompt}",
        **config,
    }


@pytest.fixture
def manager() -> LLMManager:
    """Three models, and a second id for the first."""
    return LLMManager(
        {"a": named("A"), "b": named("B"), "c": named("C", device="cuda:0"), "a2": named("A")}
    )


def loaded(manager: LLMManager) -> list[str]:
    return [id_ for id_, facts in manager.list_models().items() if facts["is_loaded"]]


def test_s0_010_models_are_known_at_construction_and_none_is_loaded(manager: LLMManager) -> None:
    assert list(manager.models) == ["a", "b", "c", "a2"]
    assert loaded(manager) == []
    assert len(manager.model_configs) == 4
    llama = {"model_name": "meta-llama/Llama-2-7b-chat-hf", "type": "huggingface"}
    assert len(LLMManager({"model_a": {**llama, "device": "cuda:0"}}).model_configs) == 1


def test_s0_011_an_unsupported_type_of_model_is_an_error() -> None:
    manager = LLMManager({})
    with pytest.raises(ValueError, match="'telepathy'"):
        manager.register_model("it", {"model_name": "x", "type": "telepathy"})
    assert "it" not in manager.models
    manager.register_model("my_model", {"model_name": "meta-llama/Llama-2-7b-chat-hf"})
    assert "my_model" in manager.models
    assert manager.list_models()["my_model"]["type"] == "huggingface"


def test_s0_012_ids_of_one_underlying_model_share_it(manager: LLMManager) -> None:
    assert manager.models["a"] is manager.models["a2"]
    assert manager.model_aliases == {"a": "A", "b": "B", "c": "C", "a2": "A"}
    manager.load_model("a")
    assert loaded(manager) == ["a", "a2"]


def test_s0_013_the_least_recently_used_model_makes_room_for_a_third(manager: LLMManager) -> None:
    assert manager.max_loaded_models == 2
    manager.load_model("a")
    manager.load_model("b")
    manager.get_response("hello", "a")
    manager.load_model("c")
    assert manager.loaded_order == ["A", "C"]
    assert not manager.models["b"].is_loaded
    assert set(manager.shared_models) == {"A", "C"}


def test_s0_014_using_a_loaded_model_makes_it_the_most_recent(manager: LLMManager) -> None:
    manager.load_model("a")
    manager.load_model("b")
    manager.load_model("a2")
    assert manager.loaded_order == ["B", "A"]
    for method in (manager.load_model, manager.switch_model, manager.unload_model):
        with pytest.raises(ValueError, match="No model is registered as 'zzz'"):
            method("zzz")


def test_s0_015_switching_loads_and_activates_a_model(manager: LLMManager) -> None:
    manager.switch_model("a")
    assert manager.get_response("hello") == "A: hello"
    manager.switch_model("b")
    assert manager.get_response("hello") == "B: hello"
    assert manager.models["a"].is_loaded


def test_s0_016_a_response_needs_an_active_or_a_known_model(manager: LLMManager) -> None:
    with pytest.raises(RuntimeError, match="No model is active"):
        manager.get_response("hello")
    with pytest.raises(ValueError, match="'zzz'"):
        manager.get_response("hello", "zzz")
    manager.load_model("b")
    assert manager.get_response("hello", model_id="b") == "B: hello"
    # It was loaded already, and becomes the active one all the same.
    assert manager.get_response("again") == "B: again"


def test_s0_017_a_shared_model_is_not_unloaded(manager: LLMManager) -> None:
    manager.load_model("a")
    manager.load_model("b")
    manager.unload_model("a")
    assert manager.models["a2"].is_loaded
    manager.unload_model("b")
    assert not manager.models["b"].is_loaded
    assert manager.loaded_order == ["A"]
    assert manager.load_model("b").is_loaded


def test_s0_018_models_are_listed_with_name_state_and_device(manager: LLMManager) -> None:
    manager.load_model("c")
    facts = manager.list_models()["c"]
    assert facts["model_name"] == facts["name"] == "C"
    assert facts["is_loaded"] is facts["loaded"] is True
    assert facts["device"] == "cuda:0"
    assert facts["config"]["device"] == "cuda:0"


def test_s0_019_cleanup_unloads_and_forgets_everything(manager: LLMManager) -> None:
    manager.switch_model("a")
    wrapper = manager.models["a"]
    manager.cleanup()
    assert not wrapper.is_loaded
    assert manager.loaded_order == []
    assert manager.shared_models == {}
    assert manager.active_model is None
    with pytest.raises(RuntimeError, match="cleaned up"):
        manager.get_response("hello", "a")


class Weights:
    """Something that takes up memory."""


class Watching(CallableBackend):
    """Knows how many of its kind are loaded."""

    alive: ClassVar[set[int]] = set()
    most: ClassVar[int] = 0

    def __init__(self) -> None:
        super().__init__(lambda prompt: prompt)
        self.weights = Weights()
        Watching.alive.add(id(self))
        Watching.most = max(Watching.most, len(Watching.alive))

    def complete(self, requests: Sequence[Request]) -> list[Answer]:
        assert id(self) in Watching.alive
        return [Completion(request.messages[-1].text) for request in requests]

    def close(self) -> None:
        Watching.alive.discard(id(self))


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> LLMManager:
    """Five models whose loading is watched."""
    from genius_py.llm import manager as module

    monkeypatch.setattr(module, "CallableBackend", lambda function: Watching())
    Watching.alive, Watching.most = set(), 0
    return LLMManager({f"m{number}": named(f"M{number}") for number in range(5)})


def test_s0_020_eight_threads_never_exceed_the_limit(watched: LLMManager) -> None:
    errors: list[BaseException] = []

    def work(thread: int) -> None:
        try:
            for call in range(50):
                model = f"m{(thread * 7 + call * 3) % 5}"
                match call % 5:
                    case 0:
                        watched.load_model(model)
                    case 1:
                        watched.unload_model(model)
                    case 2:
                        watched.switch_model(model)
                    case 3:
                        assert len([1 for f in watched.list_models().values() if f["loaded"]]) <= 2
                    case _:
                        assert watched.get_response(f"{thread} {call}", model) == f"{thread} {call}"
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert 1 <= Watching.most <= 2


def test_s0_020_a_model_that_is_evicted_is_gone_from_memory(watched: LLMManager) -> None:
    backend: Any = watched.load_model("m0").model._backend
    weights = weakref.ref(backend.weights)
    del backend
    watched.load_model("m1")
    assert weights() is not None
    watched.load_model("m2")
    gc.collect()
    assert weights() is None


def test_s0_021_generate_response_takes_the_model_first(manager: LLMManager) -> None:
    assert manager.generate_response("b", "hello") == "B: hello"
    assert manager.get_response("hello") == "B: hello"


def test_s0_130_the_platform_exports_the_manager() -> None:
    assert "LLMManager" in platform.__all__
    names = platform.ConfigManager().get_model_configs()
    manager = LLMManager(names)
    assert list(manager.models) == ["model_a", "model_b", "model_c"]
    assert manager.list_models()["model_a"]["device"] == "cuda:0"


def test_s0_132_the_manager_has_the_attributes_of_the_seed(manager: LLMManager) -> None:
    for name in (
        "models",
        "shared_models",
        "model_aliases",
        "model_configs",
        "max_loaded_models",
        "loaded_order",
        "manager_lock",
    ):
        assert hasattr(manager, name)
    model = manager.load_model("a")
    assert model.generate("hello") == "A: hello"
    settings = {"temperature": 0.7, "max_length": 20, "top_p": 0.9, "do_sample": True}
    assert manager.get_response("hello", "a", **settings) == "A: hello"
    with pytest.raises(OptionError):
        manager.get_response("hello", "a", top_p=7)


def test_s0_132_a_hugging_face_model_answers_through_the_manager(
    tmp_path: Path,
) -> None:
    folder = save_model(importlib.import_module("torch"), tmp_path, "Llama")
    manager = LLMManager({"it": {"model_name": str(folder), "threads": 1}})
    first = manager.get_response("hello", "it", max_length=8)
    assert manager.get_response("hello", max_length=8) == first
    drawn = {manager.get_response("hello", max_length=8, do_sample=True, seed=s) for s in range(4)}
    assert len(drawn) > 1
    manager.unload_model("it")
    manager.cleanup()
    with pytest.raises(ModelFailure):
        manager.load_model("it")
