"""Matches of the trade game, brought to the point where a statement begins."""

from collections.abc import Mapping
from typing import Any

from genius_py.fronts.trade import ActionResult, BilateralTradeGame, Match

REQUEST = {"description": "Translate ten pages", "max_budget": 50}
TERMS = {"scope": "All ten pages, proofread", "price": 35}

__all__ = [
    "REQUEST",
    "TERMS",
    "agreed",
    "competitive",
    "delivered",
    "do",
    "haggling",
    "requested",
]


def do(
    match: Match,
    agent: str,
    action: str,
    payload: Mapping[str, Any] | None = None,
    message: str = "",
    to: tuple[str, ...] = (),
) -> None:
    """Do it, and insist that it could be done."""
    result = match.act(agent, action, payload, message=message, to=to)
    assert result == ActionResult(True), result


def requested(
    budget: float = 50, agents: tuple[str, ...] = ("ini", "pro"), **options: Any
) -> Match:
    """A full game whose request has been posted."""
    match = Match(BilateralTradeGame(**options), agents)
    do(match, agents[0], "post_request", {**REQUEST, "max_budget": budget})
    return match


def competitive(budget: float = 50, **options: Any) -> Match:
    """A game with two providers, whose request has been posted."""
    return requested(budget, ("ini", "p1", "p2"), **options)


def agreed(price: float = 35, budget: float = 50, **options: Any) -> Match:
    """A classic game with an agreement."""
    match = requested(budget, **options)
    do(match, "pro", "propose", {**TERMS, "price": price})
    do(match, "ini", "accept_proposal")
    return match


def delivered(price: float = 35, budget: float = 50, **options: Any) -> Match:
    """A classic game whose work has been delivered."""
    match = agreed(price, budget, **options)
    do(match, "pro", "submit_deliverable", {"content": "Dix pages."})
    return match


def haggling(**options: Any) -> Match:
    """A price-only game, budget 100 and reservation values 30 unless other ones are given."""
    settings = {
        "mode": "price_only",
        "fixed_scope": "A web shop",
        "max_budget": 100,
        "reservation_values": {"buyer": 30, "seller": 30},
        **options,
    }
    return Match(BilateralTradeGame(**settings), ("buy", "sell"))
