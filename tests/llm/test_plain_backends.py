"""Backends without a model."""

import json

from genius_py.errors import ModelFailure
from genius_py.llm.plain_backends import CallableBackend, Dice, ScriptedBackend
from genius_py.llm.request import Completion, Message, Request, Sampling

SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {
            "a": {"enum": ["x", "y", "z"]},
            "n": {"type": "integer", "minimum": 1, "maximum": 9},
            "p": {"type": "number", "minimum": 0.5, "maximum": 0.7, "multipleOf": 0.1},
            "t": {"type": "string", "minLength": 2, "maxLength": 3},
        },
    }
)


def ask(text: str, seed: int = 0, temperature: float = 0.0, schema: str = "") -> Request:
    sampling = Sampling(temperature=temperature, seed=seed)
    return Request([Message("user", text)], schema, sampling)


def test_a_function_answers_and_what_it_raises_is_a_failure() -> None:
    backend = CallableBackend(lambda text: str(1 / int(text)))
    first, second = backend.complete([ask("2"), ask("0")])
    assert first == Completion("0.5")
    assert isinstance(second, ModelFailure)
    assert "ZeroDivisionError" in str(second)


def test_a_script_is_followed_and_its_last_line_said_again() -> None:
    backend = ScriptedBackend(["one", "two"])
    answers = backend.complete([ask("a"), ask("b"), ask("c")])
    assert answers == [Completion("one"), Completion("two"), Completion("two")]
    assert [request.messages[0].text for request in backend.asked] == ["a", "b", "c"]


def test_dice_keep_to_the_schema() -> None:
    for seed in range(50):
        (answer,) = Dice().complete([ask("a", seed, 1.0, SCHEMA)])
        assert isinstance(answer, Completion)
        drawn = json.loads(answer.text)
        assert drawn["a"] in "xyz"
        assert drawn["n"] in range(1, 10)
        assert drawn["p"] in (0.5, 0.6, 0.7)
        assert 2 <= len(drawn["t"]) <= 3


def test_dice_depend_on_the_request_and_the_seed_alone() -> None:
    dice = Dice()
    warm = [ask("a", seed, 1.0, SCHEMA) for seed in range(5)]
    assert dice.complete(warm) == dice.complete(warm)
    assert len({str(answer) for answer in dice.complete(warm)}) > 1
    assert dice.complete([ask("a", 1, 0.0, SCHEMA)]) == dice.complete([ask("a", 2, 0.0, SCHEMA)])
    assert dice.complete([ask("a")]) == [Completion("")]
