"""What makes a party: what can be known of it before there is one."""

from functools import partial
from typing import Any

import pytest

from genius_py.errors import PartyFailure
from genius_py.party import NegotiationParty
from genius_py.party_source import PartySource, class_of, make_party, name_of, options_of
from genius_py.testing import LegalParty


def somebody() -> NegotiationParty:
    return LegalParty()


@pytest.mark.parametrize(
    ("source", "name", "cls", "options"),
    [
        ("linear:e=2", "linear:e=2", "Linear", {"e": 2}),
        (LegalParty, "LegalParty", "LegalParty", {}),
        (partial(LegalParty, temper="stubborn"), "partial", "LegalParty", {"temper": "stubborn"}),
        (somebody, "somebody", "NegotiationParty", {}),
    ],
)
def test_a_source_tells_its_name_its_class_and_its_options(
    source: PartySource, name: str, cls: str, options: dict[str, object]
) -> None:
    assert name_of(source) == name
    assert class_of(source).__name__ == cls
    assert options_of(source) == options


def test_each_call_makes_a_party_of_its_own() -> None:
    for source in ("linear", LegalParty, somebody):
        assert make_party(source) is not make_party(source)


@pytest.mark.parametrize("made", [None, "a party", 3])
def test_what_a_factory_makes_must_be_a_party(made: Any) -> None:
    with pytest.raises(PartyFailure, match=r"<lambda> made a .*, which is no NegotiationParty"):
        make_party(lambda: made)
