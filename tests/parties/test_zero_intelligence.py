"""A trader without any strategy."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from genius_py.manager import run
from genius_py.parties.zero_intelligence import ZeroIntelligence
from genius_py.protocols.trade_actions import Propose
from genius_py.testing import check_party
from tests.parties.trading import asked, buys, seated, sells


def prices(limit: float, turns: int = 200) -> list[float]:
    party = seated(ZeroIntelligence(), sells(limit))
    proposals = [asked(party) for _ in range(turns)]
    return [action.price for action in proposals if isinstance(action, Propose)]


def test_every_price_that_its_reservation_allows_is_as_likely() -> None:
    drawn = np.array(prices(20, 2000))
    assert drawn.min() >= 20
    assert drawn.max() <= 100
    counts, _ = np.histogram(drawn, bins=4, range=(20, 100))
    assert counts.min() > 420  # 500 each, with a standard deviation of 19


def test_the_same_seed_draws_the_same_prices() -> None:
    assert prices(20) == prices(20)


@given(limit=st.floats(0, 99))
def test_it_never_trades_at_a_loss(limit: float) -> None:
    assert min(prices(limit, 5)) >= limit - 1e-9
    party = seated(ZeroIntelligence(), buys(limit))
    party.receive_message("you", Propose("you", "all", price=limit + 0.01))
    assert isinstance(asked(party), Propose)


def test_two_of_them_agree_within_a_hundred_rounds() -> None:
    spec = "bilateral_trade:mode=price_only"
    parties = ["zero_intelligence", "ZI-C"]
    outcomes = [
        run(spec, "web_shop", parties=parties, seed=seed, deadline=100) for seed in range(5)
    ]
    assert all(outcome.detail == "trade_completed" for outcome in outcomes)
    assert len({outcome.agreement for outcome in outcomes}) > 1


def test_it_keeps_the_contract() -> None:
    check_party("zero_intelligence", isolated=False)
