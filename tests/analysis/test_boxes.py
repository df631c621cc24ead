"""The frontier of hyper-rectangle profiles."""

import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py import formats
from genius_py.analysis import boxes
from genius_py.analysis.boxes import BoxProfiles, box_frontier
from genius_py.analysis.pareto import pareto_frontier
from genius_py.errors import GeniusWarning, OptionError
from genius_py.issue import IntegerIssue
from genius_py.utility import HyperRectangleUtilitySpace


@st.composite
def profiles(draw: st.DrawFn) -> BoxProfiles:
    """Small listable spaces of 2 or 3 parties, with losses and with boxes that exclude."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=5))
    n_boxes = draw(st.integers(1, 8))
    n_parties = draw(st.integers(2, 3))
    lower = rng.integers(0, sizes, (n_boxes, len(sizes)))
    upper = np.minimum(lower + rng.integers(0, 4, lower.shape), np.array(sizes) - 1)
    is_free = rng.random(lower.shape) < 0.4
    worth = np.zeros((n_boxes, n_parties))
    worth[np.arange(n_boxes), rng.integers(n_parties, size=n_boxes)] = rng.integers(
        draw(st.sampled_from([-3, 1])), 9, n_boxes
    )
    excludes = rng.random(n_boxes) < draw(st.sampled_from([0.0, 0.3]))
    lower, upper = np.where(is_free, 0, lower), np.where(is_free, np.array(sizes) - 1, upper)
    return BoxProfiles(sizes, lower, upper, worth, excludes, np.full(n_parties, 10.0))


def listed(profiles: BoxProfiles) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return profiles.points(np.indices(profiles.sizes).reshape(len(profiles.sizes), -1).T)


@pytest.fixture
def _little_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """No small space is listed, so that the search itself has to find the frontier."""
    monkeypatch.setattr(boxes, "_FEW", 2)
    monkeypatch.setattr(boxes, "_MANY", 3)


@pytest.mark.usefixtures("_little_known")
@given(profiles())
def test_the_frontier_is_that_of_the_listed_space(profiles: BoxProfiles) -> None:
    points = listed(profiles)
    found = box_frontier(profiles)
    expected = np.unique(points[pareto_frontier(points)], axis=0)
    assert found.complete
    assert np.unique(found.points, axis=0).tolist() == expected.tolist()
    assert profiles.points(found.bids).tolist() == found.points.tolist()


@pytest.mark.usefixtures("_little_known")
@given(profiles(), st.sampled_from([1, 3, 10]))
def test_no_bid_is_missed_by_more_than_the_error(profiles: BoxProfiles, limit: int) -> None:
    found = box_frontier(profiles, limit=limit)
    missed = listed(profiles)[:, None, :] - found.points
    assert missed.max(axis=2).min(axis=1).max() <= found.error + 1e-12


def test_a_box_reaches_both_of_its_bounds() -> None:
    one = BoxProfiles([4], [[1]], [[2]], [[1.0]], [False], [2.0])
    assert one.points([[0], [1], [2], [3]])[:, 0].tolist() == [0.0, 0.5, 0.5, 0.0]
    other = BoxProfiles([4], [[1]], [[2]], [[1.0]], [True], [2.0])
    assert other.points([[0], [1], [2], [3]])[:, 0].tolist() == [0.5, 0.0, 0.0, 0.5]


def test_utilities_are_capped_at_1_unless_told_otherwise() -> None:
    arrays = ([2], [[0], [0]], [[1], [0]], [[1.0], [1.0]], [False, False], [1.0])
    assert BoxProfiles(*arrays).points([[0], [1]])[:, 0].tolist() == [1.0, 1.0]
    assert BoxProfiles(*arrays, cap=None).points([[0], [1]])[:, 0].tolist() == [2.0, 1.0]


def test_issues_of_a_billion_values_are_no_trouble() -> None:
    million = 10**6
    profiles = BoxProfiles(
        [1000 * million] * 2,
        [[5 * million, 0], [0, 7 * million], [900 * million, 0]],
        [[800 * million, 1000 * million - 1], [1000 * million - 1] * 2, [1000 * million - 1] * 2],
        [[2.0, 0.0], [1.0, 1.0], [0.0, 3.0]],
        [False] * 3,
        [10.0, 10.0],
    )
    found = box_frontier(profiles)
    assert found.complete
    assert sorted(found.points.tolist()) == [[0.1, 0.4], [0.3, 0.1]]


@pytest.mark.parametrize(
    ("lower", "divisor"), [([[0, 0]], [1.0]), ([[0]], [1.0, 1.0]), ([[0]], [0.0])]
)
def test_shapes_that_do_not_fit_are_refused(lower: list[list[int]], divisor: list[float]) -> None:
    with pytest.raises(OptionError, match="Boxes over 1 issues need"):
        BoxProfiles([2], lower, [[1]], [[1.0]], [False], divisor)


def test_a_limit_of_nothing_is_refused() -> None:
    with pytest.raises(OptionError, match="at least 1"):
        box_frontier(BoxProfiles([2], [[0]], [[1]], [[1.0]], [False], [1.0]), limit=0)


def profiles_in(folder: Path) -> BoxProfiles:
    """The profiles of a Genius domain of boxes that are summed."""
    (domain_file,) = folder.glob("*domain.xml")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GeniusWarning)
        scenario = formats.load(domain_file, sorted(folder.glob("profile-*.xml")))
    issues = scenario.domain.issues
    lowest = [issue.lower for issue in issues if isinstance(issue, IntegerIssue)]
    lower, upper, worth, divisor = [], [], [], []
    for party, space in enumerate(scenario.profiles.values()):
        assert isinstance(space, HyperRectangleUtilitySpace)
        divisor.append(space.max_utility)
        for box in space.aggregate.boxes:
            bounds = [(0, size - 1) for size in scenario.domain.shape]
            for name, (low, high) in box.bounds.items():
                place = scenario.domain.issue_position(name)
                bounds[place] = (low - lowest[place], high - lowest[place])
            lower.append([low for low, _ in bounds])
            upper.append([high for _, high in bounds])
            worth.append([box.utility * box.weight * (party == column) for column in range(2)])
    return BoxProfiles(scenario.domain.shape, lower, upper, worth, [False] * len(worth), divisor)


def shipped_frontier(folder: Path) -> list[list[float]]:
    """The points of a domain's ``pareto.xml``: lines of two numbers, in single precision."""
    text = (folder / "pareto.xml").read_text()
    return [[float(n) for n in re.findall(r"[-+.\dE]+", line)] for line in text.split("\n") if line]


