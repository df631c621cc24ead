"""Traders that are asked by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from genius_py.action import Action, Inform
from genius_py.allowed import Allowed, Number, Text
from genius_py.domain import Domain
from genius_py.issue import RealIssue, TextIssue
from genius_py.parties.trading_party import TradingParty
from genius_py.protocols.trade_actions import AcceptProposal, Propose, RejectAndExit
from genius_py.utility import LinearUtilitySpace, UtilitySpace
from tests.parties.table import seat

__all__ = ["DEAL", "PRICE", "WORK", "asked", "buys", "seated", "sells"]

Trading = TypeVar("Trading", bound=TradingParty)

WORK = Domain("some_work", [TextIssue("scope", 20), RealIssue("price", 0, 100)])
PRICE = Domain("price", [RealIssue("price", 0, 100)])

DEAL: Mapping[type[Action], Mapping[str, Any]] = {
    AcceptProposal: {},
    Propose: {"scope": Text(20, 1), "price": Number(0, 100)},
    RejectAndExit: {"reason": Text()},
}
"""What there is to do in a classic negotiation."""


def buys(limit: float = 80, domain: Domain = WORK) -> UtilitySpace:
    """A profile that counts what is saved of 100 and pays up to a limit."""
    return _linear(domain, -1, 100, 100 - limit)


def sells(limit: float = 20, domain: Domain = WORK) -> UtilitySpace:
    """A profile that counts the money and takes no less than a limit."""
    return _linear(domain, 1, 0, limit)


def _linear(domain: Domain, slope: float, constant: float, reservation: float) -> UtilitySpace:
    return LinearUtilitySpace(
        domain=domain,
        coefficients=[slope if name == "price" else 0 for name in domain.issue_names],
        constant=constant,
        reservation_value=reservation,
    )


def seated(
    party: Trading,
    space: UtilitySpace,
    *,
    negotiation: int = 10,
    rounds: int = 999,
    providers: tuple[str, ...] = ("me",),
) -> Trading:
    """The party, a provider with so many rounds of negotiation, having been told the rules."""
    seat(party, space, rounds=rounds)
    facts: dict[str, Any] = {
        "my_role": "provider",
        "providers": list(providers),
        "rounds": {"negotiate": negotiation},
    }
    party.receive_message(None, Inform("BilateralTradeProtocol", "Trade", facts))
    return party


def asked(party: TradingParty, *kinds: type[Action]) -> Action:
    """What it does in a turn of a negotiation, where it may do these things; by default all."""
    rules = {kind: DEAL.get(kind, {}) for kind in kinds} or DEAL
    action = party.choose_action(Allowed(rules))
    assert isinstance(action, Action)
    return action
