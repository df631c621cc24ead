"""Monotonic concession: all name a number at once, and nobody may take a concession back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal, TypeAlias

import attrs

from genius_py.action import Action
from genius_py.allowed import Allowed, Number
from genius_py.bid import Bid
from genius_py.errors import DomainError, OptionError
from genius_py.issue import IntegerIssue, RealIssue
from genius_py.protocol import Listeners
from genius_py.protocols.default import DefaultMultilateralProtocol, listen_to_all
from genius_py.protocols.numbers import shown
from genius_py.protocols.options import require_number, require_one_of
from genius_py.session import Round, Seat, Session, Turn

__all__ = ["Direction", "MonotonicConcessionProtocol", "Position"]

Direction: TypeAlias = Literal["closer", "falling", "rising"]


@attrs.frozen
class Position(Action):
    """Name the number that one would settle for now."""

    value: float = attrs.field(converter=float)

    def _deed(self) -> str:
        return f"would settle for {shown(self.value)}"


class MonotonicConcessionProtocol(DefaultMultilateralProtocol):
    """About one number. All name one in each round; they agree on the middle when these are close.

    The numbers are close when the highest and the lowest differ by `tolerance` at most; the
    middle between these two is then agreed. Nobody may take a concession back: by default a
    position must lie between the lowest and the highest of the round before, so that they only
    come `closer`; with ``direction="falling"`` or ``"rising"`` nobody may go above, or below, its
    own last one. A forfeited turn leaves a position where it was, and the round without agreement.

    Raises:
        OptionError: an option has an impossible value.
    """

    name: ClassVar[str] = "monotonic_concession"
    aliases: ClassVar[tuple[str, ...]] = ("MonotonicConcessionProtocol",)
    actions: ClassVar[tuple[type[Action], ...]] = (Position,)
    default_parties: ClassVar[tuple[str, ...]] = ("price_conceder",)

    def __init__(self, tolerance: float = 0.01, direction: Direction = "closer") -> None:
        super().__init__()
        require_number("tolerance", tolerance, 0)
        require_one_of("direction", direction, Direction)
        self.tolerance = tolerance
        self.direction: Direction = direction
        self.positions: dict[str, float] = {}
        """The last number of each party, by its id."""
        self._named: dict[str, float] = {}
        self._asked = 0
        self._is_complete = False

    def before_session(
        self, session: Session, parties: Sequence[Seat]
    ) -> Mapping[Seat, Sequence[Action]]:
        """Nobody has a position yet, and nothing is told.

        Raises:
            DomainError: the domain is not about a single number.
            OptionError: the middle of whole numbers could be none.
        """
        issue = session.domain.issues[0]
        if len(session.domain.issues) != 1 or not isinstance(issue, IntegerIssue | RealIssue):
            raise DomainError(
                f"Domain {session.domain.name!r} is not about a single number, such as a price."
            )
        if isinstance(issue, IntegerIssue) and self.tolerance >= 1:
            raise OptionError(
                f"tolerance must be below 1, since {issue.name} is a whole number; "
                f"it is {self.tolerance:g}."
            )
        self._issue: IntegerIssue | RealIssue = issue
        self._seats = len(parties)
        return {}

    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        """One turn each, asked together."""
        self._named, self._asked, self._is_complete = {}, 0, False
        turns = [Turn(seat, Allowed({Position: {"value": self._may(seat.id)}})) for seat in parties]
        return Round(turns, sealed=True)

    def _may(self, party: str) -> Number:
        low, high = self._issue.lower, self._issue.upper
        if self.positions:
            own = self.positions.get(party)
            if self.direction == "closer":
                low, high = min(self.positions.values()), max(self.positions.values())
            elif self.direction == "falling" and own is not None:
                high = own
            elif own is not None:
                low = own
        return Number(low, high, integer=isinstance(self._issue, IntegerIssue))

    def apply_action(self, action: Action, session: Session) -> None:
        """Take note of a position; the positions count when all have been asked."""
        self._asked += 1
        if isinstance(action, Position):
            self._named[action.party] = action.value
        if self._asked == self._seats:
            self.positions.update(self._named)
            self._is_complete = len(self._named) == self._seats

    def get_action_listeners(self, parties: Sequence[Seat]) -> Listeners:
        """Everybody hears everybody else, when all have named their numbers."""
        return listen_to_all(tuple(parties))

    def is_finished(self, session: Session, parties: Sequence[Seat]) -> bool:
        """Agreed, or ended."""
        return self.ended or self.get_current_agreement(session, parties) is not None

    def get_current_agreement(self, session: Session, parties: Sequence[Seat]) -> Bid | None:
        """The middle between the highest and the lowest position of a complete round."""
        if not self._is_complete:
            return None
        low, high = min(self.positions.values()), max(self.positions.values())
        if high - low > self.tolerance:
            return None
        return session.domain.bid({self._issue.name: (low + high) / 2})
