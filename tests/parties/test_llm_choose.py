"""A strategy that sets the price and a model that picks the bid."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence

import pytest

from genius_py import registry
from genius_py.action import Offer
from genius_py.bid import Bid
from genius_py.errors import ModelFailure, OptionError
from genius_py.llm.model_spec import ModelSpec
from genius_py.llm.plain_backends import CallableBackend, ScriptedBackend
from genius_py.llm.request import Answer, Completion, Request
from genius_py.lockstep import lockstep
from genius_py.log import Kind, Reason
from genius_py.manager import SessionManager, run
from genius_py.outcome import Outcome
from genius_py.parties.llm_choose import LLMChoose
from genius_py.seating import plan_session
from genius_py.testing import check_party, check_rational
from genius_py.testing.scenarios import discrete_scenario
from tests.parties.scripted_model import put_in_place


def choice(place: object) -> str:
    return json.dumps({"choice": place})


def play(
    monkeypatch: pytest.MonkeyPatch,
    script: Iterable[str | ModelFailure],
    options: str = "k=3,within=0.2",
    deadline: int = 1,
) -> tuple[Outcome, ScriptedBackend]:
    backend = put_in_place(monkeypatch, script)
    spec = f"llm-choose:model=script,strategy=linear,{options}"
    outcome = run(
        "SAOP", discrete_scenario(), parties=[spec, "hardliner"], deadline=deadline, seed=3
    )
    return outcome, backend


def shown(backend: ScriptedBackend, request: int) -> list[str]:
    """The bids of a list, in their order."""
    lines = backend.asked[request].messages[-1].text.splitlines()
    return [line.split(". ", 1)[1] for line in lines if line[:3] in ("1. ", "2. ", "3. ")]


def first_offer(outcome: Outcome) -> str:
    action = outcome.log.actions[0]
    assert isinstance(action, Offer)
    return str(action.bid)


def test_each_list_is_shown_in_every_rotation(monkeypatch: pytest.MonkeyPatch) -> None:
    _, backend = play(monkeypatch, [choice(1)])
    a, b, c = shown(backend, 0)
    assert shown(backend, 1) == [b, c, a]
    assert shown(backend, 2) == [c, a, b]
    assert len(backend.asked) == 3


def test_the_bid_that_is_chosen_most_often_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    # Third of the first list, second of the second: the same bid. First of the third: another.
    outcome, backend = play(monkeypatch, [choice("3"), choice("2"), choice("2")])
    bids = shown(backend, 0)
    assert bids[2].startswith(first_offer(outcome))


def test_a_model_that_always_names_the_same_place_decides_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for place in (1, 2, 3):
        outcome, backend = play(monkeypatch, [choice(place)])
        # Every bid gets one vote, so the strategy's own is offered.
        assert shown(backend, 0)[0].startswith(first_offer(outcome))
        notes = [e.detail for e in outcome.log if e.kind == Kind.NOTE]
        assert notes[-1]["llm"][f"chose_place_{place}"] == 3  # type: ignore[index]


def test_fewer_rotations_may_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome, backend = play(monkeypatch, [choice(2)], "k=3,within=0.2,rotations=1")
    assert len(backend.asked) == 1
    assert shown(backend, 0)[1].startswith(first_offer(outcome))


def test_a_choice_that_cannot_be_read_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome, backend = play(monkeypatch, ["the second", choice(9), choice(2)])
    assert first_offer(outcome) in shown(backend, 2)[1]
    notes = [e.detail for e in outcome.log if e.kind == Kind.NOTE]
    assert notes[0]["places"] == [None, None, 2]  # type: ignore[index]
    assert notes[-1]["llm"]["unreadable"] == 2  # type: ignore[index]
    nothing, backend = play(monkeypatch, ["no idea"])
    assert shown(backend, 0)[0].startswith(first_offer(nothing))


def test_the_bids_are_worth_about_the_same_and_never_too_little(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    space = discrete_scenario().profiles["ann"]
    _, backend = play(monkeypatch, [choice(3)], deadline=30)
    for number in range(0, len(backend.asked), 3):
        worths = [float(line.rpartition("worth ")[2].split()[0]) for line in shown(backend, number)]
        assert max(worths) - min(worths) <= 0.4
        assert min(worths) >= 0.35 - 0.005  # two decimals of the reservation value
    assert space.reservation_value == 0.35


def test_where_there_is_one_bid_nothing_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    _, backend = play(monkeypatch, [choice(1)], "k=1")
    assert backend.asked == []


def test_a_model_that_cannot_be_asked_fails_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome, _ = play(monkeypatch, [choice(1), ModelFailure("server down")])
    assert outcome.reason is Reason.FAULT
    assert outcome.faults[0].fatal


@pytest.mark.parametrize("options", ["k=0", "rotations=-1", "within=-0.1"])
def test_impossible_options_are_errors(options: str) -> None:
    with pytest.raises(OptionError):
        registry.make("party", f"llm-choose:model=dice,{options}")


def test_it_keeps_the_contract_and_to_its_reservation_value() -> None:
    spec = "llm-choose:model=dice,temperature=1"
    check_party(spec, ["SAOP", "AMOP", "simple_mediator"], isolated=False)
    check_rational(spec, ["SAOP", "AMOP", "simple_mediator"])


class Biased(CallableBackend):
    """Likes one bid wherever it stands, and at other times names a place whatever stands there."""

    def __init__(self, place: int, liked: str, attention: int) -> None:
        super().__init__(str)
        self._place, self._liked, self._attention = place, liked, attention
        self._asked = 0

    def complete(self, requests: Sequence[Request]) -> list[Answer]:
        return [self._chosen(request) for request in requests]

    def _chosen(self, request: Request) -> Answer:
        self._asked += 1
        lines = request.messages[-1].text.splitlines()
        listed = [line for line in lines if line[:1].isdigit() and ". " in line[:4]]
        (own,) = [n for n, line in enumerate(listed, start=1) if self._liked in line]
        return Completion(choice(own if self._asked % self._attention == 0 else self._place))


@pytest.mark.parametrize("place", [1, 2, 3, 4])
@pytest.mark.parametrize("wanted", [0, 1, 2, 3])
def test_what_a_model_likes_decides_although_it_often_names_a_place(
    monkeypatch: pytest.MonkeyPatch, place: int, wanted: int
) -> None:
    """It looks at the bids every other time: without rotations the place would decide."""
    _, backend = play(monkeypatch, [choice(1)], "k=4,within=0.4")
    lines = backend.asked[0].messages[-1].text.splitlines()
    liked = next(line for line in lines if line.startswith(f"{wanted + 1}. "))[3:]
    put_in_place(monkeypatch, [])
    monkeypatch.setattr(ModelSpec, "load", lambda self: Biased(place, liked, 2))
    spec = "llm-choose:model=script,strategy=linear,k=4,within=0.4"
    parties = [spec, "hardliner"]
    outcome = run("SAOP", discrete_scenario(), parties=parties, deadline=1, seed=3)
    assert liked.startswith(first_offer(outcome))


def test_of_a_million_bids_the_nearest_are_found_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    backend = put_in_place(monkeypatch, [choice(1)])
    spec = "llm-choose:model=script,strategy=linear,within=0.3"
    started = time.process_time()
    run("SAOP", "random:issues=6,values=10", parties=[spec, "boulware"], deadline=3, seed=3)
    assert time.process_time() - started < 10  # it is one, most of it for the ladder
    assert len(backend.asked) in (4, 8, 12)


def test_a_profile_that_fails_spoils_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    put_in_place(monkeypatch, [choice(1)])
    managers = []
    for within in (0.2, 0.3):
        parties = [f"llm-choose:model=script,within={within}", "boulware"]
        plan, makers = plan_session("SAOP", discrete_scenario(), parties=parties, deadline=2)
        managers.append(SessionManager(plan, makers))
    usual = LLMChoose._alike

    def alike(self: LLMChoose, bid: Bid) -> list[Bid]:
        return usual(self, bid) if self._within == 0.2 else [][0]

    monkeypatch.setattr(LLMChoose, "_alike", alike)
    whole, broken = lockstep(managers)
    assert not whole.faults
    assert "IndexError" in broken.faults[0].reason


def test_it_plays_every_protocol_by_the_strategy_that_is_at_home_there() -> None:
    spec = "llm-choose:model=dice,temperature=1"
    check_party(spec, list(registry.names("protocol")), isolated=False)
