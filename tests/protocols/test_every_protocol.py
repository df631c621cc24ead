"""What holds under each of Genius's protocols, whatever the parties do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genius_py import registry
from genius_py.action import (
    Accept,
    Action,
    Feedback,
    GiveFeedback,
    Inform,
    InformVotingResult,
    Offer,
    OfferForFeedback,
    OfferForVoting,
    Vote,
    VoteForOfferAcceptance,
)
from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.fault import Fault
from genius_py.issue import DiscreteIssue
from genius_py.log import Event, Kind
from genius_py.manager import run
from genius_py.protocol import Listeners
from genius_py.protocols.alternating_offers import StackedAlternatingOffersProtocol
from genius_py.session import Seat, Turn
from genius_py.testing import check_protocol, drive, legal_action
from genius_py.testing.driven import Driven
from genius_py.testing.legal import Temper
from genius_py.testing.scenarios import discrete_scenario

SAOP, AMOP, AMCP = (
    "alternating_offers",
    "alternating_multiple_offers",
    "alternating_majority_consensus",
)
MEDIATED = ("simple_mediator", "mediator_feedback")
GENIUS = (SAOP, AMOP, AMCP, *MEDIATED)
IDS = ("ann", "bob", "cem", "dia", "eve")

# Few bids, so that offers are often equal.
SHIRT = Domain("shirt", [DiscreteIssue("size", "SML")])


def table(name: str, parties: int, **settings: object) -> Driven:
    rules = registry.find("protocol", name.partition(":")[0])
    mediator = "med" if rules.needs_mediator else None
    return drive(name, domain=SHIRT, parties=IDS[:parties], mediator=mediator, **settings)  # type: ignore[arg-type]


def played(
    name: str, parties: int, rounds: int, seed: int, temper: Temper, faults: float
) -> Driven:
    """A session of legal answers, and of faults with some probability."""
    session = table(name, parties, deadline=rounds, on_fault="forfeit")
    rng = np.random.default_rng(seed)
    while session.asked:
        (turn,) = session.asked
        broken = rng.random() < faults
        session.feed(Fault(str(turn.party), "failed") if broken else answer(turn, rng, temper))
    return session


def answer(turn: Turn, rng: np.random.Generator, temper: Temper) -> Action:
    return legal_action(turn, rng, temper)


def rounds_of(session: Driven) -> list[list[Action]]:
    """The actions of each round, taken from the log; none where all have forfeited."""
    rounds: dict[int, list[Action]] = {}
    for event in session.log:
        if event.kind == Kind.ACTION and event.action is not None:
            rounds.setdefault(event.round, []).append(event.action)
    return [rounds.get(number, []) for number in range(1, max(rounds, default=0) + 1)]


def supporters(name: str, session: Driven, bid: Bid) -> set[str]:
    """Who has consented to a bid, by the protocol's rule and the log alone: the most at once."""
    rounds = rounds_of(session)
    if name == SAOP:
        actions = [action for actions in rounds for action in actions]
        last = max((i for i, a in enumerate(actions) if type(a) is Offer), default=0)
        assert getattr(actions[last], "bid", None) == bid
        return {action.party for action in actions[last:] if type(action) in (Offer, Accept)}
    consents: list[set[str]] = [set()]
    if name in (AMOP, AMCP):
        for votes in rounds[1::2]:
            consents += [{a.party for a in votes if isinstance(a, Accept) and a.bid == bid}]
    else:
        for proposal, *opinions in filter(None, rounds):
            if isinstance(proposal, OfferForVoting | OfferForFeedback) and proposal.bid == bid:
                consents += [{a.party for a in opinions if is_in_favour(a)}]
    return max(consents, key=len)


def is_in_favour(action: Action) -> bool:
    if isinstance(action, VoteForOfferAcceptance):
        return action.vote is Vote.ACCEPT
    return isinstance(action, GiveFeedback) and action.feedback is not Feedback.WORSE


TEMPERS = st.sampled_from(("any", "agreeable", "stubborn"))


def test_support_is_counted_where_a_whole_round_was_forfeited() -> None:
    session = played(AMCP, 2, 4, 137024329, "agreeable", 0.4)
    assert [] in rounds_of(session)
    agreement = session.outcome.agreement
    assert agreement is not None
    assert len(supporters(AMCP, session, agreement)) == 2


@pytest.mark.parametrize("name", GENIUS)
@given(
    parties=st.integers(2, 5),
    rounds=st.integers(1, 6),
    seed=st.integers(0, 2**32),
    temper=TEMPERS,
    faults=st.sampled_from((0.0, 0.1, 0.4)),
)
def test_no_agreement_appears_that_its_rules_voters_did_not_support(
    name: str, parties: int, rounds: int, seed: int, temper: Temper, faults: float
) -> None:
    session = played(name, parties, rounds, seed, temper, faults)
    agreement = session.outcome.agreement
    if agreement is not None:
        consenting = supporters(name, session, agreement)
        needed = parties // 2 + 1 if name == AMCP else parties
        assert len(consenting) >= needed
        assert consenting <= set(IDS)
    assert session.outcome.rounds <= rounds


