"""Games in normal form: all choose a move at once, and the joint move pays each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import attrs

from genius_py.action import Action
from genius_py.allowed import Allowed, Constraint, Number, OneOf, Text
from genius_py.bid import Bid
from genius_py.errors import DomainError, OptionError
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue, TextIssue
from genius_py.protocol import Listeners
from genius_py.protocols.default import DefaultMultilateralProtocol, listen_to_all
from genius_py.protocols.numbers import require_number
from genius_py.session import Round, Seat, Session, Turn

__all__ = ["Move", "NormalFormProtocol"]


@attrs.frozen
class Move(Action):
    """Choose one's move of this round."""

    move: object

    def _deed(self) -> str:
        return f"plays {self.move}"


class NormalFormProtocol(DefaultMultilateralProtocol):
    """Each party chooses a move, all at the same time; every profile says what the result pays it.

    The domain has an issue for each player, of the name of its role (or seat), whose values are
    the player's moves; a joint move is a bid. The game is played `rounds` times. What a player
    gets is the sum of what the rounds pay, in which each further round counts `discount` times
    the one before. When the moves are ``sequential`` those who come later have seen the others'.
    A round in which somebody forfeits its move pays nobody anything.

    Raises:
        OptionError: an option has an impossible value.
    """

    name: ClassVar[str] = "normal_form"
    aliases: ClassVar[tuple[str, ...]] = ("matrix_game",)
    actions: ClassVar[tuple[type[Action], ...]] = (Move,)
    parties_range: ClassVar[tuple[int, int | None]] = (1, None)
    default_parties: ClassVar[tuple[str, ...]] = ("best_reply",)

    def __init__(self, rounds: int = 1, sequential: bool = False, discount: float = 1.0) -> None:
        super().__init__()
        if isinstance(rounds, bool) or not isinstance(rounds, int) or rounds < 1:
            raise OptionError(f"rounds is a whole number of 1 or more, not {rounds!r}.")
        require_number("discount", discount, 0)
        self.rounds = rounds
        self.sequential = sequential
        self.discount = discount
        self.played: list[Bid | None] = []
        """The joint move of each round so far, None for one that does not count."""
        self._moves: dict[str, object] = {}
        self._asked = 0

    def before_session(
        self, session: Session, parties: Sequence[Seat]
    ) -> Mapping[Seat, Sequence[Action]]:
        """Nothing is told.

        Raises:
            DomainError: the issues are not one for each player.
        """
        issues = {issue.name: issue for issue in session.domain.issues}
        names = {seat.id: seat.role if seat.role in issues else seat.id for seat in parties}
        if sorted(names.values()) != sorted(issues):
            raise DomainError(
                f"Domain {session.domain.name!r} is no game of {', '.join(map(str, parties))}: it "
                f"needs one issue for each of them, called like its role, with the moves as values."
            )
        self._issue_names = names
        self._allowed = {
            seat.id: Allowed({Move: {"move": _rule(issues[names[seat.id]])}}) for seat in parties
        }
        return {}

    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        """One turn each."""
        self._moves, self._asked = {}, 0
        turns = [Turn(seat, self._allowed[seat.id]) for seat in parties]
        return Round(turns, sealed=not self.sequential)

    def apply_action(self, action: Action, session: Session) -> None:
        """Take note of a move; the last one completes the round."""
        self._asked += 1
        if isinstance(action, Move):
            self._moves[self._issue_names[action.party]] = action.move
        if self._asked == len(self._allowed):
            is_complete = len(self._moves) == len(self._allowed)
            self.played.append(session.domain.bid(self._moves) if is_complete else None)

    def get_action_listeners(self, parties: Sequence[Seat]) -> Listeners:
        """Everybody hears everybody else; moves that are made at once, when all have been made."""
        return listen_to_all(tuple(parties))

    def is_finished(self, session: Session, parties: Sequence[Seat]) -> bool:
        """All rounds have been played, or somebody ended it."""
        return self.ended or len(self.played) >= self.rounds

    def get_current_agreement(self, session: Session, parties: Sequence[Seat]) -> Bid | None:
        """The joint move of the latest round that counts."""
        return next((bid for bid in reversed(self.played) if bid is not None), None)

    def payoffs(self, session: Session, parties: Sequence[Seat]) -> Mapping[str, float] | None:
        """The sum over all rounds; None as long as none counts."""
        if not any(self.played):
            return None
        return {
            seat.id: sum(
                self.discount**place * session.profiles[seat.id].utility(bid)
                for place, bid in enumerate(self.played)
                if bid is not None
            )
            for seat in parties
        }


def _rule(issue: Issue) -> Constraint:
    match issue:
        case DiscreteIssue(values=values):
            return OneOf(values)
        case IntegerIssue(lower=lower, upper=upper):
            return Number(lower, upper, integer=True)
        case RealIssue(lower=low, upper=high):
            return Number(low, high)
        case TextIssue(max_length=longest):
            return Text(longest)
    raise DomainError(f"Issue {issue.name!r} is of no kind from which a move can be chosen.")
