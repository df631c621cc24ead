"""The session manager: who sits where, who is called when, and what a party knows."""

import copy
import gc
import inspect
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import attrs
import numpy as np
import pytest

import genius_py as gp
from genius_py.action import Accept, Action, EndNegotiation, Inform, Offer
from genius_py.allowed import Allowed
from genius_py.bid import Bid
from genius_py.deadline import Deadline
from genius_py.errors import OptionError, PartyFailure, UnknownName
from genius_py.log import Kind, Reason
from genius_py.manager import DEFAULT_ROUNDS, PartySource, SessionManager, plan_session, run
from genius_py.outcome import Outcome
from genius_py.party import NegotiationInfo, NegotiationParty
from genius_py.plan import SeatPlan
from genius_py.scenario import Scenario
from genius_py.testing import LegalParty, ScriptedParty
from genius_py.testing.scenarios import discrete_scenario, mixed_scenario, one_bid_scenario
from genius_py.trace import dump_log, parse_log, replay

DUO, TRIO = one_bid_scenario(2), one_bid_scenario(3)
DEAL = DUO.domain.bid_at(0)


class Offering(NegotiationParty):
    """Offers the one bid there is."""

    name: ClassVar[str] = "offering"

    def choose_action(self, allowed: Allowed) -> Action:
        return Offer(self.id, self.domain.bid_at(0))


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

    def test_a_class_or_factory_is_named_by_its_name(self) -> None:
        assert seats(Offering, lambda: Offering()) == [
            ("ann", "ann", "offering"),
            (
                "bob",
                "bob",
                "TestSeats.test_a_class_or_factory_is_named_by_its_name.<locals>.<lambda>",
            ),
        ]

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

    def test_run_takes_what_plan_session_takes(self) -> None:
        parameters = inspect.signature(run).parameters
        assert parameters == inspect.signature(plan_session).parameters


def manager(
    *parties: Any, scenario: Scenario = DUO, protocol: str = "SAOP", **options: Any
) -> SessionManager:
    persistent: Mapping[str, object] | None = options.pop("persistent", None)
    plan, makers = plan_session(protocol, scenario, parties=parties, **options)
    return SessionManager(plan, makers, persistent=persistent)


def scripted(*parties: ScriptedParty, **options: Any) -> Outcome:
    return manager(*[lambda party=party: party for party in parties], **options).run()


