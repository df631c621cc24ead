"""A tournament next to negmas's on the same domains in one run; and a million sessions ranked.

Ten classical parties, three domains, both roles, five repetitions, at most 100 rounds: 1350
sessions. Ours on one core and on two, in turns and several times, then negmas's
`cartesian_tournament` with ten comparable negotiators in one process. The processes for two are
started anew each time, and their start counts; loky's take as long for that as for some thousand
sessions. Ten times the work is played, too. What other processes do meanwhile slows wall time, so
CPU time is told beside it, and what speed-up it allows on two idle cores.

    python tools/bench/tournament.py [--negmas-python PATH] [--repetitions 5] [--times 7] \
        [--sessions 1000000]
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import attrs
from joblib.externals.loky import get_reusable_executor

from genius_py import formats
from genius_py.tournament import Results, Tournament, plan_tournament, run_plan
from genius_py.tournament.backends import Backend
from genius_py.tournament.played import Played

DOMAINS = (
    "flour_supply",
    "random:issues=3,values=10,seed=1",
    "random:issues=4,values=6,opposition=0.8,seed=2",
)
PARTIES = (
    "boulware",
    "conceder",
    "linear",
    "hardliner",
    "tit_for_tat",
    "micro",
    "random",
    "boulware:e=0.1",
    "conceder:e=3",
    "linear_concession",
)
ROUNDS = 100

NEGMAS = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
from pathlib import Path
from negmas import Scenario
from negmas.sao import negotiators
from negmas.tournaments.neg import cartesian_tournament

names = ["BoulwareTB", "ConcederTB", "LinearTB", "Tough", "NaiveTitForTat", "MiCRO", "Random",
         "Aspiration", "TopFraction", "Nice"]
folders, rounds, repetitions, output = json.loads(sys.argv[1])
scenarios = [Scenario.load(Path(folder)) for folder in folders]
wall, cpu = time.perf_counter(), time.process_time()
results = cartesian_tournament(
    [getattr(negotiators, name + "Negotiator") for name in names], scenarios,
    n_repetitions=repetitions, n_steps=rounds, njobs=-1, self_play=False, rotate_ufuns=False,
    verbosity=0, path=Path(output), save_stats=False, save_scenario_figs=False, plot_fraction=0.0,
    randomize_runs=False,
)
print("RESULT" + json.dumps({
    "sessions": len(results.details), "wall": time.perf_counter() - wall,
    "cpu": time.process_time() - cpu,
}))
"""


def tournament(repetitions: int) -> Tournament:
    """The work that everybody does."""
    return Tournament(
        parties=PARTIES,
        domains=DOMAINS,
        deadlines=f"{ROUNDS}rounds",
        repetitions=repetitions,
        seed=1,
    )


@attrs.frozen
class Run:
    """Sessions, turns, and the seconds that they took: by the clock, of this process, of others."""

    sessions: int
    turns: int
    wall: float
    here: float
    workers: float

    def __str__(self) -> str:
        return (
            f"{self.sessions} sessions, {self.turns} turns in {self.wall:.1f} s "
            f"({self.here:.1f} s CPU here, {self.workers:.1f} s in workers)"
        )


def play(folder: Path, repetitions: int, workers: int, backend: Backend | None = None) -> Run:
    """Ours, from the plan to the file."""
    path = folder / f"{uuid.uuid4()}.sqlite"
    wall, before = time.perf_counter(), _cpu()
    with Results(path, create=True) as results:
        run_plan(
            plan_tournament(tournament(repetitions)), results, workers=workers, backend=backend
        )
        wall = time.perf_counter() - wall
        if backend == "loky":
            # Nobody shall find workers that run already; and their time counts once they ended.
            get_reusable_executor().shutdown(wait=True)
        here, elsewhere = (after - was for after, was in zip(_cpu(), before, strict=True))
        turns = sum(session.turns for session in results.sessions())
        return Run(len(results), turns, wall, here, elsewhere)


def _cpu() -> tuple[float, float]:
    """CPU seconds of this process, and of those of its children that have ended."""
    here, children = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return here.ru_utime + here.ru_stime, children.ru_utime + children.ru_stime


