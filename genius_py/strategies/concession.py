"""Concession strategies on a number, such as a price: the next offer from the last one.

All of them move the current offer towards the reservation value, upwards or downwards as the
case may be, and compound: `current` is the party's own last offer, not its first one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol, TypeVar

from genius_py.errors import StrategyError
from genius_py.strategies.elementwise import elementwise
from genius_py.strategies.time_dependent import concession

__all__ = [
    "ConcessionStrategy",
    "exponential_concession",
    "last_concession",
    "linear_concession",
    "next_offer",
    "time_dependent_concession",
    "tit_for_tat_concession",
]

Heard = TypeVar("Heard", contravariant=True)


class ConcessionStrategy(Protocol[Heard]):
    """What decides a party's next offer; a plain function will do."""

    def __call__(
        self,
        round: int,
        max_rounds: int,
        reservation: float,
        current: float,
        history: Sequence[Heard],
        /,
    ) -> float:
        """The next offer in a round counted from 1; `history` is what was offered before."""
        ...


def next_offer(
    strategy: ConcessionStrategy[Heard],
    round: int,
    max_rounds: int,
    reservation: float,
    current: float,
    history: Sequence[Heard] = (),
) -> float:
    """Ask a strategy, and take nothing but a finite number for an answer.

    Raises:
        StrategyError: the answer is NaN, infinite or no number; the text names the strategy.
    """
    answer = strategy(round, max_rounds, reservation, current, history)
    try:
        if math.isfinite(answer):
            return float(answer)
    except TypeError:
        pass
    name = getattr(strategy, "__name__", type(strategy).__name__)
    raise StrategyError(
        f"Concession strategy {name!r} answered {answer!r} in round {round} of {max_rounds}; "
        f"it must return a finite number."
    )


@elementwise
def linear_concession(round: int, max_rounds: int, reservation: float, current: float) -> float:
    """Give up an equal share of the gap in each round left, this one included.

    From the last round on the offer is the reservation value, exactly.

    >>> linear_concession(1, 10, 50.0, 100.0)
    95.0
    """
    _check(round, max_rounds)
    if round >= max_rounds:
        return reservation
    return current - (current - reservation) / (max_rounds - round + 1)


@elementwise
def exponential_concession(
    round: int, max_rounds: int, reservation: float, current: float
) -> float:
    """Give up the square of the progress, as a share of the gap: little first, much in the end.

    From the last round on the offer is the reservation value, exactly.

    >>> exponential_concession(1, 10, 50.0, 100.0)
    99.5
    """
    _check(round, max_rounds)
    if round >= max_rounds:
        return reservation
    progress = round / max_rounds
    return current - (current - reservation) * progress * progress


@elementwise
def time_dependent_concession(
    round: int,
    max_rounds: int,
    reservation: float,
    current: float,
    e: float = 0.5,
    initial: float | None = None,
) -> float:
    """Keep the share of the gap that `time_dependent.concession` has not yet given up.

    Args:
        e: speed of concession. The default, 1/2, squares the progress, and then the offers are
            those of `exponential_concession`. 0 concedes nothing before the last round.
        initial: the party's first offer. If given, the gap is measured from there and the curve
            is a function of the round alone; else from `current`, and concessions compound.

    From the last round on the offer is the reservation value, exactly.
    """
    _check(round, max_rounds)
    if round >= max_rounds:
        return reservation
    anchor = current if initial is None else initial
    return reservation + (anchor - reservation) * (1 - concession(round / max_rounds, e))


@elementwise
def tit_for_tat_concession(
    round: int,
    max_rounds: int,
    reservation: float,
    current: float,
    opponent_concession: float = math.nan,
) -> float:
    """Give up as much as the opponent did last, but never go past the reservation value.

    `opponent_concession` is an amount >= 0 (see `last_concession`; of several opponents, the
    smallest). While it is not known, NaN, the concession is linear.
    """
    if math.isnan(opponent_concession):
        return linear_concession(round, max_rounds, reservation, current)
    _check(round, max_rounds)
    if opponent_concession < 0:
        raise StrategyError(f"A concession is 0 or more, not {opponent_concession}.")
    if opponent_concession >= abs(reservation - current):
        return reservation
    return current + math.copysign(opponent_concession, reservation - current)


def last_concession(offers: Sequence[float], current: float) -> float:
    """How far one opponent's last offer came towards us; NaN before its second offer.

    `offers` are those of this opponent alone, oldest first. A move away from our `current`
    offer counts 0.
    """
    if len(offers) < 2:
        return math.nan
    previous, last = offers[-2:]
    if abs(last - current) < abs(previous - current):
        return abs(last - previous)
    return 0.0


def _check(round: int, max_rounds: int) -> None:
    if round < 1:
        raise StrategyError(f"Rounds are counted from 1; there is no round {round}.")
    if max_rounds < 1:
        raise StrategyError(f"A negotiation has at least one round, not {max_rounds}.")
