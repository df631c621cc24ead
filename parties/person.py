"""A person at a terminal, asked for every turn whatever the protocol."""

from __future__ import annotations

import enum
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, TypeAlias

import click
from rich.cells import cell_len

from genius_py.action import Accept, Action, EndNegotiation, Offer
from genius_py.allowed import Allowed, BidOf, Constraint, Number, OneOf
from genius_py.bid import Bid
from genius_py.errors import InvalidBid
from genius_py.issue import DiscreteIssue, Issue, TextIssue, Value
from genius_py.log import Event
from genius_py.party import NegotiationParty
from genius_py.session import Reply
from genius_py.strategies.bid_search import best_bid

__all__ = ["Ask", "Complete", "Person"]

Complete: TypeAlias = Callable[[str], Iterable[tuple[str, str]]]
"""Gives the whole lines that a line begun may become, each with a remark."""

Ask: TypeAlias = Callable[[str, Complete], str]
"""Shows a question and returns the line that is typed."""

_HELP: Mapping[str, str] = {
    "history": "Show everything that you have heard and said, with its worth to you.",
    "values": "Show what your last draft would be worth with another value.",
    "say": "Write a message to go along with what you do next.",
    "help": "Show this.",
}
"""What a person can ask for at any time, besides acting."""

_BACK = object()
"""What was begun is not to be done after all."""


def _ask_on_terminal(question: str, complete: Complete) -> str:
    try:
        # On stderr, so that stdout holds the result alone.
        typed = str(
            click.prompt(question, default="", show_default=False, prompt_suffix=" ", err=True)
        )
        if not sys.stdin.isatty():  # where nobody sees what is typed, nor ends the line by it
            click.echo(typed, err=True)
        return typed
    except click.Abort:
        # An Exception, so it would pass for a mistake of the party.
        raise KeyboardInterrupt from None


def _tell_on_terminal(text: str) -> None:
    click.echo(text, err=True)


