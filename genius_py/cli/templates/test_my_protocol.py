"""Tests of my_protocol; run them with pytest."""

from pathlib import Path

import genius_py as gp
from genius_py.action import Reject
from genius_py.testing import check_protocol

PROTOCOL = f"{Path(__file__).with_name('my_protocol.py')}:MyProtocol"


def test_it_keeps_the_contract_of_a_protocol() -> None:
    check_protocol(PROTOCOL)


def test_parties_that_concede_come_to_an_agreement() -> None:
    outcome = gp.run(PROTOCOL, "company_car", parties=["linear", "conceder"], seed=1)
    assert outcome.agreement is not None
    assert outcome.agreeing_parties == 2


def test_an_offer_that_somebody_rejects_is_not_agreed() -> None:
    outcome = gp.run(PROTOCOL, "company_car", parties=["hardliner", "hardliner"], seed=1)
    assert any(isinstance(action, Reject) for action in outcome.log.actions)
    assert outcome.agreement is None
