from pathlib import Path

from genius_py import registry

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "metrics.md"


def test_every_metric_is_documented() -> None:
    text = PAGE.read_text(encoding="utf-8")
    ours = [n for n, c in registry.names("metric").items() if c.__module__.startswith("genius_py.")]
    assert [name for name in ours if f"`{name}`" not in text] == []
