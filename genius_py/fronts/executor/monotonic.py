"""Monotonic concession: several parties, each of which never takes back what it has given up."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from genius_py.errors import OptionError
from genius_py.fronts.executor.config import NegotiationConfig
from genius_py.fronts.executor.listener import NegotiationListener
from genius_py.fronts.executor.offers import NegotiationOutcome
from genius_py.fronts.executor.parties import ids_of, participant
from genius_py.fronts.executor.price_talks import StrategyParty, hold
from genius_py.fronts.executor.protocol import NegotiationProtocol
from genius_py.fronts.executor.types import NegotiationType

__all__ = ["MonotonicConcessionProtocol"]


class MonotonicConcessionProtocol(NegotiationProtocol):
    """Among two or more parties; the agents are not asked, their strategies are.

    They start evenly spread from the initial offer (the first party) down to the reservation value
    (the last one). In each round every party names its strategy's next value, or its last one if
    that is lower. They agree on the middle when the highest and the lowest are within 0.01. Where
    the reservation value is above the initial offer, all of that is turned round, and the numbers
    rise (not with `strict_seed`).

    Parties may be `Participant`s with numbers and strategies of their own. `clock` gives seconds.
    """

    types: ClassVar[tuple[NegotiationType, ...]] = (NegotiationType.MONOTONIC_CONCESSION,)

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
        count = len(parties)
        if count < 2:
            raise OptionError(f"Monotonic concession needs two parties or more, not {count}.")
        first, last = config.start, config.reservation_value
        falls = self._strict_seed or first >= last
        seated = {}
        for place, (party_id, party) in enumerate(
            zip(ids_of(parties), map(participant, parties), strict=True)
        ):
            start, limit = party.initial_offer, party.reservation_value
            seated[party_id] = StrategyParty(
                party.concession_strategy or config.concession_strategy,
                first - place * (first - last) / (count - 1) if start is None else start,
                last if limit is None else limit,
                sells=falls,
                keeps=True,
            )
        direction = "falling" if falls else "rising"
        rules = f"monotonic_concession:direction={direction}"
        return hold(rules, seated, config, listener, self._clock)
