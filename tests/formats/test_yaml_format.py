import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from genius_py.domain import Domain
from genius_py.errors import DomainError, GeniusWarning
from genius_py.formats import yaml_format
from genius_py.issue import DiscreteIssue, IntegerIssue
from genius_py.scenario import Scenario
from genius_py.utility import CallableUtilitySpace
from tests.formats.strategies import scenarios

CAR = """\
issues:
  price: {min: 1, max: 5}
  colour: [red, yes, no]
profiles:
  buyer:
    weights: {price: 0.75, colour: 0.25}
    evaluations:
      price: {linear: {at_min: 1, at_max: 0}}
      colour: {red: 1, yes: 2, no: 4}
  seller:
    type: linear
    coefficients: {price: 1}
    scale: 5
"""
BUYER = """\
type: linear
coefficients: {price: -1}
constant: 5
scale: 5
"""


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.filterwarnings("ignore::genius_py.GeniusWarning")
@pytest.mark.parametrize("name", ["scenario.yaml", "scenario.json"])
@given(scenario=scenarios())
def test_what_is_written_is_read_back(scenario: Scenario, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    yaml_format.write_scenario(scenario, path)
    read = yaml_format.read_scenario(path)
    assert read == scenario
    assert (read.name, read.roles) == (scenario.name, scenario.roles)
    assert yaml_format.losses(scenario) == []


def test_values_are_texts_as_they_are_written(tmp_path: Path) -> None:
    scenario = yaml_format.read_scenario(written(tmp_path / "car.yaml", CAR))
    assert scenario.domain.issues == (
        IntegerIssue("price", 1, 5),
        DiscreteIssue("colour", ("red", "yes", "no")),
    )
    assert scenario.profile("buyer").utility(scenario.domain.bid(price=1, colour="no")) == 1


def test_a_scenario_is_named_after_its_file_or_folder(tmp_path: Path) -> None:
    assert yaml_format.read_scenario(written(tmp_path / "car.yml", CAR)).name == "car"
    folder = tmp_path / "lorry"
    folder.mkdir()
    written(folder / "scenario.yaml", CAR)
    assert yaml_format.read_folder(folder).name == "lorry"
    written(folder / "scenario.yaml", "name: truck\n" + CAR)
    assert yaml_format.read_folder(folder).name == "truck"


def test_an_error_says_file_line_and_column(tmp_path: Path) -> None:
    path = written(tmp_path / "car.yaml", CAR.replace("no: 4", "no: four"))
    with pytest.raises(DomainError) as caught:
        yaml_format.read_scenario(path)
    assert str(caught.value) == (
        f"{path}:9:36: profiles.buyer.evaluations.colour.no: expected a number, found 'four'."
    )
    path = written(tmp_path / "car.yaml", CAR.replace("coefficients", "coeficients"))
    with pytest.raises(DomainError) as caught:
        yaml_format.read_scenario(path)
    assert str(caught.value) == (
        f"{path}:12:5: profiles.seller: there is no key 'coeficients' here; "
        "did you mean 'coefficients'?"
    )


def test_a_value_that_is_left_out_is_no_value(tmp_path: Path) -> None:
    path = written(tmp_path / "x.yaml", "issues:\n  x:\n  - a\n  -\n")
    with pytest.raises(
        DomainError, match=r"x\.yaml:\d+:\d+: issues\.x\[1\]: expected a text, found"
    ):
        yaml_format.read_scenario(path)


def test_an_error_in_json_says_file_line_and_column(tmp_path: Path) -> None:
    text = json.dumps({"issues": {"x": ["a"]}, "profiles": {"ann": []}}, indent=1)
    path = written(tmp_path / "x.json", text)
    with pytest.raises(DomainError) as caught:
        yaml_format.read_scenario(path)
    assert str(caught.value) == f"{path}:8:10: profiles.ann: expected a mapping, found a list."


def test_a_profile_may_stand_in_a_file_of_its_own(tmp_path: Path) -> None:
    written(tmp_path / "mine.yaml", BUYER)
    path = written(
        tmp_path / "car.yaml",
        "issues: {price: {min: 0, max: 5}}\nprofiles: {buyer: mine.yaml}\n",
    )
    scenario = yaml_format.read_scenario(path)
    assert scenario.profile("buyer").utility(scenario.domain.bid(price=0)) == 1
    assert yaml_format.read_folder(tmp_path) == scenario


@pytest.mark.parametrize("name", ["../mine.yaml", "/etc/passwd", "a/b.yaml", ".."])
def test_a_profile_lies_in_the_same_folder(name: str, tmp_path: Path) -> None:
    path = written(tmp_path / "car.yaml", f"issues: {{x: [a]}}\nprofiles: {{ann: {name}}}\n")
    with pytest.raises(DomainError, match=r"car\.yaml:2:17: .*same folder|cannot be read"):
        yaml_format.read_scenario(path)


def test_profiles_that_are_given_take_the_place_of_the_file_s_own(tmp_path: Path) -> None:
    path = written(tmp_path / "car.yaml", CAR)
    mine = written(tmp_path / "mine.yaml", BUYER)
    scenario = yaml_format.read_scenario(path, [mine])
    assert scenario.roles == ("mine",)


def test_a_folder_with_no_or_two_scenarios_is_refused(tmp_path: Path) -> None:
    written(tmp_path / "mine.yaml", BUYER)
    with pytest.raises(DomainError, match="expected one scenario, found none"):
        yaml_format.read_folder(tmp_path)
    written(tmp_path / "a.yaml", CAR)
    written(tmp_path / ".b.yaml", CAR)
    assert yaml_format.read_folder(tmp_path).name == "a"
    written(tmp_path / "b.yaml", CAR)
    with pytest.raises(DomainError, match=r"found a\.yaml, b\.yaml; call it scenario\.yaml"):
        yaml_format.read_folder(tmp_path)


def test_what_is_dubious_is_read_with_a_warning(tmp_path: Path) -> None:
    path = written(tmp_path / "car.yaml", CAR.replace("0.75", "0.85"))
    with pytest.warns(GeniusWarning, match=r"car\.yaml: profile 'buyer': its weights sum to 1\.1"):
        scenario = yaml_format.read_scenario(path)
    bid = scenario.domain.bid(price=1, colour="no")
    assert scenario.profile("buyer").utility(bid) == 1.0


def test_a_function_is_lost_but_its_table_is_kept() -> None:
    domain = Domain("game", [DiscreteIssue("row", ("a", "b"))])
    space = CallableUtilitySpace(domain=domain, function=lambda bid: bid.index)
    assert yaml_format.losses(Scenario(domain, {"ann": space})) == [
        "profile 'ann' is a CallableUtilitySpace; the table of its utilities is kept."
    ]


def test_a_huge_integer_issue_is_written_as_its_bounds(tmp_path: Path) -> None:
    domain = Domain("wide", [IntegerIssue("x", 1, 1_000_000)])
    path = tmp_path / "wide.yaml"
    yaml_format.write_scenario(Scenario(domain, {}), path)
    assert path.stat().st_size < 200
    assert yaml_format.read_scenario(path).domain.size == 1_000_000
