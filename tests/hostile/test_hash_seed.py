"""Nothing that is shown or written depends on the order in which Python keeps its sets."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys
from click.testing import CliRunner
from genius_py import formats, registry
from genius_py.cli import main
from genius_py.testing.homes import home_scenarios

NAMES = {formats.load_bundled(name).name: name for name in formats.bundled_names()}


def show(*arguments):
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, (arguments, result.output)
    print(arguments, result.stdout)


for rules in registry.names("protocol"):
    homes = [NAMES[scenario.name] for scenario in home_scenarios(rules)] or ["festival_booking"]
    show("run", "--protocol", rules, "--domain", homes[0], "--deadline", "4", "--log",
         f"{rules}.jsonl", "--json", "--trace")
open("plan.yaml", "w").write(
    "parties: [boulware, micro, random, boa]\\n"
    "domains: [flour_supply, 'random:issues=3,seed=2']\\n"
    "protocols: [SAOP, AMOP]\\ndeadline: 4\\n"
)
show("tournament", "plan.yaml", "-o", "results.sqlite", "--workers", "1", "--json", "--csv",
     "sessions.csv")
show("compare", "--party", "boa", "--bots", "micro,tit-for-tat", "--domains", "flour_supply",
     "--deadline", "4", "--workers", "1", "--json")
show("analyze", "wind_farm", "--json", "--plot", "wind_farm.svg")
show("analyze", "alternating_offers.jsonl", "--json", "--export", "outcome.csv", "--events",
     "events.csv")
show("report", "alternating_offers.jsonl", "--output", "page.html")
for kind in ("protocols", "parties", "domains", "metrics"):
    show("list", kind)
for format in formats.FORMATS:
    show("convert", "flour_supply", "flour.yaml" if format == "yaml" else format, "--format",
         format)
"""


def test_the_same_bytes_come_out_with_any_hash_seed(tmp_path: Path) -> None:
    seen = []
    for seed in ("1", "2"):
        folder = tmp_path / seed
        folder.mkdir()
        finished = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            cwd=folder,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        )
        written = {
            path.relative_to(folder): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file() and path.suffix != ".sqlite"  # which holds how long it took
        }
        assert len(written) > 20
        seen.append((finished.stdout, written))
    assert seen[0] == seen[1]
