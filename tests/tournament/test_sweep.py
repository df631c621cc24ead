import pytest

from genius_py.errors import OptionError, UnknownName
from genius_py.tournament.sweep import canonical, expanded


def test_a_list_of_values_stands_for_a_spec_each() -> None:
    assert expanded("boulware:e=[0.1,0.2,0.5]") == [
        "boulware:e=0.1",
        "boulware:e=0.2",
        "boulware:e=0.5",
    ]


def test_several_lists_are_combined() -> None:
    assert expanded("boulware:e=[1,2],k=[0,0.1]") == [
        "boulware:e=1,k=0",
        "boulware:e=1,k=0.1",
        "boulware:e=2,k=0",
        "boulware:e=2,k=0.1",
    ]


def test_a_spec_without_lists_is_itself() -> None:
    assert expanded("boulware") == ["boulware"]
    assert expanded("boulware:k=(0,1)") == ["boulware:k=(0, 1)"]


def test_an_empty_list_is_refused() -> None:
    with pytest.raises(OptionError, match="'e'"):
        expanded("boulware:e=[]")


def test_every_way_to_write_a_spec_has_one_canonical_form() -> None:
    assert canonical("party", "Boulware:k=0.1,e=.20") == canonical("party", "boulware:e=0.2,k=0.1")
    assert canonical("protocol", "SAOP") == "alternating_offers"


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(UnknownName, match="boulware"):
        canonical("party", "boulwear")
