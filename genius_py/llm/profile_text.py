"""A domain and a profile in words and numbers, short enough for small models."""

from __future__ import annotations

import numpy as np

from genius_py.domain import Domain
from genius_py.errors import ProfileError
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue, TextIssue, Value
from genius_py.strategies.bid_search import Ladder, ladder
from genius_py.strategies.large_space import Separable, separable
from genius_py.utility import UtilitySpace

__all__ = ["domain_text", "profile_text", "threshold", "value_text", "worth_text"]

_MOST_VALUES = 24
"""Issues with more values show a few of them."""

_MOST_NUMBERS = 10
"""Likewise of numbers, between which others can be guessed."""

_POINTS = 5
"""How many values of a long issue, and bids of a profile without structure, are shown."""


def domain_text(domain: Domain) -> str:
    """Each issue and what it can be, one a line."""
    return "\n".join(f"- {issue.name}: {_values(issue)}" for issue in domain.issues)


def profile_text(space: UtilitySpace) -> str:
    """What bids are worth, the most important issue first; empty where nothing is said."""
    try:
        parts = separable(space)
        lines = _by_examples(space) if parts is None else _by_issue(space, parts)
    except ProfileError:  # an incomplete profile says what it can in other ways
        return ""
    if 0 < space.discount_factor < 1:
        lines.append(
            f"- Time costs: at time t of the deadline (from 0 to 1) everything is worth "
            f"{space.discount_factor:g}^t of this."
        )
    return "\n".join(lines)


def worth_text(utility: float) -> str:
    """A utility as it is shown.

    >>> worth_text(0.456), worth_text(1234.5)
    ('0.46', '1234')
    """
    return f"{utility:.2f}" if abs(utility) < 100 else f"{utility:.0f}"


def value_text(value: Value) -> str:
    """A value of an issue as it is shown."""
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _values(issue: Issue) -> str:
    match issue:
        case DiscreteIssue(values=values) if len(values) <= _MOST_VALUES:
            return " | ".join(values)
        case DiscreteIssue(values=values):
            shown = " | ".join(values[place] for place in _spread(len(values)))
            return f"{len(values)} values, among them {shown}"
        case IntegerIssue(lower=lower, upper=upper):
            return f"a whole number from {lower} to {upper}"
        case RealIssue(lower=low, upper=high):
            return f"a number from {low:.10g} to {high:.10g}"
        case TextIssue():
            return "free text"
        case _:
            return str(issue).removeprefix(f"{issue.name}: ")


def _by_issue(space: UtilitySpace, parts: Separable) -> list[str]:
    """What each issue adds, measured from its worst value, so that parts add up from a base."""
    weighed: list[tuple[float, str]] = []
    base = 0.0
    scale = float(np.ptp(parts.total(np.array([0.0, 1.0])))) or 1.0
    for place, issue in enumerate(space.domain.issues):
        if isinstance(issue, TextIssue):
            continue
        many = issue.size > (_MOST_VALUES if isinstance(issue, DiscreteIssue) else _MOST_NUMBERS)
        places = _spread(issue.size) if many else range(issue.size)
        values = [issue.value_at(position) for position in places]
        worths = [parts.part(place, value) for value in values]
        base += min(worths)
        spread = max(worths) - min(worths)
        named = dict(zip(map(value_text, values), worths, strict=True))
        shown = ", ".join(
            f"{value} {worth_text((worth - min(worths)) * scale)}" for value, worth in named.items()
        )
        weighed.append((spread, f"- {issue.name} (up to {worth_text(spread * scale)}): {shown}"))
    least = float(parts.total(np.array([base]))[0])
    weighed.sort(key=lambda entry: -entry[0])
    lines = [line for _, line in weighed]
    if len(lines) > 1:
        lines.insert(0, "The most important issue comes first; what its values add:")
    else:
        lines.insert(0, "What its values add:")
    if abs(least) >= 0.005:
        lines.append(f"- To the sum {worth_text(least)} is added.")
    (issue, *others) = space.domain.issues
    if not others and isinstance(issue, IntegerIssue | RealIssue):
        # Where one number is haggled over: which value is worth the reservation value.
        edge, direction = _edge(issue, parts, space.reservation_value)
        if edge is not None:
            lines.append(
                f"- Only {issue.name} {edge:.10g} or {direction} is worth your reservation value."
            )
    return lines


def threshold(space: UtilitySpace) -> float | None:
    """The last value of a single number that is worth the reservation value.

    None where it is not one number that is negotiated, or all or none of its values are worth it.
    """
    if len(space.domain.issues) != 1:
        return None
    (issue,) = space.domain.issues
    if not isinstance(issue, IntegerIssue | RealIssue):
        return None
    try:
        parts = separable(space)
    except ProfileError:
        return None
    return None if parts is None else _edge(issue, parts, space.reservation_value)[0]


def _edge(
    issue: IntegerIssue | RealIssue, parts: Separable, floor: float
) -> tuple[float | None, str]:
    """That value, and whether more or less than it is worth more."""
    low, high = issue.lower, issue.upper
    worths = parts.total(np.array([parts.part(0, low), parts.part(0, high)]))
    if not min(worths) < floor < max(worths):
        return None, ""
    rises = worths[1] > worths[0]
    inside, outside = (high, low) if rises else (low, high)
    for _ in range(100):  # more than a float has bits
        middle = (inside + outside) / 2
        enough = parts.total(np.array([parts.part(0, middle)]))[0] >= floor
        inside, outside = (middle, outside) if enough else (inside, middle)
    return float(inside), "more" if rises else "less"


def _by_examples(space: UtilitySpace) -> list[str]:
    """Bids from the best to the worst, where the profile follows no simple rule: all of a few."""
    if space.domain.is_listable and space.domain.size <= _MOST_VALUES:
        bids = sorted(space.domain.bids(), key=space.utility, reverse=True)
        lines = ["All bids, the best one first:"]
    else:
        rungs: Ladder = ladder(space)
        targets = np.linspace(rungs.maximum, rungs.minimum, _POINTS)
        bids = list(dict.fromkeys(rungs.near(float(target)) for target in targets))
        lines = ["Some bids, the best one first:"]
    lines += [
        f"- {', '.join(f'{name}: {value_text(value)}' for name, value in bid.items())} is worth "
        f"{worth_text(space.utility(bid))}"
        for bid in bids
    ]
    return lines


def _spread(size: int) -> list[int]:
    """Places from the first to the last of a long list, evenly."""
    return sorted({round(place * (size - 1) / (_POINTS - 1)) for place in range(_POINTS)})
