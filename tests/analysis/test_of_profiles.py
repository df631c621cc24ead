"""The frontier of any profiles, by the way that fits them."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from genius_py.analysis import of_profiles
from genius_py.analysis.of_profiles import frontier_of
from genius_py.analysis.pareto import efficient, pareto_frontier
from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.errors import OutcomeSpaceTooLarge, ProfileError
from genius_py.issue import DiscreteIssue, IntegerIssue, RealIssue, TextIssue
from genius_py.utility import (
    AdditiveUtilitySpace,
    Aggregate,
    CallableUtilitySpace,
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
    UtilitySpace,
)

LETTERS = "abcd"


def discrete(n_issues: int, n_values: int = 4) -> Domain:
    return Domain("d", [DiscreteIssue(f"i{n}", LETTERS[:n_values]) for n in range(n_issues)])


def additive(domain: Domain, seed: int, total: float = 1.0) -> AdditiveUtilitySpace:
    """Random weights and evaluations of letters and of whole numbers."""
    rng = np.random.default_rng(seed)
    evaluators: list[Evaluator | None] = []
    for issue in domain.issues:
        if isinstance(issue, DiscreteIssue):
            evaluators.append(DiscreteEvaluator({v: float(rng.random()) for v in issue.values}))
        elif isinstance(issue, IntegerIssue):
            slope = 1.0 / (issue.upper - issue.lower)
            is_rising = rng.random() < 0.5
            evaluators.append(
                IntegerEvaluator(issue.lower, slope, 0.0)
                if is_rising
                else IntegerEvaluator(issue.lower, -slope, 1.0)
            )
        else:
            evaluators.append(None)
    weights = total * rng.dirichlet(np.ones(len(domain.issues)))
    return AdditiveUtilitySpace(domain=domain, weights=weights.tolist(), evaluators=evaluators)


def boxes(domain: Domain, seed: int, deep: bool = False) -> HyperRectangleUtilitySpace:
    """Random hyper-rectangles, some inside a weighted sum of their own."""
    rng = np.random.default_rng(seed)

    def box() -> HyperRectangle:
        bounds = {}
        for issue in domain.issues:
            assert isinstance(issue, IntegerIssue)
            if rng.random() < 0.6:
                low = int(rng.integers(issue.lower - 1, issue.upper + 1))
                bounds[issue.name] = low, low + int(rng.integers(0, 4))
        excludes = bool(bounds) and rng.random() < 0.2
        return HyperRectangle(float(rng.integers(1, 9)), bounds, excludes, 0.5)

    nested = [Aggregate("sum", [box(), box()], weight=2.0)] if deep else []
    return HyperRectangleUtilitySpace(
        domain=domain, aggregate=Aggregate("sum", [box() for _ in range(4)], nested), max_utility=20
    )


def linear(domain: Domain, coefficients: Sequence[float], **more: object) -> LinearUtilitySpace:
    return LinearUtilitySpace(domain=domain, coefficients=coefficients, **more)  # type: ignore[arg-type]


def listed(profiles: Sequence[UtilitySpace]) -> NDArray[np.float64]:
    """The frontier of all bids, by listing them."""
    points = np.column_stack([space.utilities() for space in profiles])
    return np.unique(points[efficient(points)], axis=0)


def worth(profiles: Sequence[UtilitySpace], bids: Sequence[Bid]) -> NDArray[np.float64]:
    return np.column_stack([space.utilities(bids) for space in profiles])


@pytest.fixture
def _nothing_is_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even small spaces go the way of the large ones."""
    monkeypatch.setattr(of_profiles, "_FEW", 0)
    monkeypatch.setattr("genius_py.analysis.boxes._FEW", 2)


NUMBERS = Domain("n", [IntegerIssue("x", 2, 5), IntegerIssue("y", -1, 2), IntegerIssue("z", 0, 2)])


