"""Every registered name keeps its contract; others run the same kit on theirs."""

from collections.abc import Mapping

import pytest

from genius_py import formats, registry
from genius_py.bidding import BiddingParty
from genius_py.party import NegotiationParty
from genius_py.testing import (
    ConformanceError,
    check_domain,
    check_party,
    check_protocol,
    check_rational,
)

PARTIES: Mapping[str, type[NegotiationParty]] = {
    name: cls for name, cls in registry.names("party").items() if not cls.is_interactive
}
ORIGINALS = [name for name in PARTIES if name.startswith("genius-")]

_LISTS = "it plays a domain of 10^40 bids"
_BREAKS_RULES = "it only does what is allowed"

UNABLE: Mapping[str, str] = {
    # They list all bids, as they did in Genius, and say so where they cannot.
    "genius-agent-boulware": _LISTS,
    "genius-agent-conceder": _LISTS,
    "genius-agent-hardliner": _LISTS,
    "genius-agent-linear": _LISTS,
    "genius-boulware": _LISTS,
    "genius-conceder": _LISTS,
    "genius-nondeterministic-conceder": _LISTS,
    # It accepts the bid that it heard last, which need not be the last of all.
    "genius-random-fifty-fifty": _BREAKS_RULES,
}
"""The one claim that an original does not meet, in Genius neither."""

SPECS: Mapping[str, str] = {
    "llm": "llm:model=dice",
    "llm-choose": "llm-choose:model=dice",
    "llm-talk": "llm-talk:model=dice",
    "scripted": "scripted:script=Offer 0",
}
"""Parties that do nothing, or need weights, by their name alone."""

UNCONDITIONAL = {"accepting"}
"""Bidding parties that take anything, which is their purpose."""


@pytest.mark.parametrize("name", registry.names("protocol"))
def test_every_protocol_keeps_its_contract(name: str) -> None:
    check_protocol(name)


@pytest.mark.parametrize(
    "name", [name for name in PARTIES if name not in {*ORIGINALS, "scripted-mediator"}]
)
def test_every_party_keeps_its_contract(name: str) -> None:
    check_party(SPECS.get(name, name), isolated=False)


def test_a_scripted_mediator_keeps_its_contract_under_the_protocol_of_its_script() -> None:
    spec = "scripted-mediator:script=OfferForFeedback 0"
    check_party(spec, ["mediator_feedback"], isolated=False)


@pytest.mark.parametrize("name", ORIGINALS)
def test_every_original_keeps_its_contract_in_faithful_sessions(name: str) -> None:
    # This one accepts offers by name, of which it dies in Genius's own AMOP.
    faithful = name != "genius-random-amop"
    failed: list[str] = []
    try:
        check_party(name, faithful=faithful, isolated=False)
    except ConformanceError as error:
        failed = [check.claim for check in error.report.failures]
    assert failed == ([UNABLE[name]] if name in UNABLE else [])


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, cls in PARTIES.items()
        if issubclass(cls, BiddingParty) and name not in UNCONDITIONAL
    ],
)
def test_every_bidding_party_keeps_to_its_reservation_value(name: str) -> None:
    check_rational(name)


@pytest.mark.parametrize("name", UNCONDITIONAL)
def test_who_takes_anything_is_told_from_the_others(name: str) -> None:
    with pytest.raises(ConformanceError):
        check_rational(name)


@pytest.mark.parametrize("name", ["boulware", "random_flipping_mediator", "tit-for-tat"])
def test_parties_play_in_processes_of_their_own(name: str) -> None:
    protocols = ["simple_mediator" if PARTIES[name].is_mediator else "alternating_offers"]
    assert not [
        check for check in check_party(name, protocols).checks if "process" in check.skipped
    ]


@pytest.mark.parametrize(
    "name", [*formats.bundled_names(), "random:issues=5,values=10,opposition=0.6,seed=1"]
)
def test_every_bundled_domain_holds_together(name: str) -> None:
    check_domain(name)
