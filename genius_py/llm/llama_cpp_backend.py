"""GGUF files through llama.cpp, by way of xllamacpp."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from genius_py.errors import ModelFailure
from genius_py.llm.chat_completion import body_of, completion_of
from genius_py.llm.constraint import guidance_grammar
from genius_py.llm.options import require_packages
from genius_py.llm.request import Answer, Message, Request, Sampling

__all__ = ["LlamaCppBackend"]

_CONTEXT = 8192

_NOTHING = Request([Message("user", "")], sampling=Sampling(max_tokens=1))


class LlamaCppBackend:
    """A GGUF model in this process, constrained by llguidance inside llama.cpp.

    It reads what requests have in common once. With ``batch=1``, the default, one reply is made
    at a time and does not depend on the others; more are made together by llama.cpp, whose
    arithmetic then differs a little from batch to batch. `gpu_layers` go to a GPU where the
    package was built for one; -1: all of them. A schema that llama.cpp cannot compile is not
    enforced, and nothing says so: replies have still to be checked, as parties do.

    Raises:
        OptionError: the package is missing.
        ModelFailure: the file cannot be loaded.
    """

    def __init__(
        self,
        file: str | Path,
        *,
        batch: int = 1,
        threads: int | None = None,
        context: int = _CONTEXT,
        gpu_layers: int = 0,
    ) -> None:
        require_packages("llamacpp", "xllamacpp")
        library: Any = importlib.import_module("xllamacpp")
        parameters = library.CommonParams()
        parameters.model.path = str(file)
        parameters.n_ctx = context
        parameters.n_parallel = batch
        parameters.kv_unified = True
        parameters.n_gpu_layers = gpu_layers
        parameters.verbosity = 0
        parameters.warmup = False
        if threads is not None:
            parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
        if not Path(file).is_file():
            raise ModelFailure(f"there is no file {str(file)!r}")
        try:
            self._server = library.Server(parameters)
        except Exception as error:  # whatever C++ throws
            raise ModelFailure(f"{file} cannot be loaded by llama.cpp: {error}") from error
        self._batch = batch
        self._has_answered = False

    @property
    def address(self) -> str:
        """Where the same model can be asked over HTTP, on this machine alone."""
        return str(self._server.listening_address)

    def complete(self, requests: Sequence[Request]) -> list[Answer]:
        """One after the other, or `batch` at a time."""
        with ThreadPoolExecutor(self._batch) as pool:
            answers = list(pool.map(self._answer, requests))
        self._has_answered = self._has_answered or bool(answers)
        return answers

    def _answer(self, request: Request) -> Answer:
        body = body_of(request)
        if request.schema:
            body["grammar"] = guidance_grammar(request.schema)
        try:
            return completion_of(self._server.handle_chat_completions(body))
        except ModelFailure as failure:
            return failure
        except Exception as error:
            return ModelFailure(f"llama.cpp failed: {type(error).__name__}: {error}")

    def close(self) -> None:
        """Free the model."""
        if not self._has_answered:
            # A server that is told to end before its loop has begun waits for ever.
            self.complete([_NOTHING])
        del self._server
