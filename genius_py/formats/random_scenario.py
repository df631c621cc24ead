"""Random scenarios of a wished size and degree of conflict."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import numpy as np

from genius_py.domain import Domain
from genius_py.errors import OptionError
from genius_py.issue import DiscreteIssue
from genius_py.scenario import Scenario
from genius_py.utility import AdditiveUtilitySpace, DiscreteEvaluator

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["random_scenario", "random_scenario_of"]

_GRAIN = 2**20
"""Weights are multiples of 1 / _GRAIN, so that their float sum is 1 to the last bit."""

_MOST_ISSUES = 1000
"""To play and analyse so many takes a minute, and grows with their square."""

_MOST_EVALUATIONS = 1_000_000

_OPTIONS = {
    "issues": int,
    "values": int,
    "parties": int,
    "opposition": float,
    "reservation": float,
    "discount": float,
    "seed": int,
}


def random_scenario(
    *,
    issues: int = 5,
    values: int = 5,
    parties: int = 2,
    opposition: float = 0.5,
    reservation: float = 0.0,
    discount: float = 1.0,
    seed: int = 0,
) -> Scenario:
    """Additive profiles over `issues` discrete issues with `values` values each.

    `opposition` in [0, 1] says how much the parties are in each other's way. The standing of a
    value with a party is a standard normal number: sqrt(1 - opposition) times what all parties
    share plus sqrt(opposition) times what divides them, which sums to 0 over the parties. So the
    standings of two parties correlate by ``1 - opposition * n / (n - 1)``: equal at 0, unrelated
    at 0.5 and exactly opposite at 1 for two parties; as opposite as can be for more. Weights go
    from each party's own at 0 to common ones at 1, where nothing is left to trade, so that two
    parties play a zero-sum game.

    Weights are at least 0 and sum to exactly 1, evaluations lie in [0, 1] with the worst value of
    each issue at 0 and the best at 1, hence each party has a bid of utility 1. The same arguments
    give the same scenario; the same seed with another opposition gives a like one.

    Raises:
        OptionError: an argument is out of its range.
    """
    for name, number, least in (
        ("issues", issues, 1),
        ("values", values, 1),
        ("parties", parties, 1),
        ("seed", seed, 0),
    ):
        if number < least:
            raise OptionError(f"A random scenario needs {name} >= {least}, not {number}.")
    if issues > _MOST_ISSUES:
        raise OptionError(f"A random scenario has at most {_MOST_ISSUES} issues, not {issues}.")
    if issues * values * parties > _MOST_EVALUATIONS:
        raise OptionError(
            f"A random scenario has at most {_MOST_EVALUATIONS:,} evaluations, one for each value "
            f"of each issue and party; {issues} * {values} * {parties} are more."
        )
    if not 0 <= opposition <= 1:
        raise OptionError(f"The opposition lies in [0, 1]; {opposition} does not.")
    if not math.isfinite(reservation):
        raise OptionError(f"The reservation value is a finite number; {reservation} is not.")
    if not 0 < discount <= 1:
        raise OptionError(f"The discount factor lies in (0, 1]; {discount} does not.")
    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))
    weights = _weights(issues, parties, opposition, rng)
    standings = _standings((parties, issues, values), opposition, rng)
    domain = Domain(
        f"random:issues={issues},values={values},parties={parties},"
        f"opposition={opposition:g},seed={seed}",
        tuple(
            DiscreteIssue(f"issue{i + 1}", tuple(f"value{v + 1}" for v in range(values)))
            for i in range(issues)
        ),
    )
    profiles = {
        f"party{party + 1}": AdditiveUtilitySpace(
            domain=domain,
            reservation_value=reservation,
            discount_factor=discount,
            weights=weights[party].tolist(),
            evaluators=[
                DiscreteEvaluator(dict(zip(issue.values, worth.tolist(), strict=True)))
                for issue, worth in zip(domain.issues, standings[party], strict=True)
                if isinstance(issue, DiscreteIssue)
            ],
        )
        for party in range(parties)
    }
    return Scenario(domain, profiles)


def random_scenario_of(spec: str) -> Scenario:
    """The scenario of ``random:issues=5,values=10,parties=2,opposition=0.6,seed=1``.

    Options that are left out have the defaults of `random_scenario`.

    Raises:
        OptionError: an option is unknown or has an impossible value.
    """
    options: dict[str, float] = {}
    for part in filter(None, re.split(r"\s*,\s*", spec.strip().partition(":")[2].strip())):
        key, equals, text = part.partition("=")
        if not equals or key not in _OPTIONS:
            raise OptionError(f"{part!r} is not KEY=NUMBER with a key of {', '.join(_OPTIONS)}.")
        if key in options:
            raise OptionError(f"{spec!r} gives {key} twice; give it once.")
        try:
            options[key] = _OPTIONS[key](text)
        except ValueError:
            kind = "a whole number" if _OPTIONS[key] is int else "a number"
            raise OptionError(f"{key} of {spec!r} must be {kind}, not {text!r}.") from None
    return random_scenario(**options)  # type: ignore[arg-type]


def _weights(
    issues: int, parties: int, opposition: float, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Weights of shape (parties, issues), multiples of the grain."""
    drawn = rng.dirichlet(np.ones(issues), size=parties + 1)
    wished = ((1 - opposition) * drawn[:-1] + opposition * drawn[-1]) * _GRAIN
    grains: NDArray[np.float64] = np.floor(wished)
    # What rounding down has left over goes to those that lost most by it.
    for row, wish in zip(grains, wished, strict=True):
        left = _GRAIN - int(row.sum())
        row[np.argsort(row - wish, kind="stable")[:left]] += 1
    grains /= _GRAIN
    return grains


def _standings(
    shape: tuple[int, int, int], opposition: float, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Evaluations of shape (parties, issues, values), each issue's spread over [0, 1]."""
    parties = shape[0]
    shared = rng.standard_normal(shape[1:])
    own = rng.standard_normal(shape)
    if parties > 1:
        # Without the mean, which would be shared; scaled back to a variance of 1.
        own = (own - own.mean(axis=0)) * np.sqrt(parties / (parties - 1))
    standing = np.sqrt(1 - opposition) * shared + np.sqrt(opposition) * own
    low = standing.min(axis=2, keepdims=True)
    width = standing.max(axis=2, keepdims=True) - low
    spread: NDArray[np.float64] = np.divide(
        standing - low, width, out=np.ones_like(standing), where=width > 0
    )
    return spread.round(6)
