"""How good an outcome is among all bids of its domain."""

import math
from collections.abc import Mapping

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py import formats
from genius_py.analysis.of_outcome import OutcomeSpace, analyze_outcome, analyze_profiles
from genius_py.domain import Domain
from genius_py.errors import OptionError
from genius_py.issue import DiscreteIssue, TextIssue
from genius_py.log import Reason
from genius_py.manager import run
from genius_py.outcome import Outcome
from genius_py.scenario import Scenario
from genius_py.utility import (
    AdditiveUtilitySpace,
    CallableUtilitySpace,
    TableUtilitySpace,
    UtilitySpace,
)

PIE = Domain("pie", [DiscreteIssue("share", ["a", "b", "c", "d"])])
# Three efficient bids, and one (d) that b beats for both.
POINTS = {"ann": (1.0, 0.6, 0.1, 0.4), "bob": (0.0, 0.7, 1.0, 0.5)}


def profiles(
    points: Mapping[str, tuple[float, ...]] = POINTS, reservation: float = 0.0
) -> dict[str, UtilitySpace]:
    return {
        party: TableUtilitySpace(domain=PIE, table=list(worth), reservation_value=reservation)
        for party, worth in points.items()
    }


def space(reservation: float = 0.0) -> OutcomeSpace:
    made = OutcomeSpace.of(profiles(reservation=reservation))
    assert made is not None
    return made


def test_the_nash_bid_is_at_no_distance_from_itself() -> None:
    analysis = space().analyze({"ann": 0.6, "bob": 0.7})
    assert analysis is not None
    assert analysis.pareto_optimal
    assert analysis.distance_to_pareto == 0
    assert analysis.distance_to_nash == 0
    assert analysis.nash_bid == PIE.bid(share="b")
    assert analysis.nash_utilities == {"ann": 0.6, "bob": 0.7}
    assert analysis.social_welfare == analysis.max_social_welfare == pytest.approx(1.3)
    assert analysis.nash_product == analysis.max_nash_product == pytest.approx(0.42)
    assert analysis.pareto_size == 3
    assert analysis.surplus_shares == pytest.approx({"ann": 0.6 / 1.3, "bob": 0.7 / 1.3})
    assert (analysis.complete, analysis.error, analysis.examined) == (True, 0.0, 4)


def test_distances_of_a_bid_that_another_one_beats() -> None:
    analysis = space().analyze({"ann": 0.4, "bob": 0.5})
    assert analysis is not None
    assert not analysis.pareto_optimal
    assert analysis.distance_to_pareto == pytest.approx(math.hypot(0.2, 0.2))
    assert analysis.distance_to_nash == pytest.approx(math.hypot(0.2, 0.2))


def test_no_agreement_is_the_point_of_the_reservation_values() -> None:
    analysis = space(reservation=0.5).analyze({"ann": 0.5, "bob": 0.5})
    assert analysis is not None
    assert not analysis.pareto_optimal
    assert analysis.nash_product == 0
    assert analysis.max_nash_product == pytest.approx(0.1 * 0.2)
    assert analysis.distance_to_nash == pytest.approx(math.hypot(0.1, 0.2))
    assert analysis.surplus_shares is None


def test_no_agreement_is_optimal_when_no_bid_is_worth_having() -> None:
    analysis = space(reservation=0.9).analyze({"ann": 0.9, "bob": 0.9})
    assert analysis is not None
    assert analysis.pareto_optimal
    assert analysis.distance_to_pareto == 0
    assert analysis.nash_bid is None
    assert analysis.distance_to_nash is None
    assert analysis.nash_utilities is None
    assert analysis.max_nash_product == 0


def test_what_cannot_be_listed_has_no_space() -> None:
    free = Domain("free", [TextIssue("scope")])
    of_text = CallableUtilitySpace(domain=free, function=lambda bid: len(str(bid["scope"])))
    assert OutcomeSpace.of({"ann": of_text}) is None
    assert OutcomeSpace.of({}) is None
    assert OutcomeSpace.of(profiles({"ann": (1.0, math.nan, 0.0, 0.0)})) is None
    assert OutcomeSpace.of(profiles(reservation=-math.inf)) is None


def test_why_there_is_no_space_can_be_asked() -> None:
    nowhere = Domain("nowhere", [DiscreteIssue("share", [])])
    nothing: UtilitySpace = TableUtilitySpace(domain=nowhere, table=[])
    assert OutcomeSpace.of({"ann": nothing}) is None
    with pytest.raises(OptionError, match="'nowhere' has no bid"):
        OutcomeSpace.require({"ann": nothing})
    with pytest.raises(OptionError, match="no profiles"):
        OutcomeSpace.require({})
    with pytest.raises(OptionError, match="finite reservation values"):
        OutcomeSpace.require(profiles(reservation=-math.inf))


