"""Seats a single bidder in an auction of the test's own making."""

from typing import Any

import numpy as np

from genius_py.action import Accept, Action, Reject
from genius_py.allowed import Allowed, Constraint, FieldRules, Number, OneOf
from genius_py.deadline import Deadline, Timeline
from genius_py.domain import Domain
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue
from genius_py.log import Log
from genius_py.party import NegotiationInfo, NegotiationParty
from genius_py.protocols.auction import DropOut, PlaceBid, Stand
from genius_py.utility import LinearUtilitySpace


def good(value: float, *, sells: bool = False, whole: bool = False) -> LinearUtilitySpace:
    """A good that is worth so much, or costs so much to who sells it; prices go from 0 to 100."""
    price: Issue = IntegerIssue("price", 0, 100) if whole else RealIssue("price", 0, 100)
    domain = Domain("good", [price, DiscreteIssue("winner", ["me", "you", "they"])])
    slope = 1.0 if sells else -1.0
    return LinearUtilitySpace(
        domain=domain, coefficients=[slope, 0], constant=-slope * value, where={"winner": "me"}
    )


def seated(
    party: NegotiationParty,
    space: LinearUtilitySpace,
    protocol: str = "vickrey_auction",
    *,
    rounds: int = 9,
    seed: int = 1,
) -> Any:
    """The party, called ``me``, among three bidders in the first round."""
    deadline = Deadline(rounds=rounds)
    party.init(
        NegotiationInfo(
            agent_id="me",
            role="me",
            utility_space=space,
            seats=("me", "you", "they"),
            protocol=protocol,
            deadline=deadline,
            timeline=Timeline(deadline, lambda: 0.0),
            history=Log().seen_by("me"),
            seed=seed,
            seed_sequence=np.random.SeedSequence(seed),
        )
    )
    return party


def sealed_bid(party: NegotiationParty, low: float = 0, high: float = 100) -> float | None:
    """What it bids where bids are sealed; None when it drops out."""
    rules: dict[type[Action], FieldRules] = {PlaceBid: {"price": Number(low, high)}, DropOut: {}}
    return _price(party.choose_action(Allowed(rules)))


def open_bid(
    party: NegotiationParty, low: float = 0, high: float = 100, *, leads: bool = False
) -> float | str:
    """What it bids where bids are open, or what else it does."""
    rules: dict[type[Action], dict[str, Constraint]] = {PlaceBid: {"price": Number(low, high)}}
    if leads:
        rules[Stand] = {}
    action = party.choose_action(Allowed({**rules, DropOut: {}}))
    price = _price(action)
    return type(action).__name__ if price is None else price


def takes(party: NegotiationParty, price: float) -> bool:
    """Whether it takes the good at a price."""
    award = OneOf((party.domain.bid(winner="me", price=price),))
    action = party.choose_action(Allowed({Accept: {"bid": award}, Reject: {"bid": award}}))
    return isinstance(action, Accept)


def _price(action: object) -> float | None:
    return action.price if isinstance(action, PlaceBid) else None