@given(
    parties=st.integers(2, 5),
    seed=st.integers(0, 2**32),
    threshold=st.sampled_from((0.0, 0.25, 0.5, 0.74, 0.99)),
)
def test_a_majority_agreement_has_more_votes_than_the_threshold_and_none_had_more(
    parties: int, seed: int, threshold: float
) -> None:
    session = played(f"{AMCP}:threshold={threshold}", parties, 4, seed, "any", 0.0)
    most = max(
        sum(isinstance(vote, Accept) for vote in votes[place : place + parties])
        for votes in rounds_of(session)[1::2]
        for place in range(0, parties * parties, parties)
    )
    outcome = session.outcome
    assert outcome.agreeing_parties == most
    assert (outcome.agreement is not None) is (most > threshold * parties)


@pytest.mark.parametrize("name", ["default", *GENIUS, f"{AMCP}:threshold=0.8"])
def test_it_keeps_the_contract(name: str) -> None:
    check_protocol(name)


@pytest.mark.parametrize("parties", [2, 3, 5])
@pytest.mark.parametrize("name", GENIUS)
def test_any_number_of_bidding_parties_plays_it(name: str, parties: int) -> None:
    outcome = run(name, discrete_scenario(parties), parties=["conceder"] * parties, deadline=40)
    assert outcome.faults == ()
    assert outcome.agreement is not None
    for party, utility in outcome.utilities.items():
        assert utility >= outcome.reservation_values[party]


def visible(session: Driven, party: str) -> list[Event]:
    """What a party may know of what others did."""
    seen = session.log.seen_by(party)
    return [e for e in seen if e.kind == Kind.ACTION and e.party != party]


@pytest.mark.parametrize("name", MEDIATED)
def test_no_private_vote_reaches_another_partys_view(name: str) -> None:
    session = played(name, parties=4, rounds=3, seed=1, temper="any", faults=0.2)
    for party in IDS[:4]:
        assert {event.party for event in visible(session, party)} == {"med"}
        assert {sender for sender, _ in session.heard[party]} == {"med"}
    # The mediator misses nothing.
    own = [e for e in session.log if e.kind == Kind.ACTION and e.party != "med"]
    assert visible(session, "med") == own


@pytest.mark.parametrize("name", MEDIATED)
def test_no_private_vote_reaches_a_party_that_negotiates(name: str) -> None:
    outcome = run(name, discrete_scenario(3), parties=["conceder"] * 3, deadline=5)
    for seat in outcome.plan.parties:
        heard = [
            event.action
            for event in outcome.log.seen_by(seat.id)
            if event.kind == Kind.ACTION and event.party != seat.id
        ]
        assert heard
        assert {type(action) for action in heard} <= {
            OfferForVoting,
            OfferForFeedback,
            InformVotingResult,
        }


class Deaf(StackedAlternatingOffersProtocol):
    """Alternating offers in which nobody hears anybody."""

    def get_action_listeners(self, parties: object) -> Listeners:
        return {}


class Gossip(StackedAlternatingOffersProtocol):
    """Alternating offers that are heard by the last seat only, told as lists."""

    def get_action_listeners(self, parties: object) -> Listeners:
        seats: list[Seat] = list(self._listeners)
        return {seat: [seats[-1]] for seat in seats[:-1]}


def test_a_protocol_without_listeners_delivers_nothing() -> None:
    bid = SHIRT.bid(size="M")
    session = drive(Deaf, [Offer("ann", bid), Accept("bob", bid)], domain=SHIRT)
    assert session.outcome.agreement == bid
    assert [type(action) for told in session.heard.values() for _, action in told] == [Inform] * 2
    assert all(visible(session, party) == [] for party in ("ann", "bob"))


def test_listeners_hear_what_was_declared_and_nobody_else_does() -> None:
    bid = SHIRT.bid(size="M")
    session = drive(Gossip, [Offer("ann", bid)], domain=SHIRT, parties=IDS[:3])
    assert {party: len(visible(session, party)) for party in IDS[:3]} == {
        "ann": 0,
        "bob": 0,
        "cem": 1,
    }


@pytest.mark.parametrize("name", GENIUS)
def test_with_finish_round_the_deciding_round_is_played_out(name: str) -> None:
    session = table(f"{name}:finish_round=true", 3, deadline=2)
    rng = np.random.default_rng(0)
    while session.asked:
        session.feed(answer(session.asked[0], rng, "agreeable"))
    turns = {SAOP: 3, AMOP: 9, AMCP: 9, "simple_mediator": 5, "mediator_feedback": 4}
    assert len(rounds_of(session)[-1]) == turns[name]
    assert session.outcome.agreement is not None
