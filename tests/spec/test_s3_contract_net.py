"""Contract net: statements S3.50 to S3.52."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import pytest

from genius_py.errors import OptionError
from genius_py.fronts.executor import (
    ContractNetAdapter,
    ContractNetResult,
    MultiRoundContractNet,
    NegotiationExecutor,
    NegotiationOutcome,
    NegotiationState,
    NegotiationType,
    PartyRequester,
    Proposal,
    Task,
)
from genius_py.strategies.proposal_score import proposal_scores
from tests.spec.executions import Clock, Notebook, config

TASK = Task("roof", "mend the roof")
Terms = tuple[float, float, float] | None


def requester(
    answers: Mapping[str, Terms | Callable[[int], Terms]],
    contractor_id: str = "",
    task_id: str = "",
) -> Callable[..., Proposal | None]:
    """Proposes the same terms in every round, or what a function of the round says.

    The proposal names the right contractor and task, unless told otherwise.
    """

    def request(
        contractor: str, task: Task, round: int, target_score: float, timeout: timedelta
    ) -> Proposal | None:
        terms = answers[contractor]
        if callable(terms):
            terms = terms(round)
        if terms is None:
            return None
        names = contractor_id or contractor, task_id or task.task_id
        return Proposal(f"{contractor}-{round}", *names, *terms)

    return request


def net(
    answers: Mapping[str, Any],
    *,
    threshold: float = 0.5,
    rounds: int = 5,
    clock: Any = None,
    ask: Any = None,
    contractor_id: str = "",
    task_id: str = "",
) -> ContractNetResult:
    asked = ask or requester(answers, contractor_id, task_id)
    return MultiRoundContractNet(asked, clock=clock or Clock()).execute(
        "boss",
        list(answers),
        TASK,
        max_rounds=rounds,
        threshold=threshold,
        timeout=timedelta(minutes=3),
    )


def executed(adapter: ContractNetAdapter | None, *parties: Any) -> NegotiationOutcome:
    executor = NegotiationExecutor()
    if adapter is not None:
        executor.register(adapter)
    return executor.execute(parties, config(NegotiationType.CONTRACT_NET, reservation=0.5))


def test_s3_50_the_first_party_manages_and_the_others_are_asked() -> None:
    asked = []

    def request(
        contractor: str, task: Task, round: int, target_score: float, timeout: timedelta
    ) -> Proposal:
        asked.append((contractor, task, round, target_score, timeout))
        return Proposal("p", contractor, task.task_id, 40.0, 60_000.0, 0.8)

    outcome = executed(ContractNetAdapter(request, task=TASK, clock=Clock()), "boss", "ann", "bob")
    limit = timedelta(minutes=5)
    assert asked == [("ann", TASK, 1, 0.0, limit), ("bob", TASK, 1, 0.0, limit)]
    assert outcome.accepted_offer is not None
    assert (outcome.accepted_offer.party_id, outcome.accepted_offer.value) == ("ann", 40.0)


def test_s3_50_a_contractor_may_decline() -> None:
    result = net({"ann": None, "bob": (50.0, 10.0, 0.9)})
    assert result.awarded is not None
    assert result.awarded.contractor_id == "bob"


@pytest.mark.parametrize(("contractor_id", "task_id"), [("cem", ""), ("", "garden")])
def test_s3_50_proposals_for_another_task_or_contractor_are_dropped(
    contractor_id: str, task_id: str, caplog: pytest.LogCaptureFixture
) -> None:
    result = net({"ann": (40.0, 10.0, 0.9)}, contractor_id=contractor_id, task_id=task_id)
    assert (result.awarded, result.proposals) == (None, ())
    assert "The proposal of ann is dropped: it names" in caplog.text


@pytest.mark.parametrize(
    "terms", [(-1.0, 10.0, 0.9), (float("nan"), 10.0, 0.9), (40.0, -1.0, 0.9), (40.0, 10.0, 1.1)]
)
def test_s3_50_proposals_with_impossible_numbers_are_dropped(terms: Any) -> None:
    assert net({"ann": terms}, rounds=1).proposals == ()


def test_s3_50_a_plain_executor_fails_and_names_what_is_missing() -> None:
    outcome = executed(None, "boss", "ann")
    assert outcome.final_state is NegotiationState.FAILED
    assert outcome.failure_reason is not None
    assert "there is no ProposalRequester" in outcome.failure_reason
    assert "register ContractNetAdapter(PartyRequester())" in outcome.failure_reason


class Roofer:
    """A contractor that can be asked itself."""

    def __init__(self, name: str, proposal: Any) -> None:
        self.id = name
        self.proposal = proposal

    def propose(self, task: Task, round: int, target: float, timeout: timedelta) -> Any:
        return self.proposal


class Talker:
    def __init__(self, name: str, reply: str) -> None:
        self.id = name
        self.reply = reply
        self.asked: list[str] = []

    def chat(self, text: str) -> str:
        self.asked.append(text)
        return self.reply


def test_s3_50_the_shipped_requester_asks_the_parties_themselves() -> None:
    boss = Roofer("boss", None)
    ann = Roofer("ann", {"cost": 70, "time": 5, "confidence": 0.9})
    bob = Roofer("bob", Proposal("p", "bob", "roof", 60.0, 5.0, 0.9, {"slates": "grey"}))
    cem = Talker("cem", '{"cost": 50, "time": 5, "confidence": 0.9}')
    outcome = executed(ContractNetAdapter(PartyRequester(), task=TASK), boss, ann, bob, cem)
    assert outcome.accepted_offer is not None
    assert (outcome.accepted_offer.party_id, outcome.accepted_offer.value) == ("cem", 50.0)
    assert "mend the roof" in cem.asked[0]


@pytest.mark.parametrize("reply", ["null", "I would rather not", '{"price": 3}', "[1, 2]"])
def test_s3_50_what_cannot_be_read_counts_as_declined(reply: str) -> None:
    outcome = executed(ContractNetAdapter(PartyRequester()), "boss", Talker("ann", reply))
    assert outcome.final_state is NegotiationState.FAILED
    assert outcome.all_offers == ()


def test_s3_50_who_cannot_be_asked_is_out_and_named_in_the_log() -> None:
    adapter = ContractNetAdapter(PartyRequester(), task=TASK)
    able = Roofer("bob", {"cost": 60, "time": 5, "confidence": 0.9})
    outcome = executed(adapter, "boss", "ann", able)
    assert outcome.accepted_offer is not None
    assert outcome.accepted_offer.party_id == "bob"
    assert outcome.session is not None
    assert "ann cannot be asked" in outcome.session.faults[0].reason


def test_s3_51_the_seeds_lone_proposal_scores_94_hundredths() -> None:
    assert proposal_scores([40.0], [60_000.0], [0.8]) == [pytest.approx(0.94)]
    result = net({"ann": (40.0, 60_000.0, 0.8)}, threshold=0.5)
    assert result.awarded is not None
    assert net({"ann": (40.0, 60_000.0, 0.8)}, threshold=0.95, rounds=1).awarded is None


def test_s3_51_cost_and_time_are_held_against_the_best_of_the_round() -> None:
    scores = proposal_scores([40.0, 80.0], [20.0, 10.0], [1.0, 0.5])
    # 0.4 + 0.3 * 10/20 + 0.3 and 0.4 * 40/80 + 0.3 + 0.3 * 0.5
    assert scores == pytest.approx([0.85, 0.65])


def test_s3_51_weights_can_be_chosen() -> None:
    answers = {"cheap": (10.0, 100.0, 0.5), "fast": (100.0, 10.0, 0.5)}
    for weights, winner in (((0.8, 0.1, 0.1), "cheap"), ((0.1, 0.8, 0.1), "fast")):
        result = MultiRoundContractNet(requester(answers), weights).execute(
            "boss",
            list(answers),
            TASK,
            max_rounds=1,
            threshold=0.0,
            timeout=timedelta(minutes=3),
        )
        assert result.awarded is not None
        assert result.awarded.contractor_id == winner


@pytest.mark.parametrize("weights", [(0.5, 0.5), (0.5, 0.6, -0.1), (1.0, 1.0, 1.0)])
def test_s3_51_weights_are_three_shares(weights: Any) -> None:
    with pytest.raises(OptionError, match="weights are three numbers"):
        MultiRoundContractNet(requester({"ann": None}), weights).execute(
            "boss", ["ann"], TASK, max_rounds=1, threshold=0.5, timeout=timedelta(minutes=3)
        )


def test_s3_51_a_cost_of_nothing_divides_nothing() -> None:
    assert proposal_scores([0.0, 10.0], [0.0, 0.0], [1.0, 1.0]) == pytest.approx([1.0, 0.6])


def test_s3_52_there_are_rounds_until_a_proposal_is_good_enough() -> None:
    result = net({"ann": lambda round: (40.0, 10.0, 0.5 + round / 10)}, threshold=0.94)
    # 0.7 + 0.3 * confidence: 0.88, 0.91, 0.94.
    assert result.outcome.rounds_used == 3
    assert result.awarded is not None
    assert result.awarded.proposal_id == "ann-3"


def test_s3_52_the_best_score_so_far_is_the_next_target() -> None:
    targets = []

    def ask(contractor: str, task: Task, round: int, target: float, timeout: timedelta) -> Any:
        targets.append(target)
        confidence = {1: 0.5, 2: 0.4, 3: 0.6}[round]
        return Proposal("p", contractor, task.task_id, 40.0, 10.0, confidence)

    net({"ann": None}, ask=ask, threshold=1.0, rounds=3)
    assert targets == [0.0, pytest.approx(0.85), pytest.approx(0.85)]


def test_s3_52_who_declined_is_asked_again() -> None:
    result = net({"ann": lambda round: None if round < 3 else (40.0, 10.0, 0.9)})
    assert result.outcome.rounds_used == 3


def test_s3_52_after_the_last_round_it_has_failed() -> None:
    result = net({"ann": (40.0, 10.0, 0.5)}, threshold=0.9, rounds=4)
    assert result.outcome.final_state is NegotiationState.FAILED
    assert result.outcome.failure_reason == "no proposal reached a score of 0.9"
    assert len(result.proposals) == 4


def test_s3_52_no_contractor_is_a_failure_of_its_own() -> None:
    outcome = executed(ContractNetAdapter(PartyRequester()), "boss")
    assert outcome.failure_reason == "no contractors"
    assert outcome.final_state is NegotiationState.FAILED


def test_s3_52_without_a_manager_there_is_no_contract_net() -> None:
    with pytest.raises(OptionError, match="needs a manager"):
        executed(ContractNetAdapter(PartyRequester()))


def test_s3_52_late_replies_do_not_count(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()

    def ask(contractor: str, task: Task, round: int, target: float, timeout: timedelta) -> Any:
        clock.now += 100.0
        return Proposal("p", contractor, task.task_id, 40.0, 10.0, 0.9)

    result = net({"ann": None, "bob": None}, ask=ask, clock=clock, threshold=1.0)
    # ann replies after 100 s, bob after 200 s of the 180.
    assert [proposal.contractor_id for proposal in result.proposals] == ["ann"]
    assert "The proposal of bob is dropped: it came after the time limit" in caplog.text
    assert result.outcome.final_state is NegotiationState.TIMED_OUT


def test_s3_52_contractors_are_told_how_much_time_is_left() -> None:
    clock, left = Clock(), []

    def ask(contractor: str, task: Task, round: int, target: float, timeout: timedelta) -> Any:
        left.append(timeout.total_seconds())
        clock.now += 50.0

    net({"ann": None}, ask=ask, clock=clock, rounds=3)
    assert left == [180.0, 130.0, 80.0]


def test_s3_52_of_equal_scores_the_lower_cost_wins_then_the_list() -> None:
    same = {"ann": (40.0, 20.0, 0.9), "bob": (40.0, 20.0, 0.9)}
    assert net(same).awarded == Proposal("ann-1", "ann", "roof", 40.0, 20.0, 0.9)
    # Cost counts for nothing in these scores.
    answers = {"ann": (80.0, 10.0, 0.5), "bob": (40.0, 10.0, 0.5)}
    result = MultiRoundContractNet(requester(answers), (0.0, 0.5, 0.5)).execute(
        "boss",
        list(answers),
        TASK,
        max_rounds=1,
        threshold=0.5,
        timeout=timedelta(minutes=3),
    )
    assert result.awarded is not None
    assert result.awarded.contractor_id == "bob"


def test_contractors_do_not_hear_each_other() -> None:
    result = net({"ann": (40.0, 10.0, 0.5), "bob": (50.0, 10.0, 0.5)}, threshold=1.0, rounds=2)
    session = result.outcome.session
    assert session is not None
    for contractor in ("ann", "bob"):
        seen = {event.party for event in session.log.seen_by(contractor) if event.action}
        assert seen == {"boss", contractor}


def test_listeners_hear_of_proposals() -> None:
    executor, notebook = NegotiationExecutor(), Notebook()
    executor.add_listener(notebook)
    executor.register(ContractNetAdapter(requester({"ann": (40.0, 10.0, 0.8)})))
    executor.execute(["boss", "ann"], config(NegotiationType.CONTRACT_NET, reservation=0.5))
    assert notebook.lines == [
        ("started", NegotiationType.CONTRACT_NET),
        ("made", 40.0),
        ("received", 40.0),
        ("completed", True),
    ]
