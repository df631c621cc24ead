"""Scenarios of every kind, for the round trips of all formats."""

from hypothesis import strategies as st

from genius_py.deadline import Deadline
from genius_py.domain import Domain
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue, TextIssue
from genius_py.scenario import Scenario
from genius_py.utility import (
    AdditiveUtilitySpace,
    Aggregate,
    Condition,
    Constraint,
    ConstraintUtilitySpace,
    DiscreteEvaluator,
    Evaluator,
    HyperRectangle,
    HyperRectangleUtilitySpace,
    IntegerEvaluator,
    Limit,
    LinearUtilitySpace,
    RealConstantEvaluator,
    RealLinearEvaluator,
    RealTriangularEvaluator,
    TableUtilitySpace,
    Total,
    UtilitySpace,
)
from genius_py.utility.constraint import Test

NASTY = [
    "yes",
    "no",
    "null",
    "~",
    "1",
    "0x1F",
    "1e3",
    "1:30",
    "2031-05-01",
    "- a",
    "a: b",
    "#",
    "é€",
]
"""Texts that a YAML reader might take for something else."""

texts = st.sampled_from(NASTY) | st.text(min_size=1, max_size=8)
words = st.text("abcdefgh", min_size=1, max_size=6)
numbers = st.floats(-1e6, 1e6)
shares = st.floats(0, 1)


def integers() -> st.SearchStrategy[tuple[int, int]]:
    return st.tuples(st.integers(-9, 9), st.integers(0, 5)).map(lambda b: (b[0], b[0] + b[1]))


def reals() -> st.SearchStrategy[tuple[float, float]]:
    return st.tuples(numbers, numbers).map(lambda bounds: (min(bounds), max(bounds)))


@st.composite
def issues(draw: st.DrawFn, name: str, kinds: str = "dirt") -> Issue:
    """An issue whose kind is one of d(iscrete), i(nteger), r(eal), t(ext)."""
    match draw(st.sampled_from(kinds)):
        case "d":
            values = st.lists(texts, min_size=1, max_size=4, unique_by=str.strip)
            return DiscreteIssue(name, draw(values))
        case "i":
            return IntegerIssue(name, *draw(integers()))
        case "r":
            return RealIssue(name, *draw(reals()))
        case _:
            return TextIssue(name, draw(st.integers(1, 99)))


@st.composite
def domains(draw: st.DrawFn, kinds: str = "dirt", most: int = 3) -> Domain:
    names = draw(st.lists(texts, min_size=1, max_size=most, unique=True))
    return Domain(draw(texts), [draw(issues(name, kinds)) for name in names])


def evaluators(issue: Issue) -> st.SearchStrategy[Evaluator | None]:
    if isinstance(issue, TextIssue):
        return st.none()
    loose: st.SearchStrategy[Evaluator | None] = (
        st.none()
        | st.builds(DiscreteEvaluator, st.dictionaries(texts, numbers, max_size=3))
        | st.builds(RealConstantEvaluator, numbers)
        | st.builds(RealLinearEvaluator, numbers, numbers)
        | st.builds(RealTriangularEvaluator, numbers, numbers, numbers)
        | st.builds(IntegerEvaluator, st.integers(-9, 9), numbers, numbers)
    )
    return loose | complete_evaluators(issue)


def complete_evaluators(issue: Issue) -> st.SearchStrategy[Evaluator]:
    """Evaluations in [0, 1] for every value; straight lines where there are numbers."""
    match issue:
        case DiscreteIssue(values=values):
            known = st.fixed_dictionaries(dict.fromkeys(values, shares))
            return known.map(DiscreteEvaluator)
        case IntegerIssue(lower=first, upper=last):
            return st.tuples(shares, shares).map(
                lambda ends: IntegerEvaluator(
                    first, (ends[1] - ends[0]) / ((last - first) or 1), ends[0]
                )
            )
        case RealIssue(lower=low, upper=high) if high - low > 1e-3:
            return st.tuples(shares, shares).map(
                lambda ends: RealLinearEvaluator(
                    ends[0] - low * (ends[1] - ends[0]) / (high - low),
                    (ends[1] - ends[0]) / (high - low),
                )
            )
        case _:
            return shares.map(RealConstantEvaluator)


@st.composite
def additive(draw: st.DrawFn, domain: Domain, is_plain: bool = False) -> UtilitySpace:
    """Complete and with evaluations in [0, 1] when plain, else anything that can be made."""
    pick = complete_evaluators if is_plain else evaluators
    return AdditiveUtilitySpace(
        domain=domain,
        weights=[draw(shares if is_plain else numbers) for _ in domain.issues],
        evaluators=[draw(pick(issue)) for issue in domain.issues],
        reservation_value=draw(shares if is_plain else numbers),
        discount_factor=draw(st.floats(0, 1, exclude_min=True)),
    )


