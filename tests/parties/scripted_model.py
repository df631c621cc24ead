"""A language model that says what a test wants, in the place of whatever a spec names."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

from genius_py.errors import ModelFailure
from genius_py.llm import ModelCounts, model_counts, shared_models
from genius_py.llm.model_spec import ModelSpec
from genius_py.llm.plain_backends import ScriptedBackend
from genius_py.log import Kind
from genius_py.manager import run
from genius_py.outcome import Outcome

__all__ = ["ACCEPT", "LEAVE", "SELLER", "Played", "offer", "play", "put_in_place"]


def put_in_place(
    monkeypatch: pytest.MonkeyPatch, script: Iterable[str | ModelFailure]
) -> ScriptedBackend:
    """Every model is this one from now on; what it was asked is in `asked`."""
    backend = ScriptedBackend(script)
    shared_models.close_all()
    monkeypatch.setattr(ModelSpec, "require", lambda self: None)
    monkeypatch.setattr(ModelSpec, "load", lambda self: backend)
    monkeypatch.setattr(ModelSpec, "identity", lambda self: "a script")
    return backend


def offer(price: object) -> str:
    """A reply that offers a price of the company car."""
    return json.dumps({"move": {"action": "Offer", "bid": {"price": price}}})


ACCEPT = json.dumps({"move": {"action": "Accept"}})
LEAVE = json.dumps({"move": {"action": "EndNegotiation"}})


class Played:
    """A session of the company car, the model as the buyer against a scripted seller."""

    def __init__(self, outcome: Outcome, backend: ScriptedBackend) -> None:
        self.outcome = outcome
        self.backend = backend

    @property
    def actions(self) -> list[str]:
        """What the model's party did."""
        return [
            str(e.action).removeprefix("buyer ")
            for e in self.outcome.log
            if e.kind == Kind.ACTION and e.party == "buyer"
        ]

    @property
    def notes(self) -> list[dict[str, Any]]:
        """What it wrote down with each turn, and at the end."""
        return [e.detail for e in self.outcome.log if e.kind == Kind.NOTE and e.party == "buyer"]  # type: ignore[misc]

    @property
    def counts(self) -> ModelCounts:
        """What it noted at the end."""
        return model_counts(self.outcome.log)["buyer"]

    @property
    def questions(self) -> list[str]:
        """The last message of each request."""
        return [request.messages[-1].text for request in self.backend.asked]


SELLER = "scripted:script=Offer 9000;Offer 8000;Offer 7000;Offer 6000"  # from 44000 down


def play(
    monkeypatch: pytest.MonkeyPatch,
    script: Iterable[str | ModelFailure],
    options: str = "",
    seller: str = SELLER,
    **settings: Any,
) -> Played:
    """Play it, the model saying one line of the script after the other."""
    backend = put_in_place(monkeypatch, script)
    outcome = run(
        "SAOP",
        "company_car",
        parties=[f"llm:model=script{options}", seller],
        deadline=4,
        seed=3,
        **settings,
    )
    return Played(outcome, backend)
