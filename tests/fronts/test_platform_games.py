"""The platform's games as the rest of the program sees them."""

from functools import partial
from importlib.resources import files

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import genius_py.domains
from genius_py import lockstep, replay
from genius_py.fronts.platform import ConfigManager, GameEngine, MetricsCalculator
from genius_py.fronts.platform import SessionManager as PlatformSessionManager
from genius_py.fronts.platform.model_party import ModelParty
from genius_py.fronts.platform.offer_game import OfferGame
from genius_py.manager import SessionManager, run
from genius_py.outcome import Outcome
from genius_py.plan import SeatPlan, SessionPlan

GAMES = GameEngine().get_available_games()


def figures(domain: str) -> dict[str, object]:
    text = files(genius_py.domains).joinpath(domain, "game.yaml").read_text(encoding="utf-8")
    found: dict[str, object] = yaml.safe_load(text)
    return found


def test_the_bundled_domains_and_the_platform_have_the_same_figures() -> None:
    configs = ConfigManager()
    car, ours = figures("company_car"), configs.get_game_config("company_car")
    assert ours is not None
    assert [car["lowest_price"], car["highest_price"]] == ours["price_bounds"]
    assert car["rounds"] == ours["max_rounds"]
    for key in ("starting_price", "buyer_batna", "seller_batna", "batna_decay", "buyer_budget"):
        assert car[key] == ours[key]
    resource, ours = figures("resource_allocation"), configs.get_game_config("resource_allocation")
    assert ours is not None
    for key, value in ours["constraints"].items():
        assert resource[key] == value
    for team, batna in ours["batnas"].items():
        assert resource[f"{team}_batna"] == batna
        assert resource["utilities"][team] == {  # type: ignore[index]
            kind.removesuffix("_hours"): score
            for kind, score in ours["team_preferences"][team].items()
        }
    office = figures("integrative_negotiations")
    ours = configs.get_game_config("integrative_negotiations")
    assert ours is not None
    assert office["issues"] == {name: issue["options"] for name, issue in ours["issues"].items()}
    assert (office["it_batna"], office["marketing_batna"]) == (27, 19)
    tradeoff = figures("integrative_negotiations_tradeoff")["points"]
    assert [*tradeoff.values()] == [*ours["presets"]["tradeoff"]["points"].values()]  # type: ignore[attr-defined]


def begun(name: str) -> OfferGame:
    game = GameEngine().create_game(name, {})
    assert isinstance(game, OfferGame)
    game.initialize_game(["x", "y"])
    return game


@pytest.mark.parametrize("name", GAMES)
def test_classical_bots_play_the_games(name: str) -> None:
    game = begun(name)
    outcome = run(game.protocol_spec, game.scenario, parties=["boulware", "conceder"], seed=1)
    assert outcome.faults == ()
    assert outcome.plan.deadline.rounds == 5


@pytest.mark.parametrize(
    ("name", "offer"),
    [
        ("company_car", {"price": 39500}),
        ("resource_allocation", {"gpu_hours": 30, "cpu_hours": 25}),
        (
            "integrative_negotiations",
            {"server_room": 150, "meeting_access": 2, "cleaning": "Shared", "branding": "Minimal"},
        ),
    ],
)
def test_profiles_agree_with_the_games_own_surplus_up_to_scale(
    name: str, offer: dict[str, object]
) -> None:
    game = begun(name)
    bid = game.read_terms(offer)
    for role in game.roles:
        profile = game.scenario.profile(role)
        unit = game.batnas[role] / profile.reservation_value
        gain = profile.utility(bid) - profile.reservation_value
        assert unit * gain == pytest.approx(game.surplus(role, bid, 1))


def model_session(name: str, seed: int) -> SessionManager:
    game = begun(name)
    plan = SessionPlan(
        protocol=game.protocol_spec,
        scenario=game.scenario,
        seats=[SeatPlan(player, game.role_of(player), "model") for player in ("x", "y")],
        deadline=game.deadline,
        seed=seed,
        on_fault="forfeit",
    )

    def offering(prompt: str) -> str:
        return '{"type": "offer", "price": 39000}'

    def accepting(prompt: str) -> str:
        return "I accept."

    table = SessionManager(
        plan,
        {
            "x": partial(ModelParty, game, "x", offering),
            "y": partial(ModelParty, game, "y", accepting),
        },
    )
    game.join(table.protocol, table.session)
    return table


def test_sessions_of_models_advance_in_lockstep() -> None:
    alone = [model_session("company_car", seed).run() for seed in range(3)]
    together: list[Outcome] = lockstep.lockstep(model_session("company_car", s) for s in range(3))
    assert together == alone
    assert all(outcome.agreement is not None for outcome in together)


ENGINE = GameEngine()
OFFERS: dict[str, st.SearchStrategy[dict[str, object]]] = {
    "company_car": st.builds(dict, type=st.just("offer"), price=st.sampled_from([39000, 40000, 1])),
    "resource_allocation": st.builds(
        dict,
        type=st.just("propose"),
        gpu_hours=st.sampled_from([10, 50]),
        cpu_hours=st.sampled_from([40, 60]),
    ),
    "integrative_negotiations": st.builds(
        dict,
        type=st.just("counter"),
        server_room=st.sampled_from([50, 150, 60]),
        meeting_access=st.just(4),
        cleaning=st.sampled_from(["IT", "Shared"]),
        branding=st.just("Minimal"),
    ),
}
NOISE = st.sampled_from(
    [
        *({"type": kind} for kind in ("accept", "reject", "noop", "offer", "dance", "", None, 7)),
        *("", "I accept.", "{", "[1]", '{"type": "accept"}', '{"decision": 3}', '{"price": {}}'),
    ]
)


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=40)
@given(data=st.data())
def test_whatever_models_reply_a_session_ends_is_measured_and_replays(
    name: str, data: st.DataObject
) -> None:
    replies = OFFERS[name] | NOISE
    config = {
        "max_rounds": data.draw(st.integers(1, 4)),
        "turn_order": data.draw(st.sampled_from(["fixed", "alternate", "shuffle"])),
        "sealed": data.draw(st.booleans()),
    }

    def model(prompt: str) -> object:
        return data.draw(replies)

    calculator = MetricsCalculator()
    manager = PlatformSessionManager(
        {"x": model, "y": model},  # type: ignore[dict-item]
        ENGINE,
        calculator,
        max_turn_retries=1,
    )
    result = manager.run_negotiation(game_type=name, players=["x", "y"], game_config=config)
    assert calculator.errors == {}
    assert manager.outcome is not None
    assert replay(manager.outcome) == manager.outcome
    # The same rounds, handed in whole, make the same game.
    by_hand = ENGINE.create_game(name, config)
    by_hand.initialize_game(["x", "y"])
    for entry in result["actions_history"]:
        by_hand.process_actions(entry["actions"], by_hand.game_data)
    assert by_hand.game_data == {key: result[key] for key in by_hand.game_data}
