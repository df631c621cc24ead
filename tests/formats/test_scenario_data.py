import json
from collections.abc import Mapping

import pytest
from hypothesis import given

from genius_py.domain import Domain
from genius_py.errors import DomainError, GeniusWarning, OutcomeSpaceTooLarge
from genius_py.formats import scenario_from_dict, scenario_to_dict
from genius_py.issue import DiscreteIssue, IntegerIssue, RealIssue, TextIssue
from genius_py.scenario import Scenario
from genius_py.utility import CallableUtilitySpace, LinearUtilitySpace, TableUtilitySpace
from tests.formats.strategies import scenarios


def described(profile: Mapping[str, object], **issues: object) -> Scenario:
    issues = issues or {"colour": ["red", "blue"], "price": {"min": 0, "max": 10}}
    return scenario_from_dict({"issues": issues, "profiles": {"ann": profile}})


ADDITIVE: Mapping[str, object] = {
    "weights": {"colour": 0.4, "price": 0.6},
    "evaluations": {
        "colour": {"red": 1, "blue": 4},
        "price": {"linear": {"at_min": 1, "at_max": 0}},
    },
}


@given(scenarios())
def test_plain_data_holds_every_scenario_to_the_last_bit(scenario: Scenario) -> None:
    read = scenario_from_dict(json.loads(json.dumps(scenario_to_dict(scenario))))
    assert read == scenario
    assert read.name == scenario.name
    assert read.roles == scenario.roles


def test_what_a_bid_is_worth_is_kept_to_the_last_bit() -> None:
    domain = Domain("thirds", [IntegerIssue("x", 0, 3)])
    space = LinearUtilitySpace(domain=domain, coefficients=[0.1 + 0.2], scale=7, constant=1 / 3)
    read = scenario_from_dict(scenario_to_dict(Scenario(domain, {"ann": space})))
    assert read.profile("ann").utilities().tolist() == space.utilities().tolist()


def test_an_additive_profile_reads_as_it_looks() -> None:
    scenario = described(ADDITIVE)
    bid = scenario.domain.bid(colour="red", price=5)
    assert scenario.profile("ann").utility(bid) == pytest.approx(0.4 * 1 / 4 + 0.6 * 0.5)


def test_a_line_between_its_ends_fits_integer_and_real_issues() -> None:
    ends = {"linear": {"at_min": 0.2, "at_max": 0.8}}
    scenario = described(
        {"weights": {"n": 0.5, "x": 0.5}, "evaluations": {"n": ends, "x": ends}},
        n={"min": 10, "max": 20},
        x={"min": -1, "max": 1, "type": "real"},
    )
    utility = scenario.profile("ann").utility
    assert utility(scenario.domain.bid(n=10, x=-1)) == pytest.approx(0.2)
    assert utility(scenario.domain.bid(n=15, x=0)) == pytest.approx(0.5)
    assert utility(scenario.domain.bid(n=20, x=1)) == pytest.approx(0.8)


def test_a_line_over_a_single_number_is_flat() -> None:
    ends = {"linear": {"at_min": 0.2, "at_max": 0.8}}
    scenario = described({"weights": {"n": 1}, "evaluations": {"n": ends}}, n={"min": 3, "max": 3})
    assert scenario.profile("ann").utilities().tolist() == [0.2]


def test_the_reservation_value_may_be_that_of_a_bid() -> None:
    scenario = described({**ADDITIVE, "reservation": {"colour": "blue", "price": 10}})
    assert scenario.profile("ann").reservation_value == 0.4


def test_a_table_may_have_a_row_for_each_bid_in_any_order() -> None:
    rows = [["blue", 1, 0.25], ["red", 1, 1], ["red", 2, 0.5], ["blue", 2, 0]]
    scenario = described(
        {"type": "table", "utilities": rows},
        colour=["red", "blue"],
        price={"min": 1, "max": 2},
    )
    assert scenario.profile("ann").utilities().tolist() == [1, 0.25, 0.5, 0]


def test_blanks_around_a_value_are_forgiven_and_the_spelling_of_the_issue_is_kept() -> None:
    scenario = described(
        {"weights": {"x": 1}, "evaluations": {"x": {"A ": 1, "B": 2}}}, x=["A", " B"]
    )
    assert scenario.profile("ann").utilities().tolist() == [0.5, 1]
    assert scenario.domain.bid_at(1)["x"] == " B"
    with pytest.raises(DomainError, match="differ only by blanks"):
        described(ADDITIVE, x=["A", "A "])


def test_issues_of_all_kinds() -> None:
    scenario = scenario_from_dict(
        {
            "issues": {
                "a": ["no", "2"],
                "b": {"min": -5, "max": 10**30},
                "c": {"min": 0, "max": 1, "type": "real"},
                "d": {"type": "text", "max_length": 9},
                "e": {"type": "text"},
                "f": {"type": "discrete", "values": ["x"]},
                "g": {"type": "integer", "min": 1, "max": 2},
            }
        }
    )
    assert scenario.domain.issues == (
        DiscreteIssue("a", ("no", "2")),
        IntegerIssue("b", -5, 10**30),
        RealIssue("c", 0, 1),
        TextIssue("d", 9),
        TextIssue("e"),
        DiscreteIssue("f", ("x",)),
        IntegerIssue("g", 1, 2),
    )
    assert scenario.roles == ()


