"""Where models are kept."""

import sys
from pathlib import Path

import pytest

from genius_py.llm.user_cache import user_cache


def test_the_environment_decides(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GENIUS_PY_CACHE", str(tmp_path))
    assert user_cache() == tmp_path


@pytest.mark.parametrize(
    ("platform", "variable", "below"),
    [("linux", "XDG_CACHE_HOME", "genius-py"), ("win32", "LOCALAPPDATA", "genius-py")],
)
def test_each_system_has_its_usual_place(
    platform: str, variable: str, below: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("GENIUS_PY_CACHE", raising=False)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv(variable, str(tmp_path))
    assert user_cache() == tmp_path / below
    monkeypatch.delenv(variable)
    assert user_cache().is_relative_to(Path.home())


def test_a_mac_has_its_own_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GENIUS_PY_CACHE", raising=False)
    monkeypatch.setattr(sys, "platform", "darwin")
    assert user_cache() == Path.home() / "Library" / "Caches" / "genius-py"
