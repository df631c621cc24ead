import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import wilcoxon

from genius_py.tournament.paired import holm, rank_biserial, signed_rank_p

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=20)


def test_holm_as_in_his_paper() -> None:
    # Holm (1979): compare the k-th smallest of n with alpha / (n - k + 1).
    assert holm([0.01, 0.02, 0.03, 0.005]) == pytest.approx([0.03, 0.04, 0.04, 0.02])


@given(P_VALUES)
def test_adjusting_raises_p_values_and_keeps_their_order(values: list[float]) -> None:
    adjusted = holm(values)
    assert (adjusted >= values).all()
    assert (adjusted <= 1).all()
    order = np.argsort(values, kind="stable")
    assert (np.diff(adjusted[order]) >= 0).all()


def test_the_signed_rank_test_of_wilcoxon_1945() -> None:
    # All eight signs alike: 2 / 2^8.
    assert signed_rank_p(np.arange(1, 9)) == pytest.approx(2 / 256)


def test_ties_are_counted_exactly() -> None:
    # Of |1 1 2 2|, ranked 1.5 1.5 3.5 3.5, one lies on the other side: a sum of 1.5 or less has
    # 3 of the 2^4 ways of giving signs.
    assert signed_rank_p([-1, 1, 2, 2]) == pytest.approx(2 * 3 / 16)
    # What differs in the last bit only is a tie, too.
    assert signed_rank_p([-0.1, 0.3 - 0.2, 2, 2]) == pytest.approx(2 * 3 / 16)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(-3, 3), min_size=1, max_size=7))
def test_the_exact_test_is_that_of_scipy(differences: list[int]) -> None:
    """Which tries all signs where there are ties, for so few."""
    if any(differences):
        assert signed_rank_p(differences) == pytest.approx(wilcoxon(differences).pvalue)


def test_for_many_differences_the_exact_test_and_the_normal_curve_agree() -> None:
    differences = np.random.default_rng(1).normal(0.2, 1, 51).round(1)
    differences[differences == 0] = 0.1
    exact, approximate = signed_rank_p(differences[:50]), signed_rank_p(differences)
    assert exact == pytest.approx(wilcoxon(differences[:50], method="approx").pvalue, rel=0.02)
    assert approximate == pytest.approx(wilcoxon(differences, method="approx").pvalue)


def test_no_difference_is_no_evidence() -> None:
    assert signed_rank_p([0.0, 0.0, 1e-15]) == 1.0
    assert rank_biserial([0.0, 0.0]) == 0.0


def test_the_effect_goes_from_always_worse_to_always_better() -> None:
    assert rank_biserial([1, 2, 3]) == 1.0
    assert rank_biserial([-1, -2, np.nan]) == -1.0
    # Kerby's simple difference: ranks 1 and 2 for, 3 against, of 6.
    assert rank_biserial([1, 2, -3]) == pytest.approx(0.0)
