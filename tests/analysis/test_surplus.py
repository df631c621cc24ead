"""Shares of the surplus."""

import pytest

from genius_py.analysis.surplus import surplus_shares


def test_shares_add_up_to_one() -> None:
    shares = surplus_shares((680, 650, 310), (300, 270, 300))
    assert shares is not None
    assert shares.sum() == pytest.approx(1.0)
    assert shares.tolist() == pytest.approx([380 / 770, 380 / 770, 10 / 770])


def test_who_would_have_been_better_off_without_has_a_negative_share() -> None:
    assert surplus_shares((0.9, 0.4), (0.5, 0.5)) == pytest.approx((4 / 3, -1 / 3))


def test_nothing_gained_is_not_shared() -> None:
    assert surplus_shares((0.5, 0.5), (0.5, 0.5)) is None
    assert surplus_shares((0.2, 0.5), (0.5, 0.5)) is None
