"""Utility from a function of one's own."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from genius_py.bid import Bid
from genius_py.utility.base import UtilitySpace

__all__ = ["CallableUtilitySpace"]


@attrs.frozen(kw_only=True)
class CallableUtilitySpace(UtilitySpace):
    """Whatever `function` says a bid is worth; the only space that gives a text issue a worth.

    The function must be pure: the same bid, the same number. No file format can hold it; a
    session log keeps the table of its values where the domain is listable.

    >>> from genius_py.domain import Domain
    >>> from genius_py.issue import TextIssue
    >>> pitch = Domain("pitch", [TextIssue("slogan")])
    >>> brevity = CallableUtilitySpace(
    ...     domain=pitch, function=lambda bid: 1 / (1 + len(bid["slogan"].split()))
    ... )
    >>> brevity.utility(pitch.bid(slogan="Less talk."))
    0.3333333333333333
    """

    function: Callable[[Bid], float]

    def _utility(self, bid: Bid) -> float:
        return float(self.function(bid))
