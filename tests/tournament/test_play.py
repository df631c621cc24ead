import copy
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from genius_py.manager import run
from genius_py.tournament import Plan, Results, run_plan
from genius_py.tournament.play import answers_together, play
from genius_py.tournament.played import log_lines
from genius_py.trace import parse_log, replay
from tests.tournament.tournaments import DOMAIN

Planner = Callable[..., Plan]
Writer = Callable[..., str]


def test_what_is_kept_is_what_a_session_gives(plan: Planner) -> None:
    match = next(iter(plan(domains=["company_car"], deadlines="20rounds")))
    (played,) = play([match])
    outcome = run("SAOP", "company_car", parties=list(match.lineup), deadline=20, seed=match.seed)
    assert played.utilities == tuple(outcome.utilities.values())
    assert played.reason == outcome.reason.value
    assert played.agreement is not None
    assert json.loads(played.agreement) == dict(outcome.agreement or {})
    assert (played.rounds, played.turns) == (outcome.rounds, outcome.turns)
    assert played.social_welfare == sum(played.utilities)
    assert played.distance_to_pareto is not None
    assert played.log is None


def test_order_and_batch_do_not_matter(plan: Planner) -> None:
    matches = list(plan())
    together = play(matches)
    alone = [play([match])[0] for match in reversed(matches)]
    assert [p._replace(seconds=0) for p in together] == [
        p._replace(seconds=0) for p in reversed(alone)
    ]


def test_a_kept_log_replays(plan: Planner) -> None:
    match = next(iter(plan()))
    (played,) = play([match], logs=True)
    assert played.log is not None
    outcome = parse_log(log_lines(played.log))
    assert replay(outcome) == outcome
    assert outcome.plan.seed == match.seed


def test_playing_changes_no_scenario(plan: Planner) -> None:
    """Case C72."""
    made = plan(domains=[DOMAIN])
    before = copy.deepcopy(made.settings[0].scenario)
    play(list(made))
    assert made.settings[0].scenario == before


def test_a_party_that_fails_is_named_and_the_session_scored(plan: Planner, agent: Writer) -> None:
    spec = agent("def choose_action(self, allowed):\n    raise ValueError('no idea')")
    match = next(m for m in plan(parties=[spec, "random"]) if m.lineup[1] == spec)
    (played,) = play([match])
    assert played.reason == "fault"
    assert played.is_scored
    assert [(fault.seat, fault.during) for fault in played.faults] == [(2, "choose_action")]
    assert "no idea" in played.faults[0].reason
    assert played.utilities == (0.0, 0.0)
    assert played.distance_to_nash is None


@pytest.mark.parametrize(
    "body",
    [
        "def init(self, info):\n    raise ValueError('no model')",
        "def choose_action(self, allowed):\n"
        "    from genius_py.errors import PartyFailure\n"
        "    raise PartyFailure('server is down')",
    ],
)
def test_a_party_that_is_not_there_makes_the_session_unscored(
    plan: Planner, agent: Writer, body: str
) -> None:
    match = next(iter(plan(parties=[agent(body), "random"])))
    (played,) = play([match])
    assert played.reason == "fault"
    assert not played.is_scored


def test_texts_that_no_database_holds_are_kept_with_escapes(
    tmp_path: Path, plan: Planner, agent: Writer
) -> None:
    spec = agent("def choose_action(self, allowed):\n    raise ValueError('half \\ud800')")
    with Results(tmp_path / "results.sqlite", create=True) as results:
        run_plan(plan(parties=[spec, "random"]), results)
        (fault,) = {fault.reason for s in results.sessions() for fault in s.faults}
    assert fault == "raised ValueError: half \\ud800"


def test_a_slow_party_is_cut_off_and_the_others_go_on(plan: Planner, agent: Writer) -> None:
    """Case C115."""
    slow = agent("def choose_action(self, allowed):\n    import time\n    time.sleep(60)")
    made = plan(
        parties=[slow, "boulware", "conceder"],
        domains=[DOMAIN],
        repetitions=1,
        seating="fixed",
        party_timeout=0.5,
    )
    played = play(list(made))
    assert [p.reason for p in played[:2]] == ["fault", "fault"]
    assert {fault.seat for p in played[:2] for fault in p.faults} == {1}
    assert played[2].reason in ("agreement", "deadline")


def test_a_slow_mediator_is_cut_off_too(plan: Planner, agent: Writer) -> None:
    slow = agent(
        "is_mediator = True\ndef choose_action(self, allowed):\n    import time\n    time.sleep(60)"
    )
    made = plan(
        parties=["accepting", "boulware"],
        domains=[DOMAIN],
        protocols="simple_mediator",
        mediator=slow,
        repetitions=1,
        seating="fixed",
        party_timeout=0.5,
    )
    (played,) = play(list(made))
    assert played.reason == "fault"
    assert played.faults[0].seat == 0
    assert "within 0.5 s" in played.faults[0].reason


def test_minds_that_answer_together_play_in_lockstep(plan: Planner, agent: Writer) -> None:
    spec = agent(
        "sizes = []\n"
        "@classmethod\n"
        "def choose_actions(cls, asked):\n"
        "    cls.sizes.append(len(asked))\n"
        "    return [party.choose_action(turn.allowed) for party, turn in asked]"
    )
    made = list(plan(parties=[spec, "boulware"], domains=[DOMAIN], repetitions=4, seating="fixed"))
    assert answers_together(spec)
    assert not answers_together("boulware")
    played = play(made)
    from genius_py import registry

    assert max(registry.find("party", spec).sizes) == len(made) == 4
    assert [p._replace(seconds=0) for p in played] == [
        play([match])[0]._replace(seconds=0) for match in made
    ]
