"""The session manager: who is called when, and what a party knows."""

import copy
import gc
import inspect
import weakref
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import pytest

import genius_py as gp
from genius_py.action import Accept, Action, EndNegotiation, Inform, Offer
from genius_py.allowed import Allowed
from genius_py.bid import Bid
from genius_py.deadline import Deadline
from genius_py.errors import OptionError, PartyFailure
from genius_py.log import Kind, Reason
from genius_py.manager import SessionManager, run
from genius_py.outcome import Outcome
from genius_py.party import NegotiationInfo, NegotiationParty
from genius_py.plan import SeatPlan
from genius_py.scenario import Scenario
from genius_py.seating import plan_session
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


def test_run_takes_what_plan_session_takes() -> None:
    parameters = inspect.signature(run).parameters
    assert parameters == inspect.signature(plan_session).parameters


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
