import copy
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

from genius_py.errors import OptionError, UnknownName
from genius_py.tournament import Plan, plan_tournament
from genius_py.tournament.genius_order import genius_order
from genius_py.tournament.plan import Setting, source_digest
from tests.tournament.tournaments import DOMAIN, small

Planner = Callable[..., Plan]


def seeds(plan: Plan) -> dict[tuple[object, ...], int]:
    return {(m.setting.digest, m.lineup, m.repetition): m.seed for m in plan}


def test_the_plan_is_everything_combined(plan: Planner) -> None:
    made = plan(deadlines=["5rounds", "6rounds"], protocols=["SAOP", "AMOP"])
    assert len(made) == len(list(made)) == 6 * 2 * 2 * 2 * 2
    assert len(seeds(made)) == len(made)


def test_seeds_do_not_depend_on_order(plan: Planner) -> None:
    one = seeds(plan())
    other = seeds(plan(parties=["random", "conceder", "boulware"], repetitions=3))
    assert one.items() <= other.items()


def test_each_coordinate_changes_the_seed(plan: Planner) -> None:
    found = [m.seed for m in plan(deadlines=["5rounds", "6rounds"])]
    found += [m.seed for m in plan(seed=2)]
    # Two that swap their roles share a seed; nobody else does.
    assert len(set(found)) == len(found) / 2
    assert all(0 <= seed < 2**63 for seed in found)


def test_parties_that_swap_roles_are_paired_by_their_seed(plan: Planner) -> None:
    by_lineup = {m.lineup: m.seed for m in plan(domains=[DOMAIN], repetitions=1)}
    assert by_lineup["boulware", "random"] == by_lineup["random", "boulware"]
    assert by_lineup["boulware", "random"] != by_lineup["conceder", "random"]


def test_no_party_changes_the_scenarios_of_the_repetitions() -> None:
    """Case C123: the stream of scenarios is not that of any party."""
    domain = "random:issues=2,values=4"
    with_one = plan_tournament(small(parties=["random", "boulware"], domains=[domain]))
    with_other = plan_tournament(small(parties=["random_walker", "micro"], domains=[domain]))
    drawn = [with_one.settings[0].scenario_at(repetition) for repetition in range(10)]
    again = [with_other.settings[0].scenario_at(repetition) for repetition in range(10)]
    assert drawn == again
    assert len({scenario.name for scenario in drawn}) == 10


def test_a_random_domain_with_a_seed_is_the_same_in_each_repetition(plan: Planner) -> None:
    (setting,) = plan(domains=[DOMAIN]).settings
    assert setting.scenario_at(0) is setting.scenario_at(1) is setting.scenario


def test_a_scenario_counts_by_what_it_says_and_not_by_where_it_lies(plan: Planner) -> None:
    (setting,) = plan(domains=["company_car"]).settings
    assert setting.scenario is not None
    told = attrs.evolve(setting.scenario, description="another text")
    moved = attrs.evolve(setting, domain="elsewhere", scenario=told)
    assert moved.digest == setting.digest
    profiles = {
        role: attrs.evolve(space, reservation_value=0.123)
        for role, space in setting.scenario.profiles.items()
    }
    changed = attrs.evolve(setting, scenario=attrs.evolve(setting.scenario, profiles=profiles))
    assert changed.digest != setting.digest


def test_planning_leaves_its_input_as_it_was() -> None:
    """Case C72."""
    tournament = small()
    before = copy.deepcopy(tournament)
    plan_tournament(tournament)
    assert tournament == before


def test_more_profiles_than_seats_are_chosen_from(plan: Planner) -> None:
    made = plan(domains=["wind_farm"], seats=2)
    assert (
        [setting.roles for setting in made.settings]
        == [
            roles
            for roles in [
                (a, b)
                for i, a in enumerate(made.settings[0].scenario.roles)  # type: ignore[union-attr]
                for b in made.settings[0].scenario.roles[i + 1 :]  # type: ignore[union-attr]
            ]
        ]
    )
    assert len(plan(domains=["wind_farm"]).settings[0].roles) == 3


def test_named_profiles_alone_take_part(plan: Planner) -> None:
    (setting,) = plan(domains=["company_car"], profiles=["seller", "buyer"]).settings
    assert setting.roles == ("seller", "buyer")
    with pytest.raises(UnknownName, match="lender"):
        plan(domains=["company_car"], profiles=["buyer", "lender"])


def test_too_many_seats_are_refused(plan: Planner) -> None:
    with pytest.raises(OptionError, match="profiles for 3 seats"):
        plan(seats=3)


@pytest.mark.parametrize("self_play", [False, True])
def test_genius_enumeration_is_a_mode(plan: Planner, self_play: bool) -> None:
    made = plan(domains=["wind_farm"], seats=2, enumeration="genius", self_play=self_play)
    roles = made.settings[0].scenario.roles  # type: ignore[union-attr]
    planned = [tuple(zip(m.lineup, m.setting.roles, strict=True)) for m in made]
    assert planned == list(genius_order(made.parties, roles, repetition=self_play, repeats=2))


def test_genius_enumeration_knows_two_sides(plan: Planner) -> None:
    made = plan(
        domains=["company_car"],
        enumeration="genius",
        parties=["boulware", "conceder"],
        profiles=["buyer"],
        parties_b=["random"],
        profiles_b=["seller"],
        repetitions=1,
        seats=2,
    )
    assert [(m.lineup, m.setting.roles) for m in made] == [
        (("boulware", "random"), ("buyer", "seller")),
        (("conceder", "random"), ("buyer", "seller")),
    ]


def test_an_edited_party_is_another_one(agent: Callable[..., str], tmp_path: Path) -> None:
    spec = agent("pass")
    before = source_digest(spec)
    source_digest.cache_clear()
    agent("pass  # edited")
    assert source_digest(spec) != before
    assert source_digest("boulware") == ""


def test_a_setting_survives_the_journey_to_another_process(plan: Planner) -> None:
    import pickle

    (setting,) = plan(domains=["company_car"]).settings
    travelled: Setting = pickle.loads(pickle.dumps(setting))
    assert travelled == setting
    assert travelled.digest == setting.digest


def test_a_single_round_is_that_of_the_scenarios_own_protocol(plan: Planner) -> None:
    made = plan(
        parties=["truthful", "increment", "shading", "sniping"],
        domains=["ad_slot"],
        protocols=["vickrey", "english"],
        deadlines=None,
    )
    assert [str(setting.deadline) for setting in made.settings] == ["1rounds", "60rounds"]
