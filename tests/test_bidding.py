from typing import Any

import pytest

import genius_py as gp
from genius_py import registry
from genius_py.action import (
    Accept,
    Action,
    EndNegotiation,
    Feedback,
    GiveFeedback,
    InformVotingResult,
    NoAction,
    Offer,
    OfferForFeedback,
    OfferForVoting,
    Pass,
    Reject,
    Vote,
    VoteForOfferAcceptance,
)
from genius_py.allowed import Allowed, BidOf, OneOf
from genius_py.bid import Bid
from genius_py.bidding import BiddingParty
from genius_py.errors import StrategyError
from genius_py.log import Reason
from genius_py.party import NegotiationParty
from genius_py.protocols.simultaneous_offers import VoidAccept
from genius_py.scenario import Scenario
from genius_py.testing.homes import home_scenarios
from genius_py.utility import AdditiveUtilitySpace
from tests.parties.table import PRICE, answer, buyer, hear, in_round, price, seat, seller, stacked


class Asking(BiddingParty):
    """Proposes one price, or walks away."""

    def __init__(self, amount: int | None = 6) -> None:
        self.amount = amount
        self.asked = 0

    def propose(self) -> Bid | None:
        self.asked += 1
        return None if self.amount is None else price(self.amount)


def asking(amount: int | None = 6, reservation_value: float = 0.0) -> Asking:
    party = Asking(amount)
    seat(party, seller(reservation_value))
    return party


def voting(*bids: Bid) -> Allowed:
    named = {"bid": OneOf(bids)}
    return Allowed({Accept: named, Reject: named})


VOTE = Allowed({VoteForOfferAcceptance: {"vote": OneOf(tuple(Vote))}})
JUDGE = Allowed({GiveFeedback: {"feedback": OneOf(tuple(Feedback))}})


def judge(party: BiddingParty, bid: Bid) -> Action:
    party.receive_message("mediator", OfferForFeedback("mediator", bid))
    return party.choose_action(JUDGE)  # type: ignore[return-value]


def vote(party: BiddingParty, bid: Bid) -> Action:
    party.receive_message("mediator", OfferForVoting("mediator", bid))
    return party.choose_action(VOTE)  # type: ignore[return-value]


class Best(BiddingParty):
    """All that an author has to write."""

    def propose(self) -> Bid:
        return self.ladder.near(0.9 - 0.5 * self.time)


@pytest.mark.parametrize("protocol", registry.names("protocol"))
def test_one_bot_plays_every_protocol_that_is_about_bids(protocol: str) -> None:
    rules = registry.find("protocol", protocol)
    known = {
        Accept,
        EndNegotiation,
        GiveFeedback,
        InformVotingResult,
        Offer,
        OfferForFeedback,
        OfferForVoting,
        Pass,
        Reject,
        VoidAccept,
        VoteForOfferAcceptance,
    }
    if not set(rules.actions) <= known:
        pytest.skip(f"{protocol} speaks of other things than bids")
    scenario, *_ = (
        *home_scenarios(protocol),
        Scenario(PRICE, {"seller": seller(), "buyer": buyer()}),
    )
    outcome = gp.run(protocol, scenario, parties=[Best] * len(scenario.profiles), deadline=20)
    assert outcome.reason is not Reason.FAULT


def test_an_offer_as_good_as_the_own_proposal_is_accepted() -> None:
    assert answer(asking(6), price(6)) == Accept("me", price(6))


def test_a_worse_offer_is_answered_with_the_own_proposal() -> None:
    assert answer(asking(6), price(5)) == Offer("me", price(6))


def test_the_first_turn_is_an_offer() -> None:
    assert answer(asking(6)) == Offer("me", price(6))


def test_what_is_below_the_reservation_value_is_never_accepted() -> None:
    party = asking(2, reservation_value=0.5)
    assert answer(party, price(4)) == Offer("me", price(2))
    assert answer(party, price(5)) == Accept("me", price(5))


def test_a_reservation_value_that_moves_is_looked_at_when_it_counts() -> None:
    class Falling(AdditiveUtilitySpace):
        def reservation_at(self, round_number: int, time: float) -> float:
            return 1 - 0.1 * round_number

    fixed = seller()
    space = Falling(domain=PRICE, weights=fixed.weights, evaluators=fixed.evaluators)
    party = Asking(0)
    seat(party, space)
    assert party.reservation == 0.9
    assert isinstance(answer(party, price(8)), Offer)
    in_round(party, 2)
    assert isinstance(answer(party, price(8)), Accept)


def test_the_discount_takes_as_much_from_no_agreement_as_from_one() -> None:
    party = Asking(0)
    seat(party, seller(reservation_value=0.5, discount_factor=0.5))
    assert party.reservation == 0.5


def test_of_several_offers_on_the_table_the_best_is_accepted() -> None:
    party = asking(6)
    named = OneOf((price(6), price(8), price(7)))
    allowed = Allowed({Accept: {"bid": named}, Offer: {"bid": BidOf(PRICE)}})
    assert party.choose_action(allowed) == Accept("me", price(8))


def test_an_empty_table_offers_nothing_to_accept() -> None:
    allowed = Allowed({Accept: {"bid": OneOf(())}, Offer: {"bid": BidOf(PRICE)}})
    assert asking(0).choose_action(allowed) == Offer("me", price(0))


def test_where_any_bid_may_be_named_the_last_one_heard_is_meant() -> None:
    party = asking(6)
    allowed = Allowed({Accept: {"bid": BidOf(PRICE)}, Reject: {"bid": BidOf(PRICE)}})
    hear(party, price(7))
    assert party.choose_action(allowed) == Accept("me", price(7))
    hear(party, price(5))
    assert party.choose_action(allowed) == Reject("me", price(5))


