import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from genius_py.domain import Domain
from genius_py.errors import DomainError, GeniusWarning
from genius_py.formats import load, negolog
from genius_py.issue import DiscreteIssue, IntegerIssue
from genius_py.scenario import Scenario
from genius_py.utility import AdditiveUtilitySpace, DiscreteEvaluator, IntegerEvaluator
from tests.formats.strategies import plain_scenarios

PROFILE = {
    "reservationValue": 0.25,
    "issueWeights": {"place": 0.6, "days": 0.4},
    "issues": {"place": {"Rome": 1.0, "Oslo": 0.5}, "days": {"3": 0.0, "7": 1}},
}


def written(path: Path, data: object) -> Path:
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_side_files_of_a_folder_are_no_profiles(tmp_path: Path) -> None:
    for name in ("profileA.json", "profileB.json"):
        written(tmp_path / name, PROFILE)
    written(tmp_path / "specs.json", {"Name": "trip", "NumberOfBids": 4})
    (tmp_path / "._profileA.json").write_bytes(b"\x00\x05\x16\x07")
    (tmp_path / ".DS_Store").write_bytes(b"\x00")
    scenario = load(tmp_path)
    assert scenario.name == "trip"
    assert scenario.roles == ("profileA", "profileB")
    space = scenario.profile("profileA")
    assert space.reservation_value == 0.25
    assert space.utility(scenario.domain.bid(place="Oslo", days="7")) == pytest.approx(0.7)


def test_without_specs_the_folder_gives_the_name(tmp_path: Path) -> None:
    folder = tmp_path / "trip"
    folder.mkdir()
    path = written(folder / "profileA.json", PROFILE)
    assert negolog.read_scenario(path).name == "trip"
    assert negolog.read_scenario(path, [path]).roles == ("profileA",)


def test_utilities_are_taken_as_they_are_not_divided_by_the_largest(tmp_path: Path) -> None:
    data = json.loads(json.dumps(PROFILE).replace('"Rome": 1.0', '"Rome": 0.8'))
    with pytest.warns(GeniusWarning, match=r"weights sum to 0\.88"):
        scenario = negolog.read_scenario(written(tmp_path / "a.json", data))
    utility = scenario.profile("a").utility
    assert utility(scenario.domain.bid(place="Rome", days="3")) == pytest.approx(0.48)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"Rome": 1.0', '"Roma": 1.0', "no key 'Roma' here; did you mean 'Rome'"),
        ('"Rome": 1.0, ', "", "the key 'Rome' is missing"),
        ('"Rome": 1.0', '"Rome": "much"', "expected a number, found the text 'much'"),
        ('"place": 0.6, ', "", "issueWeights: the key 'place' is missing"),
        ("reservationValue", "reservation", "did you mean 'reservationValue'"),
    ],
)
def test_what_is_wrong_with_a_second_profile_is_named(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    written(tmp_path / "profileA.json", PROFILE)
    text = json.dumps(PROFILE)
    assert old in text
    path = written(tmp_path / "profileB.json", json.loads(text.replace(old, new)))
    with pytest.raises(DomainError, match=message) as caught:
        negolog.read_folder(tmp_path)
    assert str(caught.value).startswith(f"{path}:1:")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.filterwarnings("ignore::genius_py.GeniusWarning")
@given(scenario=plain_scenarios("d", roles=("profileA", "profileB")))
def test_what_is_written_is_read_back(
    scenario: Scenario, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("negolog")
    negolog.write_scenario(scenario, folder)
    read = negolog.read_folder(folder)
    assert (read.name, read.domain, read.roles) == (scenario.name, scenario.domain, scenario.roles)
    for role, space in scenario.profiles.items():
        found = read.profile(role)
        assert found.utilities() == pytest.approx(space.utilities(), abs=1e-12)
        assert found.reservation_value == space.reservation_value


def test_what_is_lost_is_told() -> None:
    lost = negolog.losses(load("festival_booking"))
    assert lost == [
        "profile 'band': its discount factor 0.8.",
        "profile 'festival': its discount factor 0.75.",
        "the roles band, festival; they become profileA, profileB.",
    ]


def test_numbers_cannot_be_held(tmp_path: Path) -> None:
    with pytest.raises(DomainError, match=r"discrete issues only; issue price: 35000\.\.45000 is"):
        negolog.write_scenario(load("company_car"), tmp_path)


def test_three_parties_cannot_be_held(tmp_path: Path) -> None:
    with pytest.raises(DomainError, match="needs 2 profiles; there are 3"):
        negolog.write_scenario(load("wind_farm"), tmp_path)


def test_an_integer_evaluator_never_meets_a_discrete_issue(tmp_path: Path) -> None:
    domain = Domain("x", [IntegerIssue("x", 0, 1), DiscreteIssue("y", "ab")])
    space = AdditiveUtilitySpace(
        domain=domain,
        weights=[0.5, 0.5],
        evaluators=[IntegerEvaluator(0, 1), DiscreteEvaluator({"a": 1, "b": 2})],
    )
    with pytest.raises(DomainError, match="issue x"):
        negolog.write_scenario(Scenario(domain, {"a": space, "b": space}), tmp_path)
    assert list(tmp_path.iterdir()) == []
