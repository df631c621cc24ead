"""Models through transformers, made up on the spot: batches, prefixes, constraint."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from genius_py.errors import ModelFailure
from genius_py.llm.request import Answer, Completion, Message, Request, Sampling
from genius_py.llm.transformers_backend import TransformersBackend
from tests.llm.models import save_model

SYSTEM = "You sell cars, and whoever asks gets an answer. "
SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {
            "price": {"type": "integer", "minimum": 1000, "maximum": 9999},
            "word": {"type": "string", "maxLength": 6},
        },
        "required": ["price", "word"],
        "additionalProperties": False,
    }
)


def request(
    text: str,
    *,
    system: str = SYSTEM,
    schema: str = SCHEMA,
    temperature: float = 0.0,
    most: int = 60,
) -> Request:
    messages = [Message("system", system), Message("user", text)] if system else []
    sampling = Sampling(temperature=temperature, max_tokens=most, seed=3)
    return Request(messages or [Message("user", text)], schema, sampling)


def texts(answers: Sequence[Answer]) -> list[str]:
    assert all(isinstance(answer, Completion) for answer in answers), answers
    return [answer.text for answer in answers if isinstance(answer, Completion)]


@pytest.fixture(scope="module")
def backend(tiny: Path) -> TransformersBackend:
    return TransformersBackend(tiny, threads=1)


ASKED = [
    request(f"Offer {number}, please. " * (1 + number % 4), temperature=number % 2)
    for number in range(9)
] + [
    request("Another shop.", system="You buy cars. " * 12),
    request("No system prompt.", system=""),
    request("Say anything.", schema="", most=12),
]


def test_a_batch_says_what_each_says_alone(backend: TransformersBackend) -> None:
    assert backend.shares_prefixes
    alone = [backend.complete([one])[0] for one in ASKED]
    assert backend.complete(ASKED) == alone
    assert backend.complete(ASKED[::-1]) == alone[::-1]


def test_every_reply_keeps_to_its_schema(backend: TransformersBackend) -> None:
    for text in texts(backend.complete(ASKED[:11])):
        reply = json.loads(text)
        assert 1000 <= reply["price"] <= 9999
        assert len(reply["word"]) <= 6


def test_a_shared_prefix_changes_nothing(tiny: Path, backend: TransformersBackend) -> None:
    plain = TransformersBackend(tiny, threads=1)
    plain.shares_prefixes = False
    plain._model.set_attn_implementation("sdpa")
    assert texts(plain.complete(ASKED)) == texts(backend.complete(ASKED))
    assert not plain._prefixes


def test_a_prefix_is_read_once(tiny: Path) -> None:
    backend = TransformersBackend(tiny, threads=1)
    backend.complete(ASKED[:4])
    (kept,) = backend._prefixes
    assert backend._tokenizer.decode(kept).startswith(
        f"<|system|>{SYSTEM.strip()}<|end|><|user|>"[:40]
    )
    backend.complete(ASKED[4:8])
    assert list(backend._prefixes) == [kept]


def test_what_two_prefixes_begin_with_is_read_once(
    tiny: Path, backend: TransformersBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = "These are the rules, and they are the same for everybody who plays. "
    asked = [request("Offer.", system=f"{rules}You are {who}. " * 2) for who in ("ann", "bob")]
    alone = [TransformersBackend(tiny, threads=1).complete([one])[0] for one in asked]
    read: list[int] = []
    forward = backend.forward

    def watched(tokens: Any, *rest: Any, **named: Any) -> Any:
        read.append(len(tokens[0]))
        return forward(tokens, *rest, **named)

    backend._prefixes.clear()
    monkeypatch.setattr(backend, "forward", watched)
    assert backend.complete(asked) == alone
    ann, bob = read[:2]
    assert bob < ann - len(rules)


def test_what_the_prompts_of_a_batch_begin_with_is_read_once(
    tiny: Path, backend: TransformersBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = "These are the choices that everybody has, and this is what has happened so far. "
    asked = [request(f"{question}{name} offers.") for name in ("ann", "bob", "cyd")]
    alone = [TransformersBackend(tiny, threads=1).complete([one])[0] for one in asked]
    read: list[tuple[int, int]] = []
    forward = backend.forward

    def watched(tokens: Any, *rest: Any, **named: Any) -> Any:
        read.append((len(tokens), len(tokens[0])))
        return forward(tokens, *rest, **named)

    backend._prefixes.clear()
    monkeypatch.setattr(backend, "forward", watched)
    assert backend.complete(asked) == alone
    (rows, begun), *steps = read
    assert rows == 1
    assert begun > len(SYSTEM) + len(question)
    assert all(columns < len(question) for rows, columns in steps if rows == 3)


def test_prefixes_are_forgotten_when_they_take_too_much_memory(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from genius_py.llm import transformers_backend

    backend = TransformersBackend(tiny, threads=1)
    monkeypatch.setattr(transformers_backend, "_PREFIX_BYTES", 100 * backend._token_bytes)
    answers = [backend.complete([request("Hello.", system=f"{n} " * 40)]) for n in range(5)]
    assert sum(map(len, backend._prefixes)) <= 100
    assert backend.complete([request("Hello.", system="0 " * 40)]) == answers[0]


def test_small_batches_and_little_memory_change_nothing(
    tiny: Path, backend: TransformersBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    from genius_py.llm import transformers_backend

    monkeypatch.setattr(transformers_backend, "_SCORE_BYTES", 1 << 17)
    monkeypatch.setattr(transformers_backend, "_ROW_BYTES", 600 * backend._token_bytes)
    small = TransformersBackend(tiny, threads=1, batch=4)
    assert [len(batch) <= 4 for batch in small._batches([])] == []
    assert small.complete(ASKED) == backend.complete(ASKED)


def test_tokens_are_counted(backend: TransformersBackend) -> None:
    (answer,) = backend.complete([request("Hi.", system="", schema="", most=5)])
    assert isinstance(answer, Completion)
    assert answer.prompt_tokens == len("Hi.") + 3  # a token a byte, and three of the chat
    assert answer.new_tokens == 5
    assert not answer.is_whole


def test_a_prompt_that_is_too_long_fails_alone(backend: TransformersBackend) -> None:
    long, short = backend.complete([request("x" * 1100), request("x")])
    assert isinstance(long, ModelFailure)
    assert "leaves no room for a reply within the 1024" in str(long)
    assert isinstance(short, Completion)


def test_a_schema_that_cannot_be_enforced_fails_alone(backend: TransformersBackend) -> None:
    bad = json.dumps({"type": "object", "unevaluatedProperties": False})
    wrong, right = backend.complete([request("x", schema=bad), request("x")])
    assert isinstance(wrong, ModelFailure)
    assert isinstance(right, Completion)


def test_a_reply_ends_where_the_models_memory_does(backend: TransformersBackend) -> None:
    (answer,) = backend.complete([request("x" * 900, system="", schema="", most=5000)])
    assert isinstance(answer, Completion)
    assert answer.prompt_tokens + answer.new_tokens <= 1024


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("Mistral", {"sliding_window": 16}),
        ("Gemma2", {"head_dim": 12, "sliding_window": 16}),
        ("Qwen2", {}),
    ],
)
def test_other_kinds_of_model_answer_in_whichever_way_suits_them(
    torch: Any, tmp_path: Path, kind: str, settings: dict[str, Any]
) -> None:
    backend = TransformersBackend(save_model(torch, tmp_path, kind, **settings), threads=1)
    assert backend.shares_prefixes == (kind == "Qwen2")
    alone = [backend.complete([one])[0] for one in ASKED[:4]]
    assert backend.complete(ASKED[:4]) == alone
    for text in texts(alone):
        assert 1000 <= json.loads(text)["price"] <= 9999


def test_half_precision_answers_too(tiny: Path) -> None:
    backend = TransformersBackend(tiny, dtype="bf16", threads=1)
    assert backend.shares_prefixes
    for text in texts(backend.complete(ASKED[:4])):
        assert 1000 <= json.loads(text)["price"] <= 9999


def test_a_template_that_knows_no_system_messages_gets_them_with_the_first_question(
    tiny: Path,
) -> None:
    backend = TransformersBackend(tiny, threads=1)
    backend._tokenizer.chat_template = (
        "{% for message in messages %}{% if message['role'] == 'system' %}"
        "{{ raise_exception('no system messages') }}{% endif %}"
        "<|{{ message['role'] }}|>{{ message['content'] }}<|end|>{% endfor %}<|assistant|>"
    )
    text, shared = backend._rendered(request("Hello.").messages)
    assert text == f"<|user|>{SYSTEM.strip()}\n\nHello.<|end|><|assistant|>"
    assert shared == f"<|user|>{SYSTEM.strip()}\n\n"


def test_a_model_without_a_template_gets_a_plain_dialogue(tiny: Path) -> None:
    backend = TransformersBackend(tiny, threads=1)
    backend._tokenizer.chat_template = None
    text, shared = backend._rendered(request("Hello.").messages)
    assert text == f"System: {SYSTEM.strip()}\nUser: Hello.\nAssistant:"
    assert shared == f"System: {SYSTEM.strip()}\nUser: "


def test_a_folder_that_holds_no_weights_is_a_failure(tmp_path: Path, torch: Any) -> None:
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ModelFailure, match="cannot be loaded"):
        TransformersBackend(tmp_path)


def test_closing_lets_the_weights_go(tiny: Path) -> None:
    import gc
    import weakref

    backend = TransformersBackend(tiny, threads=1)
    backend.complete(ASKED[:2])
    weights = weakref.ref(backend._model)
    backend.close()
    gc.collect()
    assert weights() is None