@pytest.mark.parametrize("folder", ["hyperrect10", "hyperrect_nikfrt1"])
def test_the_frontier_that_genius_shipped_is_found(golden: Path, folder: str) -> None:
    path = golden / "inputs" / folder
    if not path.is_dir():
        pytest.skip(f"{path} is not there")
    profiles = profiles_in(path)
    found = box_frontier(profiles)
    assert found.complete
    assert np.sort(found.points, axis=0) == pytest.approx(
        np.sort(shipped_frontier(path), axis=0), abs=1e-6
    )


def test_ten_to_the_ten_bids_have_ten_efficient_ones(corpus: Path) -> None:
    path = corpus / "negmas" / "tests__data__scenarios__anac__y2014__10issues"
    if not path.is_dir():
        pytest.skip(f"{path} is not there")
    profiles = profiles_in(path)
    fives, zeros = [5] * 10, [0] * 10
    mixed, best = [7, 8, 9, 3, 2, 5, 1, 6, 4, 0], [7, 7, 7, 7, 2, 4, 9, 0, 6, 0]
    expected = [
        (0.56948640, 0.93220339),
        (0.28096677, 0.59887006),
        (0.55589124, 0.68135593),
        (1.0, 0.42711864),
    ]
    assert profiles.points([fives, zeros, mixed, best]) == pytest.approx(
        np.array(expected), abs=1e-8
    )
    found = box_frontier(profiles)
    assert found.complete
    # The party's best bid above is not efficient: another gives it as much and the other more.
    assert found.points[np.argsort(found.points[:, 0])] == pytest.approx(
        np.array(
            [
                (0.67824773, 1.0),
                (0.67975831, 0.93220339),
                (0.75830816, 0.91638418),
                (0.78549849, 0.85423729),
                (0.82477341, 0.82146893),
                (0.82628399, 0.75367232),
                (0.91842900, 0.74576271),
                (0.91993958, 0.67796610),
                (0.99848943, 0.66214689),
                (1.0, 0.59435028),
            ]
        ),
        abs=1e-8,
    )
