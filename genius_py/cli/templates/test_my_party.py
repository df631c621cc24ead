"""Tests of my_party; run them with pytest."""

from pathlib import Path

import genius_py as gp
from genius_py.testing import check_party

PARTY = f"{Path(__file__).with_name('my_party.py')}:MyParty"


def test_it_keeps_the_contract_of_a_party() -> None:
    check_party(PARTY)


def test_it_comes_to_an_agreement_with_a_conceder() -> None:
    outcome = gp.run("SAOP", "company_car", parties=[PARTY, "conceder"], seed=1)
    assert outcome.agreement is not None


def test_it_gets_no_less_than_its_reservation_value() -> None:
    outcome = gp.run("SAOP", "company_car", parties=["hardliner", PARTY], seed=1)
    for seat, reservation in outcome.reservation_values.items():
        assert outcome.utilities[seat] >= reservation
