"""What the negotiation platform hands to its metrics: a game's result, and who did what when."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from genius_py.action import Accept, Action, Offer
from genius_py.errors import OptionError
from genius_py.log import Kind
from genius_py.outcome import Outcome

__all__ = ["GameResult", "PlayerAction", "record_of_outcome", "record_of_state"]


@attrs.frozen
class PlayerAction:
    """One action of one player; `action_data` is the whole action, as the player gave it."""

    player_id: str
    action_type: str
    action_data: Mapping[str, Any] = attrs.field(factory=dict)
    timestamp: float = 0.0
    round_number: int = 0


@attrs.frozen
class GameResult:
    """How a game ended.

    `final_scores` maps players to utilities, `game_data` is the final state of the game, and
    `winner` is None when nobody won. `outcome` is the session itself where the engine played it;
    the metrics of outcomes and processes need it.
    """

    game_id: str
    players: Sequence[str]
    winner: str | None = None
    final_scores: Mapping[str, float] = attrs.field(factory=dict)
    total_rounds: int = 0
    game_data: Mapping[str, Any] = attrs.field(factory=dict)
    success: bool = False
    outcome: Outcome | None = attrs.field(default=None, repr=False, eq=False)


def record_of_state(
    game_state: Mapping[str, Any],
    actions_history: Iterable[Mapping[str, Any]],
    outcome: Outcome | None = None,
) -> tuple[GameResult, list[PlayerAction]]:
    """The record that a final state and ``[{"round": r, "actions": {player: action}}, ...]`` tell.

    Players that the state does not list are those of its final utilities. An action without a
    type becomes one of type "unknown".

    Raises:
        OptionError: the state or the history has not this form.
    """
    if not isinstance(game_state, Mapping):
        raise OptionError(f"A game state is a mapping, not {type(game_state).__name__}.")
    utilities = game_state.get("final_utilities") or {}
    if not isinstance(utilities, Mapping):
        raise OptionError(f"final_utilities maps players to numbers; got {utilities!r}.")
    players = list(game_state.get("players") or utilities)
    if not players:
        raise OptionError("The game state names no players; give players or final_utilities.")
    actions = _actions(actions_history)
    success = bool(game_state.get("agreement_reached", False))
    result = GameResult(
        game_id=str(game_state.get("game_id") or game_state.get("game_type") or ""),
        players=players,
        winner=game_state.get("winner"),
        final_scores={player: float(utilities.get(player, 0.0)) for player in players},
        total_rounds=_rounds(game_state, actions),
        game_data=game_state,
        success=success,
        outcome=outcome,
    )
    return result, actions


def _actions(history: object) -> list[PlayerAction]:
    if not isinstance(history, Iterable) or isinstance(history, Mapping | str):
        raise OptionError(f"An actions history is a list of rounds, not {history!r}.")
    actions = []
    for number, entry in enumerate(history, start=1):
        if not isinstance(entry, Mapping) or not isinstance(entry.get("actions"), Mapping):
            raise OptionError(
                f"Entry {number} of the actions history must be a mapping with a round and the "
                f"actions of that round; got {entry!r}."
            )
        for player, action in entry["actions"].items():
            if not isinstance(action, Mapping):
                raise OptionError(f"Round {number}: the action of {player!r} is {action!r}.")
            data = action.get("decision", action)
            data = data if isinstance(data, Mapping) else action
            kind = data.get("type") or "unknown"
            at = int(entry.get("round", number))
            actions.append(PlayerAction(str(player), str(kind), dict(data), 0.0, at))
    return actions


def _rounds(state: Mapping[str, Any], actions: Sequence[PlayerAction]) -> int:
    if "total_rounds" in state:
        return int(state["total_rounds"])
    seen = max((action.round_number for action in actions), default=0)
    # A game that ran out of rounds counts one more than it has played.
    return min(int(state.get("current_round", seen)), _at_most(state))


def _at_most(state: Mapping[str, Any]) -> int:
    limit = state.get("max_rounds", state.get("rounds"))
    return int(limit) if isinstance(limit, int | float) and math.isfinite(limit) else 1 << 62


def record_of_outcome(outcome: Outcome) -> tuple[GameResult, list[PlayerAction]]:
    """The record of any session, with the utilities that each offer had for everybody.

    Reservation values stand where the platform has BATNAs; they do not decay.
    """
    parties = outcome.plan.parties
    profiles = {seat.id: outcome.plan.profile(seat) for seat in parties}
    reservations = outcome.reservation_values
    state = {
        "game_type": "profiles",
        "players": [seat.id for seat in parties],
        "agreement_reached": outcome.agreement is not None,
        "current_round": outcome.rounds,
        "total_rounds": outcome.rounds,
        "final_utilities": dict(outcome.utilities),
        "batnas_at_agreement": dict(reservations),
        "private_info": {
            seat.id: {"role": seat.role, "batna": reservations[seat.id]} for seat in parties
        },
        "batna_decay": 0.0,
    }
    if outcome.agreement is not None:
        state["agreement"] = {
            "utilities": {party: p.utility(outcome.agreement) for party, p in profiles.items()}
        }
    history: list[PlayerAction] = []
    for event in outcome.log:
        if event.kind == Kind.ACTION and event.action is not None and event.party in profiles:
            data: dict[str, Any] = {"type": _kind(event.action)}
            if isinstance(event.action, Offer):
                bid = event.action.bid
                data |= {
                    **bid,
                    "utilities": {party: p.utility(bid) for party, p in profiles.items()},
                }
            history.append(PlayerAction(event.party, data["type"], data, event.time, event.round))
    result, _ = record_of_state(state, (), outcome)
    return result, history


def _kind(action: Action) -> str:
    if isinstance(action, Offer):
        return "offer"
    return "accept" if isinstance(action, Accept) else type(action).__name__.casefold()
