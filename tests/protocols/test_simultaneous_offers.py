from collections.abc import Sequence

import pytest

from genius_py.action import Accept, Action, EndNegotiation, Forfeit, Offer, Reject
from genius_py.domain import Domain
from genius_py.errors import ActionError, OptionError
from genius_py.fault import Fault
from genius_py.issue import IntegerIssue
from genius_py.log import Reason
from genius_py.manager import run
from genius_py.protocols.simultaneous_offers import (
    Pass,
    SimultaneousOffersProtocol,
    VoidAccept,
)
from genius_py.session import Answer
from genius_py.testing import check_protocol
from genius_py.testing.driven import Driven, drive
from genius_py.trace import replay

SALE = Domain("sale", [IntegerIssue("price", 1, 9)])


def table(*answers: Answer, protocol: str = "simultaneous_offers", **settings: object) -> Driven:
    return drive(protocol, answers, domain=SALE, **{"deadline": 5, **settings})  # type: ignore[arg-type]


def offer(party: str, price: int) -> Offer:
    return Offer(party, SALE.bid(price=price))


def accept(party: str, price: int) -> Accept:
    return Accept(party, SALE.bid(price=price))


def can(session: Driven, kind: type[Action]) -> bool:
    return kind in session.asked[0].allowed


def rules(session: Driven) -> SimultaneousOffersProtocol:
    assert isinstance(session.protocol, SimultaneousOffersProtocol)
    return session.protocol


def test_both_move_once_a_round() -> None:
    session = table(offer("ann", 3), offer("bob", 7))
    assert session.session.round_number == 2
    session.feed(Reject("ann", SALE.bid(price=7)), Pass("bob"))
    assert session.session.round_number == 3


def test_whoever_moves_second_may_accept_an_offer_of_the_same_round() -> None:
    session = table(offer("ann", 3), accept("bob", 3))
    assert session.outcome.agreement == SALE.bid(price=3)
    assert session.outcome.detail == "acceptance"
    assert session.outcome.agreeing_parties == 2
    assert rules(session).priced_round == 1


def test_same_round_accept_can_be_forbidden() -> None:
    session = table(offer("ann", 3), protocol="simultaneous_offers:same_round_accept=False")
    assert not can(session, Accept)
    session.feed(Pass("bob"), offer("ann", 4))
    # Of the two offers only the one of the earlier round can be accepted.
    session.feed(accept("bob", 3))
    assert session.outcome.agreement == SALE.bid(price=3)


@pytest.mark.parametrize(("batna_round", "priced"), [("acceptance", 2), ("offer", 1)])
def test_an_option_says_which_round_prices_the_agreement(batna_round: str, priced: int) -> None:
    protocol = f"simultaneous_offers:batna_round={batna_round}"
    session = table(offer("ann", 3), Pass("bob"), Pass("ann"), accept("bob", 3), protocol=protocol)
    assert rules(session).priced_round == priced


def test_equal_offers_in_one_round_are_an_agreement() -> None:
    session = table(offer("ann", 5), offer("bob", 5))
    assert session.outcome.agreement == SALE.bid(price=5)
    assert session.outcome.detail == "convergence"


def test_convergence_can_be_switched_off() -> None:
    session = table(
        offer("ann", 5), offer("bob", 5), protocol="simultaneous_offers:convergence=False"
    )
    assert session.agreement is None
    assert session.session.round_number == 2


def test_the_round_ends_with_an_acceptance() -> None:
    session = table(offer("ann", 3), offer("bob", 7), accept("ann", 7))
    assert session.is_over
    assert session.outcome.rounds == 2
    assert session.outcome.turns == 3


def test_offers_run_out_one_round_before_the_deadline() -> None:
    session = table(deadline=3)
    for _ in range(2):
        session.feed(offer("ann", 1), offer("bob", 9))
    assert not can(session, Offer)
    assert can(session, EndNegotiation)
    assert rules(session).proposals_left("ann") == 0
    assert rules(session).offers_made("ann") == 2


def test_without_rounds_offers_do_not_run_out() -> None:
    session = table(*[offer("ann", 1), offer("bob", 9)] * 20, deadline="10s")
    assert rules(session).proposals_left("ann") is None
    assert can(session, Offer)


def test_an_own_limit_of_proposals_counts() -> None:
    session = table(offer("ann", 1), offer("bob", 9), protocol="simultaneous_offers:proposals=1")
    assert not can(session, Offer)


def test_walking_away_is_for_those_who_have_no_offer_left() -> None:
    session = table(protocol="simultaneous_offers:proposals=0")
    assert not can(table(), EndNegotiation)
    session.feed(EndNegotiation("ann"), Pass("bob"))
    assert session.outcome.detail == "rejection"
    assert session.outcome.reason is Reason.ENDED


