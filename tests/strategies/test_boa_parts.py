import math

import numpy as np
import pytest

from genius_py.errors import OptionError, StrategyError
from genius_py.strategies.boa_parts import (
    ACCEPTANCE,
    BROKEN_ACCEPTANCE,
    CHOICE,
    MODEL,
    OFFERING,
    Situation,
    part,
)


def accepts(
    spec: str,
    offered: float = math.nan,
    planned: float = math.nan,
    previous: float = math.nan,
    discount: float = 1.0,
) -> bool:
    """Whether a condition holds at t = 0.9, after four bids have been heard."""
    heard, heard_at = np.array([0.2, 0.6, 0.4, 0.3]), np.array([0.1, 0.7, 0.85, 0.9])
    situation = Situation(
        0.9,
        offered=offered,
        planned=planned,
        previous=previous,
        discount=discount,
        heard=heard,
        heard_at=heard_at,
    )
    return bool(part("acceptance", spec, ACCEPTANCE)(situation))


@pytest.mark.parametrize(
    ("spec", "bound"),
    [
        ("next", 0.5),  # planned
        ("next(a=1.25, b=0.1)", 0.32),
        ("previous", 0.7),
        ("gap(c=0.05)", 0.65),
        ("abmp", 0.65),
        ("combi_v4(a=2, b=0, c=1, d=0, e=0.5)", 0.25),
        ("combi_v3(a=0.5, b=0.1, c=0.9, t=0.95)", 0.35),
        ("combi_v3(a=1, b=0, c=0.25, t=0.8)", 0.25 + 1e-9),
        ("combi_v2(a=1, b=0, c=0.5, d=0.3, t=0.95)", 0.3 + 1e-9),
        ("combi_max_in_window(t=0.8)", 0.4),  # heard at a time in (0.8, 0.9]: 0.4 and 0.3
        ("combi_max(t=0.8)", 0.4),
        ("combi_avg(t=0.8)", 0.35),
        ("combi_max(t=0.95)", 0.5),
    ],
)
def test_a_condition_holds_from_a_utility_on(spec: str, bound: float) -> None:
    for offered, expected in ((bound - 1e-6, False), (bound + 1e-6, True)):
        assert accepts(spec, offered=offered, planned=0.5, previous=0.7) is expected


def test_conditions_that_look_at_the_clock_alone() -> None:
    assert accepts("time(t=0.8)")
    assert not accepts("time")
    assert accepts("combi(t=0.8)", offered=0.0, planned=0.5)
    assert accepts("always")
    assert not accepts("never")


@pytest.mark.parametrize("spec", ["next", "previous", "gap", "abmp"])
def test_nothing_is_accepted_on_grounds_of_a_bid_that_does_not_exist(spec: str) -> None:
    assert not accepts(spec, offered=1.0)


def test_a_strong_discount_changes_the_terms() -> None:
    spec = "combi_v4(a=2, b=0, c=1, d=0, e=0.5)"
    assert accepts(spec, offered=0.3, planned=0.5, discount=0.6)
    assert not accepts(spec, offered=0.3, planned=0.5, discount=0.5)


@pytest.mark.parametrize(
    "name", ["combi", "combi_avg", "combi_best_avg", "combi_max", "combi_prob"]
)
def test_the_conditions_that_genius_cannot_use_say_so(name: str) -> None:
    condition = part("acceptance", f"{name}(a=1, b=0, c=0.5, t=0.9)", BROKEN_ACCEPTANCE)
    with pytest.raises(StrategyError, match="leave search='genius' out"):
        condition(Situation(t=0.5))
    assert part("acceptance", "next", BROKEN_ACCEPTANCE)(Situation(0.5, offered=1, planned=0))


@pytest.mark.parametrize(
    ("spec", "target"),
    [
        ("time_dependent(e=1)", 0.6),
        ("time_dependent(e=0.5)", 0.2 + 0.8 * (1 - 0.5**2)),
        ("time_dependent(e=0)", 1.0),
        ("time_dependent(e=1, k=0.5)", 0.2 + 0.8 * 0.25),
        ("time_dependent(e=1, min=0.5, max=0.9)", 0.7),
        ("shifted_time_dependent(e=1)", 0.2 + 0.8 * (1 - 0.3 / 0.8)),
    ],
)
def test_a_bidding_strategy_asks_for_a_utility(spec: str, target: float) -> None:
    now = Situation(t=0.5, opened=0.2, minimum=0.2, maximum=1.0)
    assert part("offering", spec, OFFERING)(now) == pytest.approx(target)


def test_a_choice_among_bids_follows_their_values() -> None:
    values, rng = np.array([0.1, 0.9, 0.3, 0.8]), np.random.default_rng(0)
    assert part("choice", "best", CHOICE)(values, rng) == 1
    assert part("choice", "first", CHOICE)(values, rng) == 0
    chosen = {part("choice", "best_n(n=2)", CHOICE)(values, rng) for _ in range(40)}
    assert chosen == {1, 3}
    chosen = {part("choice", "nice", CHOICE)(values, rng) for _ in range(60)}
    assert chosen == {1, 2, 3}


def test_a_model_that_knows_nothing_leaves_it_to_chance() -> None:
    rng = np.random.default_rng(0)
    assert len({part("choice", "best", CHOICE)(np.zeros(4), rng) for _ in range(60)}) == 4


def test_models_are_made_for_the_issues_numbers_of_values() -> None:
    assert part("model", "none", MODEL) is None
    for spec in ("hard_headed", "hard_headed(l=0.3)", "smith", "scalable_bayesian"):
        made = part("model", spec, MODEL)((3, 2))
        assert made.utilities(np.array([[0, 0], [2, 1]])).shape == (2,)


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("nxt", "There is no acceptance 'nxt'; there is abmp, always"),
        ("next(x=1)", "next takes numbers for these parameters: a, b"),
        ("next(a=)", "next takes numbers"),
        ("next(a=b)", "next takes numbers"),
        ("next(1)", "next takes numbers"),
        ("combi_v3(a=1)", "combi_v3 takes numbers for these parameters: a, b, c, t"),
        ("always(c=1)", "these parameters: none"),
        ("next(a=1", "There is no acceptance"),
    ],
)
def test_a_part_that_does_not_exist_is_refused(spec: str, complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint.replace("(", r"\(")):
        part("acceptance", spec, ACCEPTANCE)


def test_a_part_may_be_a_function() -> None:
    assert part("offering", math.fsum, OFFERING) is math.fsum
