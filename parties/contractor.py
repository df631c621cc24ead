"""Contractor: proposes to do a job in a contract net, and manages one where it has to."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

import attrs

from genius_py.action import Accept, Action, Reject
from genius_py.allowed import Allowed, Number, OneOf
from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.errors import DomainError, OptionError, StrategyError
from genius_py.issue import DiscreteIssue, IntegerIssue, RealIssue
from genius_py.party import NegotiationInfo, NegotiationParty
from genius_py.protocols.contract_net import CallForProposals, Decline, Propose
from genius_py.strategies.auction_bids import break_even
from genius_py.utility import LinearUtilitySpace, UtilitySpace

__all__ = ["Contractor"]


class Contractor(NegotiationParty):
    """Proposes its own cost and a markup on it that shrinks to nothing by the last round.

    In the manager's seat it calls for proposals and accepts the one that is worth most to it, if
    that is worth its reservation value.

    Args:
        cost: what doing the job costs it; what the profile says unless given (see `profile_for`).
        markup: what it asks for on top of that at first, as a share of it.
        time: the time that it promises; the middle of the domain's range unless given.
        confidence: the confidence that it states, in [0, 1].
    """

    name: ClassVar[str] = "contractor"
    plays: ClassVar[tuple[str, ...]] = ("contract_net",)

    def __init__(
        self,
        cost: float | None = None,
        markup: float = 0.2,
        time: float | None = None,
        confidence: float = 0.9,
    ) -> None:
        if markup < 0:
            raise OptionError(f"markup must be 0 or more, not {markup!r}.")
        if not 0 <= confidence <= 1:
            raise OptionError(f"confidence must lie in [0, 1], not {confidence!r}.")
        self._cost = cost
        self._markup = markup
        self._time = time
        self._confidence = confidence

    @classmethod
    def profile_for(cls, space: UtilitySpace, options: Mapping[str, object]) -> UtilitySpace:
        """The profile in which the job, as it is promised, costs the `cost`, when one is given.

        Raises:
            OptionError: the profile is not linear, or the options are no numbers.
        """
        if options.get("cost") is None:
            return space
        if not isinstance(space, LinearUtilitySpace):
            raise OptionError(
                "cost= needs a linear profile; leave it out, and the profile decides."
            )
        terms = cls(**options)._promise(space.domain)  # type: ignore[arg-type]
        terms["cost"] = options["cost"]  # type: ignore[assignment]
        slopes = zip(space.domain.issue_names, space.coefficients, strict=True)
        due = sum(slope * terms[name] for name, slope in slopes if slope)
        return attrs.evolve(space, constant=space.reservation_value * space.scale - due)

    def _promise(self, domain: Domain) -> dict[str, float]:
        """Time and confidence, as far as the domain knows of them."""
        terms: dict[str, float] = {}
        for issue in domain.issues:
            if isinstance(issue, IntegerIssue | RealIssue) and issue.name != "cost":
                wanted = self._confidence
                if issue.name == "time":
                    middle = (issue.lower + issue.upper) / 2
                    wanted = middle if self._time is None else self._time
                within = min(max(wanted, issue.lower), issue.upper)
                terms[issue.name] = round(within) if isinstance(issue, IntegerIssue) else within
        return terms

    def init(self, info: NegotiationInfo) -> None:
        """Find out what doing the job costs."""
        super().init(info)
        self._limit: float | None = None
        domain = info.domain
        receiver = next((i for i in domain.issues if isinstance(i, DiscreteIssue)), None)
        if receiver is None or "cost" not in domain.issue_names:
            raise DomainError(f"Domain {domain.name!r} has no contracts; name another party.")
        own = next((n for n in (info.agent_id, info.role) if n in receiver.values), None)
        if own is None:  # the manager's seat
            return
        self._terms = self._promise(domain)
        cost = domain.issues[domain.issue_position("cost")]
        assert isinstance(cost, IntegerIssue | RealIssue)
        space = self.utility_space

        def is_worth_it(price: float) -> bool:
            contract = domain.bid({receiver.name: own, "cost": price, **self._terms})
            return space.utility(contract) >= space.reservation_value

        self._is_whole = isinstance(cost, IntegerIssue)
        self._limit = break_even(is_worth_it, cost.upper, max(0, cost.lower), whole=self._is_whole)

    def choose_action(self, allowed: Allowed) -> Action:
        """Propose, or do what a manager does."""
        if CallForProposals in allowed:
            rule = allowed[CallForProposals]["target_score"]
            assert isinstance(rule, OneOf)
            return CallForProposals(self.id, float(str(rule.values[0])))
        if Accept in allowed:
            return self._decision(allowed)
        if Propose in allowed:
            return self._proposal(allowed)
        raise StrategyError(f"A contractor cannot {allowed}; seat it in a contract net.")

    def _decision(self, allowed: Allowed) -> Action:
        rule = allowed[Accept]["bid"]
        assert isinstance(rule, OneOf)
        bids = [bid for bid in rule.values if isinstance(bid, Bid)]
        utility = self.utility_space.utility
        best = max(bids, key=utility)
        is_worth_it = utility(best) >= self.utility_space.reservation_value
        return (Accept if is_worth_it else Reject)(self.id, best)

    def _proposal(self, allowed: Allowed) -> Action:
        rule = allowed[Propose]["cost"]
        if self._limit is None or not isinstance(rule, Number):
            return Decline(self.id)
        asked = min(rule.maximum, self._limit * (1 + self._markup * (1 - self._progress())))
        cost = math.ceil(asked) if self._is_whole else asked
        time, confidence = self._terms.get("time", 0.0), self._terms.get("confidence", 1.0)
        return Propose(self.id, cost, time, confidence)

    def _progress(self) -> float:
        """From 0 in the first round to 1 in the last."""
        timeline = self.info.timeline
        if timeline.rounds is None:
            return timeline.time
        return (timeline.round - 1) / max(1, timeline.rounds - 1)
