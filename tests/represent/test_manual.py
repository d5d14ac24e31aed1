"""The manual's page on representations shows what is really made."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from nliprobe.represent.reader import build_representation
from nliprobe.task.table import Row, Table

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "representations.md"
TABLE = Table(
    "Dressage",
    (
        Row("Highest governing body", ("International Federation for Equestrian Sports (FEI)",)),
        Row("Mixed gender", ("Yes",)),
        Row("Equipment", ("Horse", "horse tack")),
    ),
)


@pytest.mark.parametrize("name", ["para", "struct", "json", "markdown", "html", "wmd-1"])
def test_the_manual_shows_what_is_made(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "wmd-1" and find_spec("ot") is None:
        pytest.skip("wmd-k needs POT")
    (tmp_path / "two.txt").write_text("horse 1 1\ndressage 2 2\n", encoding="utf-8")
    monkeypatch.setenv("NLIPROBE_VECTORS", str(tmp_path / "two.txt"))
    text = "".join(build_representation(name).segments(TABLE, "You need a horse for dressage."))
    assert f"```text\n{text}\n```" in PAGE.read_text(encoding="utf-8")
