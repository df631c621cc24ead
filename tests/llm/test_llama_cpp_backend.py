"""GGUF files through llama.cpp: a model that knows nothing, and a library that is made up."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from genius_py.errors import ModelFailure, OptionError
from genius_py.llm.llama_cpp_backend import LlamaCppBackend
from genius_py.llm.request import Completion, Message, Request, Sampling

SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {
            "move": {"enum": ["Accept", "Offer", "EndNegotiation"]},
            "price": {"type": "integer", "minimum": 35_000, "maximum": 45_000},
        },
        "required": ["move", "price"],
        "additionalProperties": False,
    }
)


def ask(text: str, schema: str = SCHEMA, **sampling: Any) -> Request:
    system = Message("system", "You negotiate about a car.")
    return Request([system, Message("user", text)], schema, Sampling(**sampling))


@pytest.fixture(scope="module")
def backend(tiny_gguf: Path) -> Iterator[LlamaCppBackend]:
    pytest.importorskip("xllamacpp", reason="needs xllamacpp (genius-py[llamacpp])")
    loaded = LlamaCppBackend(tiny_gguf, threads=1, context=1024)
    yield loaded
    loaded.close()


def texts(backend: LlamaCppBackend, requests: list[Request]) -> list[str]:
    answers = backend.complete(requests)
    assert all(isinstance(answer, Completion) for answer in answers)
    return [answer.text for answer in answers if isinstance(answer, Completion)]


def test_every_reply_keeps_to_its_schema(backend: LlamaCppBackend) -> None:
    requests = [ask(f"Round {number}", temperature=1.0, seed=number) for number in range(6)]
    for text in texts(backend, requests):
        reply = json.loads(text)
        assert reply["move"] in ("Accept", "Offer", "EndNegotiation")
        assert 35_000 <= reply["price"] <= 45_000
        assert " " not in text  # one way to write most of it


def test_the_likeliest_reply_is_the_same_in_whatever_company(backend: LlamaCppBackend) -> None:
    requests = [ask("one"), ask("two"), ask("three", schema="", max_tokens=9)]
    alone = [texts(backend, [request])[0] for request in requests]
    assert texts(backend, requests) == alone
    assert texts(backend, requests[::-1]) == alone[::-1]


def test_a_seed_decides_what_is_drawn(backend: LlamaCppBackend) -> None:
    def drawn(seed: int) -> str:
        question = ask("hello", schema="", max_tokens=12, temperature=1.5, seed=seed)
        return texts(backend, [question])[0]

    assert drawn(1) == drawn(1)
    assert len({drawn(seed) for seed in range(4)}) > 1


def test_tokens_are_counted_and_a_reply_that_was_cut_off_says_so(backend: LlamaCppBackend) -> None:
    (cut,) = backend.complete([ask("hello", schema="", max_tokens=4)])
    assert isinstance(cut, Completion)
    assert (cut.new_tokens, cut.is_whole) == (4, False)
    assert cut.prompt_tokens > 20
    (whole,) = backend.complete([ask("hello", max_tokens=60)])
    assert isinstance(whole, Completion)
    assert whole.is_whole


def test_a_prompt_that_is_too_long_fails_alone(backend: LlamaCppBackend) -> None:
    long, short = backend.complete([ask("long " * 2000), ask("short", max_tokens=60)])
    assert isinstance(long, ModelFailure)
    assert isinstance(short, Completion)


def test_more_at_a_time_answer_in_the_order_of_the_requests(tiny_gguf: Path) -> None:
    pytest.importorskip("xllamacpp", reason="needs xllamacpp (genius-py[llamacpp])")
    backend = LlamaCppBackend(tiny_gguf, batch=3, threads=1, context=2048)
    requests = [ask(f"Number {n}", schema=json.dumps({"const": n})) for n in range(6)]
    assert texts(backend, requests) == [str(n) for n in range(6)]
    backend.close()


def test_one_that_was_never_asked_can_be_closed(tiny_gguf: Path) -> None:
    """It used to wait for ever now and then, for a loop that had not begun to be over."""
    pytest.importorskip("xllamacpp", reason="needs xllamacpp (genius-py[llamacpp])")
    for _ in range(8):
        LlamaCppBackend(tiny_gguf, threads=1, context=512).close()


def test_it_is_asked_on_this_machine_alone(backend: LlamaCppBackend) -> None:
    assert backend.address.startswith(("http://127.0.0.1:", "127.0.0.1:"))


def test_a_whole_session_is_legal(tiny_gguf: Path, no_shared_models: None) -> None:
    from genius_py.manager import run
    from genius_py.model_counts import model_counts

    pytest.importorskip("xllamacpp", reason="needs xllamacpp (genius-py[llamacpp])")
    spec = f"llm:model={tiny_gguf},engine=llamacpp,threads=1,temperature=1"
    outcome = run("SAOP", "company_car", parties=[spec, "boulware"], deadline=3, seed=2)
    assert not outcome.faults
    counts = model_counts(outcome.log)["buyer"]
    assert counts.turns == counts.replies > 0
    assert counts.prompt_tokens > 0


def test_a_file_that_is_not_there_or_no_model_is_a_failure(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp", reason="needs xllamacpp (genius-py[llamacpp])")
    with pytest.raises(ModelFailure, match="there is no file"):
        LlamaCppBackend(tmp_path / "none.gguf")
    (tmp_path / "bad.gguf").write_bytes(b"GGUF and no more")
    with pytest.raises(ModelFailure, match=r"bad\.gguf cannot be loaded by llama\.cpp"):
        LlamaCppBackend(tmp_path / "bad.gguf")


class _Library:
    """As much of xllamacpp as is used, which keeps what it is told."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.parameters: Any = None
        self.bodies: list[dict[str, Any]] = []

    def CommonParams(self) -> Any:
        names = ("model", "cpuparams", "cpuparams_batch")
        return SimpleNamespace(**{name: SimpleNamespace() for name in names})

    def Server(self, parameters: Any) -> Any:
        self.parameters = parameters
        return SimpleNamespace(handle_chat_completions=self._handle)

    def _handle(self, body: dict[str, Any]) -> Any:
        self.bodies.append(body)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Makes a backend over a library that always answers this."""
    from genius_py.llm import llama_cpp_backend

    (tmp_path / "it.gguf").write_bytes(b"weights")

    def make(answer: Any = None, **options: Any) -> tuple[LlamaCppBackend, _Library]:
        library = _Library(answer)
        monkeypatch.setattr(llama_cpp_backend, "require_packages", lambda *_: None)
        monkeypatch.setattr(importlib, "import_module", lambda name: library)
        return LlamaCppBackend(tmp_path / "it.gguf", **options), library

    return make


def test_how_it_is_run_is_said_to_the_library(made_up: Any) -> None:
    _, library = made_up(batch=4, threads=2, context=512, gpu_layers=-1)
    told = library.parameters
    assert (told.n_parallel, told.n_ctx, told.n_gpu_layers) == (4, 512, -1)
    assert told.cpuparams.n_threads == told.cpuparams_batch.n_threads == 2
    _, library = made_up()
    assert (library.parameters.n_parallel, library.parameters.n_gpu_layers) == (1, 0)
    assert not hasattr(library.parameters.cpuparams, "n_threads")


def test_a_schema_is_sent_as_a_grammar(made_up: Any) -> None:
    backend, library = made_up({"choices": [{"message": {"content": "{}"}}]})
    backend.complete([ask("with"), ask("without", schema="")])
    assert library.bodies[0]["grammar"].startswith("%llguidance")
    assert "grammar" not in library.bodies[1]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (RuntimeError("out of memory"), "llama.cpp failed: RuntimeError: out of memory"),
        ({"error": {"message": "no slot is free"}}, "no slot is free"),
        ({"choices": []}, "gave no chat completion"),
        ({}, "gave no chat completion"),
    ],
)
def test_what_is_no_answer_is_a_failure(made_up: Any, answer: Any, said: str) -> None:
    backend, _ = made_up(answer)
    (failure,) = backend.complete([ask("hello")])
    assert isinstance(failure, ModelFailure)
    assert said in str(failure)


def test_without_the_package_the_way_to_get_it_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(OptionError, match=r"pip install 'genius-py\[llamacpp\]'"):
        LlamaCppBackend(tmp_path / "it.gguf")
