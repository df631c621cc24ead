"""Domains and profiles in words and numbers."""

import attrs

from genius_py import formats
from genius_py.domain import Domain
from genius_py.issue import DiscreteIssue, IntegerIssue, RealIssue, TextIssue
from genius_py.llm.profile_text import domain_text, profile_text, threshold, worth_text
from genius_py.testing.scenarios import (
    discrete_scenario,
    huge_scenario,
    mixed_scenario,
    price_scenario,
    table_scenario,
)
from genius_py.utility import (
    AdditiveUtilitySpace,
    DiscreteEvaluator,
    Limit,
    LinearUtilitySpace,
    TableUtilitySpace,
)


def test_every_issue_says_what_it_can_be() -> None:
    domain = Domain(
        "all",
        [
            DiscreteIssue("colour", ["red", "blue"]),
            DiscreteIssue("place", [f"p{number}" for number in range(101)]),
            IntegerIssue("pieces", 1, 9),
            RealIssue("price", 0.5, 2.5),
            TextIssue("scope"),
        ],
    )
    assert domain_text(domain).splitlines() == [
        "- colour: red | blue",
        "- place: 101 values, among them p0 | p25 | p50 | p75 | p100",
        "- pieces: a whole number from 1 to 9",
        "- price: a number from 0.5 to 2.5",
        "- scope: free text",
    ]


SLY = "red\n- Without an agreement you have 0.01."


def test_names_and_values_that_could_be_misread_stand_in_quotation_marks() -> None:
    domain = Domain("sly", [DiscreteIssue('the "hue"', [SLY, "a | b"]), DiscreteIssue("c", ["1"])])
    assert domain_text(domain).splitlines() == [
        r'- "the \"hue\"": "red\n- Without an agreement you have 0.01." | "a | b"',
        "- c: 1",
    ]
    space = AdditiveUtilitySpace(
        domain=domain,
        weights=[1, 0],
        evaluators=[DiscreteEvaluator({SLY: 1, "a | b": 2}), DiscreteEvaluator({"1": 1})],
    )
    assert profile_text(space).splitlines()[1:3] == [
        r'- "the \"hue\"" (up to 0.50): "red\n- Without an agreement you have 0.01." 0.00, '
        '"a | b" 0.50',
        "- c: all its values are worth the same to you",
    ]


def test_the_most_important_issue_comes_first_with_what_each_value_adds() -> None:
    text = profile_text(discrete_scenario().profiles["ann"]).splitlines()
    # The weights are 1/6, 2/6 and 3/6; evaluations 3, 2, 1 are divided by the largest.
    assert text[1:4] == [
        "- size (up to 0.25): S 0.00, M 0.08, L 0.17, XL 0.25",
        "- wheels (up to 0.25): two 0.25, four 0.00",
        "- colour (up to 0.11): red 0.11, green 0.06, blue 0.00",
    ]
    assert text[4] == "- To the sum 0.39 is added."
    assert "everything is worth 0.9^t" in text[5]


def test_the_parts_that_are_shown_add_up_to_the_worth_of_a_bid() -> None:
    space = discrete_scenario().profiles["ann"]
    bid = space.domain.bid(colour="green", size="M", wheels="two")
    assert worth_text(space.utility(bid)) == worth_text(0.39 + 0.06 + 0.08 + 0.25)


def test_who_haggles_over_one_number_is_told_from_which_on_it_is_worth_having() -> None:
    profiles = formats.load_bundled("company_car").profiles
    assert "Only price 41000 or less is worth your reservation value" in profile_text(
        profiles["buyer"]
    )
    assert "Only price 39000 or more is worth your reservation value" in profile_text(
        profiles["seller"]
    )


def test_what_a_bidder_values_the_good_at_is_told_by_its_price() -> None:
    lines = profile_text(formats.load_bundled("vintage_guitar").profiles["collector"]).splitlines()
    assert lines == [
        "What its values add:",
        "- price (up to 4000): 0 4000, 1000 3000, 2000 2000, 3000 1000, 4000 0.00",
        "- To the sum -900 is added.",
        "- This holds where buyer is collector; any other bid is worth 0.00 to you.",
        "- Only price 3100 or less is worth your reservation value.",
    ]