class Person(NegotiationParty):
    """You: shows what has happened and asks what to do.

    Questions and choices are made from what the turn allows, so that a person can play any
    protocol. What is typed may be shortened as long as it is clear; what cannot be understood is
    asked again. Besides acting, a person can look at the history and at what values are worth,
    and send a message along. Bids are drafted issue by issue, from the best one or the last
    offer on, and what a draft is worth stands beside it.

    Args:
        ask: shows a question and returns the line typed; it is handed what completes the line.
        tell: shows some lines.
    """

    name: ClassVar[str] = "person"
    aliases: ClassVar[tuple[str, ...]] = ("human",)
    is_interactive: ClassVar[bool] = True

    def __init__(
        self, ask: Ask = _ask_on_terminal, tell: Callable[[str], None] = _tell_on_terminal
    ) -> None:
        self._ask, self._tell = ask, tell
        self._shown = 0
        self._message = ""
        self._draft: Bid | None = None
        self._heard: Bid | None = None
        self._is_introduced = False

    def choose_action(self, allowed: Allowed) -> Action | Reply:
        """Show the news, then ask for an action and for what it needs."""
        self._tell("")
        self._introduce()
        self._show_news()
        self._show_topic(allowed)
        if allowed.refusal:
            self._tell(f"That was refused: you {allowed.refusal}.")
        while True:
            action = self._asked_action(allowed)
            if action is not None:
                message, self._message = self._message, ""
                return Reply(action, message) if message else action

    def negotiation_ended(self, agreement: Bid | None) -> None:
        """Show how it ended."""
        self._show_news()
        if agreement is None:
            self._tell(f"No agreement; that is worth {self._reserve} to you.")
        else:
            self._tell(f"Agreed: {self._valued(agreement)}.")

    def _introduce(self) -> None:
        if self._is_introduced:
            return
        self._is_introduced = True
        info = self.info
        others = ", ".join(seat for seat in info.seats if seat != self.id) or "nobody else"
        space = self.utility_space
        self._tell(f"You are {self.id}; at the table: {others}.")
        self._tell(f"The domain is {self.domain}, the deadline {info.deadline.in_words}.")
        self._tell(f"No agreement is worth {self._reserve} to you.")
        if 0 < space.discount_factor < 1:
            self._tell(
                f"Time costs: in the end utilities are multiplied by {space.discount_factor:g} "
                f"to the power of the time that has passed, from 0 to 1."
            )

    def _show_news(self) -> None:
        history = self.info.history
        for event in history[self._shown :]:
            if event.action is None or event.party == self.id:
                continue
            self._tell(self._told(event))
            bid = getattr(event.action, "bid", None)
            if isinstance(bid, Bid):
                self._heard = bid
        self._shown = len(history)

    def _show_topic(self, allowed: Allowed) -> None:
        """The bid that is to be answered, unless it was heard just now."""
        topics = {
            rule.values[0]
            for kind in allowed
            for rule in allowed.choices(kind).values()
            if isinstance(rule, OneOf) and len(rule.values) == 1
        }
        if len(topics) == 1 and isinstance(bid := topics.pop(), Bid) and bid != self._heard:
            self._tell(f"To be answered: {self._valued(bid)}.")

    def _told(self, event: Event) -> str:
        bid = getattr(event.action, "bid", None)
        worth = f" ({self._worth(bid)} to you)" if isinstance(bid, Bid) else ""
        return f"[{event.time:4.0%}] {event.action}{worth}"

    def _asked_action(self, allowed: Allowed) -> Action | None:
        """One thing that is allowed; None when something else was asked for, or it was let be."""
        deeds = _deeds(allowed)
        requests = {
            word: request
            for word, request in (
                ("history", self._show_history),
                ("values", self._show_values),
                ("say", self._prepare_message),
                ("help", lambda: self._show_help(allowed)),
            )
            if word not in deeds
        }
        limit = self.info.timeline.rounds
        of = "" if limit is None else f" of {limit}"
        only = next(iter(deeds)) if len(deeds) == 1 else ""
        chosen = self._pick(
            f"Round {self.info.timeline.round}{of}. What do you do?", [*deeds, *requests], only
        )
        if chosen in requests:
            requests[chosen]()
            return None
        kind, fields = deeds[chosen]
        for name, rule in allowed.choices(kind).items():
            if name not in fields:
                fields[name] = self._fill(name, rule)
            if fields[name] is _BACK:
                return None
        action = kind(self.id, **fields)
        return action if self._is_meant(action) else None

    def _is_meant(self, action: Action) -> bool:
        """Ask again about what ends or binds for less than no agreement would bring."""
        if isinstance(action, EndNegotiation):
            doubt = f"No agreement is worth {self._reserve} to you. Walk away?"
        elif (
            isinstance(action, (Accept, Offer))
            and self.utility_space.utility(action.bid) < self.utility_space.reservation_value
        ):
            doubt = (
                f"That is worth {self._worth(action.bid)} to you, less than no agreement "
                f"({self._reserve}). Do it all the same?"
            )
        else:
            return True
        return self._pick(doubt, ["yes", "no"]) == "yes"

    def _show_help(self, allowed: Allowed) -> None:
        does = {deed: _meaning(kind) for deed, (kind, _) in _deeds(allowed).items()}
        asked = {word: meaning for word, meaning in _HELP.items() if word not in does}
        rows = [(f"  {word}", meaning) for word, meaning in {**does, **asked}.items()]
        self._tell(f"Words may be shortened as long as they are clear.\n{_table(rows)}")
        rules = [rule for kind in allowed for rule in allowed.choices(kind).values()]
        if any(isinstance(rule, BidOf) for rule in rules):
            self._tell('An offer is drafted first: change it by "issue value", then send it.')

    def _show_history(self) -> None:
        told = [self._told(event) for event in self.info.history if event.action is not None]
        self._tell("\n".join(told) or "Nothing has happened yet.")

    def _show_values(self) -> None:
        base = self._base()
        if base is None:
            self._tell("There is no bid to begin with; draft an offer first.")
            return
        rows = []
        for issue in self.domain.issues:
            choices = [(value, self._changed(base, issue, value)) for value in _landmarks(issue)]
            worths = " | ".join(f"{value} {self._worth(bid)}" for value, bid in choices)
            rows.append((issue.name, worths or str(issue)))
        self._tell(f"{self._valued(base)}; with one value changed it is worth:\n{_table(rows)}")

    def _prepare_message(self) -> None:
        self._message = self._ask("What do you say along with it?", lambda begun: ()).strip()

    def _fill(self, name: str, rule: Constraint) -> Any:
        """The value of a field, or `_BACK`."""
        if isinstance(rule, BidOf):
            return self._drafted()
        if isinstance(rule, OneOf):
            if len(rule.values) == 1:
                return rule.values[0]
            return self._one_of(name, rule.values)
        can_go_back = ", or back" if isinstance(rule, Number) else ""
        while True:
            typed = self._ask(f"{name} ({rule}{can_go_back})?", lambda begun: ())
            value: object = typed
            if isinstance(rule, Number):
                if typed.strip().casefold() == "back":
                    return _BACK
                try:
                    value = int(typed) if rule.integer else float(typed)
                except ValueError:
                    value = None
            if rule.allows(value):
                return value
            self._tell(f"{typed!r} does not fit; it must be {rule}.")

    def _one_of(self, name: str, values: Sequence[object]) -> object:
        """One of several values; bids, which are long, are picked by number."""
        choices: dict[str, object] = {_label(value): value for value in values}
        if any(isinstance(value, Bid) for value in values):
            choices = {str(number): value for number, value in enumerate(values, start=1)}
            for number, bid in choices.items():
                self._tell(f"{number}: {self._valued(bid) if isinstance(bid, Bid) else bid}")
        return choices[self._pick(f"Which {name}?", list(choices))]

    def _base(self) -> Bid | None:
        """The bid that a draft begins with; None when there is none."""
        is_free = any(isinstance(issue, TextIssue) for issue in self.domain.issues)
        return self._draft if self._draft is not None or is_free else best_bid(self.utility_space)

    def _drafted(self) -> Any:
        """A bid that the person is content with, or `_BACK`."""
        bid = self._base()
        if bid is None:
            values = {issue.name: self._asked_value(issue, None) for issue in self.domain.issues}
            bid = self.domain.bid(values)
        words = ["send", "back", *(["theirs"] if self._heard is not None else [])]
        names = self.domain.issue_names
        while True:
            self._draft = bid
            self._show_draft(bid)
            typed = self._ask(
                f"Change it? [ISSUE VALUE / {' / '.join(words)}]",
                partial(self._completed, bid=bid, words=words),
            ).strip()
            head, rest = _split(typed, names)
            chosen = self._found(head, [*names, *words])
            if chosen in names:
                issue = self.domain.issues[self.domain.issue_position(chosen)]
                value = self._value(issue, rest) if rest else self._asked_value(issue, bid)
                bid = bid if value is None else self._changed(bid, issue, value)
            elif chosen == "theirs" and self._heard is not None:
                bid = self._heard
            elif chosen is not None:
                return bid if chosen == "send" else _BACK

    def _show_draft(self, bid: Bid) -> None:
        heard = self._heard
        rows = [("", "your draft", "" if heard is None else "heard last", "possible")]
        for issue in self.domain.issues:
            theirs = "" if heard is None else str(heard[issue.name])
            possible = str(issue).removeprefix(f"{issue.name}: ")
            rows.append((issue.name, str(bid[issue.name]), theirs, possible))
        worth = "" if heard is None else self._worth(heard)
        rows.append(("worth to you", self._worth(bid), worth, f"no agreement: {self._reserve}"))
        self._tell(_table(rows))

    def _asked_value(self, issue: Issue, base: Bid | None) -> Value:
        """A value for an issue, asked for until it is one."""
        while True:
            typed = self._ask(
                f"{issue}?", partial(self._completed_value, issue=issue, base=base)
            ).strip()
            value = self._value(issue, typed)
            if value is not None:
                return value

    def _value(self, issue: Issue, typed: str) -> Value | None:
        """The value that was meant; None, and the reason is shown, when it is none."""
        if isinstance(issue, DiscreteIssue):
            return self._found(typed, issue.values)
        try:
            return issue.check(typed if isinstance(issue, TextIssue) else _number(typed))
        except InvalidBid as error:
            self._tell(str(error))
            return None

    def _completed(self, begun: str, bid: Bid, words: Sequence[str]) -> Iterator[tuple[str, str]]:
        """The lines that a change of a draft may become."""
        yield from ((word, "") for word in words if _begins(word, begun.strip()))
        for issue in self.domain.issues:
            name = issue.name
            if _begins(begun, f"{name} "):
                for value, remark in self._completed_value(begun[len(name) + 1 :], issue, bid):
                    yield f"{name} {value}", remark
            elif _begins(name, begun):
                yield f"{name} ", str(issue).removeprefix(f"{name}: ")

    def _completed_value(
        self, begun: str, issue: Issue, base: Bid | None
    ) -> Iterator[tuple[str, str]]:
        begun = begun.strip()
        if isinstance(issue, DiscreteIssue):
            values: list[Value] = [value for value in issue.values if _begins(value, begun)]
        else:
            try:
                values = [issue.check(_number(begun))] if begun else []
            except InvalidBid:
                values = []
        for value in values:
            worth = "" if base is None else self._worth(self._changed(base, issue, value))
            yield str(value), worth

    def _changed(self, bid: Bid, issue: Issue, value: Value) -> Bid:
        return self.domain.bid({**bid, issue.name: value})

    def _pick(self, question: str, choices: Sequence[str], default: str = "") -> str:
        if len(choices) == 1:
            return choices[0]
        shown = f"{question} [{' / '.join(choices)}]"
        while True:
            typed = self._ask(
                shown, lambda begun: ((word, "") for word in choices if _begins(word, begun))
            ).strip()
            if not typed and default:
                return default
            found = self._found(typed, choices)
            if found is not None:
                return found

    def _found(self, typed: str, choices: Sequence[str]) -> str | None:
        """The choice that was meant; None, and the reason is shown, when it is not clear."""
        exact = [choice for choice in choices if choice.casefold() == typed.casefold()]
        begun = [choice for choice in choices if _begins(choice, typed)] or [
            choice for choice in choices if any(_begins(word, typed) for word in choice.split())
        ]
        found = list(dict.fromkeys(exact or begun))
        if typed and len(found) == 1:
            return found[0]
        could = f" could mean {' or '.join(found)}" if typed and found else " is not a choice"
        self._tell(f"{typed!r}{could}; type one of: {', '.join(choices)}.")
        return None

    def _valued(self, bid: Bid) -> str:
        return f"{bid} (worth {self._worth(bid)} to you)"

    def _worth(self, bid: Bid) -> str:
        return f"{self.utility_space.utility(bid):.3f}"

    @property
    def _reserve(self) -> str:
        return f"{self.utility_space.reservation_value:.3f}"


