"""Bilateral trade: one asks for a service, others propose scope and price, one of them delivers.

The rules of the game ``bilateral-trade``: contracts for work in four phases, with one provider or
several, and a form in which only the price is negotiated.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import ClassVar, Literal, TypeAlias

from genius_py.action import Action, Forfeit, Inform, Say
from genius_py.allowed import Allowed, FieldRules, Number, OneOf, Text
from genius_py.bid import Bid
from genius_py.errors import ActionError, OptionError
from genius_py.protocol import Listeners
from genius_py.protocols.default import DefaultMultilateralProtocol, listen_to_all
from genius_py.protocols.options import require_number, require_one_of, require_whole
from genius_py.protocols.simultaneous_offers import Pass
from genius_py.protocols.trade_actions import (
    AcceptDelivery,
    AcceptProposal,
    DisputeDelivery,
    PostRequest,
    Propose,
    RejectAndExit,
    SubmitDeliverable,
)
from genius_py.protocols.trade_terms import TradeTerms
from genius_py.session import Round, Seat, Session, Turn

__all__ = ["PRICE_ONLY_ROUNDS", "ROUNDS", "BilateralTradeProtocol", "Phase"]

Mode: TypeAlias = Literal["full", "price_only"]
Resolution: TypeAlias = Literal["no_payment", "split"]
TurnOrder: TypeAlias = Literal["round_robin", "random"]
Proposers: TypeAlias = Literal["seller", "both"]


class Phase(enum.Enum):
    """How far a trade has come."""

    REQUEST = "request"
    NEGOTIATE = "negotiate"
    DELIVER = "deliver"
    VERIFY = "verify"
    OVER = "over"


ROUNDS: Mapping[Phase, int] = {
    Phase.REQUEST: 2,
    Phase.NEGOTIATE: 8,
    Phase.DELIVER: 3,
    Phase.VERIFY: 2,
}
"""Most rounds of each phase; in a round everybody whose phase it is has one turn."""

PRICE_ONLY_ROUNDS = 100
"""Most rounds when only the price is negotiated."""

_REASON = Text(max_length=500)
_DESCRIPTION = Text(min_length=1)
_TALK = Text(min_length=1)
_WORK = Text(min_length=1, max_length=20_000)

_MOST_ADDRESSEES = 5
"""With more others than these, one talks to all or to one, not to any group of them."""


class BilateralTradeProtocol(DefaultMultilateralProtocol):
    """A service is requested, scope and price are negotiated, work is delivered and verified.

    The first seat is the initiator's, all others are providers. The domain has an issue ``price``
    and an issue ``scope``; trades about the price alone need no scope.

    In a *full* trade the initiator posts a request with a budget, which caps every price. With
    one provider (classic) either side proposes, the latest proposal stands, the other may accept
    it, and whoever walks away ends the trade. With several (competitive) the providers propose,
    each has its own proposal on the table, the initiator accepts one of them, and a provider that
    walks away takes its proposal along. Then the chosen provider delivers, and the initiator
    accepts the delivery or disputes it. The payoffs are the money that changes hands: the price,
    or after a dispute nothing, or half of it with ``dispute_resolution="split"``.

    In a *price_only* trade a seller proposes prices and a buyer accepts one; with
    ``proposers="both"`` either does either, and the buyer opens. It ends with the agreement,
    whose worth the profiles know.

    Turns go round: providers first, the initiator last, and not before there is a proposal when it
    cannot make one itself. With ``negotiate_turn_order="random"`` they are drawn from those who can
    do something. Whoever talks is asked again; among competitors talk takes the turn.

    `detail` says how it ended: ``trade_completed``, ``delivery_disputed_no_payment``,
    ``delivery_disputed_split``, ``negotiation_failed``, ``initiator_exited``,
    ``all_providers_exited``, ``max_rounds_exceeded`` or ``max_turns_exceeded``.

    Args:
        mode: ``full`` or ``price_only``.
        dispute_resolution: who gets the price after a dispute, ``no_payment`` or ``split``.
        negotiate_turn_order: ``round_robin`` or ``random``.
        proposers: who proposes in a price-only trade, ``seller`` or ``both``.
        max_budget: what a price-only buyer can pay, when the seller is not to know it: dearer
            proposals can be made, but not accepted.
        task_value: what accepted work is worth to the initiator of a full trade.
        sealed_proposals: whether competing providers hear nothing of each other's proposals, and
            losers not what was agreed.
        allow_pass: whether turns of a full trade may be passed; price-only ones may.
        negotiate_rounds: most rounds of the negotiation, 8 or for the price alone 100 by default.
        max_turns: how many turns, those of talking and passing not counted, there are in all.
        max_messages: how often one may talk in a turn.
        max_stale_turns: after how much talking and passing in a row something else must be done.

    Raises:
        OptionError: an option has an impossible value.
    """

    name: ClassVar[str] = "bilateral_trade"
    aliases: ClassVar[tuple[str, ...]] = ("BilateralTradeProtocol",)
    actions: ClassVar[tuple[type[Action], ...]] = (
        PostRequest,
        Propose,
        AcceptProposal,
        RejectAndExit,
        SubmitDeliverable,
        AcceptDelivery,
        DisputeDelivery,
        Pass,
        Say,
    )
    default_parties: ClassVar[tuple[str, ...]] = ("trader",)
    parties_range: ClassVar[tuple[int, int | None]] = (2, None)

    def __init__(
        self,
        mode: Mode = "full",
        dispute_resolution: Resolution = "no_payment",
        negotiate_turn_order: TurnOrder = "round_robin",
        proposers: Proposers = "seller",
        max_budget: float | None = None,
        task_value: float = 0.0,
        sealed_proposals: bool = False,
        allow_pass: bool = False,
        negotiate_rounds: int | None = None,
        max_turns: int | None = None,
        max_messages: int = 10,
        max_stale_turns: int | None = None,
    ) -> None:
        super().__init__()
        require_one_of("mode", mode, Mode)
        require_one_of("dispute_resolution", dispute_resolution, Resolution)
        require_one_of("negotiate_turn_order", negotiate_turn_order, TurnOrder)
        require_one_of("proposers", proposers, Proposers)
        require_number("max_budget", max_budget, 0)
        require_number("task_value", task_value)
        require_whole("negotiate_rounds", negotiate_rounds, 1)
        require_whole("max_turns", max_turns, 1)
        require_whole("max_messages", max_messages, 0)
        require_whole("max_stale_turns", max_stale_turns, 0)
        self.mode: Mode = mode
        self.dispute_resolution: Resolution = dispute_resolution
        self.negotiate_turn_order: TurnOrder = negotiate_turn_order
        self.proposers: Proposers = proposers
        self.max_budget = max_budget
        self.task_value = task_value
        self.sealed_proposals = sealed_proposals
        self.allow_pass = allow_pass
        self.max_turns = max_turns
        self.max_messages = max_messages
        self.max_stale_turns = max_stale_turns
        self.is_price_only = mode == "price_only"
        usual = PRICE_ONLY_ROUNDS if self.is_price_only else ROUNDS[Phase.NEGOTIATE]
        self.round_limits: dict[Phase, int] = {} if self.is_price_only else dict(ROUNDS)
        self.round_limits[Phase.NEGOTIATE] = negotiate_rounds or usual
        """Most rounds of each phase that there is."""

    def before_session(
        self, session: Session, parties: Sequence[Seat]
    ) -> Mapping[Seat, Sequence[Action]]:
        """Tell everybody its role and the rules that are options.

        Raises:
            DomainError: the domain is not one of prices and scopes.
            OptionError: there are too many parties for a price-only trade.
        """
        if self.is_price_only and len(parties) != 2:
            raise OptionError(
                f"A price-only trade is for a buyer and a seller, not for {len(parties)} parties; "
                f"name two, or use mode=full."
            )
        self._terms = TradeTerms.of(session.domain, about_scope=not self.is_price_only)
        self._seats = {seat.id: seat for seat in parties}
        self._listeners = listen_to_all(tuple(parties))
        self.initiator, *providers = self._seats
        self.providers = tuple(providers)
        self.is_competitive = len(providers) > 1
        self._order = (*providers, self.initiator)
        if self.is_price_only and self.proposers == "both":
            self._order = (self.initiator, *providers)

        self.phase = Phase.NEGOTIATE if self.is_price_only else Phase.REQUEST
        self.round = 1
        """The round of the phase, counted from 1."""
        self.request: PostRequest | None = None
        self.proposals: dict[str, Propose] = {}
        """What is on the table, by who proposed it; with one provider never more than one."""
        self.active_providers = list(self.providers)
        self.agreement: Propose | None = None
        self.selected_provider: str | None = None
        self.deliverable: str | None = None
        self.delivery_accepted: bool | None = None
        self._place = 0
        self._messages = 0
        self._stale = 0
        self._done = 0
        self._last: Action | None = None
        return {
            seat: (Inform(type(self).__name__, "Trade", self.facts(seat.id)),) for seat in parties
        }

    def role_of(self, party: str) -> str:
        """``initiator`` or ``provider``; ``buyer`` or ``seller`` where it is about the price."""
        if self.is_price_only:
            return "buyer" if party == self.initiator else "seller"
        return "initiator" if party == self.initiator else "provider"

    def facts(self, party: str) -> dict[str, object]:
        """What a party is told when the session begins."""
        told: dict[str, object] = {"mode": self.mode, "my_role": self.role_of(party)}
        if self.is_price_only:
            told |= {"buyer": self.initiator, "seller": self.providers[0]}
            if self.max_budget is not None and party == self.initiator:
                told["max_budget"] = self.max_budget
        else:
            told |= {"initiator": self.initiator, "providers": list(self.providers)}
            told["dispute_resolution"] = self.dispute_resolution
            if self.task_value and party == self.initiator:
                told["task_value"] = self.task_value
        told["rounds"] = {phase.value: limit for phase, limit in self.round_limits.items()}
        return told

    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        """A turn for each whose phase it is, and another one after talk that takes none."""
        return Round(self._turns(session))

    def _turns(self, session: Session) -> Iterator[Turn]:
        here, party = (self.phase, self.round), ""
        while (self.phase, self.round) == here and (due := self.due()):
            if len(due) == 1:
                party = due[0]
            elif not self._messages:
                party = due[int(session.rng.integers(len(due)))]
            yield Turn(self._seats[party], self.allowed(party))

    def due(self) -> tuple[str, ...]:
        """Who may act now: nobody when it is over, several when the order is random."""
        if self.ended:
            return ()
        match self.phase:
            case Phase.REQUEST | Phase.VERIFY:
                return (self.initiator,)
            case Phase.DELIVER:
                assert self.selected_provider is not None
                return (self.selected_provider,)
            case Phase.NEGOTIATE if self.negotiate_turn_order == "random":
                able = tuple(filter(self._can_move, self._order))
                return able if self._place < len(able) else ()
            case Phase.NEGOTIATE:
                return tuple(filter(self._can_move, self._order[self._place :]))[:1]
            case _:
                return ()

    def _can_move(self, party: str) -> bool:
        if party == self.initiator:
            return not self.is_competitive or bool(self.proposals)
        return party in self.active_providers

    def allowed(self, party: str) -> Allowed:
        """What a party may do when it has a turn."""
        rules: dict[type[Action], FieldRules] = {}
        match self.phase:
            case Phase.REQUEST:
                price = self._terms.price
                budget = Number(price.lower, price.upper)
                rules[PostRequest] = {"description": _DESCRIPTION, "max_budget": budget}
            case Phase.NEGOTIATE:
                acceptable = tuple(self.acceptable(party))
                if acceptable:
                    several = {"provider_id": OneOf(acceptable)} if self.is_competitive else {}
                    rules[AcceptProposal] = several
                if self.may_propose(party):
                    cap = None if self.request is None else self.request.max_budget
                    rules[Propose] = self._terms.rules(cap)
                rules[RejectAndExit] = {"reason": _REASON}
            case Phase.DELIVER:
                rules[SubmitDeliverable] = {"content": _WORK}
            case Phase.VERIFY:
                rules[AcceptDelivery] = {}
                rules[DisputeDelivery] = {"reason": _REASON}
        if self.max_stale_turns is None or self._stale < self.max_stale_turns:
            if self.is_price_only or self.allow_pass:
                rules[Pass] = {}
            if self._messages < self.max_messages:
                rules[Say] = self._talk(party)
        return Allowed(rules)

    def may_propose(self, party: str) -> bool:
        """Whether proposing is this party's part."""
        if self.is_price_only:
            return self.proposers == "both" or party != self.initiator
        return not self.is_competitive or party != self.initiator

    def acceptable(self, party: str) -> dict[str, Propose]:
        """The proposals that a party may accept, by who made them."""
        if self.is_competitive and party != self.initiator:
            return {}
        return {
            proposer: proposal
            for proposer, proposal in self.proposals.items()
            if proposer != party and (self.max_budget is None or proposal.price <= self.max_budget)
        }

    def _talk(self, party: str) -> FieldRules:
        others = [other for other in self._seats if other != party]
        if len(others) == 1:
            return {"text": _TALK}
        sizes = range(len(others)) if len(others) <= _MOST_ADDRESSEES else (0, 1)
        groups = [group for size in sizes for group in combinations(others, size)]
        return {"text": _TALK, "to": OneOf(groups)}

    def apply_action(self, action: Action, session: Session) -> None:
        """Do it, and pass the turn on."""
        if self.ended:
            return
        if isinstance(action, AcceptProposal):
            self._require_acceptable(action)
        self._last = action
        before = self.phase
        match action:
            case Say():
                self._messages += 1
                self._stale += 1
                if not (self.is_competitive and self.phase is Phase.NEGOTIATE):
                    return
            case Pass():
                self._stale += 1
            case _:
                self._stale = 0
                self._done += 1
                self._do(action)
        if self.phase is Phase.OVER:
            return
        if self._done == self.max_turns and not isinstance(action, Say | Pass):
            self._finish("max_turns_exceeded")
        elif self.phase is before:
            self._pass_on(action.party)

    def _require_acceptable(self, action: AcceptProposal) -> None:
        possible = self.acceptable(action.party)
        named = (action.provider_id,) if action.provider_id else tuple(possible)
        if len(named) != 1 or named[0] not in possible:
            raise ActionError(
                f"accepted the proposal of {action.provider_id or 'nobody'}; it may accept those "
                f"of: {', '.join(possible) or 'nobody'}"
            )

    def _do(self, action: Action) -> None:
        match action:
            case PostRequest():
                self.request = action
                self._enter(Phase.NEGOTIATE)
            case Propose():
                if not self.is_competitive:
                    self.proposals.clear()
                self.proposals[action.party] = action
            case AcceptProposal():
                self._agree(action)
            case RejectAndExit():
                self._leave(action.party)
            case SubmitDeliverable():
                self.deliverable = action.content
                self._enter(Phase.VERIFY)
            case AcceptDelivery():
                self.delivery_accepted = True
                self._finish("trade_completed")
            case DisputeDelivery():
                self.delivery_accepted = False
                self._finish(f"delivery_disputed_{self.dispute_resolution}")
            case Forfeit():
                pass  # The turn is lost; proposals stand, and nobody has agreed to one.

    def _agree(self, action: AcceptProposal) -> None:
        proposer = action.provider_id or next(iter(self.acceptable(action.party)))
        self.agreement = self.proposals[proposer]
        if self.is_price_only:
            self._finish("trade_completed")
            return
        # With one provider it is the provider who delivers, whoever proposed.
        self.selected_provider = proposer if self.is_competitive else self.providers[0]
        self._enter(Phase.DELIVER)

    def _leave(self, party: str) -> None:
        if not self.is_competitive:
            self._finish("negotiation_failed")
        elif party == self.initiator:
            self._finish("initiator_exited")
        else:
            self.active_providers.remove(party)
            self.proposals.pop(party, None)
            if not self.active_providers:
                self._finish("all_providers_exited")

    def _enter(self, phase: Phase) -> None:
        self.phase, self.round, self._place, self._messages = phase, 1, 0, 0

    def _finish(self, reason: str) -> None:
        self._enter(Phase.OVER)
        self._detail = reason

    def _pass_on(self, party: str) -> None:
        """The turn is done: the next one's, or the next round."""
        self._messages = 0
        if self.phase is Phase.NEGOTIATE:
            is_random = self.negotiate_turn_order == "random"
            self._place = self._place + 1 if is_random else self._order.index(party) + 1
            if self.due():
                return
        self.round += 1
        self._place = 0
        if self.round > self.round_limits[self.phase]:
            self._finish("max_rounds_exceeded")

    def get_action_listeners(self, parties: Sequence[Seat]) -> Listeners:
        """Everybody hears everybody; a sealed proposal is for the initiator's ears."""
        last = self._last
        if not (self.sealed_proposals and self.is_competitive and isinstance(last, Propose)):
            return self._listeners
        return {**self._listeners, self._seats[last.party]: (self._seats[self.initiator],)}

    def get_agreement_listeners(self, parties: Sequence[Seat]) -> Sequence[Seat]:
        """Everybody; of sealed proposals only the two whom it concerns."""
        if not (self.sealed_proposals and self.is_competitive):
            return parties
        return [seat for seat in parties if seat.id in (self.initiator, self.selected_provider)]

    def is_finished(self, session: Session, parties: Sequence[Seat]) -> bool:
        """Completed, disputed, walked away from, out of rounds or turns, or ended."""
        return self.ended or self.phase is Phase.OVER

    def get_current_agreement(self, session: Session, parties: Sequence[Seat]) -> Bid | None:
        """The accepted proposal, whatever becomes of its delivery."""
        if self.agreement is None:
            return None
        return self._terms.bid(self.agreement)

    def get_number_of_agreeing_parties(self, session: Session, parties: Sequence[Seat]) -> int:
        """Both sides of an agreement; before that, who stands behind a proposal."""
        if self.agreement is not None:
            return 2
        return 1 if self.proposals else 0

    def after_session(self, session: Session, parties: Sequence[Seat]) -> None:
        """A deadline that comes before the trade's own limits is named like them."""
        if not self._detail and session.deadline.seconds is None:
            self._detail = "max_rounds_exceeded"

    def payoffs(self, session: Session, parties: Sequence[Seat]) -> Mapping[str, float] | None:
        """The money that changes hands; None when it is about the price: profiles know its worth.

        What is not delivered and accepted, or after a dispute split, is not paid.
        """
        if self.is_price_only:
            return None
        paid = dict.fromkeys(self._seats, 0.0)
        if self.agreement is None or self.selected_provider is None:
            return paid
        moved = self.agreement.price * self._share()
        gained = self.task_value if self.delivery_accepted else 0.0
        paid[self.initiator] = gained - moved
        paid[self.selected_provider] = moved
        return paid

    def _share(self) -> float:
        if self.delivery_accepted is None:
            return 0.0
        if self.delivery_accepted:
            return 1.0
        return 0.5 if self.dispute_resolution == "split" else 0.0
