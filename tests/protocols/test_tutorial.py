"""The protocol of docs/tutorials/a-protocol-of-your-own.md; test_docs.py runs the page itself."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from genius_py.action import Accept, Offer
from genius_py.manager import run
from genius_py.testing.scenarios import discrete_scenario

PAGE = Path(__file__).parents[2] / "docs" / "tutorials" / "a-protocol-of-your-own.md"


def source() -> str:
    found = re.search(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("tutorial") / "closed_rule.py"
    file.write_text(source(), encoding="utf-8")
    return f"{file}:ClosedRule"


def test_it_takes_less_than_40_lines() -> None:
    code = [line for line in source().splitlines() if line.strip()]
    assert len(code) < 40


@settings(max_examples=30)
@given(seed=st.integers(0, 1000), parties=st.integers(2, 5))
def test_a_majority_supports_what_is_agreed(spec: str, seed: int, parties: int) -> None:
    scenario = discrete_scenario(parties)
    outcome = run(spec, scenario, parties=["conceder"] * parties, deadline=12, seed=seed)
    assert outcome.faults == ()
    if outcome.agreement is not None:
        last = outcome.log.actions[-parties:]
        in_favour = {
            a.party for a in last if isinstance(a, Offer | Accept) and a.bid == outcome.agreement
        }
        assert len(in_favour) > parties / 2
        assert outcome.agreeing_parties == len(in_favour)
