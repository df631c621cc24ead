"""A language model that is loaded when it is first needed, and asked at most once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from genius_py.errors import GeniusError, ModelFailure
from genius_py.llm.backend import Backend
from genius_py.llm.reply_cache import ReplyCache
from genius_py.llm.request import Answer, Completion, Message, Request, Sampling
from genius_py.llm.usage import Usage

__all__ = ["LanguageModel"]


class LanguageModel:
    """A model by its name; one thread at a time may ask it, others wait.

    `load_backend` loads it. `identity` gives a text that holds all that decides its replies
    besides the request (weights, engine, versions, precision) without loading it.

    With a `cache` what has been answered before is not asked again. With `replay_only` nothing
    else is ever answered: what is not in the cache fails, and neither weights nor engine are
    needed.
    """

    def __init__(
        self,
        name: str,
        load_backend: Callable[[], Backend],
        identity: Callable[[], str] | None = None,
        *,
        cache: ReplyCache | None = None,
        replay_only: bool = False,
    ) -> None:
        self.name = name
        self.cache = cache
        self.replay_only = replay_only
        self.usage = Usage()
        self._load_backend = load_backend
        self._identity = identity or (lambda: name)
        self._identified: str | None = None
        self._backend: Backend | None = None
        self._lock = threading.RLock()

    @property
    def is_loaded(self) -> bool:
        """Whether it takes up memory now."""
        return self._backend is not None

    def load(self) -> None:
        """Load it, unless it is loaded.

        Raises:
            GeniusError: it cannot be loaded; the text says what is missing.
        """
        with self._lock:
            if self._backend is None:
                try:
                    self._backend = self._load_backend()
                except GeniusError:
                    raise
                except Exception as error:  # of whatever library
                    raise ModelFailure(
                        f"{self.name} cannot be loaded: {type(error).__name__}: {error}"
                    ) from error

    def unload(self) -> None:
        """Free its memory; it is loaded again when it is needed."""
        with self._lock:
            if self._backend is not None:
                self._backend.close()
                self._backend = None

    def complete(self, requests: Sequence[Request]) -> list[Answer]:
        """Answer all requests, in their order; equal ones are asked once.

        A request that could not be answered gives its `ModelFailure`, and the others their reply.
        """
        with self._lock:
            self.usage.requests += len(requests)
            answers: list[Answer]
            try:
                answers = self._complete(requests)
            except Exception as error:  # what fails is the model, not who asks it
                failure = (
                    error
                    if isinstance(error, ModelFailure)
                    else ModelFailure(f"{self.name} failed: {type(error).__name__}: {error}")
                )
                answers = [failure for _ in requests]
            self.usage.failed += sum(isinstance(answer, ModelFailure) for answer in answers)
            return answers

    def lacks(self, requests: Sequence[Request]) -> bool:
        """Whether the model itself is needed to answer these."""
        if self.replay_only:
            return False
        if self.cache is None:
            return True
        try:
            keys = {request.key(self.identity) for request in requests}
            return len(self.cache.get(list(keys))) < len(keys)
        except ModelFailure:
            return False  # which asking it will tell

    def _complete(self, requests: Sequence[Request]) -> list[Answer]:
        identity = self.identity
        keys = [request.key(identity) for request in requests]
        known: dict[str, Answer] = {}
        if self.cache is not None:
            known.update(self.cache.get(list(dict.fromkeys(keys))))
        missing = {
            key: request for key, request in zip(keys, requests, strict=True) if key not in known
        }
        self.usage.cached += len(requests) - len(missing)
        if missing:
            fresh = dict(zip(missing, self._ask(list(missing.values())), strict=True))
            if self.cache is not None:
                self.cache.put({k: v for k, v in fresh.items() if isinstance(v, Completion)})
                # Another process may have been first, and what it was told is what is replayed.
                fresh |= self.cache.get(list(fresh))
            known.update(fresh)
        return [known[key] for key in keys]

    def _ask(self, requests: list[Request]) -> list[Answer]:
        if self.replay_only:
            lacking = ModelFailure(
                f"{self.name} was to be replayed from {self._cache_name}, which lacks this reply; "
                f"play once without replay_only to record it"
            )
            return [lacking] * len(requests)
        self.load()
        assert self._backend is not None
        started = time.perf_counter()
        answers = self._backend.complete(requests)
        self.usage.seconds += time.perf_counter() - started
        self.usage.batches += 1
        for answer in answers:
            if isinstance(answer, Completion):
                self.usage.prompt_tokens += answer.prompt_tokens
                self.usage.new_tokens += answer.new_tokens
        return answers

    @property
    def identity(self) -> str:
        """All that decides its replies besides the request.

        Raises:
            ModelFailure: a replay has no record of this model.
        """
        if self._identified is None:
            if self.replay_only:
                recorded = None if self.cache is None else self.cache.identity(self.name)
                if recorded is None:
                    raise ModelFailure(
                        f"{self.name} cannot be replayed: {self._cache_name} has no reply of it"
                    )
                self._identified = recorded
            else:
                identity = self._identity()
                if self.cache is not None:
                    self.cache.note_identity(self.name, identity)
                self._identified = identity
        return self._identified

    @property
    def _cache_name(self) -> str:
        return "no cache" if self.cache is None else str(self.cache.path)

    def generate(self, prompt: str, sampling: Sampling | None = None, system: str = "") -> str:
        """The reply to one prompt, as text.

        Raises:
            ModelFailure: there is none.
        """
        messages = [Message("system", system)] if system else []
        messages.append(Message("user", prompt))
        (answer,) = self.complete([Request(messages, sampling=sampling or Sampling())])
        if isinstance(answer, ModelFailure):
            raise answer
        return answer.text
