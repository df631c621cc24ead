"""Playing a stored tournament again, to see whether it comes out the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs

from genius_py.tournament.backends import Backend
from genius_py.tournament.run import Progress, run_plan
from genius_py.tournament.store import Results, StoredSession

__all__ = ["Difference", "Reproduction", "reproduce"]

_MOST_SHOWN = 20


@attrs.frozen
class Difference:
    """A session that came out differently; `what` names the fields, each with both values."""

    session: StoredSession
    what: str

    def __str__(self) -> str:
        played = self.session
        where = f"{' - '.join(played.parties)} on {played.domain}, repetition {played.repetition}"
        return f"{where}: {self.what}"


@attrs.frozen
class Reproduction:
    """How many sessions were compared, how many differ, and the first of these.

    `stored_with` and `played_with` are versions; where these differ, so may outcomes.
    """

    compared: int
    differing: int
    differences: tuple[Difference, ...]
    stored_with: tuple[str, ...]
    played_with: tuple[str, ...]


def reproduce(
    results: Results,
    *,
    workers: int = 1,
    backend: Backend | None = None,
    address: str | None = None,
    report: Callable[[Progress], None] = lambda progress: None,
) -> Reproduction:
    """Play the plan of a results file anew and compare; the file is not changed.

    Everything comes out of the file, domains too. What was not stored is not compared.

    Raises: as `run_plan`.
    """
    with (
        TemporaryDirectory(prefix="genius-py-") as folder,
        Results(Path(folder) / "again.sqlite", create=True) as again,
    ):
        again.number_like(results)
        run_plan(
            results.plan(), again, workers=workers, backend=backend, address=address, report=report
        )
        compared, differing = 0, 0
        shown: list[Difference] = []
        for stored, played in _side_by_side(results, again):
            compared += 1
            what = _differences(stored, played)
            if what:
                differing += 1
                if len(shown) < _MOST_SHOWN:
                    shown.append(Difference(stored, what))
        return Reproduction(compared, differing, tuple(shown), results.versions, again.versions)


def _side_by_side(
    results: Results, again: Results
) -> Iterator[tuple[StoredSession, StoredSession | None]]:
    """Each stored session and its new one; both files are read in the order of their keys."""
    sessions = again.sessions()
    played = next(sessions, None)
    for stored in results.sessions():
        while played is not None and played.key < stored.key:
            played = next(sessions, None)
        yield stored, played if played is not None and played.key == stored.key else None


def _differences(stored: StoredSession, played: StoredSession | None) -> str:
    if played is None:
        return "cannot be played any more; the file of one of its parties has changed"
    return ", ".join(
        f"{name} was {was!r} and is {now!r}"
        for name, was, now in zip(stored._fields, stored, played, strict=True)
        if was != now
    )
