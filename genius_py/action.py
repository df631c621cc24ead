"""What a party, a mediator or a protocol can say in a session.

The classes and their names are those of Genius. Each carries the id of who acts and, outside
equality, a free-text `message` that travels to whoever hears the action.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Self

import attrs

from genius_py.bid import Bid

__all__ = [
    "Accept",
    "Action",
    "EndNegotiation",
    "EndNegotiationWithAnOffer",
    "Feedback",
    "Forfeit",
    "GiveFeedback",
    "IllegalAction",
    "Inform",
    "InformVotingResult",
    "NoAction",
    "Offer",
    "OfferForFeedback",
    "OfferForVoting",
    "Pass",
    "Reject",
    "Say",
    "Vote",
    "VoteForOfferAcceptance",
]


class Vote(enum.Enum):
    """A vote on a proposal."""

    ACCEPT = "ACCEPT"
    REJECT = "REJECT"


class Feedback(enum.Enum):
    """How a proposal compares with the one before it, in the eyes of one party."""

    BETTER = "BETTER"
    SAME = "SAME"
    WORSE = "WORSE"

    @classmethod
    def between(cls, previous: float, current: float) -> Self:
        """The feedback of a party for which the utility went from `previous` to `current`."""
        if previous > current:
            return cls("WORSE")
        return cls("SAME") if previous == current else cls("BETTER")


@attrs.frozen
class Action:
    """Something that `party` (an id) does; the base of all actions."""

    party: str
    message: str = attrs.field(default="", eq=False, kw_only=True)

    def __str__(self) -> str:
        said = f' saying "{self.message}"' if self.message else ""
        return f"{self._sentence()}{said}"

    def _sentence(self) -> str:
        return f"{self.party} {self._deed()}"

    def _deed(self) -> str:
        return type(self).__name__


@attrs.frozen(str=False)
class Offer(Action):
    """Propose a bid."""

    bid: Bid

    def _deed(self) -> str:
        return f"offers {self.bid}"


@attrs.frozen
class OfferForVoting(Offer):
    """Propose a bid that the others vote on."""

    def _deed(self) -> str:
        return f"puts to the vote {self.bid}"


@attrs.frozen
class OfferForFeedback(Offer):
    """Propose a bid that the others compare with the one before."""

    def _deed(self) -> str:
        return f"asks for feedback on {self.bid}"


@attrs.frozen
class Accept(Action):
    """Agree to an offered bid.

    The bid is repeated so that nobody agrees to another by accident.
    """

    bid: Bid

    def _deed(self) -> str:
        return f"accepts {self.bid}"


@attrs.frozen
class Reject(Action):
    """Disagree with an offered bid."""

    bid: Bid

    def _deed(self) -> str:
        return f"rejects {self.bid}"


@attrs.frozen
class EndNegotiation(Action):
    """Walk away; nobody gets more than the reservation value."""

    def _deed(self) -> str:
        return "walks away"


@attrs.frozen
class EndNegotiationWithAnOffer(Action):
    """Walk away leaving a last bid; kept for Genius, no protocol allows it."""

    bid: Bid

    def _deed(self) -> str:
        return f"walks away leaving {self.bid}"


@attrs.frozen
class VoteForOfferAcceptance(Action):
    """Vote on the mediator's proposal."""

    vote: Vote

    def _deed(self) -> str:
        return f"votes {self.vote.value}"


@attrs.frozen
class InformVotingResult(Action):
    """A mediator tells how the vote on a bid came out."""

    bid: Bid
    vote: Vote

    def _deed(self) -> str:
        return f"announces {self.vote.value} for {self.bid}"


@attrs.frozen
class GiveFeedback(Action):
    """Compare the mediator's proposal with its previous one."""

    feedback: Feedback

    def _deed(self) -> str:
        return f"finds it {self.feedback.value}"


@attrs.frozen
class Inform(Action):
    """A protocol tells a fact, such as ``NumberOfAgents``."""

    name: str
    value: object

    def _sentence(self) -> str:
        if self.name == "NumberOfAgents":  # Genius's word for what opens each of its sessions
            return f"{self.value} parties are at the table"
        return super()._sentence()

    def _deed(self) -> str:
        return f"informs that {self.name} is {self.value}"


def _ids(given: str | Iterable[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


@attrs.frozen
class Say(Action):
    """Talk, without negotiating; `to` narrows who hears it (empty: all listeners)."""

    text: str
    to: tuple[str, ...] = attrs.field(default=(), converter=_ids)

    def _deed(self) -> str:
        whom = f" to {', '.join(self.to)}" if self.to else ""
        return f'says{whom} "{self.text}"'


@attrs.frozen
class Forfeit(Action):
    """The engine's record of a turn lost by a fault: it refuses everything on the table.

    No protocol allows a party to choose it.
    """

    def _deed(self) -> str:
        return "forfeits the turn"


@attrs.frozen
class Pass(Action):
    """Let the turn go by; nothing on the table changes."""

    def _deed(self) -> str:
        return "passes"


@attrs.frozen
class NoAction(Action):
    """Nothing; never legal, kept for Genius."""


@attrs.frozen
class IllegalAction(Action):
    """A deliberately illegal action; never legal, kept for Genius."""

    text: str = ""
