"""Seats a single party at a table of the test's own making."""

from collections.abc import Mapping

import numpy as np

from genius_py.action import Accept, Action, EndNegotiation, Offer
from genius_py.allowed import Allowed, BidOf, Constraint, OneOf
from genius_py.bid import Bid
from genius_py.deadline import Deadline, Timeline
from genius_py.domain import Domain
from genius_py.issue import DiscreteIssue, IntegerIssue
from genius_py.log import Log
from genius_py.party import NegotiationInfo, NegotiationParty
from genius_py.utility import (
    AdditiveUtilitySpace,
    DiscreteEvaluator,
    IntegerEvaluator,
    UtilitySpace,
)

PRICE = Domain("price", [IntegerIssue("price", 0, 10)])


def seller(reservation_value: float = 0.0, discount_factor: float = 1.0) -> AdditiveUtilitySpace:
    """A price of p, out of 0 to 10, is worth p / 10."""
    return AdditiveUtilitySpace(
        domain=PRICE,
        weights=(1.0,),
        evaluators=(IntegerEvaluator(0, slope=0.1),),
        reservation_value=reservation_value,
        discount_factor=discount_factor,
    )


def buyer(reservation_value: float = 0.0) -> AdditiveUtilitySpace:
    """A price of p, out of 0 to 10, is worth 1 - p / 10."""
    return AdditiveUtilitySpace(
        domain=PRICE,
        weights=(1.0,),
        evaluators=(IntegerEvaluator(0, slope=-0.1, offset=1.0),),
        reservation_value=reservation_value,
    )


def seat(
    party: NegotiationParty,
    space: UtilitySpace,
    *,
    rounds: int | None = 9,
    seconds: float | None = None,
    seed: int = 1,
    others: tuple[str, ...] = ("you",),
    faithful: bool = False,
) -> None:
    """Seat a party, called ``me``, in the first round (t = 0.1, unless told otherwise)."""
    deadline = Deadline(rounds=rounds, seconds=seconds)
    party.init(
        NegotiationInfo(
            agent_id="me",
            role="me",
            utility_space=space,
            seats=("me", *others),
            protocol="alternating_offers",
            deadline=deadline,
            timeline=Timeline(deadline, lambda: 0.5 * (seconds or 0.0)),
            history=Log().seen_by("me"),
            seed=seed,
            seed_sequence=np.random.SeedSequence(seed),
            faithful=faithful,
        )
    )


def in_round(party: NegotiationParty, number: int) -> None:
    """Let time pass until a round."""
    timeline = party.info.timeline
    assert isinstance(timeline, Timeline)
    timeline.reached(number)


def price(amount: int) -> Bid:
    """The bid of a price."""
    return PRICE.bid_at(amount)


def stacked(party: NegotiationParty, standing: Bid | None = None) -> Allowed:
    """What stacked alternating offers allow while a bid stands, or while none does."""
    rules: dict[type[Action], Mapping[str, Constraint]] = {
        Offer: {"bid": BidOf(party.domain)},
        EndNegotiation: {},
    }
    if standing is None:
        return Allowed(rules)
    return Allowed({Accept: {"bid": OneOf((standing,))}, **rules})


def hear(party: NegotiationParty, bid: Bid, sender: str = "you") -> None:
    """Let the party hear an offer."""
    party.receive_message(sender, Offer(sender, bid))


def answer(party: NegotiationParty, standing: Bid | None = None, sender: str = "you") -> Action:
    """What the party does in a turn of stacked alternating offers, having heard what stands."""
    if standing is not None:
        hear(party, standing, sender)
    action = party.choose_action(stacked(party, standing))
    assert isinstance(action, Action)
    return action


def random_space(seed: int, *, sizes: tuple[int, ...] = (4, 3, 5)) -> AdditiveUtilitySpace:
    """A profile of discrete issues with two-digit evaluations, so that ties are common."""
    rng = np.random.default_rng(seed)
    domain = Domain(
        "random", [DiscreteIssue(f"i{i}", [f"v{v}" for v in range(n)]) for i, n in enumerate(sizes)]
    )
    weights = rng.dirichlet(np.ones(len(sizes))).round(2)
    return AdditiveUtilitySpace(
        domain=domain,
        weights=tuple(weights),
        evaluators=tuple(
            DiscreteEvaluator({f"v{v}": int(rng.integers(1, 100)) for v in range(n)}) for n in sizes
        ),
        reservation_value=float(rng.integers(0, 100)) / 100,
    )
