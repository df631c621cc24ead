"""A party that only has to say what it would propose, and plays every protocol with that."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from genius_py.action import (
    Accept,
    Action,
    EndNegotiation,
    Feedback,
    GiveFeedback,
    InformVotingResult,
    Offer,
    OfferForFeedback,
    OfferForVoting,
    Pass,
    Reject,
    Vote,
    VoteForOfferAcceptance,
)
from genius_py.allowed import Allowed, OneOf
from genius_py.bid import HOW_TO_BID, Bid
from genius_py.errors import StrategyError
from genius_py.party import NegotiationInfo, NegotiationParty
from genius_py.session import Reply
from genius_py.strategies.bid_search import Ladder, ladder
from genius_py.utility import UtilitySpace

__all__ = ["BiddingParty"]

_KEPT = 2_000
"""Most actions, and most choices, that a party keeps because they come again."""


_Choice: TypeAlias = tuple[Allowed, tuple[Bid, ...] | None, type[Offer] | None]
"""What a turn leaves open: the bids that may be accepted, and how an offer is made.

Where any bid may be named in an acceptance, the bids are None.
"""


class BiddingParty(NegotiationParty):
    """Override `propose`, and perhaps `accepts`; offers, votes and feedback follow from these.

    - Where it may accept, it accepts the best bid on the table, if `accepts` says so.
    - Else, where it may offer, it offers what it proposes. When it proposes None it walks away,
      or offers its best bid where the protocol does not let it go.
    - Where it may only accept or reject, it rejects.
    - It votes for a mediator's bid that it accepts, unless that is worse for it than the bid that
      was agreed on before.
    - Asked for feedback, it compares a mediator's bid with the one before (see `compare`).
    """

    last_offer: Bid | None = None
    """The bid that another party or the mediator proposed last."""

    def init(self, info: NegotiationInfo) -> None:
        """Look at the own profile; to prepare more, override and call super."""
        super().init(info)
        space = info.utility_space
        self.utility: Callable[[Bid], float] = space.utility
        """What a bid is worth to the party, undiscounted."""
        self._reservation_moves = type(space).reservation_at is not UtilitySpace.reservation_at
        self._plan: Bid | None = None
        self._planned_in_round = 0
        self._agreed: Bid | None = None
        self._compared_with = space.reservation_value
        self._choices: dict[int, _Choice] = {}
        self._said: dict[type[Action], dict[int, Action]] = {
            kind: {} for kind in (Offer, OfferForVoting, OfferForFeedback, Accept, Reject)
        }

    def propose(self) -> Bid | None:
        """The bid to offer now; None to walk away. Asked at most once a round."""
        raise NotImplementedError(f"{type(self).__name__} must override propose")

    def accepts(self, bid: Bid) -> bool:
        """Whether to agree to a bid: by default when it is worth what the own proposal is.

        A bid below the reservation value is never accepted.
        """
        plan = self.plan()
        utility = self.utility(bid)
        return plan is not None and utility >= max(self.utility(plan), self.reservation)

    def compare(self, bid: Bid, before: float) -> Feedback:
        """Whether a mediator's bid is better than its previous one, which was worth `before`.

        The first bid is compared with the reservation value. Below that every bid is worse,
        since one that nobody finds worse is agreed.
        """
        utility = self.utility(bid)
        return Feedback.WORSE if utility < self.reservation else Feedback.between(before, utility)

    def plan(self) -> Bid | None:
        """What the party would propose in this round; it is what it offers next in this round."""
        now = self.info.timeline.round
        if self._planned_in_round != now:
            plan = self.propose()
            if plan.__class__ is not Bid and plan is not None:
                self._require_bid(plan)
            self._plan, self._planned_in_round = plan, now
        return self._plan

    @property
    def ladder(self) -> Ladder:
        """The own bids in order of utility."""
        return ladder(self.info.utility_space)

    @property
    def reservation(self) -> float:
        """The undiscounted utility that an agreement must have now to be worth having."""
        space = self.info.utility_space
        if not self._reservation_moves:
            return space.reservation_value
        timeline = self.info.timeline
        return space.reservation_at(timeline.round, timeline.time) / space.discounted(
            1.0, timeline.time
        )

    def receive_message(self, sender: str | None, action: Action) -> None:
        """Remember what was proposed; to hear more, override and call super."""
        kind = action.__class__
        if kind is Offer or kind is OfferForVoting or kind is OfferForFeedback:
            self.last_offer = action.bid  # type: ignore[attr-defined]
        elif kind is InformVotingResult and action.vote is Vote.ACCEPT:  # type: ignore[attr-defined]
            self._agreed = action.bid  # type: ignore[attr-defined]

    def choose_action(self, allowed: Allowed) -> Action | Reply:
        """Accept, offer, vote or compare, whatever is asked for."""
        _, named, offer = self._choices.get(id(allowed)) or self._read(allowed)
        if named is None:
            bid = self.last_offer
        elif len(named) == 1:
            bid = named[0]
        else:
            bid = max(named, key=self.utility, default=None)
        if bid is not None and self.accepts(bid):
            return self._say(Accept, bid)
        if offer is None:
            return self._judge(allowed)
        bid = self.propose() if self._planned_in_round == 0 else self._take_plan()
        if bid is None:
            if EndNegotiation in allowed:
                return EndNegotiation(self.id)
            bid = self.ladder.bid(0)
        return self._said[offer].get(id(bid)) or self._say(offer, bid)

    def _take_plan(self) -> Bid | None:
        bid = self.plan()
        self._planned_in_round = 0
        return bid

    def _read(self, allowed: Allowed) -> _Choice:
        named = _named(allowed, Accept) if Accept in allowed else ()
        offers = (kind for kind in (Offer, OfferForVoting, OfferForFeedback) if kind in allowed)
        if len(self._choices) >= _KEPT:
            self._choices.clear()
        # Protocols say the same again and again. What is kept by its id must be kept alive.
        choice = self._choices[id(allowed)] = allowed, named, next(offers, None)
        return choice

    def _judge(self, allowed: Allowed) -> Action:
        if Reject in allowed:
            return self._reject(allowed)
        if VoteForOfferAcceptance in allowed:
            return VoteForOfferAcceptance(self.id, self._vote(self._proposal()))
        if GiveFeedback in allowed:
            bid, before = self._proposal(), self._compared_with
            self._compared_with = self.utility(bid)
            return GiveFeedback(self.id, self.compare(bid, before))
        if Pass in allowed:
            return Pass(self.id)
        if EndNegotiation in allowed:
            return EndNegotiation(self.id)
        raise StrategyError(
            f"A bidding party cannot {allowed}: it only offers, accepts, rejects, votes, gives "
            f"feedback, passes and walks away; override choose_action."
        )

    def _reject(self, allowed: Allowed) -> Action:
        named = _named(allowed, Reject)
        if named is None:
            named = (self._proposal(),)
        return self._say(Reject, min(named, key=self.utility))

    def _proposal(self) -> Bid:
        if self.last_offer is None:
            raise StrategyError(f"{self.id} is asked for its opinion, but has heard no bid.")
        return self.last_offer

    def _vote(self, bid: Bid) -> Vote:
        # What has been agreed stands until something else is; so nothing worse is wanted.
        is_setback = self._agreed is not None and self.utility(bid) < self.utility(self._agreed)
        return Vote.ACCEPT if self.accepts(bid) and not is_setback else Vote.REJECT

    def _say(self, kind: type[Offer] | type[Accept] | type[Reject], bid: Bid) -> Action:
        # Making an action takes longer than finding its bid. The kept one holds the bid, so that
        # no other can come to have the same id.
        said = self._said[kind]
        action = said.get(id(bid))
        if action is None:
            self._require_bid(bid)
            if len(said) >= _KEPT:
                said.clear()
            action = said[id(bid)] = kind(self.id, bid)
        return action

    def _require_bid(self, proposed: object) -> None:
        if not isinstance(proposed, Bid):
            raise StrategyError(
                f"{type(self).__qualname__}.propose gave something of type "
                f"{type(proposed).__name__}, but no bid; {HOW_TO_BID}"
            )


def _named(allowed: Allowed, kind: type[Action]) -> tuple[Bid, ...] | None:
    """The bids that an action may name; None if it may name any."""
    rule = allowed[kind].get("bid")
    if not isinstance(rule, OneOf):
        return None
    return tuple(bid for bid in rule.values if isinstance(bid, Bid))
