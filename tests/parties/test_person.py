from collections.abc import Callable

import pytest

from genius_py.action import Accept, EndNegotiation, Offer
from genius_py.domain import Domain
from genius_py.issue import DiscreteIssue, IntegerIssue
from genius_py.log import Reason
from genius_py.manager import run
from genius_py.outcome import Outcome
from genius_py.party import NegotiationParty
from genius_py.parties.person import Person
from genius_py.scenario import Scenario
from genius_py.utility import AdditiveUtilitySpace, DiscreteEvaluator, IntegerEvaluator

DOMAIN = Domain("bike", [IntegerIssue("price", 1, 9), DiscreteIssue("lock", ["yes", "no"])])


def scenario() -> Scenario:
    lock = DiscreteEvaluator({"yes": 1, "no": 0})
    buyer = AdditiveUtilitySpace(
        domain=DOMAIN, weights=(0.5, 0.5), evaluators=(IntegerEvaluator(1, -0.125, 1), lock)
    )
    seller = AdditiveUtilitySpace(
        domain=DOMAIN, weights=(1, 0), evaluators=(IntegerEvaluator(1, 0.125, 0), lock)
    )
    return Scenario(DOMAIN, {"buyer": buyer, "seller": seller})


class Waits(NegotiationParty):
    """Offers the dearest bid for ever."""

    def choose_action(self, allowed: object) -> Offer:
        return Offer(self.id, DOMAIN.bid(price=9, lock="no"))


@pytest.fixture
def play() -> Callable[..., tuple[Outcome, list[str]]]:
    def play(*typed: str, retries: int = 0) -> tuple[Outcome, list[str]]:
        lines, screen = iter(typed), []

        def ask(question: str) -> str:
            screen.append(question)
            return next(lines)

        def seat() -> Person:
            return Person(ask, screen.append)

        outcome = run(
            "alternating_offers", scenario(), parties=[seat, Waits], deadline=3, retries=retries
        )
        return outcome, screen

    return play


def test_an_offer_is_asked_issue_by_issue_and_confirmed(
    play: Callable[..., tuple[Outcome, list[str]]],
) -> None:
    outcome, _ = play("offer", "2", "y", "no", "offer", "3", "yes", "yes", "end")
    assert outcome.log.actions[0] == Offer("buyer", DOMAIN.bid(price=3, lock="yes"))
    assert outcome.reason is Reason.WALKAWAY
    assert outcome.log.actions[-1] == EndNegotiation("buyer")


def test_what_others_do_is_shown_with_its_worth(
    play: Callable[..., tuple[Outcome, list[str]]],
) -> None:
    outcome, screen = play("offer", "1", "yes", "yes", "accept")
    assert outcome.log.actions[-1] == Accept("buyer", DOMAIN.bid(price=9, lock="no"))
    assert any("seller offers price: 9, lock: no (0.000 to you)" in line for line in screen)
    assert screen[-1] == "Agreed: price: 9, lock: no (worth 0.000 to you)."


def test_what_cannot_be_understood_is_asked_again_with_the_reason(
    play: Callable[..., tuple[Outcome, list[str]]],
) -> None:
    outcome, screen = play("shout", "o", "12", "cheap", "2", "maybe", "y", "y", "e")
    assert outcome.log.actions[0] == Offer("buyer", DOMAIN.bid(price=2, lock="yes"))
    assert "'shout' is not a choice; type one of: Offer, EndNegotiation." in screen
    assert any("12.0 is not a value of issue 'price'" in line for line in screen) or any(
        "'12' is not a value of issue 'price'" in line for line in screen
    )
    assert "'maybe' is not a choice; type one of: yes, no." in screen


def test_a_word_that_begins_two_choices_is_asked_again(
    play: Callable[..., tuple[Outcome, list[str]]],
) -> None:
    _, screen = play("offer", "1", "yes", "yes", "", "e")
    assert any(line.startswith("'' is not a choice") for line in screen)
