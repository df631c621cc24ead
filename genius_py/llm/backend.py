"""The interface of whatever makes a language model speak."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from genius_py.llm.request import Answer, Request

__all__ = ["Backend"]


class Backend(Protocol):
    """A loaded model. It takes a list, because that is where the speed is.

    No answer may depend on what else is in the list, as far as the arithmetic allows.
    """

    def complete(self, requests: Sequence[Request]) -> list[Answer]:
        """The answers, in the order of the requests."""
        ...

    def close(self) -> None:
        """Let go of memory and connections."""
        ...
