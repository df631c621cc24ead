import pytest

from genius_py.action import Action
from genius_py.domain import Domain
from genius_py.issue import IntegerIssue
from genius_py.log import Reason
from genius_py.protocols.default import DefaultMultilateralProtocol
from genius_py.testing.driven import drive

SALE = Domain("sale", [IntegerIssue("price", 1, 9)])


@pytest.mark.parametrize("rounds", [1, 5])
def test_empty_rounds_pass_until_the_deadline(rounds: int) -> None:
    session = drive("default", domain=SALE, deadline=rounds)
    assert session.outcome.rounds == rounds
    assert session.outcome.turns == 0
    assert session.outcome.reason is Reason.DEADLINE
    assert session.agreement is None
    assert session.agreeing_parties == 0


def test_nobody_is_told_anything() -> None:
    nothing: list[tuple[str | None, Action]] = []
    assert drive("default", domain=SALE).heard == {"ann": nothing, "bob": nothing}


def test_ended_before_it_starts_one_empty_round_passes() -> None:
    rules = DefaultMultilateralProtocol()
    rules.end_negotiation("no time")
    session = drive(rules, domain=SALE, deadline=5)
    assert session.outcome.rounds == 1
    assert session.outcome.reason is Reason.ENDED
    assert session.outcome.detail == "no time"
