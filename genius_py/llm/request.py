"""What a language model is asked, and what it answers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Literal, TypeAlias

import attrs

from genius_py.errors import ModelFailure, OptionError

__all__ = ["Answer", "Completion", "Message", "Request", "Sampling"]


def _encodable(text: str) -> str:
    """The text with a question mark for each half of a surrogate pair, which is no character.

    Models and servers write them in escapes; neither a file nor a request can hold them.
    """
    return text.encode("utf-8", "replace").decode("utf-8")


@attrs.frozen
class Message:
    """One turn of a chat."""

    role: Literal["system", "user", "assistant"]
    text: str = attrs.field(converter=_encodable)


@attrs.frozen
class Sampling:
    """How tokens are chosen: the likeliest one at temperature 0, else drawn.

    `top_p` in (0, 1] keeps the likeliest tokens that have this share of the probability.
    `seed` decides the draws together with the prompt, never the batch.

    Raises:
        OptionError: a value is out of range.
    """

    temperature: float = 0.0
    top_p: float = 1.0
    max_tokens: int = 400
    seed: int = 0

    def __attrs_post_init__(self) -> None:
        if not 0 <= self.temperature < float("inf"):
            raise OptionError(f"A temperature is 0 or more, not {self.temperature!r}.")
        if not 0 < self.top_p <= 1:
            raise OptionError(f"top_p lies above 0 and is at most 1; it is {self.top_p!r}.")
        if self.max_tokens < 1:
            raise OptionError(f"A reply needs 1 token or more, not {self.max_tokens!r}.")

    @property
    def is_greedy(self) -> bool:
        """Whether nothing is drawn."""
        return self.temperature == 0


def _as_tuple(given: Iterable[Message]) -> tuple[Message, ...]:
    return tuple(given)


@attrs.frozen
class Request:
    """One question to a model.

    `schema` is a JSON schema as text, which the reply has to keep to; empty: any text will do.
    The leading system messages are what many requests share.
    """

    messages: tuple[Message, ...] = attrs.field(converter=_as_tuple)
    schema: str = ""
    sampling: Sampling = Sampling()

    def key(self, identity: str) -> str:
        """What a cache finds the answer of one model by; equal for all that must be equal."""
        sampling = self.sampling
        drawn = (
            None if sampling.is_greedy else [sampling.temperature, sampling.top_p, sampling.seed]
        )
        content = [
            identity,
            [[message.role, message.text] for message in self.messages],
            self.schema,
            sampling.max_tokens,
            drawn,
        ]
        text = json.dumps(content, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


@attrs.frozen
class Completion:
    """A model's reply. `is_whole` is false when it was cut off at the largest length."""

    text: str = attrs.field(converter=_encodable)
    prompt_tokens: int = 0
    new_tokens: int = 0
    is_whole: bool = True


Answer: TypeAlias = Completion | ModelFailure
"""What became of a request: one that failed does not take its batch with it."""
