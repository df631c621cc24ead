"""Strategies of hypothesis for issues, domains, bids, profiles and scenarios.

Import this module by its name: it is the only one that needs hypothesis.

>>> from hypothesis import given
>>> @given(profiles())
... def test_my_search(profile): ...
"""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from genius_py.bid import Bid
from genius_py.deadline import Deadline
from genius_py.domain import Domain
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue, TextIssue
from genius_py.scenario import Scenario
from genius_py.utility import (
    AdditiveUtilitySpace,
    DiscreteEvaluator,
    Evaluator,
    IntegerEvaluator,
    LinearUtilitySpace,
    RealLinearEvaluator,
    RealTriangularEvaluator,
    TableUtilitySpace,
    UtilitySpace,
)

__all__ = ["bids", "deadlines", "domains", "issues", "names", "profiles", "scenarios"]


def names() -> st.SearchStrategy[str]:
    """Names as people write them, blanks and letters beyond ASCII included, never empty."""
    letters = st.characters(categories=("L", "N"), include_characters="-_.,/&<\"' ")
    return st.text(letters, min_size=1, max_size=12).map(str.strip).filter(bool)


@st.composite
def issues(
    draw: st.DrawFn, *, name: str | None = None, max_values: int = 6, texts: bool = False
) -> Issue:
    """A discrete, integer or real issue, or a text where asked for; `size` is at most 21."""
    label = draw(names()) if name is None else name
    kind = draw(st.sampled_from(["discrete", "integer", "real", *(["text"] if texts else [])]))
    if kind == "discrete":
        values = st.lists(names(), min_size=1, max_size=max_values, unique=True)
        return DiscreteIssue(label, draw(values))
    if kind == "integer":
        least = draw(st.integers(-1000, 1000))
        return IntegerIssue(label, least, least + draw(st.integers(0, max_values - 1)))
    if kind == "real":
        bounds = st.floats(-1000, 1000).map(lambda bound: round(bound, 6) + 0.0)  # no -0.0
        lower, upper = sorted((draw(bounds), draw(bounds)))
        return RealIssue(label, lower, upper)
    return TextIssue(label)


@st.composite
def domains(
    draw: st.DrawFn, *, max_issues: int = 4, max_size: int = 3000, texts: bool = False
) -> Domain:
    """A domain of at most `max_size` listed bids (at least 21 must be allowed)."""
    labels = draw(st.lists(names(), min_size=1, max_size=max_issues, unique=True))
    chosen: list[Issue] = []
    size = 1
    for label in labels:
        issue = draw(issues(name=label, texts=texts))
        if size * issue.size > max_size:
            break
        chosen.append(issue)
        size *= issue.size
    return Domain(draw(names()), chosen)


@st.composite
def bids(draw: st.DrawFn, domain: Domain) -> Bid:
    """Any bid of a domain; its real values may lie between the listed points."""
    return domain.bid({issue.name: draw(_values(issue)) for issue in domain.issues})


def _values(issue: Issue) -> st.SearchStrategy[Any]:
    match issue:
        case RealIssue(lower=lower, upper=upper):
            return st.floats(lower, upper)
        case TextIssue(max_length=longest):
            return st.text(max_size=min(longest, 20))
        case _:
            return st.integers(0, issue.size - 1).map(issue.value_at)


@st.composite
def profiles(draw: st.DrawFn, domain: Domain | None = None) -> UtilitySpace:
    """An additive profile, a table, or a plane over numbers, with utilities in [0, 1].

    Without real issues only, a table; with numbers only, a plane.

    Reservation values lie in [0, 1] and discount factors in (0, 1].
    """
    space = draw(domains()) if domain is None else domain
    kinds = [_additive]
    # A table says nothing of what lies between the points of a real issue.
    is_real = any(isinstance(issue, RealIssue) for issue in space.issues)
    if space.is_listable and space.size <= 10_000 and not is_real:
        kinds.append(_table)
    if all(isinstance(issue, IntegerIssue | RealIssue) for issue in space.issues):
        kinds.append(_linear)
    general = {
        "domain": space,
        "reservation_value": draw(st.floats(0, 1)),
        "discount_factor": draw(st.floats(0.01, 1)),
    }
    profile: UtilitySpace = draw(st.sampled_from(kinds))(draw, general)
    return profile


def _additive(draw: st.DrawFn, general: dict[str, Any]) -> UtilitySpace:
    issues = general["domain"].issues
    raw = draw(st.lists(st.integers(1, 100), min_size=len(issues), max_size=len(issues)))
    return AdditiveUtilitySpace(
        weights=[weight / sum(raw) for weight in raw],
        evaluators=[_evaluator(draw, issue) for issue in issues],
        **general,
    )


def _evaluator(draw: st.DrawFn, issue: Issue) -> Evaluator | None:
    match issue:
        case IntegerIssue(lower=lower, upper=upper):
            slope = draw(st.sampled_from([1, -1])) / max(1, upper - lower)
            return IntegerEvaluator(lower, slope, 0.0 if slope > 0 else 1.0)
        case RealIssue(lower=low, upper=high):
            width = high - low
            if width < 1e-6:
                return RealLinearEvaluator(0.5, 0.0)
            if draw(st.booleans()):
                return RealLinearEvaluator(-low / width, 1 / width)
            top = draw(st.floats(low, high).filter(lambda t: low < t < high))
            return RealTriangularEvaluator(low, high, top)
        case TextIssue():
            return None
        case _:
            evaluations = {
                str(issue.value_at(place)): draw(st.integers(0, 100)) for place in range(issue.size)
            }
            return DiscreteEvaluator(evaluations)


def _table(draw: st.DrawFn, general: dict[str, Any]) -> UtilitySpace:
    # One seed instead of a number a bid, which hypothesis would try to shrink one by one.
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    return TableUtilitySpace(table=rng.random(general["domain"].size), **general)


def _linear(draw: st.DrawFn, general: dict[str, Any]) -> UtilitySpace:
    """A plane that is 0 in one corner of the domain and 1 in the opposite one."""
    issues = general["domain"].issues
    signs = [draw(st.sampled_from([1, -1])) for _ in issues]
    worst = [i.lower if sign > 0 else i.upper for i, sign in zip(issues, signs, strict=True)]
    return LinearUtilitySpace(
        coefficients=signs,
        constant=-sum(sign * value for sign, value in zip(signs, worst, strict=True)),
        scale=sum(issue.upper - issue.lower for issue in issues) or 1,
        **general,
    )


@st.composite
def scenarios(draw: st.DrawFn, *, parties: int = 2, max_size: int = 3000) -> Scenario:
    """A domain with a profile for each of so many parties."""
    domain = draw(domains(max_size=max_size))
    roles = draw(st.lists(names(), min_size=parties, max_size=parties, unique=True))
    return Scenario(domain, {role: draw(profiles(domain)) for role in roles})


def deadlines() -> st.SearchStrategy[Deadline]:
    """Rounds, seconds, or both."""
    rounds, seconds = st.integers(1, 1000), st.floats(0.001, 1e6)
    return st.one_of(
        st.builds(Deadline, rounds=rounds),
        st.builds(Deadline, seconds=seconds),
        st.builds(Deadline, rounds=rounds, seconds=seconds),
    )
