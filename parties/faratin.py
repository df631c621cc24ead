"""Time-dependent tactics: the base of boulware, conceder, linear and hardliner."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from genius_py.bid import Bid
from genius_py.bidding import BiddingParty
from genius_py.errors import OptionError
from genius_py.party import NegotiationInfo
from genius_py.strategies.bid_search import Search, ladder
from genius_py.strategies.time_dependent import concession

__all__ = ["TimeDependentParty"]

_FEW_ROUNDS = 100_000
"""Sessions of at most so many rounds have their targets computed beforehand."""


class TimeDependentParty(BiddingParty):
    """Asks for less as time passes: ``low + (high - low) * (1 - F(t))``.

    `high` is the utility of the own best bid and `low` that of the worst, but at least the
    reservation value. ``F(t) = k + (1 - k) * t ** (1 / e)`` is the polynomial family of Faratin,
    Sierra & Jennings (1998), with t the progress of the session.

    It offers the bid of lowest utility at or above this target and accepts what reaches it. So it
    never offers or accepts less than its reservation value, and walks away when no bid is worth
    that. With ``search="genius"`` it is Genius's tactic: it offers the bid nearest to the target,
    even one below the reservation value, and accepts what is worth as much.

    Args:
        e: speed of concession, 0 or more; below 1 late, above 1 early, 0 never.
        k: share conceded from the start, in [0, 1].
        search: ``at_or_above`` or ``genius``.

    Raises:
        OptionError: an option is out of its range.
    """

    def __init__(self, e: float = 1.0, k: float = 0.0, search: Search = "at_or_above") -> None:
        if not e >= 0:
            raise OptionError(f"The speed of concession e must be 0 or more, not {e!r}.")
        if not 0 <= k <= 1:
            raise OptionError(f"The first concession k must lie in [0, 1], not {k!r}.")
        if search not in ("at_or_above", "genius"):
            raise OptionError(f"There is no search {search!r}; use 'at_or_above' or 'genius'.")
        self.e, self.k = e, k
        self.search: Search = search

    def init(self, info: NegotiationInfo) -> None:
        """Order the own bids and look ahead, as far as time will pass in equal steps."""
        super().init(info)
        self._rungs = ladder(info.utility_space, self.search)
        self._timeline = info.timeline
        self._targets: list[float] | None = None
        rounds, seconds = info.deadline.rounds, info.deadline.seconds
        is_foreseen = seconds is None and not self._reservation_moves
        if is_foreseen and rounds is not None and rounds <= _FEW_ROUNDS:
            self._targets = self._targets_at(_conceded(rounds, self.e, self.k)).tolist()

    def target(self) -> float:
        """The undiscounted utility to ask for now."""
        if self._targets is not None:
            return self._targets[self._timeline.round]
        conceded = concession(self._timeline.time, self.e, self.k)
        return float(self._targets_at(np.array(conceded)))

    def _targets_at(self, conceded: NDArray[np.float64]) -> NDArray[np.float64]:
        high = self._rungs.maximum
        low = max(self._rungs.minimum, self.reservation)
        targets = low + (high - low) * (1 - conceded)
        # Rounding may lift one above the best bid, which is to be accepted all the same.
        return np.minimum(targets, high) if low <= high else np.full_like(conceded, low)

    def propose(self) -> Bid | None:
        """The bid at the target, as the search has it; None when the best bid is not worth it."""
        targets, rungs = self._targets, self._rungs
        target = self.target() if targets is None else targets[self._timeline.round]
        if target > rungs.maximum and self.search != "genius":
            return None
        return rungs.near(target)

    def accepts(self, bid: Bid) -> bool:
        """Whether a bid reaches the target or, as in Genius, what would be offered instead."""
        # Spelt out, like propose: both are asked at every turn of every session.
        targets = self._targets
        enough = self.target() if targets is None else targets[self._timeline.round]
        utility = self.utility(bid)
        if self.search == "genius":
            enough = self.utility(self._rungs.near(enough))
        return utility >= enough


@lru_cache(maxsize=16)
def _conceded(rounds: int, e: float, k: float) -> NDArray[np.float64]:
    """The share conceded in each round; place 0 is no round."""
    return concession(np.arange(rounds + 1) / (rounds + 1), e, k)
