"""What the parties to a trade can do: request, propose, accept, walk away, deliver, verify."""

from __future__ import annotations

import attrs

from genius_py.action import Action, EndNegotiation

__all__ = [
    "AcceptDelivery",
    "AcceptProposal",
    "DisputeDelivery",
    "PostRequest",
    "Propose",
    "RejectAndExit",
    "SubmitDeliverable",
]

_EXACT = 2**53


def _money(value: float) -> float:
    # 35 and 35.0 are one price and must be one line of a log. What is no number is refused later,
    # by the rule of the turn, which can say what it should have been.
    return float(value) if type(value) is int and abs(value) <= _EXACT else value


@attrs.frozen
class PostRequest(Action):
    """Say what is wanted, and the most that will be paid for it."""

    description: str
    max_budget: float = attrs.field(converter=_money)

    def _deed(self) -> str:
        return f'requests "{self.description}" for at most {self.max_budget:.12g}'


@attrs.frozen
class Propose(Action):
    """Offer a price for a scope of work; the scope stays empty where it is not negotiated."""

    scope: str = ""
    price: float = attrs.field(converter=_money, kw_only=True)

    def _deed(self) -> str:
        scope = f'"{self.scope}" ' if self.scope else ""
        return f"proposes {scope}for {self.price:.12g}"


@attrs.frozen
class AcceptProposal(Action):
    """Agree to the proposal on the table; where there are several, to that of `provider_id`."""

    provider_id: str = ""

    def _deed(self) -> str:
        whose = f" of {self.provider_id}" if self.provider_id else ""
        return f"accepts the proposal{whose}"


@attrs.frozen
class RejectAndExit(EndNegotiation):
    """Walk away and say why."""

    reason: str = ""

    def _deed(self) -> str:
        return f'walks away: "{self.reason}"' if self.reason else "walks away"


@attrs.frozen
class SubmitDeliverable(Action):
    """Hand in the finished work."""

    content: str

    def _deed(self) -> str:
        return f'delivers "{self.content}"'


@attrs.frozen
class AcceptDelivery(Action):
    """Find that the work is what was agreed, and release the payment."""

    def _deed(self) -> str:
        return "accepts the delivery"


@attrs.frozen
class DisputeDelivery(Action):
    """Find that the work is not what was agreed."""

    reason: str = ""

    def _deed(self) -> str:
        why = f': "{self.reason}"' if self.reason else ""
        return f"disputes the delivery{why}"
