"""Many sessions side by side: batches of turns that wait for the same mind."""

from collections.abc import Sequence
from typing import Any, ClassVar

import pytest

from genius_py.action import Action, EndNegotiation, Offer
from genius_py.allowed import Allowed
from genius_py.fault import Fault
from genius_py.lockstep import lockstep
from genius_py.log import Reason
from genius_py.manager import SessionManager
from genius_py.party import NegotiationParty
from genius_py.party_source import PartySource
from genius_py.seating import plan_session
from genius_py.session import Answer, Turn
from genius_py.testing import LegalParty
from genius_py.testing.scenarios import discrete_scenario

SCENARIO = discrete_scenario()


def manager(
    first: PartySource, second: PartySource = LegalParty, *, seed: int = 0, **options: Any
) -> SessionManager:
    protocol = options.pop("protocol", "SAOP")
    plan, makers = plan_session(
        protocol, SCENARIO, parties=[first, second], seed=seed, deadline=4, **options
    )
    return SessionManager(plan, makers)


class Batched(NegotiationParty):
    """Answers all turns at once, and remembers how many they were."""

    batches: ClassVar[list[int]]
    failing: ClassVar[tuple[str, ...]] = ()

    def choose_action(self, allowed: Allowed) -> Action:
        if self.id in self.failing:
            raise OSError(f"{self.id} is out of order")
        return Offer(self.id, self.domain.bid_at(self.info.timeline.round))

    @classmethod
    def choose_actions(cls, asked: Sequence[tuple[Any, Turn]]) -> list[Answer]:
        cls.batches.append(len(asked))
        return super().choose_actions(asked)


def batching(**attributes: Any) -> type[Batched]:
    return type("Batching", (Batched,), {"batches": [], **attributes})


def test_turns_that_wait_for_the_same_mind_are_one_batch() -> None:
    mind = batching()
    outcomes = lockstep(manager(mind, mind, seed=seed) for seed in range(5))
    assert mind.batches == [5] * 8  # four rounds of two turns
    assert all(outcome.turns == 8 for outcome in outcomes)


def test_sessions_of_different_length_leave_one_by_one() -> None:
    mind = batching()

    class Leaving(NegotiationParty):
        def choose_action(self, allowed: Allowed) -> Action:
            return EndNegotiation(self.id)

    lockstep([manager(mind, Leaving), manager(mind, mind)])
    assert mind.batches == [2, *[1] * 7]


@pytest.mark.parametrize("protocol", ["SAOP", "AMOP", "simple_mediator"])
def test_outcomes_are_those_of_one_session_after_the_other(protocol: str) -> None:
    mind = batching(choose_action=LegalParty.choose_action, _temper="any")

    def managers() -> list[SessionManager]:
        return [manager(mind, protocol=protocol, seed=seed) for seed in range(4)]

    together = lockstep(managers())
    assert [outcome.log for outcome in together] == [one.run().log for one in managers()]


def test_a_key_of_ones_own_divides_the_batches() -> None:
    mind = batching(batch_key=property(lambda self: self.id))
    plan, makers = plan_session(
        "genius_py.testing.protocols:SealedOffers", SCENARIO, parties=[mind, mind], deadline=1
    )
    lockstep([SessionManager(plan, makers), SessionManager(plan, makers)])
    assert mind.batches == [2, 2]


def test_who_answers_alone_is_asked_once_though_another_fails() -> None:
    calls: list[str] = []

    class Plain(NegotiationParty):
        def choose_action(self, allowed: Allowed) -> Action:
            calls.append(self.id)
            if self.id == "bob":
                raise OSError("no")
            return Offer(self.id, self.domain.bid_at(0))

    sealed = "genius_py.testing.protocols:SealedOffers"
    (outcome,) = lockstep([manager(Plain, Plain, protocol=sealed)])
    assert calls == ["ann", "bob"]
    assert [fault.party for fault in outcome.faults] == ["bob"]


def test_a_batch_that_one_turn_spoils_is_asked_one_by_one() -> None:
    mind = batching(failing=("bob",))
    sealed = "genius_py.testing.protocols:SealedOffers"
    one, other = lockstep([manager(mind, mind, protocol=sealed), manager(mind, LegalParty)])
    assert [(fault.party, fault.reason) for fault in one.faults] == [
        ("bob", "raised OSError: bob is out of order")
    ]
    assert other.reason is not Reason.FAULT


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ([], "gave 0 answers to 1 turns in choose_actions"),
        (["a", "b"], "gave 2 answers to 1 turns in choose_actions"),
    ],
)
def test_too_few_or_many_answers_fail_the_batch(answers: list[Any], reason: str) -> None:
    mind = batching(choose_actions=classmethod(lambda cls, asked: answers))
    (outcome,) = lockstep([manager(mind, on_fault="forfeit")])
    assert [fault.reason for fault in outcome.faults] == [reason]
    assert outcome.reason is Reason.FAULT


def test_no_answers_at_all_are_asked_for_one_by_one() -> None:
    mind = batching(choose_actions=classmethod(lambda cls, asked: None))
    (outcome,) = lockstep([manager(mind)])
    assert outcome.reason is not Reason.FAULT


def test_an_answer_may_be_a_fault_of_one_session_only() -> None:
    def choose(cls: type[Batched], asked: Sequence[tuple[Batched, Turn]]) -> list[Answer]:
        return [
            Fault(party.id, "lost its server", fatal=True)
            if place == 1
            else party.choose_action(turn.allowed)
            for place, (party, turn) in enumerate(asked)
        ]

    mind = batching(choose_actions=classmethod(choose))
    outcomes = lockstep(manager(mind, seed=seed) for seed in range(3))
    assert [len(outcome.faults) for outcome in outcomes] == [0, 1, 0]


@pytest.mark.parametrize("key", [property(lambda self: [self.id]), property(lambda self: 1 / 0)])
def test_a_key_that_cannot_be_used_fails_its_own_session_alone(key: property) -> None:
    mind = batching(batch_key=key)
    broken, sound = lockstep([manager(mind), manager(batching())])
    assert broken.reason is Reason.FAULT
    assert broken.faults[0].party == "ann"
    assert sound.reason is not Reason.FAULT


def test_no_session_is_no_outcome() -> None:
    assert lockstep([]) == []
