"""The manager beyond what the platform's statements say of it (see tests/spec)."""

from __future__ import annotations

from typing import Any

import pytest

from genius_py.errors import ModelFailure, OptionError
from genius_py.llm.manager import LLMManager
from genius_py.llm.request import Completion, Message, Request


def test_every_type_without_weights_answers() -> None:
    manager = LLMManager(
        {
            "echo": {"type": "echo"},
            "function": {"type": "callable", "function": str.upper},
            "script": {"type": "scripted", "script": ["one", "two"]},
        }
    )
    assert manager.get_response("hello", "echo") == "hello"
    assert manager.get_response("hello", "function") == "HELLO"
    assert [manager.get_response("hello", "script") for _ in range(3)] == ["one", "two", "two"]


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"type": "telepathy"}, "supported are: huggingface"),
        ({"type": "callable"}, "needs a `function`"),
        ({"type": "scripted", "script": []}, "needs a `script`"),
        ({"type": "scripted", "script": "one"}, "needs a `script`"),
        ({"model_name": "a/b", "dtype": "fp4"}, "dtype is one of fp32, bf16, fp16"),
        ({"model_name": "a/b", "batch": 0}, "batch must be a whole number"),
        ({"type": "echo", "generation_config": 7}, "no mapping"),
    ],
)
def test_a_configuration_that_cannot_work_is_an_error_at_once(
    config: dict[str, Any], said: str
) -> None:
    with pytest.raises(OptionError, match=said):
        LLMManager({}).register_model("it", config)


def test_all_that_is_wrong_at_construction_is_told_together() -> None:
    with pytest.raises(OptionError, match=r"'a'.*'b'"):
        LLMManager({"a": {"type": "x"}, "ok": {"type": "echo"}, "b": {"type": "y"}})


def test_settings_of_a_reply_are_checked() -> None:
    manager = LLMManager({"echo": {"type": "echo"}})
    settings = {"temperature": 0.7, "max_length": 20, "top_p": 0.9, "do_sample": True, "seed": 3}
    assert manager.get_response("hello", "echo", **settings) == "hello"
    with pytest.raises(OptionError, match="'loudness'"):
        manager.get_response("hello", "echo", loudness=11)
    with pytest.raises(OptionError, match="temperature"):
        manager.get_response("hello", "echo", temperature=-1)


def test_many_requests_are_answered_together() -> None:
    manager = LLMManager({"echo": {"type": "echo"}})
    requests = [Request([Message("user", text)]) for text in "abc"]
    assert manager.complete("echo", requests) == [Completion(text) for text in "abc"]
    assert manager.list_models()["echo"]["usage"].batches == 1


def test_a_model_that_cannot_be_loaded_fails_what_was_asked_of_it() -> None:
    manager = LLMManager({"none": {"model_name": "no/such/model"}})
    (failure,) = manager.complete("none", [Request([Message("user", "hello")])])
    assert isinstance(failure, ModelFailure)
    with pytest.raises(ModelFailure, match="There is no model 'no/such/model'"):
        manager.get_response("hello", "none")


def test_a_models_failure_is_the_callers_error() -> None:
    def fail(prompt: str) -> str:
        raise ConnectionError("server down")

    manager = LLMManager({"it": {"type": "callable", "function": fail}})
    with pytest.raises(ModelFailure, match="server down"):
        manager.get_response("hello", "it")


def test_a_limit_of_none_is_an_error() -> None:
    with pytest.raises(OptionError, match="At least 1"):
        LLMManager({}, max_loaded_models=0)
