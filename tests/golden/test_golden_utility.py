"""Domains, profiles and utilities are what Java Genius 10.4 made of the same files."""

from __future__ import annotations

import contextlib
import itertools
import json
import math
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
        "Genius's own reader of XML gives up on what is well-formed: comments in the body, '>' in "
        "a value, blanks that are no spaces.",
        lambda vector, error: "InvalidXMLException" in error or "attribute for tag" in error,
    ),
    Deviation(
        "Issues outside any objective, as in Genius's first years, are understood.",
        lambda vector, error: "ArrayIndexOutOfBounds" in error,
    ),
)
"""Genius refuses a domain or profile (with this error), we load it."""


@pytest.fixture
def vector(golden: Path, name: str) -> Vector:
    """The vector of a test."""
    return _read(golden / "utility" / name)


@cache
def _read(path: Path) -> Vector:
    vector: Vector = json.loads(path.read_text(encoding="utf-8"))
    assert "driver_error" not in vector
    return vector
