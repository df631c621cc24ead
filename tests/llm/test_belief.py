"""What a party believes of the others, asked for and noted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from genius_py.deadline import Deadline, Timeline
from genius_py.domain import Domain
from genius_py.issue import DiscreteIssue, IntegerIssue, TextIssue
from genius_py.llm.belief import belief_fields, belief_of
from genius_py.log import Log
from genius_py.party import NegotiationInfo
from genius_py.utility import CallableUtilitySpace

DOMAIN = Domain(
    "car",
    [
        DiscreteIssue("colour", ["red", "blue"]),
        IntegerIssue("doors", 2, 5),
        IntegerIssue("price", 0, 1_000_000),
        TextIssue("words"),
    ],
)


def info(*seats: str) -> NegotiationInfo:
    deadline = Deadline(rounds=3)
    return NegotiationInfo(
        agent_id="ann",
        role="ann",
        utility_space=CallableUtilitySpace(domain=DOMAIN, function=lambda bid: 0.0),
        seats=("ann", *seats),
        protocol="SAOP",
        deadline=deadline,
        timeline=Timeline(deadline, lambda: 0.0),
        history=Log().seen_by("ann"),
        seed=1,
        seed_sequence=np.random.SeedSequence(1),
    )


REPLY: dict[str, Any] = {
    "chance_of_acceptance": 0.7,
    "their_reservation_value": "0.25",
    "importance of colour to them (0 to 100)": 30,
    "their wish for colour": "blue",
    "importance of doors to them (0 to 100)": 10,
    "their wish for doors": "low",
}


def test_each_issue_that_can_be_listed_is_asked_about() -> None:
    fields = belief_fields(DOMAIN)
    assert list(fields) == list(REPLY)
    assert fields["their wish for doors"].schema == {"enum": ["low", "high"]}


def test_a_statement_becomes_the_notes_that_are_scored() -> None:
    belief: Any = belief_of(REPLY, info("bob"))
    assert belief["accept"] == 0.7
    assert belief["reservation"] == 0.25
    assert belief["utilities"]["colour"] == {"red": 0.0, "blue": 0.75}
    assert belief["utilities"]["doors"] == pytest.approx(
        {"2": 0.25, "3": 0.25 * 2 / 3, "4": 0.25 / 3, "5": 0.0}
    )


def test_with_several_opponents_the_statement_is_about_each() -> None:
    belief: Any = belief_of(REPLY, info("bob", "carl"))
    assert belief["reservation"] == {"bob": 0.25, "carl": 0.25}
    assert set(belief["utilities"]) == {"bob", "carl"}


def test_what_cannot_be_read_is_left_out() -> None:
    stated = {**REPLY, "chance_of_acceptance": 7, "their wish for colour": "green"}
    belief: Any = belief_of(stated, info("bob"))
    assert "accept" not in belief
    assert list(belief["utilities"]) == ["doors"]
    assert belief_of({}, info("bob")) == {}
    nothing_matters = {key: 0 if "importance" in key else value for key, value in REPLY.items()}
    assert "utilities" not in belief_of(nothing_matters, info("bob"))
