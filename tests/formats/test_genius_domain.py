from pathlib import Path

import pytest
from hypothesis import given, reject

from genius_py.domain import Domain
from genius_py.errors import DomainError, GeniusWarning
from genius_py.formats.genius_domain import GeniusDomain, domain_of, domain_text
from genius_py.formats.xml_text import read_xml
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue, TextIssue
from tests.formats.strategies import domains

COLOUR = '<issue index="1" name="colour" type="discrete"><item value="red"/></issue>'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.xml"


def parsed(file: Path, *issues: str) -> GeniusDomain:
    """The domain with these elements in its root objective."""
    return whole(file, f'<objective index="0">{"".join(issues)}</objective>')


def whole(file: Path, content: str) -> GeniusDomain:
    """The domain with this in its utility_space."""
    text = f"<negotiation_template><utility_space>{content}</utility_space></negotiation_template>"
    file.write_text(text, encoding="utf-8")
    return domain_of(read_xml(file), "game")


def test_each_kind_of_issue_is_read(file: Path) -> None:
    genius = parsed(
        file,
        COLOUR,
        '<issue index="5" name="price" type="Integer" lowerbound="-3" upperbound="7"/>',
        '<issue index="3" name="weight" type="REAL">'
        '<range lowerbound="0.5" upperbound="2"/></issue>',
    )
    assert genius.domain == Domain(
        "game",
        [
            DiscreteIssue("colour", ["red"]),
            IntegerIssue("price", -3, 7),
            RealIssue("weight", 0.5, 2),
        ],
    )
    assert genius.numbers == (1, 5, 3)
    assert [genius.position(number) for number in (1, 5, 3, 2)] == [0, 1, 2, None]


def test_issues_of_inner_objectives_come_before_those_beside_them(file: Path) -> None:
    def issue(number: int) -> str:
        return f'<issue index="{number}" name="i{number}"><item value="x"/></issue>'

    genius = parsed(
        file,
        issue(1),
        f'<objective index="10">{issue(2)}<objective index="11">{issue(3)}</objective></objective>',
        issue(4),
        f'<objective index="12">{issue(5)}</objective>',
    )
    assert genius.numbers == (3, 2, 5, 1, 4)


# C07 of the known faults: items inside another element of the issue.
def test_only_direct_children_of_an_issue_are_its_values(file: Path) -> None:
    criteria = '<criteria_function><item value="10%" evaluation="0"/></criteria_function>'
    genius = parsed(
        file,
        '<issue index="1" name="share" type="discrete"><item value="2%"/><item value="10%"/>'
        f"<similarity_function>{criteria}</similarity_function></issue>",
    )
    assert genius.domain.issues == (DiscreteIssue("share", ["2%", "10%"]),)


@pytest.mark.parametrize(
    ("issue", "expected", "oddity"),
    [
        (
            '<issue index="1" name="a" type="foo"><item value="x"/></issue>',
            DiscreteIssue("a", ["x"]),
            "type 'foo' is unknown; taken for discrete",
        ),
        (
            '<issue index="1" name="a" type="discrete" vtype="integer"><item value="x"/></issue>',
            DiscreteIssue("a", ["x"]),
            "vtype 'integer' does not count, since the type is discrete",
        ),
        (
            '<issue index="1" name="a" vtype="integer"><item value="x"/></issue>',
            DiscreteIssue("a", ["x"]),
            "vtype 'integer' does not count",
        ),
        (
            '<issue index="1" name="a" type="discrete"><item value="x"/><item value="x"/></issue>',
            DiscreteIssue("a", ["x", "x"]),
            "lists twice: x; both count",
        ),
        (
            '<issue index="1" name="a" type="discrete"/>',
            DiscreteIssue("a", []),
            "has no values, so the domain has no bids",
        ),
        (
            '<issue index="4"><item value="x"/></issue>',
            DiscreteIssue("issue 4", ["x"]),
            "issue 4 has no name; it is called 'issue 4' here",
        ),
    ],
)
def test_what_is_dubious_is_read_as_genius_does_with_a_warning(
    file: Path, issue: str, expected: Issue, oddity: str
) -> None:
    with pytest.warns(GeniusWarning, match=oddity) as caught:
        assert parsed(file, issue).domain.issues == (expected,)
    assert len(caught) == 1
    assert str(caught[0].message).startswith(f"{file}:1:")


def test_an_issue_without_type_and_values_is_what_its_vtype_says(file: Path) -> None:
    issue = '<issue index="1" name="a" vtype="real"><range lowerbound="0" upperbound="1"/></issue>'
    assert parsed(file, issue).domain.issues == (RealIssue("a", 0, 1),)


