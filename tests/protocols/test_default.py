import pytest

from genius_py.action import Accept, Action, Forfeit, Offer
from genius_py.domain import Domain
from genius_py.errors import ActionError
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


class Waiting(DefaultMultilateralProtocol):
    """Made of it, by somebody who does not think of calling its `__init__`."""

    def __init__(self, patience: int = 3) -> None:
        self.patience = patience


def test_a_protocol_made_of_it_may_have_an_init_of_its_own() -> None:
    session = drive(Waiting(2), domain=SALE, deadline=5)
    assert session.outcome.rounds == 5
    assert session.outcome.detail == ""
    assert Waiting().last_offer is None


def test_only_the_last_offer_can_be_accepted() -> None:
    # S2.10 and C24: inherited by protocols that do not say more themselves.
    session = drive("default", domain=SALE).session
    rules, three, four = DefaultMultilateralProtocol(), SALE.bid(price=3), SALE.bid(price=4)
    with pytest.raises(ActionError, match="nothing is on the table; offer first"):
        rules.apply_action(Accept("bob", three), session)
    rules.apply_action(Offer("ann", three), session)
    with pytest.raises(ActionError, match="accepted price: 4, but on the table is price: 3"):
        rules.apply_action(Accept("bob", four), session)
    rules.apply_action(Accept("bob", three), session)
    rules.apply_action(Forfeit("ann"), session)
    with pytest.raises(ActionError, match="nothing is on the table"):
        rules.apply_action(Accept("bob", three), session)
