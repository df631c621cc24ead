"""What a protocol may look at, and what passes between loop and driver."""

from collections.abc import Iterator

import numpy as np
import pytest

from genius_py.action import EndNegotiation, Forfeit, NoAction
from genius_py.allowed import Allowed
from genius_py.deadline import Deadline, Timeline
from genius_py.domain import Domain
from genius_py.fault import Fault
from genius_py.issue import IntegerIssue
from genius_py.plan import SeatPlan, SessionPlan
from genius_py.session import Reply, Round, Seat, Session, Turn, seats_of
from genius_py.testing.scenarios import one_bid_scenario

SALE = Domain("sale", [IntegerIssue("price", 1, 9)])
ANN, BOB = Seat("ann", "seller"), Seat("bob")


def session(seed: int = 0) -> Session:
    deadline = Deadline(rounds=3)
    return Session(SALE, deadline, Timeline(deadline, lambda: 0.0), seed=seed)


def test_before_the_first_round_everything_is_zero() -> None:
    # Spec 3: roundNumber is 0 while the protocol builds the first round.
    new = session()
    assert (new.round_number, new.turn_number) == (0, 0)
    assert new.most_recent_round is None
    assert new.most_recent_action is None
    assert not new.is_over


def test_the_most_recent_action_is_that_of_the_current_round_alone() -> None:
    # Spec 3: null at the start of each round.
    table = session()
    table.rounds.append(Round())
    table.rounds[-1].actions += [NoAction("ann"), Forfeit("bob")]
    assert (table.round_number, table.turn_number) == (1, 2)
    assert table.most_recent_action == Forfeit("bob")
    table.rounds.append(Round())
    assert table.most_recent_action is None
    assert table.most_recent_round is table.rounds[1]
    assert (table.round_number, table.turn_number) == (2, 0)


def test_the_rules_chance_is_the_sessions_own() -> None:
    before = str(np.random.get_state())
    drawn = [session(seed).rng.integers(10**9) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    table = session(1)
    assert table.rng is table.rng
    assert str(np.random.get_state()) == before


def test_a_round_is_walked_turn_by_turn_even_when_it_is_lazy() -> None:
    turn = Turn(ANN, Allowed(EndNegotiation))
    drawn = []

    def lazily() -> Iterator[Turn]:
        drawn.append("ann")
        yield turn
        drawn.append("bob")
        yield turn

    walk = iter(Round(lazily()))
    assert drawn == []
    assert next(walk) is turn
    assert drawn == ["ann"]


def test_seats_are_compared_by_identity() -> None:
    assert Seat("ann") != Seat("ann")
    assert str(ANN) == "ann"
    assert len({ANN, BOB, Seat("ann")}) == 3


def test_a_turn_tells_why_it_is_asked_again() -> None:
    turn = Turn(ANN, Allowed(EndNegotiation))
    assert turn.refusal == ""
    assert Turn(ANN, turn.allowed.refused("said nothing")).refusal == "said nothing"


def test_notes_are_copied_so_that_nobody_changes_them_later() -> None:
    notes = {"plan": "wait"}
    reply = Reply(EndNegotiation("ann"), notes=notes)
    notes["plan"] = "lie"
    assert reply.notes == {"plan": "wait"}
    with pytest.raises(ValueError, match="dictionary"):
        Reply(EndNegotiation("ann"), notes="wait")  # type: ignore[arg-type]


def test_a_fault_reads_like_a_sentence() -> None:
    assert str(Fault("ann", "said nothing", round=3)) == "Round 3: ann said nothing"
    # How far a delivery came is the driver's affair.
    assert Fault("ann", "x", delivered=1) == Fault("ann", "x", delivered=2)


def test_a_session_is_set_up_as_its_plan_says() -> None:
    scenario = one_bid_scenario(2)
    seats = [SeatPlan("mediator", "", "x", True), *(SeatPlan(r, r, "x") for r in scenario.roles)]
    plan = SessionPlan(
        "SAOP", scenario, seats, Deadline(rounds=4), 7, retries=2, on_fault="forfeit"
    )
    timeline = Timeline(plan.deadline, lambda: 0.0)
    table = Session.of(plan, timeline)
    assert (table.domain, table.deadline, table.timeline) == (
        scenario.domain,
        plan.deadline,
        timeline,
    )
    assert (table.retries, table.on_fault, table.faithful) == (2, "forfeit", False)
    assert table.profiles == scenario.profiles
    assert table.rng.integers(10**9) == np.random.default_rng(plan.stream(1)).integers(10**9)
    places = [(seat.id, seat.role, seat.is_mediator) for seat in seats_of(plan)]
    assert places == [("mediator", "", True), ("ann", "ann", False), ("bob", "bob", False)]
