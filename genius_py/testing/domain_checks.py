"""Does a scenario hold together? Its profiles are asked, it is written down, and it is played."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np

from genius_py import formats
from genius_py.bid import Bid
from genius_py.deadline import Deadline
from genius_py.manager import SessionManager
from genius_py.scenario import Scenario
from genius_py.seating import plan_session
from genius_py.testing.opponents import LegalParty
from genius_py.testing.report import Complaint, NotApplicable, Report, examine
from genius_py.trace import dump_log, parse_log, replay
from genius_py.utility import UtilitySpace

__all__ = ["check_domain"]

_SAMPLE = 300
"""Bids that are looked at in a domain with more of them."""

_NOISE = 1e-9


def check_domain(domain: str | Scenario) -> Report:
    """Look whether every bid has an index and a worth, and whether the scenario can be played.

    `domain` is whatever `formats.load` takes, or a scenario.

    Raises:
        ConformanceError: something is amiss; the text says what to mend, claim by claim.
        UnknownName: there is nothing of that name.
        DomainError: it cannot be read.
    """
    scenario = formats.load(domain) if isinstance(domain, str) else domain
    name = domain if isinstance(domain, str) else scenario.name
    return examine(name, scenario, _CLAIMS).require()


def _sample(scenario: Scenario) -> Iterator[Bid]:
    """The first, the last and some other bids of the listing."""
    domain = scenario.domain
    if domain.size <= _SAMPLE:
        yield from map(domain.bid_at, range(domain.size))
        return
    yield domain.bid_at(0)
    yield domain.bid_at(domain.size - 1)
    rng = np.random.default_rng(0)
    for _ in range(_SAMPLE):
        yield domain.random_bid(rng)


def _profiles(scenario: Scenario) -> Iterator[tuple[str, UtilitySpace]]:
    if not scenario.profiles:
        raise NotApplicable("it has no profiles")
    yield from scenario.profiles.items()


def _has_bids(scenario: Scenario) -> None:
    for issue in scenario.domain.issues:
        if issue.size == 0:
            raise Complaint(f"Issue {issue.name!r} has no values, so there is no bid; list some.")


def _has_profiles(scenario: Scenario) -> None:
    if not scenario.profiles:
        raise Complaint("There is no profile; add one for each party.")
    for role, profile in scenario.profiles.items():
        if profile.complaint:
            raise Complaint(f"Profile {role!r} is incomplete: {profile.complaint}.")


def _bids_have_indices(scenario: Scenario) -> None:
    domain = scenario.domain
    for bid in _sample(scenario):
        if domain.bid_at(bid.index) != bid:
            raise Complaint(f"The bid {bid} has index {bid.index}, where another bid stands.")
        if domain.bid(dict(bid)) != bid:
            raise Complaint(f"The bid {bid} is another one when it is made from its values.")


def _bids_have_a_worth(scenario: Scenario) -> None:
    for role, profile in _profiles(scenario):
        for what in ("reservation_value", "discount_factor"):
            if not math.isfinite(number := getattr(profile, what)):
                name = what.replace("_", " ")
                raise Complaint(f"Profile {role!r} has the {name} {number}; give it a number.")
        for bid in _sample(scenario):
            if not math.isfinite(utility := profile.utility(bid)):
                raise Complaint(
                    f"Profile {role!r}: the bid {bid} is worth {utility}; give it a number."
                )


def _arrays_agree(scenario: Scenario) -> None:
    if not scenario.domain.is_listable:
        raise NotApplicable("the domain is too large to be listed")
    bids = list(_sample(scenario))
    indices = np.array([bid.index for bid in bids])
    for role, profile in _profiles(scenario):
        one_by_one = np.array([profile.utility(bid) for bid in bids])
        for together in (profile.utilities(bids), profile.utilities()[indices]):
            different = np.flatnonzero(np.abs(one_by_one - together) > _NOISE)
            if different.size:
                at = different[0]
                raise Complaint(
                    f"Profile {role!r}: the bid {bids[at]} is worth {one_by_one[at]} when it is "
                    f"asked alone, but {together[at]} among all; let _utilities compute what "
                    f"_utility does."
                )


def _agreement_is_worth_something(scenario: Scenario) -> None:
    if not scenario.domain.is_listable:
        raise NotApplicable("the domain is too large to be listed")
    for role, profile in _profiles(scenario):
        best = float(profile.utilities().max())
        if best < profile.reservation_value - _NOISE:
            raise Complaint(
                f"{role!r} cannot gain: its best bid is worth {best:.4f}, and no agreement "
                f"{profile.reservation_value:.4f}; lower its reservation value."
            )


def _can_be_written(scenario: Scenario) -> None:
    written = formats.scenario_to_dict(scenario)
    if formats.scenario_from_dict(written) != scenario:
        raise Complaint("It is another scenario after it was written down and read again.")


def _can_be_played(scenario: Scenario) -> None:
    if len(scenario.profiles) < 2:
        raise NotApplicable("it takes two profiles to negotiate")
    protocol = scenario.protocol or "alternating_offers"
    for temper in ("any", "agreeable"):
        plan, makers = plan_session(
            protocol,
            scenario,
            parties=[partial(LegalParty, temper)] * len(scenario.profiles),
            deadline=Deadline(rounds=6),
            seed=3,
        )
        outcome = SessionManager(plan, makers).run()
        if outcome.faults:
            raise Complaint(f"Under {protocol}, {outcome.faults[0]}.")
        for party, utility in outcome.utilities.items():
            if not math.isfinite(utility):
                raise Complaint(f"Under {protocol}, {party} got {utility}.")
        if replay(parse_log(list(dump_log(outcome)))).log != outcome.log:
            raise Complaint(f"Under {protocol}, its log does not replay.")


_CLAIMS: Mapping[str, Callable[[Scenario], None]] = {
    "there are bids": _has_bids,
    "there are profiles, and they are complete": _has_profiles,
    "every bid has an index": _bids_have_indices,
    "every bid has a worth": _bids_have_a_worth,
    "utilities are the same one by one and all at once": _arrays_agree,
    "an agreement can be worth it for everybody": _agreement_is_worth_something,
    "it can be written down and read again": _can_be_written,
    "it can be played": _can_be_played,
}
