import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.errors import OptionError
from genius_py.formats import load, random_scenario, scenario_to_dict
from genius_py.scenario import Scenario
from genius_py.utility import AdditiveUtilitySpace, DiscreteEvaluator

SIZES = {"issues": 4, "values": 5}


def utilities(scenario: Scenario) -> np.ndarray:
    """All utilities, shape (n_bids, n_parties)."""
    return np.stack([space.utilities() for space in scenario.profiles.values()], axis=1)


def conflict(scenario: Scenario) -> float:
    """How far even the best bid is from being everybody's best: the opposition of Genius."""
    return float(np.sqrt(((1 - utilities(scenario)) ** 2).sum(axis=1)).min())


@given(
    issues=st.integers(1, 6),
    values=st.integers(1, 6),
    parties=st.integers(1, 5),
    opposition=st.floats(0, 1),
    seed=st.integers(0, 2**40),
)
def test_profiles_are_well_formed(
    issues: int, values: int, parties: int, opposition: float, seed: int
) -> None:
    scenario = random_scenario(
        issues=issues, values=values, parties=parties, opposition=opposition, seed=seed
    )
    assert scenario.domain.size == values**issues
    assert len(scenario.roles) == parties
    for space in scenario.profiles.values():
        assert isinstance(space, AdditiveUtilitySpace)
        assert min(space.weights) >= 0
        assert sum(space.weights) == 1.0
        for evaluator in space.evaluators:
            assert isinstance(evaluator, DiscreteEvaluator)
            worth = evaluator.evaluations.values()
            assert min(worth) >= 0
            assert max(worth) == 1.0
        assert space.utilities().max() == 1.0


def test_the_same_arguments_give_the_same_scenario() -> None:
    assert random_scenario(seed=3) == random_scenario(seed=3)
    assert random_scenario(seed=3) != random_scenario(seed=4)


def test_neither_process_nor_hash_seed_changes_a_scenario() -> None:
    program = (
        "import hashlib, json; from genius_py.formats import load, scenario_to_dict;"
        "text = json.dumps(scenario_to_dict(load('random:parties=3,seed=7')));"
        "print(hashlib.sha256(text.encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(digests) == 1


def test_numbers_are_those_of_the_day_they_were_first_drawn() -> None:
    # A golden value: published experiments name scenarios by their spec.
    scenario = load("random:issues=2,values=3,parties=2,opposition=0.6,seed=1")
    assert scenario_to_dict(scenario)["profiles"] == {
        "party1": {
            "weights": {"issue1": 0.3468313217163086, "issue2": 0.6531686782836914},
            "evaluations": {
                "issue1": {"value1": 0.650309, "value2": 0, "value3": 1},
                "issue2": {"value1": 0, "value2": 0.240668, "value3": 1},
            },
        },
        "party2": {
            "weights": {"issue1": 0.4106149673461914, "issue2": 0.5893850326538086},
            "evaluations": {
                "issue1": {"value1": 0.768681, "value2": 1, "value3": 0},
                "issue2": {"value1": 0.863419, "value2": 1, "value3": 0},
            },
        },
    }


@pytest.mark.parametrize("parties", [2, 3, 5])
@pytest.mark.parametrize("seed", range(8))
def test_more_opposition_is_more_conflict(parties: int, seed: int) -> None:
    levels = [
        conflict(random_scenario(**SIZES, parties=parties, opposition=level, seed=seed))
        for level in (0, 0.25, 0.5, 0.75, 1)
    ]
    assert levels == sorted(levels)
    assert levels[0] == 0
    assert levels[-1] > levels[2] > 0


def test_without_opposition_one_bid_is_best_for_all() -> None:
    table = utilities(random_scenario(**SIZES, parties=4, opposition=0, seed=5))
    assert (table == 1).all(axis=1).any()


def test_full_opposition_of_two_parties_is_a_zero_sum_game() -> None:
    table = utilities(random_scenario(**SIZES, opposition=1, seed=5))
    assert table.sum(axis=1) == pytest.approx(1, abs=2e-6)


def test_half_opposition_of_two_parties_is_unrelated_on_average() -> None:
    tables = (utilities(random_scenario(**SIZES, opposition=0.5, seed=seed)) for seed in range(200))
    correlations = [np.corrcoef(table.T)[0, 1] for table in tables]
    assert np.mean(correlations) == pytest.approx(0, abs=0.1)


def test_a_spec_says_everything() -> None:
    scenario = load(
        "random:issues=3, values=4,parties=3,opposition=0.6,reservation=.2,discount=.9,seed=1"
    )
    assert scenario.domain.shape == (4, 4, 4)
    assert scenario.roles == ("party1", "party2", "party3")
    space = scenario.profile("party3")
    assert (space.reservation_value, space.discount_factor) == (0.2, 0.9)
    plain = random_scenario(issues=3, values=4, parties=3, opposition=0.6, seed=1)
    assert space.utilities().tolist() == plain.profile("party3").utilities().tolist()
    assert load("random") == load("random:") == random_scenario()


def test_the_name_of_a_scenario_is_the_spec_that_makes_it_again() -> None:
    scenario = random_scenario(issues=3, values=2, parties=3, opposition=0.25, seed=9)
    assert load(scenario.name) == scenario


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("random:isues=3", "'isues=3' is not KEY=NUMBER with a key of issues, values"),
        ("random:issues", "'issues' is not KEY=NUMBER"),
        ("random:issues=many", "issues of 'random:issues=many' must be a whole number, not 'many'"),
        ("random:opposition=high", "must be a number"),
        ("random:issues=0", "needs issues >= 1, not 0"),
        ("random:values=0", "needs values >= 1"),
        ("random:parties=0", "needs parties >= 1"),
        ("random:seed=-1", "needs seed >= 0"),
        ("random:opposition=1.5", r"lies in \[0, 1\]; 1.5 does not"),
        ("random:opposition=nan", r"lies in \[0, 1\]"),
        ("random:discount=0", r"lies in \(0, 1\]"),
        ("random:reservation=nan", "a finite number; nan is not"),
        ("random:issues=3,issues=4", "gives issues twice"),
        ("random:issues=1000000", "at most 1000 issues, not 1000000"),
        ("random:values=10000000", r"at most 1,000,000 evaluations.* 5 \* 10000000 \* 2 are more"),
        ("random:parties=1000000", "at most 1,000,000 evaluations"),
    ],
)
def test_an_impossible_spec_is_refused(spec: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        load(spec)


def test_a_domain_of_any_size_is_made_without_listing_it() -> None:
    assert random_scenario(issues=40, values=10).domain.size == 10**40
