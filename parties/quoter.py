"""Quoter: names in a double auction the price at which a unit is just worth it, or a bit less."""

from __future__ import annotations

from typing import ClassVar

from genius_py.action import Action
from genius_py.allowed import Allowed
from genius_py.errors import DomainError, OptionError, StrategyError
from genius_py.issue import RealIssue
from genius_py.party import NegotiationInfo, NegotiationParty
from genius_py.protocols.auction import DropOut
from genius_py.protocols.double_auction import Buy, Sell
from genius_py.strategies.auction_bids import break_even

__all__ = ["Quoter"]


class Quoter(NegotiationParty):
    """Buys where lower prices are better for it, else sells; it never loses by trading.

    Args:
        share: how far its quote is from the price that is just worth it, as a share of the
            distance to the one it would like best. 0 is the truth.
        quantity: how many units it orders.
    """

    name: ClassVar[str] = "quoter"
    plays: ClassVar[tuple[str, ...]] = ("double_auction",)

    def __init__(self, share: float = 0.0, quantity: int = 1) -> None:
        if not 0 <= share <= 1:
            raise OptionError(f"share must lie in [0, 1], not {share!r}.")
        self._share = share
        self._quantity = quantity

    def init(self, info: NegotiationInfo) -> None:
        """Find out what a unit is worth."""
        super().init(info)
        issue = info.domain.issues[0]
        if len(info.domain.issues) != 1 or not isinstance(issue, RealIssue):
            raise DomainError(f"{info.agent_id} quotes prices, and needs a domain of one price.")

        def worth(price: float) -> float:
            return info.utility_space.utility(info.domain.bid({issue.name: price}))

        self._kind = Sell if worth(issue.upper) > worth(issue.lower) else Buy
        best, worst = issue.lower, issue.upper
        if self._kind is Sell:
            best, worst = worst, best
        reservation = info.utility_space.reservation_value
        limit = break_even(lambda price: worth(price) >= reservation, best, worst)
        self._quote = None if limit is None else limit + (best - limit) * self._share

    def choose_action(self, allowed: Allowed) -> Action:
        """Quote, or stay out of a market in which nothing is to be gained."""
        if self._kind not in allowed:
            raise StrategyError(f"A quoter cannot {allowed}; seat it in a double auction.")
        if self._quote is None:
            return DropOut(self.id)
        return self._kind(self.id, self._quote, self._quantity)