def test_votes_are_by_name_bid_by_bid() -> None:
    party = asking(6)
    assert party.choose_action(voting(price(3))) == Reject("me", price(3))
    assert party.choose_action(voting(price(9))) == Accept("me", price(9))


def test_a_proposal_is_made_once_a_round_however_many_votes_there_are() -> None:
    party = asking(6)
    for amount in range(5):
        party.choose_action(voting(price(amount)))
    assert party.asked == 1
    party.choose_action(Allowed({OfferForVoting: {"bid": BidOf(PRICE)}}))
    assert party.asked == 1
    in_round(party, 2)
    party.choose_action(voting(price(1)))
    assert party.asked == 2


@pytest.mark.parametrize("kind", [Offer, OfferForVoting, OfferForFeedback])
def test_an_offer_takes_the_form_that_is_asked_for(kind: type[Offer]) -> None:
    action = asking(6).choose_action(Allowed({kind: {"bid": BidOf(PRICE)}}))
    assert action == kind("me", price(6))


@pytest.mark.parametrize("proposed", [{"amount": 6}, 6, "6"])
def test_what_is_proposed_must_be_a_bid(proposed: Any) -> None:
    class Careless(Best):
        def propose(self) -> Any:
            return proposed

    for parties in ([Careless, Best], [Best, Careless]):
        (fault,) = gp.run("SAOP", "company_car", parties=parties).faults
        assert "Careless.propose gave something of type" in fault.reason
        assert "self.domain.bid(" in fault.reason


def test_who_has_nothing_to_propose_walks_away() -> None:
    party = asking(None)
    assert answer(party, price(9)) == EndNegotiation("me")


def test_who_may_not_walk_away_offers_the_best_bid_and_votes_against_all() -> None:
    party = asking(None)
    assert party.choose_action(Allowed(OfferForVoting)) == OfferForVoting("me", price(10))
    assert party.choose_action(voting(price(10))) == Reject("me", price(10))


def test_who_may_only_accept_or_leave_does_so() -> None:
    party = asking(6)
    may = Allowed({Accept: {"bid": OneOf((price(5),))}, EndNegotiation: {}})
    assert party.choose_action(may) == EndNegotiation("me")


def test_who_may_let_the_turn_go_by_does_not_walk_away() -> None:
    assert asking(6).choose_action(Allowed(Pass, EndNegotiation)) == Pass("me")


def test_offers_used_up_before_the_other_has_made_any_end_no_session() -> None:
    class Silent(NegotiationParty):
        def choose_action(self, allowed: Allowed) -> Action:
            return Pass(self.id)

    outcome = gp.run(
        "simultaneous_offers:proposals=1",
        "flour_supply",
        parties=["boulware", Silent],
        deadline=3,
    )
    assert outcome.reason is Reason.DEADLINE
    assert list(map(type, outcome.log.actions)) == [Offer, Pass] + [Pass] * 4


def test_a_mediators_bid_is_voted_for_when_it_is_acceptable() -> None:
    party = asking(6)
    assert vote(party, price(7)) == VoteForOfferAcceptance("me", Vote.ACCEPT)
    assert vote(party, price(5)) == VoteForOfferAcceptance("me", Vote.REJECT)


def test_what_was_agreed_is_not_given_up_for_less() -> None:
    party = asking(6)
    party.receive_message("mediator", InformVotingResult("mediator", price(8), Vote.ACCEPT))
    assert vote(party, price(7)) == VoteForOfferAcceptance("me", Vote.REJECT)
    assert vote(party, price(8)) == VoteForOfferAcceptance("me", Vote.ACCEPT)


def test_a_refused_bid_leaves_no_claim() -> None:
    party = asking(6)
    party.receive_message("mediator", InformVotingResult("mediator", price(8), Vote.REJECT))
    assert vote(party, price(7)) == VoteForOfferAcceptance("me", Vote.ACCEPT)


def test_feedback_compares_with_the_bid_before() -> None:
    party = asking(6)
    said = [judge(party, price(amount)) for amount in (3, 5, 5, 4)]
    assert said == [
        GiveFeedback("me", feedback)
        for feedback in (Feedback.BETTER, Feedback.BETTER, Feedback.SAME, Feedback.WORSE)
    ]


def test_a_bid_below_the_reservation_value_is_worse_even_when_it_is_an_improvement() -> None:
    party = asking(6, reservation_value=0.5)
    said = [judge(party, price(amount)) for amount in (2, 4, 5)]
    assert said == [
        GiveFeedback("me", feedback)
        for feedback in (Feedback.WORSE, Feedback.WORSE, Feedback.BETTER)
    ]


@pytest.mark.parametrize("allowed", [VOTE, JUDGE, Allowed(Reject)])
def test_an_opinion_needs_something_to_have_it_on(allowed: Allowed) -> None:
    with pytest.raises(StrategyError, match="has heard no bid"):
        asking().choose_action(allowed)


def test_what_it_cannot_do_is_refused_by_name() -> None:
    with pytest.raises(StrategyError, match="cannot NoAction"):
        asking().choose_action(Allowed(NoAction))


def test_an_author_who_forgets_to_propose_is_told() -> None:
    party = BiddingParty()
    seat(party, seller())
    with pytest.raises(NotImplementedError, match="BiddingParty must override propose"):
        answer(party)


def test_the_same_action_is_not_made_twice() -> None:
    party = asking(6)
    assert answer(party) is answer(party)


def test_what_is_kept_is_bounded() -> None:
    party = asking(6)
    for _ in range(5_000):
        party.choose_action(stacked(party, PRICE.bid(price=5)))
        party.choose_action(voting(PRICE.bid(price=4)))
    assert len(party._choices) <= 2_000
    assert all(len(said) <= 2_000 for said in party._said.values())
