"""What the platform's three games share: two players, offers in rounds, decaying alternatives."""

from __future__ import annotations

import logging
import math
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from genius_py import registry
from genius_py.action import Accept, Action, EndNegotiation, Offer, Reject
from genius_py.bid import Bid
from genius_py.deadline import Timeline
from genius_py.domain import Domain
from genius_py.errors import ActionError, OptionError
from genius_py.fronts.platform.base_game import BaseGame, GameState, PlayerAction
from genius_py.fronts.platform.decisions import ORDER, decision
from genius_py.fronts.platform.game_config import by_role, deadline_of, normalized, required
from genius_py.fronts.platform.replies import read_reply
from genius_py.fronts.platform.role_assignment import assign_roles
from genius_py.metrics.terms import decayed
from genius_py.protocol import MultilateralProtocol
from genius_py.protocols.simultaneous_offers import (
    Pass,
    SimultaneousOffersProtocol,
    VoidAccept,
)
from genius_py.registry import Spec
from genius_py.scenario import Scenario
from genius_py.session import Seat, Session
from genius_py.utility import UtilitySpace

__all__ = ["OfferGame"]

_logger = logging.getLogger(__name__)


class OfferGame(BaseGame):
    """Two roles exchange offers in rounds, by the rules of `SimultaneousOffersProtocol`.

    Each game says what an offer is, what it is worth to a role, and which round's BATNA prices an
    agreement. The state is derived from the protocol: whatever is done goes through it.

    Besides its own figures a game takes from `config`: `roles` ("listed": the first player has the
    first role; "random"; or a mapping of role to player or player to role), `seed`, `turn_order`
    ("fixed", "alternate", "shuffle"), `sealed`, `max_proposals`, `same_round_accept`,
    `batna_round`, and `seconds`.

    Raises:
        MissingOption: a figure is missing (a `TypeError` and a `ValueError`).
        OptionError: a figure is impossible (a `ValueError`).
    """

    game_type: ClassVar[str]
    roles: ClassVar[tuple[str, str]]
    required_settings: ClassVar[tuple[str, ...]]
    same_round_accept: ClassVar[bool] = True
    batna_round: ClassVar[str] = "acceptance"
    offer_word: ClassVar[str] = "offer"
    """What the game calls an offer in its history and its prompts."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        super().__init__(self.game_type, normalized(config, self.roles))
        required(self.config, self.required_settings, self.game_type)
        self.deadline = deadline_of(self.config)
        self.batnas = by_role(self.config["batnas"], self.roles, "batnas")
        self.decays = by_role(self.config["batna_decay"], self.roles, "batna_decay")
        self.assigned: dict[str, str] = {}
        self.domain = self.make_domain()
        self.join(self._make_protocol(), self._make_session())

    # The game's own part.

    @abstractmethod
    def make_domain(self) -> Domain:
        """What an offer consists of."""

    @abstractmethod
    def make_profile(self, role: str) -> UtilitySpace:
        """What bids are worth to a role, its BATNA of the first round being the reservation."""

    @abstractmethod
    def read_terms(self, action: Mapping[str, Any]) -> Bid:
        """The bid that an offer proposes.

        Raises:
            ActionError: it cannot be read, or the game does not allow it.
        """

    @abstractmethod
    def write_terms(self, bid: Bid) -> dict[str, Any]:
        """The bid in the game's own words."""

    @abstractmethod
    def utility(self, role: str, bid: Bid) -> float:
        """What a bid is worth to a role, in the unit of its BATNA."""

    def surplus(self, role: str, bid: Bid, round_number: int) -> float:
        """What a bid is worth to a role beyond its BATNA of a round."""
        return self.utility(role, bid) - self.batna_of(role, round_number)

    def final_utility(self, role: str, bid: Bid, round_number: int) -> float:
        """What a role is said to have in the end."""
        return self.utility(role, bid)

    @abstractmethod
    def agreement_facts(self, bid: Bid) -> dict[str, Any]:
        """How the state tells what was agreed."""

    @abstractmethod
    def facts_for(self, role: str) -> dict[str, Any]:
        """What only a player of this role is told, besides role and BATNA."""

    @abstractmethod
    def public_facts(self) -> dict[str, Any]:
        """What all are told."""

    @abstractmethod
    def briefing(self, role: str) -> str:
        """What the game is about, for a role whose name is not to be said."""

    @abstractmethod
    def shown(self, role: str, bid: Bid, round_number: int) -> str:
        """An offer, and how it compares with the role's BATNA of a round."""

    @abstractmethod
    def reply_form(self) -> str:
        """An offer as JSON, with places to fill in."""

    # The platform's interface.

    @property
    def max_rounds(self) -> int:
        """How many rounds there are."""
        assert self.deadline.rounds is not None
        return self.deadline.rounds

    def batna_of(self, role: str, round_number: int) -> float:
        """A role's alternative in a round, counted from 1."""
        return decayed(self.batnas[role], self.decays[role], round_number)

    def get_current_batna(self, player: str, round_num: int) -> float:
        """A player's alternative in a round, counted from 1."""
        return self.batna_of(self.role_of(player), round_num)

    def initialize_game(self, players: list[str]) -> dict[str, Any]:
        """Give the two players their roles, and begin."""
        if len(players) != 2 or len(set(players)) != 2:
            raise OptionError(
                f"Game {self.game_type} is for exactly two different players; got {players}."
            )
        self.players = list(players)
        self.assigned = assign_roles(
            self.players, self.roles, self.config.get("roles", "listed"), self.seed
        )
        self.state = GameState.ACTIVE
        self._extra: dict[str, Any] = {}
        self.join(self._make_protocol(), self._make_session())
        self._protocol.before_session(self._session, self._seats)
        return self.game_data

    @property
    def seed(self) -> int:
        """What all chance in the game comes from."""
        return int(self.config.get("seed", 0))

    def role_of(self, player: str) -> str:
        """The role of a player.

        Raises:
            OptionError: there is no such player.
        """
        if player not in self.assigned:
            raise OptionError(
                f"{player!r} does not play; the players are {', '.join(self.players) or 'not set'}."
            )
        return self.assigned[player]

    def is_valid_action(
        self, player: str, action: Mapping[str, Any], game_state: Mapping[str, Any] | None = None
    ) -> bool:
        """Whether a player may do this now; the game's own state counts, not the one given."""
        return player in self.assigned and not self.complaint(player, action)

    def complaint(self, player: str, action: Mapping[str, Any]) -> str:
        """Why a player may not do this now; empty when it may."""
        kind, content = decision(action)
        if kind is None:
            return f"said {content.get('type')!r}; use offer, accept or reject"
        if kind != "offer":
            return ""
        if self._protocol.proposals_left(player) == 0:
            return f"has used up its {self._protocol.limit} proposals; accept or reject"
        try:
            self.read_terms(content)
        except ActionError as error:
            return str(error)
        return ""

    def process_action(self, action: PlayerAction) -> dict[str, Any]:
        """Do one player's action; the round is resolved when both have moved or one accepts.

        Raises:
            ActionError: the action is not allowed now.
        """
        if not self.check_end_conditions():
            if self._protocol.is_resolved:
                self._open_round()
            data = {"type": action.action_type, **action.action_data}
            self._apply(self.to_action(action.player_id, data))
        return self._noted()

    def process_actions(
        self,
        actions: Mapping[str, Mapping[str, Any] | str],
        game_state: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Do what the players of one round did, as a whole: rejections, offers, acceptances.

        Actions may be replies as they came. What is not allowed is passed over.
        """
        if self.check_end_conditions():
            return self.game_data
        self._open_round()
        read = {}
        for player, given in actions.items():
            self.role_of(player)
            read[player] = self.read_reply(player, given) if isinstance(given, str) else given
        for wanted in ORDER:
            for player, action in read.items():
                if decision(action)[0] == wanted and not self._protocol.is_resolved:
                    if why := self.complaint(player, action):
                        _logger.warning("%s: %s %s", self.game_type, player, why)
                    else:
                        self._apply(self.to_action(player, action))
        self._protocol.resolve()
        return self._noted()

    def _noted(self) -> dict[str, Any]:
        state = self.game_data
        if self.is_game_over(state):
            self.state = GameState.COMPLETED
        return state

    def _open_round(self) -> None:
        round_ = self._protocol.get_round_structure(self._seats, self._session)
        self._session.rounds.append(round_)

    def _apply(self, action: Action) -> None:
        self._protocol.apply_action(action, self._session)
        self._session.rounds[-1].actions.append(action)

    def check_end_conditions(self) -> bool:
        """Agreed, ended by a rejection, or out of rounds."""
        return self.is_game_over(self.game_data)

    def is_game_over(self, game_state: Mapping[str, Any]) -> bool:
        """What a state says about it."""
        return bool(
            game_state.get("agreement_reached")
            or game_state.get("game_ended")
            or game_state.get("current_round", 1) > self.max_rounds
        )

    def calculate_scores(self) -> dict[str, float]:
        """The final utilities: 0 for everybody as long as nothing has been agreed."""
        scores = self.game_data.get("final_utilities") or dict.fromkeys(self.players, 0.0)
        return dict(scores)

    def get_winner(self, game_state: Mapping[str, Any]) -> str | None:
        """The player of the largest surplus above 0; None when there is none, or two."""
        leaders = self._leaders(game_state.get("utility_surpluses") or {})
        return leaders[0] if len(leaders) == 1 else None

    @staticmethod
    def _leaders(surpluses: Mapping[str, float]) -> list[str]:
        best = max(surpluses.values(), default=0.0)
        if best <= 0:
            return []
        return [p for p, surplus in surpluses.items() if math.isclose(surplus, best)]

    def get_game_prompt(self, player_id: str) -> str:
        """The game as this player sees it now, without naming its role."""
        role, protocol = self.role_of(player_id), self._protocol
        now = min(max(1, self._current_round()), self.max_rounds)
        other = next(player for player in self.players if player != player_id)
        mine, theirs = protocol.latest_offer(player_id), protocol.latest_offer(other)
        left = protocol.proposals_left(player_id)
        limit = "" if left is None else f"Proposals left: {left} of {protocol.limit}.\n"
        label = "ROLE A" if role == self.roles[0] else "ROLE B"
        return (
            f"You are {label}. {self.briefing(role)}\n"
            f"Round {now} of {self.max_rounds}.\n"
            f"Your alternative if there is no agreement: {self.batna_of(role, now):.2f}. "
            f"It changes from round to round.\n"
            f"Your last offer: {'none' if mine is None else self.shown(role, mine, now)}\n"
            f"Their last offer: {'none' if theirs is None else self.shown(role, theirs, now)}\n"
            f"{limit}"
            f"Reply with one JSON object and nothing else, in one of these forms:\n"
            f"{self.reply_form()}\n"
            f'{{"type": "accept"}}\n'
            f'{{"type": "reject"}}'
        )

    # How the engine plays it.

    @property
    def protocol_spec(self) -> str:
        """The protocol with this game's options."""
        options = {
            "proposals": self.config.get("max_proposals"),
            "same_round_accept": self.config.get("same_round_accept", self.same_round_accept),
            "batna_round": self.config.get("batna_round", self.batna_round),
            "order": self.config.get("turn_order", "fixed"),
            "sealed": self.config.get("sealed", False),
            "void_accepts": True,
        }
        return str(
            Spec(
                SimultaneousOffersProtocol.name,
                {key: value for key, value in options.items() if value is not None},
            )
        )

    @property
    def scenario(self) -> Scenario:
        """The domain, with a profile for each role."""
        return Scenario(
            self.domain,
            {role: self.make_profile(role) for role in self.roles},
            deadline=self.deadline,
            protocol=self.protocol_spec,
        )

    @property
    def _seats(self) -> tuple[Seat, ...]:
        return tuple(Seat(player, self.assigned[player]) for player in self.players)

    def _make_protocol(self) -> MultilateralProtocol:
        protocol: MultilateralProtocol = registry.make("protocol", self.protocol_spec)
        return protocol

    def _make_session(self) -> Session:
        timeline = Timeline(self.deadline, lambda: 0.0)
        return Session(self.domain, self.deadline, timeline, seed=self.seed)

    def join(self, protocol: MultilateralProtocol, session: Session) -> None:
        """Let the state be that of a session which somebody else drives."""
        assert isinstance(protocol, SimultaneousOffersProtocol)
        self._protocol = protocol
        self._session = session

    def read_reply(self, player: str, reply: str | Mapping[str, Any]) -> dict[str, Any]:
        """The action that a reply means."""
        return read_reply(reply)

    def to_action(self, player: str, action: Mapping[str, Any]) -> Action:
        """The engine's action for what a player does.

        Raises:
            ActionError: it is not allowed now.
        """
        if why := self.complaint(player, action):
            raise ActionError(why)
        kind, content = decision(action)
        standing = self._protocol.standing(player)
        match kind:
            case "offer":
                return Offer(player, self.read_terms(content))
            case "accept":
                if standing is not None:
                    return Accept(player, standing)
                self._note_void_accept(player)
                return VoidAccept(player)
            case "reject" if self._protocol.proposals_left(player) == 0:
                return EndNegotiation(player)
            case "reject" if standing is not None:
                return Reject(player, standing)
            case _:
                return Pass(player)

    def _note_void_accept(self, player: str) -> None:
        if any(self._protocol.latest_offer(other) for other in self.players if other != player):
            _logger.warning("%s: %s accepts an offer of the same round", self.game_type, player)
        else:
            _logger.info("%s: %s accepts, but there is no offer", self.game_type, player)

    def from_action(self, action: Action) -> dict[str, Any]:
        """What a player did, in the game's own words."""
        match action:
            case Offer():
                return {"type": self.offer_word, **self.write_terms(action.bid)}
            case Accept() | VoidAccept():
                return {"type": "accept"}
            case Reject() | EndNegotiation():
                return {"type": "reject"}
            case _:
                return {"type": "noop"}

    # The state, derived from the protocol.

    @property
    def game_data(self) -> dict[str, Any]:
        """The state as a plain mapping, made anew each time."""
        if not self.players:
            return {}
        protocol = self._protocol
        state: dict[str, Any] = {
            "game_type": self.game_type,
            "players": list(self.players),
            "max_rounds": self.max_rounds,
            "current_round": self._current_round(),
            "role_assignments": {role: player for player, role in self.assigned.items()},
            "private_info": {
                player: {"role": role, "batna": self.batnas[role], **self.facts_for(role)}
                for player, role in self.assigned.items()
            },
            "public_info": {"deadline": self.max_rounds, **self.public_facts()},
            "batna_decay": dict(self.decays),
            "last_offers": {
                player: self.write_terms(bid)
                for player in self.players
                if (bid := protocol.latest_offer(player)) is not None
            },
            "proposal_counts": {player: protocol.offers_made(player) for player in self.players},
            **self._extra,
        }
        return state | self._result(state["current_round"])

    @game_data.setter
    def game_data(self, state: dict[str, Any]) -> None:
        # Only what nothing else tells is kept, such as the system prompts of a session.
        self._extra = {k: v for k, v in state.items() if k == "system_prompts"}

    def _current_round(self) -> int:
        """Counted from 1; a round that came to nothing advances it, one that ends the game not."""
        protocol = self._protocol
        ends_here = protocol.agreement is not None or protocol.ended
        return protocol.round + (1 if protocol.is_resolved and not ends_here else 0)

    def _result(self, current_round: int) -> dict[str, Any]:
        protocol = self._protocol
        if protocol.agreement is not None:
            return self._agreement(protocol.agreement)
        ended = protocol.ended or current_round > self.max_rounds or self._session.is_over
        if not ended:
            return {"agreement_reached": False, "game_ended": False}
        last = min(current_round, self.max_rounds)
        return {
            "agreement_reached": False,
            "game_ended": True,
            "total_rounds": last,
            "final_utilities": dict.fromkeys(self.players, 0.0),
            "utility_surpluses": dict.fromkeys(self.players, 0.0),
            "reservation_utilities": {
                player: self.batna_of(role, last) for player, role in self.assigned.items()
            },
            "winner": None,
            "tied": [],
        }

    def _agreement(self, bid: Bid) -> dict[str, Any]:
        protocol = self._protocol
        priced = protocol.priced_round
        assert priced is not None
        surpluses = {p: self.surplus(role, bid, priced) for p, role in self.assigned.items()}
        leaders = self._leaders(surpluses)
        return {
            "agreement_reached": True,
            "game_ended": True,
            "agreement_type": protocol.detail,
            "agreement_round": self.agreement_round(protocol.round, priced),
            "total_rounds": protocol.round,
            **self.agreement_facts(bid),
            "final_utilities": {
                p: self.final_utility(role, bid, priced) for p, role in self.assigned.items()
            },
            "utility_surpluses": surpluses,
            "batnas_at_agreement": {
                p: self.batna_of(role, priced) for p, role in self.assigned.items()
            },
            "reservation_utilities": {
                p: self.batna_of(role, priced) for p, role in self.assigned.items()
            },
            "winner": leaders[0] if len(leaders) == 1 else None,
            "tied": leaders if len(leaders) > 1 else [],
        }

    def agreement_round(self, accepted: int, priced: int) -> int:
        """The round that the game says an agreement is of."""
        return accepted
