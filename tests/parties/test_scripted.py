import pytest

from genius_py import registry
from genius_py.action import (
    Accept,
    Action,
    EndNegotiation,
    EndNegotiationWithAnOffer,
    Feedback,
    GiveFeedback,
    Inform,
    InformVotingResult,
    NoAction,
    Offer,
    OfferForFeedback,
    OfferForVoting,
    Reject,
    Vote,
    VoteForOfferAcceptance,
)
from genius_py.allowed import Allowed
from genius_py.errors import OptionError, StrategyError
from genius_py.parties.scripted import Scripted, ScriptedFailure, ScriptedMediator
from tests.parties.table import answer, hear, price, seat, seller


def seated(*script: str) -> Scripted:
    party = Scripted(script)
    seat(party, seller())
    return party


@pytest.mark.parametrize(
    ("instruction", "action"),
    [
        ("Offer 3", Offer("me", price(3))),
        ("OfferForVoting 3", OfferForVoting("me", price(3))),
        ("OfferForFeedback 3", OfferForFeedback("me", price(3))),
        ("Accept 3", Accept("me", price(3))),
        ("Reject 3", Reject("me", price(3))),
        ("EndNegotiationWithAnOffer 3", EndNegotiationWithAnOffer("me", price(3))),
        ("EndNegotiation", EndNegotiation("me")),
        ("NoAction", NoAction("me")),
        ("Vote REJECT", VoteForOfferAcceptance("me", Vote.REJECT)),
        ("Feedback SAME", GiveFeedback("me", Feedback.SAME)),
        ("InformVotingResult ACCEPT 3", InformVotingResult("me", price(3), Vote.ACCEPT)),
        ("ForeignOffer 3 you", Offer("you", price(3))),
    ],
)
def test_each_instruction_is_one_action(instruction: str, action: Action) -> None:
    assert seated(instruction).choose_action(Allowed()) == action


def test_the_last_instruction_is_repeated_for_ever() -> None:
    party = seated("Offer 1", "Offer 2")
    offers = [answer(party) for _ in range(4)]
    assert offers == [Offer("me", price(amount)) for amount in (1, 2, 2, 2)]


def test_last_is_the_bid_proposed_last_by_whomever() -> None:
    party = seated("Accept last", "Offer 7", "Reject last")
    assert answer(party, price(4)) == Accept("me", price(4))
    answer(party)
    assert answer(party) == Reject("me", price(7))


def test_there_is_no_last_bid_before_the_first() -> None:
    with pytest.raises(StrategyError, match="heard no bid"):
        answer(seated("Accept last"))


def test_null_answers_nothing() -> None:
    assert seated("Null").choose_action(Allowed()) is None


def test_throw_fails_in_the_turn() -> None:
    with pytest.raises(ScriptedFailure):
        answer(seated("Throw"))


def test_flags_are_not_turns() -> None:
    assert answer(seated("@LogInEnded", "Offer 3")) == Offer("me", price(3))


def test_it_can_fail_at_the_start() -> None:
    with pytest.raises(ScriptedFailure):
        seated("@ThrowInInit", "Offer 3")


def test_it_can_fail_to_hear_another_party_but_not_the_protocol() -> None:
    party = seated("@ThrowInReceive", "Offer 3")
    party.receive_message(None, Inform("rules", "NumberOfAgents", 2))
    with pytest.raises(ScriptedFailure):
        hear(party, price(3))


def test_it_can_fail_at_the_end() -> None:
    with pytest.raises(ScriptedFailure):
        seated("@ThrowInEnded", "Offer 3").negotiation_ended(None)


def test_it_can_take_notes_at_the_end() -> None:
    assert seated("@LogInEnded", "Offer 3").negotiation_ended(None) == {"note": "done"}
    assert seated("Offer 3").negotiation_ended(None) is None


@pytest.mark.parametrize(
    ("instruction", "action"),
    [
        ("Sleep 1500", EndNegotiation("me")),
        ("SleepOffer 1500 3", Offer("me", price(3))),
        ("SleepOfferForVoting 1500 3", OfferForVoting("me", price(3))),
    ],
)
def test_it_sleeps_milliseconds_before_it_acts(instruction: str, action: Action) -> None:
    slept: list[float] = []
    party = Scripted([instruction], slept.append)
    seat(party, seller())
    assert answer(party) == action
    assert slept == [1.5]


@pytest.mark.parametrize("script", ["", "@LogInEnded", "Shout 3", "Offer", "Offer 1 2"])
def test_what_is_no_script_is_refused(script: str) -> None:
    with pytest.raises(OptionError, match="scripted party"):
        Scripted(script)


def test_it_is_found_by_name_with_its_script_in_one_text() -> None:
    party = registry.make("party", "scripted:script=Offer 3; Accept last")
    seat(party, seller())
    assert answer(party) == Offer("me", price(3))
    assert answer(party, price(5)) == Accept("me", price(5))


def test_a_scripted_mediator_takes_the_mediator_s_seat() -> None:
    assert registry.find("party", "scripted-mediator") is ScriptedMediator
    assert ScriptedMediator.is_mediator
    assert not Scripted.is_mediator
