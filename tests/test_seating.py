"""Who sits where, and what a plan says, when names are given."""

from pathlib import Path
from typing import Any, ClassVar

import attrs
import pytest

from genius_py.action import Action, EndNegotiation
from genius_py.allowed import Allowed
from genius_py.deadline import Deadline
from genius_py.errors import OptionError, UnknownName
from genius_py.manager import run
from genius_py.party_source import PartySource
from genius_py.scenario import Scenario
from genius_py.seating import DEFAULT_ROUNDS, plan_session
from genius_py.testing import LegalParty
from genius_py.testing.scenarios import one_bid_scenario

DUO, TRIO = one_bid_scenario(2), one_bid_scenario(3)
DEAL = DUO.domain.bid_at(0)


class Offering(LegalParty):
    name: ClassVar[str] = "offering"


class Mediating(Offering):
    is_mediator: ClassVar[bool] = True


class Seated:
    """Looks like a party, but derives from nothing."""

    def choose_action(self, allowed: Allowed) -> Action:
        return EndNegotiation("me")


def seats(
    *parties: PartySource, domain: Scenario = DUO, **options: Any
) -> list[tuple[str, str, str]]:
    plan, _ = plan_session(options.pop("protocol", "SAOP"), domain, parties=parties, **options)
    return [(seat.id, seat.role, seat.party) for seat in plan.seats]


class TestSeats:
    """Who sits where."""

    def test_parties_take_the_profiles_in_order_and_their_roles_as_ids(self) -> None:
        assert seats("boulware", "conceder") == [
            ("ann", "ann", "boulware"),
            ("bob", "bob", "conceder"),
        ]

    def test_a_party_may_name_its_role(self) -> None:
        assert seats("boulware@bob", "conceder") == [
            ("bob", "bob", "boulware"),
            ("ann", "ann", "conceder"),
        ]

    @pytest.mark.parametrize(
        ("spec", "role", "party"),
        [
            ("a@b/mine.py:Mine", "ann", "a@b/mine.py:Mine"),
            ("a@b/mine.py:Mine@bob", "bob", "a@b/mine.py:Mine"),
            ("scripted:script=me@home", "ann", "scripted:script=me@home"),
            ("scripted:script=me@home@bob", "bob", "scripted:script=me@home"),
            ("scripted:script=x@bob", "bob", "scripted:script=x"),
            ("scripted:script='x@bob'", "ann", "scripted:script='x@bob'"),
        ],
    )
    def test_only_a_role_behind_an_at_sign_is_one(
        self,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        spec: str,
        role: str,
        party: str,
    ) -> None:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "a@b").mkdir()
        (tmp_path / "a@b" / "mine.py").write_text(
            "from genius_py.testing import LegalParty\nclass Mine(LegalParty): ...\n",
            encoding="utf-8",
        )
        assert seats(spec)[0] == (role, role, party)

    def test_a_role_may_hold_an_at_sign(self) -> None:
        odd = attrs.evolve(
            DUO, profiles=dict(zip(["bob", "x@bob"], DUO.profiles.values(), strict=True))
        )
        assert seats("linear@x@bob", "boulware@bob", domain=odd) == [
            ("x@bob", "x@bob", "linear"),
            ("bob", "bob", "boulware"),
        ]

    def test_no_two_seats_have_one_id(self) -> None:
        odd = attrs.evolve(
            DUO, profiles=dict(zip(["bob", "bob@2"], DUO.profiles.values(), strict=True))
        )
        parties = ("linear@bob", "linear@bob@2", "linear@bob")
        assert [seat for seat, _, _ in seats(*parties, domain=odd)] == ["bob", "bob@2", "bob@3"]

    def test_two_parties_may_share_a_profile(self) -> None:
        assert seats("boulware@ann", "boulware@ann", "linear@bob") == [
            ("ann", "ann", "boulware"),
            ("ann@2", "ann", "boulware"),
            ("bob", "bob", "linear"),
        ]

    def test_two_parties_of_one_kind_are_two(self) -> None:
        # C27: the same strategy on both sides.
        outcome = run("SAOP", "company_car", parties=["linear", "linear"], seed=1)
        assert len(set(outcome.utilities)) == 2
        assert outcome.agreement is not None

    def test_classical_bots_fill_the_seats_that_nobody_takes(self) -> None:
        assert seats() == seats("boulware", "conceder")
        assert seats("random") == seats("random", "conceder")
        assert [party for _, _, party in seats(domain=TRIO)] == ["boulware", "conceder", "boulware"]

    def test_two_parties_leave_a_third_profile_out(self) -> None:
        assert [role for _, role, _ in seats("random", "random", domain=TRIO)] == ["ann", "bob"]

    @pytest.mark.parametrize(
        ("parties", "absent"),
        [
            ([], ()),
            (["random"], ()),
            (["random"] * 2, ("carl",)),
            (["random@bob", "random@bob"], ("ann", "carl")),
            (["random"] * 3, ()),
        ],
    )
    def test_the_plan_tells_who_takes_no_part(
        self, parties: list[str], absent: tuple[str, ...]
    ) -> None:
        plan, _ = plan_session("SAOP", TRIO, parties=parties)
        assert plan.absent == absent

    def test_a_protocol_that_needs_a_mediator_gets_one(self) -> None:
        first, *others = seats(protocol="simple_mediator")
        assert first == ("mediator", "", "random_flipping_mediator")
        assert [party for party, _, _ in others] == ["ann", "bob"]

    def test_a_mediator_may_be_named(self) -> None:
        named = seats(protocol="simple_mediator", mediator="fixed_order_flipping_mediator")
        assert named[0] == ("mediator", "", "fixed_order_flipping_mediator")
        plan, _ = plan_session("simple_mediator", DUO, mediator=Mediating)
        assert plan.seats[0].is_mediator

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"protocol": "simple_mediator", "mediator": "boulware"}, "boulware is not a mediator"),
            ({"mediator": "random_flipping_mediator"}, "has no mediator's seat; leave"),
            ({"parties": ["random_flipping_mediator", "linear"]}, "cannot sit among the parties"),
            ({"parties": ["linear"] * 3}, "3 parties for the 2 profiles"),
            (
                {"parties": ["linear@ann"] * 3, "protocol": "simultaneous_offers"},
                "2 parties, not 3",
            ),
            ({"parties": "boulware"}, r"write parties=\['boulware', ...\]"),
            ({"parties": Offering}, "Parties are a list, one for each seat"),
            ({"parties": [Seated]}, "Seated is no party; derive it from"),
            ({"parties": [Offering()]}, r"Offering\(...\) is a party already; name the class"),
            ({"parties": ["linear", None]}, "None is no party; name a spec"),
            ({"mediator": Seated, "protocol": "simple_mediator"}, "Seated is no party"),
            ({"seed": -1}, "seed"),
            ({"retries": -1}, "retries"),
            ({"deadline": "soon"}, "'soon' is not a deadline"),
        ],
    )
    def test_what_cannot_be_seated_is_a_clear_error(
        self, options: dict[str, Any], words: str
    ) -> None:
        options = {"protocol": "SAOP", **options}
        with pytest.raises(OptionError, match=words):
            plan_session(options.pop("protocol"), DUO, **options)

    def test_a_domain_without_profiles_seats_nobody(self) -> None:
        bare = attrs.evolve(DUO, profiles={})
        for parties in ((), ("linear", "linear")):
            with pytest.raises(OptionError, match=r"has no profiles .* add --profile FILE once"):
                plan_session("SAOP", bare, parties=parties)

    @pytest.mark.parametrize(
        "options",
        [
            {"protocol": "SOAP"},
            {"domain": "company_cra"},
            {"parties": ["boulwear"]},
            {"parties": ["boulwear@ann"]},
        ],
    )
    def test_what_is_not_known_is_named(self, options: dict[str, Any]) -> None:
        with pytest.raises(UnknownName):
            plan_session(**{"protocol": "SAOP", "domain": DUO, **options})

    def test_a_role_that_there_is_not_is_named(self) -> None:
        with pytest.raises(UnknownName, match="no role 'zoe'; it has ann, bob"):
            seats("boulware@zoe")
        with pytest.raises(UnknownName, match="no role ''; it has ann, bob"):
            seats("boulware@")