@st.composite
def linear(draw: st.DrawFn, domain: Domain) -> UtilitySpace:
    def coefficients() -> list[float]:
        numeric = (IntegerIssue, RealIssue)
        return [draw(numbers) if isinstance(i, numeric) else 0.0 for i in domain.issues]

    return LinearUtilitySpace(
        domain=domain,
        coefficients=coefficients(),
        constant=draw(numbers),
        scale=draw(st.floats(1e-3, 1e3)),
        limits=[Limit(coefficients(), draw(numbers)) for _ in range(draw(st.integers(0, 2)))],
        where={
            issue.name: issue.value_at(draw(st.integers(0, issue.size - 1)))
            for issue in draw(st.permutations(domain.issues))[: draw(st.integers(0, 2))]
            if issue.size
        },
        reservation_value=draw(numbers),
    )


@st.composite
def table(draw: st.DrawFn, domain: Domain) -> UtilitySpace:
    size = domain.size
    return TableUtilitySpace(
        domain=domain, table=draw(st.lists(numbers, min_size=size, max_size=size))
    )


@st.composite
def boxes(draw: st.DrawFn, domain: Domain) -> UtilitySpace:
    names = [issue.name for issue in domain.issues if isinstance(issue, IntegerIssue)]

    def box() -> HyperRectangle:
        bounded = draw(st.lists(st.sampled_from(names), unique=True)) if names else []
        bounds = {name: draw(integers()) for name in bounded}
        return HyperRectangle(
            draw(numbers), bounds, bool(bounds) and draw(st.booleans()), draw(numbers)
        )

    def aggregate(depth: int) -> Aggregate:
        return Aggregate(
            draw(st.sampled_from(["sum", "min", "max"])),
            [box() for _ in range(draw(st.integers(0, 2)))],
            [aggregate(depth - 1) for _ in range(draw(st.integers(0, 1)) if depth else 0)],
            draw(numbers),
        )

    return HyperRectangleUtilitySpace(
        domain=domain, aggregate=aggregate(2), max_utility=draw(numbers)
    )


@st.composite
def constraints(draw: st.DrawFn, domain: Domain) -> UtilitySpace:
    names = [i.name for i in domain.issues if isinstance(i, DiscreteIssue)]
    numeric = [i.name for i in domain.issues if isinstance(i, IntegerIssue)]
    name = st.sampled_from(names)

    def condition() -> Condition:
        if bool(numeric) and draw(st.booleans()):
            return Condition(draw(st.sampled_from(numeric)), "not negative")
        tests: st.SearchStrategy[Test] = st.sampled_from(["is", "contains", "lacks"])
        return Condition(draw(name), draw(tests), draw(st.lists(texts)))

    def constraint() -> Constraint:
        totals = st.none() | st.builds(Total, st.just(numeric), st.integers(), st.integers())
        return Constraint(draw(st.none() | name), [condition()], draw(totals))

    ranked = draw(st.lists(name, min_size=1, unique=True))
    return ConstraintUtilitySpace(
        domain=domain,
        ranks={n: draw(st.dictionaries(texts, st.integers(-9, 9))) for n in ranked},
        constraints=[constraint() for _ in range(draw(st.integers(0, 2)))],
    )


def profiles(domain: Domain) -> st.SearchStrategy[UtilitySpace]:
    kinds = [additive(domain), linear(domain), boxes(domain)]
    if domain.is_listable and domain.size <= 200:
        kinds.append(table(domain))
    if any(isinstance(issue, DiscreteIssue) for issue in domain.issues):
        kinds.append(constraints(domain))
    return st.one_of(kinds)


def deadlines() -> st.SearchStrategy[Deadline | None]:
    rounds = st.integers(1, 10**6)
    seconds = st.floats(0, 1e6, exclude_min=True)
    return (
        st.none()
        | st.builds(Deadline, rounds=rounds)
        | st.builds(Deadline, seconds=seconds)
        | st.builds(Deadline, rounds=rounds, seconds=seconds)
    )


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    """Any scenario that our own format can hold without loss."""
    domain = draw(domains())
    roles = draw(st.lists(texts, max_size=3, unique=True))
    return Scenario(
        domain,
        {role: draw(profiles(domain)) for role in roles},
        deadline=draw(deadlines()),
        protocol=draw(st.none() | texts),
        description=draw(st.just("") | texts),
    )


@st.composite
def plain_scenarios(draw: st.DrawFn, kinds: str, roles: tuple[str, ...] | None = None) -> Scenario:
    """Complete additive profiles with evaluations in [0, 1], as other formats have them."""
    domain = draw(domains(kinds))
    if roles is None:
        roles = tuple(sorted(draw(st.lists(words, min_size=1, max_size=3, unique=True))))
    return Scenario(domain, {role: draw(additive(domain, is_plain=True)) for role in roles})
