"""The executor: finds the protocol of a negotiation's type, runs it, and tells the listeners."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any

from genius_py.errors import OptionError
from genius_py.fronts.executor.auction_adapter import AuctionAdapter
from genius_py.fronts.executor.bilateral import BilateralNegotiation
from genius_py.fronts.executor.config import NegotiationConfig
from genius_py.fronts.executor.contract_net import ContractNetAdapter
from genius_py.fronts.executor.listener import Audience, NegotiationListener
from genius_py.fronts.executor.monotonic import MonotonicConcessionProtocol
from genius_py.fronts.executor.offers import NegotiationOutcome
from genius_py.fronts.executor.protocol import NegotiationProtocol
from genius_py.fronts.executor.table import in_background
from genius_py.fronts.executor.types import NegotiationType

__all__ = ["NegotiationExecutor"]


class NegotiationExecutor:
    """Runs negotiations; four protocols are registered from the start.

    These are `BilateralNegotiation`, `MonotonicConcessionProtocol`, `AuctionAdapter` and
    `ContractNetAdapter`. The last one cannot reach contractors until one with a requester is
    registered in its place.

    With `strict_seed` all is as seed 003 has it: listeners never hear of offers, auctions ignore
    the time limit, numbers never rise, and Vickrey auctions pay the second bid whatever the
    reserve price.

    >>> from genius_py.fronts.executor import LinearConcession
    >>> outcome = NegotiationExecutor().execute(
    ...     ["buyer", "seller"],
    ...     NegotiationConfig(NegotiationType.BILATERAL, 10, 300, 50.0, 100.0, LinearConcession()),
    ... )
    >>> outcome.agreed, outcome.accepted_offer.value, outcome.rounds_used
    (True, 50.0, 10)
    """

    def __init__(self, *, strict_seed: bool = False) -> None:
        self._strict_seed = strict_seed
        self._protocols: dict[NegotiationType, NegotiationProtocol] = {}
        self._listeners: list[NegotiationListener] = []
        self.register(BilateralNegotiation(strict_seed=strict_seed))
        self.register(MonotonicConcessionProtocol(strict_seed=strict_seed))
        self.register(AuctionAdapter(strict_seed=strict_seed))
        self.register(ContractNetAdapter())

    def register(self, protocol: NegotiationProtocol) -> None:
        """Add a protocol, or let it take the place of the one that has its types."""
        for kind in protocol.types:
            self._protocols[kind] = protocol

    def get_protocol(self, type: NegotiationType) -> NegotiationProtocol | None:
        """The protocol of a type, None when there is none."""
        return self._protocols.get(type)

    def add_listener(self, listener: NegotiationListener) -> None:
        """Let a listener hear of all further negotiations."""
        self._listeners.append(listener)

    def remove_listener(self, listener: NegotiationListener) -> None:
        """Let a listener hear no more; one that does not listen is ignored."""
        if listener in self._listeners:
            self._listeners.remove(listener)

    def execute(self, parties: Sequence[Any], config: NegotiationConfig) -> NegotiationOutcome:
        """Run one negotiation.

        `parties` are agents (texts, or objects with an `id` or a `name`) or `Participant`s.

        Raises:
            OptionError: the type is NONE or has no protocol, or there are too few parties.
        """
        protocol = self.get_protocol(config.type)
        if config.type is NegotiationType.NONE or protocol is None:
            raise OptionError(
                f"No protocol is registered for {config.type.value}; "
                f"register one, or use another type."
            )
        audience = Audience(self._listeners, hears_offers=not self._strict_seed)
        audience.on_negotiation_started(config)
        outcome = protocol.negotiate(parties, config, audience)
        audience.on_negotiation_completed(outcome)
        return outcome

    def execute_async(
        self, parties: Sequence[Any], config: NegotiationConfig
    ) -> Future[NegotiationOutcome]:
        """Run one negotiation in a thread of its own."""
        return in_background(partial(self.execute, parties, config))
