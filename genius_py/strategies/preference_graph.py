"""What feedback tells about one party's preferences among the values of one issue.

Aydogan, Hindriks & Jonker (2014), "Multilateral mediated negotiation protocols with feedback"; the
levels and the estimate made of them are those of Genius's feedback mediator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Self

import attrs

from genius_py.action import Feedback
from genius_py.issue import Value

__all__ = ["PreferenceGraph"]

_STEP = {Feedback.BETTER: 1, Feedback.SAME: 0, Feedback.WORSE: -1}


@attrs.frozen(eq=False)
class PreferenceGraph:
    """A partial order of the values seen so far, as a fold over feedback, and a level for each.

    The order holds what follows from the feedback. The levels are a guess that agrees with it, as
    long as the feedback does not contradict itself, and the estimated worth of a value depends on
    its level alone. Iterates over the values in the order in which they were seen.

    With `faithful`, levels move as in Genius, where now and then a better value ends up level with
    a worse one or below it.

    >>> graph = PreferenceGraph.start("red").compare("red", "blue", Feedback.BETTER)
    >>> graph.is_better("blue", "red"), graph.estimate("blue"), graph.estimate("red")
    (True, 1.0, 0.5)
    """

    levels: Mapping[Value, int]
    order: frozenset[tuple[Value, Value]]
    """Each pair (a, b) such that a is at least as good as b; reflexive and transitive."""
    faithful: bool = False

    @classmethod
    def start(cls, value: Value, faithful: bool = False) -> Self:
        """Before any feedback, with one value."""
        return cls({value: 1}, frozenset({(value, value)}), faithful)

    def compare(self, old: Value, new: Value, feedback: Feedback) -> Self:
        """The graph after feedback on going from `old`, which is known, to `new`.

        Feedback on a value that stayed the same teaches nothing.
        """
        if old == new:
            return self
        levels = dict(self.levels)
        order = self.order | {(new, new)}
        is_new = new not in levels
        if is_new:
            levels[new] = levels[old] + _STEP[feedback]
        better, worse = (old, new) if feedback is Feedback.WORSE else (new, old)
        if feedback is Feedback.SAME:
            better, worse = sorted((old, new), key=levels.__getitem__)
        rise = levels[worse] - levels[better] + (feedback is not Feedback.SAME)
        if not is_new and rise > 0:
            # What is at least as good as the better one goes up with it. Genius also takes along
            # what is below it, which can lift that past something better.
            goes_along = self.are_comparable if self.faithful else self.is_at_least
            for value in self.levels:
                if goes_along(value, better) and not self.is_at_least(worse, value):
                    levels[value] += rise
        order = _closed(order, better, worse)
        if feedback is Feedback.SAME:
            order = _closed(order, worse, better)
        return attrs.evolve(self, levels=levels, order=order)

    def is_at_least(self, a: Value, b: Value) -> bool:
        """Whether `a` is known to be at least as good as `b`."""
        return (a, b) in self.order

    def is_better(self, a: Value, b: Value) -> bool:
        """Whether `a` is known to be better than `b`."""
        return self.is_at_least(a, b) and not self.is_at_least(b, a)

    def are_comparable(self, a: Value, b: Value) -> bool:
        """Whether it is known which of the two is at least as good as the other."""
        return self.is_at_least(a, b) or self.is_at_least(b, a)

    def estimate(self, value: Value) -> float:
        """How good a value is, in (0, 1]: its level, relative to the highest one."""
        lowest, highest = min(self.levels.values()), max(self.levels.values())
        return (self.levels[value] - lowest + 1) / (highest - lowest + 1)

    def __contains__(self, value: object) -> bool:
        return value in self.levels

    def __iter__(self) -> Iterator[Value]:
        return iter(self.levels)


def _closed(
    order: frozenset[tuple[Value, Value]], better: Value, worse: Value
) -> frozenset[tuple[Value, Value]]:
    """The order with ``better >= worse`` and all that follows from it."""
    above = [a for a, b in order if b == better]
    below = [b for a, b in order if a == worse]
    return order | {(a, b) for a in above for b in below}
