"""The kinds of negotiation that the executor knows, and how far one has come."""

from __future__ import annotations

import enum

__all__ = ["NegotiationState", "NegotiationType"]


class NegotiationType(enum.Enum):
    """Which protocol decides."""

    NONE = "NONE"
    BILATERAL = "BILATERAL"
    MONOTONIC_CONCESSION = "MONOTONIC_CONCESSION"
    ENGLISH_AUCTION = "ENGLISH_AUCTION"
    DUTCH_AUCTION = "DUTCH_AUCTION"
    SEALED_BID = "SEALED_BID"
    VICKREY = "VICKREY"
    CONTRACT_NET = "CONTRACT_NET"


class NegotiationState(enum.Enum):
    """How far a negotiation has come; a finished one is in one of the last three states."""

    INITIAL = "INITIAL"
    PROPOSING = "PROPOSING"
    COUNTER_OFFERING = "COUNTER_OFFERING"
    EVALUATING = "EVALUATING"
    AGREED = "AGREED"
    FAILED = "FAILED"
    TIMED_OUT = "TIMED_OUT"

    @classmethod
    def final(cls) -> tuple[NegotiationState, ...]:
        """The states in which nothing more happens."""
        return cls.AGREED, cls.FAILED, cls.TIMED_OUT
