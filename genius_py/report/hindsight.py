"""What a session could have come to, for one who sat in it: a picture and a sentence in text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from rich.text import Text

from genius_py.action import Offer
from genius_py.analysis.of_outcome import OutcomeSpace
from genius_py.analysis.points import Points
from genius_py.bid import Bid
from genius_py.log import Kind
from genius_py.outcome import Outcome
from genius_py.report.text_plot import Layer, drawn

__all__ = ["hindsight", "picture"]

_ROUNDING = 1e-9


def picture(outcome: Outcome, party: str, *, width: int = 60, height: int = 18) -> Text:
    """The outcome space in characters: what `party` gets to the right, what others get upwards.

    With more than one other it is the mean of what they get. Shown are all bids (where they can
    be listed) and the Pareto frontier and Nash bargaining solution among them, everybody's
    offers, and the agreement, each above those before. Lines mark the reservation values.
    """
    plan = outcome.plan
    profiles = {seat.id: plan.profile(seat) for seat in plan.parties}
    own = [*profiles].index(party)
    others = [seat for seat in profiles if seat != party]

    def seen(points: Points) -> Points:
        rest = np.delete(points, own, axis=1) if others else points
        return np.column_stack([points[:, own], rest.mean(axis=1)])

    def worth(bids: Iterable[Bid]) -> Points:
        values = [[profile.utility(bid) for profile in profiles.values()] for bid in bids]
        return seen(np.array(values, dtype=np.float64).reshape(-1, len(profiles)))

    layers = []
    space = OutcomeSpace.of(profiles)
    if space is not None:
        name = "bids" if space.domain.is_listable else "some bids"
        layers.append(Layer(".", "dim", name, seen(space.cloud(np.random.default_rng(0)))))
        layers.append(Layer("o", "cyan", "Pareto frontier", seen(space.frontier)))
        nash = space.analysis.solution("nash")
        if nash is not None:
            layers.append(Layer("N", "bold magenta", "Nash", seen(nash[None])))
    for number, seat in enumerate(plan.seats, start=1):
        is_own = seat.id == party
        style, who = ("green", "your offers") if is_own else ("yellow", f"offers of {seat.id}")
        layers.append(Layer(str(number % 10), style, who, worth(_offers(outcome, seat.id))))
    if outcome.agreement is not None:
        layers.append(Layer("A", "bold reverse", "agreement", worth([outcome.agreement])))
    reserve = seen(np.array([[profile.reservation_value for profile in profiles.values()]]))
    whom = others[0] if len(others) == 1 else "the others, on average"
    return drawn(layers, reserve, ("you", whom), width=width, height=height)


def hindsight(outcome: Outcome, party: str) -> str:
    """One sentence: what `party` could have had at nobody's cost.

    Empty where nothing can be said of the bids, or the rules of the game and not the profiles say
    what each party gets.
    """
    plan = outcome.plan
    space = OutcomeSpace.of({seat.id: plan.profile(seat) for seat in plan.parties})
    if space is None or outcome.ending.payoffs is not None:
        return ""
    own = space.parties.index(party)
    if outcome.agreement is None:
        nash = space.bid_of("nash")
        if nash is None:
            known = "No bid gives" if space.analysis.complete else "No bid that was found gives"
            return f"{known} everybody what no agreement does."
        worth = space.profiles[party].utility(nash)
        return (
            f"Some bids give everybody at least what no agreement does. The Nash bargaining "
            f"solution is {nash}, worth {worth:.3f} to you."
        )
    got = np.array([outcome.utilities[seat] for seat in space.parties])
    frontier = space.frontier
    no_less = (np.delete(frontier, own, 1) >= np.delete(got, own) - _ROUNDING).all(axis=1)
    possible = np.where(no_less, frontier[:, own], -np.inf)
    best = int(possible.argmax())
    if possible[best] > got[own] + _ROUNDING:
        return (
            f"{space.bid_at(best)} would be worth {possible[best]:.3f} to you "
            f"instead of {got[own]:.3f}, and no less to anybody else."
        )
    known = "No bid is" if space.analysis.complete else "No bid that was found is"
    return f"{known} better for you without being worse for somebody else."


def _offers(outcome: Outcome, party: str) -> Iterator[Bid]:
    for event in outcome.log:
        if event.kind == Kind.ACTION and event.party == party and isinstance(event.action, Offer):
            yield event.action.bid
