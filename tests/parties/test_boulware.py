import pytest

from genius_py import registry
from genius_py.parties.boulware import Boulware
from tests.parties.table import in_round, seat, seller


def test_boulware_concedes_late() -> None:
    party = Boulware()
    seat(party, seller())
    given_up = []
    for number in (1, 5, 9):
        in_round(party, number)
        given_up.append(1 - party.target())
    assert given_up == pytest.approx([0.1**5, 0.5**5, 0.9**5])


def test_boulware_is_found_by_name_with_its_options() -> None:
    party = registry.make("party", "boulware:e=0.3,k=0.1,search=genius")
    assert isinstance(party, Boulware)
    assert (party.e, party.k, party.search) == (0.3, 0.1, "genius")
    assert Boulware().e == 0.2
