"""The contract net: a manager calls for proposals, a requester fetches them from contractors."""

from __future__ import annotations

import json
import logging
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Any, ClassVar, TypeAlias

import attrs

from genius_py.action import Action
from genius_py.allowed import Allowed, OneOf
from genius_py.domain import Domain
from genius_py.errors import OptionError
from genius_py.fronts.executor.config import NegotiationConfig
from genius_py.fronts.executor.listener import NegotiationListener
from genius_py.fronts.executor.offers import NegotiationOffer, NegotiationOutcome
from genius_py.fronts.executor.parties import ids_of, participant
from genius_py.fronts.executor.protocol import NegotiationProtocol
from genius_py.fronts.executor.table import ANY_NUMBER, Table, outcome_of
from genius_py.fronts.executor.types import NegotiationState, NegotiationType
from genius_py.issue import DiscreteIssue, RealIssue
from genius_py.log import Event
from genius_py.outcome import Outcome
from genius_py.party import NegotiationParty
from genius_py.protocols.contract_net import CallForProposals, Decline, Propose
from genius_py.registry import Spec
from genius_py.strategies.proposal_score import WEIGHTS

__all__ = [
    "ContractNetAdapter",
    "ContractNetResult",
    "MultiRoundContractNet",
    "PartyRequester",
    "Proposal",
    "ProposalRequester",
    "Task",
]

_logger = logging.getLogger(__name__)


@attrs.frozen
class Task:
    """What is to be done."""

    task_id: str
    description: str = ""


@attrs.frozen
class Proposal:
    """What a contractor would do a task for.

    `estimated_time` is in milliseconds, `confidence` in [0, 1].
    """

    proposal_id: str
    contractor_id: str
    task_id: str
    cost: float
    estimated_time: float
    confidence: float
    extras: Mapping[str, Any] = attrs.field(factory=dict)

    @property
    def complaint(self) -> str:
        """What is wrong with its numbers; empty when nothing is."""
        for name, most in (("cost", ANY_NUMBER), ("estimated_time", ANY_NUMBER), ("confidence", 1)):
            value = getattr(self, name)
            if not isinstance(value, int | float) or not 0 <= value <= most:
                return f"its {name} is {value!r}"
        return ""


ProposalRequester: TypeAlias = Callable[[Any, Task, int, float, timedelta], Proposal | None]
"""``request(contractor, task, round, target_score, timeout)``; None where it declines."""


class PartyRequester:
    """Asks the contractors themselves.

    One that has a `propose` method, or is a function, is called with ``(task, round, target_score,
    timeout)`` and gives a `Proposal`, a mapping with ``cost``, ``time`` and ``confidence``, or
    None to decline. One that has a `chat` method instead, such as a language model, is asked in
    words and replies with such a mapping as JSON; what cannot be read counts as declined.
    """

    def __call__(
        self, contractor: Any, task: Task, round: int, target_score: float, timeout: timedelta
    ) -> Proposal | None:
        """Fetch one proposal."""
        who = participant(contractor)
        propose: Any = getattr(who.agent, "propose", who.agent)
        given: Any
        if callable(propose):
            given = propose(task, round, target_score, timeout)
        elif callable(chat := getattr(who.agent, "chat", None)):
            given = _read(who.id, chat(_question(task, round, target_score)))
        else:
            raise OptionError(
                f"{who.id} cannot be asked: it has neither a propose nor a chat method."
            )
        if given is None or isinstance(given, Proposal):
            return given
        return Proposal(
            str(uuid.uuid4()),
            who.id,
            task.task_id,
            given["cost"],
            given.get("time", 0.0),
            given.get("confidence", 1.0),
        )


def _question(task: Task, round: int, target_score: float) -> str:
    return (
        f"Call for proposals, round {round}: {task.description or task.task_id}. "
        f"The best score so far is {target_score:.2f} of 1; low cost, short time and high "
        f"confidence score high. Reply with one JSON object and nothing else, as in "
        f'{{"cost": 40, "time": 60000, "confidence": 0.8}} (time in milliseconds), or null.'
    )


def _read(contractor: str, reply: object) -> Mapping[str, Any] | None:
    try:
        read = json.loads(str(reply))
    except json.JSONDecodeError:
        read = reply
    if read is None or (isinstance(read, dict) and "cost" in read):
        return read
    _logger.warning("%s replied %r, which is no proposal", contractor, reply)
    return None


@attrs.frozen
class ContractNetResult:
    """What came of a call for proposals: the awarded one, if any, and all that were valid."""

    awarded: Proposal | None
    proposals: tuple[Proposal, ...]
    outcome: NegotiationOutcome


