"""Awards: the bids of a domain that says who gets something, and at what price."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.errors import DomainError, InvalidBid, OptionError
from genius_py.issue import DiscreteIssue, IntegerIssue, RealIssue
from genius_py.session import Seat

__all__ = ["Awards", "PriceIssue", "names_of", "receiver_issue"]

PriceIssue = IntegerIssue | RealIssue


def names_of(seats: Sequence[Seat], issue: DiscreteIssue) -> dict[str, str] | None:
    """For each seat's id the value of the issue that means it; None when one has none.

    That is its id or, where nobody else has it, its role.
    """
    roles = [seat.role for seat in seats]
    found = {
        seat.id: next(
            (
                name
                for name in (seat.id, seat.role if roles.count(seat.role) == 1 else "")
                if name in issue.values
            ),
            "",
        )
        for seat in seats
    }
    return found if all(found.values()) else None


def receiver_issue(domain: Domain, seats: Sequence[Seat]) -> tuple[str, dict[str, str]] | None:
    """The discrete issue that has a value for each seat, and these values by seat id."""
    for issue in domain.issues:
        if isinstance(issue, DiscreteIssue) and (names := names_of(seats, issue)) is not None:
            return issue.name, names
    return None


@attrs.frozen
class Awards:
    """The awards of a domain with two issues: who gets the good, and the price of it.

    `receiver` is the name of the first issue, `names` has its value for each seat id.
    """

    domain: Domain
    receiver: str
    price: PriceIssue
    names: dict[str, str]

    @classmethod
    def of(cls, domain: Domain, seats: Sequence[Seat]) -> Awards:
        """Find the two issues, whatever they are called.

        Raises:
            DomainError: there are others, or somebody cannot be awarded anything.
        """
        prices = [issue for issue in domain.issues if isinstance(issue, PriceIssue)]
        receivers = receiver_issue(domain, seats)
        if len(domain.issues) != 2 or len(prices) != 1 or receivers is None:
            raise DomainError(
                f"Domain {domain.name!r} has no awards: an auction needs an issue of numbers, the "
                f"price, and one whose values are the bidders ({', '.join(map(str, seats))}), "
                f"each of them at a role of its own."
            )
        receiver, names = receivers
        return cls(domain, receiver, prices[0], names)

    def bid(self, seat: str, price: float) -> Bid:
        """The award to a seat, given by its id."""
        return self.domain.bid({self.receiver: self.names[seat], self.price.name: price})

    @property
    def lowest(self) -> float:
        """The lowest price that can be bid; nobody bids less than 0."""
        return max(0, self.price.lower)

    @property
    def highest(self) -> float:
        """The highest price that can be bid."""
        return self.price.upper

    @property
    def is_whole(self) -> bool:
        """Whether prices are whole numbers."""
        return isinstance(self.price, IntegerIssue)

    @property
    def step(self) -> float:
        """A fiftieth of the range of prices; at least 1 where these are whole."""
        step = (self.highest - self.lowest) / 50
        return max(1, round(step)) if self.is_whole else step

    def checked(self, option: str, price: float) -> float:
        """A price that somebody has set, in its canonical type.

        Raises:
            OptionError: it is not a price of the domain.
        """
        try:
            return self.price.check(price)
        except InvalidBid as error:
            raise OptionError(f"{option} is no price of {self.domain.name}: {error}") from error
