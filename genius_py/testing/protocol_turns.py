"""Claims about turns: the rounds ask for what can be done, and everything else is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_type_hints

from genius_py.action import Accept, Action, Offer
from genius_py.allowed import Allowed, OneOf
from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.fault import Fault
from genius_py.issue import DiscreteIssue
from genius_py.log import Reason
from genius_py.plan import SessionPlan
from genius_py.session import Seat, Turn
from genius_py.testing.chance import disturbed_chance
from genius_py.testing.driven import Driven
from genius_py.testing.legal import Temper
from genius_py.testing.protocol_queries import said_by
from genius_py.testing.protocol_trials import (
    TRIES,
    Answers,
    Claim,
    Subject,
    legal_answers,
    offered_at,
    place_in,
    play,
    table_of,
)
from genius_py.testing.report import Complaint

__all__ = ["TURN_CLAIMS"]

_FOREIGN = Domain("foreign", [DiscreteIssue("foreign", ("one", "two"))]).bid_at(0)


def _rounds_are_stable(subject: Subject) -> None:
    for plan, temper in subject.trials():
        first = _turns(plan, temper)
        with disturbed_chance():
            second = _turns(plan, temper)
        for one, other in zip(first, second, strict=False):
            if one != other:
                raise Complaint(
                    f"The same session was played twice with the same answers, but once it asked "
                    f"'{one}' and then '{other}'. Make rounds from the actions so far and from "
                    f"session.rng alone: no clock, no module random, no order of a set, nothing "
                    f"kept outside the object."
                )
        if len(first) != len(second):
            raise Complaint(
                f"The same session was played twice with the same answers, but had {len(first)} "
                f"turns and then {len(second)}."
            )


def _turns(plan: SessionPlan, temper: Temper) -> list[str]:
    turns: list[str] = []

    def look(table: Driven) -> None:
        turns.extend(
            f"round {table.session.round_number}: {seat} may {_spelt_out(allowed)}"
            for seat, allowed in table.asked
        )

    play(table_of(plan), temper, look)
    return turns


def _spelt_out(allowed: Allowed) -> str:
    return "; ".join(
        f"{kind.__name__}({', '.join(f'{field}: {rule}' for field, rule in rules.items())})"
        for kind, rules in allowed.items()
    )


def _turns_can_be_played(subject: Subject) -> None:
    for plan, temper in subject.trials():
        table = play(table_of(plan), _insistent(plan, temper), _require_sound_turns)
        if table.is_over and table.outcome.reason is Reason.FAULT:
            raise Complaint(
                f"A turn allowed what apply_action then refused, {TRIES + 1} times out of "
                f"{TRIES + 1}. The last refusal: {table.outcome.faults[-1]}. Whoever takes a turn "
                f"knows nothing but its Allowed: leave the class out, or narrow its fields' rules."
            )


def _insistent(plan: SessionPlan, temper: Temper) -> Answers:
    """Legal answers that try the same class again when one was refused."""
    legal = legal_answers(plan, temper)
    chosen: dict[Seat, type[Action]] = {}

    def answers(turn: Turn) -> Action | Fault:
        seat, allowed = turn
        if allowed.refusal:
            turn = Turn(seat, Allowed({chosen[seat]: allowed[chosen[seat]]}))
        action = legal(turn)
        if isinstance(action, Action):
            chosen[seat] = type(action)
        return action

    return answers


def _require_sound_turns(table: Driven) -> None:
    for seat, allowed in table.asked:
        where, rules = place_in(table), type(table.protocol).__name__
        if not any(seat is known for known in table.seats):
            raise Complaint(
                f"{where}: a turn is {seat!r}'s, who does not sit here; make turns for the seats "
                f"that get_round_structure is given."
            )
        if not allowed:
            raise Complaint(f"{where}: {seat} is asked but may do nothing; leave the turn out.")
        for kind in allowed:
            if kind not in table.protocol.actions:
                raise Complaint(
                    f"{where}: {seat} may {kind.__name__}, which is not among the actions of "
                    f"{rules}; name it there, or no log can be read."
                )
            for field in _bid_fields(kind):
                if field not in allowed[kind]:
                    raise Complaint(
                        f"{where}: {seat} may {kind.__name__} with anything as {field}; give the "
                        f"field a rule: Allowed({{{kind.__name__}: "
                        f"{{{field!r}: BidOf(session.domain)}}}})."
                    )


def _bid_fields(kind: type[Action]) -> list[str]:
    return [name for name, hint in get_type_hints(kind).items() if hint is Bid]


def _limits_are_enforced(subject: Subject) -> None:
    for plan, temper in subject.trials():
        undisturbed = play(table_of(plan), temper)
        table = table_of(plan)
        offender = _Offender(table, legal_answers(plan, temper))
        play(table, offender)
        for action in table.log.actions:
            misdeed = offender.tried.get(id(action))
            if misdeed is not None:
                raise Complaint(
                    f"{misdeed}: '{action}' was taken. Give the field a rule in Turn.allowed "
                    f"(BidOf, OneOf), or raise ActionError in apply_action."
                )
        if table.log.actions != undisturbed.log.actions or table.ending != undisturbed.ending:
            raise Complaint(_CHANGED)


_CHANGED = (
    "an action that was refused changed something all the same; raise ActionError before anything "
    "is changed."
)


class _Offender:
    """In every turn it first tries what must be refused, then does what is legal.

    `tried` says what was wrong with each misdeed, by the id of the action.
    """

    def __init__(self, table: Driven, legal: Answers) -> None:
        self.tried: dict[int, str] = {}
        self._table = table
        self._legal = legal
        self._misdeeds: dict[Seat, Iterator[Action]] = {}
        self._said_before: dict[str, str] = {}
        self._kept: list[Action] = []  # an id is only good as long as its object lives

    def __call__(self, turn: Turn) -> Action | Fault:
        if not turn.refusal:
            self._misdeeds[turn.party] = self._against(turn)
            self._said_before = said_by(self._table)
        elif (
            not self._table.session.rounds[-1].sealed and said_by(self._table) != self._said_before
        ):
            raise Complaint(f"{place_in(self._table)}: {_CHANGED}")
        misdeed = next(self._misdeeds[turn.party], None)
        if misdeed is None:
            return self._legal(turn)
        self._kept.append(misdeed)
        return misdeed

    def _against(self, turn: Turn) -> Iterator[Action]:
        who, table = turn.party.id, self._table
        for kind in turn.allowed:
            fields: dict[str, Any] = {
                name: rule.values[0] if isinstance(rule, OneOf) and rule.values else ""
                for name, rule in turn.allowed.choices(kind).items()
            }
            for field in _bid_fields(kind):
                yield self._wrong(
                    "a bid of another domain", kind(who, **{**fields, field: _FOREIGN})
                )
        if Accept in turn.allowed and any(issubclass(k, Offer) for k in table.protocol.actions):
            offered = offered_at(table)
            bids = map(table.plan.scenario.domain.bid_at, range(table.plan.scenario.domain.size))
            unheard_of = next((bid for bid in bids if bid not in offered), None)
            if unheard_of is not None:
                yield self._wrong("a bid that nobody has offered", Accept(who, unheard_of))

    def _wrong(self, what: str, action: Action) -> Action:
        self.tried[id(action)] = f"{place_in(self._table)}, {what}"
        return action


TURN_CLAIMS: Mapping[str, Claim] = {
    "the round structure is stable": _rounds_are_stable,
    "what a turn allows can be done": _turns_can_be_played,
    "what a turn does not allow is refused": _limits_are_enforced,
}
