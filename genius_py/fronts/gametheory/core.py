"""Games, and sessions in which they are played.

A game says who plays, what can be done, when a round is resolved and what it pays; it keeps no
state. A session is a fold over its events, without threads, loops or clocks of its own: whoever
has a session calls it.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TypeAlias, TypeVar

from .transport import InMemoryTransport, Transport
from .types import (
    ACTION,
    OUTCOME,
    SCOPES,
    Action,
    Event,
    GameError,
    InvalidAction,
    NotResolved,
    Observation,
    Outcome,
    Payoff,
    Player,
    Scope,
    Strategy,
)

__all__ = ["Game", "Session"]

Actions: TypeAlias = Collection[Action] | Callable[[Player, Action], bool]
Predicate: TypeAlias = Callable[[dict[Player, Action]], bool]
_PayoffT = TypeVar("_PayoffT", bound=Payoff)
_StrategyT = TypeVar("_StrategyT", bound=Strategy)


class Game:
    """The rules of a game, for any number of sessions.

    Args:
        players: their names.
        actions: all that a player can do, or a function of player and action that says whether
            the action is valid.
        resolves_when: ``all_acted``, ``any_acted``, ``timeout`` (once a deadline has passed), or a
            function of the standing actions.
        rounds: how many rounds `Session.run` plays.

    Raises:
        GameError: there are no players, one comes twice, or there is no round.
    """

    def __init__(
        self,
        players: Iterable[Player],
        actions: Actions,
        resolves_when: str | Predicate = "all_acted",
        rounds: int = 1,
    ) -> None:
        self.players = list(players)
        self.actions = actions
        self.resolves_when = resolves_when
        self.rounds = rounds
        self.strategies: dict[Player, tuple[Strategy, Scope]] = {}
        """For each player that has one: its strategy, and the scope of what it does."""
        self._payoff: Payoff | None = None
        if not self.players or len(set(self.players)) < len(self.players):
            raise GameError(f"A game needs players of different names, not {self.players}.")
        if rounds < 1:
            raise GameError(f"A game has 1 round or more, not {rounds}.")

    def payoff(self, function: _PayoffT) -> _PayoffT:
        """Let a function of the actions, given by player, say what they pay; a decorator."""
        self._payoff = function
        return function

    def strategy(
        self, player: Player, scope: Scope = "public"
    ) -> Callable[[_StrategyT], _StrategyT]:
        """Let a function of the observation act for a player; a decorator.

        Raises:
            InvalidAction: there is no such player or scope.
        """
        self.check_player(player)
        _check_scope(scope)

        def register(function: _StrategyT) -> _StrategyT:
            self.strategies[player] = (function, scope)
            return function

        return register

    def check_player(self, player: Player) -> None:
        """Refuse a name that is no player's."""
        if player not in self.players:
            raise InvalidAction(f"{player!r} does not play; {', '.join(self.players)} do.")

    def is_valid(self, player: Player, action: Action) -> bool:
        """Whether a player can do this."""
        if callable(self.actions):
            return bool(self.actions(player, action))
        return action in self.actions

    def is_resolved(self, actions: Mapping[Player, Action], deadline: float | None = None) -> bool:
        """Whether the standing actions decide the round.

        A `deadline` is in seconds since the epoch, and counts for the rule ``timeout`` alone.

        Raises:
            GameError: there is no such rule, or it lacks its deadline.
        """
        match self.resolves_when:
            case "all_acted":
                return all(player in actions for player in self.players)
            case "any_acted":
                return bool(actions)
            case "timeout":
                if deadline is None:
                    raise GameError("The rule 'timeout' needs resolve(deadline=seconds).")
                return time.time() >= deadline
            case str() as rule:
                raise GameError(
                    f"There is no rule {rule!r}; use 'all_acted', 'any_acted', 'timeout' or a "
                    f"function of the standing actions."
                )
            case predicate:
                return bool(predicate(dict(actions)))

    def payoffs(self, actions: Mapping[Player, Action]) -> dict[Player, float]:
        """What these actions pay.

        Raises:
            GameError: nobody has said so.
        """
        if self._payoff is None:
            raise GameError("The game has no payoff; decorate a function with @game.payoff.")
        # A payoff function may do with its argument what it likes.
        return dict(self._payoff(copy.deepcopy(dict(actions))))


