"""The four metrics: statements S0.110 to S0.117, and S0.134 as far as metrics go."""

import logging
from collections.abc import Mapping
from typing import Any

import pytest

from genius_py import registry
from genius_py.fronts.platform import (
    DeadlineSensitivityMetric,
    FeasibilityMetric,
    GameResult,
    MetricsCalculator,
    PlayerAction,
    RiskMinimizationMetric,
    UtilitySurplusMetric,
)
from genius_py.metrics.agreement_flag import AgreementFlagMetric
from genius_py.metrics.base import BaseMetric
from genius_py.metrics.deadline_sensitivity import surplus_trend
from genius_py.metrics.record import record_of_state
from tests.spec.platform_games import ACCEPT, NOOP, hours, office, play, price

SEED_STATE = {
    "game_type": "price_bargaining",
    "players": ["Player1", "Player2"],
    "agreement_reached": True,
    "final_utilities": {"Player1": 85, "Player2": 75},
    "current_round": 3,
}
SEED_HISTORY: list[dict[str, Any]] = [
    {"round": 1, "actions": {"Player1": {"type": "offer", "value": 100}}},
    {"round": 2, "actions": {"Player2": {"type": "counteroffer", "value": 90}}},
    {"round": 3, "actions": {"Player1": {"type": "accept"}}},
]
CAR = {
    "game_type": "company_car",
    "players": ["b", "s"],
    "private_info": {
        "b": {"role": "buyer", "batna": 41000},
        "s": {"role": "seller", "batna": 39000},
    },
}


def rounds(*entries: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"round": r, "actions": dict(actions)} for r, actions in enumerate(entries, start=1)]


def value(
    metric: BaseMetric, state: Mapping[str, Any], history: list[dict[str, Any]]
) -> dict[str, float]:
    return dict(metric.calculate(*record_of_state(state, history)))


def test_s0_110_surplus_is_the_score_less_the_alternative_at_the_agreement() -> None:
    state = {**SEED_STATE, "batnas_at_agreement": {"Player1": 60, "Player2": 60}}
    assert value(UtilitySurplusMetric(), state, SEED_HISTORY) == {"Player1": 25, "Player2": 15}
    poor = {**state, "batnas_at_agreement": {"Player1": 90, "Player2": 60}}
    assert value(UtilitySurplusMetric(), poor, SEED_HISTORY)["Player1"] == -5


def test_s0_110_without_alternatives_it_is_the_score_and_a_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        assert value(UtilitySurplusMetric(), SEED_STATE, SEED_HISTORY) == {
            "Player1": 85,
            "Player2": 75,
        }
    assert "Player1, Player2" in caplog.text


def test_s0_110_without_an_agreement_it_is_0() -> None:
    state = {**SEED_STATE, "agreement_reached": False}
    assert value(UtilitySurplusMetric(), state, []) == {"Player1": 0, "Player2": 0}


@pytest.mark.parametrize(
    ("offers", "share"),
    [
        ([41000, 40385], 1.0),  # the boundary is inside
        ([41001, 40386], 0.0),
        ([40000, 40384, 40386], 2 / 3),  # 41000, 40385, 39779.225: the third is too much
        ([], 0.0),
    ],
)
def test_s0_111_a_buyers_offers_are_inside_up_to_its_alternative_of_the_round(
    offers: list[float], share: float
) -> None:
    history = rounds(*({"b": price(number)} for number in offers))
    assert value(RiskMinimizationMetric(), CAR, history)["b"] == pytest.approx(share)


def test_s0_111_everybody_elses_are_inside_from_the_alternative_on() -> None:
    history = rounds({"s": price(39000)}, {"s": price(38415)}, {"s": price(37838)})
    assert value(RiskMinimizationMetric(), CAR, history) == pytest.approx({"b": 0, "s": 2 / 3})


def test_s0_111_without_private_information_it_is_0() -> None:
    assert value(RiskMinimizationMetric(), SEED_STATE, SEED_HISTORY) == {
        "Player1": 0,
        "Player2": 0,
    }


@pytest.mark.parametrize("kind", ["offer", "propose", "counter", "counteroffer", "counter-offer"])
def test_s0_111_offers_count_under_every_name(kind: str) -> None:
    history = rounds({"b": {"decision": {"type": kind, "price": 30000}}, "s": {"type": "accept"}})
    assert value(RiskMinimizationMetric(), CAR, history)["b"] == 1.0


