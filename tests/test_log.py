"""The event log, and what each party may see of it."""

import copy
import pickle

import pytest

from genius_py.action import Action, Inform, Offer, Say
from genius_py.domain import Domain
from genius_py.fault import Fault
from genius_py.issue import IntegerIssue
from genius_py.log import Ending, Event, Kind, Log, Reason

BID = Domain("sale", [IntegerIssue("price", 1, 9)]).bid(price=3)


def action(party: str, audience: tuple[str, ...] = (), said: Action | None = None) -> Event:
    return Event(Kind.ACTION, 1, 1, 0.5, party, said or Offer(party, BID), audience)


def test_an_event_is_seen_by_its_actor_and_its_audience() -> None:
    event = action("ann", ("bob",))
    assert [p for p in ("ann", "bob", "carl") if event.is_visible_to(p)] == ["ann", "bob"]
    assert event.sender == "ann"


def test_what_the_protocol_says_has_no_sender() -> None:
    told = Event(Kind.INFORM, 0, 0, 0.1, "", Inform("SAOP", "NumberOfAgents", 2), ("ann",))
    assert told.sender is None
    assert told.is_visible_to("ann")
    assert not told.is_visible_to("bob")


def test_events_print_as_what_happened() -> None:
    fault = Fault("ann", "raised", round=2)
    over = Ending(BID, Reason.AGREEMENT, "", 2, 2)
    failed = Ending(None, Reason.FAULT, "", 0, 2)
    told = [
        action("ann"),
        Event(Kind.NOTE, 1, 1, 0.5, "bob", None, (), {"plan": "wait"}),
        Event(Kind.FAULT, 2, 1, 0.5, "ann", None, (), fault),
        Event(Kind.END, 2, 1, 0.5, "", None, (), over),
        Event(Kind.END, 2, 1, 0.5, "", None, (), failed),
    ]
    assert list(map(str, told)) == [
        "round 1, turn 1: ann offers price: 3",
        "round 1, turn 1: bob notes {'plan': 'wait'}",
        f"round 2, turn 1: fault: {fault}",
        "round 2, turn 1: agreement: price: 3",
        "round 2, turn 1: fault",
    ]


def test_a_history_is_the_log_as_one_party_may_know_it() -> None:
    log = Log()
    history = log.seen_by("bob")
    open_offer = action("ann", ("bob", "carl"))
    aside = action("ann", ("carl",), Say("ann", "psst", "carl"))
    note = Event(Kind.NOTE, 1, 1, 0.5, "bob", None, (), {"plan": "wait"})
    other_note = Event(Kind.NOTE, 1, 1, 0.5, "carl", None, (), {"plan": "lie"})
    fault = Event(Kind.FAULT, 1, 1, 0.5, "ann", None, (), Fault("ann", "said nothing"))
    end = Event(Kind.END, 1, 1, 0.5, "", None, ("ann", "bob", "carl"))
    for event in (open_offer, aside, note, other_note, fault, end):
        log.append(event)
    assert list(history) == [open_offer, note, end]
    assert history[0] == open_offer
    assert history[-1:] == [end]
    assert repr(history) == "<History of bob: 3 events>"


def test_a_history_grows_with_the_log() -> None:
    log = Log()
    history = log.seen_by("bob")
    assert list(history) == []
    log.append(action("ann", ("bob",)))
    assert len(history) == 1
    log.append(action("carl"))
    assert len(history) == 1
    log.append(action("bob"))
    assert [event.party for event in history] == ["ann", "bob"]


def test_the_actions_of_a_log_are_those_of_done_turns() -> None:
    told = Event(Kind.INFORM, 0, 0, 0.1, "", Inform("SAOP", "n", 2), ("ann",))
    log = Log([told, action("ann"), action("bob")])
    assert log.actions == [Offer("ann", BID), Offer("bob", BID)]
    assert repr(log) == "<Log of 3 events>"


def test_logs_are_equal_by_their_events_and_can_be_copied() -> None:
    log = Log([action("ann")])
    assert log == Log([action("ann")])
    assert log != Log([action("bob")])
    assert log != [action("ann")]
    assert pickle.loads(pickle.dumps(log)) == log
    again = copy.deepcopy(log)
    again.append(action("bob"))
    assert len(log) == 1
    with pytest.raises(TypeError, match="unhashable"):
        hash(log)


def test_an_ending_is_told_by_its_words() -> None:
    assert [reason.value for reason in Reason] == [
        "agreement",
        "deadline",
        "walkaway",
        "fault",
        "ended",
    ]
    assert Ending(None, Reason.DEADLINE, "", 0, 3) == Ending(None, Reason.DEADLINE, "", 0, 3)
