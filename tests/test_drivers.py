"""One loop, many drivers: whoever drives `negotiate`, the same minds come to the same log.

Each story is played in process, in lockstep, by a replay (of the outcome and of the written
log), by a person who types, and by a process at the other end of a pipe.
"""

import inspect
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import attrs
import pytest

from genius_py import registry
from genius_py.action import (
    Accept,
    Action,
    EndNegotiation,
    InformVotingResult,
    Offer,
    OfferForVoting,
    Say,
    Vote,
    VoteForOfferAcceptance,
)
from genius_py.allowed import Allowed
from genius_py.bid import Bid
from genius_py.deadline import Deadline, Timeline
from genius_py.domain import Domain
from genius_py.fault import Fault, FaultPolicy, Moment
from genius_py.issue import IntegerIssue
from genius_py.lockstep import lockstep
from genius_py.log import Log, Reason
from genius_py.manager import SessionManager
from genius_py.negotiation import negotiate
from genius_py.outcome import Outcome
from genius_py.party import NegotiationInfo, NegotiationParty
from genius_py.plan import SeatPlan, SessionPlan
from genius_py.scenario import Scenario
from genius_py.session import Answer, Notes, Reply, Seat, Session, Step
from genius_py.trace import dump_log, parse_log, replay
from genius_py.utility import LinearUtilitySpace

SALE = Domain("sale", [IntegerIssue("price", 1, 9)])
SEALED = "genius_py.testing.protocols:SealedOffers"
TALK = "genius_py.testing.protocols:SmallTalk"


class Mind:
    """Answers prompts with lines of text, so that it can sit anywhere.

    `lines` are what it does, turn by turn, the last one for ever; `deaf` are the messages (counted
    from 1) that it cannot bear to hear. A line "fault WHY" is how it fails.
    """

    def __init__(
        self,
        lines: list[str] | tuple[str, ...],
        deaf: list[int] | tuple[int, ...] = (),
        ill: str = "ok",
        farewell: str = "ok",
    ) -> None:
        self.lines, self.deaf, self.ill, self.farewell = lines, deaf, ill, farewell
        self.heard = self.asked = 0

    def answer(self, prompt: str) -> str:
        """The line in answer to "init", "hear ...", "choose ..." or "end ..."."""
        kind = prompt.partition(" ")[0]
        if kind == "init":
            return self.ill
        if kind == "hear":
            self.heard += 1
            return "fault deaf" if self.heard in self.deaf else "ok"
        if kind == "choose":
            self.asked += 1
            return self.lines[min(self.asked, len(self.lines)) - 1]
        return self.farewell


def action_of(words: str, party: str) -> Action | None:
    """ "offer 7", "accept 7", "say TEXT > bob", "as bob offer 7", "leave", "nothing" ..."""
    verb, _, rest = words.strip().partition(" ")
    match verb:
        case "offer":
            return Offer(party, SALE.bid(price=int(rest)))
        case "accept":
            return Accept(party, SALE.bid(price=int(rest)))
        case "propose":
            return OfferForVoting(party, SALE.bid(price=int(rest)))
        case "announce":
            price, result = rest.split()
            return InformVotingResult(party, SALE.bid(price=int(price)), Vote(result))
        case "vote":
            return VoteForOfferAcceptance(party, Vote(rest))
        case "say":
            text, _, to = rest.partition(" > ")
            return Say(party, text, (to,) if to else ())
        case "as":
            other, _, deed = rest.partition(" ")
            return action_of(deed, other)
        case "leave":
            return EndNegotiation(party)
        case _:
            return None


def answer_of(line: str, party: str) -> Any:
    """The answer that a line stands for: "ACTION", or "ACTION | message | note"."""
    words, *more = line.split(" | ")
    action = action_of(words, party)
    if not more:
        return action
    assert action is not None
    return Reply(action, more[0], {"why": more[1]} if len(more) > 1 else {})


