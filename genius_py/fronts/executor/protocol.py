"""What the executor runs; implement it to add a kind of negotiation of your own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from genius_py.fronts.executor.config import NegotiationConfig
from genius_py.fronts.executor.listener import NegotiationListener
from genius_py.fronts.executor.offers import NegotiationOutcome
from genius_py.fronts.executor.types import NegotiationType

__all__ = ["NegotiationProtocol"]


class NegotiationProtocol(ABC):
    """Rules for one or more types of negotiation."""

    types: ClassVar[tuple[NegotiationType, ...]]
    """Those that it is registered for."""

    @abstractmethod
    def negotiate(
        self, parties: Sequence[Any], config: NegotiationConfig, listener: NegotiationListener
    ) -> NegotiationOutcome:
        """Run one negotiation among these parties, telling the listener of the offers."""
