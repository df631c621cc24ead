"""Tournaments: planned as values, played anywhere, kept in one file, ranked with intervals.

>>> from genius_py.tournament import Results, Tournament, rank, run_tournament
>>> tournament = Tournament(
...     parties=["boulware", "conceder"], domains=["company_car"], deadlines="20rounds"
... )
>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     run_tournament(tournament, f"{folder}/results.sqlite")
...     with Results(f"{folder}/results.sqlite") as results:
...         rank(results).standings[0].party
'boulware'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from genius_py.tournament.compare import Verdict, comparison, verdicts
    from genius_py.tournament.export import to_csv, to_pandas, to_parquet
    from genius_py.tournament.genius_csv import to_genius_csv
    from genius_py.tournament.plan import Plan, plan_tournament
    from genius_py.tournament.ranking import Ranking, rank
    from genius_py.tournament.reproduction import reproduce
    from genius_py.tournament.run import run_plan, run_tournament
    from genius_py.tournament.store import Results, StoredSession
    from genius_py.tournament.tournament import DomainSource, Tournament

__all__ = [
    "DomainSource",
    "Plan",
    "Ranking",
    "Results",
    "StoredSession",
    "Tournament",
    "Verdict",
    "comparison",
    "plan_tournament",
    "rank",
    "reproduce",
    "run_plan",
    "run_tournament",
    "to_csv",
    "to_genius_csv",
    "to_pandas",
    "to_parquet",
    "verdicts",
]

_HOMES = {
    "DomainSource": "tournament",
    "Plan": "plan",
    "Ranking": "ranking",
    "Results": "store",
    "StoredSession": "store",
    "Tournament": "tournament",
    "Verdict": "compare",
    "comparison": "compare",
    "plan_tournament": "plan",
    "rank": "ranking",
    "reproduce": "reproduction",
    "run_plan": "run",
    "run_tournament": "run",
    "to_csv": "export",
    "to_genius_csv": "genius_csv",
    "to_pandas": "export",
    "to_parquet": "export",
    "verdicts": "compare",
}


def __getattr__(name: str) -> object:
    # Worker processes import one module of this package and must not wait for scipy.stats.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