class MultiRoundContractNet:
    """Calls for proposals until one is good enough, with rules of the engine's `contract_net`.

    `weights` are those of cost, time and confidence in the score. `clock` gives seconds.
    """

    def __init__(
        self,
        requester: ProposalRequester,
        weights: Sequence[float] = WEIGHTS,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._requester = requester
        self._weights = tuple(weights)
        self._clock = clock

    def execute(
        self,
        manager: Any,
        contractors: Sequence[Any],
        task: Task,
        *,
        max_rounds: int,
        threshold: float,
        timeout: timedelta,
        listener: NegotiationListener | None = None,
    ) -> ContractNetResult:
        """Run it. Proposals that name another task or contractor, or come late, do not count."""
        if not contractors:
            return ContractNetResult(None, (), _failed("no contractors"))
        telling = listener or NegotiationListener()
        offers: list[NegotiationOffer] = []

        def watch(event: Event) -> None:
            if isinstance(event.action, Propose):
                offers.append(NegotiationOffer(event.party, event.action.cost, event.round))
                telling.on_offer_made(offers[-1])
                telling.on_offer_received(offers[-1])

        limit = timeout.total_seconds()
        manager_id, *names = ids_of([manager, *contractors])
        asked = {
            name: _Contractor(self._requester, contractor, task, limit, self._clock)
            for name, contractor in zip(names, contractors, strict=True)
        }
        table = Table(
            str(Spec("contract_net", {"threshold": threshold, "weights": self._weights})),
            Domain(
                "contract",
                [
                    DiscreteIssue("contractor", names),
                    RealIssue("cost", 0, ANY_NUMBER),
                    RealIssue("time", 0, ANY_NUMBER),
                    RealIssue("confidence", 0, 1),
                ],
            ),
            {manager_id: _Manager, **{name: partial(_same, asked[name]) for name in names}},
            max_rounds,
            timeout=limit,
            on_fault="forfeit",
            watch=watch,
            clock=self._clock,
        )
        session = table.run()
        awarded, accepted = None, None
        if session.agreement is not None:
            winner = str(session.agreement["contractor"])
            awarded = asked[winner].proposals[-1]
            accepted = next(offer for offer in reversed(offers) if offer.party_id == winner)
        failure = f"no proposal reached a score of {threshold:g}"
        return ContractNetResult(
            awarded,
            tuple(proposal for party in asked.values() for proposal in party.proposals),
            outcome_of(table, session, accepted, offers, failure),
        )


def _same(party: NegotiationParty) -> NegotiationParty:
    return party


def _failed(reason: str, session: Outcome | None = None) -> NegotiationOutcome:
    return NegotiationOutcome(False, None, (), 0, 0, NegotiationState.FAILED, reason, session)


class _Manager(NegotiationParty):
    """Calls for proposals; the rules do the rest."""

    def choose_action(self, allowed: Allowed) -> Action:
        rule = allowed[CallForProposals]["target_score"]
        assert isinstance(rule, OneOf)
        (target,) = rule.values
        assert isinstance(target, float)
        return CallForProposals(self.id, target)


class _Contractor(NegotiationParty):
    """Proposes what a requester fetches from an agent."""

    def __init__(
        self,
        requester: ProposalRequester,
        agent: Any,
        task: Task,
        limit: float,
        clock: Callable[[], float],
    ) -> None:
        self._requester, self._agent, self._task = requester, agent, task
        self._clock = clock
        self._ends = clock() + limit
        self._target = 0.0
        self.proposals: list[Proposal] = []

    def receive_message(self, sender: str | None, action: Action) -> None:
        if isinstance(action, CallForProposals):
            self._target = action.target_score

    def choose_action(self, allowed: Allowed) -> Action:
        left = timedelta(seconds=max(0.0, self._ends - self._clock()))
        agent = participant(self._agent).agent
        now = self.info.timeline.round
        proposal = self._requester(agent, self._task, now, self._target, left)
        if proposal is None:
            return Decline(self.id)
        if complaint := self._complaint(proposal):
            _logger.warning("The proposal of %s is dropped: %s", self.id, complaint)
            return Decline(self.id)
        self.proposals.append(proposal)
        return Propose(self.id, proposal.cost, proposal.estimated_time, proposal.confidence)

    def _complaint(self, proposal: Proposal) -> str:
        if self._clock() > self._ends:
            return "it came after the time limit"
        if proposal.contractor_id != self.id:
            return f"it names contractor {proposal.contractor_id!r}"
        if proposal.task_id != self._task.task_id:
            return f"it names task {proposal.task_id!r}"
        return proposal.complaint


class ContractNetAdapter(NegotiationProtocol):
    """Runs a `MultiRoundContractNet`: the first party manages, the others are contractors.

    The reservation value is the score that a proposal must reach; the initial offer and the
    strategy are not used. The accepted offer is the cost of the awarded proposal. Without a
    requester, as a plain executor has it, every run fails and says that one is missing.
    """

    types: ClassVar[tuple[NegotiationType, ...]] = (NegotiationType.CONTRACT_NET,)

    def __init__(
        self,
        requester: ProposalRequester | None = None,
        *,
        task: Task | None = None,
        weights: Sequence[float] = WEIGHTS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._requester = requester
        self._task = task or Task("task")
        self._weights = weights
        self._clock = clock

    def negotiate(
        self, parties: Sequence[Any], config: NegotiationConfig, listener: NegotiationListener
    ) -> NegotiationOutcome:
        """Run one call for proposals."""
        if not parties:
            raise OptionError("A contract net needs a manager, the first party.")
        if self._requester is None:
            return _failed(
                "there is no ProposalRequester to reach contractors with; register "
                "ContractNetAdapter(PartyRequester()), or one with a requester of your own"
            )
        net = MultiRoundContractNet(self._requester, self._weights, clock=self._clock)
        manager, *contractors = parties
        return net.execute(
            manager,
            contractors,
            self._task,
            max_rounds=config.max_rounds,
            threshold=config.reservation_value,
            timeout=config.timeout,
            listener=listener,
        ).outcome
