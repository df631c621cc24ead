import math

from genius_py.domain import Domain
from genius_py.issue import DiscreteIssue
from genius_py.manager import run
from genius_py.outcome import Outcome
from genius_py.report.hindsight import hindsight, picture
from genius_py.scenario import Scenario
from genius_py.utility import TableUtilitySpace

CAKE = Domain("cake", [DiscreteIssue("cut", ["a", "b", "c", "d"])])
TABLES = {"ann": (1.0, 0.6, 0.5, 0.0), "bob": (0.0, 0.6, 0.4, 1.0), "eve": (0.2, 0.2, 0.2, 0.2)}


def played(*scripts: str, reservation_value: float = 0.0, deadline: int = 2) -> Outcome:
    """A session about a cake, in which each party follows a script."""
    profiles = {
        role: TableUtilitySpace(domain=CAKE, table=table, reservation_value=reservation_value)
        for role, table in list(TABLES.items())[: len(scripts)]
    }
    return run(
        "alternating_offers",
        Scenario(CAKE, profiles),
        parties=[f"scripted:script={script}" for script in scripts],
        deadline=deadline,
    )


def test_what_was_given_away_is_named() -> None:
    outcome = played("Offer 2", "Accept last")
    assert hindsight(outcome, "ann") == (
        "cut: b would be worth 0.600 to you instead of 0.500, and no less to anybody else."
    )


def test_what_could_not_be_bettered_is_said_to_be_so() -> None:
    outcome = played("Offer 1", "Accept last")
    assert hindsight(outcome, "bob") == (
        "No bid is better for you without being worse for somebody else."
    )


def test_without_agreement_the_nash_bargaining_solution_is_named() -> None:
    outcome = played("Offer 0", "EndNegotiation", reservation_value=0.4)
    assert hindsight(outcome, "ann") == (
        "Some bids give everybody at least what no agreement does. "
        "The Nash bargaining solution is cut: b, worth 0.600 to you."
    )


def test_where_nothing_was_to_be_had_it_says_so() -> None:
    outcome = played("EndNegotiation", "EndNegotiation", reservation_value=0.7)
    assert hindsight(outcome, "ann").startswith("No bid gives everybody what no agreement does")


def test_of_what_cannot_be_listed_some_bids_are_shown_and_the_frontier_is_searched() -> None:
    outcome = run(
        "alternating_offers",
        "random:issues=30,values=9,parties=2,seed=1",
        parties=["hardliner", "hardliner"],
        deadline=2,
    )
    assert "The Nash bargaining solution is issue1: " in hindsight(outcome, "party1")
    assert ". some bids   o Pareto frontier" in picture(outcome, "party1").plain


def test_nothing_is_said_where_the_rules_decide_what_everybody_gets() -> None:
    outcome = run("sealed_bid_auction", "ad_slot", deadline=2)
    assert outcome.ending.payoffs is not None
    assert hindsight(outcome, outcome.plan.parties[0].id) == ""


def test_the_picture_puts_everything_in_its_place() -> None:
    outcome = played("Offer 0;Accept last", "Offer 1")
    text = picture(outcome, "ann", width=31, height=11).plain
    grid = [line.partition("|")[2] for line in text.splitlines()[1:12]]
    worth = {"a": (1.0, 0.0), "b": (0.6, 0.6), "c": (0.5, 0.4), "d": (0.0, 1.0)}
    marks = {
        cut: grid[10 - round(10 * up)][round(30 * right)] for cut, (right, up) in worth.items()
    }
    # a is offered by the first seat, b agreed, c dominated, and d on the frontier.
    assert marks == {"a": "1", "b": "A", "c": ".", "d": "o"}
    assert text.splitlines()[0] == "1.00  worth to bob"
    assert text.splitlines()[-2].split() == ["0.00", "worth", "to", "you", "1.00"]
    assert all(len(line) <= 37 for line in text.splitlines()[:-1])


def test_what_several_others_get_is_their_mean() -> None:
    outcome = played("Offer 3", "Accept last", "Accept last")
    text = picture(outcome, "ann", width=11, height=11).plain
    assert text.splitlines()[0] == "0.60  worth to the others, on average"
    assert text.splitlines()[1].partition("|")[2].startswith("A")


def test_the_legend_names_what_is_drawn_and_nothing_else() -> None:
    legend = picture(played("EndNegotiation", "EndNegotiation"), "bob").plain.splitlines()[-1]
    assert legend == ". bids   o Pareto frontier   N Nash   lines: no agreement"


def test_a_reservation_value_that_is_no_number_has_no_line() -> None:
    outcome = played("Offer 1", "Accept last", reservation_value=-math.inf)
    lines = picture(outcome, "ann", width=9, height=9).plain.splitlines()
    assert not any("-" in line for line in lines[1:10])
