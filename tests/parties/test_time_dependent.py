import pytest

from genius_py import registry
from genius_py.errors import OptionError
from genius_py.parties.exponential_concession import ExponentialConcession
from genius_py.parties.time_dependent import TimeDependentConcession
from genius_py.party import NegotiationParty
from tests.parties.table import answer, in_round, seat, seller


def asked(party: TimeDependentConcession | ExponentialConcession) -> list[float]:
    seat(party, seller(reservation_value=0.5), rounds=10)
    given: list[float] = []
    for number in range(1, 11):
        in_round(party, number)
        answer(party)
        given.append(party.current)
    return given


def test_compounding_by_the_square_is_exponential_concession() -> None:
    assert asked(TimeDependentConcession()) == pytest.approx(asked(ExponentialConcession()))


def test_anchored_the_curve_is_one_of_time_alone() -> None:
    party = TimeDependentConcession(e=0.5, anchored=True)
    assert asked(party) == pytest.approx([1 - 0.5 * (n / 10) ** 2 for n in range(1, 11)])


def test_a_faster_party_is_below_a_slower_one() -> None:
    fast = asked(TimeDependentConcession(e=2.0, anchored=True))
    slow = asked(TimeDependentConcession(e=0.2, anchored=True))
    assert all(f <= s for f, s in zip(fast, slow, strict=True))


def test_a_negative_speed_is_refused() -> None:
    with pytest.raises(OptionError, match="e must be 0 or more"):
        TimeDependentConcession(e=-1)


def test_it_is_found_by_name_with_its_options() -> None:
    party: NegotiationParty = registry.make("party", "time-dependent:e=1,anchored=true")
    assert isinstance(party, TimeDependentConcession)
    assert (party.e, party.anchored) == (1, True)
