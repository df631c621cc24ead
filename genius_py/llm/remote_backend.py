"""Servers that speak OpenAI's interface, near or far."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Literal, get_args

import attrs

from genius_py.errors import ModelFailure
from genius_py.llm.chat_completion import body_of, completion_of
from genius_py.llm.options import Dialect, require_packages
from genius_py.llm.request import Answer, Message, Request, Sampling

if TYPE_CHECKING:
    import httpx2

__all__ = ["RemoteBackend"]

_DIALECTS: tuple[Dialect, ...] = get_args(Dialect)

_ATTEMPTS = 6
_FIRST_WAIT = 0.5
_LONGEST_WAIT = 60.0
_HOPELESS = _LONGEST_WAIT * (_ATTEMPTS - 1)
"""Seconds to wait after which all attempts would have been made in vain."""

_TEMPORARY = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})

_PROBE = json.dumps(
    {
        "type": "object",
        "properties": {"zq": {"const": "zq-71"}},
        "required": ["zq"],
        "additionalProperties": False,
    }
)


@attrs.define
class _Server:
    """What has been found out about a server."""

    dialect: Dialect
    longest: str = "max_tokens"


class RemoteBackend:
    """A model behind ``url`` (up to and with ``/v1``), asked at most `concurrency` times at once.

    Some servers answer 200 and ignore the schema. With ``dialect="auto"`` one is first asked for
    something that nobody would say by himself, in each dialect, and the first that works is used.

    Timeouts, refused connections and the codes of busy servers are tried again with growing
    waits, or when the server's headers say; everything else fails at once. `api_key` names the
    environment variable that holds the key, which is written nowhere.

    Args:
        model: the model's name there; empty: the first that the server lists.
        timeout: seconds for one answer.
        transport: in the place of the network, for tests.
        wait: waits for some seconds.

    Raises:
        OptionError: the package is missing.
        ModelFailure: the server cannot be asked at all.
    """

    def __init__(
        self,
        url: str,
        model: str = "",
        *,
        dialect: Dialect | Literal["auto"] = "auto",
        api_key: str = "OPENAI_API_KEY",
        concurrency: int = 8,
        timeout: float = 120.0,
        transport: httpx2.AsyncBaseTransport | None = None,
        wait: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        require_packages("remote", "httpx2")
        self._url = url.rstrip("/")
        self._model = model
        self._key = os.environ.get(api_key, "")
        self._concurrency = concurrency
        self._timeout = timeout
        self._transport = transport
        self._wait = wait
        self._jitter = random.Random(0)
        self._server = _Server("none" if dialect == "auto" else dialect)
        self._in_thread(self._greet(dialect == "auto"))

    @property
    def dialect(self) -> Dialect:
        """How the server is told the schema."""
        return self._server.dialect

    def complete(self, requests: Sequence[Request]) -> list[Answer]:
        """All at once, as far as the concurrency allows."""
        answers: list[Answer] = self._in_thread(self._complete(requests))
        return answers

    def close(self) -> None:
        """Nothing stays open between batches."""

    def _in_thread(self, work: Any) -> Any:
        # A thread of its own: the caller may be inside an event loop, as in a notebook.
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(asyncio.run, work).result()

    def _client(self) -> httpx2.AsyncClient:
        import httpx2

        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        return httpx2.AsyncClient(headers=headers, timeout=self._timeout, transport=self._transport)

    async def _greet(self, probe: bool) -> None:
        async with self._client() as client:
            if not self._model:
                listed = await self._sent(client, "GET", "/models", None)
                try:
                    self._model = str(listed["data"][0]["id"])
                except (KeyError, IndexError, TypeError) as error:
                    raise ModelFailure(
                        f"{self._url} lists no models; name one: URL#NAME"
                    ) from error
            if probe:
                self._server.dialect = await self._probed(client)

    async def _probed(self, client: httpx2.AsyncClient) -> Dialect:
        question = Request([Message("user", "Say hello.")], _PROBE, Sampling(max_tokens=60))
        for dialect in _DIALECTS[:-1]:
            self._server.dialect = dialect
            try:
                answer = await self._sent(client, "POST", *self._body(question))
            except _Refused:
                continue
            if _keeps_to_schema(answer):
                return dialect
        return "none"

    async def _complete(self, requests: Sequence[Request]) -> list[Answer]:
        limit = asyncio.Semaphore(self._concurrency)
        async with self._client() as client:
            return await asyncio.gather(*(self._answer(client, limit, r) for r in requests))

    async def _answer(
        self, client: httpx2.AsyncClient, limit: asyncio.Semaphore, request: Request
    ) -> Answer:
        async with limit:
            try:
                return completion_of(await self._said(client, request))
            except ModelFailure as failure:
                return failure
            except Exception as error:  # an answer of a shape that nobody foresaw
                return ModelFailure(f"{self._url} failed: {type(error).__name__}: {error}")

    async def _said(self, client: httpx2.AsyncClient, request: Request) -> Mapping[str, Any]:
        while True:
            try:
                return await self._sent(client, "POST", *self._body(request))
            except _Refused as refusal:
                if not self._stepped_down(str(refusal), request):
                    raise

    def _stepped_down(self, why: str, request: Request) -> bool:
        """Whether there is another way to put a request that was refused as malformed."""
        server = self._server
        if server.longest == "max_tokens" and "max_completion_tokens" in why:
            server.longest = "max_completion_tokens"
            return True
        if request.schema and server.dialect != "none" and re.search("schema|format|gramm", why):
            server.dialect = _DIALECTS[_DIALECTS.index(server.dialect) + 1]
            return True
        return False

    def _body(self, request: Request) -> tuple[str, dict[str, Any]]:
        body = {"model": self._model, **body_of(request)}
        if self._server.longest != "max_tokens":
            body[self._server.longest] = body.pop("max_tokens")
        if request.schema:
            schema = json.loads(request.schema)
            match self._server.dialect:
                case "json_schema":
                    named = {"name": "reply", "strict": True, "schema": schema}
                    body["response_format"] = {"type": "json_schema", "json_schema": named}
                case "json_object":
                    body["response_format"] = {"type": "json_object", "schema": schema}
        return "/chat/completions", body

    async def _sent(
        self, client: httpx2.AsyncClient, method: str, path: str, body: dict[str, Any] | None
    ) -> Mapping[str, Any]:
        """The server's answer to one request, tried again while that may help."""
        import httpx2

        why = ""
        for attempt in range(_ATTEMPTS):
            pause: float | None = None
            try:
                response = await client.request(method, self._url + path, json=body)
            except httpx2.TransportError as error:
                why = f"{type(error).__name__}: {error}".rstrip(": ")
            else:
                if response.is_success:
                    return self._read(response)
                why = f"{response.status_code} {_reason(response)}"
                if response.status_code not in _TEMPORARY:
                    raise self._failure(response.status_code, why)
                pause = _asked_for(response.headers)
                if pause is not None and pause > _HOPELESS:
                    raise ModelFailure(
                        f"{self._url} asks to be left alone for {pause:.0f} s ({why})"
                    )
            if attempt + 1 < _ATTEMPTS:
                growing = _FIRST_WAIT * 2**attempt * (1 + self._jitter.random() / 4)
                await self._wait(min(_LONGEST_WAIT, growing if pause is None else pause))
        raise ModelFailure(f"{self._url} did not answer in {_ATTEMPTS} attempts; last: {why}")

    def _read(self, response: httpx2.Response) -> Mapping[str, Any]:
        try:
            answer = response.json()
        except ValueError as error:
            raise ModelFailure(f"{self._url} did not answer with JSON") from error
        if not isinstance(answer, Mapping):
            raise ModelFailure(f"{self._url} did not answer with a JSON object")
        return answer

    def _failure(self, code: int, why: str) -> ModelFailure:
        if code in (401, 403):
            return ModelFailure(f"{self._url} does not let us in ({why}); check the key")
        if code in (400, 422):
            return _Refused(f"{self._url} refused the request ({why})")
        return ModelFailure(f"{self._url} failed ({why})")


