"""A domain: the issues of a negotiation and the bids that they span."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import attrs
import numpy as np

from genius_py.bid import Bid, unchecked_bid
from genius_py.errors import DomainError, InvalidBid, OutcomeSpaceTooLarge
from genius_py.issue import Issue, TextIssue, Value

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["LISTABLE", "Domain", "magnitude", "random_below"]

LISTABLE = 5_000_000
"""Domains with more outcomes than this are never listed."""

_REMEMBERED = 100_000
"""Domains up to this size keep the bids that they have made, for speed in long sessions."""


def _as_issues(given: Iterable[Issue]) -> tuple[Issue, ...]:
    return tuple(given)


@attrs.frozen
class Domain:
    """Issues in a fixed order; each bid has a place (index) in the listing of all bids.

    The index is mixed radix with the first issue varying fastest, which is the order of
    Genius's bid iterator. `size` is an exact int, however large.

    Raises:
        DomainError: there is no issue, or two have the same name.
    """

    name: str = attrs.field(eq=False)  # the same issues loaded from another path are compatible
    issues: tuple[Issue, ...] = attrs.field(converter=_as_issues)
    issue_names: tuple[str, ...] = attrs.field(init=False, eq=False, repr=False)
    size: int = attrs.field(init=False, eq=False, repr=False)
    """Number of listed bids: the product of the issues' sizes."""
    _places: dict[str, int] = attrs.field(init=False, eq=False, repr=False)
    _made: dict[int, Bid] = attrs.field(init=False, eq=False, repr=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        names = tuple(issue.name for issue in self.issues)
        if not names:
            raise DomainError(f"Domain {self.name!r} has no issues; it needs at least one.")
        for name, count in Counter(names).items():
            if count > 1:
                raise DomainError(f"Domain {self.name!r} has two issues named {name!r}.")
        size = 1
        for issue in self.issues:
            size *= issue.size
        object.__setattr__(self, "issue_names", names)
        object.__setattr__(self, "size", size)
        object.__setattr__(self, "_places", {name: i for i, name in enumerate(names)})

    @property
    def is_listable(self) -> bool:
        """Whether all bids may be listed: no free text, at most five million bids."""
        return self.size <= LISTABLE and not any(isinstance(i, TextIssue) for i in self.issues)

    @property
    def shape(self) -> tuple[int, ...]:
        """The issues' sizes, in issue order."""
        return tuple(issue.size for issue in self.issues)

    def issue_position(self, name: str) -> int:
        """Place of an issue in the domain, counted from 0; `KeyError` when it has none."""
        return self._places[name]

    def bid(self, values: Mapping[str, object] | None = None, /, **named: object) -> Bid:
        """The bid with these values, one for each issue.

        Raises:
            InvalidBid: an issue is missing, unknown, or cannot take its value.
        """
        given = {**(values or {}), **named}
        for name in given:
            if name not in self._places:
                raise InvalidBid(
                    f"Domain {self.name!r} has no issue {name!r}; "
                    f"its issues are {', '.join(self.issue_names)}."
                )
        missing = [name for name in self.issue_names if name not in given]
        if missing:
            raise InvalidBid(f"The bid gives no value for {', '.join(missing)}.")
        return Bid(self, [given[name] for name in self.issue_names])

    def bid_at(self, index: int) -> Bid:
        """The bid at a place of the listing, counted from 0."""
        made = self._made.get(index)
        if made is not None:
            return made
        if not 0 <= index < self.size:
            raise InvalidBid(f"Domain {self.name!r} has bids 0 to {self.size - 1}, not {index}.")
        index = rest = int(index)
        values: list[Value] = []
        for issue in self.issues:
            rest, position = divmod(rest, issue.size)
            values.append(issue.value_at(position))
        bid = unchecked_bid(self, tuple(values), index)
        if self.size <= _REMEMBERED:
            self._made[index] = bid
        return bid

    def index_of(self, values: tuple[Value, ...]) -> int:
        """The index of the bid with these values (in issue order).

        Raises:
            InvalidBid: a value is not one of the listed ones.
        """
        index, stride = 0, 1
        for issue, value in zip(self.issues, values, strict=True):
            index += issue.position(value) * stride
            stride *= issue.size
        return index

    def bids(self) -> Iterator[Bid]:
        """All bids in the order of their index, made one at a time.

        Raises:
            OutcomeSpaceTooLarge: the domain is not listable.
        """
        self.require_listable()
        return map(self.bid_at, range(self.size))

    def positions(self, indices: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """For each bid index, the value positions; shape (n, n_issues). None: all bids."""
        if indices is None:
            self.require_listable()
            indices = np.arange(self.size, dtype=np.int64)
        rest = np.asarray(indices, dtype=np.int64)
        columns = []
        for size in self.shape:
            rest, column = np.divmod(rest, size)
            columns.append(column)
        return np.stack(columns, axis=-1)

    def random_bid(self, rng: np.random.Generator) -> Bid:
        """A bid drawn uniformly, issue by issue (a real issue draws one of its 21 points)."""
        if self.size == 0:
            raise OutcomeSpaceTooLarge(f"Domain {self.name!r} has no bids to draw from.")
        return unchecked_bid(
            self, tuple(issue.value_at(random_below(issue.size, rng)) for issue in self.issues)
        )

    def require_listable(self) -> None:
        """Raise `OutcomeSpaceTooLarge` unless the domain may be listed."""
        if not self.is_listable:
            raise OutcomeSpaceTooLarge(
                f"Domain {self.name!r} has {magnitude(self.size)} bids"
                f"{' and free text' if self.size <= LISTABLE else ''}, too many to list; "
                f"sample it or search it with bid_near."
            )

    def __reduce__(self) -> tuple[object, ...]:
        # Without the bids that it remembers: they would go along with each bid that is sent.
        return Domain, (self.name, self.issues)

    def __contains__(self, bid: object) -> bool:
        return isinstance(bid, Bid) and (bid.domain is self or bid.domain == self)

    def __str__(self) -> str:
        issues = "1 issue" if len(self.issues) == 1 else f"{len(self.issues)} issues"
        bids = "1 bid" if self.size == 1 else f"{magnitude(self.size)} bids"
        return f"{self.name} ({issues}, {bids})"


def random_below(size: int, rng: np.random.Generator) -> int:
    """A whole number from 0 to `size` - 1, however large, all as likely."""
    if size < 2**63:
        return int(rng.integers(size))
    # numpy draws no wider numbers; 64 bits more than needed leave no bias that could be seen.
    return int.from_bytes(rng.bytes(size.bit_length() // 8 + 9)) % size


def magnitude(size: int) -> str:
    """A number of bids as one would say it: whole, or from 10^9 on as ``about 10^40``."""
    # Not by its digits: Python refuses to write out numbers of more than 4300.
    return str(size) if size < 10**9 else f"about 10^{math.floor(math.log10(size))}"
