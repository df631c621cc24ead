from pathlib import Path

import pytest

from genius_py.domain import Domain
from genius_py.errors import DomainError, GeniusWarning
from genius_py.formats.genius_domain import GeniusDomain
from genius_py.formats.genius_profile import profile_of, profile_text
from genius_py.formats.xml_text import read_xml
from genius_py.issue import DiscreteIssue, IntegerIssue
from genius_py.utility import (
    AdditiveUtilitySpace,
    ConstraintUtilitySpace,
    DiscreteEvaluator,
    HyperRectangleUtilitySpace,
    TableUtilitySpace,
    UtilitySpace,
)

GENIUS = GeniusDomain(Domain("game", [DiscreteIssue("A", ["a"]), IntegerIssue("I", 0, 9)]), (1, 2))

ADDITIVE = (
    '<issue index="1"><item value="a" evaluation="2"/></issue><weight index="1" value="1"/>'
    '<issue index="2" type="integer" lowerbound="0" upperbound="9">'
    '<evaluator slope="0.1" offset="0"/></issue><weight index="2" value="0"/>'
)
BOXES = (
    '<utility maxutility="10"><ufun aggregation="sum"><hyperRectangle utility="5"/></ufun>'
    "</utility>"
)
RULES = (
    '<rules><ranks><issue index="1"><item value="a" rank="1"/></issue></ranks><constraints/>'
    "</rules>"
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "profile.xml"


def parsed(file: Path, content: str, rest: str = "", kind: str = "") -> UtilitySpace:
    file.write_text(
        f'<utility_space {kind}>\n<objective index="0">{content}</objective>\n{rest}'
        "</utility_space>",
        encoding="utf-8",
    )
    return profile_of(read_xml(file), GENIUS)


@pytest.mark.parametrize(
    ("kind", "content", "space"),
    [
        ("", ADDITIVE, AdditiveUtilitySpace),
        ('type="Linear"', ADDITIVE, AdditiveUtilitySpace),
        ('type="nonlinear"', BOXES, HyperRectangleUtilitySpace),
        ('type="CONSTRAINT"', RULES, ConstraintUtilitySpace),
    ],
)
def test_the_root_says_what_kind_of_profile_it_is(
    file: Path, kind: str, content: str, space: type[UtilitySpace]
) -> None:
    assert type(parsed(file, content, kind=kind)) is space


def test_an_uncertain_profile_is_read_as_its_true_space(file: Path) -> None:
    with pytest.warns(GeniusWarning, match="UNCERTAIN; its true utilities are used"):
        space = parsed(file, ADDITIVE, "<comparisons> 10 </comparisons>", 'type="UNCERTAIN"')
    assert space == parsed(file, ADDITIVE)


def test_the_type_that_negmas_writes_is_read_with_a_warning(file: Path) -> None:
    with pytest.warns(GeniusWarning, match="type 'any' is not one of Genius's"):
        space = parsed(file, ADDITIVE, kind='type="any"')
    assert space == parsed(file, ADDITIVE)


def test_another_type_is_refused(file: Path) -> None:
    with pytest.raises(DomainError, match=r":1:1: type 'weird' is unknown; expected linear, nonl"):
        parsed(file, ADDITIVE, kind='type="weird"')


@pytest.mark.parametrize(
    ("kind", "content"),
    [("", ADDITIVE), ('type="nonlinear"', BOXES), ('type="constraint"', RULES)],
)
def test_every_kind_has_a_reservation_value_and_a_discount_factor(
    file: Path, kind: str, content: str
) -> None:
    rest = '<reservation value="0.25"/><discount_factor value="0.5"/>'
    space = parsed(file, content, rest, kind)
    assert (space.reservation_value, space.discount_factor) == (0.25, 0.5)
    space = parsed(file, content, "", kind)
    assert (space.reservation_value, space.discount_factor) == (0, 1)


@pytest.mark.parametrize(
    ("rest", "reservation", "discount", "oddity"),
    [
        ('<discount_factor value="0"/>', 0, 1, "discount factor 0.0 is not in (0, 1], which means"),
        ('<discount_factor value="1.5"/>', 0, 1, "discount factor 1.5 is not in"),
        ('<discount_factor value="-0.5"/>', 0, 1, "discount factor -0.5 is not in"),
        ('<reservation value="-0.2"/>', -0.2, 1, "reservation value -0.2 is negative: any bid is"),
        ('<reservation value="280"/>', 280, 1, "reservation value 280.0 is above 1: no bid is"),
        ('<reservation value="null"/>', 0, 1, "<reservation value='null'>: expected a number"),
        ("<reservation/>", 0, 1, '<reservation> needs an attribute value="...". It is ignored'),
        ("<discount_factor/>", 0, 1, "<discount_factor> needs an attribute"),
        # C14 of the known faults: no usable discount, but the reservation value counts.
        (
            '<discount_factor value="NaN"/><reservation value="0.182003"/>',
            0.182003,
            1,
            "<discount_factor value='NaN'>: expected a number",
        ),
    ],
)
def test_dubious_reservation_values_and_discounts_are_read_as_genius_does(
    file: Path, rest: str, reservation: float, discount: float, oddity: str
) -> None:
    with pytest.warns(GeniusWarning) as caught:
        space = parsed(file, ADDITIVE, rest)
    assert [oddity in str(warning.message) for warning in caught] == [True]
    assert (space.reservation_value, space.discount_factor) == (reservation, discount)
    assert {space.discounted(0.8, time) for time in (0, 0.5, 1)} == {0.8}


def test_a_deeper_reservation_value_takes_the_place_of_an_outer_one(file: Path) -> None:
    inner = '<reservation value="0.3"/><reservation value="0.4"/>'
    assert parsed(file, ADDITIVE + inner, '<reservation value="0.2"/>').reservation_value == 0.3
    with pytest.warns(GeniusWarning, match="It is ignored"):
        space = parsed(file, ADDITIVE + "<reservation/>", '<reservation value="0.2"/>')
    assert space.reservation_value == 0.2


def test_a_table_cannot_be_written() -> None:
    space = TableUtilitySpace(domain=GENIUS.domain, table=[0.5] * 10)
    with pytest.raises(DomainError, match="it cannot hold a TableUtilitySpace"):
        profile_text(space)


def test_a_value_that_is_no_number_cannot_be_written() -> None:
    space = AdditiveUtilitySpace(
        domain=Domain("game", GENIUS.domain.issues[:1]),
        weights=[1],
        evaluators=[DiscreteEvaluator({"a": 1})],
        reservation_value=float("-inf"),
    )
    with pytest.raises(DomainError, match="cannot hold the number -inf"):
        profile_text(space)
