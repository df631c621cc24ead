"""`genius-py check`."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Genius = Callable[..., Result]


@pytest.mark.parametrize(("kind", "spec"), [("protocol", "SAOP"), ("domain", "company_car")])
def test_what_keeps_its_contract_is_told_claim_by_claim(
    genius: Genius, kind: str, spec: str
) -> None:
    result = genius("check", kind, spec)
    assert result.exit_code == 0, result.stdout
    lines = result.stdout.splitlines()
    assert lines[0] == spec
    assert sum(line.startswith("passed ") for line in lines) >= 8
    assert lines[-1] == "It keeps its contract."


def test_what_is_to_mend_is_named_and_the_exit_code_is_1(genius: Genius) -> None:
    Path("mine.py").write_text(
        "from genius_py.party import NegotiationParty\n\n\nclass Mine(NegotiationParty):\n"
        '    """Never says anything."""\n\n'
        "    def choose_action(self, allowed):\n        return None\n",
        encoding="utf-8",
    )
    result = genius("check", "party", "mine.py:Mine")
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    mend = [line for line in lines if line.startswith("mend ")]
    assert any("said nothing" in line for line in mend)
    assert any(line.startswith("passed ") for line in lines)
    assert lines[-1].startswith(f"{len(mend)} of ")


def test_a_broken_domain_is_refused_with_its_place(genius: Genius) -> None:
    genius("new", "domain", "bike")
    path = Path("bike/scenario.yaml")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("lights: 0.3", "lights: much"), encoding="utf-8")
    result = genius("check", "domain", "bike")
    assert result.exit_code != 0
    assert "scenario.yaml:" in result.stdout + result.stderr


def test_an_unknown_name_is_a_mistake_of_the_question(genius: Genius) -> None:
    result = genius("check", "party", "boulwear")
    assert result.exit_code == 2
    assert "'boulware'" in result.stderr


def _bidder(body: str, method: str = "propose(self)") -> str:
    Path("mine.py").write_text(
        "from genius_py.bidding import BiddingParty\n\n\nclass Mine(BiddingParty):\n"
        f'    """Has a mistake."""\n\n    def {method}:\n        {body}\n',
        encoding="utf-8",
    )
    return "mine.py:Mine"


def test_a_forgotten_return_is_noted(genius: Genius) -> None:
    result = genius("check", "party", _bidder("self.domain.bid_at(0)"))
    assert result.exit_code == 0
    (note,) = [line for line in result.stdout.splitlines() if line.startswith("note ")]
    assert "under alternating_offers and bilateral_negotiation it always walks away" in note
    assert "`propose` returns a bid" in note


def test_a_repeated_cause_is_told_once_and_no_line_is_padded(genius: Genius) -> None:
    result = genius("check", "party", _bidder("return self.nothing"))
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    told = [line for line in lines if "no attribute 'nothing' (mine.py:8)." in line]
    assert len(told) == 2  # under the protocols, and where nothing is told
    assert sum(line.endswith(": the same") for line in lines) >= 5
    assert "Choose one of the classes" not in result.stdout
    assert not any(line.endswith(" ") for line in lines)


def test_how_to_choose_is_told_of_what_was_refused(genius: Genius) -> None:
    result = genius("check", "party", _bidder("return None", "choose_action(self, allowed)"))
    assert result.exit_code == 1
    assert "Choose one of the classes" in result.stdout
