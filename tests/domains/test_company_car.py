import pytest
import yaml

import genius_py as gp
from genius_py.formats import bundled_path, load

CAR = load("company_car")


def test_the_prices_of_the_alternatives_are_the_reservation_values() -> None:
    # Spec S0.40: the buyer's alternative costs 41000, the seller's brings 39000.
    for role, price in (("buyer", 41000), ("seller", 39000)):
        space = CAR.profile(role)
        assert space.utility(CAR.domain.bid(price=price)) == space.reservation_value == 0.4


def test_both_gain_just_between_the_alternatives() -> None:
    gained = [
        bid["price"]
        for bid in CAR.domain.bids()
        if all(space.utility(bid) > space.reservation_value for space in CAR.profiles.values())
    ]
    assert (gained[0], gained[-1], len(gained)) == (39001, 40999, 1999)


@pytest.mark.parametrize("buyer", ["boulware", "conceder", "linear"])
@pytest.mark.parametrize("seller", ["boulware", "conceder", "linear"])
def test_sensible_parties_meet_strictly_between_the_alternatives(buyer: str, seller: str) -> None:
    outcome = gp.run("SAOP", "company_car", parties=[buyer, seller], seed=1)
    assert outcome.agreement is not None
    price = outcome.agreement["price"]
    assert isinstance(price, int)
    assert 39000 < price < 41000


def test_the_figures_of_the_game_in_rounds_lie_beside_the_scenario() -> None:
    game = yaml.safe_load((bundled_path("company_car") / "game.yaml").read_text("utf-8"))
    assert game["rounds"] == 5
    assert (game["buyer_batna"], game["seller_batna"]) == (41000, 39000)
    assert game["batna_decay"] == {"buyer": 0.015, "seller": 0.015}
    assert (game["starting_price"], game["buyer_budget"], game["seller_cost"]) == (
        45000,
        42000,
        36000,
    )
