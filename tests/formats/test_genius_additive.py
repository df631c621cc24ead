from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.domain import Domain
from genius_py.errors import DomainError, GeniusWarning, ProfileError
from genius_py.formats.genius_domain import GeniusDomain
from genius_py.formats.genius_profile import profile_of, profile_text
from genius_py.formats.xml_text import read_xml
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue, TextIssue
from genius_py.utility import (
    AdditiveUtilitySpace,
    DiscreteEvaluator,
    Evaluator,
    IntegerEvaluator,
    RealConstantEvaluator,
    RealLinearEvaluator,
    RealTriangularEvaluator,
)
from tests.formats.strategies import domains, numbers

DOMAIN = Domain(
    "game", [DiscreteIssue("A", ["a1", "a2"]), IntegerIssue("I", -3, 7), RealIssue("R", 0, 4)]
)
GENIUS = GeniusDomain(DOMAIN, (3, 1, 2))

COLOUR = '<issue index="3" name="A" type="discrete"><item value="a1" evaluation="1"/>'
COLOUR_REST = '<item value="a2" evaluation="4"/></issue>'
PRICE_BEGIN = '<issue index="1" name="I" type="integer" lowerbound="-3" upperbound="7">'
PRICE = f'{PRICE_BEGIN}<evaluator ftype="linear" slope="0.1" offset="0.2"/></issue>'
WIDTH_BEGIN = '<issue index="2" name="R" type="real"><range lowerbound="0" upperbound="4"/>'
WIDTH = f'{WIDTH_BEGIN}<evaluator ftype="linear" parameter0="0.5" parameter1="0.125"/></issue>'
WEIGHTS = (
    '<weight index="3" value="0.5"/><weight index="1" value="0.2"/><weight index="2" value="0.3"/>'
)
COMPLETE = COLOUR + COLOUR_REST + PRICE + WIDTH + WEIGHTS


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "profile.xml"


def whole(file: Path, content: str, genius: GeniusDomain = GENIUS) -> AdditiveUtilitySpace:
    """The profile with this in its root element."""
    file.write_text(f"<utility_space>{content}</utility_space>", encoding="utf-8")
    space = profile_of(read_xml(file), genius)
    assert isinstance(space, AdditiveUtilitySpace)
    return space


def parsed(file: Path, content: str) -> AdditiveUtilitySpace:
    """The profile with this in its root objective."""
    return whole(file, f'<objective index="0">{content}</objective>')


def only(file: Path, items: str) -> AdditiveUtilitySpace:
    """A profile of the one issue A, with these items."""
    domain = GeniusDomain(Domain("one", DOMAIN.issues[:1]), (3,))
    issue = f'<issue index="3" name="A">{items}</issue><weight index="3" value="1"/>'
    return whole(file, f'<objective index="0">{issue}</objective>', domain)


def test_issues_are_found_by_their_number(file: Path) -> None:
    space = parsed(file, COMPLETE)
    assert space.weights == (0.5, 0.2, 0.3)
    assert space.evaluators == (
        DiscreteEvaluator({"a1": 1, "a2": 4}),
        IntegerEvaluator(-3, 0.1, 0.2),
        RealLinearEvaluator(intercept=0.5, slope=0.125),
    )
    assert (space.reservation_value, space.discount_factor) == (0, 1)
    assert space.complaint == ""
    # 0.5 * 1/4 + 0.2 * (0.1 * 3 + 0.2) + 0.3 * (0.125 * 2 + 0.5)
    assert space.utility(DOMAIN.bid(A="a1", I=0, R=2.0)) == pytest.approx(0.45)


def test_nothing_needs_to_be_inside_an_objective(file: Path) -> None:
    assert whole(file, COMPLETE) == parsed(file, COMPLETE)


def test_weights_are_sought_beside_their_issue_at_every_depth(file: Path) -> None:
    inner = (
        f'<objective index="9">{PRICE}<weight index="1" value="0.2"/>{WIDTH}{WEIGHTS}</objective>'
    )
    with pytest.warns(GeniusWarning):
        space = parsed(file, f'{inner}{COLOUR}{COLOUR_REST}<weight index="3" value="0.5"/>')
    assert space.weights == (0.5, 0.2, 0.3)


def test_the_weight_of_an_objective_is_not_multiplied_in(file: Path) -> None:
    inner = f'<objective index="9">{COMPLETE}</objective>'
    with pytest.warns(GeniusWarning, match="the weight of an objective counts for nothing"):
        space = parsed(file, f'{inner}<weight index="9" value="0.5"/>')
    assert space == parsed(file, f'{inner}<weight index="9" value="1"/>')


