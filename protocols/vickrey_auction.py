"""The Vickrey auction: sealed bids, of which the best one wins at the price of the second."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from genius_py.protocols.auction import Tie
from genius_py.protocols.sealed_bid_auction import SealedBidAuction

__all__ = ["VickreyAuction"]


class VickreyAuction(SealedBidAuction):
    """All bid once, at the same time; the best bid wins, at the price of the second best.

    To bid what the good is worth to one is then a dominant strategy (Vickrey, 1961). Where the
    second bid is below the `reserve` price, the winner pays that; else the reserve would be void,
    as it is with ``reserve_sets_price=False``. A sole bidder pays the reserve price or, where
    there is none, nothing (the lowest price of the domain). In a `reverse` auction, in which
    bidders sell, the winner is paid the second lowest bid, at most the reserve price; a sole one
    where there is no reserve price is paid what it asked.
    """

    name: ClassVar[str] = "vickrey_auction"
    aliases: ClassVar[tuple[str, ...]] = ("vickrey", "second_price")
    default_parties: ClassVar[tuple[str, ...]] = ("truthful",)

    def __init__(
        self,
        reserve: float | None = None,
        reverse: bool = False,
        tie: Tie = "list",
        reserve_sets_price: bool = True,
    ) -> None:
        super().__init__(reserve, reverse, tie)
        self.reserve_sets_price = reserve_sets_price

    def price_for(self, winner: str, bids: Mapping[str, float]) -> float:
        """The second best bid, or the reserve price where that is better for who sells."""
        others = [price for bidder, price in bids.items() if bidder != winner]
        if not others:
            if self.reserve is not None:
                # A reserve below 0 cannot be paid.
                return max(self.reserve, self.awards.lowest)
            return bids[winner] if self.reverse else self.awards.lowest
        second = self.best(others)
        if self.reserve is not None and self.reserve_sets_price:
            return self.best([second, self.reserve])
        return second
