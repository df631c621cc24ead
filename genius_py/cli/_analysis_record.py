"""The object that `analyze --json` prints: plain dictionaries, unrounded numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from genius_py import registry
from genius_py.analysis.distance import distance
from genius_py.analysis.genius import genius_kalai, genius_nash
from genius_py.analysis.of_outcome import OutcomeSpace
from genius_py.analysis.peers import negmas_kalai_smorodinsky, negolog_kalai, negolog_nash
from genius_py.analysis.points import Points
from genius_py.analysis.process import concessions, move_shares, moves
from genius_py.metrics._offers import offers_by_party
from genius_py.metrics.calculator import MetricsCalculator
from genius_py.outcome import Outcome

__all__ = ["of_process", "of_solutions", "of_space"]

_COUNTED = 10**300
"""More bids than this are not told: whoever reads JSON takes no longer numbers."""


def of_space(space: OutcomeSpace) -> dict[str, Any]:
    """An outcome space as the object documented in docs/reference/cli.md."""
    analysis = space.analysis
    return {
        "domain": space.domain.name,
        "n_outcomes": analysis.n_outcomes if analysis.n_outcomes < _COUNTED else None,
        "parties": list(space.parties),
        "reservation_values": _by_party(space, analysis.reservation),
        "complete": analysis.complete,
        "error": analysis.frontier.error,
        "examined": analysis.frontier.examined,
        "has_zopa": analysis.has_zopa,
        "opposition": analysis.opposition,
        "utopia": _by_party(space, analysis.utopia),
        "nadir": _by_party(space, analysis.nadir),
        "solutions": of_solutions(space),
        "peers": _peers(space),
        "pareto_size": len(space.frontier),
        "frontier": [_point(space, row) for row in range(len(space.frontier))],
    }


def of_solutions(
    space: OutcomeSpace, outcome: Mapping[str, float] | None = None
) -> dict[str, dict[str, Any] | None]:
    """Each solution's bid and utilities, and its distance to an outcome if that is given."""
    told: dict[str, dict[str, Any] | None] = {}
    for name, row in space.analysis.solutions.items():
        told[name] = None if row is None else _point(space, row)
        if row is not None and outcome is not None:
            got = [outcome[party] for party in space.parties]
            told[name] |= {"distance": distance(space.frontier[row], got)}  # type: ignore[operator]
    return told


def of_process(outcome: Outcome) -> dict[str, Any]:
    """How each party got there, and all metrics; null where one is not defined."""
    process = {
        party: {
            "offers": len(made.bids),
            "own_utilities": made.own.tolist(),
            "others_utilities": made.others.tolist(),
            "concessions": concessions(made.own).tolist(),
            "moves": {
                kind.value: share
                for kind, share in move_shares(moves(made.own, made.others)).items()
            },
        }
        for party, made in offers_by_party(outcome).items()
    }
    calculator = MetricsCalculator()
    for name in registry.names("metric"):
        if name not in calculator.list_metrics():
            calculator.register_metric(name, registry.make("metric", name))
    found = calculator.calculate_outcome(outcome)
    metrics = {name: None if name in calculator.errors else found[name] for name in sorted(found)}
    return {"process": process, "metrics": metrics}


def _peers(space: OutcomeSpace) -> dict[str, dict[str, Any] | None]:
    """What other platforms call by these names; null where they have, or we know, no such point."""
    frontier, reservation = space.frontier, space.analysis.reservation
    order = np.argsort(frontier[:, 0], kind="stable")  # Genius's

    def ordered(row: int | None) -> int | None:
        return None if row is None else int(order[row])

    found = {
        "genius_nash": ordered(genius_nash(frontier[order], reservation)),
        "genius_kalai": ordered(genius_kalai(frontier[order])),
        "negmas_kalai_smorodinsky": _negmas(space),
        "negolog_nash": negolog_nash(frontier) if frontier.min() >= 0 else None,
        "negolog_kalai": negolog_kalai(frontier),
    }
    return {name: None if row is None else _point(space, row) for name, row in found.items()}


def _negmas(space: OutcomeSpace) -> int | None:
    """Row of the frontier; it takes the worst outcomes too, so that the bids have to be listed."""
    if not space.domain.is_listable:
        return None
    points = space.cloud(np.random.default_rng(0))
    with_worst = np.concatenate([space.frontier, points.min(axis=0)[None]])
    return negmas_kalai_smorodinsky(with_worst, space.analysis.reservation)


def _point(space: OutcomeSpace, row: int) -> dict[str, Any]:
    return {"utilities": _by_party(space, space.frontier[row]), "bid": space.bid_at(row)}


def _by_party(space: OutcomeSpace, numbers: Points | Sequence[float]) -> dict[str, float]:
    return dict(zip(space.parties, map(float, numbers), strict=True))