# C07 of the known faults: "10%" would be worth 0 and not 1 by the items of the inner element.
def test_only_direct_children_of_an_issue_are_evaluated(file: Path) -> None:
    inner = '<similarity_function><item value="a2" evaluation="9"/></similarity_function>'
    space = only(file, f'<item value="a1" evaluation="0"/>{inner}<item value="a2" evaluation="5"/>')
    assert space.evaluators == (DiscreteEvaluator({"a1": 0, "a2": 5}),)


# C16 of the known faults.
def test_blanks_around_values_are_forgiven_and_the_spelling_is_that_of_the_domain(
    file: Path,
) -> None:
    space = only(file, '<item value="a1 " evaluation="1"/><item value=" a2" evaluation="4"/>')
    assert space.evaluators == (DiscreteEvaluator({"a1": 1, "a2": 4}),)


# C18 of the known faults.
def test_cost_is_ignored(file: Path) -> None:
    items = '<item value="a1" cost="700" evaluation="1"/><item value="a2" evaluation="2"/>'
    assert only(file, items).evaluators == (DiscreteEvaluator({"a1": 1, "a2": 2}),)


# C13 of the known faults.
@pytest.mark.parametrize("evaluation", ['evaluation="null"', 'evaluation="x"', ""])
def test_a_value_without_a_usable_evaluation_makes_the_profile_incomplete(
    file: Path, evaluation: str
) -> None:
    with pytest.warns(GeniusWarning) as caught:
        space = only(file, f'<item value="a1" evaluation="1"/><item value="a2" {evaluation}/>')
    assert "incomplete: issue 'A': the value 'a2' has no evaluation" in str(caught[-1].message)
    assert len(caught) == (2 if evaluation else 1)
    assert space.domain.size == 2
    assert space.utility(space.domain.bid(A="a1")) == 1
    with pytest.raises(ProfileError, match="Value 'a2' of issue 'A' has no evaluation"):
        space.utility(space.domain.bid(A="a2"))


@pytest.mark.parametrize(
    ("content", "oddities"),
    [
        (COMPLETE.replace("0.5", "0.6"), ["weights sum to 1.1, not 1; they are used as they are"]),
        (COMPLETE.replace('"0.3"', '"-0.3"'), ["the weight -0.3 of issue 2", "sum to 0.4"]),
        (COMPLETE + '<weight index="2" value="0.3"/>', ["issue 2 has two weights; the last one"]),
        (COMPLETE + '<weight index="8" value="0.3"/>', ["weight of 8 counts for nothing"]),
        (COMPLETE + WIDTH, ["issue 2 is described twice; the last one counts"]),
        (COMPLETE.replace('"R"', '"Q"'), ["issue 2 is called 'Q' here and 'R' in the domain"]),
        (
            COMPLETE + '<issue index="8" name="B"/><weight index="8" value="0"/>',
            ["the domain has no issue with the number 8; ignored"],
        ),
    ],
)
def test_what_is_dubious_is_read_with_a_warning(
    file: Path, content: str, oddities: list[str]
) -> None:
    with pytest.warns(GeniusWarning) as caught:
        space = parsed(file, content)
    assert space.complaint == ""
    messages = [str(warning.message) for warning in caught]
    assert len(messages) == len(oddities)
    for message, oddity in zip(messages, oddities, strict=True):
        assert oddity in message
        assert message.startswith(f"{file}:1:")


@pytest.mark.parametrize(
    ("items", "oddity", "evaluations"),
    [
        (
            '<item value="a1" evaluation="1"/><item value="a2" evaluation="2"/>'
            '<item value="a1" evaluation="3"/>',
            "stand here twice, and the last evaluation counts: 'a1'",
            {"a1": 3, "a2": 2},
        ),
        (
            '<item value="a1" evaluation="1"/><item value="a2" evaluation="2"/>'
            '<item value="b" evaluation="8"/>',
            "are not in the domain, but count for the maximum: 'b'",
            {"a1": 1, "a2": 2, "b": 8},
        ),
        (
            '<item value="a1" evaluation="-1"/><item value="a2" evaluation="2"/>',
            "have a negative evaluation: 'a1'",
            {"a1": -1, "a2": 2},
        ),
        # C12 of the known faults.
        (
            '<item value="a1" evaluation="0"/><item value="a2" evaluation="0"/>',
            "no value of issue 'A' has an evaluation above 0",
            {"a1": 0, "a2": 0},
        ),
    ],
)
def test_dubious_evaluations_are_read_with_a_warning(
    file: Path, items: str, oddity: str, evaluations: dict[str, float]
) -> None:
    with pytest.warns(GeniusWarning, match=oddity) as caught:
        assert only(file, items).evaluators == (DiscreteEvaluator(evaluations),)
    assert len(caught) == 1


