"""The executor itself: statements S3.1 to S3.7 and S3.60."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, ClassVar

import pytest

import genius_py.fronts.executor as front
from genius_py.errors import MissingOption, OptionError
from genius_py.fronts.executor import (
    Auction,
    AuctionAdapter,
    AuctionType,
    BilateralNegotiation,
    ContractNetAdapter,
    LinearConcession,
    MonotonicConcessionProtocol,
    NegotiationConfig,
    NegotiationExecutor,
    NegotiationListener,
    NegotiationOffer,
    NegotiationOutcome,
    NegotiationProtocol,
    NegotiationState,
    NegotiationType,
)
from genius_py.trace import replay
from tests.spec.executions import Clock, Notebook, config, executed, values

ALL = [kind for kind in NegotiationType if kind is not NegotiationType.NONE]
AUCTIONS = [
    NegotiationType.ENGLISH_AUCTION,
    NegotiationType.DUTCH_AUCTION,
    NegotiationType.SEALED_BID,
    NegotiationType.VICKREY,
]


class Handshake(NegotiationProtocol):
    """A protocol of one's own: the first party gets its initial offer."""

    types: ClassVar[tuple[NegotiationType, ...]] = (NegotiationType.BILATERAL,)

    def negotiate(
        self, parties: Sequence[Any], config: NegotiationConfig, listener: NegotiationListener
    ) -> NegotiationOutcome:
        offer = NegotiationOffer(parties[0], config.initial_offer, 1)
        listener.on_offer_made(offer)
        return NegotiationOutcome(True, offer, (offer,), 1, 0, NegotiationState.AGREED, None)


def test_s3_1_four_protocols_are_registered() -> None:
    executor = NegotiationExecutor()
    found = {kind: type(executor.get_protocol(kind)) for kind in ALL}
    assert found == {
        NegotiationType.BILATERAL: BilateralNegotiation,
        NegotiationType.MONOTONIC_CONCESSION: MonotonicConcessionProtocol,
        **dict.fromkeys(AUCTIONS, AuctionAdapter),
        NegotiationType.CONTRACT_NET: ContractNetAdapter,
    }


def test_s3_1_one_adapter_serves_all_auctions() -> None:
    executor = NegotiationExecutor()
    assert len({id(executor.get_protocol(kind)) for kind in AUCTIONS}) == 1


def test_s3_2_the_type_none_is_refused() -> None:
    with pytest.raises(ValueError, match="No protocol is registered for NONE"):
        executed(NegotiationType.NONE)


def test_s3_2_a_type_without_protocol_is_refused_and_nobody_hears_of_it() -> None:
    executor, notebook = NegotiationExecutor(), Notebook()
    executor.add_listener(notebook)
    executor._protocols.clear()
    with pytest.raises(ValueError, match="No protocol is registered for VICKREY"):
        executor.execute(["a", "b"], config(NegotiationType.VICKREY))
    assert notebook.lines == []


def test_s3_3_a_registered_protocol_takes_the_place_of_the_one_of_its_type() -> None:
    executor = NegotiationExecutor()
    mine = Handshake()
    executor.register(mine)
    assert executor.get_protocol(NegotiationType.BILATERAL) is mine
    assert executor.get_protocol(NegotiationType.VICKREY) is not mine
    outcome = executor.execute(["ann", "bob"], config())
    assert outcome.accepted_offer == NegotiationOffer("ann", 100.0, 1)


def test_s3_3_there_need_not_be_a_protocol() -> None:
    assert NegotiationExecutor().get_protocol(NegotiationType.NONE) is None


def test_s3_4_listeners_hear_the_start_each_offer_and_the_end() -> None:
    executor, notebook = NegotiationExecutor(), Notebook()
    executor.add_listener(notebook)
    outcome = executor.execute(["buyer", "seller"], config(rounds=2))
    assert values(outcome) == [75.0, 50.0, 50.0]
    assert notebook.lines == [
        ("started", NegotiationType.BILATERAL),
        ("made", 75.0),
        ("received", 75.0),
        ("made", 50.0),
        ("received", 50.0),
        ("counter", 50.0),
        ("made", 50.0),
        ("received", 50.0),
        ("completed", True),
    ]


