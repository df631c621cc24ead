"""Figures of spec S0.70 to S0.78, in points: a utility of 1 is 750 points."""

import numpy as np
import pytest
import yaml

from genius_py.formats import bundled_path, load

SCENARIO = load("resource_allocation")
TABLE = np.stack([space.utilities() for space in SCENARIO.profiles.values()], axis=1) * 750


def points(gpu: int, cpu: int) -> tuple[float, float]:
    bid = SCENARIO.domain.bid(gpu_hours=gpu, cpu_hours=cpu)
    development, marketing = (space.utility(bid) * 750 for space in SCENARIO.profiles.values())
    return round(development, 9), round(marketing, 9)


@pytest.mark.parametrize(
    ("plan", "expected"),
    [((30, 25), (390, 380)), ((90, 5), (750, 580)), ((5, 90), (580, 750)), ((55, 40), (680, 650))],
)
def test_a_plan_has_the_points_of_the_game(
    plan: tuple[int, int], expected: tuple[float, float]
) -> None:
    assert points(*plan) == expected


def test_what_the_network_cannot_carry_is_worth_nothing() -> None:
    assert points(48, 48) == (0, 0)
    assert np.count_nonzero(TABLE[:, 0]) == 3741


def test_a_fair_share_of_the_plans_beats_both_alternatives() -> None:
    gains = TABLE - [300, 270]
    assert np.count_nonzero((gains > -1e-9).all(axis=1)) == 3141


def test_the_nash_product_is_largest_at_55_and_40() -> None:
    gains = np.maximum(TABLE - [300, 270], 0).prod(axis=1)
    best = SCENARIO.domain.bid_at(int(gains.argmax()))
    assert dict(best) == {"gpu_hours": 55, "cpu_hours": 40}
    assert gains.max() == pytest.approx(144400)


def test_the_figures_of_the_game_in_rounds_lie_beside_the_scenario() -> None:
    game = yaml.safe_load((bundled_path("resource_allocation") / "game.yaml").read_text("utf-8"))
    assert (game["development_batna"], game["marketing_batna"]) == (300, 270)
    assert (game["total_resources"], game["gpu_bandwidth"]) == (100, 380)
