"""The base of the parties that bid in auctions, whatever the auction's rules."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar

import attrs

from genius_py.action import Accept, Action, Reject
from genius_py.allowed import Allowed, Number, OneOf
from genius_py.bid import Bid
from genius_py.errors import OptionError
from genius_py.party import NegotiationInfo, NegotiationParty
from genius_py.protocols.auction import DropOut, PlaceBid, Stand
from genius_py.protocols.award import Awards
from genius_py.session import Seat
from genius_py.strategies.auction_bids import break_even
from genius_py.utility import LinearUtilitySpace, UtilitySpace

__all__ = ["Bidder"]


class Bidder(NegotiationParty):
    """Decides on a target, the worst price it agrees to, and keeps to that in every auction.

    It bids the target where bids are sealed, takes the good at it where the price falls by itself,
    and raises up to it where bids are open, standing by its bid while that is the best. Whether it
    buys or sells (in a reverse auction) it sees from its profile.

    Args:
        value: what the good is worth to it, or what doing the job costs it. It replaces what the
            profile says, also when the session is scored; see `profile_for`.
    """

    plays: ClassVar[tuple[str, ...]] = (
        "vickrey_auction",
        "sealed_bid_auction",
        "english_auction",
        "dutch_auction",
    )

    def __init__(self, value: float | None = None) -> None:
        self._value = value

    @classmethod
    def profile_for(cls, space: UtilitySpace, options: Mapping[str, object]) -> UtilitySpace:
        """The profile in which the good is worth the `value`, when one is given.

        Raises:
            OptionError: the profile is not linear, or the value is no number.
        """
        value = options.get("value")
        if value is None:
            return space
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise OptionError(f"value must be a number, not {value!r}.")
        slopes = [c for c in getattr(space, "coefficients", ()) if c]
        if not isinstance(space, LinearUtilitySpace) or len(slopes) != 1:
            raise OptionError(
                f"value={value:g} needs a linear profile with one price in it; leave it out, and "
                f"the bidder bids by its profile."
            )
        # At the value, the award must be worth what no award is.
        constant = space.reservation_value * space.scale - slopes[0] * value
        return attrs.evolve(space, constant=constant)

    def init(self, info: NegotiationInfo) -> None:
        """Find out what the good is worth, and decide on the target."""
        super().init(info)
        self.awards = Awards.of(info.domain, [Seat(info.agent_id, info.role)])
        low, high = self.awards.lowest, self.awards.highest
        self.sells = self._worth(high) > self._worth(low)
        """Whether higher prices are better for it."""
        self.best_price = high if self.sells else low
        """The price that it would like best."""
        self._worst_price = low if self.sells else high
        self.limit = self._own_limit()
        """The worst price at which the award is worth it; None when there is none."""
        self.target = None if self.limit is None else self._price(self.choose_target(self.limit))
        """The worst price that it agrees to; None when there is none."""

    def _worth(self, price: float) -> float:
        return self.utility_space.utility(self.awards.bid(self.id, price))

    def _own_limit(self) -> float | None:
        if self._value is not None:
            return self._price(self._value)
        reservation = self.utility_space.reservation_value
        return break_even(
            lambda price: self._worth(price) >= reservation,
            self.best_price,
            self._worst_price,
            whole=self.awards.is_whole,
        )

    def _price(self, wanted: float) -> float | None:
        """A price of the domain that is as good as `wanted`; None when there is none."""
        if self.is_better(wanted, self.best_price):
            return None
        if self.is_better(self._worst_price, wanted):
            return self._worst_price
        if self.awards.is_whole:
            return math.ceil(wanted) if self.sells else math.floor(wanted)
        return wanted

    def is_better(self, price: float, than: float) -> bool:
        """Whether a price is more to its advantage than another."""
        return price > than if self.sells else price < than

    @abstractmethod
    def choose_target(self, limit: float) -> float:
        """The worst price to agree to, given the worst one that is worth it."""

    def raise_to(self, least: float, target: float) -> float:
        """What to bid in an open auction where `least`, which the target allows, is needed."""
        return least

    def choose_action(self, allowed: Allowed) -> Action:
        """Bid, take, stand or drop out."""
        if Accept in allowed:
            return self._answer(allowed)
        if Stand in allowed:
            return Stand(self.id)
        bid = self._bid(allowed)
        return DropOut(self.id) if bid is None else PlaceBid(self.id, bid)

    def _answer(self, allowed: Allowed) -> Action:
        (award,) = _awards(allowed)
        price = float(award[self.awards.price.name])
        takes = self.target is not None and not self.is_better(self.target, price)
        return (Accept if takes else Reject)(self.id, award)

    def _bid(self, allowed: Allowed) -> float | None:
        rule = allowed.get(PlaceBid, {}).get("price")
        if self.target is None or not isinstance(rule, Number):
            return None
        if self.info.protocol != "english_auction":
            return self.target if rule.allows(self.target) else None
        least = rule.maximum if self.sells else rule.minimum
        if self.is_better(self.target, least):
            return None
        bid = self._price(self.raise_to(least, self.target))
        # Never past the target, however far it wants to jump.
        return self.target if bid is None or self.is_better(self.target, bid) else bid


def _awards(allowed: Allowed) -> tuple[Bid, ...]:
    rule = allowed[Accept]["bid"]
    assert isinstance(rule, OneOf)
    return tuple(bid for bid in rule.values if isinstance(bid, Bid))
