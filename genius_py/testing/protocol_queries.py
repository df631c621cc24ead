"""Claims about what a protocol says when it is asked for the agreement and who backs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from genius_py.action import Action, Forfeit
from genius_py.fault import Fault
from genius_py.plan import SeatPlan, SessionPlan
from genius_py.protocol import MultilateralProtocol
from genius_py.session import Seat, Session, Turn
from genius_py.testing.driven import Driven
from genius_py.testing.protocol_trials import (
    Claim,
    Subject,
    ending_of,
    legal_answers,
    offered_at,
    place_in,
    play,
    table_of,
)
from genius_py.testing.report import Complaint, NotApplicable

__all__ = ["QUERY_CLAIMS", "said_by"]


def _queries_are_pure(subject: Subject) -> None:
    for plan, temper in subject.trials():
        asked = play(table_of(plan), temper, _require_same_answers)
        _require_same_answers(asked)
        if asked.log != play(table_of(plan), temper).log:
            raise Complaint(
                "Asking for the agreement after each turn changed the session: without the "
                "questions it went another way. Keep what you need in apply_action, and let "
                "queries change nothing."
            )


def _require_same_answers(table: Driven) -> None:
    first = said_by(table)
    if table.ending is not None:  # the loop has asked before
        first["get_current_agreement"] = str(table.ending.agreement)
        first["get_number_of_agreeing_parties"] = str(table.ending.agreeing_parties)
    for query, ask in _QUERIES.items():
        # Twice in a row, after all have been asked: one question may change another's answer.
        for answer in (ask(table), ask(table)):
            if answer != first[query]:
                raise Complaint(
                    f"{place_in(table)}: asked twice in a row, {query} said {first[query]} and "
                    f"then {answer}. Work it out from the actions without changing anything."
                )


def said_by(table: Driven) -> dict[str, str]:
    """What the protocol answers to every query, as text."""
    return {query: ask(table) for query, ask in _QUERIES.items()}


def _listeners(table: Driven) -> str:
    listeners = table.protocol.get_action_listeners(table.seats)
    return "; ".join(f"{seat}: {', '.join(map(str, heard))}" for seat, heard in listeners.items())


_QUERIES: Mapping[str, Callable[[Driven], str]] = {
    "get_current_agreement": lambda t: str(t.protocol.get_current_agreement(t.session, t.seats)),
    "get_number_of_agreeing_parties": lambda t: str(
        t.protocol.get_number_of_agreeing_parties(t.session, t.seats)
    ),
    "is_finished": lambda t: str(t.protocol.is_finished(t.session, t.seats)),
    "payoffs": lambda t: str(t.protocol.payoffs(t.session, t.seats)),
    "detail": lambda t: t.protocol.detail,
    "get_action_listeners": _listeners,
}


def _agreements_were_offered(subject: Subject) -> None:
    if not subject.has_offers:
        raise NotApplicable("nobody makes offers under this protocol")
    for plan, temper in subject.trials():
        said = _Answered("get_current_agreement")
        table = play(table_of(plan, watch=said.watch), temper)
        final = ending_of(table).agreement
        for agreement in (*said.answers, final):
            if agreement is not None and agreement not in offered_at(table):
                raise Complaint(
                    f"{agreement} was agreed, but nobody has offered it; an agreement is one of "
                    f"the offers, bid for bid."
                )
        if final is None and said.answers and said.answers[-1] is not None:
            raise Complaint(
                f"{said.answers[-1]} was agreed after the last turn, but not at the end. At a "
                f"deadline get_round_structure is called once more than rounds are played, and "
                f"then after_session; neither may undo an agreement."
            )


class _Answered:
    """What a query says after each turn, asked when the loop looks whether to go on."""

    def __init__(self, query: str) -> None:
        self._query = query
        self._turns = 0
        self.answers: list[Any] = []

    def watch(self, protocol: MultilateralProtocol) -> Mapping[str, Callable[..., object]]:
        query = getattr(protocol, self._query)

        def is_finished(session: Session, parties: Sequence[Seat]) -> bool:
            turns = sum(len(round_.actions) for round_ in session.rounds)
            if turns > self._turns:  # it is looked at once more when the session is over
                self._turns = turns
                self.answers.append(query(session, parties))
            return protocol.is_finished(session, parties)

        return {"is_finished": is_finished}


def _forfeits_consent_to_nothing(subject: Subject) -> None:
    for plan in subject.plans:
        for silent in plan.seats:
            _require_no_consent(attrs.evolve(plan, retries=0, on_fault="forfeit"), silent)


def _require_no_consent(plan: SessionPlan, silent: SeatPlan) -> None:
    legal = legal_answers(plan, "agreeable")

    def answers(turn: Turn) -> Action | Fault:
        is_silent = turn.party.id == silent.id
        return Fault(silent.id, "says nothing") if is_silent else legal(turn)

    backing = _Answered("get_number_of_agreeing_parties")
    table = play(table_of(plan, watch=backing.watch), answers)
    if not any(isinstance(action, Forfeit) for action in table.log.actions):
        return
    others = sum(seat is not silent for seat in plan.parties)
    if max(backing.answers, default=0) > others:
        raise Complaint(
            f"{silent.id} forfeited every turn, and yet {max(backing.answers)} of "
            f"{len(plan.parties)} parties are counted as agreeing. A Forfeit refuses everything "
            f"on the table; see to it in apply_action."
        )


QUERY_CLAIMS: Mapping[str, Claim] = {
    "agreement queries are pure": _queries_are_pure,
    "what is agreed has been offered": _agreements_were_offered,
    "a forfeited turn consents to nothing": _forfeits_consent_to_nothing,
}
