"""The prompt of a turn, from the same objects that decide what the turn is worth."""

from __future__ import annotations

import inspect
import json
import re

from genius_py import registry
from genius_py.action import Action
from genius_py.bid import Bid
from genius_py.errors import UnknownName
from genius_py.llm import prompt_files
from genius_py.llm.history_text import history_text
from genius_py.llm.profile_text import bid_text, domain_text, profile_text, worth_text
from genius_py.llm.quotation import name_text
from genius_py.llm.reply_field import BidField, Field
from genius_py.llm.reply_form import Move, ReplyForm
from genius_py.party import NegotiationInfo
from genius_py.utility import UtilitySpace

__all__ = [
    "known_text",
    "move_text",
    "now",
    "past",
    "shape",
    "system_prompt",
    "turn_prompt",
]

_RULES = 900
"""Characters of a protocol's description, about."""


def system_prompt(info: NegotiationInfo, style: str, persona: str = "") -> str:
    """What stays the same in every turn of a session, and in every session of the same plan.

    The protocol's and the domain's own words are used, so that whatever is registered can be
    played. The seed is not in it, and what concerns all parties comes first, so that as much of
    it as possible is read once for many.
    """
    space = info.utility_space
    others = [seat for seat in info.seats if seat != info.agent_id]
    role = f" with {' and '.join(others)}" if others else ""
    return prompt_files.fill(
        "system",
        party=info.agent_id,
        role=role,
        persona=persona,
        rules=_rules(info.protocol, info.faithful),
        domain=domain_text(space.domain),
        profile=profile_text(space),
        reservation=worth_text(space.reservation_value),
        style=style,
    )


def turn_prompt(info: NegotiationInfo, form: ReplyForm, most_turns: int) -> str:
    """What is new in this turn: what may be done, what has happened, how to reply.

    What is the same in most turns comes first, for what prompts begin with is read once for many.
    """
    space = info.utility_space
    return prompt_files.fill(
        "turn",
        moves="\n".join(f"- {move_text(move)}" for move in form.moves),
        history=past(info, most_turns),
        time=now(info),
        reservation=worth_text(_reservation_now(info)),
        known=known_text(form, space),
        shape=shape(form),
    )


def past(info: NegotiationInfo, most_turns: int) -> str:
    """The visible history, or that there is none."""
    text = history_text(info.history, info.agent_id, info.utility_space, most_turns)
    return text or "Nothing yet."


def now(info: NegotiationInfo) -> str:
    """How far the session has come."""
    timeline = info.timeline
    parts = []
    if timeline.rounds is not None:
        left = timeline.rounds_left
        parts.append(f"Round {timeline.round} of {timeline.rounds}, {left} left after it.")
        if 0 < info.utility_space.discount_factor < 1:
            parts.append(f"The time is {timeline.time:.2f}.")
    if timeline.deadline.seconds is not None:
        parts.append(f"{timeline.time:.0%} of the time has passed.")
    return " ".join(parts)


def _reservation_now(info: NegotiationInfo) -> float:
    """The undiscounted utility that an agreement must have now to be worth having."""
    space, timeline = info.utility_space, info.timeline
    return space.reservation_at(timeline.round, timeline.time) / space.discounted(
        1.0, timeline.time
    )


def move_text(move: Move) -> str:
    """An action that is possible: how to write it, and what it does."""
    fields = "".join(f", {_key(name)}: {_blank(field)}" for name, field in move.fields.items())
    return f'{{"action": "{move.name}"{fields}}}: {_first_line(move.action)}'


def known_text(form: ReplyForm, space: UtilitySpace) -> str:
    """What actions are about beyond what is to be filled in; empty: nothing.

    To accept a bid and to reject it are about the same, which is told once.
    """
    named: dict[str, list[str]] = {}
    for move in form.moves:
        known = "; ".join(_known(name, value, space) for name, value in move.known.items())
        if known:
            named.setdefault(known, []).append(move.name)
    return " ".join(
        f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} about {known}."
        for known, names in named.items()
    )


def _key(name: str) -> str:
    """As JSON has it."""
    return json.dumps(name, ensure_ascii=False)


def _blank(field: Field) -> str:
    """A place to fill in, in brackets that no JSON has."""
    if not isinstance(field, BidField):
        return f"<{field.hint}>"
    if len(field.issues) > 12:
        return "{<each issue>: <its value>}"
    inside = ", ".join(f"{_key(name)}: <{name_text(name)}>" for name in field.issues)
    return f"{{{inside}}}"


def _known(name: str, value: object, space: UtilitySpace) -> str:
    if isinstance(value, Bid):
        worth = (
            f", worth {worth_text(space.utility(value))} to you" if value in space.domain else ""
        )
        return f"{bid_text(value)}{worth}"
    return f"{name} {getattr(value, 'value', value)}"


def shape(form: ReplyForm) -> str:
    """How a whole reply looks."""
    parts = [
        *(f"{_key(name)}: <{field.hint}>" for name, field in form.before.items()),
        *(['"move": <what you do>'] if form.moves else []),
        *(f"{_key(name)}: <{field.hint}>" for name, field in form.after.items()),
    ]
    return f"{{{', '.join(parts)}}}"


def _rules(protocol: str, faithful: bool) -> str:
    """What the protocol says of itself, without its options, its errors and its references."""
    try:
        rules = registry.find("protocol", protocol)
    except UnknownName:  # a class from a file is not found by its name
        return f"The protocol is {protocol}."
    text = inspect.cleandoc(rules.__doc__ or "")
    text = re.split(r"^(?:Raises|Args):$", text, flags=re.MULTILINE)[0].replace("`", "")
    text = re.sub(r"\s+\(see\s[^)]*\)", "", text)
    told: list[str] = []
    for paragraph in text.split("\n\n"):
        line = " ".join(paragraph.split())
        if line.startswith("In a faithful session") and not faithful:
            continue
        if told and sum(map(len, told)) + len(line) > _RULES:
            break
        told.append(line)
    return "\n".join(told)


def _first_line(action: type[Action]) -> str:
    return inspect.cleandoc(action.__doc__ or action.__name__).splitlines()[0].replace("`", "")
