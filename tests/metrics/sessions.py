"""Small sessions with known utilities, for the tests of metrics."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from genius_py.action import Accept, Offer
from genius_py.allowed import Allowed
from genius_py.domain import Domain
from genius_py.issue import IntegerIssue
from genius_py.manager import run
from genius_py.outcome import Outcome
from genius_py.party import NegotiationParty
from genius_py.scenario import Scenario
from genius_py.session import Reply
from genius_py.testing import ScriptedParty
from genius_py.utility import TableUtilitySpace

ACCEPT = "accept"


def domain(size: int) -> Domain:
    return Domain("test", [IntegerIssue("x", 0, size - 1)])


def scenario(reservation: Mapping[str, float] | None = None, **tables: Sequence[float]) -> Scenario:
    """One issue x with values 0, 1, ...; each party's table says what these are worth."""
    sizes = {len(table) for table in tables.values()}
    shared = domain(sizes.pop())
    return Scenario(
        shared,
        {
            party: TableUtilitySpace(
                domain=shared,
                table=table,
                reservation_value=(reservation or {}).get(party, 0.0),
            )
            for party, table in tables.items()
        },
    )


def played(game: Scenario, rounds: int, **moves: Sequence[Any]) -> Outcome:
    """A session under SAOP of offers (the value of x), acceptances, or pairs of those and notes."""
    return run(
        "SAOP",
        game,
        parties=[partial(ScriptedParty, *map(_move, moves[role])) for role in game.roles],
        deadline=rounds,
        on_fault="forfeit",
    )


def _move(move: Any) -> Any:
    if isinstance(move, Exception):
        return move
    what, notes = move if isinstance(move, tuple) else (move, {})

    def act(party: NegotiationParty, allowed: Allowed) -> Reply:
        if what == ACCEPT:
            (bid,) = allowed[Accept]["bid"].values  # type: ignore[attr-defined]
            return Reply(Accept(party.id, bid), notes=notes)
        return Reply(Offer(party.id, party.domain.bid(x=what)), notes=notes)

    return act
