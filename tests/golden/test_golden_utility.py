"""Domains, profiles and utilities are what Java Genius 10.4 made of the same files."""

from __future__ import annotations

import json
import math
import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest
from numpy.typing import NDArray

from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.errors import DomainError, GeniusWarning, ProfileError
from genius_py.formats.genius_domain import GeniusDomain
from genius_py.formats.genius_xml import read_genius_domain, read_profile
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue
from genius_py.java import JavaRandom, bid_hashes, string_hash
from genius_py.strategies.outcome_order import genius_in_range, genius_nearest, genius_order
from genius_py.utility import AdditiveUtilitySpace, UtilitySpace

Vector = dict[str, Any]
"""One scenario as the Java driver printed it, or one profile of it."""

TOLERANCE = 1e-12


@attrs.frozen
class Deviation:
    """Where we differ from Genius on purpose: how the vector and our error show it."""

    reason: str
    is_shown_by: Callable[[Vector, str], bool]


STRICTER = (
    Deviation(
        "Genius takes reversed bounds and counts a negative number of bids.",
        lambda vector, error: vector["size"] < 0 and "below its lower bound" in error,
    ),
    Deviation(
        "Two issues with one number cannot be told apart in a bid or profile.",
        lambda vector, error: (
            len({issue["number"] for issue in vector["issues"]}) < len(vector["issues"])
            and "have the number" in error
        ),
    ),
    Deviation(
        "Values that differ only by blanks are one value written in two ways.",
        lambda vector, error: "differ only by blanks" in error,
    ),
    Deviation(
        "A domain without issues has nothing to negotiate about.",
        lambda vector, error: vector["issues"] == [] and "has no issues" in error,
    ),
)
"""Genius loads the domain, we refuse it."""

KINDER = (
    Deviation(
        "Genius's own reader of XML gives up on comments in the body, and on '>' in a value.",
        lambda vector, error: "attribute for tag" in error,
    ),
    Deviation(
        "Issues outside any objective, as in Genius's first years, are understood.",
        lambda vector, error: "ArrayIndexOutOfBounds" in error,
    ),
)
"""Genius refuses a domain or profile (with this error), we load it."""


def _names() -> list[str]:
    folder = os.environ.get("GENIUS_PY_GOLDEN")
    return sorted(path.stem for path in Path(folder, "utility").glob("*.json")) if folder else []


@pytest.fixture(params=_names() or [""])
def vector(request: pytest.FixtureRequest, golden: Path) -> Vector:
    """Each scenario in turn."""
    return _read(golden / "utility" / f"{request.param}.json")


@cache
def _read(path: Path) -> Vector:
    vector: Vector = json.loads(path.read_text(encoding="utf-8"))
    assert "driver_error" not in vector
    return vector


@cache
def _domain(path: Path) -> GeniusDomain | DomainError:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GeniusWarning)
        try:
            return read_genius_domain(path)
        except DomainError as error:
            return error


@cache
def _profile(path: Path, genius: GeniusDomain) -> UtilitySpace | DomainError:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GeniusWarning)
        try:
            return read_profile(path, genius)
        except DomainError as error:
            return error


@pytest.fixture
def genius(golden: Path, vector: Vector) -> GeniusDomain:
    """The domain of a scenario."""
    genius = _domain(golden / "inputs" / vector["domain_file"])
    if isinstance(genius, DomainError) or "domain_error" in vector:
        pytest.skip("the domain is refused by Genius or by us, which another test looks at")
    return genius


@pytest.fixture
def domain(genius: GeniusDomain) -> Domain:
    """The domain of a scenario, without numbers."""
    return genius.domain


@pytest.fixture
def spaces(golden: Path, vector: Vector, genius: GeniusDomain) -> list[tuple[Vector, UtilitySpace]]:
    """The profiles of a scenario that both Genius and we load, with what it printed of them."""
    read = [(p, _profile(golden / "inputs" / p["file"], genius)) for p in vector["profiles"]]
    return [
        (profile, space)
        for profile, space in read
        if not isinstance(space, DomainError) and "load_error" not in profile
    ]


def _number(printed: float | str) -> float:
    """A printed number; NaN and infinities are texts."""
    return float(printed)


def _is_error(printed: float | str) -> bool:
    return isinstance(printed, str) and printed.startswith("ERR")


def _leaves(tree: Vector) -> Iterator[Vector]:
    """The issues below an objective of the printed tree: those of inner objectives first."""
    for child in tree["children"]:
        if child["kind"] == "OBJECTIVE":
            yield from _leaves(child)
    for child in tree["children"]:
        if child["kind"] != "OBJECTIVE":
            yield child


