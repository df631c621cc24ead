import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from genius_py.domain import Domain
from genius_py.errors import DomainError, GeniusWarning
from genius_py.formats import geniusweb, load, save
from genius_py.issue import DiscreteIssue, IntegerIssue, RealIssue, TextIssue
from genius_py.scenario import Scenario
from genius_py.utility import (
    AdditiveUtilitySpace,
    DiscreteEvaluator,
    IntegerEvaluator,
    RealConstantEvaluator,
    RealLinearEvaluator,
    RealTriangularEvaluator,
    TableUtilitySpace,
)
from tests.formats.strategies import plain_scenarios

DOMAIN = {
    "name": "trip",
    "issuesValues": {"place": {"values": ["Rome", "Oslo"]}, "days": {"range": [3, 7, 1]}},
}
PROFILE = {
    "LinearAdditiveUtilitySpace": {
        "name": "ann",
        "domain": DOMAIN,
        "issueWeights": {"place": 0.6, "days": 0.4},
        "issueUtilities": {
            "place": {"DiscreteValueSetUtilities": {"valueUtilities": {"Rome": 1.0, "Oslo": 0.5}}},
            "days": {
                "NumberValueSetUtilities": {
                    "lowValue": 3, "lowUtility": 0, "highValue": 7, "highUtility": 1
                }
            },
        },
    }
}  # fmt: skip


def written(path: Path, data: object) -> Path:
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def changed(old: str, new: str) -> object:
    """The profile with a piece of its text replaced."""
    text = json.dumps(PROFILE)
    assert old in text
    return json.loads(text.replace(old, new))


def test_a_folder_is_read_with_its_profiles_in_the_order_of_their_names(tmp_path: Path) -> None:
    written(tmp_path / "trip.json", DOMAIN)
    for name in ("profile10.json", "profile2.json"):
        written(tmp_path / name, PROFILE)
    (tmp_path / "._profile1.json").write_bytes(b"\x00\x05\x16\x07")
    (tmp_path / ".DS_Store").write_bytes(b"\x00")
    scenario = geniusweb.read_folder(tmp_path)
    assert scenario.name == "trip"
    assert scenario.roles == ("profile2", "profile10")
    assert scenario.domain.issues == (
        DiscreteIssue("place", ("Rome", "Oslo")),
        IntegerIssue("days", 3, 7),
    )
    utility = scenario.profile("profile2").utility
    assert utility(scenario.domain.bid(place="Oslo", days=5)) == pytest.approx(0.5)


def test_a_folder_may_have_profiles_alone(tmp_path: Path) -> None:
    written(tmp_path / "ann.json", PROFILE)
    assert geniusweb.read_folder(tmp_path).roles == ("ann",)


def test_a_domain_file_is_read_with_the_profiles_that_are_given(tmp_path: Path) -> None:
    domain = written(tmp_path / "trip.json", DOMAIN)
    profile = written(tmp_path / "ann.json", PROFILE)
    assert geniusweb.read_scenario(domain).roles == ()
    assert geniusweb.read_scenario(domain, [profile]).roles == ("ann",)
    assert geniusweb.read_scenario(profile).roles == ("ann",)


def test_the_first_form_of_the_format_is_read(tmp_path: Path) -> None:
    data = changed("DiscreteValueSetUtilities", "discreteutils")
    scenario = geniusweb.read_scenario(written(tmp_path / "ann.json", data))
    assert scenario.profile("ann").utility(scenario.domain.bid(place="Rome", days=7)) == 1


def test_utilities_are_taken_as_they_are_not_divided_by_the_largest(tmp_path: Path) -> None:
    data = changed('"Rome": 1.0', '"Rome": 0.8')
    with pytest.warns(GeniusWarning, match=r"weights sum to 0\.88"):
        scenario = geniusweb.read_scenario(written(tmp_path / "ann.json", data))
    utility = scenario.profile("ann").utility
    assert utility(scenario.domain.bid(place="Rome", days=3)) == pytest.approx(0.6 * 0.8)
    assert utility(scenario.domain.bid(place="Oslo", days=3)) == pytest.approx(0.6 * 0.5)


@pytest.mark.parametrize(
    ("bid", "expected"),
    [
        ({"place": "Oslo", "days": 7}, 0.7),
        ({"days": "7"}, 0.4),  # what the bid leaves out adds nothing
        ({}, 0),
    ],
)
def test_the_reservation_value_is_that_of_the_reservation_bid(
    bid: object, expected: float, tmp_path: Path
) -> None:
    inner = {**PROFILE["LinearAdditiveUtilitySpace"], "reservationBid": {"issuevalues": bid}}
    path = written(tmp_path / "ann.json", {"LinearAdditiveUtilitySpace": inner})
    scenario = geniusweb.read_scenario(path)
    assert scenario.profile("ann").reservation_value == pytest.approx(expected)