class TestCalls:
    """Which methods of a party are called, when, and with what."""

    def test_a_session_in_the_order_of_genius(self) -> None:
        diary: list[str] = []

        class Diarist(NegotiationParty):
            def init(self, info: NegotiationInfo) -> None:
                super().init(info)
                diary.append(f"{self.id} init")

            def receive_message(self, sender: str | None, action: Action) -> None:
                diary.append(f"{self.id} hears {type(action).__name__} of {sender}")

            def choose_action(self, allowed: Allowed) -> Action:
                diary.append(f"{self.id} chooses {allowed}")
                return (Accept if Accept in allowed else Offer)(self.id, DEAL)

            def negotiation_ended(self, agreement: Bid | None) -> None:
                diary.append(f"{self.id} ends with {agreement}")

        manager(Diarist, Diarist).run()
        assert diary == [
            "ann init",
            "bob init",
            "ann hears Inform of None",
            "bob hears Inform of None",
            "ann chooses Offer or EndNegotiation",
            "bob hears Offer of ann",
            "bob chooses Accept or Offer or EndNegotiation",
            "ann hears Accept of bob",
            "ann ends with deal: done",
            "bob ends with deal: done",
        ]

    def test_what_a_party_knows_is_its_own(self) -> None:
        known: dict[str, NegotiationInfo] = {}

        class Curious(Offering):
            def init(self, info: NegotiationInfo) -> None:
                super().init(info)
                known[info.agent_id] = info

        played = manager(Curious, Curious, deadline=4, faithful=True, persistent={"bob": "grudge"})
        played.run()
        ann, bob = known["ann"], known["bob"]
        assert (ann.agent_id, ann.role, ann.seats) == ("ann", "ann", ("ann", "bob"))
        assert ann.protocol == "alternating_offers"
        assert ann.deadline == Deadline(rounds=4)
        assert ann.utility_space == DUO.profile("ann")
        assert ann.domain == DUO.domain
        assert ann.timeline.time == 4 / 5
        assert ann.faithful
        assert (ann.persistent, bob.persistent) == (None, "grudge")
        assert 0 <= ann.seed < 2**31
        assert ann.seed != bob.seed
        assert ann.rng is ann.rng
        assert ann.rng.integers(10**9) != bob.rng.integers(10**9)

    def test_a_party_sees_its_part_of_the_log(self) -> None:
        table = manager(Offering, Offering, deadline=2)
        table.run()
        kinds = [event.kind for event in table.parties["ann"].info.history]
        assert kinds == [Kind.INFORM, *[Kind.ACTION] * 4, Kind.END]

    def test_draws_of_one_party_change_nothing_for_another(self) -> None:
        # C123.
        def offers_of_bob(ann_draws: int) -> list[Action]:
            class Ann(LegalParty):
                def choose_action(self, allowed: Allowed) -> Action:
                    self.rng.random(ann_draws)
                    return Offer(self.id, self.domain.bid_at(0))

            class Bob(NegotiationParty):
                def choose_action(self, allowed: Allowed) -> Action:
                    return Offer(self.id, self.domain.random_bid(self.rng))

            played = manager(Ann, Bob, scenario=discrete_scenario(), seed=3, deadline=5).run()
            return [action for action in played.log.actions if action.party == "bob"]

        assert offers_of_bob(1) == offers_of_bob(100)

    def test_the_same_seed_gives_the_same_session(self) -> None:
        def play(seed: int) -> Outcome:
            return manager(LegalParty, LegalParty, scenario=mixed_scenario(), seed=seed).run()

        assert play(1) == play(1)
        assert play(1).log != play(2).log

    def test_a_farewell_mapping_is_kept_as_notes(self) -> None:
        # Golden saop_n2_log_in_ended.
        outcome = scripted(
            ScriptedParty(EndNegotiation("ann"), farewell={"note": "done"}), ScriptedParty(None)
        )
        notes = [event for event in outcome.log if event.kind == Kind.NOTE]
        assert [(note.party, note.detail) for note in notes] == [("ann", {"note": "done"})]

    def test_nothing_of_the_callers_is_changed(self) -> None:
        # C72.
        scenario = discrete_scenario()
        before = copy.deepcopy((scenario.domain, dict(scenario.profiles)))
        manager("boulware", "tit-for-tat", scenario=scenario).run()
        assert (scenario.domain, dict(scenario.profiles)) == before


