"""A ranking as a person sees it, and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from genius_py.cli import _screen

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from genius_py.tournament.ranking import Ranking, Standing

__all__ = ["record", "show"]

_MOST_PAIRS = 12


def record(ranking: Ranking) -> dict[str, Any]:
    """The ranking as plain data; keys are the fields of what it is made of."""
    game = ranking.game
    return {
        "leaderboard": [attrs.asdict(standing) for standing in ranking.standings],
        "pairs": [attrs.asdict(pair) for pair in ranking.pairs],
        "blocks": ranking.blocks,
        "unit": ranking.unit,
        "repeated": ranking.repeated,
        "alike": ranking.alike,
        "game": None
        if game is None
        else {
            "parties": game.parties,
            "payoffs": game.payoffs.tolist(),
            "best_responses": {
                party: game.parties[best]
                for party, best in zip(game.parties, game.best_responses, strict=True)
            },
            "equilibria": [attrs.asdict(equilibrium) for equilibrium in game.equilibria],
        },
    }


def show(console: Console, ranking: Ranking) -> None:
    """The leaderboard, what is not certain about it, and the equilibria."""
    heads = (
        "sessions",
        "utility",
        "95 %",
        "agreed",
        "utility if agreed",
        "to Pareto",
        "to Nash",
        "welfare",
        "fairness",
        "rounds",
        "Elo",
        "faults",
    )
    rows = _screen.table("rank", "party", *heads, right=("rank", *heads))
    for place, standing in enumerate(ranking.standings, start=1):
        rows.add_row(str(place), *_cells(standing))
    console.print(rows)
    console.print()
    if any(standing.models for standing in ranking.standings):
        console.print(_models(ranking))
        console.print()
    console.print(ranking.evidence, style="dim")
    unscored = sum(standing.unscored for standing in ranking.standings)
    if unscored:
        console.print(
            "Sessions that failed for no reason of a strategy are not scored; "
            "play them again with --retry-faults.",
            style="red",
        )
    open_pairs = [pair for pair in ranking.pairs if pair.p_adjusted >= 0.05]
    if open_pairs:
        console.print()
        console.print("Not told apart (signed-rank test, Holm):")
        for pair in open_pairs[:_MOST_PAIRS]:
            console.print(
                f"  {pair.one} and {pair.other}: {pair.difference:+.4f}, p = {pair.p_adjusted:.3g}"
            )
        if more := len(open_pairs[_MOST_PAIRS:]):
            console.print(f"  ... and {more} more")
    if ranking.game is not None:
        console.print()
        console.print("Symmetric equilibria of the choice whom to send:")
        for equilibrium in ranking.game.equilibria:
            shares = ", ".join(
                f"{share:.0%} {party}"
                for party, share in zip(ranking.game.parties, equilibrium.shares, strict=True)
                if share
            )
            console.print(f"  {shares} (utility {equilibrium.payoff:.4f})")


def _models(ranking: Ranking) -> Table:
    """What asking language models came to, and what is left without those who had to be helped."""
    heads = (
        "turns",
        "replies",
        "refused",
        "retries",
        "by fallback",
        "sessions unaided",
        "utility unaided",
        "leaks",
        "tokens",
    )
    rows = _screen.table("asking a model", *heads, right=heads)
    for standing in ranking.standings:
        asked = standing.models
        if asked is not None:
            rows.add_row(
                standing.party,
                str(asked.turns),
                str(asked.replies),
                "-" if asked.refused is None else f"{asked.refused:.1%}",
                str(asked.retries),
                str(asked.fallbacks),
                f"{standing.unaided} of {standing.sessions}",
                _screen.number(standing.unaided_utility),
                str(asked.leaks),
                f"{asked.prompt_tokens} + {asked.new_tokens}",
            )
    return rows


def _cells(standing: Standing) -> list[str]:
    interval = (
        "-"
        if standing.low is None or standing.high is None
        else f"{standing.low:.3f} to {standing.high:.3f}"
    )
    rate = "-" if standing.agreement_rate is None else f"{standing.agreement_rate:.0%}"
    rounds = "-" if standing.rounds is None else f"{standing.rounds:.1f}"
    return [
        standing.party,
        str(standing.sessions),
        _screen.number(standing.utility),
        interval,
        f"{standing.agreements} ({rate})",
        _screen.number(standing.agreed_utility),
        _screen.number(standing.distance_to_pareto),
        _screen.number(standing.distance_to_nash),
        _screen.number(standing.social_welfare),
        _screen.number(standing.fairness),
        rounds,
        f"{standing.elo:.0f}",
        str(standing.faults),
    ]
