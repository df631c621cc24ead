"""What bilateral negotiation and monotonic concession share: parties that concede a number."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

from genius_py.action import Accept, Action, Offer
from genius_py.allowed import Number
from genius_py.domain import Domain
from genius_py.errors import SessionFailure
from genius_py.fronts.executor.concession import next_value
from genius_py.fronts.executor.config import NegotiationConfig
from genius_py.fronts.executor.listener import NegotiationListener
from genius_py.fronts.executor.offers import NegotiationOffer, NegotiationOutcome
from genius_py.fronts.executor.table import ANY_NUMBER, Table, outcome_of
from genius_py.issue import RealIssue
from genius_py.log import Event, Reason
from genius_py.parties.price_conceder import PriceConceder
from genius_py.party import NegotiationInfo
from genius_py.protocols.monotonic_concession import Position

__all__ = ["StrategyParty", "hold"]

_VALUE = "value"
"""The one issue of these negotiations."""


def _number_of(action: Action | None) -> float | None:
    """The number that an action names, if any."""
    if isinstance(action, Offer):
        return float(action.bid[_VALUE])
    return action.value if isinstance(action, Position) else None


class StrategyParty(PriceConceder):
    """A party that moves from a start to its reservation value by a concession strategy.

    With `keeps` it never takes a concession back, whatever its strategy says.
    """

    def __init__(
        self, strategy: Any, start: float, reservation: float, *, sells: bool, keeps: bool = False
    ) -> None:
        super().__init__(initial=start, reservation=reservation)
        self._asked, self._sells, self._keeps = strategy, sells, keeps
        self._history: list[NegotiationOffer] = []
        self.failure: Exception | None = None
        """What its strategy did wrong."""

    def init(self, info: NegotiationInfo) -> None:
        """The direction is given, not found in a profile."""
        super().init(info)
        self.sells = self._sells

    def receive_message(self, sender: str | None, action: Action) -> None:
        """Remember the offers of the others."""
        super().receive_message(sender, action)
        number = _number_of(action)
        if number is not None:
            offer = NegotiationOffer(action.party, number, self.info.timeline.round)
            self._history.append(offer)

    def position(self, rule: Number) -> float:
        """The next step, whatever the others do."""
        timeline = self.info.timeline
        assert timeline.rounds is not None
        return self.concede(timeline.round, timeline.rounds)

    def concede(self, round_number: int, rounds: int) -> float:
        """What the strategy says."""
        try:
            value = next_value(
                self._asked,
                round_number,
                rounds,
                self.reservation,
                self.current,
                tuple(self._history),
            )
        except Exception as error:
            self.failure = error
            raise
        if not self._keeps:
            return value
        return min(value, self.current) if self.sells else max(value, self.current)


def hold(
    rules: str,
    seated: Mapping[str, StrategyParty],
    config: NegotiationConfig,
    listener: NegotiationListener,
    clock: Callable[[], float],
    countering: Collection[str] = (),
) -> NegotiationOutcome:
    """Let parties, given by id, negotiate about one number under some rules of the engine.

    The offers of those who are `countering` are counter-offers. What is agreed although nobody has
    offered it just now is nobody's offer.

    Raises:
        StrategyError: a strategy answered nonsense.
        SessionFailure: something else went wrong.
    """
    offers: list[NegotiationOffer] = []

    def watch(event: Event) -> None:
        number = _number_of(event.action)
        if number is not None:
            offers.append(NegotiationOffer(event.party, number, event.round))
            listener.on_offer_made(offers[-1])
            listener.on_offer_received(offers[-1])
            if event.party in countering:
                listener.on_counter_offer(offers[-1])

    table = Table(
        rules,
        Domain("price talks", [RealIssue(_VALUE, -ANY_NUMBER, ANY_NUMBER)]),
        {party_id: partial(_same, party) for party_id, party in seated.items()},
        config.max_rounds,
        timeout=config.timeout.total_seconds(),
        watch=watch,
        clock=clock,
    )
    session = table.run()
    for party in seated.values():
        if party.failure is not None:
            raise party.failure
    if session.reason is Reason.FAULT and not table.is_late:
        raise SessionFailure(f"The negotiation failed. {session.faults[-1]}.")
    accepted = None
    if session.agreement is not None:
        value = float(session.agreement[_VALUE])
        accepted = NegotiationOffer("", value, session.rounds)
        if isinstance(session.log.actions[-1], Accept):
            accepted = offers[-1]
    return outcome_of(table, session, accepted, offers, "no agreement within the rounds")


def _same(party: StrategyParty) -> StrategyParty:
    return party
