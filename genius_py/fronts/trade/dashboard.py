"""A page about an experiment: one file that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from genius_py.fronts.trade.result import ExperimentResult, MatchResult
from genius_py.log import Kind

__all__ = ["dashboard"]

_STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { padding: 0.2rem 0.8rem; text-align: left; border-bottom: 1px solid #8886; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
summary { cursor: pointer; }
"""


def dashboard(game: Mapping[str, Any], result: ExperimentResult) -> str:
    """The page as HTML: the averages, why matches ended, and each match turn by turn."""
    title = f"{game['game_id']}: {len(result.matches)} matches"
    options = ", ".join(f"{key} = {value}" for key, value in game.items() if key != "game_id")
    return "\n".join(
        (
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>",
            f"<h1>{escape(title)}</h1><p>{escape(options)}</p>",
            "<h2>Mean payoffs</h2>",
            _table(
                ("agent", "all matches", "matches with an agreement"),
                (
                    (agent, result.mean_payoffs()[agent], result.mean_payoffs("agreements")[agent])
                    for agent in result.agent_ids
                ),
            ),
            f"<p>{result.no_deal_count} without agreement; "
            f"{result.completion_rate:.0%} ended by the agents.</p>",
            "<h2>Why they ended</h2>",
            _table(("reason", "matches"), result.reasons.items()),
            "<h2>Matches</h2>",
            *map(_match, result.matches),
            "</body></html>\n",
        )
    )


def _match(match: MatchResult) -> str:
    payoffs = ", ".join(f"{agent} {payoff:g}" for agent, payoff in match.payoffs.items())
    error = f"<p>{escape(match.error)}</p>" if match.error else ""
    turns = (
        (
            event.round,
            str(event.action) if event.kind == Kind.ACTION else f"refused: {event.detail}",
        )
        for event in match.session.log
        if event.kind in (Kind.ACTION, Kind.FAULT)
    )
    return (
        f"<details><summary>{escape(match.match_id)}: {escape(match.reason)} "
        f"({escape(payoffs)})</summary>{error}{_table(('round', 'turn'), turns)}</details>"
    )


def _table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    titles = "".join(f"<th>{escape(title)}</th>" for title in head)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: object) -> str:
    if isinstance(value, int | float):
        return f'<td class="number">{value:g}</td>'
    return f"<td>{'none' if value is None else escape(str(value))}</td>"
