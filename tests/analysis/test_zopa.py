"""The zone of possible agreement."""

from itertools import product

import pytest

from genius_py.analysis.zopa import zopa


def test_outcomes_at_the_reservation_values_are_in_it_unless_strict() -> None:
    points = [(0.4, 0.6), (0.5, 0.5), (0.6, 0.4)]
    assert zopa(points, (0.5, 0.4)).tolist() == [1, 2]
    assert zopa(points, (0.5, 0.4), strict=True).tolist() == []
    assert zopa(points, (0.45, 0.4), strict=True).tolist() == [1]


def test_it_may_be_empty() -> None:
    assert zopa([(0.4, 0.3), (0.9, 0.05)], (0.5, 0.5)).tolist() == []


def test_float_noise_excludes_nobody() -> None:
    assert 0.1 + 0.7 < 0.8
    assert zopa([(0.1 + 0.7, 0.5)], (0.8, 0.0)).tolist() == [0]
    assert zopa([(0.1 + 0.2, 0.5)], (0.3, 0.0), strict=True).tolist() == []
    assert zopa([(0.8 - 1e-6, 0.5)], (0.8, 0.0)).tolist() == []


def test_a_negative_reservation_value_makes_all_rational() -> None:
    assert zopa([(-0.5, 0.1), (0.0, 0.0)], (-1.0, -1.0)).tolist() == [0, 1]


def test_the_integrative_game_has_56_outcomes_that_meet_both_batnas() -> None:
    # Points 10, 30, 60 on four issues; BATNAs 27 and 19. 53 outcomes exceed both.
    points = [
        (
            0.4 * room + 0.1 * access + 0.3 * cleaning + 0.2 * branding,
            0.1 * room + 0.4 * access + 0.2 * cleaning + 0.3 * branding,
        )
        for room, access, cleaning, branding in product((10, 30, 60), repeat=4)
    ]
    assert len(points) == 81
    assert len(zopa(points, (27, 19))) == 56
    assert len(zopa(points, (27, 19), strict=True)) == 53
    assert max(points) == pytest.approx((60, 60))
