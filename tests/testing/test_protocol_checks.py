"""A deliberately broken protocol of each kind fails, with a sentence that says what to mend."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import attrs
import pytest

from genius_py.action import Accept, Action, EndNegotiation, Forfeit, Offer, Reject
from genius_py.allowed import Allowed, BidOf, OneOf
from genius_py.bid import Bid
from genius_py.errors import ActionError, OptionError, UnknownName
from genius_py.protocol import Listeners
from genius_py.protocols.alternating_offers import StackedAlternatingOffersProtocol
from genius_py.protocols.default import listen_to_all
from genius_py.session import Round, Seat, Session, Turn
from genius_py.testing import ConformanceError, check_protocol
from genius_py.testing.scenarios import mixed_scenario


class Sound(StackedAlternatingOffersProtocol):
    name: ClassVar[str] = "sound"


class Endless(Sound):
    """A round that goes on until there is an agreement."""

    def _turns(self, parties: Sequence[Seat]) -> Iterator[Turn]:
        while True:
            yield from super()._turns(parties)


class Shuffled(Sound):
    """The order of turns is drawn from the generator of the whole process."""

    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        return super().get_round_structure(random.sample(parties, len(parties)), session)


class Haunted(Sound):
    """A turn for somebody who does not sit there."""

    def _turns(self, parties: Sequence[Seat]) -> Iterator[Turn]:
        yield Turn(Seat(parties[0].id), self._opening[parties[0]].allowed)


class Idle(Sound):
    """A turn in which nothing may be done."""

    def _turns(self, parties: Sequence[Seat]) -> Iterator[Turn]:
        yield from super()._turns(parties)
        yield Turn(parties[0], Allowed())


class Undeclared(Sound):
    """Allows an action that it does not say it speaks."""

    actions: ClassVar[tuple[type[Action], ...]] = (Accept, Offer)


class Unruled(Sound):
    """Lets anything be offered."""

    def _turns(self, parties: Sequence[Seat]) -> Iterator[Turn]:
        for seat in parties:
            yield Turn(seat, Allowed(Offer, EndNegotiation))


class Contradictory(Sound):
    """Allows what it always refuses."""

    actions: ClassVar[tuple[type[Action], ...]] = (Accept, Offer, Reject, EndNegotiation)

    def _turns(self, parties: Sequence[Seat]) -> Iterator[Turn]:
        for turn in super()._turns(parties):
            bid = {"bid": BidOf(self._domain)}
            yield Turn(turn.party, Allowed({Reject: bid}, turn.allowed))

    def before_session(
        self, session: Session, parties: Sequence[Seat]
    ) -> Mapping[Seat, Sequence[Action]]:
        self._domain = session.domain
        return super().before_session(session, parties)

    def apply_action(self, action: Action, session: Session) -> None:
        if isinstance(action, Reject):
            raise ActionError("cannot reject anything here")
        super().apply_action(action, session)


class Credulous(Contradictory):
    """Takes the acceptance of what nobody has offered."""

    def _turns(self, parties: Sequence[Seat]) -> Iterator[Turn]:
        bid = {"bid": BidOf(self._domain)}
        for seat in parties:
            yield Turn(seat, Allowed({Offer: bid, Accept: bid}))

    def apply_action(self, action: Action, session: Session) -> None:
        if isinstance(action, Accept):
            self.last_offer = action.bid
        super().apply_action(action, session)


class Hasty(Credulous):
    """Changes something before it refuses."""

    def apply_action(self, action: Action, session: Session) -> None:
        if isinstance(action, Accept) and action.bid != self.last_offer:
            self._backing = []
            self.last_offer = None
            raise ActionError("accepted something else")
        StackedAlternatingOffersProtocol.apply_action(self, action, session)


class Fickle(Sound):
    """Gives the agreement away when it is asked for it."""

    def get_current_agreement(self, session: Session, parties: Sequence[Seat]) -> Bid | None:
        agreement = super().get_current_agreement(session, parties)
        self._backing = []
        return agreement


class Fleeting(Sound):
    """Tells the agreement once."""

    def get_current_agreement(self, session: Session, parties: Sequence[Seat]) -> Bid | None:
        agreement = super().get_current_agreement(session, parties)
        if agreement is not None:
            self._backing = []
        return agreement


class Alternating(Sound):
    """Says yes and no in turn."""

    _asked = 0

    def get_number_of_agreeing_parties(self, session: Session, parties: Sequence[Seat]) -> int:
        self._asked += 1
        return self._asked % 2


class Curious(Sound):
    """Asked for the agreement, it sees to it that nobody may walk away any more."""

    _asked = False

    def get_current_agreement(self, session: Session, parties: Sequence[Seat]) -> Bid | None:
        self._asked = True
        return super().get_current_agreement(session, parties)

    def _turns(self, parties: Sequence[Seat]) -> Iterator[Turn]:
        for seat, allowed in super()._turns(parties):
            rules = {k: v for k, v in allowed.items() if k is not EndNegotiation or not self._asked}
            yield Turn(seat, Allowed(rules))


class Inventive(Sound):
    """Comes to an agreement of its own."""

    def get_current_agreement(self, session: Session, parties: Sequence[Seat]) -> Bid | None:
        return session.domain.bid_at(0) if len(self._backing) >= len(parties) else None


class Forgetful(Sound):
    """Never finished before the deadline, when the round that is too many wipes the table."""

    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        self._agreed = self._backing = []
        return super().get_round_structure(parties, session)

    def is_finished(self, session: Session, parties: Sequence[Seat]) -> bool:
        return self.ended


@attrs.frozen
class Pledge(Action):
    """An action with a field that JSON cannot give back."""

    things: object


class Unwritable(Sound):
    """Speaks an action that no log can hold."""

    actions: ClassVar[tuple[type[Action], ...]] = (Pledge,)

    def _turns(self, parties: Sequence[Seat]) -> Iterator[Turn]:
        for seat in parties:
            yield Turn(seat, Allowed({Pledge: {"things": OneOf([("a", "b")])}}))


class Shared(Sound):
    """Keeps what was offered on the class."""

    offered: ClassVar[list[Bid]] = []

    def apply_action(self, action: Action, session: Session) -> None:
        if isinstance(action, Offer):
            self.offered.append(action.bid)
        super().apply_action(action, session)

    def get_number_of_agreeing_parties(self, session: Session, parties: Sequence[Seat]) -> int:
        return len(self.offered) % 2


class Unstoppable(Sound):
    """Goes on although it was ended."""

    def end_negotiation(self, reason: str | None = None) -> None:
        self._detail = reason or ""


class Silent(Sound):
    """Does not tell why it was ended."""

    def end_negotiation(self, reason: str | None = None) -> None:
        super().end_negotiation()


class Echoing(Sound):
    """Everybody hears everybody, the speaker included (Genius's listenToNone)."""

    def get_action_listeners(self, parties: Sequence[Seat]) -> Listeners:
        return {seat: tuple(parties) for seat in parties}


class Leaking(Sound):
    """Lets somebody listen who does not sit there."""

    def get_action_listeners(self, parties: Sequence[Seat]) -> Listeners:
        return {seat: (Seat("press"),) for seat in parties}


class Gossiping(Sound):
    """Tells the result to somebody who does not sit there."""

    def get_agreement_listeners(self, parties: Sequence[Seat]) -> Sequence[Seat]:
        return [*parties, Seat("press")]


class Unmanned(Sound):
    """Seats a party by default that nobody knows."""

    default_parties: ClassVar[tuple[str, ...]] = ("boulwear",)


class Deserted(Sound):
    """Seats nobody by default."""

    default_parties: ClassVar[tuple[str, ...]] = ()


class Misplacing(Sound):
    """Seats a mediator among the parties."""

    default_parties: ClassVar[tuple[str, ...]] = ("random_flipping_mediator",)


class Cramped(Sound):
    """Takes fewer seats than it needs."""

    parties_range: ClassVar[tuple[int, int | None]] = (3, 2)


class Stuttering(Sound):
    """Tells everything twice."""

    def get_action_listeners(self, parties: Sequence[Seat]) -> Listeners:
        return {s: (*others, *others) for s, others in listen_to_all(tuple(parties)).items()}


class Shouting(Sound):
    """Gives a list where a mapping is due."""

    def get_action_listeners(self, parties: Sequence[Seat]) -> Listeners:
        return list(parties)  # type: ignore[return-value]


class Presuming(Sound):
    """Takes silence for consent."""

    def apply_action(self, action: Action, session: Session) -> None:
        if isinstance(action, Forfeit) and self._backing:
            self._backing.append(action.party)
        else:
            super().apply_action(action, session)


class Miscounting(Sound):
    """Counts parties that are not there."""

    def get_number_of_agreeing_parties(self, session: Session, parties: Sequence[Seat]) -> int:
        return len(parties) + 1


class Overpaying(Sound):
    """Pays somebody who does not sit there."""

    def payoffs(self, session: Session, parties: Sequence[Seat]) -> Mapping[str, float] | None:
        return {"bank": 1.0}


class Crashing(Sound):
    """Has a bug."""

    def is_finished(self, session: Session, parties: Sequence[Seat]) -> bool:
        return not self.missing  # type: ignore[attr-defined]


class Nameless(Sound):
    """Has an empty name."""

    name: ClassVar[str] = ""


BROKEN = [
    (Unmanned, "its seats can be filled", "Did you mean 'boulware'"),
    (Deserted, "its seats can be filled", "name who sits where nobody is named"),
    (Misplacing, "its seats can be filled", "name mediators as default_mediator"),
    (Cramped, "its seats can be filled", "give the fewest and the most"),
    (Gossiping, "listeners hear what was declared", "get_agreement_listeners names"),
    (Endless, "every deadline stops it", "let its turns run out"),
    (Shuffled, "the round structure is stable", "session.rng alone"),
    (Haunted, "what a turn allows can be done", "who does not sit here"),
    (Idle, "what a turn allows can be done", "leave the turn out"),
    (Undeclared, "what a turn allows can be done", "not among the actions of Undeclared"),
    (Unruled, "what a turn allows can be done", "BidOf(session.domain)"),
    (Contradictory, "what a turn allows can be done", "cannot reject anything here"),
    (Unruled, "what a turn does not allow is refused", "a bid of another domain"),
    (Credulous, "what a turn does not allow is refused", "a bid that nobody has offered"),
    (Hasty, "what a turn does not allow is refused", "before anything is changed"),
    (Fickle, "agreement queries are pure", "let queries change nothing"),
    (Fleeting, "agreement queries are pure", "get_current_agreement said"),
    (Alternating, "agreement queries are pure", "get_number_of_agreeing_parties said"),
    (Curious, "agreement queries are pure", "let queries change nothing"),
    (Inventive, "what is agreed has been offered", "nobody has offered it"),
    (Forgetful, "what is agreed has been offered", "neither may undo an agreement"),
    (Unwritable, "a replay rebuilds the outcome", "so that JSON can hold them"),
    (Shared, "no state leaks into another session", "nothing on the class"),
    (Unstoppable, "end_negotiation ends it", "let is_finished be true"),
    (Silent, "end_negotiation ends it", "let it tell the reason"),
    (Echoing, "listeners hear what was declared", "listen to itself"),
    (Leaking, "listeners hear what was declared", "who does not sit here"),
    (Stuttering, "listeners hear what was declared", "twice"),
    (Shouting, "listeners hear what was declared", "give a mapping"),
    (Presuming, "a forfeited turn consents to nothing", "forfeited every turn"),
    (Miscounting, "sessions end in a way that makes sense", "count each seat once"),
    (Overpaying, "sessions end in a way that makes sense", "give one to each of ann, bob"),
    (
        Crashing,
        "sessions end in a way that makes sense",
        "has no attribute 'missing' in is_finished",
    ),
    (Nameless, "sessions end in a way that makes sense", "class attribute name"),
]


@pytest.mark.parametrize(
    ("protocol", "claim", "words"), BROKEN, ids=[f"{p.__name__}-{w}" for p, _, w in BROKEN]
)
def test_a_broken_protocol_is_told_what_to_mend(
    protocol: type[Sound], claim: str, words: str
) -> None:
    with pytest.raises(ConformanceError) as caught:
        check_protocol(protocol, mixed_scenario(2))
    failed = {check.claim: check.failure for check in caught.value.report.failures}
    assert words in failed[claim]
    assert words in str(caught.value)


def test_a_sound_protocol_passes_every_check() -> None:
    report = check_protocol(Sound)
    assert report.passed
    assert all(check.passed and not check.skipped for check in report.checks)


def test_a_protocol_is_named_by_its_spec() -> None:
    assert check_protocol("SAOP", mixed_scenario(2)).subject == "SAOP"
    registered = check_protocol(StackedAlternatingOffersProtocol, mixed_scenario(2))
    assert registered.subject == "alternating_offers"
    assert check_protocol(Sound, mixed_scenario(2)).subject.endswith(":Sound")


def test_a_protocol_inside_a_function_cannot_be_found_by_a_log() -> None:
    class Local(Sound):
        name: ClassVar[str] = "local"

    with pytest.raises(OptionError, match="move it to the top of a module"):
        check_protocol(Local)


def test_an_unknown_name_is_no_failure_of_the_protocol() -> None:
    with pytest.raises(UnknownName, match="SAOP"):
        check_protocol("SOAP")
