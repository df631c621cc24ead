from pathlib import Path

import pytest

from genius_py.domain import Domain
from genius_py.errors import DomainError, GeniusWarning
from genius_py.formats.genius_domain import GeniusDomain
from genius_py.formats.genius_profile import profile_of, profile_text
from genius_py.formats.xml_text import read_xml
from genius_py.issue import DiscreteIssue, RealIssue
from genius_py.utility import Condition, Constraint, ConstraintUtilitySpace, Total

DOMAIN = Domain(
    "game",
    [
        DiscreteIssue("money", ["-10", "0", "250"]),
        DiscreteIssue("blame", ["0", "25"]),
        DiscreteIssue("action", ["none", "warn NS", "fine NS"]),
        RealIssue("speed", 0, 1),
    ],
)
GENIUS = GeniusDomain(DOMAIN, (1, 2, 3, 4))

RANKS = (
    '<ranks><issue index="3"><item value="none" rank="1"/><item value="warn NS " rank="2"/>'
    '<item value="fine NS" rank="4"/></issue></ranks>'
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "profile.xml"


def parsed(file: Path, rules: str) -> ConstraintUtilitySpace:
    file.write_text(
        f'<utility_space type="constraint">\n<objective index="0">{rules}</objective>'
        "</utility_space>",
        encoding="utf-8",
    )
    space = profile_of(read_xml(file), GENIUS)
    assert isinstance(space, ConstraintUtilitySpace)
    return space


def constraints(file: Path, content: str) -> tuple[Constraint, ...]:
    rules = f"<rules>{RANKS}<constraints>{content}</constraints></rules>"
    return parsed(file, rules).constraints


def test_ranks_are_read_in_the_spelling_of_the_domain(file: Path) -> None:
    space = parsed(file, f"<rules>{RANKS}<constraints/></rules>")
    assert space.ranks == {"action": {"none": 1, "warn NS": 2, "fine NS": 4}}
    assert space.constraints == ()


FORMS = [
    (
        '<constraint type="zeroConstraint" index="3"><valueassignment index="1" value="0"/>'
        '<valueassignment index="2" value="25 "/></constraint>',
        Constraint("action", [Condition("money", "is", ["0"]), Condition("blame", "is", ["25"])]),
    ),
    (
        '<constraint type="conditionalZeroConstraint" index="3" value="fine">'
        '<valueassignment index="2" value="25"/></constraint>',
        Constraint(
            "action", [Condition("blame", "is", ["25"]), Condition("action", "lacks", ["fine"])]
        ),
    ),
    (
        '<constraint type="sumZeroConstraint" index="3" value="NS" min="1" max="300">'
        '<item index="1"/><item index="2"/></constraint>',
        Constraint(
            "action", [Condition("action", "contains", ["NS"])], Total(["money", "blame"], 1, 300)
        ),
    ),
    (
        '<constraint type="sumZeroNotConstraint" index="3" value="NS" min="-10" max="-10">'
        '<item index="1"/></constraint>',
        Constraint("action", [Condition("action", "lacks", ["NS"])], Total(["money"], -10, -10)),
    ),
    (
        '<constraint type="sumZeroConstraintList" index="3" min="0" max="9"><item index="2"/>'
        '<condition value="fine"/><condition value="warn"/></constraint>',
        Constraint(
            "action", [Condition("action", "contains", ["fine", "warn"])], Total(["blame"], 0, 9)
        ),
    ),
    (
        '<constraint type="inclusiveZeroOutcomeConstraint">'
        '<checkassignment index="2" condition="numeric=negative"/>'
        '<checkassignment index="1" condition="numeric=positive"/>'
        '<checkassignment index="3" condition="fine"/></constraint>',
        Constraint(
            None,
            [
                Condition("blame", "not positive"),
                Condition("money", "not negative"),
                Condition("action", "contains", ["fine"]),
            ],
        ),
    ),
    (
        '<constraint type="conditionalZeroOutcomeConstraint">'
        '<checkassignment index="3" condition="fine"/>'
        '<checkassignment index="1" condition="numeric=negative"/></constraint>',
        Constraint(None, [Condition("money", "negative"), Condition("action", "lacks", ["fine"])]),
    ),
    (
        '<constraint type="conditionalZeroOutcomeConstraint">'
        '<checkassignment index="1" condition="numeric=positive"/>'
        '<checkassignment index="3" condition="fine"/></constraint>',
        Constraint(None, [Condition("money", "positive"), Condition("action", "lacks", ["fine"])]),
    ),
]


@pytest.mark.parametrize(("content", "constraint"), FORMS)
def test_every_form_of_constraint_is_read(file: Path, content: str, constraint: Constraint) -> None:
    assert constraints(file, content) == (constraint,)


@pytest.mark.parametrize(
    ("content", "oddity"),
    [
        ('<constraint type="exclusive"/>', "constraint type 'exclusive' is unknown; ignored"),
        (
            '<constraint type="conditionalZeroOutcomeConstraint">'
            '<checkassignment index="1" condition="0"/><checkassignment index="2" condition="1"/>'
            "</constraint>",
            "the condition '0' has no sign, so that the constraint never fires",
        ),
    ],
)
def test_a_constraint_without_effect_is_left_out_with_a_warning(
    file: Path, content: str, oddity: str
) -> None:
    with pytest.warns(GeniusWarning, match=oddity):
        assert constraints(file, content) == ()


def test_a_value_without_rank_makes_the_profile_incomplete(file: Path) -> None:
    ranks = '<ranks><issue index="2"><item value="0" rank="1"/></issue></ranks>'
    with pytest.warns(GeniusWarning, match="incomplete: issue 'blame': the value '25' has no rank"):
        parsed(file, f"<rules>{ranks}<constraints/></rules>")


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        ("", "<objective> needs a <rules> inside it"),
        ("<rules><constraints/></rules>", "<rules> needs a <ranks> inside it"),
        (f"<rules>{RANKS}</rules>", "<rules> needs a <constraints> inside it"),
        ("<rules><ranks/><constraints/></rules>", "needs the ranks of at least one issue"),
        (
            '<rules><ranks><issue index="4"/></ranks><constraints/></rules>',
            "constrains 'speed', which is not an issue of game whose values can be listed",
        ),
        (
            '<rules><ranks><issue index="1"><item value="0"/></issue></ranks>'
            "<constraints/></rules>",
            '<item> needs an attribute rank="..."',
        ),
    ],
)
def test_broken_rules_are_refused_with_place_and_reason(
    file: Path, rules: str, reason: str
) -> None:
    with pytest.raises(DomainError) as caught:
        parsed(file, rules)
    assert reason in str(caught.value)
    assert (caught.value.file, caught.value.line) == (str(file), 2)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('<constraint index="1"/>', '<constraint> needs an attribute type="..."'),
        ('<constraint type="zeroConstraint" index="9"/>', "no issue with the number 9"),
        ('<constraint type="sumZeroConstraint" index="3"/>', 'an attribute value="..."'),
        (
            '<constraint type="conditionalZeroOutcomeConstraint"/>',
            "expected two <checkassignment>s, found 0",
        ),
        (
            '<constraint type="sumZeroConstraint" index="3" value="" min="0" max="0">'
            '<item index="3"/></constraint>',
            "takes the values of issue 'action' as whole numbers, which not all of them are",
        ),
    ],
)
def test_a_broken_constraint_is_refused_with_place_and_reason(
    file: Path, content: str, reason: str
) -> None:
    with pytest.raises(DomainError) as caught:
        constraints(file, content)
    assert reason in str(caught.value)
    assert (caught.value.file, caught.value.line) == (str(file), 2)