@st.composite
def mixtures(draw: st.DrawFn) -> list[UtilitySpace]:
    """Profiles of two or three parties that are added up in one way or another."""
    seeds = draw(st.lists(st.integers(0, 10**6), min_size=2, max_size=3))
    kind = draw(st.sampled_from(["additive", "linear", "both", "boxes", "nested boxes"]))
    total = draw(st.sampled_from([1.0, 1.5]))
    profiles: list[UtilitySpace] = []
    for place, seed in enumerate(seeds):
        if kind.endswith("boxes"):
            profiles.append(boxes(NUMBERS, seed, kind.startswith("nested")))
        elif kind == "linear" or (kind == "both" and place == 0):
            coefficients = np.random.default_rng(seed).integers(-3, 4, 3).tolist()
            profiles.append(linear(NUMBERS, coefficients, constant=2, scale=4))
        else:
            profiles.append(additive(NUMBERS, seed, total))
    return profiles


@pytest.mark.usefixtures("_nothing_is_few")
@given(mixtures())
def test_what_is_merged_is_the_frontier_of_the_listed_space(profiles: list[UtilitySpace]) -> None:
    frontier, bid = frontier_of(profiles)
    bids = [bid(row) for row in range(len(frontier))]
    assert frontier.complete
    assert worth(profiles, bids) == pytest.approx(frontier.points, abs=1e-12)
    # To ten digits, since sums in another order may make one of two equal points the better one.
    expected = listed(profiles).round(10)
    found = frontier.points.round(10)
    assert np.unique(found, axis=0) == pytest.approx(
        np.unique(expected[pareto_frontier(expected)], axis=0), abs=1e-9
    )


@pytest.mark.usefixtures("_nothing_is_few")
def test_additive_profiles_are_merged_float_for_float() -> None:
    profiles = [additive(discrete(6), seed) for seed in (1, 2, 3)]
    frontier, _ = frontier_of(profiles)
    assert np.unique(frontier.points, axis=0).tolist() == listed(profiles).tolist()


def test_ten_to_the_thirty_bids_are_exact_and_have_their_bids() -> None:
    profiles = [additive(discrete(50), seed) for seed in (1, 2)]
    frontier, bid = frontier_of(profiles)
    assert frontier.complete
    bids = [bid(row) for row in range(len(frontier))]
    assert worth(profiles, bids).tolist() == frontier.points.tolist()


def test_free_text_that_is_worth_nothing_does_not_matter() -> None:
    domain = Domain("t", [TextIssue("note"), DiscreteIssue("colour", "ab")])
    evaluators = [None, DiscreteEvaluator({"a": 1.0, "b": 0.5})]
    space = AdditiveUtilitySpace(domain=domain, weights=[0, 1], evaluators=evaluators)
    frontier, bid = frontier_of([space, space])
    assert frontier.complete
    assert bid(0) == domain.bid(note="", colour="a")


def test_free_text_that_decides_cannot_be_analysed() -> None:
    domain = Domain("t", [TextIssue("note")])
    space = CallableUtilitySpace(domain=domain, function=lambda bid: len(str(bid["note"])))
    with pytest.raises(OutcomeSpaceTooLarge, match="free text"):
        frontier_of([space, space])


def test_listable_spaces_are_exact_whatever_the_profiles() -> None:
    domain = discrete(9)  # 262,144 bids, more than are few
    called = CallableUtilitySpace(domain=discrete(4), function=lambda bid: float(bid["i0"] == "a"))
    assert frontier_of([called])[0].complete
    profiles = [additive(domain, seed) for seed in range(5)]
    frontier, _ = frontier_of(profiles)
    assert frontier.complete
    assert np.unique(frontier.points, axis=0).tolist() == listed(profiles).tolist()
    ranks = {name: dict(zip(LETTERS, (0, 3, 1, 2), strict=True)) for name in domain.issue_names}
    fires = Constraint("i0", [Condition("i1", "is", ["b"])])
    ranked = ConstraintUtilitySpace(domain=domain, ranks=ranks, constraints=[fires])
    mixed = [ranked, profiles[0]]
    assert np.unique(frontier_of(mixed)[0].points, axis=0).tolist() == listed(mixed).tolist()


