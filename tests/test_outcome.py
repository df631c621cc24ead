"""What came of a session, derived from its plan and log alone."""

import attrs
import pytest

from genius_py.action import Accept, EndNegotiation, Forfeit, Offer
from genius_py.bid import Bid
from genius_py.deadline import Deadline
from genius_py.domain import Domain
from genius_py.errors import LogError
from genius_py.fault import Fault
from genius_py.issue import DiscreteIssue
from genius_py.log import Ending, Event, Kind, Log, Reason
from genius_py.manager import run
from genius_py.outcome import Outcome
from genius_py.plan import SeatPlan, SessionPlan
from genius_py.scenario import Scenario
from genius_py.utility import AdditiveUtilitySpace, DiscreteEvaluator

LUNCH = Domain("lunch", [DiscreteIssue("meal", ["soup", "salad"])])
SOUP = LUNCH.bid(meal="soup")


def profile(soup: float, reservation: float, discount: float) -> AdditiveUtilitySpace:
    return AdditiveUtilitySpace(
        domain=LUNCH,
        weights=[1],
        evaluators=[DiscreteEvaluator({"soup": soup, "salad": 1.0})],
        reservation_value=reservation,
        discount_factor=discount,
    )


PLAN = SessionPlan(
    "SAOP",
    Scenario(LUNCH, {"ann": profile(0.5, 0.9, 0.9), "bob": profile(0.8, 0.1, 1.0)}),
    [
        SeatPlan("mediator", "", "random_flipping_mediator", True),
        SeatPlan("ann", "ann", "boulware"),
        SeatPlan("bob", "bob", "con<ceder>"),
    ],
    Deadline(rounds=3),
)


def ended(
    agreement: Bid | None = None,
    reason: Reason = Reason.DEADLINE,
    *,
    time: float = 0.5,
    detail: str = "",
    payoffs: dict[str, float] | None = None,
    before: tuple[Event, ...] = (),
    after: tuple[Event, ...] = (),
) -> Outcome:
    ending = Ending(agreement, reason, detail, 2 if agreement else 1, 3, payoffs)
    end = Event(Kind.END, 3, 2, time, "", None, ("ann", "bob"), ending)
    return Outcome(PLAN, Log([*before, end, *after]))


def test_an_agreement_is_worth_what_the_profiles_say() -> None:
    outcome = ended(SOUP, Reason.AGREEMENT)
    assert outcome.utilities == {"ann": 0.5, "bob": 0.8}
    assert outcome.discounted_utilities == pytest.approx({"ann": 0.5 * 0.9**0.5, "bob": 0.8})
    assert outcome.agreeing_parties == 2
    assert outcome.rounds == 3


@pytest.mark.parametrize(("time", "worth"), [(0.5, 0.85381497), (1.0, 0.81), (0.0, 0.9)])
def test_no_agreement_is_worth_the_reservation_value_as_it_counts_at_the_end(
    time: float, worth: float
) -> None:
    # C52.
    outcome = ended(time=time)
    assert outcome.agreement is None
    assert outcome.utilities == outcome.reservation_values == {"ann": 0.9, "bob": 0.1}
    assert outcome.discounted_utilities["ann"] == pytest.approx(worth, abs=1e-8)


def test_what_the_rules_pay_takes_the_place_of_the_profiles() -> None:
    assert ended(SOUP, payoffs={"ann": 3.0, "bob": -1.0}).utilities == {"ann": 3.0, "bob": -1.0}


def test_mediators_get_nothing_because_they_are_no_parties() -> None:
    assert set(ended().utilities) == set(ended().discounted_utilities) == {"ann", "bob"}


def test_turns_and_faults_are_counted_from_the_log() -> None:
    fault = Fault("ann", "said nothing", round=1)
    late = Fault("bob", "raised OSError: tears", "negotiation_ended", round=3)
    outcome = ended(
        before=(
            Event(Kind.ACTION, 1, 1, 0.25, "bob", Offer("bob", SOUP), ("ann",)),
            Event(Kind.FAULT, 1, 2, 0.25, "ann", None, (), fault),
            Event(Kind.ACTION, 1, 2, 0.25, "ann", Forfeit("ann"), ("bob",)),
        ),
        after=(Event(Kind.FAULT, 3, 3, 0.5, "bob", None, (), late),),
    )
    assert outcome.turns == 2
    assert outcome.faults == (fault, late)


def test_an_outcome_reads_like_a_report() -> None:
    assert str(ended(SOUP, Reason.AGREEMENT)).splitlines() == [
        "Agreement in round 3: meal: soup",
        "  ann: 0.5000",
        "  bob: 0.8000",
    ]
    fault = Event(Kind.FAULT, 2, 1, 0.25, "ann", None, (), Fault("ann", "said nothing", round=2))
    assert str(ended(reason=Reason.ENDED, detail="fire", before=(fault,))).splitlines() == [
        "No agreement (ended: fire) after round 3.",
        "  ann: 0.9000",
        "  bob: 0.1000",
        "  Round 2: ann said nothing",
    ]


def test_joint_moves_are_played_and_not_agreed_on() -> None:
    game = run("normal_form:rounds=2", "prisoners_dilemma", deadline=2)
    assert game.is_joint_move
    assert str(game).startswith("Played up to round 2: alice: ")
    auction = run("sealed_bid_auction", "ad_slot", deadline=2)
    assert auction.ending.payoffs is not None
    assert not auction.is_joint_move
    assert not ended(SOUP, Reason.AGREEMENT).is_joint_move


def test_an_outcome_is_short_at_a_prompt() -> None:
    said = f"<Outcome of {PLAN.protocol} on {PLAN.scenario.name}, seed {PLAN.seed}: "
    assert repr(ended(SOUP, Reason.AGREEMENT)) == f"{said}Agreement in round 3: meal: soup>"
    assert repr(Outcome(PLAN, Log([]))) == f"{said}It has not ended.>"


def test_an_outcome_shows_as_a_table_in_a_notebook() -> None:
    html = ended(SOUP, Reason.AGREEMENT)._repr_html_()
    assert "<p>Agreement in round 3: meal: soup</p>" in html
    assert "<td>con&lt;ceder&gt;</td>" in html
    assert html.count("<tr>") == 3


def test_a_session_that_has_not_ended_has_no_outcome_yet() -> None:
    walk = Event(Kind.ACTION, 1, 1, 0.25, "ann", EndNegotiation("ann"), ("bob",))
    outcome = Outcome(PLAN, Log([walk]))
    assert outcome.turns == 1
    for question in ("agreement", "reason", "rounds", "time", "utilities"):
        with pytest.raises(LogError, match="interrupted; run it again"):
            getattr(outcome, question)


def test_outcomes_are_equal_when_their_plans_and_logs_are() -> None:
    assert ended() == ended()
    assert ended() != ended(SOUP)
    accept = Event(Kind.ACTION, 1, 2, 0.25, "ann", Accept("ann", SOUP), ("bob",))
    assert ended() != ended(before=(accept,))
    other = Outcome(attrs.evolve(PLAN, seed=1), ended().log)
    assert ended() != other
