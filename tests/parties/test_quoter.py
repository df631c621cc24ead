import pytest

from genius_py import registry
from genius_py.errors import OptionError
from genius_py.manager import run
from genius_py.outcome import Outcome
from genius_py.parties.quoter import Quoter


def quotes(*parties: str) -> dict[str, str]:
    outcome: Outcome = run("double_auction", "harbour_market", parties=parties)
    assert outcome.faults == ()
    return {action.party: str(action).partition(" ")[2] for action in outcome.log.actions}


def test_it_quotes_what_is_just_worth_it() -> None:
    assert quotes(*["quoter"] * 6) == {
        "old_trawler": "would sell 1 at 8",
        "night_boat": "would sell 1 at 14",
        "long_liner": "would sell 1 at 23",
        "grand_hotel": "would buy 1 at 30",
        "fish_bar": "would buy 1 at 20",
        "school_kitchen": "would buy 1 at 11",
    }


def test_it_may_ask_for_more_and_of_more() -> None:
    found = quotes("quoter:share=0.5,quantity=2", *["quoter"] * 2, "quoter:share=0.5", "quoter")
    assert found["old_trawler"] == "would sell 2 at 24"
    assert found["grand_hotel"] == "would buy 1 at 15"


@pytest.mark.parametrize("share", [-0.1, 1.1])
def test_a_share_lies_between_0_and_1(share: float) -> None:
    with pytest.raises(OptionError, match=r"share must lie in \[0, 1\]"):
        Quoter(share=share)


def test_it_plays_markets_of_one_price_alone() -> None:
    outcome = run("SAOP", "company_car", parties=["quoter", "linear"])
    assert "needs a domain of one price" in outcome.faults[0].reason


def test_it_is_found_by_name() -> None:
    assert isinstance(registry.make("party", "quoter:share=0.1"), Quoter)
