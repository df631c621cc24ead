"""The command line at a pseudo-terminal."""

import os
import subprocess
import sys
from pathlib import Path


def on_terminal(arguments: list[str], folder: Path, env: dict[str, str]) -> bytes:
    """What ``genius-py ARGUMENTS...`` shows on a terminal of its own."""
    parent, child = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "genius_py", *arguments],
        cwd=folder,
        env={**os.environ, **env},
        stdin=subprocess.DEVNULL,
        stdout=child,
        stderr=child,
    ) as process:
        os.close(child)
        seen = b""
        while True:
            try:
                part = os.read(parent, 4096)
            except OSError:  # how Linux says that nobody writes any more
                break
            if not part:
                break
            seen += part
    os.close(parent)
    assert process.returncode == 0
    return seen