def test_what_has_no_structure_is_sampled_and_says_so() -> None:
    domain = discrete(30)
    ranks = {name: dict(zip(LETTERS, (0, 3, 1, 2), strict=True)) for name in domain.issue_names}
    fires = Constraint("i0", [Condition("i1", "is", ["b"])])
    ranked = ConstraintUtilitySpace(domain=domain, ranks=ranks, constraints=[fires])
    profiles = [ranked, additive(domain, 1)]
    frontier, bid = frontier_of(profiles)
    assert not frontier.complete
    assert frontier.error == np.inf
    assert frontier.examined == 100_000
    assert worth(profiles, [bid(0)]) == pytest.approx(frontier.points[:1])
    again, _ = frontier_of(profiles)
    assert again.points.tolist() == frontier.points.tolist()
    # What is found is near the best there is: the additive party's best bid, to begin with.
    assert frontier.points[:, 1].max() > 0.9 * sum(f.max() for f in profiles[1].factors())  # type: ignore[attr-defined]


def test_the_chance_of_a_sample_can_be_handed_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_profiles, "_BUDGET", 50)
    domain = discrete(30)
    ranks = {name: dict(zip(LETTERS, (0, 3, 1, 2), strict=True)) for name in domain.issue_names}
    profiles = [ConstraintUtilitySpace(domain=domain, ranks=ranks), additive(domain, 1)]
    first, other, again = (
        frontier_of(profiles, np.random.default_rng(seed))[0].points.tolist() for seed in (1, 2, 1)
    )
    assert first == again != other


def test_a_function_is_called_less_often() -> None:
    calls = []
    domain = discrete(30)
    called = CallableUtilitySpace(domain=domain, function=lambda bid: calls.append(bid) or 0.5)  # type: ignore[func-returns-value]
    frontier, _ = frontier_of([called, additive(domain, 1)])
    assert frontier.examined == len(calls) == 10_000


def test_limits_and_deals_of_others_are_no_sums() -> None:
    domain = Domain("n", [IntegerIssue("x", 0, 9), IntegerIssue("y", 0, 9)])
    bound = linear(domain, (1, 1), limits=[Limit((1, 1), 7)], scale=10)
    mine = linear(domain, (1, -1), where={"y": 3}, scale=10)
    frontier, _ = frontier_of([bound, mine])
    assert np.unique(frontier.points, axis=0).tolist() == listed([bound, mine]).tolist()


WIDE = 10**12


@pytest.mark.parametrize("width", [WIDE, 10**30])
def test_numbers_too_many_to_list_are_met_up_to_the_error(width: int) -> None:
    domain = Domain("w", [DiscreteIssue("kind", "ab"), IntegerIssue("price", 0, width)])
    kinds = DiscreteEvaluator({"a": 1.0, "b": 0.25})
    rising, falling = IntegerEvaluator(0, 1 / width, 0.0), IntegerEvaluator(0, -1 / width, 1.0)
    profiles = [
        AdditiveUtilitySpace(domain=domain, weights=[0.5, 0.5], evaluators=[kinds, line])
        for line in (rising, falling)
    ]
    frontier, bid = frontier_of(profiles)
    assert 0 < frontier.error < 1e-3
    rng = np.random.default_rng(0)
    bids = [domain.random_bid(rng) for _ in range(500)]
    excess = worth(profiles, bids)[:, None] - frontier.points
    assert excess.max(axis=2).min(axis=1).max() <= frontier.error + 1e-12
    assert worth(profiles, [bid(3)]) == pytest.approx(frontier.points[3:4])


