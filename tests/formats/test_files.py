import errno
import os
from pathlib import Path
from typing import IO

import pytest

from genius_py.formats.files import write_whole


def test_a_file_is_written_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    def fail(file: IO[str]) -> None:
        file.write("half")
        raise OSError(errno.ENOSPC, "No space left on device")

    (tmp_path / "old.csv").write_text("old")
    for name in ("old.csv", "new.csv"):
        with pytest.raises(OSError, match="No space"):
            write_whole(tmp_path / name, fail)
    assert {file.name for file in tmp_path.iterdir()} == {"old.csv"}
    assert (tmp_path / "old.csv").read_text() == "old"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs os.mkfifo")
def test_a_pipe_is_written_to_and_stays(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(tmp_path / "pipe", lambda file: file.write("all"))
        assert os.read(reader, 9) == b"all"
    finally:
        os.close(reader)
    assert [file.name for file in tmp_path.iterdir()] == ["pipe"]
