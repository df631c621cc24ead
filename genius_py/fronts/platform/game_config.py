"""One configuration out of the platform's several spellings of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from genius_py.deadline import Deadline
from genius_py.errors import MissingOption, OptionError

__all__ = ["by_role", "deadline_of", "merged", "normalized", "required"]

_SPELLINGS = {
    "rounds": "max_rounds",
    "batna_decay_rate": "batna_decay",
    "batna_values": "batnas",
    "resource_limits": "constraints",
    "priorities": "weights",
}


def normalized(config: Mapping[str, Any], roles: Sequence[str] = ()) -> dict[str, Any]:
    """The same settings under one name each.

    `rounds` is `max_rounds`, `batna_decay_rate` is `batna_decay`, `batna_values` is `batnas`,
    `resource_limits` is `constraints`, `priorities` is `weights`; for each role ``<role>_batna``
    is an entry of `batnas`; rounds in `time_limits` are `max_rounds`, its seconds are `seconds`.
    """
    found: dict[str, Any] = {}
    for key, value in config.items():
        found[_SPELLINGS.get(key, key)] = value
    limits = found.pop("time_limits", None)
    if isinstance(limits, Mapping):
        found |= {"max_rounds": limits["rounds"]} if "rounds" in limits else {}
        found |= {"seconds": limits["seconds"]} if "seconds" in limits else {}
    elif limits is not None:
        found["seconds"] = limits
    batnas = {
        role: found.pop(f"{role.casefold()}_batna")
        for role in roles
        if f"{role.casefold()}_batna" in found
    }
    if batnas:
        found["batnas"] = {**(found.get("batnas") or {}), **batnas}
    return found


def merged(defaults: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The defaults with what is given in their places; figures by role are filled up one by one."""
    both = {**defaults, **given}
    for key in ("batnas", "batna_decay", "constraints"):
        old, new = defaults.get(key), given.get(key)
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            both[key] = {**old, **new}
    return both


def required(config: Mapping[str, Any], keys: Sequence[str], game: str) -> None:
    """Insist on settings that have no default.

    Raises:
        MissingOption: naming all that are missing (a `TypeError` and a `ValueError`).
    """
    missing = [key for key in keys if config.get(key) is None]
    if missing:
        raise MissingOption(
            f"Game {game} needs {', '.join(missing)} in its configuration; create_game fills in "
            f"the shipped figures."
        )


def by_role(value: object, roles: Sequence[str], what: str) -> dict[str, float]:
    """A number for each role, from one for all or a mapping.

    Raises:
        OptionError: a role has none, or it is no number.
    """
    found = {}
    spelt = {str(r).casefold(): v for r, v in value.items()} if isinstance(value, Mapping) else None
    for role in roles:
        number = value if spelt is None else spelt.get(role.casefold())
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise OptionError(f"{what} must be a number for {role}, not {number!r}.")
        found[role] = number
    return found


def deadline_of(config: Mapping[str, Any]) -> Deadline:
    """The limit in rounds, and in seconds where there is one.

    Raises:
        OptionError: it is impossible.
    """
    rounds = config["max_rounds"]
    if isinstance(rounds, bool) or not isinstance(rounds, int) or rounds < 1:
        raise OptionError(f"max_rounds must be a whole number from 1 on, not {rounds!r}.")
    return Deadline(rounds=rounds, seconds=config.get("seconds"))
