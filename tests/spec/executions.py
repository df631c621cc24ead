"""Negotiations of the executor as the tests need them."""

from typing import Any

from genius_py.fronts.executor import (
    LinearConcession,
    NegotiationConfig,
    NegotiationExecutor,
    NegotiationListener,
    NegotiationOffer,
    NegotiationOutcome,
    NegotiationType,
)


def config(
    type: NegotiationType = NegotiationType.BILATERAL,
    *,
    rounds: int = 10,
    reservation: float = 50.0,
    initial: float = 100.0,
    strategy: Any = None,
    timeout: float = 300.0,
) -> NegotiationConfig:
    """The settings of the seed's first example, unless told otherwise."""
    return NegotiationConfig(
        type, rounds, timeout, reservation, initial, strategy or LinearConcession()
    )


def executed(
    type: NegotiationType = NegotiationType.BILATERAL,
    parties: tuple[Any, ...] = ("buyer", "seller"),
    *,
    strict: bool = False,
    **settings: Any,
) -> NegotiationOutcome:
    """One negotiation of a new executor."""
    return NegotiationExecutor(strict_seed=strict).execute(parties, config(type, **settings))


def values(outcome: NegotiationOutcome, party: str = "") -> list[float]:
    """What was offered, by one party or by all."""
    return [offer.value for offer in outcome.all_offers if party in ("", offer.party_id)]


class Notebook(NegotiationListener):
    """Writes down what it is told, as name and number."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, object]] = []

    def on_negotiation_started(self, config: NegotiationConfig) -> None:
        self.lines.append(("started", config.type))

    def on_negotiation_completed(self, outcome: NegotiationOutcome) -> None:
        self.lines.append(("completed", outcome.agreed))

    def on_offer_made(self, offer: NegotiationOffer) -> None:
        self.lines.append(("made", offer.value))

    def on_offer_received(self, offer: NegotiationOffer) -> None:
        self.lines.append(("received", offer.value))

    def on_counter_offer(self, offer: NegotiationOffer) -> None:
        self.lines.append(("counter", offer.value))


class Clock:
    """Seconds that pass by a step whenever somebody looks."""

    def __init__(self, step: float = 0.0) -> None:
        self.now = 0.0
        self.step = step

    def __call__(self) -> float:
        self.now += self.step
        return self.now
