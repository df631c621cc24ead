"""The chat completions of OpenAI's interface, which most servers and llama.cpp speak."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from genius_py.errors import ModelFailure
from genius_py.llm.request import Completion, Request

__all__ = ["body_of", "completion_of"]


def body_of(request: Request) -> dict[str, Any]:
    """What is sent, but for the model's name and how the schema is told."""
    sampling = request.sampling
    body: dict[str, Any] = {
        "messages": [{"role": m.role, "content": m.text} for m in request.messages],
        "max_tokens": sampling.max_tokens,
        "temperature": sampling.temperature,
    }
    if not sampling.is_greedy:
        body |= {"top_p": sampling.top_p, "seed": sampling.seed}
    return body


def completion_of(answer: Mapping[str, Any]) -> Completion:
    """What came back; a reply without text is an empty one, which its reader refuses.

    Raises:
        ModelFailure: it is an error, or no chat completion.
    """
    if answer.get("error"):
        error = answer["error"]
        text = error.get("message", error) if isinstance(error, Mapping) else error
        raise ModelFailure(f"the server says: {text}")
    try:
        choice = answer["choices"][0]
        content = choice["message"].get("content")
        is_whole = choice.get("finish_reason") != "length"
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ModelFailure(f"the server gave no chat completion: {_shown(answer)}") from error
    tokens = _tokens(answer.get("usage"))
    return Completion(_text(content), *tokens, is_whole)


def _text(content: object) -> str:
    """What a message says; some servers cut it into parts, of which thoughts do not count."""
    if isinstance(content, list):
        parts = (part for part in content if isinstance(part, Mapping))
        return "".join(str(part.get("text", "")) for part in parts if part.get("type") == "text")
    return content if isinstance(content, str) else ""


def _tokens(usage: object) -> tuple[int, int]:
    """Those of the prompt and of the reply, as far as the server counts them."""
    told = usage if isinstance(usage, Mapping) else {}
    read, written = (told.get(name) for name in ("prompt_tokens", "completion_tokens"))
    return read if isinstance(read, int) else 0, written if isinstance(written, int) else 0


def _shown(answer: object) -> str:
    text = str(answer)
    return text if len(text) <= 200 else f"{text[:197]}..."
