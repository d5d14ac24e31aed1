"""Running the command line as users do: in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
WARM = Path(__file__).parent / "warm.py"
# For a process that may write only small files: Python would cut its compiled modules off, and fail with them later.
NO_BYTECODE = {"PYTHONDONTWRITEBYTECODE": "1"}


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
    done = run_warm(words, cwd or Path.cwd(), environment(env))
    assert done.returncode == code, done.stdout + done.stderr
    if code in (1, 2):
        assert "Traceback" not in done.stderr
    return done


@cache
def _warm() -> subprocess.Popen[str]:
    """Start the process that runs commands; it ends with this one, whose end closes its input."""
    return subprocess.Popen([sys.executable, str(WARM)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def run_warm(words: Sequence[str], cwd: Path, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a command in a process that need not import everything first."""
    if any(name.startswith("PYTHON") and os.environ.get(name) != value for name, value in env.items()):
        # What the interpreter reads when it starts.
        return subprocess.run(command(*words), capture_output=True, text=True, cwd=cwd, env=env, check=False)
    server = _warm()
    assert server.stdin is not None
    assert server.stdout is not None
    with tempfile.NamedTemporaryFile() as out, tempfile.NamedTemporaryFile() as err:
        told = {"words": words, "cwd": str(cwd), "env": dict(env), "out": out.name, "err": err.name}
        server.stdin.write(json.dumps(told) + "\n")
        server.stdin.flush()
        code = int(server.stdout.readline())
        said, complained = (Path(item.name).read_text(encoding="utf-8") for item in (out, err))
    return subprocess.CompletedProcess(command(*words), code, said, complained)


def nliprobe_json(*words: str, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> Any:
    """Run a verb with --format json and read its document."""
    return json.loads(nliprobe(*words, "--format", "json", cwd=cwd, env=env).stdout)