def _expected_issue(leaf: Vector) -> Issue:
    match leaf["kind"]:
        case "DISCRETE":
            return DiscreteIssue(leaf["name"], leaf["values"])
        case "INTEGER":
            return IntegerIssue(leaf["name"], leaf["lower"], leaf["upper"])
        case "REAL":
            return RealIssue(leaf["name"], leaf["lower"], leaf["upper"])
    raise AssertionError(leaf)


def _is_deliberate(table: tuple[Deviation, ...], vector: Vector, error: str) -> bool:
    return any(deviation.is_shown_by(vector, error) for deviation in table)


def test_a_domain_is_loaded_or_refused_as_genius_does(golden: Path, vector: Vector) -> None:
    genius = _domain(golden / "inputs" / vector["domain_file"])
    refusal = str(vector.get("domain_error", ""))
    if isinstance(genius, DomainError):
        assert genius.file is not None
        assert refusal or _is_deliberate(STRICTER, vector, str(genius)), genius
    else:
        assert not refusal or _is_deliberate(KINDER, vector, refusal), refusal


def test_a_profile_is_loaded_or_refused_as_genius_does(
    golden: Path, vector: Vector, genius: GeniusDomain
) -> None:
    for profile in vector["profiles"]:
        space = _profile(golden / "inputs" / profile["file"], genius)
        refusal = str(profile.get("load_error", ""))
        if isinstance(space, DomainError):
            # What Genius loads although it can evaluate no bid of it, we refuse.
            assert refusal or all(map(_is_error, profile["utilities"])), space
        else:
            assert not refusal or _is_deliberate(KINDER, vector, refusal), refusal


def test_issues_are_those_of_genius_in_its_order(vector: Vector, genius: GeniusDomain) -> None:
    leaves = list(_leaves(vector["tree"]))
    assert genius.numbers == tuple(leaf["index"] for leaf in leaves)
    assert genius.domain.issues == tuple(map(_expected_issue, leaves))
    assert [issue["n"] for issue in vector["issues"]] == list(genius.domain.shape)
    assert genius.domain.size == vector["size"]


def test_a_bid_has_the_index_and_the_hash_of_genius(vector: Vector, domain: Domain) -> None:
    for printed in vector["bids"]:
        bid = domain.bid(printed["bid"])
        if "index" not in printed:
            continue
        listed = domain.bid_at(printed["index"])
        assert listed == bid
        assert domain.bid_at(bid.index) == bid  # where a value is listed twice, the first counts
        assert list(listed.values()) == list(printed["bid"].values())
        if not any(isinstance(issue, RealIssue) for issue in domain.issues):
            [hash_of_bid] = bid_hashes([[_value_hash(value)] for value in bid.content])
            assert hash_of_bid == printed["hash"]


def test_random_bids_are_those_that_genius_draws(vector: Vector, domain: Domain) -> None:
    random = JavaRandom(7)
    for printed in vector["bids"]:
        if "random_seed7_draw" in printed:
            assert domain.bid(printed["bid"]) == _drawn(domain, random)


def _value_hash(value: object) -> int:
    return string_hash(value) if isinstance(value, str) else 0


def _drawn(domain: Domain, random: JavaRandom) -> Bid:
    values: dict[str, object] = {}
    for issue in domain.issues:
        place = math.floor(random.next_double() * issue.size)
        if isinstance(issue, RealIssue):
            # Of another grid than the listing: it divides by 21, so never draws the upper bound.
            values[issue.name] = issue.lower + (issue.upper - issue.lower) / 21 * place
        else:
            values[issue.name] = issue.value_at(place)
    return domain.bid(values)


def test_utilities_are_those_of_genius(
    vector: Vector, domain: Domain, spaces: list[tuple[Vector, UtilitySpace]]
) -> None:
    bids = [domain.bid(printed["bid"]) for printed in vector["bids"]]
    for profile, space in spaces:
        for bid, printed in zip(bids, profile["utilities"], strict=True):
            if _is_error(printed):
                with pytest.raises(ProfileError):
                    space.utility(bid)
            else:
                expected = pytest.approx(_number(printed), abs=TOLERANCE, nan_ok=True)
                assert space.utility(bid) == expected, bid


