"""Auctions with bidders of one's own: the agents, or a function that asks them."""

from __future__ import annotations

import enum
import logging
import math
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from datetime import timedelta
from functools import partial
from typing import Any, ClassVar, TypeAlias

import attrs

from genius_py.action import Accept
from genius_py.domain import Domain
from genius_py.errors import OptionError
from genius_py.fronts.executor.parties import ids_of, participant
from genius_py.fronts.executor.table import ANY_NUMBER, Table, in_background
from genius_py.issue import DiscreteIssue, RealIssue
from genius_py.log import Event
from genius_py.outcome import Outcome
from genius_py.parties.callable_bidder import CallableBidder
from genius_py.protocols.auction import PlaceBid, Tie
from genius_py.protocols.english_auction import SoleBidder
from genius_py.registry import Spec

__all__ = ["Auction", "AuctionBid", "AuctionResult", "AuctionType", "BidStrategy"]

_logger = logging.getLogger(__name__)


class AuctionType(enum.Enum):
    """The mechanism: how bids are made, and what the winner pays."""

    ENGLISH = "ENGLISH"
    DUTCH = "DUTCH"
    SEALED_BID = "SEALED_BID"
    VICKREY = "VICKREY"


@attrs.frozen
class AuctionBid:
    """What an agent has bid, in a round counted from 1; of a Dutch auction, what it has taken."""

    bidder: Any
    value: float
    round: int


BidStrategy: TypeAlias = Callable[[Any, str, float, int, Sequence[AuctionBid]], float]
"""``bid(agent, task, current_price, round, previous_bids)``; NaN drops the bidder out."""


@attrs.frozen
class AuctionResult:
    """What came of an auction; without success nobody won and nothing is paid.

    `reason` tells why, or ``sold``. `session` is what the engine made of it: its log names every
    bid that was refused, and why. It is None when there were no bidders.
    """

    success: bool
    winner: Any
    winning_bid: AuctionBid | None
    pay_price: float | None
    all_bids: tuple[AuctionBid, ...]
    rounds: int
    duration_ms: int
    reason: str
    session: Outcome | None = attrs.field(default=None, eq=False, repr=False)


TIMED_OUT = "the time limit has passed"
"""The reason of an auction that took too long."""

_RULES = {
    AuctionType.ENGLISH: "english_auction",
    AuctionType.DUTCH: "dutch_auction",
    AuctionType.SEALED_BID: "sealed_bid_auction",
    AuctionType.VICKREY: "vickrey_auction",
}


def _type(given: AuctionType | str) -> AuctionType:
    return given if isinstance(given, AuctionType) else AuctionType(given.upper())