def space(*given: Constraint) -> ConstraintUtilitySpace:
    ranks = {"blame": {"0": 1, "25": 2}, "action": {"none": 1, "warn NS": 2, "fine NS": 4}}
    return ConstraintUtilitySpace(domain=DOMAIN, ranks=ranks, constraints=given)


def test_a_profile_that_is_written_is_read_again(file: Path) -> None:
    written = space(*(constraint for _, constraint in FORMS), Constraint(None))
    file.write_text(profile_text(written), encoding="utf-8", newline="\n")
    assert profile_of(read_xml(file), GENIUS) == written


@pytest.mark.parametrize(
    "constraint",
    [
        Constraint("action", [Condition("money", "is", ["0", "250"])]),
        Constraint("action", [Condition("money", "lacks", ["0"])]),
        Constraint("action", [Condition("money", "positive")]),
        Constraint("action", [], Total(["money"], 0, 1)),
        Constraint("action", [Condition("action", "lacks", ["a", "b"])], Total(["money"], 0, 1)),
        Constraint("action", [Condition("blame", "contains", ["a"])], Total(["money"], 0, 1)),
        Constraint(None, [Condition("action", "lacks", ["fine"])]),
        Constraint(None, [Condition("action", "contains", ["numeric"])]),
        Constraint(None, [Condition("action", "lacks", ["x"]), Condition("money", "positive")]),
        Constraint(None, [Condition("blame", "positive"), Condition("money", "lacks", ["x"])]),
        Constraint(None, [], Total(["money"], 0, 1)),
    ],
)
def test_a_constraint_that_genius_does_not_have_cannot_be_written(constraint: Constraint) -> None:
    with pytest.raises(DomainError, match="Genius's XML has no constraint of the form"):
        profile_text(space(constraint))