def test_no_reservation_bid_means_none(tmp_path: Path) -> None:
    inner = {**PROFILE["LinearAdditiveUtilitySpace"], "reservationBid": None}
    path = written(tmp_path / "ann.json", {"LinearAdditiveUtilitySpace": inner})
    assert geniusweb.read_scenario(path).profile("ann").reservation_value == 0


@pytest.mark.parametrize(
    ("numbers", "issue"),
    [
        ([3, 7, 1], IntegerIssue("x", 3, 7)),
        (["3", "7", "1"], IntegerIssue("x", 3, 7)),
        ([0, 1, 0.05], RealIssue("x", 0, 1)),
        ([12.2, 12.6, 0.3], DiscreteIssue("x", ("12.2", "12.5"))),
        ([0, 10, 5], DiscreteIssue("x", ("0.0", "5.0", "10.0"))),
        ([0, 1, 1e-7], RealIssue("x", 0, 1)),
    ],
)
def test_a_range_becomes_the_issue_that_has_its_numbers(
    numbers: object, issue: object, tmp_path: Path
) -> None:
    data = {"name": "x", "issuesValues": {"x": {"range": numbers}}}
    assert geniusweb.read_scenario(written(tmp_path / "d.json", data)).domain.issues == (issue,)


def test_a_line_over_a_coarse_range_gives_each_of_its_numbers_a_utility(tmp_path: Path) -> None:
    data = changed("[3, 7, 1]", "[3, 7, 2]")
    scenario = geniusweb.read_scenario(written(tmp_path / "ann.json", data))
    days = scenario.domain.issues[1]
    assert days == DiscreteIssue("days", ("3.0", "5.0", "7.0"))
    bids = [scenario.domain.bid(place="Oslo", days=d) for d in ("3.0", "5.0", "7.0")]
    utilities = scenario.profile("ann").utilities(bids)
    assert utilities == pytest.approx([0.3, 0.5, 0.7])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("LinearAdditiveUtilitySpace", "PartialOrdering", "found PartialOrdering; other profiles"),
        ('"Rome": 1.0, ', "", "value 'Rome' has no utility here"),
        ('"Rome": 1.0', '"Roma": 1.0', "no value 'Roma' here; did you mean 'Rome'"),
        ('"Rome": 1.0', '"Rome": 1.5', r"expected a utility in \[0, 1\], found 1.5"),
        ('{"place": 0.6, ', "{", "issueWeights: the key 'place' is missing"),
        ('"issueWeights"', '"weights"', "the key 'issueWeights' is missing"),
        ('{"place": 0.6', '{"plaice": 0, "place": 0.6', "no issue 'plaice' here"),
        ("NumberValueSetUtilities", "DiscreteValueSetUtilities", "no key 'lowValue' here"),
        ("NumberValueSetUtilities", "Functions", "found Functions"),
        ("[3, 7, 1]", "[7, 3, 1]", "upper bound 3 lies below"),
        ("[3, 7, 1]", "[3, 7, 0]", "expected a step above 0"),
        ("[3, 7, 1]", "[3, 7]", "expected the lowest number, the highest number and the step"),
    ],
)
def test_what_is_wrong_is_named(old: str, new: str, message: str, tmp_path: Path) -> None:
    path = written(tmp_path / "ann.json", changed(old, new))
    with pytest.raises(DomainError, match=message) as caught:
        geniusweb.read_scenario(path)
    assert str(caught.value).startswith(f"{path}:1:")


def test_discrete_utilities_do_not_fit_numbers(tmp_path: Path) -> None:
    data = changed('{"values": ["Rome", "Oslo"]}', '{"range": [0, 5, 1]}')
    with pytest.raises(DomainError, match="'place' has numbers, so it needs NumberValueSet"):
        geniusweb.read_scenario(written(tmp_path / "ann.json", data))


def test_a_profile_of_another_domain_is_refused(tmp_path: Path) -> None:
    other = {"name": "other", "issuesValues": {"place": {"values": ["Rome"]}}}
    domain = written(tmp_path / "other.json", other)
    profile = written(tmp_path / "ann.json", PROFILE)
    with pytest.raises(DomainError, match="this is not the domain 'other'"):
        geniusweb.read_scenario(domain, [profile])