def test_s0_111_in_the_other_games_the_own_utility_counts() -> None:
    result = play([hours(30, 10), hours(20, 23)], [hours(5, 5)], "resource_allocation")
    # 300 of 300; 298 of 295.5; then the last one again. The marketing team asks for too little.
    assert result["metrics"]["risk_minimization"] == {"b": 1.0, "s": 0.0}
    poor, rich = office(50, 2, "IT", "Minimal"), office(150, 7, "Outsourced", "Prominent")
    result = play([poor, rich, rich, rich], [poor, rich, poor], "integrative_negotiations")
    assert result["agreement_round"] == 1  # both proposed the same
    result = play([poor, rich, poor, rich], [NOOP], "integrative_negotiations")
    assert result["metrics"]["risk_minimization"] == {"b": 0.5, "s": 0.0}


def test_s0_112_logged_offers_of_a_session_that_ended_in_round_5() -> None:
    history = rounds(
        {"b": price(39167), "s": NOOP},
        {"b": price(38250), "s": price(38500)},
        {"b": price(38500), "s": price(38500)},
        {"b": NOOP, "s": price(37271)},  # the alternative is 37271.1934
        {"b": ACCEPT, "s": price(38500)},
    )
    for scale, percent in (("unit", 0.01), ("percent", 1.0)):
        metric = RiskMinimizationMetric({"scale": scale})
        assert value(metric, CAR, history) == pytest.approx(
            {"b": 100.0 * percent, "s": 75.0 * percent}, abs=1e-9
        )


def test_s0_113_the_later_definition_is_a_flag_of_agreement() -> None:
    assert value(AgreementFlagMetric(), SEED_STATE, []) == {"Player1": 1, "Player2": 1}
    percent = AgreementFlagMetric(scale="percent")
    assert value(percent, SEED_STATE, []) == {"Player1": 100, "Player2": 100}
    failed = {**SEED_STATE, "agreement_reached": False}
    assert value(percent, failed, []) == {"Player1": 0, "Player2": 0}


def test_s0_113_the_trend_of_surpluses() -> None:
    from scipy.stats import linregress

    surpluses = [500.0, 420.0, 450.0, 300.0, 310.0]
    trend = surplus_trend(surpluses)
    expected = linregress([1, 2, 3, 4, 5], surpluses)
    assert trend.slope == pytest.approx(expected.slope, abs=1e-9)
    assert trend.r_squared == pytest.approx(expected.rvalue**2, abs=1e-9)
    assert trend.p_value == pytest.approx(expected.pvalue, abs=1e-9)
    # The changes are -80, 30, -150, 10; their mean is -47.5.
    assert trend.volatility == pytest.approx((32.5**2 + 77.5**2 + 102.5**2 + 57.5**2) / 4)
    assert surplus_trend([7.0]) == surplus_trend([]) == (0, 0, 0, 1)
    assert surplus_trend([5.0, 5.0, 5.0]) == (0, 0, 0, 1)
    assert surplus_trend([1.0, 3.0]) == (2, 1, 0, 0)


@pytest.mark.parametrize(
    ("offers", "sensitivity"),
    [
        ([40000, 40500, 41500], (1000 - 0) / 1000 / 2),  # 1000, 500, 0 below 41000
        ([40000, 40500], 0.5),
        ([40000], 0.0),
        ([42000, 40000], 0.0),  # nothing to lose in the first round
        ([40500, 40000], 0.0),  # it got better
    ],
)
def test_s0_114_sensitivity_to_prices_is_the_loss_per_round(
    offers: list[float], sensitivity: float
) -> None:
    history = rounds(*({"s": price(number), "b": NOOP} for number in offers))
    found = value(DeadlineSensitivityMetric(), CAR, history)
    assert found == pytest.approx({"b": sensitivity, "s": 0.0})
    percent = value(DeadlineSensitivityMetric(scale="percent"), CAR, history)
    assert percent["b"] == pytest.approx(100 * sensitivity)


