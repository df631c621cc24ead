"""What a party has seen happen, oldest first, each offer with its fate."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import attrs

from genius_py.action import (
    Accept,
    Action,
    Inform,
    InformVotingResult,
    Offer,
    OfferForVoting,
    Reject,
)
from genius_py.bid import Bid
from genius_py.llm.profile_text import bid_text, worth_text
from genius_py.llm.quotation import quoted
from genius_py.log import Event, Kind
from genius_py.utility import UtilitySpace

__all__ = ["deed_text", "history_text"]


_LONGEST = 8000
"""Characters of all turns together, about."""

_WORD = re.compile(r"[\w.-]*")


def history_text(
    history: Sequence[Event], party: str, space: UtilitySpace | None, most: int
) -> str:
    """The visible actions, one a line; at most the last `most` of them, which is then said.

    Fewer are shown, again the last ones, where these would be longer than some 8000 characters.

    An offer's fate is who accepted or rejected that very bid, or that another offer came instead;
    it is open until its party makes another. An answer that this tells, and that nothing was said
    with, is no line of its own, so that the lines reach back as far as they can.
    What others say is quoted, so that it can be told from what is.
    """
    told = [e.action for e in history if e.kind == Kind.INFORM and isinstance(e.action, Inform)]
    done = [e for e in history if e.kind == Kind.ACTION and e.action is not None]
    lines = [
        f"You were told that {fact.name} is {_told(fact.value)}."
        for fact in told
        if fact.name != "NumberOfAgents"  # all who sit at the table have been named
    ]
    shown: list[str] = []
    room = _LONGEST
    news = _news(done)
    for place in news[: -most - 1 : -1]:
        line = _line(done[place], done[place + 1 :], party, space)
        room -= len(line)
        if shown and room < 0:
            break
        shown.append(line)
    left_out = len(news) - len(shown)
    if left_out:
        turns = "The first turn is" if left_out == 1 else f"The first {left_out} turns are"
        lines.append(f"({turns} left out.)")
    return "\n".join([*lines, *reversed(shown)])


def _news(done: Sequence[Event]) -> list[int]:
    """The places of what the fates of offers do not tell."""
    latest: dict[str, Bid] = {}
    news = []
    for place, event in enumerate(done):
        action = event.action
        if isinstance(action, Offer):
            latest[event.party] = action.bid
        is_answer = isinstance(action, Accept | Reject | InformVotingResult) and not action.message
        if not is_answer or getattr(action, "bid", None) not in latest.values():
            news.append(place)
    return news


def _line(event: Event, later: Sequence[Event], party: str, space: UtilitySpace | None) -> str:
    action = event.action
    assert action is not None
    who = f"{action.party} (you)" if action.party == party else action.party
    deed = deed_text(action, space)
    said = f", saying {quoted(action.message)}" if action.message else ""
    return f"Round {event.round}: {who} {deed}{said}{_fate(action, later, party)}"


def deed_text(action: Action, space: UtilitySpace | None) -> str:
    """What a party did, without its name and its message, and what the bid is worth to who reads.

    Texts that a party chose stand in quotation marks.
    """
    deed = " ".join(_deed(action).split())
    bid = getattr(action, "bid", None)
    if isinstance(bid, Bid) and space is not None and bid in space.domain:
        return f"{deed} (worth {worth_text(space.utility(bid))} to you)"
    return deed


def _deed(action: Action) -> str:
    deed = str(attrs.evolve(action, message="")).removeprefix(action.party)
    fields = attrs.asdict(action, recurse=False)
    for name, value in fields.items():
        if isinstance(value, Bid):
            deed = deed.replace(str(value), bid_text(value))
        elif isinstance(value, str) and name not in ("party", "message"):
            if f'"{value}"' in deed:
                deed = deed.replace(f'"{value}"', quoted(value))
            elif not _WORD.fullmatch(value):
                deed = deed.replace(value, quoted(value))
    return deed


def _fate(action: Action, later: Sequence[Event], party: str) -> str:
    if not isinstance(action, Offer):
        return ""
    accepted: list[str] = []
    rejected: list[str] = []
    countered = is_past = False
    for event in later:
        answer = event.action
        if isinstance(answer, InformVotingResult) and answer.bid == action.bid:
            return f" [the vote: {answer.vote.value}]"
        if isinstance(answer, Offer) and event.party == action.party:
            is_past = True
            break
        who = "you" if event.party == party else event.party
        if isinstance(answer, Accept) and answer.bid == action.bid:
            accepted.append(who)
        elif isinstance(answer, Reject) and answer.bid == action.bid:
            rejected.append(who)
        elif isinstance(answer, Offer) and not isinstance(action, OfferForVoting):
            countered = True
    fates = [f"accepted by {', '.join(accepted)}"] if accepted else []
    fates += [f"rejected by {', '.join(rejected)}"] if rejected else []
    fates += ["countered"] if countered else []
    if not fates and not is_past:
        fates = ["open"]
    return f" [{'; '.join(fates)}]" if fates else ""


def _told(value: object) -> str:
    return quoted(value) if isinstance(value, Mapping) else str(value)