def test_walking_away_goes_before_an_acceptance_of_the_same_round() -> None:
    protocol = "simultaneous_offers:proposals=1"
    session = table(offer("ann", 1), offer("bob", 9), protocol=protocol)
    session.feed(EndNegotiation("ann"), accept("bob", 1))
    assert session.outcome.agreement is None


def test_a_party_may_accept_nothing_only_where_that_is_an_option() -> None:
    assert not can(table(), VoidAccept)
    session = table(protocol="simultaneous_offers:void_accepts=True")
    session.feed(VoidAccept("ann"))
    assert session.session.round_number == 2  # bob did not move
    session.feed(offer("ann", 4))
    assert not can(session, VoidAccept)


def test_a_forfeited_turn_is_a_pass() -> None:
    session = table(Fault("ann", "failed"), offer("bob", 4), on_fault="forfeit")
    assert isinstance(session.session.log.actions[0], Forfeit)
    session.feed(accept("ann", 4))
    assert session.outcome.agreement == SALE.bid(price=4)


@pytest.mark.parametrize(
    ("order", "first"), [("fixed", "aaaa"), ("alternate", "abab"), ("shuffle", None)]
)
def test_the_order_of_moves_is_an_option(order: str, first: str | None) -> None:
    def starters(seed: int) -> str:
        session = table(protocol=f"simultaneous_offers:order={order}", seed=seed)
        seen = ""
        for _ in range(4):
            for turn in range(2):
                mover = session.asked[0].party.id
                seen += "" if turn else mover[0]
                session.feed(Pass(mover))
        return seen

    assert starters(1) == starters(1)
    if first is None:
        assert len({starters(seed) for seed in range(6)}) > 1
    else:
        assert starters(1) == first


def test_sealed_rounds_ask_both_at_once_and_offers_can_be_accepted_in_the_next() -> None:
    session = table(protocol="simultaneous_offers:sealed=True")
    assert [turn.party.id for turn in session.asked] == ["ann", "bob"]
    session.feed(offer("ann", 3), offer("bob", 7))
    assert rules(session).latest_offer("bob") == SALE.bid(price=7)
    session.feed(accept("ann", 7), accept("bob", 3))
    assert session.outcome.agreement == SALE.bid(price=7)  # the first acceptance counts


def test_before_there_is_an_offer_nobody_agrees_and_then_its_maker_does() -> None:
    session = table()
    seats: Sequence[object] = ()
    assert rules(session).get_number_of_agreeing_parties(session.session, seats) == 0  # type: ignore[arg-type]
    session.feed(offer("ann", 3))
    assert rules(session).get_number_of_agreeing_parties(session.session, seats) == 1  # type: ignore[arg-type]
    assert rules(session).priced_round is None


def test_moves_that_nobody_asked_for_are_refused() -> None:
    session = table(offer("ann", 3))
    with pytest.raises(ActionError, match="moved twice in round 1"):
        rules(session).apply_action(offer("ann", 4), session.session)
    limited = table(protocol="simultaneous_offers:proposals=0")
    with pytest.raises(ActionError, match="used up its 0 proposals"):
        rules(limited).apply_action(offer("ann", 4), limited.session)


def test_a_round_can_be_closed_before_everybody_has_moved() -> None:
    session = table(offer("ann", 3))
    rules(session).resolve()
    rules(session).resolve()
    assert rules(session).is_resolved
    assert rules(session).agreement is None


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"proposals": -1}, "proposals"),
        ({"proposals": True}, "proposals"),
        ({"batna_round": "yesterday"}, "batna_round"),
        ({"order": "random"}, "order"),
    ],
)
def test_impossible_options_are_refused(options: dict[str, object], complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint):
        SimultaneousOffersProtocol(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize("action", [Pass("ann"), VoidAccept("ann")])
def test_actions_print_as_sentences(action: Action) -> None:
    assert str(action) in ("ann passes", "ann accepts nothing")


@pytest.mark.parametrize(
    "options",
    ["same_round_accept=False,batna_round=offer", "order=shuffle", "sealed=True,void_accepts=True"],
)
def test_it_keeps_its_contract_with_other_options(options: str) -> None:
    check_protocol(f"simultaneous_offers:{options}")


def test_bots_play_it() -> None:
    outcome = run("simultaneous_offers", "company_car", parties=["boulware", "conceder"])
    assert outcome.agreement is not None
    assert outcome.faults == ()
    assert replay(outcome) == outcome
