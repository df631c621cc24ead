"""Additive profiles as arrays."""

import numpy as np
import pytest

from genius_py.analysis.additive import AdditiveFactors
from genius_py.errors import InvalidBid, OptionError, OutcomeSpaceTooLarge, ProfileError

LAPTOP = AdditiveFactors(
    [
        [(0.1, 0.5), (0.3, 0.25), (0.4, 0.0)],
        [(0.6, 0.1), (0.0, 0.5)],
    ]
)


def test_bids_are_listed_with_the_first_issue_fastest() -> None:
    assert LAPTOP.sizes == (3, 2)
    assert LAPTOP.n_outcomes == 6
    bids = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]
    assert LAPTOP.listed().tolist() == LAPTOP.points(bids).tolist()
    assert LAPTOP.listed()[3].tolist() == [0.1, 1.0]


def test_contributions_are_added_in_issue_order() -> None:
    # 0.1 + 0.2 + 0.3 is another float than 0.3 + 0.2 + 0.1.
    factors = AdditiveFactors([[0.1], [0.2], [0.3]])
    assert factors.points([(0, 0, 0)])[0, 0] == 0.1 + 0.2 + 0.3
    assert factors.listed()[0, 0] == 0.1 + 0.2 + 0.3
    assert factors.highest[0] == 0.1 + 0.2 + 0.3


def test_utilities_are_capped_at_1_unless_told_otherwise() -> None:
    contributions = [[0.7, 0.1], [0.7, 0.1]]
    assert AdditiveFactors(contributions).listed().max() == 1.0
    assert AdditiveFactors(contributions).highest.tolist() == [1.0]
    assert AdditiveFactors(contributions, cap=None).listed().max() == 1.4


def test_the_best_and_the_worst_utilities_are_those_of_the_listed_bids() -> None:
    assert LAPTOP.highest.tolist() == LAPTOP.listed().max(axis=0).tolist()
    assert LAPTOP.lowest.tolist() == LAPTOP.listed().min(axis=0).tolist()


def test_one_party_alone_has_its_own_column() -> None:
    assert LAPTOP.of_party(1).listed()[:, 0].tolist() == LAPTOP.listed()[:, 1].tolist()


def test_a_huge_space_has_an_exact_size_and_is_never_listed() -> None:
    factors = AdditiveFactors([np.zeros((10, 2))] * 40)
    assert factors.n_outcomes == 10**40
    with pytest.raises(OutcomeSpaceTooLarge, match="more than the 10000000"):
        factors.listed()


@pytest.mark.parametrize("bid", [(0, 2), (-1, 0), (3, 0)])
def test_a_value_that_its_issue_does_not_have_is_refused(bid: tuple[int, int]) -> None:
    with pytest.raises(InvalidBid, match="does not have"):
        LAPTOP.points([bid])


@pytest.mark.parametrize(
    "contributions",
    [[], [np.zeros((0, 2))], [np.zeros((2, 2)), np.zeros((2, 3))], [np.zeros((2, 2, 2))]],
)
def test_shapes_that_do_not_fit_are_refused(contributions: list[np.ndarray]) -> None:
    with pytest.raises(OptionError):
        AdditiveFactors(contributions)


def test_nan_is_refused() -> None:
    with pytest.raises(ProfileError, match="finite"):
        AdditiveFactors([[0.1, float("nan")]])
