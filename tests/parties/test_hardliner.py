import pytest

from genius_py import registry
from genius_py.parties.hardliner import Hardliner
from tests.parties.table import in_round, seat, seller


def test_hardliner_concedes_never() -> None:
    party = Hardliner()
    seat(party, seller())
    given_up = []
    for number in (1, 5, 9):
        in_round(party, number)
        given_up.append(1 - party.target())
    assert given_up == pytest.approx([0.0, 0.0, 0.0])


def test_hardliner_is_found_by_name_with_its_options() -> None:
    party = registry.make("party", "hardliner:e=0.3,k=0.1,search=genius")
    assert isinstance(party, Hardliner)
    assert (party.e, party.k, party.search) == (0.3, 0.1, "genius")
    assert Hardliner().e == 0.0
