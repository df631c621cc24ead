"""Time and memory of outcome-space analysis, next to negmas on the same spaces in the same run.

Every figure comes from an interpreter of its own: the least CPU time of some repetitions, and the
peak of the memory that one more took. "All" means the Pareto frontier with the Nash,
Kalai-Smorodinsky, egalitarian and utilitarian points.

    python tools/bench/analysis.py [--negmas-python PATH] [--repeat 3] [--limit SECONDS]

negmas is used when it can be imported, or through another interpreter that has it. It lists all
outcomes, so that spaces of more than 10^6 are not tried on it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import attrs
import numpy as np
from numpy.typing import NDArray

Arrays = Mapping[str, NDArray[np.float64]]

HARNESS = """
import json, sys, time, tracemalloc, warnings
import numpy as np
warnings.simplefilter("ignore")
arrays = dict(np.load(sys.argv[1]))
{prepare}

times = []
for _ in range(int(sys.argv[2])):
    began = time.process_time()
    found = {statement}
    times.append(time.process_time() - began)
tracemalloc.start()
{statement}
print(json.dumps([min(times), tracemalloc.get_traced_memory()[1] / 1e6, len(found)]))
"""

OURS_LISTED = """
from genius_py.analysis.outcome_space import analyze_points
points = arrays["points"]
"""
OURS_ADDITIVE = """
from genius_py.analysis.additive import AdditiveFactors
from genius_py.analysis.outcome_space import analyze_factors
factors = AdditiveFactors([arrays[name] for name in sorted(arrays)])
"""
OURS_TRADE_OFFS = """
from genius_py.strategies.trade_off import trade_offs
own, theirs = ([arrays[name][:, party] for name in sorted(arrays)] for party in (0, 1))
target = 0.8 * sum(values.max() for values in own)
"""
OURS_BOXES = """
from genius_py.analysis.boxes import BoxProfiles, box_frontier
from genius_py.analysis.outcome_space import analyze_frontier
n = arrays["lower"].shape[1]
profiles = BoxProfiles(
    [10] * n, arrays["lower"], arrays["upper"], arrays["worth"],
    np.zeros(len(arrays["worth"])), arrays["worth"].sum(axis=0),
)
"""
OURS_SEARCH = """
from genius_py.analysis.additive import AdditiveFactors
from genius_py.analysis.search import BidSearch
factors = AdditiveFactors([arrays[name] for name in sorted(arrays)]).of_party(0)
search = BidSearch(factors)
target = float(factors.lowest[0] + 0.8 * (factors.highest[0] - factors.lowest[0]))
rng = np.random.default_rng(0)
"""

NEGMAS_SOLUTIONS = """
from negmas.preferences.ops import (
    kalai_points, ks_points, max_welfare_points, nash_points, pareto_frontier, pareto_frontier_numpy
)

def solved(ufuns, points, ranges):
    for solve in (nash_points, ks_points, kalai_points, max_welfare_points):
        solve(ufuns, points, ranges=ranges)
    return points
"""
NEGMAS_LISTED = (
    NEGMAS_SOLUTIONS
    + """
from types import SimpleNamespace
points = arrays["points"]
ufuns = [SimpleNamespace(reserved_value=0.0) for _ in points.T]

def analyze(points):
    frontier = [tuple(point) for point in points[pareto_frontier_numpy(points)]]
    return solved(ufuns, frontier, list(zip(points.min(axis=0), points.max(axis=0))))
"""
)
NEGMAS_ADDITIVE = (
    NEGMAS_SOLUTIONS
    + """
