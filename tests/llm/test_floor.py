"""Schemas that leave out what is worth too little."""

import json
import random

from genius_py.action import Accept, Offer, Reject
from genius_py.allowed import Allowed, BidOf, OneOf
from genius_py.bid import Bid
from genius_py.llm.floor import bids_worth
from genius_py.llm.plain_backends import random_reply
from genius_py.llm.reply_form import form_of
from genius_py.scenario import Scenario
from genius_py.testing.scenarios import (
    discrete_scenario,
    hopeless_scenario,
    huge_scenario,
    mixed_scenario,
    price_scenario,
)
from genius_py.utility import UtilitySpace


def profile(scenario: Scenario, place: int = 0) -> UtilitySpace:
    return list(scenario.profiles.values())[place]


def drawn(space: UtilitySpace, least: float, number: int = 200) -> list[Bid]:
    """Bids that the schema admits."""
    allowed = Allowed({Offer: {"bid": BidOf(space.domain)}})
    form = form_of(allowed, bid_field=bids_worth(space, least))
    schema = json.loads(form.schema)
    rng = random.Random(0)
    bids = []
    for _ in range(number):
        action = form.move_of(random_reply(schema, rng)["move"], "ann")
        assert isinstance(action, Offer)
        bids.append(action.bid)
    return bids


def test_a_few_bids_are_named_one_by_one() -> None:
    space = profile(discrete_scenario())
    worths = {bid: space.utility(bid) for bid in space.domain.bids()}
    assert set(drawn(space, 0.5, 1000)) == {bid for bid, worth in worths.items() if worth >= 0.5}


def test_a_range_of_prices_ends_where_they_are_not_worth_enough() -> None:
    buyer, seller = profile(price_scenario()), profile(price_scenario(), 1)
    # (700 - price) / 500 >= 0.4 up to 500; price / 500 >= 0.4 from 200 on.
    assert max(bid["price"] for bid in drawn(buyer, 0.4)) <= 500  # type: ignore[operator]
    assert min(bid["price"] for bid in drawn(seller, 0.4)) >= 200  # type: ignore[operator]


def test_of_many_bids_values_are_left_out_that_no_good_bid_has() -> None:
    space = profile(mixed_scenario())
    field = bids_worth(space, 0.95)(space.domain)
    # Weights 1/6, 2/6, 3/6; it likes red, many pieces (10 to 19) and a low price (0.5 to 2.5). A
    # loss of 0.05 is a piece (1/27) and a bit, 0.2 of the price, and less than another colour.
    assert field.narrowed["colour"].schema == {"enum": ["red"]}
    assert field.narrowed["pieces"].schema["minimum"] == 18
    assert field.narrowed["price"].schema["maximum"] == 0.7
    # What is left out of the schema can still be read, and is then looked at.
    assert field.read({"colour": "blue", "pieces": 19, "price": 2.5}) in space.domain


def test_where_no_bid_is_worth_enough_an_offer_is_left_out_or_free() -> None:
    space = profile(hopeless_scenario())
    assert bids_worth(space, 1.5)(space.domain).alternatives == ()
    only = form_of(Allowed({Offer: {"bid": BidOf(space.domain)}}), bid_field=bids_worth(space, 1.5))
    assert only.moves[0].action is Offer


def test_bids_that_cannot_be_listed_are_all_admitted() -> None:
    space = profile(huge_scenario())
    field = bids_worth(space, 0.9)(space.domain)
    assert field.narrowed == {}
    assert field.alternatives is None


def test_a_bid_on_the_table_below_the_floor_can_be_rejected_only() -> None:
    space = profile(discrete_scenario())
    bids = sorted(space.domain.bids(), key=space.utility)
    on_the_table = OneOf([bids[0]])
    allowed = Allowed({Accept: {"bid": on_the_table}, Reject: {"bid": on_the_table}})
    form = form_of(allowed, acceptable=lambda bid: space.utility(bid) >= 0.5)
    assert [move.name for move in form.moves] == ["Reject"]
