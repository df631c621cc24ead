"""Servers that speak OpenAI's interface, played by a function."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

import httpx2
import pytest

from genius_py.errors import ModelFailure
from genius_py.llm.options import Dialect
from genius_py.llm.remote_backend import RemoteBackend, _asked_for
from genius_py.llm.request import Completion, Message, Request, Sampling

Handler = Callable[[httpx2.Request], httpx2.Response]

SCHEMA = '{"type":"object","properties":{"price":{"type":"integer"}}}'


def ask(text: str = "Offer.", schema: str = SCHEMA) -> Request:
    return Request([Message("user", text)], schema, Sampling(max_tokens=9))


def said(text: str, finish: str = "stop") -> httpx2.Response:
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": finish}
    usage = {"prompt_tokens": 7, "completion_tokens": 3}
    return httpx2.Response(200, json={"choices": [choice], "usage": usage})


class Server:
    """Answers as told, and keeps what it was sent."""

    def __init__(self, answer: Callable[[dict[str, Any]], httpx2.Response]) -> None:
        self._answer = answer
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.waits: list[float] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.headers.append(request.headers)
        if request.url.path.endswith("/models"):
            return httpx2.Response(200, json={"data": [{"id": "first"}, {"id": "second"}]})
        body = json.loads(request.content)
        self.bodies.append(body)
        return self._answer(body)

    async def wait(self, seconds: float) -> None:
        self.waits.append(seconds)


def backend(server: Server, dialect: Any = "json_schema", **options: Any) -> RemoteBackend:
    return RemoteBackend(
        "http://host/v1/",
        options.pop("model", "it"),
        dialect=dialect,
        transport=httpx2.MockTransport(server),
        wait=server.wait,
        **options,
    )


def failure(server: Server, **options: Any) -> str:
    (answer,) = backend(server, **options).complete([ask()])
    assert isinstance(answer, ModelFailure)
    return str(answer)


def test_a_request_is_put_in_openais_words() -> None:
    server = Server(lambda body: said('{"price": 3}'))
    drawn = Request(
        [Message("system", "Sell."), Message("user", "Offer.")],
        SCHEMA,
        Sampling(temperature=0.7, top_p=0.9, seed=5, max_tokens=9),
    )
    assert backend(server).complete([drawn]) == [Completion('{"price": 3}', 7, 3, True)]
    assert server.bodies == [
        {
            "model": "it",
            "messages": [
                {"role": "system", "content": "Sell."},
                {"role": "user", "content": "Offer."},
            ],
            "max_tokens": 9,
            "temperature": 0.7,
            "top_p": 0.9,
            "seed": 5,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "reply", "strict": True, "schema": json.loads(SCHEMA)},
            },
        }
    ]


@pytest.mark.parametrize(
    ("dialect", "format_"),
    [("json_object", {"type": "json_object", "schema": json.loads(SCHEMA)}), ("none", None)],
)
def test_the_schema_is_told_in_the_servers_dialect(dialect: Dialect, format_: object) -> None:
    server = Server(lambda body: said("{}"))
    backend(server, dialect).complete([ask()])
    assert server.bodies[0].get("response_format") == format_


def keeps_to(*kinds: str) -> Callable[[dict[str, Any]], httpx2.Response]:
    """A server that keeps to schemas in these dialects, and ignores them in others."""

    def answer(body: dict[str, Any]) -> httpx2.Response:
        kind = body.get("response_format", {}).get("type")
        return said('{"zq":"zq-71"}' if kind in kinds else "Hello!")

    return answer


@pytest.mark.parametrize(
    ("kinds", "found"),
    [
        (("json_schema", "json_object"), "json_schema"),
        (("json_object",), "json_object"),
        ((), "none"),
    ],
)
def test_a_server_that_ignores_the_schema_is_found_out(kinds: tuple[str, ...], found: str) -> None:
    assert backend(Server(keeps_to(*kinds)), "auto").dialect == found


def test_a_server_that_refuses_a_dialect_is_asked_in_the_next() -> None:
    def answer(body: dict[str, Any]) -> httpx2.Response:
        if body.get("response_format", {}).get("type") == "json_schema":
            return httpx2.Response(400, json={"error": {"message": "response_format unknown"}})
        return said('{"zq":"zq-71"}')

    assert backend(Server(answer), "auto").dialect == "json_object"


def test_a_schema_that_turns_out_to_be_refused_is_put_in_another_way() -> None:
    def answer(body: dict[str, Any]) -> httpx2.Response:
        if "response_format" in body:
            return httpx2.Response(400, json={"error": {"message": "Invalid schema: minimum"}})
        return said('{"price": 3}')

    server = Server(answer)
    remote = backend(server)
    assert remote.complete([ask()]) == [Completion('{"price": 3}', 7, 3, True)]
    assert remote.dialect == "none"


def test_a_server_that_calls_the_length_otherwise_gets_it_so() -> None:
    def answer(body: dict[str, Any]) -> httpx2.Response:
        if "max_tokens" in body:
            text = "Unsupported parameter: use 'max_completion_tokens' instead."
            return httpx2.Response(400, json={"error": {"message": text}})
        return said("{}")

    server = Server(answer)
    assert isinstance(backend(server).complete([ask()])[0], Completion)
    assert server.bodies[-1]["max_completion_tokens"] == 9


def test_without_a_name_the_first_model_is_taken() -> None:
    server = Server(lambda body: said("{}"))
    backend(server, model="").complete([ask()])
    assert server.bodies[0]["model"] == "first"


def test_the_key_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "s3cret")
    server = Server(lambda body: said("{}"))
    backend(server, api_key="MY_KEY").complete([ask()])
    backend(server, api_key="NO_KEY").complete([ask()])
    assert server.headers[0]["authorization"] == "Bearer s3cret"
    assert "authorization" not in server.headers[1]


@pytest.mark.parametrize("code", [401, 403])
def test_a_wrong_key_fails_at_once(code: int) -> None:
    server = Server(lambda body: httpx2.Response(code, text="no"))
    assert "check the key" in failure(server)
    assert server.waits == []


@pytest.mark.parametrize("code", [404, 405, 413, 501])
def test_an_error_that_will_stay_fails_at_once(code: int) -> None:
    server = Server(lambda body: httpx2.Response(code, text="never"))
    assert f"failed ({code} never)" in failure(server)
    assert server.waits == []


def times(number: int, answer: httpx2.Response) -> Callable[[dict[str, Any]], httpx2.Response]:
    """That answer so many times, then a reply."""
    left = [number]

    def handler(body: dict[str, Any]) -> httpx2.Response:
        left[0] -= 1
        return answer if left[0] >= 0 else said("{}")

    return handler


@pytest.mark.parametrize("code", [429, 500, 502, 503, 504])
def test_a_busy_server_is_asked_again_with_growing_waits(code: int) -> None:
    server = Server(times(3, httpx2.Response(code)))
    assert isinstance(backend(server).complete([ask()])[0], Completion)
    first, second, third = server.waits
    assert 0.5 <= first <= 0.625
    assert 1.0 <= second <= 1.25
    assert 2.0 <= third <= 2.5


def test_a_server_that_says_how_long_is_believed() -> None:
    server = Server(times(1, httpx2.Response(429, headers={"retry-after": "7"})))
    backend(server).complete([ask()])
    assert server.waits == [7.0]


def test_a_server_that_asks_for_longer_than_all_attempts_take_is_left_alone() -> None:
    server = Server(lambda body: httpx2.Response(429, headers={"retry-after": "86400"}))
    assert "asks to be left alone for 86400 s" in failure(server)
    assert server.waits == []


def test_a_server_that_stays_busy_fails_in_the_end() -> None:
    server = Server(lambda body: httpx2.Response(503, text="overloaded"))
    assert "did not answer in 6 attempts; last: 503 overloaded" in failure(server)
    assert len(server.waits) == 5


def test_a_refused_connection_is_tried_again_and_fails_in_the_end() -> None:
    def down(body: dict[str, Any]) -> httpx2.Response:
        raise httpx2.ConnectError("connection refused")

    server = Server(down)
    assert "ConnectError: connection refused" in failure(server)
    assert len(server.waits) == 5


def test_a_server_that_is_down_cannot_be_greeted() -> None:
    def down(body: dict[str, Any]) -> httpx2.Response:
        raise httpx2.ConnectTimeout("too slow")

    with pytest.raises(ModelFailure, match="ConnectTimeout"):
        backend(Server(down), "auto")


@pytest.mark.parametrize(
    ("answer", "said_"),
    [
        (httpx2.Response(200, text="<html>"), "did not answer with JSON"),
        (httpx2.Response(200, json=[1]), "did not answer with a JSON object"),
        (httpx2.Response(200, json={"choices": []}), "gave no chat completion"),
        (httpx2.Response(200, json={"error": {"message": "model not found"}}), "model not found"),
    ],
)
def test_an_answer_that_is_none_is_a_failure(answer: httpx2.Response, said_: str) -> None:
    assert said_ in failure(Server(lambda body: answer))


@pytest.mark.parametrize(
    "answer",
    [
        {"choices": [{"message": {"content": "{}"}}], "usage": "much"},
        {"choices": [{"message": {"content": "{}"}}], "usage": {"prompt_tokens": "seven"}},
        {"choices": [{"message": {"content": "{}"}}], "usage": {"prompt_tokens": None}},
        {"choices": [{"message": {"content": "{}"}, "finish_reason": 7}]},
    ],
)
def test_what_a_server_says_of_tokens_is_taken_for_what_it_is_worth(answer: object) -> None:
    server = Server(lambda body: httpx2.Response(200, json=answer))
    assert backend(server).complete([ask()]) == [Completion("{}")]


@pytest.mark.parametrize(
    "answer",
    [
        {"choices": ["{}"]},
        {"choices": {"0": 1}},
        {"choices": [{"message": "{}"}]},
        {"choices": [{"delta": {"content": "{}"}}]},
        {"error": "overloaded", "choices": [{"message": {"content": "{}"}}]},
        {"error": {"code": 429}},
        {"detail": "Not authenticated"},
    ],
)
def test_a_200_with_something_else_in_it_is_a_failure(answer: object) -> None:
    (failed,) = backend(Server(lambda body: httpx2.Response(200, json=answer))).complete([ask()])
    assert isinstance(failed, ModelFailure)


def test_text_that_no_request_can_hold_is_sent_without_it() -> None:
    server = Server(lambda body: said("{}"))
    (answer,) = backend(server).complete([ask("half a pair: \ud83d")])
    assert isinstance(answer, Completion)
    assert server.bodies[0]["messages"][-1]["content"] == "half a pair: ?"


def test_what_nobody_foresaw_is_a_failure_of_its_request(monkeypatch: pytest.MonkeyPatch) -> None:
    from genius_py.llm import remote_backend

    asked = backend(Server(lambda body: said("{}")))
    monkeypatch.setattr(remote_backend, "completion_of", lambda answer: 1 / 0)
    (failed,) = asked.complete([ask()])
    assert "failed: ZeroDivisionError" in str(failed)


def test_a_refusal_or_an_empty_reply_is_a_reply_that_its_reader_refuses() -> None:
    choice = {"message": {"content": None, "refusal": "I can't."}, "finish_reason": "stop"}
    server = Server(lambda body: httpx2.Response(200, json={"choices": [choice]}))
    assert backend(server).complete([ask()]) == [Completion("")]


def test_a_reply_in_parts_is_what_its_texts_say() -> None:
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]},
        {"type": "text", "text": '{"price"'},
        {"type": "text", "text": ": 3}"},
        "strange",
    ]
    choice = {"message": {"content": parts}, "finish_reason": "stop"}
    server = Server(lambda body: httpx2.Response(200, json={"choices": [choice]}))
    assert backend(server).complete([ask()]) == [Completion('{"price": 3}')]


def test_a_reply_that_was_cut_off_says_so() -> None:
    (answer,) = backend(Server(lambda body: said('{"pri', "length"))).complete([ask()])
    assert answer == Completion('{"pri', 7, 3, False)


def test_one_failure_takes_no_other_with_it() -> None:
    def answer(body: dict[str, Any]) -> httpx2.Response:
        text = body["messages"][0]["content"]
        return httpx2.Response(404) if text == "b" else said(text)

    answers = backend(Server(answer)).complete([ask("a"), ask("b"), ask("c")])
    assert [isinstance(a, Completion) for a in answers] == [True, False, True]


@pytest.mark.parametrize("concurrency", [1, 3])
def test_no_more_requests_are_under_way_than_allowed(concurrency: int) -> None:
    under_way, most = [0], [0]

    async def answer(request: httpx2.Request) -> httpx2.Response:
        under_way[0] += 1
        most[0] = max(most[0], under_way[0])
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        under_way[0] -= 1
        return said(json.loads(request.content)["messages"][0]["content"])

    remote = RemoteBackend(
        "http://host/v1",
        "it",
        dialect="none",
        concurrency=concurrency,
        transport=httpx2.MockTransport(answer),
    )
    answers = remote.complete([ask(str(number)) for number in range(20)])
    assert [a.text for a in answers if isinstance(a, Completion)] == [str(n) for n in range(20)]
    assert most[0] == concurrency


def test_it_can_be_asked_inside_an_event_loop() -> None:
    async def notebook() -> Any:
        return backend(Server(lambda body: said("{}"))).complete([ask()])

    assert asyncio.run(notebook()) == [Completion("{}", 7, 3, True)]


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}, None),
        ({"x-ratelimit-reset-requests": "1m30.5s"}, 90.5),
        ({"x-ratelimit-reset-tokens": "20ms"}, 0.02),
        ({"x-ratelimit-reset-tokens": "soon"}, None),
        ({}, None),
    ],
)
def test_the_wait_that_a_server_asks_for(headers: dict[str, str], seconds: float | None) -> None:
    assert _asked_for(headers) == seconds
