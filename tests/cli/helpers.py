"""Running the command line as users do: in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "nliprobe", *words]


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NLIPROBE_") or name in (
        "NLIPROBE_CACHE", "NLIPROBE_DATA")}  # fmt: skip
    return {**kept, "COLUMNS": "120", **(extra or {})}


def nliprobe(
    *words: str, cwd: Path | None = None, env: Mapping[str, str] | None = None, code: int = 0
) -> subprocess.CompletedProcess[str]:
    """Run a verb and check its exit code."""
    done = subprocess.run(command(*words), capture_output=True, text=True, cwd=cwd, env=environment(env), check=False)
    assert done.returncode == code, done.stdout + done.stderr
    if code in (1, 2):
        assert "Traceback" not in done.stderr
    return done


def nliprobe_json(*words: str, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> Any:
    """Run a verb with --format json and read its document."""
    return json.loads(nliprobe(*words, "--format", "json", cwd=cwd, env=env).stdout)
