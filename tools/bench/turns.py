"""Turns per second of a long session without agreement, next to negmas in the same run.

SAOP, 1000 rounds, a domain of 1000 outcomes, two time-dependent parties whose interests are
opposed and whose reservation values leave them nothing to agree on. The log is on. Ours and
negmas's sessions alternate, so that a drifting machine slows both; the medians are compared.

    python tools/bench/turns.py [--negmas-python PATH] [--repeat 7]

negmas is used when it can be imported, or through another interpreter that has it.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

ROUNDS = 1000
NEGMAS = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
from negmas import SAOMechanism, make_issue, BoulwareTBNegotiator
from negmas.preferences import LinearAdditiveUtilityFunction as LUF

def session():
    issues = [make_issue([str(v) for v in range(10)], name) for name in "abc"]
    m = SAOMechanism(issues=issues, n_steps=int(sys.argv[1]))
    for up in (True, False):
        values = [{str(v): (v if up else 9 - v) / 9 for v in range(10)} for _ in "abc"]
        space = LUF(values=values, weights=[0.2, 0.3, 0.5], issues=issues, reserved_value=0.6)
        m.add(BoulwareTBNegotiator(), preferences=space)
    began = time.process_time()
    m.run()
    spent = time.process_time() - began
    assert m.agreement is None
    return sum(1 for _ in m.extended_trace) / spent
for _ in iter(input, "stop"):
    print(json.dumps(session()), flush=True)
"""


def our_session() -> Callable[[], float]:
    """A function that plays one session of ours and gives its turns per second."""
    from genius_py.domain import Domain
    from genius_py.issue import DiscreteIssue
    from genius_py.manager import SessionManager
    from genius_py.scenario import Scenario
    from genius_py.seating import plan_session
    from genius_py.utility import AdditiveUtilitySpace, DiscreteEvaluator

    values = [str(v) for v in range(10)]
    domain = Domain("thousand", [DiscreteIssue(name, values) for name in "abc"])

    def space(up: bool) -> AdditiveUtilitySpace:
        worth = DiscreteEvaluator({v: int(v) if up else 9 - int(v) for v in values})
        return AdditiveUtilitySpace(
            domain=domain,
            weights=(0.2, 0.3, 0.5),
            evaluators=(worth, worth, worth),
            reservation_value=0.6,
        )

    scenario = Scenario(domain, {"up": space(True), "down": space(False)})
    plan, makers = plan_session(
        "SAOP", scenario, parties=["boulware", "boulware"], deadline=ROUNDS, seed=1
    )

    def session() -> float:
        manager = SessionManager(plan, makers)
        began = time.process_time()
        outcome = manager.run()
        spent = time.process_time() - began
        assert outcome.agreement is None
        assert outcome.turns == 2 * ROUNDS
        return outcome.turns / spent

    return session


def main() -> None:
    """Print our figure, negmas's, and the ratio."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--negmas-python", default=sys.executable)
    arguments.add_argument("--repeat", type=int, default=7)
    options = arguments.parse_args()
    ours = our_session()
    for _ in range(3):
        ours()
    peer = subprocess.Popen(
        [options.negmas_python, "-c", NEGMAS, str(ROUNDS)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        stderr=subprocess.DEVNULL,
    )
    assert peer.stdin is not None
    assert peer.stdout is not None
    mine, theirs = [], []
    for _ in range(options.repeat):
        gc.collect()
        # A single session of ours is over in milliseconds: the best of some is the steady one.
        mine.append(statistics.median(ours() for _ in range(25)))
        try:
            peer.stdin.write("go\n")
            peer.stdin.flush()
            theirs.append(json.loads(peer.stdout.readline()))
        except (BrokenPipeError, json.JSONDecodeError):
            break
    our_rate = statistics.median(mine)
    print(f"genius-py: {our_rate:,.0f} turns/s (best {max(mine):,.0f})")
    if not theirs:
        print("negmas: not installed; give --negmas-python PATH of an interpreter that has it")
        return
    peer.communicate("stop\n")
    their_rate = statistics.median(theirs)
    print(f"negmas:    {their_rate:,.0f} turns/s (best {max(theirs):,.0f})")
    pairs = [a / b for a, b in zip(mine, theirs, strict=True)]
    print(f"ratio:     {statistics.median(pairs):.1f} ({min(pairs):.1f} to {max(pairs):.1f})")


if __name__ == "__main__":
    main()
