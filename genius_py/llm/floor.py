"""Asking a model for bids that are worth enough to its party, and for no others."""

from __future__ import annotations

from collections.abc import Callable

import attrs
import numpy as np
from numpy.typing import NDArray

from genius_py.domain import Domain
from genius_py.issue import Issue, RealIssue
from genius_py.llm.reply_field import BidField, ChoiceField, Field, NumberField, bid_field_of
from genius_py.utility import UtilitySpace

__all__ = ["bids_worth"]

_WRITTEN_OUT = 200
"""Up to so many bids a schema names each one."""

_NOISE = 1e-9


def bids_worth(space: UtilitySpace, least: float) -> Callable[[Domain], BidField]:
    """A maker of bid fields whose schema leaves out what is worth less than `least`.

    A few bids are named one by one. Of many, each issue keeps the values that occur in some bid
    that is worth enough: that narrows the choice but does not decide it, so a bid has still to be
    looked at. In a domain that cannot be listed, nothing is left out.
    """

    def field(domain: Domain) -> BidField:
        whole = bid_field_of(domain)
        if domain != space.domain or not domain.is_listable:
            return whole
        enough = np.flatnonzero(space.utilities() >= least - _NOISE)
        reals = any(isinstance(issue, RealIssue) for issue in domain.issues)
        if not reals and len(enough) <= _WRITTEN_OUT:
            bids = tuple(domain.bid_at(int(index)) for index in enough)
            return attrs.evolve(whole, alternatives=bids)
        if not len(enough):
            return attrs.evolve(whole, alternatives=())
        columns = domain.positions(enough).T
        narrowed = {
            issue.name: _narrowed(issue, whole.issues[issue.name], np.unique(column))
            for issue, column in zip(domain.issues, columns, strict=True)
        }
        return attrs.evolve(whole, narrowed=narrowed)

    return field


def _narrowed(issue: Issue, field: Field, places: NDArray[np.int64]) -> Field:
    values = [issue.value_at(int(place)) for place in places]
    match field:
        case NumberField(integer=integer, what=what):
            return NumberField(values[0], values[-1], integer, what)  # type: ignore[arg-type]
        case ChoiceField(what=what):
            return ChoiceField({str(value): value for value in values}, what)
        case _:
            return field
