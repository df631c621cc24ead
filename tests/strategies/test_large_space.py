import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.domain import Domain
from genius_py.issue import DiscreteIssue, IntegerIssue, RealIssue, TextIssue
from genius_py.strategies.bid_search import best_bid, bid_near, ladder, utility_range, worst_bid
from genius_py.strategies.large_space import merged_ladder, sampled_ladder, separable
from genius_py.utility import (
    AdditiveUtilitySpace,
    CallableUtilitySpace,
    DiscreteEvaluator,
    Evaluator,
    IntegerEvaluator,
    Limit,
    LinearUtilitySpace,
    RealLinearEvaluator,
    RealTriangularEvaluator,
)

BILLION = 10**9
seeds = st.integers(0, 2**32 - 1)
targets = st.floats(-0.2, 1.2)


def discrete_space(seed: int, sizes: tuple[int, ...]) -> AdditiveUtilitySpace:
    rng = np.random.default_rng(seed)
    return AdditiveUtilitySpace(
        domain=Domain(
            "discrete",
            [DiscreteIssue(f"i{i}", [f"v{v}" for v in range(n)]) for i, n in enumerate(sizes)],
        ),
        weights=tuple(rng.dirichlet(np.ones(len(sizes)))),
        evaluators=[
            DiscreteEvaluator({f"v{v}": float(rng.random()) for v in range(n)}) for n in sizes
        ],
    )


def price_space(issue: IntegerIssue | RealIssue, evaluator: Evaluator) -> AdditiveUtilitySpace:
    return AdditiveUtilitySpace(
        domain=Domain("price", [issue]), weights=[1.0], evaluators=[evaluator]
    )


RISING = price_space(IntegerIssue("price", 1, BILLION), IntegerEvaluator(1, 1 / (BILLION - 1)))
FALLING = price_space(
    IntegerIssue("price", 1, BILLION), IntegerEvaluator(1, -1 / (BILLION - 1), 1.0)
)
# At least u is asked for a price of up to 40 - 30 u (stock Genius profile of a fuzzy buyer).
REAL = price_space(RealIssue("price", 10, 40), RealLinearEvaluator(4 / 3, -1 / 30))
MIXED = AdditiveUtilitySpace(
    domain=Domain(
        "mixed",
        [
            IntegerIssue("p", 1, BILLION),
            IntegerIssue("q", 1, BILLION),
            RealIssue("r", 10, 40),
            DiscreteIssue("c", ["a", "b"]),
            TextIssue("remarks"),
        ],
    ),
    weights=(0.4, 0.3, 0.2, 0.1, 0.0),
    evaluators=(
        IntegerEvaluator(1, 1e-9),
        IntegerEvaluator(1, -1e-9, 1.0),
        RealTriangularEvaluator(12.0, 38.0, 17.3),
        DiscreteEvaluator({"a": 1, "b": 3}),
        None,
    ),
)


@given(seeds, targets)
def test_what_needs_no_thinning_out_is_merged_exactly(seed: int, target: float) -> None:
    space = discrete_space(seed, (4, 3, 5))
    parts = separable(space)
    assert parts is not None
    rungs = merged_ladder(space, parts)
    assert rungs.utilities.tolist() == sorted(space.utilities().tolist(), reverse=True)
    assert space.utility(rungs.near(target)) == space.utility(bid_near(space, target))


def test_every_rung_is_worth_what_the_ladder_says() -> None:
    space = discrete_space(1, (7,) * 9)  # 40 million bids
    rungs = ladder(space)
    for rung in range(0, len(rungs), 100):
        assert space.utility(rungs.bid(rung)) == rungs.utilities[rung]