_WORDS: Mapping[type[Action], str] = {EndNegotiation: "walk away"}
"""What people say where the name of a class does not say it."""


def _deeds(allowed: Allowed) -> dict[str, tuple[type[Action], dict[str, Any]]]:
    """What may be done, by the word for it, with the fields that the word says already.

    To choose a vote or a feedback is to say it: those words stand in for the action's own.
    """
    deeds: dict[str, tuple[type[Action], dict[str, Any]]] = {}
    for kind in allowed:
        rules = allowed.choices(kind)
        name, rule = next(iter(rules.items()), ("", None))
        if len(rules) == 1 and isinstance(rule, OneOf) and _are_members(rule.values):
            deeds |= {_label(value).lower(): (kind, {name: value}) for value in rule.values}
        else:
            words = re.sub(r"(?<!^)(?=[A-Z])", " ", kind.__name__).lower()
            deeds[_WORDS.get(kind, words)] = kind, {}
    return deeds


def _meaning(kind: type[Action]) -> str:
    """What an action does, which the first line of its class says."""
    return (kind.__doc__ or "").strip().partition("\n")[0].replace("`", "")


def _are_members(values: Iterable[object]) -> bool:
    return all(isinstance(value, enum.Enum) for value in values)


def _label(value: object) -> str:
    return str(value.value) if isinstance(value, enum.Enum) else str(value)


