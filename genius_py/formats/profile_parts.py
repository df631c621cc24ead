"""What the readers and writers of all kinds of profile have in common."""

from __future__ import annotations

import math

from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.errors import DomainError
from genius_py.formats.node import Node
from genius_py.issue import IntegerIssue, Issue, RealIssue, Value

__all__ = ["bid_of", "issue_named", "plain", "value_of"]


def bid_of(node: Node, domain: Domain) -> Bid:
    """The bid that a mapping from issue to value describes."""
    values = {
        name: value_of(entry, issue_named(node, name, domain))
        for name, entry in node.entries().items()
    }
    with node.blamed():
        return domain.bid(values)


def value_of(node: Node, issue: Issue) -> Value:
    """The value of an issue that a scalar stands for."""
    given: Value
    match issue:
        case IntegerIssue():
            given = node.whole()
        case RealIssue():
            given = node.number()
        case _:
            given = node.text()
    with node.blamed():
        return issue.check(given)


def issue_named(node: Node, name: str, domain: Domain) -> Issue:
    """The issue that a key of the node names."""
    try:
        return domain.issues[domain.issue_position(name)]
    except KeyError:
        raise node.unknown(name, "issue", domain.issue_names) from None


def plain(number: float) -> int | float:
    """A number as a person would write it: 1 for 1.0; equal to what was given."""
    exact = float(number)
    if not math.isfinite(exact):
        raise DomainError(f"A profile that holds the number {exact} cannot be stored.")
    return int(exact) if exact.is_integer() and abs(exact) < 2**53 else exact
