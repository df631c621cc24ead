"""The game `bilateral-trade`: its options, and how the engine plays it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from genius_py.allowed import Number
from genius_py.deadline import Deadline
from genius_py.domain import Domain
from genius_py.errors import OptionError
from genius_py.formats.files import document
from genius_py.formats.node import Node, node_of
from genius_py.fronts.trade.view import TradeView
from genius_py.issue import DiscreteIssue, RealIssue, TextIssue
from genius_py.log import Event
from genius_py.plan import SeatPlan, SessionPlan
from genius_py.protocols.bilateral_trade import (
    BilateralTradeProtocol,
    Mode,
    Proposers,
    Resolution,
    TurnOrder,
)
from genius_py.registry import Spec
from genius_py.scenario import Scenario
from genius_py.utility import LinearUtilitySpace

__all__ = ["PRICE_CEILING", "BilateralTradeGame"]

PRICE_CEILING = 1e9
"""The highest price that there is where no budget caps it that all may know."""


class BilateralTradeGame:
    """An initiator and providers trade a service, or a buyer and a seller find its price.

    The first agent is the initiator or buyer. In mode ``full`` two agents play the classic game
    and more the competitive one; ``price_only`` is for two. What belongs to the other mode is
    ignored. `BilateralTradeProtocol` has the rules.

    Args:
        mode: ``full`` or ``price_only``.
        dispute_resolution: ``no_payment`` or ``split`` (full).
        negotiate_turn_order: ``round_robin`` or ``random`` (full).
        fixed_scope: what the price is negotiated for (price-only).
        max_budget: the most that the buyer can pay (price-only).
        reservation_values: what each agent could have instead, by role or by agent id; the
            seller's counts against the price, the buyer's is told to it alone (price-only).
        sealed_proposals: whether competing providers see nothing of each other's proposals.
        hide_budget: whether only the buyer knows `max_budget`; the seller may then propose more,
            but the buyer cannot accept it (price-only).
        proposers: who proposes prices, the ``seller`` or ``both`` (price-only).
        allow_pass: whether turns may be passed (full; in a price-only game they may).
        task_value: what accepted work is worth to the initiator (full).
        negotiate_rounds: most rounds of the negotiation; by default 8, or 100 for the price alone.

    Raises:
        OptionError: an option has an impossible value (a `ValueError`).
    """

    game_id: ClassVar[str] = "bilateral-trade"
    min_agents: ClassVar[int] = 2

    def __init__(
        self,
        mode: Mode = "full",
        dispute_resolution: Resolution = "no_payment",
        negotiate_turn_order: TurnOrder = "round_robin",
        fixed_scope: str = "",
        max_budget: float = 100,
        reservation_values: Mapping[str, float] | None = None,
        *,
        sealed_proposals: bool = False,
        hide_budget: bool = False,
        proposers: Proposers = "seller",
        allow_pass: bool = False,
        task_value: float = 0.0,
        negotiate_rounds: int | None = None,
    ) -> None:
        if not Number(0, PRICE_CEILING).allows(max_budget):
            raise OptionError(
                f"max_budget is a number from 0 to {PRICE_CEILING:g}, not {max_budget!r}."
            )
        for whose, value in (reservation_values or {}).items():
            if not Number().allows(value):
                raise OptionError(f"The reservation value of {whose} is no number: {value!r}.")
        self.mode: Mode = mode
        self.dispute_resolution: Resolution = dispute_resolution
        self.negotiate_turn_order: TurnOrder = negotiate_turn_order
        self.fixed_scope = fixed_scope
        self.max_budget = max_budget
        self.reservation_values = None if reservation_values is None else dict(reservation_values)
        self.sealed_proposals = sealed_proposals
        self.hide_budget = hide_budget
        self.proposers: Proposers = proposers
        self.allow_pass = allow_pass
        self.task_value = task_value
        self.negotiate_rounds = negotiate_rounds
        # Those of the other mode too: ignored is not the same as wrong.
        self._rules = BilateralTradeProtocol(
            mode,
            dispute_resolution,
            negotiate_turn_order,
            proposers,
            task_value=task_value,
            negotiate_rounds=negotiate_rounds,
        )

    @classmethod
    def from_yaml(cls, path: str | Path) -> BilateralTradeGame:
        """The game of a YAML or JSON file.

        Raises:
            DomainError: the file cannot be read, or has an unknown or impossible entry, which is
                named with its line (a `ValueError`).
            OptionError: as the class.
        """
        return cls._of(document(Path(path)))

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> BilateralTradeGame:
        """The game of a mapping with the keys of the YAML file: the options and ``game_id``.

        Raises: as `from_yaml`.
        """
        return cls._of(node_of(config))

    @classmethod
    def _of(cls, node: Node) -> BilateralTradeGame:
        entries = node.mapping((), ("game_id", *_READ))
        if "game_id" in entries:
            entries.pop("game_id").choice("game", (cls.game_id,))
        given = {key: _READ[key](at) for key, at in entries.items() if not at.is_null}
        with node.blamed():
            return cls(**given)

    @classmethod
    def from_params(
        cls, buyer_rv: float = 80, seller_rv: float = 40, fixed_scope: str = "A service"
    ) -> BilateralTradeGame:
        """The price-only game of a buyer's and a seller's reservation values.

        The buyer's is its budget too.
        """
        return cls(
            "price_only",
            fixed_scope=fixed_scope,
            max_budget=buyer_rv,
            reservation_values={"buyer": buyer_rv, "seller": seller_rv},
        )

    @property
    def config(self) -> dict[str, Any]:
        """The options, as `from_config` takes them."""
        return {"game_id": self.game_id, **{key: getattr(self, key) for key in _READ}}

    @property
    def is_price_only(self) -> bool:
        """Whether only the price is negotiated."""
        return self.mode == "price_only"

    def role_of(self, place: int) -> str:
        """The role of the agent at a place, counted from 0."""
        roles = ("buyer", "seller") if self.is_price_only else ("initiator", "provider")
        return roles[min(place, 1)]

    def seats(self, agent_ids: Sequence[str]) -> dict[str, str]:
        """Each agent and its role.

        Raises:
            OptionError: these agents cannot play the game.
        """
        if len(set(agent_ids)) < len(agent_ids):
            raise OptionError(f"Two agents have the same id: {', '.join(agent_ids)}.")
        if len(agent_ids) < self.min_agents or (self.is_price_only and len(agent_ids) > 2):
            wanted = "exactly two agents" if self.is_price_only else "two or more agents"
            raise OptionError(f"Mode {self.mode} is for {wanted}, not for {len(agent_ids)}.")
        return {agent: self.role_of(place) for place, agent in enumerate(agent_ids)}

    def reservations(self, agent_ids: Sequence[str]) -> dict[str, float]:
        """Each agent's reservation value: 0 for all when none is given.

        Raises:
            OptionError: the seller has none, or somebody has one who does not play.
        """
        seats = self.seats(agent_ids)
        if not self.is_price_only or self.reservation_values is None:
            return dict.fromkeys(seats, 0.0)
        given = dict(self.reservation_values)
        found = {}
        for agent, role in seats.items():
            keys = [key for key in dict.fromkeys((agent, role)) if key in given]
            if len(keys) > 1:
                raise OptionError(f"{agent} is the {role}, and both have a reservation value.")
            if not keys and role == "seller":
                raise OptionError(
                    f"reservation_values has none for the seller, {agent}; "
                    f"it has {', '.join(given) or 'none at all'}."
                )
            found[agent] = float(given.pop(keys[0])) if keys else 0.0
        if given:
            raise OptionError(
                f"reservation_values names {', '.join(given)}, who does not play; use the roles "
                f"buyer and seller, or the ids {', '.join(agent_ids)}."
            )
        return found

    def scenario(self, agent_ids: Sequence[str]) -> Scenario:
        """What is negotiated, and what it is worth to each role."""
        if self.is_price_only:
            top = PRICE_CEILING if self.hide_budget else self.max_budget
            scope: DiscreteIssue | TextIssue = DiscreteIssue("scope", [self.fixed_scope])
            paying = self.max_budget
        else:
            top, scope, paying = PRICE_CEILING, TextIssue("scope"), self.task_value
        domain = Domain(self.game_id, [scope, RealIssue("price", 0, top)])
        buying, selling = self.role_of(0), self.role_of(1)
        owed = self.reservations(agent_ids)[agent_ids[1]]
        profiles = {
            buying: LinearUtilitySpace(domain=domain, coefficients=(0, -1), constant=paying),
            selling: LinearUtilitySpace(domain=domain, coefficients=(0, 1), constant=-owed),
        }
        return Scenario(domain, profiles, protocol=self.protocol_spec())

    @property
    def _options(self) -> dict[str, Any]:
        if self.is_price_only:
            return {
                "mode": self.mode,
                "proposers": self.proposers,
                "max_budget": float(self.max_budget) if self.hide_budget else None,
                "negotiate_rounds": self.negotiate_rounds,
            }
        return {
            "dispute_resolution": self.dispute_resolution,
            "negotiate_turn_order": self.negotiate_turn_order,
            "sealed_proposals": self.sealed_proposals,
            "allow_pass": self.allow_pass,
            "task_value": self.task_value,
            "negotiate_rounds": self.negotiate_rounds,
        }

    def protocol_spec(self, **limits: int | None) -> str:
        """The protocol with this game's options, and limits such as ``max_turns``."""
        options = {**self._options, **limits}
        given = {key: value for key, value in options.items() if value is not None}
        return str(Spec(BilateralTradeProtocol.name, given))

    def plan(
        self,
        agents: Mapping[str, str],
        *,
        seed: int = 0,
        **limits: int | None,
    ) -> SessionPlan:
        """The engine's plan of a match between agents (id -> what they are, as text)."""
        ids = tuple(agents)
        roles = self.seats(ids)
        return SessionPlan(
            protocol=self.protocol_spec(**limits),
            scenario=self.scenario(ids),
            seats=[SeatPlan(agent, roles[agent], what) for agent, what in agents.items()],
            # The trade's own limits end it; the engine only wants to know that something does.
            deadline=Deadline(rounds=sum(self._rules.round_limits.values())),
            seed=seed,
            on_fault="forfeit",
        )

    def view(self, agent_ids: Sequence[str], events: Iterable[Event]) -> TradeView:
        """What an agent sees who may know of these events."""
        return TradeView.of(events, agent_ids, self.fixed_scope if self.is_price_only else None)

    def visible_state(
        self, agent_id: str, agent_ids: Sequence[str], events: Iterable[Event]
    ) -> dict[str, Any]:
        """The state as an agent sees it who may know of these events."""
        view = self.view(agent_ids, events)
        role = self.seats(agent_ids)[agent_id]
        who = {"num_agents": len(agent_ids), "agent_ids": list(agent_ids)}
        first, *others = agent_ids
        if not self.is_price_only:
            seated = {"initiator": first, "providers": others, "my_role": role}
            return {**who, **seated, **view.full()}
        budget = {} if self.hide_budget and role == "seller" else {"max_budget": self.max_budget}
        return {
            **who,
            "buyer": first,
            "seller": others[0],
            "my_role": role,
            "fixed_scope": self.fixed_scope,
            **budget,
            "my_reservation_value": self.reservations(agent_ids)[agent_id],
            **view.negotiation(),
        }


def _amounts(node: Node) -> dict[str, float]:
    return {whose: value.number() for whose, value in node.entries().items()}


_READ: Mapping[str, Any] = {
    "mode": Node.text,
    "dispute_resolution": Node.text,
    "negotiate_turn_order": Node.text,
    "fixed_scope": Node.text,
    "max_budget": Node.number,
    "reservation_values": _amounts,
    "sealed_proposals": Node.truth,
    "hide_budget": Node.truth,
    "proposers": Node.text,
    "allow_pass": Node.truth,
    "task_value": Node.number,
    "negotiate_rounds": Node.whole,
}
"""The options, and how each is read from a configuration."""
