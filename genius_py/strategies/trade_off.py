"""Trade-offs: of the bids that are worth as much to oneself, those that the opponent likes best.

Faratin, Sierra & Jennings (2002), "Using similarity criteria to make issue trade-offs in automated
negotiations", Artificial Intelligence 142. Where bids can be listed, looking at all of them is the
way; this is for spaces of any size in which both utilities are sums over the issues.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["trade_offs"]

_Floats = NDArray[np.float64]

# Exchange rates between the two utilities that are tried at once, and how often they are refined.
_RATES, _REFINEMENTS = 17, 4
_NO_GAIN = 1e-12
_SAME_RATE = 1e-9


def trade_offs(
    own: Sequence[_Floats],
    theirs: Sequence[_Floats],
    lowest: float,
    highest: float,
    most: int = 100,
) -> NDArray[np.intp]:
    """Bids worth from `lowest` to `highest` to oneself, those first that the opponent likes best.

    `own` and `theirs` hold what each value of each issue adds to the two utilities, shapes
    (n_values,). The bids are value places, shape (n_bids, n_issues), `most` of them at most. None
    of them is worth less than `lowest`; there is none where no bid is worth that.

    The first one maximises a weighted sum of the utilities, issue by issue, with the largest
    weight for the opponent that leaves enough for oneself (a Lagrange multiplier: Everett, 1963,
    Operations Research 11); what it leaves beyond `lowest` is then given away value by value, at
    the best rate first. It
    is nearly the best there is, the nearer the more issues there are, and may be worth more than
    `highest`. The others differ from it in one value.
    """
    widths = [len(values) for values in own]
    starts = np.cumsum([0, *widths[:-1]])
    mine, yours = np.concatenate(own), np.concatenate(theirs)
    bid = _supported(own, theirs, lowest, mine, starts)
    if bid is None:
        return np.empty((0, len(own)), dtype=np.intp)
    issue = np.repeat(np.arange(len(own)), widths)
    slack = float(mine[bid + starts].sum()) - lowest
    while True:
        here = bid + starts
        given = np.repeat(mine[here], widths) - mine
        gained = yours - np.repeat(yours[here], widths)
        worth_it = (given <= slack) & (gained > _NO_GAIN)
        if not worth_it.any():
            break
        rate = np.where(worth_it, gained / np.maximum(given, _NO_GAIN), -np.inf)
        best = rate >= rate.max() * (1.0 - _SAME_RATE)
        change = int(np.where(best, gained, -np.inf).argmax())
        bid[issue[change]] = change - starts[issue[change]]
        slack -= float(given[change])
    is_near = (given <= slack) & (given >= slack - (highest - lowest))
    is_near[here] = False
    near = np.flatnonzero(is_near)
    near = near[np.argsort(-gained[near], kind="stable")[: most - 1]]
    bids = np.repeat(bid[None], len(near) + 1, axis=0)
    bids[np.arange(1, len(bids)), issue[near]] = near - starts[issue[near]]
    return bids


def _supported(
    own: Sequence[_Floats],
    theirs: Sequence[_Floats],
    lowest: float,
    mine: _Floats,
    starts: NDArray[np.intp],
) -> NDArray[np.intp] | None:
    """The bid that weighs the opponent most of those that maximise a weighted sum, and suffice."""
    least, largest = 0.0, 1.0
    found = None
    for _ in range(_REFINEMENTS):
        rates = np.linspace(least, largest, _RATES)
        bids = np.column_stack(
            [
                (np.outer(1.0 - rates, a) + np.outer(rates, b)).argmax(axis=1)
                for a, b in zip(own, theirs, strict=True)
            ]
        )
        enough = np.flatnonzero(mine[bids + starts].sum(axis=1) >= lowest)
        if not len(enough):
            break
        last = int(enough[-1])
        found = bids[last]
        if last == _RATES - 1:
            break
        least, largest = float(rates[last]), float(rates[last + 1])
    return found
