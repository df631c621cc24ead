"""Scripted parties: they do what a list of instructions says."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from genius_py.action import (
    Accept,
    Action,
    EndNegotiation,
    EndNegotiationWithAnOffer,
    Feedback,
    GiveFeedback,
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
from genius_py.bid import Bid
from genius_py.errors import OptionError, StrategyError
from genius_py.party import NegotiationInfo, NegotiationParty

__all__ = ["Scripted", "ScriptedFailure", "ScriptedMediator"]

_FLAGS = frozenset({"@ThrowInInit", "@ThrowInReceive", "@ThrowInEnded", "@LogInEnded"})

_WITH_BID: Mapping[str, type[Offer | Accept | Reject | EndNegotiationWithAnOffer]] = {
    cls.__name__: cls
    for cls in (
        Offer,
        OfferForVoting,
        OfferForFeedback,
        Accept,
        Reject,
        EndNegotiationWithAnOffer,
    )
}

_ARGUMENTS: Mapping[str, int] = {
    **dict.fromkeys(_WITH_BID, 1),
    **dict.fromkeys(("EndNegotiation", "NoAction", "Null", "Throw"), 0),
    "Vote": 1,
    "Feedback": 1,
    "InformVotingResult": 2,
    "ForeignOffer": 2,
    "Sleep": 1,
    "SleepOffer": 2,
    "SleepOfferForVoting": 2,
}
"""How many words follow each instruction."""


class ScriptedFailure(Exception):
    """What a scripted party raises when its script says so."""


class Scripted(NegotiationParty):
    """Follows a script: one instruction a turn, the last one again and again.

    Instructions are an action's name and what it holds: ``Offer k``, ``OfferForVoting k``,
    ``OfferForFeedback k``, ``Accept k``, ``Reject k``, ``EndNegotiationWithAnOffer k``,
    ``EndNegotiation``, ``NoAction``, ``Vote ACCEPT``, ``Feedback BETTER``,
    ``InformVotingResult ACCEPT last``; k is the index of a bid, or ``last`` for the bid that was
    proposed last, by whomever. For mischief there are ``Null`` (no answer), ``Throw``,
    ``ForeignOffer k ID`` (in another's name), and with milliseconds ``Sleep ms`` (then it walks
    away), ``SleepOffer ms k`` and ``SleepOfferForVoting ms k``. Flags stand anywhere and take no
    turn: ``@ThrowInInit``, ``@ThrowInReceive`` (at a message from another party),
    ``@ThrowInEnded``, ``@LogInEnded`` (notes ``note: done``).

    Args:
        script: the instructions, as a list or as one text with ``;`` between them.
        sleep: waits for some seconds.

    Raises:
        OptionError: something is not an instruction, or there is none.
    """

    name: ClassVar[str] = "scripted"

    def __init__(
        self,
        script: str | Sequence[str] = "EndNegotiation",
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        lines = script.split(";") if isinstance(script, str) else script
        words = [line.split() for line in lines if line.strip()]
        self._flags = {line[0] for line in words if line[0] in _FLAGS}
        self._instructions = [line for line in words if line[0] not in _FLAGS]
        for name, *arguments in self._instructions:
            if len(arguments) != _ARGUMENTS.get(name):
                raise OptionError(
                    f"{' '.join((name, *arguments))!r} is not an instruction for a scripted party."
                )
        if not self._instructions:
            raise OptionError("A scripted party needs one instruction at least.")
        self._sleep = sleep
        self._turns = 0
        self._last: Bid | None = None

    def init(self, info: NegotiationInfo) -> None:
        """Get ready, or fail."""
        super().init(info)
        self._fail_if("@ThrowInInit")

    def receive_message(self, sender: str | None, action: Action) -> None:
        """Remember the bid that was proposed last, or fail."""
        if sender is not None:
            self._fail_if("@ThrowInReceive")
        if isinstance(action, Offer):
            self._last = action.bid

    def choose_action(self, allowed: Allowed) -> Action:
        """The next instruction, whether it is allowed or not."""
        place = min(self._turns, len(self._instructions) - 1)
        self._turns += 1
        action = self._carry_out(*self._instructions[place])
        if isinstance(action, Offer):
            self._last = action.bid
        return action

    def negotiation_ended(self, agreement: Bid | None) -> Mapping[str, object] | None:
        """Take notes, or fail."""
        self._fail_if("@ThrowInEnded")
        return {"note": "done"} if "@LogInEnded" in self._flags else None

    def _carry_out(self, name: str, *arguments: str) -> Action:
        match name, *arguments:
            case "Sleep" | "SleepOffer" | "SleepOfferForVoting", milliseconds, *rest:
                self._sleep(float(milliseconds) / 1000)
                return self._carry_out(name.removeprefix("Sleep") or "EndNegotiation", *rest)
            case "ForeignOffer", bid, party:
                return Offer(party, self._bid(bid))
            case "Vote", vote:
                return VoteForOfferAcceptance(self.id, Vote(vote))
            case "Feedback", feedback:
                return GiveFeedback(self.id, Feedback(feedback))
            case "InformVotingResult", vote, bid:
                return InformVotingResult(self.id, self._bid(bid), Vote(vote))
            case ("EndNegotiation",):
                return EndNegotiation(self.id)
            case ("NoAction",):
                return NoAction(self.id)
            case ("Null",):
                return None  # type: ignore[return-value]
            case ("Throw",):
                raise ScriptedFailure("The script says so.")
            case _, bid:
                return _WITH_BID[name](self.id, self._bid(bid))
        raise AssertionError(name)

    def _bid(self, word: str) -> Bid:
        if word != "last":
            return self.domain.bid_at(int(word))
        if self._last is None:
            raise StrategyError(f"{self.id} has heard no bid yet; its script asks for the last.")
        return self._last

    def _fail_if(self, flag: str) -> None:
        if flag in self._flags:
            raise ScriptedFailure("The script says so.")


class ScriptedMediator(Scripted):
    """A scripted party in the mediator's seat."""

    name: ClassVar[str] = "scripted-mediator"
    is_mediator: ClassVar[bool] = True