def test_a_space_of_10_to_the_40_bids_is_searched_closely() -> None:
    space = discrete_space(1, (10,) * 40)
    lowest, highest = utility_range(space)
    assert highest == pytest.approx(math.fsum(f.max() for f in space.factors()))
    assert lowest == pytest.approx(math.fsum(f.min() for f in space.factors()))
    for target in np.linspace(lowest, highest, 50).tolist():
        assert 0 <= space.utility(bid_near(space, target)) - target < 2e-4


def test_the_ladder_of_a_large_space_is_bounded() -> None:
    assert len(ladder(discrete_space(1, (10,) * 40))) <= 16_384


@given(targets)
def test_a_very_wide_integer_issue_is_fitted_to_the_last_unit(target: float) -> None:
    found = bid_near(RISING, target)
    price = int(found["price"])
    if target > 1:
        assert price == BILLION
    else:
        assert RISING.utility(found) >= target
        assert price == 1 or RISING.utility(found.replace(price=price - 1)) < target


@given(targets)
def test_a_falling_integer_issue_is_fitted_from_the_other_side(target: float) -> None:
    found = bid_near(FALLING, target)
    price = int(found["price"])
    if target > 1:
        assert price == 1
    else:
        assert FALLING.utility(found) >= target
        assert price == BILLION or FALLING.utility(found.replace(price=price + 1)) < target


@given(st.floats(0, 1))
def test_a_real_issue_is_fitted_to_the_target(target: float) -> None:
    found = bid_near(REAL, target)
    assert target <= REAL.utility(found) < target + 1e-11
    assert found["price"] == pytest.approx(40 - 30 * target, abs=1e-8)


def test_the_top_of_a_triangle_is_the_best_bid() -> None:
    space = price_space(RealIssue("price", 10, 40), RealTriangularEvaluator(12.0, 38.0, 17.3))
    assert best_bid(space)["price"] == 17.3
    assert space.utility(worst_bid(space)) == 0.0


@given(st.floats(0.05, 1))
def test_issues_of_all_kinds_are_searched_together(target: float) -> None:
    wanted = min(target, MIXED.utility(best_bid(MIXED)))
    assert wanted <= MIXED.utility(bid_near(MIXED, target)) < wanted + 1e-9


def test_a_linear_profile_is_searched_by_its_parts() -> None:
    space = LinearUtilitySpace(
        domain=Domain("deal", [IntegerIssue("price", 0, 2 * BILLION), DiscreteIssue("c", ["x"])]),
        coefficients=(-1.0, 0.0),
        constant=1e9,
        scale=1e9,
    )
    assert utility_range(space) == (-1.0, 1.0)
    assert bid_near(space, 0.25)["price"] == 750_000_000


def test_limits_make_a_linear_profile_inseparable() -> None:
    space = LinearUtilitySpace(
        domain=Domain("deal", [IntegerIssue("price", 0, 9)]),
        coefficients=(1.0,),
        limits=[Limit((1.0,), 5.0)],
    )
    assert separable(space) is None
    assert best_bid(space)["price"] == 5


def test_a_sampled_space_has_its_best_bid_found_by_local_search() -> None:
    domain = Domain("shape", [IntegerIssue(f"x{i}", 0, 1000) for i in range(4)])
    space = CallableUtilitySpace(
        domain=domain, function=lambda bid: sum(int(x) for x in bid.content) / 4000
    )
    rungs = sampled_ladder(space)
    assert (rungs.maximum, rungs.minimum) == (1.0, 0.0)
    for target in (0.2, 0.5, 0.8):
        assert target <= space.utility(bid_near(space, target)) < target + 0.01


def test_free_text_can_be_all_there_is() -> None:
    space = CallableUtilitySpace(domain=Domain("pitch", [TextIssue("t")]), function=lambda bid: 0.7)
    assert utility_range(space) == (0.7, 0.7)
    assert bid_near(space, 0.3)["t"] == ""


def test_large_spaces_are_searched_alike_in_each_run() -> None:
    for first, second in itertools.pairwise(discrete_space(3, (10,) * 20) for _ in range(2)):
        assert ladder(first).utilities.tolist() == ladder(second).utilities.tolist()
        assert bid_near(first, 0.6).content == bid_near(second, 0.6).content


