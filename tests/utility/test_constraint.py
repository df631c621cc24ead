from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.domain import Domain
from genius_py.errors import OptionError, ProfileError
from genius_py.issue import DiscreteIssue, IntegerIssue, RealIssue
from genius_py.utility import (
    Condition,
    Constraint,
    ConstraintUtilitySpace,
    Total,
)

DOMAIN = Domain(
    "railway",
    [
        DiscreteIssue("money", ["-10", "0", "250"]),
        IntegerIssue("blame", 0, 3),
        DiscreteIssue("action", ["none", "warn NS", "fine NS"]),
        RealIssue("speed", 0, 1),
    ],
)
RANKS = {
    "money": {"-10": 4, "0": 2, "250": 1},
    "action": {"none": 1, "warn NS": 2, "fine NS": 5},
}


def space(*given: Constraint) -> ConstraintUtilitySpace:
    return ConstraintUtilitySpace(domain=DOMAIN, ranks=RANKS, constraints=given)


def utility(*given: Constraint, money: str = "0", blame: int = 0, action: str = "none") -> float:
    bid = DOMAIN.bid(money=money, blame=blame, action=action, speed=0.123)
    return space(*given).utility(bid)


def test_without_constraints_it_is_the_mean_of_rank_over_highest_rank() -> None:
    assert utility(money="-10", action="fine NS") == 1
    assert utility(money="0", action="warn NS") == pytest.approx((2 / 4 + 2 / 5) / 2)
    assert space().utilities().max() == 1


def test_an_issue_is_worth_nothing_where_one_of_its_constraints_fires() -> None:
    rules = [
        Constraint("action", [Condition("money", "is", ["250"])]),
        Constraint("action", [Condition("blame", "is", ["3"])]),
    ]
    assert utility(*rules, money="-10", action="fine NS") == 1
    assert utility(*rules, money="-10", blame=3, action="fine NS") == 0.5
    assert utility(*rules, money="250", action="fine NS") == pytest.approx(0.125)


def test_the_bid_is_worth_nothing_where_a_constraint_of_the_whole_fires() -> None:
    rule = Constraint(None, [Condition("blame", "is", ["3"])])
    assert utility(rule, money="-10", action="fine NS") == 1
    assert utility(rule, money="-10", blame=3, action="fine NS") == 0


def test_all_conditions_must_hold() -> None:
    rule = Constraint(None, [Condition("blame", "is", ["3"]), Condition("money", "is", ["0"])])
    fired = [utility(rule, money=m, blame=b) == 0 for m in ("0", "250") for b in (0, 3)]
    assert fired == [False, True, False, False]


@pytest.mark.parametrize(
    ("condition", "fired"),
    [
        (Condition("action", "is", ["none", "fine NS"]), ["none", "fine NS"]),
        (Condition("action", "contains", ["NS"]), ["warn NS", "fine NS"]),
        (Condition("action", "contains", ["warn", "fine"]), ["warn NS", "fine NS"]),
        (Condition("action", "lacks", ["warn"]), ["none", "fine NS"]),
        (Condition("action", "lacks", ["warn", "fine"]), ["none"]),
        (Condition("action", "lacks"), ["none", "warn NS", "fine NS"]),
        (Condition("money", "positive"), ["250"]),
        (Condition("money", "negative"), ["-10"]),
        (Condition("money", "not positive"), ["-10", "0"]),
        (Condition("money", "not negative"), ["0", "250"]),
    ],
)
def test_a_condition_is_about_the_value_as_text_or_as_number(
    condition: Condition, fired: list[str]
) -> None:
    rule = Constraint(None, [condition])
    values = list(RANKS[condition.issue])
    standing = DOMAIN.bid(money="0", blame=0, action="none", speed=0)
    bids = [standing.replace(**{condition.issue: value}) for value in values]
    found = [bid[condition.issue] for bid in bids if space(rule).utility(bid) == 0]
    assert found == fired


def test_a_total_adds_the_values_of_issues_and_both_limits_belong_to_it() -> None:
    rule = Constraint(None, [], Total(["money", "blame"], -9, 1))
    fired = [
        (money, blame)
        for money in ("-10", "0", "250")
        for blame in range(4)
        if utility(rule, money=money, blame=blame) == 0
    ]
    assert fired == [("-10", 1), ("-10", 2), ("-10", 3), ("0", 0), ("0", 1)]


def test_a_constraint_of_an_issue_without_ranks_has_no_effect() -> None:
    assert utility(Constraint("blame", [])) == utility()


def test_a_value_without_rank_has_no_worth_unless_a_constraint_makes_it_nothing() -> None:
    ranks = {"action": {"none": 1, "warn NS": 2}}
    incomplete = ConstraintUtilitySpace(
        domain=DOMAIN,
        ranks=ranks,
        constraints=[Constraint("action", [Condition("blame", "is", ["3"])])],
    )
    assert incomplete.complaint == "issue 'action': the value 'fine NS' has no rank"
    bid = DOMAIN.bid(money="0", blame=0, action="fine NS", speed=0)
    with pytest.raises(ProfileError, match="incomplete: issue 'action'"):
        incomplete.utility(bid)
    assert incomplete.utility(bid.replace(blame=3)) == 0
    assert incomplete.utility(bid.replace(action="warn NS")) == 1
    assert space().complaint == ""