def test_a_warning_does_not_list_more_than_a_few_values(file: Path) -> None:
    items = "".join(f'<item value="b{i}" evaluation="1"/>' for i in range(9))
    with pytest.warns(GeniusWarning, match="'b0', 'b1', 'b2' and 6 more") as caught:
        only(file, '<item value="a1" evaluation="1"/><item value="a2" evaluation="1"/>' + items)
    assert len(caught) == 1


# C11 of the known faults.
def test_weights_that_are_all_0_give_0_and_not_nan(file: Path) -> None:
    zero = (
        COLOUR
        + COLOUR_REST
        + PRICE
        + WIDTH
        + "".join(f'<weight index="{i}" value="0"/>' for i in (1, 2, 3))
    )
    with pytest.warns(GeniusWarning, match="weights sum to 0"):
        space = parsed(file, zero)
    assert space.utility(DOMAIN.bid_at(0)) == 0


# C10 of the known faults.
def test_the_best_bid_need_not_be_worth_1(file: Path) -> None:
    with pytest.warns(GeniusWarning, match="weights sum to 0.9"):
        space = parsed(file, COMPLETE.replace("0.5", "0.4"))
    assert 0 < space.utilities().max() < 1


def test_an_issue_without_a_weight_beside_it_has_no_evaluator(file: Path) -> None:
    with pytest.warns(GeniusWarning) as caught:
        space = whole(
            file,
            f'{WEIGHTS}<objective index="0">{COLOUR}{COLOUR_REST}{PRICE}{WIDTH}</objective>',
        )
    assert "issue 'A' has no evaluator (or no weight)" in str(caught[-2].message)
    assert space.evaluators == (None, None, None)
    assert space.weights == (0, 0, 0)
    with pytest.raises(ProfileError):
        space.utility(DOMAIN.bid_at(0))


def test_an_issue_of_another_kind_has_no_worth(file: Path) -> None:
    with pytest.warns(GeniusWarning) as caught:
        space = parsed(file, COLOUR + COLOUR_REST + PRICE + '<issue index="2" name="R"/>' + WEIGHTS)
    assert "issue 'R' is real in the domain and discrete here" in str(caught[0].message)
    assert "incomplete: issue 'R' has no evaluator" in str(caught[1].message)
    assert space.evaluators[2] is None
    assert space.weights[2] == 0.3


def test_an_integer_issue_is_evaluated_from_the_lower_bound_of_the_profile(file: Path) -> None:
    with pytest.warns(GeniusWarning, match="'I' runs from 0 to 7 here and from -3 to 7 in the dom"):
        space = parsed(file, COMPLETE.replace('lowerbound="-3"', 'lowerbound="0"'))
    assert space.evaluators[1] == IntegerEvaluator(0, 0.1, 0.2)


def test_an_integer_issue_without_evaluator_is_worth_nothing(file: Path) -> None:
    with pytest.warns(GeniusWarning, match="issue 'I' has no <evaluator>"):
        space = parsed(file, f"{COLOUR}{COLOUR_REST}{PRICE_BEGIN}</issue>{WIDTH}{WEIGHTS}")
    assert space.evaluators[1] == IntegerEvaluator(-3, 0, 0)


@pytest.mark.parametrize(
    ("function", "evaluator"),
    [
        ('ftype="Constant" parameter0="1.5"', RealConstantEvaluator(1.5)),
        (
            'ftype="triangular" parameter0="1" parameter1="4" parameter2="2"',
            RealTriangularEvaluator(left=1, right=4, top=2),
        ),
    ],
)
def test_functions_of_a_real_issue_are_read(
    file: Path, function: str, evaluator: Evaluator
) -> None:
    real = f"{WIDTH_BEGIN}<evaluator {function}/></issue>"
    assert parsed(file, COLOUR + COLOUR_REST + PRICE + real + WEIGHTS).evaluators[2] == evaluator


def test_a_faratin_function_is_worth_less_than_nothing(file: Path) -> None:
    real = f'{WIDTH_BEGIN}<evaluator ftype="faratin"/></issue>'
    with pytest.warns(GeniusWarning, match="faratin function is worth -1"):
        space = parsed(file, COLOUR + COLOUR_REST + PRICE + real + WEIGHTS)
    assert space.evaluators[2] == RealConstantEvaluator(-1)


