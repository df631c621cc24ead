"""The random flipping mediator: changes one issue of the last accepted bid at random."""

from __future__ import annotations

from typing import ClassVar

from genius_py.bid import Bid
from genius_py.parties.mediator import Mediator

__all__ = ["RandomFlippingMediator"]


class RandomFlippingMediator(Mediator):
    """Proposes the bid that nobody objected to last, with another value for one issue.

    Until there is one it proposes random bids. Klein, Faratin, Sayama and Bar-Yam, "Negotiating
    complex contracts" (2003): a single text, mutated by a mediator.
    """

    name: ClassVar[str] = "random_flipping_mediator"

    accepted: Bid | None = None
    """The last proposal that nobody objected to."""

    def propose(self) -> Bid:
        """A flip of the accepted bid, or a random bid."""
        if self.nobody_objects:
            self.accepted = self.proposed
        return self.draw_bid() if self.accepted is None else self._flipped(self.accepted)

    def _flipped(self, bid: Bid) -> Bid:
        if self.domain.size == 1:
            return bid  # there is no other, and Genius would look for ever
        issues = self.domain.issues
        while True:
            issue = issues[self.draw(len(issues))]
            value = self.draw_value(issue)
            if value != bid[issue.name]:
                return self.domain.bid({**bid, issue.name: value})
