"""Options of protocols, refused by name when they are impossible."""

from __future__ import annotations

import math
from typing import Any, get_args

from genius_py.errors import OptionError

__all__ = ["require_number", "require_one_of", "require_whole"]


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


def require_whole(option: str, value: int | None, least: int) -> None:
    """Refuse an option that is neither None nor a whole number of at least `least`.

    Raises:
        OptionError: naming the option.
    """
    if value is not None and (type(value) is not int or value < least):
        raise OptionError(f"{option} must be a whole number of {least} or more, not {value!r}.")


def require_one_of(option: str, value: object, possible: Any) -> None:
    """Refuse an option that is none of the values of a `Literal`.

    Raises:
        OptionError: naming the option and what is possible.
    """
    if value not in get_args(possible):
        *others, last = map(repr, get_args(possible))
        raise OptionError(f"{option} must be {', '.join(others)} or {last}, not {value!r}.")
