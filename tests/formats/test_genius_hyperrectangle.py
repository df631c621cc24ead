from pathlib import Path

import pytest
from hypothesis import given

from genius_py.domain import Domain
from genius_py.errors import DomainError, GeniusWarning
from genius_py.formats.genius_domain import GeniusDomain
from genius_py.formats.genius_profile import profile_of, profile_text
from genius_py.formats.xml_text import read_xml
from genius_py.issue import DiscreteIssue, IntegerIssue
from genius_py.utility import Aggregate, HyperRectangle, HyperRectangleUtilitySpace, UtilitySpace
from tests.formats.strategies import boxes

DOMAIN = Domain(
    "game", [IntegerIssue("I", 0, 9), IntegerIssue("J", 0, 9), DiscreteIssue("A", ["a"])]
)
GENIUS = GeniusDomain(DOMAIN, (1, 2, 3))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "profile.xml"


def parsed(file: Path, utility: str) -> HyperRectangleUtilitySpace:
    file.write_text(
        f'<utility_space type="nonlinear">\n<objective index="0">{utility}</objective>'
        "</utility_space>",
        encoding="utf-8",
    )
    space = profile_of(read_xml(file), GENIUS)
    assert isinstance(space, HyperRectangleUtilitySpace)
    return space


def aggregate(file: Path, ufun: str) -> Aggregate:
    return parsed(file, f'<utility maxutility="100">{ufun}</utility>').aggregate


def boxes_of(file: Path, rectangles: str) -> tuple[HyperRectangle, ...]:
    return aggregate(file, f'<ufun aggregation="sum">{rectangles}</ufun>').boxes


def test_boxes_and_nested_functions_are_read(file: Path) -> None:
    space = parsed(
        file,
        '<issue index="1"/><utility maxutility="150"><ufun type="PlainUfun" aggregation="SUM">'
        '<ufun weight="0.5" aggregation="Max"><hyperRectangle utility="20"/></ufun>'
        '<hyperRectangle utility_type="constant" utility="40" weight="1.5">'
        '<INCLUDES index="2" min="3" max="7"/><INCLUDES index="1" min="2" max="5"/>'
        "</hyperRectangle></ufun></utility>",
    )
    assert space.max_utility == 150
    assert space.aggregate == Aggregate(
        "sum",
        [HyperRectangle(40, {"I": (2, 5), "J": (3, 7)}, weight=1.5)],
        [Aggregate("max", [HyperRectangle(20)], weight=0.5)],
    )


def test_an_excluding_box_is_read(file: Path) -> None:
    excluding = '<hyperRectangle utility="1"><EXCLUDES index="1" min="4" max="6"/></hyperRectangle>'
    assert boxes_of(file, excluding) == (HyperRectangle(1, {"I": (4, 6)}, excludes=True),)


def test_two_bounds_of_one_issue_must_both_hold(file: Path) -> None:
    bounds = '<INCLUDES index="1" min="2" max="6"/><INCLUDES index="1" min="4" max="9"/>'
    box = f'<hyperRectangle utility="1">{bounds}</hyperRectangle>'
    assert boxes_of(file, box) == (HyperRectangle(1, {"I": (4, 6)}),)


def test_of_both_kinds_of_bounds_only_the_excluding_ones_count(file: Path) -> None:
    bounds = '<INCLUDES index="1" min="0" max="1"/><EXCLUDES index="2" min="2" max="4"/>'
    with pytest.warns(GeniusWarning, match="of INCLUDES and EXCLUDES in one box only the latter"):
        [box] = boxes_of(file, f'<hyperRectangle utility="1">{bounds}</hyperRectangle>')
    assert box == HyperRectangle(1, {"J": (2, 4)}, excludes=True)


@pytest.mark.parametrize(
    ("utility", "oddity"),
    [
        (
            '<utility maxutility="10"><ufun aggregation="sum" weight="0.5"/></utility>',
            "the weight of the outermost <ufun> counts for nothing",
        ),
        (
            '<utility maxutility="10"><ufun aggregation="product"/></utility>',
            "aggregation 'product' is unknown; taken for sum",
        ),
        ('<utility maxutility="0"><ufun aggregation="sum"/></utility>', "maxutility is 0.0: util"),
        (
            '<utility maxutility="10"><ufun aggregation="min"/></utility>',
            "the min of nothing is beyond any number",
        ),
    ],
)
def test_what_is_dubious_is_read_with_a_warning(file: Path, utility: str, oddity: str) -> None:
    with pytest.warns(GeniusWarning, match=oddity) as caught:
        assert parsed(file, utility).aggregate.weight == 1
    assert len(caught) == 1


@pytest.mark.parametrize(
    ("utility", "reason"),
    [
        ("", "<objective> needs a <utility> inside it"),
        ("<utility/>", '<utility> needs an attribute maxutility="..."'),
        ('<utility maxutility="1"/>', "<utility> needs a <ufun> inside it"),
        ('<utility maxutility="1"><ufun/></utility>', '<ufun> needs an attribute aggregation="'),
    ],
)
def test_a_broken_profile_is_refused_with_place_and_reason(
    file: Path, utility: str, reason: str
) -> None:
    with pytest.raises(DomainError) as caught:
        parsed(file, utility)
    assert reason in str(caught.value)
    assert (caught.value.file, caught.value.line) == (str(file), 2)


@pytest.mark.parametrize(
    ("box", "reason"),
    [
        ("<hyperRectangle/>", '<hyperRectangle> needs an attribute utility="..."'),
        (
            '<hyperRectangle utility="1"><INCLUDES index="8" min="0" max="1"/></hyperRectangle>',
            "there is no issue with the number 8; the domain has 1, 2, 3",
        ),
        (
            '<hyperRectangle utility="1"><INCLUDES index="3" min="0" max="1"/></hyperRectangle>',
            "issue 'A' is discrete; a hyper-rectangle can only bound integer issues",
        ),
        (
            '<hyperRectangle utility="1"><INCLUDES index="1" min="0.5" max="1"/></hyperRectangle>',
            "<INCLUDES min='0.5'>: expected a whole number",
        ),
    ],
)
def test_a_broken_box_is_refused_with_place_and_reason(file: Path, box: str, reason: str) -> None:
    with pytest.raises(DomainError) as caught:
        boxes_of(file, box)
    assert reason in str(caught.value)
    assert (caught.value.file, caught.value.line) == (str(file), 2)


@pytest.mark.filterwarnings("ignore::genius_py.errors.GeniusWarning")
@given(space=boxes(DOMAIN))
def test_a_profile_that_is_written_is_read_again(
    space: UtilitySpace, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.getbasetemp() / "profile.xml"
    file.write_text(profile_text(space), encoding="utf-8", newline="\n")
    assert profile_of(read_xml(file), GENIUS) == space
