"""What a party's successive offers say of how it negotiates.

`own` and `other` are utilities of the offers of one party, in the order in which it made them, to
itself and to one opponent; both have shape (n_offers,). Offers of other parties in between do not
count.
"""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from genius_py.errors import OptionError

__all__ = ["Move", "concession_rate", "concessions", "move_shares", "moves"]


class Move(StrEnum):
    """What an offer changes against the offer before (Hindriks, Jonker & Tykhonov, 2007).

    "Negotiation dynamics: analysis, concession tactics, and outcomes", IAT 2007.
    """

    CONCESSION = "concession"
    """Worse for oneself, not worse for the opponent."""
    SELFISH = "selfish"
    """Better for oneself, not better for the opponent."""
    FORTUNATE = "fortunate"
    """Better for both."""
    UNFORTUNATE = "unfortunate"
    """Worse for the opponent, not better for oneself."""
    NICE = "nice"
    """Better for the opponent, the same for oneself."""
    SILENT = "silent"
    """The same for both."""


# By the sign of the change for oneself, then for the opponent: worse, the same, better.
_MOVES = (
    (Move.UNFORTUNATE, Move.CONCESSION, Move.CONCESSION),
    (Move.UNFORTUNATE, Move.SILENT, Move.NICE),
    (Move.SELFISH, Move.SELFISH, Move.FORTUNATE),
)


def concessions(own: ArrayLike) -> NDArray[np.float64]:
    """How much each offer gives away against the one before, shape (n_offers - 1,).

    Negative where the party takes back what it had offered.

    >>> concessions([1.0, 0.75, 0.75, 0.875])
    array([ 0.25 ,  0.   , -0.125])
    """
    offers = _as_offers(own)
    return offers[:-1] - offers[1:]


def concession_rate(own: ArrayLike, full_yield: float) -> float:
    """How far a party ever gave in: 0 if it kept to utility 1, 1 if it offered all there is.

    `full_yield` is the party's utility of its opponent's best bid. The rate is (1 - m) / (1 -
    full_yield), at most 1, where m is the least utility that the party offered itself (Baarslag,
    Hindriks & Jonker, 2011, "Towards a quantitative concession-based classification method of
    negotiation strategies"). NaN without offers.

    >>> concession_rate([1.0, 0.875, 0.75], full_yield=0.5)
    0.5
    """
    offers = _as_offers(own)
    if len(offers) == 0:
        return float("nan")
    least = float(offers.min())
    return 1.0 if least <= full_yield else (1.0 - least) / (1.0 - full_yield)


def moves(own: ArrayLike, other: ArrayLike, *, tolerance: float = 1e-9) -> list[Move]:
    """The kind of each move from one offer to the next, n_offers - 1 of them.

    Changes of at most `tolerance` count as none.

    >>> list(map(str, moves([1.0, 0.9, 0.9, 0.95], [0.2, 0.3, 0.25, 0.25])))
    ['concession', 'unfortunate', 'selfish']
    """
    mine, theirs = _as_offers(own), _as_offers(other)
    if len(mine) != len(theirs):
        raise OptionError(
            f"Each offer has a utility for both parties; got {len(mine)} and {len(theirs)}."
        )
    return [
        _MOVES[one][another]
        for one, another in zip(_signs(mine, tolerance), _signs(theirs, tolerance), strict=True)
    ]


def move_shares(kinds: Iterable[Move]) -> dict[Move, float]:
    """The share of each kind among moves, 0 for those that do not occur; all NaN without moves.

    The share of unfortunate moves is the usual measure of how well a party understands what its
    opponent wants.
    """
    counts = Counter(kinds)
    total = counts.total() or float("nan")
    return {kind: counts[kind] / total for kind in Move}


def _signs(utilities: NDArray[np.float64], tolerance: float) -> list[int]:
    """For each change 0 if it is for the worse, 1 if it is none, 2 if it is for the better."""
    changes = np.diff(utilities)
    signs: list[int] = (1 + (changes > tolerance) - (changes < -tolerance)).tolist()
    return signs


def _as_offers(utilities: ArrayLike) -> NDArray[np.float64]:
    offers = np.asarray(utilities, dtype=np.float64)
    if offers.ndim != 1:
        raise OptionError(
            f"The utilities of offers are one row of numbers; got the shape {offers.shape}."
        )
    return offers