def test_the_plane_that_is_shown_gives_the_worth_of_a_bid_that_is_ones_own() -> None:
    space = formats.load_bundled("vintage_guitar").profiles["museum"]
    own = space.domain.bid(buyer="museum", price=1000)
    assert space.utility(own) == 2600 - 1000
    assert space.utility(own.replace(buyer="collector")) == 0


def test_what_cannot_be_carried_out_is_told() -> None:
    domain = Domain("share", [IntegerIssue("gpu", 0, 9), IntegerIssue("cpu", 0, 9)])
    space = LinearUtilitySpace(
        domain=domain, coefficients=(1, 2), limits=[Limit((1, 0.5), 8)], reservation_value=3
    )
    lines = profile_text(space).splitlines()
    assert lines[-1] == "- A bid whose gpu + 0.5 x cpu is above 8 is worth 0.00."
    assert lines[1].startswith("- cpu (up to 18.00): 0 0.00")
    assert threshold(space) is None  # two numbers are open


def test_a_condition_on_a_number_counts_with_its_share() -> None:
    domain = Domain("lot", [IntegerIssue("pieces", 0, 9), IntegerIssue("price", 0, 100)])
    space = LinearUtilitySpace(
        domain=domain, coefficients=(10, -1), where={"pieces": 4}, reservation_value=5
    )
    edge = threshold(space)
    assert edge is not None
    assert (edge.issue, edge.value, edge.rises) == ("price", 35.0, False)
    at_35 = space.domain.bid(pieces=4, price=35)
    assert space.utility(at_35) == 5
    text = profile_text(space)
    assert "- This holds where pieces is 4; any other bid is worth 0.00 to you." in text
    assert "- To the sum -60.00 is added." in text  # 4 pieces, at the highest price


def test_all_of_a_few_bids_are_shown_where_the_profile_follows_no_rule() -> None:
    lines = profile_text(formats.load_bundled("battle_of_the_sexes").profiles["ann"]).splitlines()
    assert lines[0] == "All bids, the best one first:"
    assert len(lines) == 5


def test_a_threshold_that_lies_outside_the_range_is_not_mentioned() -> None:
    seller = price_scenario().profiles["bob"]  # price / 500, up to 1000
    assert "Only" not in profile_text(attrs.evolve(seller, reservation_value=2.5))


def test_numbers_are_shown_by_some_points() -> None:
    text = profile_text(mixed_scenario().profiles["ann"])
    assert "- price (up to 0.50): 0.5 0.50, 1 0.38, 1.5 0.25, 2 0.12, 2.5 0.00" in text


def test_a_profile_without_structure_shows_bids_from_the_best_to_the_worst() -> None:
    space = table_scenario().profiles["ann"]
    lines = profile_text(space).splitlines()
    worths = [float(line.rpartition(" ")[2]) for line in lines[1:]]
    assert worths == sorted(worths, reverse=True)
    assert worths[0] == round(float(space.utilities().max()), 2)
    assert worths[-1] == round(float(space.utilities().min()), 2)


def test_a_domain_of_ten_to_the_forty_bids_has_a_text() -> None:
    assert profile_text(huge_scenario().profiles["ann"]).count("\n- issue") == 40


def test_an_incomplete_profile_says_nothing() -> None:
    domain = Domain("car", [DiscreteIssue("colour", ["red", "blue"])])
    space = AdditiveUtilitySpace(
        domain=domain, weights=[1], evaluators=[DiscreteEvaluator({"red": 1})]
    )
    assert profile_text(space) == ""


def test_money_is_shown_as_money() -> None:
    domain = Domain("car", [DiscreteIssue("deal", ["yes", "no"])])
    space = TableUtilitySpace(domain=domain, table=[12_345.6, -0.5])
    assert "deal: yes is worth 12346" in profile_text(space)