@pytest.mark.parametrize("kind", [NegotiationType.MONOTONIC_CONCESSION, *AUCTIONS])
def test_s3_4_every_protocol_tells_of_its_offers(kind: NegotiationType) -> None:
    executor, notebook = NegotiationExecutor(), Notebook()
    executor.add_listener(notebook)
    outcome = executor.execute(["a", "b", "c"], config(kind))
    assert [value for word, value in notebook.lines if word == "made"] == values(outcome)
    assert [value for word, value in notebook.lines if word == "received"] == values(outcome)
    assert values(outcome)


@pytest.mark.parametrize("kind", ALL)
def test_s3_4_a_strict_executor_tells_of_start_and_end_only(kind: NegotiationType) -> None:
    executor, notebook = NegotiationExecutor(strict_seed=True), Notebook()
    executor.add_listener(notebook)
    executor.execute(["a", "b", "c"][: 2 if kind is NegotiationType.BILATERAL else 3], config(kind))
    assert [word for word, _ in notebook.lines] == ["started", "completed"]


class Broken(NegotiationListener):
    def on_negotiation_started(self, config: NegotiationConfig) -> None:
        raise RuntimeError("no")

    def on_offer_made(self, offer: NegotiationOffer) -> None:
        raise RuntimeError("no")

    def on_negotiation_completed(self, outcome: NegotiationOutcome) -> None:
        raise RuntimeError("no")


def test_s3_4_a_listener_that_raises_breaks_nothing() -> None:
    executor, notebook = NegotiationExecutor(), Notebook()
    executor.add_listener(Broken())
    executor.add_listener(notebook)
    assert executor.execute(["buyer", "seller"], config()).agreed
    assert notebook.lines[-1] == ("completed", True)


def test_s3_4_a_removed_listener_hears_nothing() -> None:
    executor, notebook = NegotiationExecutor(), Notebook()
    executor.add_listener(notebook)
    executor.remove_listener(notebook)
    executor.remove_listener(notebook)
    executor.execute(["buyer", "seller"], config())
    assert notebook.lines == []


@pytest.mark.parametrize("missing", ["type", "timeout", "concession_strategy"])
def test_s3_5_type_timeout_and_strategy_are_required(missing: str) -> None:
    settings: dict[str, Any] = {
        "type": NegotiationType.BILATERAL,
        "max_rounds": 10,
        "timeout": timedelta(minutes=5),
        "reservation_value": 50.0,
        "initial_offer": 100.0,
        "concession_strategy": LinearConcession(),
    }
    unset: dict[str, Any] = settings | {missing: None}
    with pytest.raises(MissingOption, match=f"needs a {missing}"):
        NegotiationConfig(**unset)
    del settings[missing]
    with pytest.raises(TypeError, match=missing):
        NegotiationConfig(**settings)


@pytest.mark.parametrize("rounds", [0, -1, 2.5, True])
def test_s3_5_there_is_at_least_one_round(rounds: Any) -> None:
    with pytest.raises(OptionError, match="max_rounds"):
        config(rounds=rounds)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("type", "BILATERAL"),
        ("timeout", timedelta(0)),
        ("timeout", "5m"),
        ("reservation_value", float("nan")),
        ("initial_offer", float("inf")),
        ("concession_strategy", "linear"),
    ],
)
def test_s3_5_impossible_settings_are_refused(setting: str, value: Any) -> None:
    settings: dict[str, Any] = {
        "type": NegotiationType.BILATERAL,
        "max_rounds": 10,
        "timeout": 300,
        "reservation_value": 50.0,
        "initial_offer": 100.0,
        "concession_strategy": LinearConcession(),
    }
    with pytest.raises(OptionError, match=setting):
        NegotiationConfig(**settings | {setting: value})