def test_ranks_that_are_all_0_give_0() -> None:
    ranks = {"action": dict.fromkeys(RANKS["action"], 0)}
    assert set(ConstraintUtilitySpace(domain=DOMAIN, ranks=ranks).utilities()) == {0}


def holds(condition: Condition, value: str) -> bool:
    match condition.test:
        case "is":
            return value in condition.texts
        case "contains":
            return any(text in value for text in condition.texts)
        case "lacks":
            return all(text not in value for text in condition.texts)
        case "positive":
            return int(value) > 0
        case "negative":
            return int(value) < 0
        case "not positive":
            return not int(value) > 0
        case "not negative":
            return not int(value) < 0


def fires(rule: Constraint, values: Mapping[str, str]) -> bool:
    total = rule.total
    return all(holds(c, values[c.issue]) for c in rule.conditions) and (
        total is None or total.lower <= sum(int(values[i]) for i in total.issues) <= total.upper
    )


def by_hand(rules: Sequence[Constraint], values: Mapping[str, str]) -> float:
    """The utility as the class's docstring says it, one bid and one constraint at a time."""
    fired = [rule.issue for rule in rules if fires(rule, values)]
    if None in fired:
        return 0.0
    worths = [
        0.0 if issue in fired else ranks[values[issue]] / max(ranks.values())
        for issue, ranks in RANKS.items()
    ]
    return sum(worths) / len(worths)


fragments = st.lists(st.sampled_from(["0", "250", "-10", "none", "NS", "warn", "fine NS"]))
conditions = st.builds(
    Condition,
    st.sampled_from(["money", "blame", "action"]),
    st.sampled_from(["is", "contains", "lacks"]),
    fragments,
) | st.builds(
    Condition,
    st.sampled_from(["money", "blame"]),
    st.sampled_from(["positive", "negative", "not positive", "not negative"]),
)
totals = st.none() | st.builds(
    Total, st.just(["money", "blame"]), st.integers(-12, 4), st.integers(-12, 300)
)
rules = st.builds(
    Constraint,
    st.sampled_from([None, "money", "blame", "action"]),
    st.lists(conditions, max_size=2),
    totals,
)


@given(given=st.lists(rules, max_size=4))
def test_utilities_on_arrays_are_those_that_one_finds_by_hand(given: list[Constraint]) -> None:
    bids = [DOMAIN.bid_at(index) for index in range(0, DOMAIN.size, 5)]
    expected = [by_hand(given, {i: str(v) for i, v in bid.items()}) for bid in bids]
    found = space(*given)
    np.testing.assert_allclose([found.utility(bid) for bid in bids], expected, atol=1e-15)
    np.testing.assert_allclose(found.utilities()[::5], expected, atol=1e-15)


@pytest.mark.parametrize(
    ("ranks", "rule", "reason"),
    [
        ({}, Constraint(None), "needs the ranks of at least one issue"),
        ({"speed": {"0": 1}}, Constraint(None), "'speed', which is not an issue of railway whose"),
        (RANKS, Constraint("x"), "ranks or constrains 'x'"),
        (RANKS, Constraint(None, [Condition("x", "positive")]), "ranks or constrains 'x'"),
        (RANKS, Constraint(None, [], Total(["speed"], 0, 1)), "ranks or constrains 'speed'"),
        (RANKS, Constraint(None, [Condition("action", "positive")]), "issue 'action' as whole num"),
        (RANKS, Constraint(None, [], Total(["action"], 0, 1)), "issue 'action' as whole numbers"),
    ],
)
def test_an_impossible_profile_is_refused(
    ranks: dict[str, dict[str, int]], rule: Constraint, reason: str
) -> None:
    with pytest.raises(OptionError, match=reason):
        ConstraintUtilitySpace(domain=DOMAIN, ranks=ranks, constraints=[rule])


def test_an_issue_too_wide_to_be_listed_cannot_be_ranked() -> None:
    domain = Domain("wide", [IntegerIssue("price", 0, 10**9)])
    with pytest.raises(OptionError, match="whose values can be listed"):
        ConstraintUtilitySpace(domain=domain, ranks={"price": {"0": 1}})


def test_an_unknown_test_is_refused() -> None:
    with pytest.raises(ValueError, match="test"):
        Condition("money", "equals", ["0"])  # type: ignore[arg-type]


def test_spaces_are_equal_and_have_one_hash_when_their_rules_are() -> None:
    one = space(Constraint(None, [Condition("blame", "positive")]))
    two = space(Constraint(None, [Condition("blame", "positive")]))
    assert one == two
    assert hash(one) == hash(two)
    assert one != space()
