"""What an agent sees of a trade: the events that it may know of, as the game's state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from genius_py.action import Action, Forfeit, Say
from genius_py.fronts.trade.actions import name_of, payload_of
from genius_py.log import Event, Kind
from genius_py.protocols.bilateral_trade import Phase
from genius_py.protocols.trade_actions import (
    AcceptDelivery,
    AcceptProposal,
    DisputeDelivery,
    PostRequest,
    Propose,
    RejectAndExit,
    SubmitDeliverable,
)

__all__ = ["TradeView", "outcome_of"]


@attrs.define
class TradeView:
    """A fold over the events that one agent may know of.

    `agent_ids` stand in their order, the initiator or buyer first. `fixed_scope` is None where the
    scope is negotiated.
    """

    agent_ids: Sequence[str]
    fixed_scope: str | None = None
    request: dict[str, Any] | None = None
    proposals: dict[str, dict[str, Any]] = attrs.field(factory=dict)
    latest: dict[str, Any] | None = None
    active_providers: list[str] = attrs.field(factory=list)
    agreement: dict[str, Any] | None = None
    selected_provider: str | None = None
    deliverable: str | None = None
    delivery_accepted: bool | None = None
    action_history: list[dict[str, Any]] = attrs.field(factory=list)

    @classmethod
    def of(
        cls, events: Iterable[Event], agent_ids: Sequence[str], fixed_scope: str | None = None
    ) -> TradeView:
        """What these events come to."""
        view = cls(agent_ids, fixed_scope, active_providers=list(agent_ids[1:]))
        for event in events:
            if event.kind == Kind.ACTION and event.action is not None:
                view.note(event.action)
        return view

    @property
    def is_competitive(self) -> bool:
        """Whether several providers compete."""
        return len(self.agent_ids) > 2

    @property
    def phase(self) -> Phase:
        """The phase that the agent knows of, as long as the trade goes on."""
        if self.fixed_scope is not None:
            return Phase.NEGOTIATE
        if self.request is None:
            return Phase.REQUEST
        if self.agreement is None:
            return Phase.NEGOTIATE
        return Phase.DELIVER if self.deliverable is None else Phase.VERIFY

    def note(self, action: Action) -> None:
        """Take note of what somebody did."""
        self.action_history.append(_entry(action))
        match action:
            case PostRequest():
                self.request = payload_of(action)
            case Propose():
                self.latest = {
                    "scope": action.scope or self.fixed_scope or "",
                    "price": action.price,
                    "proposed_by": action.party,
                }
                self.proposals.pop(action.party, None)  # so that the latest one stands last
                self.proposals[action.party] = self.latest
            case AcceptProposal():
                self._agree(action)
            case RejectAndExit():
                self._leave(action.party)
            case SubmitDeliverable():
                self.deliverable = action.content
            case AcceptDelivery() | DisputeDelivery():
                self.delivery_accepted = isinstance(action, AcceptDelivery)

    def _agree(self, accepted: AcceptProposal) -> None:
        if not self.is_competitive:
            self.agreement = self.latest
            self.selected_provider = self.agent_ids[1]
            return
        # Whoever may not know the proposal knows whose it was.
        provider = self.selected_provider = accepted.provider_id
        known = self.proposals.get(provider, {"proposed_by": provider})
        self.agreement = {**known, "provider_id": provider}

    def _leave(self, party: str) -> None:
        if party in self.active_providers and self.is_competitive:
            self.active_providers.remove(party)
            gone = self.proposals.pop(party, None)
            if gone is self.latest:
                self.latest = next(reversed(self.proposals.values()), None)

    def negotiation(self) -> dict[str, Any]:
        """The part of the state that all forms of the game have."""
        return {
            "proposal": self.latest,
            "agreement": self.agreement,
            "action_history": self.action_history,
        }

    def full(self) -> dict[str, Any]:
        """The state of a full trade."""
        return {
            "phase": self.phase.value,
            "request": self.request,
            **self.negotiation(),
            "deliverable": self.deliverable,
            "delivery_accepted": self.delivery_accepted,
            **(self._competition() if self.is_competitive else {}),
        }

    def _competition(self) -> dict[str, Any]:
        return {
            "proposals": {
                provider: {"scope": proposal["scope"], "price": proposal["price"]}
                for provider, proposal in self.proposals.items()
            },
            "active_providers": self.active_providers,
            "selected_provider": self.selected_provider,
        }


def _entry(action: Action) -> dict[str, Any]:
    """One line of the action history."""
    told: dict[str, Any] = {
        "agent_id": action.party,
        "action": name_of(type(action)),
        "payload": payload_of(action) if not isinstance(action, Forfeit) else {},
    }
    if isinstance(action, Say):
        told["message"] = action.text
        if action.to:
            told["to"] = list(action.to)
    elif action.message:
        told["message"] = action.message
    return told


def outcome_of(
    agent_ids: Sequence[str], payoffs: Mapping[str, float], reason: str
) -> dict[str, Any]:
    """The outcome as the game has it."""
    return {
        "payoffs": [{"agent_id": agent, "utility": float(payoffs[agent])} for agent in agent_ids],
        "reason": reason,
    }