@pytest.mark.parametrize("deadline", [{"rounds": 60}, 60, "60", "60rounds"])
def test_a_deadline_is_written_as_on_the_command_line_or_in_parts(deadline: object) -> None:
    scenario = scenario_from_dict({"issues": {"x": ["a"]}, "deadline": deadline})
    assert str(scenario.deadline) == "60rounds"


def test_a_callable_profile_is_stored_as_its_table() -> None:
    domain = Domain("game", [DiscreteIssue("row", ("a", "b", "c"))])
    space = CallableUtilitySpace(
        domain=domain, function=lambda bid: bid.index / 2, reservation_value=0.5
    )
    read = scenario_from_dict(scenario_to_dict(Scenario(domain, {"ann": space}))).profile("ann")
    assert read == TableUtilitySpace(domain=domain, table=[0, 0.5, 1], reservation_value=0.5)


def test_a_callable_over_a_domain_too_large_to_list_cannot_be_stored() -> None:
    domain = Domain("wide", [IntegerIssue("x", 1, 10**9)])
    space = CallableUtilitySpace(domain=domain, function=lambda bid: 0.0)
    with pytest.raises(DomainError, match="only be stored as a table, and domain 'wide' is too"):
        scenario_to_dict(Scenario(domain, {"ann": space}))


def test_a_number_that_is_none_cannot_be_stored() -> None:
    domain = Domain("game", [DiscreteIssue("row", ("a",))])
    space = TableUtilitySpace(domain=domain, table=[float("nan")])
    with pytest.raises(DomainError, match="holds the number nan"):
        scenario_to_dict(Scenario(domain, {"ann": space}))


def test_a_discount_that_cannot_be_one_counts_as_none() -> None:
    with pytest.warns(GeniusWarning, match=r"profiles\.ann\.discount: .* 1\.5 means no discount"):
        scenario = described({**ADDITIVE, "discount": 1.5})
    assert scenario.profile("ann").discount_factor == 1.0


def test_a_domain_of_ten_to_the_forty_is_described_without_being_listed() -> None:
    issues = {f"issue {i}": [str(v) for v in range(10)] for i in range(40)}
    evaluations = {name: {v: int(v) for v in values} for name, values in issues.items()}
    data = {
        "issues": issues,
        "profiles": {"ann": {"weights": dict.fromkeys(issues, 0.025), "evaluations": evaluations}},
    }
    scenario = scenario_from_dict(data)
    assert scenario.domain.size == 10**40
    assert scenario_from_dict(scenario_to_dict(scenario)) == scenario
    with pytest.raises(OutcomeSpaceTooLarge):
        scenario.profile("ann").utilities()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"weights": {"colour": 1}}, "weights: issue 'price' has no weight here"),
        ({"weights": []}, "weights: expected a mapping, found a list"),
        ({"weights": {"color": 1}}, "there is no issue 'color' here; did you mean 'colour'"),
        ({"wieghts": {}}, "there is no key 'wieghts' here; did you mean 'weights'"),
        ({"evaluations": {"colour": None}}, "issue 'price' has no evaluations here"),
        ({"reservation": "much"}, "reservation: expected a number, found the text 'much'"),
        ({"reservation": None}, "reservation: expected a number, found nothing"),
        ({"reservation": 1e999}, "reservation: expected a number, found 'inf'"),
        ({"reservation": {"colour": "red"}}, "reservation: The bid gives no value for price"),
        ({"reservation": {"colour": "red", "price": 11}}, "11 is not a value of issue 'price'"),
        ({"reservation": {"colour": "pink", "price": 1}}, "'pink' is not a value"),
        ({"type": "additve"}, "there is no type 'additve' here; did you mean 'additive'"),
        ({"type": "linear"}, "there is no key 'weights' here"),
    ],
)
def test_a_fault_in_a_profile_is_named(change: Mapping[str, object], message: str) -> None:
    with pytest.raises(DomainError, match=message) as caught:
        described({**ADDITIVE, **change})
    assert str(caught.value).startswith("profiles.ann")


