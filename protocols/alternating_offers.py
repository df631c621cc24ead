"""Stacked alternating offers (SAOP): offer, accept the last offer, or walk away, in turn.

Aydogan, Festen, Hindriks and Jonker, "Alternating offers protocols for multilateral
negotiation" (2017), section 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from genius_py.action import Accept, Action, EndNegotiation, Inform, Offer
from genius_py.allowed import Allowed, BidOf, OneOf
from genius_py.bid import Bid
from genius_py.protocol import Listeners
from genius_py.protocols.default import DefaultMultilateralProtocol, listen_to_all
from genius_py.session import Round, Seat, Session, Turn

__all__ = ["StackedAlternatingOffersProtocol"]


class StackedAlternatingOffersProtocol(DefaultMultilateralProtocol):
    """Each party in turn offers, accepts the offer on the table, or ends the negotiation.

    The offer on the table is agreed when it has the consent of every party: its proposer's and,
    without another offer in between, the acceptance of all others, across round borders.
    Offering the same bid again is a new offer, not an acceptance. Walking away ends the session
    without agreement. Every action is heard by all others.

    In a faithful session a party may accept its own offer and be counted twice, and
    `end_negotiation` is ignored, as in Genius 10.4.
    """

    name: ClassVar[str] = "alternating_offers"
    aliases: ClassVar[tuple[str, ...]] = ("SAOP", "StackedAlternatingOffersProtocol")
    actions: ClassVar[tuple[type[Action], ...]] = (Accept, Offer, EndNegotiation)
    parties_range: ClassVar[tuple[int, int | None]] = (1, None)

    def before_session(
        self, session: Session, parties: Sequence[Seat]
    ) -> Mapping[Seat, Sequence[Action]]:
        """Tell everybody how many parties there are."""
        self._faithful = session.faithful
        self._backing: list[str] = []  # who stands behind the last offer, its proposer first
        self._walked_away = False
        self._listeners = listen_to_all(tuple(parties))
        self._open = Allowed({Offer: {"bid": BidOf(session.domain)}, EndNegotiation: {}})
        self._opening = {seat: Turn(seat, self._open) for seat in parties}
        self._answers: dict[int, Mapping[Seat, Turn]] = {}
        self.last_offer = None
        told = Inform(type(self).__name__, "NumberOfAgents", len(parties))
        return {seat: (told,) for seat in parties}

    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        """One turn for each party, in their order."""
        return Round(self._turns(parties))

    def _turns(self, parties: Sequence[Seat]) -> Iterator[Turn]:
        # Lazy, so that each turn knows which offer is on the table when it comes.
        for seat in parties:
            standing = self.last_offer
            if standing is None:
                yield self._opening[seat]
            else:
                yield (self._answers.get(id(standing)) or self._answers_to(standing))[seat]

    def _answers_to(self, standing: Bid) -> Mapping[Seat, Turn]:
        """Everybody's turn while a bid is on the table; kept, since bids come back.

        Kept by identity, which is quicker than hashing; the rule keeps the bid alive.
        """
        allowed = Allowed({Accept: {"bid": OneOf((standing,))}, **self._open})
        turns = self._answers[id(standing)] = {seat: Turn(seat, allowed) for seat in self._opening}
        return turns

    def apply_action(self, action: Action, session: Session) -> None:
        """An offer replaces the one on the table; accepting it adds to its backing."""
        kind = action.__class__
        if kind is Offer:
            self.last_offer = action.bid  # type: ignore[attr-defined]
            self._backing = [action.party]
            return
        super().apply_action(action, session)
        if kind is Accept:
            if self._faithful or action.party not in self._backing:
                self._backing.append(action.party)
        else:
            self._backing = []
            self._walked_away = kind is EndNegotiation

    def get_action_listeners(self, parties: Sequence[Seat]) -> Listeners:
        """Everybody hears everybody else."""
        return self._listeners

    def is_finished(self, session: Session, parties: Sequence[Seat]) -> bool:
        """Agreed, walked away from, or ended."""
        return (
            len(self._backing) >= len(parties)
            or self._walked_away
            or (self.ended and not self._faithful)
        )

    def get_current_agreement(self, session: Session, parties: Sequence[Seat]) -> Bid | None:
        """The last offer, when everybody stands behind it."""
        backing = self.get_number_of_agreeing_parties(session, parties)
        return self.last_offer if backing >= len(parties) else None

    def get_number_of_agreeing_parties(self, session: Session, parties: Sequence[Seat]) -> int:
        """The last offer's proposer and those who have accepted it since."""
        return _backing_left(session) if self._faithful else len(self._backing)


def _backing_left(session: Session) -> int:
    """The same, counted in the last two rounds: a deadline in seconds may have removed some."""
    count = 0
    for action in reversed([action for round_ in session.rounds[-2:] for action in round_.actions]):
        if not isinstance(action, Accept):
            return count + isinstance(action, Offer)
        count += 1
    return count
