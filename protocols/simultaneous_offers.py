"""Simultaneous offers: both parties move once a round, and the round is then resolved as a whole.

The rules of the three games of the negotiation platform, with its differences as options.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Literal, TypeAlias

import attrs

from genius_py.action import Accept, Action, EndNegotiation, Offer, Pass, Reject
from genius_py.allowed import Allowed, BidOf, OneOf
from genius_py.bid import Bid
from genius_py.errors import ActionError
from genius_py.protocol import Listeners
from genius_py.protocols.default import DefaultMultilateralProtocol, listen_to_all
from genius_py.protocols.options import require_one_of, require_whole
from genius_py.session import Round, Seat, Session, Turn

__all__ = ["Pass", "SimultaneousOffersProtocol", "VoidAccept"]

BatnaRound: TypeAlias = Literal["acceptance", "offer"]
Order: TypeAlias = Literal["fixed", "alternate", "shuffle"]


@attrs.frozen
class VoidAccept(Action):
    """Agree although nothing is on the table; the turn is wasted and the round is over."""

    def _deed(self) -> str:
        return "accepts nothing"


@attrs.frozen
class _Proposal:
    round: int
    bid: Bid


class SimultaneousOffersProtocol(DefaultMultilateralProtocol):
    """Two parties move once a round: offer, accept the other's latest offer, reject, or pass.

    When both have moved, or one has accepted, the round is resolved, in this order: a party that
    walked away ends the session without agreement; two equal offers are an agreement although
    nobody accepted (convergence); an accepted offer is the agreement. Rejecting changes nothing.

    Each party may offer `proposals` times, by default one time less than there are rounds; walking
    away is open to those alone who have used them up. With ``same_round_accept=False`` only an
    offer of an earlier round can be accepted. `batna_round` says whose round prices the
    agreement where alternatives decay: that of its acceptance or that of the offer (see
    `priced_round`).

    `order` is who moves first: the first party ("fixed"), each in turn ("alternate"), or drawn
    anew each round ("shuffle"). Whoever moves second has heard the first, unless the rounds are
    `sealed`. With `void_accepts` a party may accept when nothing is on the table, and wastes the
    round by it.

    Raises:
        OptionError: an option has an impossible value.
    """

    name: ClassVar[str] = "simultaneous_offers"
    aliases: ClassVar[tuple[str, ...]] = ("SimultaneousOffersProtocol",)
    actions: ClassVar[tuple[type[Action], ...]] = (
        Offer,
        Accept,
        Reject,
        Pass,
        VoidAccept,
        EndNegotiation,
    )
    parties_range: ClassVar[tuple[int, int | None]] = (2, 2)

    def __init__(
        self,
        proposals: int | None = None,
        same_round_accept: bool = True,
        convergence: bool = True,
        batna_round: BatnaRound = "acceptance",
        order: Order = "fixed",
        sealed: bool = False,
        void_accepts: bool = False,
    ) -> None:
        super().__init__()
        require_whole("proposals", proposals, 0)
        require_one_of("batna_round", batna_round, BatnaRound)
        require_one_of("order", order, Order)
        self.proposals = proposals
        self.same_round_accept = same_round_accept and not sealed
        self.convergence = convergence
        self.batna_round: BatnaRound = batna_round
        self.order: Order = order
        self.sealed = sealed
        self.void_accepts = void_accepts
        self.limit: int | None = proposals
        self.round = 0
        """The round that is being played, or was played last; 0 before the first."""
        self.is_resolved = True
        """Whether that round is over."""
        self._offers: dict[str, list[_Proposal]] = {}
        self._moves: dict[str, Action] = {}
        self._agreed: _Proposal | None = None

    def before_session(
        self, session: Session, parties: Sequence[Seat]
    ) -> Mapping[Seat, Sequence[Action]]:
        """Nothing is told; no offer is on the table."""
        rounds = session.deadline.rounds
        self.limit = self.proposals
        if self.limit is None and rounds is not None:
            self.limit = rounds - 1
        self._offers = {seat.id: [] for seat in parties}
        self._any_bid = BidOf(session.domain)
        return {}

    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        """A turn for each; none for the second after an acceptance."""
        self.round = session.round_number + 1
        self.is_resolved = False
        self._moves = {}
        order = self._ordered(parties, session)
        if self.sealed:
            return Round([Turn(seat, self.allowed(seat.id)) for seat in order], sealed=True)
        return Round(self._turns(order))

    def _ordered(self, parties: Sequence[Seat], session: Session) -> list[Seat]:
        match self.order:
            case "alternate" if self.round % 2 == 0:
                return list(reversed(parties))
            case "shuffle":
                return [parties[place] for place in session.rng.permutation(len(parties))]
            case _:
                return list(parties)

    def _turns(self, order: Sequence[Seat]) -> Iterator[Turn]:
        for seat in order:
            if self.is_resolved:
                return
            yield Turn(seat, self.allowed(seat.id))

    def allowed(self, party: str) -> Allowed:
        """What a party may do now."""
        rules: dict[type[Action], Mapping[str, BidOf | OneOf]] = {}
        if self.proposals_left(party) != 0:
            rules[Offer] = {"bid": self._any_bid}
        standing = self.standing(party)
        if standing is not None:
            rules[Accept] = rules[Reject] = {"bid": OneOf((standing,))}
        elif self.void_accepts:
            rules[VoidAccept] = {}
        rules[Pass] = {}
        if self.proposals_left(party) == 0:
            rules[EndNegotiation] = {}
        return Allowed(rules)

    def standing(self, party: str) -> Bid | None:
        """The offer of the other that a party may accept now."""
        for proposal in self._offers_to(party):
            if self.same_round_accept or proposal.round < self.round:
                return proposal.bid
        return None

    def _offers_to(self, party: str) -> Iterator[_Proposal]:
        """What the other has offered, the latest first."""
        for other, offers in self._offers.items():
            if other != party:
                yield from reversed(offers)

    def latest_offer(self, party: str) -> Bid | None:
        """What a party offered last, None before its first offer."""
        offers = self._offers.get(party)
        return offers[-1].bid if offers else None

    def offers_made(self, party: str) -> int:
        """How many times a party has offered."""
        return len(self._offers.get(party, ()))

    def proposals_left(self, party: str) -> int | None:
        """How many times a party may still offer; None: there is no limit."""
        return None if self.limit is None else max(0, self.limit - self.offers_made(party))

    def apply_action(self, action: Action, session: Session) -> None:
        """Take note of a move; the last one of the round, or an acceptance, resolves it."""
        if self.is_resolved or action.party in self._moves:
            raise ActionError(f"moved twice in round {self.round}; wait for the next round")
        if isinstance(action, Offer):
            if self.proposals_left(action.party) == 0:
                raise ActionError(f"has used up its {self.limit} proposals; accept, reject or pass")
            self._offers[action.party].append(_Proposal(self.round, action.bid))
        self._moves[action.party] = action
        is_accept = isinstance(action, Accept | VoidAccept)
        if len(self._moves) == len(self._offers) or (is_accept and not self.sealed):
            self.resolve()

    def resolve(self) -> None:
        """Close the round, whoever has not moved; the engine needs no call of this."""
        if self.is_resolved:
            return
        self.is_resolved = True
        moves = list(self._moves.values())
        if any(isinstance(move, EndNegotiation) for move in moves):
            self.end_negotiation("rejection")
            return
        bids = [move.bid for move in moves if isinstance(move, Offer)]
        if self.convergence and len(bids) == len(self._offers) and bids[0] == bids[1]:
            self._agree(_Proposal(self.round, bids[0]), "convergence")
            return
        for move in moves:
            if isinstance(move, Accept):
                self._agree(self._proposal(move), "acceptance")
                return

    def _proposal(self, accept: Accept) -> _Proposal:
        return next(p for p in self._offers_to(accept.party) if p.bid == accept.bid)

    def _agree(self, proposal: _Proposal, how: str) -> None:
        self._agreed = proposal
        self._detail = how

    @property
    def agreement(self) -> Bid | None:
        """What has been agreed, None while nothing has."""
        return None if self._agreed is None else self._agreed.bid

    @property
    def priced_round(self) -> int | None:
        """The round whose alternatives the agreement is held against, None without one."""
        if self._agreed is None:
            return None
        return self._agreed.round if self.batna_round == "offer" else self.round

    def get_action_listeners(self, parties: Sequence[Seat]) -> Listeners:
        """Everybody hears everybody else."""
        return listen_to_all(tuple(parties))

    def is_finished(self, session: Session, parties: Sequence[Seat]) -> bool:
        """Agreed, walked away from, or ended."""
        return self._agreed is not None or self.ended

    def get_current_agreement(self, session: Session, parties: Sequence[Seat]) -> Bid | None:
        """The offer that was accepted, or made by both."""
        return self.agreement

    def get_number_of_agreeing_parties(self, session: Session, parties: Sequence[Seat]) -> int:
        """Both when there is an agreement; else whoever made the latest offer."""
        if self._agreed is not None:
            return len(self._offers)
        return 1 if any(self._offers.values()) else 0
