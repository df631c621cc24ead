"""BOA parties: a Bidding strategy, an Opponent model and an Acceptance condition, put together."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from genius_py.action import Action, Offer
from genius_py.allowed import Allowed
from genius_py.bid import Bid
from genius_py.bidding import BiddingParty
from genius_py.errors import OptionError
from genius_py.party import NegotiationInfo
from genius_py.session import Reply
from genius_py.strategies.bid_search import Search, ladder
from genius_py.strategies.boa_parts import (
    ACCEPTANCE,
    BROKEN_ACCEPTANCE,
    CHOICE,
    MODEL,
    OFFERING,
    Acceptance,
    Choice,
    MakeModel,
    Offering,
    Situation,
    part,
)
from genius_py.strategies.large_space import listed_place
from genius_py.strategies.model_strategy import candidates
from genius_py.strategies.opponent_model import OpponentModel
from genius_py.strategies.outcome_order import lowest_at_or_above

__all__ = ["BoaParty"]

_NOTED = 1_000
"""Most values, of all issues together, of which the estimates are noted."""

_WINDOW = 0.02
"""How far above the target bids are still candidates, where there are few."""


class BoaParty(BiddingParty):
    """Offers what the bidding strategy asks for and others like most, accepts by its condition.

    Parts are named with their parameters, ``combi_v3(a=1, b=0, c=0.6, t=0.7)``, or given as
    functions. Without a model the bid at the target utility is offered. With one, the choice is
    among the bids in a narrow window above it; each other party has a model of its own, and what
    counts is the mean of their estimates.

    The bid is planned before the offer is judged, so `next` compares with what would be offered.
    Never offers or accepts below the reservation value. With ``search="genius"`` it is Genius's
    party: the reservation value does not count, bids are found as there, and the acceptance
    conditions that fail there with an error do so here.

    At the end it notes what its models came to, as `genius_py.metrics.belief` reads it, unless the
    issues have more than 1000 values or the session is faithful.

    Args:
        offering: ``time_dependent(e, k, min, max)`` or ``shifted_time_dependent(e, k, min, max)``,
            which counts time from its first offer on.
        acceptance: ``next(a, b)``, ``previous(a, b)``, ``const(c)``, ``time(t)``, ``gap(c)``,
            ``abmp``, ``combi(a, b, t)`` and with the same parameters ``combi_avg``,
            ``combi_best_avg``, ``combi_max`` and ``combi_prob``, ``combi_max_in_window(t)``,
            ``combi_v2(a, b, c, d, t)``, ``combi_v3(a, b, c, t)``, ``combi_v4(a, b, c, d, e)``,
            ``always`` or ``never``.
        model: ``none``, ``hard_headed(l)``, ``smith`` or ``scalable_bayesian``.
        choice: ``best``, ``best_n(n)`` (one of these at random), ``nice`` (one of the best tenth at
            random, as Nice Tit for Tat does) or ``first`` (the best for the party itself).
        learns_until: progress from which on the models learn no more.
        search: ``at_or_above`` or ``genius``.

    Raises:
        OptionError: there is no such part or parameter.
    """

    name: ClassVar[str] = "boa"

    def __init__(
        self,
        offering: str | Offering = "time_dependent(e=0.2)",
        acceptance: str | Acceptance = "next",
        model: str | MakeModel = "none",
        choice: str | Choice = "best",
        learns_until: float = 1.0,
        search: Search = "at_or_above",
    ) -> None:
        if search not in ("at_or_above", "genius"):
            raise OptionError(f"There is no search {search!r}; use 'at_or_above' or 'genius'.")
        self.search: Search = search
        conditions = BROKEN_ACCEPTANCE if search == "genius" else ACCEPTANCE
        self._offering: Offering = part("offering", offering, OFFERING)
        self._acceptance: Acceptance = part("acceptance", acceptance, conditions)
        self._make_model: MakeModel | None = part("model", model, MODEL)
        self._choice: Choice = part("choice", choice, CHOICE)
        self._learns_until = learns_until

    def init(self, info: NegotiationInfo) -> None:
        """Order the own bids; nothing has been offered or heard yet."""
        super().init(info)
        self._rungs = ladder(info.utility_space, self.search)
        self._models: dict[str, OpponentModel] = {}
        self._offered: list[float] = []
        self._heard: list[float] = []
        self._heard_at: list[float] = []
        self._opened = math.nan

    def receive_message(self, sender: str | None, action: Action) -> None:
        """Learn from what others offer."""
        super().receive_message(sender, action)
        if isinstance(action, Offer) and sender is not None:
            self._heard.append(self.utility(action.bid))
            self._heard_at.append(self.time)
            if self._make_model is not None and self.time < self._learns_until:
                self._learn(sender, action.bid, self._make_model)

    def _learn(self, sender: str, bid: Bid, make_model: MakeModel) -> None:
        model = self._models.get(sender) or make_model(self.domain.shape)
        (places,) = _places([bid])
        self._models[sender] = model.update(places)

    def choose_action(self, allowed: Allowed) -> Action | Reply:
        """Act, and remember what was offered."""
        action = super().choose_action(allowed)
        if isinstance(action, Offer):
            self._offered.append(self.utility(action.bid))
        return action

    def propose(self) -> Bid | None:
        """The bid at the target, or of those near it the one that the models like most."""
        if math.isnan(self._opened):
            self._opened = self.time
        if self._least > self._rungs.maximum and self.search != "genius":
            return None
        target = self._offering(self._situation())
        if not self._models and self._make_model is None:
            return self._rungs.near(target)
        window = range(len(self._rungs))[self._window(target)]
        liked: list[Bid] = []
        if self._models:
            liked = self._rungs.trade_offs(target, target + _WINDOW, self._liking)
        # Where the ladder has some bids only, the best for the party itself stands for them.
        bids = [self._rungs.bid(rung) for rung in (window[:1] if liked else window)] + liked
        return bids[0] if len(bids) == 1 else bids[self._choice(self._values(bids), self.rng)]

    def accepts(self, bid: Bid) -> bool:
        """Whether the condition holds for a bid that is worth the reservation value."""
        utility, plan = self.utility(bid), self.plan()
        if self.search != "genius" and utility < self.reservation:
            return False
        planned = math.nan if plan is None else self.utility(plan)
        return self._acceptance(self._situation(offered=utility, planned=planned))

    def negotiation_ended(self, agreement: Bid | None) -> Mapping[str, object] | None:
        """Note down what each value adds for the others, by the models."""
        if not self._models or self.info.faithful or sum(self.domain.shape) > _NOTED:
            return None
        utilities = {other: self._worths(model) for other, model in self._models.items()}
        return {"belief": {"utilities": utilities}}

    def _worths(self, model: OpponentModel) -> dict[str, dict[str, float]]:
        """What a value adds beside the first one of its issue; models are sums over the issues."""
        shape = self.domain.shape
        bids = np.zeros((sum(shape), len(shape)), dtype=np.intp)
        starts = np.cumsum([0, *shape])
        for column, (start, stop) in enumerate(itertools.pairwise(starts)):
            bids[start:stop, column] = np.arange(stop - start)
        utilities = model.utilities(bids)
        added = (utilities - utilities[0]).tolist()
        return {
            issue.name: {str(issue.value_at(i)): added[start + i] for i in range(issue.size)}
            for issue, start in zip(self.domain.issues, starts, strict=False)
        }

    @property
    def _least(self) -> float:
        """The lowest utility to ask for."""
        if self.search == "genius":
            return self._rungs.minimum
        return max(self._rungs.minimum, self.reservation)

    def _situation(self, offered: float = math.nan, planned: float = math.nan) -> Situation:
        return Situation(
            t=self.time,
            opened=self._opened,
            minimum=self._least,
            maximum=self._rungs.maximum,
            discount=self.utility_space.discount_factor,
            offered=offered,
            planned=planned,
            previous=self._offered[-1] if self._offered else math.nan,
            heard=np.array(self._heard),
            heard_at=np.array(self._heard_at),
        )

    def _window(self, target: float) -> slice:
        utilities = self._rungs.utilities
        if self.search == "genius":
            return candidates(utilities, target)
        found = self._rungs.in_range(target, target + _WINDOW / 2)
        if len(found) < 100:
            found = self._rungs.in_range(target, target + _WINDOW)
        start = found.start if found else lowest_at_or_above(utilities, target)
        return slice(start, found.stop if found else start + 1)

    def _values(self, bids: Sequence[Bid]) -> NDArray[np.float64]:
        """What the bids are worth to the others, by the mean of the models."""
        if not self._models:
            return np.zeros(len(bids))
        return self._liking(_places(bids))

    def _liking(self, places: NDArray[np.intp]) -> NDArray[np.float64]:
        estimates = [model.utilities(places) for model in self._models.values()]
        return np.mean(estimates, axis=0) if len(estimates) > 1 else estimates[0]


def _places(bids: Sequence[Bid]) -> NDArray[np.intp]:
    """Where the values stand in the listing of their issues, shape (n_bids, n_issues)."""
    return np.array(
        [
            [
                listed_place(issue, value)
                for issue, value in zip(bid.domain.issues, bid.content, strict=True)
            ]
            for bid in bids
        ],
        dtype=np.intp,
    )