class TestFaults:
    """Whatever a party does wrong becomes a fault of that party."""

    @pytest.mark.parametrize(
        ("error", "reason"),
        [
            (OSError("no disk"), "raised OSError: no disk"),
            (ValueError(), "raised ValueError"),
            (PartyFailure("lost its server."), "raised lost its server."),
            (RecursionError("deep"), "raised RecursionError: deep"),
            (SystemExit(3), "raised SystemExit: 3"),
        ],
    )
    def test_what_is_thrown_in_a_turn_is_recorded(self, error: Any, reason: str) -> None:
        outcome = scripted(ScriptedParty(error), ScriptedParty(None))
        (fault,) = outcome.faults
        assert (fault.party, fault.reason, fault.during) == ("ann", reason, "choose_action")
        assert outcome.reason is Reason.FAULT

    def test_an_unreachable_party_ends_the_session_whatever_the_policy(self) -> None:
        outcome = scripted(
            ScriptedParty(PartyFailure("lost its server")), ScriptedParty(None), on_fault="forfeit"
        )
        assert outcome.reason is Reason.FAULT

    def test_the_listener_is_named_and_not_the_speaker(self) -> None:
        # Genius names the acting party, spec 4.1.
        outcome = scripted(
            ScriptedParty(Offer("ann", DEAL)), ScriptedParty(None, deaf=OSError("noise"))
        )
        assert [fault.party for fault in outcome.faults] == ["bob"]

    @pytest.mark.parametrize("faithful", [False, True])
    @pytest.mark.parametrize("deadline", ["3rounds", "3rounds,9s"])
    @pytest.mark.parametrize(
        ("on_fault", "rounds", "failed"), [("fail", 2, [2]), ("forfeit", 3, [2, 3])]
    )
    def test_the_end_of_a_round_that_is_not_heard_is_a_fault_of_that_round(
        self, on_fault: Any, rounds: int, failed: list[int], deadline: str, faithful: bool
    ) -> None:
        class DeafLater(Offering):
            def receive_message(self, sender: str | None, action: Action) -> None:
                if sender is not None and self.info.timeline.round > 1:
                    raise OSError("noise")

        plan, makers = plan_session(
            "SAOP",
            DUO,
            parties=[DeafLater, Offering],
            deadline=deadline,
            on_fault=on_fault,
            faithful=faithful,
        )
        outcome = SessionManager(plan, makers, clock=lambda: 0.0).run()
        assert [fault.round for fault in outcome.faults] == failed
        assert outcome.rounds == rounds
        events = [event for event in outcome.log if event.kind == Kind.FAULT]
        assert [(e.round, e.turn, e.time) for e in events] == [(n, 3, n / 4) for n in failed]
        assert replay(parse_log([*dump_log(outcome)])) == outcome

    @pytest.mark.parametrize("farewell", ["done", 3, [1]])
    def test_a_farewell_that_is_no_mapping_is_a_fault(self, farewell: Any) -> None:
        outcome = scripted(
            ScriptedParty(EndNegotiation("ann"), farewell=farewell), ScriptedParty(None)
        )
        (fault,) = outcome.faults
        assert fault.during == "negotiation_ended"
        assert outcome.reason is Reason.WALKAWAY

    @pytest.mark.parametrize("made", [None, "a party", 3])
    def test_what_is_no_party_cannot_be_seated(self, made: Any) -> None:
        outcome = manager(lambda: made, Offering).run()
        assert "which is no NegotiationParty" in outcome.faults[0].reason
        assert outcome.faults[0].during == "init"
        assert outcome.turns == 0

    def test_a_party_whose_options_are_impossible_is_the_callers_mistake(self) -> None:
        with pytest.raises(OptionError):
            manager("boulware:e=-1", "conceder").run()
        with pytest.raises(OptionError, match="has no option 'speed'"):
            manager("boulware:speed=3", "conceder").run()

    def test_the_others_are_told_the_end_when_one_cannot_be_made(self) -> None:
        ann = ScriptedParty(None)
        scripted(ann, ScriptedParty(None, ill=OSError("no")))
        assert ann.ended == [None]

    def test_an_agreement_stands_whatever_goes_wrong_after_it(self) -> None:
        # Golden saop_n2_throw_in_ended_is_recoverable.
        outcome = scripted(
            ScriptedParty(Offer("ann", DEAL), farewell=OSError("tears")),
            ScriptedParty(Accept("bob", DEAL)),
        )
        assert outcome.agreement == DEAL
        assert outcome.reason is Reason.AGREEMENT
        assert len(outcome.faults) == 1


class Watch:
    """A clock that a test moves; it says how often it was read."""

    def __init__(self) -> None:
        self.now, self.reads = 100.0, 0

    def __call__(self) -> float:
        self.reads += 1
        return self.now


