"""Is a party rational? It never stands behind a bid that is worth less than no agreement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from genius_py.action import Accept, Action, Offer, Vote, VoteForOfferAcceptance
from genius_py.bid import Bid
from genius_py.log import Event
from genius_py.outcome import Outcome
from genius_py.party_source import PartySource
from genius_py.protocol import MultilateralProtocol
from genius_py.testing.party_trials import Claim, Subject, subject_of, where
from genius_py.testing.report import Complaint, NotApplicable, Report, examine
from genius_py.testing.scenarios import (
    hopeless_scenario,
    huge_scenario,
    price_scenario,
    table_scenario,
)

__all__ = ["check_rational"]

_NOISE = 1e-9
"""Utilities that differ by less are the same; they are sums of floating-point numbers."""


def check_rational(
    party: PartySource, protocols: Sequence[str | type[MultilateralProtocol]] = ()
) -> Report:
    """Look whether a party never offers, accepts or votes for less than its reservation value.

    Parameters and exceptions as of `check_party`.
    """
    subject = subject_of(party, protocols)
    return examine(subject.name, subject, _RATIONAL_CLAIMS).require()


def _never_below(kinds: str) -> Claim:
    def look(subject: Subject) -> None:
        if subject.is_mediator:
            raise NotApplicable("a mediator has no reservation value")
        for outcome in _rational_outcomes(subject, with_hopeless=kinds != "offers"):
            seat = subject.seat(outcome.plan)
            space = outcome.plan.profile(seat)
            for event, bid in _backed(outcome, seat.id, kinds):
                worth = space.discounted(space.utility(bid), event.time)
                floor = space.reservation_at(event.round, event.time)
                if worth < floor - _NOISE:
                    raise Complaint(
                        f"{where(outcome)}, round {event.round}: '{event.action}', worth "
                        f"{worth:.4f} to it, although no agreement is worth {floor:.4f}. Compare "
                        f"every bid with the reservation value first."
                    )

    return look


def _rational_outcomes(subject: Subject, *, with_hopeless: bool) -> Iterator[Outcome]:
    yield from subject.outcomes
    scenarios = [price_scenario, table_scenario, huge_scenario]
    if with_hopeless:  # where every offer is below it, but some protocols want one all the same
        scenarios.append(hopeless_scenario)
    for protocol in subject.protocols:
        for scenario in scenarios:
            for place in (0, 1):
                plan = subject.plan(protocol, subject.scenario(protocol, scenario), place=place)
                yield subject.manager(plan, "any").run()


def _backed(outcome: Outcome, party: str, kinds: str) -> Iterator[tuple[Event, Bid]]:
    """The bids that a party stands behind by its offers, or by its consent."""
    proposed: Bid | None = None
    for event in outcome.log:
        action = event.action
        if isinstance(action, Offer):
            if event.party == party and kinds == "offers":
                yield event, action.bid
            proposed = action.bid
        elif event.party == party and kinds == "consent":
            if isinstance(action, Accept):
                yield event, action.bid
            elif _is_vote_in_favour(action) and proposed is not None:
                yield event, proposed


def _is_vote_in_favour(action: Action | None) -> bool:
    return isinstance(action, VoteForOfferAcceptance) and action.vote is Vote.ACCEPT


_RATIONAL_CLAIMS: Mapping[str, Claim] = {
    "it never offers less than its reservation value": _never_below("offers"),
    "it never consents to less than its reservation value": _never_below("consent"),
}
