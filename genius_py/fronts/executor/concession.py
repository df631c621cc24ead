"""The concession strategies of the executor: `genius_py.strategies.concession`, under its names.

A strategy is anything that can be called with ``(round, max_rounds, reservation, current,
history)`` and returns the next offer, be it a function or an object; also an object with a
`next_offer` method of these parameters. `history` holds what the *other* parties have offered,
oldest first; the own last offer is `current`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import attrs

from genius_py.fronts.executor.offers import NegotiationOffer
from genius_py.strategies import concession

__all__ = [
    "ConcessionStrategy",
    "ExponentialConcession",
    "LinearConcession",
    "TimeDependentConcession",
    "TitForTatConcession",
    "next_value",
]

ConcessionStrategy = concession.ConcessionStrategy[NegotiationOffer]


class _Strategy(ABC):
    """An object that can be called, and asked by the name of the original's method."""

    @abstractmethod
    def __call__(
        self,
        round: int,
        max_rounds: int,
        reservation: float,
        current: float,
        history: Sequence[NegotiationOffer] = (),
    ) -> float:
        """The next offer."""

    def next_offer(
        self,
        round: int,
        max_rounds: int,
        reservation: float,
        current: float,
        history: Sequence[NegotiationOffer] = (),
    ) -> float:
        """The next offer."""
        return self(round, max_rounds, reservation, current, history)


@attrs.frozen
class LinearConcession(_Strategy):
    """An equal share of the remaining gap in each round."""

    def __call__(
        self,
        round: int,
        max_rounds: int,
        reservation: float,
        current: float,
        history: Sequence[NegotiationOffer] = (),
    ) -> float:
        """See `strategies.concession.linear_concession`."""
        return concession.linear_concession(round, max_rounds, reservation, current)


@attrs.frozen
class ExponentialConcession(_Strategy):
    """Little at first, much in the end."""

    def __call__(
        self,
        round: int,
        max_rounds: int,
        reservation: float,
        current: float,
        history: Sequence[NegotiationOffer] = (),
    ) -> float:
        """See `strategies.concession.exponential_concession`."""
        return concession.exponential_concession(round, max_rounds, reservation, current)


@attrs.frozen
class TimeDependentConcession(_Strategy):
    """By default the offers of `ExponentialConcession`, which the seed's formula comes down to.

    `e` is the speed of concession; with an `initial` offer the gap is measured from there in every
    round, so that concessions do not compound.
    """

    e: float = 0.5
    initial: float | None = None

    def __call__(
        self,
        round: int,
        max_rounds: int,
        reservation: float,
        current: float,
        history: Sequence[NegotiationOffer] = (),
    ) -> float:
        """See `strategies.concession.time_dependent_concession`."""
        return concession.time_dependent_concession(
            round, max_rounds, reservation, current, self.e, self.initial
        )


@attrs.frozen
class TitForTatConcession(_Strategy):
    """As much as the opponent conceded last; linear until it has made two offers.

    Of several opponents, the one that conceded least counts.
    """

    def __call__(
        self,
        round: int,
        max_rounds: int,
        reservation: float,
        current: float,
        history: Sequence[NegotiationOffer] = (),
    ) -> float:
        """See `strategies.concession.tit_for_tat_concession`."""
        by_party: dict[str, list[float]] = {}
        for offer in history:
            by_party.setdefault(offer.party_id, []).append(offer.value)
        given = [concession.last_concession(offers, current) for offers in by_party.values()]
        least = min((g for g in given if not math.isnan(g)), default=math.nan)
        return concession.tit_for_tat_concession(round, max_rounds, reservation, current, least)


def next_value(
    strategy: Any,
    round: int,
    max_rounds: int,
    reservation: float,
    current: float,
    history: Sequence[NegotiationOffer],
) -> float:
    """Ask a strategy of either form.

    Raises:
        StrategyError: it answers with anything but a finite number.
    """
    asked: Any = strategy if callable(strategy) else strategy.next_offer
    return concession.next_offer(asked, round, max_rounds, reservation, current, history)