def test_utilities_on_arrays_are_those_of_single_bids(
    vector: Vector, domain: Domain, spaces: list[tuple[Vector, UtilitySpace]]
) -> None:
    if domain.size > np.iinfo(np.int64).max:
        pytest.skip("bids of this domain have no 64-bit index")
    indices = np.array([b["index"] for b in vector["bids"] if "index" in b], dtype=np.int64)
    for _, space in spaces:
        if space.complaint:
            with pytest.raises(ProfileError):
                space.utilities(indices)
            continue
        single = [space.utility(domain.bid_at(int(index))) for index in indices]
        np.testing.assert_array_equal(space.utilities(indices), single)


def test_discounted_values_are_those_of_genius(
    vector: Vector, spaces: list[tuple[Vector, UtilitySpace]]
) -> None:
    for profile, space in spaces:
        assert space.reservation_value == profile["reservation_value"]
        assert space.discount_factor == profile["discount_factor"]
        reservation = profile["reservation_discounted_t0_t0.5_t1"]
        for time, reserved in zip((0, 0.5, 1), reservation, strict=True):
            assert space.reservation_at(1, time) == pytest.approx(reserved, abs=TOLERANCE)
            pairs = zip(profile["utilities"], profile[f"discounted_t{time}"], strict=True)
            for utility, discounted in pairs:
                if discounted is not None:
                    found = space.discounted(_number(utility), time)
                    assert found == pytest.approx(_number(discounted), abs=TOLERANCE, nan_ok=True)


def test_weights_are_those_of_genius(spaces: list[tuple[Vector, UtilitySpace]]) -> None:
    for profile, space in spaces:
        if isinstance(space, AdditiveUtilitySpace):
            weights = dict(zip(space.domain.issue_names, space.weights, strict=True))
            for name, weight in profile["weights"].items():
                if not _is_error(weight):
                    assert weights[name] == (weight or 0.0)


def test_a_profile_is_complete_when_genius_says_so(
    spaces: list[tuple[Vector, UtilitySpace]],
) -> None:
    for profile, space in spaces:
        # Genius calls a real issue without function complete, and fails when it is evaluated.
        fails = any(map(_is_error, profile["utilities"]))
        assert bool(space.complaint) == (fails or profile["isComplete"] is not None)


def test_the_best_and_the_worst_bid_are_those_of_genius(
    spaces: list[tuple[Vector, UtilitySpace]],
) -> None:
    for profile, space in spaces:
        if "max_bid" not in profile:
            continue
        utilities = space.utilities()
        # Genius starts to look for the maximum at 0 and for the minimum at 1.2.
        best, worst = int(utilities.argmax()), int(utilities.argmin())
        assert _extreme(best, utilities) == profile["max_bid"] or utilities[best] <= 0
        assert _extreme(worst, utilities) == profile["min_bid"] or utilities[worst] >= 1.2
        assert (profile["max_bid"] is None) == (utilities[best] <= 0)
        assert (profile["min_bid"] is None) == (utilities[worst] >= 1.2)


def _extreme(index: int, utilities: NDArray[np.float64]) -> Mapping[str, object]:
    return {"index": index, "utility": pytest.approx(utilities[index], abs=TOLERANCE)}


def _sorted(space: UtilitySpace) -> tuple[list[Bid], NDArray[np.float64]]:
    """All bids as Genius sorts them, and their utilities."""
    domain, utilities = space.domain, space.utilities()
    values = ([issue.value_at(i) for i in range(issue.size)] for issue in domain.issues)
    order = genius_order(utilities, bid_hashes([list(map(_value_hash, v)) for v in values]))
    return [domain.bid_at(int(index)) for index in order], utilities[order]


def test_bids_are_sorted_and_found_as_genius_does(
    spaces: list[tuple[Vector, UtilitySpace]],
) -> None:
    for profile, space in spaces:
        if "sorted_first40" not in profile or space.complaint:
            continue
        bids, descending = _sorted(space)
        bid_at = space.domain.bid_at
        for bid, index in zip(bids, profile["sorted_first40"], strict=False):
            assert bid == bid_at(index)
        for printed in profile.get("bid_near_utility", ()):
            place = genius_nearest(descending, printed["target"])
            assert place == printed["pos"]
            assert bids[place] == bid_at(printed["bid_index"])
            assert descending[place] == pytest.approx(printed["utility"], abs=TOLERANCE)
        for printed in profile.get("bids_in_range", ()):
            found = bids[genius_in_range(descending, printed["lower"], printed["upper"])]
            assert len(found) == printed["count"]
            assert (found[0], found[-1]) == (bid_at(printed["first"]), bid_at(printed["last"]))
