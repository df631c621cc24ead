"""How well a party knew its opponent, from what it noted down for itself.

A party states beliefs in its private notes, under the key "belief"; everything in it is optional::

    Reply(action, notes={"belief": {
        "accept": 0.7,                    # chance that the offer made in this turn is accepted
        "reservation": 0.4,               # the opponent's reservation value, in its own utility
        "utilities": {"colour": {"red": 0.3, "blue": 0.0}},   # what each value adds for it
    }})

With several opponents "reservation" and "utilities" map each opponent's id to these.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from genius_py.action import Accept, Offer
from genius_py.errors import OptionError
from genius_py.log import Event, Kind
from genius_py.metrics._offers import NOISE, profiles_of
from genius_py.metrics.base import UNDEFINED, OutcomeMetric
from genius_py.outcome import Outcome
from genius_py.utility import UtilitySpace

__all__ = [
    "AcceptanceCalibration",
    "OpponentModelKendall",
    "OpponentModelPearson",
    "ReservationBeliefError",
    "kendall_accuracy",
    "pearson_accuracy",
]


def pearson_accuracy(estimated: ArrayLike, true: ArrayLike) -> float:
    """The correlation of estimated with true utilities of the same bids, shapes (n_bids,).

    1 is a perfect model up to scale and shift; NaN where one of them is constant. Used for opponent
    models by Hindriks & Tykhonov (2008) and Baarslag et al. (2013).

    >>> round(pearson_accuracy([0.0, 0.5, 1.0], [0.2, 0.3, 0.4]), 12)
    1.0
    """
    x, y = _pair(estimated, true)
    if len(x) < 2 or np.ptp(x) <= NOISE or np.ptp(y) <= NOISE:
        return UNDEFINED
    return float(np.corrcoef(x, y)[0, 1])


def kendall_accuracy(estimated: ArrayLike, true: ArrayLike) -> float:
    """Kendall's tau-b of estimated and true utilities of the same bids, shapes (n_bids,).

    1 is the right order of all bids; NaN where one of them is constant.

    >>> round(kendall_accuracy([0.0, 0.5, 1.0], [0.1, 0.2, 0.9]), 12)
    1.0
    """
    from scipy.stats import kendalltau  # half a second to import

    x, y = _pair(estimated, true)
    if len(x) < 2 or np.ptp(x) <= NOISE or np.ptp(y) <= NOISE:
        return UNDEFINED
    return float(kendalltau(x, y).statistic)


def _pair(estimated: ArrayLike, true: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    x, y = np.asarray(estimated, dtype=np.float64), np.asarray(true, dtype=np.float64)
    if x.ndim != 1 or x.shape != y.shape:
        raise OptionError(
            f"A model estimates one utility for each true one; got the shapes {x.shape}, {y.shape}."
        )
    return x, y


def _beliefs(outcome: Outcome, party: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """What a party believed, oldest first, each with its place in the log."""
    for place, event in enumerate(outcome.log):
        if event.kind == Kind.NOTE and event.party == party and isinstance(event.detail, Mapping):
            belief = event.detail.get("belief")
            if isinstance(belief, Mapping):
                yield place, belief


def _about(stated: object, opponent: str, opponents: list[str]) -> object:
    """What is stated about one of the opponents; alone it need not be named."""
    if isinstance(stated, Mapping) and opponent in stated:
        return stated[opponent]
    return stated if len(opponents) == 1 else None


class AcceptanceCalibration(OutcomeMetric):
    """How far off a party was about whether its offers would be accepted, 0 (never) to 1.

    The mean of (stated probability - what happened)^2 (Brier, 1950, "Verification of forecasts
    expressed in terms of probability"), over the offers for which its notes state one. An offer is
    accepted when the next action of another party accepts it. NaN without statements.
    """

    name = "acceptance_calibration"
    aliases = ("belief_calibration",)

    def measure(self, outcome: Outcome) -> Mapping[str, float]:
        """The Brier score of each party."""
        events = tuple(outcome.log)
        return {
            seat.id: _mean(
                (float(belief["accept"]) - came_true) ** 2
                for place, belief in _beliefs(outcome, seat.id)
                if "accept" in belief
                and (came_true := _is_accepted(events[place:], seat.id)) is not None
            )
            for seat in outcome.plan.parties
        }


def _is_accepted(ahead: tuple[Event, ...], party: str) -> float | None:
    """Whether the offer that follows a note was accepted at once; None if none follows."""
    actions = [event for event in ahead if event.kind == Kind.ACTION]
    made = next((i for i, event in enumerate(actions) if event.party == party), None)
    if made is None or not isinstance(offer := actions[made].action, Offer):
        return None
    answer = next((e.action for e in actions[made + 1 :] if e.party != party), None)
    return float(isinstance(answer, Accept) and answer.bid == offer.bid)


class ReservationBeliefError(OutcomeMetric):
    """How far off a party was about its opponents' reservation values, on average.

    The mean of |stated - true| / (best - worst utility of that opponent), over all statements in
    its notes. NaN without statements.
    """

    name = "reservation_belief_error"

    def measure(self, outcome: Outcome) -> Mapping[str, float]:
        """Each party for itself; 0 is right."""
        profiles = profiles_of(outcome)
        return {party: self._error(outcome, party, profiles) for party in profiles}

    def _error(self, outcome: Outcome, party: str, profiles: Mapping[str, UtilitySpace]) -> float:
        opponents = [other for other in profiles if other != party]
        return _mean(
            abs(float(stated) - profiles[other].reservation_value) / _range(profiles[other])
            for _, belief in _beliefs(outcome, party)
            for other in opponents
            if isinstance(
                stated := _about(belief.get("reservation"), other, opponents), int | float
            )
        )


def _range(space: UtilitySpace) -> float:
    return float(np.ptp(space.utilities())) or 1.0


class _ModelAccuracy(OutcomeMetric):
    def measure(self, outcome: Outcome) -> Mapping[str, float]:
        """Of the last model in each party's notes, over all bids, averaged over its opponents."""
        profiles = profiles_of(outcome)
        return {party: self._of(outcome, party, profiles) for party in profiles}

    def _of(self, outcome: Outcome, party: str, profiles: Mapping[str, UtilitySpace]) -> float:
        opponents = [other for other in profiles if other != party]
        models: dict[str, Mapping[str, Any]] = {}
        for _, belief in _beliefs(outcome, party):
            for other in opponents:
                model = _about(belief.get("utilities"), other, opponents)
                if isinstance(model, Mapping):
                    models[other] = model
        return _mean(
            self.accuracy(_estimates(model, profiles[other]), profiles[other].utilities())
            for other, model in models.items()
        )

    @abstractmethod
    def accuracy(self, estimated: ArrayLike, true: ArrayLike) -> float:
        """How alike the utilities of the same bids are."""


class OpponentModelPearson(_ModelAccuracy):
    """How well a party's last stated model of its opponent correlates with the truth, -1 to 1.

    Pearson's correlation over all bids of the domain. NaN without a stated model.
    """

    name = "opponent_model_pearson"

    def accuracy(self, estimated: ArrayLike, true: ArrayLike) -> float:
        """Pearson's r."""
        return pearson_accuracy(estimated, true)


class OpponentModelKendall(_ModelAccuracy):
    """How well a party's last stated model of its opponent orders the bids, -1 to 1.

    Kendall's tau-b over all bids of the domain. NaN without a stated model.
    """

    name = "opponent_model_kendall"

    def accuracy(self, estimated: ArrayLike, true: ArrayLike) -> float:
        """Kendall's tau."""
        return kendall_accuracy(estimated, true)


def _estimates(model: Mapping[str, Any], space: UtilitySpace) -> NDArray[np.float64]:
    """The stated worth of every bid, in index order; what is not mentioned adds nothing."""
    domain = space.domain
    domain.require_listable()
    total = np.zeros(domain.size)
    positions = domain.positions()
    for issue, column in zip(domain.issues, positions.T, strict=True):
        # Logs hold values as JSON, whose keys are texts.
        stated = {str(value): float(worth) for value, worth in model.get(issue.name, {}).items()}
        worths = [stated.get(str(issue.value_at(place)), 0.0) for place in range(issue.size)]
        total += np.array(worths)[column]
    return total


def _mean(values: Iterator[float]) -> float:
    found = [value for value in values if not math.isnan(value)]
    return math.fsum(found) / len(found) if found else UNDEFINED