class Session:
    """One play of a game.

    `history` holds the outcomes, with all actions; `utilities` what everybody has been paid so far.
    Rounds are counted from 0.

    Args:
        game: the rules.
        transport: where events go; a new `InMemoryTransport` unless given.
        open_ended: whether `step` and `run` go on after the game's last round.
    """

    def __init__(
        self, game: Game, transport: Transport | None = None, *, open_ended: bool = False
    ) -> None:
        self.game = game
        self.transport = InMemoryTransport() if transport is None else transport
        self.round = 0
        self.history: list[Outcome] = []
        self.utilities: dict[Player, float] = dict.fromkeys(game.players, 0.0)
        self._open_ended = open_ended
        self._standing: dict[Player, Event] = {}
        self._acted: set[Player] = set()
        self._kept_private: list[set[Player]] = []

    def submit(self, player: Player, action: Action, scope: Scope = "public") -> Event:
        """Act for a player; until the round is resolved, acting again replaces the action.

        The action is copied, so that changing it later changes nothing here.

        Raises:
            InvalidAction: there is no such player, action or scope.
        """
        self.game.check_player(player)
        _check_scope(scope)
        if not self.game.is_valid(player, action):
            raise InvalidAction(f"{player} cannot do {action!r} in this game.")
        event = self._publish(ACTION, player, copy.deepcopy(action), scope)
        self._standing[player] = event
        self._acted.add(player)
        return event

    def resolve(self, deadline: float | None = None) -> Outcome:
        """Close the round, if its rule is met; a `deadline` is in seconds since the epoch.

        Raises:
            NotResolved: the rule is not met yet.
            GameError: the game has no payoff, no such rule, or needs a deadline.
        """
        actions = self._actions()
        if not self.game.is_resolved(actions, deadline):
            raise NotResolved(
                f"Round {self.round} cannot be resolved yet; so far have acted: "
                f"{', '.join(actions) or 'none'}."
            )
        return self._close()

    def step(self, deadline: float | None = None) -> Outcome | None:
        """Ask all strategies whose players have not acted in this round, then try to resolve it.

        In the order of the players, so that a strategy sees what is public of those before it.
        Unless the round is resolved, actions stand, the next round begins, and None is returned;
        the last round is resolved in any case, whoever has acted.

        Raises:
            GameError: there is no round left.
        """
        if self.round >= self.game.rounds and not self._open_ended:
            raise GameError(
                f"All {self.game.rounds} rounds have been played; make another session, or this "
                f"one with open_ended=True."
            )
        for player in self.game.players:
            if player in self.game.strategies and player not in self._acted:
                strategy, scope = self.game.strategies[player]
                self.submit(player, strategy(self._observe(player)), scope)
        if self.round >= self.game.rounds - 1 or self._is_resolved(deadline):
            return self._close()
        self.round += 1
        self._acted.clear()
        return None

    def run(self, *, stop_on_resolve: bool = False) -> list[Outcome]:
        """Play all rounds that are left and return their outcomes.

        A game that is resolved early goes on, unless `stop_on_resolve`.

        Raises:
            GameError: there is no round left.
        """
        outcomes = []
        while True:
            outcome = self.step()
            if outcome is not None:
                outcomes.append(outcome)
            if self.round >= self.game.rounds or (stop_on_resolve and outcome is not None):
                return outcomes

    def _is_resolved(self, deadline: float | None) -> bool:
        if self.game.resolves_when == "timeout" and deadline is None:
            return False
        return self.game.is_resolved(self._actions(), deadline)

    def _actions(self) -> dict[Player, Action]:
        return {player: event.payload for player, event in self._standing.items()}

    def _close(self) -> Outcome:
        actions = self._actions()
        payoffs = self.game.payoffs(actions)
        self._publish(OUTCOME, "", payoffs, "public")
        outcome = Outcome(self.round, actions, dict(payoffs))
        self.history.append(outcome)
        self._kept_private.append(
            {player for player, event in self._standing.items() if event.scope == "private"}
        )
        for player, paid in payoffs.items():
            self.utilities[player] = self.utilities.get(player, 0.0) + paid
        self.round += 1
        self._standing = {}
        self._acted.clear()
        return outcome

    def _publish(self, kind: str, player: Player, payload: object, scope: Scope) -> Event:
        event = Event(kind, self.round, player, payload, scope, time.time())
        self.transport.publish(event)
        return event

    def _observe(self, player: Player) -> Observation:
        """What a player may know; copies, so that a strategy can change nothing."""
        history = []
        for outcome, private in zip(self.history, self._kept_private, strict=True):
            hidden = private - {player}
            shown = {who: did for who, did in outcome.actions.items() if who not in hidden}
            history.append(Outcome(outcome.round, shown, outcome.payoffs))
        visible = {
            who: event.payload
            for who, event in self._standing.items()
            if who == player or event.scope == "public"
        }
        return {
            "round": self.round,
            "history": copy.deepcopy(history),
            "visible_actions": copy.deepcopy(visible),
            "self": player,
        }


def _check_scope(scope: str) -> None:
    if scope not in SCOPES:
        raise InvalidAction(f"There is no scope {scope!r}; use 'public', 'sealed' or 'private'.")
