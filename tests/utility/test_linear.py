import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.domain import Domain
from genius_py.errors import InvalidBid, OptionError, OutcomeSpaceTooLarge
from genius_py.issue import DiscreteIssue, IntegerIssue, RealIssue, TextIssue, Value
from genius_py.utility import Limit, LinearUtilitySpace

PRICE = Domain("car", [IntegerIssue("price", 35_000, 45_000)])
MIXED = Domain(
    "mixed",
    [
        IntegerIssue("hours", -2, 3),
        DiscreteIssue("colour", ["red", "blue"]),
        RealIssue("rate", 0, 1),
    ],
)


def test_a_price_is_worth_what_is_saved_over_the_scale() -> None:
    buyer = LinearUtilitySpace(domain=PRICE, coefficients=[-1], constant=45_000, scale=10_000)
    assert buyer.utility(PRICE.bid(price=35_000)) == 1.0
    assert buyer.utility(PRICE.bid(price=41_000)) == 0.4
    assert buyer.utility(PRICE.bid(price=45_000)) == 0.0


def test_values_between_the_listed_points_of_a_real_issue_have_a_utility() -> None:
    # u = 4/3 - x/30 on [10, 40]: 1 at 10, 0 at 40, one half at 25.
    domain = Domain("fuzzy", [RealIssue("price", 10, 40)])
    space = LinearUtilitySpace(domain=domain, coefficients=[-1], constant=40, scale=30)
    assert space.utility(domain.bid(price=10)) == 1.0
    assert space.utility(domain.bid(price=40)) == 0.0
    assert space.utility(domain.bid(price=24.999)) > 0.5 > space.utility(domain.bid(price=25.001))


def test_a_bid_that_breaks_a_limit_is_worth_nothing() -> None:
    # Spec S0.70 to S0.78: 8x + 6y with 4x + 4y <= 380; (48, 48) uses 384.
    domain = Domain("allocation", [IntegerIssue("gpu", 5, 90), IntegerIssue("cpu", 5, 90)])
    team = LinearUtilitySpace(domain=domain, coefficients=[8, 6], limits=[Limit([4, 4], 380)])
    assert team.utility(domain.bid(gpu=90, cpu=5)) == 750
    assert team.utility(domain.bid(gpu=48, cpu=48)) == 0
    assert np.count_nonzero(team.utilities()) == 3741


def test_a_limit_forgives_float_noise_and_nothing_that_one_could_pay() -> None:
    # C51: 0.1 + 0.2 is a hair more than 0.3; a cent is no hair.
    domain = Domain("shares", [RealIssue("a", 0, 1), RealIssue("b", 0, 1)])
    space = LinearUtilitySpace(domain=domain, coefficients=[1, 1], limits=[Limit([1, 1], 0.3)])
    bids = [domain.bid(a=0.1, b=0.2), domain.bid(a=0.11, b=0.2), domain.bid(a=0.1, b=0.2 + 1e-8)]
    assert [space.utility(bid) > 0 for bid in bids] == [True, False, False]
    grid = LinearUtilitySpace(domain=domain, coefficients=[1, 1], limits=[Limit([0.1, 0.2], 0.3)])
    assert grid.utilities()[-1] == grid.utility(domain.bid(a=1, b=1)) == 2


@given(
    coefficients=st.tuples(*[st.floats(-5, 5)] * 3),
    constant=st.floats(-5, 5),
    upper=st.floats(-5, 5),
)
def test_bids_and_arrays_of_bids_have_the_same_utilities(
    coefficients: tuple[float, float, float], constant: float, upper: float
) -> None:
    hours, _, rate = coefficients
    space = LinearUtilitySpace(
        domain=MIXED,
        coefficients=[hours, 0, rate],
        constant=constant,
        scale=3,
        limits=[Limit([1, 0, 1], upper)],
    )
    one_by_one = [space.utility(bid) for bid in MIXED.bids()]
    assert space.utilities(np.arange(MIXED.size)).tolist() == one_by_one
    assert space.utilities().tolist() == one_by_one


def test_the_factors_add_up_to_the_utility() -> None:
    space = LinearUtilitySpace(domain=MIXED, coefficients=[2, 0, 0.5], constant=1, scale=4)
    bid = MIXED.bid(hours=3, colour="blue", rate=0.5)
    places = [issue.position(value) for issue, value in zip(MIXED.issues, bid.content, strict=True)]
    parts = [factor[place] for factor, place in zip(space.factors(), places, strict=True)]
    assert 1 / 4 + sum(parts) == pytest.approx(space.utility(bid))


def test_an_issue_of_a_billion_values_is_never_listed() -> None:
    domain = Domain("wide", [IntegerIssue("price", 1, 10**9)])
    space = LinearUtilitySpace(domain=domain, coefficients=[1], scale=10**9)
    assert space.utility(domain.bid(price=10**9)) == 1.0
    assert space.utilities(np.array([0, 10**9 - 1])).tolist() == [1e-9, 1.0]
    with pytest.raises(OutcomeSpaceTooLarge, match="Issue 'price' has 1000000000 values"):
        space.factors()


@pytest.mark.parametrize("issue", [DiscreteIssue("x", ["a"]), TextIssue("x")])
def test_what_has_no_numbers_cannot_be_weighed(issue: DiscreteIssue | TextIssue) -> None:
    domain = Domain("odd", [issue])
    LinearUtilitySpace(domain=domain, coefficients=[0])
    with pytest.raises(OptionError, match="'x' has no numbers"):
        LinearUtilitySpace(domain=domain, coefficients=[1])


def test_each_issue_needs_a_coefficient_and_the_scale_is_positive() -> None:
    with pytest.raises(OptionError, match="needs 1 coefficients"):
        LinearUtilitySpace(domain=PRICE, coefficients=[1, 2])
    with pytest.raises(OptionError, match="needs 1 coefficients"):
        LinearUtilitySpace(domain=PRICE, coefficients=[1], limits=[Limit([], 0)])
    with pytest.raises(OptionError, match="must be above 0, not -1"):
        LinearUtilitySpace(domain=PRICE, coefficients=[1], scale=-1)


AWARD = Domain("award", [DiscreteIssue("winner", ["ann", "bob"]), IntegerIssue("price", 0, 10)])


def test_a_deal_of_others_is_worth_nothing() -> None:
    ann = LinearUtilitySpace(
        domain=AWARD, coefficients=[0, -1], constant=8, where={"winner": "ann"}
    )
    assert ann.utility(AWARD.bid(winner="ann", price=6)) == 2
    assert ann.utility(AWARD.bid(winner="bob", price=6)) == 0
    assert [ann.utility(bid) for bid in AWARD.bids()] == ann.utilities().tolist()


def test_where_is_kept_in_the_order_of_the_issues() -> None:
    backwards: dict[str, Value] = {"price": 3, "winner": "bob"}
    forwards: dict[str, Value] = {"winner": "bob", "price": 3.0}
    one = LinearUtilitySpace(domain=AWARD, coefficients=[0, 1], where=backwards)
    other = LinearUtilitySpace(domain=AWARD, coefficients=[0, 1], where=forwards)
    assert one.where == (("winner", "bob"), ("price", 3)) == other.where
    assert one == other


@pytest.mark.parametrize("where", [{"buyer": "ann"}, {"winner": "cem"}])
def test_where_names_issues_and_values_of_the_domain(where: dict[str, str]) -> None:
    with pytest.raises(InvalidBid):
        LinearUtilitySpace(domain=AWARD, coefficients=[0, 1], where=where)
