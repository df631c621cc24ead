"""The contract net: a manager calls for proposals, contractors answer, the best is awarded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Literal, TypeAlias

import attrs

from genius_py.action import Accept, Action, Reject
from genius_py.allowed import Allowed, FieldRules, Number, OneOf
from genius_py.bid import Bid
from genius_py.errors import DomainError, OptionError
from genius_py.issue import IntegerIssue, RealIssue
from genius_py.protocol import Listeners
from genius_py.protocols.award import receiver_issue
from genius_py.protocols.default import DefaultMultilateralProtocol
from genius_py.protocols.numbers import shown
from genius_py.protocols.options import require_number, require_one_of
from genius_py.session import Round, Seat, Session, Turn
from genius_py.strategies.proposal_score import WEIGHTS, proposal_scores

__all__ = ["CallForProposals", "ContractNetProtocol", "Decision", "Decline", "Propose"]

Decision: TypeAlias = Literal["score", "manager"]

_TERMS = ("cost", "time", "confidence")


@attrs.frozen
class CallForProposals(Action):
    """Ask for proposals; `target_score` is the best score that has been proposed so far."""

    target_score: float = attrs.field(converter=float)

    def _deed(self) -> str:
        return f"calls for proposals; the best score so far is {shown(self.target_score)}"


@attrs.frozen
class Propose(Action):
    """Offer to do the job at a cost, within a time, with a confidence in [0, 1] to manage it."""

    cost: float = attrs.field(converter=float)
    time: float = attrs.field(default=0.0, converter=float)
    confidence: float = attrs.field(default=1.0, converter=float)

    def _deed(self) -> str:
        terms = f"cost {shown(self.cost)}, time {shown(self.time)}"
        return f"proposes {terms}, confidence {shown(self.confidence)}"


@attrs.frozen
class Decline(Action):
    """Make no proposal in this round."""

    def _deed(self) -> str:
        return "declines"


class ContractNetProtocol(DefaultMultilateralProtocol):
    """The first party manages: it calls for proposals; the others propose, or decline.

    Proposals of a round are compared with each other (see `strategies.proposal_score`): the best
    one is awarded if its score is `threshold` or more. Of equal scores the lower cost wins, then
    the order of the seats. Else there is another round, in which everybody knows the best score so
    far and may propose again. With ``decision="manager"`` no score decides: the manager accepts
    one of the proposals of a round, or rejects them all.

    The domain has an issue whose values are the contractors, one of numbers called ``cost`` and,
    if they matter, ``time`` and ``confidence``. Contractors hear the manager, and nobody else
    hears them.

    Raises:
        OptionError: an option has an impossible value.
    """

    name: ClassVar[str] = "contract_net"
    aliases: ClassVar[tuple[str, ...]] = ("ContractNetProtocol",)
    actions: ClassVar[tuple[type[Action], ...]] = (
        CallForProposals,
        Propose,
        Decline,
        Accept,
        Reject,
    )
    default_parties: ClassVar[tuple[str, ...]] = ("contractor",)

    def __init__(
        self,
        threshold: float = 0.5,
        decision: Decision = "score",
        weights: Sequence[float] = WEIGHTS,
    ) -> None:
        super().__init__()
        require_number("threshold", threshold)
        require_one_of("decision", decision, Decision)
        if len(weights) != len(_TERMS) or min(weights) < 0 or abs(sum(weights) - 1) > 1e-9:
            raise OptionError(
                f"weights are three numbers of 0 or more, for cost, time and confidence, that sum "
                f"to 1; got {weights}."
            )
        self.threshold = threshold
        self.decision: Decision = decision
        self.weights = tuple(weights)
        self.target_score = 0.0
        """The best score so far."""
        self._proposals: dict[str, Propose] = {}
        self._answered: set[str] = set()
        self._awarded: Bid | None = None

    def before_session(
        self, session: Session, parties: Sequence[Seat]
    ) -> Mapping[Seat, Sequence[Action]]:
        """Nothing is told.

        Raises:
            DomainError: the domain has no awards to these contractors at a cost.
        """
        self._domain = domain = session.domain
        self._manager, *contractors = parties
        receivers = receiver_issue(domain, contractors)
        terms = [
            issue
            for issue in domain.issues
            if issue.name in _TERMS and isinstance(issue, IntegerIssue | RealIssue)
        ]
        names = [issue.name for issue in terms]
        if receivers is None or "cost" not in names or len(domain.issues) != len(terms) + 1:
            raise DomainError(
                f"Domain {domain.name!r} has no contracts: it needs an issue whose values are the "
                f"contractors ({', '.join(map(str, contractors))}) and one of numbers called "
                f"'cost'; it may have two more called 'time' and 'confidence'."
            )
        self._receiver, self._names = receivers
        self._rules: FieldRules = {
            issue.name: Number(
                max(0, issue.lower),
                min(1, issue.upper) if issue.name == "confidence" else issue.upper,
                integer=isinstance(issue, IntegerIssue),
            )
            for issue in terms
        }
        return {}

    def get_round_structure(self, parties: Sequence[Seat], session: Session) -> Round:
        """The manager's call, a turn for each contractor and, if it decides, the manager's."""
        return Round(self._turns(parties))

    def _turns(self, parties: Sequence[Seat]) -> Iterator[Turn]:
        manager, *contractors = parties
        self._proposals, self._answered = {}, set()
        call: FieldRules = {"target_score": OneOf((self.target_score,))}
        yield Turn(manager, Allowed({CallForProposals: call}))
        for contractor in contractors:
            yield Turn(contractor, Allowed({Propose: self._rules, Decline: {}}))
        if self.decision == "manager" and self._proposals:
            bids: FieldRules = {"bid": OneOf(self._contract(p) for p in self._proposals.values())}
            yield Turn(manager, Allowed({Accept: bids, Reject: bids}))

    def _contract(self, proposal: Propose) -> Bid:
        terms = {name: getattr(proposal, name) for name in self._rules}
        return self._domain.bid({self._receiver: self._names[proposal.party], **terms})

    def apply_action(self, action: Action, session: Session) -> None:
        """Take a proposal; the last answer of a round may be followed by the award."""
        if isinstance(action, Accept):
            self._awarded = action.bid
            return
        if action.party == self._manager.id:
            return
        if isinstance(action, Propose):
            self._proposals[action.party] = action
        self._answered.add(action.party)
        if len(self._answered) == len(self._names) and self._proposals:
            self._compare()

    def _compare(self) -> None:
        proposals = list(self._proposals.values())
        scores = proposal_scores(
            [p.cost for p in proposals],
            [p.time for p in proposals],
            [p.confidence for p in proposals],
            self.weights,
        )
        best = min(range(len(scores)), key=lambda place: (-scores[place], proposals[place].cost))
        self.target_score = max(self.target_score, scores[best])
        if self.decision == "score" and scores[best] >= self.threshold:
            self._awarded = self._contract(proposals[best])

    def get_action_listeners(self, parties: Sequence[Seat]) -> Listeners:
        """Contractors hear the manager, and the manager hears them."""
        manager, *contractors = parties
        return {manager: tuple(contractors), **dict.fromkeys(contractors, (manager,))}

    def is_finished(self, session: Session, parties: Sequence[Seat]) -> bool:
        """Awarded, or ended."""
        return self.ended or self._awarded is not None

    def get_current_agreement(self, session: Session, parties: Sequence[Seat]) -> Bid | None:
        """The contract that was awarded."""
        return self._awarded

    def get_number_of_agreeing_parties(self, session: Session, parties: Sequence[Seat]) -> int:
        """The manager and the contractor, once there is a contract."""
        return 0 if self._awarded is None else 2
