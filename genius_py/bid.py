"""A bid: one value for each issue of a domain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from genius_py.errors import InvalidBid
from genius_py.issue import Value

if TYPE_CHECKING:
    from genius_py.domain import Domain

__all__ = ["HOW_TO_BID", "Bid", "unchecked_bid"]

HOW_TO_BID = "make one with self.domain.bid(price=...)"
"""What to do instead of offering something else than a bid, as the end of a sentence."""

_put = object.__setattr__


class Bid(Mapping[str, Value]):
    """An immutable outcome of a domain, read like a mapping from issue name to value.

    Bids are made by their domain (`Domain.bid`, `Domain.bid_at`), or from all values in issue
    order. These are checked, so a bid outside its domain cannot exist. Two bids are equal when
    their domains and values are.

    Raises:
        InvalidBid: an issue has no value, or one that it cannot take.

    >>> from genius_py.domain import Domain
    >>> from genius_py.issue import DiscreteIssue, IntegerIssue
    >>> car = Domain("car", [IntegerIssue("price", 1, 9), DiscreteIssue("colour", ["red"])])
    >>> bid = car.bid(price=3, colour="red")
    >>> print(bid, "|", bid["price"], bid.index)
    price: 3, colour: red | 3 2
    """

    # Written out instead of attrs: a bid is compared and looked up in every turn of a session.
    __slots__ = ("_index", "content", "domain")

    domain: Domain
    content: tuple[Value, ...]
    """The values in the order of the domain's issues (`values()` is the mapping's)."""
    _index: int

    def __init__(self, domain: Domain, values: Sequence[object] | None = None) -> None:
        if values is None or isinstance(values, Mapping):
            raise InvalidBid(f"A mapping is no bid; {HOW_TO_BID}.")
        issues = domain.issues
        if len(values) != len(issues):
            raise InvalidBid(
                f"A bid of {domain.name!r} has {len(issues)} values, one for each issue, "
                f"not {len(values)}."
            )
        content = tuple(issue.check(value) for issue, value in zip(issues, values, strict=True))
        _put(self, "domain", domain)
        _put(self, "content", content)
        _put(self, "_index", -1)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"A bid cannot be changed; make another with replace({name}=...).")

    @property
    def index(self) -> int:
        """Place in the domain's listing: mixed radix, the first issue varies fastest.

        Raises:
            InvalidBid: a value lies between the listed points of its issue.
        """
        index = self._index
        if index < 0:
            index = self.domain.index_of(self.content)
            _put(self, "_index", index)
        return index

    def replace(self, **changes: object) -> Bid:
        """The bid with some values changed (issue names as keywords)."""
        return self.domain.bid({**self, **changes})

    def distance(self, other: Bid) -> float:
        """Share of issues on which two bids differ, in [0, 1]."""
        pairs = list(zip(self.content, other.content, strict=True))
        return sum(a != b for a, b in pairs) / len(pairs) if pairs else 0.0

    def __getitem__(self, issue: str) -> Value:
        return self.content[self.domain.issue_position(issue)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.domain.issue_names)

    def __len__(self) -> int:
        return len(self.content)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Bid):
            return NotImplemented
        return self.content == other.content and (
            self.domain is other.domain or self.domain == other.domain
        )

    def __hash__(self) -> int:
        return hash(self.content)

    def __reduce__(self) -> tuple[object, ...]:
        return unchecked_bid, (self.domain, self.content, self._index)

    def __str__(self) -> str:
        return ", ".join(
            f"{name}: {_display(value)}"
            for name, value in zip(self.domain.issue_names, self.content, strict=True)
        )

    def __repr__(self) -> str:
        return f"<Bid {self}>"


def unchecked_bid(domain: Domain, content: tuple[Value, ...], index: int = -1) -> Bid:
    """The bid of values that were taken from the domain's issues, which need not be checked."""
    bid: Bid = object.__new__(Bid)
    _put(bid, "domain", domain)
    _put(bid, "content", content)
    _put(bid, "_index", index)
    return bid


def _display(value: Value) -> str:
    # repr keeps every digit of a real value: what is printed can be parsed to the same bid.
    return value if isinstance(value, str) else repr(value)