def test_a_profile_that_is_silent_on_a_bid_has_no_space() -> None:
    silent = AdditiveUtilitySpace(domain=PIE, weights=[1.0], evaluators=[None])
    assert OutcomeSpace.of({"ann": silent}) is None


def test_what_is_not_a_number_is_not_analysed() -> None:
    assert space().analyze({"ann": math.inf, "bob": 0.5}) is None


# Quarters, so that no difference is as small as float noise.
worth = st.tuples(*[st.integers(0, 4).map(lambda quarters: quarters / 4)] * 4)


@given(ann=worth, bob=worth, chosen=st.integers(0, 3))
def test_a_bid_is_optimal_exactly_when_its_point_is_on_the_frontier(
    ann: tuple[float, ...], bob: tuple[float, ...], chosen: int
) -> None:
    made = OutcomeSpace.of(profiles({"ann": ann, "bob": bob}))
    assert made is not None
    analysis = made.analyze({"ann": ann[chosen], "bob": bob[chosen]})
    assert analysis is not None
    is_on_frontier = bool((made.frontier == (ann[chosen], bob[chosen])).all(axis=1).any())
    assert analysis.pareto_optimal == is_on_frontier == (analysis.distance_to_pareto == 0)
    assert analysis.social_welfare <= analysis.max_social_welfare
    assert analysis.nash_product <= analysis.max_nash_product


LARGE = formats.load("random:issues=40,values=10,parties=2,opposition=0.5,seed=3")


def test_ten_to_the_forty_bids_are_analysed_exactly() -> None:
    made = OutcomeSpace.of(LARGE.profiles)
    assert made is not None
    nash = made.bid_of("nash")
    assert nash is not None
    got = {party: profile.utility(nash) for party, profile in LARGE.profiles.items()}
    analysis = made.analyze(got)
    assert analysis is not None
    assert analysis.complete
    assert analysis.pareto_optimal
    assert analysis.distance_to_nash == 0
    assert analysis.nash_utilities == got
    for row in (0, len(made.frontier) - 1):
        worth = [profile.utility(made.bid_at(row)) for profile in LARGE.profiles.values()]
        assert worth == made.frontier[row].tolist()


def test_what_cannot_be_listed_has_a_cloud_of_random_bids() -> None:
    made = OutcomeSpace.of(LARGE.profiles)
    assert made is not None
    cloud = made.cloud(np.random.default_rng(1), 300)
    assert cloud.shape == (300, 2)
    assert made.cloud(np.random.default_rng(1), 300).tolist() == cloud.tolist()
    listed = space()
    assert listed.cloud(np.random.default_rng(1), 2).tolist() == [
        list(pair) for pair in zip(POINTS["ann"], POINTS["bob"], strict=True)
    ]


def of_functions() -> OutcomeSpace:
    """Ten to the twelve bids whose worth only a function knows: the share of "a" and of "b"."""
    domain = Domain("f", [DiscreteIssue(f"i{n}", "abcdefghij") for n in range(12)])
    profiles: dict[str, UtilitySpace] = {
        party: CallableUtilitySpace(
            domain=domain,
            function=lambda bid, wanted=wanted: sum(v == wanted for v in bid.content) / 12,  # type: ignore[misc]
        )
        for party, wanted in (("ann", "a"), ("bob", "b"))
    }
    made = OutcomeSpace.of(profiles)
    assert made is not None
    return made


def test_of_a_sample_nobody_knows_whether_what_it_does_not_beat_is_optimal() -> None:
    made = of_functions()
    agreed = made.analyze({"ann": 1.0, "bob": 0.0})
    assert agreed is not None
    assert (agreed.complete, agreed.error, agreed.examined) == (False, math.inf, 10_000)
    assert agreed.pareto_optimal is None
    beaten = made.analyze({"ann": 0.0, "bob": 0.0})
    assert beaten is not None
    assert beaten.pareto_optimal is False
    assert beaten.distance_to_pareto > 0


def test_an_agreement_better_than_the_sample_is_the_best_that_is_known() -> None:
    analysis = of_functions().analyze({"ann": 0.9, "bob": 0.9})
    assert analysis is not None
    assert analysis.max_social_welfare == analysis.social_welfare
    assert analysis.max_nash_product == analysis.nash_product


