"""Callable bidder: a function of one's own decides the bids, be it a rule or a language model."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from genius_py.action import Accept, Action, Reject
from genius_py.allowed import Allowed, OneOf
from genius_py.bid import Bid
from genius_py.errors import StrategyError
from genius_py.party import NegotiationInfo, NegotiationParty
from genius_py.protocols.auction import DropOut, PlaceBid
from genius_py.protocols.award import Awards
from genius_py.session import Seat

__all__ = ["BidFunction", "CallableBidder"]

BidFunction: TypeAlias = Callable[[Any, str, float, int, Sequence[Any]], float]
"""``bid(agent, task, current_price, round, previous_bids) -> price``; NaN to drop out."""


class CallableBidder(NegotiationParty):
    """Bids what a function says; NaN drops out, and so does a bid that does not beat the best one.

    Where the price falls by itself, the good is taken when the answer reaches the price. A number
    that no auction takes (infinite, or below 0) is passed on, and refused there by name.

    Args:
        bid: the function, or anything with a `bid` method that takes the same.
        agent: what the function gets as its first argument; the own id by default.
        task: what is sold, or to be done; the name of the domain by default.
        opening: the current price as long as nobody has bid; the lowest price by default.
        reverse: whether lower bids are better.
    """

    def __init__(
        self,
        bid: Any,
        agent: object = None,
        task: str = "",
        opening: float | None = None,
        reverse: bool = False,
    ) -> None:
        self._function: BidFunction = getattr(bid, "bid", bid)
        self._agent, self._task = agent, task
        self._opening, self._reverse = opening, reverse
        self._is_out = False

    def init(self, info: NegotiationInfo) -> None:
        """Fill in what was left out."""
        super().init(info)
        self._awards = Awards.of(info.domain, [Seat(info.agent_id, info.role)])
        self._agent = info.agent_id if self._agent is None else self._agent
        self._task = self._task or info.domain.name
        if self._opening is None:
            self._opening = self._awards.highest if self._reverse else self._awards.lowest

    def choose_action(self, allowed: Allowed) -> Action:
        """Ask the function."""
        if Accept in allowed:
            return self._answer(allowed)
        price = self._best_price()
        bid = self._asked(price)
        if math.isnan(bid):
            return DropOut(self.id)
        beats = bid < price if self._reverse else bid > price
        # What no auction takes is passed on, so that its refusal is in the log.
        if self.info.protocol == "english_auction" and 0 <= bid < math.inf and not beats:
            return DropOut(self.id)
        return PlaceBid(self.id, bid)

    def _answer(self, allowed: Allowed) -> Action:
        rule = allowed[Accept]["bid"]
        assert isinstance(rule, OneOf)
        award = rule.values[0]
        assert isinstance(award, Bid)
        price = float(award[self._awards.price.name])
        bid = math.nan if self._is_out else self._asked(price)
        self._is_out = math.isnan(bid)
        takes = bid <= price if self._reverse else bid >= price
        return (Accept if takes else Reject)(self.id, award)

    def previous_bids(self) -> Sequence[Any]:
        """What the function is told of earlier bids: all that it may know of, its own included."""
        return self._bids()

    def _bids(self) -> tuple[PlaceBid, ...]:
        actions = (event.action for event in self.info.history)
        return tuple(action for action in actions if isinstance(action, PlaceBid))

    def _best_price(self) -> float:
        assert self._opening is not None
        prices = [bid.price for bid in self._bids()]
        if not prices:
            return self._opening
        return min(prices) if self._reverse else max(prices)

    def _asked(self, price: float) -> float:
        round_number = self.info.timeline.round
        bid = self._function(self._agent, self._task, price, round_number, self.previous_bids())
        if isinstance(bid, bool) or not isinstance(bid, int | float):
            raise StrategyError(
                f"The bid function of {self.id} gave {bid!r} in round {round_number}; "
                f"it must return a number, NaN to drop out."
            )
        return float(bid)