def test_a_real_issue_without_function_makes_the_profile_incomplete(file: Path) -> None:
    with pytest.warns(GeniusWarning, match="incomplete: issue 'R' has no evaluator"):
        space = parsed(file, f"{COLOUR}{COLOUR_REST}{PRICE}{WIDTH_BEGIN}</issue>{WEIGHTS}")
    assert space.complaint


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('<weight index="1" value="x"/>', "<weight value='x'>: expected a number"),
        ('<weight value="1"/>', '<weight> needs an attribute index="..."'),
        ('<issue name="A"/>', '<issue> needs an attribute index="..."'),
        ('<objective name="A"/>', '<objective> needs an attribute index="..."'),
        ('<issue index="3"><item evaluation="1"/></issue>' + WEIGHTS, "<item> needs an attribute"),
        ('<issue index="1" type="integer"/>' + WEIGHTS, '<issue> needs an attribute lowerbound="'),
        (
            PRICE_BEGIN + '<evaluator slope="1"/></issue>' + WEIGHTS,
            "<evaluator> needs an attribute off",
        ),
        ('<issue index="2" type="real"/>' + WEIGHTS, "<issue> needs a <range> inside it"),
        (
            '<issue index="2" type="real"><range lowerbound="0"/></issue>' + WEIGHTS,
            '<range> needs an attribute upperbound="..."',
        ),
        (
            WIDTH_BEGIN + '<evaluator ftype="linear" parameter0="1"/></issue>' + WEIGHTS,
            '<evaluator> needs an attribute parameter1="..."',
        ),
        (
            WIDTH_BEGIN + '<evaluator ftype="odd"/></issue>' + WEIGHTS,
            "ftype 'odd' is unknown; expected",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore:.*counts for nothing")
def test_a_broken_profile_is_refused_with_place_and_reason(
    file: Path, content: str, reason: str
) -> None:
    with pytest.raises(DomainError) as caught:
        parsed(file, content)
    assert reason in str(caught.value)
    assert (caught.value.file, caught.value.line) == (str(file), 1)


def evaluators(issue: Issue) -> st.SearchStrategy[Evaluator | None]:
    """Whatever the format can hold."""
    match issue:
        case DiscreteIssue(values=values):
            known = st.sampled_from(values) | st.text("xyz", min_size=1)
            return st.none() | st.dictionaries(known, numbers).map(DiscreteEvaluator)
        case IntegerIssue():
            return st.none() | st.builds(IntegerEvaluator, st.integers(-9, 9), numbers, numbers)
        case _:
            return (
                st.none()
                | st.builds(RealConstantEvaluator, numbers)
                | st.builds(RealLinearEvaluator, numbers, numbers)
                | st.builds(RealTriangularEvaluator, numbers, numbers, numbers)
            )


def is_printable(domain: Domain) -> bool:
    return "".join(map(str, [domain, *domain.issues])).isprintable()


@st.composite
def spaces(draw: st.DrawFn) -> AdditiveUtilitySpace:
    # Texts with control characters cannot be written.
    domain = draw(domains("dir").filter(is_printable))
    return AdditiveUtilitySpace(
        domain=domain,
        weights=[draw(numbers) for _ in domain.issues],
        evaluators=[draw(evaluators(issue)) for issue in domain.issues],
        reservation_value=draw(numbers),
        discount_factor=draw(st.floats(0, 1, exclude_min=True)),
    )


@pytest.mark.filterwarnings("ignore::genius_py.errors.GeniusWarning")
@given(space=spaces())
def test_a_profile_that_is_written_is_read_again(
    space: AdditiveUtilitySpace, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.getbasetemp() / "profile.xml"
    file.write_text(profile_text(space), encoding="utf-8", newline="\n")
    genius = GeniusDomain(space.domain, range(1, len(space.domain.issues) + 1))
    assert profile_of(read_xml(file), genius) == space


@pytest.mark.parametrize(
    ("issue", "evaluator"),
    [
        (IntegerIssue("x", 0, 1), DiscreteEvaluator({"0": 1})),
        (DiscreteIssue("x", ["0"]), IntegerEvaluator(0)),
        (RealIssue("x", 0, 1), IntegerEvaluator(0)),
        (IntegerIssue("x", 0, 1), RealLinearEvaluator(0, 1)),
    ],
)
def test_an_evaluator_of_another_kind_cannot_be_written(issue: Issue, evaluator: Evaluator) -> None:
    space = AdditiveUtilitySpace(
        domain=Domain("game", [issue]), weights=[1], evaluators=[evaluator]
    )
    with pytest.raises(DomainError, match=f"cannot hold a {type(evaluator).__name__} for the"):
        profile_text(space)


def test_free_text_cannot_be_written_even_without_weight() -> None:
    domain = Domain("game", [TextIssue("scope")])
    space = AdditiveUtilitySpace(domain=domain, weights=[0], evaluators=[None])
    with pytest.raises(DomainError, match="cannot hold 'scope', which is a TextIssue"):
        profile_text(space)
