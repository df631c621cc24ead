from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

import click
import pytest

from genius_py.action import (
    Accept,
    Action,
    EndNegotiation,
    Feedback,
    GiveFeedback,
    Offer,
    OfferForVoting,
    Reject,
    Vote,
    VoteForOfferAcceptance,
)
from genius_py.allowed import Allowed, OneOf
from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.issue import DiscreteIssue, IntegerIssue, TextIssue
from genius_py.log import Kind, Reason
from genius_py.manager import run
from genius_py.outcome import Outcome
from genius_py.parties.person import Complete, Person
from genius_py.party import NegotiationParty
from genius_py.protocols.default import DefaultMultilateralProtocol
from genius_py.scenario import Scenario
from genius_py.session import Round, Seat, Session, Turn
from genius_py.utility import (
    AdditiveUtilitySpace,
    CallableUtilitySpace,
    DiscreteEvaluator,
    IntegerEvaluator,
)

DOMAIN = Domain("bike", [IntegerIssue("price", 1, 9), DiscreteIssue("lock", ["yes", "no"])])


def scenario(reservation_value: float = 0.0, discount_factor: float = 1.0) -> Scenario:
    lock = DiscreteEvaluator({"yes": 1, "no": 0})
    buyer = AdditiveUtilitySpace(
        domain=DOMAIN,
        weights=(0.5, 0.5),
        evaluators=(IntegerEvaluator(1, -0.125, 1), lock),
        reservation_value=reservation_value,
        discount_factor=discount_factor,
    )
    seller = AdditiveUtilitySpace(
        domain=DOMAIN, weights=(1, 0), evaluators=(IntegerEvaluator(1, 0.125, 0), lock)
    )
    return Scenario(DOMAIN, {"buyer": buyer, "seller": seller})


class Waits(NegotiationParty):
    """Offers the dearest bid for ever."""

    def choose_action(self, allowed: object) -> Offer:
        return Offer(self.id, DOMAIN.bid(price=9, lock="no"))


class Votes(NegotiationParty):
    """Puts the dearest bid to the vote, and accepts no other."""

    def choose_action(self, allowed: Allowed) -> Action:
        dearest = DOMAIN.bid(price=9, lock="no")
        if OfferForVoting in allowed:
            return OfferForVoting(self.id, dearest)
        rule = allowed[Accept]["bid"]
        assert isinstance(rule, OneOf)
        bid = rule.values[0]
        assert isinstance(bid, Bid)
        return Accept(self.id, bid) if bid == dearest else Reject(self.id, bid)


class Talk:
    """Types the lines, and keeps what is shown and what each line could have become."""

    def __init__(self, *lines: str) -> None:
        self.lines = iter(lines)
        self.screen: list[str] = []
        self.completions: list[dict[str, str]] = []
        self.begun = ""

    def ask(self, question: str, complete: Complete) -> str:
        self.screen.append(question)
        self.completions.append(dict(complete(self.begun)))
        return next(self.lines)

    def seat(self) -> Person:
        return Person(self.ask, self.screen.append)

    @property
    def shown(self) -> str:
        return "\n".join(self.screen)


def play(
    talk: Talk,
    *,
    game: Scenario | None = None,
    protocol: str = "alternating_offers",
    opponent: Callable[[], NegotiationParty] | str = Waits,
    deadline: int = 3,
) -> Outcome:
    return run(protocol, game or scenario(), parties=[talk.seat, opponent], deadline=deadline)


def test_a_draft_begins_with_the_best_bid_and_is_changed_issue_by_issue() -> None:
    talk = Talk("offer", "price 2", "lock=no", "send", "walk", "yes")
    outcome = play(talk)
    assert outcome.log.actions[0] == Offer("buyer", DOMAIN.bid(price=2, lock="no"))
    assert outcome.log.actions[-1] == EndNegotiation("buyer")
    assert outcome.reason is Reason.WALKAWAY