def _begins(text: str, start: str) -> bool:
    return text.casefold().startswith(start.casefold())


def _number(typed: str) -> object:
    for kind in (int, float):
        try:
            return kind(typed)
        except ValueError:
            pass
    return typed


def _split(typed: str, names: Iterable[str]) -> tuple[str, str]:
    """The issue and the value of ``ISSUE VALUE`` or ``ISSUE=VALUE``; names may hold blanks."""
    for name in sorted(names, key=len, reverse=True):
        if re.match(rf"{re.escape(name)}(?=[\s=:]|\Z)", typed, re.IGNORECASE):
            return name, typed[len(name) :].lstrip(" =:").rstrip()
    head, *rest = re.split(r"\s*[\s=:]\s*", typed, maxsplit=1)
    return head, "".join(rest)


def _landmarks(issue: Issue) -> list[Value]:
    """All values of an issue that lists them, the two ends of a range."""
    if isinstance(issue, TextIssue):
        return []
    if isinstance(issue, DiscreteIssue):
        return list(issue.values)
    return [issue.value_at(0), issue.value_at(issue.size - 1)]


def _table(rows: Sequence[Sequence[str]]) -> str:
    """Columns side by side; empty ones are left out."""
    columns = [column for column in zip(*rows, strict=True) if any(column)]
    widths = [max(map(cell_len, column)) for column in columns]
    return "\n".join(
        "  ".join(
            cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in zip(*columns, strict=True)
    )