def test_two_domains_in_a_folder_are_refused(tmp_path: Path) -> None:
    for name in ("a.json", "b.json"):
        written(tmp_path / name, DOMAIN)
    with pytest.raises(DomainError, match=r"expected one domain, found a\.json, b\.json"):
        geniusweb.read_folder(tmp_path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.filterwarnings("ignore::genius_py.GeniusWarning")
@given(scenario=plain_scenarios("dir"))
def test_what_is_written_is_read_back(
    scenario: Scenario, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("geniusweb")
    geniusweb.write_scenario(scenario, folder)
    read = geniusweb.read_folder(folder)
    lost = " ".join(geniusweb.losses(scenario))
    assert (read.name, read.domain, read.roles) == (scenario.name, scenario.domain, scenario.roles)
    for role, space in scenario.profiles.items():
        found = read.profile(role)
        assert found.utilities() == pytest.approx(space.utilities(), abs=1e-9)
        if f"profile {role!r}: its reservation" not in lost:
            assert found.reservation_value == pytest.approx(space.reservation_value, abs=1e-9)


def space(issue: object, evaluator: object, **settings: float) -> AdditiveUtilitySpace:
    domain = Domain("x", [issue])  # type: ignore[list-item]
    return AdditiveUtilitySpace(domain=domain, weights=[1], evaluators=[evaluator], **settings)  # type: ignore[list-item]


def test_what_is_lost_is_told() -> None:
    profile = space(
        RealIssue("x", 0, 1),
        RealLinearEvaluator(0, 1),
        reservation_value=0.123,
        discount_factor=0.9,
    )
    lost = geniusweb.losses(Scenario(profile.domain, {"bob": profile, "ann": profile}))
    assert lost == [
        "issue 'x' keeps its 21 listed points only.",
        "the order of the profiles; it becomes that of their names.",
        "profile 'bob': its discount factor 0.9.",
        "profile 'bob': its reservation value 0.123, which is not the utility of any bid.",
        "profile 'ann': its discount factor 0.9.",
        "profile 'ann': its reservation value 0.123, which is not the utility of any bid.",
    ]


def test_a_reservation_value_that_some_bid_has_is_kept(tmp_path: Path) -> None:
    profile = space(DiscreteIssue("x", "abc"), DiscreteEvaluator({"a": 1, "b": 3, "c": 10}))
    profile = space(profile.domain.issues[0], profile.evaluators[0], reservation_value=0.3)
    scenario = Scenario(profile.domain, {"ann": profile})
    assert geniusweb.losses(scenario) == []
    geniusweb.write_scenario(scenario, tmp_path)
    assert geniusweb.read_folder(tmp_path).profile("ann").reservation_value == 0.3


@pytest.mark.parametrize(
    ("profile", "message"),
    [
        (space(TextIssue("x"), None), "has no free text, which issue 'x' is"),
        (space(DiscreteIssue("x", "ab"), None), "Profile 'ann' is incomplete"),
        (space(DiscreteIssue("x", "ab"), DiscreteEvaluator({"a": 1, "b": -1})), "gives 'b' .* -1"),
        (space(IntegerIssue("x", 0, 9), IntegerEvaluator(0, 1, 0)), "straight lines in"),
        (space(RealIssue("x", 0, 9), RealTriangularEvaluator(0, 9, 4)), "straight lines in"),
        (space(RealIssue("x", 0, 9), RealConstantEvaluator(2)), "straight lines in"),
        (
            TableUtilitySpace(domain=Domain("x", [IntegerIssue("x", 0, 1)]), table=[0, 1]),
            "additive profiles only; profile 'ann' is a TableUtilitySpace",
        ),
    ],
)
def test_what_cannot_be_held_is_named_and_nothing_is_written(
    profile: AdditiveUtilitySpace, message: str, tmp_path: Path
) -> None:
    with pytest.raises(DomainError, match=message):
        geniusweb.write_scenario(Scenario(profile.domain, {"ann": profile}), tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_linear_profile_is_written_as_the_additive_one_that_equals_it(tmp_path: Path) -> None:
    car = load("company_car")
    save(car, tmp_path, "geniusweb")
    read = geniusweb.read_folder(tmp_path)
    for role in car.roles:
        assert np.allclose(read.profile(role).utilities(), car.profile(role).utilities())
        assert read.profile(role).reservation_value == pytest.approx(0.4)


def test_a_folder_that_holds_another_profile_is_not_written_to(tmp_path: Path) -> None:
    scenario = load("flour_supply")
    geniusweb.write_scenario(scenario, tmp_path)
    geniusweb.write_scenario(scenario, tmp_path)
    written(tmp_path / "ann.json", PROFILE)
    with pytest.raises(DomainError, match=r"ann\.json would be read as part of this scenario"):
        geniusweb.write_scenario(scenario, tmp_path)


@pytest.mark.parametrize("role", ["a/b", "..", "", " a", "a:b", "domain", "DOMAIN"])
def test_a_role_that_cannot_be_a_file_is_refused(role: str, tmp_path: Path) -> None:
    profile = space(IntegerIssue("x", 0, 1), IntegerEvaluator(0, 1, 0))
    with pytest.raises(DomainError, match="rename the profile"):
        geniusweb.write_scenario(Scenario(profile.domain, {role: profile}), tmp_path)


def test_a_huge_integer_issue_is_written_as_its_bounds(tmp_path: Path) -> None:
    profile = space(IntegerIssue("x", 1, 10**6), IntegerEvaluator(1, 1e-6, 0))
    geniusweb.write_scenario(Scenario(profile.domain, {"ann": profile}), tmp_path)
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 2000
    assert geniusweb.read_folder(tmp_path).domain.size == 10**6
