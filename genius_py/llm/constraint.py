"""Keeping a model's output to a schema, token by token."""

from __future__ import annotations

import importlib
import threading
from collections import OrderedDict
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from genius_py.errors import ModelFailure, OptionError

__all__ = ["Constraint", "GuidanceConstraint", "Matcher", "guidance_grammar"]

_KEPT = 256
"""Compiled schemas that are remembered."""

_SHOWN = 300
"""Characters of an error that are shown: a grammar can be long."""


class Matcher(Protocol):
    """How far one reply has come, and what may follow."""

    @property
    def is_done(self) -> bool:
        """Whether the reply is complete and nothing may follow."""
        ...

    def forced(self) -> list[int]:
        """Take the tokens that alone can follow; the matcher has moved past them."""
        ...

    def allowed(self) -> NDArray[np.intp]:
        """The tokens that may come next, in ascending order."""
        ...

    def consume(self, token: int) -> None:
        """Move past a token that is allowed."""
        ...


class Constraint(Protocol):
    """Makes matchers for the vocabulary of one model."""

    def matcher(self, schema: str) -> Matcher:
        """A matcher at the start of a reply that has to keep to a JSON schema."""
        ...


class GuidanceConstraint:
    """Constrained decoding by llguidance: milliseconds for a new schema, less for a known one.

    `tokenizer` is the JSON text of a Hugging Face tokenizer; `vocabulary` the number of logits, of
    which there may be fewer than the `tokens` that the tokenizer knows.

    Raises:
        OptionError: llguidance is not installed.
    """

    def __init__(self, tokenizer: str, vocabulary: int, end: list[int], tokens: int = 0) -> None:
        self._library = _library()
        self._tokenizer = self._library.LLTokenizer(
            tokenizer, n_vocab=max(vocabulary, tokens), eos_token=end
        )
        self._vocabulary = vocabulary
        self._matchers: OrderedDict[str, Any] = OrderedDict()
        self._lock = threading.Lock()

    def matcher(self, schema: str) -> Matcher:
        """A copy of the compiled schema.

        Raises:
            ModelFailure: the schema cannot be compiled.
        """
        with self._lock:
            compiled = self._matchers.get(schema)
            if compiled is None:
                compiled = self._compiled(schema)
                self._matchers[schema] = compiled
                if len(self._matchers) > _KEPT:
                    self._matchers.popitem(last=False)
            else:
                self._matchers.move_to_end(schema)
            return _GuidanceMatcher(compiled.deep_copy(), self._vocabulary)

    def _compiled(self, schema: str) -> Any:
        matcher = self._library.LLMatcher(self._tokenizer, _grammar(self._library, schema))
        if matcher.is_error():
            raise ModelFailure(f"the schema of a reply cannot be enforced: {_error(matcher)}")
        return matcher


class _GuidanceMatcher:
    def __init__(self, matcher: Any, vocabulary: int) -> None:
        self._matcher = matcher
        self._vocabulary = vocabulary

    @property
    def is_done(self) -> bool:
        return bool(self._matcher.is_stopped())

    def forced(self) -> list[int]:
        tokens: list[int] = self._matcher.compute_ff_tokens()
        if tokens:
            self._matcher.consume_tokens(tokens)
            self._require_no_error()
        return tokens

    def allowed(self) -> NDArray[np.intp]:
        bits = np.frombuffer(self._matcher.compute_bitmask(), dtype=np.uint8)
        self._require_no_error()
        is_allowed = np.unpackbits(bits, bitorder="little")[: self._vocabulary].view(np.bool_)
        return np.flatnonzero(is_allowed)

    def consume(self, token: int) -> None:
        self._matcher.consume_token(token)
        self._require_no_error()

    def _require_no_error(self) -> None:
        if self._matcher.is_error():
            raise ModelFailure(f"constrained decoding failed: {_error(self._matcher)}")


def _error(matcher: Any) -> str:
    text = " ".join(str(matcher.get_error()).split())
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN // 2]} ... {text[-_SHOWN // 2 :]}"


def guidance_grammar(schema: str) -> str:
    """A schema in the notation of llguidance that llama.cpp takes as a grammar."""
    # Without blanks between the parts there is one way to write most of a reply.
    rigid = '{"x-guidance": {"whitespace_flexible": false}, '
    return f"%llguidance {{}}\nstart: %json {rigid}{schema.lstrip().removeprefix('{')}"


def _grammar(library: Any, schema: str) -> str:
    grammar: str = library.LLMatcher.grammar_from_json_schema(
        schema, defaults={"whitespace_flexible": False}
    )
    return grammar


def _library() -> Any:
    try:
        return importlib.import_module("llguidance")
    except ImportError as error:
        raise OptionError(
            "Constrained decoding needs llguidance; install it with: pip install 'genius-py[llm]'."
        ) from error