def test_s3_5_a_negative_initial_offer_means_twice_the_reservation_value() -> None:
    for kind in (NegotiationType.BILATERAL, NegotiationType.MONOTONIC_CONCESSION):
        with_default = executed(kind, initial=-1.0, reservation=40.0)
        assert values(with_default) == values(executed(kind, initial=80.0, reservation=40.0))


@pytest.mark.parametrize("kind", AUCTIONS)
def test_s3_5_auctions_start_at_100_instead(kind: NegotiationType) -> None:
    assert values(executed(kind, initial=-1.0)) == values(executed(kind, initial=100.0))
    assert values(executed(kind, initial=60.0)) != values(executed(kind, initial=100.0))


def test_s3_5_a_contract_net_takes_the_reservation_value_for_its_threshold() -> None:
    def propose(task: Any, round: int, target: float, timeout: timedelta) -> dict[str, float]:
        return {"cost": 40, "time": 60_000, "confidence": 0.8}

    executor = NegotiationExecutor()
    executor.register(ContractNetAdapter(front.PartyRequester()))
    parties = ["boss", front.Participant(_Named("ann", propose))]
    for threshold, agreed in ((0.94, True), (0.95, False)):
        settings = config(NegotiationType.CONTRACT_NET, reservation=threshold, initial=-7.0)
        assert executor.execute(parties, settings).agreed is agreed


class _Named:
    def __init__(self, name: str, propose: Any) -> None:
        self.id = name
        self.propose = propose


def test_s3_6_an_outcome_tells_all_that_the_seed_names() -> None:
    outcome = executed(rounds=2)
    assert outcome == NegotiationOutcome(
        agreed=True,
        accepted_offer=NegotiationOffer("buyer", 50.0, 2),
        all_offers=(
            NegotiationOffer("buyer", 75.0, 1),
            NegotiationOffer("seller", 50.0, 1),
            NegotiationOffer("buyer", 50.0, 2),
        ),
        rounds_used=2,
        duration_ms=outcome.duration_ms,
        final_state=NegotiationState.AGREED,
        failure_reason=None,
    )
    assert outcome.duration_ms >= 0


def test_s3_6_the_states() -> None:
    assert [state.name for state in NegotiationState] == [
        "INITIAL",
        "PROPOSING",
        "COUNTER_OFFERING",
        "EVALUATING",
        "AGREED",
        "FAILED",
        "TIMED_OUT",
    ]


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("rounds", [1, 3, 10])
def test_s3_6_agreed_state_offer_and_reason_say_the_same(
    kind: NegotiationType, rounds: int
) -> None:
    outcome = executed(kind, rounds=rounds, strategy=front.TitForTatConcession())
    assert outcome.final_state in NegotiationState.final()
    assert outcome.agreed is (outcome.final_state is NegotiationState.AGREED)
    assert outcome.agreed is (outcome.accepted_offer is not None)
    assert outcome.agreed is (outcome.failure_reason is None)


def test_s3_6_an_outcome_cannot_contradict_itself() -> None:
    with pytest.raises(OptionError, match="An outcome is agreed"):
        NegotiationOutcome(True, None, (), 1, 0, NegotiationState.AGREED, None)
    with pytest.raises(OptionError, match="An outcome is agreed"):
        NegotiationOutcome(False, None, (), 1, 0, NegotiationState.PROPOSING, "still at it")


@pytest.mark.parametrize("protocol", [BilateralNegotiation, MonotonicConcessionProtocol])
def test_s3_7_after_the_timeout_nothing_more_is_offered(protocol: Any) -> None:
    executor = NegotiationExecutor()
    executor.register(protocol(clock=Clock(step=1.0)))
    (kind,) = protocol.types
    outcome = executor.execute(["a", "b"], config(kind, timeout=7.0))
    assert outcome.final_state is NegotiationState.TIMED_OUT
    assert outcome.failure_reason == "the time limit has passed"
    assert outcome.all_offers
    assert outcome.rounds_used < 10


