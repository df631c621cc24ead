"""A match that is played action by action, by whoever wants to be in charge of the loop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from genius_py import registry
from genius_py.action import Action, Say
from genius_py.allowed import Allowed
from genius_py.deadline import Timeline
from genius_py.errors import ActionError
from genius_py.fronts.trade.actions import Code, TradeError, name_of, read_action
from genius_py.fronts.trade.game import BilateralTradeGame
from genius_py.fronts.trade.view import outcome_of
from genius_py.log import Event, Kind
from genius_py.protocols.bilateral_trade import BilateralTradeProtocol
from genius_py.session import Session, seats_of

__all__ = ["ActionResult", "Match"]


@attrs.frozen
class ActionResult:
    """Whether an action was done; if not, the code of its fault and what was wrong."""

    ok: bool
    error: Code | None = None
    error_detail: str = ""


class Match:
    """One trade by the rules of the engine's protocol, without its loop.

    Agents act when they want; who may is said by `due`. What is refused changes nothing. Options
    beyond the game's are the protocol's limits: ``max_turns``, ``max_messages``,
    ``max_stale_turns``.

    Raises:
        OptionError: these agents cannot play the game.
    """

    def __init__(
        self,
        game: BilateralTradeGame,
        agent_ids: Sequence[str],
        *,
        seed: int = 0,
        **limits: int | None,
    ) -> None:
        self.game = game
        self.agent_ids = tuple(agent_ids)
        game.reservations(self.agent_ids)
        plan = game.plan(dict.fromkeys(self.agent_ids, "agent"), seed=seed, **limits)
        self._plan = plan
        self._protocol: BilateralTradeProtocol = registry.make("protocol", plan.protocol)
        self._seats = {seat.id: seat for seat in seats_of(plan)}
        self._session = Session.of(plan, Timeline(plan.deadline, lambda: 0.0))
        self._protocol.before_session(self._session, tuple(self._seats.values()))

    @property
    def is_running(self) -> bool:
        """Whether there is anything left to do."""
        return bool(self.due)

    @property
    def due(self) -> tuple[str, ...]:
        """The ids of the agents that may act now."""
        return self._protocol.due()

    def act(
        self,
        agent_id: str,
        action: str,
        payload: Mapping[str, Any] | None = None,
        *,
        message: str = "",
        to: Sequence[str] = (),
    ) -> ActionResult:
        """Let an agent do something; with ``message_only`` it says `message`, to `to` or to all."""
        try:
            done = self._read(agent_id, action, payload, message, to)
            self._protocol.apply_action(done, self._session)
        except TradeError as error:
            return ActionResult(False, error.code, error.detail)
        except ActionError as error:
            return ActionResult(False, "game_rule_violation", str(error))
        self._log(done if isinstance(done, Say) else attrs.evolve(done, message=message))
        return ActionResult(True)

    def _read(
        self,
        agent_id: str,
        action: str,
        payload: Mapping[str, Any] | None,
        message: str,
        to: Sequence[str],
    ) -> Action:
        if not self.is_running:
            raise TradeError("match_not_running", "the match is over")
        if agent_id not in self._seats:
            raise TradeError("agent_not_in_match", f"{agent_id} does not play")
        if agent_id not in self.due:
            raise TradeError("not_your_turn", f"it is the turn of {' or '.join(self.due)}")
        allowed, phase = self._protocol.allowed(agent_id), self._protocol.phase
        return read_action(agent_id, action, payload, allowed, phase, message=message, to=to)

    def _log(self, action: Action) -> None:
        listeners = self._protocol.get_action_listeners(tuple(self._seats.values()))
        audience = tuple(seat.id for seat in listeners[self._seats[action.party]])
        if isinstance(action, Say) and action.to:
            audience = tuple(agent for agent in audience if agent in action.to)
        log = self._session.log
        log.append(Event(Kind.ACTION, 0, len(log) + 1, 0.0, action.party, action, audience))

    def allowed(self, agent_id: str) -> Allowed:
        """What an agent may do now, with the rule of each field; nothing when it has no turn."""
        return self._protocol.allowed(agent_id) if agent_id in self.due else Allowed()

    def allowed_actions(self, agent_id: str) -> list[str]:
        """The names of what an agent may do now; empty when it has no turn."""
        return [name_of(kind) for kind in self.allowed(agent_id)]

    def visible_state(self, agent_id: str) -> dict[str, Any]:
        """The state as an agent sees it."""
        events = self._session.log.seen_by(agent_id)
        return self.game.visible_state(agent_id, self.agent_ids, events)

    @property
    def outcome(self) -> dict[str, Any] | None:
        """Who got what, and why it ended; None while it goes on."""
        if self.is_running:
            return None
        seats, protocol = tuple(self._seats.values()), self._protocol
        payoffs = protocol.payoffs(self._session, seats)
        if payoffs is None:
            agreement = protocol.get_current_agreement(self._session, seats)
            profiles = {seat.id: self._plan.profile(seat) for seat in self._plan.seats}
            payoffs = {
                agent: space.reservation_value if agreement is None else space.utility(agreement)
                for agent, space in profiles.items()
            }
        return outcome_of(self.agent_ids, payoffs, protocol.detail)