def test_a_price_in_cents_has_its_zone_of_possible_agreement() -> None:
    domain = Domain("p", [IntegerIssue("cents", 0, 10**9)])
    seller = linear(domain, (1,), scale=10**9, reservation_value=0.500000001)
    buyer = linear(domain, (-1,), constant=10**9, scale=10**9, reservation_value=0.49999998)
    frontier, bid = frontier_of([seller, buyer])
    rational = (frontier.points >= (0.500000001, 0.49999998)).all(axis=1)
    assert {bid(int(row))["cents"] for row in np.flatnonzero(rational)} == set(
        range(500_000_001, 500_000_021)
    )
    assert 0 < frontier.error <= 1.1e-4


def test_a_price_on_a_line_meets_in_the_middle() -> None:
    domain = Domain("p", [TextIssue("scope"), RealIssue("price", 0.0, 100.0)])
    seller = linear(domain, (0, 1), scale=100, reservation_value=0.41)
    buyer = linear(domain, (0, -1), constant=100, scale=100, reservation_value=0.57)
    frontier, bid = frontier_of([seller, buyer])
    gains = (frontier.points - (0.41, 0.57)).min(axis=1)
    assert bid(int(gains.argmax()))["price"] == pytest.approx(42.0)


def test_a_wide_number_that_a_function_reads_has_no_bound() -> None:
    domain = Domain("p", [IntegerIssue("price", 0, WIDE)])
    space = CallableUtilitySpace(domain=domain, function=lambda bid: float(bid["price"] % 7))
    frontier, _ = frontier_of([space, space])
    assert not frontier.complete
    assert frontier.error == np.inf


def test_boxes_of_wide_numbers_are_exact() -> None:
    domain = Domain("w", [IntegerIssue("x", 5, WIDE), IntegerIssue("y", 5, WIDE)])

    def space(*boxes: tuple[float, dict[str, tuple[int, int]]]) -> HyperRectangleUtilitySpace:
        made = [HyperRectangle(worth, bounds) for worth, bounds in boxes]
        return HyperRectangleUtilitySpace(
            domain=domain, aggregate=Aggregate("sum", made), max_utility=10
        )

    one = space((4, {"x": (10, 10**9)}), (3, {"y": (0, 10**40)}))
    other = space((5, {"x": (10**9, 10**10), "y": (7, 7)}))
    frontier, bid = frontier_of([one, other])
    assert frontier.complete
    assert frontier.points.tolist() == [[0.7, 0.5]]
    assert dict(bid(0)) == {"x": 10**9, "y": 7}


def test_boxes_of_which_the_largest_counts_are_sampled() -> None:
    domain = Domain("w", [IntegerIssue(f"x{n}", 0, 9) for n in range(10)])
    boxes = [HyperRectangle(4, {"x1": (0, 3)}), HyperRectangle(8, {"x2": (4, 5)})]
    space = HyperRectangleUtilitySpace(
        domain=domain, aggregate=Aggregate("max", boxes), max_utility=8
    )
    frontier, _ = frontier_of([space, space])
    assert not frontier.complete
    assert frontier.points.max() == 1.0


def test_a_profile_that_is_silent_on_a_bid_is_refused() -> None:
    for domain in (discrete(2), discrete(40)):
        silent = AdditiveUtilitySpace(
            domain=domain,
            weights=[1.0] * len(domain.issues),
            evaluators=[None] * len(domain.issues),
        )
        with pytest.raises(ProfileError):
            frontier_of([silent, silent])


def test_profiles_without_any_box_are_worth_nothing_everywhere() -> None:
    domain = Domain("w", [IntegerIssue(f"x{n}", 0, 9) for n in range(10)])
    space = HyperRectangleUtilitySpace(domain=domain, aggregate=Aggregate("sum"), max_utility=1)
    frontier, _ = frontier_of([space, space])
    assert frontier.points.tolist() == [[0.0, 0.0]]


def test_numbers_beyond_64_bits_that_a_function_reads_are_refused() -> None:
    domain = Domain("w", [DiscreteIssue("kind", "ab"), IntegerIssue("price", 0, 10**30)])
    space = CallableUtilitySpace(domain=domain, function=lambda bid: 0.5)
    with pytest.raises(OutcomeSpaceTooLarge, match="64-bit"):
        frontier_of([space, space])
