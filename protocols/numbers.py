"""Numbers as people read them, and prices that move by decimals."""

from __future__ import annotations

from decimal import Decimal

__all__ = ["moved", "shown"]


def moved(price: float, step: float, times: int = 1) -> float:
    """A price after some steps, as decimals have it: what one reads is what one may bid.

    >>> 0.1 + 0.2, moved(0.1, 0.2)
    (0.30000000000000004, 0.3)
    """
    return float(Decimal(repr(float(price))) + times * Decimal(repr(float(step))))


def shown(number: float) -> str:
    """A number with all its digits, but a whole one without its fraction: 60, 0.1."""
    return repr(number).removesuffix(".0")
