"""MiCRO: concede one more outcome for each new one that the opponent offers.

de Jonge (2022), "An analysis of the linear bilateral ANAC domains using the MiCRO benchmark
strategy", IJCAI. The outcomes are ranked from the party's best (0) to its worst.
"""

from __future__ import annotations

from genius_py.strategies.elementwise import elementwise

__all__ = ["willing"]


@elementwise
def willing(offered: int, heard: int, acceptable: int) -> int:
    """How many outcomes, from the best on, MiCRO is willing to end with.

    Args:
        offered: different outcomes that the party has offered so far (ranks 0 to offered - 1).
        heard: different outcomes that the opponent has offered so far.
        acceptable: outcomes that are no worse than the reservation value; at least `offered`.

    MiCRO accepts an offer that is no worse than the last of these outcomes. Else, if there are
    more of them than it has offered, it offers rank `offered`, the next one; if not, it repeats
    one of its offers, drawn at random.
    """
    return min(offered + 1, acceptable) if offered <= heard else offered