class TestClocks:
    """Time is handed in."""

    def test_rounds_alone_read_no_clock(self) -> None:
        watch = Watch()
        plan, makers = plan_session("SAOP", DUO, parties=[Offering, Offering], deadline=3)
        SessionManager(plan, makers, clock=watch).run()
        assert watch.reads <= 1  # the start

    @pytest.mark.parametrize("deadline", ["3rounds", "3rounds,9s"])
    def test_what_is_heard_in_a_round_is_heard_at_its_time(self, deadline: str) -> None:
        heard: list[tuple[int, float]] = []

        class Listening(Offering):
            def receive_message(self, sender: str | None, action: Action) -> None:
                heard.append((self.info.timeline.round, self.time))

        plan, makers = plan_session("SAOP", DUO, parties=[Listening, Offering], deadline=deadline)
        SessionManager(plan, makers, clock=lambda: 0.0).run()
        assert heard == [(n, n / 4) for n in (1, 1, 2, 3)]  # how many there are, then three offers

    def test_making_the_parties_is_not_charged(self) -> None:
        # C45.
        watch = Watch()

        class Heavy(Offering):
            def init(self, info: NegotiationInfo) -> None:
                super().init(info)
                watch.now += 1000

            def choose_action(self, allowed: Allowed) -> Action:
                watch.now += 1
                return super().choose_action(allowed)

        plan, makers = plan_session("SAOP", DUO, parties=[Heavy, Heavy], deadline="5.5s")
        outcome = SessionManager(plan, makers, clock=watch).run()
        assert outcome.reason is Reason.DEADLINE
        assert outcome.turns == 6
        assert [round(e.time, 3) for e in outcome.log if e.kind == Kind.ACTION] == [
            round(second / 5.5, 3) for second in range(6)
        ]


def test_a_session_is_played_step_by_step() -> None:
    table = manager(Offering, Offering, deadline=1)
    step = table.start()
    asked = []
    while step is not None:
        asked += [turn.party.id for turn in step.ask]
        step = table.send(list(table.answers(step)))
    assert asked == ["ann", "bob"]
    assert table.outcome.reason is Reason.DEADLINE


def test_the_three_lines_of_the_readme() -> None:
    outcome = gp.run("SAOP", "company_car", parties=["boulware", "conceder"], seed=1)
    assert outcome.agreement is not None
    assert 39000 <= int(outcome.agreement["price"]) <= 41000


def test_the_first_event_tells_how_many_there_are() -> None:
    outcome = manager(Offering, Offering, Offering, scenario=TRIO, deadline=1).run()
    told = outcome.log[0].action
    assert isinstance(told, Inform)
    assert told.value == 3


def test_streams_follow_the_seat_and_not_the_party() -> None:
    plan, _ = plan_session("SAOP", DUO, seed=4)
    first = np.random.default_rng(plan.stream(2)).integers(10**9)
    infos: list[NegotiationInfo] = []

    class Peeking(Offering):
        def init(self, info: NegotiationInfo) -> None:
            super().init(info)
            infos.append(info)

    manager(Peeking, Offering, seed=4, deadline=1).run()
    assert infos[0].rng.integers(10**9) == first
    assert plan.seats[0] == SeatPlan("ann", "ann", "boulware")


@pytest.mark.parametrize("usual", [(700, 10, 10), (0, 10, 10), (100_000, 5, 5)])
def test_garbage_is_collected_as_usual_after_a_session(usual: tuple[int, int, int]) -> None:
    before = gc.get_threshold()
    seen = []

    class Looking(LegalParty):
        def choose_action(self, allowed: Allowed) -> Action:
            seen.append(gc.get_threshold()[0])
            raise ValueError("even when it fails")

    gc.set_threshold(*usual)
    try:
        run("SAOP", DUO, parties=[Looking, "boulware"], deadline=2)
        assert gc.get_threshold() == usual
    finally:
        gc.set_threshold(*before)
    assert seen == [0 if usual[0] == 0 else max(usual[0], 20_000)]


def test_a_finished_session_goes_without_garbage_collection() -> None:
    plan, makers = plan_session("SAOP", DUO, parties=["boulware", "random"], deadline=3)
    usual = gc.isenabled()
    gc.disable()
    try:
        manager = SessionManager(plan, makers)
        manager.run()
        gone = weakref.ref(manager)
        del manager
        assert gone() is None
    finally:
        if usual:
            gc.enable()
