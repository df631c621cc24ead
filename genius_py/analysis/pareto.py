"""Pareto optimality: the outcomes that nobody can improve on without a loss to somebody else."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from genius_py.analysis.points import Points, as_point, as_points

__all__ = [
    "NOISE",
    "efficient",
    "is_covered",
    "is_pareto_optimal",
    "pareto_frontier",
    "undominated",
]

# Below these sizes comparing every pair is faster than dividing further.
_FEW_ROWS = 128
_FEW_PAIRS = 1 << 14
# Sorting fewer outcomes than this costs less than looking for ones to leave out.
_WORTH_SCREENING = 4096
# Points of two parties in a cell of the grid that screens them.
_PER_CELL = 16
# Sums that should be equal differ by less, as a share of the largest utility (or of 1).
NOISE = 1e-12


def pareto_frontier(utilities: ArrayLike, *, duplicates: bool = False) -> NDArray[np.intp]:
    """Indices of the Pareto-optimal outcomes, ascending.

    `utilities` has shape (n_outcomes, n_parties). An outcome is left out when another one is at
    least as good for everybody and better for somebody, compared exactly. Of outcomes that are
    worth the same to everybody the first is listed, or with `duplicates` all of them, as Genius
    does. Two parties take O(n log n) time, d parties O(n log^(d-2) n) (Kung, Luccio & Preparata,
    1975, "On finding the maxima of a set of vectors").

    >>> pareto_frontier([(0.5, 0.6), (0.5, 0.7), (0.9, 0.1), (0.5, 0.7)])
    array([1, 2])
    """
    return undominated(as_points(utilities), duplicates=duplicates)


def is_pareto_optimal(utility: ArrayLike, utilities: ArrayLike, *, tolerance: float = 1e-9) -> bool:
    """Whether no outcome is as good for everybody and better for somebody.

    `utility` has shape (n_parties,). Gains and losses of at most `tolerance`, relative to the
    larger of 1 and the utility, count as none, so that float noise makes nobody inefficient.
    """
    points = as_points(utilities)
    point = as_point(utility, points.shape[1])
    noise = tolerance * np.maximum(1.0, np.abs(point))
    as_good = (points >= point - noise).all(axis=1)
    better = (points > point + noise).any(axis=1)
    return not bool((as_good & better).any())


def undominated(points: Points, *, duplicates: bool = False) -> NDArray[np.intp]:
    """`pareto_frontier` of an array that is known to be one of points."""
    candidates = np.arange(len(points))
    if len(points) > _WORTH_SCREENING:
        candidates = (_screened_two if points.shape[1] == 2 else _screened)(points)
    rows = points[candidates] if len(candidates) < len(points) else points
    kept = _maxima_of_two(rows, duplicates) if rows.shape[1] == 2 else _maxima(rows, duplicates)
    return candidates[kept]


def efficient(points: Points) -> NDArray[np.intp]:
    """`undominated`, where differences of float noise (1e-12 of the largest utility) are none.

    0.1 + 0.2 is more than 0.3 for a computer. Nobody else should pay for such a gain: an outcome
    that is better by no more than that is not efficient.
    """
    kept = undominated(points)
    if len(kept) < 2:
        return kept
    rows = points[kept]
    is_near = np.zeros(len(rows), dtype=np.bool_)
    columns = [_levels(column) for column in rows.T]
    for column, (_, noisy) in zip(rows.T, columns, strict=True):
        if len(noisy):
            is_near |= np.isin(column, noisy)
    if not is_near.any():
        return kept
    # What is better by noise alone is near what beats it in some column: the rest need no look.
    near = np.flatnonzero(is_near)
    snapped = np.column_stack(
        [
            levels[np.searchsorted(levels, column, side="right") - 1]
            for column, (levels, _) in zip(rows[near].T, columns, strict=True)
        ]
    )
    is_near[near[undominated(snapped)]] = False
    return kept[~is_near]


def _levels(column: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The values that differ by more than noise, rising, and all that differ by less."""
    values = np.sort(column)
    gaps = np.diff(values)
    noise = NOISE * max(1.0, abs(values[0]), abs(values[-1]))
    is_noise = (gaps > 0) & (gaps <= noise)
    noisy = np.concatenate([values[:-1][is_noise], values[1:][is_noise]])
    return values[np.append(True, gaps > noise)], noisy


def _screened_two(points: Points) -> NDArray[np.intp]:
    """Indices of the points of two parties that the best of a grid do not dominate, ascending.

    The grid divides the first party's utilities; what is no better for the second one than some
    point of a higher cell is dominated. Most of a cloud and of merged frontiers goes here.
    """
    first, second = points.T
    n_cells = len(points) // _PER_CELL
    shares = (first - first.min()) / (np.ptp(first) or 1.0)
    # A larger cell always means a larger utility, for rounding is monotone.
    cells = (shares * n_cells).astype(np.intp)
    best = np.full(n_cells + 2, -np.inf)
    np.maximum.at(best, cells, second)
    best_above = np.maximum.accumulate(best[::-1])[::-1]
    return np.flatnonzero(second > best_above[cells + 1])


def _screened(points: Points) -> NDArray[np.intp]:
    """Indices of the points that a few strong ones do not dominate, ascending.

    Most points of a cloud go here at the price of one comparison each.
    """
    candidates = np.arange(len(points))
    columns = [np.ascontiguousarray(column) for column in points.T]
    while len(candidates) > _WORTH_SCREENING:
        weakest = np.full(len(candidates), np.inf)
        for column in columns:
            lowest, highest = column.min(), column.max()
            scale = 1.0 / (highest - lowest) if highest > lowest else 0.0
            np.minimum(weakest, (column - lowest) * scale, out=weakest)
        strong = weakest.argmax()
        is_below = np.ones(len(candidates), dtype=np.bool_)
        is_equal = np.ones(len(candidates), dtype=np.bool_)
        for column in columns:
            is_below &= column <= column[strong]
            is_equal &= column == column[strong]
        left = np.flatnonzero(~is_below | is_equal)
        if len(left) > 0.9 * len(candidates):
            break
        candidates = candidates[left]
        columns = [column[left] for column in columns]
    return candidates


