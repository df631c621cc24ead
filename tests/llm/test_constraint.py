"""Keeping output to a schema, token by token."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from genius_py.action import EndNegotiation, Offer
from genius_py.allowed import Allowed, BidOf
from genius_py.domain import Domain
from genius_py.errors import ModelFailure
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue, TextIssue
from genius_py.llm.constraint import GuidanceConstraint, guidance_grammar
from genius_py.llm.reply_form import form_of

SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {
            "action": {"enum": ["Offer", "Accept"]},
            "price": {"type": "integer", "minimum": 120, "maximum": 135},
        },
        "required": ["action", "price"],
        "additionalProperties": False,
    }
)


@pytest.fixture(scope="module")
def tokenizer(tiny: Path) -> Any:
    from tokenizers import Tokenizer

    return Tokenizer.from_file(str(tiny / "tokenizer.json"))


@pytest.fixture(scope="module")
def constraint(tokenizer: Any) -> GuidanceConstraint:
    return GuidanceConstraint(tokenizer.to_str(), 260, [tokenizer.token_to_id("<|end|>")])


def written(
    constraint: GuidanceConstraint,
    tokenizer: Any,
    rng: np.random.Generator,
    schema: str = SCHEMA,
) -> str:
    """A reply whose every free token is drawn among those allowed."""
    matcher = constraint.matcher(schema)
    tokens = matcher.forced()
    while not matcher.is_done:
        token = int(rng.choice(matcher.allowed()))
        if token == tokenizer.token_to_id("<|end|>"):
            break
        matcher.consume(token)
        tokens += [token, *matcher.forced()]
    text: str = tokenizer.decode(tokens)
    return text


def test_whatever_is_chosen_the_reply_keeps_to_the_schema(
    constraint: GuidanceConstraint, tokenizer: Any
) -> None:
    rng = np.random.default_rng(0)
    replies = [json.loads(written(constraint, tokenizer, rng)) for _ in range(100)]
    assert {reply["action"] for reply in replies} == {"Offer", "Accept"}
    prices = {reply["price"] for reply in replies}
    assert prices <= set(range(120, 136))
    assert len(prices) > 8


@pytest.mark.parametrize(
    "issue",
    [
        IntegerIssue("it", -5, -5),
        IntegerIssue("it", 10**15, 10**15 + 3),
        IntegerIssue("it", -(2**63), 2**63 - 1),
        IntegerIssue("it", 0, 10**30),
        IntegerIssue("it", -(10**30), -(10**29)),
        RealIssue("it", 0.0, 1e-9),
        RealIssue("it", 1 / 3, 2 / 3),
        RealIssue("it", -0.00001, 0.00002),
        RealIssue("it", 123456789.123, 123456789.124),
        RealIssue("it", 1e15, 1e16),
        RealIssue("it", -1e300, 1e300),
        RealIssue("it", 5.0, 5.0),
        TextIssue("it", 1),
        DiscreteIssue("it", ["only"]),
        DiscreteIssue(
            "it", ['{"price": 5}', '"', "\\", "a\nb", "null", "3", "03", "\u2028", "1,0"]
        ),
        DiscreteIssue(
            "it", ["\u00e9", "e\u0301", "\U0001f600", "\u202eabc", "<think>", "$x", "x" * 900]
        ),
        DiscreteIssue("it", [f"value {number}" for number in range(20_000)]),
        DiscreteIssue('{"action": "Accept"}', ["Accept", "Offer"]),
        DiscreteIssue("action", ["Accept", "Offer"]),
    ],
    ids=str,
)
def test_of_every_issue_legal_values_can_be_written_and_read(
    constraint: GuidanceConstraint, tokenizer: Any, issue: Issue
) -> None:
    domain = Domain("it", [issue, IntegerIssue("other", 0, 1)])
    form = form_of(Allowed({Offer: {"bid": BidOf(domain)}, EndNegotiation: {}}))
    rng = np.random.default_rng(0)
    for _ in range(6):
        text = written(constraint, tokenizer, rng, form.schema)
        assert len(text) <= form.longest
        form.move_of(form.read(text), "ann")


def test_what_alone_can_follow_is_given_without_asking(
    constraint: GuidanceConstraint, tokenizer: Any
) -> None:
    matcher = constraint.matcher(SCHEMA)
    assert tokenizer.decode(matcher.forced()) == '{"action":"'
    assert {tokenizer.decode([token]) for token in matcher.allowed()} == {"O", "A"}
    matcher.consume(tokenizer.encode("O").ids[0])
    assert tokenizer.decode(matcher.forced()) == 'ffer","price":1'


def test_matchers_of_one_schema_are_apart(constraint: GuidanceConstraint, tokenizer: Any) -> None:
    one, other = constraint.matcher(SCHEMA), constraint.matcher(SCHEMA)
    one.forced()
    one.consume(tokenizer.encode("A").ids[0])
    assert tokenizer.decode(other.forced()) == '{"action":"'


def test_a_token_that_is_not_allowed_is_a_failure(
    constraint: GuidanceConstraint, tokenizer: Any
) -> None:
    matcher = constraint.matcher(SCHEMA)
    with pytest.raises(ModelFailure, match="constrained decoding failed"):
        matcher.consume(tokenizer.encode("x").ids[0])


def test_a_schema_that_cannot_be_enforced_is_a_failure_in_few_words(
    constraint: GuidanceConstraint,
) -> None:
    with pytest.raises(ModelFailure, match="cannot be enforced") as caught:
        constraint.matcher(json.dumps({"type": "object", "unevaluatedProperties": False}))
    assert len(str(caught.value)) < 500


def test_few_schemas_are_remembered(constraint: GuidanceConstraint) -> None:
    for number in range(300):
        constraint.matcher(json.dumps({"const": number}))
    assert len(constraint._matchers) == 256


def test_llama_cpp_gets_the_schema_as_a_grammar_without_blanks() -> None:
    grammar = guidance_grammar('{"type":"object"}')
    assert grammar.startswith("%llguidance {}\nstart: %json {")
    body = json.loads(grammar.partition("%json ")[2])
    assert body == {"x-guidance": {"whitespace_flexible": False}, "type": "object"}
