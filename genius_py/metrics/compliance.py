"""Whether a party keeps what its own interest and good faith ask of it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from genius_py.metrics._offers import NOISE, offers_by_party, profiles_of
from genius_py.metrics.base import UNDEFINED, OutcomeMetric
from genius_py.outcome import Outcome

__all__ = ["Compliance", "IrrationalOffers", "RetractedConcessions"]


def _is_irrational(own: NDArray[np.float64], reservation: float) -> NDArray[np.bool_]:
    """Which offers are worth less to their maker than no agreement."""
    return np.asarray(own < reservation - NOISE)


def _is_retracted(own: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which offers ask for more than their maker has been content with before."""
    if len(own) == 0:
        return np.zeros(0, dtype=np.bool_)
    least = np.minimum.accumulate(own)
    return np.concatenate(([False], own[1:] > least[:-1] + NOISE))


def _share(flags: NDArray[np.bool_]) -> float:
    return float(flags.mean()) if len(flags) else UNDEFINED


class IrrationalOffers(OutcomeMetric):
    """The share of a party's offers that are worth less to it than its reservation value.

    NaN for a party without offers.
    """

    name = "irrational_offers"

    def measure(self, outcome: Outcome) -> Mapping[str, float]:
        """By the true profile, undiscounted."""
        profiles = profiles_of(outcome)
        return {
            party: _share(_is_irrational(made.own, profiles[party].reservation_value))
            for party, made in offers_by_party(outcome).items()
        }


class RetractedConcessions(OutcomeMetric):
    """The share of a party's later offers that ask for more than it had been content with before.

    NaN for a party that made fewer than two offers.
    """

    name = "retracted_concessions"

    def measure(self, outcome: Outcome) -> Mapping[str, float]:
        """Own utility above the lowest of all earlier offers."""
        return {
            party: _share(_is_retracted(made.own)[1:])
            for party, made in offers_by_party(outcome).items()
        }


class Compliance(OutcomeMetric):
    """The share of a party's offers that are neither irrational nor take a concession back.

    NaN for a party without offers.
    """

    name = "compliance"

    def measure(self, outcome: Outcome) -> Mapping[str, float]:
        """1 is without blame."""
        profiles = profiles_of(outcome)
        return {
            party: _share(
                ~_is_irrational(made.own, profiles[party].reservation_value)
                & ~_is_retracted(made.own)
            )
            for party, made in offers_by_party(outcome).items()
        }