def test_a_profile_that_does_not_care_has_one_rung_and_it_is_the_best() -> None:
    space = price_space(RealIssue("price", 10, 40), RealLinearEvaluator(0.5, 0.0))
    assert utility_range(space) == (0.5, 0.5)
    assert space.utility(bid_near(space, 0.4)) == 0.5


def test_an_issue_of_thousands_of_words_keeps_its_best_and_its_worst() -> None:
    words = [f"w{i}" for i in range(3_000)]
    space = AdditiveUtilitySpace(
        domain=Domain("words", [DiscreteIssue("a", words), DiscreteIssue("b", words)]),
        weights=(0.5, 0.5),
        evaluators=[DiscreteEvaluator({w: i for i, w in enumerate(words)}) for _ in range(2)],
    )
    assert best_bid(space).content == ("w2999", "w2999")
    assert worst_bid(space).content == ("w0", "w0")
    assert 0 <= space.utility(bid_near(space, 0.7)) - 0.7 < 1e-3


@given(st.floats(1e-300, 1e300), st.floats(0, 1e-300))
def test_fitting_ends_whatever_the_scale_of_the_numbers(scale: float, target: float) -> None:
    space = LinearUtilitySpace(
        domain=Domain("odd", [RealIssue("x", 0, 1)]), coefficients=(1.0,), scale=scale
    )
    assert space.utility(bid_near(space, target)) >= min(target, 1 / scale)


def test_bids_that_are_not_on_the_ladder_are_found_by_what_somebody_likes() -> None:
    space, other = discrete_space(1, (10,) * 12), discrete_space(2, (10,) * 12)
    rungs = ladder(space)
    on_ladder = max(other.utility(rungs.bid(rung)) for rung in rungs.in_range(0.7, 0.72))
    found = rungs.trade_offs(0.7, 0.72, other.utilities_at)
    assert all(space.utility(bid) >= 0.7 - 1e-12 for bid in found)
    liked = [other.utility(bid) for bid in found]
    assert liked[0] == max(liked) > on_ladder + 0.2


def test_trade_offs_of_a_linear_profile_are_in_its_own_units() -> None:
    domain = Domain("n", [IntegerIssue(f"x{n}", 0, 99) for n in range(6)])
    mine = LinearUtilitySpace(
        domain=domain, coefficients=(3, -1, 2, 1, 0, -2), constant=400, scale=1000
    )
    other = LinearUtilitySpace(domain=domain, coefficients=(-1, 1, -1, 2, 1, 1), scale=500)
    found = ladder(mine).trade_offs(0.5, 0.52, other.utilities_at)
    assert mine.utility(found[0]) >= 0.5
    assert other.utility(found[0]) == pytest.approx(max(map(other.utility, found)))
    # 400 + 3 * 99 - 99 + 99 - 2 * 98 = 501 is the least that is enough, at two for one.
    assert found[0] == domain.bid(x0=99, x1=99, x2=0, x3=99, x4=99, x5=98)


def test_real_and_wide_values_and_text_can_be_traded_off() -> None:
    def liking(
        places: np.ndarray[tuple[int, ...], np.dtype[np.intp]],
    ) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        return np.asarray(places[:, 3] * 1.0 - places[:, 2] / 21)

    for bid in ladder(MIXED).trade_offs(0.5, 0.6, liking):
        assert MIXED.utility(bid) >= 0.5 - 1e-12
        assert bid["remarks"] == ""


def test_where_all_bids_are_on_the_ladder_there_are_no_others() -> None:
    space = discrete_space(1, (3, 3))
    assert ladder(space).trade_offs(0.5, 0.6, space.utilities_at) == []
    assert ladder(RISING).trade_offs(0.5, 0.6, RISING.utilities_at) == []
