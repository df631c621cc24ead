"""Who plays whom, and at which seats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement, permutations
from typing import Literal, TypeAlias

from genius_py.errors import OptionError

__all__ = ["Lineup", "Seating", "all_against_one", "round_robin"]

Lineup: TypeAlias = tuple[str, ...]
"""The specs of the parties, in seat order."""

Seating: TypeAlias = Literal["rotated", "all", "fixed"]
"""How those who meet are put on seats: so that each sits everywhere once, in every possible way,
or once, in the order in which they are named."""


def round_robin(
    parties: Sequence[str], seats: int, *, self_play: bool = False, seating: Seating = "rotated"
) -> list[Lineup]:
    """Everybody meets everybody, `seats` at a time; with `self_play` also copies of itself.

    >>> round_robin(["a", "b"], 2)
    [('a', 'b'), ('b', 'a')]

    Raises:
        OptionError: there are fewer parties than seats.
    """
    choose = combinations_with_replacement if self_play else combinations
    lineups = _seated(choose(parties, seats), seating)
    if not lineups:
        raise OptionError(
            f"{len(parties)} parties cannot fill {seats} seats; name more, or allow self_play."
        )
    return lineups


def all_against_one(
    parties: Sequence[str],
    opponents: Sequence[str],
    seats: int,
    *,
    self_play: bool = False,
    seating: Seating = "rotated",
) -> list[Lineup]:
    """Each party meets the opponents, which do not meet among themselves.

    >>> all_against_one(["llm"], ["a", "b"], 2, seating="fixed")
    [('llm', 'a'), ('llm', 'b')]

    Raises:
        OptionError: there are too few opponents.
    """
    choose = combinations_with_replacement if self_play else combinations
    meetings = (
        (party, *others)
        for party in parties
        for others in choose(opponents, seats - 1)
        if self_play or party not in others
    )
    lineups = _seated(meetings, seating)
    if not lineups:
        raise OptionError(
            f"{len(opponents)} opponents cannot fill {seats - 1} seats against each party; "
            f"name more, or allow self_play."
        )
    return lineups


def _seated(meetings: Iterable[Sequence[str]], seating: Seating) -> list[Lineup]:
    # Of equal seatings, as of a party with itself or of two that are in both lists, one is kept.
    return list(
        dict.fromkeys(seated for meeting in meetings for seated in _seatings(meeting, seating))
    )


def _seatings(meeting: Sequence[str], seating: Seating) -> Iterator[Lineup]:
    if seating == "fixed":
        yield tuple(meeting)
    elif seating == "all":
        yield from permutations(meeting)
    else:
        for first in range(len(meeting)):
            yield (*meeting[first:], *meeting[:first])
