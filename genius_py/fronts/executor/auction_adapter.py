"""The four auctions, run by the executor."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from genius_py.fronts.executor.auction import TIMED_OUT, Auction, AuctionBid, AuctionType
from genius_py.fronts.executor.config import NegotiationConfig
from genius_py.fronts.executor.listener import NegotiationListener
from genius_py.fronts.executor.offers import NegotiationOffer, NegotiationOutcome
from genius_py.fronts.executor.parties import participant
from genius_py.fronts.executor.protocol import NegotiationProtocol
from genius_py.fronts.executor.types import NegotiationState, NegotiationType

__all__ = ["AuctionAdapter", "default_bid"]

_TYPES = {
    NegotiationType.ENGLISH_AUCTION: AuctionType.ENGLISH,
    NegotiationType.DUTCH_AUCTION: AuctionType.DUTCH,
    NegotiationType.SEALED_BID: AuctionType.SEALED_BID,
    NegotiationType.VICKREY: AuctionType.VICKREY,
}

_STARTING_PRICE = 100.0


def default_bid(
    agent: Any, task: str, current_price: float, round: int, previous_bids: Sequence[AuctionBid]
) -> float:
    """What every party bids unless the adapter is given a strategy: the price + 10 - the round."""
    return current_price + 10 - round


class AuctionAdapter(NegotiationProtocol):
    """Runs `Auction`s: the reservation value is the reserve price, the initial offer the start.

    The accepted offer is the price that is paid, by the winner. The time limit counts, except with
    `strict_seed`. `clock` gives seconds.
    """

    types: ClassVar[tuple[NegotiationType, ...]] = tuple(_TYPES)

    def __init__(
        self,
        bid_strategy: Any = default_bid,
        *,
        task: str = "the auctioned task",
        strict_seed: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._bid_strategy = bid_strategy
        self._task = task
        self._strict_seed = strict_seed
        self._clock = clock

    def negotiate(
        self, parties: Sequence[Any], config: NegotiationConfig, listener: NegotiationListener
    ) -> NegotiationOutcome:
        """Run one auction among these bidders."""
        bids: list[NegotiationOffer] = []

        def on_bid(bid: AuctionBid) -> None:
            bids.append(NegotiationOffer(participant(bid.bidder).id, bid.value, bid.round))
            listener.on_offer_made(bids[-1])
            listener.on_offer_received(bids[-1])

        result = Auction(
            bid_strategy=self._bid_strategy,
            bidders=parties,
            type=_TYPES[config.type],
            task=self._task,
            starting_price=_STARTING_PRICE if config.initial_offer < 0 else config.initial_offer,
            reserve_price=max(0.0, config.reservation_value),
            max_rounds=config.max_rounds,
            timeout=None if self._strict_seed else config.timeout.total_seconds(),
            strict_seed=self._strict_seed,
            clock=self._clock,
        ).execute(on_bid)
        accepted = None
        state = NegotiationState.FAILED
        if result.pay_price is not None:
            state = NegotiationState.AGREED
            winner = participant(result.winner).id
            accepted = NegotiationOffer(winner, result.pay_price, result.rounds)
        elif result.reason == TIMED_OUT:
            state = NegotiationState.TIMED_OUT
        return NegotiationOutcome(
            agreed=result.success,
            accepted_offer=accepted,
            all_offers=bids,
            rounds_used=result.rounds,
            duration_ms=result.duration_ms,
            final_state=state,
            failure_reason=None if result.success else result.reason,
            session=result.session,
        )
