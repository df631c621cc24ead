"""Games of this layer on the engine of genius-py: with its parties, language models and logs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import attrs
import numpy as np

from genius_py import manager
from genius_py.allowed import Constraint
from genius_py.bid import Bid
from genius_py.deadline import Deadline
from genius_py.domain import Domain
from genius_py.errors import OptionError
from genius_py.fault import FaultPolicy
from genius_py.fronts.gametheory.core import Game
from genius_py.fronts.gametheory.types import Observation, Outcome, Player, Scope
from genius_py.issue import DiscreteIssue, Issue
from genius_py.outcome import Outcome as SessionOutcome
from genius_py.parties.moves import MovePlayer
from genius_py.party_source import PartySource
from genius_py.plan import SeatPlan, SessionPlan
from genius_py.protocols.normal_form import Move, NormalFormProtocol
from genius_py.registry import Spec
from genius_py.scenario import Scenario
from genius_py.utility import CallableUtilitySpace, TableUtilitySpace, UtilitySpace

__all__ = ["StrategyPlayer", "play", "scenario_of"]


def scenario_of(
    game: Game, issues: Mapping[Player, Issue] | None = None, name: str = "game"
) -> Scenario:
    """The game as a domain: an issue for each player, and profiles that say what it pays.

    Listed actions become the values of the issue, by their text. A game whose actions are a
    function needs `issues`, each of the name of its player: which of their values are valid, the
    function still decides.

    Raises:
        OptionError: an issue is missing, or two actions have the same text.
        GameError: the game has no payoff.
    """
    moves = _Moves.of(game, issues)
    domain = Domain(name, moves.issues)
    profiles = {player: _profile(moves, domain, player) for player in game.players}
    protocol = Spec(NormalFormProtocol.name, {"rounds": game.rounds})
    deadline = Deadline(rounds=game.rounds)
    return Scenario(domain, profiles, deadline=deadline, protocol=str(protocol))


def play(
    game: Game,
    parties: Mapping[Player, PartySource] | None = None,
    *,
    issues: Mapping[Player, Issue] | None = None,
    scope: Scope | None = None,
    stop_on_resolve: bool = False,
    seed: int = 0,
    retries: int = 0,
    on_fault: FaultPolicy = "fail",
) -> SessionOutcome:
    """Play a game as a session of the engine.

    `parties` are specs, classes or factories, by player; the others play by their strategies.
    `scope` is that of all moves: by default ``public`` if a strategy that plays is public, so that
    they move in turn, else ``sealed``. What is paid to others than players is not kept.

    The log of a game with listed actions that is resolved when all have acted can be replayed;
    that of another game cannot, because a log does not hold its functions.

    Raises:
        OptionError: a player has neither party nor strategy, or as `scenario_of`.
    """
    makers: dict[str, PartySource] = dict(parties or {})
    for player in makers:
        game.check_player(player)
    for player in game.players:
        if player not in makers and player not in game.strategies:
            raise OptionError(f"{player} has no strategy; name a party for it.")
    scopes = {game.strategies[player][1] for player in game.players if player not in makers}
    options: dict[str, Any] = {
        "rounds": game.rounds,
        "scope": scope or ("public" if "public" in scopes else "sealed"),
        "stop_on_resolve": stop_on_resolve,
    }
    moves = _Moves.of(game, issues)
    for player in game.players:
        makers.setdefault(player, partial(StrategyPlayer, moves, player))
    plan = SessionPlan(
        protocol=str(Spec(NormalFormProtocol.name, options)),
        scenario=scenario_of(game, issues),
        seats=[SeatPlan(player, player, _text(makers[player])) for player in game.players],
        deadline=Deadline(rounds=game.rounds),
        seed=seed,
        retries=retries,
        on_fault=on_fault,
    )
    table = manager.SessionManager(plan, makers)
    if not moves.is_table:
        table.protocol = NormalFormProtocol(**options, game=moves)
    return table.run()


def _text(source: PartySource) -> str:
    return source if isinstance(source, str) else "strategy"


@attrs.frozen
class _Moves:
    """A game as the engine plays it: every action is a value of its player's issue.

    `meant` says, for listed actions, what the text of each stands for.
    """

    game: Game
    issues: tuple[Issue, ...]
    meant: Mapping[str, Any] | None

    @classmethod
    def of(cls, game: Game, issues: Mapping[Player, Issue] | None) -> _Moves:
        if issues is not None or callable(game.actions):
            given = dict(issues or {})
            for player in game.players:
                if player not in given or given[player].name != player:
                    raise OptionError(
                        f"The actions of {player} are not listed; give issues={{{player!r}: an "
                        f"issue of this name}}."
                    )
            return cls(game, tuple(given[player] for player in game.players), None)
        meant = {str(action): action for action in game.actions}
        if len(meant) < len(game.actions):
            raise OptionError("Two actions of the game read the same; give them different texts.")
        listed = tuple(DiscreteIssue(player, tuple(meant)) for player in game.players)
        return cls(game, listed, meant)

    @property
    def is_table(self) -> bool:
        """Whether tables of payoffs say all about the game."""
        return self.meant is not None and self.game.resolves_when == "all_acted"

    def action(self, move: Any) -> Any:
        """The action that a value means."""
        return move if self.meant is None else self.meant[move]

    def move(self, action: Any) -> Any:
        """The value that means an action; what is none of the game's is left as it is."""
        return action if self.meant is None else str(action)

    def actions(self, moves: Mapping[str, Any]) -> dict[str, Any]:
        return {player: self.action(move) for player, move in moves.items()}

    def is_valid(self, player: str, action: Any) -> bool:
        return self.game.is_valid(player, self.action(action))

    def is_resolved(self, actions: Mapping[str, Any]) -> bool:
        return self.game.is_resolved(self.actions(actions))

    def payoffs(self, actions: Mapping[str, Any]) -> dict[str, float]:
        return self.game.payoffs(self.actions(actions))


def _profile(moves: _Moves, domain: Domain, player: Player) -> UtilitySpace:
    def paid(joint: Bid) -> float:
        return float(moves.payoffs(dict(joint)).get(player, 0.0))

    if moves.meant is None or not domain.is_listable:
        return CallableUtilitySpace(domain=domain, function=paid)
    return TableUtilitySpace(domain=domain, table=np.array([paid(bid) for bid in domain.bids()]))


class StrategyPlayer(MovePlayer):
    """A seat at which a strategy of a game decides, given the observation that it expects."""

    def __init__(self, moves: _Moves, player: Player) -> None:
        self._moves, self._player = moves, player

    def move(self, rule: Constraint) -> object:
        """Ask the strategy."""
        strategy, _ = self._moves.game.strategies[self._player]
        return self._moves.move(strategy(self._observation()))

    def _observation(self) -> Observation:
        game, history, standing = self._moves.game, list[Outcome](), dict[Player, Any]()
        for number, moves in enumerate(self.past):
            standing |= self._moves.actions(moves)
            if game.is_resolved(standing):
                history.append(Outcome(number, standing, game.payoffs(standing)))
                standing = {}
        now = self.info.timeline.round
        heard = [event.action for event in self.info.history if event.round == now]
        standing |= {a.party: self._moves.action(a.move) for a in heard if isinstance(a, Move)}
        return {
            "round": now - 1,
            "history": history,
            "visible_actions": standing,
            "self": self._player,
        }
