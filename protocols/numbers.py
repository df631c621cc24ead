"""Numbers as options of protocols, and as people read them."""

from __future__ import annotations

import math
from decimal import Decimal

from genius_py.errors import OptionError

__all__ = ["moved", "require_number", "shown"]


def require_number(option: str, value: float | None, least: float = -math.inf) -> None:
    """Refuse an option that is neither None nor a finite number of at least `least`.

    Raises:
        OptionError: naming the option.
    """
    if value is None:
        return
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number and math.isfinite(value) and value >= least:
        return
    bound = "" if least == -math.inf else f" of {least:g} or more"
    raise OptionError(f"{option} must be a number{bound}, not {value!r}.")


def moved(price: float, step: float, times: int = 1) -> float:
    """A price after some steps, as decimals have it: what one reads is what one may bid.

    >>> 0.1 + 0.2, moved(0.1, 0.2)
    (0.30000000000000004, 0.3)
    """
    return float(Decimal(repr(float(price))) + times * Decimal(repr(float(step))))


def shown(number: float) -> str:
    """A number with all its digits, but a whole one without its fraction: 60, 0.1."""
    return repr(number).removesuffix(".0")
