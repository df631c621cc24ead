"""What is said in a negotiation of the executor, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from genius_py.errors import OptionError
from genius_py.fronts.executor.types import NegotiationState
from genius_py.outcome import Outcome

__all__ = ["NegotiationOffer", "NegotiationOutcome"]


@attrs.frozen
class NegotiationOffer:
    """A number that a party has named, in a round counted from 1.

    In auctions it is a bid, in a contract net the cost of a proposal. What nobody has named alone,
    such as the middle of two positions, has an empty `party_id`.
    """

    party_id: str
    value: float
    round: int


def _as_tuple(given: Iterable[NegotiationOffer]) -> tuple[NegotiationOffer, ...]:
    return tuple(given)


@attrs.frozen
class NegotiationOutcome:
    """How a negotiation ended.

    There is an accepted offer if, and only if, it is agreed; else a reason why not. `session` is
    what the engine made of it, log included; None for protocols that do without the engine.

    Raises:
        OptionError: it contradicts itself.
    """

    agreed: bool
    accepted_offer: NegotiationOffer | None
    all_offers: tuple[NegotiationOffer, ...] = attrs.field(converter=_as_tuple)
    rounds_used: int
    duration_ms: int
    final_state: NegotiationState
    failure_reason: str | None
    session: Outcome | None = attrs.field(default=None, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        claims = {
            self.agreed,
            self.accepted_offer is not None,
            self.final_state is NegotiationState.AGREED,
            self.failure_reason is None,
        }
        if len(claims) > 1 or self.final_state not in NegotiationState.final():
            raise OptionError(
                f"An outcome is agreed, with an accepted offer and in state AGREED, or it is not, "
                f"for a reason and in state FAILED or TIMED_OUT; got {self}."
            )