def test_the_worth_of_a_draft_stands_beside_that_of_what_was_heard_last() -> None:
    talk = Talk("offer", "send", "offer", "price 3", "send", "walk", "yes")
    play(talk)
    # 0.5 * (1 - 2 / 8) + 0.5, and nothing for the dearest bid without a lock.
    assert any(
        line.splitlines()[-1].split()[:5] == ["worth", "to", "you", "0.875", "0.000"]
        for line in talk.screen
        if "your draft" in line
    )


def test_an_issue_named_alone_is_asked_for_its_value() -> None:
    outcome = play(Talk("o", "price", "4", "lock", "n", "send", "w", "y"))
    assert outcome.log.actions[0] == Offer("buyer", DOMAIN.bid(price=4, lock="no"))


def test_a_draft_can_start_from_what_was_heard() -> None:
    outcome = play(Talk("o", "send", "o", "theirs", "price 5", "send", "w", "y"))
    assert outcome.log.actions[2] == Offer("buyer", DOMAIN.bid(price=5, lock="no"))


def test_a_draft_that_was_left_is_kept() -> None:
    outcome = play(Talk("o", "price 6", "back", "o", "send", "w", "y"))
    assert outcome.log.actions[0] == Offer("buyer", DOMAIN.bid(price=6, lock="yes"))


def test_free_text_is_asked_for_as_it_is_typed() -> None:
    domain = Domain("work", [TextIssue("scope"), DiscreteIssue("size", ["S", "L"])])
    space = CallableUtilitySpace(domain=domain, function=lambda bid: 0.5)
    game = Scenario(domain, {"client": space, "firm": space})
    talk = Talk("values", "offer", "a wall, painted", "L", "send")
    outcome = play(talk, game=game, opponent="accepting")
    assert outcome.agreement == domain.bid(scope="a wall, painted", size="L")
    assert "There is no bid to begin with; draft an offer first." in talk.screen


def test_what_others_do_is_shown_with_its_worth() -> None:
    talk = Talk("offer", "send", "accept")
    outcome = play(talk)
    assert outcome.log.actions[-1] == Accept("buyer", DOMAIN.bid(price=9, lock="no"))
    assert "seller offers price: 9, lock: no (0.000 to you)" in talk.shown
    assert talk.screen[-1] == "Agreed: price: 9, lock: no (worth 0.000 to you)."


def test_what_is_worth_less_than_no_agreement_is_asked_about_again() -> None:
    talk = Talk(
        "offer", "send", "accept", "no", "offer", "price 9", "lock no", "send", "yes", "w", "y"
    )
    outcome = play(talk, game=scenario(reservation_value=0.4))
    assert [type(action) for action in outcome.log.actions if action.party == "buyer"] == [
        Offer,
        Offer,
        EndNegotiation,
    ]
    assert talk.shown.count("worth 0.000 to you, less than no agreement (0.400)") == 2


def test_walking_away_is_asked_about_again() -> None:
    outcome = play(Talk("walk", "no", "offer", "send", "accept"))
    assert outcome.reason is Reason.AGREEMENT


def test_what_cannot_be_understood_is_asked_again_with_the_reason() -> None:
    talk = Talk(
        "shout",
        "o",
        "price 12",
        "price cheap",
        "lock maybe",
        "color red",
        "send",
        "walk",
        "maybe",
        "y",
    )
    outcome = play(talk)
    assert outcome.log.actions[0] == Offer("buyer", DOMAIN.bid(price=1, lock="yes"))
    for said in (
        "'shout' is not a choice; type one of: offer, walk away, history, values, say, help.",
        "12 is not a value of issue 'price'; possible is price: 1..9.",
        "'cheap' is not a value of issue 'price'; possible is price: 1..9.",
        "'maybe' is not a choice; type one of: yes, no.",
        "'color' is not a choice; type one of: price, lock, send, back.",
    ):
        assert said in talk.screen


