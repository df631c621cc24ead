"""Playing what is planned and not yet stored; only this process writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import attrs

from genius_py.tournament.backends import Backend, chosen_backend, played
from genius_py.tournament.plan import Match, Plan, plan_tournament
from genius_py.tournament.play import answers_together
from genius_py.tournament.played import Played
from genius_py.tournament.registration import Registered
from genius_py.tournament.store import Results
from genius_py.tournament.tournament import Tournament

__all__ = ["Progress", "run_plan", "run_tournament"]

_BATCH_SECONDS = 0.5
"""How long a batch should take: short enough that little is lost when the process is killed."""

_SMALLEST, _LARGEST = 8, 512
_SHARES = 3
"""Batches that each worker gets at least of what is left."""

_TOGETHER = 32
"""Sessions in a batch at least, where some mind answers the turns of many at once."""


@attrs.frozen
class Progress:
    """How far a run has come: sessions that are stored, of all that are planned."""

    finished: int
    planned: int


def run_tournament(
    tournament: Tournament,
    output: str | Path,
    *,
    workers: int = 1,
    backend: Backend | None = None,
    address: str | None = None,
    logs: bool = False,
    retry_faults: bool = False,
    report: Callable[[Progress], None] = lambda progress: None,
) -> None:
    """Play a tournament, or what is missing of it, into a results file; see `run_plan`.

    Raises: as `plan_tournament` and `run_plan`.
    """
    plan = plan_tournament(tournament)
    with Results(output, create=True) as results:
        run_plan(
            plan,
            results,
            workers=workers,
            backend=backend,
            address=address,
            logs=logs,
            retry_faults=retry_faults,
            report=report,
        )


def run_plan(
    plan: Plan,
    results: Results,
    *,
    workers: int = 1,
    backend: Backend | None = None,
    address: str | None = None,
    logs: bool = False,
    retry_faults: bool = False,
    report: Callable[[Progress], None] = lambda progress: None,
) -> None:
    """Play every match of the plan that is not stored yet.

    With one worker, and no cluster, everything happens in this process; for several see
    `chosen_backend`. `address` is that of a Dask scheduler or a Ray cluster; without one a local
    cluster is started. `report` is called whenever a batch has been stored.

    Raises:
        OptionError: the backend is not installed or cannot be used here, or the file holds another
            tournament.
        SessionFailure: a worker died.
    """
    place = chosen_backend(plan, workers, backend, address)
    registered = results.register(plan)
    if retry_faults:
        results.forget_failed()
    finished, planned = len(results), len(plan)
    report(Progress(finished, planned))
    if finished == planned:
        return
    # joblib asks for the next batch in a thread of its own, which needs a connection too.
    with Results(results.path) as reading:
        batches = _Batches(registered, reading, planned - finished, workers)
        with closing(played(batches, place, workers, address=address, logs=logs)) as found:
            for batch in found:
                results.add(batch)
                batches.learn(batch)
                finished += len(batch)
                report(Progress(finished, planned))


class _Batches:
    """Matches that are not stored yet, so many at a time as take about half a second.

    The last batches become smaller and smaller, so that all workers have done at the same time.
    """

    def __init__(
        self, registered: Registered, results: Results, waiting: int, workers: int
    ) -> None:
        self._registered = registered
        self._results = results
        self._left = waiting
        self._workers = workers
        self._least = _TOGETHER if any(map(answers_together, registered.plan.parties)) else 1
        self._size = max(_SMALLEST, self._least)

    def learn(self, played: list[Played]) -> None:
        """Make the next batches as large as the time that this one took allows."""
        each = sum(session.seconds for session in played) / len(played)
        fitting = int(_BATCH_SECONDS / max(each, 1e-6))
        self._size = max(self._least, min(_LARGEST, fitting))

    def __iter__(self) -> Iterator[list[Match]]:
        waiting = self._waiting()
        while batch := list(islice(waiting, self._next_size())):
            self._left -= len(batch)
            yield batch

    def _next_size(self) -> int:
        if self._workers == 1:
            return self._size
        share = -(-self._left // (_SHARES * self._workers))
        # Sending fewer quick sessions takes longer than to play them.
        return max(self._least, min(self._size, max(share, _SMALLEST)))

    def _waiting(self) -> Iterator[Match]:
        for block in self._registered.blocks():
            repetition, setting, _ = block[0].key
            finished = self._results.finished(repetition, setting)
            yield from (match for match in block if match.key[2] not in finished)