def test_s0_114_rounds_without_an_offer_offer_nothing() -> None:
    history = rounds({"s": price(40000)}, {"s": NOOP}, {"s": NOOP})
    assert value(DeadlineSensitivityMetric(), CAR, history)["b"] == pytest.approx(0.5)


def test_s0_114_in_the_other_games_it_is_how_late_the_agreement_came() -> None:
    some = [{"round": r, "actions": {"d": NOOP}} for r in (1, 3, 4)]
    state = {"players": ["d"], "agreement_reached": True, "game_type": "resource_allocation"}
    assert value(DeadlineSensitivityMetric(), state, some)["d"] == 1.0  # 3 / 2, capped
    sparse = [{"round": r, "actions": {"d": NOOP}} for r in (1, 2, 2, 3)]
    assert value(DeadlineSensitivityMetric(), state, sparse)["d"] == 1.0
    assert value(DeadlineSensitivityMetric(), state, sparse[:1])["d"] == 0.0
    failed = {**state, "agreement_reached": False}
    assert value(DeadlineSensitivityMetric(), failed, sparse)["d"] == 0.0
    integrative = {**state, "game_type": "integrative_negotiations"}
    assert value(DeadlineSensitivityMetric(scale="percent"), integrative, sparse)["d"] == 100.0


def test_s0_114_an_integrative_agreement_adds_two_points_per_round() -> None:
    # A history that skips the last but one round: (2 - 1) / (3 - 1) would be 50 points.
    state = {"players": ["d"], "agreement_reached": True, "game_type": "integrative_negotiations"}
    history = [{"round": r, "actions": {"d": NOOP}} for r in (0, 1, 2)]
    percent = value(DeadlineSensitivityMetric(scale="percent"), state, history)
    assert percent["d"] == pytest.approx(50 + 2)
    resource = {**state, "game_type": "resource_allocation"}
    assert value(DeadlineSensitivityMetric(), resource, history)["d"] == pytest.approx(0.5)


def test_s0_115_shares_are_from_0_to_1_unless_percent_are_asked_for() -> None:
    state = {**CAR, "agreement_reached": True, "agreed_price": 40000, "current_round": 1}
    for metric in (RiskMinimizationMetric, FeasibilityMetric, DeadlineSensitivityMetric):
        history = rounds({"b": price(40000), "s": price(40000)}, {"s": price(41000)})
        assert value(metric(), state, history)["b"] == 1.0
        assert value(metric(scale="percent"), state, history)["b"] == 100.0
    with pytest.raises(ValueError, match="no setting 'scaling'"):
        FeasibilityMetric(scaling="percent")


def test_s0_115_the_percent_option_goes_through_the_calculator_and_leaves_surplus_alone() -> None:
    calculator = MetricsCalculator({"scale": "percent"})
    state = {
        **CAR,
        "agreement_reached": True,
        "agreed_price": 40000,
        "final_utilities": {"b": 42000, "s": 40000},
        "batnas_at_agreement": {"b": 41000, "s": 39000},
        "current_round": 1,
    }
    found = calculator.calculate_all(state, rounds({"b": price(40000), "s": ACCEPT}))
    assert found == {
        "utility_surplus": {"b": 1000, "s": 1000},
        "risk_minimization": {"b": 100, "s": 0},
        "deadline_sensitivity": {"b": 0, "s": 0},
        "feasibility": {"b": 100, "s": 100},
    }


def test_s0_115_both_definitions_have_names_and_a_fresh_calculator_only_the_seeds() -> None:
    assert {"agreement_flag", "deadline_sensitivity"} <= set(registry.names("metric"))
    assert "agreement_flag" not in MetricsCalculator().list_metrics()


@pytest.mark.parametrize(
    ("number", "at", "feasible"),
    [
        (40385, 2, {"b": 1, "s": 1}),
        (40385.01, 2, {"b": 0, "s": 1}),
        (38414.99, 2, {"b": 1, "s": 0}),
        (38415, 2, {"b": 1, "s": 1}),
        (41000, 1, {"b": 1, "s": 1}),
    ],
)
def test_s0_116_a_price_is_feasible_up_to_the_decayed_alternative(
    number: float, at: int, feasible: dict[str, float]
) -> None:
    state = {**CAR, "agreement_reached": True, "agreed_price": number, "current_round": at}
    assert value(FeasibilityMetric(), state, []) == feasible


