"""Domains of awards, and auctions that are played by hand."""

from typing import Any

from genius_py.domain import Domain
from genius_py.issue import DiscreteIssue, IntegerIssue, RealIssue
from genius_py.protocols.auction import PlaceBid
from genius_py.testing import Driven, drive

BIDDERS = ("ann", "bob", "cem")

HOUSE = Domain("house", [DiscreteIssue("winner", BIDDERS), IntegerIssue("price", 0, 100)])
"""Prices are whole."""

SHARE = Domain("share", [RealIssue("price", 0, 1), DiscreteIssue("winner", BIDDERS)])
"""Prices are real."""


def auction(rules: str, *answers: Any, domain: Domain = HOUSE, **settings: Any) -> Driven:
    """An auction among three bidders, fed with answers."""
    given: dict[str, Any] = {"parties": BIDDERS, **settings}
    return drive(rules, answers, domain=domain, **given)


def bids(*prices: float) -> list[PlaceBid]:
    """One bid for each bidder, in order."""
    return [PlaceBid(bidder, price) for bidder, price in zip(BIDDERS, prices, strict=False)]
