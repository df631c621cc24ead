"""A deliberately broken party of each kind fails, with a sentence that says what to mend."""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from genius_py.action import Accept, Action, EndNegotiation, Offer, OfferForVoting
from genius_py.allowed import Allowed
from genius_py.bid import Bid
from genius_py.errors import UnknownName
from genius_py.party import NegotiationInfo, NegotiationParty
from genius_py.session import Answer, Turn
from genius_py.testing import ConformanceError, check_party
from genius_py.utility import AdditiveUtilitySpace


class Sound(NegotiationParty):
    """Offers what it likes, and accepts what is worth its reservation value."""

    def choose_action(self, allowed: Allowed) -> Action:
        if Accept in allowed:
            for bid in allowed[Accept]["bid"].values:  # type: ignore[attr-defined]
                if self.utility_space.utility(bid) >= self.utility_space.reservation_value:
                    return Accept(self.id, bid)
        for _ in range(100):
            bid = self.domain.random_bid(self.rng)
            if self.utility_space.utility(bid) >= self.utility_space.reservation_value:
                return Offer(self.id, bid)
        return EndNegotiation(self.id)


class Unprepared(Sound):
    """Cannot be prepared for three parties."""

    def init(self, info: NegotiationInfo) -> None:
        super().init(info)
        (self.other,) = (seat for seat in info.seats if seat != info.agent_id)


class Illegal(Sound):
    """Puts to the vote what it should offer."""

    def choose_action(self, allowed: Allowed) -> Action:
        return OfferForVoting(self.id, self.domain.bid_at(0))


class Impostor(Sound):
    """Speaks for somebody else."""

    def choose_action(self, allowed: Allowed) -> Action:
        return Offer("somebody", self.domain.bid_at(0))


class Mute(Sound):
    """Says nothing once it has been made an offer."""

    def choose_action(self, allowed: Allowed) -> Action:
        return None if Accept in allowed else super().choose_action(allowed)  # type: ignore[return-value]


class Deaf(Sound):
    """Cannot hear the protocol itself."""

    def receive_message(self, sender: str | None, action: Action) -> None:
        sender.title()  # type: ignore[union-attr]


class Inconsolable(Sound):
    """Cannot bear to leave without an agreement."""

    def negotiation_ended(self, agreement: Bid | None) -> Mapping[str, object] | None:
        return dict(agreement)  # type: ignore[arg-type]


class Listing(Sound):
    """Lists every bid there is."""

    def init(self, info: NegotiationInfo) -> None:
        super().init(info)
        self.bids = list(self.domain.bids())


class Choosy(Sound):
    """Needs a second bid."""

    def choose_action(self, allowed: Allowed) -> Action:
        return Offer(self.id, self.domain.bid_at(1))


class Normal(Sound):
    """Believes that utilities are at most 1."""

    def choose_action(self, allowed: Allowed) -> Action:
        assert self.utility_space.utility(self.domain.bid_at(0)) <= 1
        return super().choose_action(allowed)


class Weighing(Sound):
    """Believes that every profile has weights."""

    def choose_action(self, allowed: Allowed) -> Action:
        assert isinstance(self.utility_space, AdditiveUtilitySpace)
        return super().choose_action(allowed)


class Hopeful(Sound):
    """Believes that something is always worth agreeing to."""

    def choose_action(self, allowed: Allowed) -> Action:
        action = super().choose_action(allowed)
        assert not isinstance(action, EndNegotiation)
        return action


class Sociable(Sound):
    """Counts on having been told how many parties there are."""

    def receive_message(self, sender: str | None, action: Action) -> None:
        self.last = action

    def choose_action(self, allowed: Allowed) -> Action:
        assert self.last.party
        return super().choose_action(allowed)


class Gambler(Sound):
    """Draws from the generator of the whole process."""

    def choose_action(self, allowed: Allowed) -> Action:
        return Offer(self.id, self.domain.random_bid(np.random.default_rng(random.getrandbits(32))))


class Counting(Sound):
    """Counts its turns on the class."""

    turns: ClassVar[int] = 0

    def choose_action(self, allowed: Allowed) -> Action:
        Counting.turns += 1
        return Offer(self.id, self.domain.bid_at(Counting.turns % self.domain.size))


class Cheating(Sound):
    """Makes itself believe that everything is worth having."""

    def init(self, info: NegotiationInfo) -> None:
        super().init(info)
        object.__setattr__(info.utility_space, "reservation_value", 0.0)


