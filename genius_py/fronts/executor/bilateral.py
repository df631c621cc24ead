"""Bilateral negotiation: a proposer that comes down, and a responder that waits at its limit."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from genius_py.errors import GeniusWarning, OptionError
from genius_py.fronts.executor.config import NegotiationConfig
from genius_py.fronts.executor.listener import NegotiationListener
from genius_py.fronts.executor.offers import NegotiationOutcome
from genius_py.fronts.executor.parties import ids_of, participant
from genius_py.fronts.executor.price_talks import StrategyParty, hold
from genius_py.fronts.executor.protocol import NegotiationProtocol
from genius_py.fronts.executor.types import NegotiationType

__all__ = ["BilateralNegotiation"]


class BilateralNegotiation(NegotiationProtocol):
    """Between the first two parties; the agents are not asked, their strategies are.

    The proposer starts at the initial offer, the responder at its reservation value. In each round
    the proposer names its next value; the responder accepts what is at or below its own position,
    else counters with its next value, which the proposer accepts if it reaches its own. What is on
    the table then is the price. Where the reservation value is above the initial offer, all of that
    is turned round, and the proposer comes up (not with `strict_seed`).

    Both have the numbers and the strategy of the config, unless they are `Participant`s with their
    own. `clock` gives seconds.
    """

    types: ClassVar[tuple[NegotiationType, ...]] = (NegotiationType.BILATERAL,)

    def __init__(
        self, *, strict_seed: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._strict_seed = strict_seed
        self._clock = clock

    def negotiate(
        self, parties: Sequence[Any], config: NegotiationConfig, listener: NegotiationListener
    ) -> NegotiationOutcome:
        """Run one negotiation.

        Raises:
            OptionError: there are fewer than two parties.
            StrategyError: a strategy answers nonsense.
        """
        if len(parties) < 2:
            raise OptionError(
                f"A bilateral negotiation is between two parties, not {len(parties)}."
            )
        if len(parties) > 2:
            warnings.warn(
                f"A bilateral negotiation is between the first two of the {len(parties)} parties.",
                GeniusWarning,
                stacklevel=3,
            )
        proposer, responder = map(participant, parties[:2])
        reservation = _given(proposer.reservation_value, config.reservation_value)
        start = _given(proposer.initial_offer, config.start)
        falls = self._strict_seed or start >= reservation
        limit = _given(responder.reservation_value, config.reservation_value)
        seated = [
            StrategyParty(
                _given(proposer.concession_strategy, config.concession_strategy),
                start,
                reservation,
                sells=falls,
            ),
            StrategyParty(
                _given(responder.concession_strategy, config.concession_strategy),
                _given(responder.initial_offer, limit),
                limit,
                sells=not falls,
            ),
        ]
        ids = ids_of(parties[:2])
        return hold(
            "bilateral_negotiation",
            dict(zip(ids, seated, strict=True)),
            config,
            listener,
            self._clock,
            countering=ids[1:],
        )


def _given(own: Any, default: Any) -> Any:
    return default if own is None else own