@pytest.mark.parametrize(
    ("evaluation", "message"),
    [
        ({"red": 1}, "value 'blue' has no evaluation here"),
        ({"red": 1, "bleu": 2}, "no value 'bleu' here; did you mean 'blue'"),
        ({"red": 1, "blue": "2"}, "expected a number, found the text '2'"),
        ({"red": 1, "blue": 1, "red ": 1}, "value 'red' is here twice"),
        (3, "expected a mapping, found '3'"),
        ({"linear": {"at_min": 0, "at_max": 1}}, "issue 'colour' has neither a min nor a max"),
        ({"linaer": {}}, "no kind of evaluation 'linaer' here; did you mean 'linear'"),
        ({"linear": {"slope": 1}}, "the key 'offset' is missing"),
        ({"constant": {"valu": 1}}, "no key 'valu' here; did you mean 'value'"),
    ],
)
def test_a_fault_in_an_evaluation_is_named(evaluation: object, message: str) -> None:
    evaluations = {"colour": evaluation, "price": None}
    with pytest.raises(DomainError, match=message):
        described({**ADDITIVE, "evaluations": evaluations})


def test_evaluations_of_numbers_need_to_say_what_line_they_are() -> None:
    evaluations = {"colour": None, "price": {"0": 1, "10": 2}}
    with pytest.raises(DomainError, match=r"price: expected one of .* as in \{linear:"):
        described({**ADDITIVE, "evaluations": evaluations})


@pytest.mark.parametrize(
    ("profile", "message"),
    [
        ({"type": "linear", "coefficients": {"colour": 1}}, "'colour' has no numbers"),
        ({"type": "linear", "coefficients": {}, "scale": 0}, "must be above 0"),
        ({"type": "linear", "coefficients": {}, "limits": [{"upper": 1}]}, "'coefficients' is mis"),
        (
            {"type": "linear", "coefficients": {}, "where": {"colour": "grey"}},
            "'grey' is not a value",
        ),
        ({"type": "linear", "coefficients": {}, "where": {"size": 1}}, "where.* no issue 'size'"),
        ({"type": "table", "utilities": [1]}, "one number for each of its 22 bids"),
        ({"type": "table", "utilities": [["red", 1]]}, r"a value of each issue \(colour, price\)"),
        ({"type": "table", "utilities": [["red", 1, 1]]}, "the bid colour: red, price: 0 has no"),
        ({"type": "table", "utilities": [["red", 1, 1], ["red", 1, 0]]}, "price: 1 is here twice"),
        ({"type": "hyper-rectangle", "max_utility": 1, "aggregation": "mean"}, "no aggregation"),
        (
            {
                "type": "hyper-rectangle",
                "max_utility": 1,
                "aggregation": "sum",
                "boxes": [{"utility": 1, "bounds": {"price": [1]}}],
            },
            r"boxes\[0\].bounds.price: expected the lowest and the highest value",
        ),
        (
            {
                "type": "hyper-rectangle",
                "max_utility": 1,
                "aggregation": "sum",
                "boxes": [{"utility": 1, "excludes": 1}],
            },
            r"boxes\[0\].excludes: expected true or false, found '1'",
        ),
        ({"type": "constraint", "ranks": {}}, "needs the ranks of at least one issue"),
        (
            {"type": "constraint", "ranks": {"price": {}}, "constraints": [{"issue": "prize"}]},
            "no issue 'prize' here; did you mean 'price'",
        ),
    ],
)
def test_a_fault_in_another_kind_of_profile_is_named(
    profile: Mapping[str, object], message: str
) -> None:
    with pytest.raises(DomainError, match=message) as caught:
        described(profile)
    assert str(caught.value).startswith("profiles.ann")


@pytest.mark.parametrize(
    ("issue", "message"),
    [
        ("red", "expected a list of values, or {min: ..., max: ...}"),
        ({"min": 0.5, "max": 2}, "whole number, found '0.5'; for real numbers add 'type: real'"),
        ({"min": 3, "max": 2}, "its upper bound 2 lies below its lower bound 3"),
        ({"min": 3}, "the key 'max' is missing"),
        ({"type": "float"}, "there is no type 'float' here"),
        ({"type": "text", "max_length": 0}, "max_length"),
        ([["red"]], "expected a text, found a list"),
        ({"values": "red"}, "expected a list of values"),
        ({}, "the key 'min' is missing"),
    ],
)
def test_a_fault_in_an_issue_is_named(issue: object, message: str) -> None:
    with pytest.raises(DomainError, match=message) as caught:
        scenario_from_dict({"issues": {"x": issue}})
    assert str(caught.value).startswith("issues.x")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "the key 'issues' is missing"),
        ({"issues": {}}, "has no issues"),
        ({"issues": {"x": ["a"]}, "deadline": "soon"}, "deadline: 'soon' is not a deadline"),
        ({"issues": {"x": ["a"]}, "deadline": {}}, "deadline: A deadline needs"),
        ({"issues": {"x": ["a"]}, "deadline": {"rounds": 0}}, "0 rounds is impossible"),
        ({"issues": {"x": [object()]}}, "expected plain data, found object"),
        ({"issues": {1: ["a"]}}, "expected a text as key, found 1"),
        ({"issues": {"": ["a"]}}, "needs a name"),
    ],
)
def test_a_fault_in_a_scenario_is_named(data: Mapping[str, object], message: str) -> None:
    with pytest.raises(DomainError, match=message):
        scenario_from_dict(data)
