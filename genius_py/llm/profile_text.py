"""A domain and a profile in words and numbers, short enough for small models."""

from __future__ import annotations

import attrs
import numpy as np

from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.errors import ProfileError
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue, TextIssue, Value
from genius_py.llm.boxes_text import boxes_text
from genius_py.llm.quotation import name_text, quoted
from genius_py.strategies.bid_search import Ladder, ladder
from genius_py.strategies.large_space import Separable, separable
from genius_py.utility import HyperRectangleUtilitySpace, LinearUtilitySpace, UtilitySpace

__all__ = ["Threshold", "bid_text", "domain_text", "profile_text", "threshold", "worth_text"]

_MOST_VALUES = 24
"""Issues with more values show a few of them."""

_MOST_NUMBERS = 10
"""Likewise of numbers, between which others can be guessed."""

_POINTS = 5
"""How many values of a long issue, and bids of a profile without structure, are shown."""


def domain_text(domain: Domain) -> str:
    """Each issue and what it can be, one a line."""
    return "\n".join(f"- {name_text(issue.name)}: {_values(issue)}" for issue in domain.issues)


def bid_text(bid: Bid) -> str:
    """A bid as it is shown; a free text in it stands in quotation marks."""
    return ", ".join(
        f"{name_text(issue.name)}: "
        f"{quoted(value) if isinstance(issue, TextIssue) else _value_text(value)}"
        for issue, value in zip(bid.domain.issues, bid.content, strict=True)
    )


def profile_text(space: UtilitySpace) -> str:
    """What bids are worth, the most important issue first; empty where nothing is said."""
    try:
        parts = separable(_unconditional(space))
        if parts is None:
            lines = _by_examples(space)
            if isinstance(space, HyperRectangleUtilitySpace):
                lines = [*boxes_text(space), *lines]
        else:
            lines = [*_by_issue(space, parts), *_conditions(space)]
            if edge := threshold(space):
                direction = "more" if edge.rises else "less"
                lines.append(
                    f"- Only {name_text(edge.issue)} {edge.value:.10g} or {direction} is worth "
                    f"your reservation value."
                )
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


def _value_text(value: Value) -> str:
    return f"{value:.10g}" if isinstance(value, float) else name_text(str(value))


def _values(issue: Issue) -> str:
    match issue:
        case DiscreteIssue(values=values) if len(values) <= _MOST_VALUES:
            return " | ".join(map(name_text, values))
        case DiscreteIssue(values=values):
            shown = " | ".join(name_text(values[place]) for place in _spread(len(values)))
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
    settled = dict(space.where) if isinstance(space, LinearUtilitySpace) else {}
    weighed: list[tuple[float, str]] = []
    base = sum(parts.part(space.domain.issue_position(name), v) for name, v in settled.items())
    scale = float(np.ptp(parts.total(np.array([0.0, 1.0])))) or 1.0
    for place, issue in enumerate(space.domain.issues):
        if isinstance(issue, TextIssue) or issue.name in settled:
            continue
        many = issue.size > (_MOST_VALUES if isinstance(issue, DiscreteIssue) else _MOST_NUMBERS)
        places = _spread(issue.size) if many else range(issue.size)
        values = [issue.value_at(position) for position in places]
        worths = [parts.part(place, value) for value in values]
        base += min(worths)
        spread = max(worths) - min(worths)
        named = dict(zip(map(_value_text, values), worths, strict=True))
        shown = ", ".join(
            f"{value} {worth_text((worth - min(worths)) * scale)}" for value, worth in named.items()
        )
        name, most = name_text(issue.name), worth_text(spread * scale)
        if spread == 0 and (not many or isinstance(space, LinearUtilitySpace)):
            weighed.append((spread, f"- {name}: all its values are worth the same to you"))
        else:
            weighed.append((spread, f"- {name} (up to {most}): {shown}"))
    least = float(parts.total(np.array([base]))[0])
    weighed.sort(key=lambda entry: -entry[0])
    lines = [line for _, line in weighed]
    if len(lines) > 1:
        lines.insert(0, "The most important issue comes first; what its values add:")
    else:
        lines.insert(0, "What its values add:")
    if abs(least) >= 0.005:
        lines.append(f"- To the sum {worth_text(least)} is added.")
    return lines


@attrs.frozen
class Threshold:
    """Where one number is haggled over: the last `value` that is worth the reservation value.

    `rises` says that larger ones are worth more.
    """

    issue: str
    value: float
    rises: bool


def threshold(space: UtilitySpace) -> Threshold | None:
    """That value; None where it is not one number that is open, or all or none are worth it."""
    settled = dict(space.where) if isinstance(space, LinearUtilitySpace) else {}
    places = enumerate(space.domain.issues)
    open_ones = [(place, issue) for place, issue in places if issue.name not in settled]
    if len(open_ones) != 1:
        return None
    ((place, issue),) = open_ones
    try:
        parts = separable(_unconditional(space))
    except ProfileError:
        return None
    if parts is None or not isinstance(issue, IntegerIssue | RealIssue):
        return None
    rest = sum(parts.part(space.domain.issue_position(name), v) for name, v in settled.items())

    def is_worth_it(value: float) -> bool:
        worth = parts.total(np.array([rest + parts.part(place, value)]))[0]
        return bool(worth >= space.reservation_value)

    inside, outside = issue.upper, issue.lower
    rises = is_worth_it(inside)
    if rises == is_worth_it(outside):
        return None
    if not rises:
        inside, outside = outside, inside
    for _ in range(100):  # more than a float has bits
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if is_worth_it(middle) else (inside, middle)
    return Threshold(issue.name, float(inside), rises)


def _unconditional(space: UtilitySpace) -> UtilitySpace:
    """The plane of a linear profile, as if every bid could be carried out and was its own deal."""
    if isinstance(space, LinearUtilitySpace):
        return attrs.evolve(space, where=(), limits=())
    return space


def _conditions(space: UtilitySpace) -> list[str]:
    """What a bid of a linear profile must be, else it is worth nothing."""
    if not isinstance(space, LinearUtilitySpace):
        return []
    lines = []
    if space.where:
        deal = " and ".join(
            f"{name_text(name)} is {_value_text(value)}" for name, value in space.where
        )
        lines.append(f"- This holds where {deal}; any other bid is worth {worth_text(0)} to you.")
    for limit in space.limits:
        weighed = " + ".join(
            name_text(issue.name) if factor == 1 else f"{factor:g} x {name_text(issue.name)}"
            for issue, factor in zip(space.domain.issues, limit.coefficients, strict=True)
            if factor
        )
        lines.append(f"- A bid whose {weighed} is above {limit.upper:g} is worth {worth_text(0)}.")
    return lines


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
    lines += [f"- {bid_text(bid)} is worth {worth_text(space.utility(bid))}" for bid in bids]
    return lines


def _spread(size: int) -> list[int]:
    """Places from the first to the last of a long list, evenly."""
    return sorted({round(place * (size - 1) / (_POINTS - 1)) for place in range(_POINTS)})
