"""A trader whose demands shrink with time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.errors import OptionError
from genius_py.manager import run
from genius_py.parties.trader import Trader
from genius_py.protocols.trade_actions import Propose
from genius_py.testing import check_party
from tests.parties.trading import asked, seated, sells


def prices(party: Trader, turns: int, limit: float = 20) -> list[float]:
    seated(party, sells(limit), negotiation=turns)
    proposals = [asked(party) for _ in range(turns)]
    return [action.price for action in proposals if isinstance(action, Propose)]


@pytest.mark.parametrize(
    ("e", "expected"),
    [
        (1, [80, 60, 40, 20]),
        (2, [60, 43.44, 30.72, 20]),  # 100 - 80 * t ** (1/2), rounded up to cents
        (0.5, [95, 80, 55, 20]),
        (0, [100, 100, 100, 100]),
    ],
)
def test_it_concedes_along_the_curve_to_its_reservation_price(
    e: float, expected: list[float]
) -> None:
    assert prices(Trader(e), 4) == pytest.approx(expected)


def test_a_first_concession_is_made_at_once() -> None:
    assert prices(Trader(0, k=0.25), 2) == [80, 80]


@given(e=st.floats(0, 10), k=st.floats(0, 1), limit=st.floats(0, 100), turns=st.integers(1, 12))
def test_it_never_takes_back_a_concession_nor_goes_below_its_limit(
    e: float, k: float, limit: float, turns: int
) -> None:
    made = prices(Trader(e, k), turns, limit)
    assert made == sorted(made, reverse=True)
    assert min(made) >= limit - 1e-9


@pytest.mark.parametrize("option", [{"e": -1}, {"e": float("nan")}, {"k": 2}, {"k": -0.1}])
def test_an_impossible_option_is_refused(option: dict[str, float]) -> None:
    with pytest.raises(OptionError, match=r"concession"):
        Trader(**option)  # type: ignore[arg-type]


def test_whoever_concedes_more_slowly_gets_the_better_price() -> None:
    tough = run("bilateral_trade", "web_shop", parties=["trader", "trader:e=0.2"])
    soft = run("bilateral_trade", "web_shop", parties=["trader", "trader:e=3"])
    assert tough.utilities["seller"] > soft.utilities["seller"]


@pytest.mark.parametrize(
    ("protocol", "domain"),
    [
        ("bilateral_trade", "translation_job"),
        ("bilateral_trade:sealed_proposals=true", "translation_job"),
        ("bilateral_trade:negotiate_turn_order=random", "translation_job"),
        ("bilateral_trade:mode=price_only", "web_shop"),
        ("bilateral_trade:mode=price_only,proposers=both", "web_shop"),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_traders_agree_where_there_is_a_price_for_both(
    protocol: str, domain: str, seed: int
) -> None:
    outcome = run(protocol, domain, seed=seed)
    assert outcome.detail == "trade_completed"
    gains = [u - outcome.reservation_values[party] for party, u in outcome.utilities.items() if u]
    assert min(gains) >= 0


def test_one_that_disputes_pays_half_at_most() -> None:
    spec = "bilateral_trade:task_value=9,dispute_resolution=split"
    outcome = run(spec, "translation_job", parties=["trader:disputes=true", "trader"])
    assert outcome.detail == "delivery_disputed_split"
    assert outcome.agreement is not None
    assert outcome.utilities["lingua"] == outcome.agreement["price"] / 2  # type: ignore[operator]


def test_it_keeps_the_contract() -> None:
    check_party("trader", isolated=False)
