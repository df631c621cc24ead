"""The fixed-order flipping mediator: flips at random, but the same way in every session."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from genius_py.java import JavaRandom
from genius_py.parties.random_flipping_mediator import RandomFlippingMediator

__all__ = ["FixedOrderFlippingMediator"]


class FixedOrderFlippingMediator(RandomFlippingMediator):
    """Draws issues and values in an order that does not depend on the session's seed."""

    name: ClassVar[str] = "fixed_order_flipping_mediator"

    def chance(self) -> JavaRandom | np.random.Generator:
        """Numbers that start from 0, as in Genius."""
        return JavaRandom(0) if self.info.faithful else np.random.default_rng(0)