def test_profiles_are_analysed_once_but_for_a_chance_that_is_handed_in() -> None:
    spaces = tuple(profiles().values())
    assert analyze_profiles(spaces)[0] is analyze_profiles(spaces)[0]
    assert analyze_profiles(spaces[::-1])[0] is not analyze_profiles(spaces)[0]
    again = analyze_profiles(spaces, rng=np.random.default_rng(1))[0]
    assert again is not analyze_profiles(spaces)[0]
    assert again.frontier.points.tolist() == analyze_profiles(spaces)[0].frontier.points.tolist()


def session(*scripts: str, protocol: str = "SAOP", faithful: bool = False) -> Outcome:
    """A session about the pie, discounted to a half, in which the parties follow scripts."""
    mine = {
        party: attrs.evolve(profile, discount_factor=0.25, reservation_value=0.2)
        for party, profile in profiles().items()
    }
    return run(
        protocol,
        Scenario(PIE, mine),
        parties=[f"scripted:script={script}" for script in scripts],
        deadline=1,
        faithful=faithful,
    )


def test_a_session_is_compared_by_what_the_parties_got_undiscounted() -> None:
    analysis = analyze_outcome(session("Offer 3", "Accept last"))
    assert analysis is not None
    assert analysis.social_welfare == pytest.approx(0.9)
    assert analysis.distance_to_nash == pytest.approx(math.hypot(0.2, 0.2))
    assert analysis.surplus_shares == pytest.approx({"ann": 0.4, "bob": 0.6})


def test_a_faithful_session_is_compared_discounted_and_without_agreement_with_nothing() -> None:
    # At the end of the only round, time is 1 / 2 and half of everything is left.
    agreed = analyze_outcome(session("Offer 3", "Accept last", faithful=True))
    assert agreed is not None
    assert agreed.social_welfare == pytest.approx(0.45)
    assert agreed.max_social_welfare == pytest.approx(0.65)
    assert agreed.distance_to_pareto == pytest.approx(math.hypot(0.1, 0.1))
    assert agreed.pareto_optimal is False
    # The reservation values stay undiscounted: (0.3 - 0.2) * (0.35 - 0.2).
    assert agreed.max_nash_product == pytest.approx(0.015)
    assert agreed.nash_utilities == pytest.approx({"ann": 0.3, "bob": 0.35})
    assert agreed.surplus_shares == pytest.approx({"ann": 0.4, "bob": 0.6})
    nothing = analyze_outcome(session("Offer 0", "Offer 2", faithful=True))
    assert nothing is not None
    assert nothing.social_welfare == 0
    assert nothing.distance_to_nash == pytest.approx(math.hypot(0.3, 0.35))


def test_a_mediator_is_a_party_more_in_a_faithful_session_only() -> None:
    def welfare(faithful: bool) -> float:
        game = Scenario(PIE, profiles())
        outcome = run(
            "simple_mediator", game, parties=["random", "random"], deadline=20, faithful=faithful
        )
        assert outcome.agreement is not None
        analysis = analyze_outcome(outcome)
        assert analysis is not None
        assert analysis.nash_utilities is None or len(analysis.nash_utilities) == 2
        first = next(iter(outcome.utilities.values()))
        return analysis.social_welfare - sum(outcome.utilities.values()) - faithful * first

    assert welfare(faithful=False) == pytest.approx(0)
    assert welfare(faithful=True) == pytest.approx(0)


def test_what_the_rules_pay_is_not_compared_with_the_profiles() -> None:
    assert analyze_outcome(run("sealed_bid_auction", "ad_slot", deadline=2)) is None


def test_what_a_faithful_session_cannot_be_compared_with_is_not() -> None:
    free = Domain("free", [TextIssue("scope"), DiscreteIssue("share", ["a"])])
    of_text: UtilitySpace = CallableUtilitySpace(domain=free, function=lambda bid: 1.0)
    silent: UtilitySpace = AdditiveUtilitySpace(domain=PIE, weights=[1.0], evaluators=[None])
    endless: UtilitySpace = attrs.evolve(profiles()["ann"], reservation_value=-math.inf)
    for space_of_all in (of_text, silent, endless):
        scenario = Scenario(space_of_all.domain, {"ann": space_of_all, "bob": space_of_all})
        for faithful in (False, True):
            outcome = run(
                "SAOP",
                scenario,
                parties=["scripted:script=EndNegotiation"] * 2,
                deadline=1,
                faithful=faithful,
            )
            assert analyze_outcome(outcome) is None


@pytest.mark.parametrize("faithful", [False, True])
def test_a_session_that_failed_is_not_judged(faithful: bool) -> None:
    parties = ["scripted:script=Accept last", "linear"]
    outcome = run("SAOP", "company_car", parties=parties, deadline=1, faithful=faithful)
    assert outcome.reason is Reason.FAULT
    assert outcome.utilities == outcome.reservation_values
    assert analyze_outcome(outcome) is None
