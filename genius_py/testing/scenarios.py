"""The scenarios on which the kit lets plug-ins play: small, and each odd in its own way."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from genius_py.domain import Domain
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue
from genius_py.scenario import Scenario
from genius_py.utility import (
    AdditiveUtilitySpace,
    DiscreteEvaluator,
    Evaluator,
    IntegerEvaluator,
    LinearUtilitySpace,
    RealLinearEvaluator,
    TableUtilitySpace,
    UtilitySpace,
)

__all__ = [
    "ROLES",
    "discrete_scenario",
    "hopeless_scenario",
    "huge_scenario",
    "mixed_scenario",
    "one_bid_scenario",
    "price_scenario",
    "table_scenario",
]

ROLES = ("ann", "bob", "carl", "dora", "eve")


def discrete_scenario(parties: int = 2) -> Scenario:
    """24 bids; reservation values and a discount."""
    issues: list[Issue] = [
        DiscreteIssue("colour", ("red", "green", "blue")),
        DiscreteIssue("size", ("S", "M", "L", "XL")),
        DiscreteIssue("wheels", ("two", "four")),
    ]
    return _scenario("discrete", issues, parties, reservation_value=0.35, discount_factor=0.9)


def mixed_scenario(parties: int = 2) -> Scenario:
    """A discrete, an integer and a real issue."""
    issues: list[Issue] = [
        DiscreteIssue("colour", ("red", "green", "blue")),
        IntegerIssue("pieces", 10, 19),
        RealIssue("price", 0.5, 2.5),
    ]
    return _scenario("mixed", issues, parties, reservation_value=0.3)


def one_bid_scenario(parties: int = 2) -> Scenario:
    """A single bid: take it or leave it."""
    return _scenario("one bid", [DiscreteIssue("deal", ("done",))], parties)


def hopeless_scenario(parties: int = 2) -> Scenario:
    """No bid is worth as much to anybody as no agreement."""
    issues: list[Issue] = [DiscreteIssue("colour", ("red", "green")), IntegerIssue("pieces", 1, 3)]
    return _scenario("hopeless", issues, parties, reservation_value=1.5)


def huge_scenario(parties: int = 2) -> Scenario:
    """10^40 bids: 40 issues of ten values, which nobody can list."""
    digits = [f"v{value}" for value in range(10)]
    issues = [DiscreteIssue(f"issue {place}", digits) for place in range(40)]
    return _scenario("huge", issues, parties, reservation_value=0.2)


def price_scenario(parties: int = 2) -> Scenario:
    """One price; profiles are linear, count in money and go below zero."""
    domain = Domain("price", [IntegerIssue("price", 0, 1000)])
    signs = [1 if place % 2 else -1 for place in range(parties)]
    return Scenario(
        domain,
        {
            role: LinearUtilitySpace(
                domain=domain,
                coefficients=[sign],
                constant=0 if sign > 0 else 700,
                scale=500,
                reservation_value=0.4 if sign > 0 else -0.2,
            )
            for role, sign in zip(ROLES, signs, strict=False)
        },
    )


def table_scenario(parties: int = 2) -> Scenario:
    """Utilities that follow no rule, written down bid by bid."""
    domain = Domain("table", [DiscreteIssue("row", "abcd"), DiscreteIssue("column", "vwxyz")])
    rng = np.random.default_rng(5)
    return Scenario(
        domain,
        {
            role: TableUtilitySpace(
                domain=domain, table=rng.random(domain.size), reservation_value=0.25
            )
            for role in ROLES[:parties]
        },
    )


def _scenario(
    name: str,
    issues: Sequence[Issue],
    parties: int,
    *,
    reservation_value: float = 0.0,
    discount_factor: float = 1.0,
) -> Scenario:
    domain = Domain(name, issues)
    return Scenario(
        domain,
        {
            role: _profile(domain, place, reservation_value, discount_factor)
            for place, role in enumerate(ROLES[:parties])
        },
    )


def _profile(
    domain: Domain, place: int, reservation_value: float, discount_factor: float
) -> UtilitySpace:
    """Each party cares most for another issue, and every second one wants the opposite."""
    issues = domain.issues
    raw = [1 + (place + number) % len(issues) for number in range(len(issues))]
    return AdditiveUtilitySpace(
        domain=domain,
        weights=[weight / sum(raw) for weight in raw],
        evaluators=[
            _evaluator(issue, rising=bool((place + i) % 2)) for i, issue in enumerate(issues)
        ],
        reservation_value=reservation_value,
        discount_factor=discount_factor,
    )


def _evaluator(issue: Issue, rising: bool) -> Evaluator:
    match issue:
        case IntegerIssue(lower=lower, upper=upper):
            slope = 1 / (upper - lower)
            return IntegerEvaluator(lower, slope if rising else -slope, 0 if rising else 1)
        case RealIssue(lower=low, upper=high):
            slope = 1 / (high - low)
            if rising:
                return RealLinearEvaluator(-slope * low, slope)
            return RealLinearEvaluator(slope * high, -slope)
        case _:
            values = [issue.value_at(place) for place in range(issue.size)]
            ranked = values if rising else values[::-1]
            return DiscreteEvaluator({str(v): rank + 1 for rank, v in enumerate(ranked)})
