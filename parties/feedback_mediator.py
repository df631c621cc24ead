"""The feedback mediator: learns from "better" and "worse" what to propose next."""

from __future__ import annotations

import math
from typing import ClassVar, TypeAlias

from genius_py.bid import Bid
from genius_py.issue import Value
from genius_py.java import hash_map_order, string_hash
from genius_py.parties.mediator import Mediator
from genius_py.party import NegotiationInfo
from genius_py.strategies.preference_graph import PreferenceGraph

__all__ = ["FeedbackMediator"]

_Change: TypeAlias = tuple[str, Value]
"""An issue and the value that it is to have."""


class FeedbackMediator(Mediator):
    """Changes one issue of its last proposal at a time and learns from the feedback.

    For each party and issue it keeps a `PreferenceGraph`. Early on it explores: values not tried
    yet, then values that some party's feedback has not compared with the present one, then those
    that improve on it for somebody and are worse for nobody, as far as is known. Later it more and
    more often takes a value for which the product of the estimated utilities is highest.
    (Aydogan, Hindriks and Jonker, "Multilateral mediated negotiation protocols with feedback",
    2014.)

    In a faithful session no value is ever found to improve on another, whatever the feedback was;
    with a deadline in seconds nothing is explored; and ties follow the order of Java's hash maps
    (Genius 10.4).
    """

    name: ClassVar[str] = "feedback_mediator"

    def init(self, info: NegotiationInfo) -> None:
        """Nothing has been proposed yet."""
        super().init(info)
        others = [seat for seat in info.seats if seat != info.agent_id]
        self._others = hash_map_order(others) if info.faithful else others
        self._graphs: dict[str, dict[str, PreferenceGraph]] = {}  # by issue, then party
        self._base: Bid | None = None  # what the last proposal was made from
        self._changed = ""

    def propose(self) -> Bid:
        """A random bid at first, then the last one with another value for one issue."""
        if self.proposed is None:
            first = self.draw_bid()
            self._graphs = {
                issue: {
                    party: PreferenceGraph.start(value, self.info.faithful)
                    for party in self._others
                }
                for issue, value in first.items()
            }
            return first
        self._learn(self.proposed)
        self._base = self.proposed
        self._changed, value = self._next_change()
        return self.domain.bid({**self._base, self._changed: value})

    def _learn(self, proposed: Bid) -> None:
        if self._base is None:
            return  # the first bid is better or worse than nothing in particular
        graphs = self._graphs[self._changed]
        old, new = self._base[self._changed], proposed[self._changed]
        for party, opinion in self.opinions.items():
            graphs[party] = graphs[party].compare(old, new, opinion)

    def _next_change(self) -> _Change:
        explore = self._eagerness()
        if explore > 0.5 or explore > self.draw_share():
            change = self._untried() or self._uncertain() or self._improving()
            if change is not None:
                return change
        return self._most_valued()

    def _eagerness(self) -> float:
        rounds = self.info.deadline.rounds
        if rounds is not None:
            return (rounds - self.info.timeline.round - 1) / rounds
        return 0.0 if self.info.faithful else 1 - self.time

    def _known(self, issue: str) -> list[Value]:
        """The values tried so far, which are the same for all parties."""
        tried = list(next(iter(self._graphs[issue].values())))
        return hash_map_order(tried, _java_hash) if self.info.faithful else tried

    def _present(self, issue: str) -> Value:
        assert self._base is not None
        return self._base[issue]

    def _untried(self) -> _Change | None:
        for issue in self.in_random_order(self.domain.issues):
            known = self._known(issue.name)
            for place in range(issue.size):
                value = issue.value_at(place)
                if value not in known:
                    return issue.name, value
        return None

    def _uncertain(self) -> _Change | None:
        for issue in self.in_random_order(self.domain.issue_names):
            present = self._present(issue)
            graphs = self._graphs[issue].values()
            for value in self._known(issue):
                if not all(graph.are_comparable(value, present) for graph in graphs):
                    return issue, value
        return None

    def _improving(self) -> _Change | None:
        for issue in self.in_random_order(self.domain.issue_names):
            for value in self.in_random_order(self._known(issue)):
                if self._improves(issue, value):
                    return issue, value
        return None

    def _most_valued(self) -> _Change:
        change: _Change = "", ""  # the domain has an issue, so this never comes out
        for issue in self.in_random_order(self.domain.issue_names):
            worth = {
                value: math.prod(graph.estimate(value) for graph in self._graphs[issue].values())
                for value in self._known(issue)
            }
            highest = max(worth.values())
            for value in self.in_random_order([v for v in worth if worth[v] == highest]):
                change = issue, value
                if self._improves(issue, value):
                    return change
        return change

    def _improves(self, issue: str, value: Value) -> bool:
        """Whether a value is better than the present one for somebody and worse for nobody."""
        if self.info.faithful:
            return False  # as Genius has it
        present, graphs = self._present(issue), self._graphs[issue].values()
        return any(graph.is_better(value, present) for graph in graphs) and not any(
            graph.is_better(present, value) for graph in graphs
        )


def _java_hash(value: Value) -> int:
    # Genius gives the values of integer issues no hash of their own.
    return string_hash(value) if isinstance(value, str) else 0
