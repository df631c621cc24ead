"""Numbers as options of protocols, and as people read them."""

from __future__ import annotations

import math

from genius_py.errors import OptionError

__all__ = ["require_number", "shown"]


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


def shown(number: float) -> str:
    """A number with all its digits, but a whole one without its fraction: 60, 0.1."""
    return repr(number).removesuffix(".0")