@pytest.mark.parametrize("kind", AUCTIONS)
def test_s3_7_auctions_apply_the_timeout_too_unless_strict(kind: NegotiationType) -> None:
    def late(agent: Any, task: str, price: float, round: int, bids: Any) -> float:
        clock.now += 4.0
        return price + 1 if kind is not NegotiationType.DUTCH_AUCTION else price - 1

    states = {}
    for strict in (False, True):
        clock = Clock()
        executor = NegotiationExecutor()
        executor.register(AuctionAdapter(late, strict_seed=strict, clock=clock))
        outcome = executor.execute(["a", "b", "c"], config(kind, timeout=5.0))
        states[strict] = outcome.final_state
    assert states[False] is NegotiationState.TIMED_OUT
    assert states[True] is not NegotiationState.TIMED_OUT


def test_s3_7_a_party_that_comes_late_is_the_last_one_asked() -> None:
    asked = []

    def slow(agent: Any, task: str, price: float, round: int, bids: Any) -> float:
        asked.append(agent)
        clock.now += 4.0
        return 120.0

    clock = Clock()
    result = Auction(
        type=AuctionType.VICKREY,
        bidders=["a", "b", "c"],
        bid_strategy=slow,
        timeout=5.0,
        clock=clock,
    ).execute()
    assert asked == ["a", "b"]
    assert (result.success, result.winner, result.reason) == (
        False,
        None,
        "the time limit has passed",
    )


def test_s3_7_rounds_that_run_out_are_a_failure_not_a_timeout() -> None:
    outcome = executed(strategy=lambda *given: given[3])
    assert outcome.final_state is NegotiationState.FAILED
    assert outcome.rounds_used == 10


def test_s3_60_the_types() -> None:
    assert [kind.name for kind in NegotiationType] == [
        "NONE",
        "BILATERAL",
        "MONOTONIC_CONCESSION",
        "ENGLISH_AUCTION",
        "DUTCH_AUCTION",
        "SEALED_BID",
        "VICKREY",
        "CONTRACT_NET",
    ]


def test_s3_60_the_order_of_the_settings() -> None:
    made = NegotiationConfig(
        NegotiationType.VICKREY, 15, timedelta(minutes=3), 30.0, 100.0, LinearConcession()
    )
    assert (made.type, made.max_rounds, made.timeout) == (
        NegotiationType.VICKREY,
        15,
        timedelta(minutes=3),
    )
    assert (made.reservation_value, made.initial_offer) == (30.0, 100.0)
    assert made.concession_strategy == LinearConcession()


def test_s3_60_every_callback_has_an_empty_default() -> None:
    executor = NegotiationExecutor()
    executor.add_listener(NegotiationListener())
    assert executor.execute(["a", "b"], config()).agreed


def test_s3_60_the_names_are_exported_and_sorted() -> None:
    assert front.__all__ == sorted(front.__all__)
    assert all(hasattr(front, name) for name in front.__all__)
    assert {"NegotiationExecutor", "NegotiationProtocol", "Auction", "Proposal"} <= {*front.__all__}


def test_s3_60_agents_name_themselves_by_a_value_or_a_method() -> None:
    class Java:
        def id(self) -> str:
            return "ann"

    class Plain:
        name = "bob"

    outcome = executed(parties=(Java(), Plain()), rounds=2)
    assert [offer.party_id for offer in outcome.all_offers] == ["ann", "bob", "ann"]
    with pytest.raises(OptionError, match="has neither an id nor a name"):
        executed(parties=(Java(), object()))


def test_s3_60_a_future_brings_the_outcome() -> None:
    later = NegotiationExecutor().execute_async(["buyer", "seller"], config())
    assert later.result(timeout=10).agreed
    assert values(later.result()) == values(executed())


def test_s3_60_a_future_brings_the_error_as_well() -> None:
    later = NegotiationExecutor().execute_async(["buyer"], config())
    with pytest.raises(OptionError):
        later.result(timeout=10)


@pytest.mark.parametrize("kind", [kind for kind in ALL if kind is not NegotiationType.CONTRACT_NET])
def test_every_negotiation_is_a_session_of_the_engine_that_replays(kind: NegotiationType) -> None:
    outcome = executed(kind)
    assert outcome.session is not None
    assert replay(outcome.session).log == outcome.session.log