class Clock:
    """Seconds that pass only when somebody thinks: a second a turn."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@attrs.frozen
class Story:
    """Minds at a table, and what must come of it."""

    title: str
    minds: Mapping[str, Mapping[str, Any]]
    reason: Reason
    price: int | None = None
    faults: tuple[str, ...] = ()
    protocol: str = "alternating_offers"
    deadline: str = "4rounds"
    retries: int = 0
    on_fault: FaultPolicy = "fail"
    faithful: bool = False
    rounds: int | None = None

    @property
    def plan(self) -> SessionPlan:
        parties = [party for party in self.minds if party != "mediator"]
        profile = LinearUtilitySpace(domain=SALE, coefficients=[0.1], reservation_value=0.2)
        seats = [
            SeatPlan(p, "" if p == "mediator" else p, "mind", p == "mediator") for p in self.minds
        ]
        return SessionPlan(
            protocol=self.protocol,
            scenario=Scenario(SALE, dict.fromkeys(parties, profile)),
            seats=seats,
            deadline=Deadline.parse(self.deadline),
            seed=5,
            retries=self.retries,
            on_fault=self.on_fault,
            faithful=self.faithful,
        )


def does(*lines: str, **more: Any) -> Mapping[str, Any]:
    return {"lines": lines, **more}


STORIES = [
    Story(
        "an offer is accepted across the border of a round",
        {"ann": does("offer 3", "accept 5"), "bob": does("offer 5"), "carl": does("accept 5")},
        Reason.AGREEMENT,
        price=5,
        rounds=2,
    ),
    Story(
        "replies carry messages for all and notes for nobody",
        {
            "ann": does("offer 3 | Take it! | they look poor", "leave | Bye."),
            "bob": does("offer 9 | Never. | bluff"),
        },
        Reason.WALKAWAY,
    ),
    Story(
        "lazy rounds let a party talk, to all or to one, before it acts",
        {
            "ann": does("say hello", "say psst > carl", "offer 4"),
            "bob": does("say hm > ann", "accept 4"),
            "carl": does("accept 4"),
        },
        Reason.AGREEMENT,
        price=4,
        protocol=TALK,
    ),
    Story(
        "sealed offers are heard when all are in",
        {
            "ann": does("offer 3", "offer 6"),
            "bob": does("offer 4 | higher | patience", "offer 6"),
            "carl": does("offer 3", "offer 6"),
        },
        Reason.AGREEMENT,
        price=6,
        protocol=SEALED,
    ),
    Story(
        "in a sealed round the one who failed is asked again",
        {
            "ann": does("offer 3 | | a", "offer 6"),
            "bob": does("fault boom", "accept 3 | | b", "offer 4", "offer 6"),
            "carl": does("nothing", "offer 3", "offer 6"),
        },
        Reason.AGREEMENT,
        price=6,
        protocol=SEALED,
        retries=2,
        faults=(
            "Round 1: bob raised RuntimeError: boom",
            "Round 1: bob must Offer or EndNegotiation, said Accept",
            "Round 1: carl must Offer or EndNegotiation, said nothing",
        ),
    ),
    Story(
        "a sealed round that one party fails keeps what the others have done before",
        {"ann": does("offer 3"), "bob": does("fault boom"), "carl": does("offer 3")},
        Reason.FAULT,
        protocol=SEALED,
        faults=("Round 1: bob raised RuntimeError: boom",),
    ),
    Story(
        "a sealed round that one party forfeits goes on",
        {"ann": does("offer 3"), "bob": does("fault boom", "offer 3"), "carl": does("offer 3")},
        Reason.AGREEMENT,
        price=3,
        protocol=SEALED,
        on_fault="forfeit",
        rounds=2,
        faults=("Round 1: bob raised RuntimeError: boom",),
    ),
    Story(
        "who cannot hear in a sealed round loses the news, and the others do not",
        {
            "ann": does("offer 3", "offer 5", deaf=[1]),
            "bob": does("offer 4", "offer 5"),
            "carl": does("offer 4", "offer 5", deaf=[2]),
        },
        Reason.AGREEMENT,
        price=5,
        protocol=SEALED,
        on_fault="forfeit",
        faults=(
            "Round 1: ann raised RuntimeError: deaf",
            "Round 1: carl raised RuntimeError: deaf",
        ),
    ),
    Story(
        "a refused answer is asked again with the refusal",
        {
            "ann": does("accept 3", "as bob offer 3", "vote ACCEPT", "offer 3"),
            "bob": does("accept 4", "accept 3"),
        },
        Reason.AGREEMENT,
        price=3,
        retries=3,
        faults=(
            "Round 1: ann must Offer or EndNegotiation, said Accept",
            "Round 1: ann acted in the name of 'bob'; use the own id",
            "Round 1: ann must Offer or EndNegotiation, said VoteForOfferAcceptance",
            "Round 1: bob said Accept with bid price: 4, but the bid must be price: 3",
        ),
    ),
    Story(
        "a fault ends the session",
        {"ann": does("offer 3"), "bob": does("fault boom")},
        Reason.FAULT,
        faults=("Round 1: bob raised RuntimeError: boom",),
        rounds=1,
    ),
    Story(
        "a forfeited turn is lost and takes the offer from the table",
        {
            "ann": does("offer 3", "offer 4"),
            "bob": does("nothing", "accept 4"),
            "carl": does("offer 8", "accept 4"),
        },
        Reason.AGREEMENT,
        price=4,
        on_fault="forfeit",
        faults=("Round 1: bob must Accept or Offer or EndNegotiation, said nothing",),
    ),
    Story(
        "whoever cannot listen is named, and the session ends",
        {"ann": does("offer 3"), "bob": does("accept 3", deaf=[2]), "carl": does("accept 3")},
        Reason.FAULT,
        faults=("Round 1: bob raised RuntimeError: deaf",),
    ),
    Story(
        "whoever cannot listen misses it, and those behind it do not",
        {"ann": does("offer 3"), "bob": does("accept 3", deaf=[1, 2]), "carl": does("accept 3")},
        Reason.AGREEMENT,
        price=3,
        on_fault="forfeit",
        faults=(
            "Round 0: bob raised RuntimeError: deaf",
            "Round 1: bob raised RuntimeError: deaf",
        ),
    ),
    Story(
        "the last words of a session may fail to be heard",
        {"ann": does("offer 3", deaf=[2]), "bob": does("accept 3")},
        Reason.AGREEMENT,
        price=3,
        on_fault="forfeit",
        faults=("Round 1: ann raised RuntimeError: deaf",),
    ),
    Story(
        "an agreement survives that its last words are not heard",
        {"ann": does("offer 3", deaf=[2]), "bob": does("accept 3")},
        Reason.AGREEMENT,
        price=3,
        faults=("Round 1: ann raised RuntimeError: deaf",),
    ),
    Story(
        "a party that cannot be prepared ends the session whatever the policy",
        {"ann": does("offer 3"), "bob": does("accept 3", ill="fault ill"), "carl": does("leave")},
        Reason.FAULT,
        on_fault="forfeit",
        faults=("Round 0: bob raised RuntimeError: ill",),
    ),
    Story(
        "a party that cannot be prepared ends a session in which nobody is ever asked",
        {"ann": does("leave", ill="fault ill"), "bob": does("leave")},
        Reason.FAULT,
        protocol="default",
        faults=("Round 0: ann raised RuntimeError: ill",),
        rounds=0,
    ),
    Story(
        "what goes wrong after the end changes nothing",
        {
            "ann": does("offer 3", farewell="fault tears"),
            "bob": does("accept 3", farewell="note cheap"),
        },
        Reason.AGREEMENT,
        price=3,
        faults=("Round 1: ann raised RuntimeError: tears",),
    ),
    Story(
        "seconds run out between two turns of a round",
        {"ann": does("offer 3"), "bob": does("offer 4"), "carl": does("offer 5")},
        Reason.DEADLINE,
        deadline="4.5s",
        rounds=2,
    ),
    Story(
        "seconds run out at the end of a round",
        {"ann": does("offer 3"), "bob": does("offer 4")},
        Reason.DEADLINE,
        deadline="3.5s",
        rounds=2,
    ),
    Story(
        "the offer before the last second is heard, and whoever cannot is named",
        {"ann": does("offer 3"), "bob": does("offer 4"), "carl": does("offer 5", deaf=[2])},
        Reason.DEADLINE,
        deadline="0.5s",
        faults=("Round 1: carl raised RuntimeError: deaf",),
    ),
    Story(
        "rounds and seconds: the seconds run out first",
        {"ann": does("offer 3"), "bob": does("offer 4")},
        Reason.DEADLINE,
        deadline="9rounds,2.5s",
        rounds=2,
    ),
    Story(
        "rounds and seconds: the rounds run out first",
        {"ann": does("offer 3"), "bob": does("offer 4")},
        Reason.DEADLINE,
        deadline="2rounds,99s",
        rounds=2,
    ),
    Story(
        "seconds run out in sealed rounds",
        {"ann": does("offer 3"), "bob": does("offer 4")},
        Reason.DEADLINE,
        protocol=SEALED,
        deadline="3.5s",
        rounds=2,
    ),
    Story(
        "an agreement before the last second",
        {"ann": does("offer 3"), "bob": does("accept 3")},
        Reason.AGREEMENT,
        price=3,
        deadline="30s",
        rounds=1,
    ),
    Story(
        "a session in which nobody is ever asked lasts until the last second",
        {"ann": does("leave"), "bob": does("leave")},
        Reason.DEADLINE,
        protocol="default",
        deadline="3rounds,99s",
        rounds=3,
    ),
    Story(
        "faithful: an agreement before the last second",
        {"ann": does("offer 3"), "bob": does("offer 4", "accept 3")},
        Reason.AGREEMENT,
        price=3,
        deadline="30s",
        faithful=True,
        rounds=2,
    ),
    Story(
        "faithful: seconds that run out within a round cost the round before it too",
        {"ann": does("offer 3"), "bob": does("offer 4"), "carl": does("offer 5")},
        Reason.DEADLINE,
        deadline="6.5s",
        faithful=True,
        rounds=1,
    ),
    Story(
        "faithful: seconds that run out with a round cost that round",
        {"ann": does("offer 3"), "bob": does("offer 4")},
        Reason.DEADLINE,
        deadline="3.5s",
        faithful=True,
        rounds=1,
    ),
    Story(
        "votes are for the mediator's ears",
        {
            "mediator": does("propose 4", "announce 4 ACCEPT", "propose 2", "announce 2 REJECT"),
            "ann": does("vote ACCEPT", "vote ACCEPT"),
            "bob": does("vote ACCEPT", "vote REJECT"),
        },
        Reason.AGREEMENT,
        price=4,
        protocol="simple_mediator",
        deadline="2rounds",
    ),
]

every_story = pytest.mark.parametrize("story", STORIES, ids=[story.title for story in STORIES])


class MindParty(NegotiationParty):
    """A mind in this process; each thought takes a second of the clock."""

    def __init__(self, mind: Mind, clock: Clock) -> None:
        self._mind, self._clock = mind, clock

    def _ask(self, prompt: str) -> str:
        line = self._mind.answer(prompt)
        if line.startswith("fault "):
            raise RuntimeError(line.partition(" ")[2])
        return line

    def init(self, info: NegotiationInfo) -> None:
        super().init(info)
        self._ask("init")

    def receive_message(self, sender: str | None, action: Action) -> None:
        self._ask("hear")

    def choose_action(self, allowed: Allowed) -> Any:
        self._clock.now += 1
        return answer_of(self._ask("choose"), self.id)

    def negotiation_ended(self, agreement: Bid | None) -> Mapping[str, object] | None:
        line = self._ask("end")
        return {"note": line} if line.startswith("note") else None


def manager_of(story: Story) -> SessionManager:
    clock = Clock()

    def maker(party: str) -> Callable[[], MindParty]:
        return lambda: MindParty(Mind(**story.minds[party]), clock)

    return SessionManager(story.plan, {p: maker(p) for p in story.minds}, clock=clock)


class ByLines:
    """Drives the loop with nothing but lines of text: a prompt out, an answer in."""

    def __init__(self, plan: SessionPlan, ask: Callable[[str, str], str]) -> None:
        self._plan, self._ask, self._clock = plan, ask, Clock()

    def play(self) -> Outcome:
        plan = self._plan
        timeline = Timeline(plan.deadline, self._clock)
        session = Session(
            plan.scenario.domain,
            plan.deadline,
            timeline,
            seed=plan.stream(1),
            retries=plan.retries,
            on_fault=plan.on_fault,
            faithful=plan.faithful,
        )
        seats = [Seat(s.id, s.role, s.is_mediator) for s in plan.seats]
        play = negotiate(registry.make("protocol", plan.protocol), session, seats)
        ill = self._prepare()
        step = next(play)
        try:
            if ill is not None:
                step = play.send([ill])
            while True:
                step = play.send(self._answers(step))
        except StopIteration:
            return Outcome(plan, session.log)

    def _prepare(self) -> Fault | None:
        self._ready: list[str] = []
        for seat in self._plan.seats:
            line = self._ask(seat.id, "init")
            if line != "ok":
                return attrs.evolve(_fault(seat.id, line, "init"), fatal=True)
            self._ready.append(seat.id)
        return None

    def _answers(self, step: Step) -> Sequence[Answer | Notes]:
        heard = 0
        late: list[Answer | Notes] = []
        for event in step.tell:
            for listener in event.audience:
                if listener in self._ready:
                    line = self._ask(listener, f"hear {event.sender}: {event.action}")
                    if line != "ok":
                        fault = _fault(listener, line, "receive_message", heard)
                        if step.ended is None:
                            return [fault]
                        late.append(fault)
                heard += 1
        if step.ended is not None:
            return [*late, *self._farewell(step.ended.agreement)]
        return [self._choice(turn.party.id, turn.allowed) for turn in step.ask]

    def _choice(self, party: str, allowed: Allowed) -> Any:
        self._clock.now += 1
        line = self._ask(party, f"choose {allowed}")
        return _fault(party, line) if line.startswith("fault") else answer_of(line, party)

    def _farewell(self, agreement: Bid | None) -> Iterable[Answer | Notes]:
        for party in self._ready:
            line = self._ask(party, f"end {agreement}")
            if line.startswith("fault"):
                yield _fault(party, line, "negotiation_ended")
            elif line.startswith("note"):
                yield Notes(party, {"note": line})


def _fault(party: str, line: str, during: Moment = "choose_action", delivered: int = 0) -> Fault:
    why = line.partition(" ")[2]
    return Fault(party, f"raised RuntimeError: {why}", during=during, delivered=delivered)


def same(log: Log, other: Log) -> None:
    """Equal event by event, what travels outside equality included."""
    assert [(e, getattr(e.action, "message", "")) for e in log] == [
        (e, getattr(e.action, "message", "")) for e in other
    ]


@every_story
def test_in_process(story: Story) -> None:
    outcome = manager_of(story).run()
    assert outcome.reason is story.reason
    assert (outcome.agreement and outcome.agreement["price"]) == story.price
    faults = [str(attrs.evolve(fault, place="")) for fault in outcome.faults]
    assert tuple(faults) == story.faults
    if story.rounds is not None:
        assert outcome.rounds == story.rounds


@every_story
def test_in_lockstep(story: Story) -> None:
    # One story among all others, two of it at once.
    first, second = STORIES[0], STORIES[3]
    stories = [story, first, story, second]
    for told, outcome in zip(stories, lockstep(map(manager_of, stories)), strict=True):
        same(outcome.log, manager_of(told).run().log)


@every_story
def test_by_a_replay(story: Story) -> None:
    outcome = manager_of(story).run()
    same(replay(outcome).log, outcome.log)
    lines = list(dump_log(outcome))
    again = replay(parse_log(lines))
    same(again.log, outcome.log)
    assert list(dump_log(again)) == lines


@every_story
def test_by_a_person_who_types(story: Story) -> None:
    minds = {party: Mind(**mind) for party, mind in story.minds.items()}
    prompts: list[str] = []

    def ask(party: str, prompt: str) -> str:
        prompts.append(f"{party}: {prompt}")
        return minds[party].answer(prompt)

    same(ByLines(story.plan, ask).play().log, manager_of(story).run().log)
    assert prompts


PEER = f"""
import json, sys

{inspect.getsource(Mind)}

minds = {{party: Mind(**mind) for party, mind in json.loads(sys.argv[1]).items()}}
for line in sys.stdin:
    party, prompt = json.loads(line)
    print(json.dumps(minds[party].answer(prompt)), flush=True)
"""


@every_story
def test_by_a_process_at_the_other_end_of_a_pipe(story: Story) -> None:
    minds = json.dumps({party: dict(mind) for party, mind in story.minds.items()})
    with subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", PEER, minds],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as peer:
        assert peer.stdin is not None
        assert peer.stdout is not None
        to, back = peer.stdin, peer.stdout

        def ask(party: str, prompt: str) -> str:
            print(json.dumps([party, prompt]), file=to, flush=True)
            return str(json.loads(back.readline()))

        outcome = ByLines(story.plan, ask).play()
        to.close()
    same(outcome.log, manager_of(story).run().log)
