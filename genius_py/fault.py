"""What can go wrong with a party, and what is done about it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import PurePath
from typing import Literal, Self, TypeAlias

import attrs
from attrs.validators import in_, instance_of

from genius_py.errors import GeniusError, PartyFailure

__all__ = ["Fault", "FaultPolicy", "Moment", "Reported"]

FaultPolicy: TypeAlias = Literal["fail", "forfeit"]
Moment: TypeAlias = Literal["init", "receive_message", "choose_action", "negotiation_ended"]

_LONGEST = 2000
"""Characters of an error that are kept; some servers answer with a whole page."""

_TOO_DEEP = "maximum recursion depth exceeded"


@attrs.frozen
class Fault:
    """A party's failure: it raised, was too slow, or its action was refused.

    `fatal` faults (a party that cannot be made, an unreachable model server) end the session
    whatever the policy. `delivered` is how many messages of `Step.tell`, counted per listener,
    had been heard before the one that failed. `place` says where in the party's own file it
    happened, as ``my_agent.py:12``; faults that differ only in that are equal.
    """

    party: str = attrs.field(validator=instance_of(str))
    reason: str = attrs.field(validator=instance_of(str))
    during: Moment = attrs.field(
        default="choose_action",
        validator=in_(("init", "receive_message", "choose_action", "negotiation_ended")),
    )
    round: int = attrs.field(default=0, validator=instance_of(int))
    fatal: bool = attrs.field(default=False, validator=instance_of(bool))
    delivered: int = attrs.field(default=0, eq=False, repr=False, validator=instance_of(int))
    place: str = attrs.field(default="", eq=False, validator=instance_of(str))

    @classmethod
    def thrown(
        cls,
        party: str,
        error: BaseException,
        mind: type,
        during: Moment = "choose_action",
        *,
        delivered: int = 0,
    ) -> Self:
        """The fault of the party with this id, of class `mind`, which let an error out.

        An unreachable party, and one that cannot be prepared, is a fatal fault.
        """
        if isinstance(error, Reported):
            there = attrs.asdict(error.fault)
            return cls(**{**there, "party": party, "during": during, "delivered": delivered})
        return cls(
            party,
            f"raised {_told(error)}",
            during,
            fatal=during == "init" or isinstance(error, PartyFailure),
            delivered=delivered,
            place=_place(error, mind),
        )

    def __str__(self) -> str:
        place = f" ({self.place})" if self.place else ""
        return f"Round {self.round}: {self.party} {self.reason}{place}"


class Reported(Exception):
    """What a party threw in another process, where it has been made a fault already."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


def _told(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:  # its author's second mistake
        text = "(its text cannot be told)"
    if isinstance(error, RecursionError):
        # What was called last depends on how deep the stack was before.
        text = _TOO_DEEP if text.startswith(_TOO_DEEP) else text
    if not isinstance(error, GeniusError):
        text = f"{type(error).__name__}: {text}"
    text = text.strip().rstrip(":")
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _place(error: BaseException, mind: type) -> str:
    """The last line of the party's own files that was on the way to an error.

    Those of genius-py are left out: what they raise says enough, and a log should not change with
    the lines of this program.
    """
    homes = {file for cls in mind.__mro__ for file in _file_of(cls)}
    own = [place for place in _frames(error) if place[0] in homes]
    if not own:
        return ""
    # Where a recursion ended depends on how deep the stack was before; not where it was entered.
    file, line = own[0 if isinstance(error, RecursionError) else -1]
    return f"{PurePath(file).name}:{line}"


def _file_of(cls: type) -> Iterator[str]:
    if cls.__module__.partition(".")[0] != __name__.partition(".")[0]:
        file = getattr(sys.modules.get(cls.__module__), "__file__", None)
        if file is not None:
            yield file


def _frames(error: BaseException) -> Iterator[tuple[str, int]]:
    entry = error.__traceback__
    while entry is not None:
        yield entry.tb_frame.f_code.co_filename, entry.tb_lineno
        entry = entry.tb_next
