"""What came of an experiment: its matches, and averages that say over what they are taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from genius_py.fronts.trade.actions import TradeError
from genius_py.outcome import Outcome

__all__ = ["ExperimentResult", "MatchResult", "Over"]

Over: TypeAlias = Literal["all", "agreements"]
"""Over which matches an average is taken: all of them, or those with an agreement."""

_UNRESOLVED = ("max_rounds_exceeded", "max_turns_exceeded", "agent_error")


@attrs.frozen
class MatchResult:
    """One match: who got what and why, as the game has it, and the engine's own outcome.

    `error` says what an agent raised, and is empty otherwise. `log_file` is the match's log, None
    when none was asked for.
    """

    match_id: str
    outcome: Mapping[str, Any]
    session: Outcome = attrs.field(repr=False)
    error: str = ""
    log_file: Path | None = None
    status: str = "finished"

    @property
    def reason(self) -> str:
        """Why it ended."""
        return str(self.outcome["reason"])

    @property
    def payoffs(self) -> dict[str, float]:
        """What each agent got, by id."""
        return {line["agent_id"]: line["utility"] for line in self.outcome["payoffs"]}

    @property
    def has_agreement(self) -> bool:
        """Whether a proposal was accepted, whatever became of its delivery."""
        return self.session.agreement is not None

    @property
    def is_resolved(self) -> bool:
        """Whether the agents ended it, and not a limit or an error."""
        return self.reason not in _UNRESOLVED


@attrs.frozen
class ExperimentResult:
    """All matches of an experiment, in their order; `agent_ids` in the order of their seats."""

    agent_ids: tuple[str, ...]
    matches: tuple[MatchResult, ...]
    dashboard: Path | None = None

    def match(self, match_id: str) -> MatchResult:
        """The match of an id.

        Raises:
            TradeError: there is none (``match_not_found``).
        """
        for match in self.matches:
            if match.match_id == match_id:
                return match
        raise TradeError("match_not_found", f"there is no match {match_id!r}")

    def payoff_matrix(self, over: Over = "all") -> NDArray[np.float64]:
        """What each agent got in each match, shape (n_matches, n_agents)."""
        rows = [
            [match.payoffs[agent] for agent in self.agent_ids]
            for match in self.matches
            if over == "all" or match.has_agreement
        ]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.agent_ids))

    def mean_payoffs(self, over: Over = "all") -> dict[str, float | None]:
        """What each agent got on average; None where there is no match to average over."""
        matrix = self.payoff_matrix(over)
        if not len(matrix):
            return dict.fromkeys(self.agent_ids)
        return dict(zip(self.agent_ids, matrix.mean(axis=0).tolist(), strict=True))

    @property
    def no_deal_count(self) -> int:
        """How many matches ended without agreement."""
        return sum(not match.has_agreement for match in self.matches)

    @property
    def completion_rate(self) -> float:
        """Share of the matches that the agents ended, and not a limit or an error."""
        return sum(match.is_resolved for match in self.matches) / len(self.matches)

    @property
    def reasons(self) -> dict[str, int]:
        """How often each reason ended a match, the most frequent first."""
        told = [match.reason for match in self.matches]
        return dict(sorted(((r, told.count(r)) for r in set(told)), key=lambda p: (-p[1], p[0])))

    def summary(self) -> dict[str, Any]:
        """The figures, as plain data."""
        return {
            "matches": len(self.matches),
            "reasons": self.reasons,
            "no_deal_count": self.no_deal_count,
            "completion_rate": self.completion_rate,
            "mean_payoffs": {over: self.mean_payoffs(over) for over in _OVER},
        }


_OVER: Sequence[Over] = ("all", "agreements")
