"""Games in normal form: all choose a move, and the joint move pays each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, Protocol, TypeAlias

import attrs

from genius_py import registry
from genius_py.action import Action
from genius_py.allowed import Allowed, Constraint, Number, OneOf, Text
from genius_py.bid import Bid
from genius_py.errors import ActionError, DomainError
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue, TextIssue
from genius_py.protocol import Listeners
from genius_py.protocols.default import DefaultMultilateralProtocol, listen_to_all
from genius_py.protocols.options import require_number, require_one_of, require_whole
from genius_py.session import Round, Seat, Session, Turn

__all__ = ["Move", "MoveScope", "NormalFormProtocol", "Rules"]

MoveScope: TypeAlias = Literal["sealed", "public", "private"]


@attrs.frozen
class Move(Action):
    """Choose one's move of this round."""

    move: object

    def _deed(self) -> str:
        return f"plays {self.move}"


class Rules(Protocol):
    """What a game is asked that is more than a table; moves are given by player."""

    def is_valid(self, player: str, action: Any) -> bool:
        """Whether a player may move so."""
        ...

    def is_resolved(self, actions: Mapping[str, Any]) -> bool:
        """Whether the standing moves decide the game; else they stand, and all move again."""
        ...

    def payoffs(self, actions: Mapping[str, Any]) -> Mapping[str, float]:
        """What a joint move pays."""
        ...


class NormalFormProtocol(DefaultMultilateralProtocol):
    """Each party chooses a move; every profile says what the joint move pays it.

    The domain has an issue for each player, of the name of its role (or seat), whose values are
    the player's moves; a joint move is a bid. The game is played `rounds` times. What a player
    gets is the sum of what the rounds pay, in which each further round counts `discount` times
    the one before. A round in which somebody forfeits its move pays nobody anything.

    `scope` says who knows of a move. ``sealed``: all move at once, and then hear of it.
    ``public``: they move in turn, and who comes later has seen the others' moves. ``private``:
    all move at once, and nobody ever hears what the others moved.

    With `game`, the place of a game as in ``my_games.py:haggling``, that says what is valid, what
    decides and what is paid, whatever the profiles say. Rounds that do not decide it pay nothing;
    the last one decides in any case. With `stop_on_resolve` no round follows a decision.

    Raises:
        OptionError: an option has an impossible value.
        UnknownName: there is no such game.
    """

    name: ClassVar[str] = "normal_form"
    aliases: ClassVar[tuple[str, ...]] = ("matrix_game",)
    actions: ClassVar[tuple[type[Action], ...]] = (Move,)
    parties_range: ClassVar[tuple[int, int | None]] = (1, None)
    default_parties: ClassVar[tuple[str, ...]] = ("best_reply",)

    def __init__(
        self,
        rounds: int = 1,
        scope: MoveScope = "sealed",
        discount: float = 1.0,
        game: str | Rules = "",
        stop_on_resolve: bool = False,
    ) -> None:
        super().__init__()
        require_whole("rounds", rounds, 1)
        require_one_of("scope", scope, MoveScope)
        require_number("discount", discount, 0)
        self.rounds = rounds
        self.scope: MoveScope = scope
        self.discount = discount
        self.stop_on_resolve = stop_on_resolve
        self.game: Rules | None = None
        if game:
            self.game = registry.find_object(game) if isinstance(game, str) else game
        self.played = 0
        """Rounds that are over."""
        self.results: list[tuple[int, Bid]] = []
        """The joint moves that count, each with its round, counted from 1."""
        self._moves: dict[str, object] = {}
        self._asked = 0

    def before_session(
        self, session: Session, parties: Sequence[Seat]
    ) -> Mapping[Seat, Sequence[Action]]:
        """Nothing is told.

        Raises:
            DomainError: the issues are not one for each player.
        """
        self._issues = issues = {issue.name: issue for issue in session.domain.issues}
        names = {seat.id: seat.role if seat.role in issues else seat.id for seat in parties}
        if sorted(names.values()) != sorted(issues):
            raise DomainError(
                f"Domain {session.domain.name!r} is no game of {', '.join(map(str, parties))}: it "
                f"needs one issue for each of them, called like its role, with the moves as values."
            )
        self._players = names
        self._allowed = {
            seat.id: Allowed({Move: {"move": _rule(issues[names[seat.id]])}}) for seat in parties
        }
        return {}

    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        """One turn each."""
        self._asked = 0
        turns = [Turn(seat, self._allowed[seat.id]) for seat in parties]
        return Round(turns, sealed=self.scope != "public")

    def apply_action(self, action: Action, session: Session) -> None:
        """Take note of a move; the last one completes the round."""
        player = self._players[action.party]
        if isinstance(action, Move):
            move = self._issues[player].check(action.move)
            if self.game is not None and not self.game.is_valid(player, move):
                raise ActionError(f"moved {move!r}, which the game does not allow")
            self._moves[player] = move
        else:
            self._moves.pop(player, None)
        self._asked += 1
        if self._asked == len(self._players):
            self._end_round(session)

    def _end_round(self, session: Session) -> None:
        self.played += 1
        is_decided = (
            self.game is None or self.played >= self.rounds or self.game.is_resolved(self._moves)
        )
        if is_decided:
            if len(self._moves) == len(self._players):
                self.results.append((self.played, session.domain.bid(self._moves)))
            self._moves = {}

    def get_action_listeners(self, parties: Sequence[Seat]) -> Listeners:
        """Everybody hears everybody else, unless moves are private."""
        return {} if self.scope == "private" else listen_to_all(tuple(parties))

    def is_finished(self, session: Session, parties: Sequence[Seat]) -> bool:
        """All rounds have been played, the game is decided once and for all, or was ended."""
        is_decided = self.stop_on_resolve and bool(self.results)
        return self.ended or is_decided or self.played >= self.rounds

    def get_current_agreement(self, session: Session, parties: Sequence[Seat]) -> Bid | None:
        """The latest joint move that counts."""
        return self.results[-1][1] if self.results else None

    def get_agreement_listeners(self, parties: Sequence[Seat]) -> Sequence[Seat]:
        """Everybody, unless moves are private."""
        return () if self.scope == "private" else parties

    def payoffs(self, session: Session, parties: Sequence[Seat]) -> Mapping[str, float] | None:
        """The sum over all rounds that count; None as long as there is none."""
        if not self.results or (self.game is None and not session.profiles):
            return None
        totals = dict.fromkeys(self._players, 0.0)
        for number, joint in self.results:
            paid = None if self.game is None else self.game.payoffs(dict(joint))
            for seat, player in self._players.items():
                gain = (
                    session.profiles[seat].utility(joint) if paid is None else paid.get(player, 0.0)
                )
                totals[seat] += self.discount ** (number - 1) * gain
        return totals


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
