"""Does a protocol keep its contract? It is tried with all kinds of sessions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count

import attrs

from genius_py import formats, registry
from genius_py.deadline import Deadline
from genius_py.errors import LogError, UnknownName
from genius_py.protocol import MultilateralProtocol
from genius_py.scenario import Scenario
from genius_py.session import Seat
from genius_py.testing.driven import Driven
from genius_py.testing.legal import TEMPERS
from genius_py.testing.protocol_queries import QUERY_CLAIMS
from genius_py.testing.protocol_trials import (
    MOST_TURNS,
    Answers,
    Claim,
    Subject,
    ending_of,
    goes_on,
    legal_answers,
    place_in,
    play,
    step,
    subject_of,
    table_of,
)
from genius_py.testing.protocol_turns import TURN_CLAIMS
from genius_py.testing.report import Complaint, Report, examine
from genius_py.testing.specs import spec_of
from genius_py.trace import dump_log, parse_log, replay

__all__ = ["check_protocol"]


def check_protocol(
    protocol: str | type[MultilateralProtocol], scenario: Scenario | str | None = None
) -> Report:
    """Play many sessions under a protocol and look whether it keeps its contract.

    `protocol` is a spec, or a class that stands at the top of its module. Without a scenario it
    is played on a small domain, with the fewest seats that it takes and with 2, 3 and 5; where
    it cannot play that domain, on the bundled domains that name it.

    Raises:
        ConformanceError: it breaks the contract; the text says what to mend, claim by claim.
        UnknownName: nothing has that name.
    """
    spec = spec_of("protocol", protocol)
    rules = registry.class_of("protocol", spec)
    given = formats.load(scenario) if isinstance(scenario, str) else scenario
    return examine(spec, subject_of(spec, rules, given), _CLAIMS).require()


def _seats_can_be_filled(subject: Subject) -> None:
    rules = subject.rules
    fewest, most = rules.parties_range
    if fewest < 1 or (most is not None and most < fewest):
        raise Complaint(f"parties_range is {rules.parties_range}; give the fewest and the most.")
    if not rules.default_parties:
        raise Complaint("default_parties is empty; name who sits where nobody is named.")
    mediators = [] if rules.default_mediator is None else [rules.default_mediator]
    for spec in (*rules.default_parties, *mediators):
        try:
            cls = registry.class_of("party", spec)
        except UnknownName as error:
            raise Complaint(f"Its default seats cannot be filled. {error}") from error
        if cls.is_mediator != (spec in mediators):
            raise Complaint(
                f"{spec!r} sits by default where it cannot: name mediators as default_mediator "
                f"and others as default_parties."
            )


def _deadlines_stop_it(subject: Subject) -> None:
    deadlines = (Deadline(rounds=3), Deadline(seconds=20), Deadline(rounds=2, seconds=1000))
    for plan in subject.plans:
        for deadline in deadlines:
            ticks = map(float, count())
            table = table_of(attrs.evolve(plan, deadline=deadline), ticks.__next__)
            play(table, "stubborn")
            if not table.is_over:
                raise Complaint(
                    f"Deadline {deadline}: round {table.session.round_number} has {MOST_TURNS} "
                    f"turns and more. A deadline in rounds cannot end a round; let its turns run "
                    f"out."
                )


def _ends_make_sense(subject: Subject) -> None:
    if not getattr(subject.rules, "name", ""):
        raise Complaint(f"{subject.rules.__name__} has no name; give it the class attribute name.")
    for plan, temper in subject.trials():
        ending = ending_of(play(table_of(plan), temper))
        if ending.agreement is not None and ending.agreement not in plan.scenario.domain:
            raise Complaint(f"The agreement {ending.agreement!r} is not a bid of the domain.")
        if not 0 <= ending.agreeing_parties <= len(plan.seats):
            raise Complaint(
                f"get_number_of_agreeing_parties says {ending.agreeing_parties} where there are "
                f"{len(plan.seats)} seats; count each seat once."
            )
        ids = {seat.id for seat in plan.parties}
        if ending.payoffs is not None and set(ending.payoffs) != ids:
            raise Complaint(
                f"payoffs gives numbers to {_listed(ending.payoffs)}; give one to each of "
                f"{_listed(ids)}."
            )


def _listed(ids: Mapping[str, float] | set[str]) -> str:
    return ", ".join(sorted(ids)) or "nobody"


def _replays_agree(subject: Subject) -> None:
    for plan, temper in subject.trials():
        table = play(table_of(plan), temper)
        ending_of(table)
        try:
            replay(table.outcome)
            lines = list(dump_log(table.outcome))
            if list(dump_log(replay(parse_log(lines)))) != lines:
                raise Complaint("The log was another one after it was written, read and replayed.")
        except LogError as error:
            raise Complaint(
                f"{error} The state of a protocol must follow from the actions alone, and the "
                f"fields of its actions must be typed, so that JSON can hold them."
            ) from error


def _sessions_are_separate(subject: Subject) -> None:
    advice = (
        "Keep state in attributes of the object, set in __init__ or before_session; nothing on the "
        "class or in the module."
    )
    for plan in subject.plans:
        alone = {temper: play(table_of(plan), temper).log for temper in TEMPERS}
        for temper in TEMPERS:
            if play(table_of(plan), temper).log != alone[temper]:
                raise Complaint(
                    f"A session went another way because others had been played before. {advice}"
                )
        interleaved = [(table_of(plan), legal_answers(plan, temper)) for temper in TEMPERS]
        while any(goes_on(table) for table, _ in interleaved):
            for table, answers in interleaved:
                if goes_on(table):
                    step(table, answers)
        for temper, (table, _) in zip(TEMPERS, interleaved, strict=True):
            if table.log != alone[temper]:
                raise Complaint(
                    f"Sessions that were played turn by turn at the same time disturbed each "
                    f"other. {advice}"
                )


def _can_be_ended(subject: Subject) -> None:
    for plan in subject.plans:
        for moment in (0, 1, len(play(table_of(plan), "stubborn").log.actions) // 2):
            table, answers = table_of(plan), legal_answers(plan, "stubborn")
            while goes_on(table) and len(table.log.actions) < moment:
                step(table, answers)
            if goes_on(table):
                _require_end(table, answers)


def _require_end(table: Driven, answers: Answers) -> None:
    last_round = table.session.round_number
    table.protocol.end_negotiation("enough")
    step(table, answers)  # this turn had been asked already
    while goes_on(table) and (
        any(turn.refusal for turn in table.asked)
        or (table.protocol.finish_round and table.session.round_number == last_round)
    ):
        step(table, answers)
    if not table.is_over:
        raise Complaint(
            f"{place_in(table)}: another turn is asked after end_negotiation; let is_finished be "
            f"true from then on."
        )
    ending = ending_of(table)
    if ending.agreement is None and "enough" not in ending.detail:
        raise Complaint(
            f"end_negotiation was told the reason 'enough', but detail says {ending.detail!r}; "
            f"let it tell the reason."
        )


def _listeners_are_seated(subject: Subject) -> None:
    for plan, temper in subject.trials():
        table = play(table_of(plan, watch=_require_seated), temper)
        for seat in table.seats:
            spoken = [e.action for e in table.log if e.action and seat.id in e.audience]
            heard = [action for _, action in table.heard[seat.id]]
            if table.is_over and heard != spoken:
                raise Complaint(
                    f"{seat} heard {len(heard)} actions, but {len(spoken)} were for its ears."
                )


def _require_seated(protocol: MultilateralProtocol) -> Mapping[str, Callable[..., object]]:
    def get_agreement_listeners(parties: Sequence[Seat]) -> Sequence[Seat]:
        told = protocol.get_agreement_listeners(parties)
        _require_sitting("get_agreement_listeners", told, parties)
        return told

    def get_action_listeners(parties: Sequence[Seat]) -> object:
        listeners = protocol.get_action_listeners(parties)
        if not isinstance(listeners, Mapping):
            raise Complaint(
                f"get_action_listeners gave {listeners!r}; give a mapping from each seat to "
                f"the seats that hear it, empty when nobody hears anybody."
            )
        for actor, heard_by in listeners.items():
            _require_sitting("get_action_listeners", (actor, *heard_by), parties)
            if actor in heard_by:
                raise Complaint(
                    f"get_action_listeners lets {actor} listen to itself; leave it out."
                )
            if len(set(heard_by)) < len(heard_by):
                raise Complaint(f"get_action_listeners lets somebody hear {actor} twice.")
        return listeners

    return {
        "get_action_listeners": get_action_listeners,
        "get_agreement_listeners": get_agreement_listeners,
    }


def _require_sitting(query: str, named: Sequence[Seat], parties: Sequence[Seat]) -> None:
    for seat in named:
        if not any(seat is known for known in parties):
            raise Complaint(
                f"{query} names {seat!r}, who does not sit here; use the seats that it is given."
            )


_CLAIMS: Mapping[str, Claim] = {
    "its seats can be filled": _seats_can_be_filled,
    "every deadline stops it": _deadlines_stop_it,
    "sessions end in a way that makes sense": _ends_make_sense,
    **TURN_CLAIMS,
    **QUERY_CLAIMS,
    "a replay rebuilds the outcome": _replays_agree,
    "no state leaks into another session": _sessions_are_separate,
    "end_negotiation ends it": _can_be_ended,
    "listeners hear what was declared": _listeners_are_seated,
}
