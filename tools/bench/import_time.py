"""How long `import genius_py` takes, against `import numpy` and `import attrs` together.

Each figure is the least of many fresh interpreters, taken in turns so that a busy machine slows
both alike. The interpreter's own start is not counted. The aim is a ratio of at most 1.5.
"""

import subprocess
import sys

OURS = "genius_py"
FLOOR = "numpy, attrs"
RUNS = 15


def seconds(modules: str) -> float:
    """Time of one import statement in a fresh interpreter."""
    program = (
        "from time import perf_counter; start = perf_counter()\n"
        f"import {modules}\n"
        "print(perf_counter() - start)"
    )
    finished = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True
    )
    return float(finished.stdout)


def main() -> None:
    """Print both times and their ratio."""
    rounds = [(seconds(FLOOR), seconds(OURS)) for _ in range(RUNS)]
    floor, ours = (min(times) for times in zip(*rounds, strict=True))
    print(f"import {FLOOR}: {floor * 1000:.0f} ms")
    print(f"import {OURS}: {ours * 1000:.0f} ms")
    print(f"ratio: {ours / floor:.2f}")


if __name__ == "__main__":
    main()
