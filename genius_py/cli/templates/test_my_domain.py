"""Tests of my_domain; run them with pytest."""

from pathlib import Path

import genius_py as gp
from genius_py.testing import check_domain

DOMAIN = str(Path(__file__).with_name("my_domain"))


def test_it_keeps_the_contract_of_a_domain() -> None:
    check_domain(DOMAIN)


def test_there_is_a_bid_that_both_prefer_to_no_agreement() -> None:
    outcome = gp.run("SAOP", DOMAIN, parties=["boulware", "conceder"], seed=1)
    assert outcome.agreement is not None
    for seat, reservation in outcome.reservation_values.items():
        assert outcome.utilities[seat] > reservation
