"""Dictionaries that cannot be changed, for values that are frozen."""

from __future__ import annotations

from typing import NoReturn, TypeVar

__all__ = ["ReadOnly"]

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class ReadOnly(dict[_Key, _Value]):
    """A dictionary whose entries stay as they are.

    Profiles are shared by all sessions that use them, so a party must not be able to write into
    one. Unlike a `types.MappingProxyType` it can be copied and pickled, and it is as quick to read.
    """

    __slots__ = ()

    def _cannot_change(self, *arguments: object, **named: object) -> NoReturn:
        raise TypeError(f"These entries cannot be changed; make another {type(self).__name__}.")

    __setitem__ = __delitem__ = __ior__ = _cannot_change
    clear = pop = popitem = _cannot_change
    setdefault = _cannot_change  # pyright: ignore[reportAssignmentType]
    update = _cannot_change  # pyright: ignore[reportAssignmentType]

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (dict(self),)
