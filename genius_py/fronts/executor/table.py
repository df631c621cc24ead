"""Sessions of the engine as the executor plays them: with a time limit, and told of as they go."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from genius_py.deadline import Deadline
from genius_py.domain import Domain
from genius_py.fault import Fault
from genius_py.fronts.executor.offers import NegotiationOffer, NegotiationOutcome
from genius_py.fronts.executor.types import NegotiationState
from genius_py.log import Event, Kind
from genius_py.manager import SessionManager
from genius_py.outcome import Outcome
from genius_py.party_source import PartySource
from genius_py.plan import SeatPlan, SessionPlan
from genius_py.scenario import Scenario
from genius_py.session import Answer, Notes, Step, Turn
from genius_py.utility import LinearUtilitySpace

__all__ = ["ANY_NUMBER", "Table", "in_background", "outcome_of"]

ANY_NUMBER = 1e300
"""Numbers of the executor lie between this and its negative; a domain needs some bounds."""


class Table(SessionManager):
    """One session among parties that have no profile: the executor's numbers are their own.

    The time limit, in seconds, is looked at before each round and each answer, the answers of a
    sealed round included. `watch` is shown each action when it has been done.
    """

    def __init__(
        self,
        protocol: str,
        domain: Domain,
        makers: Mapping[str, PartySource],
        rounds: int,
        *,
        timeout: float | None = None,
        seed: int = 0,
        on_fault: Any = "fail",
        watch: Callable[[Event], None] = lambda event: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        worthless = LinearUtilitySpace(domain=domain, coefficients=[0.0] * len(domain.issues))
        plan = SessionPlan(
            protocol=protocol,
            scenario=Scenario(domain, dict.fromkeys(makers, worthless)),
            seats=[SeatPlan(party, party, "of the executor") for party in makers],
            deadline=Deadline(rounds=rounds, seconds=timeout),
            seed=seed,
            on_fault=on_fault,
        )
        super().__init__(plan, makers, clock=clock)
        self._watch = watch
        self._shown = 0

    @property
    def duration_ms(self) -> int:
        """How long the session has run, in whole milliseconds."""
        return round(self._stopwatch.seconds() * 1000)

    @property
    def is_late(self) -> bool:
        """Whether the time limit has passed."""
        seconds = self.plan.deadline.seconds
        return seconds is not None and self._stopwatch.seconds() > seconds

    def run(self) -> Outcome:
        """Play it to its end."""
        outcome = super().run()
        self._show()
        return outcome

    def answers(self, step: Step) -> list[Answer | Notes]:
        """Show what has been done, then deliver and ask."""
        self._show()
        return super().answers(step)

    def ask(self, turn: Turn) -> Answer:
        """Ask, unless it is too late for that."""
        if self.is_late:
            return Fault(turn.party.id, "is not asked any more: the time is up", fatal=True)
        return super().ask(turn)

    def _show(self) -> None:
        log = self.session.log
        for event in log[self._shown :]:
            if event.kind == Kind.ACTION:
                self._watch(event)
        self._shown = len(log)


def outcome_of(
    table: Table,
    session: Outcome,
    accepted: NegotiationOffer | None,
    offers: Sequence[NegotiationOffer],
    failure: str,
) -> NegotiationOutcome:
    """The outcome of a session; without an accepted offer it failed, or came too late."""
    state, reason = NegotiationState.AGREED, None
    if accepted is None:
        state, reason = NegotiationState.FAILED, failure
        if table.is_late:
            state, reason = NegotiationState.TIMED_OUT, "the time limit has passed"
    return NegotiationOutcome(
        agreed=accepted is not None,
        accepted_offer=accepted,
        all_offers=offers,
        rounds_used=session.turns and session.rounds,
        duration_ms=table.duration_ms,
        final_state=state,
        failure_reason=reason,
        session=session,
    )


_Result = TypeVar("_Result")


def in_background(work: Callable[[], _Result]) -> Future[_Result]:
    """Do some work in a thread of its own; the future has its result, or what it raised."""
    pool = ThreadPoolExecutor(max_workers=1)
    try:
        return pool.submit(work)
    finally:
        pool.shutdown(wait=False)
