"""The sessions of a Genius tournament, in Genius's own order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import comb, perm
from typing import TypeVar

from genius_py.errors import OptionError

__all__ = ["MOST_SESSIONS", "genius_lineups", "genius_order", "genius_profiles", "genius_size"]

MOST_SESSIONS = 2**31 - 1
"""Genius counts its sessions with 32 bits and refuses more."""

_T = TypeVar("_T")


def genius_lineups(parties: Sequence[_T], seats: int, repetition: bool) -> Iterator[tuple[_T, ...]]:
    """Who sits at each seat: the first seat varies fastest when a party may come again.

    Without repetition a lineup is drawn from the list, one party after the other, and here too it
    is the first draw that changes fastest.
    """
    if repetition:
        for drawn in product(parties, repeat=seats):
            yield drawn[::-1]
        return
    if seats > len(parties):
        raise _too_few("parties", len(parties), seats)
    for index in range(perm(len(parties), seats)):
        left = list(parties)
        lineup = []
        for _ in range(seats):
            index, place = divmod(index, len(left))
            lineup.append(left.pop(place))
        yield tuple(lineup)


def genius_profiles(profiles: Sequence[_T], seats: int) -> list[tuple[_T, ...]]:
    """Which profiles are given to the seats, in their order in the list.

    Choices without the first profiles come first.
    """
    if seats > len(profiles):
        raise _too_few("profiles", len(profiles), seats)
    return list(combinations(profiles, seats))[::-1]


def genius_size(
    parties: int,
    profiles: int,
    *,
    seats: int,
    repetition: bool,
    repeats: int = 1,
    parties_b: int = 0,
    profiles_b: int = 0,
) -> int:
    """How many sessions `genius_order` gives for lists of these lengths."""
    if seats == 2 and parties_b:
        return repeats * parties * profiles * parties_b * profiles_b
    lineups = parties**seats if repetition else perm(parties, seats)
    return repeats * lineups * comb(profiles, seats)


def genius_order(
    parties: Sequence[_T],
    profiles: Sequence[_T],
    *,
    seats: int = 2,
    repetition: bool = False,
    repeats: int = 1,
    parties_b: Sequence[_T] = (),
    profiles_b: Sequence[_T] = (),
) -> Iterator[tuple[tuple[_T, _T], ...]]:
    """For each session, the party and the profile at each seat.

    Where there are two seats and second lists, one side comes from each pair of lists, and
    `repetition` means nothing. More seats leave the second lists aside.

    Raises:
        OptionError: there are fewer profiles or parties than seats, or too many sessions.
    """
    size = genius_size(
        len(parties),
        len(profiles),
        seats=seats,
        repetition=repetition,
        repeats=repeats,
        parties_b=len(parties_b),
        profiles_b=len(profiles_b),
    )
    if size > MOST_SESSIONS:
        raise OptionError(f"{size} sessions are more than Genius can count ({MOST_SESSIONS}).")
    for _ in range(repeats):
        if seats == 2 and parties_b:
            for (profile_b,), b, (profile_a,), a in product(
                genius_profiles(profiles_b, 1), parties_b, genius_profiles(profiles, 1), parties
            ):
                yield (a, profile_a), (b, profile_b)
        else:
            for given in genius_profiles(profiles, seats):
                for lineup in genius_lineups(parties, seats, repetition):
                    yield tuple(zip(lineup, given, strict=True))


def _too_few(what: str, there_are: int, seats: int) -> OptionError:
    return OptionError(f"There are {there_are} {what} for {seats} seats; name at least {seats}.")