def test_a_word_that_begins_two_choices_is_asked_again() -> None:
    domain = Domain("two", [DiscreteIssue("size", ["S", "L"]), DiscreteIssue("side", ["a", "b"])])
    space = CallableUtilitySpace(domain=domain, function=lambda bid: 0.5)
    talk = Talk("o", "si L", "size L", "send")
    outcome = play(talk, game=Scenario(domain, {"a": space, "b": space}), opponent="accepting")
    assert outcome.agreement == domain.bid(size="L", side="a")
    assert "'si' could mean size or side; type one of: size, side, send, back." in talk.screen


def test_an_empty_line_means_nothing_where_there_is_a_choice() -> None:
    talk = Talk("", "walk", "yes")
    play(talk)
    assert any(line.startswith("'' is not a choice") for line in talk.screen)


def test_an_empty_line_means_the_only_thing_that_may_be_done() -> None:
    talk = Talk("", "send", "reject")
    outcome = play(talk, protocol="AMOP", opponent="hardliner")
    assert outcome.log.actions[0].party == "buyer"


def test_the_history_tells_what_was_heard_and_said() -> None:
    talk = Talk("offer", "send", "history", "walk", "yes")
    play(talk)
    (told,) = (line for line in talk.screen if "buyer offers" in line)
    assert "buyer offers price: 1, lock: yes (1.000 to you)" in told
    assert "seller offers price: 9, lock: no (0.000 to you)" in told


def test_values_are_shown_by_what_the_draft_would_be_worth_with_them() -> None:
    talk = Talk("values", "walk", "yes")
    play(talk)
    (told,) = (line for line in talk.screen if "with one value changed" in line)
    assert told.splitlines()[1:] == ["price  1 1.000 | 9 0.500", "lock   yes 1.000 | no 0.500"]


def test_a_message_goes_along_with_the_next_action_alone() -> None:
    outcome = play(Talk("say", "Take it or leave it.", "offer", "send", "walk", "yes"))
    said = [action.message for action in outcome.log.actions if action.party == "buyer"]
    assert said == ["Take it or leave it.", ""]


def test_help_explains_the_words() -> None:
    talk = Talk("help", "walk", "yes")
    play(talk)
    assert "Words may be shortened" in talk.shown
    assert "  offer      Propose a bid.\n" in talk.shown
    assert "  walk away  Walk away; nobody gets more than the reservation value.\n" in talk.shown
    assert "  history    Show everything" in talk.shown
    assert "An offer is drafted first" in talk.shown


def test_help_explains_what_is_allowed_alone() -> None:
    talk = Talk("help", "acc", "rej", "rej")
    play(talk, protocol="simple_mediator", opponent="boulware")
    assert "  accept   Vote on the mediator's proposal.\n" in talk.shown
    assert "An offer is drafted first" not in talk.shown


def test_a_discount_is_said_once() -> None:
    talk = Talk("offer", "send", "walk", "yes")
    play(talk, game=scenario(discount_factor=0.8))
    assert talk.shown.count("multiplied by 0.8 to the power of the time") == 1


def test_a_vote_is_cast_by_saying_it() -> None:
    outcome = play(Talk("acc", "rej", "rej"), protocol="simple_mediator", opponent="boulware")
    votes = [
        action.vote
        for action in outcome.log.actions
        if isinstance(action, VoteForOfferAcceptance) and action.party == "buyer"
    ]
    assert votes == [Vote.ACCEPT, Vote.REJECT, Vote.REJECT]


def test_feedback_is_given_by_saying_it() -> None:
    outcome = play(Talk("b", "sam", "w"), protocol="mediator_feedback", opponent="boulware")
    given = [
        action.feedback
        for action in outcome.log.actions
        if isinstance(action, GiveFeedback) and action.party == "buyer"
    ]
    assert given == [Feedback.BETTER, Feedback.SAME, Feedback.WORSE]


