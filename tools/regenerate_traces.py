"""Rewrite the text traces of ``tests/traces/``: whole negotiations, to be reviewed as diffs.

Run ``python tools/regenerate_traces.py`` after a change that is meant to change what happens.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import attrs

import genius_py as gp
from genius_py.log import Event, Kind
from genius_py.outcome import Outcome

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "traces"

_BARGAINERS = ("boulware", "conceder", "linear", "hardliner:k=0.3", "conceder:e=4")
_CLIMBERS = ("hill_climber", "annealer", "conceder", "boulware", "hill_climber")

_DOMAINS = {2: "integrative_negotiations_tradeoff", 3: "wind_farm", 5: "research_cruise"}
"""What two, three and five parties negotiate about."""


_TRADES = (
    ("classic", ":task_value=9", ("trader", "trader:e=0.5")),
    ("competitive", ":task_value=9", ("trader", "trader", "undercutter")),
    ("sealed", ":task_value=9,sealed_proposals=true", ("trader", "trader", "undercutter")),
    ("random", ":task_value=9,negotiate_turn_order=random", ("trader:e=2", "trader")),
    ("split", ":dispute_resolution=split", ("trader:disputes=true", "zero_intelligence")),
    ("price_only", ":mode=price_only", ("trader:e=2", "trader:e=2")),
    ("price_both", ":mode=price_only,proposers=both", ("trader:e=3", "zero_intelligence")),
)
"""Label, options and parties of the trades."""

_GAMES = (
    (
        "english_auction",
        "english",
        "vintage_guitar",
        ("increment:step=300", "sniping", "budget_limited:budget=1800"),
        6,
    ),
    (
        "english_auction_reverse",
        "english:reverse=true",
        "compute_job",
        ("increment:step=20",) * 3,
        9,
    ),
    (
        "dutch_auction",
        "dutch:increment=6",
        "tulip_clock",
        ("shading", "truthful:value=65", "random_bidder"),
        20,
    ),
    ("sealed_bid_auction", "sealed_bid", "spectrum_licence", ("shading", "shading", "truthful"), 1),
    (
        "vickrey_auction",
        "vickrey",
        "ad_slot",
        ("truthful:value=80", "shading:value=70", "truthful:value=80", "random_bidder"),
        1,
    ),
    ("vickrey_auction_reverse", "vickrey", "compute_job", ("truthful", "truthful", "shading"), 1),
    (
        "double_auction",
        "double_auction",
        "harbour_market",
        (
            "quoter:quantity=2",
            "quoter:share=0.2",
            "quoter",
            "quoter:quantity=3",
            "quoter",
            "quoter",
        ),
        1,
    ),
    ("bilateral_negotiation", "bilateral", "company_car", ("linear", "conceder:e=3"), 8),
    ("monotonic_concession", "monotonic_concession", "mill_pond", ("price_conceder",) * 3, 12),
    (
        "contract_net",
        "contract_net:threshold=0.82",
        "snow_clearing",
        (
            "contractor",
            "contractor:time=12,markup=0.5",
            "contractor:time=4,confidence=0.6",
            "contractor:cost=35,time=5,markup=1",
        ),
        6,
    ),
    (
        "contract_net_manager",
        "contract_net:decision=manager",
        "snow_clearing",
        ("contractor", "contractor:time=4", "contractor:markup=0.5", "contractor:cost=30"),
        6,
    ),
    (
        "simultaneous_offers",
        "simultaneous_offers:proposals=4,order=alternate",
        "resource_allocation",
        ("boulware:e=0.5", "conceder:e=1.5"),
        8,
    ),
    (
        "simultaneous_offers_sealed",
        "simultaneous_offers:proposals=3,sealed=true",
        "company_car",
        ("boulware:e=0.5", "hardliner"),
        5,
    ),
    ("normal_form", "normal_form", "prisoners_dilemma", ("copycat", "constant:move=defect"), 5),
    (
        "normal_form_public",
        "normal_form:rounds=4,scope=public",
        "battle_of_the_sexes",
        ("best_reply", "copycat"),
        4,
    ),
)
"""Label, protocol, domain, parties and rounds of auctions and other games."""


@attrs.frozen
class Trace:
    """A negotiation that is kept as text, in the file of its name.

    `domain` is that of the number of parties, and `label` the protocol and their number, unless
    they are given.
    """

    protocol: str
    parties: tuple[str, ...]
    rounds: int
    faithful: bool = False
    domain: str = ""
    label: str = ""

    @property
    def name(self) -> str:
        """The file's name without its extension."""
        faithful = "_faithful" if self.faithful else ""
        return self.label or f"{self.protocol}_{len(self.parties)}{faithful}"

    def text(self) -> str:
        """The negotiation as it comes out now."""
        outcome = gp.run(
            self.protocol,
            self.domain or _DOMAINS[len(self.parties)],
            parties=self.parties,
            deadline=self.rounds,
            seed=1,
            faithful=self.faithful,
        )
        return "".join(f"{line}\n" for line in lines(outcome))


