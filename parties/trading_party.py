"""What every trader does; how much it asks for is left to each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from genius_py.action import Action, Inform, Pass, Say
from genius_py.allowed import Allowed, OneOf
from genius_py.bid import Bid
from genius_py.errors import StrategyError
from genius_py.issue import DiscreteIssue, IntegerIssue, RealIssue, TextIssue
from genius_py.party import NegotiationInfo, NegotiationParty
from genius_py.protocols.trade_actions import (
    AcceptDelivery,
    AcceptProposal,
    DisputeDelivery,
    PostRequest,
    Propose,
    RejectAndExit,
    SubmitDeliverable,
)

__all__ = ["TradingParty"]

_CENTS = 100
_NOISE = 1e-9


class TradingParty(NegotiationParty):
    """Plays every part of a bilateral trade; override `aspiration`, the utility to ask for now.

    It proposes the price that is worth its aspiration and accepts what is worth as much, but
    nothing below its reservation value; when no price could be worth that, it walks away. As
    initiator it asks for work with the highest price that it would pay as budget. As provider it
    delivers. Its profile must be linear in the price. Of scopes to choose from it wants the one
    that it likes best; in words it wants what was requested.

    Args:
        disputes: whether it disputes deliveries, to get the work for less.
    """

    plays: ClassVar[tuple[str, ...]] = ("bilateral_trade",)

    def __init__(self, disputes: bool = False) -> None:
        self.disputes = disputes

    def init(self, info: NegotiationInfo) -> None:
        """Look at prices and scopes; nothing is on the table."""
        super().init(info)
        issues = {issue.name: issue for issue in info.domain.issues}
        price = issues.get("price")
        if not isinstance(price, IntegerIssue | RealIssue):
            raise StrategyError(
                f"{type(self).__name__} trades for a price, which domain {info.domain.name!r} does "
                f"not have; name another party."
            )
        self.turns = 0
        """How many turns of the negotiation it has had, the present one included."""
        self.on_table: dict[str, Propose] = {}
        """The latest proposal of each party, as far as it has heard of them, its own included."""
        self.competitors: tuple[str, ...] = ()
        """The other providers, when it is one."""
        self._is_whole = isinstance(price, IntegerIssue)
        self._scope_issue = issues.get("scope")
        self._range = float(price.lower), float(price.upper)
        self._scope = self._favourite()
        self._settle(*self._range)
        self._rounds = info.deadline.rounds or 1
        self._agreed = ""

    def _favourite(self) -> str:
        """The scope that it likes best; in words, what the domain is called."""
        match self._scope_issue:
            case DiscreteIssue(values=values):
                self._scope = values[0]
                return max(values, key=lambda scope: self.worth(self._range[0], scope))
            case TextIssue(max_length=longest):
                return self.domain.name.replace("_", " ")[:longest]
        return ""

    def aspiration(self) -> float:
        """The undiscounted utility to ask for now, from `least` to `most`."""
        raise NotImplementedError(f"{type(self).__name__} must override aspiration")

    def _settle(self, low: float, high: float) -> None:
        """Prices between these are possible for its scope; asked about in every turn."""
        self._range = low, high
        self._ends = self.worth(low), self.worth(high)

    @property
    def most(self) -> float:
        """The utility of the best price that is possible."""
        return max(self._ends)

    @property
    def least(self) -> float:
        """The utility of the worst price that it would agree to; above `most` if there is none."""
        return max(min(self._ends), self.utility_space.reservation_value)

    @property
    def progress(self) -> float:
        """Share of the negotiation that has passed, in [0, 1]; 1 in the last turn."""
        timeline = self.info.timeline
        if timeline.rounds_left == 0:
            return 1.0
        return min(1.0, max(self.turns / self._rounds, timeline.time))

    def worth(self, price: float, scope: str | None = None) -> float:
        """The undiscounted utility of a price, for the scope that it wants unless one is named."""
        return self.utility_space.utility(self._bid(price, self._scope if scope is None else scope))

    def _bid(self, price: float, scope: str) -> Bid:
        terms: dict[str, object] = {"price": price}
        if self._scope_issue is not None:
            terms["scope"] = scope or self._scope
        return self.domain.bid(terms)

    def price_worth(self, utility: float) -> float:
        """The possible price that is worth as little as that, but no less if one is; in cents."""
        low, high = self._range
        at_low, at_high = self._ends
        if at_low == at_high:
            return low
        price = low + (high - low) * (utility - at_low) / (at_high - at_low)
        if self._is_whole or high - low >= 1:
            # In its own favour: a rounded price is never worth less than what was asked for.
            steps = 1 if self._is_whole else _CENTS
            if at_high > at_low:
                price = math.ceil(price * steps - _NOISE) / steps
            else:
                price = math.floor(price * steps + _NOISE) / steps
        return min(max(price, low), math.floor(high) if self._is_whole else high)

    def receive_message(self, sender: str | None, action: Action) -> None:
        """Remember the rules, what was asked for, what is on the table and what was agreed."""
        match action:
            case Inform(name="Trade", value=dict(facts)):
                self._note_rules(facts)
            case PostRequest():
                self._note_request(action)
            case Propose():
                self._note_proposal(action)
            case AcceptProposal():
                self._note_agreement(action)
            case RejectAndExit():
                self.on_table.pop(action.party, None)

    def _note_rules(self, facts: Mapping[str, Any]) -> None:
        self._rounds = min(facts["rounds"]["negotiate"], self._rounds)
        if facts["my_role"] == "provider":
            self.competitors = tuple(other for other in facts["providers"] if other != self.id)

    def _note_request(self, request: PostRequest) -> None:
        if isinstance(self._scope_issue, TextIssue):
            self._scope = request.description[: self._scope_issue.max_length]
        low, high = self._range
        self._settle(low, min(high, request.max_budget))

    def _note_proposal(self, proposal: Propose) -> None:
        self.on_table.pop(proposal.party, None)
        self.on_table[proposal.party] = proposal

    def _note_agreement(self, accepted: AcceptProposal) -> None:
        named = self.on_table.get(accepted.provider_id)
        others = [p for p in self.on_table.values() if p.party != accepted.party]
        proposal = named or (others[-1] if others else None)
        self._agreed = self._scope if proposal is None else proposal.scope

    def choose_action(self, allowed: Allowed) -> Action:
        """Request, negotiate, deliver or verify, whatever is asked for."""
        if PostRequest in allowed:
            request = PostRequest(self.id, self._scope, self.price_worth(self.least))
            self._note_request(request)
            return request
        if RejectAndExit in allowed:
            return self._negotiate(allowed)
        if SubmitDeliverable in allowed:
            return SubmitDeliverable(self.id, f"Done as agreed: {self._agreed or self._scope}")
        if AcceptDelivery in allowed:
            if self.disputes:
                return DisputeDelivery(self.id, "This is not what was agreed.")
            return AcceptDelivery(self.id)
        raise StrategyError(f"{self.id} only trades, but may {allowed}; name another party.")

    def _negotiate(self, allowed: Allowed) -> Action:
        self.turns += not allowed.refusal
        if self.most < self.least:
            return RejectAndExit(self.id, "No price that is possible here is worth it to me.")
        wanted = min(max(self.aspiration(), self.least), self.most)
        best = self._best_of_others(allowed)
        # What it would propose is rounded; the same from another is as good.
        enough = max(self.least, min(wanted, self.worth(self.price_worth(wanted))))
        if best is not None and self._value(best) >= enough - _NOISE:
            accepted = AcceptProposal(self.id, best.party if _may_choose(allowed) else "")
            self._note_agreement(accepted)
            return accepted
        if Propose in allowed:
            scope = self._scope if "scope" in allowed[Propose] else ""
            proposal = Propose(self.id, scope, price=self.price_worth(wanted))
            self._note_proposal(proposal)
            return proposal
        if Pass in allowed:
            return Pass(self.id)
        if Say in allowed:
            return Say(self.id, "Nothing of this is good enough yet; please propose again.")
        return RejectAndExit(self.id, "Nothing of what was proposed is worth it to me.")

    def _best_of_others(self, allowed: Allowed) -> Propose | None:
        if AcceptProposal not in allowed:
            return None
        rule = allowed[AcceptProposal].get("provider_id")
        ids = rule.values if isinstance(rule, OneOf) else tuple(self.on_table)
        known = [p for p in self.on_table.values() if p.party in ids and p.party != self.id]
        return max(known, key=self._value, default=None)

    def _value(self, proposal: Propose) -> float:
        return self.worth(proposal.price, proposal.scope)


def _may_choose(allowed: Allowed) -> bool:
    return "provider_id" in allowed[AcceptProposal]