def scale(folder: Path, repetitions: int, times: int) -> None:
    """Print the same work on one core and on two."""
    ways: dict[str, Callable[[], Run]] = {
        "1 worker": lambda: play(folder, repetitions, 1),
        "2 workers": lambda: play(folder, repetitions, 2),
        "2 of loky's": lambda: play(folder, repetitions, 2, "loky"),
    }
    runs: dict[str, list[Run]] = {name: [] for name in ways}
    for _ in range(times):
        for name, way in ways.items():
            runs[name].append(way())
    ones = runs["1 worker"]
    for name, found in runs.items():
        median = sorted(found, key=lambda run: run.wall)[times // 2]
        print(f"genius-py, {name + ':':12} {median}")
        if found is not ones:
            ratios = [one.wall / two.wall for one, two in zip(ones, found, strict=True)]
            possible = [
                one.here / ((two.here + two.workers) / 2)
                for one, two in zip(ones, found, strict=True)
            ]
            print(
                f"  speed-up: {statistics.median(ratios):.2f} ({min(ratios):.2f} to "
                f"{max(ratios):.2f}); by CPU time {statistics.median(possible):.2f}"
            )


def negmas(python: str, folder: Path, repetitions: int) -> None:
    """Print negmas's figures, or that it is not there."""
    folders = []
    for number, domain in enumerate(DOMAINS):
        folders.append(str(folder / f"domain{number}"))
        formats.save(formats.load(domain), folders[-1], "genius-xml")
    work = json.dumps([folders, ROUNDS, repetitions, str(folder / "negmas")])
    done = subprocess.run([python, "-c", NEGMAS, work], capture_output=True, text=True, check=False)
    told = [line for line in done.stdout.splitlines() if line.startswith("RESULT")]
    if not told:
        print("negmas: not installed; give --negmas-python PATH of an interpreter that has it")
        print(done.stderr[-500:], file=sys.stderr)
        return
    found = json.loads(told[0].removeprefix("RESULT"))
    print(
        f"negmas, 1 process:     {found['sessions']} sessions in {found['wall']:.1f} s "
        f"({found['cpu']:.1f} s CPU)"
    )


def rank_many(folder: Path, sessions: int) -> None:
    """Store so many made-up sessions, and rank them."""
    each = len(DOMAINS) * len(PARTIES) * (len(PARTIES) - 1)
    repetitions = -(-sessions // each)
    path = folder / "many.sqlite"
    with Results(path, create=True) as results:
        blocks = results.register(plan_tournament(tournament(repetitions))).blocks()
        batch: list[Played] = []
        for block in blocks:
            batch.extend(_made_up(match.key) for match in block)
            if len(batch) > 50_000:
                results.add(batch)
                batch.clear()
        results.add(batch)
    # In a process of its own, whose memory is that of ranking alone.
    code = (
        "import resource, sys, time; from genius_py.tournament import Results, rank\n"
        "began, cpu = time.perf_counter(), time.process_time()\n"
        "with Results(sys.argv[1]) as results:\n"
        "    rank(results)\n"
        "    n = len(results)\n"
        "print(f'ranking {n} sessions: {time.perf_counter() - began:.1f} s '\n"
        "      f'({time.process_time() - cpu:.1f} s CPU), peak memory '\n"
        "      f'{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB')\n"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)


def _made_up(key: tuple[int, int, int]) -> Played:
    repetition, setting, lineup = key
    one = (repetition * 31 + setting * 17 + lineup * 7) % 101 / 100
    return Played(
        key=key,
        reason="agreement",
        detail="",
        is_scored=True,
        agreement='{"price": 40000}',
        agreeing_parties=2,
        rounds=50,
        turns=100,
        time=0.5,
        utilities=(one, 1 - one),
        discounted=(one, 1 - one),
        social_welfare=1.0,
        fairness=1 - abs(2 * one - 1),
        distance_to_pareto=0.0,
        distance_to_nash=0.1,
        faults=(),
        log=None,
        seconds=0.001,
    )


def main() -> None:
    """Print all figures."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--negmas-python", default=sys.executable)
    arguments.add_argument("--repetitions", type=int, default=5)
    arguments.add_argument("--times", type=int, default=7)
    arguments.add_argument("--sessions", type=int, default=1_000_000)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        scale(folder, options.repetitions, options.times)
        negmas(options.negmas_python, folder, options.repetitions)
        scale(folder, 10 * options.repetitions, 1)
        rank_many(folder, options.sessions)


if __name__ == "__main__":
    main()