class Mixing(Sound):
    """Answers many turns in the wrong order."""

    def choose_action(self, allowed: Allowed) -> Action:
        return Offer(self.id, self.domain.bid_at(int(self.rng.integers(self.domain.size))))

    @classmethod
    def choose_actions(cls, asked: Sequence[tuple[Any, Turn]]) -> list[Answer]:
        return [*reversed(super().choose_actions(asked))]


class Nondescript(Sound):
    """Says nothing about itself."""

    def get_description(self) -> str:
        return ""


BROKEN = [
    (Unprepared, "it can be prepared", "too many values to unpack"),
    (Illegal, "it only does what is allowed", "must Offer or EndNegotiation, said OfferForVoting"),
    (Impostor, "it only does what is allowed", "acted in the name of 'somebody'"),
    (Mute, "it only does what is allowed", "said nothing"),
    (Deaf, "it hears everything", "None included"),
    (Inconsolable, "it bears every end", "Expect None"),
    (Listing, "it plays a domain of 10^40 bids", "too many to list"),
    (Choosy, "it plays a domain of one bid", "has bids 0 to 0, not 1"),
    (Normal, "it plays utilities outside [0, 1]", "AssertionError"),
    (Weighing, "it plays utilities from a table", "AssertionError"),
    (Hopeful, "it plays nothing worth agreeing to", "AssertionError"),
    (Sociable, "it bears being told nothing", "Do not count on having heard"),
    (Gambler, "the same seed gives the same session", "Draw from self.rng"),
    (Counting, "the same seed gives the same session", "keep nothing on the class"),
    (Cheating, "it leaves its profile as it is", "must not change"),
    (Mixing, "it plays many sessions in lockstep", "in the order asked"),
    (Nondescript, "it describes itself", "give one line of text"),
]


@pytest.mark.parametrize(
    ("party", "claim", "words"), BROKEN, ids=[f"{p.__name__}-{w}" for p, _, w in BROKEN]
)
def test_a_broken_party_is_told_what_to_mend(party: type[Sound], claim: str, words: str) -> None:
    with pytest.raises(ConformanceError) as caught:
        check_party(party, isolated=False)
    failed = {check.claim: check.failure for check in caught.value.report.failures}
    assert words in failed[claim]


def test_a_sound_party_passes_every_check() -> None:
    report = check_party(Sound)
    skipped = [check for check in report.checks if check.skipped]
    # Where other processes can import this module, it can play in one.
    assert {check.claim for check in skipped} <= {"it plays in a process of its own"}
    assert all("name it by a spec" in check.skipped for check in skipped)


MY_AGENT = '''
"""A party in a loose file."""
from genius_py.action import Accept, Offer
from genius_py.party import NegotiationParty


class MyAgent(NegotiationParty):
    """Accepts whatever is worth half of all, and offers at random."""

    def choose_action(self, allowed):
        worth = self.utility_space.utility
        if Accept in allowed and worth(bid := allowed[Accept]["bid"].values[0]) > 0.5:
            return Accept(self.id, bid)
        return Offer(self.id, self.domain.random_bid(self.rng))
'''


def test_twelve_lines_in_a_loose_file_pass_in_a_process_of_their_own_too(tmp_path: Path) -> None:
    file = tmp_path / "my_agent.py"
    file.write_text(MY_AGENT)
    report = check_party(f"{file}:MyAgent")
    assert not any(check.skipped for check in report.checks)


def test_a_party_that_depends_on_its_process_fails_in_another_one(tmp_path: Path) -> None:
    file = tmp_path / "local.py"
    file.write_text(
        "from multiprocessing import parent_process\n"
        "from genius_py.action import Offer\n"
        "from genius_py.party import NegotiationParty\n\n\n"
        "class Local(NegotiationParty):\n"
        '    """Offers one thing at home and another one abroad."""\n\n'
        "    def choose_action(self, allowed):\n"
        "        abroad = parent_process() is not None\n"
        "        return Offer(self.id, self.domain.bid_at(abroad % self.domain.size))\n"
    )
    with pytest.raises(ConformanceError) as caught:
        check_party(f"{file}:Local")
    (failure,) = caught.value.report.failures
    assert failure.claim == "it plays in a process of its own"
    assert "not on the order of a set" in failure.failure


def test_a_bidding_party_plays_every_registered_protocol() -> None:
    check_party("boulware", isolated=False)


def test_a_party_may_be_checked_under_protocols_of_ones_choice() -> None:
    with pytest.raises(ConformanceError, match="must OfferForVoting"):
        check_party(Sound, ["AMOP"], isolated=False)


def test_an_unknown_party_is_no_failure() -> None:
    with pytest.raises(UnknownName, match="boulware"):
        check_party("boulwear")
