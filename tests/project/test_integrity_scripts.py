"""Small versions of the scripts that flip bits and kill processes; the scripts themselves do a thousand and 200."""

from __future__ import annotations

from pathlib import Path

import pytest
from scripts.bit_flips import flips
from scripts.kill_runs import kill_runs

pytestmark = pytest.mark.faults


def test_no_flipped_bit_changes_a_number_silently(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLIPROBE_CACHE", str(tmp_path / "cache"))
    counts = flips(15, 11, tmp_path)
    assert sum(sum(found.values()) for found in counts.values()) == 15
    assert counts["run"]["error"] > 0
    for found in counts.values():
        assert (found["WRONG"], found["TRACEBACK"]) == (0, 0), counts


@pytest.mark.studio
def test_no_kill_loses_a_system_or_a_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLIPROBE_CACHE", str(tmp_path / "cache"))
    tally = kill_runs(2, 11, tmp_path)
    assert tally["kills"] >= 2
    assert (tally["lost"], tally["wrong"], tally["failed"]) == (0, 0, 0), tally