class TwoBids(DefaultMultilateralProtocol):
    """One turn for the first party, to accept one of two bids."""

    name: ClassVar[str] = "two_bids"
    actions: ClassVar[tuple[type[Action], ...]] = (Accept,)

    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        bids = OneOf([session.domain.bid_at(0), session.domain.bid_at(1)])
        return Round([Turn(parties[0], Allowed({Accept: {"bid": bids}}))])

    def apply_action(self, action: Action, session: Session) -> None:
        pass


def test_one_of_several_bids_is_picked_by_number() -> None:
    talk = Talk("accept", "3", "2")
    outcome = play(talk, protocol=f"{__file__}:TwoBids", deadline=1)
    assert outcome.log.actions[0] == Accept("buyer", DOMAIN.bid_at(1))
    assert "2: price: 2, lock: yes (worth 0.938 to you)" in talk.screen


def test_a_refused_answer_is_asked_again_with_the_reason() -> None:
    class Forger(Person):
        def choose_action(self, allowed):  # type: ignore[no-untyped-def]
            action = super().choose_action(allowed)
            return action if allowed.refusal else Offer("seller", DOMAIN.bid(price=1, lock="no"))

    talk = Talk("offer", "send", "walk", "yes")
    outcome = run(
        "alternating_offers",
        scenario(),
        parties=[lambda: Forger(talk.ask, talk.screen.append), Waits],
        deadline=3,
        retries=1,
    )
    assert [event.kind for event in outcome.log].count(Kind.FAULT) == 1
    assert "That was refused: you acted in the name of 'seller'; use the own id." in talk.screen


def completed(begun: str) -> dict[str, str]:
    """What a change of the first draft could become."""
    talk = Talk("offer", "back", "walk", "yes")
    talk.begun = begun
    play(talk)
    return talk.completions[1]


@pytest.mark.parametrize(
    ("begun", "lines"),
    [
        ("", {"send": "", "back": "", "price ": "1..9", "lock ": "yes | no"}),
        ("PR", {"price ": "1..9"}),
        ("price 3", {"price 3": "0.875"}),
        ("price 30", {}),
        ("lock ", {"lock yes": "1.000", "lock no": "0.500"}),
        ("lock n", {"lock no": "0.500"}),
    ],
)
def test_a_change_of_a_draft_is_completed_with_what_it_would_be_worth(
    begun: str, lines: Mapping[str, str]
) -> None:
    assert completed(begun) == lines


def test_without_terminal_the_end_of_input_is_no_fault_of_a_party(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_more(*arguments: object, **named: object) -> str:
        raise click.Abort

    monkeypatch.setattr("click.prompt", no_more)
    with pytest.raises(KeyboardInterrupt):
        run("alternating_offers", scenario(), parties=["person", Waits], deadline=3)


def test_any_word_of_a_deed_may_stand_for_it() -> None:
    talk = Talk("bid", "9", "out")
    outcome = run(
        "sealed_bid_auction", "spectrum_licence", parties=[talk.seat, "truthful", "truthful"]
    )
    assert "place bid" in talk.screen[4]
    assert str(outcome.log.actions[0]).startswith("coastal_mobile bids 9")


def test_what_is_voted_on_is_told() -> None:
    talk = Talk("offer", "send", "accept", "accept")
    run("AMOP", scenario(), parties=[talk.seat, Votes], deadline=2)
    assert [line for line in talk.screen if line.startswith("To be answered: ")] == [
        "To be answered: price: 1, lock: yes (worth 1.000 to you).",
        "To be answered: price: 9, lock: no (worth 0.000 to you).",
    ]


def test_an_offer_that_was_heard_just_now_is_not_told_again() -> None:
    talk = Talk("offer", "send", "accept")
    run("SAOP", scenario(), parties=[talk.seat, Waits])
    assert "To be answered" not in "\n".join(talk.screen)
