"""`genius-py show`."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from genius_py import formats, registry
from genius_py.domain import Domain
from genius_py.issue import DiscreteIssue
from genius_py.scenario import Scenario
from genius_py.utility import TableUtilitySpace

Genius = Callable[..., Result]


def row(result: Result, start: str) -> list[str]:
    (line,) = (line for line in result.stdout.splitlines() if line.startswith(start))
    return line.split()


def test_a_domain_shows_issues_profiles_and_solutions(genius: Genius) -> None:
    result = genius("show", "domain", "company_car")
    assert result.exit_code == 0
    assert result.stdout.startswith("company_car (1 issue, 10001 bids)\n")
    assert row(result, "price") == ["price", "10001", "35000..45000"]
    assert row(result, "buyer") == ["buyer", "linear", "0.4000", "1"]
    assert row(result, "best for seller")[3:] == ["0.0000", "1.0000", "price:", "45000"]
    assert row(result, "Nash  ") == ["Nash", "0.5000", "0.5000", "price:", "40000"]
    assert "2,001 of 10,001 bids give everybody the reservation value" in result.stdout
    assert "the Pareto frontier has 10,001 points; opposition 0.7071." in result.stdout


def test_weights_of_additive_profiles_are_shown(genius: Genius) -> None:
    genius("new", "domain", "bike")
    result = genius("show", "domain", "bike")
    assert "price 0.6, delivery 0.1, lights 0.3" in result.stdout
    assert row(result, "lights")[1:] == ["3", "none", "|", "dynamo", "|", "battery"]


@pytest.mark.parametrize("name", formats.bundled_names())
def test_every_bundled_domain_can_be_shown(genius: Genius, name: str) -> None:
    result = genius("show", "domain", name)
    assert result.exit_code == 0
    assert result.stderr == ""


def test_a_domain_too_large_to_list_is_shown_with_its_solutions(genius: Genius) -> None:
    result = genius("show", "domain", "random:issues=40,values=10,seed=1")
    assert "about 10^40 bids" in result.stdout
    assert row(result, "Nash  ")[3] == "issue1:"
    assert "There is something to agree on; the Pareto frontier has" in result.stdout
    assert "Approximate" not in result.stdout


def test_a_domain_that_is_not_analysed_exactly_says_so(genius: Genius) -> None:
    result = genius("show", "domain", "random:issues=20,values=10,parties=4,seed=1")
    assert "Approximate: no bid is better for everybody by more than 0." in result.stdout


def test_a_domain_with_nothing_to_agree_on_says_so(genius: Genius) -> None:
    domain = Domain("cake", [DiscreteIssue("cut", ["a", "b"])])
    profile = TableUtilitySpace(domain=domain, table=[0.25, 0.5], reservation_value=0.75)
    formats.save(Scenario(domain, {"ann": profile, "bob": profile}), "cake.yaml")
    assert "There is nothing to agree on: no bid" in genius("show", "domain", "cake.yaml").stdout


def test_long_lists_of_values_are_cut_short(genius: Genius) -> None:
    domain = Domain("long", [DiscreteIssue("item", [f"v{i}" for i in range(30)])])
    profile = TableUtilitySpace(domain=domain, table=[i / 29 for i in range(30)])
    formats.save(Scenario(domain, {"ann": profile}), "long.yaml")
    assert row(genius("show", "domain", "long.yaml"), "item")[-5:] == [
        "v11",
        "|",
        "...",
        "18",
        "more",
    ]


def test_a_genius_xml_takes_its_profiles_from_options(genius: Genius, golden: Path) -> None:
    laptop = golden / "inputs" / "laptop"
    result = genius(
        "show", "domain", str(laptop / "laptop_domain.xml"),
        "--profile", str(laptop / "laptop_buyer_utility.xml"),
    )  # fmt: skip
    assert row(result, "laptop_buyer_utility")[1] == "additive"


@pytest.mark.parametrize("kind", ["party", "protocol", "metric"])
def test_everything_registered_can_be_shown(genius: Genius, kind: str) -> None:
    for name, cls in registry.names(kind).items():
        result = genius("show", kind, name)
        assert result.exit_code == 0
        assert result.stdout.startswith(f"{cls.name}\n")


def test_options_are_explained_by_the_base_that_has_them(genius: Genius) -> None:
    shown = genius("show", "party", "boulware").stdout
    assert "Args:\n    e: speed of concession" in shown
    assert "    search: ``at_or_above`` or ``genius``." in shown
    assert genius("show", "party", "boa").stdout.count("Args:") == 1
    assert "Args:" not in genius("show", "party", "tit-for-tat").stdout


def test_a_party_shows_its_options_with_their_defaults(genius: Genius) -> None:
    result = genius("show", "party", "boulware")
    assert row(result, "e ") == ["e", "0.2"]
    assert row(result, "search") == ["search", "at_or_above"]


def test_a_protocol_shows_its_rules_its_actions_and_other_names(genius: Genius) -> None:
    result = genius("show", "protocol", "SAOP")
    assert "also: SAOP, StackedAlternatingOffersProtocol" in result.stdout
    assert row(result, "actions") == ["actions", "Accept,", "Offer,", "EndNegotiation"]
    assert row(result, "parties") == ["parties", "1", "or", "more"]
    assert "Walking away ends the session" in result.stdout


def test_a_mediated_protocol_names_its_mediator(genius: Genius) -> None:
    cls = registry.find("protocol", "simple_mediator")
    assert row(genius("show", "protocol", "simple_mediator"), "mediator") == [
        "mediator",
        str(cls.default_mediator),
    ]
    mediator = genius("show", "party", str(cls.default_mediator))
    assert row(mediator, "seat") == ["seat", "the", "mediator's"]


def test_a_class_in_a_loose_file_can_be_shown(genius: Genius) -> None:
    genius("new", "party", "mine")
    result = genius("show", "party", "mine.py:Mine")
    assert result.stdout.startswith("mine\n")
    assert row(result, "concession") == ["concession", "0.9"]


def test_an_unknown_name_suggests_the_nearest(genius: Genius) -> None:
    result = genius("show", "party", "boulwear")
    assert result.exit_code == 2
    assert "'boulware'" in result.stderr


def test_profiles_are_for_domains(genius: Genius) -> None:
    result = genius("show", "party", "boulware", "--profile", "a.xml")
    assert result.exit_code == 2
    assert "--profile is for domains" in result.stderr
