"""What is promised of every domain that comes with genius-py, and of the set as a whole."""

import numpy as np
import pytest

import genius_py as gp
from genius_py import registry
from genius_py.formats import bundled_names, load
from genius_py.issue import IntegerIssue, RealIssue
from genius_py.protocol import MultilateralProtocol
from genius_py.scenario import Scenario
from genius_py.utility import (
    AdditiveUtilitySpace,
    DiscreteEvaluator,
    HyperRectangleUtilitySpace,
)

SHARED_INTERESTS = {"integrative_negotiations"}
"""The one domain whose parties want the same, as its description says."""

ALL = {name: load(name) for name in bundled_names()}

every = pytest.mark.parametrize("name", ALL)


def seats_bidding_parties(scenario: Scenario) -> bool:
    """Whether its protocol is played with bids and votes, and not a game with rules of its own."""
    rules = registry.class_of("protocol", scenario.protocol or "SAOP")
    return bool(rules.default_parties == MultilateralProtocol.default_parties)


NEGOTIATED = [name for name, scenario in ALL.items() if seats_bidding_parties(scenario)]

negotiated = pytest.mark.parametrize("name", NEGOTIATED)
games = pytest.mark.parametrize("name", [name for name in ALL if name not in NEGOTIATED])


def utilities(scenario: Scenario) -> np.ndarray:
    """All utilities, shape (n_bids, n_parties)."""
    return np.stack([space.utilities() for space in scenario.profiles.values()], axis=1)


def reservations(scenario: Scenario) -> np.ndarray:
    return np.array([space.reservation_value for space in scenario.profiles.values()])


@every
def test_it_says_what_it_is_about(name: str) -> None:
    assert len(ALL[name].description) > 100
    assert ALL[name].deadline is not None


@negotiated
def test_utilities_reach_one_and_stay_in_the_unit_interval(name: str) -> None:
    table = utilities(ALL[name])
    assert table.max(axis=0) == pytest.approx(1)
    assert table.min() >= 0


@negotiated
def test_there_is_something_to_gain_and_something_to_refuse(name: str) -> None:
    is_rational = (utilities(ALL[name]) >= reservations(ALL[name])).all(axis=1)
    assert 0.1 < is_rational.mean() < 0.8


@negotiated
def test_interests_are_opposed_but_for_the_one_that_says_so(name: str) -> None:
    best_for_all = (utilities(ALL[name]) > 1 - 1e-9).all(axis=1).any()
    assert best_for_all == (name in SHARED_INTERESTS)


@every
def test_weights_sum_to_one_and_every_issue_has_a_best_and_a_worst_value(name: str) -> None:
    for space in ALL[name].profiles.values():
        if not isinstance(space, AdditiveUtilitySpace):
            continue
        assert sum(space.weights) == pytest.approx(1)
        for weight, evaluator in zip(space.weights, space.evaluators, strict=True):
            if weight and isinstance(evaluator, DiscreteEvaluator):
                worth = evaluator.evaluations.values()
                assert min(worth) < max(worth)


@negotiated
@pytest.mark.parametrize("other", ["boulware", "conceder"])
def test_time_dependent_parties_agree_before_the_default_deadline(name: str, other: str) -> None:
    count = len(ALL[name].roles)
    parties = [("boulware", other)[seat % 2] for seat in range(count)]
    outcome = gp.run("SAOP", name, parties=parties, seed=1)
    assert outcome.agreement is not None
    for role, space in ALL[name].profiles.items():
        assert outcome.utilities[role] >= space.reservation_value


@games
def test_a_game_is_played_by_its_own_bots_and_replays(name: str) -> None:
    outcome = gp.run(str(ALL[name].protocol), name, seed=1)
    assert outcome.faults == ()
    assert outcome.agreement is not None
    assert gp.replay(outcome).log == outcome.log


def test_every_protocol_with_domains_of_its_own_has_one_here() -> None:
    named = {registry.Spec.parse(str(ALL[name].protocol)).target for name in ALL}
    special = {
        name
        for name, rules in registry.names("protocol").items()
        if rules.default_parties != MultilateralProtocol.default_parties
    }
    assert special <= {registry.find("protocol", name).name for name in named}


def test_the_set_has_what_a_tournament_needs() -> None:
    parties = [len(scenario.roles) for scenario in ALL.values()]
    assert {2, 3, 5} <= set(parties)
    assert any(0.5e5 <= scenario.domain.size <= 2e5 for scenario in ALL.values())
    spaces = [space for scenario in ALL.values() for space in scenario.profiles.values()]
    assert any(isinstance(space, HyperRectangleUtilitySpace) for space in spaces)
    assert any(space.discount_factor < 1 for space in spaces)
    kinds = [{type(issue) for issue in scenario.domain.issues} for scenario in ALL.values()]
    assert {IntegerIssue, RealIssue} in kinds