from negmas import make_issue
from negmas.preferences import LinearAdditiveUtilityFunction
tables = [arrays[name] for name in sorted(arrays)]
issues = [make_issue(list(map(str, range(len(t)))), f"i{n}") for n, t in enumerate(tables)]
ufuns = [
    LinearAdditiveUtilityFunction(
        values=[dict(zip(map(str, range(len(t))), map(float, t[:, p]))) for t in tables],
        weights=[1.0] * len(tables), issues=issues, reserved_value=0.0,
    )
    for p in range(tables[0].shape[1])
]
ranges = [(sum(t[:, p].min() for t in tables), sum(t[:, p].max() for t in tables)) for p in (0, 1)]
"""
)


@attrs.frozen
class Case:
    """One space, what we do with it, and what negmas does if it can."""

    name: str
    arrays: Arrays
    ours: tuple[str, str]
    negmas: tuple[str, str] | None = None


def listed(name: str, points: NDArray[np.float64]) -> Case:
    """All of a listed space."""
    ours = (OURS_LISTED, "analyze_points(points).frontier")
    return Case(
        f"all, listed: {name}", {"points": points}, ours, (NEGMAS_LISTED, "analyze(points)")
    )


def profiles(n_issues: int, n_values: int, n_parties: int, opposed: bool = False) -> Arrays:
    """Additive profiles with random weights and evaluations, or with opposite orders of values."""
    rng = np.random.default_rng(n_issues)
    weights = rng.dirichlet(np.ones(n_issues), n_parties)
    tables = {}
    for issue in range(n_issues):
        evaluations = rng.random((n_values, n_parties))
        if opposed:
            evaluations.sort(axis=0)
            evaluations[:, 1::2] = evaluations[::-1, 1::2]
        tables[f"{issue:03}"] = evaluations * weights[:, issue]
    return tables


def additive(name: str, tables: Arrays, on_negmas: bool = False, limit: int = 1 << 18) -> Case:
    """All of an additive space, from its factors."""
    ours = (OURS_ADDITIVE, f"analyze_factors(factors, limit={limit}).frontier")
    negmas = (NEGMAS_ADDITIVE, "solved(ufuns, pareto_frontier(ufuns, issues=issues)[0], ranges)")
    return Case(f"all, additive: {name}", tables, ours, negmas if on_negmas else None)


def boxes(n_issues: int, n_boxes: int) -> Arrays:
    """Boxes as in the ANAC 2014 domains: each party has half, bounded in two to four issues."""
    rng = np.random.default_rng(n_issues)
    lower = np.zeros((n_boxes, n_issues))
    upper = np.full((n_boxes, n_issues), 9.0)
    for box in range(n_boxes):
        issues = rng.choice(n_issues, size=rng.integers(2, 5), replace=False)
        lower[box, issues] = rng.integers(0, 6, len(issues))
        upper[box, issues] = lower[box, issues] + rng.integers(1, 5, len(issues))
    worth = np.zeros((n_boxes, 2))
    worth[np.arange(n_boxes), np.arange(n_boxes) % 2] = rng.integers(1, 101, n_boxes)
    return {"lower": lower, "upper": upper, "worth": worth}


def cases() -> list[Case]:
    """The spaces, with the same contents in every run."""
    rng = np.random.default_rng(0)
    share = rng.random(1_000_000)
    tables = profiles(50, 10, 2)
    return [
        listed("2 parties, 10^6 outcomes, cloud", rng.random((1_000_000, 2))),
        listed("2 parties, 10^6 outcomes, zero sum", np.column_stack([share, 1 - share])),
        listed("3 parties, 10^5 outcomes, cloud", rng.random((100_000, 3))),
        listed("3 parties, 10^5 outcomes, constant sum", rng.dirichlet(np.ones(3), 100_000)),
        additive("2 parties, 5 issues x 10", profiles(5, 10, 2), on_negmas=True),
        additive("2 parties, 20 issues x 10", profiles(20, 10, 2)),
        additive("2 parties, 40 issues x 10", profiles(40, 10, 2)),
        additive("2 parties, 40 issues x 10, opposed", profiles(40, 10, 2, opposed=True)),
        additive("3 parties, 10 issues x 5", profiles(10, 5, 3)),
        additive("3 parties, 10 issues x 5, opposed", profiles(10, 5, 3, opposed=True)),
        additive("3 parties, 40 issues x 10, approximate", profiles(40, 10, 3), limit=1 << 16),
        additive("6 parties, 20 issues x 10, approximate", profiles(20, 10, 6), limit=1 << 14),
        Case(
            "all, boxes: 2 parties, 10 issues x 10, 40 boxes",
            boxes(10, 40),
            (OURS_BOXES, "analyze_frontier(box_frontier(profiles), 10**n).frontier"),
        ),
        Case(
            "search, 50 issues x 10: what an opponent likes best at a target",
            tables,
            (OURS_TRADE_OFFS, "trade_offs(own, theirs, target, target + 0.02)"),
        ),
        Case("search, 50 issues x 10: made", tables, (OURS_SEARCH, "[BidSearch(factors)]")),
        Case(
            "search, 50 issues x 10: nearest bid",
            tables,
            (OURS_SEARCH, "search.nearest_at_or_above(target)"),
        ),
        Case(
            "search, 50 issues x 10: 1000 random bids in a range",
            tables,
            (OURS_SEARCH, "search.draw(target, target + 0.01, 1000, rng)"),
        ),
    ]


def measure(python: str, work: tuple[str, str], data: Path, repeat: int, limit: float) -> str:
    """Time, growth and number of things found, as text."""
    prepare, statement = work
    program = HARNESS.format(prepare=prepare, statement=statement)
    try:
        finished = subprocess.run(
            [python, "-c", program, str(data), str(repeat)],
            capture_output=True,
            text=True,
            timeout=limit,
        )
    except subprocess.TimeoutExpired:
        return f"stopped after {limit:g} s"
    if finished.returncode:
        return finished.stderr.strip().splitlines()[-1]
    seconds, megabytes, found = json.loads(finished.stdout)
    return f"{seconds * 1000:9.1f} ms {megabytes:6.0f} MB {found:8d} found"


def main() -> None:
    """Print our figure and negmas's for each space."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--negmas-python", default=sys.executable)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds per figure")
    options = parser.parse_args()
    run: Callable[..., str] = measure
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "space.npz"
        for case in cases():
            np.savez(data, **case.arrays)  # type: ignore[arg-type]
            print(case.name)
            print("  ours  ", run(sys.executable, case.ours, data, options.repeat, options.limit))
            if case.negmas is not None:
                figure = run(options.negmas_python, case.negmas, data, 1, options.limit)
                print("  negmas", figure)


if __name__ == "__main__":
    main()
