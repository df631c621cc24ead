"""A person at a terminal, asked for every turn whatever the protocol."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any, ClassVar

import click

from genius_py.action import Action
from genius_py.allowed import Allowed, BidOf, Constraint, Number, OneOf
from genius_py.bid import Bid
from genius_py.errors import InvalidBid
from genius_py.issue import DiscreteIssue
from genius_py.party import NegotiationParty

__all__ = ["Person"]


def _ask_on_terminal(question: str) -> str:
    # On stderr, so that stdout holds the result alone.
    return str(click.prompt(question, default="", show_default=False, prompt_suffix=" ", err=True))


def _tell_on_terminal(text: str) -> None:
    click.echo(text, err=True)


class Person(NegotiationParty):
    """You: shows what has happened and asks what to do.

    Questions and choices are made from what the turn allows, so that a person can play any
    protocol. What is typed may be shortened as long as it is clear; what cannot be understood is
    asked again.

    Args:
        ask: shows a question and returns the line typed.
        tell: shows a line.
    """

    name: ClassVar[str] = "person"
    aliases: ClassVar[tuple[str, ...]] = ("human",)
    is_interactive: ClassVar[bool] = True

    def __init__(
        self,
        ask: Callable[[str], str] = _ask_on_terminal,
        tell: Callable[[str], None] = _tell_on_terminal,
    ) -> None:
        self._ask, self._tell = ask, tell
        self._shown = 0

    def choose_action(self, allowed: Allowed) -> Action:
        """Show the news, then ask for an action and for what it needs."""
        self._show_news()
        if allowed.refusal:
            self._tell(f"That was refused: you {allowed.refusal}.")
        kinds = {kind.__name__: kind for kind in allowed}
        kind = kinds[self._pick("What do you do?", list(kinds))]
        fields = {name: self._fill(name, rule) for name, rule in allowed.choices(kind).items()}
        return kind(self.id, **fields)

    def negotiation_ended(self, agreement: Bid | None) -> None:
        """Show how it ended."""
        self._show_news()
        if agreement is None:
            reserve = self.utility_space.reservation_value
            self._tell(f"No agreement; that is worth {reserve:.3f} to you.")
        else:
            self._tell(f"Agreed: {self._valued(agreement)}.")

    def _show_news(self) -> None:
        history = self.info.history
        for event in history[self._shown :]:
            action = event.action
            if action is not None and event.party != self.id:
                bid = getattr(action, "bid", None)
                worth = f" ({self._worth(bid)} to you)" if isinstance(bid, Bid) else ""
                self._tell(f"[{event.time:4.0%}] {action}{worth}")
        self._shown = len(history)

    def _fill(self, name: str, rule: Constraint) -> Any:
        if isinstance(rule, BidOf):
            return self._draft()
        if isinstance(rule, OneOf):
            if len(rule.values) == 1:
                return rule.values[0]
            choices = {_label(value): value for value in rule.values}
            return choices[self._pick(f"Which {name}?", list(choices))]
        while True:
            typed = self._ask(f"{name} ({rule})?")
            value: Any = typed
            if isinstance(rule, Number):
                try:
                    value = int(typed) if rule.integer else float(typed)
                except ValueError:
                    value = None
            if rule.allows(value):
                return value
            self._tell(f"{typed!r} does not fit; it must be {rule}.")

    def _draft(self) -> Bid:
        """Ask for a bid issue by issue until the person is content with it."""
        while True:
            values = {}
            for issue in self.domain.issues:
                while issue.name not in values:
                    if isinstance(issue, DiscreteIssue):
                        typed: Any = self._pick(f"{issue.name}?", list(issue.values))
                    else:
                        typed = self._ask(f"{issue}?")
                    try:
                        values[issue.name] = issue.check(_number(typed))
                    except InvalidBid:
                        try:
                            values[issue.name] = issue.check(typed)
                        except InvalidBid as error:
                            self._tell(str(error))
            bid = self.domain.bid(values)
            if self._pick(f"Offer {self._valued(bid)}?", ["yes", "no"]) == "yes":
                return bid

    def _pick(self, question: str, choices: list[str]) -> str:
        if len(choices) == 1:
            return choices[0]
        while True:
            typed = self._ask(f"{question} [{' / '.join(choices)}]").strip()
            exact = [choice for choice in choices if choice.casefold() == typed.casefold()]
            begun = [choice for choice in choices if choice.casefold().startswith(typed.casefold())]
            found = exact or begun
            if typed and len(found) == 1:
                return found[0]
            could = f" could mean {' or '.join(found)}" if typed and found else " is not a choice"
            self._tell(f"{typed!r}{could}; type one of: {', '.join(choices)}.")

    def _valued(self, bid: Bid) -> str:
        return f"{bid} (worth {self._worth(bid)} to you)"

    def _worth(self, bid: Bid) -> str:
        return f"{self.utility_space.utility(bid):.3f}"


def _label(value: object) -> str:
    return str(value.value) if isinstance(value, enum.Enum) else str(value)


def _number(typed: str) -> str | float:
    try:
        return float(typed)
    except ValueError:
        return typed