def _keeps_to_schema(answer: Mapping[str, Any]) -> bool:
    try:
        return bool(json.loads(completion_of(answer).text) == {"zq": "zq-71"})
    except (ModelFailure, ValueError):
        return False


class _Refused(ModelFailure):
    """The server found the request malformed; it may be put in another way."""


def _reason(response: httpx2.Response) -> str:
    text = " ".join(response.text.split())
    return text if len(text) <= 300 else f"{text[:297]}..."


def _asked_for(headers: Mapping[str, str]) -> float | None:
    """How many seconds a busy server asks us to wait, by whichever header it says so.

    >>> _asked_for({"retry-after": "7"}), _asked_for({"x-ratelimit-reset-requests": "1m30.5s"})
    (7.0, 90.5)
    """
    if "retry-after-ms" in headers:
        return _number(headers["retry-after-ms"], 1000)
    if "retry-after" in headers:
        return _number(headers["retry-after"], 1)  # a date is left to our own waits
    for name in ("x-ratelimit-reset-requests", "x-ratelimit-reset-tokens"):
        if name in headers:
            parts = re.findall(r"([\d.]+)(ms|h|m|s)", headers[name])
            seconds = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
            if parts:
                return sum(float(number) * seconds[unit] for number, unit in parts)
    return None


def _number(text: str, per_second: float) -> float | None:
    try:
        return max(0.0, float(text) / per_second)
    except ValueError:
        return None