def _as_tuple(given: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(given)


def _seconds(given: timedelta | float | None) -> float | None:
    return given.total_seconds() if isinstance(given, timedelta) else given


@attrs.frozen(kw_only=True)
class Auction:
    """One auction, ready to be run; the rules are those of the engine's protocols.

    Args:
        bid_strategy: decides all bids; or leave it out where the bidders have a `bid` method, or
            are functions, of the same parameters.
        bidders: agents: texts, or anything with an `id` or a `name`.
        type: the mechanism.
        task: what is sold or to be done, as the strategy is told.
        starting_price: where an English or Dutch auction starts, and the current price as long as
            nobody has bid.
        reserve_price: a best bid below it wins nothing, one that equals it wins.
        increment: by how much the price of a Dutch auction falls each round.
        max_rounds: after these the leader of an English auction wins.
        reverse: the lowest bid wins and the winner is paid; the reserve price is then the most that
            is paid, and 0 means that there is none.
        tie: who wins among equal bids: the first in the list, or one that is drawn with the `seed`.
        sole_bidder: an English auction with one bidder ends without bids, or offers it the
            starting price.
        timeout: a time limit; a number counts as seconds. After it nobody is asked, or wins.
        strict_seed: a Vickrey auction pays the second bid even where that is below the reserve.
        clock: gives seconds.

    >>> auction = Auction(
    ...     type=AuctionType.VICKREY,
    ...     bidders=["ann", "bob"],
    ...     bid_strategy=lambda agent, task, price, round, bids: {"ann": 80, "bob": 60}[agent],
    ... )
    >>> result = auction.execute()
    >>> result.winner, result.winning_bid.value, result.pay_price
    ('ann', 80.0, 60.0)

    Raises:
        OptionError: a setting is impossible.
    """

    Type: ClassVar[type[AuctionType]] = AuctionType

    bid_strategy: Any = None
    bidders: tuple[Any, ...] = attrs.field(default=(), converter=_as_tuple)
    type: AuctionType = attrs.field(default=AuctionType.SEALED_BID, converter=_type)
    task: str = "the auctioned task"
    starting_price: float = 100.0
    reserve_price: float = 0.0
    increment: float = 10.0
    max_rounds: int = 10
    reverse: bool = False
    tie: Tie = "list"
    sole_bidder: SoleBidder = "no_bids"
    timeout: float | None = attrs.field(default=None, converter=_seconds)
    seed: int = 0
    strict_seed: bool = False
    clock: Callable[[], float] = time.monotonic

    def __attrs_post_init__(self) -> None:
        ids_of(self.bidders)
        for name in ("starting_price", "reserve_price", "increment"):
            value = getattr(self, name)
            if not (isinstance(value, int | float) and math.isfinite(value) and value >= 0):
                raise OptionError(f"{name} must be a number of 0 or more, not {value!r}.")
        for bidder in map(participant, self.bidders):
            if self.bid_strategy is None and _strategy_of(bidder.agent) is None:
                raise OptionError(
                    f"{bidder.id} does not bid by itself; give the auction a bid_strategy."
                )

    def execute(self, on_bid: Callable[[AuctionBid], None] = lambda bid: None) -> AuctionResult:
        """Run it; `on_bid` is told of each bid as soon as the round is over."""
        if not self.bidders:
            return AuctionResult(False, None, None, None, (), 0, 0, "no bids")
        agents = {party.id: party.agent for party in map(participant, self.bidders)}
        bids: list[AuctionBid] = []

        def watch(event: Event) -> None:
            price = _price(event)
            if price is not None:
                bids.append(AuctionBid(agents[event.party], price, event.round))
                on_bid(bids[-1])

        domain = Domain(
            "auction", [DiscreteIssue("winner", tuple(agents)), RealIssue("price", 0, ANY_NUMBER)]
        )
        table = Table(
            self._rules(),
            domain,
            {bidder: partial(self._party, agents, agent) for bidder, agent in agents.items()},
            self.max_rounds,
            timeout=self.timeout,
            seed=self.seed,
            on_fault="forfeit",
            watch=watch,
            clock=self.clock,
        )
        session = table.run()
        for fault in session.faults:
            _logger.warning("The bid of %s is refused. %s", fault.party, fault)
        rounds = max((event.round for event in session.log if event.action is not None), default=0)
        award, reason = session.agreement, session.detail
        if table.is_late and not getattr(table.protocol, "is_closed", True):
            award, reason = None, TIMED_OUT
        winner = None if award is None else agents[str(award["winner"])]
        return AuctionResult(
            success=award is not None,
            winner=winner,
            winning_bid=None if award is None else _last_bid(bids, winner),
            pay_price=None if award is None else float(award["price"]),
            all_bids=tuple(bids),
            rounds=rounds,
            duration_ms=table.duration_ms,
            reason=reason,
            session=session,
        )

    def execute_async(self) -> Future[AuctionResult]:
        """Run it in a thread of its own."""
        return in_background(self.execute)

    def _rules(self) -> str:
        options: dict[str, object] = {"reverse": self.reverse, "tie": self.tie}
        if not (self.reverse and self.reserve_price == 0):
            options["reserve"] = self.reserve_price
        if self.type is AuctionType.ENGLISH:
            options |= {
                "starting_price": self.starting_price,
                "increment": 0,
                "sole_bidder": self.sole_bidder,
            }
        elif self.type is AuctionType.DUTCH:
            options |= {"starting_price": self.starting_price, "increment": self.increment}
        elif self.type is AuctionType.VICKREY:
            options["reserve_sets_price"] = not self.strict_seed
        return str(Spec(_RULES[self.type], options))

    def _party(self, agents: Any, agent: Any) -> CallableBidder:
        strategy = self.bid_strategy if self.bid_strategy is not None else agent
        return _StrategyBidder(
            agents, _strategy_of(strategy), agent, self.task, self.starting_price, self.reverse
        )


class _StrategyBidder(CallableBidder):
    """Shows its strategy the bids as those of agents."""

    def __init__(self, agents: Any, bid: Any, *more: Any) -> None:
        super().__init__(bid, *more)
        self._agents = agents

    def previous_bids(self) -> tuple[AuctionBid, ...]:
        """All that it may know of."""
        return tuple(
            AuctionBid(self._agents[event.party], event.action.price, event.round)
            for event in self.info.history
            if isinstance(event.action, PlaceBid)
        )


def _strategy_of(given: Any) -> Any:
    """A strategy's `calculate_bid` or `bid` method, or itself; None if it is no function."""
    for name in ("calculate_bid", "bid"):
        if callable(method := getattr(given, name, None)):
            return method
    return given if callable(given) else None


def _price(event: Event) -> float | None:
    """The price that an action bids, or takes."""
    if isinstance(event.action, PlaceBid):
        return event.action.price
    return float(event.action.bid["price"]) if isinstance(event.action, Accept) else None


def _last_bid(bids: Sequence[AuctionBid], winner: Any) -> AuctionBid:
    return next(bid for bid in reversed(bids) if bid.bidder is winner)
