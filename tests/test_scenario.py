"""Scenarios: a domain with one profile for each role."""

import pytest

from genius_py.deadline import Deadline
from genius_py.domain import Domain
from genius_py.errors import DomainError, UnknownName
from genius_py.scenario import Scenario
from genius_py.testing.scenarios import discrete_scenario, one_bid_scenario

LUNCH = discrete_scenario(2)


def test_roles_stand_in_the_order_of_their_profiles() -> None:
    assert LUNCH.roles == ("ann", "bob")
    assert Scenario(LUNCH.domain, {role: LUNCH.profile(role) for role in ("bob", "ann")}).roles == (
        "bob",
        "ann",
    )


def test_a_role_that_is_not_there_is_unknown() -> None:
    assert LUNCH.profile("ann") is LUNCH.profiles["ann"]
    with pytest.raises(UnknownName, match="'discrete' has no role 'zoe'; it has ann, bob"):
        LUNCH.profile("zoe")


def test_a_profile_of_another_domain_is_refused() -> None:
    with pytest.raises(
        DomainError, match="Profile 'ann' is of domain 'one bid', not of 'discrete'"
    ):
        Scenario(LUNCH.domain, one_bid_scenario(1).profiles)


def test_a_profile_of_an_equal_domain_is_welcome() -> None:
    again = Domain("another name", LUNCH.domain.issues)
    assert Scenario(again, LUNCH.profiles).profiles == LUNCH.profiles


def test_scenarios_are_equal_wherever_they_were_read_from() -> None:
    one, other = (Scenario(LUNCH.domain, LUNCH.profiles, source=place) for place in "ab")
    assert one == other
    assert one != Scenario(LUNCH.domain, LUNCH.profiles, deadline=Deadline(rounds=3))


def test_the_profiles_cannot_be_changed_from_outside() -> None:
    profiles = dict(LUNCH.profiles)
    scenario = Scenario(LUNCH.domain, profiles)
    profiles.clear()
    assert scenario.roles == ("ann", "bob")


def test_a_scenario_prints_its_domain_and_roles() -> None:
    assert str(LUNCH) == "discrete (3 issues, 24 bids) for ann, bob"
    assert LUNCH.name == "discrete"
