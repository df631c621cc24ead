"""The negotiation executor of seed 003: its public names, over the engine."""

from genius_py.fronts.executor.auction import (
    Auction,
    AuctionBid,
    AuctionResult,
    AuctionType,
    BidStrategy,
)
from genius_py.fronts.executor.auction_adapter import AuctionAdapter
from genius_py.fronts.executor.bilateral import BilateralNegotiation
from genius_py.fronts.executor.concession import (
    ConcessionStrategy,
    ExponentialConcession,
    LinearConcession,
    TimeDependentConcession,
    TitForTatConcession,
)
from genius_py.fronts.executor.config import NegotiationConfig
from genius_py.fronts.executor.contract_net import (
    ContractNetAdapter,
    ContractNetResult,
    MultiRoundContractNet,
    PartyRequester,
    Proposal,
    ProposalRequester,
    Task,
)
from genius_py.fronts.executor.executor import NegotiationExecutor
from genius_py.fronts.executor.listener import NegotiationListener
from genius_py.fronts.executor.monotonic import MonotonicConcessionProtocol
from genius_py.fronts.executor.offers import NegotiationOffer, NegotiationOutcome
from genius_py.fronts.executor.parties import Participant
from genius_py.fronts.executor.protocol import NegotiationProtocol
from genius_py.fronts.executor.types import NegotiationState, NegotiationType

__all__ = [
    "Auction",
    "AuctionAdapter",
    "AuctionBid",
    "AuctionResult",
    "AuctionType",
    "BidStrategy",
    "BilateralNegotiation",
    "ConcessionStrategy",
    "ContractNetAdapter",
    "ContractNetResult",
    "ExponentialConcession",
    "LinearConcession",
    "MonotonicConcessionProtocol",
    "MultiRoundContractNet",
    "NegotiationConfig",
    "NegotiationExecutor",
    "NegotiationListener",
    "NegotiationOffer",
    "NegotiationOutcome",
    "NegotiationProtocol",
    "NegotiationState",
    "NegotiationType",
    "Participant",
    "PartyRequester",
    "Proposal",
    "ProposalRequester",
    "Task",
    "TimeDependentConcession",
    "TitForTatConcession",
]
