"""Faults that users of other negotiation software met, where no test of a part shows the whole."""

from collections.abc import Mapping
from functools import partial

import attrs
import numpy as np
import pytest

from genius_py.action import Accept, Offer
from genius_py.analysis.of_outcome import OutcomeSpace
from genius_py.domain import Domain
from genius_py.issue import IntegerIssue, RealIssue
from genius_py.log import Kind
from genius_py.manager import SessionManager
from genius_py.outcome import Outcome
from genius_py.party import NegotiationParty
from genius_py.scenario import Scenario
from genius_py.seating import plan_session
from genius_py.testing import ScriptedParty
from genius_py.testing.scenarios import discrete_scenario
from genius_py.tournament import Tournament

SCENARIO = discrete_scenario()
X, Y, Z = (SCENARIO.domain.bid_at(index) for index in range(3))


def played(parties: Mapping[str, NegotiationParty], scenario: Scenario = SCENARIO) -> Outcome:
    plan, _ = plan_session("SAOP", scenario, deadline=5)
    return SessionManager(
        plan, {seat: partial(_same, party) for seat, party in parties.items()}
    ).run()


def _same(party: NegotiationParty) -> NegotiationParty:
    return party


def with_reservation(value: float) -> Scenario:
    profiles = {
        role: attrs.evolve(space, reservation_value=value, discount_factor=1.0)
        for role, space in SCENARIO.profiles.items()
    }
    return attrs.evolve(SCENARIO, profiles=profiles)


def test_no_deal_is_worth_the_negative_reservation_value_in_result_and_analysis_alike() -> None:
    # C15: a range check refused such values, or clamped them in one of the two places.
    scenario = with_reservation(-0.25)
    stubborn = {"ann": ScriptedParty(Offer("ann", X)), "bob": ScriptedParty(Offer("bob", Y))}
    outcome = played(stubborn, scenario)
    assert outcome.agreement is None
    assert outcome.utilities == outcome.discounted_utilities == {"ann": -0.25, "bob": -0.25}
    space = OutcomeSpace.of(scenario.profiles)
    assert space is not None
    assert space.analysis.reservation.tolist() == [-0.25, -0.25]
    # Every outcome is individually rational, so that all of the frontier is.
    assert all(
        profile.utilities().min() >= profile.reservation_value
        for profile in scenario.profiles.values()
    )
    assert space.analysis.has_zopa


@pytest.mark.parametrize("time", [0.0, 0.5, 1.0])
def test_a_negative_value_is_not_raised_by_the_discount_beyond_zero(time: float) -> None:
    # C15: what is lost by waiting never turns a loss into a gain.
    space = attrs.evolve(SCENARIO.profile("ann"), reservation_value=-0.25, discount_factor=0.5)
    assert -0.25 <= space.discounted(space.reservation_value, time) < 0


def test_both_ends_of_a_negotiation_know_the_same_messages_of_both() -> None:
    # C38: each end had its own id, so that each log held one direction only.
    parties = {
        "ann": ScriptedParty(Offer("ann", X), Offer("ann", Y), Accept("ann", Z)),
        "bob": ScriptedParty(Offer("bob", Z)),
    }
    outcome = played(parties)
    assert outcome.agreement == Z
    seen = [
        [event for event in outcome.log.seen_by(party) if event.kind == Kind.ACTION]
        for party in parties
    ]
    assert seen[0] == seen[1]
    assert {event.party for event in seen[0]} == {"ann", "bob"}


def test_what_shrinks_with_each_round_shrinks_by_rounds_and_not_by_turns() -> None:
    # C39: with a factor of 0.9, a deal in round 3 keeps 0.9 ** 2, whoever made the offer.
    parties: dict[str, NegotiationParty] = {
        "ann": ScriptedParty(Offer("ann", X)),
        "bob": ScriptedParty(Offer("bob", Y), Offer("bob", Y), Accept("bob", X)),
    }
    outcome = played(parties)
    assert outcome.agreement == X
    assert (outcome.rounds, outcome.turns) == (3, 6)


def test_a_limit_that_nobody_asked_for_ends_nothing() -> None:
    # C44: a limit of the whole was taken for one of each session.
    tournament = Tournament(parties=["boulware", "conceder"], domains=["company_car"])
    assert tournament.party_timeout is None
    plan, _ = plan_session("SAOP", "company_car")
    assert plan.deadline.seconds is None


def test_a_range_of_one_value_gives_that_value() -> None:
    # C55: sampling in [.5, .5] failed.
    domain = Domain("point", [RealIssue("share", 0.5, 0.5), IntegerIssue("pieces", 3, 3)])
    bid = domain.random_bid(np.random.default_rng(0))
    assert (bid["share"], bid["pieces"]) == (0.5, 3)
    assert domain.bid(share=0.5, pieces=3).index == 0


def test_what_a_large_domain_remembers_has_an_end() -> None:
    # C113: a cache of bids that only grows fills the memory of a long tournament.
    small, large = (Domain("d", [IntegerIssue("n", 0, top)]) for top in (999, 999_999))
    assert small.bid_at(5) is small.bid_at(5)
    assert large.bid_at(5) is not large.bid_at(5)