class TestPlans:
    """What else a plan says."""

    def test_the_deadline_is_the_scenarios_unless_another_is_named(self) -> None:
        scenario = Scenario(DUO.domain, DUO.profiles, deadline=Deadline(rounds=7))
        assert plan_session("SAOP", scenario)[0].deadline == Deadline(rounds=7)
        assert plan_session("SAOP", scenario, deadline=3)[0].deadline == Deadline(rounds=3)

    def test_a_single_round_is_that_of_the_scenarios_own_protocol(self) -> None:
        scenario = Scenario(
            DUO.domain, DUO.profiles, deadline=Deadline(rounds=1), protocol="vickrey_auction"
        )
        assert plan_session("vickrey", scenario)[0].deadline == Deadline(rounds=1)
        assert plan_session("english", scenario)[0].deadline == Deadline(rounds=DEFAULT_ROUNDS)

    @pytest.mark.parametrize("protocol", ["sealed_bid", "vickrey", "double_auction"])
    def test_a_one_shot_protocol_has_one_round_unless_more_are_asked_for(
        self, protocol: str
    ) -> None:
        long = attrs.evolve(DUO, deadline=Deadline(rounds=7), protocol="SAOP")
        free = attrs.evolve(long, protocol=None)
        for scenario in (DUO, long, free):
            assert plan_session(protocol, scenario)[0].deadline == Deadline(rounds=1)
            assert plan_session(protocol, scenario, deadline=5)[0].deadline == Deadline(rounds=5)
        own = attrs.evolve(long, protocol=protocol)
        assert plan_session(protocol, own)[0].deadline == Deadline(rounds=7)

    def test_a_protocol_that_asks_nobody_needs_a_deadline_in_rounds(self) -> None:
        with pytest.raises(OptionError, match=r"asks nobody; .* such as 60rounds"):
            plan_session("default", DUO, deadline="30s")
        both = plan_session("default", DUO, deadline="9rounds,30s")[0]
        assert both.deadline == Deadline(rounds=9, seconds=30)

    def test_the_default_deadline_is_rounds(self) -> None:
        # C45: wall-clock deadlines make results depend on the machine's load.
        assert plan_session("SAOP", DUO)[0].deadline == Deadline(rounds=DEFAULT_ROUNDS)

    @pytest.mark.parametrize("name", ["SAOP", "saop", "StackedAlternatingOffersProtocol"])
    def test_a_protocol_has_one_name_in_plans(self, name: str) -> None:
        assert plan_session(name, DUO)[0].protocol == "alternating_offers"

    def test_options_of_the_protocol_stand_in_the_plan(self) -> None:
        plan, _ = plan_session("AMCP:threshold=0.9", DUO)
        assert plan.protocol == "alternating_majority_consensus:threshold=0.9"

    def test_a_protocol_at_a_place_keeps_its_place(self) -> None:
        place = "genius_py.testing.protocols:SealedOffers"
        assert plan_session(place, DUO)[0].protocol == place
