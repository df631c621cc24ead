"""Replies in a file."""

import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from genius_py.errors import ModelFailure, OptionError
from genius_py.llm import reply_cache
from genius_py.llm.reply_cache import ReplyCache
from genius_py.llm.request import Completion

HELLO = Completion("hello\nthere \N{SNOWMAN}", 12, 3, True)


def test_what_is_put_in_comes_out_also_after_closing(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "deep" / "replies.sqlite")
    cache.put({"a": HELLO, "b": Completion("", 1, 400, False)})
    cache.close()
    again = ReplyCache(tmp_path / "deep" / "replies.sqlite")
    assert again.get(["b", "a", "c"]) == {"a": HELLO, "b": Completion("", 1, 400, False)}
    assert len(again) == 2
    again.close()


def test_the_first_reply_stays(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "replies.sqlite")
    cache.put({"a": HELLO})
    cache.put({"a": Completion("another")})
    assert cache.get(["a"]) == {"a": HELLO}
    cache.close()


def test_more_keys_than_sqlite_takes_at_once(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "replies.sqlite")
    keys = [str(number) for number in range(1203)]
    cache.put(dict.fromkeys(keys, HELLO))
    assert len(cache.get(keys)) == 1203
    assert cache.get([]) == {}
    cache.close()


def test_two_may_write_to_one_file(tmp_path: Path) -> None:
    one, other = ReplyCache(tmp_path / "it"), ReplyCache(tmp_path / "it")
    one.put({"a": HELLO})
    other.put({"b": HELLO})
    assert one.get(["a", "b"]) == other.get(["a", "b"]) == {"a": HELLO, "b": HELLO}
    one.close()
    other.close()


def test_it_remembers_what_a_models_name_stood_for(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "it")
    assert cache.identity("smollm2") is None
    cache.note_identity("smollm2", "weights 1")
    cache.note_identity("smollm2", "weights 2")
    assert cache.identity("smollm2") == "weights 2"
    cache.close()


def test_a_file_of_another_kind_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("not a database, and long enough to be looked at" * 50, encoding="utf-8")
    with pytest.raises(OptionError, match="cannot hold replies") as caught:
        ReplyCache(file)
    assert isinstance(caught.value.__cause__, sqlite3.Error)


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0" + b"\xff" * 4096], ids=["no", "bad"])
def test_to_read_only_a_file_must_hold_replies(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "it"
    file.write_bytes(content)
    with pytest.raises(OptionError, match="cannot hold replies"):
        ReplyCache(file, read_only=True)
    with pytest.raises(OptionError, match="cannot hold replies"):
        ReplyCache(tmp_path / "none", read_only=True)
    assert not (tmp_path / "none").exists()


def test_what_is_read_only_is_never_written(tmp_path: Path) -> None:
    file = tmp_path / "a #?%41 name"
    cache = ReplyCache(file)
    cache.put({"a": HELLO})
    cache.close()
    before = file.read_bytes()
    reading = ReplyCache(file, read_only=True)
    assert reading.get(["a"]) == {"a": HELLO}
    with pytest.raises(ModelFailure, match="readonly database"):
        reading.put({"b": HELLO})
    reading.close()
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_file_that_may_only_be_read_can_be_replayed_from(tmp_path: Path) -> None:
    file = tmp_path / "it"
    cache = ReplyCache(file)
    cache.put({"a": HELLO})
    cache.close()
    file.chmod(0o400)
    reading = ReplyCache(file, read_only=True)
    assert reading.get(["a"]) == {"a": HELLO}
    reading.close()


def test_a_folder_or_a_place_that_is_none_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="cannot hold replies"):
        ReplyCache(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(OptionError, match="cannot hold replies"):
        ReplyCache(tmp_path / "file" / "deeper")


def test_a_file_that_breaks_while_it_is_used_fails_what_is_asked(tmp_path: Path) -> None:
    file = tmp_path / "it"
    cache = ReplyCache(file)
    cache.put({str(number): Completion("x" * 3000) for number in range(50)})
    cache.close()
    cache = ReplyCache(file)
    whole = file.read_bytes()
    file.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    with pytest.raises(ModelFailure, match=r"the cache .* failed"):
        cache.get([str(number) for number in range(50)])
    cache.close()
    with pytest.raises(ModelFailure, match="closed"):
        cache.get(["a"])


def test_who_writes_is_waited_for_but_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reply_cache, "_PATIENCE", 0.05)
    cache = ReplyCache(tmp_path / "it")
    other = sqlite3.connect(tmp_path / "it", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    for work in (lambda: cache.put({"a": HELLO}), lambda: cache.get(["a"])):
        with pytest.raises(ModelFailure, match="database is locked"):
            work()
    other.execute("COMMIT")
    other.close()
    cache.put({"a": HELLO})
    assert cache.get(["a"]) == {"a": HELLO}
    cache.close()


def test_many_threads_share_a_cache(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "it")
    failed: list[BaseException] = []

    def work(name: str) -> None:
        try:
            for number in range(40):
                cache.put({f"{number}": Completion(name), f"{name} {number}": HELLO})
                assert cache.get([f"{name} {number}"])
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(cache) == 5 * 40
    cache.close()


_WRITE = """
import sys
from genius_py.llm.reply_cache import ReplyCache
from genius_py.llm.request import Completion
cache = ReplyCache(sys.argv[1])
for number in range(150):
    cache.put({str(number): Completion(sys.argv[2]), f"{sys.argv[2]} {number}": Completion("x")})
cache.close()
"""


def test_several_processes_share_a_cache_and_the_first_reply_stays(tmp_path: Path) -> None:
    file = tmp_path / "it"
    writers = [subprocess.Popen([sys.executable, "-c", _WRITE, file, name]) for name in ("a", "b")]
    assert [writer.wait(120) for writer in writers] == [0, 0]
    cache = ReplyCache(file)
    assert len(cache) == 3 * 150
    assert {reply.text for reply in cache.get([str(n) for n in range(150)]).values()} <= {"a", "b"}
    cache.close()


def test_any_text_can_be_kept(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "it")
    said = Completion("\0 \N{SNOWMAN} \U0001f600 half a pair: \ud83d \x1b[31m")
    assert said.text.endswith("half a pair: ? \x1b[31m")
    cache.put({"a": said})
    assert cache.get(["a"]) == {"a": said}
    cache.close()
