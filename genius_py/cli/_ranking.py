"""A ranking as a person sees it, and as JSON."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import attrs

from genius_py.cli import _screen
from genius_py.errors import SessionFailure

if TYPE_CHECKING:
    from rich.console import Console

    from genius_py.tournament.ranking import Ranking, Standing
    from genius_py.tournament.store import Results

__all__ = ["record", "require_scores", "show"]

_MOST_PAIRS = 12

_SIGNIFICANT = 0.05

_SPARE = (
    "95 %",
    "agreed",
    "faults",
    "to Nash",
    "utility if agreed",
    "Elo",
    "sessions",
    "welfare",
    "to Pareto",
    "fairness",
    "rounds",
)
"""What a narrow terminal can do without, from what matters most to what matters least."""

_SPARE_OF_MODELS = (
    "utility unaided",
    "sessions unaided",
    "refused",
    "by fallback",
    "replies",
    "turns",
    "leaks",
    "retries",
    "tokens",
)


def require_scores(results: Results, ranking: Ranking) -> None:
    """Refuse to call it done where every session failed.

    Raises:
        SessionFailure: none is scored; it tells what happened to the first.
    """
    if any(standing.sessions for standing in ranking.standings):
        return
    for session in results.sessions():
        for fault in session.faults:
            if fault.is_fatal:
                who = session.parties[fault.seat - 1] if fault.seat else "the mediator"
                raise SessionFailure(
                    f"No session could be scored. In the first {who} {fault.reason}."
                )


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
    rows = [_cells(place, standing) for place, standing in enumerate(ranking.standings, start=1)]
    _show_figures(console, rows, "party", _SPARE)
    if models := [_model_cells(standing) for standing in ranking.standings if standing.models]:
        _show_figures(console, models, "asking a model", _SPARE_OF_MODELS)
    console.print(ranking.evidence, style="dim")
    unscored = sum(standing.unscored for standing in ranking.standings)
    if unscored:
        console.print(
            "Sessions that failed for no reason of a strategy are not scored; "
            "play them again with --retry-faults.",
            style="red",
        )
    if ranking.pairs:
        _show_open_pairs(console, ranking)
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


def _show_open_pairs(console: Console, ranking: Ranking) -> None:
    """Who cannot be told apart; in a line where nobody could, however large the difference."""
    blocks, pairs = max(pair.blocks for pair in ranking.pairs), len(ranking.pairs)
    # All n differences having one sign, the exact test gives 2 / 2^n, and Holm's method takes the
    # smallest of the p-values times their number.
    needed = 2 + math.floor(math.log2(pairs / _SIGNIFICANT))
    if 1 < blocks < needed:
        console.print(
            f"Over {blocks} {ranking.unit}s no two means are told apart, however far: the "
            f"signed-rank test of {pairs} pair{'' if pairs == 1 else 's'} (Holm) takes at least "
            f"{needed}.",
            style="dim",
        )
        return
    open_pairs = [pair for pair in ranking.pairs if pair.p_adjusted >= _SIGNIFICANT]
    if open_pairs:
        console.print()
        console.print("Not told apart (signed-rank test, Holm):")
        for pair in open_pairs[:_MOST_PAIRS]:
            console.print(
                f"  {pair.one} and {pair.other}: {pair.difference:+.4f}, p = {pair.p_adjusted:.3g}"
            )
        if more := len(open_pairs[_MOST_PAIRS:]):
            console.print(f"  ... and {more} more")


def _show_figures(
    console: Console, rows: list[dict[str, str]], name: str, spare: tuple[str, ...]
) -> None:
    if not rows:
        return
    shown, left_out = _screen.figures(console, rows, name, spare)
    console.print(shown)
    console.print()
    if left_out:
        console.print(f"No room here for {', '.join(left_out)}; --json has them.", style="dim")
        console.print()


def _model_cells(standing: Standing) -> dict[str, str]:
    """What asking a language model came to, and what is left without those who had to be helped."""
    asked = standing.models
    assert asked is not None
    return {
        "asking a model": standing.party,
        "turns": str(asked.turns),
        "replies": str(asked.replies),
        "refused": "-" if asked.refused is None else f"{asked.refused:.1%}",
        "retries": str(asked.retries),
        "by fallback": str(asked.fallbacks),
        "sessions unaided": f"{standing.unaided} of {standing.sessions}",
        "utility unaided": _screen.number(standing.unaided_utility),
        "leaks": str(asked.leaks),
        "tokens": f"{asked.prompt_tokens} + {asked.new_tokens}",
    }


def _cells(place: int, standing: Standing) -> dict[str, str]:
    interval = (
        "-"
        if standing.low is None or standing.high is None
        else f"{standing.low:.3f} to {standing.high:.3f}"
    )
    rate = "-" if standing.agreement_rate is None else f"{standing.agreement_rate:.0%}"
    rounds = "-" if standing.rounds is None else f"{standing.rounds:.1f}"
    return {
        "rank": str(place),
        "party": standing.party,
        "sessions": str(standing.sessions),
        "utility": _screen.number(standing.utility),
        "95 %": interval,
        "agreed": f"{standing.agreements} ({rate})",
        "utility if agreed": _screen.number(standing.agreed_utility),
        "to Pareto": _screen.number(standing.distance_to_pareto),
        "to Nash": _screen.number(standing.distance_to_nash),
        "welfare": _screen.number(standing.social_welfare),
        "fairness": _screen.number(standing.fairness),
        "rounds": rounds,
        "Elo": f"{standing.elo:.0f}",
        "faults": str(standing.faults),
    }
