"""Parties that change what they are given: nobody else notices, and no result does."""

import copy
import pickle
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from genius_py.action import Accept, Action, Offer
from genius_py.allowed import Allowed
from genius_py.deadline import Deadline, Timeline
from genius_py.domain import Domain
from genius_py.issue import DiscreteIssue, IntegerIssue
from genius_py.manager import run
from genius_py.outcome import Outcome
from genius_py.party import NegotiationParty
from genius_py.scenario import Scenario
from genius_py.testing.scenarios import discrete_scenario
from genius_py.trace import dump_log, parse_log, replay
from genius_py.utility import (
    Aggregate,
    ConstraintUtilitySpace,
    DiscreteEvaluator,
    HyperRectangle,
    HyperRectangleUtilitySpace,
)

Meddling = Callable[[Any], object]


def outcome_of(meddle: Meddling) -> Outcome:
    """Bob meddles at each of his turns, which he survives whatever comes of it."""

    class Meddler(NegotiationParty):
        def choose_action(self, allowed: Allowed) -> Action:
            with suppress(AttributeError, TypeError, ValueError):
                meddle(self)
            if Accept in allowed and len(self.info.history) > 9:
                return Accept(self.id, self.info.history[-1].action.bid)  # type: ignore[union-attr]
            return Offer(self.id, self.domain.bid_at(3))

    return run("SAOP", discrete_scenario(), parties=["boulware", Meddler], deadline=6, seed=1)


def _write_time(party: NegotiationParty) -> None:
    party.info.timeline.time = 0.0


def _write_round(party: NegotiationParty) -> None:
    party.info.timeline.round = 1


def _evaluations(party: NegotiationParty) -> Any:
    return party.utility_space.evaluators[0].evaluations  # type: ignore[attr-defined]


MEDDLING: dict[str, Meddling] = {
    "sets the time back": _write_time,
    "sets the round back": _write_round,
    "moves the clock": lambda party: party.info.timeline.reached(1),
    "wants another value": lambda party: _evaluations(party).update(red=99.0),
    "wants nothing any more": lambda party: _evaluations(party).clear(),
    "forgets a value": lambda party: _evaluations(party).pop("red"),
    "raises its reservation value": lambda party: setattr(
        party.utility_space, "reservation_value", 9.0
    ),
    "writes into the table of utilities": lambda party: party.utility_space.utilities().fill(1.0),
    "rewrites history": lambda party: setattr(party.info.history[0], "time", 0.9),
    "rewrites an action": lambda party: setattr(party.info.history[-1].action, "party", "bob"),
    "rewrites a bid": lambda party: setattr(
        party.info.history[-1].action.bid,
        "content",
        ("red", "S", "two"),
    ),
}


@pytest.mark.parametrize("meddle", [pytest.param(m, id=name) for name, m in MEDDLING.items()])
def test_a_session_goes_as_if_nobody_had_meddled(meddle: Meddling) -> None:
    # C72.
    expected, outcome = outcome_of(lambda party: None), outcome_of(meddle)
    assert outcome.log == expected.log
    assert outcome.plan == expected.plan
    assert outcome.discounted_utilities == expected.discounted_utilities
    lines = list(dump_log(outcome))
    assert lines == list(dump_log(expected))
    assert replay(parse_log(lines)) == outcome


def test_what_one_party_does_to_its_clock_another_does_not_see() -> None:
    seen: list[tuple[int, float]] = []

    class Meddler(NegotiationParty):
        def choose_action(self, allowed: Allowed) -> Action:
            self.info.timeline.show(4, 0.9)
            return Offer(self.id, self.domain.bid_at(0))

    class Witness(NegotiationParty):
        def choose_action(self, allowed: Allowed) -> Action:
            seen.append((self.info.timeline.round, self.time))
            return Offer(self.id, self.domain.bid_at(0))

    run("SAOP", discrete_scenario(), parties=[Meddler, Witness], deadline=4, seed=1)
    assert seen == [(round_number, round_number / 5) for round_number in (1, 2, 3, 4)]


@pytest.mark.parametrize("seconds", [(1.0, 3.0, 2.0, 9.0), (0.0, -5.0, 4.0, 4.0)])
def test_progress_does_not_run_back_with_its_clock(seconds: tuple[float, ...]) -> None:
    clock = iter(seconds)
    timeline = Timeline(Deadline(seconds=8), lambda: next(clock))
    seen = []
    for _ in seconds:
        timeline.reached(1)
        seen.append(timeline.time)
    assert seen == sorted(seen)
    assert all(0 <= time <= 1 for time in seen)


COLOUR = Domain("colour", [DiscreteIssue("colour", ("red", "blue"))])
PRICE = Domain("price", [IntegerIssue("price", 0, 9)])
RED = DiscreteEvaluator({"red": 1.0, "blue": 0.0})
RANKED = ConstraintUtilitySpace(
    domain=COLOUR, ranks={"colour": {"red": 1, "blue": 2}}, constraints=[]
)
BOX = HyperRectangle(1.0, {"price": (0, 4)})
BOXED = HyperRectangleUtilitySpace(domain=PRICE, aggregate=Aggregate("sum", [BOX]), max_utility=1.0)


@pytest.mark.parametrize(
    "mapping",
    [
        RED.evaluations,
        RANKED.ranks,
        RANKED.ranks["colour"],
        BOX.bounds,
        Scenario(COLOUR, {"ann": RANKED}).profiles,
    ],
)
def test_mappings_of_frozen_values_are_frozen(mapping: Any) -> None:
    before, key = dict(mapping), next(iter(mapping))
    changes: tuple[Callable[[], object], ...] = (
        lambda: mapping.update({key: None}),
        lambda: mapping.pop(key),
        lambda: mapping.clear(),
        lambda: mapping.popitem(),
        lambda: mapping.setdefault("new", None),
        lambda: mapping.__setitem__(key, None),
        lambda: mapping.__delitem__(key),
        lambda: mapping.__ior__({key: None}),
    )
    for change in changes:
        with pytest.raises(TypeError, match="cannot be changed"):
            change()
    assert mapping == before
    for made in (copy.copy(mapping), copy.deepcopy(mapping), pickle.loads(pickle.dumps(mapping))):
        assert made == before
        with pytest.raises(TypeError):
            made.clear()
    assert {**mapping} == before


def test_a_profile_is_the_same_after_a_copy_and_a_trip() -> None:
    for space in (RANKED, BOXED):
        assert copy.deepcopy(space) == pickle.loads(pickle.dumps(space)) == space
