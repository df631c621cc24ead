"""Domains that nobody can list: each use of them stays within 200 MB."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from genius_py import formats
from genius_py.analysis.of_outcome import OutcomeSpace
from genius_py.cli._analysis_record import of_space
from genius_py.domain import Domain, magnitude, random_below
from genius_py.issue import IntegerIssue, Issue, RealIssue
from genius_py.scenario import Scenario
from genius_py.utility import (
    AdditiveUtilitySpace,
    Aggregate,
    Evaluator,
    HyperRectangle,
    HyperRectangleUtilitySpace,
    IntegerEvaluator,
    LinearUtilitySpace,
    RealLinearEvaluator,
    UtilitySpace,
)

PARTIES = [
    "accepting", "annealer", "boa", "boulware", "conceder", "exponential-concession", "hardliner",
    "hill_climber", "linear", "linear-concession", "micro", "random", "random-walker",
    "time-dependent", "tit-for-tat",
]  # fmt: skip

USED = """
import json, resource, sys, warnings
import genius_py as gp
from genius_py import formats
from genius_py.analysis.of_outcome import OutcomeSpace
from genius_py.formats import scenario_from_dict, scenario_to_dict

def peak():
    # What getrusage says includes the process that started this one.
    try:
        lines = open("/proc/self/status").read().splitlines()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(next(line.split()[1] for line in lines if line.startswith("VmHWM:")))


warnings.simplefilter("ignore")
file, parties = sys.argv[1], sys.argv[2].split(",")
scenario = formats.load(file)
str(scenario)
told = {"size": str(scenario.domain.size), "failed": []}
told["same"] = scenario_from_dict(scenario_to_dict(scenario)) == scenario
told["opposition"] = OutcomeSpace.of(scenario.profiles).analysis.opposition
for party in parties:
    outcome = gp.run("SAOP", scenario, parties=[party, party], deadline=20, seed=1)
    if outcome.faults:
        told["failed"].append(str(outcome.faults[0]))
    gp.replay(outcome)
for format in formats.FORMATS:
    try:
        formats.save(scenario, f"{file}-{format}", format)
        formats.load(f"{file}-{format}")
    except gp.errors.DomainError:
        pass
told["megabytes"] = peak() / 2**10
print(json.dumps(told))
"""


def additive(issues: list[Issue], evaluators: list[tuple[Evaluator, Evaluator]]) -> Scenario:
    domain = Domain("vast", issues)
    share = [1 / len(issues)] * len(issues)
    return Scenario(
        domain,
        {
            role: AdditiveUtilitySpace(
                domain=domain,
                weights=share,
                evaluators=[pair[place] for pair in evaluators],
                reservation_value=0.3,
            )
            for place, role in enumerate(("buyer", "seller"))
        },
    )


def one_price() -> Scenario:
    line = IntegerEvaluator(0, -1e-9, 1.0), IntegerEvaluator(0, 1e-9, 0.0)
    return additive([IntegerIssue("price", 0, 10**9 - 1)], [line])


def two_numbers() -> Scenario:
    wide = [IntegerIssue(name, 0, 10**20 - 1) for name in ("price", "amount")]
    line = IntegerEvaluator(0, -1e-20, 1.0), IntegerEvaluator(0, 1e-20, 0.0)
    return additive([*wide], [line, line])


def seven_reals() -> Scenario:
    line = RealLinearEvaluator(1.0, -1.0), RealLinearEvaluator(0.0, 1.0)
    return additive([RealIssue(f"share {n}", 0, 1) for n in range(7)], [line] * 7)


def money() -> Scenario:
    domain = Domain("money", [IntegerIssue("price", 0, 10**9 - 1)])
    spaces = [
        LinearUtilitySpace(
            domain=domain, coefficients=[sign], constant=constant, scale=1e9, reservation_value=0.2
        )
        for sign, constant in ((-1, 1e9), (1, 0))
    ]
    return Scenario(domain, dict(zip(("buyer", "seller"), spaces, strict=True)))


def boxes() -> Scenario:
    domain = Domain("boxes", [IntegerIssue(f"issue {n}", 0, 9) for n in range(40)])

    def space(seed: int) -> UtilitySpace:
        rng = np.random.default_rng(seed)
        some = [
            HyperRectangle(
                float(rng.uniform(1, 10)),
                {
                    f"issue {n}": (int(low), int(low) + 3)
                    for n, low in zip(
                        rng.choice(40, 3, replace=False), rng.integers(0, 7, 3), strict=True
                    )
                },
            )
            for _ in range(20)
        ]
        return HyperRectangleUtilitySpace(
            domain=domain, aggregate=Aggregate("sum", some), max_utility=100, reservation_value=0.05
        )

    return Scenario(domain, {"a": space(1), "b": space(2)})


SCENARIOS = {
    "forty issues": lambda: formats.load("random:issues=40,values=10,reservation=0.3"),
    "nine issues": lambda: formats.load("random:issues=9,values=10,reservation=0.3"),
    "one price": one_price,
    "two numbers": two_numbers,
    "seven reals": seven_reals,
    "money": money,
    "boxes": boxes,
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_vast_domain_is_read_analysed_played_and_converted_in_little_memory(
    name: str, tmp_path: Path
) -> None:
    file = tmp_path / "vast.yaml"
    formats.save(SCENARIOS[name](), file)
    done = subprocess.run(
        [sys.executable, "-c", USED, str(file), ",".join(PARTIES)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert int(told["size"]) >= 10**9
    assert told["same"]
    assert told["failed"] == []
    assert told["megabytes"] < 200


def test_more_bids_than_json_can_count_are_not_counted(tmp_path: Path) -> None:
    line = IntegerEvaluator(0, -1e-300, 1.0), IntegerEvaluator(0, 1e-300, 0.0)
    scenario = additive([IntegerIssue("price", 0, 10**300)], [line])
    space = OutcomeSpace.of(scenario.profiles)
    assert space is not None
    assert of_space(space)["n_outcomes"] is None
    formats.save(formats.load("random:issues=400,values=10"), tmp_path, "negolog")
    assert "NumberOfBids" not in (tmp_path / "specs.json").read_text()


def test_a_draw_from_more_numbers_than_an_array_counts_reaches_all_of_them() -> None:
    rng = np.random.default_rng(1)
    drawn = [random_below(10**40, rng) / 10**40 for _ in range(2000)]
    assert 0 <= min(drawn) < 0.01 < 0.99 < max(drawn) < 1
    assert sum(drawn) / 2000 == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (999_999_999, "999999999"),
        (10**9, "about 10^9"),
        (10**40, "about 10^40"),
        (10**5000, "about 10^5000"),
    ],
    ids=range(4),
)
def test_the_magnitude_of_any_size_can_be_said(size: int, words: str) -> None:
    assert magnitude(size) == words
