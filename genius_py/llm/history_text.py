"""What a party has seen happen, oldest first, each offer with its fate."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import attrs

from genius_py.action import Accept, Action, Inform, InformVotingResult, Offer, Reject, Say
from genius_py.bid import Bid
from genius_py.llm.profile_text import value_text, worth_text
from genius_py.log import Event, Kind
from genius_py.utility import UtilitySpace

__all__ = ["bid_text", "history_text", "quoted"]


def history_text(
    history: Sequence[Event], party: str, space: UtilitySpace | None, most: int
) -> str:
    """The visible actions, one a line; at most the last `most` of them, which is then said.

    An offer's fate is who accepted or rejected that very bid, or that another offer came instead.
    What others say is quoted, so that it can be told from what is.
    """
    told = [e for e in history if e.kind == Kind.INFORM and isinstance(e.action, Inform)]
    done = [e for e in history if e.kind == Kind.ACTION and e.action is not None]
    lines = [f"You were told that {e.action.name} is {_told(e.action.value)}." for e in told]  # type: ignore[union-attr]
    left_out = max(0, len(done) - most)
    if left_out:
        turns = "The first turn is" if left_out == 1 else f"The first {left_out} turns are"
        lines.append(f"({turns} left out.)")
    lines += [
        _line(event, done[place + 1 :], party, space)
        for place, event in enumerate(done)
        if place >= left_out
    ]
    return "\n".join(lines)


def _line(event: Event, later: Sequence[Event], party: str, space: UtilitySpace | None) -> str:
    action = event.action
    assert action is not None
    deed = str(attrs.evolve(action, message="")).removeprefix(action.party)
    if isinstance(action, Say):
        deed = f"says {quoted(action.text)}"
    deed = " ".join(deed.split())  # a text in it must not look like another turn
    who = f"{action.party} (you)" if action.party == party else action.party
    bid = getattr(action, "bid", None)
    if isinstance(bid, Bid):
        deed = deed.replace(str(bid), bid_text(bid))
        if space is not None and bid in space.domain:
            deed += f" (worth {worth_text(space.utility(bid))} to you)"
    said = f", saying {quoted(action.message)}" if action.message else ""
    return f"Round {event.round}: {who} {deed}{said}{_fate(action, later, party)}"


def _fate(action: Action, later: Sequence[Event], party: str) -> str:
    if not isinstance(action, Offer):
        return ""
    accepted: list[str] = []
    rejected: list[str] = []
    countered = False
    for event in later:
        answer = event.action
        if isinstance(answer, InformVotingResult) and answer.bid == action.bid:
            return f" [the vote: {answer.vote.value}]"
        if isinstance(answer, Offer) and event.party == action.party:
            break  # with its next one this offer is history
        if event.party == action.party:
            continue
        who = "you" if event.party == party else event.party
        if isinstance(answer, Accept) and answer.bid == action.bid:
            accepted.append(who)
        elif isinstance(answer, Reject) and answer.bid == action.bid:
            rejected.append(who)
        elif isinstance(answer, Offer):
            countered = True
    fates = [f"accepted by {', '.join(accepted)}"] if accepted else []
    fates += [f"rejected by {', '.join(rejected)}"] if rejected else []
    fates += ["countered"] if countered else []
    return f" [{'; '.join(fates) or 'open'}]"


def _told(value: object) -> str:
    return quoted(value) if isinstance(value, Mapping) else str(value)


def bid_text(bid: Bid) -> str:
    """A bid as it is shown."""
    return ", ".join(f"{name}: {value_text(value)}" for name, value in bid.items())


def quoted(text: object) -> str:
    """What somebody said, on one line and in quotation marks that it cannot leave."""
    return json.dumps(text, ensure_ascii=False, default=str)
