"""Figures of spec S0.80 to S0.82, in points: a utility of 1 is 60 points."""

import numpy as np
import pytest
import yaml

from genius_py.formats import bundled_path, load
from genius_py.scenario import Scenario

SHIPPED = load("integrative_negotiations")
TRADEOFF = load("integrative_negotiations_tradeoff")


def points(scenario: Scenario) -> np.ndarray:
    return np.stack([space.utilities() for space in scenario.profiles.values()], axis=1) * 60


def worth(scenario: Scenario, *values: str) -> tuple[float, ...]:
    bid = scenario.domain.bid(dict(zip(scenario.domain.issue_names, values, strict=True)))
    return tuple(round(space.utility(bid) * 60, 9) for space in scenario.profiles.values())


@pytest.mark.parametrize("scenario", [SHIPPED, TRADEOFF])
def test_the_alternatives_are_worth_27_and_19_points(scenario: Scenario) -> None:
    values = [space.reservation_value * 60 for space in scenario.profiles.values()]
    assert values == pytest.approx([27, 19])


def test_outcomes_have_the_points_of_the_game() -> None:
    assert worth(SHIPPED, "150", "2", "Shared", "Minimal") == (36, 19)
    assert worth(SHIPPED, "100", "4", "Shared", "Moderate") == (30, 30)
    assert worth(SHIPPED, "150", "7", "Outsourced", "Prominent") == (60, 60)


def test_as_shipped_56_of_81_outcomes_meet_both_alternatives() -> None:
    reservations = [space.reservation_value * 60 for space in SHIPPED.profiles.values()]
    table = points(SHIPPED)
    assert len(table) == 81
    assert np.count_nonzero((table >= reservations).all(axis=1)) == 56
    assert np.count_nonzero((table > np.array([27, 19]) + 1e-9).all(axis=1)) == 53


def test_as_shipped_one_outcome_dominates_all() -> None:
    table = points(SHIPPED)
    assert np.count_nonzero((table >= table.max(axis=0)).all(axis=1)) == 1


def test_with_a_real_conflict_trading_beats_meeting_half_way() -> None:
    assert worth(TRADEOFF, "150", "7", "Outsourced", "Prominent") == (45, 45)
    assert worth(TRADEOFF, "100", "4", "Shared", "Moderate") == (30, 30)
    assert worth(TRADEOFF, "150", "2", "Outsourced", "Minimal") == (60, 10)


def test_the_variant_is_about_the_same_issues() -> None:
    assert TRADEOFF.domain == SHIPPED.domain


@pytest.mark.parametrize("scenario", [SHIPPED, TRADEOFF])
def test_the_figures_of_the_game_in_rounds_lie_beside_the_scenario(scenario: Scenario) -> None:
    game = yaml.safe_load((bundled_path(scenario.name) / "game.yaml").read_text("utf-8"))
    assert (game["it_batna"], game["marketing_batna"], game["rounds"]) == (27, 19, 5)
    for issue in scenario.domain.issues:
        options = [str(option) for option in game["issues"][issue.name]]
        assert options == [issue.value_at(i) for i in range(issue.size)]
