"""Additive utility: a weighted sum of what each issue's value is worth on its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import attrs
import numpy as np

from genius_py.bid import Bid
from genius_py.domain import LISTABLE
from genius_py.errors import OptionError, OutcomeSpaceTooLarge, ProfileError
from genius_py.issue import DiscreteIssue, Issue, TextIssue, Value
from genius_py.read_only import ReadOnly
from genius_py.utility.base import UtilitySpace

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "AdditiveUtilitySpace",
    "DiscreteEvaluator",
    "Evaluator",
    "IntegerEvaluator",
    "RealConstantEvaluator",
    "RealLinearEvaluator",
    "RealTriangularEvaluator",
]


class Evaluator(ABC):
    """What the values of one issue are worth, before weighting; usually in [0, 1]."""

    @abstractmethod
    def evaluate(self, value: Value) -> float:
        """The worth of a value; `KeyError` when nothing is said about it."""

    def complaint(self, issue: Issue) -> str:
        """What is missing to evaluate every value of the issue; empty when nothing is."""
        return ""

    def listed(self, issue: Issue) -> NDArray[np.float64]:
        """The worth of each listed value of the issue, shape (issue.size,)."""
        return np.array([self.evaluate(issue.value_at(i)) for i in range(issue.size)], np.float64)


def _read_only(given: Mapping[str, float]) -> Mapping[str, float]:
    return ReadOnly(given)


@attrs.frozen
class DiscreteEvaluator(Evaluator):
    """An evaluation for each value, divided by the largest one.

    As in Genius 10.4, values that the issue does not have count for the maximum too, and when the
    maximum is below 0.00001 every value is worth 0.
    """

    evaluations: Mapping[str, float] = attrs.field(converter=_read_only, hash=False)
    _worth: dict[str, float] = attrs.field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        top = max(self.evaluations.values(), default=0.0)
        worth = {
            value: float(evaluation / top) if top >= 0.00001 else 0.0
            for value, evaluation in self.evaluations.items()
        }
        object.__setattr__(self, "_worth", worth)

    def evaluate(self, value: Value) -> float:
        """The evaluation of the value over the largest."""
        return self._worth[value]  # type: ignore[index]

    def complaint(self, issue: Issue) -> str:
        """Names the first value without an evaluation."""
        for i in range(issue.size):
            value = issue.value_at(i)
            if value not in self._worth:
                return f"the value {value!r} has no evaluation"
        return ""


class _NumberEvaluator(Evaluator):
    """What takes the values for numbers."""

    def complaint(self, issue: Issue) -> str:
        """Says so when the values are texts."""
        return "its values are no numbers" if isinstance(issue, (DiscreteIssue, TextIssue)) else ""


@attrs.frozen
class IntegerEvaluator(_NumberEvaluator):
    """``slope * (value - lower) + offset``, clipped to [0, 1].

    `lower` is the profile's own lower bound, which need not be the domain's (as in Genius).
    """

    lower: int
    slope: float = 0.0
    offset: float = 0.0

    def evaluate(self, value: Value) -> float:
        """The clipped line at the value."""
        return _clip(self.slope * (value - self.lower) + self.offset)  # type: ignore[operator]

    def listed(self, issue: Issue) -> NDArray[np.float64]:
        """The clipped line over the range, as one array."""
        values = np.arange(issue.size, dtype=np.float64) + float(issue.value_at(0))
        return np.clip(self.slope * (values - self.lower) + self.offset, 0.0, 1.0)


@attrs.frozen
class RealLinearEvaluator(_NumberEvaluator):
    """``intercept + slope * value``, clipped to [0, 1]; the value itself, not its distance."""

    intercept: float
    slope: float

    def evaluate(self, value: Value) -> float:
        """The clipped line at the value."""
        return _clip(self.slope * value + self.intercept)  # type: ignore[operator]


@attrs.frozen
class RealConstantEvaluator(Evaluator):
    """The same for every value, not clipped."""

    constant: float

    def evaluate(self, value: Value) -> float:
        """The constant."""
        return self.constant


@attrs.frozen
class RealTriangularEvaluator(_NumberEvaluator):
    """0 outside (left, right), rising to 1 at `top`, falling again."""

    left: float
    right: float
    top: float

    def evaluate(self, value: Value) -> float:
        """The height of the triangle at the value."""
        x = float(value)
        if x < self.left or x >= self.right:
            return 0.0
        if x < self.top:
            return (x - self.left) / (self.top - self.left)
        return 1.0 - (x - self.top) / (self.right - self.top)


def _clip(number: float) -> float:
    return 0.0 if number < 0 else 1.0 if number > 1 else float(number)


def _as_floats(given: Iterable[float]) -> tuple[float, ...]:
    if isinstance(given, Mapping):
        raise OptionError("Weights stand in the order of the issues; write [0.6, 0.4].")
    return tuple(map(float, given))


def _as_evaluators(
    given: Iterable[Evaluator | Mapping[str, float] | None],
) -> tuple[Evaluator | None, ...]:
    if isinstance(given, Mapping):
        raise OptionError('Evaluators stand in the order of the issues; write [{"red": 1}, ...].')
    return tuple(map(_as_evaluator, given))


def _as_evaluator(given: Evaluator | Mapping[str, float] | None) -> Evaluator | None:
    if given is None or isinstance(given, Evaluator):
        return given
    if isinstance(given, Mapping):
        return DiscreteEvaluator(given)
    raise OptionError(f"A {type(given).__name__} is no evaluator; see genius_py.utility.")


@attrs.frozen(kw_only=True)
class AdditiveUtilitySpace(UtilitySpace):
    """``min(1, sum of weight * evaluation)`` over the issues, in their order.

    `weights` and `evaluators` stand in issue order; weights are taken as they are, never
    normalised. As the evaluator of a discrete issue a mapping of values to numbers will do. One
    that is None makes the profile incomplete: it can be looked at, but asking it for a utility is
    an error. A text issue is worth nothing and needs none.

    >>> from genius_py.domain import Domain
    >>> pizza = Domain("pizza", [DiscreteIssue("topping", ["ham", "tuna"])])
    >>> ann = AdditiveUtilitySpace(domain=pizza, weights=[1], evaluators=[{"ham": 4, "tuna": 1}])
    >>> ann.utility(pizza.bid(topping="tuna"))
    0.25

    Raises:
        OptionError: there is not one weight and one evaluator an issue.
    """

    weights: tuple[float, ...] = attrs.field(converter=_as_floats)
    evaluators: tuple[Evaluator | None, ...] = attrs.field(converter=_as_evaluators)
    _parts: list[dict[Value, float]] = attrs.field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        issues = len(self.domain.issues)
        if len(self.weights) != issues or len(self.evaluators) != issues:
            raise OptionError(
                f"A profile of {self.domain.name} needs {issues} weights and evaluators, "
                f"one an issue; got {len(self.weights)} and {len(self.evaluators)}."
            )
        object.__setattr__(self, "_parts", [{} for _ in self.domain.issues])

    @property
    def complaint(self) -> str:
        """Names the first issue or value that has no worth."""
        for issue, evaluator in zip(self.domain.issues, self.evaluators, strict=True):
            if isinstance(issue, TextIssue):
                continue
            if evaluator is None:
                return f"issue {issue.name!r} has no evaluator (or no weight)"
            if missing := evaluator.complaint(issue):
                return f"issue {issue.name!r}: {missing}"
        return ""

    def part(self, position: int, value: Value) -> float:
        """What one issue (by its place) contributes: its weight times the value's evaluation.

        Raises:
            ProfileError: the profile says nothing about the value.
        """
        known = self._parts[position]
        worth = known.get(value)
        if worth is None:
            issue, evaluator = self.domain.issues[position], self.evaluators[position]
            if isinstance(issue, TextIssue):
                return 0.0
            if evaluator is None:
                raise ProfileError(
                    f"Issue {issue.name!r} has no evaluator in this profile; "
                    f"give it a weight and evaluations."
                )
            try:
                worth = self.weights[position] * evaluator.evaluate(value)
            except (KeyError, TypeError, ValueError):  # the latter two for texts taken for numbers
                raise ProfileError(
                    f"Value {value!r} of issue {issue.name!r} has no evaluation in this profile; "
                    f"add one."
                ) from None
            if len(known) < 10_000:  # real and wide integer issues must not fill the memory
                known[value] = worth
        return worth

    def factors(self) -> list[NDArray[np.float64]]:
        """For each issue, the contribution of each listed value; shapes (issue.size,).

        A bid's utility is the sum of one entry an issue, in this order, capped at 1.

        Raises:
            ProfileError: the profile is incomplete.
            OutcomeSpaceTooLarge: an issue has too many values to list.
        """
        return self.keep("factors", self._factors)

    def _factors(self) -> list[NDArray[np.float64]]:
        if self.complaint:
            raise ProfileError(f"The profile is incomplete: {self.complaint}.")
        for issue in self.domain.issues:
            if issue.size > LISTABLE:
                raise OutcomeSpaceTooLarge(
                    f"Issue {issue.name!r} has {issue.size} values, too many to list."
                )
        return [
            np.zeros(1) if evaluator is None else weight * evaluator.listed(issue)
            for issue, weight, evaluator in zip(
                self.domain.issues, self.weights, self.evaluators, strict=True
            )
        ]

    def _utility(self, bid: Bid) -> float:
        total = 0.0
        for position, value in enumerate(bid.content):
            total += self.part(position, value)
        return total if total < 1.0 else 1.0

    def _utilities(self, positions: NDArray[np.int64]) -> NDArray[np.float64]:
        if any(issue.size > LISTABLE for issue in self.domain.issues):
            return super()._utilities(positions)  # a bid at a time rather than a list of a billion
        total = np.zeros(len(positions))
        for factor, column in zip(self.factors(), positions.T, strict=True):
            total += factor[column]
        return np.minimum(total, 1.0, out=total)

    def _all_utilities(self) -> NDArray[np.float64]:
        total = np.zeros(1)
        for factor in self.factors():
            # Added in issue order, as _utility does, so that both give the same bits.
            total = (total[None, :] + factor[:, None]).reshape(-1)
        return np.minimum(total, 1.0, out=total)
