"""What the strategies promise: small, sound values of every kind."""

import numpy as np
import pytest
from hypothesis import find, given
from hypothesis import strategies as st

from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue, TextIssue
from genius_py.scenario import Scenario
from genius_py.testing.strategies import bids, domains, issues, profiles, scenarios
from genius_py.utility import (
    AdditiveUtilitySpace,
    LinearUtilitySpace,
    TableUtilitySpace,
    UtilitySpace,
)


@given(issues())
def test_an_issue_has_few_values(issue: Issue) -> None:
    assert 1 <= issue.size <= 21


@pytest.mark.parametrize("kind", [DiscreteIssue, IntegerIssue, RealIssue, TextIssue])
def test_every_kind_of_issue_comes_up(kind: type[Issue]) -> None:
    find(issues(texts=True), lambda issue: isinstance(issue, kind))


@given(domains(max_size=100))
def test_a_domain_keeps_to_its_size(domain: Domain) -> None:
    assert 1 <= domain.size <= 100


@given(st.data())
def test_a_bid_is_of_its_domain(data: st.DataObject) -> None:
    domain = data.draw(domains(texts=True))
    bid = data.draw(bids(domain))
    assert isinstance(bid, Bid)
    assert domain.bid(dict(bid)) == bid


def test_a_real_value_may_lie_between_the_listed_points() -> None:
    domain = Domain("price", [RealIssue("price", 0, 1)])
    grid = set(domain.bids())
    assert find(bids(domain), lambda bid: bid not in grid) in domain


@given(profiles())
def test_a_profile_is_complete_and_worth_0_to_1(profile: UtilitySpace) -> None:
    assert profile.complaint == ""
    utilities = profile.utilities()
    assert np.all(utilities >= -1e-9)
    assert np.all(utilities <= 1 + 1e-9)


@pytest.mark.parametrize("kind", [AdditiveUtilitySpace, TableUtilitySpace, LinearUtilitySpace])
def test_every_kind_of_profile_comes_up(kind: type[UtilitySpace]) -> None:
    find(profiles(), lambda profile: isinstance(profile, kind))


@given(scenarios(parties=3, max_size=50))
def test_a_scenario_has_a_profile_for_each_party(scenario: Scenario) -> None:
    assert len(scenario.profiles) == 3
