"""Many sessions side by side: turns that wait for the same mind are answered in one batch."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import attrs

from genius_py.fault import Fault
from genius_py.manager import SessionManager, own_answer
from genius_py.outcome import Outcome
from genius_py.party import NegotiationParty
from genius_py.session import Answer, Notes, Step, Turn

__all__ = ["answers_alone", "lockstep"]

_UNANSWERED = Fault("", "was not asked", fatal=True)


@attrs.frozen(eq=False)
class _Asked:
    """A turn that waits, and the place in its session's answers that it will fill."""

    manager: SessionManager
    answers: list[Answer | Notes]
    place: int
    party: NegotiationParty
    turn: Turn


def lockstep(managers: Iterable[SessionManager]) -> list[Outcome]:
    """Play all sessions to their end, step by step together; outcomes in the given order.

    In each sweep every session delivers what is due; then all turns that are asked are grouped by
    their party's `batch_key`, and each group is answered by one `choose_actions` call of its
    class. The outcomes equal those of running the sessions one after the other, as far as the
    minds' answers do not depend on their batch.
    """
    everyone = list(managers)
    waiting = [(manager, step) for manager in everyone if (step := manager.start()) is not None]
    while waiting:
        waiting = [
            (manager, step)
            for manager, answers in _answered(waiting)
            if (step := manager.send(answers)) is not None
        ]
    return [manager.outcome for manager in everyone]


def _answered(
    waiting: list[tuple[SessionManager, Step]],
) -> list[tuple[SessionManager, list[Answer | Notes]]]:
    answered: list[tuple[SessionManager, list[Answer | Notes]]] = []
    batches: dict[Hashable, list[_Asked]] = {}
    for manager, step in waiting:
        # Whatever is not a choice is the session's own affair: it is done at once.
        answers = manager.answers(step._replace(ask=()))
        if not answers:
            for place, turn in enumerate(step.ask):
                party = manager.parties[turn.party.id]
                if answers_alone(type(party)):
                    answers.append(manager.ask(turn))
                else:
                    answers.append(_UNANSWERED)
                    asked = _Asked(manager, answers, place, party, turn)
                    try:
                        batches.setdefault((type(party), party.batch_key), []).append(asked)
                    except KeyboardInterrupt:
                        raise
                    except BaseException as error:
                        fault = Fault.thrown(turn.party.id, error, type(party))
                        reason = f"has no batch_key to group it by: {fault.reason}"
                        answers[place] = attrs.evolve(fault, reason=reason, fatal=True)
        answered.append((manager, answers))
    for batch in batches.values():
        for asked, answer in zip(batch, _choose(batch), strict=True):
            asked.answers[asked.place] = own_answer(asked.turn.party.id, answer)
    return answered


def answers_alone(cls: type[NegotiationParty]) -> bool:
    """Whether the class has nothing to gain from a batch, and a failure of one would spoil it."""
    return cls.choose_actions.__func__ is NegotiationParty.choose_actions.__func__  # type: ignore[attr-defined]


def _choose(batch: list[_Asked]) -> list[Answer]:
    try:
        answers = type(batch[0].party).choose_actions([(a.party, a.turn) for a in batch])
        answers = list(answers)
    except KeyboardInterrupt:
        raise
    except BaseException:
        # One of them spoilt the batch: ask each alone, so that only the guilty one fails.
        return [asked.manager.ask(asked.turn) for asked in batch]
    if len(answers) != len(batch):
        reason = f"gave {len(answers)} answers to {len(batch)} turns in choose_actions"
        return [Fault(asked.turn.party.id, reason, fatal=True) for asked in batch]
    return answers
