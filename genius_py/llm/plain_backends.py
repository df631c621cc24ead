"""Backends without a model: a function, a script, and one that draws legal replies."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from genius_py.errors import ModelFailure
from genius_py.llm.request import Answer, Completion, Request

__all__ = ["CallableBackend", "Dice", "ScriptedBackend", "random_reply"]


class CallableBackend:
    """Answers with what a function makes of the last message."""

    def __init__(self, function: Callable[[str], str]) -> None:
        self._function = function

    def complete(self, requests: Sequence[Request]) -> list[Answer]:
        """One call a request; what it raises is that request's failure."""
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request) -> Answer:
        try:
            return Completion(str(self._function(request.messages[-1].text)))
        except Exception as error:
            return ModelFailure(f"the model failed: {type(error).__name__}: {error}")

    def close(self) -> None:
        """Nothing is held."""


class ScriptedBackend:
    """Answers with the next line of a script, and keeps what it was asked in `asked`.

    A line that is an exception fails its request. The last one is said again and again.
    """

    def __init__(self, script: Iterable[str | ModelFailure]) -> None:
        self._script = list(script)
        self.asked: list[Request] = []

    def complete(self, requests: Sequence[Request]) -> list[Answer]:
        """One line a request."""
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request) -> Answer:
        line = self._script[min(len(self.asked), len(self._script) - 1)]
        self.asked.append(request)
        return Completion(line) if isinstance(line, str) else line

    def close(self) -> None:
        """Nothing is held."""


class Dice:
    """Draws each reply among all that the schema admits, by the request alone.

    It plays legally and without a thought: a lower bound for comparisons, and a model for tests
    and examples that needs no package and no weights. As any model it says the same to the same
    request at temperature 0; parties throw it at 1.
    """

    def complete(self, requests: Sequence[Request]) -> list[Answer]:
        """A reply by the schema; the empty text where there is none."""
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request) -> Answer:
        if not request.schema:
            return Completion("")
        rng = random.Random(request.key("dice"))
        return Completion(json.dumps(random_reply(json.loads(request.schema), rng)))

    def close(self) -> None:
        """Nothing is held."""


def random_reply(schema: Mapping[str, Any], rng: random.Random) -> Any:
    """Some value that a reply's schema admits (of what `reply_form` writes, not any schema)."""
    if "anyOf" in schema:
        return random_reply(rng.choice(schema["anyOf"]), rng)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return rng.choice(schema["enum"])
    match schema.get("type"):
        case "object":
            return {key: random_reply(part, rng) for key, part in schema["properties"].items()}
        case "integer":
            return rng.randint(schema["minimum"], schema["maximum"])
        case "number":
            step = schema["multipleOf"]
            low, high = schema["minimum"] / step, schema["maximum"] / step
            drawn = rng.randint(math.ceil(low - 1e-9), math.floor(high + 1e-9)) * step
            return float(f"{drawn:.12g}")  # without the noise of the product
        case "string":
            longest = min(schema["maxLength"], schema.get("minLength", 0) + 12)
            length = rng.randint(schema.get("minLength", 0), longest)
            return "".join(rng.choices("abcdefg ", k=length))
        case "array":
            return []
        case _:
            return ""
