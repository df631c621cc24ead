from genius_py.action import Inform
from genius_py.domain import Domain
from genius_py.issue import DiscreteIssue, IntegerIssue, RealIssue
from genius_py.java import JavaRandom
from genius_py.parties.genius_party import GeniusParty
from genius_py.utility import CallableUtilitySpace
from tests.parties.table import hear, in_round, price, seat, seller

DOMAIN = Domain(
    "mixed",
    [
        DiscreteIssue("colour", ["red", "green", "blue"]),
        IntegerIssue("n", 5, 9),
        RealIssue("r", 0, 42),
    ],
)


def seated(seed: int = 1) -> GeniusParty:
    party = GeniusParty()
    seat(party, CallableUtilitySpace(domain=DOMAIN, function=lambda bid: 0.5), seed=seed)
    return party


def test_a_random_bid_is_drawn_issue_by_issue_from_java_s_stream() -> None:
    stream = JavaRandom(7)
    colour, number, step = stream.next_int(3), stream.next_int(5), stream.next_int(21)
    bid = seated(seed=7).random_bid()
    assert bid.content == (("red", "green", "blue")[colour], 5 + number, 2.0 * step)


def test_the_upper_bound_of_a_real_issue_is_never_drawn() -> None:
    party = seated()
    reals = {party.random_bid()["r"] for _ in range(2_000)}
    assert reals == {2.0 * step for step in range(21)}


def test_any_inform_counts_as_the_number_of_parties() -> None:
    party = seated()
    assert party.number_of_parties == 0
    party.receive_message(None, Inform("rules", "Weather", 3))
    assert party.number_of_parties == 3


def test_no_bid_is_worth_nothing() -> None:
    party = seated()
    assert (party.utility(None), party.discounted_utility(None)) == (0.0, 0.0)


def test_utilities_are_discounted_by_the_time() -> None:
    party = GeniusParty()
    seat(party, seller(discount_factor=0.25))
    in_round(party, 5)
    assert party.discounted_utility(price(8)) == 0.8 * 0.25**0.5


def test_what_was_heard_last_is_remembered() -> None:
    party = GeniusParty()
    seat(party, seller())
    hear(party, price(3))
    assert str(party.last_received_action) == "you offers price: 3"