def _maxima_of_two(points: Points, duplicates: bool) -> NDArray[np.intp]:
    """The frontier of two parties: sort by the first, scan for records of the second."""
    if len(points) == 0:
        return np.arange(0)
    # The sort need not be stable: equal utilities of the first party are looked at as one group.
    order = np.argsort(-points[:, 0])
    first, second = points[order, 0], points[order, 1]
    is_start = np.empty(len(points), dtype=np.bool_)
    is_start[0] = True
    np.not_equal(first[1:], first[:-1], out=is_start[1:])
    has_ties = not is_start.all()
    starts = np.flatnonzero(is_start)
    best = np.maximum.reduceat(second, starts) if has_ties else second
    is_record = np.empty(len(starts), dtype=np.bool_)
    is_record[0] = True
    np.greater(best[1:], np.maximum.accumulate(best)[:-1], out=is_record[1:])
    if not has_ties:
        return np.sort(order[is_record])
    wanted = np.where(is_record, best, np.inf)
    is_kept = second == np.repeat(wanted, np.diff(starts, append=len(points)))
    if duplicates:
        return np.sort(order[is_kept])
    # On the frontier of two parties equal first utilities mean equal outcomes.
    firsts = np.minimum.reduceat(np.where(is_kept, order, len(points)), starts)
    return np.sort(firsts[is_record])


def _maxima(points: Points, duplicates: bool) -> NDArray[np.intp]:
    """The frontier of any number of parties: divide, conquer, and strike out the lower half."""
    if len(points) == 0:
        return np.arange(0)
    order = np.lexsort(points.T[::-1])
    rows = points[order]
    is_new = np.empty(len(rows), dtype=np.bool_)
    is_new[0] = True
    np.any(rows[1:] != rows[:-1], axis=1, out=is_new[1:])
    distinct = rows[is_new]
    is_maximal = np.zeros(len(distinct), dtype=np.bool_)
    is_maximal[_maxima_of_distinct(distinct, 0, len(distinct))] = True
    # The sort is stable, so that the first row of a run of equal ones has the lowest index.
    kept = is_maximal[np.cumsum(is_new) - 1] & (duplicates | is_new)
    return np.sort(order[kept])


def _maxima_of_distinct(rows: Points, start: int, stop: int) -> NDArray[np.intp]:
    """Places of the maximal ones of rows[start:stop], distinct rows in lexicographic order."""
    if stop - start <= _FEW_ROWS:
        some = rows[start:stop]
        # Each row is covered by itself.
        return start + np.flatnonzero(_pairwise(some, some).sum(axis=1) == 1)
    middle = (start + stop) // 2
    lower = _maxima_of_distinct(rows, start, middle)
    upper = _maxima_of_distinct(rows, middle, stop)
    # Upper rows have the larger first column, or the same one and are then larger in the rest.
    beaten = is_covered(rows[lower, 1:], rows[upper, 1:])
    return np.concatenate([lower[~beaten], upper])


def is_covered(rows: Points, by: Points) -> NDArray[np.bool_]:
    """For each row, whether some row of `by` is at least as large in every column."""
    if len(rows) == 0 or len(by) == 0:
        return np.zeros(len(rows), dtype=np.bool_)
    if rows.shape[1] == 0:
        return np.ones(len(rows), dtype=np.bool_)
    if rows.shape[1] == 2:
        return _is_below_staircase(rows, by)
    if len(rows) * len(by) <= _FEW_PAIRS:
        return np.asarray(_pairwise(rows, by).any(axis=1))
    column = by[:, 0]
    if column.min() == column.max():
        return np.asarray(rows[:, 0] <= column[0]) & is_covered(rows[:, 1:], by[:, 1:])
    median = np.partition(column, len(column) // 2)[len(column) // 2]
    if column.min() < median:
        by_is_high, is_high = column >= median, rows[:, 0] >= median
    else:
        by_is_high, is_high = column > median, rows[:, 0] > median
    covered = np.empty(len(rows), dtype=np.bool_)
    covered[is_high] = is_covered(rows[is_high], by[by_is_high])
    low = rows[~is_high]
    covered_low = is_covered(low[:, 1:], by[by_is_high, 1:])
    covered_low[~covered_low] = is_covered(low[~covered_low], by[~by_is_high])
    covered[~is_high] = covered_low
    return covered


def _is_below_staircase(rows: Points, by: Points) -> NDArray[np.bool_]:
    """`is_covered` of two columns: the best second value among large enough first ones."""
    order = np.argsort(-by[:, 0])
    best = np.maximum.accumulate(by[order, 1])
    n_large_enough = np.searchsorted(-by[order, 0], -rows[:, 0], side="right")
    reached = np.where(n_large_enough > 0, best[n_large_enough - 1], -np.inf)
    return np.asarray(rows[:, 1] <= reached)


def _pairwise(rows: Points, by: Points) -> NDArray[np.bool_]:
    """Entry (i, j) tells whether `by[j]` is at least as large as `rows[i]` in every column."""
    at_least = by[None, :, 0] >= rows[:, None, 0]
    for column in range(1, rows.shape[1]):
        at_least &= by[None, :, column] >= rows[:, None, column]
    return np.asarray(at_least)
