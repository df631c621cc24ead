import pytest

from genius_py.action import OfferForVoting
from genius_py.allowed import Allowed
from genius_py.parties.fixed_order_flipping_mediator import FixedOrderFlippingMediator
from genius_py.testing import check_party
from genius_py.testing.scenarios import discrete_scenario
from tests.parties.informed import informed


def proposals(seed: int, faithful: bool) -> list[str]:
    space = discrete_scenario().profile("ann")
    med = informed(FixedOrderFlippingMediator(), space, seed=seed, faithful=faithful)
    return [str(med.choose_action(Allowed(OfferForVoting))) for _ in range(10)]


def test_it_keeps_the_contract() -> None:
    check_party("fixed_order_flipping_mediator", isolated=False)


@pytest.mark.parametrize("faithful", [False, True])
def test_it_proposes_the_same_in_every_session(faithful: bool) -> None:
    assert proposals(1, faithful) == proposals(2, faithful)


def test_faithful_draws_as_java_does_from_seed_0() -> None:
    # new java.util.Random(0): nextInt(3) = 0, nextInt(4) = 3 (the two high bits), nextInt(2) = 0.
    assert proposals(1, faithful=True)[0] == (
        "ann puts to the vote colour: red, size: XL, wheels: two"
    )