def _traces() -> Iterator[Trace]:
    for n in _DOMAINS:
        yield Trace("alternating_offers", _BARGAINERS[:n], 12)
        yield Trace("alternating_multiple_offers", _BARGAINERS[:n], 12)
        yield Trace("alternating_majority_consensus", _BARGAINERS[:n], 5)
        yield Trace("simple_mediator", _CLIMBERS[:n], 12)
        yield Trace("mediator_feedback", _CLIMBERS[:n], 12)
    yield Trace("default", _BARGAINERS[:2], 3)
    # What Genius makes of parties that name the offer they vote for.
    yield Trace("alternating_multiple_offers", ("genius-boulware", "genius-conceder"), 12, True)
    for label, options, traders in _TRADES:
        spec = f"bilateral_trade{options}"
        home = "web_shop" if "price_only" in options else "translation_job"
        yield Trace(spec, traders, 30, domain=home, label=f"bilateral_trade_{label}")
    for label, spec, home, players, rounds in _GAMES:
        yield Trace(spec, players, rounds, domain=home, label=label)


TRACES: Mapping[str, Trace] = {trace.name: trace for trace in _traces()}


def lines(outcome: Outcome) -> Iterator[str]:
    """A negotiation, one event a line; who heard it is said unless all others did."""
    plan = outcome.plan
    yield f"protocol  {plan.protocol}{', faithful' if plan.faithful else ''}"
    yield f"domain    {plan.scenario.name}"
    yield f"deadline  {plan.deadline}"
    yield f"seed      {plan.seed}"
    for seat in plan.seats:
        yield f"seat      {seat.id}: {seat.party}"
    everybody = {seat.id for seat in plan.seats}
    shown = -1
    for event in outcome.log:
        if event.kind not in (Kind.INFORM, Kind.ACTION, Kind.FAULT):
            continue
        if event.round != shown:
            shown = event.round
            yield ""
            yield f"round {shown}, t = {event.time:.4f}" if shown else "before the first round"
        yield f"  {_told(event, everybody)}"
    yield ""
    yield from str(outcome).splitlines()
    if outcome.agreement is not None and outcome.detail:
        yield f"detail: {outcome.detail}"
    yield f"agreeing parties: {outcome.agreeing_parties}"


def _told(event: Event, everybody: set[str]) -> str:
    if event.kind == Kind.FAULT:
        return f"fault: {event.detail}"
    if set(event.audience) == everybody - {event.party}:
        return str(event.action)
    return f"{event.action}  [heard by {', '.join(event.audience) or 'nobody'}]"


def main() -> int:
    """Write every trace and say which have changed."""
    FOLDER.mkdir(exist_ok=True)
    for left in sorted(set(FOLDER.glob("*.txt")) - {FOLDER / f"{name}.txt" for name in TRACES}):
        left.unlink()
        print(f"removed   {left.name}")
    for name, trace in TRACES.items():
        file = FOLDER / f"{name}.txt"
        before, now = file.read_text(encoding="utf-8") if file.exists() else "", trace.text()
        if before != now:
            file.write_text(now, encoding="utf-8")
            print(f"{'changed  ' if before else 'written  '} {file.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
