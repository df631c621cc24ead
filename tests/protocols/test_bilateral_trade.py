"""The rules of trades, fed with actions by hand; the statements of the seed are in tests/spec."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from genius_py import replay
from genius_py.action import Accept, Action, Inform, Pass, Say
from genius_py.domain import Domain
from genius_py.errors import OptionError
from genius_py.fault import Fault
from genius_py.issue import DiscreteIssue, IntegerIssue, RealIssue, TextIssue
from genius_py.log import Kind, Reason
from genius_py.manager import run
from genius_py.parties.person import Person
from genius_py.protocols.bilateral_trade import PRICE_ONLY_ROUNDS, ROUNDS, BilateralTradeProtocol
from genius_py.protocols.trade_actions import (
    AcceptDelivery,
    AcceptProposal,
    DisputeDelivery,
    PostRequest,
    Propose,
    RejectAndExit,
    SubmitDeliverable,
)
from genius_py.testing import Driven, check_protocol, drive, legal_action
from genius_py.testing.legal import Temper
from genius_py.trace import dump_log, parse_log

WORK = Domain("work", [TextIssue("scope", 100), RealIssue("price", 0, 100)])
LEVELS = Domain("levels", [DiscreteIssue("scope", ["draft", "proof"]), IntegerIssue("price", 5, 9)])
PRICE = Domain("price", [IntegerIssue("price", 0, 10)])
IDS = ("ini", "pro", "two", "three", "four", "five", "six", "seven")


def table(parties: int = 2, domain: Domain = WORK, deadline: Any = 30, **options: Any) -> Driven:
    written = ",".join(f"{key}={value}" for key, value in options.items())
    spec = f"bilateral_trade:{written}" if written else "bilateral_trade"
    return drive(spec, domain=domain, parties=IDS[:parties], deadline=deadline, on_fault="forfeit")


def requested(parties: int = 2, **settings: Any) -> Driven:
    return table(parties, **settings).feed(PostRequest("ini", "ten pages", 50))


def agreed(**settings: Any) -> Driven:
    return requested(**settings).feed(Propose("pro", "all ten", price=35), AcceptProposal("ini"))


def asked(session: Driven) -> str:
    (turn,) = session.asked
    return turn.party.id


MODES = st.sampled_from(
    (
        {},
        {"dispute_resolution": "split"},
        {"negotiate_turn_order": "random"},
        {"sealed_proposals": True, "negotiate_turn_order": "random"},
        {"allow_pass": True, "max_stale_turns": 2},
        {"max_turns": 6, "max_messages": 1},
        {"mode": "price_only"},
        {"mode": "price_only", "proposers": "both", "max_budget": 40},
    )
)
TEMPERS: st.SearchStrategy[Temper] = st.sampled_from(("any", "agreeable", "stubborn"))


@settings(max_examples=50)
@given(
    options=MODES,
    parties=st.integers(2, 4),
    seed=st.integers(0, 2**32),
    temper=TEMPERS,
    faults=st.sampled_from((0.0, 0.2)),
)
def test_a_replay_equals_the_play_and_money_is_conserved(
    options: dict[str, Any], parties: int, seed: int, temper: Temper, faults: float
) -> None:
    session = table(2 if "mode" in options else parties, **options)
    rng = np.random.default_rng(seed)
    while session.asked:
        (turn,) = session.asked
        broken = rng.random() < faults
        fault = Fault(turn.party.id, "failed")
        session.feed(fault if broken else legal_action(turn, rng, temper))
    outcome = session.outcome
    lines = list(dump_log(outcome))
    assert list(dump_log(replay(parse_log(lines)))) == lines
    assert outcome.detail
    if "mode" not in options:
        assert sum(outcome.utilities.values()) == 0
        paid = {party: u for party, u in outcome.utilities.items() if u}
        if outcome.detail == "trade_completed":
            assert outcome.agreement is not None
            assert set(map(abs, paid.values())) <= {outcome.agreement["price"]}
        elif outcome.detail != "delivery_disputed_split":
            assert not paid


@pytest.mark.parametrize(
    "options",
    [
        "",
        ":dispute_resolution=split,negotiate_turn_order=random",
        ":sealed_proposals=true",
        ":allow_pass=true,max_stale_turns=2,max_turns=8",
    ],
)
def test_it_keeps_the_contract_with_every_option(options: str) -> None:
    check_protocol(f"bilateral_trade{options}")


@pytest.mark.parametrize("options", ["", ",proposers=both", ",max_budget=5000"])
def test_it_keeps_the_contract_about_the_price_alone(options: str) -> None:
    check_protocol(f"bilateral_trade:mode=price_only{options}")


def test_everybody_is_told_its_part_and_the_limits() -> None:
    told = {seat: [a for _, a in heard] for seat, heard in table(3, task_value=9).heard.items()}
    (facts,) = (a.value for a in told["ini"] if isinstance(a, Inform))
    assert facts == {
        "mode": "full",
        "my_role": "initiator",
        "initiator": "ini",
        "providers": ["pro", "two"],
        "dispute_resolution": "no_payment",
        "task_value": 9,
        "rounds": {"request": 2, "negotiate": 8, "deliver": 3, "verify": 2},
    }
    (facts,) = (a.value for a in told["two"] if isinstance(a, Inform))
    assert isinstance(facts, dict)
    assert facts["my_role"] == "provider"
    assert "task_value" not in facts


def test_a_secret_budget_is_told_to_the_buyer_alone() -> None:
    session = table(mode="price_only", max_budget=40)
    facts = {seat: heard[0][1].value for seat, heard in session.heard.items()}  # type: ignore[attr-defined]
    assert facts["ini"]["max_budget"] == 40
    assert "max_budget" not in facts["pro"]
    assert facts["pro"]["my_role"] == "seller"


def test_a_dearer_proposal_than_a_secret_budget_stands_but_cannot_be_accepted() -> None:
    session = table(mode="price_only", max_budget=40).feed(Propose("pro", price=41))
    assert session.may(RejectAndExit, Pass, Say)
    session.feed(Pass("ini"), Propose("pro", price=40))
    assert session.may(AcceptProposal, RejectAndExit, Pass, Say)


def test_scopes_may_be_words_or_a_list() -> None:
    rules = requested().asked[0].allowed[Propose]
    assert {field: str(rule) for field, rule in rules.items()} == {
        "scope": "a text of 1 to 100 characters",
        "price": "a number from 0 to 50",
    }
    session = table(domain=LEVELS).feed(PostRequest("ini", "work", 8))
    assert {field: str(rule) for field, rule in session.asked[0].allowed[Propose].items()} == {
        "scope": "one of: draft; proof",
        "price": "a whole number from 5 to 8",
    }


def test_a_budget_lies_within_the_prices_of_the_domain() -> None:
    session = table(domain=LEVELS, deadline=30).feed(PostRequest("ini", "work", 4))
    assert "a number from 5 to 9" in session.faults[0]


def test_an_agreement_is_a_bid_of_the_domain() -> None:
    session = agreed()
    assert session.agreement == WORK.bid(scope="all ten", price=35)
    assert session.agreeing_parties == 2


@pytest.mark.parametrize(
    ("domain", "scope"),
    [
        (Domain("d", [RealIssue("price", 0, 9)]), {}),
        (Domain("d", [DiscreteIssue("scope", ["a shop"]), RealIssue("price", 0, 9)]),
         {"scope": "a shop"}),
        (WORK, {"scope": ""}),
    ],
)  # fmt: skip
def test_a_price_only_agreement_has_the_scope_that_the_domain_has(
    domain: Domain, scope: dict[str, str]
) -> None:
    session = table(domain=domain, mode="price_only")
    session.feed(Propose("pro", price=5), AcceptProposal("ini"))
    assert session.agreement == domain.bid({"price": 5, **scope})
    assert session.ending is not None
    assert session.ending.payoffs is None


@pytest.mark.parametrize(
    "option",
    [
        {"mode": "half"},
        {"dispute_resolution": "duel"},
        {"negotiate_turn_order": "none"},
        {"proposers": "buyer"},
        {"max_budget": -1},
        {"task_value": "much"},
        {"negotiate_rounds": 0},
        {"max_turns": 0},
        {"max_messages": -1},
        {"max_stale_turns": 1.5},
    ],
)
def test_an_impossible_option_is_named(option: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=next(iter(option))):
        BilateralTradeProtocol(**option)


def test_a_price_only_trade_is_for_two() -> None:
    with pytest.raises(OptionError, match="3 parties"):
        table(3, mode="price_only")


def test_the_limits_of_rounds_are_those_of_the_game() -> None:
    assert [limit for limit in ROUNDS.values()] == [2, 8, 3, 2]
    assert PRICE_ONLY_ROUNDS == 100


def test_whoever_talks_is_asked_again_in_the_same_round() -> None:
    session = requested(max_messages=2)
    for _ in range(2):
        session.feed(Say("pro", "One moment."))
        assert asked(session) == "pro"
    assert session.session.round_number == 2
    assert Say not in session.asked[0].allowed
    session.feed(Propose("pro", "all", price=35))
    assert Say in session.asked[0].allowed


def test_who_talks_in_random_order_is_asked_again_too() -> None:
    session = requested(negotiate_turn_order="random")
    for _ in range(10):
        speaker = asked(session)
        session.feed(Say(speaker, "One moment."))
        assert asked(session) == speaker


def test_after_much_talk_something_must_be_done_until_something_is() -> None:
    session = requested(max_stale_turns=2, allow_pass=True)
    session.feed(Pass("pro"), Say("ini", "Well?"))
    assert session.may(Propose, RejectAndExit)
    session.feed(Propose("ini", "all", price=30))
    assert {Pass, Say} <= set(session.asked[0].allowed)


def test_groups_of_addressees_are_offered_while_they_are_few() -> None:
    session = requested(4)
    rule = session.asked[0].allowed[Say]["to"]
    assert all(rule.allows(to) for to in ((), ("ini",), ("two", "three")))
    assert not rule.allows(("ini", "two", "three"))  # that is all of them, which () says
    assert not rule.allows(("pro",))
    many = requested(8).asked[0].allowed[Say]["to"]
    assert many.allows(("six",))
    assert not many.allows(("five", "six"))


def test_a_private_message_is_heard_by_its_addressee_alone() -> None:
    session = requested(3).feed(Say("pro", "48?", ("two",)))
    assert Say("pro", "48?", ("two",)) in [action for _, action in session.heard["two"]]
    assert Say("pro", "48?", ("two",)) not in [action for _, action in session.heard["ini"]]


def test_a_forfeited_turn_is_passed_on_and_leaves_proposals_standing() -> None:
    session = requested().feed(Propose("pro", "all", price=35), Fault("ini", "says nothing"))
    assert asked(session) == "pro"
    session.feed(Propose("pro", "all", price=34), AcceptProposal("ini"))
    assert session.agreement == WORK.bid(scope="all", price=34)


def test_forfeited_turns_count_against_the_turns_but_talk_does_not() -> None:
    session = table(max_turns=2)
    session.feed(Say("ini", "Hello."), Fault("ini", "says nothing"), PostRequest("ini", "work", 9))
    assert session.outcome.detail == "max_turns_exceeded"


def test_an_accepted_proposal_must_be_on_the_table() -> None:
    session = requested().feed(Propose("pro", "all", price=35), AcceptProposal("ini", "two"))
    assert "may accept those of: pro" in session.faults[0]


def test_sealed_proposals_keep_the_losers_in_the_dark() -> None:
    session = requested(3, sealed_proposals=True)
    session.feed(Propose("pro", "all", price=35), Propose("two", "all", price=30))
    session.feed(AcceptProposal("ini", "two"), SubmitDeliverable("two", "x"), AcceptDelivery("ini"))
    end = session.log[-1]
    assert end.kind == Kind.END
    assert end.audience == ("ini", "two")
    prices = [a.price for _, a in session.heard["pro"] if isinstance(a, Propose)]
    assert prices == []
    assert Propose("pro", "all", price=35) in [a for _, a in session.heard["ini"]]


def test_a_deadline_that_comes_first_is_named_like_the_trades_own() -> None:
    session = requested(deadline=1)
    assert session.is_over
    assert session.outcome.reason is Reason.DEADLINE
    assert session.outcome.detail == "max_rounds_exceeded"


def test_its_own_limit_ends_it() -> None:
    session = requested(negotiate_rounds=1)
    session.feed(Propose("pro", "all", price=35), Propose("ini", "all", price=5))
    assert session.outcome.reason is Reason.ENDED
    assert session.outcome.detail == "max_rounds_exceeded"


def test_who_walks_away_ends_it_as_such() -> None:
    session = requested().feed(RejectAndExit("pro", "no"))
    assert session.outcome.reason is Reason.WALKAWAY
    assert session.outcome.detail == "negotiation_failed"


def test_an_agreement_stays_one_when_its_delivery_is_disputed_or_never_comes() -> None:
    disputed = agreed(dispute_resolution="split")
    disputed.feed(SubmitDeliverable("pro", "x"), DisputeDelivery("ini", "nine pages"))
    assert disputed.outcome.reason is Reason.AGREEMENT
    assert disputed.outcome.utilities == {"ini": -17.5, "pro": 17.5}
    idle = agreed()
    while idle.asked:
        idle.feed(Fault("pro", "says nothing"))
    assert idle.outcome.reason is Reason.AGREEMENT
    assert idle.outcome.detail == "max_rounds_exceeded"
    assert idle.outcome.utilities == {"ini": 0.0, "pro": 0.0}


def test_ended_from_outside_it_pays_nothing_and_takes_no_more_actions() -> None:
    session = agreed()
    session.feed(SubmitDeliverable("pro", "x"))
    session.protocol.end_negotiation("enough")
    session.feed(AcceptDelivery("ini"))
    assert session.outcome.detail == "enough"
    assert session.outcome.utilities == {"ini": 0.0, "pro": 0.0}


def test_the_offers_of_other_protocols_are_none_here() -> None:
    session = requested().feed(Accept("pro", WORK.bid(scope="x", price=1)))
    assert "said Accept" in session.faults[0]


def test_a_person_plays_every_part_of_it() -> None:
    typed = deque(
        [
            *("post request", "ten pages", "9"),
            *("say", "Dearer than I thought."),
            *("propose", "ten pages", "4"),
            *("accept proposal", "accept delivery"),
        ]
    )
    shown: list[str] = []

    def ask(question: str, complete: object) -> str:
        shown.append(question)
        return typed.popleft()

    outcome = run(
        "bilateral_trade",
        "translation_job",
        parties=[lambda: Person(ask, shown.append), "trader:e=2"],
    )
    assert outcome.detail == "trade_completed", "\n".join(shown)
    assert [type(action) for action in outcome.log.actions if action.party == "publisher"] == [
        PostRequest,
        Say,
        Propose,
        AcceptProposal,
        AcceptDelivery,
    ]


@given(seed=st.integers(0, 2**32))
def test_every_action_of_the_log_is_one_that_its_turn_allowed(seed: int) -> None:
    rng = np.random.default_rng(seed)
    session, done = table(3), []
    while session.asked:
        action: Action = legal_action(session.asked[0], rng)
        done.append(action)
        session.feed(action)
    assert session.log.actions == done
    assert session.faults == ()
