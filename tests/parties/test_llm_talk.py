"""A strategy that decides and a model that speaks for it."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest

from genius_py import registry
from genius_py.errors import ModelFailure, UnknownName
from genius_py.log import Kind, Reason
from genius_py.manager import run
from genius_py.model_counts import model_counts
from genius_py.outcome import Outcome
from genius_py.testing import check_party, check_rational
from tests.parties.scripted_model import put_in_place


def play(
    monkeypatch: pytest.MonkeyPatch,
    script: Iterable[str | ModelFailure],
    strategy: str = "conceder",
) -> Outcome:
    put_in_place(monkeypatch, script)
    spec = f"llm-talk:model=script,strategy={strategy}"
    return run("SAOP", "company_car", parties=[spec, "boulware"], deadline=8, seed=3)


def test_the_moves_are_those_of_the_strategy_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = run("SAOP", "company_car", parties=["conceder", "boulware"], deadline=8, seed=3)
    for reply in ('{"message": "Hello."}', "nonsense", '{"message": 7}'):
        assert play(monkeypatch, [reply]).log.actions == alone.log.actions


def test_the_words_are_the_models(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = play(monkeypatch, ['{"message": "A fair price."}'])
    said = {action.message for action in outcome.log.actions if action.party == "buyer"}
    assert said == {"A fair price."}


def test_the_model_knows_the_decision_the_history_and_its_worth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    backend = put_in_place(monkeypatch, ['{"message": "Hello."}'])
    spec = "llm-talk:model=script,strategy=conceder,style=tactical,persona=rational_buyer"
    run("SAOP", "company_car", parties=[spec, "boulware"], deadline=3, seed=3)
    system, asked = backend.asked[1].messages
    assert "Concede in small steps" in system.text
    assert "You buy." in system.text
    assert "Round 1: seller offers price: " in asked.text
    assert "Your decision: buyer offers price: " in asked.text
    assert list(json.loads(backend.asked[1].schema)["properties"]) == ["message"]


def test_words_that_cannot_be_read_are_left_out_and_noted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    outcome = play(monkeypatch, ["Hello!", '{"message": ["Hello"]}', '{"message": "Hi."}'])
    notes = [e.detail for e in outcome.log if e.kind == Kind.NOTE and e.party == "buyer"]
    assert "gave no JSON object" in notes[0]["unread"]  # type: ignore[index]
    assert "['Hello']" in notes[1]["unread"]  # type: ignore[index]
    assert "unread" not in notes[2]  # type: ignore[operator]
    assert notes[-1]["llm"]["unreadable"] == 2  # type: ignore[index]


def test_a_model_that_cannot_be_asked_fails_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = play(monkeypatch, [ModelFailure("server down")])
    assert outcome.reason is Reason.FAULT
    assert outcome.faults[0].fatal


def test_a_strategy_that_fails_is_the_partys_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = play(monkeypatch, ["{}"], "scripted")  # walks away at once
    assert outcome.reason is Reason.WALKAWAY
    put_in_place(monkeypatch, ["{}"])
    spec = "llm-talk:model=script,strategy=scripted:script=Throw"
    outcome = run("SAOP", "company_car", parties=[spec, "boulware"], deadline=8)
    assert outcome.faults[0].reason == "raised ScriptedFailure: The script says so."


def test_an_unknown_strategy_is_told_at_once() -> None:
    with pytest.raises(UnknownName):
        registry.make("party", "llm-talk:model=dice,strategy=nobody")


def test_it_keeps_the_contract_and_to_its_reservation_value() -> None:
    spec = "llm-talk:model=dice,temperature=1"
    check_party(spec, ["SAOP", "AMOP", "simple_mediator"], isolated=False)
    check_rational(spec, ["SAOP", "AMOP", "simple_mediator"])


def test_it_plays_every_protocol_by_the_strategy_that_is_at_home_there() -> None:
    spec = "llm-talk:model=dice,temperature=1"
    check_party(spec, list(registry.names("protocol")), isolated=False)


def test_words_that_tell_the_limit_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = play(monkeypatch, ['{"message": "I can go up to 41,000."}'])
    counts = model_counts(outcome.log)["buyer"]
    assert counts.leaks == counts.turns > 1
    notes = [e.detail for e in outcome.log if e.kind == Kind.NOTE and e.party == "buyer"]
    assert notes[0]["leaks"] == ["41,000"]  # type: ignore[index]
