"""What all auctions share: actions, the award, reserve price, direction and ties."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal, TypeAlias

import attrs

from genius_py.action import Action
from genius_py.allowed import Number
from genius_py.bid import Bid
from genius_py.protocol import Listeners
from genius_py.protocols.award import Awards
from genius_py.protocols.default import DefaultMultilateralProtocol, listen_to_all
from genius_py.protocols.numbers import shown
from genius_py.protocols.options import require_number, require_one_of
from genius_py.session import Seat, Session

__all__ = ["AuctionProtocol", "DropOut", "PlaceBid", "Sale", "Stand", "Tie"]

Tie: TypeAlias = Literal["list", "random"]


@attrs.frozen
class PlaceBid(Action):
    """Bid a price."""

    price: float = attrs.field(converter=float)

    def _deed(self) -> str:
        return f"bids {shown(self.price)}"


@attrs.frozen
class DropOut(Action):
    """Bid no more in this auction."""

    def _deed(self) -> str:
        return "drops out"


@attrs.frozen
class Stand(Action):
    """Stand by one's bid, which is the best one so far."""

    def _deed(self) -> str:
        return "stands by its bid"


@attrs.frozen(str=False)
class _AboveNothing(Number):
    """A number above 0, which reads as that and not as the smallest one there is."""

    def __str__(self) -> str:
        return f"a number above 0, up to {self.maximum:g}"


@attrs.frozen
class Sale:
    """Who got it, at what price, and who else had bid as well."""

    winner: str
    price: float
    tied: tuple[str, ...] = ()


class AuctionProtocol(DefaultMultilateralProtocol):
    """The base of auctions of one good, about a domain of awards: who gets it, and the price.

    Every seat is a bidder's; the auctioneer is the protocol. With `reverse` the bidders sell: the
    lowest bid wins, and everything that is said of high and low is turned round. A best bid that
    does not reach the `reserve` price wins nothing; one that equals it wins. Of equal bids that of
    the first bidder in the order of the seats wins, or with ``tie="random"`` one that is drawn;
    `detail` names those who were tied.

    Negative bids are refused, and so is a bid of 0 where the reserve price is higher.

    Raises:
        OptionError: an option has an impossible value.
    """

    parties_range: ClassVar[tuple[int, int | None]] = (1, None)
    default_parties: ClassVar[tuple[str, ...]] = ("truthful",)

    def __init__(
        self, reserve: float | None = None, reverse: bool = False, tie: Tie = "list"
    ) -> None:
        super().__init__()
        require_number("reserve", reserve)
        require_one_of("tie", tie, Tie)
        self.reserve = reserve
        self.reverse = reverse
        self.tie: Tie = tie
        self.is_closed = False
        """Whether no bid will change the result any more."""
        self._sale: Sale | None = None
        self._unsold = ""
        self._doubt = ""
        self._bidders: tuple[str, ...] = ()

    def before_session(
        self, session: Session, parties: Sequence[Seat]
    ) -> Mapping[Seat, Sequence[Action]]:
        """Nothing is told.

        Raises:
            DomainError: the domain has no awards, or not for each of the bidders.
            OptionError: the reserve price is no price of the domain.
        """
        self.awards = Awards.of(session.domain, parties)
        self._bidders = tuple(seat.id for seat in parties)
        self._doubt = self._doubt_of_direction(session)
        if self.reserve is not None:
            self.reserve = self.awards.checked("reserve", self.reserve)
        return {}

    @property
    def detail(self) -> str:
        """How it ended: sold (and who was tied), no bids, or below the reserve price.

        Where `reverse` is the wrong way round for everybody's profile, it says so, too.
        """
        if self.ended:
            return self._detail
        how = "sold" if self._sale else self._unsold
        tied = ", ".join(self._sale.tied) if self._sale else ""
        return "; ".join(filter(None, (how, tied and f"tied: {tied}", self._doubt)))

    def _doubt_of_direction(self, session: Session) -> str:
        # Whoever likes best what the other side likes best bids the limit, and wins by its seat.
        gains = [
            space.utility(self.awards.bid(bidder, self.awards.highest))
            - space.utility(self.awards.bid(bidder, self.awards.lowest))
            for bidder, space in session.profiles.items()
        ]
        if gains and all(gain < 0 if self.reverse else gain > 0 for gain in gains):
            liked = "low" if self.reverse else "high"
            wanted = str(not self.reverse).lower()
            return f"every bidder likes {liked} prices best: is reverse={wanted} meant?"
        return ""

    def is_better(self, price: float, than: float) -> bool:
        """Whether a bid beats another."""
        return price < than if self.reverse else price > than

    def best(self, prices: Sequence[float]) -> float:
        """The winning one of some prices."""
        return min(prices) if self.reverse else max(prices)

    def meets_reserve(self, price: float) -> bool:
        """Whether a bid may win."""
        return self.reserve is None or not self.is_better(self.reserve, price)

    def prices(self, low: float | None = None, high: float | None = None) -> Number:
        """The rule for a bid between two prices, by default between all that can be bid."""
        awards = self.awards
        highest = awards.highest if high is None else high
        if low is None and awards.lowest == 0 and self._wants_more_than_nothing:
            if not awards.is_whole:
                return _AboveNothing(math.nextafter(0.0, 1.0), highest)
            low = 1
        return Number(awards.lowest if low is None else low, highest, integer=awards.is_whole)

    @property
    def _wants_more_than_nothing(self) -> bool:
        return not self.reverse and self.reserve is not None and self.reserve > 0

    def leader(self, bids: Mapping[str, float], session: Session) -> tuple[str, tuple[str, ...]]:
        """Whose bid is the best, and everybody who is tied with it; `bids` by seat id."""
        best = self.best(list(bids.values()))
        tied = tuple(bidder for bidder in self._bidders if bids.get(bidder) == best)
        place = session.rng.integers(len(tied)) if self.tie == "random" and len(tied) > 1 else 0
        return tied[place], tied if len(tied) > 1 else ()

    def close(self, sale: Sale | None, unsold: str = "no bids") -> None:
        """No bid changes anything any more."""
        self.is_closed = True
        self.settle(sale, unsold)

    def settle(self, sale: Sale | None, unsold: str = "no bids") -> None:
        """Who has bought, or why nobody has."""
        self._sale, self._unsold = sale, unsold

    def after_session(self, session: Session, parties: Sequence[Seat]) -> None:
        """Whoever has not bid by the deadline has not bid."""
        if not self.is_closed:
            self.settle(None)

    def get_action_listeners(self, parties: Sequence[Seat]) -> Listeners:
        """Everybody hears everybody else; bids that are made at once, when all have been made."""
        return listen_to_all(tuple(parties))

    def is_finished(self, session: Session, parties: Sequence[Seat]) -> bool:
        """When it is closed, or somebody ended it."""
        return self.ended or self.is_closed

    def get_current_agreement(self, session: Session, parties: Sequence[Seat]) -> Bid | None:
        """The award, once the auction is closed."""
        return None if self._sale is None else self.awards.bid(self._sale.winner, self._sale.price)

    def get_number_of_agreeing_parties(self, session: Session, parties: Sequence[Seat]) -> int:
        """The winner alone: the others have agreed to nothing."""
        return 0 if self._sale is None else 1

    def payoffs(self, session: Session, parties: Sequence[Seat]) -> Mapping[str, float] | None:
        """To the winner what the award is worth at its price, to the others no award."""
        if not session.profiles:
            return None
        award = self.get_current_agreement(session, parties)
        return {
            bidder: space.reservation_value if award is None else space.utility(award)
            for bidder, space in session.profiles.items()
        }
