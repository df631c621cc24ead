"""Alternating majority consensus (AMCP): vote as in AMOP, and keep the best supported offer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from genius_py.action import Action
from genius_py.bid import Bid
from genius_py.errors import OptionError
from genius_py.protocols.alternating_multiple_offers import AlternatingMultipleOffersProtocol
from genius_py.session import Round, Seat, Session

__all__ = ["AlternatingMajorityConsensusProtocol"]


class AlternatingMajorityConsensusProtocol(AlternatingMultipleOffersProtocol):
    """Rounds of offers and votes as in AMOP, but at the end a majority is enough.

    The offer with most votes of any voting so far is kept; another takes its place only with
    strictly more. All votes end the session at once. Otherwise the kept offer is the agreement
    when the session is over, however it came to that, if more than the share `threshold` of the
    parties accepted it. Until then there is none.

    In a faithful session there is no threshold, one vote is enough; but an odd number of rounds
    ends without agreement, nobody is ever counted as agreeing, and the kept offer passes to the
    next session of the same object (Genius 10.4).

    Raises:
        OptionError: `threshold` lies outside [0, 1).
    """

    name: ClassVar[str] = "alternating_majority_consensus"
    aliases: ClassVar[tuple[str, ...]] = ("AMCP", "AlternatingMajorityConsensusProtocol")

    def __init__(self, threshold: float = 0.5, finish_round: bool = False) -> None:
        super().__init__(finish_round)
        if isinstance(threshold, bool) or not isinstance(threshold, int | float):
            raise OptionError(f"threshold is a share such as 0.5, not {threshold!r}.")
        if not 0 <= threshold < 1:
            raise OptionError(
                f"threshold is the share of parties that must be exceeded, "
                f"from 0 to below 1, not {threshold!r}."
            )
        self.threshold = threshold
        self._best: Bid | None = None
        self._votes = 0

    def before_session(
        self, session: Session, parties: Sequence[Seat]
    ) -> Mapping[Seat, Sequence[Action]]:
        """Nothing is told; no offer is kept yet."""
        if not session.faithful:
            self._best, self._votes = None, 0
        return super().before_session(session, parties)

    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        """As in AMOP; the best offer of a finished voting is kept."""
        self._keep_best(session, parties)
        return super().get_round_structure(parties, session)

    def is_finished(self, session: Session, parties: Sequence[Seat]) -> bool:
        """All accept the kept offer, or ended."""
        self._keep_best(session, parties)
        return self._votes == len(parties) or (self.ended and not session.faithful)

    def get_current_agreement(self, session: Session, parties: Sequence[Seat]) -> Bid | None:
        """The kept offer: with the votes of all, or at the end with those of a majority."""
        self._keep_best(session, parties)
        if session.faithful:
            is_voting = session.round_number > 0 and session.round_number % 2 == 0
            return self._best if is_voting else None
        if session.is_over:
            return self._best if self._votes > self.threshold * len(parties) else None
        return self._best if self._votes == len(parties) else None

    def get_number_of_agreeing_parties(self, session: Session, parties: Sequence[Seat]) -> int:
        """Votes of the kept offer; faithful: always 0."""
        if session.faithful:
            return 0
        self._keep_best(session, parties)
        return self._votes

    def _keep_best(self, session: Session, parties: Sequence[Seat]) -> None:
        # Votes only grow while a voting lasts, so it does not matter how often one looks.
        for bid, votes in self._support(session, parties):
            if votes > self._votes:
                self._best, self._votes = bid, votes
