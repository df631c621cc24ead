"""The plan of a session: everything that decides how it will go."""

import attrs
import numpy as np
import pytest

from genius_py.deadline import Deadline
from genius_py.errors import OptionError, UnknownName
from genius_py.plan import SeatPlan, SessionPlan
from genius_py.testing.scenarios import discrete_scenario

SCENARIO = discrete_scenario(2)
MEDIATOR = SeatPlan("mediator", "", "random_flipping_mediator", True)
ANN, BOB = SeatPlan("ann", "ann", "boulware"), SeatPlan("bob", "bob", "conceder")
PLAN = SessionPlan("SAOP", SCENARIO, [ANN, BOB], Deadline(rounds=3))


def test_a_seat_prints_as_who_sits_there() -> None:
    assert (str(ANN), str(MEDIATOR)) == ("ann: boulware", "mediator: random_flipping_mediator")


def test_a_plan_is_a_value() -> None:
    assert SessionPlan("SAOP", SCENARIO, (ANN, BOB), Deadline(rounds=3)) == PLAN
    assert attrs.evolve(PLAN, seed=1) != PLAN


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": -1}, "from 0 on, not -1"),
        ({"seed": 1.5}, "from 0 on, not 1.5"),
        ({"seed": True}, "from 0 on, not True"),
        ({"retries": -1}, "must be 0 or more, not -1"),
        ({"retries": True}, "must be 0 or more, not True"),
        ({"on_fault": "cry"}, "'fail' or 'forfeit', not 'cry'"),
        ({"seats": [ANN, ANN]}, "same id: ann, ann"),
    ],
)
def test_impossible_settings_are_refused(change: dict[str, object], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        attrs.evolve(PLAN, **change)  # type: ignore[arg-type]


def test_mediators_are_seats_but_no_parties() -> None:
    plan = attrs.evolve(PLAN, seats=[MEDIATOR, ANN, BOB])
    assert plan.seats == (MEDIATOR, ANN, BOB)
    assert plan.parties == (ANN, BOB)
    # Genius lends a mediator the first profile.
    assert plan.profile(MEDIATOR) is plan.profile(ANN) is SCENARIO.profile("ann")


def test_a_role_that_is_not_there_is_unknown() -> None:
    with pytest.raises(UnknownName, match="has no role 'zoe'; it has ann, bob"):
        PLAN.profile(SeatPlan("zoe", "zoe", "boulware"))


def draws(plan: SessionPlan, purpose: int) -> list[int]:
    return list(np.random.default_rng(plan.stream(purpose)).integers(10**9, size=5))


def test_each_purpose_has_a_random_stream_of_its_own() -> None:
    # C123: another party's draws change nothing for anybody else.
    streams = [draws(PLAN, purpose) for purpose in range(4)]
    assert all(a != b for a in streams for b in streams if a is not b)
    other = attrs.evolve(PLAN, seats=[SeatPlan("ann", "ann", "random"), BOB], protocol="AMOP")
    assert [draws(other, purpose) for purpose in range(4)] == streams
    assert draws(attrs.evolve(PLAN, seed=1), 0) != streams[0]


def test_the_streams_of_a_seed_are_always_the_same() -> None:
    # numpy's SeedSequence(0, spawn_key=(purpose,)); a change would change every session.
    assert [int(PLAN.stream(purpose).generate_state(1)[0]) for purpose in range(3)] == [
        3757552657,
        673228719,
        3241444873,
    ]
