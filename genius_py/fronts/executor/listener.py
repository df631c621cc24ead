"""Who is told of the course of a negotiation."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from genius_py.fronts.executor.offers import NegotiationOffer, NegotiationOutcome

if TYPE_CHECKING:
    from genius_py.fronts.executor.config import NegotiationConfig

__all__ = ["Audience", "NegotiationListener"]

_logger = logging.getLogger(__name__)


class NegotiationListener:
    """Override what you want to hear of."""

    def on_negotiation_started(self, config: NegotiationConfig) -> None:
        """Before the protocol runs."""

    def on_negotiation_completed(self, outcome: NegotiationOutcome) -> None:
        """After the protocol has run."""

    def on_offer_made(self, offer: NegotiationOffer) -> None:
        """A party has made an offer, a bid or a proposal."""

    def on_offer_received(self, offer: NegotiationOffer) -> None:
        """An offer has reached whoever hears of it."""

    def on_counter_offer(self, offer: NegotiationOffer) -> None:
        """The offer answers another one."""


class Audience(NegotiationListener):
    """Several listeners as one. One that raises is logged, and disturbs nobody.

    With `hears_offers` false only start and end are passed on.
    """

    def __init__(self, listeners: Sequence[NegotiationListener], hears_offers: bool) -> None:
        self._listeners = tuple(listeners)
        self._hears_offers = hears_offers

    def on_negotiation_started(self, config: NegotiationConfig) -> None:
        """Tell all."""
        self._tell("on_negotiation_started", config)

    def on_negotiation_completed(self, outcome: NegotiationOutcome) -> None:
        """Tell all."""
        self._tell("on_negotiation_completed", outcome)

    def on_offer_made(self, offer: NegotiationOffer) -> None:
        """Tell all who are to hear of offers."""
        if self._hears_offers:
            self._tell("on_offer_made", offer)

    def on_offer_received(self, offer: NegotiationOffer) -> None:
        """Tell all who are to hear of offers."""
        if self._hears_offers:
            self._tell("on_offer_received", offer)

    def on_counter_offer(self, offer: NegotiationOffer) -> None:
        """Tell all who are to hear of offers."""
        if self._hears_offers:
            self._tell("on_counter_offer", offer)

    def _tell(self, callback: str, news: object) -> None:
        for listener in self._listeners:
            try:
                getattr(listener, callback)(news)
            except Exception:
                _logger.exception("Listener %r failed in %s", listener, callback)
