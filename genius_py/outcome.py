"""What came of a session: a fold over its log."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import attrs

from genius_py.bid import Bid
from genius_py.errors import LogError
from genius_py.fault import Fault
from genius_py.log import Ending, Kind, Log, Reason
from genius_py.plan import SessionPlan

__all__ = ["Outcome"]


@attrs.frozen(slots=False, repr=False)
class Outcome:
    """How a session ended and what each party got of it, derived from its plan and log.

    Utilities map the ids of the parties (mediators are none) to numbers. Without agreement a
    party has its reservation value. `time` is the progress at which the session ended, and
    discounted utilities count at that time.
    """

    plan: SessionPlan
    log: Log

    @cached_property
    def ending(self) -> Ending:
        """The log's last word.

        Raises:
            LogError: the session has not ended.
        """
        return self._end()[1]

    def _end(self) -> tuple[float, Ending]:
        for event in reversed(self.log):
            if event.kind == Kind.END and isinstance(event.detail, Ending):
                return event.time, event.detail
        raise LogError("The log has no end: the session was interrupted; run it again.")

    @property
    def agreement(self) -> Bid | None:
        """The agreed bid, None without agreement."""
        return self.ending.agreement

    @property
    def is_joint_move(self) -> bool:
        """Whether the agreement is none that was negotiated, but what each party did in a game."""
        if self.agreement is None or self.ending.payoffs is None:
            return False
        return {*self.agreement} == {seat.role for seat in self.plan.parties}

    @property
    def reason(self) -> Reason:
        """Why the session ended."""
        return self.ending.reason

    @property
    def detail(self) -> str:
        """The protocol's own word for how it ended; often empty."""
        return self.ending.detail

    @property
    def agreeing_parties(self) -> int:
        """How many parties backed the best supported offer at the end."""
        return self.ending.agreeing_parties

    @property
    def rounds(self) -> int:
        """Rounds that were played, a begun one included."""
        return self.ending.rounds

    @cached_property
    def turns(self) -> int:
        """Turns that were done."""
        return sum(event.kind == Kind.ACTION for event in self.log)

    @property
    def time(self) -> float:
        """Progress at the end, in [0, 1]."""
        return self._end()[0]

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """Everything that went wrong, in order."""
        return tuple(e.detail for e in self.log if isinstance(e.detail, Fault))

    @cached_property
    def utilities(self) -> Mapping[str, float]:
        """The undiscounted utility of each party, or what the rules of the game gave it."""
        if self.ending.payoffs is not None:
            return dict(self.ending.payoffs)
        if self.agreement is None:
            return self.reservation_values
        return {
            seat.id: self.plan.profile(seat).utility(self.agreement) for seat in self.plan.parties
        }

    @cached_property
    def discounted_utilities(self) -> Mapping[str, float]:
        """The utility of each party as it counts at the end's time."""
        return {
            seat.id: self.plan.profile(seat).discounted(self.utilities[seat.id], self.time)
            for seat in self.plan.parties
        }

    @cached_property
    def reservation_values(self) -> Mapping[str, float]:
        """The undiscounted reservation value of each party."""
        return {seat.id: self.plan.profile(seat).reservation_value for seat in self.plan.parties}

    def __str__(self) -> str:
        where = f"round {self.rounds}"
        if self.agreement is None:
            why = f": {self.detail}" if self.detail else ""
            lines = [f"No agreement ({self.reason.value}{why}) after {where}."]
        elif self.is_joint_move:
            lines = [f"Played up to {where}: {self.agreement}"]
        else:
            lines = [f"Agreement in {where}: {self.agreement}"]
        lines += [f"  {party}: {utility:.4f}" for party, utility in self.utilities.items()]
        lines += [f"  {fault}" for fault in self.faults]
        return "\n".join(lines)

    def __repr__(self) -> str:
        plan = self.plan
        said = f"{plan.protocol} on {plan.scenario.name}, seed {plan.seed}"
        try:
            end = str(self).splitlines()[0]
        except LogError:
            end = "It has not ended."
        return f"<Outcome of {said}: {end}>"

    def _repr_html_(self) -> str:
        """The outcome as a small table, for notebooks."""
        from html import escape

        parties = self.plan.parties
        head = str(self).splitlines()[0]
        rows = "".join(
            f"<tr><td>{escape(seat.id)}</td><td>{escape(seat.party)}</td>"
            f"<td>{self.utilities[seat.id]:.4f}</td>"
            f"<td>{self.discounted_utilities[seat.id]:.4f}</td>"
            f"<td>{self.reservation_values[seat.id]:.4f}</td></tr>"
            for seat in parties
        )
        return (
            f"<p>{escape(head)}</p><table><thead><tr><th>seat</th><th>party</th><th>utility</th>"
            f"<th>discounted</th><th>reservation</th></tr></thead><tbody>{rows}</tbody></table>"
        )