def test_a_second_issue_of_one_name_gets_its_number_as_well(file: Path) -> None:
    with pytest.warns(GeniusWarning, match="issue 2 is called 'colour' like another"):
        genius = parsed(file, COLOUR, COLOUR.replace('index="1"', 'index="2"'))
    assert genius.domain.issue_names == ("colour", "colour 2")


def test_issues_outside_any_objective_are_read_with_a_warning(file: Path) -> None:
    with pytest.warns(GeniusWarning, match="stand outside any <objective>"):
        assert whole(file, COLOUR).domain.issues == (DiscreteIssue("colour", ["red"]),)


# C18 of the known faults, and whatever else old files hold.
def test_other_attributes_and_elements_are_ignored(file: Path) -> None:
    genius = whole(
        file,
        '<agent name="x"/><discount_factor><value>0.8</value></discount_factor>'
        '<objective index="0"><stateissue index="9"/>'
        '<issue index="1" name="a" type="discrete" etype="objective">'
        '<item value="x" cost="700" description=""/></issue></objective>',
    )
    assert genius.domain.issues == (DiscreteIssue("a", ["x"]),)


@pytest.mark.parametrize(
    ("issue", "reason"),
    [
        ('<issue name="a" type="discrete"/>', 'needs an attribute index="..."'),
        ('<issue index="x" name="a"/>', "<issue index='x'>: expected a whole number"),
        ('<objective name="inner"/>', '<objective> needs an attribute index="..."'),
        ('<issue index="1" name="a" type="integer" lowerbound="0"/>', 'upperbound="..."'),
        (
            '<issue index="1" name="a" type="integer">'
            '<range lowerbound="0" upperbound="5"/></issue>',
            "move them there from <range>",
        ),
        (
            '<issue index="1" name="a" type="integer" lowerbound="5" upperbound="0"/>',
            "upper bound 0 lies below its lower bound 5; swap them",
        ),
        ('<issue index="1" name="a" type="real" lowerbound="0" upperbound="1"/>', "a <range> in"),
        ('<issue index="1" name="a" type="discrete"><item/></issue>', "<item> needs an attribute"),
        # C16 of the known faults.
        (
            '<issue index="1" name="a"><item value="A"/><item value="A "/></issue>',
            "values 'A' and 'A ' differ only by blanks",
        ),
        (COLOUR + COLOUR, "two issues have the number 1"),
        ("", "has no issues"),
    ],
)
def test_a_broken_domain_is_refused_with_place_and_reason(
    file: Path, issue: str, reason: str
) -> None:
    with pytest.raises(DomainError) as caught:
        parsed(file, issue)
    assert reason in str(caught.value)
    assert (caught.value.file, caught.value.line) == (str(file), 1)
    assert caught.value.column is not None


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("<a/>", "<a> needs a <utility_space> inside it"),
        ("<utility_space/>", "this is a profile and no domain; name it with --profile"),
        ("<a><utility_space/></a>", "<utility_space> needs an <objective>"),
    ],
)
def test_a_file_without_a_domain_is_refused(file: Path, content: str, reason: str) -> None:
    file.write_text(content, encoding="utf-8")
    with pytest.raises(DomainError, match=reason):
        domain_of(read_xml(file), "game")


@given(domain=domains("dir"))
def test_a_domain_that_is_written_is_read_again(
    domain: Domain, tmp_path_factory: pytest.TempPathFactory
) -> None:
    try:
        text = domain_text(domain)
    except DomainError:  # a control character, which another test looks at
        reject()
    file = tmp_path_factory.getbasetemp() / "domain.xml"
    file.write_text(text, encoding="utf-8", newline="\n")
    read = domain_of(read_xml(file), domain.name)
    assert read.domain == domain
    assert read.numbers == tuple(range(1, len(domain.issues) + 1))


def test_quotes_entities_and_blanks_are_read_as_they_were_written(file: Path) -> None:
    values = ["\"a\" & 'b'", "<c>", "&amp;", " d\t\n\r ", "\u20ac \U0001f600", ""]
    domain = Domain("odd", [DiscreteIssue('a < b & "c"', values)])
    file.write_text(domain_text(domain), encoding="utf-8", newline="\n")
    assert domain_of(read_xml(file), "odd").domain == domain


# C21 of the known faults.
def test_a_million_whole_numbers_stay_a_range(file: Path) -> None:
    domain = Domain("wide", [IntegerIssue("price", 1, 1_000_000)])
    text = domain_text(domain)
    assert len(text) < 2000
    file.write_text(text, encoding="utf-8")
    assert domain_of(read_xml(file), "wide").domain == domain


def test_free_text_cannot_be_written() -> None:
    with pytest.raises(DomainError, match="cannot hold 'scope', which is a TextIssue"):
        domain_text(Domain("project", [TextIssue("scope")]))
