"""The loop: order of calls, deadlines, audiences, refusals, faults, and how a session ends.

Numbers like 4.1 are of the description of Genius 10.4's session manager; C numbers are known
faults of other negotiation software.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import pytest

from genius_py.action import (
    Accept,
    Action,
    EndNegotiation,
    Forfeit,
    Inform,
    InformVotingResult,
    NoAction,
    Offer,
    OfferForVoting,
    Reject,
    Say,
    Vote,
    VoteForOfferAcceptance,
)
from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.errors import ActionError
from genius_py.fault import Fault
from genius_py.issue import IntegerIssue
from genius_py.log import Kind, Reason, Standing
from genius_py.protocol import Listeners
from genius_py.protocols.alternating_offers import StackedAlternatingOffersProtocol
from genius_py.session import Answer, Reply, Round, Seat, Session
from genius_py.testing import drive
from genius_py.testing.driven import Driven
from genius_py.testing.protocols import SealedOffers, SmallTalk

SALE = Domain("sale", [IntegerIssue("price", 1, 9)])
THREE, FOUR = SALE.bid(price=3), SALE.bid(price=4)
TRIO = ("ann", "bob", "carl")


def offer(party: str, bid: Bid = THREE) -> Offer:
    return Offer(party, bid)


def reasons(table: Driven) -> tuple[Reason, str]:
    return table.outcome.reason, table.outcome.detail


class Recorded(StackedAlternatingOffersProtocol):
    """Alternating offers that keeps a diary of its calls."""

    name: ClassVar[str] = "recorded"

    def __init__(self) -> None:
        super().__init__()
        self.diary: list[str] = []

    def before_session(
        self, session: Session, parties: Sequence[Seat]
    ) -> Mapping[Seat, Sequence[Action]]:
        self.diary.append(f"before_session, round {session.round_number}")
        return super().before_session(session, parties)

    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        self.diary.append(f"get_round_structure, round {session.round_number}")
        return super().get_round_structure(parties, session)

    def apply_action(self, action: Action, session: Session) -> None:
        self.diary.append(f"apply {action}, turn {session.turn_number}")
        super().apply_action(action, session)

    def get_action_listeners(self, parties: Sequence[Seat]) -> Listeners:
        self.diary.append("get_action_listeners")
        return super().get_action_listeners(parties)

    def is_finished(self, session: Session, parties: Sequence[Seat]) -> bool:
        finished = super().is_finished(session, parties)
        self.diary.append(f"is_finished {finished}, turn {session.turn_number}")
        return finished

    def after_session(self, session: Session, parties: Sequence[Seat]) -> None:
        self.diary.append(f"after_session, over {session.is_over}")

    def get_current_agreement(self, session: Session, parties: Sequence[Seat]) -> Bid | None:
        self.diary.append(f"get_current_agreement, over {session.is_over}")
        return super().get_current_agreement(session, parties)


def test_the_order_of_calls_is_that_of_genius() -> None:
    # Spec 4.1: is_finished after every turn, the rest of the round is not played.
    rules = Recorded()
    answers = [offer("ann"), Accept("bob", THREE), Accept("carl", THREE)]
    drive(rules, answers, domain=SALE, parties=TRIO)
    assert rules.diary == [
        "before_session, round 0",
        "get_round_structure, round 0",
        "apply ann offers price: 3, turn 0",
        "get_action_listeners",
        "is_finished False, turn 1",
        "apply bob accepts price: 3, turn 1",
        "get_action_listeners",
        "is_finished False, turn 2",
        "apply carl accepts price: 3, turn 2",
        "get_action_listeners",
        "is_finished True, turn 3",
        "after_session, over True",
        "get_current_agreement, over True",
    ]


def test_at_the_deadline_one_round_too_many_is_built_and_dropped() -> None:
    # Spec 4.2: getRoundStructure is called for round N + 1.
    rules = Recorded()
    table = drive(rules, [offer("ann"), offer("bob")], domain=SALE, deadline=1)
    assert "get_round_structure, round 1" in rules.diary
    assert table.outcome.rounds == len(table.session.rounds) == 1
    assert reasons(table) == (Reason.DEADLINE, "")


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_n_rounds_are_exactly_n_rounds(rounds: int) -> None:
    # C41: each acts N times; an offer made last cannot be answered.
    table = drive("SAOP", domain=SALE, deadline=rounds)
    while table.asked:
        table.feed(offer(table.asked[0].party.id))
    assert table.outcome.turns == 2 * rounds
    assert table.outcome.agreement is None
    times = [event.time for event in table.log if event.kind == Kind.ACTION]
    assert times == [number / (rounds + 1) for number in range(1, rounds + 1) for _ in "ab"]
    assert table.outcome.time == rounds / (rounds + 1)


def test_events_count_rounds_and_turns_from_1() -> None:
    table = drive("SAOP", [offer("ann"), offer("bob"), offer("ann")], domain=SALE)
    assert [(e.round, e.turn, e.party) for e in table.log if e.kind == Kind.ACTION] == [
        (1, 1, "ann"),
        (1, 2, "bob"),
        (2, 1, "ann"),
    ]
    assert [(e.round, e.turn, e.sender) for e in table.log if e.kind == Kind.INFORM] == [
        (0, 0, None),
        (0, 0, None),
    ]


def test_everybody_is_told_by_the_protocol_before_anybody_is_asked() -> None:
    table = drive("SAOP", domain=SALE)
    told = Inform("StackedAlternatingOffersProtocol", "NumberOfAgents", 2)
    assert table.heard == {"ann": [(None, told)], "bob": [(None, told)]}


def test_a_turn_comes_with_everything_said_before_it() -> None:
    table = drive("SAOP", [offer("ann")], domain=SALE, parties=TRIO)
    assert table.asked[0].party.id == "bob"
    assert table.heard["bob"][-1] == table.heard["carl"][-1] == ("ann", offer("ann"))


def test_a_protocol_may_play_its_round_out() -> None:
    # S2.4: the wording of the Javadoc, as an option.
    table = drive("SAOP:finish_round=true", [EndNegotiation("ann")], domain=SALE)
    assert [turn.party.id for turn in table.asked] == ["bob"]
    assert table.feed(offer("bob")).is_over


def test_walking_away_ends_the_session_without_agreement() -> None:
    table = drive("SAOP", [offer("ann"), EndNegotiation("bob")], domain=SALE)
    assert reasons(table) == (Reason.WALKAWAY, "")
    assert table.outcome.agreement is None


def test_end_negotiation_ends_the_session_with_its_reason() -> None:
    table = drive("SAOP", [offer("ann")], domain=SALE)
    table.protocol.end_negotiation("the building is on fire")
    table.feed(offer("bob"))
    assert reasons(table) == (Reason.ENDED, "the building is on fire")


def test_talk_never_ends_a_session() -> None:
    # C121: an agreement comes from the state of the protocol alone.
    talk = [Say("ann", "We have a deal at 3!"), offer("ann"), Say("bob", "I accept. Done.")]
    table = drive(SmallTalk, talk, domain=SALE)
    assert not table.is_over
    assert table.agreement is None


def test_a_rejection_ends_nothing_and_leaves_nothing_to_accept() -> None:
    # C23 and C24, in the protocol that has rejections.
    table = drive("AMOP", domain=SALE)
    table.feed(OfferForVoting("ann", THREE), OfferForVoting("bob", FOUR))
    table.feed(*[kind(p, b) for b in (THREE, FOUR) for p in ("ann", "bob") for kind in [Reject]])
    assert table.may(OfferForVoting)
    table.feed(Accept("ann", THREE))
    assert reasons(table) == (Reason.FAULT, "")


class TestAudiences:
    """Who hears what."""

    def test_aside_talk_is_heard_by_its_addressee_alone(self) -> None:
        table = drive(SmallTalk, [Say("ann", "psst", "carl")], domain=SALE, parties=TRIO)
        assert table.log[-1].audience == ("carl",)
        assert len(table.heard["bob"]) == 1

    def test_talk_to_nobody_in_particular_is_heard_by_all_others(self) -> None:
        table = drive(SmallTalk, [Say("ann", "hello")], domain=SALE, parties=TRIO)
        assert table.log[-1].audience == ("bob", "carl")

    def test_nobody_hears_a_sealed_offer_before_the_last_one_is_in(self) -> None:
        table = drive(SealedOffers, [offer("ann"), offer("bob")], domain=SALE, parties=TRIO)
        assert [turn.party.id for turn in table.asked] == ["ann", "bob", "carl"]
        assert len(table.log) == 0
        table.feed(offer("carl", FOUR))
        assert [sender for sender, _ in table.heard["ann"]] == ["bob", "carl"]
        assert [sender for sender, _ in table.heard["bob"]] == ["ann", "carl"]

    def test_votes_are_heard_by_the_mediator_alone(self) -> None:
        answers = [
            OfferForVoting("med", THREE),
            VoteForOfferAcceptance("ann", Vote.ACCEPT),
            VoteForOfferAcceptance("bob", Vote.REJECT),
            InformVotingResult("med", THREE, Vote.REJECT),
        ]
        table = drive("simple_mediator", answers, domain=SALE, mediator="med", deadline=1)
        assert [sender for sender, _ in table.heard["med"]] == ["ann", "bob"]
        assert [sender for sender, _ in table.heard["ann"]] == ["med", "med"]

    def test_a_protocol_without_listeners_delivers_nothing(self) -> None:
        table = drive("genius_py.testing.protocols:Silence", [offer("ann")], domain=SALE)
        assert table.heard == {"ann": [], "bob": []}

    def test_listeners_may_stand_in_any_sequence(self) -> None:
        class Listing(StackedAlternatingOffersProtocol):
            name: ClassVar[str] = "listing"

            def get_action_listeners(self, parties: Sequence[Seat]) -> Listeners:
                return {
                    s: list(others) for s, others in super().get_action_listeners(parties).items()
                }

        table = drive(Listing, [offer("ann")], domain=SALE)
        assert table.log[-1].audience == ("bob",)


class TestRefusals:
    """What may not be done is asked again, or ends the session."""

    @pytest.mark.parametrize(
        ("answer", "reason"),
        [
            (None, "must Offer or EndNegotiation, said nothing"),
            (NoAction("ann"), "must Offer or EndNegotiation, said NoAction"),
            (OfferForVoting("ann", THREE), "must Offer or EndNegotiation, said OfferForVoting"),
            (Accept("ann", THREE), "must Offer or EndNegotiation, said Accept"),
            (offer("bob"), "acted in the name of 'bob'; use the own id"),
            (Reply(offer("bob")), "acted in the name of 'bob'; use the own id"),
            (Reply(None), "must Offer or EndNegotiation, said nothing"),  # type: ignore[arg-type]
            ("hello", "must Offer or EndNegotiation, said str"),
            (Fault("ann", "raised OSError: no"), "raised OSError: no"),
        ],
    )
    def test_a_refused_answer_is_a_fault_of_that_party(self, answer: Any, reason: str) -> None:
        # Spec 4.1: exact class, own id; nothing of it is stored or announced.
        table = drive("SAOP", [answer], domain=SALE)
        assert reasons(table) == (Reason.FAULT, "")
        (fault,) = table.outcome.faults
        assert fault == Fault("ann", reason, round=1)
        assert table.outcome.turns == 0
        assert len(table.heard["bob"]) == 1
        assert table.outcome.rounds == 1  # spec 4.1: the unfinished round counts

    def test_content_that_the_protocol_refuses_is_a_fault_too(self) -> None:
        class Strict(StackedAlternatingOffersProtocol):
            name: ClassVar[str] = "strict"

            def apply_action(self, action: Action, session: Session) -> None:
                if isinstance(action, Offer) and action.bid == FOUR:
                    raise ActionError("offered an unlucky number")
                super().apply_action(action, session)

        table = drive(Strict, [offer("ann", FOUR), offer("ann")], domain=SALE, retries=1)
        assert table.faults == ("Round 1: ann offered an unlucky number",)
        assert table.log.actions[-1] == offer("ann")

    def test_a_refused_turn_is_asked_again_with_the_refusal(self) -> None:
        table = drive("SAOP", [NoAction("ann")], domain=SALE, retries=2)
        assert table.asked[0].refusal == "must Offer or EndNegotiation, said NoAction"
        table.feed(offer("bob"))
        assert table.asked[0].refusal == "acted in the name of 'bob'; use the own id"
        assert table.feed(offer("ann")).asked[0].refusal == ""

    @pytest.mark.parametrize("retries", [0, 1, 3])
    def test_it_is_asked_again_so_many_times(self, retries: int) -> None:
        table = drive("SAOP", domain=SALE, retries=retries)
        for _ in range(retries + 1):
            table.feed(NoAction("ann"))
        assert table.is_over
        assert len(table.outcome.faults) == retries + 1


class TestFaults:
    """After the last try the policy decides."""

    def test_a_forfeited_turn_is_an_event_that_all_hear(self) -> None:
        table = drive("SAOP", [Fault("ann", "fell asleep")], domain=SALE, on_fault="forfeit")
        assert table.log.actions[-1] == Forfeit("ann")
        assert table.heard["bob"][-1] == ("ann", Forfeit("ann"))

    def test_a_forfeit_refuses_what_is_on_the_table(self) -> None:
        answers: list[Answer] = [offer("ann"), Fault("bob", "fell asleep")]
        table = drive("SAOP", answers, domain=SALE, on_fault="forfeit")
        assert table.may(Offer, EndNegotiation)

    def test_nobody_agrees_with_himself_because_the_others_fail(self) -> None:
        table = drive("SAOP", domain=SALE, on_fault="forfeit", deadline=3)
        while table.asked:
            party = table.asked[0].party.id
            table.feed(offer("ann") if party == "ann" else Fault("bob", "fell asleep"))
        assert table.outcome.agreement is None
        assert table.outcome.agreeing_parties == 0

    def test_a_fatal_fault_ends_the_session_whatever_the_policy(self) -> None:
        fault = Fault("ann", "lost its server", fatal=True)
        table = drive("SAOP", [fault], domain=SALE, on_fault="forfeit", retries=3)
        assert reasons(table) == (Reason.FAULT, "")
        assert len(table.outcome.faults) == 1

    def test_the_culprit_is_the_party_that_was_asked(self) -> None:
        table = drive("SAOP", [Fault("bob", "is not me")], domain=SALE)
        assert table.outcome.faults[0].party == "ann"

    @pytest.mark.parametrize("faithful", [False, True])
    def test_an_agreement_survives_a_later_fault_unless_faithful(self, faithful: bool) -> None:
        # Golden simplemediator_n2_failure_after_accept_loses_agreement.
        answers: list[Answer] = [
            OfferForVoting("med", THREE),
            VoteForOfferAcceptance("ann", Vote.ACCEPT),
            VoteForOfferAcceptance("bob", Vote.ACCEPT),
            InformVotingResult("med", THREE, Vote.ACCEPT),
            Fault("med", "fell asleep"),
        ]
        table = drive("simple_mediator", answers, domain=SALE, mediator="med", faithful=faithful)
        outcome = table.outcome
        assert outcome.agreement == (None if faithful else THREE)
        assert outcome.reason is (Reason.FAULT if faithful else Reason.AGREEMENT)
        assert len(outcome.faults) == 1

    def test_a_failed_session_is_not_told_that_it_is_over(self) -> None:
        # Spec 4.1: afterSession is skipped.
        rules = Recorded()
        drive(rules, [NoAction("ann")], domain=SALE)
        assert rules.diary[-1] == "get_current_agreement, over False"


class TestReplies:
    """Messages travel with the action, notes do not travel."""

    def test_a_message_is_heard_with_the_action(self) -> None:
        table = drive("SAOP", [Reply(offer("ann"), message="Take it!")], domain=SALE)
        assert table.heard["bob"][-1][1].message == "Take it!"

    def test_the_actions_own_message_stays_when_the_reply_has_none(self) -> None:
        table = drive("SAOP", [Reply(Offer("ann", THREE, message="Mine"))], domain=SALE)
        assert table.log.actions[-1].message == "Mine"

    def test_notes_are_an_event_for_their_author_alone_before_the_action(self) -> None:
        table = drive("SAOP", [Reply(offer("ann"), notes={"plan": "wait"})], domain=SALE)
        note, action = table.log[-2:]
        assert (note.kind, note.party, note.audience) == (Kind.NOTE, "ann", ())
        assert note.detail == {"plan": "wait"}
        assert action.kind == Kind.ACTION
        assert all(event.kind != Kind.NOTE for event in table.log.seen_by("bob"))

    def test_notes_of_a_refused_reply_are_kept_too(self) -> None:
        refused = Reply(NoAction("ann"), notes={"plan": "try"})
        table = drive("SAOP", [refused, offer("ann")], domain=SALE, retries=1)
        assert [e.kind for e in table.log[2:]] == [Kind.NOTE, Kind.FAULT, Kind.ACTION]


class TestSealedRounds:
    """All are asked at once."""

    def test_each_refused_answer_is_asked_again_alone(self) -> None:
        table = drive(SealedOffers, domain=SALE, parties=TRIO, retries=1)
        table.feed(offer("ann"), NoAction("bob"), NoAction("carl"))
        assert [turn.party.id for turn in table.asked] == ["bob"]
        table.feed(offer("bob"))
        assert [turn.party.id for turn in table.asked] == ["carl"]
        assert table.feed(offer("carl")).outcome.agreement == THREE

    def test_what_was_done_before_another_failed_is_in_the_log(self) -> None:
        answers = [offer("ann"), NoAction("bob"), offer("carl")]
        table = drive(SealedOffers, answers, domain=SALE, parties=TRIO)
        assert reasons(table) == (Reason.FAULT, "")
        assert table.log.actions == [offer("ann")]

    def test_all_turns_of_a_round_are_at_the_same_time(self) -> None:
        table = drive(SealedOffers, [offer("ann"), offer("bob", FOUR)], domain=SALE)
        assert [(e.round, e.turn) for e in table.log] == [(1, 1), (1, 2)]
        assert len({e.time for e in table.log}) == 1


class TestLazyRounds:
    """The next turn is made when the one before is done."""

    def test_a_party_may_have_another_turn_in_the_same_round(self) -> None:
        table = drive(SmallTalk, [Say("ann", "hm")], domain=SALE)
        assert table.asked[0].party.id == "ann"
        table.feed(Say("ann", "well"))
        assert table.may(Offer, EndNegotiation)  # talked out
        assert table.feed(offer("ann")).asked[0].party.id == "bob"
        assert table.session.turn_number == 3


class TestSeconds:
    """A deadline in seconds, with a clock that a test moves."""

    def table(self, faithful: bool, clock: list[float]) -> Driven:
        return drive(
            "SAOP",
            domain=SALE,
            parties=TRIO,
            deadline="10s",
            faithful=faithful,
            clock=lambda: clock[0],
        )

    @pytest.mark.parametrize(("faithful", "rounds"), [(False, 2), (True, 0)])
    def test_time_that_runs_out_within_a_round(self, faithful: bool, rounds: int) -> None:
        # Spec 4.2: Genius removes the begun round, and then the complete one before it.
        clock = [0.0]
        table = self.table(faithful, clock)
        table.feed(offer("ann"), offer("bob"), offer("carl"))
        clock[0] = 10.5
        table.feed(offer("ann"))
        assert reasons(table) == (Reason.DEADLINE, "")
        assert table.outcome.rounds == rounds
        assert table.outcome.time == 1.0

    @pytest.mark.parametrize(("faithful", "rounds"), [(False, 1), (True, 0)])
    def test_time_that_runs_out_with_a_round(self, faithful: bool, rounds: int) -> None:
        clock = [0.0]
        table = self.table(faithful, clock)
        table.feed(offer("ann"), offer("bob"))
        clock[0] = 10.5
        table.feed(offer("carl"))
        assert table.outcome.rounds == rounds

    def test_the_offer_before_the_last_second_is_heard(self) -> None:
        clock = [0.0]
        table = self.table(False, clock)
        clock[0] = 11.0
        table.feed(offer("ann"))
        assert table.is_over
        assert table.heard["bob"][-1] == table.heard["carl"][-1] == ("ann", offer("ann"))

    def test_the_last_second_itself_still_counts(self) -> None:
        clock = [10.0]
        table = self.table(False, clock)
        assert [turn.party.id for turn in table.asked] == ["ann"]
        assert table.session.timeline.time == 1.0


def test_a_faithful_session_notes_the_agreement_after_each_turn() -> None:
    # Spec 4.1, 6: some originals change when they are asked.
    table = drive("SAOP", [offer("ann"), Accept("bob", THREE)], domain=SALE, faithful=True)
    noted = [event.detail for event in table.log if event.kind == Kind.STANDING]
    assert noted == [Standing(None, 1), Standing(THREE, 2)]
    assert all(event.kind != Kind.STANDING for event in table.log.seen_by("ann"))


def test_what_the_rules_pay_stands_in_the_ending() -> None:
    class Paying(StackedAlternatingOffersProtocol):
        name: ClassVar[str] = "paying"

        def payoffs(self, session: Session, parties: Sequence[Seat]) -> Mapping[str, float]:
            return {seat.id: 1.0 + place for place, seat in enumerate(parties)}

    table = drive(Paying, [EndNegotiation("ann")], domain=SALE)
    assert table.outcome.utilities == {"ann": 1.0, "bob": 2.0}


def test_two_sessions_of_one_pair_do_not_touch() -> None:
    # C128: session 1 ends on ann's turn; session 2 starts at its own first party, with nothing
    # on the table, and an acceptance is illegal there.
    one, two = drive("SAOP", domain=SALE), drive("SAOP", domain=SALE)
    one.feed(offer("ann"))
    assert two.may(Offer, EndNegotiation)
    one.feed(Accept("bob", THREE))
    assert one.outcome.agreement == THREE
    two.feed(Accept("ann", THREE))
    assert reasons(two) == (Reason.FAULT, "")


def test_an_agreement_equals_a_logged_offer_with_its_proposer_and_acceptors() -> None:
    # C25 and C79.
    answers = [offer("ann", FOUR), offer("bob"), Accept("carl", THREE), Accept("ann", THREE)]
    table = drive("SAOP", answers, domain=SALE, parties=TRIO)
    offers = [e for e in table.log if isinstance(e.action, Offer)]
    accepts = [e.party for e in table.log if isinstance(e.action, Accept)]
    assert (offers[-1].party, offers[-1].action.bid) == ("bob", table.outcome.agreement)  # type: ignore[union-attr]
    assert accepts == ["carl", "ann"]
