"""A model that is loaded when it is needed and asked at most once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from genius_py.errors import ModelFailure
from genius_py.llm.language_model import LanguageModel
from genius_py.llm.plain_backends import CallableBackend, ScriptedBackend
from genius_py.llm.reply_cache import ReplyCache
from genius_py.llm.request import Answer, Completion, Message, Request, Sampling


def ask(text: str, seed: int = 0, temperature: float = 0.0) -> Request:
    return Request([Message("user", text)], sampling=Sampling(temperature=temperature, seed=seed))


class Counting(CallableBackend):
    """Says what it was asked in capitals, and counts."""

    def __init__(self) -> None:
        super().__init__(str.upper)
        self.batches: list[list[str]] = []
        self.is_closed = False

    def complete(self, requests: Sequence[Request]) -> list[Answer]:
        self.batches.append([request.messages[-1].text for request in requests])
        return super().complete(requests)

    def close(self) -> None:
        self.is_closed = True


def texts(answers: list[Answer]) -> list[str]:
    return [a.text if isinstance(a, Completion) else f"! {a}" for a in answers]


def counting(cache: ReplyCache | None = None) -> tuple[LanguageModel, Counting]:
    backend = Counting()
    return LanguageModel("it", lambda: backend, cache=cache), backend


def test_it_is_loaded_when_it_is_first_asked_and_can_be_unloaded() -> None:
    model, backend = counting()
    assert not model.is_loaded
    assert model.generate("hello") == "HELLO"
    assert model.is_loaded
    model.unload()
    assert backend.is_closed
    assert not model.is_loaded


def test_equal_requests_of_a_batch_are_asked_once() -> None:
    model, backend = counting()
    asked = [ask("a"), ask("b"), ask("a", seed=9), ask("a", seed=9, temperature=1.0)]
    assert texts(model.complete(asked)) == ["A", "B", "A", "A"]
    # At temperature 0 the seed does not count.
    assert backend.batches == [["a", "b", "a"]]
    assert (model.usage.requests, model.usage.cached, model.usage.batches) == (4, 1, 1)
    assert model.usage.batch_fill == 3.0


def test_what_the_cache_has_is_not_asked_again_and_the_model_not_loaded(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "replies")
    counting(cache)[0].complete([ask("a"), ask("b")])
    model, backend = counting(cache)
    assert texts(model.complete([ask("b"), ask("a")])) == ["B", "A"]
    assert not model.is_loaded
    assert texts(model.complete([ask("a"), ask("c")])) == ["A", "C"]
    assert backend.batches == [["c"]]
    cache.close()


def test_another_identity_shares_nothing(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "replies")
    LanguageModel("it", Counting, lambda: "weights 1", cache=cache).complete([ask("a")])
    other = LanguageModel("it", Counting, lambda: "weights 2", cache=cache)
    assert other.lacks([ask("a")])
    cache.close()


def never() -> Any:
    raise AssertionError("a replay needs no model")


def test_a_replay_answers_from_the_cache_without_a_model(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "replies")
    LanguageModel("it", Counting, lambda: "weights 1", cache=cache).complete([ask("a")])
    replay = LanguageModel("it", never, never, cache=cache, replay_only=True)
    known, unknown = replay.complete([ask("a"), ask("z")])
    assert known == Completion("A")
    assert isinstance(unknown, ModelFailure)
    assert "lacks this reply" in str(unknown)
    assert replay.usage.failed == 1
    cache.close()


def test_a_replay_of_a_model_that_was_never_asked_fails(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "replies")
    replay = LanguageModel("it", never, never, cache=cache, replay_only=True)
    (answer,) = replay.complete([ask("a")])
    assert "has no reply of it" in str(answer)
    cache.close()


def failing(text: str) -> Callable[[], Counting]:
    def load() -> Counting:
        raise ModelFailure(text)

    return load


def test_a_model_that_cannot_be_loaded_fails_every_request() -> None:
    model = LanguageModel("it", failing("no weights"))
    assert texts(model.complete([ask("a"), ask("b")])) == ["! no weights", "! no weights"]
    with pytest.raises(ModelFailure, match="no weights"):
        model.generate("a")
    assert model.usage.failed == 3


def test_a_failed_request_takes_no_other_with_it_and_is_not_kept(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "replies")
    script = ScriptedBackend(["one", ModelFailure("server down"), "three"])
    model = LanguageModel("it", lambda: script, cache=cache)
    assert texts(model.complete([ask("a"), ask("b"), ask("c")])) == [
        "one",
        "! server down",
        "three",
    ]
    assert len(cache) == 2
    cache.close()


class Broken(CallableBackend):
    """Runs out of memory as libraries do, with errors of their own."""

    def __init__(self) -> None:
        super().__init__(str.upper)

    def complete(self, requests: Sequence[Request]) -> list[Answer]:
        raise RuntimeError("CUDA out of memory")


def test_whatever_a_backend_throws_is_the_models_failure() -> None:
    model = LanguageModel("it", Broken)
    answers = model.complete([ask("a"), ask("b")])
    assert texts(answers) == ["! it failed: RuntimeError: CUDA out of memory"] * 2
    assert model.usage.failed == 2


def test_whatever_loading_throws_is_the_models_failure() -> None:
    def load() -> CallableBackend:
        raise MemoryError("no room")

    model = LanguageModel("it", load)
    assert texts(model.complete([ask("a")])) == ["! it cannot be loaded: MemoryError: no room"]
    with pytest.raises(ModelFailure, match="no room"):
        model.load()


def test_a_cache_that_cannot_be_written_fails_what_was_asked(tmp_path: Path) -> None:
    ReplyCache(tmp_path / "it").close()
    model, _ = counting(ReplyCache(tmp_path / "it", read_only=True))
    (answer,) = model.complete([ask("a")])
    assert isinstance(answer, ModelFailure)
    assert "readonly database" in str(answer)
    assert not model.lacks([ask("a")])  # asking tells what is wrong, loading would not help


def test_who_comes_second_says_what_the_first_was_told(tmp_path: Path) -> None:
    """Two processes ask the same at the same time: a replay knows one reply."""
    one, other = ReplyCache(tmp_path / "it"), ReplyCache(tmp_path / "it")
    first = LanguageModel("it", lambda: ScriptedBackend(["first"]), cache=one)

    class Slow(ScriptedBackend):
        def complete(self, requests: Sequence[Request]) -> list[Answer]:
            first.complete(requests)
            return super().complete(requests)

    second = LanguageModel("it", lambda: Slow(["second"]), cache=other)
    assert texts(second.complete([ask("a")])) == ["first"]
    one.close()
    other.close()


def test_threads_that_ask_together_are_answered_one_after_the_other() -> None:
    model, backend = counting()
    answered: list[str] = []
    threads = [
        threading.Thread(target=lambda n=n: answered.extend(texts(model.complete([ask(f"t{n}")]))))
        for n in range(16)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answered) == sorted(f"T{n}" for n in range(16))
    assert model.usage.requests == model.usage.batches == len(backend.batches) == 16
