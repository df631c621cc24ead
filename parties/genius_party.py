"""What the parties taken over from Genius have in common."""

from __future__ import annotations

from genius_py.action import Action, Inform, Offer
from genius_py.bid import Bid, unchecked_bid
from genius_py.issue import RealIssue, Value
from genius_py.java import JavaRandom
from genius_py.party import NegotiationInfo, NegotiationParty

__all__ = ["GeniusParty"]


class GeniusParty(NegotiationParty):
    """The base of Genius's own parties (its AbstractNegotiationParty), for faithful runs.

    It draws from `java.util.Random`, seeded with the party's seed.
    """

    last_received_action: Action | None = None
    last_offer: Bid | None = None
    """The bid that was offered last by another."""

    number_of_parties: int = 0
    """The number in the last `Inform`, whatever that was about; 0 before the first."""

    def init(self, info: NegotiationInfo) -> None:
        """Seed the random numbers."""
        super().init(info)
        self.random = JavaRandom(info.seed)

    def receive_message(self, sender: str | None, action: Action) -> None:
        """Remember the action."""
        self.last_received_action = action
        if isinstance(action, Offer):
            self.last_offer = action.bid
        elif isinstance(action, Inform):
            self.number_of_parties = int(action.value)  # type: ignore[call-overload]

    def random_bid(self) -> Bid:
        """A bid drawn issue by issue; of a real issue the upper bound is never drawn, as there."""
        values: list[Value] = []
        for issue in self.domain.issues:
            drawn = self.random.next_int(issue.size)
            if isinstance(issue, RealIssue):
                step = (issue.upper - issue.lower) / issue.size
                values.append(issue.lower + step * drawn)
            else:
                values.append(issue.value_at(drawn))
        return unchecked_bid(self.domain, tuple(values))

    def utility(self, bid: Bid | None) -> float:
        """The own undiscounted utility, 0 of no bid."""
        return 0.0 if bid is None else self.utility_space.utility(bid)

    def discounted_utility(self, bid: Bid | None) -> float:
        """The own utility as it counts now, 0 of no bid."""
        return self.utility_space.discounted(self.utility(bid), self.time)