def test_s0_116_decay_is_the_games_own() -> None:
    result = play([NOOP, ACCEPT], [price(40385)], batna_decay=0.5)
    assert result["metrics"]["feasibility"] == {"b": 0, "s": 1}  # 20500 in round 2
    result = play([NOOP, ACCEPT], [price(40385)], batna_decay=0.0)
    assert result["metrics"]["feasibility"] == {"b": 1, "s": 1}
    for key in ("batna_decay", "batna_decay_rate"):
        for place in ({key: 0.5}, {"game_config": {key: 0.5}}):
            state = {
                **CAR,
                **place,
                "agreement_reached": True,
                "agreed_price": 20500,
                "current_round": 2,
            }
            assert value(FeasibilityMetric(), state, []) == {"b": 1, "s": 1}


def test_s0_116_utilities_decide_in_the_other_games_and_constraints_in_the_last() -> None:
    state = {
        "game_type": "integrative_negotiations",
        "agreement_reached": True,
        "current_round": 1,
        "final_utilities": {"i": 27, "m": 18.9},
        "private_info": {
            "i": {"role": "IT", "batna": 27},
            "m": {"role": "Marketing", "batna": 19},
        },
    }
    assert value(FeasibilityMetric(), state, []) == {"i": 1, "m": 0}
    broken = {**state, "constraints_met": False}
    assert value(FeasibilityMetric(), broken, []) == {"i": 0, "m": 0}
    resource = {**state, "game_type": "resource_allocation", "constraints_met": False}
    assert value(FeasibilityMetric(), resource, []) == {"i": 1, "m": 0}


def test_s0_116_no_agreement_and_unknown_games_are_not_feasible() -> None:
    state = {**CAR, "agreed_price": 40000, "current_round": 1}
    assert value(FeasibilityMetric(), {**state, "agreement_reached": False}, []) == {"b": 0, "s": 0}
    for unknown in ({"game_type": "chess"}, {"game_type": None}):
        known = {**state, **unknown, "agreement_reached": True}
        assert value(FeasibilityMetric(), known, []) == {"b": 0, "s": 0}


def test_s0_117_decay_by_role_is_heeded() -> None:
    decay = {"batna_decay": {"buyer": 0.5, "seller": 0.0}}
    state = {
        **CAR,
        **decay,
        "agreement_reached": True,
        "agreed_price": 30000,
        "current_round": 2,
    }
    assert value(FeasibilityMetric(), state, []) == {"b": 0, "s": 0}  # 20500 and 39000
    history = rounds({}, {"b": price(20500), "s": price(39000)})
    assert value(RiskMinimizationMetric(), state, history) == {"b": 1, "s": 1}


def test_s0_117_every_metric_describes_itself() -> None:
    for name, metric in registry.names("metric").items():
        description = metric().get_description()
        assert isinstance(description, str), name
        assert len(description) > 20, name
        assert metric().get_name() == name


def test_s0_134_a_state_may_lack_game_type_and_players() -> None:
    state = {"agreement_reached": True, "final_utilities": {"Player1": 85, "Player2": 75}}
    found = MetricsCalculator().calculate_all(state, SEED_HISTORY)
    assert found["utility_surplus"] == {"Player1": 85, "Player2": 75}
    assert set(found["feasibility"]) == {"Player1", "Player2"}


def test_s0_134_a_value_is_a_price_and_one_player_may_act_in_a_round() -> None:
    history = rounds({"b": {"type": "offer", "value": 40000}}, {"s": {"type": "offer", "value": 1}})
    assert value(RiskMinimizationMetric(), CAR, history) == {"b": 1, "s": 0}


def test_19_cents_are_not_forgiven_but_float_noise_is() -> None:
    batna = 39000 * 0.985**3
    for number, share in ((37271, 0), (batna * (1 - 1e-12), 1)):
        history = [{"round": 4, "actions": {"s": price(number)}}]
        assert value(RiskMinimizationMetric(), CAR, history)["s"] == share


def test_an_action_of_the_records_is_enough() -> None:
    result = GameResult("g", ["b"], game_data=CAR)
    action = PlayerAction("b", "offer", {"price": 41000}, 0.0, 1)
    assert RiskMinimizationMetric().calculate(result, [action]) == {"b": 1}
