"""What every trader does, whatever it asks for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py.action import Offer, Pass, Say
from genius_py.allowed import Allowed, Number, OneOf, Text
from genius_py.domain import Domain
from genius_py.errors import StrategyError
from genius_py.issue import DiscreteIssue, IntegerIssue, RealIssue
from genius_py.manager import run
from genius_py.parties.trading_party import TradingParty
from genius_py.protocols.trade_actions import (
    AcceptDelivery,
    AcceptProposal,
    DisputeDelivery,
    PostRequest,
    Propose,
    RejectAndExit,
    SubmitDeliverable,
)
from genius_py.utility import AdditiveUtilitySpace, DiscreteEvaluator, RealLinearEvaluator
from tests.parties.table import buyer, seat
from tests.parties.trading import PRICE, WORK, asked, buys, seated, sells

ASK = Allowed({PostRequest: {"description": Text(), "max_budget": Number(0, 100)}})
VERIFY = Allowed({AcceptDelivery: {}, DisputeDelivery: {"reason": Text()}})
CENTS = Domain("cents", [RealIssue("price", 0, 0.5)])
WHOLE = Domain("whole", [IntegerIssue("price", 3, 9)])


class Asking(TradingParty):
    """Asks for what it is told to."""

    def __init__(self, wanted: float, disputes: bool = False) -> None:
        super().__init__(disputes)
        self.wanted = wanted

    def aspiration(self) -> float:
        return self.wanted


def test_it_proposes_the_price_that_is_worth_what_it_asks_for() -> None:
    assert asked(seated(Asking(65), sells())) == Propose("me", "some work", price=65)
    assert asked(seated(Asking(65), buys())) == Propose("me", "some work", price=35)


@pytest.mark.parametrize(("space", "price"), [(sells(30), 30), (buys(70), 70)])
def test_it_proposes_nothing_below_its_reservation_value(space: object, price: float) -> None:
    assert asked(seated(Asking(0), space)) == Propose("me", "some work", price=price)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wanted", "space", "price"),
    [
        (33.333, sells(), 33.34),
        (33.333, buys(), 66.66),
        (4.2, sells(3, WHOLE), 5),
        (0.123456, sells(0, CENTS), 0.123456),
    ],
)
def test_prices_are_rounded_in_its_own_favour(wanted: float, space: object, price: float) -> None:
    assert seated(Asking(wanted), space).price_worth(wanted) == price  # type: ignore[arg-type]


@given(limit=st.floats(0, 100), wanted=st.floats(-50, 150), is_buyer=st.booleans())
def test_a_proposal_is_possible_and_never_worth_less_than_the_reservation_value(
    limit: float, wanted: float, is_buyer: bool
) -> None:
    space = buys(limit) if is_buyer else sells(limit)
    proposal = asked(seated(Asking(wanted), space))
    assert isinstance(proposal, Propose)
    assert 0 <= proposal.price <= 100
    bid = WORK.bid(scope=proposal.scope, price=proposal.price)
    assert space.utility(bid) >= space.reservation_value - 1e-9


def test_where_it_does_not_care_for_the_price_any_will_do() -> None:
    assert seated(Asking(0), sells(0, Domain("d", [RealIssue("price", 5, 5)]))).price_worth(0) == 5


@pytest.mark.parametrize(("price", "is_enough"), [(64.99, False), (65, True), (70, True)])
def test_it_accepts_what_is_worth_as_much_as_its_own_proposal(
    price: float, is_enough: bool
) -> None:
    party = seated(Asking(65), sells())
    party.receive_message("you", Propose("you", "all", price=price))
    assert (asked(party) == AcceptProposal("me")) is is_enough


def test_it_accepts_only_what_it_may_and_knows_of() -> None:
    party = seated(Asking(50), sells())
    assert asked(party) == Propose("me", "some work", price=50)
    party.receive_message("you", Propose("you", "all", price=90))
    assert asked(party, Propose, RejectAndExit) == Propose("me", "some work", price=50)


def test_of_several_proposals_it_accepts_the_best_by_name() -> None:
    party = seated(Asking(20), buys(domain=PRICE))
    for who, price in (("a", 40), ("b", 30), ("c", 10)):
        party.receive_message(who, Propose(who, price=price))
    rules = {AcceptProposal: {"provider_id": OneOf(("a", "b"))}, RejectAndExit: {}}
    assert party.choose_action(Allowed(rules)) == AcceptProposal("me", "b")


def test_what_has_been_withdrawn_is_forgotten() -> None:
    party = seated(Asking(50), sells())
    party.receive_message("you", Propose("you", "all", price=90))
    party.receive_message("you", RejectAndExit("you"))
    assert isinstance(asked(party), Propose)


@pytest.mark.parametrize(
    ("kinds", "does"),
    [
        ((AcceptProposal, RejectAndExit, Pass, Say), Pass),
        ((AcceptProposal, RejectAndExit, Say), Say),
        ((AcceptProposal, RejectAndExit), RejectAndExit),
    ],
)
def test_where_it_cannot_propose_it_waits_as_long_as_it_can(
    kinds: tuple[type, ...], does: type
) -> None:
    assert type(asked(seated(Asking(50), buys()), *kinds)) is does


def test_it_leaves_when_no_price_could_be_worth_it() -> None:
    party = seated(Asking(50), sells(60))
    party.receive_message("you", PostRequest("you", "ten pages", 50))
    assert isinstance(asked(party), RejectAndExit)


def test_it_requests_work_for_as_much_as_it_would_pay() -> None:
    assert seated(Asking(50), buys(73.5)).choose_action(ASK) == PostRequest("me", "some work", 73.5)


def test_its_own_budget_caps_its_prices() -> None:
    party = seated(Asking(0), buys(73.5))
    party.choose_action(ASK)
    assert party.most == 100
    assert party.least == pytest.approx(26.5)


def test_a_scope_in_words_repeats_the_request_as_far_as_there_is_room() -> None:
    party = seated(Asking(50), sells())
    party.receive_message("you", PostRequest("you", "ten pages, proofread by two", 100))
    assert asked(party) == Propose("me", "ten pages, proofread", price=50)


def test_of_scopes_to_choose_from_it_wants_the_one_that_it_likes_best() -> None:
    domain = Domain("d", [DiscreteIssue("scope", ["draft", "proof"]), RealIssue("price", 0, 10)])
    space = AdditiveUtilitySpace(
        domain=domain,
        weights=[0.5, 0.5],
        evaluators=[DiscreteEvaluator({"draft": 1, "proof": 2}), RealLinearEvaluator(0, 0.1)],
    )
    assert asked(seated(Asking(0.75), space)) == Propose("me", "proof", price=5)
    party = seated(Asking(0.75), space)
    party.receive_message("you", Propose("you", "draft", price=9))
    assert asked(party) == Propose("me", "proof", price=5)
    party.receive_message("you", Propose("you", "draft", price=10))
    assert asked(party) == AcceptProposal("me")


def test_it_delivers_what_was_agreed() -> None:
    party = seated(Asking(50), sells())
    party.receive_message("you", Propose("you", "five pages", price=40))
    assert asked(party) == Propose("me", "some work", price=50)
    party.receive_message("you", AcceptProposal("you"))
    deliver = Allowed({SubmitDeliverable: {"content": Text()}})
    assert party.choose_action(deliver) == SubmitDeliverable("me", "Done as agreed: some work")
    party.receive_message("you", Propose("you", "five pages", price=55))
    assert asked(party) == AcceptProposal("me")
    assert party.choose_action(deliver) == SubmitDeliverable("me", "Done as agreed: five pages")


def test_it_delivers_its_own_proposal_among_several() -> None:
    party = seated(Asking(50), sells(), providers=("me", "other"))
    asked(party)
    party.receive_message("other", Propose("other", "less", price=40))
    party.receive_message("you", AcceptProposal("you", "me"))
    deliver = Allowed({SubmitDeliverable: {"content": Text()}})
    assert party.choose_action(deliver) == SubmitDeliverable("me", "Done as agreed: some work")


@pytest.mark.parametrize(
    ("disputes", "verdict"), [(False, AcceptDelivery), (True, DisputeDelivery)]
)
def test_it_accepts_deliveries_unless_it_is_one_to_dispute_them(
    disputes: bool, verdict: type
) -> None:
    assert type(seated(Asking(50, disputes), buys()).choose_action(VERIFY)) is verdict


def test_time_is_the_share_of_the_negotiation_that_it_has_had() -> None:
    party = seated(Asking(50), sells(), negotiation=4)
    progress = []
    for _ in range(5):
        asked(party)
        progress.append(party.progress)
    assert progress == [0.25, 0.5, 0.75, 1.0, 1.0]


def test_being_asked_again_takes_no_time() -> None:
    party = seated(Asking(50), sells(), negotiation=4)
    asked(party)
    party.choose_action(Allowed({RejectAndExit: {}, Pass: {}}, refusal="must"))
    assert party.progress == 0.25


def test_in_the_last_round_of_the_session_time_is_up() -> None:
    party = seated(Asking(50), sells(), negotiation=8, rounds=1)
    asked(party)
    assert party.progress == 1


def test_it_plays_only_for_prices_and_only_trades() -> None:
    domain = Domain("colours", [DiscreteIssue("colour", ["red", "blue"])])
    space = AdditiveUtilitySpace(
        domain=domain, weights=[1], evaluators=[DiscreteEvaluator({"red": 1, "blue": 2})]
    )
    with pytest.raises(StrategyError, match="colours"):
        seat(Asking(0), space)
    party = Asking(0)
    seat(party, buyer())
    with pytest.raises(StrategyError, match="only trades, but may Offer"):
        party.choose_action(Allowed(Offer))


def test_a_party_of_its_own_says_what_it_asks_for() -> None:
    class Lazy(TradingParty):
        """Forgets to."""

    party = Lazy()
    seat(party, sells())
    with pytest.raises(NotImplementedError, match="Lazy must override aspiration"):
        asked(party)


def test_two_of_them_trade() -> None:
    outcome = run("bilateral_trade", "translation_job", parties=["trader", "trader"])
    assert outcome.detail == "trade_completed"
    assert outcome.agreement is not None
    assert 2 <= outcome.agreement["price"] <= 9  # type: ignore[operator]
